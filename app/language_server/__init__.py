"""The language server behind `kinetree lsp`: other editors get what engine/assist knows. Start with server.py."""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.language_server import server  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
