"""The part of the schema table for settings: compiler, option, size, statistic, visual, custom, extension, keyframe.

Facts from MuJoCo's XML reference and the MPEX reference; one row per attribute, see schema_rows for the notation.
"""

from kinetree.engine.mjcf.schema_rows import attribute, element

# one row a line
# fmt: off

CONFIG = [
    attribute("key", "string", None, "Name of the plugin parameter to set."),
    attribute("value", "string", None, "Text handed to the plugin for this parameter."),
]
PLUGIN = [
    attribute("plugin", "string", None, "Identifier of the engine plugin to run here with its own, nameless instance."),
    attribute("instance", "ref:plugin", None, "Name of a plugin instance declared under extension, to share it."),
]

_FLAG = "[disable enable]"
FLAGS = [
    attribute("constraint", _FLAG, "enable", "Everything the constraint solver does; off means no constraint forces at all."),
    attribute("equality", _FLAG, "enable", "Equality constraints."),
    attribute("frictionloss", _FLAG, "enable", "Dry friction in joints and tendons."),
    attribute("limit", _FLAG, "enable", "Joint and tendon limits."),
    attribute("contact", _FLAG, "enable", "Collision detection and contact constraints."),
    attribute("passive", _FLAG, "enable", "Springs, dampers, fluid forces and custom passive forces."),
    attribute("gravity", _FLAG, "enable", "Gravity; off behaves as a zero gravity vector and keeps the configured one."),
    attribute("clampctrl", _FLAG, "enable", "Clamping of controls to each actuator's control range."),
    attribute("warmstart", _FLAG, "enable", "Starting the constraint solver from the previous step's solution."),
    attribute("filterparent", _FLAG, "enable", "Ignoring contacts between a body and its parent."),
    attribute("actuation", _FLAG, "enable", "Actuator forces and actuator dynamics."),
    attribute("refsafe", _FLAG, "enable", "Keeping the constraint time constant at two time steps or more, for stability."),
    attribute("sensor", _FLAG, "enable", "Sensor computations; off leaves the last values in place."),
    attribute("midphase", _FLAG, "enable", "Bounding-volume filtering of geom pairs between the broad and the narrow phase."),
    attribute("nativeccd", _FLAG, "enable", "The native convex collision routine instead of libccd."),
    attribute("eulerdamp", _FLAG, "enable", "Implicit treatment of joint damping in the Euler integrator."),
    attribute("autoreset", _FLAG, "enable", "Resetting the simulation when positions, velocities or accelerations go bad."),
    attribute("override", _FLAG, "disable", "Contact override: the o_ settings of option hold for every contact."),
    attribute("energy", _FLAG, "disable", "Computing potential and kinetic energy at every step."),
    attribute("fwdinv", _FLAG, "disable", "Comparing forward with inverse dynamics at every step."),
    attribute("invdiscrete", _FLAG, "disable", "Inverse dynamics of the discrete step rather than of continuous time."),
    attribute("multiccd", _FLAG, "disable", "Several contact points for pairs handled by the general convex collider."),
    attribute("island", _FLAG, "disable", "Finding groups of constraints that do not influence each other."),
]

_NUSER = "Number of user values per {}; -1 takes the longest user attribute found."
SIZE = [
    attribute("memory", "memory", "-1", "Memory for contacts, constraints and scratch space, such as 64M; -1 lets the compiler guess.", unit="bytes"),
    attribute("njmax", "int", "-1", "Legacy: memory for this many constraints; use memory instead.", low=-1),
    attribute("nconmax", "int", "-1", "Legacy: the greatest number of contacts; extra ones are dropped.", low=-1),
    attribute("nstack", "int", "-1", "Legacy: stack size in numbers; use memory instead.", low=-1),
    attribute("nuserdata", "int", "0", "Number of values in data.userdata.", low=0),
    attribute("nkey", "int", "0", "Least number of keyframes to make room for.", low=0),
    attribute("nuser_body", "int", "-1", _NUSER.format("body"), low=-1),
    attribute("nuser_jnt", "int", "-1", _NUSER.format("joint"), low=-1),
    attribute("nuser_geom", "int", "-1", _NUSER.format("geom"), low=-1),
    attribute("nuser_site", "int", "-1", _NUSER.format("site"), low=-1),
    attribute("nuser_cam", "int", "-1", _NUSER.format("camera"), low=-1),
    attribute("nuser_tendon", "int", "-1", _NUSER.format("tendon"), low=-1),
    attribute("nuser_actuator", "int", "-1", _NUSER.format("actuator"), low=-1),
    attribute("nuser_sensor", "int", "-1", _NUSER.format("sensor"), low=-1),
]

