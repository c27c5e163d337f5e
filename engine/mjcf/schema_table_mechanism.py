"""The part of the schema table for contact, equality, tendon, actuator, sensor and default.

Facts from MuJoCo's XML reference and the MPEX reference; one row per attribute, see schema_rows for the notation.
"""

from kinetree.engine.mjcf.schema_rows import AttributeRow, attribute, element, optional, pick
from kinetree.engine.mjcf.schema_table_body import (
    CAMERA,
    CLASS,
    FRICTION_SOLVER,
    GAP,
    GEOM,
    GROUP,
    JOINT,
    LIGHT,
    LIMIT_SOLVER,
    MARGIN,
    MATERIAL,
    MATERIAL_ROWS,
    MESH,
    RGBA,
    SITE,
    SOLVER,
    TRI,
    USER,
)
from kinetree.engine.mjcf.schema_table_settings import OBJECT_TYPES, PLUGIN
from kinetree.engine.model.sensors import SENSORS, SensedKind

# one row a line
# fmt: off

# --------------------------------------------------------------------------------------------- contact

PAIR = [
    attribute("name", "name:pair", None, "Name of the pair."),
    CLASS,
    attribute("geom1", "ref:geom!", None, "First geom."),
    attribute("geom2", "ref:geom!", None, "Second geom."),
    attribute("condim", "int", "3", "Contact dimensions: 1 no friction, 3 sliding, 4 and twisting, 6 and rolling.", low=1, high=6),
    attribute("friction", "real(1..5)", "1 1 0.005 0.0001 0.0001", "Friction coefficients: two for sliding, one for twisting, two for rolling.", low=0, high=2),
    *SOLVER,
    attribute("solreffriction", "real(1..2)", "0 0", "Reference of the friction directions of elliptic cones; zeros take solref."),
    MARGIN,
    GAP,
]
EXCLUDE = [
    attribute("name", "name:exclude", None, "Name of the exclusion."),
    attribute("body1", "ref:body!", None, "First body."),
    attribute("body2", "ref:body!", None, "Second body."),
]

# --------------------------------------------------------------------------------------------- equality

EQUALITY = [
    attribute("name", "name:equality", None, "Name of the constraint."),
    CLASS,
    attribute("active", "bool", "true", "Whether it is in force at first; it can be switched while running."),
    *SOLVER,
]
EQUALITY_BODIES = [
    attribute("body1", "ref:body", None, "First body."),
    attribute("body2", "ref:body", None, "Second body; left out, the world."),
    attribute("site1", "ref:site", None, "Site of the first body, instead of bodies and anchor."),
    attribute("site2", "ref:site", None, "Site of the second body, instead of bodies and anchor."),
]
POLYCOEF = attribute("polycoef", "real(1..5)", "0 1 0 0 0", "Coefficients of the polynomial that gives the first from the second.")

# --------------------------------------------------------------------------------------------- tendon

TENDON = [
    attribute("name", "name:tendon", None, "Name of the tendon."),
    CLASS,
    GROUP,
    attribute("limited", TRI, "auto", "Whether the range limits the length; auto: if a range is given."),
    attribute("actuatorfrclimited", TRI, "auto", "Whether actuatorfrcrange clamps; auto: if it is given."),
    attribute("range", "real(2)", "0 0", "Least and greatest length.", unit="m"),
    attribute("actuatorfrcrange", "real(2)", "0 0", "Least and greatest total actuator force on the tendon.", unit="N"),
    *LIMIT_SOLVER,
    *FRICTION_SOLVER,
    attribute("frictionloss", "real", "0", "Dry friction: greatest force against motion.", unit="N", low=0, high=100),
    attribute("margin", "real", "0", "Distance from the limit at which its constraint becomes active.", unit="m", low=0),
    attribute("springlength", "real(1..2)", "-1 -1", "Length at which the spring is at rest, or least and greatest such length; -1 takes the length at the reference pose.", unit="m", repeats=True),
    attribute("stiffness", "real", "0", "Stiffness of the spring.", unit="N/m", low=0, high=1000),
    attribute("damping", "real", "0", "Force against the velocity.", unit="N s/m", low=0, high=100),
    attribute("armature", "real", "0", "Inertia added to changes of length.", unit="kg", low=0, high=10),
    USER,
]
SPATIAL = [
    *TENDON,
    attribute("width", "real", "0.003", "Radius in which it is drawn.", unit="m", low=0, high=0.1),
    MATERIAL,
    RGBA,
]
FIXED = [
    *TENDON,
    attribute("width", "real", "0.003", "Radius in which it is drawn.", unit="m", low=0, high=0.1, mpex=True),
    attribute("rgba", "real(4)", "0.5 0.5 0.5 1", "Colour and opacity, each from 0 to 1.", low=0, high=1, mpex=True),
]

