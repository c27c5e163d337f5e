"""Texts that are too large for any model are refused before they are parsed."""

from __future__ import annotations

import random

import pytest

import kinetree
from kinetree.engine.compile import memory_estimate
from kinetree.engine.diagnostics import Diagnostics, ModelError
from kinetree.engine.document import limits
from kinetree.engine.document.document import Document
from kinetree.engine.document.files import read_file
from kinetree.engine.document.limits import refuse_large
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.source import Source


@pytest.fixture(autouse=True)
def small_limits(monkeypatch):
    for module in (limits, memory_estimate):
        monkeypatch.setattr(module, "MAX_ELEMENTS", 50)
        monkeypatch.setattr(module, "MAX_BODIES", 20)


@pytest.fixture
def unparsed(monkeypatch):
    """Fails if a text is parsed."""

    def parse(*_):
        raise AssertionError("parsed")

    monkeypatch.setattr(ParsedSource, "parse", parse)


def model(content: str) -> str:
    return f"<mujoco><worldbody>\n{content}</worldbody></mujoco>"


def test_elements_are_counted_before_they_are_parsed(unparsed, tmp_path):
    file = tmp_path / "model.xml"
    file.write_text(model("<site/>\n" * 60))
    refused = "51:2: error: the model has more than 50 elements, which is the most that are read: use fewer, or keep"
    for read in (lambda: kinetree.load(file), lambda: kinetree.load_string(file.read_text())):
        with pytest.raises(ModelError, match=refused):
            read()
    for is_main in (False, True):
        assert read_file(file, is_main=is_main).failure.code == "too-large"
    with pytest.raises(AssertionError, match="parsed"):
        read_file(tmp_path / "model.xml") if file.write_text(model("<site/>\n" * 49)) else None


def test_bodies_are_counted_before_they_are_parsed(unparsed, tmp_path):
    file = tmp_path / "model.xml"
    file.write_text(model("<body/>\n" * 20))
    with pytest.raises(ModelError, match=r"21:2: error: the model has more than 20 bodies, .*make fewer copies"):
        kinetree.load(file)


@pytest.mark.parametrize(
    "text",
    [
        model("<!-- <a/> -->" * 60),
        model("<![CDATA[<a/><b/>]]>" * 60),
        model('<site name="&lt;"/>' * 30 + "<?x <a ?>" * 0 + "<!-- < -->" * 60),
        model("<site></site>" * 40),
        "<mujoco/>" + "<site/>" * 60,
        model("<site></body>" + "<site/>" * 60),
        model('<site a="' + "<b/>" * 60 + '"/>'),
        model("<site/>" * 20 + "\0" + "<site/>" * 60),
        model('<include file="a.xml"/>' * 60),
        "<mujoco><compiler fusestatic='true'/><worldbody>" + "<body/>" * 30 + "</worldbody></mujoco>",
        "<mujoco><include file='settings.xml'/><worldbody>" + "<body/>" * 30 + "</worldbody></mujoco>",
        "<x_xy><worldbody>" + "<body/>" * 30 + "</worldbody></x_xy>",
        "<mujocoinclude>" + "<body/>" * 30 + "</mujocoinclude>",
        model("<!-- <body/> -->" * 30),
    ],
)
def test_what_may_be_within_the_limits_is_parsed(text, tmp_path):
    refuse_large(Source("<string>", None, text, tmp_path))


def test_an_included_file_may_be_fused_by_the_model_around(tmp_path):
    (tmp_path / "part.xml").write_text(model("<body/>" * 30))
    (tmp_path / "main.xml").write_text('<mujoco><compiler fusestatic="true"/><include file="part.xml"/></mujoco>')
    assert kinetree.load(tmp_path / "main.xml").nbody == 1


def test_an_included_file_that_is_too_large_is_named(tmp_path):
    (tmp_path / "part.xml").write_text(model("<site/>\n" * 60))
    (tmp_path / "main.xml").write_text('<mujoco><include file="part.xml"/></mujoco>')
    with pytest.raises(ModelError, match=r'main\.xml:1:\d+: error: "part.xml": the model has more than 50 elements'):
        kinetree.load(tmp_path / "main.xml")


WELL = (
    "<site/>",
    "<site></site>",
    "<body/>",
    "<!-- <a/> -->",
    "<![CDATA[<b/>]]>",
    '<d e="&lt;"/>',
    "\n",
    "text",
    "<c><c/></c>",
)
WELL += ('<include file="none.xml"/>', "<site/>" * 10, "<body/>" * 5)
BROKEN = (
    "<site>",
    "</site>",
    "<!-- <a/>",
    "-->",
    "<![CDATA[<b/>",
    '<d e="',
    '"',
    "<?",
    "<!DOCTYPE x>",
    "</mujoco>",
    "<",
    ">",
)


def test_whatever_is_refused_is_too_large_for_the_compiler(tmp_path):
    """Random texts: a text refused before parsing is beyond a limit after parsing."""
    draw, refused = random.Random(3), 0
    for _ in range(2000):
        pieces = draw.choices(WELL, k=draw.randint(1, 40))
        for piece in draw.choices(BROKEN, k=draw.choice((0, 0, 1, 2, 3))):
            pieces.insert(draw.randint(0, len(pieces)), piece)
        text = model("".join(pieces))
        source = Source("<string>", None, text, tmp_path)
        try:
            refuse_large(source)
            continue
        except ModelError:
            refused += 1
        parsed = ParsedSource.parse(source)
        count = sum(1 for node in parsed.root.iter() if node.tag != "include")
        bodies = 1 + sum(1 for node in parsed.root.iter() if node.tag == "body")
        assert count > 50 or bodies > 20
    assert 200 < refused < 1800


def test_the_exact_count_still_refuses_the_rest(tmp_path):
    """Several files together, while each alone is small enough."""
    for name in "ab":
        (tmp_path / f"{name}.xml").write_text(model("<site/>\n" * 30))
    text = '<mujoco><include file="a.xml"/><include file="b.xml"/></mujoco>'
    found = Diagnostics()
    with pytest.raises(ModelError, match="the model has 63 elements; at most 50"):
        memory_estimate.check_text(Document.from_string(text, base=tmp_path), found)