OPTION = [
    attribute("timestep", "real", "0.002", "Length of a simulation step; the main trade of speed for accuracy.", unit="s", low=1e-4, high=0.02),
    attribute("apirate", "real", "100", "Rate at which an external program may talk to the simulation; physics ignores it.", unit="Hz", low=0),
    attribute("impratio", "real", "1", "Ratio of friction to normal impedance; above 1 slows slipping, best with elliptic cones.", low=0, high=100),
    attribute("tolerance", "real", "1e-8", "Improvement below which the constraint solver stops; 0 never stops early.", low=0, high=1e-2),
    attribute("ls_tolerance", "real", "0.01", "Gradient tolerance of the solver's line search.", low=0, high=1),
    attribute("noslip_tolerance", "real", "1e-6", "Improvement below which the no-slip pass stops.", low=0, high=1e-2),
    attribute("ccd_tolerance", "real", "1e-6", "Tolerance of the general convex collider.", low=0, high=1e-2),
    attribute("gravity", "real(3)", "0 0 -9.81", "Acceleration of gravity; the world's Z axis points up by convention.", unit="m/s²", low=-20, high=20),
    attribute("wind", "real(3)", "0 0 0", "Velocity of the surrounding fluid, subtracted from each body's velocity in fluid forces.", unit="m/s"),
    attribute("magnetic", "real(3)", "0 -0.5 0", "Magnetic flux everywhere, read by magnetometers."),
    attribute("density", "real", "0", "Density of the surrounding fluid: air about 1.2, water about 1000; 0 switches drag off.", unit="kg/m³", low=0, high=1500),
    attribute("viscosity", "real", "0", "Viscosity of the surrounding fluid: air about 2e-5, water about 9e-4.", unit="Pa s", low=0, high=1),
    attribute("o_margin", "real", "0", "Contact margin used while contact override is on.", unit="m", low=0, high=0.1),
    attribute("o_solref", "real(0..2)", "0.02 1", "Contact solref used while contact override is on."),
    attribute("o_solimp", "real(0..5)", "0.9 0.95 0.001 0.5 2", "Contact solimp used while contact override is on."),
    attribute("o_friction", "real(0..5)", "1 1 0.005 0.0001 0.0001", "Contact friction used while contact override is on.", low=0),
    attribute("integrator", "[Euler RK4 implicit implicitfast]", "Euler", "How velocities and positions are advanced; implicitfast suits most robots."),
    attribute("cone", "[pyramidal elliptic]", "pyramidal", "Shape of the friction cone: elliptic is truer, pyramidal often faster."),
    attribute("jacobian", "[dense sparse auto]", "auto", "Storage of the constraint Jacobian; auto is sparse above 60 degrees of freedom."),
    attribute("solver", "[PGS CG Newton]", "Newton", "Constraint solver algorithm."),
    attribute("iterations", "int", "100", "Greatest number of constraint solver iterations.", low=0, high=1000),
    attribute("ls_iterations", "int", "50", "Greatest number of line search iterations.", low=0, high=200),
    attribute("noslip_iterations", "int", "0", "Iterations of the pass that removes slip left by soft friction; 0 skips it.", low=0, high=200),
    attribute("ccd_iterations", "int", "50", "Greatest number of iterations of the general convex collider.", low=0, high=500),
    attribute("sdf_iterations", "int", "10", "Gradient steps per start point in signed-distance collisions.", low=0, high=100),
    attribute("sdf_initpoints", "int", "40", "Start points in signed-distance collisions.", low=0, high=500),
    attribute("actuatorgroupdisable", "int(*)", None, "Actuator groups, 0 to 30, that produce no force.", low=0, high=30),
]

