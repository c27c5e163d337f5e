"""Groups of attributes, as the inspector shows them and the documentation sorts them.

    group(row, attribute) -> "Pose"          the group of one attribute of one kind of element
    grouped(row) -> {"Pose": [AttributeRow, ...], ...}    all attributes of a kind, in the order of GROUPS
    components(row, attribute) -> ("x", "y", "z")         what the numbers of an array are, () where it is not said

The group follows from the attribute's name; where a name means different things in different elements, _OF_ELEMENT
says which. The tables of URDF and x_xy use the same names for the same things.
"""

from __future__ import annotations

from functools import cache

from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow
from kinetree.engine.translation import tr

__all__ = ["GROUPS", "components", "group", "grouped", "is_colour"]

NAME, OTHER = "Name and class", "Other"

# group | attributes
_GROUPS = f"""
{NAME} | name class childclass model prefix plugin instance key value id version
Connections | joint joint1 joint2 jointinparent tendon tendon1 tendon2 site site1 site2 refsite cranksite slidersite
Connections | sidesite geom geom1 geom2 body body1 body2 node flex actuator subtree1 subtree2 camera target objtype
Connections | objname reftype refname link mode
Pose | pos quat axisangle xyaxes zaxis euler fromto zaxes dir pos_marker mocap bindpos bindquat position origin xyz rpy
Pose | anchor relpose offset refpos refquat align
Shape | type size mesh hfield fitscale file vertex normal texcoord face scale smoothnormal maxhullvert nrow ncol
Shape | elevation content_type filename radius length inflate vertid vertweight dim width hard
Copies | count sep spacing curve initial kind prm subgrid num
Points and elements | dof point element elemtexcoord grid gridrange rigid flatskin
Motion | axis ref springref springdamper stiffness damping armature frictionloss hardlimit springlength coef divisor
Motion | gravcomp multiplier spring_stiff spring_zero reference_position
Limits | range limited margin actuatorfrcrange actuatorfrclimited actuatorgravcomp lower upper effort velocity
Limits | pos_min pos_max soft_lower_limit soft_upper_limit k_position k_velocity rising falling
Mass | mass density shellinertia diaginertia fullinertia inertia inertiabox ixx ixy ixz iyy iyz izz
Contact | contype conaffinity condim priority friction solmix solref solimp gap solreffriction internal selfcollide
Contact | vertcollide activelayers data reduce
Constraint | active polycoef torquescale solreffix solimpfix solreflimit solimplimit solimpfriction equality
Elasticity | young poisson thickness elastic2d
Medium | fluidshape fluidcoef
Control | ctrllimited ctrlrange gear cranklength lengthrange kp kv dampratio inheritrange gain timeconst
Control | area diameter bias force
Force | forcelimited forcerange gaintype gainprm biastype biasprm lmin lmax vmax fpmax fvmax tausmooth
Activation | actlimited actrange actdim dyntype dynprm actearly
Output | cutoff noise datatype needstage depth
Lens | fovy orthographic resolution focal focalpixel principal principalpixel sensorsize ipd trackposspeed
Lens | trackrotspeed znear zfar
Light | directional diffuse ambient specular intensity bulbradius attenuation exponent innerangle castshadow nearz
Image | colorspace gridsize gridlayout fileright fileleft fileup filedown filefront fileback builtin rgb1 rgb2 mark
Image | markrgb random height hflip vflip nchannel
Appearance | material rgba group texture texrepeat texuniform emission shininess reflectance metallic roughness
Appearance | color edge_color emissionintensity detailpara depthbias role
State | time qpos qvel act ctrl mpos mquat
Reading | angle coordinate autolimits eulerseq strippath meshdir texturedir assetdir usethread dialect
Masses | boundmass boundinertia settotalmass balanceinertia inertiafromgeom inertiagrouprange
Result | fitaabb discardvisual fusestatic alignfree saveinertial
Time step | dt timestep integrator apirate
Solver | solver cone jacobian iterations tolerance ls_iterations ls_tolerance noslip_iterations noslip_tolerance
Solver | impratio ccd_iterations ccd_tolerance sdf_iterations sdf_initpoints useexisting uselimit accel maxforce
Solver | inttotal interval tolrange
World | gravity wind magnetic viscosity
Contact override | o_margin o_solref o_solimp o_friction
Parts | constraint limit contact passive clampctrl warmstart filterparent actuation refsafe sensor midphase nativeccd
Parts | eulerdamp autoreset override energy fwdinv invdiscrete multiccd island actuatorgroupdisable
Sizes | memory njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam
Sizes | nuser_tendon nuser_actuator nuser_sensor
Statistics | meanmass meaninertia meansize extent center
View | cameraid azimuth linewidth glow realtime offwidth offheight ellipsoidinertia bvactive
Quality | shadowsize offsamples numslices numstacks numquads resolutionscale raycount stepcount
Quality | gidenoiseoffset rraycount rdenoiseoffset method
Mouse and arrows | stiffnessrot torque alpha actuatortendon
Fog and shadows | fogstart fogend haze shadowclip shadowscale envmapintensity fog
{OTHER} | user
"""

