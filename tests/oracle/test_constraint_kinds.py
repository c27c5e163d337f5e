"""One test for each kind of constraint: rows and accelerations against mujoco, with random parameters and states.

Every kind is tried with both formats of solref, with random impedances, dense and sparse, and switched on and off at
run time. Contacts: test_constraint.py.
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.oracle.constrained import both, check_rows, gap, run_both

WORLD = """<worldbody><site name="w" pos=".37 .1 1.4" euler="10 20 30"/>
 <body name="a" pos="0 0 1"><freejoint/><geom size=".1 .2 .1" type="box"/><site name="sa" pos=".1 0 .2" euler="10 0 5"/>
  <body name="b" pos=".3 0 0"><joint name="h" axis="0 1 0" {joint}/><joint name="g" axis="1 0 0"/><geom size=".1" pos=".1 0 0"/>
   <body name="c" pos=".3 0 .1"><joint name="s" type="slide" axis="1 0 1" {joint}/><geom size=".05 .1" type="capsule"/>
    <site name="sc" pos="0 .1 .1"/></body></body></body>
 <body name="d" pos="1 0 1" euler="10 20 30"><joint name="ball" type="ball" {ball}/><geom size=".1 .2 .1" type="box"
  pos=".1 .1 0"/><site name="sd" pos="0 .1 .2" euler="0 50 5"/></body>
 <body name="m" mocap="true" pos="1 1 1"/></worldbody>
