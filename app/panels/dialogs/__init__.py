"""Dialogs and popups: settings, keys, the palette of commands, pictures, conversion."""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.panels.dialogs import decomposition, extra, keys_dialog, settings_dialog  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
