"""The part of the schema table for assets, the kinematic tree and deformable objects.

Facts from MuJoCo's XML reference and the MPEX reference; one row per attribute, see schema_rows for the notation.
"""

from kinetree.engine.mjcf.schema_rows import attribute, element, pick
from kinetree.engine.mjcf.schema_table_settings import CONFIG, PLUGIN

# one row a line
# fmt: off

SOLREF = "0.02 1"
SOLIMP = "0.9 0.95 0.001 0.5 2"
TRI = "[false true auto]"
_SOLREF_HELP = "Reference of {}: time constant and damping ratio, or, if negative, stiffness and damping."
_SOLIMP_HELP = "Impedance of {}: least, greatest, width, midpoint, power."

CLASS = attribute("class", "ref:class", None, "Default class of the settings that are not given here.")
USER = attribute("user", "real(*)", None, "Numbers of your own; the simulation ignores them.")
GROUP = attribute("group", "int", "0", "Group by which visibility is switched.", low=0, high=5)
RGBA = attribute("rgba", "real(4)", "0.5 0.5 0.5 1", "Colour and opacity, each from 0 to 1.", low=0, high=1)
MATERIAL = attribute("material", "ref:material", None, "Material that gives the surface its look.")

POS = attribute("pos", "real(3)", "0 0 0", "Position in the parent's frame.", unit="m")
ORIENTATION = [
    attribute("quat", "real(4)", "1 0 0 0", "Orientation as a quaternion, scalar first; it is normalized."),
    attribute("axisangle", "real(4)", None, "Orientation as an axis and an angle about it.", unit="angle"),
    attribute("xyaxes", "real(6)", None, "Orientation by the X axis and a vector that gives the Y axis."),
    attribute("zaxis", "real(3)", None, "Orientation by the Z axis: the smallest turn that brings (0 0 1) there."),
    attribute("euler", "real(3)", None, "Orientation as three turns about the axes of compiler/eulerseq.", unit="angle"),
]
FRAME = [POS, *ORIENTATION]


def _solver(reference: str, impedance: str, what: str) -> list:
    return [
        attribute(reference, "real(1..2)", SOLREF, _SOLREF_HELP.format(what)),
        attribute(impedance, "real(1..5)", SOLIMP, _SOLIMP_HELP.format(what)),
    ]


SOLVER = _solver("solref", "solimp", "this constraint")
CONTACT_SOLVER = _solver("solref", "solimp", "contacts")
LIMIT_SOLVER = _solver("solreflimit", "solimplimit", "the limit constraint")
FRICTION_SOLVER = _solver("solreffriction", "solimpfriction", "the friction loss constraint")

MARGIN = attribute("margin", "real", "0", "Distance at which contacts begin to be detected.", unit="m", low=0, high=0.1)
GAP = attribute("gap", "real", "0", "Part of the margin in which contacts are reported but push nothing.", unit="m", low=0, high=0.1)

CONTACT = [
    attribute("contype", "int", "1", "Bits that this geom has; it meets another whose conaffinity shares one.", low=0),
    attribute("conaffinity", "int", "1", "Bits that this geom meets; see contype.", low=0),
    attribute("condim", "int", "3", "Contact dimensions: 1 no friction, 3 sliding, 4 and twisting, 6 and rolling.", low=1, high=6),
    attribute("priority", "int", "0", "The geom of higher priority decides the contact's parameters."),
    attribute("friction", "real(1..3)", "1 0.005 0.0001", "Friction coefficients for sliding, twisting and rolling.", low=0, high=2),
    attribute("solmix", "real", "1", "Weight in mixing solver parameters with the other geom's.", low=0, high=1),
    *CONTACT_SOLVER,
    MARGIN,
    GAP,
]

# --------------------------------------------------------------------------------------------- assets

