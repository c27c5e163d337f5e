"""The solver's parts on their own: elimination, growth, states that are not numbers, determinism, options."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.position.cholesky import factor_nodes, solve_nodes
from kinetree.engine.dynamics.query.inspect import efc_J
from kinetree.engine.dynamics.solver.hessian import start_from_M
from kinetree.engine.jit.compiler import compiled
from kinetree.engine.model import enums


def load(xml: str):
    model = kinetree.load_string(xml)
    return model, kinetree.Data(model)


def crowd(count: int) -> str:
    """Free boxes, balls on posts and hinged plates that touch their neighbours: blocks of 6, 3 and 1 dofs."""
    bodies = []
    for i in range(count):
        joint = ["<freejoint/>", '<joint type="ball" pos="0 0 .1"/>', '<joint axis="0 1 0" pos="0 0 .1"/>'][i % 3]
        bodies.append(
            f'<body pos="{0.19 * i} 0 .095">{joint}<geom type="box" size=".1 .1 .1" euler="{i % 7} 0 {i % 5}"/></body>'
        )
    return "<mujoco><worldbody><geom type='plane' size='50 5 1'/>" + "".join(bodies) + "</worldbody></mujoco>"


def hessian_of(model, data, island):
    """The island's part of M + J'WJ in the order of elimination, and the places of its dofs."""
    places, dofs = [], []
    start = data.isl_blockadr[island]
    for block in data.isl_block[start : start + data.isl_blocknum[island]]:
        for k in range(model.block_dofnum[block]):
            places.append(data.node_x[data.block_node[block]] + data.block_off[block] + k)
            dofs.append(model.block_dofadr[block] + k)
    J = efc_J(model, data)
    full = kinetree.full_m(model, data) + J.T @ np.diag(data.efc_weight) @ J
    return full[np.ix_(dofs, dofs)], np.array(places)


def test_elimination_of_islands_with_blocks_of_different_size():
    model, data = load(crowd(30))
    kinetree.forward(model, data)
    island = int(np.argmax(data.isl_dofnum))
    assert data.isl_nodenum[island] > 20
    data.sol_H = np.nan
    compiled(start_from_M)(model, data, island)
    dense, places = hessian_of(model, data, island)
    # put the whole Hessian in by hand, from the layout that island.py describes
    position = {int(p): k for k, p in enumerate(places)}
    entries = 0
    for node in range(data.isl_nodeadr[island], data.isl_nodeadr[island] + data.isl_nodenum[island]):
        dim, cols = int(data.node_dim[node]), int(data.node_cols[node])
        columns = [(data.node_x[node], 0, dim)]
        for k in range(data.node_sub[node], data.node_sub[node] + data.node_nsub[node]):
            other = data.sub_node[k]
            columns.append((data.node_x[other], data.sub_col[k], data.node_dim[other]))
        for i in range(dim):
            for x, col, number in columns:
                for j in range(number):
                    value = dense[position[int(data.node_x[node]) + i], position[int(x) + j]]
                    data.sol_H[data.node_H[node] + i * cols + col + j] = value
                    entries += value != 0
    assert entries >= np.count_nonzero(np.triu(dense))  # nothing of the upper triangle lies outside the panels
    compiled(factor_nodes)(data, island)
    right = np.random.default_rng(0).normal(size=len(places))
    data.sol_search[...] = 0
    data.sol_search[places] = right
    compiled(solve_nodes)(data, island, data._arrays["sol_search"])
    expected = np.linalg.solve(dense, right)
    assert np.allclose(data.sol_search[places], expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_gradient_vanishes_at_the_solution():
    model, data = load(crowd(30))
    for _ in range(20):
        kinetree.step(model, data, 3)
        kinetree.forward(model, data)
        J = efc_J(model, data)
        gradient = kinetree.full_m(model, data) @ data.qacc - data.qfrc_smooth - J.T @ data.efc_force
        assert np.abs(gradient).max() < 1e-6 * np.abs(data.qfrc_smooth).max()
        assert np.allclose(J.T @ data.efc_force, data.qfrc_constraint, atol=1e-8)


def test_islands():
    model, data = load(
        """<mujoco><worldbody><geom type="plane" size="5 5 1"/>
         <body pos="0 0 3"><freejoint/><geom size=".1"/></body>
         <body pos="0 1 .09"><freejoint/><geom size=".1"/></body>
         <body pos="2 0 .09"><freejoint/><geom size=".1"/></body>
         <body pos="2 0 .28"><freejoint/><geom size=".1"/></body>
         </worldbody></mujoco>
        """
    )
    kinetree.forward(model, data)
    assert data.nisland == 2
    assert data.dof_island.tolist() == [-1] * 6 + [0] * 6 + [1] * 12
    assert np.array_equal(data.qacc[:6], data.qacc_smooth[:6])


def test_same_input_same_bits():
    model, first = load(crowd(20))
    second = kinetree.Data(model)
    kinetree.step(model, first, 40)
    for _ in range(40):
        kinetree.step(model, second, 1)
    assert np.array_equal(first.qpos, second.qpos)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e200])
def test_states_that_are_no_numbers_end(value):
    model, data = load(crowd(15))
    kinetree.step(model, data, 2)
    for name in ("qacc_warmstart", "qfrc_applied"):
        clean = getattr(data, name).copy()
        getattr(data, name)[3] = value
        kinetree.forward(model, data)
        setattr(data, name, clean)
    data.qacc_warmstart = 0
    kinetree.forward(model, data)
    assert np.isfinite(data.qacc).all()


def test_without_warmstart_the_answer_is_the_same():
    model, data = load(crowd(15))
    kinetree.step(model, data, 20)
    warm = data.qacc_warmstart.copy()
    kinetree.forward(model, data)
    expected = data.qacc.copy()
    data.qacc_warmstart = warm
    model.opt.disableflags |= enums.DSBL_WARMSTART
    kinetree.forward(model, data)
    assert np.allclose(data.qacc, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


def test_iterations_are_bounded():
    model, data = load(crowd(15))
    model.opt.iterations = 1
    kinetree.forward(model, data)
    assert data.solver_niter.max() == 1
    model.opt.iterations = 0
    kinetree.forward(model, data)
    assert data.solver_niter.max() == 0


def test_cone_may_change_while_running():
    model, data = load(crowd(9))
    kinetree.step(model, data, 5)
    pyramids = data.nefc
    model.opt.cone = 1
    kinetree.step(model, data, 1)
    kinetree.forward(model, data)
    assert data.nefc < pyramids
    J = efc_J(model, data)
    gradient = kinetree.full_m(model, data) @ data.qacc - data.qfrc_smooth - J.T @ data.efc_force
    assert np.abs(gradient).max() < 1e-5 * np.abs(data.qfrc_smooth).max()


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("body", ["<joint axis='0 1 0'/>", "<freejoint/>"])
def test_a_singular_inertia_gives_finite_states_or_a_reset(body, solver, integrator):
    """Two hinges on one axis."""
    twins = "<joint axis='0 1 0'/><joint axis='0 1 0'/><geom size='.1' pos='.2 0 0'/>"
    model, data = load(
        f"""<mujoco><option solver="{solver}" integrator="{integrator}"/><worldbody><geom type="plane" size="9 9 1"/>
        <body pos="0 0 .09">{body}<geom size=".1"/><body pos=".2 0 0">{twins}</body></body></worldbody></mujoco>"""
    )
    for _ in range(100):
        kinetree.step(model, data)
        assert np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all()
