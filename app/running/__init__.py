"""Read first: the windows that run, and how another start of the program hands them its files (docs/desktop.md).

The first part imports neither Qt nor numpy: `arguments` (what is to be opened), `place` (where windows are found),
`message` (what is said), `client` (the start that hands its files over). The second part is of the window: `listener`,
and `neighbours` (the other windows).
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.running import arguments, client, listener, neighbours, place  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
