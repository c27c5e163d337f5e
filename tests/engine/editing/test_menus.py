"""The menus of every element: insertions, and the plans of each editing action, give an edit or a refusal with a
sentence, and never break. They are computed from the document, as the tree and the menu Tools do, without a window.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from kinetree.engine.assist.language import language_of
from kinetree.engine.assist.names import CannotRename, rename
from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.tree import Node
from kinetree.engine.editing import attributes, copying, removal, shelf, structure, templates
from kinetree.engine.editing.attributes import NoClass
from kinetree.engine.editing.pose import NotPlaced
from kinetree.engine.editing.reparent import move_in_place
from kinetree.engine.editing.tools import class_moves, classes, including, mirror
from kinetree.engine.geometry.orientation import IDENTITY
from tests.conftest import ROOT
from tests.corpus import listed
from tests.engine.editing.structural import Edited, elements

REFUSED = (structure.CannotEdit, NoClass, NotPlaced, CannotRename)
"""How an edit says that it is not possible."""
MODELS = {".xml", ".urdf"}
PART = "<mujocoinclude><geom size='.1'/><frame><joint name='inner'/></frame></mujocoinclude>"
INCLUDING = """<mujoco>
  <default><default class="thin"><geom size=".02"/></default></default>
  <worldbody>
    <body name="a"><freejoint/><geom size=".1"/>
      <body name="b" childclass="thin"><include file="part.xml"/></body>
    </body>
    <body name="c"><include file="free.xml"/></body>
  </worldbody>
</mujoco>
"""


def _around(document: Document, node: Node) -> Node:
    assert node.parent is not None
    return node.parent


def _dropped(document: Document, node: Node) -> object:
    """A box of the shelf, dropped onto a body or a link: nothing else is hit."""
    if node.tag not in ("body", "link"):
        return None
    return shelf.put(document, node, "box", ((0.0, 0.0, 0.0), IDENTITY), 0.1, shelf.Precision(1e-3, 1e-3))


ACTIONS: dict[str, Callable[[Document, Node], object]] = {
    "insert": templates.choices,
    "insert after": lambda document, node: templates.choices(document, _around(document, node)),
    "copy": lambda document, node: copying.copied(document, [node]),
    "paste": lambda document, node: structure.place_for(document, node, [node.tag]),
    "duplicate": lambda document, node: copying.duplicate(document, [node]),
    "delete": lambda document, node: removal.remove(document, [node], with_referring=True),
    "move": lambda document, node: structure.move(document, [node], _around(document, node), 0),
    "move to the root": lambda document, node: structure.move(document, [node], document.root),
    "move in place": lambda document, node: move_in_place(document, [node], document.root),
    "rename": lambda document, node: rename(document, node, "a_new_name"),
    "drop": _dropped,
    "extract": lambda document, node: classes.common(document, [node]),
    "inline": classes.inline,
    "move class": lambda document, node: class_moves.move(document, [node], document.root),
    "split": lambda document, node: including.check_split(document, [node]),
    "merge": including.merge,
    "mirror": mirror.mirror,
    "reset": lambda document, node: [attributes.classes_for(document, [node], each.name) for each in node.attributes],
}
"""Name -> what computes it for one element."""
OF_THE_ROOT = frozenset({"insert", "copy", "paste", "delete", "rename", "extract", "inline", "split", "merge", "reset"})
"""Actions that are available for the root of a file, too."""


def broken(document: Document, nodes: list[Node]) -> Iterator[tuple[str, str, str]]:
    """(action, element, error) for actions that end neither in a result nor in a refusal with a sentence."""
    for node in nodes:
        for name, act in ACTIONS.items():
            if node.parent is None and name not in OF_THE_ROOT:
                continue
            try:
                act(document, node)
            except REFUSED as error:
                if not str(error).strip():
                    yield name, repr(node), "refused without a reason"
            except Exception as error:
                yield name, repr(node), f"{type(error).__name__}: {error}"


def situations(document: Document) -> list[Node]:
    """One element for each kind, in each kind of place: whose parent, whether it is included, what it holds."""
    found = {}
    for node in elements(document):
        parent = node.parent
        around = None if parent is None else (parent.tag, parent.parent is None, parent.get("class") is not None)
        names = frozenset(each.name for each in node.attributes)
        found.setdefault((node.tag, around, names, bool(node.children), node.source.path), node)
    return list(found.values())


def own_models() -> list[Path]:
    return sorted(p for folder in ("resources", "tests/data") for p in (ROOT / folder).rglob("*") if p.suffix in MODELS)


def including_document() -> Document:
    overlay = {"/m/part.xml": PART, "/m/free.xml": "<mujoco><freejoint/><geom size='.1'/></mujoco>"}
    document = Document.from_string(INCLUDING, "/m", overlay=overlay)
    assert len(document.trees) == 3
    return document


def offered(document: Document, node: Node) -> dict[str, str | None]:
    return {choice.row.tag: choice.why for choice in templates.choices(document, node)}


def test_an_include_in_a_body_is_the_inside_of_that_body():
    document = including_document()
    assert not list(broken(document, elements(document)))
    first, second = (each for each in document.root.iter("include"))
    inside = offered(document, first)
    assert inside["joint"] is None and inside["freejoint"] == "only a direct child of the world can be free"
    # the joints of the included file are joints of the body
    assert offered(document, second)["joint"] == "the body is free already"
    assert second.parent is not None and offered(document, second.parent)["joint"] == "the body is free already"
    root = document.included(first)
    assert root is not None
    assert [each.tag for each in language_of(document).ancestors(root)] == ["body", "body", "worldbody", "mujoco"]
    with pytest.raises(structure.CannotEdit, match="is free: it can only move a direct child"):
        copying.paste(document, first, None, "<freejoint/>")
    with pytest.raises(structure.CannotEdit, match="has a free joint"):
        structure.move(document, [second.parent], first)


def test_the_inside_of_a_body_may_be_a_file_that_is_open_by_itself():
    document = Edited("/m/part.xml", PART.replace("<frame>", "<site/><joint name='first'/><frame>")).document
    assert not list(broken(document, elements(document)))
    choices = offered(document, document.root)
    assert choices["joint"] is None and choices["freejoint"] == "the body has a joint: remove it first"


def test_new_elements_in_an_included_file_know_the_childclass_around_it():
    text = INCLUDING.replace('<geom size=".02"/>', '<geom size=".02"/><joint limited="true"/>')
    document = Document.from_string(text, "/m", overlay={"/m/part.xml": PART, "/m/free.xml": PART})
    first = next(document.root.iter("include"))
    (edit,) = templates.insert(document, first, None, "joint")
    assert 'range="-90 90"' in edit.xml


def check_menus(paths: Iterable[Path]) -> int:
    """The number of elements of all models, whose menus open."""
    found, tried = [], 0
    for path in paths:
        try:
            document = Document.load(path)
        except ModelError:
            continue
        nodes = situations(document)
        tried += len(nodes)
        found += broken(document, nodes)
    assert not found, f"{len(found)}: {found[:20]}"
    return tried


def test_the_menus_of_our_models_open():
    assert check_menus(own_models()) > 700


@pytest.mark.slow("every model of the corpus")
def test_the_menus_of_the_corpus_open(shared):
    assert check_menus(each.path for each in listed(shared / "corpus")) > 5000