# --------------------------------------------------------------------------------------------- actuator

ACTUATOR = [
    attribute("name", "name:actuator", None, "Name of the actuator."),
    CLASS,
    GROUP,
    USER,
]
LIMITS = [
    attribute("ctrllimited", TRI, "auto", "Whether the control is clamped; auto: if ctrlrange is given."),
    attribute("ctrlrange", "real(2)", "0 0", "Least and greatest control."),
    attribute("forcelimited", TRI, "auto", "Whether the force is clamped; auto: if forcerange is given."),
    attribute("forcerange", "real(2)", "0 0", "Least and greatest force.", unit="N or N m"),
]
TRANSMISSION = [
    attribute("gear", "real(1..6)", "1 0 0 0 0 0", "Factor from force to joint or tendon; for sites, free and ball joints the force and torque axes."),
    attribute("cranklength", "real", "0", "Length of the connecting rod of a slider-crank; must be positive there.", unit="m", low=0),
    attribute("lengthrange", "real(2)", "0 0", "Least and greatest length that the actuator can reach, for muscles.", unit="m"),
    attribute("joint", "ref:joint", None, "Joint that it acts on."),
    attribute("jointinparent", "ref:joint", None, "Ball or free joint that it acts on, with the axis fixed in the parent."),
    attribute("tendon", "ref:tendon", None, "Tendon that it acts on."),
    attribute("site", "ref:site", None, "Site that it pushes."),
    attribute("refsite", "ref:site", None, "Site in whose frame the site is moved."),
    attribute("cranksite", "ref:site", None, "Site at the pin of a slider-crank."),
    attribute("slidersite", "ref:site", None, "Site of the slider of a slider-crank; it moves along its Z axis."),
]
BODY = attribute("body", "ref:body", None, "Body whose contacts it pulls together.")
COMMON = [*ACTUATOR, *LIMITS, *TRANSMISSION]
DYNAMICS = [
    attribute("actlimited", TRI, "auto", "Whether the activation is clamped; auto: if actrange is given."),
    attribute("actrange", "real(2)", "0 0", "Least and greatest activation."),
    attribute("actdim", "int", "-1", "Number of activation variables; -1 takes what the dynamics need.", low=-1),
    attribute("dyntype", "[none integrator filter filterexact muscle user]", "none", "How the activation follows from the control."),
    attribute("dynprm", "real(1..10)", "1 0 0 0 0 0 0 0 0 0", "Parameters of the activation dynamics.", mpex_max=11, mpex_default="1 0 0 0 0 0 0 0 0 0 0"),
    attribute("actearly", "bool", "false", "Whether the force uses the next activation instead of the current one."),
]
GENERAL = [
    *COMMON,
    BODY,
    *DYNAMICS,
    attribute("gaintype", "[fixed affine muscle user]", "fixed", "How the gain depends on length and velocity."),
    attribute("gainprm", "real(1..10)", "1 0 0 0 0 0 0 0 0 0", "Parameters of the gain.", mpex_max=11, mpex_default="1 0 0 0 0 0 0 0 0 0 0"),
    attribute("biastype", "[none affine muscle user]", "none", "How the bias force depends on length and velocity."),
    attribute("biasprm", "real(1..10)", "0 0 0 0 0 0 0 0 0 0", "Parameters of the bias force."),
]
KP = attribute("kp", "real", "1", "Position gain.", unit="N m/rad or N/m", low=0, high=10000)
KV0 = attribute("kv", "real", "0", "Velocity gain against motion.", unit="N m s/rad or N s/m", low=0, high=1000)
KV1 = attribute("kv", "real", "1", "Velocity gain.", unit="N m s/rad or N s/m", low=0, high=1000)
DAMPRATIO = attribute("dampratio", "real", "0", "Damping ratio from which kv is computed; 1 is critical.", low=0, high=2)
INHERITRANGE = attribute("inheritrange", "real", "0", "If positive, the control range is the target's range times this, about its middle.", low=0, high=2)
POSITION = [
    *COMMON,
    KP,
    KV0,
    DAMPRATIO,
    attribute("timeconst", "real", "0", "Time constant of a filter on the control; 0 for none.", unit="s", low=0, high=1),
    INHERITRANGE,
]
VELOCITY = [*COMMON, KV1]
INTVELOCITY = [
    *COMMON,
    attribute("actrange", "real(2)", "0 0", "Least and greatest position set point.", unit="angle or m"),
    KP,
    KV0,
    DAMPRATIO,
    INHERITRANGE,
]
DAMPER = [*pick(COMMON, without="ctrllimited"), KV1]
CYLINDER = [
    *COMMON,
    attribute("timeconst", "real", "1", "Time constant of the pressure.", unit="s", low=0),
    attribute("area", "real", "1", "Area of the piston.", unit="m²", low=0),
    attribute("diameter", "real", None, "Diameter of the piston, instead of its area.", unit="m", low=0),
    attribute("bias", "real(3)", "0 0 0", "Bias force: constant, per length, per velocity."),
]
MUSCLE = [
    *pick(COMMON, without="site refsite"),
    attribute("timeconst", "real(2)", "0.01 0.04", "Time constants of activation and deactivation.", unit="s", low=0, high=1),
    attribute("tausmooth", "real", "0", "Width over which one time constant blends into the other.", low=0, high=1),
    attribute("range", "real(2)", "0.75 1.05", "Operating range of lengths, in units of the optimal length."),
    attribute("force", "real", "-1", "Peak force at rest; if negative, it follows from scale.", unit="N"),
    attribute("scale", "real", "200", "Peak force times acceleration0, used where force is negative.", low=0),
    attribute("lmin", "real", "0.5", "Shortest normalized length with force.", low=0, high=1),
    attribute("lmax", "real", "1.6", "Longest normalized length with force.", low=1, high=3),
    attribute("vmax", "real", "1.5", "Normalized shortening velocity at which force vanishes.", low=0),
    attribute("fpmax", "real", "1.3", "Passive force at lmax relative to peak force.", low=0),
    attribute("fvmax", "real", "1.2", "Active force when lengthening fast, relative to peak force.", low=0),
]
ADHESION = [
    *pick(ACTUATOR),
    *pick(LIMITS, without="ctrllimited"),
    attribute("body", "ref:body!", None, "Body whose contacts it pulls together."),
    attribute("gain", "real", "1", "Adhesion force per unit of control.", unit="N", low=0),
    attribute("ctrllimited", TRI, "auto", "Whether the control is clamped; auto: if ctrlrange is given.", mpex=True),
    attribute("gear", "real(1..6)", "1 0 0 0 0 0", "Factor on the force.", mpex=True),
    attribute("joint", "ref:joint", None, "Joint that it acts on.", mpex=True),
    attribute("tendon", "ref:tendon", None, "Tendon that it acts on.", mpex=True),
]
ACTUATOR_PLUGIN = [*PLUGIN, *pick(COMMON, without="refsite"), *DYNAMICS]

