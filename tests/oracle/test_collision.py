"""Contacts of every pair of geom types, filters, parameters and whole models against mujoco."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from tests.conftest import SHARED
from tests.oracle.collide import Contacts, Pair, Twin, detect, poses


def cloud(number: int, seed: int = 1, size=(0.2, 0.3, 0.1)) -> str:
    v = np.random.default_rng(seed).normal(size=(number, 3))
    v *= np.array(size) / np.linalg.norm(v, axis=1)[:, None]
    return '<mesh name="m" vertex="{}"/>'.format(" ".join(f"{x:.6f}" for x in v.ravel()))


CUBE = '<mesh name="m" vertex="{}"/>'.format(
    " ".join(f"{x * 0.2} {y * 0.3} {z * 0.1}" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))
)
GEOMS = {
    "plane": 'type="plane" size="1 1 1"',
    "sphere": 'type="sphere" size=".2"',
    "capsule": 'type="capsule" size=".1 .3"',
    "ellipsoid": 'type="ellipsoid" size=".1 .2 .3"',
    "cylinder": 'type="cylinder" size=".2 .3"',
    "box": 'type="box" size=".1 .2 .3"',
    "big box": 'type="box" size=".5 .4 .3"',
    "thin box": 'type="box" size=".5 .4 .05"',
    "mesh": 'type="mesh" mesh="m"',
}


def compare(pair: Pair, mode: str, number: int, tolerance: float = 1e-6, seed: int = 0) -> tuple[int, int, list]:
    """(poses with contacts, poses, the differences)"""
    rng = np.random.default_rng(seed)
    hits, bad = 0, []
    for pose in poses(rng, pair.reach, mode, number):
        pair.place(*pose)
        reference = pair.reference()
        why = pair.ours().difference(reference, tolerance)
        hits += len(reference) > 0
        if why and not touching(pair, reference):
            bad.append((why, pose))
    return hits, number, bad


def touching(pair: Pair, reference: Contacts) -> bool:
    """Whether surfaces touch to rounding: then either side may see it as a contact or as several equal ones."""
    dists = [
        *(r[2] for r in reference.rows),
        *(r[2] for r in Contacts(pair.data.ncon, pair.data.contact).rows),
    ]
    return bool(dists) and min(abs(d) for d in dists) < 1e-14


ANALYTIC_PAIRS = [
    ("plane", "sphere"), ("plane", "capsule"), ("plane", "ellipsoid"), ("plane", "cylinder"), ("plane", "box"),
    ("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"), ("capsule", "capsule"),
]  # fmt: skip


@pytest.mark.parametrize("margin", [0.0, 0.1])
@pytest.mark.parametrize("mode", ["random", "aligned", "near"])
@pytest.mark.parametrize(("first", "second"), ANALYTIC_PAIRS)
def test_closed_forms(first, second, mode, margin):
    pair = Pair(GEOMS[first], GEOMS[second], extra=f'margin="{margin}"')
    hits, number, bad = compare(pair, mode, 700)
    assert hits > 40
    # where two faces or ends are equally near, rounding decides which one either side takes
    assert len(bad) <= (0 if mode == "random" else 0.03 * number), bad[:3]


@pytest.mark.parametrize("x", [-1.5, -1.5 - 1e-6, -1.5 + 1e-6, 0.0, 1.2000000000000002, 1.5, 1.5 + 1e-6])
@pytest.mark.parametrize("y", [0.0, 1e-6, -1e-6, 0.004, -0.004, -0.006, 0.1])
@pytest.mark.parametrize("turn", [(1, 0, 0, 0), (1, 0, 0, 1), (0, 0, 0, 1), (1, 0, 0, -1)])
def test_boxes_whose_edges_coincide(x, y, turn):
    """A lintel on a stone of its width, or a little beside it."""
    pair = Pair('type="box" size=".9 .5 3"', 'type="box" size="2.4 .5 .4"')
    pair.place((x, y, -3.4 + 1e-4), turn, (0, 0, 0), (1, 0, 0, 0))
    theirs = pair.reference()
    assert len(theirs) > 2
    assert not pair.ours().difference(theirs)


@pytest.mark.parametrize(
    ("first", "second", "mode"),
    [
        ("big box", "box", "random"),
        ("big box", "box", "near"),
        ("thin box", "box", "random"),
        ("box", "box", "random"),
        ("capsule", "big box", "random"),
        ("capsule", "big box", "near"),
        ("capsule", "thin box", "random"),
    ],
)
def test_boxes(first, second, mode):
    hits, _, bad = compare(Pair(GEOMS[first], GEOMS[second]), mode, 2500)
    assert hits > 300
    assert not bad, bad[:3]


def test_order_of_box_points():
    """Solvers that stop early depend on it."""
    pair, rng, several = Pair(GEOMS["big box"], GEOMS["box"]), np.random.default_rng(0), 0
    for _ in range(400):
        turns = rng.normal(size=(2, 4))
        turns /= np.linalg.norm(turns, axis=1, keepdims=True)
        pair.place((0, 0, 0), turns[0], rng.uniform(-0.4, 0.4, 3), turns[1])
        theirs, ours = pair.reference().unsorted, pair.ours().unsorted
        several += len(theirs) > 1
        np.testing.assert_allclose([row[3] for row in ours], [row[3] for row in theirs], rtol=0, atol=1e-9)
    assert several > 100


@pytest.mark.parametrize("height", [0.35, 0.39, 0.3999, 0.37])
@pytest.mark.parametrize("shift", [(0, 0), (0.1, 0.05), (0.45, 0.3)])
@pytest.mark.parametrize("yaw", [0.0, 0.3, 1.5707963267948966])
def test_box_on_box(height, shift, yaw):
    """Face on face: the corners of the overlap, flat, turned and hanging over."""
    pair = Pair(GEOMS["big box"], 'type="box" size=".3 .2 .1"')
    pair.place((0, 0, 0), (1, 0, 0, 0), (*shift, height), (np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)))
    reference = pair.reference()
    assert pair.ours().difference(reference) == ""


CONVEX_PAIRS = [
    ("mesh", "mesh"), ("box", "mesh"), ("ellipsoid", "mesh"), ("cylinder", "mesh"), ("capsule", "mesh"),
    ("sphere", "mesh"), ("sphere", "ellipsoid"), ("capsule", "ellipsoid"), ("capsule", "cylinder"),
    ("ellipsoid", "ellipsoid"), ("ellipsoid", "cylinder"), ("ellipsoid", "box"), ("cylinder", "cylinder"),
    ("cylinder", "box"),
]  # fmt: skip


@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize(("first", "second"), CONVEX_PAIRS)
def test_convex(first, second, margin):
    """The same contacts, to the bit in nearly all poses."""
    pair = Pair(GEOMS[first], GEOMS[second], asset=cloud(60), extra=f'margin="{margin}"')
    rng = np.random.default_rng(0)
    hits = other = 0
    for pose in poses(rng, pair.reach, "random", 400):
        pair.place(*pose)
        reference, ours = pair.reference(), pair.ours()
        assert len(ours) == len(reference), pose
        for a, b in zip(ours.rows, reference.rows, strict=True):
            hits += 1
            assert abs(a[2] - b[2]) < 1e-12
            other += np.abs(a[4] - b[4]).max() > 1e-12 or np.abs(a[3] - b[3]).max() > 1e-12
    assert hits > 60
    # in the distance of a core the reference may count a vertex twice: its position is outside of both geoms then
    assert other <= (0.01 * hits if first in ("sphere", "capsule") else 0)


MULTICCD = '<option><flag multiccd="enable"/></option>'


@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize(("first", "second"), CONVEX_PAIRS)
def test_several_contacts(first, second, margin):
    """The flag multiccd: corners of faces that meet; for other geoms, contacts that appear when they are turned."""
    pair = Pair(GEOMS[first], GEOMS[second], asset=CUBE, extra=f'margin="{margin}"', option=MULTICCD)
    rng = np.random.default_rng(0)
    hits = bad = 0
    for pose in [*poses(rng, pair.reach, "random", 200), *poses(rng, pair.reach, "resting", 300)]:
        pair.place(*pose)
        reference, ours = pair.reference(), pair.ours()
        hits += len(reference)
        bad += bool(ours.difference(reference, 1e-9))
    assert hits > 150
    assert bad <= 15, bad  # of 500: a turn of 0.001 may end another way after rounding, and so may a choice of corners


@pytest.mark.parametrize(("first", "second"), CONVEX_PAIRS)
@pytest.mark.parametrize("flags", ['nativeccd="disable"', 'nativeccd="disable" multiccd="enable"'])
def test_older_collider(first, second, flags):
    """The flag nativeccd disabled: one contact, and with multiccd those of slightly turned geoms."""
    option = f"<option><flag {flags}/></option>"
    pair = Pair(GEOMS[first], GEOMS[second], asset=cloud(60), option=option)
    rng, moves = np.random.default_rng(0), np.random.default_rng(1)
    hits = bad = own = 0
    for pose in poses(rng, pair.reach, "random", 200):
        pair.place(*pose)
        reference, ours = pair.reference(), pair.ours()
        hits += bool(len(reference))
        bad += bool(ours.difference(reference, 1e-6))
        assert bool(len(ours)) == bool(len(reference))
        pair.place(*(value + 1e-16 * moves.normal(size=len(value)) for value in pose))
        own += bool(pair.reference().difference(reference, 1e-6))
    assert hits > 60
    # portals become slivers whose last refinements hang on rounding, in the reference too
    assert bad <= own, (bad, own)


@pytest.mark.parametrize("turn", [0.0, 0.3, np.pi / 4])
@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.05, 0.02), (0.15, 0.25)])
@pytest.mark.parametrize(("first", "size"), [("big box", 0.3), ("mesh", 0.1)])
def test_mesh_standing_on_a_face(first, size, shift, turn):
    """A cube stands on a face: up to four corners of the overlap, each with the depth."""
    pair = Pair(GEOMS[first], GEOMS["mesh"], asset=CUBE, option=MULTICCD)
    pair.place((0, 0, 0), (1, 0, 0, 0), (*shift, size + 0.099), (np.cos(turn / 2), 0, 0, np.sin(turn / 2)))
    reference, ours = pair.reference(), pair.ours()
    assert len(ours) == len(reference) > 2
    assert np.abs(np.array([row[2] for row in ours.rows]) + 0.001).max() < 1e-8
    if turn != np.pi / 4 or first != "mesh":
        assert ours.difference(reference, 1e-7) == ""


@pytest.mark.parametrize(("first", "second"), [*CONVEX_PAIRS, ("box", "box"), *ANALYTIC_PAIRS])
def test_distance(first, second):
    """Distances and nearest points against mj_geomDistance, apart, overlapping and beyond the greatest distance."""
    pair = Pair(GEOMS[first], GEOMS[second], asset=cloud(60))
    rng = np.random.default_rng(1)
    elsewhere = 0
    for _ in range(200):
        gap = rng.normal(size=3)
        gap *= rng.uniform(0.3, 2.0) * max(pair.reach, 0.5) / np.linalg.norm(gap)
        p = rng.normal(size=3)
        pair.place(p, rng.normal(size=4), p + gap, rng.normal(size=4))
        mujoco.mj_kinematics(pair.m, pair.d)
        pair.data.geom_xpos, pair.data.geom_xmat = pair.d.geom_xpos, pair.d.geom_xmat
        distmax = float(rng.choice([0.1, 0.5, 10.0]))
        points = np.zeros(6)
        expected = mujoco.mj_geomDistance(pair.m, pair.d, 0, 1, distmax, points)
        found, ours = kinetree.geom_distance(pair.model, pair.data, 0, 1, distmax)
        assert abs(found - min(expected, distmax)) < 1e-12
        if expected < distmax and np.abs(ours - points).max() > 1e-9:
            elsewhere += 1
            # the reference counts a vertex twice that its simplex has twice: its points are not at its own distance
            assert abs(np.linalg.norm(points[3:] - points[:3]) - abs(expected)) > 1e-6
            assert abs(np.linalg.norm(ours[3:] - ours[:3]) - abs(expected)) < 1e-6
    assert elsewhere <= 4


@pytest.mark.parametrize("mode", ["random", "aligned", "near"])
@pytest.mark.parametrize(
    "asset", [CUBE, cloud(60), cloud(200, 2, (0.3, 0.3, 0.05))], ids=["cube", "60 points", "200 points, flat"]
)
def test_plane_and_mesh(mode, asset):
    hits, _, bad = compare(Pair(GEOMS["plane"], GEOMS["mesh"], asset=asset), mode, 700)
    assert hits > 200
    assert not bad, bad[:3]


PARAMETERS = {
    "defaults": ("", ""),
    "margin and gap": ('margin=".1" gap=".03"', 'margin=".2" gap=".07"'),
    "mixed by weight": (
        'solref=".01 1" solmix="1" friction="1 .1 .01" condim="4"',
        'solref=".03 2" solmix="3" friction=".5 .2 .001" condim="3" solimp=".5 .6 .7 .2 3"',
    ),
    "direct beside timeconst": ('solref="-100 -1"', 'solref=".03 2" solmix="3"'),
    "both direct": ('solref="-100 -10"', 'solref="-200 -2"'),
    "direct of higher priority": ('solref="-100 -10" priority="1"', 'solref=".03 2" priority="-1"'),
    "lower condim of higher priority": (
        'solref=".01 1" friction="1 .1 .01" condim="1" priority="2" margin=".1"',
        'solref=".03 2" friction=".5 .2 .001" condim="6" priority="1" margin=".3"',
    ),
    "lowest condim of lower priority": ('condim="1" priority="1"', 'solref=".03 2" condim="6" priority="2"'),
    "no weight of one": ('solref=".01 1" solmix="0"', 'solref=".03 2" solmix="3"'),
    "no weight of either": ('solref=".01 1" solmix="0"', 'solref=".03 2" solmix="0"'),
    "no friction": ('friction="0 0 0"', 'friction="0 0 0"'),
}
OVERRIDE = (
    '<option o_margin=".05" o_solref=".5 .6" o_solimp=".1 .2 .3 .4 1" o_friction=".1 .2 .3 .4 .5">'
    '<flag override="enable"/></option>'
)
PARAMETER_FIELDS = (
    "geom", "dim", "includemargin", "friction", "solref", "solreffriction", "solimp", "exclude", "efc_address",
)  # fmt: skip


def assert_same_parameters(twin: Twin) -> None:
    reference, ours = twin.reference(), twin.ours()
    assert ours.difference(reference) == ""
    assert [r[:2] for r in ours.unsorted] == [r[:2] for r in reference.unsorted]
    for name in PARAMETER_FIELDS:
        expected = np.reshape(getattr(twin.d.contact, name), np.shape(getattr(twin.data.contact, name)))
        np.testing.assert_allclose(getattr(twin.data.contact, name), expected, rtol=0, atol=1e-15, err_msg=name)


@pytest.mark.parametrize(
    "option",
    ["", OVERRIDE, '<option o_margin=".01"><flag override="enable"/></option>'],
    ids=["own", "override", "override of the margin"],
)
@pytest.mark.parametrize(("first", "second"), PARAMETERS.values(), ids=PARAMETERS)
def test_parameters(first, second, option):
    pair = Pair(f'size=".1" {first}', f'size=".1" {second}', option=option)
    for distance in (0.15, 0.2099, 0.2299, 0.26, 0.35):
        pair.place((0, 0, 0), (1, 0, 0, 0), (distance, 0, 0), (1, 0, 0, 0))
        assert_same_parameters(pair)


LEGS = """
<body pos="{x} 0 .0813"><freejoint/><geom name="{n}1" size=".1"/><geom name="{n}2" type="capsule" size=".1 .2"/>
 <body><joint/><geom name="{n}3" type="capsule" size=".05 .3" euler="0 90 0"/>
  <body><geom name="{n}4" size=".07" pos=".3 0 0" contype="{t}" conaffinity="{a}"/>
   <body name="{n}"><joint/><geom name="{n}5" type="box" size=".05 .06 .07" pos=".3 .1 0"/></body></body></body></body>"""
FLAGS = ('filterparent="disable"', 'override="enable"', 'contact="disable"', 'constraint="disable"')
SCENE = (
    '<mujoco><option>{flag}</option><worldbody><geom name="p" type="plane" size="1 1 1"/>'
    '<body pos=".1 0 0"><geom name="q" type="box" size="1 1 .01"/></body><body mocap="true"><geom size=".05"/></body>'
    + LEGS.format(x=0, n="a", t=1, a=2)
    + LEGS.format(x=0.15, n="b", t=2, a=0)
    + LEGS.format(x=0.1, n="c", t=0, a=1)
    + '</worldbody><contact>{contact}</contact></mujoco>'
)  # fmt: skip


@pytest.mark.parametrize(
    "flag",
    ["", *(f"<flag {flag}/>" for flag in FLAGS)],
    ids=["no flag", *(flag.partition("=")[0] for flag in FLAGS)],
)
@pytest.mark.parametrize(
    "contact",
    [
        "",
        '<exclude body1="a" body2="b"/><exclude body1="c" body2="b"/><exclude body1="a" body2="world"/>',
        '<pair geom1="c1" geom2="a1"/><pair geom1="b1" geom2="p"/><pair geom1="b2" geom2="a1" friction="2 3 4 5 6"'
        ' solref=".1 .2" solreffriction=".3 .4" margin=".1" gap=".2" condim="6"/><pair geom1="a1" geom2="a2"/>'
        '<exclude body1="a" body2="b"/><pair geom1="a5" geom2="b5"/>',
    ],
    ids=["no contact element", "excludes", "pairs"],
)
def test_filters_order_and_pairs(flag, contact):
    """Which pairs are checked, in which order, and the parameters of named pairs."""
    twin = Twin(mujoco.MjModel.from_xml_string(SCENE.format(flag=flag, contact=contact)))
    reference, ours = twin.reference(), twin.ours()
    assert [r[:2] for r in ours.unsorted] == [r[:2] for r in reference.unsorted]
    if "disable" in flag and "parent" not in flag:
        assert len(ours) == 0
    else:
        assert len(ours) > 10
    for name in PARAMETER_FIELDS:
        expected = np.reshape(getattr(twin.d.contact, name), np.shape(getattr(twin.data.contact, name)))
        np.testing.assert_allclose(getattr(twin.data.contact, name), expected, rtol=0, atol=1e-15, err_msg=name)


def rollout(twin: Twin, steps: int, every: int) -> tuple[int, int, list]:
    """(contacts, of them in pairs of geoms with different contacts, the differences)"""
    m, d, rng = twin.m, twin.d, np.random.default_rng(0)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    total, lost, bad = 0, 0, []
    for step in range(steps):
        if m.nu:
            d.ctrl[:] = rng.uniform(-1, 1, m.nu)
        if step % every == 0:
            mujoco.mj_forward(m, d)
            reference = Contacts(d.ncon, d.contact)
            ours = twin.ours()
            total += len(reference)
            why = ours.difference(reference, 1e-5)
            if why:
                lost += abs(len(ours) - len(reference)) or 1
                bad.append((step, why))
        mujoco.mj_step(m, d)
    return total, lost, bad


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared corpus")
@pytest.mark.parametrize(
    ("path", "allowed"),
    [("humanoid/humanoid.xml", 0), ("car/car.xml", 0), ("cube/cube_3x3x3.xml", 0), ("mug/mug.xml", 0),
     ("adhesion/active_adhesion.xml", 0), ("humanoid/22_humanoids.xml", 0), ("replicate/stonehenge.xml", 0),
     ("replicate/bowl.xml", 0),
     ("cards/cards.xml", 0)],
)  # fmt: skip
def test_models(path, allowed):
    twin = Twin(mujoco.MjModel.from_xml_path(str(SHARED / "corpus/mujoco/model" / path)))
    total, lost, bad = rollout(twin, 120, 8)
    assert total > 4
    assert lost <= allowed * total, bad


def test_not_a_number_leaves_the_rest():
    """A geom whose position is not a number has no contacts; those of the others are found."""
    boxes = "".join(
        f'<body pos="{x} 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>' for x in (0, 0.15, 0.3, 3)
    )
    twin = Twin(
        mujoco.MjModel.from_xml_string(
            f'<mujoco><worldbody><geom type="plane" size="1 1 1"/>{boxes}</worldbody></mujoco>'
        )
    )
    twin.reference()
    twin.data.geom_xpos = twin.d.geom_xpos
    twin.data.geom_xmat = twin.d.geom_xmat
    twin.data.geom_xpos[2] = np.nan
    detect(twin.model, twin.data)
    pairs = {tuple(map(int, g)) for g in twin.data.contact.geom}
    assert pairs == {(0, 1), (0, 3), (0, 4)}
    assert np.isfinite(twin.data.contact.pos).all()
