"""Pages and messages in place of the picture or above it: the start page, errors, messages."""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.panels.pages import examples, failure  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
