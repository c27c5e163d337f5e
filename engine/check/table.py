"""The table of all diagnostics about models: code, severity, help, documentation.

CHECKS are the findings of this package about models that compile; each can be disabled. ERRORS and REMARKS are
reported by reading and compiling. docs/checks.md is made from this table (`python -m tests.documentation`).
"""

from __future__ import annotations

from dataclasses import dataclass

from kinetree.engine.diagnostics import Severity


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One code.

    help   one line: what it says
    text   why it matters and what to do; "" for errors, whose messages say it
    """

    code: str
    severity: Severity
    help: str
    text: str = ""


def _warning(code: str, help: str, text: str) -> CheckRow:
    return CheckRow(code, Severity.WARNING, help, " ".join(text.split()))


def _info(code: str, help: str, text: str) -> CheckRow:
    return CheckRow(code, Severity.INFO, help, " ".join(text.split()))


CHECKS = (
    _warning(
        "implausible-density",
        "A shape has the density of no solid: probably a unit mistake.",
        """Mass divided by volume gives more than 100 000 kg/m^3 (osmium, the densest metal, has 22 600) or less than
        0.1 kg/m^3 for a shape that counts towards a moving body's mass. Lengths are metres, masses kilograms and
        densities kg/m^3: a mesh in millimetres makes a body a billion times too heavy, a density of 7.8 is that of
        steel in g/cm^3. The mass or density must stand in the text; shells are not looked at.""",
    ),
    _warning(
        "implausible-inertia",
        "An inertial's moments do not fit the size of its body: probably a unit mistake.",
        """The radius of gyration that mass and moments of inertia give, sqrt(I/m), is more than 8 times the extent of
        the body's shapes, or less than a 500th of it. Exports from CAD programs often have moments in g mm^2 or kg mm^2
        beside masses in kg. Bodies without shapes are skipped, and so are moments below 1e-7 times the measurable range.""",
    ),
    _warning(
        "implausible-size",
        "A mesh is hundreds of metres large: probably in millimetres.",
        """The mesh is larger than 50 m after scaling, and more than 20 times as large as everything else together. STL and OBJ files have
        no units and are often in millimetres; give the mesh scale="0.001 0.001 0.001".""",
    ),
    _warning(
        "angle-unit",
        "An angle looks as if it was written in the other unit.",
        """Angles are degrees unless compiler/angle says radian. A range of a hinge beyond 4 pi with angle="radian", or a
        range whose ends are multiples of pi/12 to four digits with angle="degree", is probably the other unit.""",
    ),
    _warning(
        "rest-outside-range",
        "A joint is outside its range before anything moves.",
        """The reference configuration qpos0 is outside the range of a limited joint by more than a hundredth of the
        range, so that the limit pushes at the first step. Change the range, or set ref.""",
    ),
    _warning(
        "keyframe-outside-range",
        "A keyframe puts a joint or control outside its range.",
        """Joint limits push, and controls are clamped, as soon as the keyframe is loaded. The tolerance is a hundredth
        of the range.""",
    ),
    _info(
        "narrow-range",
        "A joint's range is so narrow that it cannot move.",
        """The range is less than 1e-5 rad or m wide. A joint that must not move is better left out, which welds the
        bodies; a joint that must be switched can be held by an equality.""",
    ),
    _info(
        "redundant-inertial",
        "An inertial is written and not used.",
        """compiler/inertiafromgeom="true" computes every body's mass from its shapes and drops what inertial says.""",
    ),
    _info(
        "mass-ignored",
        "A mass or density is written and not used, because the body has an inertial.",
        """With inertiafromgeom="auto" the mass of a body with an inertial is the inertial's alone. Remove the geom's
        mass or density, or the inertial.""",
    ),
    _info(
        "range-off",
        "A range is written and switched off.",
        """limited, ctrllimited, forcelimited or actlimited is "false" in the same element that gives the range, so that
        the range limits nothing. Remove one of them.""",
    ),
    _info(
        "unused-class",
        "A default class is declared and no element uses it.",
        """Neither class nor childclass names it or a class inside it. Only classes declared in the main file are looked
        at: an included file may be a library.""",
    ),
    _info(
        "unused-asset",
        "A mesh, texture, material or other asset is declared and nothing uses it.",
        """It is read, processed and kept in memory for nothing. Only assets declared in the main file are looked at, and
        a skybox needs no user.""",
    ),
    _warning(
        "too-many-lights",
        "More lights are on than a picture has room for.",
        """A picture has room for 128 lights, the headlight among them (MuJoCo draws 100). Those that come last in the
        text are not drawn. Switch lights off (active="false") that the picture can do without.""",
    ),
    _warning(
        "too-many-shadows",
        "The shadows of all lights need more views than a picture has room for.",
        """The scene is drawn as each light sees it: once for a spot, twice at most for a directional light, six times
        for a light that shines all around. There is room for 126 views. The lights that matter least where one looks
        cast no shadow. Set castshadow="false" where a shadow is not needed, or make a light a spot.""",
    ),
    _warning(
        "open-mesh",
        "A mesh that gives a body its mass has holes.",
        """Some edges belong to one triangle only, so that there is no inside: volume, mass and inertia are those of a
        shape that is closed in some way. Repair the mesh, use inertia="convex" (the hull) or "shell", or
        give the body an inertial. Meshes that are only drawn or collide (with their hull) are not looked at.""",
    ),
    _warning(
        "inside-out-mesh",
        "A closed mesh has its faces turned inwards.",
        """The signed volume is negative: vertices go clockwise, seen from outside. It is lit from the wrong side or
        not drawn. Reverse the faces; a negative scale mirrors a mesh and turns its faces too.""",
    ),
    _warning(
        "overlap-at-rest",
        "Two shapes that collide overlap at rest.",
        """At qpos0 two geoms that can touch (by contype and conaffinity, not in one rigid body, not parent and child, not
        excluded) are one inside the other by more than a twentieth of the smaller one's size. The contact pushes them
        apart with a jerk at the first step. Move them, exclude the pair of bodies, or set contype and conaffinity.
        Shapes are taken as convex, as collision takes them; height fields, flexes and SDFs are not looked at.""",
    ),
    _warning(
        "below-ground",
        "A moving shape starts below a plane that it collides with.",
        """At qpos0 the deepest point is below the plane by more than half of the shape's size. A plane is solid all the
        way down, so that the contact throws the body into the air. Raise it.""",
    ),
    _warning(
        "never-collides",
        "A free body has shapes, but none of them can touch anything.",
        """All geoms of the free body and the bodies below it have contype and conaffinity 0 and gravity acts on it: it
        falls for ever. Give one geom a contype, or remove the free joint. Bodies held by an equality, tendon, actuator or
        contact pair are not looked at, nor models without gravity.""",
    ),
    _info(
        "zero-friction",
        "A geom without friction has a contact of more than one dimension.",
        """friction is 0 for sliding and condim is 3 or more in the same element. Contacts take the larger friction of both sides, so
        that this geom slides only on others without friction. condim="1" is faster, and priority decides which side counts.""",
    ),
    _warning(
        "stiff-contact",
        "solref asks for a time constant shorter than two time steps.",
        """It is raised to two time steps silently, unless option/flag refsafe="disable", where the simulation becomes
        unstable. Use a smaller timestep or a larger solref.""",
    ),
    _warning(
        "unstable-servo",
        "A position actuator is too stiff for the time step.",
        """With stiffness kp and the inertia that it moves at qpos0 the servo oscillates so fast (timestep * sqrt(kp/inertia) > 2) that
        explicit integration cannot follow: the joint explodes. Use a smaller timestep or kp, armature on the joint, or
        integrator="implicitfast". Models with an implicit integrator are not looked at.""",
    ),
    _warning(
        "actuator-range",
        "A position actuator cannot reach its joint's range, or is in another unit.",
        """The targets that ctrlrange allows, divided by the gear, do not meet the joint's range at all, cover less than
        a 20th of it, or exceed it 20 times: often degrees beside radians, as controls are always in radians, whatever
        compiler/angle says.""",
    ),
    _warning(
        "idle-actuator",
        "An actuator cannot produce any force.",
        """Its gear is 0, or its gain and bias are, so that no control moves anything. Actuators of plugins are not looked at.""",
    ),
    _warning(
        "idle-sensor",
        "A sensor reads nothing, always.",
        """A touch sensor in a body without shapes that collide, an accelerometer, gyro or velocimeter in a body that cannot move, a
        sensor of actuator force on a joint that no actuator moves, a magnetometer where option/magnetic is 0.""",
    ),
    _warning(
        "sensors-off",
        "The model has sensors, and a flag that switches all of them off.",
        """option/flag sensor="disable": sensordata stays 0.""",
    ),
    _warning(
        "loop-parent-child",
        "An equality closes a loop between a body and its own parent.",
        """connect or weld joins a body and its parent (or bodies that are welded together already). With no joint between
        them it does nothing; otherwise it fights the joint that stands there. Loops are closed between the two
        ends of a chain.""",
    ),
    _warning(
        "open-loop",
        "An equality joins sites that are far apart at rest.",
        """At qpos0 the two sites of a connect or weld are further apart than half the model's mean size of a body, so
        that the constraint pulls them together with a jerk. Loops start closed if the sites coincide at qpos0.""",
    ),
    _info(
        "redundant-exclude",
        "An exclusion of two bodies that never collide anyway.",
        """A body and its parent do not collide unless option/flag filterparent="disable" or the parent is the world, nor
        do bodies welded together.""",
    ),
    _info(
        "unknown-switch",
        "A comment or text switches off a check that does not exist.",
        """`kinetree: disable=...` names a code that is not in this table; see kinetree check --list.""",
    ),
)  # fmt: skip

