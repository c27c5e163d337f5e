"""Tree: the elements of a source as nodes that are spans of its text.

A node stores places, not copies: where the element, its tags and its attributes stand. Editing goes through
`kinetree.engine.document.change`, which turns an element edit ("set this attribute") into text edits; a tree itself
never changes.

A node is a `Subtree`, which may be shared with other versions of the text, at its place in one version. Nodes are made
when they are asked for; several threads may ask.

A node and its children refer to each other, as do a node and its attributes. When the text or document goes that a tree
belongs to, its nodes drop the references to their children (`let_go`), so that unused ones are freed at once. Otherwise
it would stay until Python searches for garbage, 100,000 objects for each version of a text of 1 MB. A node that is held
longer creates its children and attributes again on demand.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Lock
from typing import Any

from kinetree.engine.diagnostics import Diagnostics
from kinetree.engine.document import scanner
from kinetree.engine.document.parser import parse_text
from kinetree.engine.document.source import Source, Span
from kinetree.engine.document.subtree import LINE, Report, Subtree, resolve


class Attribute:
    """One attribute: name="value".

    name   as written
    node   the node that it stands in
    value  the value with entities and character references resolved and line breaks as "\\n"
    raw    the characters between the quotes
    typed  a long value as read by kinetree.engine.mjcf.values, with its type
    """

    __slots__ = ("_places", "name", "node", "typed", "value")

    def __init__(self, node: Node, name: str, value: str, places: tuple[int, int, int] | int) -> None:
        """`places`: starts of name and value and end of the value, counted from the start of the element; or
        its number among the attributes of a well-formed tag."""
        self.node = node
        self.name = name
        self.value = value
        self.typed: Any = None
        self._places = places

    @property
    def _located(self) -> tuple[int, int, int]:
        """Where the name and the value start, and where the value ends."""
        start = self.node.start
        if isinstance(self._places, int):
            node = self.node
            subtree = node.subtree
            after_tag = start + subtree.name_at + len(subtree.tag)
            found = scanner.attributes(node.source.text, after_tag, start + subtree.head)
            for each in (self, *node.attributes):  # all at once: a tag may have any number of them
                if isinstance(each._places, int):
                    each._places = tuple(place - start for place in found[each._places][1:])
        assert not isinstance(self._places, int)
        name, first, last = self._places
        return start + name, start + first, start + last

    @property
    def _name_start(self) -> int:
        return self._located[0]

    @property
    def _start(self) -> int:
        return self._located[1]

    @property
    def _end(self) -> int:
        return self._located[2]

    @property
    def source(self) -> Source:
        """The source of the text."""
        return self.node.source

    @property
    def raw(self) -> str:
        """The characters between the quotes, as written."""
        return self.node.source.text[self._start : self._end]

    @property
    def name_span(self) -> Span:
        """The name."""
        return Span(self.node.source, self._name_start, self._name_start + len(self.name))

    @property
    def value_place(self) -> tuple[int, int]:
        """Where the value starts and ends, without its quotes."""
        return self._located[1:]

    @property
    def value_span(self) -> Span:
        """The value without its quotes."""
        return Span(self.node.source, self._start, self._end)

    @property
    def span(self) -> Span:
        """The whole attribute: name, equals sign, value and quotes."""
        return Span(self.node.source, self._name_start, self._end + (1 if self.quote else 0))

    @property
    def quote(self) -> str:
        """The quote character: " or ', or "" where the text has none (which is an error)."""
        text = self.node.source.text
        character = text[self._start - 1]
        if character not in "\"'" or text[self._end : self._end + 1] != character:
            return ""
        return character

    @property
    def line(self) -> int:
        """Line of the value, 1-based."""
        return self.node.source.line_column(self._start)[0]

    @property
    def column(self) -> int:
        """Column of the value, 1-based."""
        return self.node.source.line_column(self._start)[1]

    @property
    def location(self) -> Span:
        """Where a diagnostic about this attribute points: its value, or its name if the value is empty."""
        return self.value_span if self._end > self._start else self.name_span

    def __repr__(self) -> str:
        return f"Attribute({self.name}={self.value!r})"