MESH = [
    attribute("name", "name:mesh", None, "Name of the mesh; left out, the file's name without folder and extension."),
    CLASS,
    attribute("content_type", "string", None, "Media type of the file, where its extension does not tell: model/obj, model/stl, model/vnd.mujoco.msh."),
    attribute("file", "file", None, "File of the mesh: OBJ, STL or MSH."),
    attribute("vertex", "real(3*)", None, "Vertex positions, instead of a file.", unit="m"),
    attribute("normal", "real(3*)", None, "Vertex normals; left out, they are computed."),
    attribute("texcoord", "real(2*)", None, "Vertex texture coordinates."),
    attribute("face", "int(3*)", None, "Triangles as three vertex numbers each, counter-clockwise from outside.", low=0),
    attribute("refpos", "real(3)", "0 0 0", "Position subtracted from all vertices.", unit="m"),
    attribute("refquat", "real(4)", "1 0 0 0", "Orientation whose inverse is applied to all vertices."),
    attribute("scale", "real(3)", "1 1 1", "Factor along each axis; a negative one mirrors.", low=-10, high=10),
    attribute("smoothnormal", "bool", "false", "Average normals at vertices, so that edges look round."),
    attribute("inertia", "[convex exact legacy shell]", "legacy", "How mass and inertia follow from the surface: of the hull, the exact volume, the legacy volume, or a shell."),
    attribute("maxhullvert", "int", "-1", "Greatest number of vertices of the convex hull, above 3; -1 for no limit.", low=-1),
]

HFIELD = [
    attribute("name", "name:hfield", None, "Name of the height field; left out, the file's name without folder and extension."),
    attribute("content_type", "string", None, "Media type of the file: image/png or image/vnd.mujoco.hfield."),
    attribute("file", "file", None, "PNG or binary file with the heights."),
    attribute("nrow", "int", "0", "Rows of the height matrix; 0 with a file.", low=0),
    attribute("ncol", "int", "0", "Columns of the height matrix; 0 with a file.", low=0),
    attribute("elevation", "real(*)", None, "Heights row by row, from the far side; scaled to 0..1. Left out, zeros."),
    attribute("size", "real(4)!", None, "Half extent in X and Y, height of the highest point, depth of the base.", unit="m", low=0),
]

TEXTURE = [
    attribute("name", "name:texture", None, "Name of the texture; left out, the file's name without folder and extension."),
    attribute("type", "[2d cube skybox]", "cube", "How the image is laid on objects: flat, on six sides, or as the sky.", mpex_choices="envdiff envspec probe"),
    attribute("colorspace", "[auto linear sRGB]", "auto", "Colour space of the image; auto takes what the file says, linear if nothing."),
    attribute("content_type", "string", None, "Media type of the file: image/vnd.mujoco.texture, image/ktx or image/png."),
    attribute("file", "file", None, "Image file for the whole texture, repeated on the sides of a cube or cut by the grid."),
    attribute("gridsize", "int(2)", "1 1", "Rows and columns of sides within one image file.", low=1, high=12),
    attribute("gridlayout", "string", "............", "Which side each cell of the grid holds: R L U D F B, or a dot for none."),
    attribute("fileright", "file", None, "Image of the side in +X."),
    attribute("fileleft", "file", None, "Image of the side in -X."),
    attribute("fileup", "file", None, "Image of the side in +Y."),
    attribute("filedown", "file", None, "Image of the side in -Y."),
    attribute("filefront", "file", None, "Image of the side in +Z."),
    attribute("fileback", "file", None, "Image of the side in -Z."),
    attribute("builtin", "[none gradient checker flat]", "none", "Image made by the compiler instead of read from a file.", mpex_choices="dynamic"),
    attribute("rgb1", "real(3)", "0.8 0.8 0.8", "First colour of a builtin image, and of missing cube sides.", low=0, high=1),
    attribute("rgb2", "real(3)", "0.5 0.5 0.5", "Second colour of a builtin image.", low=0, high=1),
    attribute("mark", "[none edge cross random]", "none", "Marks drawn over a builtin image."),
    attribute("markrgb", "real(3)", "0 0 0", "Colour of the marks.", low=0, high=1),
    attribute("random", "real", "0.01", "Probability of a dot at each pixel, for random marks.", low=0, high=1),
    attribute("width", "int", "0", "Width of a builtin image.", unit="pixel", low=0, high=4096),
    attribute("height", "int", "0", "Height of a builtin image; cube and skybox have six times the width.", unit="pixel", low=0, high=4096),
    attribute("hflip", "bool", "false", "Mirror the image left to right."),
    attribute("vflip", "bool", "false", "Mirror the image top to bottom."),
    attribute("nchannel", "int", "3", "Channels of the image: 1 grey, 3 RGB, 4 RGBA.", low=1, high=4),
]