# Where a name means something else: kind of element, or the first part of its id, or its tag | name | group.
# "*" as the name: all attributes that do not declare a name.
_OF_ELEMENT = """
visual.rgba | * | Colours
visual.scale | * | Sizes of marks
visual.headlight | * | Light
visual.ssgi | * | Quality
visual.ssao | * | Quality
option.flag | * | Parts
option | density | World
compiler.lengthrange | * | Solver
compiler | * |
visual.global | fovy | View
visual.global | orthographic | View
visual.global | ipd | View
visual.global | elevation | View
visual.map | stiffness | Mouse and arrows
visual.map | force | Mouse and arrows
visual.map | znear | View
visual.map | zfar | View
asset.texture | width | Image
asset.texture | file | Image
asset.texture | type | Image
asset.texture | content_type | Image
asset.texture | scale | Image
asset.material | specular | Appearance
default.material | specular | Appearance
asset.material | castshadow | Appearance
default.material | castshadow | Appearance
body.joint | type | Motion
default.joint | type | Motion
composite.joint | type | Motion
joint | type | Motion
body.joint | pos | Pose
body.light | type | Light
default.light | type | Light
body.light | range | Light
default.light | range | Light
body.light | cutoff | Light
default.light | cutoff | Light
body.light | active | Light
default.light | active | Light
body.camera | depth | Lens
default.camera | depth | Lens
body.camera | resolution | Lens
default.camera | resolution | Lens
body.geom | margin | Contact
default.geom | margin | Contact
composite.geom | margin | Contact
contact.pair | margin | Contact
default.pair | margin | Contact
flex.contact | margin | Contact
flexcomp.contact | margin | Contact
tendon.spatial | width | Appearance
tendon.fixed | width | Appearance
default.tendon | width | Appearance
flex.elasticity | damping | Elasticity
flexcomp.elasticity | damping | Elasticity
flex.edge | * | Elasticity
flexcomp.edge | stiffness | Elasticity
flexcomp.edge | damping | Elasticity
flexcomp.edge | solref | Constraint
flexcomp.edge | solimp | Constraint
flexcomp.pin | * | Points and elements
equality | solref | Constraint
equality | solimp | Constraint
default.equality | solref | Constraint
default.equality | solimp | Constraint
actuator.muscle | range | Force
default.muscle | range | Force
actuator.muscle | force | Force
default.muscle | force | Force
actuator.muscle | scale | Force
default.muscle | scale | Force
custom.numeric | * | Output
custom.text | * | Output
body.joint | solreffriction | Constraint
default.joint | solreffriction | Constraint
composite.joint | solreffriction | Constraint
tendon | solreffriction | Constraint
default.tendon | solreffriction | Constraint
sensor.contact | data | Output
sensor.contact | num | Output
sensor | dim | Output
sensor.user | dim | Output
body.flexcomp | type | Shape
composite.skin | texcoord | Appearance
inertial.mass | value | Mass
visual.probe | scale | Pose
replicate | euler | Copies
replicate | offset | Copies
body.composite | quat | Pose
asset.mesh | inertia | Mass
axis | xyz | Motion
limit | velocity | Limits
dynamics | friction | Motion
mimic | offset | Motion
"""

