import os

import pytest

from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit
from tests.conftest import ROOT

DATA = ROOT / "tests" / "data" / "document"
MAIN = DATA / "include" / "main.xml"


def write(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.xml").write_text(text)
    return folder / "main.xml"


def test_merged_puts_the_included_children_in_place():
    document = Document.load(MAIN)
    assert document.diagnostics.items == []
    assert [node.tag for node in document.root.iter()].count("include") == 2
    merged = document.merged
    assert [node.path() for node in merged.iter()] == [
        "mujoco",
        "mujoco/asset",
        "mujoco/asset/material",
        "mujoco/worldbody",
        "mujoco/worldbody/geom[1]",
        "mujoco/worldbody/body",
        "mujoco/worldbody/body/geom[1]",
        "mujoco/worldbody/body/geom[2]",
        "mujoco/worldbody/body/geom[3]",
        "mujoco/worldbody/geom[2]",
    ]
    arm = merged.find("worldbody").find("body")
    assert arm.parent is merged.find("worldbody")
    assert os.path.basename(arm.source.path) == "arm.xml"
    assert [os.path.basename(child.source.path) for child in arm.children] == [
        "hand.xml",
        "hand.xml",
        "arm.xml",
    ]
    assert all(child.parent is arm for child in arm.children)
    assert (arm.line, arm.column) == (2, 2)
    name = arm.children[0].attribute("name")
    assert (name.value, name.line, name.column, name.node) == ("palm", 2, 17, arm.children[0])
    assert arm.text_spans == []


def test_the_files_of_a_document():
    document = Document.load(MAIN)
    names = ["main.xml", "assets.xml", "arm.xml", "hand.xml"]
    assert [os.path.basename(path) for path in document.sources] == names
    assert [os.path.basename(path) for path in document.files] == names
    assert all(os.path.isabs(path) for path in document.files)
    # Looked for in the main file's folder first: if it appears there, it is the one that counts.
    assert [os.path.relpath(path, MAIN.parent) for path in document.missing] == ["hand.xml"]
    assert document.trees[document.path] is document.root
    for path in document.files:
        with open(path, "rb") as file:
            assert document.save_bytes(path) == file.read()
    assert document.node_at("parts/arm.xml", 30).tag == "body"
    assert document.node_at(None, 5).tag == "mujoco"
    with pytest.raises(KeyError):
        document.save_bytes("parts/none.xml")


def test_without_includes_merged_is_the_root():
    document = Document.load(DATA / "tabs.xml")
    assert document.merged is document.root


def test_a_missing_include_is_reported_at_its_name(tmp_path):
    main = write(tmp_path, main='<mujoco>\n  <include file="robt.xml"/>\n</mujoco>', robot="<a><b/></a>")
    document = Document.load(main)
    (item,) = document.diagnostics
    assert (item.code, item.line, item.column, item.end_column) == ("missing-file", 2, 18, 26)
    assert item.file == str(main)
    assert '"robot.xml"' in item.message
    assert document.missing == [str(tmp_path / "robt.xml")]
    assert document.merged.children == []


def test_a_missing_include_in_a_folder(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "Arm.xml").write_text("<a/>")
    main = write(tmp_path, main='<mujoco><include file="parts/arm.xml"/><include file="none/x.xml"/></mujoco>')
    first, second = Document.load(main).diagnostics
    assert '"parts/Arm.xml"' in first.message
    assert "correct the name" in second.message


def test_a_missing_include_of_an_included_file_names_both_folders(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.xml").write_text('<a>\n<include file="b.xml"/></a>')
    main = write(tmp_path, main='<mujoco><include file="sub/a.xml"/></mujoco>')
    (item,) = Document.load(main).diagnostics
    assert item.file == str(tmp_path / "sub" / "a.xml")
    assert (item.line, item.column) == (2, 16)
    assert f"{tmp_path} or {tmp_path / 'sub'}" in item.message


def test_a_cycle_names_its_files(tmp_path):
    main = write(
        tmp_path,
        main='<mujoco><include file="a.xml"/></mujoco>',
        a='<a><x/><include file="b.xml"/></a>',
        b='<b><y/><include file="./a.xml"/></b>',
    )
    document = Document.load(main)
    (item,) = document.diagnostics
    assert item.code == "include-cycle"
    assert item.file == str(tmp_path / "b.xml")
    assert "a.xml -> b.xml -> a.xml" in item.message
    assert [node.tag for node in document.merged.children] == ["x", "y"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<include file="a.xml"/><include file="./a.xml"/>', "include-repeated"),
        ('<include file="main.xml"/>', "include-cycle"),
        ("<include/>", "include-without-file"),
        ('<include file=" "/>', "include-without-file"),
        ('<include file="a.xml"><x/></include>', "include-with-content"),
        ('<include file="empty.xml"/>', "include-empty"),
        ('<include file="https://localhost/a.xml"/>', "unsupported-url"),
        ('<include file="."/>', "not-a-file"),
        ('<include file="a&#0;.xml"/>', "xml-stray-ampersand"),
        ('<include file="broken.xml"/>', "xml-missing-quotes"),
    ],
)
def test_bad_includes(tmp_path, text, code):
    main = write(
        tmp_path,
        main=f"<mujoco>{text}</mujoco>",
        a="<a><geom/></a>",
        empty="<a><!-- nothing --></a>",
        broken="<a><geom size=1/></a>",
    )
    assert Document.load(main).diagnostics.items[0].code == code


def test_an_included_file_that_is_binary_is_reported_at_the_include(tmp_path):
    (tmp_path / "a.xml").write_bytes(b"\x7fELF\0\0\0")
    main = write(tmp_path, main='<mujoco>\n<include file="a.xml"/></mujoco>')
    (item,) = Document.load(main).diagnostics
    assert (item.code, item.file, item.line, item.column) == ("binary-file", str(main), 2, 16)


def test_the_same_file_found_beside_the_including_one_is_still_the_same(tmp_path):
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "a.xml").write_text('<a><include file="b.xml"/></a>')
    (tmp_path / "s" / "b.xml").write_text("<b><geom/></b>")
    main = write(tmp_path, main='<mujoco><include file="s/a.xml"/><include file="s/b.xml"/></mujoco>')
    (item,) = Document.load(main).diagnostics
    assert item.code == "include-repeated"


