"""Units behind numbers."""

import pytest

from kinetree.engine.assist.units import units
from kinetree.engine.document.document import Document

MODEL = '<mujoco>{}<worldbody><body><joint range="0 1" damping="2"/><geom euler="0 0 9" mass="1"/></body></worldbody></mujoco>'


@pytest.mark.parametrize(("settings", "angle"), [("", "deg"), ('<compiler angle="radian"/>', "rad")])
def test_angles_have_the_unit_of_the_compiler(settings: str, angle: str) -> None:
    text = MODEL.format(settings)
    document = Document.from_string(text)
    found = units(document, document.path, 0, len(text))
    named = {text[text.rindex(" ", 0, text.rindex("=", 0, each.offset)) + 1 : each.offset]: each.unit for each in found}
    assert named['range="0 1"'] == f"{angle} or m"
    assert named['euler="0 0 9"'] == angle
    assert named['mass="1"'] == "kg"


def test_only_what_is_asked_for() -> None:
    document = Document.from_string(MODEL.format(""))
    start = document.source.text.index("<geom")
    found = units(document, document.path, start, len(document.source.text))
    assert [each.unit for each in found] == ["deg", "kg"]
