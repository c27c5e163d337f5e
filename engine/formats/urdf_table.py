"""The table of URDF: all supported elements, with rows of engine/mjcf/schema_rows.py.

Sources: the URDF XML specification (wiki.ros.org/urdf/XML: robot, link, joint), with the extensions that mujoco 3.3.4
reads: capsules, spherical joints, and <mujoco> with compiler, option and size (Modeling, "URDF extensions").
"""

from __future__ import annotations

from dataclasses import replace

from kinetree.engine.formats.check import FormatTable
from kinetree.engine.mjcf.schema import ELEMENTS
from kinetree.engine.mjcf.schema_rows import attribute, element
from kinetree.engine.translation import marked

# one row a line
# fmt: off

XYZ = attribute("xyz", "real(3)", "0 0 0", "Position.", unit="m")
RPY = attribute("rpy", "real(3)", "0 0 0", "Turns about the fixed axes X, Y and Z, in this order.", unit="rad")
NAME = attribute("name", "string", None, "Name of the shape.")
_INERTIA = "Entry {} of the inertia matrix about the centre of mass, in the axes of the inertial frame."

BORROWED = ("compiler", "compiler.lengthrange", "option", "option.flag", "size")

TRUE_BY_DEFAULT = ("strippath", "fusestatic", "discardvisual")
"""Attributes of <compiler> that are false by default in MJCF."""
_DEFAULTS = {"angle": "radian", **dict.fromkeys(TRUE_BY_DEFAULT, "true")}
_COMPILER = {name: replace(row, default=_DEFAULTS.get(name, row.default)) for name, row in ELEMENTS["compiler"].attributes.items()}

