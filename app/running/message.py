"""The talk between a start of the program and a window that runs. Each message is a line.

The window speaks first: a start that hears nothing in time goes away, and a window that is busy now does not act later
on what nobody waits for any more. Then the start says one Request in JSON, and the window one word of ANSWERS.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from kinetree.engine.platforms.display import ACTIVATION_TOKEN, STARTUP_ID

VERSION = 1
GREETING = f"kinetree {VERSION}".encode()
"""The window's first line."""
MOST = 64 * 1024
"""Longest line, bytes."""

OF_ONE_START = (ACTIVATION_TOKEN, STARTUP_ID)
"""Variables by which the desktop lets one window come to the front, once."""

DONE, OTHER, OWN, WRONG = b"done", b"other", b"own", b"wrong"
"""The window does it; it shows another file; the file belongs into a window of its own; the request is not valid."""


@dataclass(frozen=True)
class FilePlace:
    """A file, and a place in it.

    line, column  from 1; 0 for none
    """

    path: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class Request:
    """A file for a window.

    path          absolute; "" to bring the window to the front as it is
    line, column  of the element to show, from 1; 0 for none
    only_shown    take it only where the window has this file already
    token         of Wayland's compositor (XDG_ACTIVATION_TOKEN), which lets the window come to the front
    startup       the start that the desktop shows as going on (DESKTOP_STARTUP_ID), "" for none
    """

    path: str
    line: int = 0
    column: int = 0
    only_shown: bool = False
    token: str = ""
    startup: str = ""

    def line_of_json(self) -> bytes:
        """This request as it is sent."""
        return json.dumps(asdict(self)).encode("ascii")


def request_for(place: FilePlace, only_shown: bool, environment: Mapping[str, str]) -> Request:
    """A request about a file, with the desktop's permission to come to the front."""
    token, startup = environment.get(ACTIVATION_TOKEN, ""), environment.get(STARTUP_ID, "")
    return Request(os.path.abspath(place.path), place.line, place.column, only_shown, token, startup)


def request_of(line: bytes) -> Request:
    """The request of a line. Raises ValueError."""
    try:
        values = json.loads(line)
    except RecursionError:
        raise ValueError("too deep") from None
    if not isinstance(values, dict) or values.keys() != {each.name for each in fields(Request)}:
        raise ValueError("not a request")
    for each in fields(Request):
        if type(values[each.name]) is not type(getattr(_EMPTY, each.name)):
            raise ValueError(each.name)
    made = Request(**values)
    if "\0" in made.path or not (made.path == "" or Path(made.path).is_absolute()):
        raise ValueError("path")
    if not (0 <= made.line < 2**31 and 0 <= made.column < 2**31):
        raise ValueError("line")
    return made


_EMPTY = Request("")
