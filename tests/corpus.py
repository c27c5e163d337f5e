"""The models that the shared corpus lists, and what the reference makes of each."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

FAMILIES = {"files": ".", "inline": "inline"}
"""Family of models -> the folder of its index, below the corpus."""


@dataclass(frozen=True)
class Listed:
    """One row of an index.

    place   below the corpus
    loads   whether the reference reads it: "yes", or what the index says instead
    """

    family: str
    place: str
    path: Path
    loads: str


def listed(corpus: Path) -> list[Listed]:
    """Every row of the indexes of a corpus, in their order; none where there is no corpus."""
    found = []
    if not corpus.is_dir():
        return found
    for family, folder in FAMILIES.items():
        with (corpus / folder / "index.csv").open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                path = corpus / folder / row["path"]
                found.append(Listed(family, path.relative_to(corpus).as_posix(), path, row["loads"]))
    return found
