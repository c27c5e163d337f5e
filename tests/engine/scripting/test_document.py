"""`kinetree.Document`: a text that a script edits."""

import contextlib
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import kinetree

TEXT = """<!-- an arm -->
<mujoco model="arm">
  <default><geom rgba=".5 .5 .5 1"/>   <default class="visual"><geom contype="0"/></default></default>
  <worldbody>
    <geom name="floor"  type="plane" size="1 1 .1"/>  <!-- keep me -->
    <body name="arm" pos="0 0 .50">
      <joint name='knee' axis="0 1 0"
             damping="0.30"/>
      <geom class="visual" name="shin" size=".1"/>
      <geom size=".1"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="knee"/></actuator>
</mujoco>
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(TEXT)
    return path


@pytest.fixture
def text(path):
    return kinetree.Document(path)


def test_an_edit_changes_its_own_characters_only(text):
    text.body("arm").set(pos=(0, 0, 1.5))
    assert text.text == TEXT.replace("0 0 .50", "0 0 1.5")
    text.joint("knee").set(damping=0.1, range=(-1, 1))
    assert """damping="0.10" range="-1 1"/>""" in text.text
    text.joint("knee").set(range=None)
    text.undo()
    assert text.joint("knee").get("range") == "-1 1"
    assert text.undo_names == ["Set damping, range", "Set pos"]


def test_undo_gives_the_bytes_of_before_and_elements_stay(text):
    shin = text.geom("shin")
    shin.set(size=0.2, class_=None, name="bone")
    assert (shin.name, shin.get("class"), shin.get("size")) == ("bone", None, ".2")
    assert text.undo() == "Set size, class, name" and text.text == TEXT
    assert shin.name == "shin" and text.redo() and shin.name == "bone"
    assert text.undo() and not text.modified


def test_elements_are_found_by_name_by_xpath_and_from_the_root(text):
    assert [each.name for each in text.find("//geom[@class='visual']")] == ["shin"]
    assert text.body("arm") == text.geom("shin").parent
    assert [each.tag for each in text.body("arm")] == ["joint", "geom", "geom"]
    assert [each.tag for each in text.root] == ["default", "worldbody", "actuator"]
    assert text.element("class", "visual").tag == "default"
    assert text.body("arm").numbers("pos").tolist() == [0, 0, 0.5]
    assert text.body("arm").xml.startswith("<body name") and text.body("arm").line == 6
    with pytest.raises(KeyError, match="no body is named 'amr'; did you mean 'arm'"):
        text.body("amr")
    with pytest.raises(ValueError, match="selects attributes"):
        text.find("//@name")
    with pytest.raises(ValueError, match="quote is not closed"):
        text.find("//geom[@name='x]")


def test_a_step_is_one_undo_and_is_taken_back_by_an_exception(text):
    with text.step("Thick"):
        for geom in text.find("//worldbody//body/geom"):
            geom.set(size=0.3)
        text.body("arm").add("site", name="tip", pos=(0, 0, 0.2))
    assert text.undo_names == ["Thick"]
    thick = text.text
    with pytest.raises(LookupError), text.step("Broken"):  # noqa: PT012
        text.geom("shin").set(size=1)
        text.geom("floor").remove()
        text.geom("floor").set(size=1)
    assert text.text == thick and text.undo_names == ["Thick"]
    with pytest.raises(RuntimeError, match="the step 'One' has not ended"), text.step("One"), text.step("Two"):
        pass
    assert text.undo() == "Thick" and text.text == TEXT


def test_adding_moving_renaming_and_removing_keep_the_rules_of_the_format(text):
    arm = text.body("arm")
    site = arm.add("site", 1, name="tip")
    assert [each.tag for each in arm] == ["joint", "site", "geom", "geom"] and site.name == "tip"
    text.joint("knee").rename("elbow")
    assert text.actuator("motor").get("joint") == "elbow"
    site.move(text.find("//worldbody")[0])
    assert site.parent == text.find("//worldbody")[0]
    text.joint("elbow").remove(with_references=True)
    assert not text.find("//motor") and text.compile().nu == 0
    with pytest.raises(LookupError, match="not in the text any more"):
        site_of_removed(text)
    with pytest.raises(ValueError, match="<motor> cannot stand in <body>"):
        arm.add("motor")


def site_of_removed(text):
    site = text.site("tip")
    site.remove()
    return site.tag


def test_what_the_format_does_not_allow_is_refused_and_nothing_changes(text):
    shin = text.geom("shin")
    for values, why in (
        ({"sise": 1}, "<geom> has no attribute 'sise'; did you mean 'size'"),
        ({"type": "spere"}, "type='spere' of <geom>"),
        ({"rgba": "red"}, "rgba='red' of <geom>"),
        ({"size": float("inf")}, "size='inf' of <geom>"),
    ):
        with pytest.raises(ValueError, match=why):
            shin.set(mass=1, **values)
    with pytest.raises(TypeError, match="not as a"):
        shin.set(size=object())
    with pytest.raises(TypeError, match="not as a ndarray"):
        shin.set(size=np.zeros((2, 2)))
    with pytest.raises(ValueError, match="has no attribute"):
        text.body("arm").add("geom", sise=1)
    assert text.text == TEXT and not text.undo_names


def test_saving_writes_only_what_was_edited_and_never_over_others(path, text):
    assert text.save() == []
    text.geom("floor").set(size="2 2 .1")
    assert text.save() == [str(path)] and path.read_text() == TEXT.replace("1 1 .1", "2 2 .1")
    assert not text.modified
    text.geom("floor").set(size="3 3 .1")
    path.write_text(TEXT)
    with pytest.raises(OSError, match="changed by another program"):
        text.save()
    copy = path.with_name("copy.xml")
    text.save_copy(copy)
    assert "3 3 .1" in copy.read_text() and path.read_text() == TEXT


def test_included_files_are_edited_and_saved_as_well(tmp_path):
    (tmp_path / "inner.xml").write_text('<mujoco><worldbody><geom name="inner" size="1"/></worldbody></mujoco>')
    main = tmp_path / "main.xml"
    main.write_text('<mujoco><include file="inner.xml"/></mujoco>')
    text = kinetree.Document(main)
    text.geom("inner").set(size=2)
    assert text.modified == [str(tmp_path / "inner.xml")] and len(text.texts) == 2
    assert [os.path.basename(name) for name in text.save()] == ["inner.xml"]
    assert main.read_text() == '<mujoco><include file="inner.xml"/></mujoco>'


def test_a_text_of_its_own_compiles_and_is_checked(tmp_path):
    text = kinetree.Document(tmp_path / "new.xml", '<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>')
    assert text.compile().ngeom == 1 and text.modified
    text.set_text(text.text.replace(".1", "x"))
    (found,) = [each for each in text.check() if each.severity.value == "error"]
    assert found.line == 1
    with pytest.raises(kinetree.ModelError):
        text.compile()
    text.undo()
    assert [each for each in text.check() if each.severity.value == "error"] == []
    with pytest.raises(kinetree.ModelError):
        kinetree.Document(tmp_path / "none.xml")


def test_urdf_has_its_own_kinds(tmp_path):
    robot = '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>'
    text = kinetree.Document(tmp_path / "r.urdf", robot)
    text.element("link", "b").rename("hand")
    assert '<child link="hand"/>' in text.text


@settings(max_examples=40, deadline=None)
@given(some.lists(some.tuples(some.integers(0, 3), some.floats(-1e6, 1e6).map(lambda x: abs(x) + 1e-3)), max_size=6))
def test_any_edits_undone_give_the_same_bytes(tmp_path_factory, edits):
    text = kinetree.Document(tmp_path_factory.mktemp("edits") / "arm.xml", TEXT)
    for which, value in edits:
        geoms = text.find("//worldbody//geom")
        if which == 0 and len(geoms) > 1:
            with contextlib.suppress(ValueError):  # a moving body needs a mass
                geoms[-1].remove()
        elif which == 1:
            text.body("arm").add("geom", size=value)
        else:
            geoms[which % len(geoms)].set(margin=value)
            assert text.find("//worldbody//geom")[which % len(geoms)].numbers("margin").tolist() == [value]
    while text.undo():
        pass
    assert text.text == TEXT
