"""Contacts of flexes against mujoco's: their number, order, places and parameters."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from tests.oracle.collide import Twin

HEIGHTS = " ".join(str((i * 7 % 5) / 5) for i in range(72))
ASSETS = f"""<asset>
  <mesh name="m" vertex="-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.05 0 0 .2 .1 .05 .1 -.1 0 .1"/>
  <hfield name="h" nrow="8" ncol="9" size=".5 .6 .2 .1" elevation="{HEIGHTS}"/></asset>"""
GEOMS = {
    "sphere": 'type="sphere" size=".12"', "capsule": 'type="capsule" size=".08 .15"',
    "ellipsoid": 'type="ellipsoid" size=".1 .15 .2"', "cylinder": 'type="cylinder" size=".1 .15"',
    "box": 'type="box" size=".1 .15 .12"', "mesh": 'type="mesh" mesh="m"',
}  # fmt: skip
GRIDS = {1: 'count="8 1 1" spacing=".08 .08 .08"', 2: 'count="5 4 1" spacing=".1 .1 .1"',
         3: 'count="4 3 3" spacing=".12 .12 .12"'}  # fmt: skip
QUIET = 'selfcollide="none" internal="false"'
PARAMETERS = ("includemargin", "friction", "solref", "solreffriction", "solimp", "dim", "geom", "flex", "elem", "vert")


def grid(dim: int, contact: str, more: str = 'pos="0 0 .1"', inside: str = "", name: str = "f") -> str:
    return (
        f'<flexcomp name="{name}" type="grid" dim="{dim}" {GRIDS[dim]} radius=".02" {more}>'
        f'<contact {contact}/><edge equality="false"/>{inside}</flexcomp>'
    )


def world(bodies: str, flag: str = "", option: str = "") -> str:
    return f"<mujoco><option {option}><flag {flag}/></option>{ASSETS}<worldbody>{bodies}</worldbody></mujoco>"


def agree(text: str, noise: float, states: int = 3, tolerance: float = 1e-9) -> int:
    """Compares at random states; the number of contacts with flexes."""
    twin = Twin(mujoco.MjModel.from_xml_string(text))
    rng, found = np.random.default_rng(1), 0
    for _ in range(states):
        twin.d.qpos[:] = twin.m.qpos0 + noise * rng.normal(size=twin.m.nq)
        twin.reference()
        twin.ours()
        theirs, ours = twin.d.contact, twin.data.contact
        assert twin.data.ncon == twin.d.ncon
        for name in PARAMETERS:
            np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-12, err_msg=name)
        assert (ours.exclude[theirs.exclude != 3] == theirs.exclude[theirs.exclude != 3]).all()
        for name in ("dist", "pos", "frame"):
            width = {"dist": 1, "pos": 3, "frame": 9}[name]
            gap = np.abs(getattr(ours, name).reshape(-1, width) - getattr(theirs, name).reshape(-1, width))
            # where curved shapes nearly touch, one iteration more or less moves a point by the tolerance's root
            assert (gap.max(1) > tolerance).sum() <= 1 + 0.01 * twin.d.ncon, name
            assert gap.max(initial=0.0) < 0.05
        found += int((theirs.geom < 0).any(1).sum())
    return found


@pytest.mark.parametrize("margin", [0, 0.03])
@pytest.mark.parametrize("dim", GRIDS)
@pytest.mark.parametrize("geom", GEOMS)
def test_elements_and_geoms(geom, dim, margin):
    body = f'<body pos="0 0 .1"><freejoint/><geom {GEOMS[geom]} margin="{margin}"/></body>'
    assert agree(world(body + grid(dim, QUIET)), 0.03) > 5


@pytest.mark.parametrize("dim", GRIDS)
def test_height_fields(dim):
    assert agree(world('<geom type="hfield" hfield="h"/>' + grid(dim, QUIET + ' margin=".01"')), 0.03) > 20


@pytest.mark.parametrize("dim", GRIDS)
def test_vertices_and_planes(dim):
    planes = '<geom type="plane" size="3 3 1"/><geom type="plane" size="1 1 1" euler="5 10 0" priority="1" gap=".01"/>'
    place = 'pos="0 0 .03"'
    assert agree(world(planes + grid(dim, QUIET + ' margin=".02" condim="6"', place)), 0.03) > 5


@pytest.mark.parametrize("first", GRIDS)
@pytest.mark.parametrize("second", GRIDS)
def test_two_flexes(first, second):
    one = grid(first, QUIET + ' margin=".01" solmix="2" condim="4"')
    priority = 1 if first == 2 else 0
    two = grid(second, QUIET + f' gap=".003" solref="-100 -10" priority="{priority}"', 'pos=".03 .02 .12"', name="g")
    assert agree(world(one + two), 0.04, 2) > 10


@pytest.mark.parametrize("internal", ["false", "true"])
@pytest.mark.parametrize("method", ["none", "narrow", "bvh", "sap", "auto"])
@pytest.mark.parametrize("dim", GRIDS)
def test_a_flex_and_itself(dim, method, internal):
    settings = f'internal="{internal}" selfcollide="{method}" margin=".01" gap=".004" friction=".7 .02 .001"'
    layers = ("1", "2") if dim == 3 else ("1",)
    found = sum(agree(world(grid(dim, f'{settings} activelayers="{n}"')), 0.1 if dim < 3 else 0.05, 4) for n in layers)
    assert (found > 0) == (method != "none" or internal == "true")


@pytest.mark.parametrize("dim", GRIDS)
@pytest.mark.parametrize(
    ("flag", "option"),
    [
        ('midphase="disable"', ""),
        ('nativeccd="disable"', ""),
        ('override="enable"', 'o_margin=".02" o_solref=".01 1.2" o_friction=".5 .6 .7 .8 .9"'),
        ('filterparent="disable"', ""),
        ('multiccd="enable"', ""),
    ],
)
def test_options_masks_and_shared_bodies(flag, option, dim):
    inner = grid(dim, 'internal="true"', inside='<pin id="0 1"/>')
    bodies = f"""<geom type="plane" size="3 3 .1" contype="2" conaffinity="2"/>
      <geom type="plane" size="3 3 .1" pos="0 0 .03" euler="5 4 0" priority="1" margin=".02"/>
      <geom type="box" size=".1 .1 .1" contype="3"/><geom size=".1" pos=".1 .1 .15" contype="2" conaffinity="2"/>
      <body name="b" pos="0 0 .1"><freejoint/><geom type="capsule" size=".05 .1"/>
      <geom type="cylinder" size=".05 .1" pos=".1 0 .1" priority="2" condim="1"/>{inner}</body>
      <body pos=".05 0 .2"><freejoint/><geom type="ellipsoid" size=".1 .12 .14"/></body>"""
    assert agree(world(bodies, flag, option), 0.04) > 20


@pytest.mark.parametrize("dof", ["trilinear", "radial"])
def test_other_dofs(dof):
    kind = "box" if dof == "radial" else "grid"
    flex = (
        f'<flexcomp name="f" type="{kind}" dim="3" count="4 4 4" spacing=".1 .1 .1" radius=".02" dof="{dof}" '
        f'pos="0 0 .2"><contact {QUIET}/></flexcomp>'
    )
    bodies = f"""<geom type="plane" size="3 3 .1" pos="0 0 -.02"/>
      <body name="b" pos="0 0 .1"><freejoint/><geom type="box" size=".2 .2 .1"/>{flex}</body>
      <body pos=".05 0 .4"><freejoint/><geom type="ellipsoid" size=".1 .12 .14"/></body>"""
    assert agree(world(bodies), 0.02) > 50


def test_rigid_flexes():
    solid = grid(3, "", 'rigid="true" pos="0 0 .1"')
    sheet = grid(2, 'solmix="2"', 'rigid="true"', name="g")
    bodies = f"""<geom type="box" size=".2 .2 .1"/><geom type="plane" size="3 3 .1"/>{solid}
      <body name="b" pos="0 0 .2"><freejoint/><geom size=".1"/>{sheet}</body>"""
    assert agree(world(bodies), 0.02) > 50


def test_more_contacts_than_there_is_memory_for():
    """Data grows and all contacts are found; a second run with the memory that is there finds the same bits."""
    model = kinetree.load_string(world('<geom type="plane" size="3 3 .1"/>' + grid(3, 'internal="true"', "")))
    data = kinetree.Data(model)
    rng = np.random.default_rng(1)
    data.qpos += 0.08 * rng.normal(size=model.nq)
    kinetree.forward(model, data)
    first = data.ncon, data.contact.dist.copy(), data.contact.elem.copy()
    assert first[0] > 100
    kinetree.forward(model, data)
    assert data.ncon == first[0]
    assert np.array_equal(data.contact.dist, first[1]) and np.array_equal(data.contact.elem, first[2])


@pytest.mark.parametrize("dim", GRIDS)
def test_trees_of_boxes(dim):
    """The compiler's trees are the reference's, which decide the order of contacts of a flex with itself."""
    text = world(grid(dim, "", 'euler="10 20 30"'))
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    rows = slice(m.flex_bvhadr[0], m.flex_bvhadr[0] + m.flex_bvhnum[0])
    assert np.array_equal(model.flextree_child, m.bvh_child[rows])
    assert np.array_equal(model.flextree_elem, m.bvh_nodeid[rows])


@pytest.mark.parametrize("dim", GRIDS)
def test_steps(dim):
    """A flex that falls on a ball and a plane moves as in mujoco."""
    bodies = '<geom type="plane" size="3 3 .1"/><body pos=".02 .03 .1"><freejoint/><geom size=".1"/></body>'
    text = world(bodies + grid(dim, 'internal="true"', 'pos="0 0 .4"'))
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    while not (d.contact.geom < 0).any():
        mujoco.mj_step(m, d)
        kinetree.step(model, data)
    for _ in range(5):
        mujoco.mj_step(m, d)
        kinetree.step(model, data)
        assert data.ncon == d.ncon
        np.testing.assert_allclose(data.qpos, d.qpos, atol=1e-6)


@pytest.mark.parametrize("content", [-1, 0, 7, 2**31 - 1])
def test_the_sweep_may_start_from_anything(content):
    """Which contacts are found, and in which order, does not depend on what the last sweep left."""
    twin = Twin(mujoco.MjModel.from_xml_string(world(grid(2, ""))))
    twin.d.qpos[:] = twin.m.qpos0 + 0.1 * np.random.default_rng(1).normal(size=twin.m.nq)
    twin.reference()
    twin.ours()
    first = twin.data.contact.elem.copy()
    assert len(first) == twin.d.ncon > 20
    twin.data.flex_sweep[...] = content
    twin.data.flex_list[...] = content
    twin.ours()
    assert np.array_equal(twin.data.contact.elem, first)


@pytest.mark.parametrize("turn", ["0 0 0", "90 0 0", "0 90 0", "0 0 45", "20 30 40"])
def test_large_cloths(turn):
    """Pairs and their order along every axis; folded and crumpled; beside geoms of every size."""
    cloth = f"""<flexcomp name="f" type="grid" dim="2" count="19 14 1" spacing=".1 .1 .1" radius=".01" euler="{turn}">
      <contact selfcollide="sap" internal="false"/><edge equality="false"/></flexcomp>"""
    geoms = "".join(f'<geom size="{r}" pos="{x} {y} 0"/>' for r, x, y in ((2, 0, 0), (0.2, 0.5, 0.3), (0.03, -0.5, 0)))
    text = world(geoms + '<geom type="box" size=".05 1 .05" pos=".7 0 0"/>' + cloth)
    twin = Twin(mujoco.MjModel.from_xml_string(text))
    rng = np.random.default_rng(1)
    for noise, fold in ((0.03, 1.0), (0.01, 0.1), (0.15, 1.0)):
        bodies = twin.m.flex_vertbodyid
        scale = rng.permutation([fold, 1.0, 1.0])
        twin.d.qpos[:] = ((scale - 1) * twin.m.body_pos[bodies] + noise * rng.normal(size=(len(bodies), 3))).ravel()
        twin.reference()
        twin.ours()
        assert twin.data.ncon == twin.d.ncon > 300
        for name in ("geom", "flex", "elem", "vert"):
            assert np.array_equal(getattr(twin.data.contact, name), getattr(twin.d.contact, name)), name


@pytest.mark.parametrize("dim", GRIDS)
def test_positions_that_are_no_numbers(dim):
    """A flex that is torn: forward dynamics ends, and a step resets the state with a warning."""
    text = world('<geom type="plane" size="3 3 1"/>' + grid(dim, 'internal="true"'))
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    for value in (np.nan, np.inf, 1e200):
        data.qpos[4] = value
        kinetree.forward(model, data)
        kinetree.step(model, data)
        assert np.isfinite(data.qpos).all() and data.time == pytest.approx(model.opt.timestep)


def test_touch_sensors_do_not_feel_flexes():
    """As in the reference: the body rests on a box and a cloth, and the sensor feels the box."""
    bodies = """<geom type="box" size=".1 .1 .1" pos=".1 0 0"/>
      <body pos=".1 0 .19"><freejoint/><geom size=".1" mass="1"/><site name="s" size=".2"/></body>"""
    cloth = grid(2, QUIET, 'pos="0 0 .11"', '<pin id="0 3 16 19"/>')
    text = world(bodies + cloth).replace("</mujoco>", '<sensor><touch site="s"/></sensor></mujoco>')
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    felt = 0
    for _ in range(50):
        mujoco.mj_step(m, d)
        kinetree.step(model, data)
        felt += d.sensordata[0] > 0
        np.testing.assert_allclose(data.sensordata, d.sensordata, atol=1e-6)
    assert felt and (d.contact.geom < 0).any()


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("dim", [3, 4, 6])
def test_spinning_and_rolling(dim, cone):
    """As in the reference where its Jacobian is dense; where it is sparse, its torques come from memory that nothing
    was written to.
    """
    ball = f'<body pos=".02 .03 0"><freejoint/><geom size=".1" condim="{dim}" friction="1 .1 .1"/></body>'
    found = {}
    for jacobian in ("dense", "sparse"):
        option = f'jacobian="{jacobian}" cone="{cone}"'
        text = world(ball + grid(2, QUIET, 'pos="0 0 -.1"'), option=option)
        m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
        d, data = mujoco.MjData(m), kinetree.Data(model)
        d.qvel[:] = np.random.default_rng(1).normal(size=m.nv)
        d.qvel[3:6] *= 5
        data.qvel[:] = d.qvel
        mujoco.mj_forward(m, d)
        kinetree.forward(model, data)
        assert data.ncon == d.ncon > 2
        found[jacobian] = data.qacc.copy(), d.qacc.copy()
    np.testing.assert_allclose(*found["dense"], atol=1e-8)
    np.testing.assert_allclose(found["sparse"][0], found["dense"][0], atol=1e-8)
    differs = not np.abs(found["sparse"][1] - found["dense"][1]).max() <= 0.1  # it may be no number
    if dim == 3 or cone == "elliptic":  # pyramids of these numbers may be as they should
        assert differs == (dim > 3)
