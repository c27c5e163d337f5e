"""The quick index of names says what the names of the merged tree say."""

import gc
from collections import Counter

from kinetree.engine.assist.index import index_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.subtree import Subtree
from tests import corpus
from tests.engine.assist.test_language import MJCF, URDF


def compare(document: Document) -> int:
    names, index = names_of(document), index_of(document)
    declared = Counter((each.space, each.name, each.node.id) for each in names.declarations if not each.parts)
    spaces = {space for space, _, _ in declared} | {each.space for each in names.references}
    found = Counter(
        (space, name, spot.subtree.id)
        for space in spaces
        for name, spots in index.names(space).items()
        for spot in spots
        for _ in spots[:1]
    )
    assert found == declared
    referred = Counter((each.space, each.name, each.attribute.node.id) for each in names.references)
    for (space, name, identity), count in referred.items():
        spots = index.references(space, name)
        assert sum(spot.subtree.id == identity for spot in spots) == count
    return len(declared) + len(referred)


def test_agrees_with_names_on_every_model(shared) -> None:
    compared = 0
    for listed in corpus.listed(shared / "corpus"):
        if listed.path.suffix in (".xml", ".urdf") and listed.loads == "yes":
            compared += compare(Document.load(listed.path))
    assert compared > 5000


def test_agrees_with_names_after_an_edit() -> None:
    for text, place in ((MJCF, "<geom name"), (URDF, '<link name="b"/>')):
        document = Document.from_string(text)
        assert compare(document)
        offset = text.index(place)
        edited = document.with_edits({document.path: [Edit(offset, offset, " ")]})
        assert compare(edited)
        name = "g" if place == "<geom name" else "b"
        space = "geom" if name == "g" else "link"
        (before,), (after,) = index_of(document).names(space)[name], index_of(edited).names(space)[name]
        assert after.start == before.start + 1
        assert after.subtree.id == before.subtree.id


def test_a_part_of_a_model_has_names_too() -> None:
    document = Document.from_string('<part><asset><material name="m"/></asset><geom material="m"/></part>')
    assert list(index_of(document).names("material")) == ["m"]


def test_remembered_names_go_with_the_text_without_a_search_for_garbage() -> None:
    gc.disable()
    try:
        document = Document.from_string(
            "<mujoco><worldbody><body name='b'><geom name='g'/></body><site name='s'/></worldbody></mujoco>"
        )
        assert list(index_of(document).names("geom")) == ["g"]
        roots = {document.root.subtree.id}
        ids = roots | {child.subtree.id for child in document.root.iter()}
        assert len(ids) == 5
        del document
        assert [each.tag for each in gc.get_objects() if isinstance(each, Subtree) and each.id in ids] == []
    finally:
        gc.enable()
