"""Mutated URDF and x_xy texts end in a model or in diagnostics, never in anything else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinetree

ROOT = Path(__file__).resolve().parents[3]
ROBOT = (ROOT / "resources/models/formats/mobile.urdf").read_text(encoding="utf-8")
CAROUSEL = (ROOT / "resources/models/formats/carousel.xml").read_text(encoding="utf-8")
FIXED = """<robot name="r"><link name="world"/><link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1"
iyz="0" izz="1"/></inertial></link><link name="b"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="c"><visual><geometry><mesh filename="package://a/b.dae" scale="1 1 1"/></geometry></visual></link>
<joint name="i" type="planar"><parent link="world"/><child link="a"/><limit lower="-1" upper="1" effort="1"/></joint>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/><origin xyz="1 2 3" rpy="1 2 3"/></joint>
<joint name="k" type="prismatic"><parent link="b"/><child link="c"/><mimic joint="j" multiplier="2"/></joint></robot>"""
MANY = """<x_xy model="m"><options gravity="0 0 9.81" dt="0.01"/><defaults><geom mass="1" color="red"/><body damping="1"/></defaults>
<worldbody><body name="a" joint="cor" damping="1 1 1 1 1 1 1 1 1"><geom type="xyz"/><body name="b" joint="rr_imp" damping="1 1"
pos_min="0 0 0" pos_max="1 1 1"><geom type="capsule" dim="1 2"/></body></body><body name="c" joint="free" damping="1 1 1 1 1 1"
spring_stiff="1 1 1 2 2 2" spring_zero="1 0 0 0 0 0 0"><geom type="sphere" dim="1"/></body></worldbody></x_xy>"""
WORDS = [
    "nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "-1", "0", "", "1 2", "0 0 0", "0 0 0 0", "x", "\x07", "é", "world", "free",
    "spherical", "floating", "planar", "fixed", "frozen", "cor", "rr", "xyz", "mesh", "true", "../../../etc/passwd", "&lt;", "1" * 400,
]  # fmt: skip
_TAG = re.compile(r"<[^<>]*>")
_VALUE = re.compile(r'"[^"<>]*"')


@st.composite
def mutated(draw, text):
    for _ in range(draw(st.integers(1, 4))):
        what = draw(st.sampled_from(["value", "value", "drop", "double", "swap", "name", "cut"]))
        pattern = _VALUE if what == "value" else _TAG
        found = list(pattern.finditer(text))
        if not found:
            return text
        one = found[draw(st.integers(0, len(found) - 1))]
        if what == "value":
            text = f'{text[: one.start()]}"{draw(st.sampled_from(WORDS))}"{text[one.end() :]}'
        elif what == "drop":
            text = text[: one.start()] + text[one.end() :]
        elif what == "double":
            text = text[: one.end()] + one[0] + text[one.end() :]
        elif what == "name":
            text = text[: one.start()] + one[0].replace("a", "b", 1) + text[one.end() :]
        elif what == "cut":
            text = text[: one.start() + 1] + text[one.start() + 2 :]
        else:
            two = found[draw(st.integers(0, len(found) - 1))]
            one, two = sorted((one, two), key=lambda match: match.start())
            if one.end() <= two.start():
                between = text[one.end() : two.start()]
                text = text[: one.start()] + two[0] + between + one[0] + text[two.end() :]
    return text


def diagnostics_of(text, folder):
    """Reasons to refuse a text, None if it is a model."""
    try:
        kinetree.load_string(text, base=folder)
    except kinetree.ModelError as error:
        return error.diagnostics
    return None


@pytest.mark.parametrize("text", [ROBOT, CAROUSEL, FIXED, MANY], ids=["robot", "carousel", "fixed", "many"])
def test_nothing_but_a_model_or_diagnostics(text, tmp_path_factory):
    folder = tmp_path_factory.mktemp("nothing")

    @settings(max_examples=60, deadline=None)
    @given(mutated(text))
    def check(mutant):
        found = diagnostics_of(mutant, folder)
        assert found is None or [item for item in found if item.severity == "error"]
        for item in found or ():
            assert item.line >= 1 and item.column >= 1 and "\n" not in item.message

    check()
