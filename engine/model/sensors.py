"""Read first to add a sensor: one row tells everything about a type of sensor.

From this table follow the element in the schema (completion, inspector, insert menu, XSD), the first values of a new
element, what the compiler resolves and checks, size and type of the values in `sensordata`, the stages of the step,
units and titles in panels and plots, warnings about sensors that always read the same, and what a `.kmodel` file may
say. The value itself is computed by a kernel in `engine/dynamics/sensor`; `docs/howto/sensor.md` shows an example.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from enum import Enum

from kinetree.engine.model import enums

POS, VEL, ACC = enums.STAGE_POS, enums.STAGE_VEL, enums.STAGE_ACC
POSITIVE, AXIS, QUATERNION = enums.DATATYPE_POSITIVE, enums.DATATYPE_AXIS, enums.DATATYPE_QUATERNION

ANGLE, ANGULAR_VELOCITY, ANGULAR_ACCELERATION = "rad", "rad/s", "rad/s²"
LENGTH, VELOCITY, ACCELERATION = "m", "m/s", "m/s²"
FORCE, TORQUE = "N", "N m"
DOF_POSITION, DOF_VELOCITY, DOF_FORCE = (ANGLE, LENGTH), (ANGULAR_VELOCITY, VELOCITY), (TORQUE, FORCE)
"""Units along a degree of freedom: of one that turns, and of one that slides."""
_KERNELS = "kinetree.engine.dynamics.sensor"


class SensedKind(Enum):
    """Kind of object that a sensor measures; "" if an attribute or nothing determines it."""

    SITE = "site", "at a site"
    SITE_IN_CAMERA = "site", "a site as a camera sees it"
    JOINT = "joint", "any joint"
    SCALAR_JOINT = "joint", "hinge or slide"
    BALL_JOINT = "joint", "ball"
    LIMITED_JOINT = "joint", "joint with a range"
    TENDON = "tendon", "any tendon"
    LIMITED_TENDON = "tendon", "tendon with a range"
    ACTUATOR = "actuator", "any actuator"
    FRAME = "", "frame of an object, in the world or in another frame"
    FRAME_IN_WORLD = "", "frame of an object, in the world"
    SUBTREE = "body", "a body and all below it"
    TWO_GEOMS = "", "two geoms, or the nearest geoms of bodies"
    CONTACTS = "", "contacts of two sides, or at a site"
    MODEL = "", "the whole model"
    PLUGIN = "", "what the plugin asks for"
    ANY = "", "any object, or none"

    @property
    def kind(self) -> str:
        """The kind of object, which is also the attribute that names it."""
        return self.value[0]


class Reads(Enum):
    """Quantities that a step computes only for sensors that read them."""

    NOTHING = "nothing"
    POTENTIAL_ENERGY = "data.energy[0]"
    KINETIC_ENERGY = "data.energy[1]"
    MOMENTUM = "data.subtree_linvel and data.subtree_angmom"
    FORCES = "data.cacc and data.cfrc_int"


class Idle(Enum):
    """When a sensor always reads the same, which is worth a warning."""

    NEVER = "never"
    UNTOUCHED = "no geom of its body can touch anything"
    STATIC = "its body cannot move"
    NO_FIELD = "there is no magnetic field"
    UNDRIVEN = "no actuator acts on its joint or tendon"


@dataclass(frozen=True)
class SensorType:
    """One row.

    tag       the element, below `sensor`
    type      number in model.sensor_type: SENS_
    target    what it measures
    stage     STAGE_ after which it can be computed; elements of types user say their own
    dim       number of values, 0 where the element says it
    title     what panels and plots call the type
    help      help text of the element; {unit} is the unit
    unit      of all values, "" for none; a pair: where the measured joint turns, and where it slides
    datatype  DATATYPE_, which says how `cutoff` clips
    reads     what the step must compute before it
    kernel    module:function of a kernel that computes all sensors of this type; "" where the kernel that types of
              this stage share does (engine/dynamics/sensor/sensor.py)
    idle      when it always reads the same
    mpex      whether only the Motphys dialect has it
    """

    tag: str
    type: int
    target: SensedKind
    stage: int
    dim: int
    title: str
    help: str
    unit: str | tuple[str, str] = ""
    datatype: int = enums.DATATYPE_REAL
    reads: Reads = Reads.NOTHING
    kernel: str = ""
    idle: Idle = Idle.NEVER
    mpex: bool = False

    @property
    def element(self) -> str:
        """The id of the element in the schema."""
        return f"sensor.{self.tag}"

    @property
    def help_text(self) -> str:
        unit = self.unit if isinstance(self.unit, str) else " or ".join(self.unit)
        return self.help.format(unit=unit.replace("²", "^2"))

    def unit_of(self, slides: bool) -> str:
        """The unit where the measured joint slides, or turns."""
        return self.unit if isinstance(self.unit, str) else self.unit[int(slides)]


# fmt: off
_ROWS = (
    SensorType("touch", enums.SENS_TOUCH, SensedKind.SITE, ACC, 1, "Touch",
               "Sum of normal contact forces inside the site's volume ({unit}).", FORCE, POSITIVE, idle=Idle.UNTOUCHED),
    SensorType("accelerometer", enums.SENS_ACCELEROMETER, SensedKind.SITE, ACC, 3, "Accelerometer",
               "Linear acceleration, gravity included, in the site's frame ({unit}).", ACCELERATION,
               reads=Reads.FORCES, idle=Idle.STATIC),
    SensorType("velocimeter", enums.SENS_VELOCIMETER, SensedKind.SITE, VEL, 3, "Velocimeter",
               "Linear velocity in the site's frame ({unit}).", VELOCITY, idle=Idle.STATIC),
    SensorType("gyro", enums.SENS_GYRO, SensedKind.SITE, VEL, 3, "Gyro",
               "Angular velocity in the site's frame ({unit}).", ANGULAR_VELOCITY, idle=Idle.STATIC),
    SensorType("force", enums.SENS_FORCE, SensedKind.SITE, ACC, 3, "Force",
               "Force between the site's body and its parent, in the site's frame ({unit}).", FORCE,
               reads=Reads.FORCES),
    SensorType("torque", enums.SENS_TORQUE, SensedKind.SITE, ACC, 3, "Torque",
               "Torque between the site's body and its parent, in the site's frame ({unit}).", TORQUE,
               reads=Reads.FORCES),
    SensorType("magnetometer", enums.SENS_MAGNETOMETER, SensedKind.SITE, POS, 3, "Magnetometer",
               "Magnetic flux in the site's frame.", idle=Idle.NO_FIELD),
    SensorType("rangefinder", enums.SENS_RANGEFINDER, SensedKind.SITE, POS, 1, "Range Finder",
               "Distance to the nearest geom along the site's Z axis; -1 if none ({unit}).", LENGTH, POSITIVE,
               kernel=f"{_KERNELS}.range_finder:range_finder"),
    SensorType("camprojection", enums.SENS_CAMPROJECTION, SensedKind.SITE_IN_CAMERA, POS, 2, "Camera Projection",
               "Pixel at which a camera sees the site.", "px", kernel=f"{_KERNELS}.projection:camera_projection"),
    SensorType("jointpos", enums.SENS_JOINTPOS, SensedKind.SCALAR_JOINT, POS, 1, "Joint Position",
               "Position of a hinge or slide ({unit}).", DOF_POSITION),
    SensorType("jointvel", enums.SENS_JOINTVEL, SensedKind.SCALAR_JOINT, VEL, 1, "Joint Velocity",
               "Velocity of a hinge or slide ({unit}).", DOF_VELOCITY),
    SensorType("jointactuatorfrc", enums.SENS_JOINTACTFRC, SensedKind.SCALAR_JOINT, ACC, 1, "Actuator Force on Joint",
               "Total actuator force on a hinge or slide ({unit}).", DOF_FORCE, idle=Idle.UNDRIVEN),
    SensorType("ballquat", enums.SENS_BALLQUAT, SensedKind.BALL_JOINT, POS, 4, "Ball Orientation",
               "Orientation of a ball joint, a quaternion.", datatype=QUATERNION),
    SensorType("ballangvel", enums.SENS_BALLANGVEL, SensedKind.BALL_JOINT, VEL, 3, "Ball Angular Velocity",
               "Angular velocity of a ball joint ({unit}).", ANGULAR_VELOCITY),
    SensorType("jointlimitpos", enums.SENS_JOINTLIMITPOS, SensedKind.LIMITED_JOINT, POS, 1, "Joint Limit Distance",
               "How far a joint is past its limit, less the margin ({unit}).", DOF_POSITION),
    SensorType("jointlimitvel", enums.SENS_JOINTLIMITVEL, SensedKind.LIMITED_JOINT, VEL, 1, "Joint Limit Velocity",
               "Velocity of a joint at its limit ({unit}).", DOF_VELOCITY),
    SensorType("jointlimitfrc", enums.SENS_JOINTLIMITFRC, SensedKind.LIMITED_JOINT, ACC, 1, "Joint Limit Force",
               "Force of a joint's limit ({unit}).", DOF_FORCE),
    SensorType("tendonpos", enums.SENS_TENDONPOS, SensedKind.TENDON, POS, 1, "Tendon Position",
               "Length of a tendon ({unit}).", LENGTH),
    SensorType("tendonvel", enums.SENS_TENDONVEL, SensedKind.TENDON, VEL, 1, "Tendon Velocity",
               "Velocity of a tendon's length ({unit}).", VELOCITY),
    SensorType("tendonactuatorfrc", enums.SENS_TENDONACTFRC, SensedKind.TENDON, ACC, 1, "Actuator Force on Tendon",
               "Total actuator force on a tendon ({unit}).", FORCE, idle=Idle.UNDRIVEN),
    SensorType("tendonlimitpos", enums.SENS_TENDONLIMITPOS, SensedKind.LIMITED_TENDON, POS, 1, "Tendon Limit Distance",
               "How far a tendon is past its limit, less the margin ({unit}).", LENGTH),
    SensorType("tendonlimitvel", enums.SENS_TENDONLIMITVEL, SensedKind.LIMITED_TENDON, VEL, 1, "Tendon Limit Velocity",
               "Velocity of a tendon at its limit ({unit}).", VELOCITY),
    SensorType("tendonlimitfrc", enums.SENS_TENDONLIMITFRC, SensedKind.LIMITED_TENDON, ACC, 1, "Tendon Limit Force",
               "Force of a tendon's limit ({unit}).", FORCE),
    SensorType("actuatorpos", enums.SENS_ACTUATORPOS, SensedKind.ACTUATOR, POS, 1, "Actuator Position",
               "Length of an actuator, gear included (rad or m)."),
    SensorType("actuatorvel", enums.SENS_ACTUATORVEL, SensedKind.ACTUATOR, VEL, 1, "Actuator Velocity",
               "Velocity of an actuator, gear included (rad/s or m/s)."),
    SensorType("actuatorfrc", enums.SENS_ACTUATORFRC, SensedKind.ACTUATOR, ACC, 1, "Actuator Force",
               "Scalar force of an actuator (N m or N)."),
    SensorType("framepos", enums.SENS_FRAMEPOS, SensedKind.FRAME, POS, 3, "Frame Position",
               "Position of a frame ({unit}).", LENGTH),
    SensorType("framequat", enums.SENS_FRAMEQUAT, SensedKind.FRAME, POS, 4, "Frame Orientation",
               "Orientation of a frame, a quaternion.", datatype=QUATERNION),
    SensorType("framexaxis", enums.SENS_FRAMEXAXIS, SensedKind.FRAME, POS, 3, "Frame X Axis",
               "X axis of a frame, a unit vector.", datatype=AXIS),
    SensorType("frameyaxis", enums.SENS_FRAMEYAXIS, SensedKind.FRAME, POS, 3, "Frame Y Axis",
               "Y axis of a frame, a unit vector.", datatype=AXIS),
    SensorType("framezaxis", enums.SENS_FRAMEZAXIS, SensedKind.FRAME, POS, 3, "Frame Z Axis",
               "Z axis of a frame, a unit vector.", datatype=AXIS),
    SensorType("framelinvel", enums.SENS_FRAMELINVEL, SensedKind.FRAME, VEL, 3, "Frame Velocity",
               "Linear velocity of a frame ({unit}).", VELOCITY),
    SensorType("frameangvel", enums.SENS_FRAMEANGVEL, SensedKind.FRAME, VEL, 3, "Frame Angular Velocity",
               "Angular velocity of a frame ({unit}).", ANGULAR_VELOCITY),
    SensorType("framelinacc", enums.SENS_FRAMELINACC, SensedKind.FRAME_IN_WORLD, ACC, 3, "Frame Acceleration",
               "Linear acceleration of a frame, in the world ({unit}).", ACCELERATION, reads=Reads.FORCES),
    SensorType("frameangacc", enums.SENS_FRAMEANGACC, SensedKind.FRAME_IN_WORLD, ACC, 3, "Frame Angular Acceleration",
               "Angular acceleration of a frame, in the world ({unit}).", ANGULAR_ACCELERATION, reads=Reads.FORCES),
    SensorType("subtreecom", enums.SENS_SUBTREECOM, SensedKind.SUBTREE, POS, 3, "Subtree Centre of Mass",
               "Centre of mass of a subtree ({unit}).", LENGTH),
    SensorType("subtreelinvel", enums.SENS_SUBTREELINVEL, SensedKind.SUBTREE, VEL, 3, "Subtree Velocity",
               "Velocity of a subtree's centre of mass ({unit}).", VELOCITY, reads=Reads.MOMENTUM),
    SensorType("subtreeangmom", enums.SENS_SUBTREEANGMOM, SensedKind.SUBTREE, VEL, 3, "Subtree Angular Momentum",
               "Angular momentum of a subtree about its centre of mass ({unit}).", "kg m²/s", reads=Reads.MOMENTUM),
    SensorType("distance", enums.SENS_GEOMDIST, SensedKind.TWO_GEOMS, POS, 1, "Distance",
               "Smallest signed distance between two geoms or bodies ({unit}).", LENGTH, POSITIVE,
               kernel=f"{_KERNELS}.distance:distance_sensor"),
    SensorType("normal", enums.SENS_GEOMNORMAL, SensedKind.TWO_GEOMS, POS, 3, "Distance Normal",
               "Direction from the first surface to the second at the smallest distance.", datatype=AXIS,
               kernel=f"{_KERNELS}.distance:distance_sensor"),
    SensorType("fromto", enums.SENS_GEOMFROMTO, SensedKind.TWO_GEOMS, POS, 6, "Distance Segment",
               "The two nearest surface points, one after the other ({unit}).", LENGTH,
               kernel=f"{_KERNELS}.distance:distance_sensor"),
    SensorType("e_potential", enums.SENS_E_POTENTIAL, SensedKind.MODEL, POS, 1, "Potential Energy",
               "Potential energy of the model ({unit}).", "J", reads=Reads.POTENTIAL_ENERGY),
    SensorType("e_kinetic", enums.SENS_E_KINETIC, SensedKind.MODEL, POS, 1, "Kinetic Energy",
               "Kinetic energy of the model ({unit}).", "J", reads=Reads.KINETIC_ENERGY),
    SensorType("clock", enums.SENS_CLOCK, SensedKind.MODEL, POS, 1, "Clock", "Simulation time ({unit}).", "s"),
    SensorType("user", enums.SENS_USER, SensedKind.ANY, ACC, 0, "User", "Values that your own callback computes."),
    SensorType("plugin", enums.SENS_PLUGIN, SensedKind.PLUGIN, ACC, 0, "Plugin", "Values that a plugin computes."),
    SensorType("contact", enums.SENS_CONTACT, SensedKind.CONTACTS, ACC, 0, "Contact",
               "Contacts between chosen geoms, bodies, subtrees or at a site.",
               kernel=f"{_KERNELS}.contact:contact_sensor", mpex=True),
)
# fmt: on
SENSORS: dict[str, SensorType] = {row.tag: row for row in _ROWS}
"""Tag -> row, in the order of the schema."""


@functools.cache
def by_type() -> dict[int, SensorType]:
    """SENS_ -> row."""
    return {row.type: row for row in SENSORS.values()}


def of_target(*targets: SensedKind) -> list[SensorType]:
    """The types that measure one of these."""
    return [row for row in SENSORS.values() if row.target in targets]


def types_that_read(*quantities: Reads) -> tuple[int, ...]:
    """SENS_ of the types that read one of these quantities."""
    return tuple(row.type for row in SENSORS.values() if row.reads in quantities)


def kernels(stage: int) -> dict[str, tuple[int, ...]]:
    """The kernels that compute sensors of types of their own after a stage (STAGE_) -> SENS_ of these types."""
    found: dict[str, tuple[int, ...]] = {}
    for row in SENSORS.values():
        if row.kernel and row.stage == stage:
            found[row.kernel] = (*found.get(row.kernel, ()), row.type)
    return found
