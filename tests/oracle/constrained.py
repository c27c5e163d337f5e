"""Run the constraint stages on mujoco's contacts, and small models with every kind of constraint."""

from __future__ import annotations

import mujoco
import numpy as np

import kinetree
from kinetree.engine.dynamics import forward
from kinetree.engine.dynamics.query.inspect import efc_J
from kinetree.engine.jit.compiler import compiled
from tests.oracle.bridge import copy_contacts, copy_state, model_from

# Stages that constraints neither need nor change; contacts are mujoco's.
SKIPPED = {"camlight", "transmission", "actuator_velocity", "actuation", "energy"}
EFC = ["type", "id", "pos", "margin", "frictionloss", "diagApprox", "KBIP", "D", "R", "vel", "aref"]


def run_both(m, d, model, data, uncompiled: bool = False) -> None:
    """mj_forward, and our stages from the same state with its contacts; what ours computes is poisoned before."""
    copy_state(m, d, data)
    mujoco.mj_forward(m, d)
    for name in ("qacc", "qfrc_constraint"):
        data._arrays[name][...] = np.nan
    for name, array in data._arrays.items():
        if name.startswith(("efc_", "seg_", "grp_")):
            array[...] = np.nan if array.dtype == float else -77
    copy_contacts(d, data)
    data.qfrc_actuator = d.qfrc_actuator
    for row in forward.stages(model, forward.FORWARD):
        if row.name in SKIPPED or row.name.startswith("sensor") or "collision" in row.where:
            continue
        stage = row.load() if uncompiled else compiled(row.load())
        stage(model, data)
        while data.needs_memory:
            data.grow()
            stage(model, data)


def reference_J(m, d) -> np.ndarray:
    dense = np.zeros((d.nefc, m.nv))
    if mujoco.mj_isSparse(m):
        mujoco.mju_sparse2dense(dense, d.efc_J, d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind)
        return dense
    return d.efc_J[: d.nefc * m.nv].reshape(d.nefc, m.nv).copy()  # behind it, rows that it left out


def gap(ours, theirs) -> float:
    """Largest difference, relative to the size of the reference (at least 1)."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    assert ours.size == theirs.size, (ours.shape, theirs.shape)
    theirs = theirs.reshape(ours.shape)
    difference = np.abs(ours - theirs).max(initial=0.0)
    assert np.isfinite(difference)
    return difference / max(1.0, np.abs(theirs).max(initial=0.0))


def check_rows(m, d, model, data, tolerance: float = 1e-9) -> None:
    assert data.nefc == d.nefc
    assert (data.ne, data.nf, data.nl) == (d.ne, d.nf, d.nl)
    for name in EFC:
        assert gap(getattr(data, "efc_" + name), getattr(d, "efc_" + name)) < tolerance, name
    assert gap(efc_J(model, data), reference_J(m, d)) < tolerance
    assert gap(data.contact_mu, d.contact.mu) < tolerance
    assert gap(data.contact_efc_address, d.contact.efc_address) == 0
    assert gap(data.contact_exclude, d.contact.exclude) == 0
    if d.nefc and not m.neq:  # of an equality mujoco notes its id here, not its row
        assert gap(data.tendon_efcadr, d.tendon_efcadr) == 0


def cost_and_gradient(m, d, data, qacc) -> tuple[float, float]:
    """The primal cost at an acceleration by mujoco's own function, and the length of its gradient."""
    M = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, M, d.qM)
    J = reference_J(m, d)
    cost, force = np.zeros(1), d.efc_force.copy()
    mujoco.mj_constraintUpdate(m, d, J @ qacc - d.efc_aref, cost, 0)
    gradient = M @ qacc - d.qfrc_smooth - J.T @ d.efc_force
    d.efc_force[:] = force
    away = qacc - d.qacc_smooth
    return 0.5 * away @ M @ away + cost[0], np.linalg.norm(gradient)


def settle(m, d, steps: int, rng) -> None:
    for _ in range(steps):
        if m.nu:
            d.ctrl[:] = rng.uniform(-1, 1, m.nu)
        mujoco.mj_step(m, d)


def both(m):
    model = model_from(m)
    return mujoco.MjData(m), model, kinetree.Data(model)


BALLS = """<body pos="0 0 {z}"><freejoint/><geom type="{type}" size=".1 .12 .08" condim="{dim}"
  friction=".7 .02 .003"/></body>"""

