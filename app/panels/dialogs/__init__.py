"""Dialogs and popups: settings, keys, the palette of commands, pictures, conversion."""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.panels.dialogs import (  # noqa: F401
        crash_reports,
        decomposition,
        documentation,
        extra,
        keys_dialog,
        model_chooser,
        settings_dialog,
        updates,
    )
else:
    __getattr__ = lazy_modules(__name__)
