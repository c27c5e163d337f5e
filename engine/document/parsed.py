"""ParsedSource: one text with its tree and the diagnostics of its XML; fixed, and shared between
documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from operator import attrgetter

from kinetree.engine.diagnostics import Diagnostic, Diagnostics
from kinetree.engine.document.edit import Edit, apply, carried, compose, inverse, ordered
from kinetree.engine.document.identity import identify
from kinetree.engine.document.parser import parse_text
from kinetree.engine.document.reparse import Placed, Reparsed, Shift, reparse
from kinetree.engine.document.source import Source
from kinetree.engine.document.subtree import Subtree, Syntax
from kinetree.engine.document.tree import Node, diagnose, let_go, root_node

MAX_CHANGES = 2000
"""After this many changed elements the table of parents is rebuilt."""

_ID = attrgetter("id")
MANY = 50
"""Children of one element from which on they are looked up by a table."""
_OVERHEAD = 200  # bytes of an edit beside its characters
REMEMBERED = 32
"""Number of edits that a text remembers, so that another process can be sent these instead of the whole text."""
MANY_IDS = 2000
"""After an edit that has more elements read again, the text is rather sent whole."""
_next_number = count(1).__next__


@dataclass(frozen=True, slots=True)
class Ancestry:
    """How a text came from the one before it.

    before  `ParsedSource.number` of that
    edits   from that text to this one
    ids     ids of the elements that were read again, in the order in which `reparse` gives them
    """

    before: int
    edits: tuple[Edit, ...]
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FileChange:
    """Changes to one file by a transaction.

    forward     edits from the text before to the text after
    backward    edits from the text after to the text before
    vanished    identities of elements that the text after lacks or has elsewhere: offset in the text before -> id
    appeared    identities of elements that the text before lacked or had elsewhere: offset in the text after -> id
    """

    forward: tuple[Edit, ...]
    backward: tuple[Edit, ...]
    vanished: Mapping[int, int] = field(default_factory=dict)
    appeared: Mapping[int, int] = field(default_factory=dict)

    def then(self, other: FileChange) -> FileChange:
        """This change followed by another one of the same file, as one change."""
        vanished = dict(self.vanished)
        for offset, identity in other.vanished.items():
            before = carried(offset, self.backward)
            if before is not None:
                vanished[before] = identity
        appeared = dict(other.appeared)
        for offset, identity in self.appeared.items():
            after = carried(offset, other.forward)
            if after is not None:
                appeared.setdefault(after, identity)
        return FileChange(
            tuple(compose(self.forward, other.forward)),
            tuple(compose(other.backward, self.backward)),
            vanished,
            appeared,
        )

    def reversed(self) -> FileChange:
        """The change back."""
        return FileChange(self.backward, self.forward, self.appeared, self.vanished)

    @property
    def bytes(self) -> int:
        """Memory that it takes, about."""
        characters = sum(len(edit.text) + _OVERHEAD for edit in (*self.forward, *self.backward))
        return characters + _OVERHEAD * (len(self.vanished) + len(self.appeared))


class ParsedSource:
    """One text, parsed.

    source       the text
    root         Node: its root element; a node with an empty tag if it has none
    diagnostics  what is wrong with its encoding and its XML, in the order of discovery
    decoding     those about its encoding
    number       a number that no other parse of this process has; copies with another source (`of_source`) share it
    ancestry     the last edits that led to it, the oldest first
    """

    __slots__ = (
        "_diagnostics",
        "_hidden",
        "_numbers",
        "_parents",
        "ancestry",
        "decoding",
        "number",
        "root",
        "source",
        "syntax",
    )

    def __init__(self, source: Source, syntax: Syntax, decoding: Iterable[Diagnostic] = ()) -> None:
        self.source = source
        self.syntax = syntax
        self.root = root_node(syntax.root, source)
        self.decoding = tuple(decoding)
        self.number = _next_number()
        self.ancestry: tuple[Ancestry, ...] = ()
        self._diagnostics: list[Diagnostic] | None = None
        self._parents: _Parents | None = None
        self._numbers: dict[int, dict[int, int]] = {}
        self._hidden: dict[int, int] = {}

    @classmethod
    def parse(cls, source: Source, decoding: Iterable[Diagnostic] = ()) -> ParsedSource:
        """The parse of a text. `decoding`: what was found when its bytes were decoded."""
        return cls(source, parse_text(source.text), decoding)

    def __del__(self) -> None:
        let_go(self.root)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        if self._diagnostics is None:
            found = Diagnostics(self.decoding)
            diagnose(self.syntax.reports, self.source, found)
            self._diagnostics = found.items
        return self._diagnostics

    # Elements

    def node(self, identity: int) -> Node | None:
        """The element of that `id`; None if there is none."""
        if self._parents is None:
            root = self.syntax.root
            items = () if root is None else root.walk(0)
            self._parents = _Parents({subtree.id: parent for subtree, _, parent in items}, {})
        parents = self._parents
        path = [identity]
        while parent := parents.of(path[-1]):
            path.append(parent)
        if parent is None:
            return None
        node = self.root
        for identity in reversed(path[:-1]):
            node = node.child(self._number(node.subtree, identity))
        return node

    def _number(self, parent: Subtree, identity: int) -> int:
        """The number of a child among the children of its parent."""
        children = parent.children
        if len(children) < MANY:
            return list(map(_ID, children)).index(identity)
        numbers = self._numbers.get(parent.id)
        if numbers is None:
            numbers = self._numbers[parent.id] = {child.id: i for i, child in enumerate(children)}
        return numbers[identity]

    def includes(self) -> Iterator[Node]:
        """The <include> elements inside the root element, in the order of the text."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            if node.tag == "include" and node is not self.root:
                yield node
            children = node.subtree.children
            stack += [node.child(i) for i in reversed(range(len(children))) if children[i].includes]

    def edited(self, edits: Iterable[Edit]) -> ParsedSource:
        """The parse of the text after some edits. Raises ValueError (see `edit.ordered`)."""
        return self.changed(edits)[0]

    def changed(
        self, edits: Iterable[Edit], identities: Mapping[int, int] | None = None
    ) -> tuple[ParsedSource, FileChange]:
        """The parse of the text after some edits, and what they did. `identities` are the ids of elements
        that come back, by offset in the new text. Raises ValueError (see `edit.ordered`)."""
        edits = [edit for edit in edits if edit.start != edit.end or edit.text]
        shift = Shift(ordered(edits, len(self.source.text)))
        source = self.source.with_text(apply(self.source.text, shift.edits))
        found = reparse(self.syntax, self.source.text, source.text, shift)
        if found is None:
            syntax = parse_text(source.text)
            found = Reparsed(syntax, _outermost(self.syntax), _outermost(syntax))
        fate = identify(found.removed, found.added, shift, self._hidden, identities or {})
        after = ParsedSource(source, found.syntax)
        after._hidden = fate.hidden
        ids = tuple(_ids(found.added))
        if len(ids) <= MANY_IDS:
            step = Ancestry(self.number, tuple(shift.edits), ids)
            after.ancestry = (*self.ancestry[1 - REMEMBERED :], step)
        if self._parents is not None:
            after._parents = self._parents.after(found)
        back = inverse(self.source.text, shift.edits)
        return after, FileChange(tuple(shift.edits), tuple(back), fate.vanished, fate.appeared)

    def of_source(self, source: Source, decoding: Iterable[Diagnostic] = ()) -> ParsedSource:
        """Copy with another source that has the same text. `decoding`: diagnostics of decoding its bytes."""
        same = ParsedSource(source, self.syntax, decoding)
        same._hidden, same._parents = self._hidden, self._parents
        same.number, same.ancestry = self.number, self.ancestry
        return same

    # Another process

    @property
    def ids(self) -> list[int]:
        """The ids of all elements, in the order of the text."""
        return list(_ids(_outermost(self.syntax)))

    def take_ids(self, ids: Sequence[int]) -> None:
        """Give all elements the ids that they have in another process. Only for a parse that nothing else refers to
        by its ids. Raises ValueError where their number is not the same."""
        _give_ids(_outermost(self.syntax), ids)
        self._parents, self._numbers = None, {}

    def followed(self, edits: Iterable[Edit], ids: Sequence[int]) -> ParsedSource:
        """The text after edits that another process has made of the same text; `ids` as in Ancestry. Raises
        ValueError where the elements that are read again are others."""
        shift = Shift(ordered(edits, len(self.source.text)))
        source = self.source.with_text(apply(self.source.text, shift.edits))
        found = reparse(self.syntax, self.source.text, source.text, shift)
        if found is None:
            syntax = parse_text(source.text)
            found = Reparsed(syntax, _outermost(self.syntax), _outermost(syntax))
        _give_ids(found.added, ids)
        return ParsedSource(source, found.syntax)