_NOT_IN_DEFAULTS = "name class lengthrange joint jointinparent tendon site refsite cranksite slidersite"


def _default_of(rows: list, without: str) -> list:
    """The rows of an element that a default class can set."""
    present = {row.name for row in rows}
    return optional(pick(rows, without=" ".join(name for name in without.split() if name in present)))


# --------------------------------------------------------------------------------------------- sensor

SENSOR = [
    attribute("name", "name:sensor", None, "Name of the sensor."),
    attribute("cutoff", "real", "0", "Values are clipped at this size; 0 for no clipping.", low=0),
    attribute("noise", "real", "0", "Standard deviation of the sensor's noise, for your own use.", low=0),
    USER,
]
SITE_SENSOR = [attribute("site", "ref:site!", None, "Site where the sensor sits."), *SENSOR]
JOINT_SENSOR = [attribute("joint", "ref:joint!", None, "Joint to measure."), *SENSOR]
TENDON_SENSOR = [attribute("tendon", "ref:tendon!", None, "Tendon to measure."), *SENSOR]
ACTUATOR_SENSOR = [attribute("actuator", "ref:actuator!", None, "Actuator to measure."), *SENSOR]
BODY_SENSOR = [attribute("body", "ref:body!", None, "Body at the root of the subtree."), *SENSOR]
_FRAMES = "[body xbody geom site camera]"
FRAME_OBJECT = [
    attribute("objtype", _FRAMES + "!", None, "Kind of object: body is its inertial frame, xbody its regular one."),
    attribute("objname", "ref:@objtype!", None, "Name of the object."),
]
REFERENCE = [
    attribute("reftype", _FRAMES, None, "Kind of object whose frame is the reference."),
    attribute("refname", "ref:@reftype", None, "Name of the reference object; left out, the world."),
]
FRAME_SENSOR = [*FRAME_OBJECT, *REFERENCE, *SENSOR]
ACCELERATION_SENSOR = [*FRAME_OBJECT, *SENSOR]
DISTANCE_SENSOR = [
    attribute("geom1", "ref:geom", None, "First geom, or give body1."),
    attribute("geom2", "ref:geom", None, "Second geom, or give body2."),
    attribute("body1", "ref:body", None, "First body: the nearest of its geoms counts."),
    attribute("body2", "ref:body", None, "Second body: the nearest of its geoms counts."),
    *SENSOR,
]
USER_SENSOR = [
    attribute("objtype", OBJECT_TYPES, None, "Kind of the object that the sensor belongs to."),
    attribute("objname", "ref:@objtype", None, "Name of that object."),
    attribute("datatype", "[real positive axis quaternion]", "real", "Type of the values, which decides how they are clipped."),
    attribute("needstage", "[pos vel acc]", "acc", "Stage of the step after which the values can be computed."),
    attribute("dim", "int!", None, "Number of values.", low=1),
    *SENSOR,
]
SENSOR_PLUGIN = [
    *PLUGIN,
    attribute("objtype", OBJECT_TYPES, None, "Kind of the object that the sensor belongs to."),
    attribute("objname", "ref:@objtype", None, "Name of that object."),
    attribute("reftype", OBJECT_TYPES, None, "Kind of the reference object."),
    attribute("refname", "ref:@reftype", None, "Name of the reference object."),
    *pick(SENSOR, without="noise"),
]
CONTACT_SENSOR = [
    attribute("name", "name:sensor", None, "Name of the sensor.", mpex=True),
    attribute("geom1", "ref:geom", None, "First geom of the contacts to report.", mpex=True),
    attribute("geom2", "ref:geom", None, "Second geom of the contacts to report.", mpex=True),
    attribute("body1", "ref:body", None, "First body of the contacts to report.", mpex=True),
    attribute("body2", "ref:body", None, "Second body of the contacts to report.", mpex=True),
    attribute("subtree1", "ref:body", None, "Root of the first subtree of the contacts to report.", mpex=True),
    attribute("subtree2", "ref:body", None, "Root of the second subtree of the contacts to report.", mpex=True),
    attribute("site", "ref:site", None, "Site in whose volume contacts are reported.", mpex=True),
    attribute("num", "int", "1", "Greatest number of contacts to report.", low=1, mpex=True),
    attribute("data", "[found force torque dist pos normal tangent](1..7)", "found", "What to report of each contact, in this order.", mpex=True),
    attribute("reduce", "[none mindist maxforce netforce]", "none", "Which contacts are kept when there are more.", mpex=True),
]

