"""The table of extras. A row that is added here needs its packages in pyproject.toml and a run of packaging/lock.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kinetree.engine.extras import ffmpeg
from kinetree.engine.platforms.system import System
from kinetree.engine.translation import marked


@dataclass(frozen=True, eq=False)
class Extra:
    """A row.

    name       in `kinetree extras install NAME`, and of the optional dependency: `pip install 'kinetree[NAME]'`
    title      what it gives, in a few words
    purpose    what it is for: one or two sentences
    packages   on the package index
    module     that is imported: the extra is there if Python finds it
    disk       MB that it takes on the disk, for the processor that needs most
    elsewhere  looks for a program of the system that does the same; returns its path, None without one. It may take
               a tenth of a second
    """

    name: str
    title: str
    purpose: str
    packages: tuple[str, ...]
    module: str
    disk: Mapping[System, int]
    elsewhere: Callable[[], str | None] | None = None


_ROWS = (
    Extra(
        "video",
        marked("Videos"),
        marked("Writes videos as MP4, WebM and GIF. It is the program ffmpeg."),
        ("imageio-ffmpeg",),
        "imageio_ffmpeg",
        {"linux": 173, "macos": 81, "windows": 106},
        ffmpeg.of_the_system,
    ),
    Extra(
        "decompose",
        marked("Convex decomposition"),
        marked("Cuts meshes into convex parts that collide well. It is the library CoACD."),
        ("coacd",),
        "coacd",
        {"linux": 13, "macos": 15, "windows": 6},
    ),
    Extra(
        "parquet",
        marked("Parquet files"),
        marked("Writes recorded steps as Parquet tables. It is the library Apache Arrow."),
        ("pyarrow",),
        "pyarrow",
        {"linux": 176, "macos": 140, "windows": 90},
    ),
    Extra(
        "models",
        marked("Robots by name"),
        marked(
            "Finds robots by their name, such as unitree_g1. It is the list of MuJoCo Menagerie; the robots themselves "
            "are not part of it."
        ),
        ("mujoco-menagerie",),
        "mujoco_menagerie",
        {"linux": 1, "macos": 1, "windows": 1},
    ),
)
EXTRAS: dict[str, Extra] = {row.name: row for row in _ROWS}
"""All extras by name."""
