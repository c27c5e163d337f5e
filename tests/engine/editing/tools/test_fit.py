"""Primitives fitted to meshes: as the compilers fit them, written as numbers in the author's form."""

import mujoco
import numpy as np
import pytest

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.editing.tools.fit import SIZES, alone, fitted
from tests.engine.editing.structural import Edited
from tests.engine.editing.test_structure import find

MODEL = """<mujoco>
  <compiler fitaabb="false" angle="radian"/>
  <default>
    <geom rgba="1 0 0 1" euler="0 0 .3"/><mesh scale="1 1 1.5"/>
    <default class="v"><geom type="mesh" mesh="wedge"/></default>
  </default>
  <asset><mesh name="wedge" vertex="0 0 0  .1 0 0  0 .2 0  0 0 .3  .1 .05 .2" refpos=".1 0 0"/></asset>
  <worldbody>
    <body name="b" pos="0 0 1">
      <freejoint align="true"/>
      <geom name="plain" type="mesh" mesh="wedge" fitscale="1.1"/>
      <frame pos="0 .1 0" euler="0 .1 0"><geom name="turned" type="mesh" mesh="wedge" pos=".1 .2 .3" euler=".1 .2 .3"/></frame>
      <geom name="classed" class="v"/>
      <geom name="round" size=".1"/>
    </body>
  </worldbody>
</mujoco>
"""


def element_edits(document, name: str, kind: str):
    node = find(document, name, "geom")
    model = compile_document(alone(document, node, kind)).model
    return fitted(document, node, kind, model.geom_size[0], (model.geom_pos[0], model.geom_quat[0]))


@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("aabb", ["false", "true"])
@pytest.mark.parametrize("name", ["plain", "turned"])
def test_the_numbers_are_those_of_the_fitted_variant(kind, aabb, name):
    text = MODEL.replace('fitaabb="false"', f'fitaabb="{aabb}"')
    variant = text.replace(f'name="{name}" type="mesh"', f'name="{name}" type="{kind}"')
    edited = Edited(text=text)
    changes = edited.step(element_edits(edited.document, name, kind))
    node = find(edited.document, name, "geom")
    assert all(node.start < edit.start and edit.end <= node.end for edits in changes.values() for edit in edits)
    edited.project.apply("Fit", element_edits(edited.document, name, kind))
    after = edited.project.text(edited.path)
    one, result = (mujoco.MjModel.from_xml_string(each) for each in (variant, after))
    assert 'mesh="wedge"' not in str(find(edited.document, name, "geom").span.text)
    a, b = one.geom(name), result.geom(name)
    assert a.type == b.type
    np.testing.assert_allclose(b.size, a.size, atol=2e-9)
    places = []
    for model in (one, result):
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        places.append((data.geom(name).xpos, data.geom(name).xmat))
    np.testing.assert_allclose(places[1][0], places[0][0], atol=1e-8)
    np.testing.assert_allclose(places[1][1], places[0][1], atol=1e-8)


def test_the_form_of_the_orientation_stays():
    edited = Edited(text=MODEL)
    edited.project.apply("Fit", element_edits(edited.document, "turned", "box"))
    node = find(edited.document, "turned", "geom")
    assert [each.name for each in node.attributes] == ["name", "type", "pos", "euler", "size"]


@pytest.mark.parametrize(
    ("name", "words"), [("classed", "comes from a default class"), ("round", "no geom with a mesh")]
)
def test_what_cannot_be_fitted_is_refused(name, words):
    edited = Edited(text=MODEL)
    with pytest.raises(CannotEdit, match=words):
        element_edits(edited.document, name, "box")
