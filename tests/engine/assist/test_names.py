"""Names and references in every format."""

import pytest

from kinetree.engine.assist.names import CannotRename, names_of, rename
from kinetree.engine.document.change import combine, set_attribute
from kinetree.engine.document.document import Document
from tests.engine.assist.test_language import MJCF, URDF


def renamed(document: Document, node, new: str) -> str:
    edits = rename(document, node, new)
    return document.with_edits(combine(*(set_attribute(w.node, w.name, w.value) for w in edits))).source.text


def test_mjcf_names() -> None:
    document = Document.from_string(MJCF)
    names = names_of(document)
    assert {(d.space, d.name) for d in names.declarations} == {
        ("mesh", "arm"), ("class", "main"), ("class", "red"), ("body", "b"), ("geom", "g"),
    }  # fmt: skip
    assert [(r.space, r.name) for r in names.references] == [("material", "m")]
    assert names_of(document) is names


def test_urdf_names_and_renaming() -> None:
    document = Document.from_string(URDF)
    names = names_of(document)
    material, link = document.root.children[:2]
    assert [(d.space, d.name) for d in names.declared(material)] == [("material", "steel")]
    assert [r.attribute.node.tag for r in names.references_to(link)] == ["parent"]
    parent = next(document.root.iter("parent"))
    (reference,) = names.references_in(parent)
    assert [d.node.id for d in names.meant(reference.space, reference.name)] == [link.id]
    assert renamed(document, link, "base") == URDF.replace('"a"', '"base"')
    assert renamed(document, material, "iron") == URDF.replace("steel", "iron")


@pytest.mark.parametrize("new", ["b", "", "world"])
def test_urdf_names_that_cannot_be(new: str) -> None:
    document = Document.from_string(URDF)
    with pytest.raises(CannotRename):
        rename(document, document.root.find("link"), new)


def test_an_element_without_a_name_cannot_be_renamed() -> None:
    document = Document.from_string(URDF)
    with pytest.raises(CannotRename, match="URDF"):
        rename(document, next(document.root.iter("geometry")), "x")
