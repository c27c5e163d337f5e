from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.workspace import controller, extras, garbage, recent_documents, workspace  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