COMPILER = [
    attribute("autolimits", "bool", "true", "Whether giving a range switches the limit on by itself."),
    attribute("boundmass", "real", "0", "Least mass of every body but the world.", unit="kg", low=0),
    attribute("boundinertia", "real", "0", "Least diagonal inertia of every body but the world.", unit="kg m²", low=0),
    attribute("settotalmass", "real", "-1", "If positive, all masses and inertias are scaled to this total mass.", unit="kg", low=-1),
    attribute("balanceinertia", "bool", "false", "Replace inertias that violate the triangle inequality by their mean instead of refusing them."),
    attribute("strippath", "bool", "false", "Drop the folder part of every file name (URDF: true)."),
    attribute("coordinate", "[local global]", "local", "Only local is supported; global has been removed from the format."),
    attribute("angle", "[radian degree]", "degree", "Unit of the angles in this file (URDF: always radian)."),
    attribute("fitaabb", "bool", "false", "Fit primitives to a mesh's bounding box instead of its inertia box."),
    attribute("eulerseq", "string", "xyz", "Axes of Euler rotations in order: lower case turns with the frame, upper case stays with the parent."),
    attribute("meshdir", "directory", None, "Folder of mesh and height field files."),
    attribute("texturedir", "directory", None, "Folder of texture files."),
    attribute("assetdir", "directory", None, "Folder of meshes and textures alike, where meshdir or texturedir does not say otherwise."),
    attribute("discardvisual", "bool", "false", "Leave out everything that does not influence the physics (URDF: true)."),
    attribute("usethread", "bool", "true", "Compile with several threads."),
    attribute("fusestatic", "bool", "false", "Merge jointless bodies with their parents (URDF: true)."),
    attribute("inertiafromgeom", "[false true auto]", "auto", "Whether masses and inertias come from the geoms; auto: where no inertial is given."),
    attribute("alignfree", "bool", "false", "Align the frames of free bodies without children with their principal axes of inertia."),
    attribute("inertiagrouprange", "int(2)", "0 5", "First and last geom group that count for mass and inertia.", low=0, high=5),
    attribute("saveinertial", "bool", "false", "Write an explicit inertial for every body on saving."),
    attribute("dialect", "[mujoco mpex]", "mujoco", "Whose defaults hold where MuJoCo's and Motphys's differ (docs/mpex.md).", ours=True),
]

LENGTHRANGE = [
    attribute("mode", "[none muscle muscleuser all]", "muscle", "Which actuators get their length range computed."),
    attribute("useexisting", "bool", "true", "Keep length ranges that are already given."),
    attribute("uselimit", "bool", "false", "Take the limits of the actuated joint or tendon as the length range."),
    attribute("accel", "real", "20", "Joint-space acceleration with which each actuator is pushed to its ends.", low=0),
    attribute("maxforce", "real", "0", "Greatest force used while pushing; 0 for no limit.", unit="N", low=0),
    attribute("timeconst", "real", "1", "Time constant with which velocities are damped meanwhile.", unit="s", low=0),
    attribute("timestep", "real", "0.01", "Step of this simulation; 0 takes the model's.", unit="s", low=0),
    attribute("inttotal", "real", "10", "Simulated time for each actuator and direction.", unit="s", low=0),
    attribute("interval", "real", "2", "Time at the end during which lengths are recorded.", unit="s", low=0),
    attribute("tolrange", "real", "0.05", "Greatest spread of the recorded length, relative to the range, that counts as settled.", low=0, high=1),
]

STATISTIC = [
    attribute("meanmass", "real", None, "Replaces the computed mean body mass.", unit="kg", low=0),
    attribute("meaninertia", "real", None, "Replaces the computed mean diagonal of the joint-space inertia.", low=0),
    attribute("meansize", "real", None, "Replaces the computed mean body size, which scales decorations.", unit="m", low=0),
    attribute("extent", "real", None, "Replaces the computed spatial extent, which scales camera distance and clipping planes.", unit="m", low=0),
    attribute("center", "real(3)", None, "Replaces the computed centre, where the free camera looks at first.", unit="m"),
]