_ERRORS = """
bad-choice | The value is not one of the keywords that the attribute takes.
bad-class | The outermost default class cannot be renamed.
bad-colour | The text is no colour.
bad-file | A file that is named cannot be used: a URL, or a kind of file that is not read.
bad-hfield | A height field's numbers or file do not fit.
bad-inertia | Moments of inertia that no body can have.
bad-joints | Joints of one body that do not fit together.
bad-mesh | A mesh's numbers or file do not fit.
bad-mocap | A mocap body that moves or is not a child of the world.
bad-orientation | An orientation without a direction, or axes that span no frame.
bad-path | A path that cannot be.
bad-place | The element cannot stand in this body.
bad-range | A range that ends before it begins, or is missing.
bad-reference | The named object is of a kind that does not fit.
bad-size | A shape's sizes are missing or not positive.
bad-skin | A skin's numbers or file do not fit.
bad-texture | A texture's numbers or file do not fit.
bad-value | The value is not possible.
binary-file | The file is no text.
broken-cable | Other bodies stand between those of a cable.
exclusive-attributes | Attributes that exclude each other.
file-too-large | A file is larger than is read.
flat-element | An element of a flex has no length, area or volume.
include-cycle | Files include each other in a circle.
include-repeated | A file is included twice.
include-with-content | An include holds elements.
include-without-file | An include names no file.
internal-error | A mistake in Kinetree: please report it with the file.
invalid-bytes | Bytes that are not valid in the file's encoding.
joint-loop | Links that are, joint by joint, their own parents.
misplaced-element | The element belongs somewhere else.
missing-attribute | An attribute that is needed is not given.
missing-element | An element that is needed is not there.
missing-file | A file that is named does not exist.
missing-name | An asset needs a name.
model-cycle | Models attach each other in a circle.
no-length-range | The range of lengths of an actuator cannot be found.
no-mass | A body moves and has no mass or inertia.
not-a-file | A path leads to a folder, pipe or device.
not-a-number | The text is no number.
not-an-amount | The text is no amount of memory.
not-an-integer | The text is no whole number.
not-finite | A number is infinite or not a number.
not-supported | Kinetree does not support this yet.
number-range | The number does not fit its type.
out-of-memory | There is not enough memory for the model.
out-of-range | The number is outside what is possible.
repeated-class | A default class is declared twice.
repeated-element | An element that may stand once stands again.
repeated-name | A name is taken.
too-deep | Elements are nested too deeply.
too-large | More than is read or computed.
too-many-elements | More elements than are read.
too-many-includes | More included files than are read.
too-many-models | More attached models than are read.
two-parents | A link is the child of two joints.
undefined-class | There is no default class of that name.
undefined-plugin | There is no plugin of that name, or it is not declared.
undefined-reference | There is no object of that name.
unencodable-character | A character that the file's encoding does not have.
unknown-attribute | The element has no such attribute.
unknown-element | There is no such element.
unlimited-range | A range without its flag, where compiler/autolimits is off.
unreadable-file | A file cannot be read.
unsupported-type | The content type of a file is none that is read.
unsupported-url | A URL: only files on disk are read.
world-moves | The link "world" is fixed and cannot be moved by a joint.
wrong-count | Too few or too many values.
xml-attribute-without-value | An attribute without a value.
xml-bad-attribute | What stands in a start tag is no attribute.
xml-bad-end-tag | An end tag that is not well formed.
xml-doctype | A document type declaration, which is not read.
xml-duplicate-attribute | An attribute stands twice in one element.
xml-empty-file | The file is empty.
xml-entity-declaration | A declaration of an entity, which is not read.
xml-less-than-in-value | "<" in a value.
xml-mismatched-tag | An end tag that closes another element.
xml-misplaced-declaration | A declaration that does not stand at the start.
xml-missing-quotes | A value without quotes.
xml-missing-space | Attributes without a space between them.
xml-no-root | There is no element in the file.
xml-nul-character | A NUL character.
xml-second-root | A second root element.
xml-space-in-tag | A space where a tag's name should begin.
xml-stray-ampersand | "&" that begins no reference.
xml-stray-end-tag | An end tag without a start tag.
xml-stray-less-than | "<" that begins no tag.
xml-text-outside-root | Text outside the root element.
xml-too-deep | Elements are nested too deeply.
xml-too-many-errors | More mistakes in the XML than are listed.
xml-unclosed-element | An element is not closed.
xml-unclosed-tag | A tag is not closed.
xml-unknown-declaration | A declaration that means nothing in a model.
xml-unterminated-cdata | A CDATA section is not closed.
xml-unterminated-comment | A comment is not closed.
xml-unterminated-declaration | A declaration is not closed.
xml-unterminated-instruction | A processing instruction is not closed.
xml-unterminated-value | A value is not closed.
"""

