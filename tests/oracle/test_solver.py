"""The solution of the constrained dynamics against mujoco's: the same iterates, however many are allowed.

mujoco's rounding errors differ from ours, so bounds are relative to the largest entry.
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.oracle.constrained import CONSTRAINED, both, cost_and_gradient, gap, run_both, settle

CONES = ("pyramidal", "elliptic")
LIMITS = [(0, 50), (1, 1), (1, 2), (1, 4), (1, 50), (2, 4), (2, 6), (3, 6), (3, 50), (50, 1), (50, 4), (100, 50)]
"""(iterations, ls_iterations)"""
STATISTICS = ("improvement", "gradient", "lineslope", "nactive", "nchange", "neval", "nupdate")


def perturbed(name: str, cone: str, rng) -> tuple:
    """A model with its data, off its rest pose."""
    m = mujoco.MjModel.from_xml_string(CONSTRAINED[name])
    m.opt.cone = CONES.index(cone)
    d, model, data = both(m)
    mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv) * 0.1, 0.1)
    return m, d, model, data


def set_options(m, model, **options) -> None:
    for name, value in options.items():
        setattr(m.opt, name, value)
        setattr(model.opt, name, value)


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


@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("name", CONSTRAINED)
def test_solution_agrees(name, cone):
    rng = np.random.default_rng(5)
    m, d, model, data = perturbed(name, cone, rng)
    set_options(m, model, tolerance=1e-14)  # mujoco's answer is then good to more digits
    converged = 0
    for steps in (0, 5, 20, 50, 100):
        settle(m, d, steps, rng)
        run_both(m, d, model, data)
        converged += check_solution(m, d, data)
    assert converged >= 3


@pytest.mark.parametrize("islands", [False, True])
@pytest.mark.parametrize("solver", [mujoco.mjtSolver.mjSOL_CG, mujoco.mjtSolver.mjSOL_NEWTON])
@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("name", CONSTRAINED)
def test_iterates_agree(name, cone, solver, islands):
    rng = np.random.default_rng(6)
    m, d, model, data = perturbed(name, cone, rng)
    tolerance = 1e-5 if name == "equalities" else 1e-8  # above the rounding errors of the cost
    set_options(m, model, solver=int(solver), tolerance=tolerance)
    most = 5 if solver == mujoco.mjtSolver.mjSOL_CG else 100  # later conjugate gradients amplify rounding errors
    for steps in (0, 5, 40):
        set_options(m, model, iterations=100, ls_iterations=50, enableflags=0)
        settle(m, d, steps, rng)
        warm = d.qacc_warmstart + rng.normal(size=m.nv) * (steps > 5)
        set_options(m, model, enableflags=islands * int(mujoco.mjtEnableBit.mjENBL_ISLAND))
        for iterations, evaluations in LIMITS:
            set_options(m, model, iterations=min(iterations, most), ls_iterations=evaluations)
            d.qacc_warmstart[:] = warm
            run_both(m, d, model, data)
            check_iterates(d, data, islands)


def check_iterates(d, data, islands=False) -> None:
    assert data.solver_niter.tolist() == d.solver_niter.tolist()
    for island, count in enumerate(d.solver_niter):
        for name in STATISTICS:
            rows = np.arange(200 * island, 200 * island + count)
            rows = rows[d.solver.improvement[rows] > 1e-6]  # what is smaller may be a rounding error
            ours, theirs = getattr(data.solver, name)[rows], getattr(d.solver, name)[rows]
            if name == "neval":  # a rounding error may decide whether one more is needed
                assert abs(ours - theirs).max(initial=0) <= 1, (name, island, ours, theirs)
            else:
                assert gap(ours, theirs) < 1e-8, (name, island, ours, theirs)
    if not islands:  # mujoco solves islands on copies, and leaves efc_state as it is at a start point
        assert np.array_equal(data.efc_state, d.efc_state)
    for name in ("qacc", "qfrc_constraint", "efc_force", "qacc_warmstart"):
        assert gap(getattr(data, name), getattr(d, name)) < 1e-9, name
