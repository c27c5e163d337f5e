"""Syntax at an offset of a text, which may be broken while it is being typed.

    cursor = cursor_at(document, path, offset)
    cursor.where      Where.CONTENT between tags, TAG, CLOSING, ATTRIBUTE, VALUE, or NOTHING (comments and the like)
    cursor.start, cursor.end   the word at the offset, which a completion replaces
    cursor.node       the element whose start tag it is in; for CONTENT and CLOSING the enclosing element

The start tag is read by the document's own scanner, so that an unfinished tag, an unclosed value and a lone "<" are
read as the tree reads them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from enum import Enum

from kinetree.engine.document import scanner
from kinetree.engine.document.document import Document
from kinetree.engine.document.source import Source
from kinetree.engine.document.tree import Node

__all__ = ["Cursor", "Where", "attributes_at", "cursor_at", "element_around"]

_OPAQUE = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"))
_NAME_CHARACTER = r"[^\x00-,/;-@\[-^`{-\x7f]"
_NAME_BEFORE = re.compile(rf"{_NAME_CHARACTER}*\Z")
_NAME_AFTER = re.compile(rf"{_NAME_CHARACTER}*")
_WORD_AFTER = re.compile(r"""[^\s<>"']*""")


class Where(Enum):
    """The kind of place."""

    CONTENT = "content"
    TAG = "tag"
    CLOSING = "closing"
    ATTRIBUTE = "attribute"
    VALUE = "value"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place of a text.

    where       the kind of place
    source      the file
    offset      the place
    start, end  the word there: the name of a tag or attribute, or one word of a value; empty where none was begun
    node        TAG, ATTRIBUTE, VALUE: the element of the start tag, None where the tree has none (a lone "<");
                CONTENT, CLOSING: the enclosing element, None outside the root
    tag_start   TAG, CLOSING, ATTRIBUTE, VALUE: the "<"
    attribute   ATTRIBUTE, VALUE: the name of the attribute, "" where none was begun
    value       VALUE: start and end of the value, without its quotes
    quote       VALUE: the quote that opens the value, "" if there is none
    """

    where: Where
    source: Source
    offset: int
    start: int
    end: int
    node: Node | None = None
    tag_start: int = 0
    attribute: str = ""
    value: tuple[int, int] = (0, 0)
    quote: str = ""

    @property
    def typed(self) -> str:
        """The part of the word before the offset."""
        return self.source.text[self.start : self.offset]


def cursor_at(document: Document, path: str, offset: int) -> Cursor:
    """The syntax at an offset of a file of the document. Raises KeyError for a file that is not part of the
    document.
    """
    source = document.source_of(path)
    text = source.text
    offset = max(0, min(offset, len(text)))
    root = document.trees[source.path]
    nothing = Cursor(Where.NOTHING, source, offset, offset, offset)
    for opening, closing in _OPAQUE:
        start = text.rfind(opening, 0, offset)
        if start >= 0 and text.find(closing, start + len(opening), offset) < 0:
            return nothing
    start = text.rfind("<", 0, offset)
    if start < 0:
        return _content(root, source, offset)
    if text.startswith("!", start + 1) and text.find(">", start, offset) < 0:
        return nothing
    if text.startswith("/", start + 1):
        if text.find(">", start, offset) >= 0:
            return _content(root, source, offset)
        first, last = _name(text, offset, start + 2)
        return Cursor(Where.CLOSING, source, offset, first, last, element_around(root, start), start)
    if text.startswith(("!", "?"), start + 1):
        return _content(root, source, offset)
    return _in_tag(root, source, start, offset)


def element_around(root: Node, offset: int) -> Node | None:
    """The innermost element of a file whose content contains the offset; None outside the root."""
    node = root
    if not root.tag or not _holds(node, 0, node.subtree, node.start, offset):
        return None
    while node.subtree.children:
        subtree = node.subtree
        index = bisect_left(subtree.starts, offset - node.start) - 1
        if index < 0 or not _holds(node, index, subtree.children[index], node.start + subtree.starts[index], offset):
            break
        node = node.child(index)
    return node


def _holds(node: Node, index: int, subtree, start: int, offset: int) -> bool:
    """Whether the content of a subtree at `start` contains the offset."""
    if not start + subtree.head <= offset <= start + subtree.tail:
        return False
    # neither <tag/> nor a tag without its closing ">" has content
    return subtree.tail > subtree.head or subtree.width > subtree.head or _opened(node.source.text, start, subtree.head)


def _opened(text: str, start: int, head: int) -> bool:
    end = start + head
    return text[end - 1 : end] == ">" and text[end - 2 : end - 1] != "/"


def _content(root: Node, source: Source, offset: int) -> Cursor:
    start, _ = _name(source.text, offset, 0)
    return Cursor(Where.CONTENT, source, offset, start, offset, element_around(root, offset))


def _name(text: str, offset: int, lowest: int) -> tuple[int, int]:
    """Start and end of the name at an offset."""
    before = _NAME_BEFORE.search(text, max(lowest, offset - 200), offset)
    after = _NAME_AFTER.match(text, offset)
    return (
        max(lowest, before.start()) if before is not None else offset,
        after.end() if after is not None else offset,
    )


def _in_tag(root: Node, source: Source, start: int, offset: int) -> Cursor:
    """The cursor in, or right behind, the start tag that begins at `start`."""
    text = source.text
    kind, _, end, name, name_start, found = next(scanner.scan(text, _ignored, start, True))
    if kind == scanner.TEXT:  # a lone "<"
        if offset > start + 1 and not text[start + 1 : offset].isspace():
            return _content(root, source, offset)
        return Cursor(Where.TAG, source, offset, offset, offset, None, start)
    closed = text[end - 1 : end] == ">" and kind != scanner.UNCLOSED
    if closed and offset >= end:
        return _content(root, source, offset)
    if closed and kind == scanner.EMPTY and offset == end - 1:  # between "/" and ">"
        return Cursor(Where.NOTHING, source, offset, offset, offset)
    node = root.at(start)
    if node is not None and node.start != start:
        node = None
    if offset <= name_start + len(name):
        if offset < name_start:
            name_start = offset
        return Cursor(Where.TAG, source, offset, name_start, name_start + len(name), node, start)
    for each, first, value_start, value_end in _attributes(text, found):
        quote = text[value_start - 1] if text[value_start - 1] in "\"'" else ""
        if first <= offset <= first + len(each):
            return Cursor(Where.ATTRIBUTE, source, offset, first, first + len(each), node, start, each)
        if value_start <= offset <= value_end:
            word_start = _word_start(text, value_start, offset)
            after = _WORD_AFTER.match(text, offset, value_end)
            word_end = after.end() if after is not None else offset
            value = (value_start, value_end)
            return Cursor(Where.VALUE, source, offset, word_start, word_end, node, start, each, value, quote)
        if first < offset < value_start:  # around the equals sign
            return Cursor(Where.NOTHING, source, offset, offset, offset, node, start, each)
    return _between(source, node, start, offset, end if closed else len(text))


def attributes_at(source: Source, start: int) -> list[scanner.AttributeToken]:
    """The attributes of the start tag that begins at an offset: (name, start of the name, start and end of the value
    without its quotes)."""
    _, _, _, _, _, found = next(scanner.scan(source.text, _ignored, start, True))
    return _attributes(source.text, found)


def _attributes(text: str, found: list[scanner.AttributeToken] | tuple[int, int]) -> list[scanner.AttributeToken]:
    return found if isinstance(found, list) else scanner.attributes(text, *found)


def _between(source: Source, node: Node | None, start: int, offset: int, end: int) -> Cursor:
    """The cursor in a tag outside of its attributes: perhaps a name is being typed."""
    text = source.text
    equals = re.compile(rf"({_NAME_CHARACTER}+)\s*=\s*\Z").search(text, max(start, offset - 200), offset)
    if equals is not None:  # name=| without quotes
        value = (offset, offset)
        return Cursor(Where.VALUE, source, offset, offset, offset, node, start, equals[1], value)
    first, last = _name(text, offset, start + 1)
    if first == last == offset and text[offset - 1 : offset] in ("=", "/"):
        return Cursor(Where.NOTHING, source, offset, offset, offset, node, start)
    return Cursor(Where.ATTRIBUTE, source, offset, first, min(last, end), node, start, text[first:last])


def _word_start(text: str, start: int, offset: int) -> int:
    """The start of the word of a value that ends at the offset."""
    value = text[start:offset]
    return start + max((value.rfind(space) + 1 for space in " \t\r\n"), default=0)


def _ignored(is_error: bool, start: int, end: int, code: str, message: str) -> None:
    """Ignores the scanner's reports: the document has them already."""
