"""Fusing static bodies: as the reference where it is right, and right where it is not."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import engine
from engine.compile.tree import masses

from .compiled import agree, differences

FUSED = [
    line
    for line in (Path(__file__).resolve().parent / "fused.txt").read_text(encoding="utf-8").splitlines()
    if line.startswith("<")
]


@pytest.mark.parametrize("text", FUSED, ids=range(len(FUSED)))
def test_all_but_the_places_of_masses_is_the_same(text, monkeypatch):
    monkeypatch.setattr(masses, "LIKE_THE_REFERENCE", True)
    agree(text)


@pytest.mark.parametrize("text", FUSED, ids=range(len(FUSED)))
def test_the_reference_still_moves_masses(text):
    assert differences(engine.load_string(text), mujoco.MjModel.from_xml_string(text))


@pytest.mark.parametrize("text", FUSED, ids=range(len(FUSED)))
def test_fusing_leaves_the_dynamics_as_they_are(text):
    """XML reference, compiler/fusestatic: the new model has identical kinematics and dynamics."""
    apart = text.replace('fusestatic="true"', 'fusestatic="false"')
    if "fusestatic" not in text:
        extension = '<mujoco><compiler fusestatic="false"/></mujoco>'
        if "<compiler" in text:
            apart = text.replace("<compiler", '<compiler fusestatic="false"')
        else:
            apart = text.replace('<robot name="r">', f'<robot name="r">{extension}')
    fused, whole = engine.load_string(text), engine.load_string(apart)
    assert fused.nbody < whole.nbody
    if "boundmass" in text:  # what is fused to the world loses its mass
        return
    assert np.allclose(fused.dof_M0, whole.dof_M0, rtol=1e-6)
    assert np.allclose(fused.dof_invweight0, whole.dof_invweight0, rtol=1e-6)
