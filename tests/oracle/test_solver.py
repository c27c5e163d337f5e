"""The solution of the constrained dynamics against mujoco's."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.oracle.constrained import CONSTRAINED, both, cost_and_gradient, gap, run_both, settle


def check_solution(m, d, data, tolerance=1e-6):
    """Ours must be as good a minimum as mujoco's; where mujoco converged, it must be the same."""
    cost, _ = cost_and_gradient(m, d, data, data.qacc)
    theirs, gradient = cost_and_gradient(m, d, data, d.qacc.copy())
    assert cost <= theirs + 1e-8 * max(1.0, abs(theirs))
    if gradient < 1e-9 * max(1.0, np.linalg.norm(d.qfrc_constraint)):
        assert gap(data.qacc, d.qacc) < tolerance
        assert gap(data.qfrc_constraint, d.qfrc_constraint) < tolerance
        assert gap(data.efc_force, d.efc_force) < tolerance
        return 1
    return 0


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("name", CONSTRAINED)
def test_solution_agrees(name, cone):
    m = mujoco.MjModel.from_xml_string(CONSTRAINED[name])
    m.opt.cone = ["pyramidal", "elliptic"].index(cone)
    m.opt.tolerance = 1e-14  # mujoco's answer is then good to more digits
    d, model, data = both(m)
    rng = np.random.default_rng(5)
    mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv) * 0.1, 0.1)
    converged = 0
    for steps in (0, 5, 20, 50, 100):
        settle(m, d, steps, rng)
        run_both(m, d, model, data)
        converged += check_solution(m, d, data)
    assert converged >= 3