# Names of the numbers of an array: attribute, or element and attribute | names.
_COMPONENTS = """
pos axis dir gravity wind magnetic center anchor refpos offset bindpos xyz scale position spacing | x y z
origin diaginertia | x y z
quat refquat bindquat relpose.quat | w x y z
axisangle | x y z angle
zaxis | x y z
xyaxes | x1 x2 x3 y1 y2 y3
rpy | roll pitch yaw
fromto | x1 y1 z1 x2 y2 z2
fullinertia | xx yy zz xy xz yz
friction | slide spin roll
contact.pair.friction default.pair.friction o_friction | slide1 slide2 spin roll1 roll2
range ctrlrange forcerange actrange actuatorfrcrange lengthrange inertiagrouprange | min max
solref solreflimit solreffriction solreffix o_solref | time damping
solimp solimplimit solimpfriction solimpfix o_solimp | dmin dmax width mid power
springdamper | time damping
resolution sensorsize focal focalpixel principal principalpixel | x y
texrepeat | u v
gear | x y z rx ry rz
attenuation | const linear quad
asset.hfield.size | x y top base
gridsize | rows cols
"""

# Names of the numbers of size, by the type of a geom or site.
_SIZES = {
    "sphere": ("radius",),
    "capsule": ("radius", "half"),
    "cylinder": ("radius", "half"),
    "box": ("x", "y", "z"),
    "ellipsoid": ("x", "y", "z"),
    "plane": ("x", "y", "grid"),
}

_COLOURS = frozenset({"rgba", "rgb1", "rgb2", "markrgb"})
_COLOUR_ELEMENTS = {
    "visual.rgba": None,
    **dict.fromkeys(("visual.headlight", "body.light", "default.light"), frozenset({"ambient", "diffuse", "specular"})),
}


def _read(table: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in table.strip().splitlines():
        value, names = (part.strip() for part in line.split("|"))
        for name in names.split():
            if name in found:
                raise ValueError(tr("the attribute '{name}' is in two groups", name=name))
            found[name] = value
    return found


_BY_NAME = _read(_GROUPS)
GROUPS: tuple[str, ...] = tuple(dict.fromkeys(_BY_NAME.values()))
"""The groups in the order in which they are shown."""

_EXCEPTIONS: dict[tuple[str, str], str] = {}
for _line in _OF_ELEMENT.strip().splitlines():
    _element, _name, _group = (part.strip() for part in _line.split("|"))
    if _group:
        _EXCEPTIONS[_element, _name] = _group
GROUPS = tuple(dict.fromkeys([*GROUPS[:-1], *_EXCEPTIONS.values(), OTHER]))

_PARTS: dict[str, tuple[str, ...]] = {}
for _line in _COMPONENTS.strip().splitlines():
    _names, _parts = (part.split() for part in _line.split("|"))
    _PARTS.update(dict.fromkeys(_names, tuple(_parts)))


def group(row: ElementRow, attribute: AttributeRow) -> str:
    """The group of an attribute of one kind of element; OTHER for a name that no table has."""
    if attribute.declares is not None or attribute.name in ("name", "class"):
        return NAME
    for element in (row.id, row.id.partition(".")[0]):
        for name in (attribute.name, "*"):
            found = _EXCEPTIONS.get((element, name))
            if found is not None and (element == row.id or name != "*"):
                return found
    return _BY_NAME.get(attribute.name, OTHER)


@cache
def grouped(row: ElementRow) -> dict[str, tuple[AttributeRow, ...]]:
    """All attributes of a kind of element by group, both in the order of the tables."""
    found: dict[str, list[AttributeRow]] = {name: [] for name in GROUPS}
    for attribute in row.attributes.values():
        found[group(row, attribute)].append(attribute)
    return {name: tuple(rows) for name, rows in found.items() if rows}


def is_colour(row: ElementRow, attribute: AttributeRow) -> bool:
    """Whether the numbers of an attribute are a colour."""
    if attribute.name in _COLOURS and attribute.type == "real" and attribute.max_count in (3, 4):
        return True
    if row.id not in _COLOUR_ELEMENTS or attribute.max_count not in (3, 4):
        return False
    names = _COLOUR_ELEMENTS[row.id]
    return names is None or attribute.name in names


def components(row: ElementRow, attribute: AttributeRow, type: str | None = None) -> tuple[str, ...]:
    """Names of the numbers of an array, as many as it may have; () where there are none. `type` is the element's, where
    it has one."""
    if attribute.name == "size" and row.tag in ("geom", "site"):
        return _SIZES.get(type or "", ())
    parts = _PARTS.get(f"{row.id}.{attribute.name}") or _PARTS.get(attribute.name) or ()
    count = attribute.max_count
    return parts[:count] if count is not None and 1 < count <= len(parts) else ()
