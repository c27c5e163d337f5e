"""Every deliberate difference from the reference (mujoco 3.3.4): a small model, what each side does with it, and why.

docs/differences.md is this table for users: `python -m tests.documentation` writes it. Everything that
is not here is meant to be the same. Numbers that differ without being meant to are in known_gaps.csv.
"""

from __future__ import annotations

import struct
import textwrap
from dataclasses import dataclass, field
from math import pi as PI

from tests.engine.resources.ktx_files import RGB8, flat, ktx2

Files = dict[str, str | bytes]


@dataclass(frozen=True)
class Difference:
    """One row.

    files     name -> contents; the first is the model
    code      what we say of the model, if only we refuse it
    accepted  only the reference refuses it
    fields    model field -> (first of our numbers, first of the reference's), if both read it
    others    fields that differ because those do
    dies      the reference ends the process, so that it is asked in one of its own
    endless   the reference would take all memory, and is not asked
    """

    name: str
    files: Files
    theirs: str
    ours: str
    reason: str
    code: str = ""
    accepted: bool = False
    fields: dict[str, tuple[list[float], list[float]]] = field(default_factory=dict)
    others: frozenset[str] = frozenset()
    dies: bool = False
    endless: bool = False


def world(inside: str, after: str = "", before: str = "") -> Files:
    return {"model.xml": f"<mujoco>{before}<worldbody>{inside}</worldbody>{after}</mujoco>"}


ARM = '<body><joint name="j" range="-10 20"/><geom size=".1"/></body>'
MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1.5" izz="2" ixy="0" ixz="0" iyz="0"/></inertial>'
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
FACES = [
    ("0 0 0", "0 1 0", "1 0 0"),
    ("0 0 0", "1 0 0", "0 0 1"),
    ("0 0 0", "0 0 1", "0 1 0"),
    ("1 0 0", "0 1 0", "0 0 1"),
]
KID = {
    "kid.xml": '<mujoco><default><default class="c"><geom size="2"/></default></default><worldbody><body name="b"><joint/>'
    '<geom size="1"/></body></worldbody></mujoco>'
}
ASSET = '<asset><model name="kid" file="kid.xml"/></asset>'
ATTACH = '<attach model="kid" body="b" prefix="p_"/>'


def robot(inside: str, settings: str = 'fusestatic="false"') -> Files:
    return {"robot.urdf": f'<robot name="r"><mujoco><compiler {settings}/></mujoco>{inside}</robot>'}


def link(name: str, inside: str = MASS) -> str:
    return f'<link name="{name}">{inside}</link>'


def joint(name: str, parent: str, child: str, inside: str = "", kind: str = "revolute") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def mesh(name: str, scale: str = "") -> str:
    return f'<collision><geometry><mesh filename="{name}"{scale}/></geometry></collision>'


