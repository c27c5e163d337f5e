"""Definitions, references and renaming, in one file and over several."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kinetree
from kinetree.engine.assist.names import CannotRename, names_of
from kinetree.engine.assist.navigation import (
    around,
    definitions,
    find_names,
    highlights,
    references,
    rename_at,
    rename_edits,
    subject_at,
)
from kinetree.engine.assist.surroundings import ModelFinder
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.document import Document
from kinetree.engine.document.source import Span
from tests import corpus
from tests.conftest import ROOT
from tests.engine.assist.compiled import different
from tests.engine.assist.marked import marked
from tests.engine.assist.test_hover import MODEL


def place(before: str, model: str = MODEL) -> tuple[Document, str, int]:
    return marked(model.replace(before, before + "|", 1))


def texts(spans) -> list[tuple[int, str]]:
    return [(span.line, span.text) for span in spans]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ('material="ste', [(3, "steel")]),
        ('childclass="r', [(2, "red")]),
        ('body1="copy', [(6, "copy")]),
        ('body2="wo', []),
        ('name="elb', [(5, "elbow")]),
        ("<material na", []),
        ("<worldb", []),
    ],
)
def test_definitions(before: str, expected: list) -> None:
    assert texts(definitions(*place(before))) == expected


def test_references_and_highlights() -> None:
    assert texts(references(*place('name="ste'))) == [(3, "steel"), (5, "steel")]
    assert texts(references(*place('material="ste'), declaration=False)) == [(5, "steel")]
    assert texts(highlights(*place("<mater"))) == [(3, "steel"), (5, "steel")]
    assert texts(references(*place('body name="co'))) == [(6, "copy"), (8, "copy0")]


def test_a_word_of_a_list_is_its_own_reference() -> None:
    text = '<mujoco><worldbody><body name="a"/><body name="ab"/></worldbody><deformable><flex body="ab a| x"/></deformable></mujoco>'
    document, path, offset = marked(text)
    subject = subject_at(document, path, offset)
    assert subject is not None and (subject.space, subject.name) == ("body", "a")
    assert [span.text for span in references(document, path, offset)] == ["a", "a"]


def test_files(tmp_path) -> None:
    (tmp_path / "part.xml").write_text("<part><geom/></part>")
    (tmp_path / "arm.stl").write_bytes(b"")
    text = '<mujoco><asset><mesh file="arm.stl"/></asset><worldbody><include file="part.xml"/></worldbody></mujoco>'
    for before, name in (('file="a', "arm.stl"), ('file="p', "part.xml")):
        document, path, offset = marked(text.replace(before, before + "|"), base=tmp_path)
        assert definitions(document, path, offset) == [str(tmp_path / name)]


def test_names_of_included_files(tmp_path) -> None:
    (tmp_path / "part.xml").write_text('<part><geom name="g" material="m"/></part>')
    main = tmp_path / "main.xml"
    main.write_text(
        '<mujoco><asset><material name="m"/></asset><worldbody><include file="part.xml"/></worldbody></mujoco>'
    )
    document = Document.load(main)
    part = str(tmp_path / "part.xml")
    offset = document.sources[part].text.index('m"/>')
    (found,) = definitions(document, part, offset)
    assert isinstance(found, Span) and found.file == str(main)
    assert {span.file for span in references(document, part, offset)} == {str(main), part}
    assert {path: len(edits) for path, edits in rename_edits(document, part, offset, "iron").items()} == {
        str(main): 1, part: 1,
    }  # fmt: skip


# ---- renaming ---------------------------------------------------------------------------------------


def test_rename() -> None:
    document, path, offset = place('material="st')
    assert rename_at(document, path, offset).span.text == "steel"
    after = document.with_edits(rename_edits(document, path, offset, "iron"))
    assert after.source.text == MODEL.replace("steel", "iron")
    copies = place('body name="co')
    after = copies[0].with_edits(rename_edits(*copies, "twin"))
    assert after.source.text == MODEL.replace("copy", "twin")


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("<worldb", "no name here"),
        ('range="-', "no name here"),
        ('body1="cop', "copy or a part of 'copy'"),
        ('body2="wor', "always has that name"),
    ],
)
def test_what_cannot_be_renamed(before: str, why: str) -> None:
    document, path, offset = place(before)
    with pytest.raises(CannotRename, match=why):
        rename_at(document, path, offset)
    with pytest.raises(CannotRename, match=why):
        rename_edits(document, path, offset, "new")


def test_a_name_that_is_taken() -> None:
    with pytest.raises(CannotRename, match="line 6"):
        rename_edits(*place('name="ar'), "copy")


def test_renaming_changes_nothing_but_the_name(shared) -> None:
    """The names and references of every model after a renaming are those before it, but for that name."""
    renamed = 0
    for listed in corpus.listed(shared / "corpus")[::3]:
        if listed.path.suffix not in (".xml", ".urdf") or listed.loads != "yes":
            continue
        document = Document.load(listed.path)
        names = names_of(document)
        for declaration in [each for each in names.declarations if not each.made][:3]:
            attribute = declaration.node.attribute(declaration.row.name)
            if attribute is None or not attribute.value:
                continue
            source = attribute.source
            new = "brand_new_name"
            try:
                edits = rename_edits(document, source.path, attribute.value_span.start, new)
            except CannotRename:
                continue
            after = names_of(document.with_edits(edits))
            old = (declaration.space, declaration.name)

            def moved(space: str, name: str, old=old, new=new) -> tuple[str, str]:
                return (space, new) if (space, name) == old else (space, name)

            assert [(d.space, d.name) for d in after.declarations if not d.parts] == [
                moved(d.space, d.name) for d in names.declarations if not d.parts
            ], listed.place
            assert [(r.space, r.name) for r in after.references] == [
                moved(r.space, r.name) for r in names.references
            ], listed.place
            renamed += 1
    assert renamed > 200


@given(st.integers(0, len(MODEL)), st.integers(0, len(MODEL)))
def test_a_text_that_is_cut_off_never_raises(length: int, offset: int) -> None:
    document = Document.from_string(MODEL[:length])
    offset = min(offset, length)
    definitions(document, document.path, offset)
    references(document, document.path, offset)
    with contextlib.suppress(CannotRename):
        rename_edits(document, document.path, offset, "new")


def test_names_of_a_part_alone() -> None:
    part = '<part><body name="b"/><light mode="targetbody" target="b|"/></part>'
    document, path, offset = marked(part)
    assert [span.text for span in references(document, path, offset)] == ["b", "b"]
    after = document.with_edits(rename_edits(document, path, offset, "torso"))
    assert after.source.text == part.replace("|", "").replace('"b"', '"torso"')


def test_stretches_around_a_place() -> None:
    document, path, offset = marked('<mujoco><worldbody><geom size="1 2|2 3"/></worldbody></mujoco>')
    text = document.source.text
    geom = '<geom size="1 22 3"/>'
    assert [text[start:end] for start, end in around(document, path, offset)] == [
        text, f"<worldbody>{geom}</worldbody>", geom, 'size="1 22 3"', "1 22 3", "22",
    ]  # fmt: skip


def test_names_are_found_by_a_part_of_them() -> None:
    document = Document.from_string(MODEL)
    assert [name for _, name, _ in find_names([document, document], "E")] == ["elbow", "red", "steel"]


@pytest.mark.parametrize("name", ["walker", "hand"])
def test_renaming_leaves_the_compiled_model_as_it_is(name: str) -> None:
    """One element of each kind gets another name: only that name changes."""
    path = ROOT / "resources" / "models" / f"{name}.xml"
    document = Document.load(path)
    before = kinetree.load(path)
    renamed = {}
    for first in {each.space: each for each in reversed(names_of(document).declarations)}.values():
        attribute = first.node.attribute(first.row.name)
        if attribute is None or not attribute.value:
            continue
        place = next(each for each in names_of(document).declared(first.node) if each.space == first.space)
        where = place.node.attribute(place.row.name)
        assert where is not None
        new = renamed[first.space, first.name] = f"new_{first.name}"
        document = document.with_edits(rename_edits(document, where.source.path, where.value_span.start, new))
    assert len(renamed) > 4
    after = compile_document(document).model  # with the new texts of the included files
    assert different(before, after) == []
    for kind, names in before.names.items():
        assert [renamed.get((kind, each), each) for each in names] == list(after.names[kind])


def test_names_over_a_model_and_the_one_that_it_attaches(tmp_path) -> None:
    (tmp_path / "arm.xml").write_text('<mujoco><worldbody><body name="a"><joint name="j"/></body></worldbody></mujoco>')
    main = tmp_path / "main.xml"
    main.write_text(
        '<mujoco><asset><model name="arm" file="arm.xml"/></asset><worldbody><frame>'
        '<attach model="arm" body="a" prefix="l_"/></frame></worldbody>'
        '<actuator><motor joint="l_j"/></actuator></mujoco>'
    )
    user, arm = Document.load(main), Document.load(tmp_path / "arm.xml")
    at = user.source.text.index("l_j")
    renamed = rename_at(user, user.path, at)
    assert renamed.document.main_file == arm.main_file and (renamed.span.text, renamed.prefix) == ("j", "l_")
    assert [each.text for each in references(user, user.path, at)] == ["j", "l_j"]
    own = arm.source.text.index('"j"') + 1
    assert [each.text for each in references(arm, arm.path, own, users=[user])] == ["j", "l_j"]
    body = arm.source.text.index('"a"') + 1
    assert [each.text for each in references(arm, arm.path, body, users=[user])] == ["a", "a"]
    changes = rename_edits(arm, arm.path, own, "k", ModelFinder().survey({}))
    assert sorted(edit.text for edits in changes.values() for edit in edits) == ["k", "l_k"]


def test_the_place_before_an_element_stands_for_it() -> None:
    text = '<mujoco><worldbody><body><joint name="elbow" axis="0 1 0"/><geom size="1"/></body></worldbody></mujoco>'
    document = Document.from_string(text)
    renamed = rename_at(document, document.path, text.index("<joint"))
    assert renamed.span.text == "elbow" and renamed.here.declares
    for where in ("<geom", "<body"):
        with pytest.raises(CannotRename, match="no name here"):
            rename_at(document, document.path, text.index(where))
