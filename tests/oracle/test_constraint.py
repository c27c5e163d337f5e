"""Constraint rows, field by field, and the constrained dynamics against mujoco."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.oracle.constrained import CONSTRAINED, both, check_rows, gap, run_both, settle


def states(m, d, rng):
    """The first state, thrown ones, and settling ones."""
    yield
    for scale in (0.05, 0.5):
        mujoco.mj_resetData(m, d)
        step = rng.normal(size=m.nv) * scale
        mujoco.mj_integratePos(m, d.qpos, step, 0.3)
        d.qvel[:] = rng.normal(size=m.nv) * scale
        yield
        settle(m, d, 40, rng)
        yield


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("name", CONSTRAINED)
def test_rows_agree(name, cone, jacobian):
    m = mujoco.MjModel.from_xml_string(CONSTRAINED[name])
    m.opt.cone = ["pyramidal", "elliptic"].index(cone)
    m.opt.jacobian = ["dense", "sparse"].index(jacobian)
    d, model, data = both(m)
    rows = 0
    for _ in states(m, d, np.random.default_rng(3)):
        run_both(m, d, model, data)
        check_rows(m, d, model, data)
        rows += d.nefc
    assert rows > 0


@pytest.mark.parametrize("flag", ["CONSTRAINT", "EQUALITY", "FRICTIONLOSS", "LIMIT", "CONTACT", "REFSAFE"])
def test_flags(flag):
    for name in ("limits", "friction loss", "equalities", "contacts"):
        m = mujoco.MjModel.from_xml_string(CONSTRAINED[name])
        m.opt.disableflags |= getattr(mujoco.mjtDisableBit, "mjDSBL_" + flag)
        d, model, data = both(m)
        settle(m, d, 3, np.random.default_rng(0))
        run_both(m, d, model, data)
        check_rows(m, d, model, data)
        assert gap(data.qacc, d.qacc) < 1e-7


@pytest.mark.parametrize("solref", [(0.02, -1.0), (-100.0, 1.0), (0.0, 0.0), (-100.0, 0.0)])
def test_solref_formats(solref):
    """A mixed format is replaced by the default; zero belongs to the direct format."""
    m = mujoco.MjModel.from_xml_string(CONSTRAINED["limits"])
    m.jnt_solref[:] = solref
    d, model, data = both(m)
    model.jnt_solref = m.jnt_solref
    run_both(m, d, model, data)
    check_rows(m, d, model, data)


def test_warmstart_is_left_as_mujoco_leaves_it():
    m = mujoco.MjModel.from_xml_string(CONSTRAINED["contacts"])
    d, model, data = both(m)
    settle(m, d, 20, np.random.default_rng(0))
    run_both(m, d, model, data)
    assert gap(data.qacc_warmstart, d.qacc_warmstart) < 1e-8


def test_uncompiled_stages_give_the_same():
    m = mujoco.MjModel.from_xml_string(CONSTRAINED["equalities"])
    d, model, data = both(m)
    run_both(m, d, model, data, uncompiled=True)
    check_rows(m, d, model, data)
    assert gap(data.qacc, d.qacc) < 1e-9
