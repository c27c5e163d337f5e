"""Updates are told, never taken: one request when the user asks, or once a week where the settings say so.

source.py        the page that knows the newest version: the only address of the program
version.py       which of two versions is newer
installation.py  how this installation is updated
check.py         the request
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.updates import check  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