GLOBAL = [
    attribute("cameraid", "int", "-1", "Number of the camera to start with; -1 for the free camera.", low=-1),
    attribute("orthographic", "bool", "false", "Whether the free camera projects in parallel."),
    attribute("fovy", "real", "45", "Vertical opening of the free camera's view; if orthographic, a length.", unit="deg", low=1, high=179, mpex_default="0"),
    attribute("ipd", "real", "0.068", "Distance between the eyes of the free camera in stereo.", unit="m", low=0, high=0.2),
    attribute("azimuth", "real", "90", "First azimuth of the free camera: 0 looks along +X, 90 along +Y.", unit="deg", low=-180, high=180, mpex_default="0"),
    attribute("elevation", "real", "-45", "First elevation of the free camera; negative looks down.", unit="deg", low=-90, high=90, mpex_default="0"),
    attribute("linewidth", "real", "1", "Width of wireframe lines.", unit="pixel", low=0, high=10),
    attribute("glow", "real", "0.3", "Emission added to the selected body.", low=0, high=1),
    attribute("realtime", "real", "1", "First ratio of simulated to real time.", low=0.01, high=1),
    attribute("offwidth", "int", "640", "Width of the offscreen buffer.", unit="pixel", low=1),
    attribute("offheight", "int", "480", "Height of the offscreen buffer.", unit="pixel", low=1),
    attribute("ellipsoidinertia", "bool", "false", "Draw equivalent inertias as ellipsoids instead of boxes."),
    attribute("bvactive", "bool", "true", "Record which bounding volumes were hit, so that they can be coloured."),
]
QUALITY = [
    attribute("shadowsize", "int", "4096", "Side of the square shadow map.", unit="pixel", low=0, high=16384),
    attribute("offsamples", "int", "4", "Samples per pixel offscreen; 0 without multisampling.", low=0, high=16),
    attribute("numslices", "int", "28", "Slices around the axis of spheres, capsules and cylinders.", low=4, high=128),
    attribute("numstacks", "int", "16", "Rings along the axis of spheres, capsules and cylinders.", low=4, high=64),
    attribute("numquads", "int", "4", "Rectangles along each side of a plane or box.", low=1, high=32),
]
HEADLIGHT = [
    attribute("ambient", "real(3)", "0.1 0.1 0.1", "Ambient colour of the light at the camera.", low=0, high=1),
    attribute("diffuse", "real(3)", "0.4 0.4 0.4", "Diffuse colour of the light at the camera.", low=0, high=1),
    attribute("specular", "real(3)", "0.5 0.5 0.5", "Specular colour of the light at the camera.", low=0, high=1),
    attribute("active", "int", "1", "0 switches the light at the camera off, anything else on.", low=0, high=1, mpex_default="0"),
]
MAP = [
    attribute("stiffness", "real", "100", "Strength of the spring with which the mouse pulls a body.", low=0),
    attribute("stiffnessrot", "real", "500", "Strength of the spring with which the mouse turns a body.", low=0),
    attribute("force", "real", "0.005", "Length of drawn force arrows per newton.", unit="m/N", low=0),
    attribute("torque", "real", "0.1", "Length of drawn torque arrows per newton metre.", low=0),
    attribute("alpha", "real", "0.3", "Opacity of geoms while the model is shown transparent.", low=0, high=1),
    attribute("fogstart", "real", "3", "Distance at which fog begins, in extents of the model.", unit="extent", low=0, mpex_default="0"),
    attribute("fogend", "real", "10", "Distance at which fog is complete, in extents of the model.", unit="extent", low=0, mpex_default="0"),
    attribute("znear", "real", "0.01", "Distance of the near clipping plane, in extents; must be positive.", unit="extent", low=1e-4, high=1, mpex_default="0"),
    attribute("zfar", "real", "50", "Distance of the far clipping plane, in extents.", unit="extent", low=1, high=500, mpex_default="0"),
    attribute("haze", "real", "0.3", "Portion of an infinite plane, from the horizon, that fades into haze.", low=0, high=1),
    attribute("shadowclip", "real", "1", "Half size of the area that directional lights cast shadows in, in extents.", unit="extent", low=0, high=10),
    attribute("shadowscale", "real", "0.6", "Portion of a spotlight's cone that casts shadows.", low=0, high=1),
    attribute("actuatortendon", "real", "2", "Width of an actuated tendon, relative to its own width.", low=0),
    attribute("envmapintensity", "real", "0", "Brightness of the environment map.", low=0, high=10, mpex=True),
]
_SIZE_OF = "Size of {} relative to the mean body size."
SCALE = [
    attribute("forcewidth", "real", "0.1", "Width of contact force and torque arrows relative to the mean body size.", low=0, high=2),
    attribute("contactwidth", "real", "0.3", "Radius of the discs at contacts relative to the mean body size.", low=0, high=2),
    attribute("contactheight", "real", "0.1", "Thickness of the discs at contacts relative to the mean body size.", low=0, high=2),
    attribute("connect", "real", "0.2", "Radius of the lines that connect bodies and joints, relative to the mean body size.", low=0, high=2),
    attribute("com", "real", "0.4", _SIZE_OF.format("the spheres at centres of mass"), low=0, high=2),
    attribute("camera", "real", "0.3", _SIZE_OF.format("drawn cameras"), low=0, high=2),
    attribute("light", "real", "0.3", _SIZE_OF.format("drawn lights"), low=0, high=2),
    attribute("selectpoint", "real", "0.2", _SIZE_OF.format("the sphere at the selected point"), low=0, high=2),
    attribute("jointlength", "real", "1", "Length of joint axis arrows relative to the mean body size.", low=0, high=5),
    attribute("jointwidth", "real", "0.1", "Width of joint axis arrows relative to the mean body size.", low=0, high=2),
    attribute("actuatorlength", "real", "0.7", "Length of the arrows of actuated joints relative to the mean body size.", low=0, high=5),
    attribute("actuatorwidth", "real", "0.2", "Width of the arrows of actuated joints relative to the mean body size.", low=0, high=2),
    attribute("framelength", "real", "1", "Length of drawn frame axes relative to the mean body size.", low=0, high=5),
    attribute("framewidth", "real", "0.1", "Width of drawn frame axes relative to the mean body size.", low=0, high=2),
    attribute("constraint", "real", "0.1", "Width of the lines that show violated constraints, relative to the mean body size.", low=0, high=2),
    attribute("slidercrank", "real", "0.2", "Width of slider-crank mechanisms relative to the mean body size.", low=0, high=2),
    attribute("frustum", "real", "10", "Distance from the camera at which its view volume is drawn to end.", low=0, high=100),
]
RGBA = [
    attribute("fog", "real(4)", "0 0 0 1", "Colour into which distant pixels fade while fog is on.", low=0, high=1),
    attribute("haze", "real(4)", "1 1 1 1", "Colour of an infinite plane at the horizon.", low=0, high=1),
    attribute("force", "real(4)", "1 0.5 0.5 1", "Colour of the arrows of perturbation forces.", low=0, high=1),
    attribute("inertia", "real(4)", "0.8 0.2 0.2 0.6", "Colour of equivalent inertia shapes.", low=0, high=1),
    attribute("joint", "real(4)", "0.2 0.6 0.8 1", "Colour of joint axes.", low=0, high=1),
    attribute("actuator", "real(4)", "0.2 0.25 0.2 1", "Colour of actuators at zero control.", low=0, high=1),
    attribute("actuatornegative", "real(4)", "0.2 0.6 0.9 1", "Colour of actuators at the most negative control.", low=0, high=1),
    attribute("actuatorpositive", "real(4)", "0.9 0.4 0.2 1", "Colour of actuators at the most positive control.", low=0, high=1),
    attribute("com", "real(4)", "0.9 0.9 0.9 1", "Colour of the spheres at centres of mass.", low=0, high=1),
    attribute("camera", "real(4)", "0.6 0.9 0.6 1", "Colour of drawn cameras.", low=0, high=1),
    attribute("light", "real(4)", "0.6 0.6 0.9 1", "Colour of drawn lights.", low=0, high=1),
    attribute("selectpoint", "real(4)", "0.9 0.9 0.1 1", "Colour of the selected point.", low=0, high=1),
    attribute("connect", "real(4)", "0.2 0.2 0.8 1", "Colour of the lines between bodies and joints.", low=0, high=1),
    attribute("contactpoint", "real(4)", "0.9 0.6 0.2 1", "Colour of the discs at contacts.", low=0, high=1),
    attribute("contactforce", "real(4)", "0.7 0.9 0.9 1", "Colour of contact force arrows, of their normal part when they are split.", low=0, high=1),
    attribute("contactfriction", "real(4)", "0.9 0.8 0.4 1", "Colour of the tangential part of contact forces when they are split.", low=0, high=1),
    attribute("contacttorque", "real(4)", "0.9 0.7 0.9 1", "Colour of contact torques.", low=0, high=1),
    attribute("contactgap", "real(4)", "0.5 0.8 0.9 1", "Colour of contacts that lie in the gap and carry no force.", low=0, high=1),
    attribute("rangefinder", "real(4)", "1 1 0.1 1", "Colour of the rays of range finders.", low=0, high=1),
    attribute("constraint", "real(4)", "0.9 0 0 1", "Colour of violated constraints and limits.", low=0, high=1),
    attribute("slidercrank", "real(4)", "0.5 0.3 0.8 1", "Colour of slider-crank mechanisms.", low=0, high=1),
    attribute("crankbroken", "real(4)", "0.9 0 0 1", "Colour of a crank whose rod cannot reach.", low=0, high=1),
    attribute("frustum", "real(4)", "1 1 0 0.2", "Colour of a camera's view volume.", low=0, high=1),
    attribute("bv", "real(4)", "0 1 0 0.5", "Colour of bounding volumes.", low=0, high=1),
    attribute("bvactive", "real(4)", "1 0 0 0.5", "Colour of bounding volumes that were hit.", low=0, high=1),
]

