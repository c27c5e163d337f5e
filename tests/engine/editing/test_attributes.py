"""Attributes set, reset and moved to classes: what the edits make of a text."""

import pytest

from kinetree.engine.assist.in_force import ValueOrigin, in_force
from kinetree.engine.document.document import Document
from kinetree.engine.document.files import FileRead
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.project import Project
from kinetree.engine.document.source import Source
from kinetree.engine.editing import attributes
from kinetree.engine.mjcf import schema

TEXT = """<mujoco>
  <option timestep="0.002"/>
  <default>
    <geom density="900"/>
    <default class="wheel"/>
  </default>
  <worldbody>
    <body name="a" quat="1 0 0 0"/>
    <geom name="g" class="wheel" size=".1"  friction="1  0.5"/>
    <geom name="h" size=".2"/>
    <site name="s"/>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def opened(tmp_path):
    """opened(text): a project with one document, and its path."""

    def make(text=TEXT):
        project = Project()
        path = str(tmp_path / "model.xml")
        project.open(FileRead(path, ParsedSource.parse(Source(path, text.encode(), text, tmp_path))))
        return project, path

    return make


def named(document: Document, name: str):
    return next(node for node in document.root.iter() if node.get("name") == name)


def test_a_value_is_judged_by_its_row():
    row = schema.ELEMENTS["body.geom"]
    judge = lambda name, text: attributes.problem(row, row.attributes[name], text)  # noqa: E731
    assert not judge("size", "0.1 0.2")
    assert "not a number" in judge("size", "0.1 x")
    assert judge("size", "1 2 3 4")
    assert judge("type", "cube")
    assert judge("group", "1.5")
    assert judge("quat", "0 0 0 0")
    assert judge("mass", "inf")
    assert judge("mass", " ")
    assert not judge("material", "red")


def test_several_elements_are_set_in_one_step_and_undone(opened):
    project, path = opened()
    document = project.snapshot(path).document
    both = [named(document, "g"), named(document, "h")]
    project.apply("Set size", attributes.set_values(both, "size", ["0.3", ".2"]))
    assert project.text(path) == TEXT.replace('size=".1"', 'size="0.3"')
    project.undo()
    assert project.text(path) == TEXT


def test_another_form_of_an_orientation_takes_the_place_of_the_written_one(opened):
    project, path = opened()
    body = named(project.snapshot(path).document, "a")
    project.apply("Convert", attributes.set_orientation([body], "euler", ["0 0 90"]))
    assert '<body name="a" euler="0 0 90"/>' in project.text(path)


def test_a_value_moves_to_the_class(opened):
    project, path = opened()
    document = project.snapshot(path).document
    project.apply("Set in class", attributes.set_in_class(document, [named(document, "g")], "friction", "1  0.5"))
    text = project.text(path)
    assert '<default class="wheel">' in text and '<geom friction="1  0.5"/>' in text
    assert '<geom name="g" class="wheel" size=".1"/>' in text
    document = project.snapshot(path).document
    project.apply("Set in class", attributes.set_in_class(document, [named(document, "h")], "density", "10"))
    assert '<geom density="10"/>' in project.text(path)


NESTED = """<mujoco>
  <default>
    <default class="outer">
      <geom friction=".1"/>
      <default class="inner"><geom density="5"/></default>
      <default class="rough"><geom friction=".9"/></default>
      <motor gear="2"/>
      <general gear="3"/>
    </default>
  </default>
  <worldbody>
    <geom name="a" class="outer" size="1" friction=".5"/>
    <geom name="b" class="inner" size="1" friction=".5"/>
    <geom name="c" class="rough" size="1" friction=".5"/>
    <geom name="d" class="rough" size="1"/>
    <body><joint name="j"/><geom size="1"/></body>
  </worldbody>
  <actuator><motor name="m" class="outer" joint="j" gear="4"/></actuator>
</mujoco>
"""


def in_class(opened, names, attribute, text, of=None):
    project, path = opened(NESTED)
    document = project.snapshot(path).document
    nodes = [next(node for node in document.root.iter() if node.get("name") == name) for name in names]
    project.apply("Set in class", attributes.set_in_class(document, nodes, attribute, text, of))
    after = project.snapshot(path).document
    for node in nodes:
        now = in_force(after, next(each for each in after.merged.iter() if each.id == node.id))[attribute]
        assert now.value.split()[0] == text and now.origin is ValueOrigin.CLASS
    return project.text(path)


def test_a_class_that_takes_the_value_from_another_one_is_left_alone(opened):
    text = in_class(opened, "abc", "friction", ".7")
    assert '<geom friction=".7"/>\n      <default class="inner"><geom density="5"/>' in text
    assert '<default class="rough"><geom friction=".7"/>' in text and ".5" not in text


def test_the_value_can_be_set_in_a_class_around(opened):
    project, path = opened(NESTED)
    document = project.snapshot(path).document
    a, b, c = (named(document, name) for name in "abc")
    assert attributes.classes_for(document, [b], "friction") == ["inner", "outer"]
    assert attributes.classes_for(document, [b], "density") == ["inner"]
    assert attributes.classes_for(document, [a, b], "friction") == ["outer"]
    assert attributes.classes_for(document, [a, b], "rgba") == ["outer", "main"]
    assert attributes.classes_for(document, [c], "friction") == ["rough"]
    with pytest.raises(attributes.NoClass, match="'rough' inside 'outer' sets friction itself"):
        attributes.set_in_class(document, [c], "friction", "1", "outer")
    with pytest.raises(attributes.NoClass, match="does not use the default class 'rough'"):
        attributes.set_in_class(document, [a], "friction", "1", "rough")
    assert '<geom density="5"/>' in in_class(opened, "ab", "friction", ".7", "outer")
    made = in_class(opened, "b", "condim", "4", "main")
    assert '<default>\n    <geom condim="4"/>' in made


def test_the_last_of_several_actuator_settings_counts(opened):
    assert '<motor gear="2"/>\n      <general gear="5"/>' in in_class(opened, "m", "gear", "5")


def test_main_is_made_where_there_is_no_default_class(opened):
    project, path = opened(
        '<mujoco>\n  <option/>\n  <worldbody>\n    <site name="s" rgba="1 0 0 1"/>\n  </worldbody>\n</mujoco>\n'
    )
    document = project.snapshot(path).document
    project.apply("Set in class", attributes.set_in_class(document, [named(document, "s")], "rgba", "1 0 0 1"))
    tags = [child.tag for child in project.tree(path).children]
    assert tags == ["option", "default", "worldbody"]
    assert '<site rgba="1 0 0 1"/>' in project.text(path)


def test_what_has_no_class_is_refused(opened):
    project, path = opened()
    document = project.snapshot(path).document
    with pytest.raises(attributes.NoClass, match="takes nothing"):
        attributes.set_in_class(document, [named(document, "a")], "pos", "0 0 0")
    with pytest.raises(attributes.NoClass, match="cannot set name"):
        attributes.set_in_class(document, [named(document, "g")], "name", "x")


@pytest.mark.parametrize(
    ("text", "index", "below", "result"),
    [
        ("1  0.5", 1, "", "1  7"),
        (" 1\n2 ", 0, "", " 7\n2 "),
        ("1", 2, "1 0.005 0.0001", "1 0.005 7"),
        ("", 1, "", "0 7"),
        ("", 0, "1 2", "7"),
    ],
)
def test_one_number_of_a_list_is_replaced(text, index, below, result):
    assert attributes.with_number(text, index, "7", below) == result
