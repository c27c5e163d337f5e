"""A model that has a name: where it is, or how it is downloaded."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from kinetree.engine.translation import marked


class ModelSource(Enum):
    """Where a model comes from; the value is its title, in the order of the search."""

    FOLDER = marked("Folder")
    EXAMPLE = marked("Examples")
    DESCRIPTIONS = "robot_descriptions"
    MENAGERIE = "MuJoCo Menagerie"


class NamedModel(NamedTuple):
    """A model that a name means.

    name      the name to type
    source    where it comes from
    path      absolute path of the file; where it is not downloaded: the path that it will have
    detail    the file relative to the folder, or the name of the robot
    others    more names that mean it
    around    name of the folder that it is in, which means it too, but not as well
    download  module and arguments of the command that downloads it; () for a model on the disk
    size      bytes to download; 0: unknown
    """

    name: str
    source: ModelSource
    path: str
    detail: str = ""
    others: tuple[str, ...] = ()
    around: str = ""
    download: tuple[str, ...] = ()
    size: int = 0


def folded(name: str) -> str:
    """A name for comparing: case, hyphens and spaces do not matter."""
    return name.casefold().replace("-", "_").replace(" ", "_")
