"""Tools that edit the structure of a model: each gives the wishes of one undo step, and leaves the compiled model as it
was unless it says otherwise.

    classes      attributes that elements have in common to a default class; a default class into its elements
    class_moves  default classes moved and merged
    angles       degrees to radians and back
    inertia      the inertia that the compiler computes as numbers; back to what follows from the geoms
    decompose    convex parts in place of a mesh
    fit          a primitive in place of a mesh
    urdf         these and inertia for the shapes and links of URDF
    mirror_urdf  limbs of URDF
    mirror       the mirror image of a limb beside it, with all that refers to it
    including    elements to a file of their own, and back
"""
