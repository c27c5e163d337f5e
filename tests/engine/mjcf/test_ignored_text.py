"""Text between tags, which no format reads."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.document import Document

BODY = '<mujoco>{}<worldbody>{}<body>{}<geom size="1">{}</geom></body></worldbody></mujoco>'
URDF = (
    '<robot name="r">{}<link name="a">{}<visual>{}<geometry>{}<sphere radius="1"/></geometry></visual></link></robot>'
)
X_XY = '<x_xy>{}<worldbody>{}<body name="a" joint="free">{}<geom type="sphere" mass="1" dim="1">{}</geom></body></worldbody></x_xy>'


def found(document: Document) -> list[tuple[str, int, int, str]]:
    """(characters, line, column, message) of the findings."""
    result = compile_document(document)
    spans = []
    for item in result.diagnostics:
        if item.code == "ignored-text":
            assert item.severity == "warning"
            source = document.source_of(item.file)
            start, end = source.offset(item.line, item.column), source.offset(item.end_line, item.end_column)
            spans.append((source.text[start:end], item.line, item.column, item.message))
    return spans


@pytest.mark.parametrize("text", [BODY, URDF, X_XY])
def test_text_in_any_element_of_any_format(text: str) -> None:
    assert found(Document.from_string(text.format("", "", "", ""))) == []
    assert found(Document.from_string(text.format("\n <!-- a -->\n", " ", "\ufeff\u200b\xa0", "\n"))) == []
    marked = text.format(" --> stray\n", "abc", "<![CDATA[<x>]]>", "a &lt; b\n  c ")
    places = [(characters, line) for characters, line, _, _ in found(Document.from_string(marked))]
    assert places == [("--> stray", 1), ("abc", 2), ("<x>", 2), ("a &lt; b\n  c", 2)]
    assert found(Document.from_string(marked))[1][2] == marked.split("\n")[1].index("abc") + 1


@pytest.mark.parametrize("text", [BODY, URDF])
def test_the_reference_reads_the_same_models(text: str) -> None:
    marked = text.format(" --> stray\n", "abc", "<![CDATA[<x>]]>", "a &lt; b\n  c ")
    assert mujoco.MjModel.from_xml_string(marked).nbody == compile_document(Document.from_string(marked)).model.nbody


def test_each_file_of_a_model(tmp_path: Path) -> None:
    (tmp_path / "part.xml").write_text("<part>\n  in the root<default> in it </default></part>")
    (tmp_path / "arm.xml").write_text('<mujoco>in arm<worldbody><body name="b"/></worldbody></mujoco>')
    (tmp_path / "main.xml").write_text(
        '<mujoco><include file="part.xml"/>here<asset><model name="arm" file="arm.xml"/></asset>'
        '<worldbody><attach model="arm" body="b" prefix="x"/></worldbody></mujoco>'
    )
    items = compile_document(Document.load(tmp_path / "main.xml")).diagnostics
    places = sorted((Path(item.file).name, item.line, item.column) for item in items if item.code == "ignored-text")
    assert places == [("arm.xml", 1, 9), ("main.xml", 1, 35), ("part.xml", 2, 3), ("part.xml", 2, 24)]


def test_much_of_it_is_counted() -> None:
    document = Document.from_string(BODY.format("", "", 'x<geom size="1"/>' * 1000, ""))
    *rest, last = [item for item in compile_document(document).diagnostics if item.code == "ignored-text"]
    assert len(rest) + 1 + last.more == 1000
    assert last.text.endswith(f"(and {last.more} more of this kind)")
    assert len(found(Document.from_string(BODY.format("x" * 100, "", "", "")))[0][3]) < 120


@pytest.mark.parametrize(
    "text",
    [
        '<robot name="r"><gazebo><mu>0.2</mu></gazebo><transmission>t<type>x</type></transmission><link name="a"/></robot>'
    ],
)
def test_what_other_programs_read_is_theirs(text: str) -> None:
    assert found(Document.from_string(text)) == []
