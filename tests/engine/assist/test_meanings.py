"""Meanings of the values of a text."""

from kinetree.engine.assist.meanings import Meaning, values_in
from kinetree.engine.assist.stretch import elements_in
from kinetree.engine.document.document import Document
from tests.engine.assist.test_language import URDF


def found(text: str) -> list[tuple[str, Meaning]]:
    document = Document.from_string(text)
    return [(text[start:end], meaning) for start, end, meaning in values_in(document, document.path, 0, len(text))]


def test_values() -> None:
    text = (
        '<mujoco model="m"><default><default class="c"/></default><asset><mesh file="a.stl"/></asset><worldbody>'
        '<geom name="g" class="c" type="box" size="1 1 1" material="x" user="" nothing="1"/></worldbody></mujoco>'
    )
    assert found(text) == [
        ("m", Meaning.TEXT), ("c", Meaning.CLASS), ("a.stl", Meaning.FILE), ("g", Meaning.NAME), ("c", Meaning.CLASS),
        ("box", Meaning.KEYWORD), ("1 1 1", Meaning.NUMBER), ("x", Meaning.REFERENCE),
    ]  # fmt: skip


def test_a_material_of_urdf_is_declared_or_referred_to() -> None:
    assert [meaning for text, meaning in found(URDF) if text == "steel"] == [Meaning.NAME, Meaning.REFERENCE]


def test_only_elements_of_the_stretch() -> None:
    document = Document.from_string(URDF)
    start = URDF.index("<joint")
    tags = [node.tag for node, _ in elements_in(document, document.path, start, URDF.index("<child"))]
    assert tags == ["joint", "parent"]
    assert [node.tag for node, _ in elements_in(document, document.path, 0, len(URDF))] == [
        node.tag for node in document.root.iter()
    ]
