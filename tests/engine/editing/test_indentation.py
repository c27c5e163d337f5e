"""Edits in files that are laid out differently: what is written follows the file that it goes to, in every tool."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.document import Document
from kinetree.engine.document.layout import reindented
from kinetree.engine.document.tree import Node
from kinetree.engine.editing import attributes, copying, shelf, structure, templates
from kinetree.engine.editing.tools import class_moves, classes, including
from kinetree.engine.editing.tools.mirror import mirror
from kinetree.engine.geometry.orientation import IDENTITY
from tests.engine.editing.structural import Edited

MAIN = """<mujoco>
  <include file="classes.xml"/>
  <worldbody>
    <body name="trunk" pos="0 0 1">
      <geom name="main" size=".1" rgba="1 0 0 1"/>
      <body name="left_hand" pos="0 .1 0">
        <geom size=".05"/>
        <include file="fingers.xml"/>
      </body>
      <include file="empty.xml"/>
    </body>
  </worldbody>
  <include file="drives.xml"/>
</mujoco>
"""
PARTS = {
    "classes.xml": """<mujocoinclude>
  <default>
    <default class="outer">
      <geom density="500"/>
      <default class="inner">
        <geom friction="2"/>
        <site rgba="1 0 0 1"
              size=".02"/>
      </default>
    </default>
  </default>
</mujocoinclude>
""",
    "fingers.xml": """<mujocoinclude>
  <body name="left_thumb" childclass="inner">
    <joint name="left_bend" range="-1 1"/>
    <geom size=".01"/>
    <!-- the tip
         of it -->
    <body name="left_tip">
      <geom size=".02" rgba="0 1 0 1"/>
      <site name="left_end"/>
    </body>
  </body>
  <site name="palm"/>
</mujocoinclude>
""",
    "empty.xml": "<mujocoinclude>\n  <site name='mark'/>\n</mujocoinclude>\n",
    "drives.xml": "<mujocoinclude>\n  <actuator>\n    <motor joint='left_bend'/>\n  </actuator>\n</mujocoinclude>\n",
}
LAYOUTS = {"main.xml": ("  ", "\n"), "classes.xml": ("    ", "\n"), "fingers.xml": ("\t", "\n"), "empty.xml": ("   ", "\r\n"), "drives.xml": ("    ", "\r\n")}  # fmt: skip
"""File -> its step of indentation and its line break."""


@pytest.fixture
def edited(tmp_path) -> Edited:
    for name, text in {"main.xml": MAIN, **PARTS}.items():
        unit, ending = LAYOUTS[name]
        (tmp_path / name).write_bytes(reindented(text, unit).replace("\n", ending).encode())
    edited = Edited(str(tmp_path / "main.xml"))
    assert len(edited.document.trees) == len(LAYOUTS)
    assert_laid_out(edited)
    return edited


def assert_laid_out(edited: Edited, layouts=LAYOUTS) -> None:
    """Each element that begins a line has the indentation of its depth, with the step and the break of its file."""
    for path, root in edited.document.trees.items():
        text = root.source.text
        unit, ending = layouts[Path(path).name]
        assert set(re.findall("\r\n|\r|\n", text)) == {ending}, path
        for node in root.iter():
            line = text[text.rfind("\n", 0, node.start) + 1 : node.start]
            if not line.strip():
                assert line == unit * len(list(node.ancestors())), (path, text)


def find(document: Document, name: str) -> Node:
    for root in document.trees.values():
        for node in root.iter():
            if name in (node.get("name"), node.get("class"), node.get("file"), node.tag):
                return node
    raise AssertionError(name)


CLIP = '<body name="new">\n        <geom size="1"/>\n        <body>\n                <geom size="1"/>\n        </body>\n</body>'


EDITS: dict[str, Callable[[Document], Iterable]] = {
    "insert into a part": lambda d: templates.insert(d, find(d, "left_tip"), None, "body"),
    "insert into the inside of a part": lambda d: templates.insert(d, find(d, "fingers.xml"), None, "body"),
    "insert into an element of a part that is empty": lambda d: templates.insert(d, find(d, "drives.xml"), None, "tendon"),
    "insert into a class": lambda d: templates.insert(d, find(d, "inner"), None, "default"),
    "drop": lambda d: shelf.put(d, find(d, "left_tip"), "body", ((0, 0, 0), IDENTITY), 0.1, shelf.Precision(1e-3, 1e-3)),
    "paste into a part": lambda d: copying.paste(d, find(d, "left_tip"), None, CLIP),
    "paste into the main file": lambda d: copying.paste(d, find(d, "trunk"), 1, CLIP),
    "paste beside one element": lambda d: copying.paste(d, find(d, "empty.xml"), 0, CLIP),
    "duplicate": lambda d: copying.duplicate(d, [find(d, "left_thumb")]),
    "move from a part to the main file": lambda d: structure.move(d, [find(d, "left_tip")], find(d, "trunk"), 0),
    "move from the main file to a part": lambda d: structure.move(d, [find(d, "left_hand")], find(d, "empty.xml")),
    "move from part to part": lambda d: structure.move(d, [find(d, "left_thumb")], find(d, "empty.xml"), 0),
    "extract in a part": lambda d: classes.extract(d, find(d, "left_tip").children[:1], "green", ["rgba"]),
    "extract in the main file": lambda d: classes.extract(d, [find(d, "main")], "red", ["rgba"]),
    "dissolve": lambda d: classes.inline(d, find(d, "outer")),
    "set in a class": lambda d: attributes.set_in_class(d, [find(d, "left_bend")], "damping", "1"),
    "move a class": lambda d: class_moves.move(d, [find(d, "inner")], find(d, "default")),
    "merge a part": lambda d: including.merge(d, find(d, "fingers.xml")),
    "merge a part of one element": lambda d: including.merge(d, find(d, "empty.xml")),
    "mirror": lambda d: mirror(d, find(d, "left_hand")).edits,
    "mirror in a part": lambda d: mirror(d, find(d, "left_thumb")).edits,
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_follows_the_layout_of_the_file(edited, name):
    before = edited.data()
    edited.project.apply(name, EDITS[name](edited.document))
    assert edited.data() != before
    assert_laid_out(edited)
    compile_document(edited.document)
    edited.project.undo()
    assert edited.data() == before


@pytest.mark.parametrize(
    ("name", "source"), [("left_thumb", "fingers.xml"), ("left_hand", "main.xml"), ("actuator", "drives.xml")]
)
def test_a_new_file_takes_the_layout_of_the_file_that_its_elements_come_from(edited, name, source):
    node = find(edited.document, name)
    path = including.path_of(edited.document, "new.xml")
    root = edited.project.tree(edited.project.add(path, including.blank(node)))
    edited.project.apply("Split", including.split(edited.document, [node], root, "new.xml"))
    assert len(edited.document.trees) == len(LAYOUTS) + 1
    assert_laid_out(edited, LAYOUTS | {"new.xml": LAYOUTS[source]})
    compile_document(edited.document)
