"""Parts of a model that go to a file of their own, and back, leave the compiled model as it was."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.tree import Node
from kinetree.engine.document.write import write_file
from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.editing.tools.including import blank, check_split, merge, path_of, split
from tests.conftest import ROOT, SHARED
from tests.corpus import listed
from tests.engine.editing.structural import Edited
from tests.engine.editing.tools.test_classes import assert_same

OWN = sorted((ROOT / "resources" / "models").glob("*.xml"))
CORPUS = [each.path for each in listed(SHARED / "corpus") if each.loads == "yes"][::23]

TEXT = """<mujoco>
  <asset>
    <texture name="t" type="2d" builtin="flat" width="8" height="8"/>
    <material name="m" texture="t"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" material="m"/>
    <body name="a" pos="0 0 1">
      <!-- a shape -->
      <geom size="0.1"/>
      <body name="b"><freejoint/><geom size="0.1"/></body>
    </body>
    <body name="c"><geom size="0.1"/></body>
  </worldbody>
</mujoco>
""".replace("<freejoint/>", "<joint/>")


@pytest.fixture
def edited(tmp_path) -> Edited:
    (tmp_path / "model.xml").write_text(TEXT)
    return Edited(str(tmp_path / "model.xml"))


def named(document: Document, *names: str) -> list[Node]:
    return [node for root in document.trees.values() for node in root.iter() if node.get("name") in names]


def split_off(edited: Edited, nodes: list[Node], name: str) -> str:
    """Do it as one step; the path of the new file."""
    path = path_of(edited.document, name)
    check_split(edited.document, nodes)
    root = edited.project.tree(edited.project.add(path, blank(nodes[0])))
    edited.project.apply("Split", split(edited.document, nodes, root, name))
    return path


def test_elements_go_to_a_file_and_come_back(edited, tmp_path):
    before = compile_document(edited.document).model
    nodes = named(edited.document, "a", "c")
    path = split_off(edited, nodes, "arm.xml")
    project = edited.project
    assert not project.wanted and project.modified == [str(tmp_path / "model.xml"), path]
    assert '  <worldbody>\n    <geom name="floor" type="plane" size="1 1 1" material="m"/>\n' in project.text(
        edited.path
    )
    assert '    <include file="arm.xml"/>\n  </worldbody>' in project.text(edited.path)
    assert project.text(path).startswith('<mujocoinclude>\n  <body name="a" pos="0 0 1">\n    <!-- a shape -->\n')
    assert_same(before, compile_document(edited.document).model)
    assert [node.id for node in named(edited.document, "a", "c")] == [node.id for node in nodes]
    include = next(edited.document.root.iter("include"))
    written = project.text(path)
    project.apply("Merge", merge(edited.document, include))
    assert_same(before, compile_document(edited.document).model)
    assert project.text(edited.path) == TEXT and project.text(path) == written


def test_an_undone_file_is_not_saved(edited, tmp_path):
    path = split_off(edited, named(edited.document, "a"), "arm.xml")
    project = edited.project
    project.undo()
    assert project.modified == [] and path not in project.files and edited.data() == edited.before
    project.redo()
    assert project.modified == [edited.path, path] and path in project.files
    for each in project.modified:
        save = project.prepare_save(each)
        write_file(save)
        project.finish_save(save)
    assert project.modified == [] and (tmp_path / "arm.xml").read_text() == project.text(path)
    assert_same(compile_document(Document.load(edited.path)).model, compile_document(edited.document).model)
    project.undo()
    assert project.modified == [edited.path]
    with pytest.raises(CannotEdit, match="already"):
        path_of(edited.document, "arm.xml")


def test_a_name_can_be_used_again_after_an_undo(edited):
    split_off(edited, named(edited.document, "a"), "arm.xml")
    with pytest.raises(FileExistsError):
        edited.project.add(path_of(edited.document, "other.xml").replace("other", "arm"), blank(edited.document.root))
    edited.project.undo()
    split_off(edited, named(edited.document, "c"), "arm.xml")
    assert len(named(edited.document, "c")) == 1 and edited.project.undo_names == ["Split"]


@pytest.mark.parametrize(
    ("names", "why"),
    [((), "select the elements"), (("a", "floor", "m"), "side by side"), (("floor", "c"), "stand between")],
)
def test_what_cannot_go_is_refused(edited, names, why):
    with pytest.raises(CannotEdit, match=why):
        check_split(edited.document, named(edited.document, *names))
    with pytest.raises(CannotEdit, match="no folder"):
        path_of(edited.document, "nowhere/arm.xml")
    with pytest.raises(CannotEdit, match="select an <include>"):
        merge(edited.document, edited.document.root)


NESTED = {
    "main.xml": '<mujoco>\n  <worldbody>\n    <include file="parts/arm.xml"/>\n  </worldbody>\n</mujoco>\n',
    "parts/arm.xml": """<mujocoinclude>
  <body name="arm">
    <include file="hand.xml"/>
    <include file="parts/deep/nail.xml"/>
  </body>
