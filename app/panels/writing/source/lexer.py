"""Tokens of XML, line by line, for colours. It goes on behind mistakes: a value that is not closed ends before the
next "<"."""

from __future__ import annotations

import re
from enum import IntEnum

SEARCH = 200_000
"""So many characters before a line are searched for what it begins in."""


class State(IntEnum):
    """What a line begins in."""

    TEXT = 0
    TAG = 1
    DOUBLE = 2
    SINGLE = 3
    COMMENT = 4
    CDATA = 5
    DECLARATION = 6


class Kind(IntEnum):
    """What a token is."""

    PUNCTUATION = 0
    ELEMENT = 1
    ATTRIBUTE = 2
    VALUE = 3
    NUMBER = 4
    COMMENT = 5
    REFERENCE = 6
    DECLARATION = 7
    NAME = 8
    """The value of an attribute that declares a name."""
    LINK = 9
    """The value of an attribute that refers to a name."""
    COLOUR = 10
    """The value of an attribute that is a colour: its numbers look like others."""


Token = tuple[int, int, Kind]
"""start and end in the line, and what it is"""

_NUMBER = re.compile(r"(?<![\w.+-])[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])")
_IN_TAG = re.compile(r"""(?P<end>/?>)|(?P<name>[^\s<>/="']+)|(?P<equals>=)|(?P<quote>["'])|(?P<less><)""")
_OPENING = re.compile(r"""<!--|<!\[CDATA\[|<[!?]|</?(?P<tag>[^\s<>/="'!?]*)|&[^;\s<]{1,40};""")
_ENDS = {State.COMMENT: "-->", State.CDATA: "]]>", State.DECLARATION: ">"}
_KINDS = {State.COMMENT: Kind.COMMENT, State.CDATA: Kind.VALUE, State.DECLARATION: Kind.DECLARATION}


def tokens(line: str, state: State) -> tuple[list[Token], State]:
    """The tokens of a line that begins in `state`, and what the next line begins in."""
    found: list[Token] = []
    place, size = 0, len(line)
    while place < size:
        if state in _ENDS:
            stop = line.find(_ENDS[state], place)
            end = size if stop < 0 else stop + len(_ENDS[state])
            found.append((place, end, _KINDS[state]))
            place = end
            if stop < 0:
                return found, state
            state = State.TEXT
        elif state in (State.DOUBLE, State.SINGLE):
            quote = '"' if state is State.DOUBLE else "'"
            stop, less = line.find(quote, place), line.find("<", place)
            if less >= 0 and (stop < 0 or less < stop):
                end, state = less, State.TEXT
                _value(line, place, end, found)
            else:
                end = size if stop < 0 else stop
                _value(line, place, end, found)
                if stop < 0:
                    return found, state
                found.append((stop, stop + 1, Kind.VALUE))
                end, state = stop + 1, State.TAG
            place = end
        elif state is State.TAG:
            match = _IN_TAG.search(line, place)
            if match is None:
                return found, state
            place = match.end()
            if match["name"]:
                found.append((match.start(), place, Kind.ATTRIBUTE))
            elif match["quote"]:
                found.append((match.start(), place, Kind.VALUE))
                state = State.DOUBLE if match["quote"] == '"' else State.SINGLE
            elif match["less"]:
                place, state = match.start(), State.TEXT
            else:
                found.append((match.start(), place, Kind.PUNCTUATION))
                if match["end"]:
                    state = State.TEXT
        else:
            match = _OPENING.search(line, place)
            if match is None:
                return found, state
            start, place = match.span()
            opened = match[0]
            if opened.startswith("&"):
                found.append((start, place, Kind.REFERENCE))
            elif opened in ("<!--", "<![CDATA[", "<!", "<?"):
                state = {"<!--": State.COMMENT, "<![CDATA[": State.CDATA}.get(opened, State.DECLARATION)
                stop = line.find(_ENDS[state], place)
                end = size if stop < 0 else stop + len(_ENDS[state])
                found.append((start, end, _KINDS[state]))
                place = end
                if stop >= 0:
                    state = State.TEXT
            else:
                name = match.start("tag")
                found.append((start, name, Kind.PUNCTUATION))
                if place > name:
                    found.append((name, place, Kind.ELEMENT))
                state = State.TAG
    return found, state


def _value(line: str, start: int, end: int, found: list[Token]) -> None:
    """The tokens of a part of a value: numbers, character references, the rest."""
    place = start
    for match in _NUMBER.finditer(line, start, end):
        if match.start() > place:
            found.append((place, match.start(), Kind.VALUE))
        found.append((match.start(), match.end(), Kind.NUMBER))
        place = match.end()
    if end > place:
        found.append((place, end, Kind.VALUE))


def state_at(text: str, offset: int) -> State:
    """What the line that starts at `offset` begins in."""
    least = max(offset - SEARCH, 0)
    opening = max(text.rfind(mark, least, offset) for mark in ("<!--", "<![CDATA["))
    if opening >= 0:
        is_comment = text.startswith("<!--", opening)
        if text.find("-->" if is_comment else "]]>", opening + 4, offset) < 0:
            # Unless that stands in a value: then the value's "<" is a mistake anyway.
            return State.COMMENT if is_comment else State.CDATA
    less = text.rfind("<", least, offset)
    if less < 0 or text.startswith(("<!--", "<![CDATA["), less):
        return State.TEXT
    state = State.TEXT
    if offset - less > SEARCH // 10:  # a long value: its quotes tell
        rest = text[less:offset]
        if rest.count('"') % 2:
            return State.DOUBLE
        return State.SINGLE if rest.count("'") % 2 and '"' not in rest else State.TAG if ">" not in rest else state
    for line in text[less:offset].splitlines():
        state = tokens(line, state)[1]
    return state
