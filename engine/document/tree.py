"""Tree: the elements of a source as nodes that are spans of its text.

A node stores offsets, not copies: where the element, its tags and its attributes stand. Editing goes through
`engine.document.change`, which turns a wish ("set this attribute") into text edits; a tree itself never changes.

`parse` accepts any text. Malformed XML gives diagnostics and the best tree that can be had, so that an editor
keeps its outline while a tag is being typed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import count
from typing import Any

from engine.diagnostics import Diagnostics
from engine.document import scanner
from engine.document.source import Source, Span

MAX_DEPTH = 499
"""Deepest nesting of elements, the root being 1: the reference refuses more."""

MAX_REPORTS = 100
"""Errors, and warnings, that are listed for one file. After that many errors the rest of the text is skipped."""

_REFERENCE = re.compile(r"&(?:(lt|gt|amp|quot|apos)|#([0-9]{1,20})|#x([0-9a-fA-F]{1,20}));|&|\r\n|\n\r|\r")
_IDS = count(1)
_TERMINATORS = {scanner.COMMENT: "-->", scanner.CDATA: "]]>", scanner.DOCTYPE: ">"}
_PREDEFINED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


class Attribute:
    """One attribute: name="value".

    name   as written
    node   the node that it stands in
    value  the value with entities and character references resolved and line breaks as "\\n"
    raw    the characters between the quotes
    typed  what engine.mjcf.values made of a long value, with what it was read as
    """

    __slots__ = ("_places", "name", "node", "typed", "value")

    def __init__(self, node: Node, name: str, value: str, places: tuple[int, int, int] | int) -> None:
        """`places`: starts of name and value, end of the value; or its number among the attributes of a well-formed tag."""
        self.node = node
        self.name = name
        self.value = value
        self.typed: Any = None
        self._places = places

    @property
    def _located(self) -> tuple[int, int, int]:
        """Where the name and the value start, and where the value ends."""
        places = self._places
        if type(places) is int:
            node = self.node
            start = node._tag_start + len(node.tag)
            found = scanner.attributes(node.source.text, start, node._head_end)
            for each in (self, *node.attributes):  # all at once: a tag may have any number of them
                if type(each._places) is int:
                    each._places = found[each._places][1:]
            places = self._places
        return places

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
    id          a number that no other element has; the element keeps it when its text is edited
    """

    __slots__ = (
        "_head_end",
        "_tag_start",
        "_tail_start",
        "_text",
        "attributes",
        "children",
        "end",
        "id",
        "parent",
        "source",
        "start",
        "tag",
    )

    def __init__(
        self,
        tag: str,
        parent: Node | None,
        source: Source,
        start: int,
        tag_start: int,
        head_end: int,
    ) -> None:
        self.tag = tag
        self.parent = parent
        self.source = source
        self.start = start
        self.end = head_end
        self.id = next(_IDS)
        self.attributes: list[Attribute] = []
        self.children: list[Node] = []
        self._tag_start = tag_start
        self._head_end = head_end
        self._tail_start = head_end
        self._text: list[tuple[int, int, bool]] | None = None

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
        """Where the node is, such as "mujoco/worldbody/body[2]/geom[1]"; the number, 1-based, counts the siblings
        of the same name and is left out where there is only one."""
        parts = []
        node: Node | None = self
        while node is not None:
            part = node.tag
            if node.parent is not None:
                same = [child for child in node.parent.children if child.tag == node.tag]
                if len(same) > 1:
                    part += f"[{next(i for i, child in enumerate(same, 1) if child is node)}]"
            parts.append(part)
            node = node.parent
        return "/".join(reversed(parts))

    def at(self, offset: int) -> Node | None:
        """The innermost element whose text holds `offset`; None outside this one. Not for merged trees, whose
        nodes stand in several sources."""
        if not self.start <= offset < self.end:
            return None
        node = self
        while node.children:
            index = bisect_right(node.children, offset, key=_start) - 1
            if index < 0 or offset >= node.children[index].end:
                break
            node = node.children[index]
        return node

    @property
    def text(self) -> str:
        """The character data directly in this element, references resolved, CDATA included."""
        whole = self.source.text
        parts = []
        for start, end, literal in self._text or ():
            parts.append(whole[start:end] if literal else resolve(whole[start:end]))
        return "".join(parts)

    # Places

    @property
    def span(self) -> Span:
        """The whole element."""
        return Span(self.source, self.start, self.end)

    @property
    def tag_span(self) -> Span:
        """The name in the start tag."""
        return Span(self.source, self._tag_start, self._tag_start + len(self.tag))

    @property
    def head_span(self) -> Span:
        """The start tag, from "<" to past ">"."""
        return Span(self.source, self.start, self._head_end)

    @property
    def content_span(self) -> Span:
        """What stands between start tag and end tag; empty for <tag/>."""
        return Span(self.source, self._head_end, self._tail_start)

    @property
    def tail_span(self) -> Span:
        """The end tag; empty for <tag/> and for an element that is not closed."""
        return Span(self.source, self._tail_start, self.end)

    @property
    def self_closing(self) -> bool:
        """Whether the element is written <tag/>."""
        return self._head_end == self.end and self.source.text.startswith("/>", self.end - 2)

    @property
    def text_spans(self) -> list[Span]:
        """The pieces of character data directly in this element that are not only white space (for CDATA, what is
        between its brackets)."""
        return [Span(self.source, start, end) for start, end, _ in self._text or ()]

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
        return Span(self.source, self.start, self._tag_start + len(self.tag))

    def copy(self, parent: Node | None) -> Node:
        """A node at the same place of the same text, with copies of the attributes and without children."""
        node = Node(self.tag, parent, self.source, self.start, self._tag_start, self._head_end)
        node.end = self.end
        node.id = self.id
        node._tail_start = self._tail_start
        node._text = self._text
        node.attributes = [Attribute(node, a.name, a.value, a._places) for a in self.attributes]
        return node

    def __repr__(self) -> str:
        return f"Node(<{self.tag}> {self.source.path}:{self.line}:{self.column})"


