from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.settings import icons, language, settings, table, theme  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
