"""The example models, with their pictures: `resources/models`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from kinetree.engine.packaged import packaged

FOLDER = packaged("resources", "models")
PICTURES = FOLDER / "pictures"
"""A picture for each example, of the same name, made by `python -m tests.pictures examples`."""
FILMS = FOLDER / "films"
"""The same model moving for a moment, made by the same command."""
_FIRST = re.compile(r"<!--\s*(.*?)\n\s*\n", re.DOTALL)


class Example(NamedTuple):
    """title: a word; help: the first paragraph of the comment at the head of the file; film: the file of a moving
    picture, "" for none."""

    title: str
    help: str
    path: Path
    picture: Path
    film: str


@cache
def examples() -> list[Example]:
    """All examples, by their titles."""
    found = []
    for path in sorted(FOLDER.glob("*.xml")):
        with path.open(encoding="utf-8") as file:
            match = _FIRST.match(file.read(2000))
        help = " ".join(match[1].split()) if match is not None else ""
        film = FILMS / f"{path.stem}.webp"
        picture = PICTURES / f"{path.stem}.webp"
        found.append(Example(path.stem.capitalize(), help, path, picture, str(film) if film.exists() else ""))
    return found