MATERIAL_ROWS = [
    attribute("name", "name:material!", None, "Name of the material."),
    CLASS,
    attribute("texture", "ref:texture", None, "Texture for the colour; for more layers use layer elements instead."),
    attribute("texrepeat", "real(2)", "1 1", "How often the image repeats along each direction.", low=0, high=100),
    attribute("texuniform", "bool", "false", "Whether repeats count per metre instead of per object."),
    attribute("emission", "real", "0", "Light that the surface gives off, as a factor of its colour.", low=0, high=1, mpex_default="0 0 0 0", mpex_max=4),
    attribute("specular", "real", "0.5", "Strength of highlights.", low=0, high=1),
    attribute("shininess", "real", "0.5", "Sharpness of highlights.", low=0, high=1),
    attribute("reflectance", "real", "0", "How much a plane or the top of a box mirrors.", low=0, high=1),
    attribute("metallic", "real", "-1", "How metallic the surface is, for physically based rendering; -1 unset.", low=0, high=1, mpex_default="0"),
    attribute("roughness", "real", "-1", "How rough the surface is, for physically based rendering; -1 unset.", low=0, high=1, mpex_default="0"),
    attribute("rgba", "real(4)", "1 1 1 1", "Colour and opacity, multiplied with the texture.", low=0, high=1),
    attribute("emissionintensity", "real", "0", "Factor on the emitted colour.", low=0, high=100, mpex=True),
    attribute("detailpara", "real(4)", "1 1 1 1", "Detail normal map: repeats along u and v, strength, one spare number.", mpex=True),
    attribute("depthbias", "int", "0", "Draws the surface nearer or farther by this, against flicker of coincident surfaces.", mpex=True),
    attribute("castshadow", "bool", "true", "Whether geoms of this material cast shadows.", mpex=True),
]

_LAYER_ROLES = "[rgb normal occlusion roughness metallic opacity emissive orm rgba]"
LAYER = [
    attribute("texture", "ref:texture!", None, "Texture of this layer."),
    attribute("role", _LAYER_ROLES + "!", None, "Material property that the texture controls."),
]

SKIN = [
    attribute("name", "name:skin", None, "Name of the skin."),
    attribute("file", "file", None, "SKN file with vertices, faces and bones."),
    attribute("vertex", "real(3*)", None, "Vertex positions in the reference pose, instead of a file.", unit="m"),
    attribute("texcoord", "real(2*)", None, "Vertex texture coordinates."),
    attribute("face", "int(3*)", None, "Triangles as three vertex numbers each.", low=0),
    attribute("inflate", "real", "0", "Distance by which vertices are moved out along their normals.", unit="m", low=-0.1, high=0.1),
    MATERIAL,
    RGBA,
    GROUP,
]
BONE = [
    attribute("body", "ref:body!", None, "Body that moves this bone."),
    attribute("bindpos", "real(3)!", None, "Body position in the skin's reference pose.", unit="m"),
    attribute("bindquat", "real(4)!", None, "Body orientation in the skin's reference pose."),
    attribute("vertid", "int(*)!", None, "Numbers of the vertices that this bone moves.", low=0),
    attribute("vertweight", "real(*)!", None, "Weight of the bone at each of those vertices.", low=0, high=1),
]

# --------------------------------------------------------------------------------------------- kinematic tree