_SENSORS: dict[SensedKind, list[AttributeRow]] = {
    SensedKind.SITE: SITE_SENSOR,
    SensedKind.SITE_IN_CAMERA: [*SITE_SENSOR, attribute("camera", "ref:camera!", None, "Camera that looks.")],
    **dict.fromkeys((SensedKind.JOINT, SensedKind.SCALAR_JOINT, SensedKind.BALL_JOINT, SensedKind.LIMITED_JOINT), JOINT_SENSOR),
    **dict.fromkeys((SensedKind.TENDON, SensedKind.LIMITED_TENDON), TENDON_SENSOR),
    SensedKind.ACTUATOR: ACTUATOR_SENSOR,
    SensedKind.FRAME: FRAME_SENSOR,
    SensedKind.FRAME_IN_WORLD: ACCELERATION_SENSOR,
    SensedKind.SUBTREE: BODY_SENSOR,
    SensedKind.TWO_GEOMS: DISTANCE_SENSOR,
    SensedKind.CONTACTS: CONTACT_SENSOR,
    SensedKind.MODEL: SENSOR,
    SensedKind.PLUGIN: SENSOR_PLUGIN,
    SensedKind.ANY: USER_SENSOR,
}
"""The attributes of a type of sensor, by the measured quantity."""
SENSOR_ELEMENTS = [
    element(
        row.element,
        "*",
        row.help_text,
        _SENSORS[row.target],
        "plugin.config" if row.target is SensedKind.PLUGIN else "",
        mpex=row.mpex,
    )
    for row in SENSORS.values()
]