_REMARKS = """
warning | branched-cable | A body of a cable is not the child of the one before it.
warning | empty-range | A range that ends before it begins is ignored.
warning | encoding-mismatch | The file is not in the encoding that it declares.
warning | include-empty | An included file holds nothing.
warning | first-coordinate | A fixed tendon takes the first number of a ball or free joint alone.
warning | falls-upwards | Gravity of an x_xy model points upwards.
warning | ignored-element | An element means nothing here and is not read.
warning | ignored-text | There is text between tags, which is not read.
warning | limited-continuous | A continuous joint of a URDF has limits, which are in force.
warning | no-effect | Something is written that has no effect.
warning | no-target | A camera or light follows a target that is not named.
warning | not-drawn | This is part of the model and is not drawn yet.
warning | not-simulated | This is part of the model and cannot be simulated yet.
warning | singular-inertia | Two joints move the same mass in the same way.
warning | too-many-corners | An OBJ file has faces of more than 100 corners, which are left out.
info | drawn-axis | A random axis of an x_xy joint, drawn from the seed.
info | found-elsewhere | A mesh was found where MuJoCo would not look for it.
info | part-of-model | The file is a part of a model, and was checked within it.
info | motphys-dialect | The Motphys dialect with MuJoCo's defaults.
info | visuals-discarded | Visual shapes of a URDF are left out, as MuJoCo does.
"""

ERRORS = tuple(
    CheckRow(code.strip(), Severity.ERROR, help.strip())
    for code, _, help in (line.partition("|") for line in _ERRORS.strip().splitlines())
)
REMARKS = tuple(
    CheckRow(code.strip(), Severity(severity.strip()), help.strip())
    for severity, code, help in (line.split("|") for line in _REMARKS.strip().splitlines())
)
TABLE: dict[str, CheckRow] = {row.code: row for row in (*CHECKS, *REMARKS, *ERRORS)}