def _start(node: Node) -> int:
    return node.start


def resolve(raw: str) -> str:
    """Character data or a value with references resolved and line breaks as "\\n". What is not a reference to one
    of XML's five entities or to a character stays as it is."""
    if "&" not in raw and "\r" not in raw:
        return raw
    return _REFERENCE.sub(_resolved, raw)


def _resolved(match: re.Match[str]) -> str:
    whole = match[0]
    if whole[0] != "&":
        return "\n"
    if match[1] is not None:
        return _PREDEFINED[match[1]]
    code = -1
    if match[2] is not None:
        code = int(match[2])
    elif match[3] is not None:
        code = int(match[3], 16)
    if 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF:
        return chr(code)
    return whole


def parse(source: Source, diagnostics: Diagnostics) -> Node:
    """The root element of a source. Never fails: what is malformed is listed in `diagnostics`, and the tree holds
    what could be made of the rest. A text without any element gives a node with an empty tag."""
    return _Parser(source, diagnostics).parse()


class _Enough(Exception):
    """There are MAX_REPORTS errors."""


class _Parser:
    __slots__ = ("diagnostics", "errors", "source", "warnings")

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.errors = 0
        self.warnings = 0

    def report(self, is_error: bool, start: int, end: int, code: str, message: str) -> None:
        if is_error:
            self.errors += 1
            self.diagnostics.error(Span(self.source, start, end), code, message)
            if self.errors >= MAX_REPORTS:
                raise _Enough
        elif self.warnings < MAX_REPORTS:
            self.warnings += 1
            self.diagnostics.warning(Span(self.source, start, end), code, message)

    def parse(self) -> Node:
        source = self.source
        text = source.text
        nul = text.find("\0")
        builder = _Builder(self, text if nul < 0 else text[:nul])
        try:
            builder.build()
            if nul >= 0:
                self.nul(nul, builder)
            else:
                builder.finish()
        except _Enough:
            self.diagnostics.info(
                source,
                "xml-too-many-errors",
                f"there are {MAX_REPORTS} errors: the rest of the file was not looked at",
            )
        builder.close_all()
        return builder.roots[0] if builder.roots else Node("", None, source, 0, 0, 0)

    def nul(self, position: int, builder: _Builder) -> None:
        # The reference's text ends at a NUL: harmless after the root element, an error within it.
        complete = bool(builder.roots) and not builder.stack
        self.report(
            not complete,
            position,
            position + 1,
            "xml-nul-character",
            "a NUL character ends the text here, what follows is not read: remove it",
        )


