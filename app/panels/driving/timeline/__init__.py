from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.panels.driving.timeline import loop, until  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
