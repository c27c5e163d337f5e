"""Versions replaced by an edit are freed without the garbage collector: a search through all objects for cycles would
make the window wait.
"""

import gc
from collections import Counter

import numpy as np
import pytest

import kinetree
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.element_edit import SetAttribute
from kinetree.engine.document.files import read_file
from kinetree.engine.document.project import Project

MODEL = """<mujoco>
  <default><default class="thin"><geom size="0.1"/></default></default>
  <asset><material name="m"/><texture name="t" type="2d" builtin="flat" width="4" height="4"/></asset>
  <worldbody>
    <frame pos="0 0 1">
      <body name="a"><freejoint/><geom class="thin" material="m" friction="0.5"/>
        <body pos="0 0 1"><joint name="j"/><geom size="0.1"/><body><geom size="0.2"/></body></body>
      </body>
    </frame>
    <replicate count="3" offset="1 0 0"><body><joint/><geom size="0.1"/></body></replicate>
  </worldbody>
  <contact><exclude body1="a" body2="world"/></contact>
  <actuator><motor joint="j"/></actuator>
  <sensor><jointpos joint="j"/></sensor>
  <keyframe><key name="k"/></keyframe>
</mujoco>"""


@pytest.fixture
def garbage():
    """The objects that only a search found, after it is asked."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)

    def found() -> Counter:
        gc.collect()
        return Counter(type(each) for each in gc.garbage)

    yield found
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()
    gc.collect()


def test_a_search_finds_cycles(garbage):
    cycle: list = []
    cycle.append(cycle)
    del cycle
    assert garbage()[list] == 1


def test_a_compiled_document_leaves_no_cycles(tmp_path, garbage):
    path = tmp_path / "model.xml"
    path.write_text(MODEL)
    project = Project()
    key = project.open(read_file(str(path)))
    for number in range(2):
        document = project.snapshot(key).document
        compiled = compile_document(document)
        compiled.model.provenance.prepare_selection()
        compiled.model.provenance.prepare()
        del compiled
        geom = next(document.root.iter("geom"))
        project.apply("Set friction", [SetAttribute(geom, "friction", f"0.{number + 6}")])
        del document, geom
    found = {kind: count for kind, count in garbage().items() if kind.__module__.startswith("kinetree.engine")}
    assert not found


def test_data_goes_with_its_last_use(garbage):
    model = kinetree.load_string(MODEL)
    garbage()
    gc.garbage.clear()
    data = kinetree.Data(model)
    kinetree.step(model, data)
    contact, count = data.contact, data.ncon
    assert len(contact.dist) == count and data.solver.niter.shape
    assert np.shares_memory(data.contact.dist, contact.dist) or not count
    del data
    assert len(contact.dist) == count  # who holds the contacts holds the Data
    del contact
    assert not [kind for kind in garbage() if kind.__module__.startswith("kinetree.engine")]