BODY = [
    attribute("name", "name:body", None, "Name of the body."),
    attribute("childclass", "ref:class", None, "Default class of everything inside that names no class of its own."),
    attribute("mocap", "bool", "false", "Whether the pose is set from outside; only for children of the world without joints."),
    POS,
    *ORIENTATION,
    attribute("gravcomp", "real", "0", "Part of the body's weight that is cancelled: 1 floats, above 1 rises.", low=0, high=2),
    USER,
]
# `class` of a frame and both of a replicate stand in no schema; mujoco 3.3.4 reads them, childclass before class
FRAME_ROWS = [
    attribute("name", "name:frame", None, "Name of the frame."),
    attribute("class", "ref:class", None, "Another way to write childclass, which goes before it."),
    attribute("childclass", "ref:class", None, "Default class of everything inside that names no class of its own."),
    POS,
    *ORIENTATION,
]
REPLICATE = [
    attribute("count", "int!", None, "Number of copies.", low=1),
    attribute("class", "ref:class", None, "Another way to write childclass, which goes before it."),
    attribute("childclass", "ref:class", None, "Default class of everything inside that names no class of its own."),
    attribute("sep", "string", None, "Text between a name and the number of its copy."),
    attribute("offset", "real(3)", "0 0 0", "Shift from one copy to the next.", unit="m"),
    attribute("euler", "real(3)", "0 0 0", "Turn from one copy to the next, accumulated.", unit="angle"),
]
INERTIAL = [
    attribute("pos", "real(3)!", None, "Centre of mass in the body's frame.", unit="m"),
    *ORIENTATION,
    attribute("mass", "real!", None, "Mass of the body.", unit="kg", low=0),
    attribute("diaginertia", "real(3)", None, "Moments of inertia about the axes of this frame.", unit="kg m²", low=0),
    attribute("fullinertia", "real(6)", None, "Inertia matrix as xx yy zz xy xz yz, instead of moments and orientation.", unit="kg m²"),
]
JOINT = [
    attribute("name", "name:joint", None, "Name of the joint."),
    CLASS,
    attribute("type", "[free ball slide hinge]", "hinge", "Motion that the joint allows: all six, three rotations, along the axis, about the axis."),
    GROUP,
    attribute("pos", "real(3)", "0 0 0", "Anchor in the body's frame; free joints ignore it.", unit="m"),
    attribute("axis", "real(3)", "0 0 1", "Axis of a hinge or slide, in the body's frame."),
    attribute("springdamper", "real(2)", "0 0", "Time constant and damping ratio from which stiffness and damping are computed, if both are positive.", low=0),
    *LIMIT_SOLVER,
    *FRICTION_SOLVER,
    attribute("stiffness", "real", "0", "Stiffness of the spring towards springref.", unit="N m/rad or N/m", low=0, high=1000),
    attribute("range", "real(2)", "0 0", "Least and greatest position; for a ball joint 0 and the greatest angle.", unit="angle or m"),
    attribute("limited", TRI, "auto", "Whether the range limits the joint; auto: if a range is given."),
    attribute("actuatorfrcrange", "real(2)", "0 0", "Least and greatest total actuator force on the joint.", unit="N m or N"),
    attribute("actuatorfrclimited", TRI, "auto", "Whether actuatorfrcrange clamps; auto: if it is given."),
    attribute("actuatorgravcomp", "bool", "false", "Whether gravity compensation counts as an actuator force."),
    attribute("margin", "real", "0", "Distance from the limit at which its constraint becomes active.", unit="angle or m", low=0),
    attribute("ref", "real", "0", "Position that the joint has in the configuration as drawn.", unit="angle or m"),
    attribute("springref", "real", "0", "Position at which the spring is at rest.", unit="angle or m"),
    attribute("armature", "real", "0", "Inertia added to the joint, as of a motor's rotor.", unit="kg m^2 or kg", low=0, high=10),
    attribute("damping", "real", "0", "Force against the velocity.", unit="N m s/rad or N s/m", low=0, high=100),
    attribute("frictionloss", "real", "0", "Dry friction: greatest force against motion.", unit="N m or N", low=0, high=100),
    USER,
    attribute("hardlimit", "bool", "false", "Whether the limit gives way to nothing.", mpex=True),
]
FREEJOINT = [
    attribute("name", "name:joint", None, "Name of the joint."),
    GROUP,
    attribute("align", TRI, "auto", "Align the body with its principal axes of inertia; auto: compiler/alignfree decides."),
]
GEOM = [
    attribute("name", "name:geom", None, "Name of the geom."),
    CLASS,
    attribute("type", "[plane hfield sphere capsule ellipsoid cylinder box mesh sdf]", "sphere", "Shape of the geom."),
    GROUP,
    *pick(CONTACT, without="margin gap"),
    attribute("size", "real(1..3)", "0 0 0", "Size, by shape: radius, radius and half length, half sides, or half sides and grid spacing of a plane.", unit="m", low=0, high=10),
    MATERIAL,
    RGBA,
    attribute("mass", "real", None, "Mass; with it, density is not used.", unit="kg", low=0),
    attribute("density", "real", "1000", "Density from which the mass is computed.", unit="kg/m³", low=0, high=10000),
    attribute("shellinertia", "bool", "false", "Whether the mass lies on the surface."),
    MARGIN,
    GAP,
    attribute("fromto", "real(6)", None, "Two end points of a capsule, cylinder, box or ellipsoid, instead of position, orientation and length.", unit="m"),
    POS,
    *ORIENTATION,
    attribute("hfield", "ref:hfield", None, "Height field to use, for shape hfield."),
    attribute("mesh", "ref:mesh", None, "Mesh to use, or to fit a primitive to."),
    attribute("fitscale", "real", "1", "Factor on the size of a primitive fitted to a mesh.", low=0, high=2),
    attribute("fluidshape", "[none ellipsoid]", "none", "Fluid forces by the ellipsoid model for this geom."),
    attribute("fluidcoef", "real(1..5)", "0.5 0.25 1.5 1 1", "Coefficients of blunt drag, slender drag, angular drag, Kutta lift and Magnus lift.", low=0, high=5),
    USER,
    attribute("hard", "bool", "false", "Whether contacts of this geom give way to nothing.", mpex=True),
]
SITE = [
    attribute("name", "name:site", None, "Name of the site."),
    CLASS,
    attribute("type", "[sphere capsule ellipsoid cylinder box]", "sphere", "Shape in which it is drawn, and zone of a touch sensor."),
    GROUP,
    MATERIAL,
    RGBA,
    attribute("size", "real(1..3)", "0.005 0.005 0.005", "Size, by shape, as for geoms.", unit="m", low=0, high=1),
    attribute("fromto", "real(6)", None, "Two end points of a capsule, cylinder, box or ellipsoid, instead of position, orientation and length.", unit="m"),
    POS,
    *ORIENTATION,
    attribute("zaxes", "real(3)", None, "Spelling of zaxis in the Motphys reference.", mpex=True, same_as="zaxis"),
    USER,
]
_TRACK = "[fixed track trackcom targetbody targetbodycom]"
CAMERA = [
    attribute("name", "name:camera", None, "Name of the camera."),
    CLASS,
    attribute("mode", _TRACK, "fixed", "How it moves: with its body, after its body's position or centre of mass, or turned to a target."),
    attribute("target", "ref:body", None, "Body to look at, for the target modes."),
    attribute("orthographic", "bool", "false", "Whether it projects in parallel."),
    attribute("fovy", "real", "45", "Vertical field of view; if orthographic, a length.", unit="deg", low=1, high=179),
    attribute("resolution", "int(2)", "1 1", "Image width and height.", unit="pixel", low=1, reads_real=True),
    attribute("focal", "real(2)", "0 0", "Focal length of the lens along X and Y.", unit="m", low=0),
    attribute("focalpixel", "real(2)", "0 0", "Focal length in pixels; it overrides focal.", unit="pixel", low=0),
    attribute("principal", "real(2)", "0 0", "Offset of the optical axis from the image centre.", unit="m"),
    attribute("principalpixel", "real(2)", "0 0", "Offset of the optical axis in pixels; it overrides principal.", unit="pixel"),
    attribute("sensorsize", "real(2)", "0 0", "Width and height of the image sensor; it replaces fovy and needs resolution.", unit="m", low=0),
    attribute("ipd", "real", "0.068", "Distance between the eyes in stereo.", unit="m", low=0, high=0.2),
    POS,
    *ORIENTATION,
    USER,
    attribute("trackposspeed", "real", "0", "If not zero, the speed at which it follows its target position.", unit="m/s", low=0, mpex=True),
    attribute("trackrotspeed", "real", "0", "If not zero, the speed at which it follows its target orientation.", unit="rad/s", low=0, mpex=True),
    attribute("depth", "bool", "false", "Whether it gives depth instead of colour.", mpex=True),
    attribute("znear", "real", "0", "Near clipping distance; 0 computes it.", unit="m", low=0, mpex=True),
    attribute("zfar", "real", "0", "Far clipping distance; 0 computes it.", unit="m", low=0, mpex=True),
]
LIGHT = [
    attribute("name", "name:light", None, "Name of the light."),
    CLASS,
    attribute("mode", _TRACK, "fixed", "How it moves: with its body, after its body's position or centre of mass, or turned to a target."),
    attribute("target", "ref:body", None, "Body to point at, for the target modes."),
    attribute("type", "[spot directional point image]", "spot", "Kind of light: cone, parallel, all around, or an environment image."),
    attribute("directional", "bool", "false", "Legacy: true makes it directional; use type instead."),
    attribute("castshadow", "bool", "true", "Whether it casts shadows."),
    attribute("active", "bool", "true", "Whether it shines."),
    attribute("pos", "real(3)", "0 0 0", "Position in the body's frame.", unit="m"),
    attribute("dir", "real(3)", "0 0 -1", "Direction in which it shines."),
    attribute("diffuse", "real(3)", "0.7 0.7 0.7", "Colour of the light.", low=0, high=1),
    attribute("texture", "ref:texture", None, "Environment texture, for type image."),
    attribute("intensity", "real", "0", "Luminous intensity, for physically based rendering.", unit="cd", low=0),
    attribute("ambient", "real(3)", "0 0 0", "Colour that it adds everywhere.", low=0, high=1),
    attribute("specular", "real(3)", "0.3 0.3 0.3", "Colour of its highlights.", low=0, high=1),
    attribute("range", "real", "10", "Distance up to which it has effect.", unit="m", low=0),
    attribute("bulbradius", "real", "0.02", "Radius of the source, which softens shadows.", unit="m", low=0, high=1),
    attribute("attenuation", "real(3)", "1 0 0", "Constant, linear and quadratic loss with distance.", low=0),
    attribute("cutoff", "real", "45", "Half angle of a spotlight's cone, always in degrees.", unit="deg", low=0, high=90),
    attribute("exponent", "real", "10", "How much a spotlight fades from the middle outwards.", low=0, high=128),
    attribute("innerangle", "real", "35", "Half angle of the fully lit inner cone, always in degrees.", unit="deg", low=0, high=90, mpex=True),
    attribute("nearz", "real", "0.1", "Distance of the near plane of its shadow map.", unit="m", low=0, mpex=True),
]
ATTACH = [
    attribute("model", "ref:model!", None, "Model asset to take from."),
    attribute("body", "string", None, "Body of that model to attach, with everything below it; left out, its whole world."),
    attribute("prefix", "string!", None, "Prefix for the names of all attached elements."),
]