ROWS = [
    element("robot", "!", "The root of a model.", [
        attribute("name", "string", "MuJoCo Model", "Name of the robot."),
        attribute("version", "string", "1.0", "Version of the format."),
    ], "mujoco link joint robot.material"),
    element("mujoco", "?", "MuJoCo's extension of URDF.", [attribute("model", "string", None, "Not used.")], "compiler option size"),
    element("link", "*", "A rigid body.", [
        attribute("name", "name:link!", None, "Name of the link; 'world' is the fixed ground."),
        attribute("type", "string", None, "Not used."),
    ], "inertial visual collision"),
    element("inertial", "?", "Mass and inertia of a link; left out, they follow from its collision shapes.", [], "origin inertial.mass inertial.inertia"),
    element("origin", "?", "A pose in the frame around.", [XYZ, RPY]),
    element("inertial.mass", "!", "Mass of the link.", [attribute("value", "real!", None, "The mass.", unit="kg", low=0)]),
    element("inertial.inertia", "!", "Inertia of the link.", [
        attribute(name, "real!", None, _INERTIA.format(name[1:]), unit="kg m²") for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    ]),
    element("visual", "*", "A shape that is seen.", [NAME], "origin geometry visual.material"),
    element("collision", "*", "A shape that collides.", [NAME, attribute("group", "string", None, "Not used.")], "origin geometry collision.material"),
    element("geometry", "!", "One of box, sphere, cylinder, capsule, mesh.", [], "box sphere cylinder capsule mesh"),
    element("box", "?", "A box.", [attribute("size", "real(3)!", None, "Full lengths of the edges.", unit="m", low=0)]),
    element("sphere", "?", "A sphere.", [attribute("radius", "real!", None, "Radius.", unit="m", low=0)]),
    element("cylinder", "?", "A cylinder along Z.", [attribute("radius", "real!", None, "Radius.", unit="m", low=0), attribute("length", "real!", None, "Full length.", unit="m", low=0)]),
    element("capsule", "?", "A capsule along Z.", [attribute("radius", "real!", None, "Radius.", unit="m", low=0), attribute("length", "real!", None, "Length without the caps.", unit="m", low=0)]),
    element("mesh", "?", "A mesh from a file.", [
        attribute("filename", "file!", None, "The file: a path, package://PACKAGE/PATH or file:///PATH, ending in .stl, .obj, .msh or .dae."),
        attribute("scale", "real(3)", "1 1 1", "Factors along the axes."),
    ]),
    element("robot.material", "*", "A material for several shapes.", [attribute("name", "string", None, "Name of the material.")], "color texture"),
    element("visual.material", "?", "The material of a shape, its own or one by name.", [attribute("name", "string", None, "Name of the material.")], "color texture"),
    element("collision.material", "?", "Not used: a collision shape has the colour of the visual one before it.", [attribute("name", "string", None, "Not used.")], "color texture"),
    element("color", "?", "Colour of a material.", [attribute("rgba", "real(4)!", None, "Red, green, blue and opacity, each from 0 to 1.", low=0, high=1)]),
    element("texture", "?", "Image of a material; not read.", [attribute("filename", "string", None, "The image.")]),
    element("joint", "*", "How a link moves against another.", [
        attribute("name", "name:joint!", None, "Name of the joint."),
        attribute("type", "[revolute continuous prismatic fixed floating planar spherical]!", None, "How the child can move."),
    ], "origin parent child axis limit dynamics mimic safety_controller calibration"),
    element("parent", "!", "The link that the joint is fixed to.", [attribute("link", "ref:link!", None, "Name of the link.")]),
    element("child", "!", "The link that the joint moves.", [attribute("link", "ref:link!", None, "Name of the link.")]),
    element("axis", "?", "Axis of a joint, in the frame of its child; left out, X.", [attribute("xyz", "real(3)!", None, "The axis; its length does not matter.")]),
    element("limit", "?", "How far and how strong a joint is.", [
        attribute("lower", "real", "0", "Least position.", unit="rad or m"),
        attribute("upper", "real", "0", "Greatest position; together with a smaller lower it limits the joint.", unit="rad or m"),
        attribute("effort", "real", None, "Greatest force or torque of the joint's drive; 0 for no limit.", unit="N m or N, inf", low=0),
        attribute("velocity", "real", None, "Greatest speed; not used by the simulation.", unit="rad/s or m/s, inf", low=0),
    ]),
    element("dynamics", "?", "Damping and friction of a joint.", [
        attribute("damping", "real", "0", "Damping.", unit="N m s/rad or N s/m", low=0),
        attribute("friction", "real", "0", "Dry friction.", unit="N m or N", low=0),
    ]),
    element("mimic", "?", "Makes a joint follow another one.", [
        attribute("joint", "ref:joint!", None, "The joint that it follows."),
        attribute("multiplier", "real", "1", "Factor on the other's position."),
        attribute("offset", "real", "0", "Offset that is added to the position.", unit="rad or m"),
    ]),
    element("safety_controller", "?", "Limits for a controller; not used by the simulation.", [
        attribute(name, "string", None, "Not used.") for name in ("soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity")
    ]),
    element("calibration", "?", "Reference positions of a sensor; not used by the simulation.", [
        attribute(name, "string", None, "Not used.") for name in ("reference_position", "rising", "falling")
    ]),
    *(replace(ELEMENTS[id], multiplicity="?", attributes=_COMPILER if id == "compiler" else ELEMENTS[id].attributes) for id in BORROWED),
]

_XACRO = marked("macros of xacro, which Kinetree does not expand; run the file through `xacro` first")
_OLD_COLLISION = marked("collision settings of old URDF versions")
IGNORED = {
    "transmission": marked("how motors drive joints, for the controllers of ROS"),
    "gazebo": marked("settings for the simulator Gazebo"),
    "ros2_control": marked("settings for the controllers of ROS 2"),
    "sensor": marked("sensors for other programs"),
    "contact": marked("contact parameters for the simulator PyBullet"),
    "self_collision_checking": marked("self-collision settings of old URDF versions"),
    "verbose": _OLD_COLLISION,
    "contact_coefficients": _OLD_COLLISION,
    "drake": marked("settings for the simulator Drake"),
    "plugin": marked("plugins of other programs"),
    **{
        f"xacro:{name}": _XACRO
        for name in ("include", "macro", "property", "arg", "if", "unless", "call", "insert_block", "element")
    },
}

EXCLUSIVE = frozenset({"geometry"})
"""Elements that hold one element only, of any of their kinds."""

SHARED = dict.fromkeys(("robot.material", "visual.material", "collision.material"), "material")
"""Elements that declare a name of this namespace where they hold elements, and refer to one where they do not."""

IMPLICIT_NAMES = {"link": ("world",)}
"""Namespace -> names that mean something of their own: an element of that name cannot get another, nor another its."""

TABLE = FormatTable("robot", ROWS, IGNORED, strict=False, borrowed=BORROWED)
