"""Content of the inspector for elements, without a window."""

import pytest

from kinetree.app.panels.writing.inspector.inspection import inspect, problems_of, title_of, unit_of
from kinetree.engine.assist.in_force import ValueOrigin
from kinetree.engine.diagnostics import Diagnostics
from kinetree.engine.document.document import Document
from kinetree.engine.mjcf.validate import validate

TEXT = """<mujoco>
  <compiler angle="radian"/>
  <default><geom rgba="1 0 0 1"/></default>
  <worldbody>
    <body name="a" euler="0 0 1">
      <joint name="turn" type="hinge" range="0 1"/>
      <joint name="slide" type="slide"/>
      <geom name="g" size=".1" frictoin="1"/>
      <geom name="h" size=".2 .3" type="capsule"/>
      <gizmo name="odd"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope="module")
def document():
    return Document.from_string(TEXT)


def look(document, *names):
    nodes = {node.get("name"): node for node in document.root.iter()}
    found = inspect(document, [nodes[name].id for name in names])
    assert found is not None
    return found


def test_one_element(document):
    found = look(document, "h")
    assert title_of(found) == ("h", "geom") and list(found.groups)[:3] == ["Name and class", "Pose", "Shape"]
    assert found.items["size"].numbers == (".2", ".3", "0")
    assert found.items["rgba"].origin is ValueOrigin.CLASS and not found.items["rgba"].is_written
    assert found.items["mass"].text == "" and found.items["mass"].origin is ValueOrigin.COMPILER


def test_several_elements_have_common_and_mixed_values(document):
    found = look(document, "g", "h")
    assert title_of(found) == ("2 × geom", "")
    assert found.items["size"].text is None and found.items["size"].numbers == (None, None, "0")
    assert found.items["rgba"].text == "1 0 0 1"
    mixed = look(document, "turn", "h")
    assert title_of(mixed) == ("2 elements", "")
    assert "friction" not in mixed.items and {"name", "class", "group", "pos"} <= set(mixed.items)
    assert mixed.node.tag == "geom"


def test_an_unknown_attribute_and_element_are_told(document):
    found = look(document, "g")
    assert [each.name for each in found.unknown] == ["frictoin"]
    odd = look(document, "odd")
    assert odd.row is None and odd.items == {}


def test_units_follow_the_compiler_and_the_joint(document):
    turn, slide = look(document, "turn"), look(document, "slide")
    assert unit_of(turn, turn.items["range"].row) == "rad" and unit_of(slide, slide.items["range"].row) == "m"
    body = look(document, "a")
    assert unit_of(body, body.items["euler"].row) == "rad"
    assert body.form == "euler" and body.forms == ("quat", "euler", "axisangle", "xyaxes", "zaxis")


def test_findings_belong_to_the_attribute_that_they_are_about(document):
    diagnostics = Diagnostics()
    validate(document.root, diagnostics)
    assert set(problems_of(look(document, "g"), diagnostics.items)) == {"frictoin"}
    assert set(problems_of(look(document, "odd"), diagnostics.items)) == {""}
    assert problems_of(look(document, "h"), diagnostics.items) == {}


def test_an_element_that_is_gone(document):
    assert inspect(document, [10**9]) is None


def test_values_are_looked_up_when_they_are_asked_for(document, monkeypatch):
    """A change of thousands of elements that needs none of their values does not wait for them."""
    from kinetree.app.panels.writing.inspector import inspection

    asked = []
    known = inspection.in_force
    monkeypatch.setattr(inspection, "in_force", lambda *given: asked.append(given[1:]) or known(*given))
    nodes = [node for node in document.root.iter() if node.tag == "geom"]
    found = inspect(document, [node.id for node in nodes], prepare=False)
    assert found is not None and found.nodes == tuple(nodes) and not asked
    whole = inspect(document, [node.id for node in nodes])
    assert whole is not None
    asked.clear()
    for name, item in found.items.items():
        assert item.values == whole.items[name].values and item.primary == whole.items[name].primary
    assert {names for _, *names in asked for names in names} == {(name,) for name in found.items}
