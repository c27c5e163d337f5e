"""The templates of new models: the files of `resources/templates`. The first line of each is a comment with its title
and a sentence about it: `<!-- 1 Box on a Floor: a free box that falls on a plane -->`; the number gives the order."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from kinetree.engine.packaged import packaged

FOLDER = packaged("resources", "templates")
_FIRST = re.compile(r"<!--\s*(\d+)\s+([^:]+):\s*(.*?)\s*-->")


class Template(NamedTuple):
    """A text to begin with."""

    order: int
    title: str
    help: str
    path: Path


@cache
def templates() -> list[Template]:
    """All templates, the one for an ordinary new model first."""
    found = []
    for path in FOLDER.iterdir():
        with path.open(encoding="utf-8") as file:
            match = _FIRST.match(file.readline())
        if match is not None:
            found.append(Template(int(match[1]), match[2], match[3], path))
    return sorted(found)


def text_of(template: Template) -> str:
    """The text to begin with: the file without its first line. Raises OSError."""
    return template.path.read_text(encoding="utf-8").partition("\n")[2]
