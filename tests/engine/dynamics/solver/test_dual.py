"""Invariants of the dual solvers: they reach Newton's answer, friction without slip, memory that grows."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.query.inspect import efc_AR
from kinetree.engine.model import enums
from kinetree.engine.model.fields import CAPACITIES
from tests.engine.dynamics.solver.test_primal import crowd
from tests.engine.dynamics.test_memory import results, shrink

SLOPE = """<mujoco><option timestep="0.005" solver="{solver}" cone="{cone}" noslip_iterations="{noslip}"/><worldbody>
 <geom type="plane" size="5 5 1" euler="0 {angle} 0" friction=".5"/><body euler="0 {angle} 0" pos="0 0 .1"><freejoint/>
 <geom type="box" size=".2 .2 .1" friction=".5"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("cone", [0, 1])
def test_the_dual_cost_falls_towards_that_of_newton(cone):
    model = kinetree.load_string(crowd(30))
    model.opt.cone, model.opt.tolerance = cone, 0.0
    data = kinetree.Data(model)
    kinetree.step(model, data, 40)
    costs = []
    for solver, iterations in (
        (enums.SOL_PGS, 1),
        (enums.SOL_PGS, 10),
        (enums.SOL_PGS, 100),
        (enums.SOL_PGS, 1000),
        (enums.SOL_NEWTON, 100),
    ):
        model.opt.solver, model.opt.iterations = solver, iterations
        data.qacc_warmstart = 0.0
        kinetree.forward(model, data)
        if solver == enums.SOL_PGS:
            matrix, linear = efc_AR(model, data), data.efc_b.copy()
        costs.append(data.efc_force @ (0.5 * matrix @ data.efc_force + linear))
    assert data.nefc > 50
    assert costs == sorted(costs, reverse=True)
    assert costs[3] - costs[4] < 0.01 * (costs[0] - costs[4])


@pytest.mark.parametrize("solver", ["PGS", "Newton"])
def test_noslip_stops_creeping_but_not_sliding(solver):
    """A box on a slope below its angle of friction creeps without noslip; above it, both slide."""
    moved = {}
    for noslip in (0, 20):
        for angle in (15, 40):
            model = kinetree.load_string(SLOPE.format(solver=solver, cone="elliptic", noslip=noslip, angle=angle))
            data = kinetree.Data(model)
            kinetree.step(model, data, 100)
            start = data.qpos[:3].copy()
            kinetree.step(model, data, 200)
            moved[noslip, angle] = np.linalg.norm(data.qpos[:3] - start)
    assert moved[20, 15] < 0.02 * moved[0, 15]
    assert moved[20, 40] > 0.5


@pytest.mark.parametrize("noslip", [0, 3])
@pytest.mark.parametrize(
    "capacities", [("nBmax",), ("nchunkmax",), ("njmax",), CAPACITIES], ids=lambda c: c[-1] if len(c) == 1 else "all"
)
def test_memory_may_run_out_anywhere(capacities, noslip):
    model = kinetree.load_string(crowd(30))
    model.opt.solver, model.opt.noslip_iterations = enums.SOL_PGS if noslip == 0 else enums.SOL_NEWTON, noslip
    ample, scarce = kinetree.Data(model), kinetree.Data(model)
    kinetree.step(model, ample, 6)
    for _ in range(6):
        shrink(scarce, capacities)
        kinetree.step(model, scarce)
    assert results(ample) == results(scarce)
    assert not scarce.needs_memory and not scarce.need.any()


def test_models_without_a_dual_solver_take_no_memory_for_it():
    model = kinetree.load_string(crowd(12))
    data = kinetree.Data(model)
    kinetree.step(model, data, 10)
    assert data.nefc and data.sol_B.size == data.chunk_x.size == 0