def test_links_that_never_end(tmp_path):
    os.symlink("a.xml", tmp_path / "a.xml")
    os.symlink(".", tmp_path / "deep")
    main = write(tmp_path, main='<mujoco><include file="a.xml"/><include file="deep/b.xml"/></mujoco>')
    (tmp_path / "b.xml").write_text('<b><x/><include file="deep/deep/b.xml"/></b>')
    codes = [item.code for item in Document.load(main).diagnostics]
    assert codes[0] in ("unreadable-file", "missing-file")


def test_relative_paths_are_shown_as_they_were_given(tmp_path, monkeypatch):
    main = write(tmp_path, main='<mujoco><include file="a.xml"/></mujoco>', a="<a><b c=1/></a>")
    monkeypatch.chdir(tmp_path)
    document = Document.load("main.xml")
    assert list(document.sources) == ["main.xml", "a.xml"]
    assert document.files == [str(main), str(tmp_path / "a.xml")]
    assert str(document.diagnostics.items[0]).startswith("a.xml:1:9: error: ")
    # Later uses of the document do not depend on the current folder.
    monkeypatch.chdir("/")
    changed = document.with_edits({"a.xml": [Edit(0, 2, "<a")]})
    assert list(changed.sources) == ["main.xml", "a.xml"]


def test_a_string_has_a_base_folder(tmp_path, monkeypatch):
    (tmp_path / "a.xml").write_text("<a><geom/></a>")
    text = '<mujoco><include file="a.xml"/></mujoco>'
    document = Document.from_string(text, base=tmp_path)
    assert [node.tag for node in document.merged.children] == ["geom"]
    assert document.files == [str(tmp_path / "a.xml")]
    assert document.base == tmp_path
    assert document.path == "<string>"
    assert Document.from_string(text, base=tmp_path / "none").diagnostics.has_errors
    monkeypatch.chdir(tmp_path)
    assert not Document.from_string(text).diagnostics.has_errors
    assert not document.with_text(text + "\n").diagnostics.has_errors


