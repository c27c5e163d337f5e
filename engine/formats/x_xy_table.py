"""The table of x_xy: every element, in the rows of engine/mjcf/schema_rows.py, the joint types, and the colours by
name.

Source: the format's "XML Syntax Documentation"; where it is silent, its own package (imt-ring 1.7.1).
"""

from __future__ import annotations

from dataclasses import dataclass

from kinetree.engine.formats.check import FormatTable
from kinetree.engine.mjcf.schema_rows import attribute, element, optional

# one row a line
# fmt: off

POS = attribute("pos", "real(3)", "0 0 0", "Position in the frame around.", unit="m")
EULER = attribute("euler", "real(3)", None, "Turns about the fixed axes X, Y and Z, in this order; excludes quat.", unit="deg")
QUAT = attribute("quat", "real(4)", "1 0 0 0", "Rotation from the frame around to this one, scalar first; excludes euler.")
_PER_QD = "{} of the joint, one number for each degree of freedom."

GEOM = [
    attribute("type", "[box sphere cylinder capsule xyz]!", None, "The shape; xyz is a drawing of three axes."),
    attribute("mass", "real", None, "Mass of a uniform solid.", unit="kg", low=0),
    attribute("dim", "real(1..3)", None, "Box: three full lengths. Sphere: radius. Cylinder, capsule: radius and length, along X. xyz: length.", unit="m", low=0),
    attribute("size", "real(1..3)", None, "Another word for dim.", unit="m", low=0),
    POS, EULER, QUAT,
    attribute("color", "string", None, "Red, green and blue from 0 to 1, or a name such as orange."),
    attribute("edge_color", "string", None, "Colour of the edges; not drawn."),
]
TYPES = "free cor free_2d frozen spherical px py pz rx ry rz saddle p3d rr rr_imp rsaddle"
BODY = [
    attribute("name", "name:body!", None, "Name of the body."),
    attribute("joint", f"[{TYPES}]!", None, "How the body moves against the one around."),
    POS, EULER, QUAT,
    attribute("pos_min", "real(3)", None, "Lower bound of random positions; the model itself has pos.", unit="m"),
    attribute("pos_max", "real(3)", None, "Upper bound of random positions; the model itself has pos.", unit="m"),
    attribute("damping", "real(*)", None, _PER_QD.format("Damping"), unit="N m s/rad or N s/m", low=0),
    attribute("armature", "real(*)", None, _PER_QD.format("Added inertia"), unit="kg m^2 or kg", low=0),
    attribute("spring_stiff", "real(*)", None, _PER_QD.format("Spring stiffness"), unit="N m/rad or N/m", low=0),
    attribute("spring_zero", "real(*)", None, "Position where the spring rests, one number for each coordinate."),
]

ROWS = [
    element("x_xy", "!", "The root of a model.", [
        attribute("model", "string", None, "Name of the model."),
        attribute("name", "string", None, "Another word for model."),
    ], "options defaults worldbody"),
    element("options", "?", "Gravity and time step.", [
        attribute("gravity", "real(3)", "0 0 9.81", "Acceleration measured by a resting accelerometer: things fall in the opposite direction.", unit="m/s²"),
        attribute("dt", "real", "0.01", "Time step.", unit="s", low=1e-4, high=0.05),
    ]),
    element("defaults", "?", "Values for attributes that are not given.", [], "default.geom default.body"),
    element("default.geom", "?", "Values for geoms.", optional(GEOM)),
    element("default.body", "?", "Values for bodies.", optional(BODY)),
    element("worldbody", "!", "The world, which holds all bodies.", [], "body world.geom"),
    element("body", "*", "A body with its joint.", optional(BODY), "body geom omc"),
    element("geom", "*", "A shape of a body.", optional(GEOM)),
    element("world.geom", "*", "A shape that is only drawn.", optional(GEOM)),
    element("omc", "?", "A marker of optical motion capture; not read.", [
        attribute("name", "string", None, "Not used."), attribute("pos_marker", "string", None, "Not used."), attribute("pos", "string", None, "Not used."),
    ]),
]
TABLE = FormatTable("x_xy", ROWS, {}, strict=True)


@dataclass(frozen=True)
class JointType:
    """q, qd   how many coordinates and velocities, in the format's own order."""

    q: int
    qd: int


JOINTS = {
    "free": JointType(7, 6), "cor": JointType(10, 9), "free_2d": JointType(3, 3), "frozen": JointType(0, 0),
    "spherical": JointType(4, 3), "p3d": JointType(3, 3), "saddle": JointType(2, 2), "rsaddle": JointType(2, 2),
    "rr": JointType(1, 1), "rr_imp": JointType(2, 2),
    **dict.fromkeys(("px", "py", "pz", "rx", "ry", "rz"), JointType(1, 1)),
}

COLOURS = {
    "red": (0.8, 0.2, 0.2), "green": (0.2, 0.8, 0.2), "blue": (0.2, 0.2, 0.8), "yellow": (0.8, 0.8, 0.2),
    "cyan": (0.2, 0.8, 0.8), "magenta": (0.8, 0.2, 0.8), "white": (0.8, 0.8, 0.8), "black": (0.1, 0.1, 0.1),
    "gray": (0.5, 0.5, 0.5), "grey": (0.5, 0.5, 0.5), "silver": (0.7, 0.7, 0.72), "brown": (0.6, 0.3, 0.1),
    "orange": (0.8, 0.5, 0.2), "pink": (0.8, 0.75, 0.8), "purple": (0.5, 0.2, 0.5), "violet": (0.6, 0.4, 0.8),
    "lime": (0.5, 0.8, 0.2), "gold": (0.8, 0.84, 0.2), "olive": (0.5, 0.5, 0.1), "teal": (0.1, 0.5, 0.5),
    "navy": (0.05, 0.05, 0.4), "maroon": (0.4, 0.05, 0.1), "beige": (0.85, 0.82, 0.7), "tan": (0.75, 0.62, 0.45),
    "turquoise": (0.2, 0.75, 0.7), "indigo": (0.25, 0.05, 0.5), "salmon": (0.85, 0.5, 0.45),
    "matplotlib_green": (0.0, 0.502, 0.0), "matplotlib_blue": (0.012, 0.263, 0.8745),
    "matplotlib_lightblue": (0.482, 0.784, 0.9647), "matplotlib_salmon": (0.98, 0.502, 0.447),
    "dustin_exp_blue": (0.294, 0.365, 0.816), "dustin_exp_white": (0.945, 0.937, 0.816),
    "dustin_exp_orange": (0.89, 0.545, 0.239),
    "self": (0.7, 0.5, 0.1), "effector": (0.7, 0.4, 0.1), "decoration": (0.3, 0.5, 0.7), "eye": (0.0, 0.2, 1.0),
    "target": (0.6, 0.3, 0.3), "site": (0.5, 0.5, 0.5),
}
PLAIN = COLOURS["self"]
WORDS = {(id, name): tuple(COLOURS) for id in ("geom", "world.geom", "default.geom") for name in ("color", "edge_color")}
"""(id, attribute) -> usual values."""
