"""Decodes PNG images for textures and height fields.

The size in the header is checked before anything is decoded.
"""

from __future__ import annotations

import io

import numpy as np

from kinetree.engine.translation import tr

MAX_SIDE = 16384
MAX_PIXELS = 80_000_000
"""Largest image that is read."""
_MAGIC = b"\x89PNG\r\n\x1a\n"
_MODES = {1: "RGB", 2: "RGBA", 3: "RGB", 4: "RGBA"}


_OTHERS = {
    b"\xff\xd8\xff": "JPEG", b"GIF8": "GIF", b"BM": "BMP", b"RIFF": "WebP", b"II*\0": "TIFF", b"MM\0*": "TIFF",
    b"DDS ": "DDS",
    b"#?RADIANCE": "Radiance HDR", b"v/1\x01": "OpenEXR",
}  # fmt: skip


class BadImage(ValueError):
    """An image that cannot be read; str() says why and what to do."""


def is_png(data: bytes) -> bool:
    return data[:8] == _MAGIC


def other(data: bytes) -> str | None:
    """Advice for an image in an unsupported format, detected by its first bytes; None for other data."""
    name = next((name for start, name in _OTHERS.items() if data.startswith(start)), None)
    return None if name is None else tr("the file is a {name} image, which is not read; convert it to PNG", name=name)


def png(data: bytes, channels: int) -> np.ndarray:
    """The pixels of a PNG file: uint8 (height, width, channels), the first row on top.

    channels: 1 for grey (the red channel of a colour image), 2 for grey and alpha, 3 for RGB, 4 for RGBA. Of 16 bits
    the upper eight count; transparency counts where there is a channel for it.

    Raises BadImage.
    """
    if not is_png(data) or len(data) < 33:
        raise BadImage(other(data) or tr("the file is no PNG image") if data else tr("the file is empty"))
    width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if width > MAX_SIDE or height > MAX_SIDE or width * height > MAX_PIXELS:
        raise BadImage(
            tr("the image of {width} x {height} pixels is too large; make it smaller", width=width, height=height)
        )
    if not _complete(data):
        raise BadImage(tr("the image is cut off; export it again"))
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as opened:
            if opened.mode.startswith("I"):
                grey = (np.asarray(opened) >> 8).astype(np.uint8)
                opened = Image.fromarray(grey)
            elif opened.mode == "P":
                opened = opened.convert("RGBA")  # else Pillow warns of transparent colours
            pixels = np.asarray(opened.convert(_MODES[channels]), np.uint8)
    except MemoryError:
        raise
    except Exception as error:  # Pillow raises many kinds of errors on malformed files
        raise BadImage(
            tr("the image is damaged or cut off ({error}); export it again", error=str(error) or type(error).__name__)
        ) from None
    if channels <= 2:
        pixels = pixels[..., [0, 3][:channels]]
    return np.ascontiguousarray(pixels)


def _complete(data: bytes) -> bool:
    """Whether the chunks of a PNG file are complete up to IEND."""
    at = 8
    while at + 12 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] == b"IEND":
            return at + 12 + size <= len(data)
        at += 12 + size
    return False


def is_srgb(data: bytes) -> bool:
    """Whether an image file says that its colours are sRGB: a PNG with that chunk before its pixels."""
    if not is_png(data):
        return False
    at = 8
    while at + 8 <= len(data):
        kind = data[at + 4 : at + 8]
        if kind in (b"sRGB", b"IDAT"):
            return kind == b"sRGB"
        at += 12 + int.from_bytes(data[at : at + 4], "big")
    return False
