"""Data takes at most twice the memory of mjData."""

from __future__ import annotations

import mujoco
import pytest

import kinetree
from tests.conftest import ROOT
from tests.oracle.memory import bytes_of_data, bytes_of_reference

ROW_OF_SPHERES = """<mujoco><worldbody><geom type="plane" size="0 0 1"/><replicate count="60" offset=".3 0 0"><body pos="0 0 .1">
  <freejoint/><geom size=".1"/></body></replicate></worldbody></mujoco>"""
PILE = """<mujoco><worldbody><geom type="plane" size="0 0 1"/><replicate count="30" offset="0 0 .21"><body pos="0 0 .1">
  <freejoint/><geom type="box" size=".1 .1 .1"/></body></replicate></worldbody></mujoco>"""
LEAVES = """<mujoco><option solver="CG" density="1.2" viscosity="2e-5" integrator="implicitfast"/><worldbody>
 <geom type="plane" size="0 0 1"/><replicate count="100" offset=".1 0 0"><body pos="0 0 3"><freejoint/>
 <geom type="ellipsoid" size=".03 .01 .001" fluidshape="ellipsoid"/><geom type="ellipsoid" size=".03 .01 .001" pos=".05 0 0"/>
 </body></replicate></worldbody></mujoco>"""
BEADS = """<mujoco><worldbody><geom type="plane" size="0 0 1"/><replicate count="2" offset="0 .3 0"><body pos="0 0 .1">
 <freejoint/><replicate count="50" offset=".1 0 0"><geom size=".05"/></replicate></body></replicate></worldbody></mujoco>"""
TEXTS = {"spheres": ROW_OF_SPHERES, "pile": PILE, "leaves": LEAVES, "beads": BEADS, "empty": "<mujoco/>"}


@pytest.mark.parametrize("name", ["arm", "boxes", "car", "hand", *TEXTS])
def test_data_takes_at_most_twice_the_memory(name):
    if name in TEXTS:
        model, reference = kinetree.load_string(TEXTS[name]), mujoco.MjModel.from_xml_string(TEXTS[name])
    else:
        path = ROOT / "resources" / "models" / f"{name}.xml"
        model, reference = kinetree.load(path), mujoco.MjModel.from_xml_path(str(path))
    data, its_data = kinetree.Data(model), mujoco.MjData(reference)
    kinetree.step(model, data, 200)
    mujoco.mj_step(reference, its_data, 200)
    assert bytes_of_data(data) <= 2 * bytes_of_reference(its_data)
