"""Edits are compiled before they are made: what breaks a model is told with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinetree.engine.check.trial import why_broken
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import ElementEdit, Insert, Remove
from kinetree.engine.document.project import work_out
from kinetree.engine.progress import Cancelled, reported

BODY = """<mujoco>
  <worldbody>
    <body name="arm">
      <joint/>
      <geom size=".1" mass="1"/>
    </body>
  </worldbody>
  <keyframe>
    <key qpos="0"/>
  </keyframe>
</mujoco>
"""


def broken(text: str, old: str, new: str, **options) -> str | None:
    """Why a text does not compile with `new` in place of `old`."""
    document = Document.from_string(text)
    after = document.with_text(text.replace(old, new))
    return why_broken(document, {path: after.parsed_of(path) for path in document.parsed}, **options)


def edited(document: Document, *edits: ElementEdit) -> str | None:
    """Why a document does not compile after some edits."""
    step = work_out(edits, document.parsed)
    return why_broken(document, {path: parsed for path, (parsed, _) in step.after.items()})


def test_a_result_that_compiles_is_none():
    assert broken(BODY, 'mass="1"', 'mass="2"') is None


def test_the_error_names_the_element_and_the_line_that_it_has_before_the_edit():
    text = BODY.replace("<worldbody>", "<default><geom size='1'/></default><worldbody>").replace(' size=".1"', "")
    document = Document.from_string(text)
    default, geom = document.root.iter("geom")
    why = edited(document, Remove(default))
    assert why is not None and "sphere needs 1 size" in why and why.endswith("(<geom> in line 5)")
    why = edited(document, Insert(document.root, "<option/>", 0), Remove(default))
    assert why is not None and why.endswith("(<geom> in line 5)")
    assert geom.parent is not None
    why = edited(document, Insert(geom.parent, '<geom type="box"/>', 0))
    assert why is not None and "box needs 3 sizes" in why and why.endswith("(the new <geom>)")


def test_a_keyframe_that_would_not_fit_says_what_can_be_done_before_the_edit():
    why = broken(BODY, "<joint/>", "<joint/><joint/>")
    assert why is not None and "the keyframe in line 9 would not fit any more; delete it first" in why


def test_a_text_with_errors_may_be_edited_in_any_way():
    text = BODY.replace("<joint/>", '<joint type="wrong"/>')
    assert broken(text, 'mass="1"', 'mass="-1"') is None


def test_a_model_that_takes_too_long_is_not_judged():
    assert broken(BODY, 'mass="1"', 'mass="-1"', limit=-1.0) is None


def test_cancel_ends_the_trial():
    def report(_fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled), reported(report):
        broken(BODY, 'mass="1"', 'mass="2"')


def test_a_part_of_the_model_is_tried_with_the_rest(tmp_path: Path):
    (tmp_path / "part.xml").write_text('<mujocoinclude><geom name="g" size="1"/></mujocoinclude>')
    main = tmp_path / "main.xml"
    main.write_text('<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>')
    document = Document.load(main)
    part = next(path for path in document.parsed if path.endswith("part.xml"))
    after = document.with_text(document.parsed[part].source.text.replace(' size="1"', ""), part)
    why = why_broken(document, {part: after.parsed[part]})
    assert why is not None and "(<geom> in line 1)" in why
