"""Expands <flexcomp> to a flex, the bodies that carry its points, and an equality on its edges if wanted.

Source: XML reference, "body/flexcomp".

expand    the elements that one flexcomp stands for
points    points and elements of each type
gmsh      points and elements from GMSH files
pins      which points stay in the parent
"""

from typing import TYPE_CHECKING

from kinetree.engine.expand.flexcomp.expand import expand
from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.expand.flexcomp import gmsh  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["expand"]
