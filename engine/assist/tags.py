"""Start and end tags while they are typed: missing and repeated end tags, and the two names of a pair.

    missing_end_tag(parsed, offset)   after typing ">": "</body>", or "" where none is missing
    repeated_end_tag(parsed, offset)  after typing an end tag that was inserted already: the second one
    rest_of_end_tag(parsed, offset)   before typing "/" after "<": "body>", or "" where nothing is open
    is_inside(text, offset)           whether an offset is inside a tag, and not in a value
    tag_pair(parsed, offset)          the names in the start and end tags of one element

They read one text and its tree only, so that an editor can call them at every keystroke.
"""

from __future__ import annotations

import re

from kinetree.engine.document.edit import Edit
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.tree import Node

__all__ = ["LONGEST_TAG", "is_inside", "is_open", "missing_end_tag", "repeated_end_tag", "rest_of_end_tag", "tag_pair"]

LONGEST_NAME = 200
LONGEST_TAG = 20_000
"""Most characters searched backwards for the "<" of a tag."""

_INSIDE = re.compile(r"""</?[^\s<>/!?"'=]+(?:[^<>"']|"[^"<]*"|'[^'<]*')*\Z""")
_END_TAG = re.compile(r"</[^\s<>/]+>")
_NAME_SO_FAR = re.compile(r"</?[^\s<>/=\"']*")

Stretch = tuple[int, int]


def is_inside(text: str, offset: int) -> bool:
    """Whether an offset is inside a tag, behind its name and not in a value."""
    opening = text.rfind("<", max(offset - LONGEST_TAG, 0), offset)
    return opening >= 0 and _INSIDE.match(text[opening:offset]) is not None


def is_open(node: Node) -> bool:
    """Whether an element lacks its end tag."""
    return node.subtree.tail == node.subtree.width and not node.self_closing


def missing_end_tag(parsed: ParsedSource, offset: int) -> str:
    """The end tag to write after the ">" in front of an offset: "" unless this ">" ends the start tag of an element
    without an end tag."""
    text = parsed.source.text
    opening = text.rfind("<", max(offset - LONGEST_TAG, 0), offset)
    if opening < 0 or text[offset - 1 : offset] != ">" or text[offset - 2 : offset - 1] in ("/", "-", "?"):
        return ""
    node = parsed.root.at(opening) if is_inside(text, offset - 1) else None
    if node is None or not node.tag or node.start != opening or node.start + node.subtree.head != offset:
        return ""
    # With nested elements of one name, the outer one may seem to lack the end tag.
    around = [node, *(each for each in node.ancestors() if each.tag == node.tag)]
    return f"</{node.tag}>" if any(map(is_open, around)) else ""


def repeated_end_tag(parsed: ParsedSource, offset: int) -> str:
    """The end tag behind an offset that repeats the one in front of it: it was inserted with the start tag, and then
    typed too. "" if there is none.
    """
    text = parsed.source.text
    opening = text.rfind("</", max(offset - LONGEST_NAME, 0), offset)
    tag = text[opening:offset] if opening >= 0 else ""
    if not _END_TAG.fullmatch(tag) or not text.startswith(tag, offset):
        return ""
    # With nested elements of one name, a later end tag may seem to be the surplus one.
    without = parsed.edited([Edit(offset, offset + len(tag), "")])
    return tag if len(without.diagnostics) < len(parsed.diagnostics) else ""


def rest_of_end_tag(parsed: ParsedSource, offset: int) -> str:
    """The text to insert after a "/" typed behind a "<": the rest of the end tag of the innermost open element, "" if
    none is open.
    """
    text = parsed.source.text
    if text[offset - 1 : offset] != "<":
        return ""
    node = parsed.edited([Edit(offset - 1, offset, "")]).root.at(offset - 2)
    while node is not None and (node.head_span.end > offset - 1 or not is_open(node)):
        node = node.parent
    if node is None:
        return ""
    return node.tag if text[offset : offset + 1] == ">" else f"{node.tag}>"


def tag_pair(parsed: ParsedSource, offset: int) -> tuple[Stretch, Stretch] | None:
    """The names in the start and end tags of an element, as (start, end), if the offset touches one of them: that one
    first. None elsewhere, and for an element without an end tag.
    """
    text = parsed.source.text
    opening = text.rfind("<", max(offset - LONGEST_NAME, 0), offset)
    if opening < 0 or not _NAME_SO_FAR.fullmatch(text, opening, offset):
        return None
    node = parsed.root.at(opening)
    if node is None or not node.subtree.matched:
        return None
    tail = node.tail_span.start + 2
    if not text.startswith(node.tag, tail):
        return None
    first, last = (node.tag_span.start, node.tag_span.end), (tail, tail + len(node.tag))
    if first[0] <= offset <= first[1]:
        return first, last
    return (last, first) if last[0] <= offset <= last[1] else None
