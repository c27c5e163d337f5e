"""Carets and strokes: what a key does to a text, as edits. Functions of texts, without a window.

A caret has a place in the text and the anchor of its selection, both as offsets. A stroke is the edits of the
present text and the carets afterwards, in offsets of the new text. Every function takes all carets at once, so that
typing at several places is one step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from kinetree.engine.document.edit import Edit

LINE_BREAK = re.compile(r"\r\n|\n|\r")
_INDENT = re.compile(r"[ \t]*")
_INDENTED = re.compile(r"(?:\A|[\n\r])(\t|[ ]+)[ \t]*<")
WORD = re.compile(r"[\w.:-]+")


class Caret(NamedTuple):
    """A caret at `position`, with the text between it and `anchor` selected."""

    anchor: int
    position: int

    @property
    def start(self) -> int:
        return min(self)

    @property
    def end(self) -> int:
        return max(self)

    @property
    def is_empty(self) -> bool:
        return self.anchor == self.position


class Stroke(NamedTuple):
    """edits: of the present text; carets: afterwards, in the order in which they were given."""

    edits: list[Edit]
    carets: list[Caret]


class Piece(NamedTuple):
    """Edit of a caret: replace [start, end) by `text`, then move to `position` with its `anchor`, both counted from the
    start of the new text.
    """

    start: int
    end: int
    text: str
    anchor: int
    position: int


def stroke(pieces: Sequence[Piece], extra: Iterable[Edit] = ()) -> Stroke:
    """The stroke of one piece for each caret; pieces that overlap those before them shrink. `extra`: edits elsewhere
    that carry no caret."""
    every: list[tuple[Edit, int]] = [(Edit(*piece[:3]), number) for number, piece in enumerate(pieces)]
    every += [(edit, -1) for edit in extra]
    every.sort(key=lambda item: item[0][:2])
    edits, carets, shift, end = [], [Caret(0, 0)] * len(pieces), 0, 0
    for edit, number in every:
        first, last = max(edit.start, end), max(edit.end, end)
        edit = Edit(first, last, edit.text)
        if number >= 0:
            piece = pieces[number]
            carets[number] = Caret(first + shift + piece.anchor, first + shift + piece.position)
        if first != last or edit.text:
            edits.append(edit)
        shift += len(edit.text) - (last - first)
        end = last
    return Stroke(edits, carets)


# ---- lines --------------------------------------------------------------------------------------------------------


def line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def line_end(text: str, offset: int) -> int:
    found = LINE_BREAK.search(text, offset)
    return len(text) if found is None else found.start()


def next_line(text: str, offset: int) -> int:
    """The start of the line after that of `offset`, or the end of the text."""
    found = LINE_BREAK.search(text, offset)
    return len(text) if found is None else found.end()


def line_break(text: str) -> str:
    """The line break that the text uses."""
    found = LINE_BREAK.search(text)
    return "\n" if found is None else found[0]


def indent_of(text: str, offset: int) -> str:
    """The white space at the start of the line."""
    found = _INDENT.match(text, line_start(text, offset))
    return found[0] if found else ""


def indent_unit(text: str) -> str:
    """One step of indentation, as the first indented line has it."""
    found = _INDENTED.search(text)
    return found[1] if found is not None else "  "


def line_blocks(text: str, carets: Sequence[Caret]) -> list[tuple[int, int]]:
    """The stretches of whole lines, with their line breaks, that the carets touch; in order, those that meet
    joined."""
    result: list[tuple[int, int]] = []
    for caret in sorted(carets, key=lambda caret: caret.start):
        last = caret.end
        if last > caret.start and line_start(text, last) == last:
            last -= 1  # a selection that ends before the first character of a line does not touch that line
        start, end = line_start(text, caret.start), next_line(text, last)
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


# ---- typing -------------------------------------------------------------------------------------------------------


def insert(carets: Sequence[Caret], typed: str | Sequence[str], back: int = 0) -> Stroke:
    """Text in place of the selections: one for all carets or one for each. The carets stand `back` characters
    before its end."""
    texts = [typed] * len(carets) if isinstance(typed, str) else typed
    return stroke([Piece(c.start, c.end, t, len(t) - back, len(t) - back) for c, t in zip(carets, texts, strict=True)])


def overtype(carets: Sequence[Caret]) -> Stroke:
    """Step over the next character, which is what was typed."""
    return Stroke([], [Caret(caret.position + 1, caret.position + 1) for caret in carets])


def delete(carets: Sequence[Caret], reach: Callable[[int], int]) -> Stroke:
    """Delete the selections; where nothing is selected, what is between the caret and `reach(caret)`."""
    pieces = []
    for caret in carets:
        start, end = caret.start, caret.end
        if start == end:
            start, end = sorted((start, reach(start)))
        pieces.append(Piece(start, end, "", 0, 0))
    return stroke(pieces)


def previous_character(text: str, offset: int) -> int:
    """Where the character before a place starts; a line break is one."""
    if text[max(offset - 2, 0) : offset] == "\r\n":
        return offset - 2
    return max(offset - 1, 0)


def next_character(text: str, offset: int) -> int:
    if text[offset : offset + 2] == "\r\n":
        return offset + 2
    return min(offset + 1, len(text))


def previous_word(text: str, offset: int) -> int:
    """The start of the word before a place, as Ctrl+Left goes there."""
    if offset == line_start(text, offset):
        return previous_character(text, offset)
    line = text[line_start(text, offset) : offset]
    stripped = line.rstrip(" \t")
    found = re.search(r"(?:\w+|[^\w\s]+)\Z", stripped)
    return offset - len(line) + (found.start() if found else 0)


def next_word(text: str, offset: int) -> int:
    """The end of the word after a place."""
    found = LINE_BREAK.match(text, offset)
    if found is not None:
        return found.end()
    word = re.compile(r"[ \t]*(?:\w+|[^\w\s]+)?").match(text, offset)
    return max(word.end() if word else offset, offset + 1) if offset < len(text) else offset


def backspace(text: str, carets: Sequence[Caret]) -> Stroke:
    """As Backspace does: the quotes of an empty value go together; in the indentation one step of it goes."""
    pieces = []
    unit = len(indent_unit(text).replace("\t", ""))
    for caret in carets:
        start, end = caret.start, caret.end
        if start == end:
            start = previous_character(text, end)
            if text[start:end] in ('"', "'") and text[end : end + 1] == text[start:end] and text[start - 1] == "=":
                end += 1
            line = text[line_start(text, end) : end]
            if unit and line and not line.strip(" "):
                start = end - ((len(line) - 1) % unit + 1)
        pieces.append(Piece(start, end, "", 0, 0))
    return stroke(pieces)


# ---- lines as a whole ---------------------------------------------------------------------------------------------


def indent(text: str, carets: Sequence[Caret], outwards: bool = False) -> Stroke:
    """Indent all lines that the carets touch by one step, or take one step away."""
    unit = indent_unit(text)
    edits = []
    for start, end in line_blocks(text, carets):
        at = start
        while at < end:
            stop = line_end(text, at)
            if outwards:
                lead = indent_of(text, at)
                gone = len(unit) if lead.startswith(unit) else min(len(lead), max(len(unit), 1))
                if lead[:1] == "\t":
                    gone = 1
                if gone:
                    edits.append(Edit(at, at + gone, ""))
            elif stop > at:
                edits.append(Edit(at, at, unit))
            at = max(next_line(text, at), at + 1)
    return Stroke(edits, [_moved(caret, edits) for caret in carets])


def _moved(caret: Caret, edits: Sequence[Edit]) -> Caret:
    """The caret after edits that it does not stand inside of."""

    def place(offset: int) -> int:
        shift = 0
        for edit in edits:
            if edit.start > offset or (edit.start == offset and edit.end > offset):
                break
            shift += len(edit.text) - (min(edit.end, offset) - edit.start)
        return offset + shift

    return Caret(place(caret.anchor), place(caret.position))


def delete_lines(text: str, carets: Sequence[Caret]) -> Stroke:
    edits = []
    for start, end in line_blocks(text, carets):
        if end == len(text) and end == line_end(text, start) and start > 0:
            start = previous_character(text, start)  # the last line takes the line break before it along
        edits.append(Edit(start, end, ""))
    places, shift = [], 0
    for edit in edits:
        places.append(edit.start + shift)
        shift -= edit.end - edit.start
    return Stroke(edits, [Caret(place, place) for place in places])


def duplicate_lines(text: str, carets: Sequence[Caret], below: bool = True) -> Stroke:
    """Copy the lines that the carets touch; the carets stand in the lower copy if `below`, else in the upper one."""
    edits = []
    for start, end in line_blocks(text, carets):
        lines, place = text[start:end], start if below else end
        if not _last_break(lines):  # the last line of the text
            lines = lines + line_break(text) if below else line_break(text) + lines
        edits.append(Edit(place, place, lines))
    moved = []
    for caret in carets:
        before = (edit for edit in edits if edit.start < caret.start or (below and edit.start == caret.start))
        shift = sum(len(edit.text) for edit in before)
        moved.append(Caret(caret.anchor + shift, caret.position + shift))
    return Stroke(edits, moved)


def move_lines(text: str, carets: Sequence[Caret], down: bool) -> Stroke:
    """Move the lines that the carets touch by one line. Nothing moves if some of them are at the end already."""
    edits, shifts = [], []
    for start, end in line_blocks(text, carets):
        first = start if down else line_start(text, previous_character(text, start))
        last = next_line(text, end) if down else end
        middle = end if down else start
        upper, lower = text[first:middle], text[middle:last]
        if (down and not lower and not _last_break(upper)) or (not down and not upper):
            return Stroke([], list(carets))
        ending = "" if _last_break(lower) else _last_break(upper)  # the last line of the text has none
        edits.append(Edit(first, last, lower + ending + upper.removesuffix(ending)))
        shifts.append((start, end, len(lower) + len(ending) if down else -len(upper)))
    moved = []
    for caret in carets:
        by = next((by for start, end, by in shifts if start <= caret.start <= end), 0)
        moved.append(Caret(*(min(place + by, len(text)) for place in caret)))
    return Stroke(edits, moved)


def _last_break(lines: str) -> str:
    """The line break at the end of lines, "" if there is none."""
    return "\r\n" if lines.endswith("\r\n") else lines[-1:] if lines[-1:] in ("\n", "\r") else ""


# ---- several carets -----------------------------------------------------------------------------------------------


def merged(carets: Sequence[Caret]) -> list[Caret]:
    """Carets without those that stand in the selection of another or at its place; the order of the text."""
    result: list[Caret] = []
    for caret in sorted(carets, key=lambda caret: (caret.start, caret.end)):
        if result:
            last = result[-1]
            if caret.start < last.end or caret == last or (caret.start == last.end and caret.is_empty):
                if caret.end > last.end:
                    forward = last.position >= last.anchor
                    result[-1] = Caret(last.start, caret.end) if forward else Caret(caret.end, last.start)
                continue
        result.append(caret)
    return result


def word_at(text: str, offset: int) -> tuple[int, int]:
    """The word (name, number) that touches a place; an empty stretch if there is none."""
    start, end = line_start(text, offset), line_end(text, offset)
    for match in WORD.finditer(text, start, end):
        if match.start() <= offset <= match.end():
            return match.span()
    return offset, offset


def add_next(text: str, carets: Sequence[Caret]) -> list[Caret]:
    """As Ctrl+D does: select the word at the caret; where something is selected already, also its next occurrence
    (after the end of the text from its start). The new caret is the last one."""
    last = carets[-1]
    if last.is_empty:
        start, end = word_at(text, last.position)
        return [*carets[:-1], Caret(start, end)] if end > start else list(carets)
    wanted = text[last.start : last.end]
    taken = {caret.start for caret in carets}
    for begin, stop in ((last.end, len(text)), (0, last.end)):
        found = text.find(wanted, begin, stop)
        while found >= 0 and found in taken:
            found = text.find(wanted, found + len(wanted), stop)
        if found >= 0:
            return [*carets, Caret(found, found + len(wanted))]
    return list(carets)
