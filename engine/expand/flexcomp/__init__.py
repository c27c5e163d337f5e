"""flexcomp: a flex, the bodies that carry its points, and a constraint if wanted, made from a few attributes.

Source: XML reference, "body/flexcomp".

expand    what one flexcomp stands for
points    points and elements of each type
gmsh      those from GMSH files
pins      which points stay in the parent
"""

from engine.expand.flexcomp.expand import expand

__all__ = ["expand"]
