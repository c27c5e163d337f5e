"""Wish: what a panel, a tool or a gizmo wants of the elements of one version, as data; and many wishes as
one change.

    wishes = [SetAttribute(geom, "size", "0.2"), Move(geom, other_body), Remove(body)]
    project.apply("Merge bodies", wishes)

All wishes speak of the same version of the text: an index counts the children that an element has there, and
no wish sees what another one did. `carry_out` takes them in an order in which that is true (attributes, then
new elements, then moves, then removals), each on the text that the ones before it left, so that the result
is always well-formed. What it makes of wishes about the same thing:

- an attribute that is set or removed several times: the last wish counts; likewise the tag of an element
- an element that is removed together with one inside it: both are gone
- an element that is moved out of one that is removed: it stays, in its new place
- several things that go to the same place: they stand there in the order of the wishes
- an element that is changed, filled or moved to, and removed: refused, as is one that is moved twice, a
circle of
  moves, and an attribute that is renamed and also set

A refusal is a `Refused`, whose message names the wishes; nothing is changed then.
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
class Wish:
    """Something wanted of one element, `node`, which may be of any version and of a merged tree."""

    node: Node

    def _element(self) -> str:
        node = self.node
        name = node.get("name") or node.get("class")
        label = f'<{node.tag}> "{name}"' if name else f"<{node.tag}>"
        return f"{label} ({os.path.basename(node.source.path)}:{node.line})"


@dataclass(frozen=True, eq=False)
class SetAttribute(Wish):
    """Give an attribute a value."""

    name: str
    value: str

    def __str__(self) -> str:
        return tr("set {name} of {element}", name=self.name, element=self._element())


@dataclass(frozen=True, eq=False)
class RemoveAttribute(Wish):
    """Remove an attribute; nothing happens if it is not there."""

    name: str

    def __str__(self) -> str:
        return tr("remove {name} of {element}", name=self.name, element=self._element())


@dataclass(frozen=True, eq=False)
class RenameAttribute(Wish):
    """Give an attribute another name."""

    name: str
    new: str

    def __str__(self) -> str:
        return tr("rename {name} to {new} in {element}", name=self.name, new=self.new, element=self._element())


@dataclass(frozen=True, eq=False)
class RenameElement(Wish):
    """Give an element another tag."""

    tag: str

    def __str__(self) -> str:
        return tr("make a <{tag}> of {element}", tag=self.tag, element=self._element())


@dataclass(frozen=True, eq=False)
class Insert(Wish):
    """Insert XML (elements, comments) into an element, as its child number `index`; as the last one if not
    given."""

    xml: str
    index: int | None = None

    def __str__(self) -> str:
        return tr("insert into {element}", element=self._element())


@dataclass(frozen=True, eq=False)
class Move(Wish):
    """Move an element into another one, before the child that is number `index` there; to the end if not
    given."""

    parent: Node
    index: int | None = None

    def __str__(self) -> str:
        return tr("move {element}", element=self._element())


@dataclass(frozen=True, eq=False)
class Remove(Wish):
    """Remove an element with all in it."""

    def __str__(self) -> str:
        return tr("remove {element}", element=self._element())


class Refused(ValueError):
    """Element edits that contradict each other, or one that cannot be carried out; str() says which and why. `wishes`
    has them.
    """

    def __init__(self, reason: str, *wishes: Wish) -> None:
        self.wishes = wishes
        super().__init__(f"{all_of([str(wish) for wish in wishes])}: {reason}")


def carry_out(wishes: Iterable[Wish], texts: Mapping[str, ParsedSource]) -> dict[str, tuple[ParsedSource, FileChange]]:
    """The texts that the wishes change, and how: by path of the file. `texts` has the present ones. Raises
    Refused, and Cancelled (see `kinetree.engine.progress`)."""
    return _Work(list(wishes), texts).done()


_BROKEN = marked("the XML around that place has errors, so that nothing can be put there: fix them first")
_ATTRIBUTES = (SetAttribute, RemoveAttribute, RenameAttribute)


class _Work:
    """One call of `carry_out`.

    present  the texts as they are after the wishes so far
    changes  what was done to each
    touched  elements that a wish changed, made or moved: id -> the wish
    """

    def __init__(self, wishes: list[Wish], texts: Mapping[str, ParsedSource]) -> None:
        self.wishes = wishes
        self.present = dict(texts)
        self.changes: dict[str, FileChange] = {}
        self.touched: dict[int, Wish] = {}
        self.leaving = {wish.node.id: wish for wish in wishes if isinstance(wish, Move | Remove)}
        # Where the next thing goes that has the same neighbour.
        self.newest: dict[tuple[int, str], int] = {}

    def done(self) -> dict[str, tuple[ParsedSource, FileChange]]:
        with part(0.0, 0.1):
            self.check_elements()
        with part(0.1, 0.5):
            self.attributes()
        places = [wish for wish in self.wishes if isinstance(wish, Insert)]
        moves = [wish for wish in self.wishes if isinstance(wish, Move)]
        with part(0.5, 0.9):
            for wish in tracked([*places, *moves]):
                if isinstance(wish, Insert):
                    self.insert(wish)
                else:
                    self.move(wish)
        self.removals([wish for wish in self.wishes if isinstance(wish, Remove)])
        return {path: (self.present[path], change) for path, change in self.changes.items()}

    # Elements

    def node(self, identity: int, wish: Wish) -> Node:
        """An element as it is now."""
        for parsed in self.present.values():
            node = parsed.node(identity)
            if node is not None:
                return node
        raise Refused(tr("the element is not there any more"), wish)

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
        """Refuse wishes about elements that are not there, and two moves, or a move and a removal, of the
        same one."""
        moves: dict[int, Wish] = {}
        for wish in tracked(self.wishes):
            self.node(wish.node.id, wish)
            if isinstance(wish, Move):
                self.node(wish.parent.id, wish)
            if isinstance(wish, Move | Remove):
                other = moves.setdefault(wish.node.id, wish)
                if other is not wish and not (isinstance(other, Remove) and isinstance(wish, Remove)):
                    raise Refused(tr("an element can go to one place only"), other, wish)

    # Attributes and tags

    def attributes(self) -> None:
        last: dict[tuple[int, object], Wish] = {}
        for wish in self.wishes:
            if isinstance(wish, RenameElement):
                key: object = RenameElement
            elif isinstance(wish, RenameAttribute):
                key = (wish.name, wish.new)
            elif isinstance(wish, SetAttribute | RemoveAttribute):
                key = wish.name
            else:
                continue
            last[wish.node.id, key] = wish
        self.check_renamed([wish for wish in last.values() if isinstance(wish, _ATTRIBUTES)])
        waiting: list[Wish] = list(last.values())
        while waiting:
            # One edit for each element at a time, so that the text edits do not overlap.
            now, later, seen = [], [], set()
            for wish in waiting:
                (later if wish.node.id in seen else now).append(wish)
                seen.add(wish.node.id)
            self.apply(change.combine(*map(self.attribute, tracked(now))))
            self.touched.update((wish.node.id, wish) for wish in now)
            waiting = later

    def check_renamed(self, wishes: list[SetAttribute | RemoveAttribute | RenameAttribute]) -> None:
        names: dict[tuple[int, str], Wish] = {}
        for wish in wishes:
            for name in (wish.name, wish.new) if isinstance(wish, RenameAttribute) else (wish.name,):
                other = names.setdefault((wish.node.id, name), wish)
                if other is not wish:
                    raise Refused(tr("both are about the attribute {name}", name=name), other, wish)

    def attribute(self, wish: Wish) -> change.Changes:
        node = self.node(wish.node.id, wish)
        try:
            match wish:
                case SetAttribute():
                    return change.set_attribute(node, wish.name, wish.value)
                case RemoveAttribute():
                    return change.remove_attribute(node, wish.name) if node.attribute(wish.name) else {}
                case RenameAttribute():
                    return change.rename_attribute(node, wish.name, wish.new)
                case RenameElement():
                    return change.rename_element(node, wish.tag)
                case _:
                    return {}
        except KeyError:
            raise Refused(tr("there is no such attribute"), wish) from None
        except ValueError as error:
            raise Refused(str(error), wish) from None

    # Places

    def place(self, parent: Node, index: int | None, wish: Wish) -> tuple[Node, int | None, tuple[int, str]]:
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
            now = self.node(parent.id, wish)
            if key in self.newest:
                return *_beside(self.node(self.newest[key], wish), True), key
            # Elements that leave are still here, before or after this place.
            gone = [i for i in range(count) if parent.child(i).source.path == own]
            return now, sum(i < index for i in gone) if now.child_count else None, key
        key = (best[0].id, "after" if best[1] else "before")
        anchor = self.node(self.newest.get(key, best[0].id), wish)
        return *_beside(anchor, best[1]), key

    def insert(self, wish: Insert) -> None:
        parent, index, key = self.place(wish.node, wish.index, wish)
        try:
            changes = change.insert_fragment(parent, wish.xml, index)
        except ValueError as error:
            raise Refused(str(error), wish) from None
        count, before = len(_pieces(wish.xml).children), parent.child_count
        self.apply(changes)
        if self.node(parent.id, wish).child_count != before + count:
            raise Refused(tr(_BROKEN), wish)
        self.touched[parent.id] = self.touched[wish.node.id] = wish
        self.arrived(parent, index, count, key, wish)

    def arrived(self, parent: Node, index: int | None, count: int, key: tuple[int, str], wish: Wish) -> None:
        """Note the elements that were put into an element."""
        now = self.node(parent.id, wish)
        first = now.child_count - count if index is None else index
        for i in range(first, first + count):
            self.touched[now.child(i).id] = wish
            if key[1] != "before":
                self.newest[key] = now.child(i).id

    def move(self, wish: Move) -> None:
        node = self.node(wish.node.id, wish)
        if node.parent is None:
            raise Refused(tr("the root element cannot be moved"), wish)
        parent, index, key = self.place(wish.parent, wish.index, wish)
        try:
            changes = change.move_element(node, parent, index)
        except ValueError as error:
            blocking = [self.touched[each.id] for each in parent.ancestors() if each.id in self.touched]
            moves = [other for other in blocking if isinstance(other, Move)]
            raise Refused(str(error), *moves[:1], wish) from None
        if changes:
            leaving = {node.source.path: {offset: subtree.id for subtree, offset, _ in node.subtree.walk(node.start)}}
            self.apply(changes, _returning(node, parent, index, changes), leaving)
            around = self.node(node.id, wish).parent
            if around is None or around.id != parent.id:
                raise Refused(tr(_BROKEN), wish)
        self.touched[node.id] = wish
        self.touched.setdefault(wish.parent.id, wish)
        if key[1] != "before":
            self.newest[key] = node.id

    # Removals

    def removals(self, wishes: list[Wish]) -> None:
        removed = {wish.node.id: wish for wish in wishes}
        outermost = []
        for identity, wish in tracked(removed.items()):
            node = self.node(identity, wish)
            if any(around.id in removed for around in node.ancestors()):
                continue
            for inner, _, _ in node.subtree.walk(0):
                if inner.id in self.touched:
                    raise Refused(tr("the one undoes the other"), self.touched[inner.id], wish)
            outermost.append((node, wish))
        try:
            together = change.combine(*(change.remove_element(node) for node, _ in outermost))
            for edits in together.values():
                ordered(edits)
            self.apply(together)
        except ValueError:  # they share a line: one after another
            for node, wish in outermost:
                try:
                    self.apply(change.remove_element(self.node(node.id, wish)))
                except ValueError as error:
                    raise Refused(str(error), wish) from None


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