def _ids(outermost: Iterable[Placed]) -> Iterator[int]:
    for placed in outermost:
        for subtree, _, _ in placed[0].walk(*placed[1:]):
            yield subtree.id


def _give_ids(outermost: Iterable[Placed], ids: Sequence[int]) -> None:
    subtrees = [subtree for placed in outermost for subtree, _, _ in placed[0].walk(*placed[1:])]
    for subtree, identity in zip(subtrees, ids, strict=True):
        subtree.id = identity


def _outermost(syntax: Syntax) -> list[Placed]:
    return [] if syntax.root is None else [(syntax.root, syntax.root.gap, 0)]


class _Parents:
    """The id of each element's parent, 0 for the root: what was known of an earlier version, and what
    changed since."""

    __slots__ = ("changes", "known")

    def __init__(self, known: dict[int, int], changes: dict[int, int | None]) -> None:
        self.known = known
        self.changes = changes

    def of(self, identity: int) -> int | None:
        """The parent's id; None for an element that is not there."""
        if identity in self.changes:
            return self.changes[identity]
        return self.known.get(identity)

    def after(self, found: Reparsed) -> _Parents | None:
        """The parents in the next version; None if rebuilding the table is faster."""
        changes = dict(self.changes)
        for subtree, offset, parent in found.removed:
            for inner, _, _ in subtree.walk(offset, parent):
                changes[inner.id] = None
        for subtree, offset, parent in found.added:
            for inner, _, around in subtree.walk(offset, parent):
                changes[inner.id] = around
        return _Parents(self.known, changes) if len(changes) < MAX_CHANGES else None
