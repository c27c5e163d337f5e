"""Random models of every family of unseen.py: a handful; bench_unseen.py in tests/benchmark tries hundreds."""

from __future__ import annotations

import mujoco
import pytest

import kinetree
from tests.oracle import parity
from tests.oracle.compiled import differences
from tests.oracle.unseen import FAMILIES, scene


@pytest.mark.parametrize("seed", range(3 * len(FAMILIES)))
def test_compiled(seed):
    _, text = scene(seed)
    assert scene(seed)[1] == text
    model, m = kinetree.load_string(text), mujoco.MjModel.from_xml_string(text)
    assert not differences(model, m)
    assert not {name: gap for name, gap in parity.kinematics(model, m).items() if not gap <= 1.0}


@pytest.mark.parametrize("seed", range(2 * len(FAMILIES)))
def test_moves(seed):
    """Results of forward at visited states, and the motion as far as the reference is sure of it."""
    _, text = scene(seed)
    model, m = kinetree.load_string(text), mujoco.MjModel.from_xml_string(text)
    assert not model.unsimulated
    gaps = parity.forward(model, m) | parity.rollout(model, m)
    assert not {name: gap for name, gap in gaps.items() if not gap <= 1.0}