</mujocoinclude>
""",
    "parts/hand.xml": '<mujocoinclude>\n  <body name="hand"><geom size="1"/></body>\n</mujocoinclude>\n',
    "parts/deep/nail.xml": '<mujocoinclude>\n  <geom name="nail" size="2"/>\n</mujocoinclude>\n',
}
"""Of the files that arm.xml includes, one is found beside it and one from the folder of the main file."""


@pytest.fixture
def nested(tmp_path) -> Edited:
    (tmp_path / "parts" / "deep").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    for name, text in NESTED.items():
        (tmp_path / name).write_text(text)
    return Edited(str(tmp_path / "main.xml"))


def test_an_include_in_another_folder_is_merged_with_those_in_it(nested):
    before = compile_document(nested.document).model
    (include,) = nested.document.root.iter("include")
    nested.step(merge(nested.document, include))
    nested.project.apply("Merge", merge(nested.document, include))
    assert_same(before, compile_document(nested.document).model)
    text = nested.project.text(nested.path)
    assert '<include file="parts/hand.xml"/>' in text and '<include file="parts/deep/nail.xml"/>' in text
    nested.project.apply("Merge", merge(nested.document, next(nested.document.root.iter("include"))))
    assert_same(before, compile_document(nested.document).model)


@pytest.mark.parametrize("name", ["rest.xml", "other/rest.xml", "parts/rest.xml"])
def test_elements_of_an_included_file_go_to_any_folder(nested, name):
    before = compile_document(nested.document).model
    (arm,) = named(nested.document, "arm")
    path = split_off(nested, [arm], name)
    assert_same(before, compile_document(nested.document).model)
    beside = "hand.xml" if name.startswith("parts") else "parts/hand.xml"
    assert f'<include file="{beside}"/>' in nested.project.text(path)
    assert f'<include file="{name}"/>' in nested.project.text(arm.source.path)
    for each in nested.project.modified:
        write_file(nested.project.prepare_save(each))
    assert_same(before, compile_document(Document.load(nested.path)).model)
    nested.project.undo()
    assert nested.data() == nested.before


def test_a_name_that_another_include_would_read_is_refused(nested, tmp_path):
    with pytest.raises(CannotEdit, match="line 3, would read"):
        path_of(nested.document, "hand.xml")
    (tmp_path / "parts" / "hand.xml").unlink()
    missing = Edited(nested.path)
    with pytest.raises(CannotEdit, match="was not read"):
        split_off(missing, named(missing.document, "arm"), "rest.xml")


@pytest.mark.parametrize("path", [*OWN, *CORPUS], ids=lambda path: path.stem)
def test_any_part_of_a_model_can_go(path: Path):
    random.seed(path.stem)
    try:
        edited = Edited(str(path))
        if edited.document.root.tag != "mujoco" or path.stat().st_size > 60_000:
            return
        before = compile_document(edited.document).model
    except (ModelError, ValueError):
        return
    document = edited.document
    nodes = [node for node in document.root.iter() if node.parent is not None and node.tag != "include"]
    for number, node in enumerate(random.sample(nodes, min(4, len(nodes)))):
        try:
            split_off(edited, [node], f"part{number}.xml")
        except CannotEdit:
            continue
        assert_same(before, compile_document(edited.document).model)
        edited.project.undo()
        assert edited.data() == edited.before
