"""Textures: builtin images, and images from files.

Cube and skybox textures hold six square images one below the other: right, left, up, down, front, back (+X -X +Y -Y
+Z -Z). Source: XML reference, "asset/texture".
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

import numpy as np

from kinetree.engine.mjcf.elements import Element
from kinetree.engine.model import enums, unsupported
from kinetree.engine.resources import image as image_file
from kinetree.engine.resources import ktx
from kinetree.engine.resources.cache import Cache
from kinetree.engine.resources.files import File
from kinetree.engine.translation import tr

TYPES = {"2d": enums.TEXTURE_2D, "cube": enums.TEXTURE_CUBE, "skybox": enums.TEXTURE_SKYBOX}
COLORSPACES = {"auto": enums.COLORSPACE_AUTO, "linear": enums.COLORSPACE_LINEAR, "sRGB": enums.COLORSPACE_SRGB}
SIDES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
_LAYOUT = "RLUDFB"
DOWN = 3

MAX_SIDE = image_file.MAX_SIDE
MAX_BYTES = 512 * 1024 * 1024
"""Largest image that is made."""
STEEP = 1.138
"""Steepness of gradients: with it they differ from the reference's by less than one step of 255."""


class BadTexture(ValueError):
    """A texture that cannot be made: (message, attribute to point at, code of the diagnostic)."""

    def __init__(self, message: str, attribute: str = "file", code: str = "bad-texture"):
        super().__init__(message)
        self.attribute, self.code = attribute, code


def _unsupported(what: str, value: str = "", attribute: str = "") -> BadTexture:
    row = unsupported.of_file(what)
    return BadTexture(row.message(value), attribute or row.attribute, row.effect)


_cache = Cache(256 * 1024 * 1024)
PNG, KTX, CUSTOM = "image/png", "image/ktx", "image/vnd.mujoco.texture"
_EXTENSIONS = {".png": PNG, ".ktx": KTX, ".ktx2": KTX}


def image(texture: Element, read: Callable[[str], File]) -> tuple[np.ndarray, bool]:
    """The pixels of a texture, uint8 (height, width, channels), the first row on top; whether a file says sRGB.

    `read` gives the file that an attribute names. Raises BadTexture, and what `read` and the file raise.
    """
    if texture["builtin"] != "none":
        return _builtin(texture), False
    if texture.get("file"):
        return _single(texture, read("file"))
    if texture["type"] == "2d":
        raise BadTexture(tr("a 2d texture needs file or builtin"), "type")
    given = [name for name in SIDES if texture.get(name)]
    if not given:
        raise BadTexture(tr("the texture has no image: give file, builtin, or fileright, fileleft ..."), "type")
    return _separate(texture, {name: read(name) for name in given})


# ---- builtin ------------------------------------------------------------------------------------------


def _builtin(texture: Element) -> np.ndarray:
    width, height, channels = texture["width"], texture["height"], texture["nchannel"]
    if width <= 0:
        raise BadTexture(tr("the width of a builtin texture must be above 0, it is {width}", width=width), "width")
    flat = texture["type"] == "2d"
    if flat and height <= 0:
        raise BadTexture(tr("the height of a builtin texture must be above 0, it is {height}", height=height), "height")
    height = height if flat else 6 * width
    if not 1 <= channels <= 4:
        raise BadTexture(tr("nchannel is {channels}; it must be from 1 to 4", channels=channels), "nchannel")
    if width > MAX_SIDE or height > 6 * MAX_SIDE or width * height * channels > MAX_BYTES:
        raise BadTexture(
            tr("the image of {width} x {height} pixels is too large; make it smaller", width=width, height=height),
            "width",
        )
    key = (
        "builtin", texture["builtin"], flat, width, height, channels, texture["mark"], texture["random"],
        *(tuple(texture[name].tolist()) for name in ("rgb1", "rgb2", "markrgb")),
    )  # fmt: skip
    return _cache.get(key, lambda: _paint(texture, width, height, channels), lambda made: made.nbytes)


def _colour(rgb: np.ndarray, channels: int) -> np.ndarray:
    full = np.ones(4)
    full[:3] = np.clip(rgb, 0, 1)
    return full[:channels] * 255