# --------------------------------------------------------------------------------------------- macros

COMPOSITE = [
    attribute("prefix", "string", None, "Text put before every generated name."),
    attribute("type", "[cable]!", None, "Kind of object; cable is a chain of bodies."),
    attribute("count", "int(1..3)", "1 1 1", "Number of points along each direction; those left out are 1.", low=1),
    attribute("offset", "real(3)", "0 0 0", "Position of the first body in the parent's frame.", unit="m"),
    attribute("quat", "real(4)", "1 0 0 0", "Orientation of the first body in the parent's frame."),
    attribute("vertex", "real(3*)", None, "Positions of the points, instead of a curve.", unit="m"),
    attribute("initial", "string", None, "Joint of the first body."),
    attribute("curve", "string", None, "Functions for X, Y and Z: s, cos(s), sin(s) or 0."),
    attribute("size", "real(1..3)", None, "Length, radius and number of turns used by the curve.", unit="m"),
]
COMPOSITE_JOINT = [
    attribute("kind", "[main]!", None, "Which of the generated joints this describes."),
    *pick(
        JOINT,
        "group stiffness damping armature limited range margin solreflimit solimplimit frictionloss solreffriction"
        " solimpfriction type axis",
    ),
    *_solver("solreffix", "solimpfix", "the equality that fixes the joint"),
]
COMPOSITE_SKIN = [
    attribute("texcoord", "bool", "false", "Whether texture coordinates are generated."),
    MATERIAL,
    RGBA,
    GROUP,
    attribute("inflate", "real", "0", "Distance by which vertices are moved out along their normals.", unit="m"),
    attribute("subgrid", "int", "0", "Extra grid lines between bodies, for a smoother surface.", low=0, high=5),
]
COMPOSITE_GEOM = pick(
    GEOM,
    "type contype conaffinity condim group priority size material rgba friction mass density solmix solref solimp margin gap",
)
COMPOSITE_SITE = pick(SITE, "group size material rgba")