# --------------------------------------------------------------------------------------------- defaults

_ACTUATOR_DEFAULTS = {
    "general": (GENERAL, "Defaults of all actuators."),
    "motor": (COMMON, "Defaults of all actuators, set as for a motor."),
    "position": (POSITION, "Defaults of all actuators, set as for a position servo."),
    "velocity": (VELOCITY, "Defaults of all actuators, set as for a velocity servo."),
    "intvelocity": (INTVELOCITY, "Defaults of all actuators, set as for an integrated velocity servo."),
    "damper": (DAMPER, "Defaults of all actuators, set as for an active damper."),
    "cylinder": (CYLINDER, "Defaults of all actuators, set as for a cylinder."),
    "muscle": (MUSCLE, "Defaults of all actuators, set as for a muscle."),
    "adhesion": (ADHESION, "Defaults of all actuators, set as for adhesion."),
}

DEFAULT_ELEMENTS = [
    element("default.mesh", "?", "Defaults of meshes.", optional(pick(MESH, "scale inertia maxhullvert"))),
    element("default.material", "?", "Defaults of materials.", _default_of(MATERIAL_ROWS, "name class")),
    element("default.joint", "?", "Defaults of joints.", _default_of(JOINT, "name class")),
    element("default.geom", "?", "Defaults of geoms.", _default_of(GEOM, "name class")),
    element("default.site", "?", "Defaults of sites.", _default_of(SITE, "name class")),
    element("default.camera", "?", "Defaults of cameras.", _default_of(CAMERA, "name class target")),
    element("default.light", "?", "Defaults of lights.", _default_of(LIGHT, "name class target texture")),
    element("default.pair", "?", "Defaults of contact pairs.", _default_of(PAIR, "name class geom1 geom2")),
    element("default.equality", "?", "Defaults of equality constraints of every kind.", _default_of(EQUALITY, "name class")),
    element("default.tendon", "?", "Defaults of tendons of both kinds.", _default_of(SPATIAL, "name class")),
    *(
        element(f"default.{tag}", "?", help, _default_of(rows, _NOT_IN_DEFAULTS + " body"))
        for tag, (rows, help) in _ACTUATOR_DEFAULTS.items()
    ),
]