def _paint(texture: Element, width: int, height: int, channels: int) -> np.ndarray:
    one, two, mark = (_colour(texture[name], channels) for name in ("rgb1", "rgb2", "markrgb"))
    flat = texture["type"] == "2d"
    tall = height if flat else width
    kind = texture["builtin"]
    if kind == "gradient":
        weights = [_disc(width, tall)] if flat else _elevations(width)
        sides = [w[..., None] * one + (1 - w[..., None]) * two for w in weights]
    elif kind == "checker":
        board = (np.arange(tall)[:, None] < tall // 2) == (np.arange(width) < width // 2)
        boards = [board] if flat else [board] * 4 + [~board] * 2
        sides = [np.where(b[..., None], one.astype(np.uint8), two.astype(np.uint8)) for b in boards]
    else:
        sides = [np.broadcast_to(one, (tall, width, channels)) for _ in range(1 if flat else 6)]
        if not flat:
            sides[DOWN] = np.broadcast_to(two, (tall, width, channels))
    pixels = np.empty((len(sides), tall, width, channels), np.uint8)
    for k, side in enumerate(sides):  # row by row: doubles take eight times the memory
        for row in range(tall):
            pixels[k, row] = np.clip(side[row], 0, 255)
    where = _marks(texture["mark"], texture["random"], len(sides), tall, width)
    if where is not None:
        pixels[where] = mark.astype(np.uint8)
    return pixels.reshape(height, width, channels)


def _marks(kind: str, chance: float, sides: int, height: int, width: int) -> np.ndarray | None:
    where = np.zeros((sides, height, width), bool)
    if kind == "edge":
        where[:, [0, -1]] = True
        where[:, :, [0, -1]] = True
    elif kind == "cross":
        where[:, height // 2] = True
        where[:, :, width // 2] = True
    elif kind == "random":
        where = np.random.default_rng(42).random(where.shape) < chance
    else:
        return None
    return where


def _grid(width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates of the pixels from -1 to 1, x to the right, y up."""
    x = np.linspace(-1, 1, width) if width > 1 else np.zeros(1)
    y = np.linspace(1, -1, height) if height > 1 else np.zeros(1)
    return np.meshgrid(x, y)


def _sigmoid(t: np.ndarray) -> np.ndarray:
    """Smooth step from 0 at t = -1 to 1 at t = 1, steepest in the middle."""
    return 0.5 + 0.5 * np.tanh(STEEP * t) / np.tanh(STEEP)


def _disc(width: int, height: int) -> np.ndarray:
    """Weight of the first colour in a 2d gradient: from the middle outwards."""
    x, y = _grid(width, height)
    return _sigmoid(1 - 2 * np.clip(np.hypot(x, y), 0, 1))


def _elevations(width: int) -> list[np.ndarray]:
    """Weight of the first colour on the six sides: by the angle of the direction above the horizon of +Y."""
    x, y = _grid(width, width)
    side = _sigmoid(np.arcsin(y / np.sqrt(1 + x * x + y * y)) / (np.pi / 2))
    up = _sigmoid(np.arcsin(1 / np.sqrt(1 + x * x + y * y)) / (np.pi / 2))
    return [side, side, up, 1 - up, side, side]


# ---- files --------------------------------------------------------------------------------------------


def decode(texture: Element, file: File) -> tuple[np.ndarray, bool]:
    """The pixels of an image file and whether it says that they are sRGB. Raises BadTexture."""
    media, channels = texture.get("content_type") or "", texture["nchannel"]
    if "/" in media and media not in (PNG, KTX, CUSTOM):
        raise BadTexture(
            tr(
                "'{media}' is no media type of a texture; use {png}, {ktx} or {custom}",
                media=media,
                png=PNG,
                ktx=KTX,
                custom=CUSTOM,
            ),
            "content_type",
        )
    kind = media if "/" in media else _EXTENSIONS.get(PurePath(file.name).suffix.lower(), CUSTOM)
    if channels not in (1, 3, 4):
        raise BadTexture(tr("nchannel is {channels}; images from files have 1, 3 or 4", channels=channels), "nchannel")

    make = _DECODERS[kind]
    return _cache.get((file.digest, kind, channels), lambda: make(file.data, channels), lambda made: made[0].nbytes)


def _png(data: bytes, channels: int) -> tuple[np.ndarray, bool]:
    try:
        return image_file.png(data, channels), image_file.is_srgb(data)
    except image_file.BadImage as error:
        raise BadTexture(str(error)) from None


def _ktx(data: bytes, channels: int) -> tuple[np.ndarray, bool]:
    """The bytes of the file as one row, as in the reference; the renderer unpacks them. All that can be wrong with
    them is found here."""
    try:
        _, srgb = ktx.check(data)
    except ktx.Unsupported as error:
        raise _unsupported(error.what, error.value) from None
    except image_file.BadImage as error:
        raise BadTexture(str(error)) from None
    row = np.zeros((1, len(data), channels), np.uint8)
    row.ravel()[: len(data)] = np.frombuffer(data, np.uint8)
    return row, srgb


def _custom(data: bytes, channels: int) -> tuple[np.ndarray, bool]:
    """MuJoCo's own format: width and height as int32, then red, green and blue of the pixels."""
    if image_file.is_png(data):
        raise BadTexture(tr("the file is a PNG image; give it that extension, or content_type='image/png'"))
    if len(data) < 8:
        raise BadTexture(
            tr("the file is no image: textures are PNG, KTX, or two integers, width and height, and the pixels")
        )
    width, height = np.frombuffer(data, "<i4", 2).tolist()
    if width <= 0 or height <= 0 or len(data) != 8 + 3 * width * height:
        raise BadTexture(
            image_file.other(data)
            or tr(
                "the file is no image that can be read: as MuJoCo's own format its {count} bytes do not fit "
                "{width} x {height} pixels; use PNG",
                count=len(data),
                width=width,
                height=height,
            )
        )
    pixels = np.frombuffer(data, np.uint8, offset=8).reshape(height, width, 3)
    if channels == 4:
        return np.dstack([pixels, np.full((height, width), 255, np.uint8)]), False
    return pixels[..., :channels], False


_DECODERS = {PNG: _png, KTX: _ktx, CUSTOM: _custom}


def _flipped(texture: Element, pixels: np.ndarray) -> np.ndarray:
    if texture["hflip"]:
        pixels = pixels[:, ::-1]
    return pixels[::-1] if texture["vflip"] else pixels


def _single(texture: Element, file: File) -> tuple[np.ndarray, bool]:
    pixels, srgb = decode(texture, file)
    if ktx.is_ktx(file.data):
        _fits(texture, file.data)
        return pixels, srgb
    pixels = _flipped(texture, pixels)
    return (pixels if texture["type"] == "2d" else _cells(texture, pixels)), srgb


def _fits(texture: Element, data: bytes) -> None:
    """Raises BadTexture for a KTX file that is not what its element says."""
    if texture["hflip"] or texture["vflip"]:
        raise _unsupported("ktx flip", attribute="hflip" if texture["hflip"] else "vflip")
    if texture["gridsize"].tolist() != [1, 1]:
        raise _unsupported("ktx grid")
    faces, _ = ktx.check(data)
    if texture["type"] == "2d" and faces > 1:
        raise BadTexture(tr("the file is a cube map; write type='cube', or use a file with one image"), "type")
    if texture["type"] != "2d" and not ktx.is_square(data):
        raise BadTexture(tr("the image on the sides of a cube must be square"), "type")


def _cells(texture: Element, pixels: np.ndarray) -> np.ndarray:
    """The sides of a cube from one image."""
    height, width = pixels.shape[:2]
    rows, columns = texture["gridsize"].tolist()
    if rows < 1 or columns < 1 or rows * columns > 12:
        raise BadTexture(tr("gridsize holds two numbers above 0 whose product is at most 12"), "gridsize")
    if height // rows != width // columns or height % rows or width % columns:
        raise BadTexture(
            tr(
                "the image must be square; the image has {width} x {height} pixels"
                if rows == columns == 1
                else "the cells of the grid must be square; the image has {width} x {height} pixels",
                width=width,
                height=height,
            ),
            "gridsize",
        )
    if rows == columns == 1:
        # one square for all sides: kept once, as the format allows
        return pixels
    layout = texture["gridlayout"]
    if len(layout) != rows * columns and layout != "." * 12:
        raise BadTexture(
            tr(
                "gridlayout has {count} characters; the grid has {number} cells",
                count=len(layout),
                number=rows * columns,
            ),
            "gridlayout",
        )
    side = width // columns
    result = _blank(texture, side)
    for cell, letter in enumerate(layout[: rows * columns]):
        if letter == ".":
            continue
        if letter not in _LAYOUT:
            raise BadTexture(tr("'{letter}' is no side; use R, L, U, D, F, B or a dot", letter=letter), "gridlayout")
        r, c = divmod(cell, columns)
        result[_LAYOUT.index(letter)] = pixels[r * side : (r + 1) * side, c * side : (c + 1) * side]
    return result.reshape(6 * side, side, -1)


def _blank(texture: Element, side: int) -> np.ndarray:
    channels = texture["nchannel"]
    if 6 * side * side * channels > MAX_BYTES:
        raise BadTexture(tr("six sides of {side} x {side} pixels are too large; make them smaller", side=side))
    return np.broadcast_to(_colour(texture["rgb1"], channels).astype(np.uint8), (6, side, side, channels)).copy()


def _separate(texture: Element, files: dict[str, File]) -> tuple[np.ndarray, bool]:
    result, srgb = None, False
    for name, file in files.items():
        if ktx.is_ktx(file.data):
            raise _unsupported("ktx side", attribute=name)
        try:
            pixels, marked = decode(texture, file)
        except BadTexture as error:
            raise BadTexture(str(error), name if error.attribute == "file" else error.attribute) from None
        pixels, srgb = _flipped(texture, pixels), srgb or marked
        if pixels.shape[0] != pixels.shape[1]:
            raise BadTexture(
                tr(
                    "a side must be square; it has {shape} x {shape2} pixels",
                    shape=pixels.shape[1],
                    shape2=pixels.shape[0],
                ),
                name,
            )
        if result is None:
            result = _blank(texture, pixels.shape[0])
        if pixels.shape[:2] != result.shape[1:3]:
            raise BadTexture(
                tr("all sides must have the same size, {shape} x {shape} pixels", shape=result.shape[1]), name
            )
        result[SIDES.index(name)] = pixels
    assert result is not None
    return result.reshape(-1, result.shape[2], result.shape[3]), srgb
