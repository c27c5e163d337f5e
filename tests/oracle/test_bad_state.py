"""States and inputs that are no numbers, or huge: warnings, counters and what comes after, against mujoco's."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from tests.oracle.bridge import copy_state, model_from
from tests.oracle.constrained import CONSTRAINED

DRIVEN = """<mujoco><option integrator="{integrator}"/><worldbody><geom type="plane" size="5 5 1"/>
 <body name="m" mocap="true" pos="0 0 3"/><body pos="0 0 .5"><freejoint/><geom size=".1"/></body>
 <body pos="1 0 .3"><joint name="j" axis="0 1 0" damping=".1" range="-40 40" limited="true" frictionloss=".1"/>
 <geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body></worldbody>
 <actuator><motor joint="j"/><general joint="j" dyntype="filter" dynprm=".1"/></actuator></mujoco>"""
MODELS = {
    **{name: CONSTRAINED[name] for name in ("limits", "friction loss", "equalities", "contacts")},
    **{name: DRIVEN.format(integrator=name) for name in ("Euler", "RK4", "implicit", "implicitfast")},
}
FIELDS = ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "qacc_warmstart")
AUTORESET = int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)


@pytest.fixture(autouse=True)
def quiet():
    mujoco.set_mju_user_warning(lambda message: None)
    yield
    mujoco.set_mju_user_warning(None)


def numbers(data, d) -> tuple[list, list]:
    """How often each warning was raised."""
    return data.warning[:, 1].tolist(), [w.number for w in d.warning]


@pytest.mark.parametrize("flags", [0, AUTORESET])
@pytest.mark.parametrize(
    ("name", "field"),
    [(name, field) for name in MODELS for field in FIELDS if name not in CONSTRAINED or field not in ("act", "ctrl")],
)
def test_a_bad_number_has_the_effect_that_it_has_in_mujoco(name, field, flags):
    m = mujoco.MjModel.from_xml_string(MODELS[name])
    m.opt.disableflags |= flags
    model = model_from(m)
    for value in (np.nan, np.inf, -np.inf, 1e11):
        d, data = mujoco.MjData(m), kinetree.Data(model)
        mujoco.mj_step(m, d, 5)
        copy_state(m, d, data)
        d.warning[0].number = 0
        for one in (d, data):
            array = getattr(one, field).reshape(-1)
            array[-1 if field == "xfrc_applied" else 7 % array.size] = value  # not the mocap body
        mujoco.mj_step(m, d)
        kinetree.step(model, data)
        if field == "qacc_warmstart" and np.isinf(value):
            continue  # ours may take the smooth accelerations then, and go on
        assert data.time == d.time
        ours, theirs = numbers(data, d)
        assert ours == theirs, value
        assert np.isfinite(data.qpos).all() == np.isfinite(d.qpos).all()
        if not flags and np.isfinite(d.qpos).all():
            assert np.abs(data.qpos - d.qpos).max() < 1e-6 * max(1.0, np.abs(d.qpos).max())