FLEX_CONTACT = [
    attribute("internal", "bool", "false", "Whether contacts keep elements from turning inside out."),
    attribute("selfcollide", "[none narrow bvh sap auto]", "auto", "How elements of the same flex are checked against each other."),
    attribute("vertcollide", "bool", "false", "Whether vertices collide as spheres."),
    attribute("activelayers", "int", "1", "Number of outer layers of a solid flex that collide.", low=1),
    *CONTACT,
]
FLEX_EDGE = [
    attribute("stiffness", "real", "0", "Stiffness of the edges, for lines.", unit="N/m", low=0),
    attribute("damping", "real", "0", "Damping of the edges.", unit="N s/m", low=0),
]
ELASTICITY = [
    attribute("young", "real", "0", "Young's modulus.", unit="Pa", low=0),
    attribute("poisson", "real", "0", "Poisson's ratio.", low=0, high=0.499),
    attribute("damping", "real", "0", "Rayleigh damping, which scales the stiffness.", unit="s", low=0),
    attribute("thickness", "real", "-1", "Thickness of a shell.", unit="m"),
    attribute("elastic2d", "[none bend stretch both]", "none", "Elastic forces of a surface: bending, stretching, both or none."),
]
RADIUS = attribute("radius", "real", "0.005", "Radius of all elements.", unit="m", low=0)
FLATSKIN = attribute("flatskin", "bool", "false", "Whether it is shaded flat instead of smooth.")
FLEX = [
    attribute("name", "name:flex", None, "Name of the flex."),
    attribute("dim", "int", "2", "Dimension of the elements: 1 lines, 2 triangles, 3 tetrahedra.", low=1, high=3),
    RADIUS,
    attribute("body", "ref:body(*)!", None, "Body of each vertex, or one body for all of them."),
    attribute("node", "ref:body(*)", None, "Bodies whose positions are interpolated to move the vertices."),
    attribute("vertex", "real(3*)", None, "Vertex positions in the frames of their bodies; left out, zeros.", unit="m"),
    attribute("texcoord", "real(2*)", None, "Texture coordinates."),
    attribute("elemtexcoord", "int(*)", None, "Texture coordinate of each corner of each element.", low=0),
    attribute("element", "int(*)!", None, "Vertex numbers of each element.", low=0),
    FLATSKIN,
    MATERIAL,
    RGBA,
    GROUP,
]
FLEXCOMP = [
    attribute("name", "name:flex!", None, "Name of the generated flex, and first part of its bodies' names."),
    attribute("dim", "int", "2", "Dimension of the elements: 1 lines, 2 triangles, 3 tetrahedra.", low=1, high=3),
    attribute("dof", "[full radial trilinear]", "full", "Freedom of the points: free, along a radius, or interpolated from the corners of a box."),
    attribute("type", "[grid box cylinder ellipsoid disc circle mesh gmsh direct]", "grid", "Where the points come from."),
    attribute("count", "int(3)", "10 10 10", "Number of points along each direction.", low=1),
    attribute("spacing", "real(3)", "0.02 0.02 0.02", "Distance between points along each direction.", unit="m", low=0),
    attribute("point", "real(3*)", None, "Positions of the points, for type direct.", unit="m"),
    attribute("element", "int(*)", None, "Point numbers of each element, for type direct.", low=0),
    attribute("texcoord", "real(2*)", None, "Texture coordinates of the points."),
    attribute("mass", "real", "1", "Total mass, shared equally by the points.", unit="kg", low=0),
    attribute("inertiabox", "real", "0.005", "Side of the box whose inertia each point body gets.", unit="m", low=0),
    attribute("file", "file", None, "Mesh file, for types mesh and gmsh."),
    attribute("rigid", "bool", "false", "Whether all points stay fixed in the parent body."),
    POS,
    *ORIENTATION,
    attribute("scale", "real(3)", "1 1 1", "Factor on the points' coordinates along each axis."),
    RADIUS,
    MATERIAL,
    RGBA,
    GROUP,
    FLATSKIN,
    attribute("origin", "real(3)", "0 0 0", "Point that surface triangles are joined to, to fill a volume.", unit="m"),
]
FLEXCOMP_EDGE = [
    attribute("equality", "bool", "false", "Whether a constraint keeps all edges at their lengths."),
    *SOLVER,
    *FLEX_EDGE,
]
PIN = [
    attribute("id", "int(*)", None, "Numbers of points fixed to the parent.", low=0),
    attribute("range", "int(2*)", None, "First and last number of ranges of points fixed to the parent.", low=0),
    attribute("grid", "int(*)", None, "Grid coordinates of points fixed to the parent.", low=0),
    attribute("gridrange", "int(*)", None, "First and last grid coordinates of blocks of points fixed to the parent.", low=0),
]

