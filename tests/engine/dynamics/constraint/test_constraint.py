"""Parts of the constraint model against its formulas in the specification."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.compile.derived.structure import BLOCK, blocks
from kinetree.engine.dynamics.constraint.rows import impedance, stiffness

SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)


def test_impedance_at_its_ends():
    """Modeling, "Solver parameters": d(0) = d0, d(width) = dwidth, symmetric in the violation."""
    assert impedance(SOLIMP, 0.0) == (0.9, 0.0)
    assert impedance(SOLIMP, 0.001) == (0.95, 0.0)
    assert impedance(SOLIMP, -5.0) == (0.95, 0.0)
    assert impedance(SOLIMP, 0.0003)[0] == impedance(SOLIMP, -0.0003)[0]
    assert impedance((0.5, 0.5, 0.1, 0.5, 2.0), 0.05) == (0.5, 0.0)
    assert impedance((0.0, 2.0, 0.1, 0.5, 2.0), 1.0)[0] == 0.9999


@pytest.mark.parametrize("middle", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("power", [1.0, 2.0, 3.0, 4.5])
def test_impedance_rises_smoothly(power, middle):
    solimp = (0.1, 0.9, 0.02, middle, power)
    x = np.linspace(1e-5, 0.02 - 1e-5, 401)
    d, slope = np.array([impedance(solimp, v) for v in x]).T
    assert (np.diff(d) > 0).all()
    measured = np.gradient(d, x)
    assert np.abs(measured - slope)[2:-2].max() < 0.02 * np.abs(slope).max()


def test_stiffness():
    model = kinetree.Model({"nv": 0})
    model.opt.timestep = 0.001
    k, b = stiffness(model, 0.02, 1.0, 0.95)
    assert (k, b) == pytest.approx((1 / (0.95**2 * 0.02**2), 2 / (0.95 * 0.02)))
    assert stiffness(model, -100.0, -7.0, 0.5) == pytest.approx((400.0, 14.0))
    stiff = stiffness(model, 1e-5, 1.0, 0.95)
    assert stiff == pytest.approx(stiffness(model, 0.002, 1.0, 0.95))  # refsafe: at least two time steps


def test_blocks_of_a_large_tree():
    """Consecutive dofs, at most BLOCK of them; the ancestors of a dof are in its block or in blocks above."""
    rng = np.random.default_rng(1)
    parents = [-1, *range(5)]
    for i in range(6, 300):  # depth first: the parent of a dof is on the way up from the one before it
        above, candidates = i - 1, []
        while above >= 0:
            candidates.append(above)
            above = parents[above]
        parents.append(int(rng.choice(candidates[:6])) if i % 90 else -1)
    blockid, first, up = blocks(parents)
    assert (np.diff(blockid) >= 0).all()
    assert np.bincount(blockid).max() <= BLOCK
    assert [blockid[dof] for dof in first] == list(range(len(first)))
    for dof in range(300):
        way, block = set(), blockid[dof]
        while block >= 0:
            way.add(block)
            block = up[block]
        above = dof
        while above >= 0:
            assert blockid[above] in way
            above = parents[above]