<tendon><fixed name="t" {tendon}><joint joint="h" coef=".4"/><joint joint="s" coef="-1"/></fixed>
 <spatial name="u" {tendon}><site site="sa"/><site site="sd"/><site site="sc"/></spatial></tendon>"""

KINDS: dict[str, dict[str, str]] = {
    "connect of bodies": {"equality": '<connect body1="a" body2="d" anchor=".2 .1 0" {solver}/>'},
    "connect to the world": {"equality": '<connect body1="c" anchor=".2 .1 0" {solver}/>'},
    "connect of sites": {"equality": '<connect site1="sc" site2="sd" {solver}/>'},
    "connect of a site to the world": {"equality": '<connect site1="w" site2="sa" {solver}/>'},
    "weld of bodies": {"equality": '<weld body1="b" body2="d" {solver}/>'},
    "weld with a pose": {
        "equality": '<weld body1="a" body2="c" relpose=".2 0 .1 1 .1 0 .2" anchor=".1 .2 .3" {solver}/>'
    },
    "weld to a mocap body": {"equality": '<weld body1="m" body2="a" torquescale=".3" {solver}/>'},
    "weld of sites": {"equality": '<weld site1="sa" site2="sd" torquescale="2" {solver}/>'},
    "weld in one chain": {"equality": '<weld body1="c" body2="a" torquescale="0" {solver}/>'},
    "joint to joint": {"equality": '<joint joint1="h" joint2="s" polycoef=".1 .5 .2 -.3 .1" {solver}/>'},
    "joint alone": {"equality": '<joint joint1="s" polycoef=".2 1 2 3 4" {solver}/>'},
    "tendon to tendon": {"equality": '<tendon tendon1="t" tendon2="u" polycoef=".1 -.6 .4 .2 -.1" {solver}/>'},
    "tendon alone": {"equality": '<tendon tendon1="u" polycoef=".3 0 0 0 0" {solver}/>'},
    "friction loss of joints": {"joint": 'frictionloss=".4" {friction}', "ball": 'frictionloss=".1" {friction}'},
    "friction loss of tendons": {"tendon": 'frictionloss=".3" {friction}'},
    "limits of hinge and slide": {"joint": 'limited="true" range="-10 5" margin="{margin}" {limit}'},
    "limits of ball joints": {"ball": 'limited="true" range="0 {range}" margin="{margin}" {limit}'},
    "limits of tendons": {"tendon": 'limited="true" range="-.1 .3" margin="{margin}" {limit}'},
}


def _solver(rng: np.random.Generator, suffix: str) -> str:
    power = rng.choice([1.0, 1.5, 2.0, 3.7])
    solimp = [*rng.uniform(0, 1, 2), rng.choice([0.0, 0.01, 0.3]), rng.uniform(0, 1), power]
    solref = rng.choice(["", "0.03 0.7", "0.001 2", "-300 -20", "-1e4 0"])
    attributes = f'solimp{suffix}="{" ".join(f"{v:.4g}" for v in solimp)}"' if rng.random() < 0.8 else ""
    return attributes + (f' solref{suffix}="{solref}"' if solref else "")


def _model(kind: str, rng: np.random.Generator) -> mujoco.MjModel:
    parts = {"joint": "", "ball": "", "tendon": "", "equality": ""} | KINDS[kind]
    filled = {
        name: text.format(
            solver=_solver(rng, ""),
            friction=_solver(rng, "friction"),
            limit=_solver(rng, "limit"),
            margin=rng.choice([0, 0.02, 0.3]),
            range=rng.choice([1, 30, 90]),
        )
        for name, text in parts.items()
    }
    refsafe = rng.choice(["enable", "disable"])
    jacobian, cone = rng.choice(["dense", "sparse", "auto"]), rng.choice(["pyramidal", "elliptic"])
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option jacobian="{jacobian}" cone="{cone}"><flag refsafe="{refsafe}" contact="disable"/></option>'
        + WORLD.format(**filled)
        + f"<equality>{filled['equality']}</equality></mujoco>"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_kind(kind):
    rng = np.random.default_rng(sum(map(ord, kind)))
    rows = 0
    for _ in range(6):
        m = _model(kind, rng)
        d, model, data = both(m)
        for scale in (0.0, 0.01, 0.3, 1.5):
            mujoco.mj_resetData(m, d)
            mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv) * scale, 1.0)
            d.qvel[:] = rng.normal(size=m.nv) * scale
            d.mocap_pos[:] += rng.normal(size=3) * scale
            for _ in range(2):
                run_both(m, d, model, data)
                check_rows(m, d, model, data)
                assert gap(data.qacc, d.qacc) < 1e-6
                rows += d.nefc
                d.eq_active[:] ^= 1
    assert rows > 0


IDLE = {
    "connect of welded bodies": ('<connect body1="a" body2="b" anchor=".1 .2 .3"/>', ""),
    "weld of welded bodies": ('<weld body1="a" body2="b"/>', ""),
    "connect on the axis": ('<connect body1="c" anchor=".1 0 0"/>', ""),
    "weld on the axis": ('<weld body1="c"/>', ""),
    "equality of a stretched tendon": ('<tendon tendon1="t"/>', ""),
    "friction of a stretched tendon": ("", 'frictionloss="1"'),
    "limit of a stretched tendon": ("", 'limited="true" range="0 .1"'),
}
ON_AXIS = """<mujoco><option jacobian="{}"/><worldbody><site name="w" pos="2 0 0"/><body name="a"><joint frictionloss="1"/>
<geom size=".1"/><body name="b" pos=".3 0 0"><geom size=".1"/></body></body><body name="c" pos="1 0 0"><joint
axis="1 0 0"/><geom size=".1" pos=".1 0 0"/><site name="s" pos=".2 0 0"/></body></worldbody><equality>{}</equality>
<tendon><spatial name="t" {}><site site="s"/><site site="w"/></spatial></tendon></mujoco>"""


@pytest.mark.parametrize("jacobian", ["dense", "auto", "sparse"])
@pytest.mark.parametrize("name", IDLE)
def test_constraints_without_effect(name, jacobian):
    """Where the Jacobian is dense, the reference leaves out constraints whose Jacobian is zero."""
    m = mujoco.MjModel.from_xml_string(ON_AXIS.format(jacobian, *IDLE[name]))
    d, model, data = both(m)
    run_both(m, d, model, data)
    check_rows(m, d, model, data)
    assert gap(data.qacc, d.qacc) < 1e-8
