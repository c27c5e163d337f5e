"""Tools that edit the structure of a model: each returns the edits of one undo step, and does not change the compiled
model unless it says otherwise.

    classes      attributes that elements have in common to a default class; a default class into its elements
    class_moves  default classes moved and merged
    angles       degrees to radians and back
    inertia      writes the computed inertia as numbers; removes them, so that it follows from the geoms again
    decompose    convex parts in place of a mesh
    fit          a primitive in place of a mesh
    urdf         these and inertia for the shapes and links of URDF
    mirror_urdf  limbs of URDF
    mirror       the mirror image of a limb beside it, with all references to it
    including    elements to a file of their own, and back
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.editing.tools import (  # noqa: F401
        angles,
        class_moves,
        classes,
        decompose,
        fit,
        including,
        inertia,
        mirror,
        symmetric,
    )
else:
    __getattr__ = lazy_modules(__name__)
