"""Automatic edits of typed markup: quotes, indentation, comments, folds. End tags are in `engine/assist/tags.py`.

Functions of the text and its tree (`kinetree.engine.document`), without a window.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kinetree.app.panels.writing.source.carets import (
    LINE_BREAK,
    Caret,
    Piece,
    Stroke,
    indent_of,
    indent_unit,
    line_break,
    line_end,
    line_start,
    stroke,
)
from kinetree.engine.assist.tags import LONGEST_TAG, is_inside, tag_pair
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.translation import tr

COMMENT, COMMENT_END = "<!--", "-->"
_START_TAG = re.compile(r"""<([^\s<>/!?"'=]+)(?:[^<>"']|"[^"<]*"|'[^'<]*')*\Z""")
_OPEN_VALUE = re.compile(r"""<[^\s<>/!?"'=]+(?:[^<>"']|"[^"<]*"|'[^'<]*')*=[ \t]*\Z""")


def _tag_before(text: str, offset: int) -> int:
    """Where the "<" before a place is, -1 if there is none near."""
    return text.rfind("<", max(offset - LONGEST_TAG, 0), offset)


def opens_value(text: str, offset: int) -> bool:
    """Whether a quote typed here begins the value of an attribute."""
    opening = _tag_before(text, offset)
    if opening < 0 or text[offset : offset + 1].isalnum():
        return False
    return _OPEN_VALUE.match(text[opening:offset]) is not None


def closes_value(text: str, offset: int, quote: str) -> bool:
    """Whether the quote after the caret is the one that was typed: the caret steps over it."""
    if text[offset : offset + 1] != quote:
        return False
    opening = _tag_before(text, offset)
    return opening >= 0 and text.count(quote, opening, offset) % 2 == 1


def closes_tag(text: str, offset: int, typed: str) -> bool:
    """Whether the "/>" or ">" after the caret, whose first character was typed, ends a tag: the caret steps over it."""
    return text.startswith("/>" if typed == "/" else ">", offset) and is_inside(text, offset)


def new_line(text: str, carets: Sequence[Caret]) -> Stroke:
    """Enter: a line break and the indentation that belongs to the new line. Between a start tag and its end tag the
    end tag goes to a line of its own."""
    pieces = []
    ending, unit = line_break(text), indent_unit(text)
    for caret in carets:
        start, end = caret.start, caret.end
        lead = indent_of(text, start)[: start - line_start(text, start)]
        before = text[line_start(text, start) : start].rstrip(" \t")
        new, after = ending + lead, ""
        opening = _tag_before(text, start)
        tag = text[opening:start] if opening >= 0 else ""
        if before.endswith(">") and _opens(tag):
            new += unit
            if text.startswith("</", end):
                after = ending + lead
        elif tag and _START_TAG.match(tag) and ">" not in tag and line_start(text, start) <= opening:
            first = re.match(r"<\S+[ \t]+", tag)
            if first is not None:  # under the first attribute
                new = ending + lead + " " * (opening - line_start(text, opening) - len(lead) + first.end())
        pieces.append(Piece(start, end, new + after, len(new), len(new)))
    return stroke(pieces)


def _opens(tag: str) -> bool:
    """Whether a tag, from "<" on, is a start tag with content to come."""
    return tag[1:2] not in ("/", "!", "?", "") and not tag.rstrip().endswith("/>")


# ---- pairs --------------------------------------------------------------------------------------------------------


def matching(parsed: ParsedSource, offset: int) -> list[tuple[int, int]]:
    """The counterpart of the caret's place: both names of a pair of tags, or both quotes of a value."""
    names = tag_pair(parsed, offset)
    if names is not None:
        return list(names)
    node = parsed.root.at(offset) or parsed.root.at(offset - 1)
    if node is None or offset > node.head_span.end:
        return []
    for attribute in node.attributes:
        span = attribute.value_span
        if attribute.quote and offset in (span.start - 1, span.start, span.end, span.end + 1):
            return [(span.start - 1, span.start), (span.end, span.end + 1)]
    return []


# ---- comments -----------------------------------------------------------------------------------------------------


def toggle_comment(parsed: ParsedSource, carets: Sequence[Caret]) -> Stroke | str:
    """Make a comment of the selections, or of the lines of the carets, or end comments that they are. A line where an
    element begins that goes on below means that whole element. A message where it cannot be done."""
    text, pieces, end_of_last = parsed.source.text, [], -1
    for caret in carets:
        start, end = caret.start, caret.end
        if start == end:
            start, end = line_start(text, start), line_end(text, end)
        start += len(text[start:end]) - len(text[start:end].lstrip())
        end -= len(text[start:end]) - len(text[start:end].rstrip())
        around = _comment_around(text, start, max(end, start))
        if around is not None:
            start, end = around
            inner = text[start + len(COMMENT) : end - len(COMMENT_END)]
            new = inner[1:-1] if len(inner) > 1 and inner[0] == inner[-1] == " " else inner
        else:
            start, end = _whole_elements(parsed, start, end)
            new = f"{COMMENT} {text[start:end]} {COMMENT_END}"
            if "--" in text[start:end]:
                return tr("A comment cannot hold another comment or two hyphens.")
        if end <= end_of_last or start == end:
            continue
        end_of_last = end
        shift = len(new) - (end - start)
        if caret.is_empty:
            place = min(max(caret.position - start + (shift // 2 if shift < 0 else len(COMMENT) + 1), 0), len(new))
            pieces.append(Piece(start, end, new, place, place))
        else:
            pieces.append(Piece(start, end, new, 0, len(new)))
    return stroke(pieces)


def _comment_around(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The comment that a stretch of the text lies in."""
    opening = text.rfind(COMMENT, 0, start + len(COMMENT))
    if opening < 0:
        return None
    closing = text.find(COMMENT_END, opening + len(COMMENT))
    if closing < 0 or closing + len(COMMENT_END) < end:
        return None
    return opening, closing + len(COMMENT_END)


def _whole_elements(parsed: ParsedSource, start: int, end: int) -> tuple[int, int]:
    """The stretch, enlarged to hold the elements whole that begin or end in it."""
    text = parsed.source.text
    place = text.find("<", start, end)
    while place >= 0:
        node = parsed.root.at(place)
        if node is not None and node.parent is not None and place in (node.start, node.tail_span.start):
            start, end = min(start, node.start), max(end, node.end)
        place = text.find("<", place + 1, end)
    return start, end


# ---- folding ------------------------------------------------------------------------------------------------------


def fold_at(parsed: ParsedSource, start: int, end: int) -> tuple[int, int] | None:
    """The foldable part on the line [start, end): the element or comment that begins there and ends on a later line, as
    offsets of its "<" and of its end. None if there is nothing.
    """
    text = parsed.source.text
    place = text.find("<", start, end)
    while place >= 0:
        if text.startswith(COMMENT, place):
            closing = text.find(COMMENT_END, place)
            last = len(text) if closing < 0 else closing + len(COMMENT_END)
        elif text.startswith("</", place):
            last = place + 2
        else:
            node = parsed.root.at(place)
            last = node.end if node is not None and node.start == place else place + 1
        if last > end and LINE_BREAK.search(text, end, last) is not None:
            return place, last
        place = text.find("<", max(last, place + 1), end)
    return None
