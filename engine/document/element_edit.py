"""Element edits: changes to the elements of one version of a text, as data; and their combination to one change.

    edits = [SetAttribute(geom, "size", "0.2"), Move(geom, other_body), Remove(body)]
    project.apply("Merge bodies", edits)

All edits refer to the same version of the text: an index counts the children that an element has there, and no edit
sees the result of another one. `carry_out` applies them in an order in which that is true (attributes, then new
elements, then moves, then removals), each to the text that the ones before it left, so that the result is always
well-formed. Several edits of the same element are combined as follows:

- an attribute that is set or removed several times: the last edit counts; likewise the tag of an element
- an element that is removed together with one inside it: both are gone
- an element that is moved out of one that is removed: it stays, in its new place
- several elements that go to the same place: they come in the order of the edits
- an element that is changed, filled or moved to, and removed: refused, as is one that is moved twice, a circle of
  moves, and an attribute that is renamed and also set

A refusal is an `EditRefused`, whose message names the edits; nothing is changed then.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kinetree.engine.document import change
from kinetree.engine.document.edit import ordered
from kinetree.engine.document.parsed import FileChange, ParsedSource
from kinetree.engine.document.parser import parse_text
from kinetree.engine.document.reparse import Shift
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.document.tree import Node
from kinetree.engine.progress import part, tracked
from kinetree.engine.translation import all_of, marked, tr


@dataclass(frozen=True, eq=False)
class ElementEdit:
    """A change to one element, `node`, which may belong to any version and to a merged tree."""

    node: Node

    def _element(self) -> str:
        node = self.node
        name = node.get("name") or node.get("class")
        label = f'<{node.tag}> "{name}"' if name else f"<{node.tag}>"
        return f"{label} ({os.path.basename(node.source.path)}:{node.line})"


@dataclass(frozen=True, eq=False)
class SetAttribute(ElementEdit):
    """Give an attribute a value."""

    name: str
    value: str

    def __str__(self) -> str:
        return tr("set {name} of {element}", name=self.name, element=self._element())


@dataclass(frozen=True, eq=False)
class RemoveAttribute(ElementEdit):
    """Remove an attribute; nothing happens if it is not there."""

    name: str

    def __str__(self) -> str:
        return tr("remove {name} of {element}", name=self.name, element=self._element())


@dataclass(frozen=True, eq=False)
class RenameAttribute(ElementEdit):
    """Give an attribute another name."""

    name: str
    new: str

    def __str__(self) -> str:
        return tr("rename {name} to {new} in {element}", name=self.name, new=self.new, element=self._element())


@dataclass(frozen=True, eq=False)
class RenameElement(ElementEdit):
    """Give an element another tag."""

    tag: str

    def __str__(self) -> str:
        return tr("make a <{tag}> of {element}", tag=self.tag, element=self._element())


@dataclass(frozen=True, eq=False)
class Insert(ElementEdit):
    """Insert XML (elements, comments) into an element, as its child number `index`; as the last one if not
    given."""

    xml: str
    index: int | None = None

    def __str__(self) -> str:
        return tr("insert into {element}", element=self._element())


@dataclass(frozen=True, eq=False)
class Move(ElementEdit):
    """Move an element into another one, before the child that is number `index` there; to the end if not
    given."""

    parent: Node
    index: int | None = None

    def __str__(self) -> str:
        return tr("move {element}", element=self._element())


@dataclass(frozen=True, eq=False)
class Remove(ElementEdit):
    """Remove an element with all in it."""

    def __str__(self) -> str:
        return tr("remove {element}", element=self._element())


class EditRefused(ValueError):
    """Element edits that contradict each other, or one that cannot be carried out; str() says which and why. `edits`
    has them.
    """

    def __init__(self, reason: str, *element_edits: ElementEdit) -> None:
        self.edits = element_edits
        super().__init__(f"{all_of([str(element_edit) for element_edit in element_edits])}: {reason}")


def carry_out(
    element_edits: Iterable[ElementEdit], texts: Mapping[str, ParsedSource]
) -> dict[str, tuple[ParsedSource, FileChange]]:
    """The texts that the edits change, and how: by path of the file. `texts` has the present ones. Raises
    EditRefused, and Cancelled (see `kinetree.engine.progress`)."""
    return _Work(list(element_edits), texts).done()


_BROKEN = marked("the XML around that place has errors, so that nothing can be put there: fix them first")
_ATTRIBUTES = (SetAttribute, RemoveAttribute, RenameAttribute)


class _Work:
    """One call of `carry_out`.

    present  the texts as they are after the edits so far
    changes  what was done to each
    touched  elements that a edit changed, made or moved: id -> the edit
    """

    def __init__(self, element_edits: list[ElementEdit], texts: Mapping[str, ParsedSource]) -> None:
        self.edits = element_edits
        self.present = dict(texts)
        self.changes: dict[str, FileChange] = {}
        self.touched: dict[int, ElementEdit] = {}
        self.leaving = {
            element_edit.node.id: element_edit
            for element_edit in element_edits
            if isinstance(element_edit, Move | Remove)
        }
        # Where the next thing goes that has the same neighbour.
        self.newest: dict[tuple[int, str], int] = {}

    def done(self) -> dict[str, tuple[ParsedSource, FileChange]]:
        with part(0.0, 0.1):
            self.check_elements()
        with part(0.1, 0.5):
            self.attributes()
        places = [element_edit for element_edit in self.edits if isinstance(element_edit, Insert)]
        moves = [element_edit for element_edit in self.edits if isinstance(element_edit, Move)]
        with part(0.5, 0.9):
            for element_edit in tracked([*places, *moves]):
                if isinstance(element_edit, Insert):
                    self.insert(element_edit)
                else:
                    self.move(element_edit)
        self.removals([element_edit for element_edit in self.edits if isinstance(element_edit, Remove)])
        return {path: (self.present[path], change) for path, change in self.changes.items()}

    # Elements

    def node(self, identity: int, element_edit: ElementEdit) -> Node:
        """An element as it is now."""
        for parsed in self.present.values():
            node = parsed.node(identity)
            if node is not None:
                return node
        raise EditRefused(tr("the element is not there any more"), element_edit)

    def apply(
        self,
        changes: change.Changes,
        returning: Mapping[str, Mapping[int, int]] | None = None,
        leaving: Mapping[str, Mapping[int, int]] | None = None,
    ) -> None:
        """Edit the texts. What moves is in `leaving` and `returning`, ids by offset before and after, for each path: a
        step back or forward finds it again although its attributes change in the same step."""
        for path, edits in changes.items():
            arrived, left = (returning or {}).get(path, {}), (leaving or {}).get(path, {})
            after, done = self.present[path].changed(edits, arrived)
            if arrived or left:
                vanished, appeared = {**done.vanished, **left}, {**done.appeared, **arrived}
                done = FileChange(done.forward, done.backward, vanished, appeared)
            self.present[path] = after
            self.changes[path] = self.changes[path].then(done) if path in self.changes else done

    def check_elements(self) -> None:
        """Refuse edits about elements that are not there, and two moves, or a move and a removal, of the
        same one."""
        moves: dict[int, ElementEdit] = {}
        for element_edit in tracked(self.edits):
            self.node(element_edit.node.id, element_edit)
            if isinstance(element_edit, Move):
                self.node(element_edit.parent.id, element_edit)
            if isinstance(element_edit, Move | Remove):
                other = moves.setdefault(element_edit.node.id, element_edit)
                if other is not element_edit and not (isinstance(other, Remove) and isinstance(element_edit, Remove)):
                    raise EditRefused(tr("an element can go to one place only"), other, element_edit)

    # Attributes and tags

    def attributes(self) -> None:
        last: dict[tuple[int, object], ElementEdit] = {}
        for element_edit in self.edits:
            if isinstance(element_edit, RenameElement):
                key: object = RenameElement
            elif isinstance(element_edit, RenameAttribute):
                key = (element_edit.name, element_edit.new)
            elif isinstance(element_edit, SetAttribute | RemoveAttribute):
                key = element_edit.name
            else:
                continue
            last[element_edit.node.id, key] = element_edit
        self.check_renamed([element_edit for element_edit in last.values() if isinstance(element_edit, _ATTRIBUTES)])
        waiting: list[ElementEdit] = list(last.values())
        while waiting:
            # One edit for each element at a time, so that the text edits do not overlap.
            now, later, seen = [], [], set()
            for element_edit in waiting:
                (later if element_edit.node.id in seen else now).append(element_edit)
                seen.add(element_edit.node.id)
            self.apply(change.combine(*map(self.attribute, tracked(now))))
            self.touched.update((element_edit.node.id, element_edit) for element_edit in now)
            waiting = later

    def check_renamed(self, element_edits: list[SetAttribute | RemoveAttribute | RenameAttribute]) -> None:
        names: dict[tuple[int, str], ElementEdit] = {}
        for element_edit in element_edits:
            for name in (
                (element_edit.name, element_edit.new)
                if isinstance(element_edit, RenameAttribute)
                else (element_edit.name,)
            ):
                other = names.setdefault((element_edit.node.id, name), element_edit)
                if other is not element_edit:
                    raise EditRefused(tr("both are about the attribute {name}", name=name), other, element_edit)

    def attribute(self, element_edit: ElementEdit) -> change.Changes:
        node = self.node(element_edit.node.id, element_edit)
        try:
            match element_edit:
                case SetAttribute():
                    return change.set_attribute(node, element_edit.name, element_edit.value)
                case RemoveAttribute():
                    return change.remove_attribute(node, element_edit.name) if node.attribute(element_edit.name) else {}
                case RenameAttribute():
                    return change.rename_attribute(node, element_edit.name, element_edit.new)
                case RenameElement():
                    return change.rename_element(node, element_edit.tag)
                case _:
                    return {}
        except KeyError:
            raise EditRefused(tr("there is no such attribute"), element_edit) from None
        except ValueError as error:
            raise EditRefused(str(error), element_edit) from None

    # Places

    def place(
        self, parent: Node, index: int | None, element_edit: ElementEdit
    ) -> tuple[Node, int | None, tuple[int, str]]:
        """Where the place before a child of `parent` is now: (parent, index, key of the neighbour)."""
        count = parent.child_count
        index = count if index is None else max(0, min(index, count))
        own = parent.source.path
        before, after = (
            next((child for child in map(parent.child, each) if child.id not in self.leaving), None)
            for each in (range(index - 1, -1, -1), range(index, count))
        )
        # Elements between two files go to that of the parent, if possible.
        best = (after, False) if before is None or before.source.path != own else (before, True)
        if best[0] is None or (best[0].source.path != own and before is not None):
            best = (before, True)
        if best[0] is None:
            key = (parent.id, "in")
            now = self.node(parent.id, element_edit)
            if key in self.newest:
                return *_beside(self.node(self.newest[key], element_edit), True), key
            # Elements that leave are still here, before or after this place.
            gone = [i for i in range(count) if parent.child(i).source.path == own]
            return now, sum(i < index for i in gone) if now.child_count else None, key
        key = (best[0].id, "after" if best[1] else "before")
        anchor = self.node(self.newest.get(key, best[0].id), element_edit)
        return *_beside(anchor, best[1]), key

    def insert(self, element_edit: Insert) -> None:
        parent, index, key = self.place(element_edit.node, element_edit.index, element_edit)
        try:
            changes = change.insert_fragment(parent, element_edit.xml, index)
        except ValueError as error:
            raise EditRefused(str(error), element_edit) from None
        count, before = len(_pieces(element_edit.xml).children), parent.child_count
        self.apply(changes)
        if self.node(parent.id, element_edit).child_count != before + count:
            raise EditRefused(tr(_BROKEN), element_edit)
        self.touched[parent.id] = self.touched[element_edit.node.id] = element_edit
        self.arrived(parent, index, count, key, element_edit)

    def arrived(
        self, parent: Node, index: int | None, count: int, key: tuple[int, str], element_edit: ElementEdit
    ) -> None:
        """Note the elements that were put into an element."""
        now = self.node(parent.id, element_edit)
        first = now.child_count - count if index is None else index
        for i in range(first, first + count):
            self.touched[now.child(i).id] = element_edit
            if key[1] != "before":
                self.newest[key] = now.child(i).id

    def move(self, element_edit: Move) -> None:
        node = self.node(element_edit.node.id, element_edit)
        if node.parent is None:
            raise EditRefused(tr("the root element cannot be moved"), element_edit)
        parent, index, key = self.place(element_edit.parent, element_edit.index, element_edit)
        try:
            changes = change.move_element(node, parent, index)
        except ValueError as error:
            blocking = [self.touched[each.id] for each in parent.ancestors() if each.id in self.touched]
            moves = [other for other in blocking if isinstance(other, Move)]
            raise EditRefused(str(error), *moves[:1], element_edit) from None
        if changes:
            leaving = {node.source.path: {offset: subtree.id for subtree, offset, _ in node.subtree.walk(node.start)}}
            self.apply(changes, _returning(node, parent, index, changes), leaving)
            around = self.node(node.id, element_edit).parent
            if around is None or around.id != parent.id:
                raise EditRefused(tr(_BROKEN), element_edit)
        self.touched[node.id] = element_edit
        self.touched.setdefault(element_edit.parent.id, element_edit)
        if key[1] != "before":
            self.newest[key] = node.id

    # Removals

    def removals(self, element_edits: list[ElementEdit]) -> None:
        removed = {element_edit.node.id: element_edit for element_edit in element_edits}
        outermost = []
        for identity, element_edit in tracked(removed.items()):
            node = self.node(identity, element_edit)
            if any(around.id in removed for around in node.ancestors()):
                continue
            for inner, _, _ in node.subtree.walk(0):
                if inner.id in self.touched:
                    raise EditRefused(tr("the one undoes the other"), self.touched[inner.id], element_edit)
            outermost.append((node, element_edit))
        try:
            together = change.combine(*(change.remove_element(node) for node, _ in outermost))
            for edits in together.values():
                ordered(edits)
            self.apply(together)
        except ValueError:  # they share a line: one after another
            for node, element_edit in outermost:
                try:
                    self.apply(change.remove_element(self.node(node.id, element_edit)))
                except ValueError as error:
                    raise EditRefused(str(error), element_edit) from None


def _beside(node: Node, behind: bool) -> tuple[Node, int]:
    """The place before or behind a child: (parent, index)."""
    parent = node.parent
    assert parent is not None
    return parent, [child.id for child in parent.subtree.children].index(node.id) + behind


def _pieces(xml: str) -> Subtree:
    """An element around a piece of XML."""
    root = parse_text(f"<x>{xml}</x>").root
    assert root is not None
    return root


def _returning(node: Node, parent: Node, index: int | None, changes: change.Changes) -> dict[str, dict[int, int]]:
    """The ids of a moved element and of those in it, by their offsets in the text that it was moved to."""
    ids = [subtree.id for subtree, _, _ in node.subtree.walk(0)]
    for path, edits in changes.items():
        shift = Shift(ordered(edits))
        for edit, end in zip(shift.edits, shift.ends):
            if edit.text.strip():
                start = end - len(edit.text) - len("<x>")
                places = [offset for child, offset, _ in _pieces(edit.text).walk(start)][1:]
                if len(places) >= len(ids):
                    return {path: dict(zip(places, ids))}
    return {}
