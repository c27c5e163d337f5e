"""Decor: everything in the scene that is not a geom, site, flex or skin.

`table.py` lists the decorations, what switches each on and the function that draws it; `rows.py` is the array
they fill. `labels.py` has the texts that the window writes beside objects.
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.scene.decor import touch  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