class Node:
    """One element.

    tag         its name
    attributes  list of Attribute, in the order of the text
    children    list of Node, in the order of the text
    parent      the node around it, None for the root
    source      the Source that its text stands in
    start, end  offsets of the whole element: from "<" of the start tag to past ">" of the end tag
    id          a number that no other element has; the element keeps it when its text is edited, and has the
                same one in the tree of its file and in merged trees
    """

    __slots__ = ("_made", "_tree", "attributes", "children", "parent", "source", "start", "subtree", "tag")

    def __init__(self, subtree: Subtree, parent: Node | None, source: Source, start: int, tree: Tree) -> None:
        self.subtree = subtree
        self.tag = subtree.tag
        self.parent = parent
        self.source = source
        self.start = start
        self._tree = tree
        # The children that were made one by one; None as soon as `children` has all.
        self._made: dict[int, Node] | None = {}
        if not subtree.children:
            self.children = []
            self._made = None

    def __getattr__(self, name: str) -> Any:
        # Called for attributes and children the first time only: these slots are empty until then.
        if name == "children":
            with self._tree.lock:
                return self._fill_children()
        if name == "attributes":
            with self._tree.lock:
                try:  # another thread may have been faster
                    return object.__getattribute__(self, name)
                except AttributeError:
                    self.attributes = made = self._make_attributes()
                    return made
        raise AttributeError(f"a node has no {name!r}")

    def _make_attributes(self) -> list[Attribute]:
        values = self.subtree.values
        if self.subtree.located:
            return [Attribute(self, name, value, places) for name, value, places in values]
        return [Attribute(self, name, double or single, number) for number, (name, double, single) in enumerate(values)]

    def _fill_children(self) -> list[Node]:
        made = self._made
        if made is None:  # another thread was faster
            return self.children
        tree, children = self._tree, []
        for subtree, source, start in tree.places(self):
            node = Node(subtree, self, source, start, tree)
            node.attributes = node._make_attributes()  # who looks at all children will look at these
            children.append(node)
        for index, child in made.items():
            children[index] = child
        self.children = children
        self._made = None
        return children

    def _forget(self) -> list[Node]:
        """Drop attributes and children, which are created again on demand; returns the existing children."""
        with self._tree.lock:
            with suppress(AttributeError):  # they were never asked for
                del self.attributes
            if not self.subtree.children:
                return []
            if self._made is None:
                children = self.children
                del self.children
            else:
                children = list(self._made.values())
            self._made = {}
            return children

    @property
    def id(self) -> int:
        return self.subtree.id

    @property
    def end(self) -> int:
        return self.start + self.subtree.width

    # Reading

    def attribute(self, name: str) -> Attribute | None:
        """The attribute of that name."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        return None

    def get(self, name: str, default: str | None = None) -> str | None:
        """The value of the attribute of that name."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute.value
        return default

    def find(self, tag: str) -> Node | None:
        """The first child of that name."""
        for child in self.children:
            if child.tag == tag:
                return child
        return None

    def iter(self, tag: str | None = None) -> Iterator[Node]:
        """This node and all below it in the order of the text, or those of one name."""
        stack = [self]
        while stack:
            node = stack.pop()
            if tag is None or node.tag == tag:
                yield node
            stack.extend(reversed(node.children))

    def ancestors(self) -> Iterator[Node]:
        """The parent, its parent, and so on to the root."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def path(self) -> str:
        """Where the node is, such as "mujoco/worldbody/body[2]/geom[1]"; the number, 1-based, counts the
        siblings of the same name and is left out where there is only one."""
        parts = []
        node: Node | None = self
        while node is not None:
            part = node.tag
            if node.parent is not None:
                siblings = node._tree.places(node.parent)
                same = [subtree.id for subtree, _, _ in siblings if subtree.tag == node.tag]
                if len(same) > 1:
                    part += f"[{same.index(node.id) + 1}]"
            parts.append(part)
            node = node.parent
        return "/".join(reversed(parts))

    @property
    def child_count(self) -> int:
        """How many children there are, without making their nodes."""
        if self._made is None or not self._tree.is_plain(self):
            return len(self.children)
        return len(self.subtree.children)

    def child(self, index: int) -> Node:
        """One child, 0 <= index < child_count, without making nodes of its siblings."""
        if self._made is None or not self._tree.is_plain(self):
            return self.children[index]
        with self._tree.lock:
            made = self._made
            if made is None:  # another thread was faster
                return self.children[index]
            if index not in made:
                subtree = self.subtree
                start = self.start + subtree.starts[index]
                made[index] = Node(subtree.children[index], self, self.source, start, self._tree)
            return made[index]

    def at(self, offset: int) -> Node | None:
        """The innermost element whose text holds `offset`; None outside this one. Not for merged trees, whose
        nodes stand in several sources."""
        if not self.start <= offset < self.end:
            return None
        node = self
        while node.subtree.children:
            subtree, place = node.subtree, offset - node.start
            index = bisect_right(subtree.starts, place) - 1
            if index < 0 or place >= subtree.starts[index] + subtree.children[index].width:
                break
            node = node.child(index)
        return node

    @property
    def text(self) -> str:
        """The character data directly in this element, references resolved, CDATA included."""
        whole, place = self.source.text, self.start
        parts = []
        for start, end, literal in self.subtree.text:
            piece = whole[place + start : place + end]
            parts.append(piece if literal else resolve(piece))
        return "".join(parts)

    # Places

    @property
    def span(self) -> Span:
        """The whole element."""
        return Span(self.source, self.start, self.end)

    @property
    def tag_span(self) -> Span:
        """The name in the start tag."""
        start = self.start + self.subtree.name_at
        return Span(self.source, start, start + len(self.tag))

    @property
    def head_span(self) -> Span:
        """The start tag, from "<" to past ">"."""
        return Span(self.source, self.start, self.start + self.subtree.head)

    @property
    def content_span(self) -> Span:
        """The content between start tag and end tag; empty for <tag/>."""
        return Span(self.source, self.start + self.subtree.head, self.start + self.subtree.tail)

    @property
    def tail_span(self) -> Span:
        """The end tag; empty for <tag/> and for an element that is not closed."""
        return Span(self.source, self.start + self.subtree.tail, self.end)

    @property
    def self_closing(self) -> bool:
        """Whether the element is written <tag/>."""
        return self.subtree.head == self.subtree.width and self.source.text.startswith("/>", self.end - 2)

    @property
    def text_spans(self) -> list[Span]:
        """The pieces of character data directly in this element that are not only white space (for CDATA,
        what is between its brackets)."""
        place = self.start
        return [Span(self.source, place + start, place + end) for start, end, _ in self.subtree.text]

    @property
    def line(self) -> int:
        """Line of the "<", 1-based."""
        return self.source.line_column(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the "<", 1-based."""
        return self.source.line_column(self.start)[1]

    @property
    def location(self) -> Span:
        """Where a diagnostic about this element points: "<" and the name."""
        return Span(self.source, self.start, self.start + self.subtree.name_at + len(self.tag))

    def copy(self, parent: Node | None, children: list[Node] | None = None) -> Node:
        """A node at the same place of the same text, with copies of the attributes and with the given
        children."""
        node = Node(self.subtree, parent, self.source, self.start, self._tree)
        node._made = None
        node.children = children or []
        return node

    def __repr__(self) -> str:
        return f"Node(<{self.tag}> {self.source.path}:{self.line}:{self.column})"


