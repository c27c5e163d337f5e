"""Edits of single elements, each checked: only the text of the edited element changes, and undo gives the same bytes.

    edited = Edited("model.xml")
    for node in elements(edited.document):
        counts = check_element(edited, node, Random(0))

`check_element` sets, adds, removes, resets and writes out an attribute of the element, inserts into it, duplicates,
moves, removes and pastes it. Each edit is undone before the next one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from random import Random

from kinetree.engine.assist.in_force import in_force
from kinetree.engine.assist.language import language_of
from kinetree.engine.document.change import set_attribute
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit, apply
from kinetree.engine.document.element_edit import EditRefused, SetAttribute
from kinetree.engine.document.files import read_file
from kinetree.engine.document.parser import parse_text
from kinetree.engine.document.project import Project
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.document.tree import Node
from kinetree.engine.editing import attributes, templates
from kinetree.engine.editing.copying import copied, duplicate, paste
from kinetree.engine.editing.removal import remove
from kinetree.engine.editing.structure import CannotEdit, holder, move

KINDS = ("set", "unset", "add", "write", "reset", "insert", "duplicate", "remove", "move", "move away", "paste")
"""Edits that `check_element` makes."""
VALUES = ("1", "-0.5 2", "a < b & \"c\" 'd'", "é 😀", "two\nlines", "", "]]>")
LARGE = 100_000
"""Characters above which a text is not parsed again after each edit."""


class Edited:
    """A project with one document, on which one step after another is done and undone."""

    def __init__(self, path: str = "/models/model.xml", text: str | None = None) -> None:
        self.project = Project()
        if text is None:
            self.path = self.project.open(read_file(path))
            while self.project.wanted:
                self.project.provide(*map(read_file, self.project.wanted))
        else:
            self.path = self.project.create(path, text)
        self.before = self.data()

    def data(self) -> dict[str, bytes]:
        return {file: self.project.source(file).data for file in self.project.files}

    @property
    def document(self) -> Document:
        return self.project.snapshot(self.path).document

    def step(
        self, element_edits: Iterable, then: Callable[[Document], None] | None = None
    ) -> dict[str, tuple[Edit, ...]]:
        """Do it, undo it, do it again and undo it, with the same bytes each time. The edits of each file. `then` is
        called with the document in which it is done."""
        sources = {file: self.project.source(file) for file in self.project.files}
        transaction = self.project.apply("Edit", element_edits)
        if transaction is None:
            return {}
        done = self.data()
        changes = {file: change.forward for file, change in transaction.changes.items()}
        for file, before in self.before.items():
            _check_bytes(sources[file], before, done[file], changes.get(file, ()))
        for file in changes:
            _check_tree(self.project, file)
        if then is not None:
            then(self.document)
        self.project.undo()
        assert self.data() == self.before
        self.project.redo()
        assert self.data() == done
        self.project.undo()
        assert self.data() == self.before
        return changes


def _check_bytes(source, before: bytes, after: bytes, edits: tuple[Edit, ...]) -> None:
    """The bytes in front of the first edit and behind the last one, and those between the edits, are the same."""
    if not edits:
        assert before == after
        return
    pieces, place = [source.bom], 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        pieces.append(source.text[place : edit.start].encode(source.encoding, "surrogateescape"))
        place = edit.end
    last = source.text[place:].encode(source.encoding, "surrogateescape")
    assert after.startswith(b"".join(pieces[:2])) and after.endswith(last)
    at = 0
    for piece in (*pieces, last):
        at = after.index(piece, at) + len(piece)


def _check_tree(project: Project, file: str) -> None:
    """The tree is that of the text."""
    parsed = project.parsed(file)
    if len(parsed.source.text) > LARGE:
        return
    fresh = parse_text(parsed.source.text).root
    assert fresh is not None and parsed.syntax.root is not None
    assert _shape(parsed.syntax.root) == _shape(fresh)


def _shape(root: Subtree) -> list[tuple]:
    return [
        (each.tag, place, each.head, each.tail, each.width, len(each.children), [value[0] for value in each.values])
        for each, place, _ in root.walk(root.gap)
    ]


def elements(document: Document) -> list[Node]:
    """Every element of a document, also those of included files."""
    return [node for root in document.trees.values() for node in root.iter()]


def solid(text: str) -> str:
    """A text without white space."""
    return "".join(text.split())


def outline_of(xml: str) -> list[tuple[str, tuple[str, ...]]]:
    """Tags and names of attributes of a piece of XML."""
    root = parse_text(f"<x>{xml}</x>").root
    assert root is not None
    return [(each.tag, tuple(value[0] for value in each.values)) for each, _, _ in root.walk(0)]


def outline_of_copy(document: Document, node: Node) -> list[tuple[str, tuple[str, ...]]]:
    """As `outline_of`, of a copy of an element: with the content of files in place of each <include>, and without
    names, which a copy may get.
    """
    root = document.included(node) if node.tag == "include" else None
    if root is not None:
        return [each for child in root.children for each in outline_of_copy(document, child)]
    own = (node.tag, tuple(each.name for each in node.attributes if each.name != "name"))
    return [own, *(each for child in node.children for each in outline_of_copy(document, child))]


def without_names(outline: list[tuple[str, tuple[str, ...]]]) -> list[tuple[str, tuple[str, ...]]]:
    return [(tag, tuple(name for name in names if name != "name")) for tag, names in outline]


def check_element(edited: Edited, node: Node, random: Random) -> Counter[str]:
    """Every edit of one element. How often each of KINDS was done, not refused."""
    return check_attributes(edited, node, random) + check_structure(edited, node, random)


# ---- attributes ----------------------------------------------------------------------------------------------


def check_attributes(edited: Edited, node: Node, random: Random) -> Counter[str]:
    """Set, add, remove, reset and write out one attribute of an element, chosen by `random`."""
    document, text, path = edited.document, node.source.text, node.source.path
    counts: Counter[str] = Counter()

    def now(document: Document) -> Node:
        found = document.node(node.id)
        assert found is not None and found.tag == node.tag
        return found

    def only(changes: dict[str, tuple[Edit, ...]]) -> Edit:
        assert list(changes) == [path] and len(changes[path]) == 1
        return changes[path][0]

    if node.attributes:
        written = random.choice(node.attributes)
        value = random.choice([each for each in VALUES if each != written.value])

        def is_set(document: Document) -> None:
            assert now(document).get(written.name) == value
            others = [(each.name, each.value) for each in now(document).attributes if each.name != written.name]
            assert others == [(each.name, each.value) for each in node.attributes if each.name != written.name]

        edit = only(edited.step([SetAttribute(node, written.name, value)], is_set))
        assert written.value_span.start - 1 <= edit.start and edit.end <= written.value_span.end + 1
        counts["set"] += 1

        def is_gone(document: Document) -> None:
            assert now(document).attribute(written.name) is None
            assert len(now(document).attributes) == len(node.attributes) - 1

        edit = only(edited.step(attributes.remove([node], written.name), is_gone))
        assert solid(text[edit.start : edit.end]) == solid(written.span.text) and not edit.text.strip()
        assert text[edit.start : written.span.start].strip() == ""
        counts["unset"] += 1
    language = language_of(document)
    row = language.row(node)
    if row is None:
        return counts
    missing = [name for name in row.attributes if node.attribute(name) is None]
    for kind, name, value in (
        ("add", random.choice(missing) if missing else "", random.choice(VALUES)),
        ("write", *_inherited(document, node, random)),
    ):
        if not name:
            continue

        def is_there(document: Document, name: str = name, value: str = value) -> None:
            assert now(document).get(name) == value
            assert len(now(document).attributes) == len(node.attributes) + 1

        edit = only(edited.step(attributes.set_values([node], name, [value]), is_there))
        assert edit.start == edit.end and node.tag_span.end <= edit.start <= node.head_span.end
        assert edit.text.strip().startswith(name) and edit.text.strip()[-1] in "\"'"
        counts[kind] += 1
        # Written and reset: the text is as it was.
        edited.project.apply("Set", attributes.set_values([node], name, [value]))
        edited.project.apply("Reset", attributes.remove([now(edited.document)], name))
        assert edited.data() == edited.before
        edited.project.undo()
        edited.project.undo()
        assert edited.data() == edited.before
        counts["reset"] += 1
    return counts


def _inherited(document: Document, node: Node, random: Random) -> tuple[str, str]:
    """An attribute that is not written, and the value that holds for it as the inspector would write it."""
    found = [
        (name, value.where.value if value.where is not None else value.value)
        for name, value in in_force(document, node).items()
        if node.attribute(name) is None and value.value
    ]
    return random.choice(found) if found else ("", "")


# ---- structure -----------------------------------------------------------------------------------------------


def check_structure(edited: Edited, node: Node, random: Random) -> Counter[str]:
    """Insert into, duplicate, move, remove and copy one element."""
    document = edited.document
    text = node.source.text
    counts: Counter[str] = Counter()

    def done(what: str, make: Callable[[], list], then: Callable[[Document], None] | None = None):
        """The text taken out of the element's file and the text put into it, each without white space; None if
        refused.
        """
        try:
            changes = edited.step(make(), then)
        except CannotEdit:
            return None
        except EditRefused:  # a copy of XML with errors
            assert document.diagnostics.has_errors
            return None
        counts[what] += 1
        assert set(changes) <= {node.source.path}
        edits = list(changes.get(node.source.path, ()))
        out = [solid(text[edit.start : edit.end]) for edit in edits]
        return [each for each in out if each], [each for each in (solid(e.text) for e in edits) if each], edits

    choices = [each for each in templates.choices(document, node) if each.why is None and each.file is None]
    if choices and node.tag != "include":
        tag = random.choice(choices).row.tag
        found = done("insert", lambda: templates.insert(document, node, None, tag))
        assert found is not None
        out, into, edits = found
        new = solid(templates.template(document, node, tag))
        edits = [edit for edit in edits if new in solid(edit.text)]  # the element may get a name, or lose its texture
        assert len(edits) == 1 and node.start < edits[0].start and edits[0].end <= node.end
        assert any(each in into for each in (new, f">{new}</{node.tag}>")) and not [each for each in out if "<" in each]
    found = done("duplicate", lambda: duplicate(document, [node]))
    if found is not None:
        out, into, edits = found
        if node.tag == "joint" and document.root.tag == "robot":  # with the link that it moves
            edits = [edit for edit in edits if edit.text.strip().startswith("<joint")]
        assert out == [] and len(edits) == 1 and edits[0].start == edits[0].end >= node.end
        between = text[node.end : edits[0].start].strip()
        assert between == "" or between.startswith("<!--")
        assert without_names(outline_of(edits[0].text)[1:]) == outline_of_copy(document, node)

    parent = node.parent
    if parent is not None and parent.parent is None and parent.child_count == 1 and parent.id != document.root.id:
        return counts  # the <include> of its file goes with it

    def is_gone(document: Document) -> None:
        assert document.node(node.id) is None

    found = done("remove", lambda: remove(document, [node]), is_gone)
    if found is not None:
        out, into, edits = found
        assert (out, into) == ([solid(node.span.text)], [])
    if parent is None:
        return counts
    last = parent.child_count
    found = done("move", lambda: move(document, [node], parent, 0 if index_is(parent, last - 1, node) else last))
    if found is not None and last > 1:
        assert found[:2] == ([solid(node.span.text)], [solid(node.span.text)])
    check_move_away(edited, node, random, counts)
    found = done("paste", lambda: paste(document, parent, None, copied(document, [node])))
    if found is not None:
        pasted = next(edit.text for edit in found[2] if edit.text.strip() not in ("", ">"))
        outline = outline_of_copy(document, node)
        assert found[0] == [] and without_names(outline_of(pasted)[1:])[: len(outline)] == outline
    return counts


def check_move_away(edited: Edited, node: Node, random: Random, counts: Counter[str]) -> None:
    """Move an element into another one that takes it, if one of a few does."""
    document = edited.document
    for target in _others(document, node, random):
        index = random.randint(0, target.child_count)
        try:
            element_edits = move(document, [node], target, index)
        except CannotEdit:
            continue

        target = holder(document, target)
        kept = [
            element_edit for element_edit in element_edits if isinstance(element_edit, SetAttribute)
        ]  # the class that it inherited
        if kept and node.tag == "include":
            continue  # said in the elements of its file
        assert all(
            element_edit.node.id == node.id and element_edit.name in ("class", "childclass") for element_edit in kept
        )
        edits = [
            edit
            for element_edit in kept
            for edit in set_attribute(node, element_edit.name, element_edit.value)[node.source.path]
        ]
        new = apply(node.source.text, edits)[node.start : node.end + sum(len(edit.text) for edit in edits)]

        def has_moved(document: Document, target: Node = target, new: str = new) -> None:
            found = document.node(node.id)
            assert found is not None and found.parent is not None and found.parent.id == target.id
            assert outline_of(found.span.text) == outline_of(new)

        changes = edited.step(element_edits, has_moved)
        out = [solid(document.trees[path].source.text[e.start : e.end]) for path in changes for e in changes[path]]
        into = [solid(e.text) for path in changes for e in changes[path]]
        moved = solid(node.span.text)
        assert [each for each in out if each] in ([moved], [moved, "/>"], ["/>", moved])
        new = solid(new)
        assert [each for each in into if each] in ([new], [f">{new}</{target.tag}>"])
        counts["move away"] += 1
        return


def _others(document: Document, node: Node, random: Random) -> Iterator[Node]:
    """Elements that may take another one, the likely ones first."""
    parent = node.parent
    assert parent is not None
    others = [each for root in document.trees.values() for each in root.iter() if each.id not in (node.id, parent.id)]
    alike = [each for each in others if each.tag == parent.tag]
    yield from random.sample(alike, min(4, len(alike)))
    yield from random.sample(others, min(4, len(others)))


def index_is(parent: Node, index: int, node: Node) -> bool:
    return parent.child(index).id == node.id