SSGI = [
    attribute("active", "bool", "false", "Whether screen-space indirect light is added.", mpex=True),
    attribute("resolutionscale", "int", "0", "Divides the resolution of this effect: 1, 2 or 4; anything else counts as 2.", low=1, high=4, mpex=True),
    attribute("raycount", "int", "0", "Rays of indirect light per pixel; 0: the renderer's own number.", low=0, high=64, mpex=True),
    attribute("stepcount", "int", "0", "Screen samples along each ray; 0: the renderer's own number.", low=0, high=64, mpex=True),
    attribute("thickness", "real", "0", "Assumed thickness of surfaces, which decides when a ray passes behind them; 0: a part of the model's extent.", unit="m", low=0, high=5, mpex=True),
    attribute("intensity", "real", "0", "Brightness of the indirect light; 0: as it is.", low=0, high=10, mpex=True),
    attribute("gidenoiseoffset", "int", "0", "Pixel distance of the denoising filter for indirect light; 0 without denoising.", low=0, high=16, mpex=True),
    attribute("rraycount", "int", "0", "Screen samples along each reflected ray; 0: the renderer's own number.", low=0, high=64, mpex=True),
    attribute("rdenoiseoffset", "int", "0", "Pixel distance of the denoising filter for reflections; 0 without denoising.", low=0, high=16, mpex=True),
]

