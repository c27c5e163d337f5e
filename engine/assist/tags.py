"""Start tags and end tags while they are typed: the end tag that is missing, and the two names of a pair.

    missing_end_tag(parsed, offset)   after a ">" was typed: "</body>", or "" where none is missing
    repeated_end_tag(parsed, offset)  after an end tag was typed in front of the same one that was put in: that one
    rest_of_end_tag(parsed, offset)   before a "/" is typed after a "<": "body>", or "" where nothing is open
    is_inside(text, offset)           whether a place is inside a tag, and not in a value
    tag_pair(parsed, offset)          the names in the start tag and the end tag of one element

They look at one text and its tree, so that an editor can ask at every key press.
"""

from __future__ import annotations

import re

from kinetree.engine.document.edit import Edit
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.tree import Node

__all__ = ["LONGEST_TAG", "is_inside", "is_open", "missing_end_tag", "repeated_end_tag", "rest_of_end_tag", "tag_pair"]

LONGEST_NAME = 200
LONGEST_TAG = 20_000
"""Characters of a tag that are searched for its "<"."""

_INSIDE = re.compile(r"""</?[^\s<>/!?"'=]+(?:[^<>"']|"[^"<]*"|'[^'<]*')*\Z""")
_END_TAG = re.compile(r"</[^\s<>/]+>")
_NAME_SO_FAR = re.compile(r"</?[^\s<>/=\"']*")

Stretch = tuple[int, int]


def is_inside(text: str, offset: int) -> bool:
    """Whether a place is inside a tag, behind its name and not in a value."""
    opening = text.rfind("<", max(offset - LONGEST_TAG, 0), offset)
    return opening >= 0 and _INSIDE.match(text[opening:offset]) is not None


def is_open(node: Node) -> bool:
    """Whether the end tag of an element is missing."""
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
    # Where elements of one name are nested, the end tag that is missing may seem to be that of an outer one.
    around = [node, *(each for each in node.ancestors() if each.tag == node.tag)]
    return f"</{node.tag}>" if any(map(is_open, around)) else ""


def repeated_end_tag(parsed: ParsedSource, offset: int) -> str:
    """The end tag behind an offset that repeats the one in front of it and ends nothing: it was put in when the start
    tag was typed, and then typed too. "" where there is none."""
    text = parsed.source.text
    opening = text.rfind("</", max(offset - LONGEST_NAME, 0), offset)
    tag = text[opening:offset] if opening >= 0 else ""
    if not _END_TAG.fullmatch(tag) or not text.startswith(tag, offset):
        return ""
    # Where elements of one name are nested, the end tag that is one too many may seem to be a later one.
    without = parsed.edited([Edit(offset, offset + len(tag), "")])
    return tag if len(without.diagnostics) < len(parsed.diagnostics) else ""


def rest_of_end_tag(parsed: ParsedSource, offset: int) -> str:
    """What to write after a "/" that is typed at an offset, behind a "<": the rest of the end tag of the innermost
    element that is open there, "" if none is."""
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
    """The names in the start tag and in the end tag of an element, as (start, end), if the offset touches one of
    them: first the one that it touches. None elsewhere, and for an element without an end tag."""
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