SECTIONS: dict[str, list[Difference]] = {
    "Reading files": [
        Difference(
            "Entities",
            {"model.xml": '<!DOCTYPE mujoco [<!ENTITY a "1">]><mujoco/>'},
            "skips declarations of entities, and leaves their uses as they stand",
            "refuses them",
            "A name such as `&a;` would silently mean itself.",
            code="xml-entity-declaration",
        ),
        Difference(
            "UTF-16 and UTF-32",
            {"model.xml": '<?xml version="1.0" encoding="utf-16"?><mujoco/>'.encode("utf-16")},
            "cannot read such files",
            "reads them, and saves them as they were",
            "Windows editors write them.",
            accepted=True,
        ),
        Difference(
            "A file included twice",
            {
                **world('<include file="a.xml"/><include file="sub/b.xml"/>'),
                "sub/a.xml": '<mujoco><geom size="1"/></mujoco>',
                "a.xml": '<mujoco><geom size="1"/></mujoco>',
                "sub/b.xml": '<mujoco><include file="../a.xml"/></mujoco>',
            },
            "misses it where one of the two includes stands in a file of another folder",
            "refuses it wherever they stand",
            "The specification allows each file once.",
            code="include-repeated",
        ),
    ],
    "MJCF": [
        Difference(
            "`nan` and `inf`",
            world('<geom size="1" pos="nan 0 0"/>'),
            "accepts both, with a warning for `nan`",
            "refuses them",
            "No result that depends on them can be computed, drawn or simulated.",
            code="not-finite",
        ),
        Difference(
            "Models without bounds",
            world('<replicate count="1000000000"><body/></replicate>'),
            "makes what a few words ask for until memory ends",
            "refuses what would take more than 2 GB, or more elements than can be looked at",
            "A file from the network cannot stop the computer.",
            code="too-many-elements",
            endless=True,
        ),
        Difference(
            "Time steps of no length",
            {"model.xml": '<mujoco><option timestep="0"/></mujoco>'},
            "takes a time step of zero or less",
            "refuses it",
            "Time would stand still, or run backwards into nonsense.",
            code="bad-value",
        ),
        Difference(
            "Contact pairs without geoms",
            world('<geom size="1"/><body><joint/><geom name="g" size="1"/></body>', '<contact><pair geom2="g"/></contact>'),
            "takes a pair that does not name its geoms as one of a geom without a name",
            "refuses it",
            "The specification requires both names.",
            code="missing-attribute",
        ),
        Difference(
            "Bias of a cylinder",
            world(ARM, '<actuator><cylinder joint="j" bias="1 2 3"/></actuator>'),
            "takes the first of the three values",
            "takes all three",
            "The specification: bias has three values, which are copied.",
            fields={"actuator_biasprm": ([1, 2, 3], [1, 0, 0])},
        ),
        Difference(
            "Force limits of tendons",
            world(ARM, '<tendon><fixed actuatorfrcrange="-1 1"><joint joint="j" coef="2"/></fixed></tendon>'),
            "limits forces only with `actuatorfrclimited=\"true\"`",
            "limits them where a range is given",
            "The specification: the default of actuatorfrclimited is auto.",
            fields={"tendon_actfrclimited": ([1], [0])},
        ),
        Difference(
            "Tendon defaults",
            {"model.xml": '<mujoco><default><tendon actuatorfrcrange="-1 1" armature="1"/></default></mujoco>'},
            "does not know `actuatorfrcrange`, `actuatorfrclimited` and `armature` in default classes",
            "reads them",
            "The specification: all attributes of a tendon are available there.",
            accepted=True,
        ),
        Difference(
            "Muscle defaults",
            {"model.xml": '<mujoco><default><muscle tausmooth="1"/></default></mujoco>'},
            "does not know `tausmooth` in default classes",
            "reads it",
            "The specification: all attributes of a muscle are available there.",
            accepted=True,
        ),
        Difference(
            "Length ranges from limits",
            world(
                '<body><joint name="a" range="0 90"/><geom size=".1"/><body><joint name="b" range="0 30"/><geom size=".1"/>'
                "</body></body>",
                '<actuator><motor joint="a"/><muscle joint="b"/></actuator>',
                '<compiler angle="radian"><lengthrange uselimit="true"/></compiler>',
            ),
            "looks for the limits that `uselimit` asks for at the wrong joint or tendon, for all actuators but the first",
            "looks at the one that the actuator acts on",
            "The specification: the limits of the joint or tendon that the actuator is attached to.",
            fields={"actuator_lengthrange": ([0, 0, 0, 30], [0, 0])},
        ),
        Difference(
            "Two joints that move the same mass in the same way",
            world('<body><joint/><joint/><geom size="1"/></body>'),
            "computes inverse weights that are not numbers, and says nothing",
            "gives a warning, and the weights of the nearest problem that has an answer",
            "The model can be looked at, and the warning says which joints need armature.",
            fields={"dof_invweight0": ([], []), "body_invweight0": ([], [])},
        ),
        Difference(
            "Negative masses",
            world('<body><inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/></body>'),
            "takes negative masses and moments of an inertial for zero",
            "refuses them",
            "A sign that is wrong is a mistake to be told.",
            code="bad-value",
        ),
        Difference(
            "Masses of tiny geoms",
            world('<body><geom size="1e-5" mass="1"/></body>'),
            "leaves out the mass of a geom with a volume below 1e-14",
            "counts it",
            "The specification: mass is the mass of the geom.",
            fields={"body_mass": ([0, 1], [0, 0])},
            others=frozenset(("stat_meanmass", "body_subtreemass")),
        ),
        Difference(
            "Damping ratios of negative gains",
            world(
                '<body><joint name="j"/><geom size="1"/></body>',
                '<actuator><position joint="j" kp="-1" dampratio="1"/></actuator>',
            ),
            "computes a damping that is not a number, and says nothing",
            "refuses them",
            "The root of a negative number: nothing could move.",
            code="out-of-range",
        ),
        Difference(
            "Short quaternions",
            world('<geom size="1" quat="1e-9 0 0 0"/>'),
            "keeps zeros, which are no orientation, for quaternions shorter than 1e-8 or so",
            "takes their direction",
            "The specification: quaternions are normalized.",
            fields={"geom_quat": ([1], [0])},
            others=frozenset(("geom_sameframe",)),
        ),
        Difference(
            "Cameras without pixels",
            world('<camera sensorsize="4 2" resolution="640 0"/>'),
            "computes a field of view that is no number",
            "refuses them",
            "Nothing can be drawn with it.",
            code="bad-value",
        ),
        Difference(
            "Vertices of composites",
            world('<composite type="cable" vertex="0 0 0 1 0 0 2"><geom type="capsule" size=".01"/></composite>'),
            "leaves out numbers of `vertex` that are no whole point",
            "refuses them",
            "A number is missing or too many; which, only the user knows.",
            code="wrong-count",
        ),
        Difference(
            "Pinned nodes on a body that turns",
            world(
                '<body name="b" quat="1 1 0 0"><freejoint/><geom size=".1"/><flexcomp name="f" type="grid" dim="3" '
                'count="4 4 4" spacing=".1 .1 .1" dof="trilinear" mass="1"><elasticity young="1e3" damping=".1"/>'
                '<contact selfcollide="none" internal="false"/><pin id="0"/></flexcomp></body>'
            ),
            "applies the elastic forces of these nodes at points that are as far from the world's origin as the nodes "
            "are from their body's",
            "applies them at the nodes",
            "The force on a point of a body acts at that point.",
        ),
        Difference(
            "Force sensors and deformable objects",
            world(
                '<body><joint/><geom size=".1"/><body><geom size=".1" pos=".3 0 0"/><site name="s"/></body></body>'
                '<flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" pos=".3 0 .1" radius=".01"/>',
                '<sensor><force site="s"/></sensor>',
            ),
            "leaves the contacts with flexes out of force and torque sensors",
            "counts them",
            "The specification: the sensor takes all forces into account, contacts included.",
        ),
        Difference(
            "Spinning and rolling on deformable objects",
            world(
                '<body><freejoint/><geom size=".1" condim="6"/></body><flexcomp name="f" type="grid" dim="2" '
                'count="6 6 1" spacing=".1 .1 .1" pos="0 0 -.1" radius=".01"/>'
            ),
            "computes the torques of contacts of condim 4 and 6 with flexes from unrelated numbers, where the Jacobian "
            "is sparse",
            "computes them from the angular velocities of the bodies, as both do where it is dense",
            "Friction against rolling brakes rolling.",
        ),
    ],
    "Files of shapes and pictures": [
        Difference(
            "STL files as text",
            {
                **world('<geom type="mesh" mesh="m"/>', before='<asset><mesh file="m.stl"/></asset>'),
                "m.stl": "solid\n" + "".join(
                    f"facet normal 0 0 0 outer loop vertex {a} vertex {b} vertex {c} endloop endfacet\n" for a, b, c in FACES
                ) + "endsolid\n",
            },
            "reads binary ones only",
            "reads both kinds",
            "Programs write both under the same name.",
            accepted=True,
        ),
        Difference(
            "Large STL files",
            {
                **world('<geom type="mesh" mesh="m"/>', before='<asset><mesh file="m.stl"/></asset>'),
                "m.stl": bytes(80) + struct.pack("<I", 4 * 50_001) + 50_001 * b"".join(
                    struct.pack("<12fH", 0, 0, 0, *map(float, " ".join(face).split()), 0) for face in FACES
                ),
            },
            "refuses more than 200 000 triangles in STL files, and not in others",
            "reads them",
            "Scans are larger.",
            accepted=True,
        ),
        Difference(
            "KTX cube maps",
            {
                "model.xml": '<mujoco><asset><texture name="t" type="cube" file="t" content_type="image/ktx"/></asset></mujoco>',
                "t": ktx2([[flat((1, 2, 3))] * 6], RGB8),
            },
            "refuses them for a grid that they do not have",
            "draws them",
            "The specification names the format.",
            accepted=True,
        ),
        Difference(
            "Damaged KTX files",
            {
                "model.xml": '<mujoco><asset><texture name="t" type="2d" file="t" content_type="image/ktx"/></asset></mujoco>',
                "t": b"\xabKTX 11\xbb\r\n\x1a\n" + bytes(50),
            },
            "keeps whatever follows the first bytes",
            "refuses them",
            "An error is better than a grey picture.",
            code="bad-texture",
        ),
        Difference(
            "Skins",
            world(
                '<body name="b"><joint/><geom size="1"/></body>',
                '<deformable><skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 7"><bone body="b" bindpos="0 0 0" '
                'bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></deformable>',
            ),
            "takes faces of vertices that do not exist",
            "refuses them",
            "To draw them is to read memory that belongs to something else.",
            code="bad-skin",
        ),
    ],
    "Replicas": [
        Difference(
            "Keyframes of replicas",
            world(
                '<replicate count="2"><body><joint ref="60"/><geom size=".1"/></body></replicate>',
                '<keyframe><key name="k" qpos="2"/></keyframe>',
            ),
            "fills the places of other replicas with the numbers of their text: degrees for radians, and zeros for free joints",
            "fills them from the reference configuration",
            "So are all keyframes filled that leave something open.",
            fields={"key_qpos": ([2, PI / 3, PI / 3, 2, PI / 3, PI / 3], [2, PI / 3, 60, 2, 60, 60])},
        ),
        Difference(
            "Sensors beside replicas",
            world('<replicate count="2"><body><joint/><geom size=".1"/></body></replicate>', '<sensor><clock/></sensor>'),
            "copies sensors that refer to nothing, such as clock, with each replica, and the copies with the next",
            "copies what refers to the replicas",
            "One clock is enough; ten replicas would have a thousand.",
            fields={"nsensor": ([1], [4]), "nsensordata": ([1], [4])},
        ),
        Difference(
            "Tendons and actuators at replicas",
            world(
                '<replicate count="2"><site name="r"/></replicate><body><joint/><geom size=".1"/><site name="s"/></body>',
                '<tendon><spatial><site site="s"/><site site="r"/></spatial></tendon>',
            ),
            "misses the other things that a tendon or actuator refers to, where one of them is replicated",
            "makes one for each replica, with the same other things",
            "The other things are still there.",
            accepted=True,
        ),
        Difference(
            "Zero or negative replica counts",
            world('<replicate count="0"><geom size="1"/></replicate>'),
            "ignores a replicate with a count of zero or less",
            "refuses it",
            "The specification: count must be positive.",
            code="bad-value",
        ),
    ],
    "Attached models": [
        Difference(
            "Models that attach themselves",
            {
                "model.xml": '<mujoco><asset><model name="m" file="model.xml"/></asset><worldbody><body name="b"/>'
                '<attach model="m" body="b" prefix="p"/></worldbody></mujoco>'
            },
            "ends the process",
            "refuses them",
            "A model cannot be part of itself.",
            code="model-cycle",
            dies=True,
        ),
        Difference(
            "Names that meet",
            {**world(f'<body name="p_b"/>{ATTACH}', before=ASSET), **KID},
            "lets an attached body have the name of another",
            "refuses it",
            "Names are for finding one thing.",
            code="repeated-name",
        ),
        Difference(
            "Attached flexes",
            {
                **world('<attach model="kid" prefix="p_"/>', before=ASSET),
                "kid.xml": '<mujoco><worldbody><body name="b"><flexcomp type="grid" count="3 3 1" spacing=".1 .1 .1" name="f" dim="2">'
                '<edge equality="true"/></flexcomp></body></worldbody></mujoco>',
            },
            "leaves the names of attached flexes without the prefix, loses their equalities, and flexes that are pinned to the world",
            "attaches them like everything else",
            "The specification: the prefix is put before the names of elements.",
            fields={"neq": ([1], [0])},
        ),
        Difference(
            "Attached skins",
            {
                **world('<attach model="kid" prefix="p_"/>', before=ASSET),
                "kid.xml": '<mujoco><worldbody><body name="b"/></worldbody><deformable><skin name="s" vertex="0 0 0 1 0 0 0 1 0" '
                'face="0 1 2"><bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></deformable>'
                "</mujoco>",
            },
            "leaves the names of attached skins without the prefix",
            "puts it before them",
            "The specification: the prefix is put before the names of elements.",
            others=frozenset(("names[skin]",)),
        ),
        Difference(
            "Attached tendons that wrap",
            {
                **world('<attach model="kid" prefix="p_"/>', before=ASSET),
                "kid.xml": '<mujoco><worldbody><site name="w"/><geom name="g" size=".1"/><body><joint/><geom size=".1"/><site name="s"/>'
                '</body></worldbody><tendon><spatial><site site="w"/><geom geom="g"/><site site="s"/></spatial></tendon></mujoco>',
            },
            "loses attached tendons that wrap around a geom without a side site",
            "keeps them",
            "Everything that they refer to is attached.",
            fields={"ntendon": ([1], [0]), "nwrap": ([3], [0])},
        ),
        Difference(
            "Classes of an attached model",
            {**world(f'<geom class="p_c"/>{ATTACH}', before=ASSET), **KID},
            "knows them after the `attach` only",
            "knows them everywhere",
            "The order of elements of different kinds means nothing elsewhere in MJCF.",
            accepted=True,
        ),
        Difference(
            "Classes of one name",
            {
                **world(
                    f'{ATTACH}<body childclass="p_c"><geom/></body>',
                    before=f'<default><default class="p_c"><geom size="3"/></default></default>{ASSET}',
                ),
                **KID,
            },
            "takes the attached class for `childclass` and the model's own for `class`",
            "takes the model's own for both",
            "One name means one thing.",
            fields={"geom_size": ([1, 0, 0, 3], [1, 0, 0, 2])},
            others=frozenset((
                "stat_meanmass", "stat_meansize", "stat_extent", "body_mass", "body_subtreemass", "body_inertia", "geom_rbound",
                "geom_aabb",
            )),
        ),
        Difference(
            "Flexes of copies",
            {
                "model.xml": f'<mujoco>{ASSET}<worldbody><geom size="1"/>{ATTACH}</worldbody></mujoco>',
                "kid.xml": '<mujoco><worldbody><body name="b"><flexcomp name="f" type="grid" dim="2" count="3 3 1" '
                'spacing=".1 .1 .1"><edge equality="true"/></flexcomp></body></worldbody></mujoco>',
            },
            "does not rename the flexes in copies made by `attach` and `replicate`, loses their equalities, and refuses a second copy",
            "renames and copies them like everything else",
            "The specification: the prefix goes to the names of all elements.",
            fields={"neq": ([1], [0])},
        ),
    ],
    "Fused bodies (fusestatic)": [
        Difference(
            "Fused masses",
            world(
                '<body><joint/><geom size=".1" mass="1"/><body pos="1 0 0" euler="0 0 90"><inertial pos="0 1 0" mass="1" '
                'diaginertia="1 1 1"/></body></body>',
                before='<compiler fusestatic="true"/>',
            ),
            "ignores how a static body is turned when its mass is added to its parent's (`fusestatic`, which is on in URDF)",
            "puts every mass where it is",
            "The specification: the fused model has the same dynamics.",
            fields={"body_ipos": ([0, 0, 0, 0, 0, 0], [0, 0, 0, 0.5, 0.5, 0])},
            others=frozenset((
                "stat_meaninertia", "stat_meansize", "stat_extent", "stat_center", "body_iquat", "body_inertia", "body_invweight0",
                "dof_invweight0", "dof_M0", "body_sameframe", "body_simple", "dof_simplenum",
            )),
        ),
        Difference(
            "Fused bodies of force sensors",
            world(
                '<body><joint/><geom size=".1"/><body><geom size=".1"/><site name="s"/></body></body>',
                '<sensor><force site="s"/></sensor>',
                '<compiler fusestatic="true"/>',
            ),
            "fuses bodies that a force or torque sensor measures, if they have no name",
            "keeps them, named or not",
            "The specification: bodies with a site of such a sensor are not fused.",
            fields={"nbody": ([3], [2])},
        ),
        Difference(
            "Static bodies that are left",
            world(
                '<light target="b"/><body><joint/><geom size=".1"/><body><site/></body><body name="a"><geom size=".1"/></body>'
                '<body name="b"><geom size=".1"/></body></body>',
                before='<compiler fusestatic="true"/>',
            ),
            "leaves some static bodies as they are that nothing refers to, if they stand beside one that stays",
            "fuses them all",
            "The specification names what is not fused.",
            fields={"nbody": ([3], [4])},
        ),
        Difference(
            "Fused bodies that a sensor names",
            world(
                '<body><joint/><geom size=".1"/><body name="s" pos="1 0 0"><geom size=".1"/></body></body>',
                '<sensor><framepos objtype="xbody" objname="s"/></sensor>',
                '<compiler fusestatic="true"/>',
            ),
            "fuses bodies that are named as `xbody`, and then misses them",
            "keeps them",
            "The specification: bodies that something refers to are not fused.",
            accepted=True,
        ),
    ],
    "Plugins": [
        Difference(
            "Shapes of plugins without numbers",
            {
                "model.xml": '<mujoco><extension><plugin plugin="mujoco.sdf.torus"/></extension><asset><mesh name="m"><plugin '
                'plugin="mujoco.sdf.torus"><config key="radius1" value="nan"/></plugin></mesh></asset></mujoco>'
            },
            "ends the process where a size is `nan`, and takes the thickness of a gear from a word that only begins with a number",
            "refuses them",
            "They are mistakes.",
            code="bad-value",
            dies=True,
        ),
        Difference(
            "Gears of more than 318 teeth",
            {
                "model.xml": '<mujoco><extension><plugin plugin="mujoco.sdf.gear"/></extension><asset><mesh name="m"><plugin '
                'plugin="mujoco.sdf.gear"><config key="teeth" value="400"/></plugin></mesh></asset></mujoco>'
            },
            "makes something of them",
            "refuses them",
            "The formula for their pressure angle gives 90 degrees and more, and the distance is no number.",
            code="bad-mesh",
        ),
        Difference(
            "Meshes of the sdflib plugin without a file",
            {
                "model.xml": '<mujoco><extension><plugin plugin="mujoco.sdf.sdflib"/></extension><asset><mesh name="m" '
                'vertex="0 0 0 1 0 0 0 1 0 0 0 1"><plugin plugin="mujoco.sdf.sdflib"/></mesh></asset></mujoco>'
            },
            "ends the process",
            "refuses them",
            "The plugin is for triangles from a file.",
            code="bad-mesh",
            dies=True,
        ),
        Difference(
            "Plugins of copies",
            {
                "model.xml": '<mujoco><extension><plugin plugin="mujoco.sdf.torus"/></extension><worldbody><replicate '
                'count="2" offset="3 0 0"><geom size="1"><plugin plugin="mujoco.sdf.torus"/></geom></replicate></worldbody></mujoco>'
            },
            "lets copies that `replicate` and `attach` make share, lose or miscount plugins, or ends the process",
            "gives each copy its own where they have no name, and the named one where they have",
            "A copy is like its original.",
            fields={"geom_plugin": ([0, 1], [0, 0])},
            others=frozenset(
                ("plugin", "plugin_attr", "plugin_attradr", "plugin_stateadr", "plugin_statenum")
            ),
        ),
    ],
    "URDF": [
        Difference(
            "Axes of inertia",
            robot(
                link("world", "") + joint("j", "world", "a")
                + link("a", MASS.replace("<mass", '<origin rpy="1.5707963267948966 0 0"/><mass'))
            ),
            "leaves out the `rpy` of an `<inertial>`",
            "turns the matrix by it",
            "URDF: the matrix is given in the frame of the inertial.",
            fields={"body_iquat": ([1, 0, 0, 0, -0.5, 0.5, -0.5, 0.5], [1, 0, 0, 0, 0, 0.5**0.5, 0, 0.5**0.5])},
        ),
        Difference(
            "Mimic joints",
            robot(
                link("world", "") + joint("j", "world", "a") + joint("k", "a", "b", '<mimic joint="j" multiplier="2"/>')
                + link("a") + link("b")
            ),
            "ignores `mimic`",
            "makes it an equality of two joints",
            "URDF: one joint follows the other.",
            fields={"neq": ([1], [0])},
        ),
        Difference(
            "Scaled meshes",
            {
                **robot(link("a", mesh("m.obj") + mesh("m.obj", ' scale="1 1 2"') * 2)),
                "m.obj": TETRAHEDRON,
            },
            "gives the third of these shapes the mesh without a scale",
            "gives each shape the mesh with its scale",
            "URDF: scale belongs to the shape.",
            fields={"geom_dataid": ([0, 1, 1], [0, 1, 0])},
            others=frozenset((
                "stat_meanmass", "stat_meansize", "stat_extent", "body_ipos", "body_iquat", "body_mass", "body_subtreemass",
                "body_inertia", "geom_sameframe", "geom_size", "geom_aabb", "geom_rbound", "geom_pos", "geom_quat",
            )),
        ),
        Difference(
            "Where meshes are",
            {**robot(link("a", mesh("package://r/meshes/m.obj"))), "meshes/m.obj": TETRAHEDRON},
            "drops all folders of a name and looks beside the model",
            "looks there first, and then where the name says",
            "So are the names meant, and most robots are found; a remark tells where.",
            accepted=True,
        ),
        Difference(
            "COLLADA",
            {
                **robot(link("a", mesh("m.dae"))),
                "m.dae": '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><library_geometries>'
                '<geometry id="g"><mesh><source id="s"><float_array id="f" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>'
                '<technique_common><accessor source="#f" count="4" stride="3"><param name="X" '
                'type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source><vertices id="v">'
                '<input semantic="POSITION" source="#s"/></vertices><triangles count="4"><input semantic="VERTEX" source="#v" '
                'offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>'
                '<library_visual_scenes><visual_scene id="w"><node><instance_geometry url="#g"/></node></visual_scene>'
                '</library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>',
            },
            "does not read `.dae`",
            "reads it",
            "Many robots have their meshes in it.",
            accepted=True,
        ),
    ],
}  # fmt: skip
TABLE = [row for rows in SECTIONS.values() for row in rows]

_HEAD = """\
# Where Kinetree differs from MuJoCo

<!-- Made by `python -m tests.documentation`: change tests/oracle/deliberate.py instead. -->

A file that MuJoCo 3.3.4 reads gives the same model in Kinetree, and a file that it refuses is refused, with the exceptions
listed here. Tests ask both programs for each row. Kinetree reads more formats and attributes than MuJoCo: see [formats](formats.md) and
the [Motphys dialect](mpex.md).
"""


def page() -> str:
    """The documentation in Markdown."""
    parts = [_HEAD]
    for title, rows in SECTIONS.items():
        parts.append(f"\n## {title}\n")
        for row in rows:
            text = f"**{row.name}.** MuJoCo {row.theirs}; Kinetree {row.ours}. {row.reason}"
            parts.append("\n" + textwrap.fill(text, 120, initial_indent="- ", subsequent_indent="  ") + "\n")
    return "".join(parts)