KEY = [
    attribute("name", "name:key", None, "Name of the keyframe."),
    attribute("time", "real", "0", "Simulation time.", unit="s"),
    attribute("qpos", "real(*)", None, "All joint positions, nq values; left out, those of the model's reference configuration."),
    attribute("qvel", "real(*)", None, "All joint velocities, nv values; left out, zeros."),
    attribute("act", "real(*)", None, "All actuator activations, na values; left out, zeros."),
    attribute("ctrl", "real(*)", None, "All controls, nu values; left out, zeros."),
    attribute("mpos", "real(3*)", None, "Positions of the mocap bodies; left out, those of the model.", unit="m"),
    attribute("mquat", "real(4*)", None, "Orientations of the mocap bodies; left out, those of the model."),
]

#: Kinds of object that a tuple or a user sensor may name.
OBJECT_TYPES = (
    "[body xbody joint dof geom site camera light flex mesh skin hfield texture material pair exclude equality"
    " tendon actuator sensor numeric text tuple key plugin]"
)

ELEMENTS = [
    element("compiler", "*", "How the text is read and compiled.", COMPILER, "compiler.lengthrange"),
    element("compiler.lengthrange", "?", "How actuator length ranges are computed.", LENGTHRANGE),
    element("option", "*", "Physics settings: step, solver, gravity, surrounding fluid.", OPTION, "option.flag"),
    element("option.flag", "?", "Switches that turn parts of the physics off or on.", FLAGS),
    element("size", "*", "Sizes that cannot be counted from the elements.", SIZE),
    element("statistic", "*", "Overrides model statistics that scale drawing and solver.", STATISTIC),
    element("visual", "*", "Settings of the picture.", (), "visual.global visual.quality visual.headlight visual.map visual.scale visual.rgba" " visual.probe visual.ssao visual.ssgi visual.tonemapping"),
    element("visual.global", "?", "Free camera, offscreen size and other settings of the whole picture.", GLOBAL),
    element("visual.quality", "?", "Fineness of shadows, edges and round shapes.", QUALITY),
    element("visual.headlight", "?", "The light that sits at the camera.", HEADLIGHT),
    element("visual.map", "?", "Scale factors for mouse forces, arrows, fog, clipping and shadows.", MAP),
    element("visual.scale", "?", "Sizes of decorations relative to the mean body size.", SCALE),
    element("visual.rgba", "?", "Colours of decorations; alpha 0 hides one.", RGBA),
    element(
        "visual.probe",
        "*",
        "An image-based reflection probe.",
        [
            attribute("texture", "ref:texture", None, "Texture that the probe reflects.", mpex=True),
            attribute("position", "real(3)", "0 0 0", "Centre of the probe in the world.", unit="m", mpex=True),
            attribute("scale", "real(3)", "1 1 1", "Size of the volume that the probe acts on.", unit="m", mpex=True),
        ],
        mpex=True,
    ),
    element("visual.ssao", "?", "Ambient occlusion computed on the screen.", [attribute("active", "bool", "false", "Whether corners and creases are darkened.", mpex=True)], mpex=True),
    element("visual.ssgi", "?", "Indirect light computed on the screen.", SSGI, mpex=True),
    element(
        "visual.tonemapping",
        "?",
        "Tone mapping: the conversion of brightness to the range of the screen.",
        [
            attribute("method", "[none aces]", "none", "Tone curve: none clips, aces rolls bright values off.", mpex=True)
        ],
        mpex=True,
    ),
    element("extension", "*", "Declares engine plugins and their instances.", (), "extension.plugin"),
    element("extension.plugin", "*", "Declares that the model uses a plugin.", [attribute("plugin", "string!", None, "Identifier of the plugin.")], "plugin.instance"),
    element("plugin.instance", "*", "An instance of a plugin that several elements can share.", [attribute("name", "name:plugin!", None, "Name of the instance.")], "plugin.config"),
    element("plugin.config", "*", "One parameter of a plugin instance.", CONFIG),
    element("custom", "*", "Data of your own that travels with the model.", (), "custom.numeric custom.text custom.tuple"),
    element(
        "custom.numeric",
        "*",
        "A named array of numbers.",
        [
            attribute("name", "name:numeric!", None, "Name of the array."),
            attribute("size", "int", None, "Length of the array, if longer than the data given.", low=1),
            attribute("data", "real(*)", None, "First values; the rest are zero."),
        ],
    ),
    element("custom.text", "*", "A named text.", [attribute("name", "name:text!", None, "Name of the text."), attribute("data", "string!", None, "The text.")]),
    element("custom.tuple", "*", "A named list of model elements.", [attribute("name", "name:tuple!", None, "Name of the list.")], "tuple.element"),
    element(
        "tuple.element",
        "*",
        "One entry of a tuple.",
        [
            attribute("objtype", OBJECT_TYPES + "!", None, "Kind of the element."),
            attribute("objname", "ref:@objtype!", None, "Name of the element."),
            attribute("prm", "real", "0", "A number of your own for this entry."),
        ],
    ),
    element("keyframe", "*", "States that the simulation can be set to.", (), "keyframe.key"),
    element("keyframe.key", "*", "One state: time, positions, velocities, activations, controls, mocap poses.", KEY),
]
