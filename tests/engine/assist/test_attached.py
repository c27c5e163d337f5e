"""Names that come from attached models."""

from pathlib import Path

import pytest

from kinetree.engine.assist.completion import complete
from kinetree.engine.assist.hover import hover
from kinetree.engine.assist.navigation import definitions
from kinetree.engine.document.document import Document
from kinetree.engine.document.source import Span

ARM = '<mujoco><worldbody><body name="arm"><joint name="elbow"/></body><body name="leg"/></worldbody></mujoco>'
MAIN = """<mujoco>
  <asset><model name="limbs" file="arm.xml"/><model name="lost" file="nowhere.xml"/></asset>
  <worldbody><attach model="limbs" body="{}" prefix="left_"/></worldbody>
  <actuator><motor joint="{}"/></actuator>
</mujoco>"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    return path


def at(folder: Path, body: str, joint: str) -> tuple[Document, str, int]:
    text = MAIN.format(body, joint)
    offset = text.index("|")
    document = Document.from_string(text.replace("|", ""), folder)
    return document, document.path, offset


def test_completion(arm: Path) -> None:
    found = complete(*at(arm.parent, "|", "")).items
    assert [(item.label, item.detail) for item in found] == [("arm", "body of arm.xml"), ("leg", "body of arm.xml")]
    found = complete(*at(arm.parent, "arm", "|")).items
    assert [(item.label, item.detail) for item in found] == [("left_elbow", "joint of arm.xml")]


def test_definition_and_hover(arm: Path) -> None:
    for place, text in ((("a|rm", ""), "arm"), (("arm", "left|_elbow"), "elbow")):
        (found,) = definitions(*at(arm.parent, *place))
        assert isinstance(found, Span)
        assert (found.file, found.text) == (str(arm), text)
        shown = hover(*at(arm.parent, *place))
        assert shown is not None and "line 1 of arm.xml" in shown.markdown


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    assert not complete(*at(tmp_path, "|", "")).items
    assert definitions(*at(tmp_path, "a|rm", "")) == []


def test_looking_at_it_leaves_no_trace(arm: Path) -> None:
    document, path, offset = at(arm.parent, "|", "")
    complete(document, path, offset)
    assert document.reads == [] and document.missing == []
