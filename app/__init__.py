from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app import (  # noqa: F401
        actions,
        commands,
        crashes,
        marks,
        overrides,
        running,
        second_part,
        settings,
        terminal,
        tour,
        updates,
        window,
        workspace,
    )
else:
    __getattr__ = lazy_modules(__name__)