CONSTRAINED = {
    "limits": """<mujoco><worldbody>
 <body><joint name="h" axis="0 1 0" range="-10 5" margin=".1" limited="true" solimplimit=".8 .97 .02 .3 3"/>
  <geom size=".1" pos=".3 0 0"/>
  <body pos=".5 0 0"><joint name="s" type="slide" axis="1 0 1" range="-.01 .01" limited="true" margin=".05"
   solreflimit="-500 -30"/><geom size=".1"/>
   <body pos=".2 0 0"><joint name="b" type="ball" range="0 10" limited="true" solreflimit=".001 .7"/>
    <geom type="capsule" size=".05 .1" pos=".1 .1 0"/></body></body></body></worldbody>
 <tendon><fixed name="t" limited="true" range="-.02 .01" margin=".04"><joint joint="h" coef=".4"/>
  <joint joint="s" coef="-1"/></fixed></tendon></mujoco>""",
    "friction loss": """<mujoco><worldbody>
 <body><joint name="h" axis="0 1 0" frictionloss=".4"/><geom size=".1" pos=".3 0 0"/>
  <body pos=".5 0 0"><joint type="ball" frictionloss=".01" solreffriction=".03 1"/><geom size=".1" pos=".1 0 0"/></body>
  </body><body pos="2 0 0"><joint name="s" type="slide" axis="0 0 1" frictionloss="40"/><geom size=".1"/></body>
 <body pos="4 0 0"><freejoint/><geom size=".1"/></body></worldbody>
 <tendon><fixed name="t" frictionloss=".3"><joint joint="h" coef=".4"/><joint joint="s" coef="-1"/></fixed></tendon>
 </mujoco>""",
    "equalities": """<mujoco><worldbody>
 <body name="a" pos="0 0 1"><freejoint/><geom size=".1 .2 .1" type="box"/><site name="sa" pos=".1 0 .2" euler="10 0 5"/>
  <body name="b" pos=".3 0 0"><joint name="h1" axis="0 1 0"/><joint name="h2" axis="1 0 0"/><geom size=".1" pos=".1 0 0"/>
   <body name="c" pos=".3 0 .1"><joint name="h3" axis="0 0 1"/><geom size=".05 .1" type="capsule"/></body></body></body>
 <body name="d" pos="1 0 1" euler="10 20 30"><freejoint/><geom size=".1 .2 .1" type="box"/>
  <site name="sd" pos="0 .1 .2" euler="0 50 5"/></body>
 <body name="e" pos="0 1 1"><joint name="s" type="slide" axis="0 0 1"/><geom size=".1"/></body></worldbody>
 <tendon><fixed name="t1"><joint joint="h1" coef=".4"/><joint joint="s" coef="-1"/></fixed>
  <fixed name="t2"><joint joint="h1" coef=".7"/><joint joint="h3" coef="2"/></fixed></tendon>
 <equality><connect body1="a" body2="d" anchor=".2 .1 0"/><connect body1="c" anchor="0 .1 .1" solref="-300 -20"/>
  <weld body1="d" body2="c" torquescale=".3" solimp=".5 .95 .3 .4 2.5"/><weld body1="b" body2="a" relpose=".2 0 .1 1 .1 0 .2"/>
  <weld site1="sa" site2="sd"/><connect site1="sd" site2="sa"/>
  <joint joint1="h1" joint2="h2" polycoef=".1 .5 .2 -.3 .1"/><joint joint1="h3" joint2="s" polycoef="0 2 0 0 1"/>
  <joint joint1="s" polycoef=".2 0 0 0 0"/><tendon tendon1="t1" tendon2="t2" polycoef=".1 -.6 .4 0 0"/>
  <tendon tendon1="t2" polycoef=".3 0 0 0 0"/><weld body1="a" body2="e" active="false"/></equality></mujoco>""",
    "contacts": """<mujoco><option impratio="3"/><worldbody><geom type="plane" size="5 5 1" solref=".01 .8"/>"""
    + "".join(
        BALLS.format(z=0.05 + 0.2 * i, type=kind, dim=dim)
        for i, (kind, dim) in enumerate([("sphere", 1), ("box", 3), ("sphere", 4), ("capsule", 6), ("sphere", 3)])
    )
    + """<body pos="2 0 .1"><freejoint/><geom type="box" size=".3 .1 .1" solimp=".6 .9 .01 .3 1" margin=".02" gap=".01"/>
 <body pos=".45 0 0"><joint axis="0 1 0"/><geom name="p" type="capsule" size=".1" fromto="0 0 0 .4 0 0"/>
  <body pos=".5 0 0"><joint type="ball"/><geom size=".11" condim="6"/></body></body></body></worldbody>
 <contact><pair geom1="p" geom2="p2" condim="6" friction="1 .5 .01 .02 .03" solreffriction=".05 1"/></contact>
 </mujoco>""".replace("</worldbody>", '<geom name="p2" type="box" size=".2 .2 .02" pos="2.4 0 0"/></worldbody>'),
    "large tree": """<mujoco><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 .1"><freejoint/>
 <geom type="box" size=".6 .6 .05"/>"""
    + "".join(
        f"""<body pos="{0.5 * (i % 4 - 1.5)} {0.5 * (i // 4 - 1)} .1"><joint type="ball" damping=".01"/>
 <geom type="capsule" size=".04" fromto="0 0 0 .1 0 .15"/><body pos=".1 0 .15"><joint axis="0 1 0" range="-20 20"/>
 <geom type="capsule" size=".04" fromto="0 0 0 .4 0 0"/></body></body>"""
        for i in range(12)
    )
    + "</body></worldbody></mujoco>",
    "pile": """<mujoco><worldbody><geom type="plane" size="5 5 1"/>"""
    + "".join(
        f"""<body pos="{0.21 * (i % 3)} {0.21 * (i // 3 % 3)} {0.1 + 0.19 * (i // 9)}" euler="{i} {2 * i} 0"><freejoint/>
 <geom type="box" size=".1 .1 .1" condim="{(3, 4, 6)[i % 3]}"/></body>"""
        for i in range(27)
    )
    + "</worldbody></mujoco>",
}
