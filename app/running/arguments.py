"""The part of the command line that says what to open, where in it, and in which window."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace

from kinetree.app.running.message import FilePlace
from kinetree.app.terminal import UsageError
from kinetree.engine.translation import tr

_PLACE = re.compile(r"(.+?):(\d{1,9})(?::(\d{1,9}))?", re.DOTALL)


def add_arguments(parser) -> None:
    """Add the options of the window."""
    parser.add_argument(
        "--new-window",
        action="store_true",
        help=tr("always start a new window (else a window that runs takes the files)"),
    )
    parser.add_argument(
        "--goto",
        metavar="FILE:LINE[:COLUMN]",
        help=tr("open the file, or use the window that shows it, and select the element at this place"),
    )


def files_of(options, path_of: Callable[[str], str]) -> list[FilePlace]:
    """The files of the command line, each once, by absolute paths. `path_of`: the path of a model's name. Raises
    UsageError."""
    places = [FilePlace(word) if os.path.lexists(word) else parsed(word) for word in options.models]
    places = [each if each.line else FilePlace(path_of(each.path)) for each in places]
    if options.goto is not None:
        place = parsed(options.goto)
        if not place.line and not os.path.lexists(place.path):
            raise UsageError(tr("--goto {place!r} must be FILE:LINE or FILE:LINE:COLUMN", place=options.goto))
        places.append(place)
    return list(dict.fromkeys(replace(each, path=os.path.abspath(each.path)) for each in places))


def parsed(text: str) -> FilePlace:
    """The place that a text names; without numbers at its end it is a path."""
    found = _PLACE.fullmatch(text)
    if found is None:
        return FilePlace(text)
    path, line, column = found.groups()
    return FilePlace(path, int(line), int(column or 0))