def test_unsaved_text_stands_for_the_file(tmp_path):
    main = write(tmp_path, main='<mujoco><include file="a.xml"/></mujoco>', a="<a><b/></a>")
    unsaved = {str(tmp_path / "a.xml"): "<a><c/><include file='new.xml'/></a>"}
    unsaved[str(tmp_path / "new.xml")] = "<a><d/></a>"
    document = Document.load(main, overlay=unsaved)
    assert [node.tag for node in document.merged.children] == ["c", "d"]
    assert [node.tag for node in Document.load(main).merged.children] == ["b"]
    main_too = Document.load(tmp_path / "none.xml", overlay={str(tmp_path / "none.xml"): "<mujoco/>"})
    assert main_too.root.tag == "mujoco"
    with pytest.raises(ModelError):
        Document.load(tmp_path / "none.xml", overlay=unsaved)


def test_edits_make_a_new_document_and_keep_the_old():
    document = Document.load(MAIN)
    hand = document.source_of("parts/hand.xml")
    start = hand.text.index("palm")
    changed = document.with_edits({hand.path: [Edit(start, start + 4, "fist")]})
    names = [geom.get("name") for geom in changed.merged.iter("geom")]
    assert names == ["floor", "fist", "thumb", "upper", "last"]
    assert [geom.get("name") for geom in document.merged.iter("geom")][1] == "palm"
    assert changed.save_bytes(hand.path) == hand.data.replace(b"palm", b"fist")
    for path in document.sources:
        if path != hand.path:
            assert changed.trees[path] is document.trees[path]
            assert changed.sources[path] is document.sources[path]
    assert document.source_of(hand.path).data == hand.data


def test_nothing_is_read_again(tmp_path):
    main = write(tmp_path, main='<mujoco><include file="a.xml"/></mujoco>', a="<a><b/></a>", c="<c><d/></c>")
    document = Document.load(main)
    for name in ("main", "a"):
        (tmp_path / f"{name}.xml").unlink()
    at = document.source.text.index("<include")
    changed = document.with_edits({str(main): [Edit(at, at, '<include file="c.xml"/>')]})
    assert [node.tag for node in changed.merged.children] == ["d", "b"]
    assert not changed.diagnostics.items


def test_an_include_that_is_taken_out_and_put_back_keeps_its_unsaved_text(tmp_path):
    main = write(tmp_path, main='<mujoco><include file="a.xml"/></mujoco>', a="<a><b/></a>")
    document = Document.load(main)
    edited = document.with_text("<a><new/></a>", tmp_path / "a.xml")
    without = edited.with_text("<mujoco/>")
    assert list(without.sources) == [str(main)]
    again = without.with_text(document.source.text)
    assert [node.tag for node in again.merged.children] == ["new"]


def test_diagnostics_follow_the_edits(tmp_path):
    main = write(tmp_path, main='<mujoco><include file="a.xml"/></mujoco>', a="<a><b c=1/></a>")
    document = Document.load(main)
    assert [item.code for item in document.diagnostics] == ["xml-missing-quotes"]
    fixed = document.with_text('<a><b c="1"/></a>', tmp_path / "a.xml")
    assert fixed.diagnostics.items == []
    broken = fixed.with_edits({str(main): [Edit(7, 8, "")]})
    assert broken.diagnostics.has_errors


def test_edits_of_a_file_that_is_not_part_of_the_document():
    with pytest.raises(KeyError):
        Document.load(MAIN).with_edits({"none.xml": []})


def test_nothing_is_written(tmp_path):
    main = write(tmp_path, main='<mujoco><include file="a.xml"/><include file="b.xml"/></mujoco>', a="<a><b/></a>")
    before = sorted((path.name, path.stat().st_mtime_ns) for path in tmp_path.iterdir())
    document = Document.load(main)
    document.with_text("<mujoco/>").save_bytes()
    assert sorted((path.name, path.stat().st_mtime_ns) for path in tmp_path.iterdir()) == before