ELEMENTS = [
    element(
        "default",
        "R",
        "A class of defaults; classes inside it inherit from it.",
        [
            attribute("class", "name:class", None, "Name of the class; only the outermost may go without, it is called main.")
        ],
        "default " + " ".join(row.id for row in DEFAULT_ELEMENTS),
    ),
    *DEFAULT_ELEMENTS,
    element("contact", "*", "Chosen and excluded contact pairs.", (), "contact.pair contact.exclude"),
    element("contact.pair", "*", "Two geoms that are checked for contact whatever their bits say, with parameters of their own.", PAIR, default="default.pair"),
    element("contact.exclude", "*", "Two bodies whose geoms never touch.", EXCLUDE),
    element("equality", "*", "Constraints that hold with equality.", (), "equality.connect equality.weld equality.joint equality.tendon equality.flex"),
    element(
        "equality.connect",
        "*",
        "Two bodies joined at a point, as by a ball joint.",
        [
            *EQUALITY,
            *EQUALITY_BODIES,
            attribute("anchor", "real(3)", None, "The point, in the first body's frame.", unit="m"),
        ],
        default="default.equality",
    ),
    element(
        "equality.weld",
        "*",
        "Two bodies joined rigidly.",
        [
            *EQUALITY,
            *EQUALITY_BODIES,
            attribute("relpose", "real(7)", "0 1 0 0 0 0 0", "Pose of the second body relative to the first, position and quaternion; a zero quaternion takes the reference pose."),
            attribute("anchor", "real(3)", "0 0 0", "Point at which the weld is held, in the second body's frame.", unit="m"),
            attribute("torquescale", "real", "1", "Strength against rotation relative to that against translation.", low=0, high=100),
        ],
        default="default.equality",
    ),
    element(
        "equality.joint",
        "*",
        "A joint that follows another one, or stays put.",
        [
            *EQUALITY,
            attribute("joint1", "ref:joint!", None, "Joint that follows."),
            attribute("joint2", "ref:joint", None, "Joint that leads; left out, the first one stays put."),
            POLYCOEF,
        ],
        default="default.equality",
    ),
    element(
        "equality.tendon",
        "*",
        "A tendon whose length follows another's, or stays put.",
        [
            *EQUALITY,
            attribute("tendon1", "ref:tendon!", None, "Tendon that follows."),
            attribute("tendon2", "ref:tendon", None, "Tendon that leads; left out, the first one stays put."),
            POLYCOEF,
        ],
        default="default.equality",
    ),
    element("equality.flex", "*", "A flex whose edges keep their lengths.", [*EQUALITY, attribute("flex", "ref:flex!", None, "Flex whose edges are kept.")], default="default.equality"),
    element("tendon", "*", "Tendons: lengths made of joints or of paths through sites.", (), "tendon.spatial tendon.fixed"),
    element("tendon.spatial", "*", "The shortest path through sites, around geoms, over pulleys.", SPATIAL, "spatial.site spatial.geom spatial.pulley", default="default.tendon"),
    element("spatial.site", "*", "A site that the path goes through.", [attribute("site", "ref:site!", None, "Site on the path.")]),
    element(
        "spatial.geom",
        "*",
        "A sphere or cylinder that the path wraps around.",
        [
            attribute("geom", "ref:geom!", None, "Geom to wrap around."),
            attribute("sidesite", "ref:site", None, "Site on the side on which the path passes; inside the geom, the path passes inside."),
        ],
    ),
    element("spatial.pulley", "*", "Ends one branch of the path and begins the next.", [attribute("divisor", "real!", None, "Divisor of the length of the next branch.", low=0)]),
    element("tendon.fixed", "*", "A weighted sum of joint positions.", FIXED, "fixed.joint", default="default.tendon"),
    element("fixed.joint", "*", "A joint in the sum.", [attribute("joint", "ref:joint!", None, "Joint whose position counts."), attribute("coef", "real!", None, "Weight of the joint in the sum.")]),
    element(
        "actuator",
        "*",
        "Actuators: what the controls drive.",
        (),
        "actuator.general actuator.motor actuator.position actuator.velocity actuator.intvelocity actuator.damper"
        " actuator.cylinder actuator.muscle actuator.adhesion actuator.plugin",
    ),
    element("actuator.general", "*", "An actuator with every parameter open.", GENERAL, default="default.general"),
    element("actuator.motor", "*", "Force proportional to the control.", COMMON, default="default.general"),
    element("actuator.position", "*", "A servo that drives a position to the control.", POSITION, default="default.general"),
    element("actuator.velocity", "*", "A servo that drives a velocity to the control.", VELOCITY, default="default.general"),
    element("actuator.intvelocity", "*", "A position servo whose set point moves at the control's rate.", INTVELOCITY, default="default.general"),
    element("actuator.damper", "*", "Damping proportional to the control.", DAMPER, default="default.general"),
    element("actuator.cylinder", "*", "A pneumatic or hydraulic cylinder.", CYLINDER, default="default.general"),
    element("actuator.muscle", "*", "A muscle: it pulls, with a force that depends on length and velocity.", MUSCLE, default="default.general"),
    element("actuator.adhesion", "*", "Pulls a body towards what it touches.", ADHESION, default="default.general"),
    element("actuator.plugin", "*", "An actuator whose force a plugin computes.", ACTUATOR_PLUGIN, "plugin.config", default="default.general"),
    element("sensor", "*", "Quantities that are measured at every step.", (), " ".join(row.id for row in SENSOR_ELEMENTS)),
    *SENSOR_ELEMENTS,
]