class _Builder:
    """Tokens to nodes, with a stack of the elements that are open."""

    __slots__ = ("leading", "parser", "roots", "source", "stack", "stray", "text", "truncated", "unclosed")

    def __init__(self, parser: _Parser, text: str) -> None:
        self.parser = parser
        self.source = parser.source
        self.text = text
        self.roots: list[Node] = []
        self.stack: list[Node] = []
        # Elements for which something was reported already, so that their end is not reported again.
        self.unclosed: set[Node] = set()
        self.stray: set[Node] = set()
        self.leading: tuple[int, int] | None = None
        """Text before the root element."""
        self.truncated = False
        """Whether the text ends within a comment or the like."""

    def build(self) -> None:
        source, text, stack = self.source, self.text, self.stack
        report, names_and_values = self.parser.report, scanner.names_and_values
        resolving = "&" in text or "\r" in text
        ampersand = "&" in text
        # The reference allows "<?...?>" only before everything else, comments included.
        prolog = True
        too_deep = False
        parent: Node | None = None
        for kind, start, end, name, name_start, found in scanner.scan(text, report):
            if kind <= scanner.END:
                prolog = False
                if kind == scanner.END:
                    if stack and name == stack[-1].tag:
                        node = stack.pop()
                        node._tail_start = start
                        node.end = end
                    elif not self.end_tag(name, start, end):
                        return
                    parent = stack[-1] if stack else None
                    continue
            elif kind != scanner.UNCLOSED:
                if kind != scanner.INSTRUCTION:
                    prolog = False
                self.other(kind, start, end, prolog)
                continue
            node = Node(name, parent, source, start, name_start, end)
            if type(found) is tuple and not resolving:
                if found[0] != found[1]:
                    node.attributes = [
                        Attribute(node, name, first or second, number)
                        for number, (name, first, second) in enumerate(names_and_values(text, *found))
                    ]
            else:
                if type(found) is tuple:
                    found = scanner.attributes(text, *found)
                if ampersand:
                    for attribute in found:
                        if text.find("&", attribute[2], attribute[3]) >= 0:
                            self.ampersands(attribute[2], attribute[3])
                node.attributes = [
                    Attribute(node, name, resolve(text[start:end]), (name_start, start, end))
                    for name, name_start, start, end in found
                ]
            attributes = node.attributes
            if len(attributes) > 1 and len({a.name for a in attributes}) != len(attributes):
                self.duplicates(node)
            if parent is not None:
                parent.children.append(node)
            else:
                if self.roots:
                    self.another_root(node)
                elif self.leading is not None:
                    self.outside(False, *self.leading)
                self.roots.append(node)
            if kind != scanner.EMPTY:
                stack.append(node)
                parent = node
                if kind == scanner.UNCLOSED:
                    self.unclosed.add(node)
                    self.truncated = not text[end:].strip() if len(text) - end < 1000 else False
                if len(stack) > MAX_DEPTH and not too_deep:
                    too_deep = True
                    self.too_deep(node)
            elif len(stack) >= MAX_DEPTH and not too_deep:
                too_deep = True
                self.too_deep(node)

    def other(self, kind: int, start: int, end: int, prolog: bool) -> None:
        """Everything that is not a tag."""
        text = self.text
        if kind == scanner.TEXT:
            self.ampersands(start, end)
            whole = text[start:end]
            start, end = start + len(whole) - len(whole.lstrip()), start + len(whole.rstrip())
            if self.stack:
                self.character_data(start, end, False)
            elif not self.roots:
                self.leading = self.leading or (start, end)
            elif whole != "<":
                self.outside(True, start, end)
        elif kind == scanner.INSTRUCTION:
            if not prolog:
                self.parser.report(
                    True,
                    start,
                    end,
                    "xml-misplaced-declaration",
                    'a "<?...?>" declaration may only stand at the start of the file: move or remove it',
                )
        else:
            terminator = _TERMINATORS[kind]
            self.truncated = end == len(text) and not text.endswith(terminator)
            if kind == scanner.CDATA and self.stack:
                self.character_data(start + 9, end if self.truncated else end - 3, True)

    def character_data(self, start: int, end: int, literal: bool) -> None:
        node = self.stack[-1]
        if node._text is None:
            node._text = []
        node._text.append((start, end, literal))

    def outside(self, after: bool, start: int, end: int) -> None:
        # The reference reads a file with text before its root element, and refuses one with text after it.
        self.parser.report(
            after,
            start,
            end,
            "xml-text-outside-root",
            f"text {'after' if after else 'before'} the root element: remove it or make it a comment",
        )

    def ampersands(self, start: int, end: int) -> None:
        text = self.text
        if text.find("&", start, end) < 0:
            return
        for match in _REFERENCE.finditer(text, start, end):
            if match[0][0] == "&" and _resolved(match) == match[0]:
                self.parser.report(
                    False,
                    match.start(),
                    match.end(),
                    "xml-stray-ampersand",
                    'this "&" does not start a known entity and is read as it is: write &amp; for the character',
                )

    def duplicates(self, node: Node) -> None:
        seen: dict[str, Attribute] = {}
        for attribute in node.attributes:
            if attribute.name not in seen:
                seen[attribute.name] = attribute
                continue
            span = attribute.name_span
            self.parser.report(
                True,
                span.start,
                span.end,
                "xml-duplicate-attribute",
                f'the attribute "{attribute.name}" is there twice in <{node.tag}>: remove one of them',
            )
        node.attributes = list(seen.values())

    def another_root(self, node: Node) -> None:
        self.parser.report(
            False,
            node.start,
            node._head_end,
            "xml-second-root",
            f"a second root element, <{node.tag}>, which is not read: a file holds one root element, remove it",
        )

    def too_deep(self, node: Node) -> None:
        self.parser.report(
            True,
            node.start,
            node._head_end,
            "xml-too-deep",
            f"elements are nested more than {MAX_DEPTH} deep here: make the model flatter",
        )

    def end_tag(self, name: str, start: int, end: int) -> bool:
        """An end tag that does not match the innermost open element. False: the reading ends here."""
        stack, unclosed = self.stack, self.unclosed
        if not name:
            # A nameless end tag was reported by the scanner; it is taken for the one that is due.
            if stack:
                self.pop(start, end)
            return True
        # A start tag without ">" may have been meant as <tag/>: where it has no end tag, its children move up.
        while stack and stack[-1] in unclosed and stack[-1].tag != name:
            self.dissolve()
        if not stack:
            if self.roots:
                self.parser.report(
                    False,
                    start,
                    end,
                    "xml-stray-end-tag",
                    f"the end tag </{name}> has no start tag, and nothing after it is read: remove it",
                )
                return False
            self.parser.report(
                True,
                start,
                end,
                "xml-stray-end-tag",
                f"the end tag </{name}> has no start tag: remove it",
            )
            return True
        if stack[-1].tag == name:
            self.pop(start, end)
            return True
        if any(node.tag == name for node in stack):
            self.close_to(name, name, start, end)
            return True
        # A slip in the name of the end tag: it closes the nearest element of about that name.
        meant = next((node for node in reversed(stack[-20:]) if _similar(name, node.tag)), None)
        if meant is not None:
            line = self.source.line_column(meant.start)[0]
            self.parser.report(
                True,
                start,
                end,
                "xml-mismatched-tag",
                f"the end tag </{name}> does not match <{meant.tag}> in line {line}: write </{meant.tag}>",
            )
            self.close_to(meant.tag, name, start, end)
            return True
        top = stack[-1]
        opened = self.source.line_column(top.start)[0]
        self.stray.add(top)
        self.parser.report(
            True,
            start,
            end,
            "xml-mismatched-tag",
            f"the end tag </{name}> does not match <{top.tag}>, which was opened in line {opened}: write "
            f"</{top.tag}>, or remove it if it is one too many",
        )
        return True

    def close_to(self, tag: str, written: str, start: int, end: int) -> None:
        """Close the innermost open element of that tag with an end tag, and those inside it without one."""
        while self.stack[-1].tag != tag:
            node = self.stack[-1]
            if node not in self.unclosed and node not in self.stray:
                line = self.source.line_column(start)[0]
                self.parser.report(
                    True,
                    node.start,
                    node._head_end,
                    "xml-unclosed-element",
                    f"the element <{node.tag}> is not closed: write </{node.tag}> before </{written}> in line "
                    f'{line}, or end its tag with "/>"',
                )
            self.pop(start, start)
        self.pop(start, end)

    def pop(self, tail_start: int, end: int) -> None:
        node = self.stack.pop()
        node._tail_start = tail_start
        node.end = end

    def dissolve(self) -> None:
        """Close the innermost element as if it were written <tag/>; its children become its siblings."""
        node = self.stack.pop()
        parent = node.parent
        if parent is None:
            node._tail_start = node.end = max([node._head_end, *(child.end for child in node.children[-1:])])
            return
        for child in node.children:
            child.parent = parent
        parent.children.extend(node.children)
        if node._text:
            parent._text = [*(parent._text or ()), *node._text]
            node._text = None
        node.children = []

    def finish(self) -> None:
        """What is wrong at the end of the text."""
        report, text = self.parser.report, self.text
        if not self.roots:
            if not text or text.isspace():
                report(
                    True, 0, 0, "xml-empty-file", "the file is empty: a model needs a root element, <mujoco>"
                )
            elif not self.parser.errors:
                found = "no element" if self.leading is None else "no XML"
                report(
                    True,
                    0,
                    0,
                    "xml-no-root",
                    f"there is {found} in this file: a model needs a root element, <mujoco>, <robot> or <x_xy>",
                )
            return
        pending = [node for node in self.stack if node not in self.unclosed and node not in self.stray]
        if not pending or self.truncated:
            return
        node = pending[-1]
        tags = "".join(f"</{item.tag}>" for item in reversed(pending[-8:]))
        report(
            True,
            node.start,
            node._head_end,
            "xml-unclosed-element",
            f"the text ends inside the element <{node.tag}>: write {tags} where it should end",
        )

    def close_all(self) -> None:
        """Close what is still open at the end of the text."""
        length = len(self.text)
        while self.stack:
            if self.stack[-1] in self.unclosed and len(self.stack) > 1:
                self.dissolve()
            else:
                self.pop(length, length)


def _similar(one: str, other: str) -> bool:
    """Whether two names differ by a slip of the finger: case, order, or one or two characters."""
    if sorted(one.lower()) == sorted(other.lower()):
        return True
    longest = max(len(one), len(other))
    if longest > 40 or min(len(one), len(other)) < 3:
        return False
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1] <= (2 if longest > 5 else 1)
