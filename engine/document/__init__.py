"""The text of a model: files, includes, the tree over the text, edits of it. Start with document.py."""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.document import document, element_edit, files, merge, source, subtree, xpath  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
