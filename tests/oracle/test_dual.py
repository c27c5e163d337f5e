"""The dual solvers PGS and noslip against mujoco's: the matrix A + R, and the forces after any number of sweeps."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from kinetree.engine.dynamics.query.inspect import efc_AR
from tests.oracle.constrained import CONSTRAINED, both, gap, reference_J, run_both, settle

STATISTICS = ("improvement", "gradient", "lineslope", "nactive", "nchange", "neval", "nupdate")


def settled(name: str, cone: str, **options):
    """States that a model passes through; both sides have solved them, with no warm start where steps are 0."""
    m = mujoco.MjModel.from_xml_string(CONSTRAINED[name])
    m.opt.cone = ["pyramidal", "elliptic"].index(cone)
    for key, value in {"solver": mujoco.mjtSolver.mjSOL_PGS, **options}.items():
        setattr(m.opt, key, value)
    d, model, data = both(m)
    rng = np.random.default_rng(5)
    mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv) * 0.1, 0.1)
    for steps in (0, 5, 20):
        settle(m, d, steps, rng)
        data._arrays["sol_B"][...] = data._arrays["sol_half"][...] = np.nan
        run_both(m, d, model, data)
        if d.nefc:
            yield m, d, model, data


def reference_AR(m, d) -> np.ndarray:
    inertia = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, inertia, d.qM)
    J = reference_J(m, d)
    return J @ np.linalg.solve(inertia, J.T) + np.diag(d.efc_R)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("name", CONSTRAINED)
def test_the_dual_problem(name, cone):
    checked = 0
    for m, d, model, data in settled(name, cone):
        assert gap(data.efc_b, d.efc_b) < 1e-12
        AR = reference_AR(m, d)
        size = np.abs(AR).max()
        assert np.abs(efc_AR(model, data) - AR).max() < 1e-9 * size
        if not mujoco.mj_isSparse(m):
            assert np.abs(efc_AR(model, data) - d.efc_AR.reshape(AR.shape)).max() < 1e-12 * size
        checked += 1
    assert checked >= 2


def at_the_edge(d, row: int) -> bool:
    """Whether rounding decides the state of a row: its contact slides, the force is on the surface of the cone."""
    if d.efc_type[row] != mujoco.mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC:
        return False
    c = d.efc_id[row]
    force = d.efc_force[d.contact.efc_address[c] :][: d.contact.dim[c]]
    tangent = np.linalg.norm(force[1:] / d.contact.friction[c, : len(force) - 1])
    return abs(force[0] - tangent) < 1e-12 * force[0]


@pytest.mark.parametrize("noslip", [False, True])
@pytest.mark.parametrize("iterations", [1, 2, 10, 100])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("name", CONSTRAINED)
def test_iterates(name, cone, iterations, noslip):
    """The same forces after the same number of sweeps, with the same statistics."""
    for _, d, _, data in settled(name, cone, iterations=iterations, noslip_iterations=iterations if noslip else 0):
        assert gap(data.efc_force, d.efc_force) < 1e-11
        assert gap(data.qfrc_constraint, d.qfrc_constraint) < 1e-11
        assert gap(data.qacc, d.qacc) < 1e-11
        assert gap(data.qacc_warmstart, d.qacc_warmstart) < 1e-11
        other = np.flatnonzero(data.efc_state != d.efc_state)
        assert all(at_the_edge(d, row) for row in other)
        assert data.solver_niter[0] == d.solver_niter[0]
        at_edges = cone == "elliptic" or noslip  # nactive and nchange count rows whose state rounding decides
        for k in range(min(d.solver_niter[0], 200)):
            for field in STATISTICS:
                ours, theirs = getattr(data, f"solver_{field}")[k], getattr(d.solver[k], field)
                if not (at_edges and field in ("nactive", "nchange")):
                    assert abs(ours - theirs) <= 1e-9 * max(1.0, abs(theirs))


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("name", CONSTRAINED)
def test_noslip_after_newton(name, cone):
    """Noslip begins where the main solver ended; mujoco's Newton solver ends as exactly as it is asked to."""
    for _, d, _, data in settled(
        name, cone, solver=mujoco.mjtSolver.mjSOL_NEWTON, tolerance=1e-14, noslip_iterations=10
    ):
        assert gap(data.efc_force, d.efc_force) < 1e-6
        assert gap(data.qacc, d.qacc) < 1e-6


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_without_warm_start(cone):
    disable = mujoco.mjtDisableBit.mjDSBL_WARMSTART
    for _, d, _, data in settled("pile", cone, iterations=3, disableflags=int(disable)):
        assert gap(data.efc_force, d.efc_force) < 1e-11
        assert gap(data.qacc, d.qacc) < 1e-11


@pytest.mark.parametrize("mass", [1.0, 1e9, 1e12])
def test_heavy_bodies_lose_their_friction(mass):
    """The reference takes a matrix below an absolute threshold for singular."""
    text = f"""<mujoco><option cone="elliptic" solver="PGS" noslip_iterations="5"/><worldbody>
 <geom type="plane" size="5 5 1" euler="0 10 0"/><body pos="0 0 .1"><freejoint/>
 <geom type="box" size=".1 .1 .1" mass="{mass}" condim="6"/></body></worldbody></mujoco>"""
    m = mujoco.MjModel.from_xml_string(text)
    d, model, data = both(m)
    for _ in range(20):
        mujoco.mj_step(m, d)
    run_both(m, d, model, data)
    assert d.nefc and gap(data.efc_force, d.efc_force) < 1e-10
