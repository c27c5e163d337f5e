"""Angles and poses in other words leave the compiled model as it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinetree.engine.assist.language import language_of
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.tree import Node
from kinetree.engine.editing.orientation import FORMS
from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.editing.tools.angles import to_form, to_unit, unit_of, with_fromto, without_fromto
from kinetree.engine.model.fields import TABLES
from tests.conftest import ROOT, SHARED
from tests.corpus import listed
from tests.engine.editing.structural import Edited

OWN = sorted((ROOT / "resources" / "models").glob("*.xml"))
CORPUS = [each.path for each in listed(SHARED / "corpus") if each.loads == "yes"][::17]
SIGN_FREE = ("body_quat", "geom_quat", "site_quat", "cam_quat", "body_iquat")

TEXT = """<mujoco>
  <default>
    <joint range="-45 90"/>
    <default class="other"><joint springref="30"/><geom euler="0 0 30"/></default>
  </default>
  <worldbody>
    <body name="a" euler="90 0  45.5">
      <joint name="hinge" class="other" ref="10"/>
      <joint name="slide" type="slide" axis="1 0 0" class="other"/>
      <joint name="loose" axis="0 1 0" range="-10 10" limited="false"/>
      <geom type="box" size=".1 .2 .3" axisangle="1 2 3 60"/>
      <body name="b" axisangle="0 1 0 -30">
        <joint name="ball" type="ball" range="0 60" springref="30"/>
        <geom type="capsule" size=".1" fromto="0 0 0 .3 .1 1"/>
        <geom type="cylinder" size=".1 .4" pos="1 2 3" class="other"/>
      </body>
    </body>
    <replicate count="3" euler="0 0 40"><site pos="1 0 0"/></replicate>
    <camera xyaxes="1 0 0 0 .6 .8"/>
  </worldbody>
</mujoco>
"""


def numbers_of(document: Document) -> dict[str, np.ndarray]:
    """The numbers of a compiled model that have an effect; quaternions with one sign."""
    model = compile_document(document).model
    found = {}
    for field in TABLES["Model"]:
        value = np.asarray(getattr(model, field.name))
        if field.name == "jnt_range":
            value = value[np.asarray(model.jnt_limited, bool)]
        if value.dtype.kind == "f":
            if field.name in SIGN_FREE:
                first = np.argmax(np.abs(value) > 1e-9, axis=1)
                value = value * np.sign(value[np.arange(len(value)), first])[:, None]
            found[field.name] = value
    return found


def assert_near(one: dict[str, np.ndarray], two: dict[str, np.ndarray]) -> None:
    for name in one:
        scale = max(1e-3, float(np.abs(one[name]).max(initial=0, where=np.isfinite(one[name]))))
        fine = 1e-9 if "invweight0" in name else 1e-12  # inverse matrices magnify what is rounded
        np.testing.assert_allclose(one[name], two[name], rtol=fine, atol=fine * scale, err_msg=name)


def nodes_of(document: Document, *tags: str) -> list[Node]:
    return [node for node in document.merged.iter() if node.tag in tags and language_of(document).row(node)]


def test_degrees_become_radians_and_degrees_again():
    edited = Edited(text=TEXT)
    before = numbers_of(edited.document)
    edited.project.apply("Radians", to_unit(edited.document, "radian"))
    text = edited.project.text(edited.path)
    assert unit_of(edited.document) == "radian" and '<compiler angle="radian"/>' in text
    assert 'name="loose" axis="0 1 0" range="-.174532925199433 .174532925199433" limited="false"' in text
    assert 'euler="1.5707963267949 0  .79412480965742"' in text
    assert 'axisangle="1 2 3 1.0471975511966"' in text
    assert '<joint name="slide" type="slide" axis="1 0 0" class="other" range="-45 90" springref="30"/>' in text
    assert_near(before, numbers_of(edited.document))
    with pytest.raises(CannotEdit, match="radians already"):
        to_unit(edited.document, "radian")
    edited.project.apply("Degrees", to_unit(edited.document, "degree"))
    assert_near(before, numbers_of(edited.document))
    assert 'euler="90 0  45.5"' in edited.project.text(edited.path)
    edited.project.undo()
    edited.project.undo()
    assert edited.data() == edited.before


def test_a_range_without_limits_stays_only_as_the_range_of_an_actuator():
    """The compiler reads it without a unit, and gives it to the actuator."""
    edited = Edited(
        text="""<mujoco><default><default class="servo"><position inheritrange="1" kp="5"/></default></default>
  <worldbody><body><joint name="a" axis="1 0 0" range="-1 1" limited="false"/>
    <joint name="b" axis="0 1 0" range="-90 90" limited="false"/><joint name="c" range="-90 90"/><geom size=".1"/></body>
  </worldbody>
  <actuator><position class="servo" joint="a"/><position joint="b"/><position class="servo" joint="c"/></actuator>
