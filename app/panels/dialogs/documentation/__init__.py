"""The documentation in the program: pages of `docs`, a search over all of them, links between pages and to actions.

Read first `pages` (the pages, without Qt), then `viewer`. Nothing is fetched: the pages are installed with Kinetree.
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.panels.dialogs.documentation import pages, viewer  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
