"""Edges, elasticity and damping of flexes, and torques of cables, against mujoco at random states and in motion."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.model.model import Model
from tests.oracle.bridge import copy_state
from tests.oracle.test_smooth import random_state

QUIET = '<contact selfcollide="none" internal="false" contype="0" conaffinity="0"/>'
SOLID = f'<elasticity young="1e3" poisson=".2" damping=".02"/>{QUIET}'
CELL = f'<flexcomp name="f" type="grid" dim="3" count="4 4 4" spacing=".1 .1 .1" dof="trilinear" mass="1">{SOLID}'
SHEET = '<flexcomp name="f" type="grid" dim="2" count="4 5 1" spacing=".1 .1 .1" mass="1" radius=".01">'
BLOCK = '<flexcomp name="f" type="{}" dim="3" count="3 3 3" spacing=".1 .1 .1" mass="1" dof="{}">' + SOLID
FOUR = """<body name="a"><joint axis="0 1 0"/><joint type="slide" axis="1 0 0"/><geom size=".02"/>
  <body name="b" pos=".1 0 0"><joint type="ball"/><geom size=".02"/></body></body>
 <body name="c" pos="0 .1 0"><freejoint/><geom size=".02"/></body>
 <body name="e" pos="0 0 .1"><joint type="slide" axis="0 0 1"/><geom size=".02"/></body>"""


def surface(elastic: str, edge: str = "", pin: str = "") -> str:
    return (
        f'{SHEET}<elasticity young="1e4" poisson=".2" damping=".3" thickness=".02" elastic2d="{elastic}"/>{edge}{pin}'
        f"{QUIET}</flexcomp>"
    )


def riding(inside: str) -> str:
    return f'<body name="P" quat="1 .5 .2 .3" pos="1 0 0"><freejoint/><geom size=".1"/>{inside}</body>'


def resting(inside: str) -> str:
    return f'<body name="P" quat="1 .5 .2 .3" pos="1 0 0">{inside}</body>'


LINE = (
    '<flexcomp name="f" type="grid" dim="1" count="6 1 1" spacing=".1 .1 .1" mass="1" radius=".01">'
    f'<edge stiffness="30" damping=".2" equality="true"/>{QUIET}</flexcomp>'
)
EDGES = '<edge damping=".7"/>'
WORLDS = {
    "line": LINE,
    "riding line": riding(LINE.replace("</flexcomp>", '<pin id="0"/></flexcomp>')),
    "stretched": surface("stretch", EDGES, '<pin id="0 1"/>'),
    "riding surface": riding(surface("stretch", EDGES)),
    "bent": surface("bend"),
    "stretched and bent": surface("both", EDGES),
    "solid": resting(BLOCK.format("grid", "full") + '<pin id="0"/></flexcomp>'),
    "riding solid": riding(BLOCK.format("grid", "full") + f'{EDGES}<pin id="0"/></flexcomp>'),
    "radial": BLOCK.format("box", "radial") + "</flexcomp>",
    "riding radial": riding(BLOCK.format("box", "radial") + "</flexcomp>"),
    "cell": CELL + "</flexcomp>",
    "pinned cell": CELL + '<pin id="0 3"/></flexcomp>',
    "riding cell": riding(CELL + "</flexcomp>"),
    "on joints": FOUR,
}
AFTER = {
    "on joints": f"""<deformable>
 <flex name="x" dim="3" body="a b c e" element="0 1 2 3" radius=".001">{SOLID}<edge damping=".5"/></flex>
 <flex name="y" dim="2" body="a b c e" vertex=".01 0 0 0 .01 0 0 0 .02 .03 0 .1" element="0 1 2 1 2 3" radius=".001">
  <elasticity young="1000" poisson=".1" damping=".2" thickness=".1" elastic2d="stretch"/>{QUIET}</flex></deformable>
 <equality><flex flex="y" solref=".03 1"/></equality>"""
}
CABLE = """<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension>
 <option timestep=".001"><flag energy="enable"/></option><default><geom contype="0" conaffinity="0"/></default><worldbody>
 <composite prefix="a" type="cable" curve="{curve}" count="9 1 1" size="1 .2 .3" offset="0 0 1" initial="{initial}">
  <plugin plugin="mujoco.elasticity.cable"><config key="twist" value="1e7"/><config key="bend" value="4e6"/>
   <config key="flat" value="{flat}"/></plugin>
  <joint kind="main" damping=".1"/><geom type="{shape}" size="{size}"/></composite></worldbody></mujoco>"""
CABLES = {
    "round": {"curve": "s 0 0", "initial": "none", "flat": "false", "shape": "capsule", "size": ".005"},
    "free": {"curve": "s cos(s) sin(s)", "initial": "free", "flat": "true", "shape": "box", "size": ".01 .02 .005"},
    "bent": {"curve": "cos(s) sin(s) 0", "initial": "ball", "flat": "false", "shape": "cylinder", "size": ".01 .02"},
}
TEXTS = {
    name: f"""<mujoco><option integrator="{"implicit" if "riding" in name else "implicitfast"}" timestep="1e-3">
 <flag energy="enable"/></option><default><geom contype="0" conaffinity="0"/></default>
 <worldbody>{text}</worldbody>{AFTER.get(name, "")}</mujoco>"""
    for name, text in WORLDS.items()
} | {f"{name} cable": CABLE.format(**row) for name, row in CABLES.items()}
FIELDS = (
    "flexvert_xpos", "flexedge_length", "flexedge_velocity", "qfrc_spring", "qfrc_damper", "qfrc_passive", "energy",
    "efc_pos", "efc_vel", "efc_aref", "efc_diagApprox", "efc_KBIP", "efc_R",
)  # fmt: skip


def edge_jacobian(model: Model, data: kinetree.Data) -> np.ndarray:
    """flexedge_J as a full matrix (nflexedge, nv)."""
    rows = np.repeat(np.arange(model.nflexedge), model.flexedge_J_rownnz)
    full = np.zeros((model.nflexedge, model.nv))
    full[rows, model.flexedge_J_colind] = data.flexedge_J
    return full


def _near(name: str, ours, theirs, tolerance: float) -> None:
    scale = 1.0 + np.max(np.abs(theirs), initial=0.0)
    np.testing.assert_allclose(ours, np.reshape(theirs, np.shape(ours)), atol=tolerance * scale, err_msg=name)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_forces_and_rows(text):
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    assert not model.unsimulated
    d, data = mujoco.MjData(m), kinetree.Data(model)
    m.opt.jacobian = model.opt.jacobian = 0
    rng = np.random.default_rng(3)
    for moved in (False, True, True):
        if moved:
            mujoco.mj_resetData(m, d)
            d.qvel[:] = rng.normal(0, 1, m.nv)
            mujoco.mj_integratePos(m, d.qpos, d.qvel, 0.02)
        mujoco.mj_forward(m, d)
        for name in ("flexvert_xpos", "qfrc_spring", "qfrc_damper", "qfrc_passive", "energy", "flexvert_force"):
            getattr(data, name)[...] = np.nan
        copy_state(m, d, data)
        kinetree.forward(model, data)
        assert data.nefc == d.nefc
        for name in FIELDS:
            _near(name, getattr(data, name), getattr(d, name), 1e-10)
        _near("flexedge_J", edge_jacobian(model, data), d.flexedge_J, 1e-12)
        _near("qacc", data.qacc, d.qacc, 1e-6)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_motion(text):
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    random_state(m, d, np.random.default_rng(4))
    d.qpos[:] = m.qpos0
    d.qvel *= 0.1
    copy_state(m, d, data)
    mujoco.mj_step(m, d, 20)
    assert not d.warning.number.any()
    kinetree.step(model, data, 20)
    _near("qpos", data.qpos, d.qpos, 1e-8)
    _near("qvel", data.qvel, d.qvel, 1e-6)


CLOTH = (
    '<flexcomp name="{name}" type="grid" dim="2" count="6 6 1" spacing=".1 .1 .1" mass="1" radius=".01" pos="{pos}">'
    f'<edge equality="true"/><pin id="{{pin}}"/>{QUIET}</flexcomp>'
)


@pytest.mark.parametrize("island", ["enable", "disable"])
@pytest.mark.parametrize("pins", [("0", "0"), ("0 14", "7 8 21")], ids=["corner", "inside"])
def test_edges_under_conjugate_gradients(island, pins):
    """Long rows of edges, with others between them, of two cloths that are islands of their own."""
    cloths = "".join(
        CLOTH.format(name=n, pos=p, pin=pin) for n, p, pin in zip("fg", ("0 0 0", "2 0 0"), pins, strict=True)
    )
    text = f"""<mujoco><option solver="CG" iterations="20" tolerance="0"><flag island="{island}"/></option><worldbody>
 {cloths}<body pos="4 0 0"><joint name="j" damping="1" frictionloss=".1"/><geom size=".1" pos=".1 0 0"/></body>
 </worldbody></mujoco>"""
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    rng = np.random.default_rng(5)
    for _ in range(3):
        d.qvel[:] = rng.normal(0, 0.3, m.nv)
        mujoco.mj_integratePos(m, d.qpos, d.qvel, 0.02)
        d.qacc_warmstart[:] = 0
        mujoco.mj_forward(m, d)
        copy_state(m, d, data)
        data.qacc_warmstart[:] = 0
        kinetree.forward(model, data)
        for name in ("qacc", "qfrc_constraint", "efc_force"):
            _near(name, getattr(data, name), getattr(d, name), 1e-7)
