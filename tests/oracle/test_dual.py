"""Constraint rows as the dual solvers need them, against mujoco's PGS: b, A, states and accelerations from
forces.
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from engine.dynamics import dual
from engine.jit.compiler import compiled
from tests.oracle.constrained import CONSTRAINED, both, gap, reference_J, run_both, settle

linear_term, dual_row = compiled(dual.linear_term), compiled(dual.dual_row)
states_from_forces = compiled(dual.states_from_forces)
accelerations_from_forces = compiled(dual.accelerations_from_forces)


def settled(name: str, cone: str):
    m = mujoco.MjModel.from_xml_string(CONSTRAINED[name])
    m.opt.cone = ["pyramidal", "elliptic"].index(cone)
    m.opt.solver = mujoco.mjtSolver.mjSOL_PGS
    d, model, data = both(m)
    rng = np.random.default_rng(5)
    mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv) * 0.1, 0.1)
    for steps in (0, 20, 60):
        settle(m, d, steps, rng)
        run_both(m, d, model, data)
        if d.nefc:
            yield m, d, model, data


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("name", CONSTRAINED)
def test_rows_of_the_dual_problem(name, cone):
    checked = 0
    for m, d, model, data in settled(name, cone):
        linear_term(model, data)
        assert gap(data.efc_b, d.efc_b) < 1e-8
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, M, d.qM)
        J = reference_J(m, d)
        A = J @ np.linalg.solve(M, J.T)
        x, row = np.zeros(m.nv + 4), np.zeros(d.nefc)
        for g in range(data.ngrp):
            for r in range(data.grp_row[g], data.grp_row[g] + data.grp_nrow[g]):
                dual_row(model, data, g, r, x, row)
                assert not x.any()
                assert np.abs(row - A[r]).max() < 1e-8 * max(1.0, np.abs(A).max())
                checked += 1
        dense = not mujoco.mj_isSparse(m)
        if dense:
            AR = d.efc_AR.reshape(d.nefc, d.nefc)
            assert np.abs(A + np.diag(d.efc_R) - AR).max() < 1e-8 * np.abs(AR).max()
    assert checked > 0


def at_the_edge(d, row: int) -> bool:
    """Whether rounding decides the state of a row: its contact slides, the force is on the surface of the
    cone.
    """
    if d.efc_type[row] != mujoco.mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC:
        return False
    c = d.efc_id[row]
    force = d.efc_force[d.contact.efc_address[c] :][: d.contact.dim[c]]
    tangent = np.linalg.norm(force[1:] / d.contact.friction[c, : len(force) - 1])
    return abs(force[0] - tangent) < 1e-12 * force[0]


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("name", CONSTRAINED)
def test_what_follows_from_forces(name, cone):
    states = set()
    for _, d, model, data in settled(name, cone):
        data.efc_force[:] = d.efc_force
        data.efc_state[:] = -1
        states_from_forces(data)
        other = np.flatnonzero(data.efc_state != d.efc_state)
        assert all(at_the_edge(d, row) for row in other)
        data.qacc = data.qfrc_constraint = np.nan
        accelerations_from_forces(model, data)
        assert gap(data.qfrc_constraint, d.qfrc_constraint) < 1e-9
        assert gap(data.qacc, d.qacc) < 1e-7
        states.update(data.efc_state.tolist())
    assert states