</mujoco>"""
    )
    before = numbers_of(edited.document)
    edited.project.apply("Radians", to_unit(edited.document, "radian"))
    text = edited.project.text(edited.path)
    assert 'name="a" axis="1 0 0" range="-1 1" limited="false"' in text
    assert text.count('range="-1.57079632679') == 2
    assert_near(before, numbers_of(edited.document))


def test_included_files_are_converted_in_the_same_step(tmp_path):
    (tmp_path / "arm.xml").write_text('<mujocoinclude><body euler="90 0 0"><geom size="1"/></body></mujocoinclude>')
    main = tmp_path / "main.xml"
    main.write_text('<mujoco><compiler autolimits="true"/><worldbody><include file="arm.xml"/></worldbody></mujoco>')
    edited = Edited(str(main))
    changed = edited.step(to_unit(edited.document, "radian"))
    assert sorted(Path(path).name for path in changed) == ["arm.xml", "main.xml"]


def test_every_form_of_an_orientation_says_the_same():
    for form in FORMS:
        reasons: list[str] = []
        edited = Edited(text=TEXT)
        before = numbers_of(edited.document)
        nodes = [node for node in edited.document.root.iter() if node.tag in ("body", "geom", "camera")]
        done = 0
        for node in nodes:
            try:
                edits = to_form(edited.document, [node], form)
            except CannotEdit as error:
                reasons.append(str(error))
                continue
            edited.project.apply("Convert", edits)
            done += 1
        assert done or form == "zaxis"
        assert all(form in each or "fromto" in each for each in reasons)
        assert_near(before, numbers_of(edited.document))


def test_two_ends_and_back():
    edited = Edited(text=TEXT)
    before = numbers_of(edited.document)
    rod = edited.document.node(next(node for node in edited.document.root.iter() if node.get("fromto")).id)
    assert rod is not None
    edited.project.apply("Pose", without_fromto(edited.document, [rod]))
    assert_near(before, numbers_of(edited.document))
    now = edited.document.node(rod.id)
    assert now is not None and now.get("zaxis") == "-.3 -.1 -1" and now.get("pos") == ".15 .05 .5"
    edited.project.apply("Ends", with_fromto(edited.document, [now]))
    assert_near(before, numbers_of(edited.document))
    last = edited.document.node(rod.id)
    assert last is not None and last.get("fromto") == "0 0 0 .3 .1 1" and last.get("size") == ".1"
    box = next(node for node in edited.document.root.iter() if node.get("type") == "box")
    with pytest.raises(CannotEdit, match="two widths"):
        with_fromto(edited.document, [box])


def test_what_has_no_such_words_is_refused():
    document = Edited(text=TEXT).document
    (cylinder,) = [node for node in document.root.iter() if node.get("type") == "cylinder"]
    with pytest.raises(CannotEdit, match="none of these"):
        to_form(document, [cylinder], "quat")
    turned = TEXT.replace('pos="1 2 3"', 'pos="1 2 3" axisangle="1 0 0 20"')
    document = Edited(text=turned).document
    (cylinder,) = [node for node in document.root.iter() if node.get("type") == "cylinder"]
    with pytest.raises(CannotEdit, match="counts before a quaternion"):
        to_form(document, [cylinder], "quat")
    urdf = Edited("/models/a.urdf", '<robot name="a"><link name="l"/></robot>').document
    with pytest.raises(CannotEdit, match="radians always"):
        to_unit(urdf, "degree")


@pytest.mark.parametrize("path", [*OWN, *CORPUS], ids=lambda path: path.stem)
def test_models_stay_the_same_in_the_other_unit(path):
    try:
        edited = Edited(str(path))
        if edited.document.root.tag != "mujoco" or path.stat().st_size > 60_000:
            return
        before = numbers_of(edited.document)
    except (ModelError, ValueError):
        return
    unit = "radian" if unit_of(edited.document) == "degree" else "degree"
    edited.project.apply("Convert", to_unit(edited.document, unit))
    assert_near(before, numbers_of(edited.document))
