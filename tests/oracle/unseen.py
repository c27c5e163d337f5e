"""Random models in the style of robot and learning packages, for comparisons with the reference.

    scene(seed) -> (family, text)     deterministic; the families take turns

Each family is a function of a random generator that returns the parts of a model: quadrupeds, hands, grippers, arms,
tables with bottles, cable-driven arms, muscles, boats, quadcopters, rovers on height fields and so on. Options are
drawn for all families alike: integrators, solvers, cones, Jacobians, flags, few iterations.

tests/oracle/test_unseen.py compares a handful; tests/benchmark/bench_unseen.py compares as many as one likes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

Rng = np.random.Generator


@dataclass
class Parts:
    """The text of a model, by section. `option` holds attributes that the family insists on."""

    world: str
    asset: str = ""
    default: str = ""
    contact: str = ""
    equality: str = ""
    tendon: str = ""
    actuator: str = ""
    sensor: str = ""
    keyframe: str = ""
    compiler: str = ""
    option: dict[str, str] = field(default_factory=dict)
    flags: dict[str, str] = field(default_factory=dict)


# ---- numbers ---------------------------------------------------------------------------------------------------------


def num(*values: float) -> str:
    return " ".join(f"{v:.4g}" for v in values)


def around(rng: Rng, size: float, count: int = 3) -> str:
    return num(*rng.uniform(-size, size, count))


def some(rng: Rng, share: float) -> bool:
    return bool(rng.random() < share)


def pick(rng: Rng, *choices):
    return choices[int(rng.integers(len(choices)))]


def attributes(**values) -> str:
    return "".join(f' {name}="{value}"' for name, value in values.items() if value not in (None, ""))


def hull(rng: Rng, name: str, size: float, count: int = 12) -> str:
    """A convex mesh of random points on an ellipsoid."""
    points = rng.normal(size=(count, 3))
    points *= (size * rng.uniform(0.5, 1, 3)) / np.linalg.norm(points, axis=1, keepdims=True)
    return f'<mesh name="{name}" vertex="{num(*points.ravel())}"/>'


def prism(name: str, sides: int, radius: float, half: float) -> str:
    """A prism: an export of a cylinder with few sides."""
    angle = 2 * np.pi * np.arange(sides) / sides
    ring = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    points = [(x, y, z) for z in (-half, half) for x, y in ring]
    return f'<mesh name="{name}" vertex="{num(*np.ravel(points))}"/>'


SHAPES = ("sphere", "capsule", "cylinder", "box", "ellipsoid")


def geom(rng: Rng, size: float, kinds=SHAPES, **more) -> str:
    kind = pick(rng, *kinds)
    sizes = size * rng.uniform(0.5, 1.2, {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3))
    return f'<geom type="{kind}" size="{num(*sizes)}"{attributes(**more)}/>'


def floor(rng: Rng) -> str:
    tilt = f' euler="{around(rng, 4, 2)} 0"' if some(rng, 0.2) else ""
    solver = pick(rng, "", "", ' solref=".01 1"', ' friction=".6"', ' condim="4"', ' margin=".01"')
    return f'<geom name="floor" type="plane" size="{pick(rng, "0 0 .05", "5 5 .1")}"{tilt}{solver}/>'


def options(rng: Rng, parts: Parts) -> str:
    """<option> and its flags."""
    values = {
        "timestep": pick(rng, ".002", ".001", ".004", ".005"),
        "integrator": pick(rng, "Euler", "Euler", "implicitfast", "implicit", "RK4"),
        "solver": pick(rng, "Newton", "Newton", "CG", "PGS"),
        "cone": pick(rng, "pyramidal", "elliptic"),
        "jacobian": pick(rng, "auto", "dense", "sparse"),
        "impratio": pick(rng, "1", "1", "5", "20"),
    }
    if some(rng, 0.3):
        values |= {"iterations": pick(rng, "1", "2", "5"), "ls_iterations": pick(rng, "1", "4", "5", "8")}
    elif some(rng, 0.3):
        values |= {"tolerance": pick(rng, "0", "1e-10", "1e-6"), "iterations": pick(rng, "50", "100")}
    if some(rng, 0.15):
        values["noslip_iterations"] = pick(rng, "1", "3", "10")
    if some(rng, 0.1):
        values |= {"density": "1.2", "viscosity": "2e-5", "wind": around(rng, 3)}
    flags = {}
    for name, state, share in (
        ("eulerdamp", "disable", 0.15),
        ("warmstart", "disable", 0.15),
        ("refsafe", "disable", 0.05),
        ("midphase", "disable", 0.1),
        ("nativeccd", "disable", 0.05),
        ("energy", "enable", 0.3),
        ("multiccd", "enable", 0.15),
        ("island", "enable", 0.15),
        ("clampctrl", "disable", 0.05),
        ("passive", "disable", 0.03),
        ("gravity", "disable", 0.03),
        ("frictionloss", "disable", 0.03),
        ("limit", "disable", 0.03),
        ("equality", "disable", 0.03),
    ):
        if some(rng, share):
            flags[name] = state
    if some(rng, 0.08):
        flags["override"] = "enable"
        values |= {"o_margin": ".005", "o_solref": "0.03 1.1", "o_friction": "1 1 .01 .001 .001"}
    values |= parts.option
    flags |= parts.flags
    return f"<option{attributes(**values)}><flag{attributes(**flags)}/></option>"


# ---- robots ----------------------------------------------------------------------------------------------------------


def quadruped(rng: Rng) -> Parts:
    foot = pick(rng, "sphere", "capsule", "cylinder", "box", "mesh")
    kp, servo = num(rng.uniform(20, 80)), some(rng, 0.7)
    legs, actuators, names = "", "", []
    for i, (x, y) in enumerate(((0.2, 0.12), (0.2, -0.12), (-0.2, 0.12), (-0.2, -0.12))):
        shape = {
            "sphere": 'type="sphere" size=".022"',
            "capsule": 'type="capsule" size=".02 .015"',
            "cylinder": 'type="cylinder" size=".03 .012" euler="90 0 0"',
            "box": 'type="box" size=".03 .02 .015"',
            "mesh": 'type="mesh" mesh="foot"',
        }[foot]
        legs += f"""<body name="hip{i}" pos="{x} {y} 0"><joint name="ab{i}" axis="1 0 0" range="-60 60"/>
 <geom type="cylinder" size=".035 .02" euler="90 0 0" contype="0" conaffinity="0"/>
 <body pos="0 {0.05 * np.sign(y)} 0"><joint name="th{i}" axis="0 1 0" range="-90 200"/>
  <geom type="capsule" size=".018" fromto="0 0 0 0 0 -.2"/>
  <body pos="0 0 -.2"><joint name="kn{i}" axis="0 1 0" range="-150 -20"/>
   <geom type="capsule" size=".013" fromto="0 0 0 0 0 -.18" mass=".1"/>
   <geom name="foot{i}" pos="0 0 -.2" {shape} friction="{num(rng.uniform(0.4, 1.2))} .02 .01" condim="{pick(rng, 3, 6)}"/>
   <site name="toe{i}" pos="0 0 -.2" size=".03"/></body></body></body>"""
        names += [f"ab{i}", f"th{i}", f"kn{i}"]
    damping = pick(rng, "", 'dampratio="1"', 'kv="1"')
    for name in names:
        actuators += (
            f'<position joint="{name}" kp="{kp}" forcerange="-30 30" inheritrange="1" {damping}/>'
            if servo
            else f'<motor joint="{name}" gear="{pick(rng, 1, 30)}" ctrlrange="-1 1"/>'
        )
    pose = "0 0 .37 1 0 0 0 " + " ".join(num(0, 0.9, -1.8) for _ in range(4))
    control = f' ctrl="{" ".join(num(0, 0.9, -1.8) for _ in range(4))}"' if servo else ""
    return Parts(
        world=f"""{floor(rng)}<body name="trunk" pos="0 0 .4"><freejoint/>
 <geom type="box" size=".25 .1 .05"/><site name="imu" pos=".02 0 .03"/><camera name="eye" pos=".25 0 .05" euler="90 -90 0"/>
 {legs}</body>{"".join(box_on_floor(rng, i) for i in range(int(rng.integers(3))))}""",
        asset=hull(rng, "foot", 0.025),
        default=f'<joint damping="{num(rng.uniform(0, 2))}" armature="{num(rng.uniform(0, 0.02))}" '
        f'frictionloss="{pick(rng, 0, 0.1)}"/>',
        actuator=actuators,
        sensor="""<accelerometer site="imu"/><gyro site="imu"/><velocimeter site="imu"/><framequat objtype="site"
 objname="imu"/><framepos objtype="body" objname="hip1" reftype="body" refname="trunk"/><touch site="toe0"/>
 <force site="toe1"/><framelinvel objtype="site" objname="toe2"/><subtreelinvel body="trunk"/><jointpos joint="kn0"/>
 <jointlimitfrc joint="kn2"/>""",
        keyframe=f'<key name="home" qpos="{pose}"{control}/>',
    )


def box_on_floor(rng: Rng, index: int) -> str:
    return (
        f'<geom type="box" size=".1 .1 .02" pos="{num(0.5 + 0.3 * index, 0, 0.02)}" euler="0 0 {around(rng, 40, 1)}"/>'
    )


def humanoid(rng: Rng) -> Parts:
    side = ""
    for s, y in (("r", -0.1), ("l", 0.1)):
        side += f"""<body pos="0 {y} -.2"><joint name="hx{s}" axis="1 0 0" range="-25 5"/><joint name="hz{s}" axis="0 0 1"
 range="-60 35"/><joint name="hy{s}" axis="0 1 0" range="-110 20"/><geom fromto="0 0 0 0 .01 -.34" size=".06"/>
 <body pos="0 .01 -.4"><joint name="k{s}" axis="0 -1 0" range="-160 -2"/><geom fromto="0 0 0 0 0 -.3" size=".049"/>
 <body pos="0 0 -.39"><joint name="ay{s}" axis="0 1 0" range="-50 50"/><joint name="ax{s}" axis="1 0 .5" range="-50 50"/>
 <geom fromto="-.07 -.02 0 .14 -.04 0" size=".027"/><geom fromto="-.07 .02 0 .14 .02 0" size=".027"/></body></body></body>
 <body pos="0 {1.7 * y} .06"><joint name="s1{s}" axis="2 1 1" range="-85 60"/><joint name="s2{s}" axis="0 -1 1"
 range="-85 60"/><geom fromto="0 0 0 .16 {1.6 * y} -.16" size=".04"/><body pos=".18 {1.8 * y} -.18">
 <joint name="e{s}" axis="0 -1 1" range="-90 50"/><geom fromto=".01 .01 .01 .17 .17 .17" size=".031"/></body></body>"""
    names = [n + s for s in "rl" for n in ("hx", "hz", "hy", "k", "ay", "ax", "s1", "s2", "e")]
    few = {"iterations": "1", "ls_iterations": "4"} if some(rng, 0.5) else {}
    return Parts(
        world=f"""{floor(rng)}<body name="torso" pos="0 0 {num(rng.uniform(1.2, 1.4))}"><freejoint/>
 <geom fromto="0 -.07 0 0 .07 0" size=".07"/><geom type="sphere" size=".09" pos="0 0 .19"/><site name="imu"/>
 <geom fromto="-.01 -.06 -.12 -.01 .06 -.12" size=".06"/>{side}</body>""",
        default='<geom type="capsule" condim="1" friction=".7" solimp=".9 .99 .003" solref=".015 1"/>'
        f'<joint damping="{num(rng.uniform(0.1, 5))}" armature=".01" stiffness="{num(rng.uniform(0, 10))}" solimplimit="0 .99 .01"/>',
        actuator="".join(f'<motor joint="{n}" gear="{pick(rng, 20, 40, 100)}" ctrlrange="-.4 .4"/>' for n in names),
        tendon='<fixed name="ham"><joint joint="hyr" coef=".5"/><joint joint="kr" coef="-.5"/></fixed>',
        sensor='<subtreecom body="torso"/><subtreeangmom body="torso"/><tendonpos tendon="ham"/><accelerometer site="imu"/>',
        option=few,
        flags={"eulerdamp": "disable"} if few else {},
        contact='<exclude body1="torso" body2="world"/>' if some(rng, 0.1) else "",
    )


def hand(rng: Rng) -> Parts:
    fingers, actuators, tendons, sensors, excludes = "", "", "", "", ""
    for i in range(int(rng.integers(2, 5))):
        size = rng.uniform(0.008, 0.012)
        tip = pick(rng, "capsule", "sphere", "ellipsoid", "mesh")
        shape = {
            "capsule": f'type="capsule" size="{num(size)}" fromto="0 0 0 0 0 .025"',
            "sphere": f'type="sphere" size="{num(1.3 * size)}" pos="0 0 .015"',
            "ellipsoid": f'type="ellipsoid" size="{num(size, 0.8 * size, 0.018)}" pos="0 0 .015"',
            "mesh": 'type="mesh" mesh="tip" pos="0 0 .015"',
        }[tip]
        fingers += f"""<body name="p{i}" pos="{num(0.03 * (i - 1.5), 0, 0.05)}"><joint name="a{i}" axis="0 1 0" range="-20 20"/>
 <joint name="b{i}" axis="1 0 0" range="0 90"/><geom type="capsule" size="{num(size)}" fromto="0 0 0 0 0 .045"/>
 <site name="r{i}" pos="0 {num(-size)} .03"/>
 <body name="m{i}" pos="0 0 .045"><joint name="c{i}" axis="1 0 0" range="0 100"/>
  <geom type="capsule" size="{num(size)}" fromto="0 0 0 0 0 .025"/><site name="s{i}" pos="0 {num(-size)} .015"/>
  <body name="d{i}" pos="0 0 .025"><joint name="d{i}" axis="1 0 0" range="0 90"/><geom {shape}/>
   <site name="t{i}" pos="0 {num(-size)} .01" size=".015"/></body></body></body>"""
        tendons += f'<fixed name="f{i}"><joint joint="c{i}" coef="{num(rng.uniform(0.5, 1))}"/><joint joint="d{i}" coef="1"/></fixed>'
        tendons += f"""<spatial name="w{i}" width=".001" stiffness="{num(rng.uniform(0, 20))}" damping=".1"
 range="0 .2"><site site="root"/><site site="r{i}"/><site site="s{i}"/><site site="t{i}"/></spatial>"""
        actuators += pick(
            rng,
            f'<position tendon="f{i}" kp="3" ctrlrange="0 3" forcerange="-1 1"/>',
            f'<motor tendon="w{i}" gear="-20" ctrlrange="0 1"/>',
            f'<general tendon="f{i}" gainprm="2" biastype="affine" biasprm="0 -2 -.05" ctrlrange="0 3"/>',
        )
        actuators += f'<position joint="b{i}" kp="1" kv=".02" ctrlrange="0 1.57"/><position joint="a{i}" kp="1" timeconst=".02"/>'
        sensors += f'<touch site="t{i}"/><tendonvel tendon="w{i}"/><tendonactuatorfrc tendon="f{i}"/><tendonlimitpos tendon="w{i}"/>'
        excludes += f'<exclude body1="palm" body2="p{i}"/>'
    return Parts(
        world=f"""<body name="palm" pos="0 0 .2" euler="{around(rng, 30)}"><geom type="box" size=".05 .012 .045"/>
 <site name="root" pos="0 -.012 0"/>{fingers}</body>
 <body name="object" pos="0 -.035 .29"><freejoint/>{geom(rng, 0.02, mass=".05")}</body>{floor(rng)}""",
        asset=hull(rng, "tip", 0.014, 20),
        default=f'<joint damping="{num(rng.uniform(0.001, 0.05))}" armature=".0005"/>'
        '<geom friction="1 .01 .001" condim="4"/>',
        actuator=actuators,
        tendon=tendons,
        sensor=sensors + '<framepos objtype="body" objname="object"/><frameangvel objtype="body" objname="object"/>',
        contact=excludes,
    )


def arm(rng: Rng) -> Parts:
    """An arm on a pedestal with a gripper, whose fingers an equality couples, above a table with things."""
    inside, actuators, sensors, count = "", "", "", int(rng.integers(3, 7))
    length = rng.uniform(0.12, 0.2, count)
    for i in reversed(range(count)):
        shape = pick(
            rng,
            f'type="capsule" size=".04" fromto="0 0 0 0 0 {num(length[i])}"',
            f'type="cylinder" size=".045 {num(length[i] / 2)}" pos="0 0 {num(length[i] / 2)}"',
            f'type="mesh" mesh="link" pos="0 0 {num(length[i] / 2)}"',
            f'type="box" size=".04 .03 {num(length[i] / 2)}" pos="0 0 {num(length[i] / 2)}"',
        )
        if i == count - 1:
            inside = gripper(rng, length[i])
        axis = pick(rng, "0 0 1", "0 1 0", "1 0 0") if i else "0 0 1"
        extra = pick(rng, "", "", 'gravcomp="1"', 'gravcomp=".5"')
        joint = pick(
            rng, "", 'frictionloss=".5"', 'stiffness="2" springref="20"', 'ref="10"', 'actuatorgravcomp="true"'
        )
        inside = f"""<body name="link{i}" pos="0 0 {num(length[i - 1] if i else 0.05)}" {extra}>
 <joint name="j{i}" axis="{axis}" range="-170 170" {joint} actuatorfrcrange="-60 60"/><geom {shape} mass="{num(rng.uniform(0.5, 3))}"/>
 <site name="at{i}" pos="0 .05 .05"/>{inside}</body>"""
        actuators += pick(
            rng,
            f'<position joint="j{i}" kp="{num(rng.uniform(50, 400))}" dampratio="1" ctrlrange="-2 2"/>',
            f'<velocity joint="j{i}" kv="20" ctrlrange="-1 1"/>',
            f'<intvelocity joint="j{i}" kp="100" kv="5" actrange="-1.5 1.5" ctrlrange="-1 1"/>',
            f'<general joint="j{i}" dyntype="filter" dynprm=".03" gainprm="100" biastype="affine" biasprm="0 -100 -10"/>',
            f'<general joint="j{i}" dyntype="filterexact" dynprm=".01" gainprm="20" actlimited="true" actrange="-1 1"/>',
            f'<motor joint="j{i}" gear="30"/><damper joint="j{i}" kv="3" ctrlrange="0 1"/>',
            f'<cylinder joint="j{i}" timeconst=".1" area="20" bias="1 0 0"/>',
        )
        sensors += f'<jointvel joint="j{i}"/><jointactuatorfrc joint="j{i}"/><torque site="at{i}"/>'
    return Parts(
        world=f"""{floor(rng)}<body name="base"><geom type="cylinder" size=".08 .2" pos="0 0 .2"/><body pos="0 0 .4">{inside}</body></body>
 {table(rng, int(rng.integers(1, 4)), "0.5 0 0")}""",
        asset=hull(rng, "link", 0.08, 30)
        + hull(rng, "pad", 0.015)
        + prism("can", 12, 0.03, 0.05)
        + hull(rng, "rock", 0.04),
        default='<default class="visual"><geom contype="0" conaffinity="0" group="2"/></default>',
        equality='<joint joint1="left" joint2="right" polycoef="0 1 0 0 0" solref=".005 1"/>'
        if some(rng, 0.7)
        else '<tendon tendon1="split" polycoef=".01 0 0 0 0"/>',
        tendon='<fixed name="split" damping=".1"><joint joint="right" coef=".5"/><joint joint="left" coef=".5"/></fixed>',
        actuator=actuators
        + pick(rng, '<position tendon="split" kp="200" ctrlrange="0 .04"/>', '<motor joint="left"/>'),
        sensor=sensors + '<distance geom1="floor" body2="link1" cutoff="1"/>' * some(rng, 0.2),
        contact='<exclude body1="base" body2="link0"/><exclude body1="link0" body2="link1"/>',
    )


def gripper(rng: Rng, height: float) -> str:
    shape = pick(rng, 'type="box" size=".01 .008 .03"', 'type="mesh" mesh="pad"', 'type="capsule" size=".008 .02"')
    return f"""<body name="wrist" pos="0 0 {num(height + 0.02)}"><geom type="box" size=".03 .06 .015" class="visual"/>
 <body pos="0 .03 .03"><joint name="left" type="slide" axis="0 1 0" range="0 .04" damping="10" armature=".1"/><geom {shape}/></body>
 <body pos="0 -.03 .03"><joint name="right" type="slide" axis="0 -1 0" range="0 .04" damping="10" armature=".1"/><geom {shape}/></body>
 </body>"""


def thing(rng: Rng, place: str, aligned: bool) -> str:
    """Something that stands on a table."""
    turn = "" if aligned else f' euler="{around(rng, 15, 2)} {around(rng, 180, 1)}"'
    body = pick(
        rng,
        '<geom type="cylinder" size=".03 .06" mass=".2"/><geom type="cylinder" size=".012 .03" pos="0 0 .09" mass=".02"/>',
        '<geom type="cylinder" size=".04 .06" mass=".3"/><geom type="capsule" size=".006" fromto=".04 0 .03 .07 0 0" mass=".01"/>',
        '<geom type="box" size=".04 .04 .06" mass=".3"/>',
        '<geom type="mesh" mesh="can" mass=".2" pos="0 0 -.01"/>',
        '<geom type="mesh" mesh="rock" mass=".2"/>',
        '<geom type="ellipsoid" size=".03 .04 .06" mass=".2"/>',
        '<geom type="capsule" size=".03 .03" mass=".2"/>',
        '<geom type="sphere" size=".06" mass=".2" condim="6" friction="1 .01 .002"/>',
    )
    return f'<body pos="{place}"{turn}><freejoint/>{body}</body>'


def table(rng: Rng, count: int, place: str) -> str:
    aligned = some(rng, 0.5)
    x, y, _ = (float(v) for v in place.split())
    height = 0.06 if aligned else rng.uniform(0.06, 0.09)
    top = pick(rng, 'type="box" size=".25 .3 .02"', 'type="cylinder" size=".3 .02"')
    things = "".join(
        thing(rng, num(x + rng.uniform(-0.08, 0.08), y + 0.16 * (i - (count - 1) / 2), 0.4 + height), aligned)
        for i in range(count)
    )
    return f'<body pos="{place}"><geom {top} pos="0 0 .38" friction=".8"/></body>{things}'


def kitchen(rng: Rng) -> Parts:
    """A table with many things, some on top of each other."""
    things = table(rng, int(rng.integers(2, 5)), "0 0 0")
    for i in range(int(rng.integers(1, 4))):
        things += thing(rng, num(rng.uniform(-0.1, 0.1), rng.uniform(-0.2, 0.2), 0.62 + 0.15 * i), some(rng, 0.3))
    return Parts(
        world=floor(rng) + things,
        asset=prism("can", int(rng.integers(6, 20)), 0.035, 0.05) + hull(rng, "rock", 0.05, 20),
        default=f'<geom condim="{pick(rng, 3, 3, 4, 6)}" solref="{pick(rng, ".02 1", ".005 1", "-2000 -30")}"/>',
    )


def cables(rng: Rng) -> Parts:
    """An arm that cables pull: paths around spheres and cylinders, through sites, over pulleys; muscles."""
    inside = "<site name='s3' pos='.02 .03 .15'/>"
    for i in (2, 1, 0):
        inert = 'contype="0" conaffinity="0" mass=".01"'
        wrap = pick(
            rng,
            '<geom name="w{0}" type="cylinder" size=".035 .03" euler="90 0 0" {1}/>',
            '<geom name="w{0}" size=".04" {1}/>',
        )
        joint = pick(
            rng,
            '<joint name="j{0}" axis="0 1 0" range="-120 120" damping=".1"/>',
            '<joint name="j{0}" type="ball" damping=".2"/>',
        )
        inside = f"""<body name="b{i}" pos="0 0 {0.25 if i else 0.6}">{joint.format(i)}{wrap.format(i, inert)}
 <geom type="capsule" size=".015" fromto="0 0 .05 0 0 .22" mass=".5"/><site name="s{i}" pos="{num(*rng.uniform(-0.05, 0.05, 2), 0.12)}"/>
 <site name="side{i}" pos=".06 0 0"/>{inside}</body>"""
    tendons, actuators, sensors = "", "", ""
    for i in range(int(rng.integers(2, 5))):
        path = '<site site="root"/>'
        for k in range(3):
            if some(rng, 0.6):
                side = f' sidesite="side{k}"' if some(rng, 0.5) else ""
                path += f'<geom geom="w{k}"{side}/>'
            path += f'<site site="s{k}"/>'
        if some(rng, 0.4):
            path += '<pulley divisor="2"/><site site="s0"/><site site="s3"/>'
        extra = pick(
            rng,
            "",
            "",
            'frictionloss=".2"',
            'range="0 .9" limited="true" margin=".01"',
            'stiffness="30" springlength=".1 .6"',
        )
        tendons += f'<spatial name="t{i}" {extra} damping="{num(rng.uniform(0, 0.5))}">{path}</spatial>'
        actuators += pick(
            rng,
            f'<muscle tendon="t{i}" lengthrange=".3 1.2" force="{num(rng.uniform(20, 100))}" timeconst=".015 .05"/>',
            f'<muscle tendon="t{i}" lengthrange=".2 1.4" tausmooth=".1" lmin=".4" lmax="1.8" vmax="2"/>',
            f'<position tendon="t{i}" kp="100" kv="2" ctrlrange="0 1"/>',
            f'<motor tendon="t{i}" gear="-10" ctrlrange="0 2" forcerange="-15 0"/>',
            f'<velocity tendon="t{i}" kv="10"/>',
        )
        sensors += f'<tendonpos tendon="t{i}"/><tendonvel tendon="t{i}"/><tendonactuatorfrc tendon="t{i}"/>'
    return Parts(
        world=f'{floor(rng)}<site name="root" pos="{num(*rng.uniform(-0.1, 0.1, 2), 0.5)}"/>{inside}',
        tendon=tendons
        + '<fixed name="sum" armature=".01"><joint joint="j0" coef=".3"/><joint joint="j1" coef="-.2"/></fixed>',
        actuator=actuators,
        sensor=sensors,
        contact='<exclude body1="b0" body2="b1"/><exclude body1="b1" body2="b2"/>',
    )


def boat(rng: Rng) -> Parts:
    shapes = "".join(
        geom(rng, 0.2, pos=around(rng, 0.2), euler=around(rng, 90), fluidshape=pick(rng, "", "ellipsoid", "ellipsoid"),
             fluidcoef=pick(rng, "", "1 .3 .5 2 .7"))
        for _ in range(int(rng.integers(1, 4)))
    )  # fmt: skip
    return Parts(
        world=f"""<body name="boat" pos="0 0 1" euler="{around(rng, 40)}"><freejoint/>{shapes}<site name="mast" pos="0 0 .3"/>
 <body name="rudder" pos="-.3 0 0"><joint name="r" axis="0 0 1" range="-40 40" damping=".01"/><geom type="box" size=".08 .005 .1"
  fluidshape="{pick(rng, "none", "ellipsoid")}"/><site name="screw" pos="-.1 0 -.05"/></body>
 <body pos=".1 0 .2"><joint type="ball" damping=".01"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 .5"/></body></body>
 <body name="weather" mocap="true" pos="0 3 1"><site name="shore"/></body>""",
        actuator='<motor site="screw" gear="5 0 0 .1 0 0" ctrlrange="-1 1"/><position joint="r" kp="1" kv=".1"/>'
        '<motor site="mast" refsite="shore" gear="1 0 0 0 0 1"/>',
        sensor='<framelinvel objtype="site" objname="mast" reftype="site" refname="screw"/><gyro site="mast"/>'
        '<framelinacc objtype="body" objname="boat"/><velocimeter site="screw"/><magnetometer site="mast"/>',
        option={
            "density": num(rng.uniform(1, 1000)),
            "viscosity": pick(rng, "0", ".001", ".5"),
            "wind": around(rng, 2),
        },
    )


def quadcopter(rng: Rng) -> Parts:
    rotors = "".join(
        f"""<geom type="{pick(rng, "ellipsoid", "cylinder")}" size=".1 .1 .01" pos="{x} {y} .02" mass=".05"/>
 <site name="m{i}" pos="{x} {y} .02"/>"""
        for i, (x, y) in enumerate(((0.15, 0.15), (0.15, -0.15), (-0.15, 0.15), (-0.15, -0.15)))
    )
    load = (
        """<body name="load" pos="0 0 -.3"><joint type="ball"/><geom size=".03" mass=".1"/></body>"""
        if some(rng, 0.5)
        else ""
    )
    return Parts(
        world=f"""{floor(rng)}<body name="copter" pos="0 0 {num(rng.uniform(0.1, 0.6))}" euler="{around(rng, 20)}"><freejoint/>
 <geom type="box" size=".12 .12 .02" mass=".8"/>{rotors}<site name="imu"/><site name="down" euler="180 0 0"/>{load}
 <camera name="c" pos=".1 0 0" euler="0 -90 0" resolution="32 24"/></body>{"".join(box_on_floor(rng, i) for i in range(2))}""",
        actuator="".join(
            f'<motor site="m{i}" gear="0 0 1 0 0 {s}.02" ctrlrange="0 6"/>' for i, s in enumerate(("", "-", "-", ""))
        ),
        sensor='<gyro site="imu"/><accelerometer site="imu" noise=".01"/><framequat objtype="body" objname="copter"/>'
        '<framezaxis objtype="body" objname="copter"/><camprojection site="m1" camera="c"/>'
        + '<rangefinder site="down"/>'
        * some(rng, 0.5),
        option=pick(rng, {}, {"density": "1.225", "viscosity": "1.8e-5"}),
    )


def rover(rng: Rng) -> Parts:
    rows = int(rng.integers(5, 12))
    heights = (
        rng.uniform(0, 1, rows * rows) if some(rng, 0.5) else np.add.outer(*[np.sin(np.arange(rows) / 2.0)] * 2).ravel()
    )
    heights = (heights - heights.min()) / np.ptp(heights)
    ground = '<geom type="hfield" hfield="h" condim="3"/>' if some(rng, 0.6) else floor(rng)
    wheel = pick(rng, "cylinder", "sphere", "ellipsoid", "mesh", "capsule")
    shape = {
        "cylinder": 'type="cylinder" size=".1 .03" euler="90 0 0"',
        "sphere": 'type="sphere" size=".1"',
        "ellipsoid": 'type="ellipsoid" size=".1 .04 .1"',
        "mesh": 'type="mesh" mesh="wheel" euler="90 0 0"',
        "capsule": 'type="capsule" size=".1 .02" euler="90 0 0"',
    }[wheel]
    wheels, actuators = "", ""
    for i, (x, y) in enumerate(((0.25, 0.2), (0.25, -0.2), (-0.25, 0.2), (-0.25, -0.2))):
        spring = (
            '<joint type="slide" axis="0 0 1" stiffness="800" damping="30" range="-.1 .1"/>' if some(rng, 0.5) else ""
        )
        wheels += f"""<body pos="{x} {y} -.05">{spring}<joint name="w{i}" axis="0 1 0" damping=".05" armature=".001"/>
 <geom {shape} mass=".4" friction="1 .01 .005" condim="{pick(rng, 3, 4, 6)}"/></body>"""
        actuators += pick(
            rng, f'<velocity joint="w{i}" kv=".5" ctrlrange="-10 10"/>', f'<motor joint="w{i}" ctrlrange="-1 1"/>'
        )
    return Parts(
        world=f"""{ground}<body name="chassis" pos="0 0 {num(rng.uniform(0.4, 0.8))}" euler="{around(rng, 10)}"><freejoint/>
 <geom type="box" size=".3 .15 .05" mass="3"/><site name="lidar" pos=".3 0 .05" zaxis="1 0 -.3"/>{wheels}</body>""",
        asset=f'<hfield name="h" nrow="{rows}" ncol="{rows}" size="2 2 .4 .1" elevation="{num(*heights)}"/>'
        + prism("wheel", 16, 0.1, 0.03),
        tendon='<fixed name="drive"><joint joint="w0" coef=".5"/><joint joint="w2" coef=".5"/></fixed>',
        actuator=actuators + '<motor tendon="drive" gear=".3"/>',
        sensor='<rangefinder site="lidar"/>' * some(rng, 0.4) + '<velocimeter site="lidar"/><jointvel joint="w1"/>',
    )


# ---- mechanisms ------------------------------------------------------------------------------------------------------


def loops(rng: Rng) -> Parts:
    """Bodies joined by equalities of every kind."""
    size = num(rng.uniform(0.05, 0.1))
    kinds = [
        f'<connect body1="a" body2="b" anchor="{around(rng, 0.2)}"/>',
        f'<connect site1="sa" site2="sb" solref="{pick(rng, ".02 1", "-500 -20")}"/>',
        '<weld body1="b" body2="c" torquescale=".4"/>',
        f'<weld site1="sb" site2="sc" solimp=".8 .95 .01 .3 {pick(rng, 1, 2, 3)}"/>',
        '<weld body1="c" body2="target" relpose="0 0 .1 1 0 0 0" solref=".05 1"/>',
        '<weld body1="a"/>',
        '<joint joint1="h" joint2="s" polycoef="0 .5 .1 0 0"/>',
        '<joint joint1="s" polycoef=".05 0 0 0 0"/>',
        '<tendon tendon1="t" tendon2="u" polycoef="0 1 .2 0 0"/>',
        '<tendon tendon1="t" polycoef=".1 0 0 0 0"/>',
        '<connect body1="d" body2="e" anchor="0 0 0"/>',
        '<joint joint1="h" joint2="e1" active="false"/>',
    ]
    chosen = [kind for kind in kinds if some(rng, 0.35)] or [kinds[0]]
    return Parts(
        world=f"""{floor(rng) if some(rng, 0.5) else ""}
 <body name="a" pos="0 0 1"><freejoint/><geom type="box" size="{size} .05 .08"/><site name="sa" pos="{around(rng, 0.1)}" euler="{around(rng, 90)}"/>
  <body name="d" pos=".2 0 0"><joint name="h" axis="0 1 0" range="-60 60" margin=".02"/><geom size=".04" pos=".1 0 0"/></body></body>
 <body name="b" pos=".4 0 1" euler="{around(rng, 60)}"><freejoint/><geom type="capsule" size=".04 .1"/><site name="sb" pos="{around(rng, 0.1)}"/></body>
 <body name="c" pos="0 .5 1"><joint type="ball" range="0 70" limited="true" damping=".02"/><geom type="ellipsoid" size=".05 .08 .04" pos=".1 0 0"/>
  <site name="sc" pos="{around(rng, 0.1)}" euler="{around(rng, 90)}"/>
  <body name="e" pos=".2 0 0"><joint name="s" type="slide" axis="1 0 .3" range="-.1 .1" frictionloss=".5"/>
   <joint name="e1" axis="0 0 1" frictionloss=".02"/><geom type="cylinder" size=".03 .05"/></body></body>
 <body name="target" mocap="true" pos=".1 .5 1.1"><geom size=".02" contype="0" conaffinity="0"/></body>""",
        equality="".join(chosen),
        tendon=f"""<fixed name="t" frictionloss="{pick(rng, 0, 0.2)}"><joint joint="h" coef=".3"/><joint joint="s" coef="2"/></fixed>
 <spatial name="u" limited="true" range="0 {num(rng.uniform(0.3, 0.8))}" margin="{pick(rng, 0, 0.05)}"><site site="sa"/><site site="sb"/></spatial>""",
        actuator='<motor joint="h"/><position tendon="t" kp="5"/><motor joint="e1" gear=".1"/>',
        sensor='<force site="sa"/><torque site="sc"/><jointlimitpos joint="h"/><jointlimitvel joint="h"/><tendonlimitfrc tendon="u"/>'
        '<frameangacc objtype="body" objname="b"/>',
        contact='<exclude body1="a" body2="b"/><exclude body1="a" body2="c"/>' if some(rng, 0.6) else "",
    )


def pile(rng: Rng) -> Parts:
    """Things of all shapes that fall on each other, with pairs, exclusions, margins and gaps."""
    bodies, count = "", int(rng.integers(3, 9))
    for i in range(count):
        extra = {"condim": pick(rng, 1, 3, 4, 6), "margin": pick(rng, "", "", ".01"), "gap": pick(rng, "", "", ".005"),
                 "priority": pick(rng, "", "", 1), "solmix": pick(rng, "", 2), "solref": pick(rng, "", "-1000 -20", ".01 .8"),
                 "friction": num(*rng.uniform(0.2, 1, 1), 0.01, 0.003), "name": f"g{i}",
                 "contype": pick(rng, "", "", 2), "conaffinity": pick(rng, "", "", 3)}  # fmt: skip
        shape = f'<geom type="mesh" mesh="rock"{attributes(**extra)}/>' if some(rng, 0.2) else geom(rng, 0.08, **extra)
        joint = pick(rng, "<freejoint/>", "<freejoint/>", '<joint type="slide" axis="0 0 1"/><joint type="ball"/>')
        bodies += f'<body name="b{i}" pos="{num(*rng.uniform(-0.1, 0.1, 2), 0.1 + 0.14 * i)}" euler="{around(rng, 90)}">{joint}{shape}</body>'
    pair = (
        '<pair geom1="g0" geom2="g1" condim="6" friction="1 .8 .01 .002 .001" margin=".01"/>' if some(rng, 0.5) else ""
    )
    return Parts(
        world=floor(rng) + bodies + ('<geom type="box" size=".3 .02 .2" pos="0 .25 .2"/>' if some(rng, 0.5) else ""),
        asset=hull(rng, "rock", 0.09, int(rng.integers(6, 30))),
        flags={"filterparent": "disable"} if some(rng, 0.1) else {},
        contact=pair + ('<exclude body1="b0" body2="b2"/>' if some(rng, 0.3) else ""),
    )


def chains(rng: Rng) -> Parts:
    """Pendulums of every joint: springs, references, limits, friction, damping, armature."""
    world, actuators = "", ""
    for i in range(int(rng.integers(1, 4))):
        inside = ""
        for k in reversed(range(int(rng.integers(2, 6)))):
            kind = pick(rng, "hinge", "hinge", "ball", "slide")
            extra = {"damping": pick(rng, "", num(rng.uniform(0, 0.3))), "armature": pick(rng, "", ".01"),
                     "frictionloss": pick(rng, "", "", ".05"), "stiffness": pick(rng, "", num(rng.uniform(0, 5))),
                     "margin": pick(rng, "", ".05"), "pos": pick(rng, "", around(rng, 0.05)),
                     "solreflimit": pick(rng, "", "-300 -10", ".004 1"), "solimplimit": pick(rng, "", ".5 .9 .1 .2 3")}  # fmt: skip
            if kind == "ball":
                extra |= {"range": "0 40", "limited": "true"} if some(rng, 0.4) else {}
            else:
                extra |= {"axis": around(rng, 1), "ref": pick(rng, "", "", "5" if kind == "hinge" else ".02")}
                if some(rng, 0.6):
                    extra["range"] = "-40 30" if kind == "hinge" else "-.1 .05"
                extra["springref"] = pick(rng, "", "10" if kind == "hinge" else ".03")
            inside = f"""<body pos="0 0 -.2" euler="{around(rng, 20)}"><joint name="j{i}{k}" type="{kind}"{attributes(**extra)}/>
 {geom(rng, 0.05, pos="0 0 -.1")}{inside}</body>"""
            gear = around(rng, 2)
            actuators += pick(
                rng,
                "",
                f'<motor {pick(rng, "joint", "jointinparent")}="j{i}{k}" gear="{gear}"/>',
                f'<position joint="j{i}{k}" kp="5" gear="{gear}" forcerange="-3 3"/>',
                f'<general joint="j{i}{k}" gaintype="affine" gainprm="1 .3 -.2" biastype="affine" biasprm=".1 -.5 -.1" group="{pick(rng, 0, 1, 2)}"/>',
                f'<general joint="j{i}{k}" dyntype="integrator" actrange="-1 1" actlimited="true" actearly="true" gear="{gear}"/>',
            )
        world += f'<body pos="{num(0.5 * i, 0, 2)}">{inside}</body>'
    return Parts(
        world=world,
        actuator=actuators,
        sensor="<clock/><e_potential/><e_kinetic/>",
        option={"actuatorgroupdisable": "2"} if some(rng, 0.3) else {},
    )


def engine_room(rng: Rng) -> Parts:
    """Slider-cranks, adhesion, cylinders and a flywheel."""
    return Parts(
        world=f"""{floor(rng)}<site name="anchor" pos="0 0 .5" zaxis="1 0 0"/>
 <body name="wheel" pos="0 0 .5"><joint name="w" axis="0 1 0" damping=".02"/><geom type="cylinder" size=".15 .02" euler="90 0 0"/>
  <site name="crank" pos="{num(rng.uniform(0.05, 0.12))} 0 0"/></body>
 <body name="piston" pos=".5 0 .5"><joint name="p" type="slide" axis="1 0 0" range="-.3 .3" damping="1"/><geom type="cylinder" size=".04 .05"
  euler="0 90 0"/><site name="pin"/></body>
 <body name="sucker" pos="1 0 .049"><freejoint/><geom type="{pick(rng, "box", "cylinder", "sphere")}" size=".05 .05 .05" margin=".02" gap=".02"/></body>
 <body name="plate" pos="1 0 .13"><joint name="z" type="slide" axis="0 0 1"/><geom type="box" size=".1 .1 .02"/></body>""",
        equality='<connect site1="crank" site2="pin"/>' if some(rng, 0.2) else "",
        actuator=f"""<motor cranksite="crank" slidersite="anchor" cranklength="{num(rng.uniform(0.2, 0.5))}" gear="2"/>
 <position cranksite="pin" slidersite="anchor" cranklength=".1" kp="3"/><adhesion body="sucker" gain="{num(rng.uniform(1, 20))}" ctrlrange="0 1"/>
 <cylinder joint="p" diameter=".3" timeconst=".05" bias="1 0 0"/><damper joint="w" kv=".5" ctrlrange="0 1"/><velocity joint="z" kv="2"/>""",
        sensor='<jointpos joint="p"/><framepos objtype="site" objname="pin" reftype="site" refname="crank"/>',
    )


def cartpole(rng: Rng) -> Parts:
    """Small models of learning packages: carts, ants, hoppers."""
    poles = ""
    for i in range(int(rng.integers(1, 4))):
        poles = f"""<body pos="0 0 {0.6 if i else 0}"><joint name="h{i}" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .001 0 .6" size=".049"
 mass="{num(rng.uniform(0.1, 5))}"/>{poles}</body>"""
    hopper = f"""<body pos="0 2 1.25"><joint type="slide" axis="1 0 0" armature="0"/><joint type="slide" axis="0 0 1" ref="1.25" armature="0"/>
 <joint axis="0 1 0" armature="0"/><geom type="capsule" fromto="0 0 .2 0 0 -.2" size=".05" friction=".9"/><body pos="0 0 -.2">
 <joint name="thigh" axis="0 -1 0" range="-150 0"/><geom type="capsule" fromto="0 0 0 0 0 -.45" size=".05"/><body pos="0 0 -.7">
 <joint name="leg" axis="0 -1 0" pos="0 0 .25" range="-150 0"/><geom type="capsule" fromto="0 0 .25 0 0 -.25" size=".04"/><body pos=".065 0 -.25">
 <joint name="foot" axis="0 -1 0" pos="-.065 0 0" range="-45 45"/><geom type="capsule" fromto="-.195 0 0 .195 0 0" size=".06" friction="{pick(rng, ".9", "2")}"/>
 </body></body></body></body>"""
    return Parts(
        world=f"""{floor(rng)}<geom type="capsule" fromto="-1 0 1 1 0 1" size=".02" contype="0" conaffinity="0"/>
 <body pos="0 0 1"><joint name="slider" type="slide" axis="1 0 0" range="-1 1" margin=".01"/><geom type="capsule" fromto="-.1 0 0 .1 0 0" size=".1"/>
 {poles}</body>{hopper}""",
        default='<joint armature="0.1" damping="1"/><geom condim="3" margin="0.001" solimp=".8 .8 .01"/>',
        actuator='<motor joint="slider" gear="100" ctrlrange="-1 1"/><motor joint="thigh" gear="200" ctrlrange="-1 1"/>'
        '<motor joint="leg" gear="200" ctrlrange="-1 1"/><motor joint="foot" gear="200" ctrlrange="-1 1"/>',
        option={
            "integrator": pick(rng, "RK4", "RK4", "Euler"),
            "iterations": "50",
            "solver": pick(rng, "PGS", "Newton", "CG"),
        },
    )


FAMILIES: tuple[Callable[[Rng], Parts], ...] = (
    quadruped, humanoid, hand, arm, kitchen, cables, boat, quadcopter, rover, loops, pile, chains, engine_room, cartpole,
)  # fmt: skip


def scene(seed: int) -> tuple[str, str]:
    """(name of the family, MJCF)."""
    family = FAMILIES[seed % len(FAMILIES)]
    rng = np.random.default_rng(seed)
    parts = family(rng)
    text = (
        f'<mujoco model="{family.__name__}-{seed}"><compiler autolimits="true" {parts.compiler}/>{options(rng, parts)}'
    )
    for section in ("asset", "default", "contact", "equality", "tendon", "actuator", "sensor", "keyframe"):
        inside = getattr(parts, section)
        if inside:
            text += f"<{section}>{inside}</{section}>\n"
    return family.__name__, f"{text}<worldbody>{parts.world}</worldbody></mujoco>"
