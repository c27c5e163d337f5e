"""Fusing static bodies leaves the dynamics as they are, which the reference promises and does not do.

mujoco 3.3.4 leaves out how a fused body is turned, so that masses end up in wrong places (fixed in 4.0).
"""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import kinetree
from tests.oracle.cases import read
from tests.oracle.compiled import differences

FUSED = read(Path(__file__).resolve().parent / "fused.txt")
MASS_FIELDS = {
    "body_inertia", "body_invweight0", "body_ipos", "body_iquat", "body_sameframe", "dof_M0", "dof_invweight0",
    "geom_sameframe", "stat_center", "stat_extent", "stat_meaninertia", "stat_meansize",
}  # fmt: skip
"""Fields that depend on the masses of bodies."""


@pytest.mark.parametrize("name", FUSED)
def test_only_masses_are_elsewhere_in_the_reference(name):
    found = differences(kinetree.load_string(FUSED[name]), mujoco.MjModel.from_xml_string(FUSED[name]))
    assert found and set(found) <= MASS_FIELDS


def apart(text: str) -> str:
    """The same model, its static bodies not fused."""
    if "fusestatic" in text:
        return text.replace('fusestatic="true"', 'fusestatic="false"')
    if "<compiler" in text:
        return text.replace("<compiler", '<compiler fusestatic="false"')
    return text.replace('<robot name="r">', '<robot name="r"><mujoco><compiler fusestatic="false"/></mujoco>')


@pytest.mark.parametrize("name", FUSED)
def test_the_dynamics_stay(name):
    """XML reference, compiler/fusestatic: the new model has identical kinematics and dynamics."""
    fused, whole = kinetree.load_string(FUSED[name]), kinetree.load_string(apart(FUSED[name]))
    assert fused.nbody < whole.nbody and fused.nv == whole.nv > 0
    if "boundmass" in FUSED[name]:  # bounds hold for each body that is there: fewer when they are fused
        return
    np.testing.assert_allclose(fused.dof_invweight0, whole.dof_invweight0, rtol=1e-7)
    rng = np.random.default_rng(0)
    for _ in range(3):
        qpos, qvel = rng.normal(size=fused.nq), rng.normal(size=fused.nv)
        results = []
        for model in (fused, whole):
            model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT.value
            data = kinetree.Data(model)
            data.qpos, data.qvel = qpos, qvel
            kinetree.forward(model, data)
            results.append((kinetree.full_m(model, data), data.qfrc_bias, data.qacc))
        for ours, unfused in zip(*results, strict=True):
            np.testing.assert_allclose(ours, unfused, rtol=1e-7, atol=1e-7)
