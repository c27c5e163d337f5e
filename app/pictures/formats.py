"""The tables of file formats."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from kinetree.engine.translation import marked, tr

MOST = 16384
"""Most pixels along a side: what graphics cards can draw at once."""


class Content(StrEnum):
    """Meaning of a picture's numbers."""

    COLORS = "colors"
    DEPTH = "depth"
    SEGMENTATION = "segmentation"
    NORMAL = "normal"
    ALBEDO = "albedo"


CONTENTS: dict[Content, tuple[str, str]] = {
    Content.COLORS: (marked("Colours"), marked("The picture as the viewport shows it")),
    Content.DEPTH: (
        marked("Depth"),
        marked(
            "Distance along the viewing direction: PNG with 16 bits, in millimetres, 0 for none and for 65.5 m and "
            "more; or NPY with metres, infinite where nothing is"
        ),
    ),
    Content.SEGMENTATION: (
        marked("Segmentation"),
        marked(
            "Which object each pixel shows: PNG with a colour for each, and a CSV file that names them; or NPY with id "
            "and object type (mjtObj), -1 where nothing is"
        ),
    ),
    Content.NORMAL: (
        marked("Normals"),
        marked(
            "Which way each surface looks, as a unit vector of the world: PNG with x, y and z from -1 to 1 as 0 to "
            "255; or NPY with numbers, zero where nothing is"
        ),
    ),
    Content.ALBEDO: (
        marked("Base Colours"),
        marked("Colours and textures of the surfaces, without light, black where nothing is"),
    ),
}
"""Name and help of each content."""


@dataclass(frozen=True, slots=True)
class PictureFormat:
    """A file format of pictures.

    name     what it is called; Pillow knows it by this name
    options  how Pillow writes it
    most     most pixels along a side
    alpha    whether it can be transparent
    holds    the contents that it can hold
    """

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    most: int = MOST
    alpha: bool = False
    holds: tuple[Content, ...] = (Content.COLORS,)


_JPEG = PictureFormat("JPEG", {"quality": 92, "subsampling": 0})
PICTURES: dict[str, PictureFormat] = {
    ".png": PictureFormat("PNG", alpha=True, holds=tuple(Content)),
    ".jpg": _JPEG,
    ".jpeg": _JPEG,
    ".webp": PictureFormat("WEBP", {"quality": 92}, 16383, alpha=True),
    ".npy": PictureFormat("NPY", holds=(Content.DEPTH, Content.SEGMENTATION, Content.NORMAL, Content.ALBEDO)),
}
"""Extension of the file -> its format. NPY is numpy's."""


@dataclass(frozen=True, slots=True)
class VideoFormat:
    """A file format of videos.

    codec, pixels  as ffmpeg names them
    options        arguments of ffmpeg for the output
    rates          frames a second that the format can show exactly, None for any
    """

    name: str
    codec: str
    pixels: str
    options: tuple[str, ...]
    rates: tuple[int, ...] | None = None


_REC709 = ("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709")
_TO_REC709 = "scale=out_color_matrix=bt709:flags=accurate_rnd+full_chroma_int"
VIDEOS: dict[str, VideoFormat] = {
    ".mp4": VideoFormat(
        "MP4", "libx264", "yuv420p",
        ("-vf", _TO_REC709, *_REC709, "-crf", "17", "-preset", "medium", "-movflags", "+faststart", "-f", "mp4"),
    ),
    ".webm": VideoFormat(
        "WebM", "libvpx-vp9", "yuv420p",
        ("-vf", _TO_REC709, *_REC709, "-crf", "24", "-b:v", "0", "-row-mt", "1", "-cpu-used", "4", "-f", "webm"),
    ),
    ".gif": VideoFormat(
        "GIF", "gif", "pal8",
        ("-filter_complex", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=sierra2_4a",
         "-loop", "0", "-f", "gif"),
        rates=(50, 25, 20, 10),
    ),
}  # fmt: skip
"""Extension of the file -> its format. GIF counts time in hundredths of a second."""


def extension(path: str) -> str:
    """The extension of a file name, in small letters: ".png"."""
    return os.path.splitext(path)[1].lower()


def check_picture(path: str, width: int, height: int, content: Content, transparent: bool) -> None:
    """Raises ValueError, which says what to do, where the format of a file name cannot hold such a picture."""
    ending = extension(path)
    form = PICTURES.get(ending)
    if form is None:
        raise ValueError(
            tr(
                "{path}: the extension does not name a picture format; end it in one of {names}",
                path=path,
                names=", ".join(PICTURES),
            )
        )
    if content not in form.holds:
        able = ", ".join(key for key, each in PICTURES.items() if content in each.holds)
        raise ValueError(
            tr(
                "{path}: {name} does not hold {content}; end the name in one of {able}",
                path=path,
                name=form.name,
                content=content,
                able=able,
            )
        )
    if transparent and not form.alpha:
        able = ", ".join(key for key, each in PICTURES.items() if each.alpha)
        raise ValueError(
            tr(
                "{path}: {name} cannot be transparent; end the name in one of {able}",
                path=path,
                name=form.name,
                able=able,
            )
        )
    if max(width, height) > form.most or min(width, height) < 1:
        raise ValueError(
            tr(
                "{width}x{height}: {name} has 1 to {most} pixels along a side",
                width=width,
                height=height,
                name=form.name,
                most=form.most,
            )
        )


def check_video(path: str, width: int, height: int, fps: float) -> None:
    """Raises ValueError, which says what to do, where the format of a file name cannot hold such a video."""
    form = VIDEOS.get(extension(path))
    if form is None:
        raise ValueError(
            tr(
                "{path}: the extension does not name a video format; end it in one of {names}",
                path=path,
                names=", ".join(VIDEOS),
            )
        )
    if min(width, height) < 2 or max(width, height) > 8192:
        raise ValueError(tr("{width}x{height}: a video has 2 to 8192 pixels along a side", width=width, height=height))
    if width % 2 or height % 2:
        raise ValueError(tr("{width}x{height}: width and height of a video must be even", width=width, height=height))
    if not 1 <= fps <= 240:
        raise ValueError(tr("{fps:g} frames a second: a video has 1 to 240", fps=fps))
    if form.rates is not None and fps not in form.rates:
        able = ", ".join(map(str, form.rates))
        raise ValueError(tr("{fps:g} frames a second: {name} can show {able}", fps=fps, name=form.name, able=able))
