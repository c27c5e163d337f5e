"""The compiler's caches for the next version of a model change nothing in it (tests/engine/compile/incremental.py goes
over any files).
"""

from __future__ import annotations

import pytest

from kinetree.engine.compile import compiler
from kinetree.engine.document.change import set_attribute
from kinetree.engine.document.document import Document
from tests.engine.compile import incremental

TEXT = """<mujoco>
  <asset><mesh name="m" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/></asset>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body pos="0 0 1"><freejoint/><geom type="mesh" mesh="m"/>
      <body name="arm" pos=".3 0 0"><joint name="j" axis="0 1 0" damping=".1"/><geom size=".1"/>
        <site name="s" pos=".1 0 0"/><camera pos="0 1 0"/><light pos="0 0 2"/></body></body>
    <body pos="2 0 1"><joint name="k" springdamper="1 1"/><geom size=".1"/><site name="t"/></body>
  </worldbody>
  <tendon><spatial name="ten" springlength="-1"><site site="s"/><site site="t"/></spatial></tendon>
  <equality><connect body1="arm" anchor="0 0 0"/></equality>
  <actuator><position joint="j" kp="3" dampratio="1"/><motor tendon="ten"/></actuator>
</mujoco>"""


def test_it_is_kept_while_nothing_that_the_constants_depend_on_is_edited(monkeypatch):
    """Numbers that a slider changes: damping of joints, friction of geoms."""
    done = []
    original = compiler.constants.fill
    monkeypatch.setattr(compiler.constants, "fill", lambda *given: done.append(1) or original(*given))
    document = Document.from_string(TEXT.replace('springdamper="1 1"', ""))
    incremental.result(document)
    for tag, name, value, runs in (
        ("joint", "damping", "3", 1),
        ("geom", "friction", ".3", 1),
        ("position", "ctrlrange", "0 1", 1),
        ("body", "pos", "0 0 2", 2),
        ("joint", "armature", "1", 3),
        ("geom", "rgba", "1 0 0 1", 3),
    ):
        node = next(document.root.iter(tag))
        document = document.with_edits(set_attribute(node, name, value))
        kept = incremental.result(document)
        assert len(done) == runs, name
        with incremental.from_scratch():
            fresh = incremental.result(document)
        done.pop()
        assert incremental.differences(kept, fresh) == []


@pytest.mark.parametrize("seed", range(4))
def test_random_edits(tmp_path, seed):
    path = tmp_path / "model.xml"
    path.write_text(TEXT)
    assert incremental.check(path, 12, seed) == []


@pytest.mark.parametrize(
    "name", ["humanoid/humanoid.xml", "replicate/leaves.xml", "adhesion/active_adhesion.xml", "tendon_arm/arm26.xml"]
)
def test_random_edits_of_models_of_the_corpus(corpus, name):
    assert incremental.check(corpus(name), 5, 0) == []