class Tree:
    """Shared by the nodes of one tree: the lookup of a node's children, and the lock for creating them."""

    __slots__ = ("lock",)

    def __init__(self) -> None:
        self.lock = Lock()

    def is_plain(self, node: Node) -> bool:
        """Whether the children of a node are those of its subtree."""
        return True

    def places(self, node: Node) -> Iterator[tuple[Subtree, Source, int]]:
        """The children of a node: (subtree, its source, its offset in that)."""
        source, start = node.source, node.start
        for subtree, offset in zip(node.subtree.children, node.subtree.starts):
            yield subtree, source, start + offset


def root_node(root: Subtree | None, source: Source) -> Node:
    """The tree of a source; a node with an empty tag for a text without any element."""
    if root is None:
        return Node(Subtree("", 0, 0, 0, False), None, source, 0, Tree())
    return Node(root, None, source, root.gap, Tree())


_keep: Callable[[Iterator[None]], object] | None = None
AT_ONCE = 100
"""Nodes that forget in one step."""


def let_go_later(keep: Callable[[Iterator[None]], object] | None) -> None:
    """Trees that go are handed to `keep` in place of being let go at once, in the thread that drops them last: to go
    through what it gets, step by step, lets them go. None: at once again."""
    global _keep
    _keep = keep


def let_go(root: Node) -> None:
    """Free the nodes of a tree that belongs to nothing any more."""
    steps = _forgetting(root)
    if _keep is not None:
        _keep(steps)
        return
    for _ in steps:
        pass


def _forgetting(root: Node) -> Iterator[None]:
    """Let all nodes of a tree forget what is below them, a hundred in each step."""
    stack, count = [root], 0
    while stack:
        stack += stack.pop()._forget()
        count += 1
        if count % AT_ONCE == 0:
            yield


def diagnose(reports: list[Report], source: Source, diagnostics: Diagnostics) -> None:
    """Add what the parser reported about a source."""
    for report in reports:
        message = report.message
        if LINE in message:
            message = message.replace(LINE, str(source.line_column(report.line_of)[0]))
        diagnostics.add(report.severity, Span(source, report.start, report.end), report.code, message)


def parse(source: Source, diagnostics: Diagnostics) -> Node:
    """The root element of a source. Never fails: what is malformed is listed in `diagnostics`, and the tree
    holds what could be made of the rest. A text without any element gives a node with an empty tag."""
    syntax = parse_text(source.text)
    diagnose(syntax.reports, source, diagnostics)
    return root_node(syntax.root, source)