# --------------------------------------------------------------------------------------------- elements

_TREE = (
    "body frame replicate body.geom body.site body.camera body.light"
    " body.composite body.flexcomp body.plugin body.attach"
)
_JOINTED_TREE = "body.inertial body.joint body.freejoint " + _TREE

ELEMENTS = [
    element("asset", "*", "Meshes, textures, materials and other things that elements use by name.", (), "asset.mesh asset.hfield asset.skin asset.texture asset.material asset.model"),
    element("asset.mesh", "*", "A triangle mesh.", MESH, "mesh.plugin", default="default.mesh", name_from="file"),
    element("mesh.plugin", "*", "Makes the mesh from a plugin's signed distance function.", PLUGIN, "plugin.config"),
    element("asset.hfield", "*", "A height field: terrain over a rectangle.", HFIELD, name_from="file"),
    element("asset.skin", "*", "A mesh that bends with several bodies, for looks only (also under deformable).", SKIN, "skin.bone"),
    element("asset.texture", "*", "An image that materials use.", TEXTURE, name_from="file"),
    element("asset.material", "*", "The look of a surface.", MATERIAL_ROWS, "material.layer", default="default.material"),
    element("material.layer", "*", "A texture in one of a material's roles.", LAYER),
    element(
        "asset.model",
        "*",
        "Another model, whose bodies can be attached.",
        [
            attribute("name", "name:model", None, "Name of the model; left out, the name that its file gives."),
            attribute("file", "file!", None, "File of the model."),
            attribute("content_type", "string", None, "Media type of the file: text/xml or text/usd."),
        ],
    ),
    element("worldbody", "*", "The fixed body at the root of the kinematic tree.", (), _TREE),
    element("body", "R", "A rigid body; bodies inside it move relative to it.", BODY, _JOINTED_TREE),
    element("frame", "R", "Moves what is inside it, and leaves no trace in the compiled model.", FRAME_ROWS, _JOINTED_TREE, transparent=True, in_schema=False),
    element("replicate", "R", "Repeats what is inside it with steps of position and orientation.", REPLICATE, _JOINTED_TREE, transparent=True, in_schema=False),
    element("body.inertial", "?", "Mass, centre of mass and inertia of the body.", INERTIAL),
    element("body.joint", "*", "Freedom to move relative to the parent body.", JOINT, default="default.joint"),
    element("body.freejoint", "*", "Freedom to move anywhere; the body must be a child of the world.", FREEJOINT),
    element("body.geom", "*", "A shape fixed to the body, for collision, looks and mass.", GEOM, "geom.plugin", default="default.geom"),
    element("geom.plugin", "*", "Gives the geom a plugin's signed distance function.", PLUGIN, "plugin.config"),
    element("body.attach", "*", "Puts a body of another model here.", ATTACH),
    element("body.site", "*", "A marked place on the body, for sensors, tendons and actuators.", SITE, default="default.site"),
    element("body.camera", "*", "A camera fixed to the body.", CAMERA, default="default.camera"),
    element("body.light", "*", "A light fixed to the body.", LIGHT, default="default.light"),
    element("body.plugin", "*", "Gives the body a plugin's passive forces.", PLUGIN, "plugin.config"),
    element("body.composite", "*", "Makes a chain of bodies.", COMPOSITE, "composite.joint composite.skin composite.geom composite.site composite.plugin"),
    element("composite.joint", "*", "The generated joints.", COMPOSITE_JOINT),
    element("composite.skin", "?", "A skin over the generated bodies.", COMPOSITE_SKIN),
    element("composite.geom", "?", "The generated geoms.", COMPOSITE_GEOM),
    element("composite.site", "?", "The generated sites.", COMPOSITE_SITE),
    element("composite.plugin", "*", "Gives the generated bodies a plugin's passive forces.", PLUGIN, "plugin.config"),
    element("body.flexcomp", "*", "Makes a deformable object and its bodies.", FLEXCOMP, "flexcomp.edge flexcomp.elasticity flexcomp.contact flexcomp.pin flexcomp.plugin"),
    element("flexcomp.edge", "?", "Edges of the generated flex.", FLEXCOMP_EDGE),
    element("flexcomp.elasticity", "?", "Elastic material of the generated flex.", ELASTICITY),
    element("flexcomp.contact", "?", "Contacts of the generated flex.", FLEX_CONTACT),
    element("flexcomp.pin", "*", "Points that stay fixed to the parent body.", PIN),
    element("flexcomp.plugin", "*", "Gives the flex a plugin's passive forces.", PLUGIN, "plugin.config"),
    element("deformable", "*", "Deformable objects made by hand.", (), "deformable.flex deformable.skin"),
    element("deformable.flex", "*", "A deformable object: elements between vertices that bodies carry.", FLEX, "flex.contact flex.edge flex.elasticity"),
    element("flex.contact", "?", "Contacts of the flex.", FLEX_CONTACT),
    element("flex.edge", "?", "Edges of the flex.", FLEX_EDGE),
    element("flex.elasticity", "?", "Elastic material of the flex.", ELASTICITY),
    element("deformable.skin", "*", "A mesh that bends with several bodies, for looks only.", SKIN, "skin.bone"),
    element("skin.bone", "*", "A body that moves part of the skin.", BONE),
]

__all__ = ["CONFIG", "ELEMENTS"]
