"""Reads KTX textures, versions 1 and 2: images for graphics processors, with mip levels and the six sides of a cube.

A file is checked before memory is allocated for it: sizes, offsets, lengths and the limits of decompressed levels.
Unsupported features of the format are rows of `engine/model/unsupported.py`.

Source: Khronos Group, KTX File Format Specification, 1.0 and 2.0.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kinetree.engine.resources.image import MAX_SIDE, BadImage
from kinetree.engine.resources.ktx_formats import (
    BASIS_MODELS,
    BY_GL,
    BY_GL_BLOCK,
    BY_VULKAN,
    SRGB_GL,
    KtxFormat,
    gl_name,
    vulkan_name,
)
from kinetree.engine.translation import tr

MAGIC = b"\xabKTX "
MAGIC_1, MAGIC_2 = b"\xabKTX 11\xbb\r\n\x1a\n", b"\xabKTX 20\xbb\r\n\x1a\n"
MAX_BYTES = 512 * 1024 * 1024
"""Most memory that the pixels of a file take."""
_HEADER_1, _HEADER_2, _LEVEL = 64, 80, 24  # bytes
_LITTLE = 0x04030201
_ZSTANDARD, _ZLIB = 2, 3
_BASIS_LZ = 1
_TRANSFER_SRGB = 2
_PRIMARIES = (0, 1)  # not told, and those of BT.709, which are sRGB's
_PREMULTIPLIED = 1


class Unsupported(BadImage):
    """Something that a KTX file may hold and Kinetree does not read: `what` is the row's `in_file`."""

    def __init__(self, what: str, value: str = ""):
        super().__init__(what, value)
        self.what, self.value = what, value


@dataclass(frozen=True)
class KtxImage:
    """Content of a KTX file.

    levels  from the largest on: (faces, height, width, 3 or 4) uint8, or float16 linear light that is finite and not
            negative; faces is 1 or 6 (right, left, up, down, front, back), the first row on top
    srgb    whether the file says that uint8 colours are sRGB
    """

    levels: tuple[np.ndarray, ...]
    srgb: bool


@dataclass(frozen=True)
class _KtxFile:
    """A checked file: `blocks` gives the bytes of a level, faces one after the other without padding."""

    width: int
    height: int
    faces: int
    count: int
    format: KtxFormat
    srgb: bool
    notes: dict[str, str]
    blocks: Callable[[int], bytes]


def is_ktx(data: bytes) -> bool:
    return data[: len(MAGIC)] == MAGIC


def read(data: bytes) -> KtxImage:
    """The pixels of a file. Raises BadImage, and Unsupported."""
    return _unpacked(_open(data))


def check(data: bytes) -> tuple[int, bool]:
    """(faces, whether it says sRGB) of a file that `read` can read, whose pixels are not unpacked.

    Raises BadImage, and Unsupported.
    """
    file = _open(data)
    for level in range(file.count):
        file.blocks(level)
    _order(file)
    if file.faces == 1 or file.width == file.height:
        return file.faces, file.srgb
    raise BadImage(tr("the sides of a cube must be square; they have {width} x {height} pixels", **_size(file)))


def is_square(data: bytes) -> bool:
    """Whether the image of a file that `check` accepts is as high as wide."""
    file = _open(data)
    return file.width == file.height


def _size(file: _KtxFile) -> dict[str, int]:
    return {"width": file.width, "height": file.height}


def _open(data: bytes) -> _KtxFile:
    if data[: len(MAGIC_1)] == MAGIC_1:
        return _first(data)
    if data[: len(MAGIC_2)] == MAGIC_2:
        return _second(data)
    if not data:
        raise BadImage(tr("the file is empty"))
    if is_ktx(data):
        raise BadImage(tr("the file is a KTX texture of an unknown version, or damaged: versions 1 and 2 are read"))
    raise BadImage(tr("the file is no KTX texture"))


def _cut() -> BadImage:
    return BadImage(tr("the image is cut off; export it again"))


def _damaged(what: str) -> BadImage:
    return BadImage(tr("the KTX texture is damaged ({what}); export it again", what=what))


def _measured(width: int, height: int, depth: int, layers: int, faces: int, levels: int, form: KtxFormat) -> int:
    """The number of levels, after a check of all sizes."""
    if layers > 0:
        raise Unsupported("ktx layers", str(layers))
    if depth > 0 or height == 0:
        raise Unsupported("ktx dimensions", "3" if depth > 0 else "1")
    if width == 0 or faces not in (1, 6):
        raise _damaged(f"{width} x {height}, {faces} faces")
    if width > MAX_SIDE or height > MAX_SIDE or faces * width * height * form.unpacked > MAX_BYTES:
        raise BadImage(
            tr("the image of {width} x {height} pixels is too large; make it smaller", width=width, height=height)
        )
    if levels > max(width, height).bit_length():
        raise _damaged(f"{levels} levels")
    return max(levels, 1)


def _sides(width: int, height: int, level: int) -> tuple[int, int]:
    return max(width >> level, 1), max(height >> level, 1)


# ---- version 1 ----------------------------------------------------------------------------------------


def _first(data: bytes) -> _KtxFile:
    if len(data) < _HEADER_1:
        raise _cut()
    order = "<" if int.from_bytes(data[12:16], "little") == _LITTLE else ">"
    fields = struct.unpack(order + "13I", data[12:_HEADER_1])
    mark, kind, unit, layout, internal, _, width, height, depth, layers, faces, levels, noted = fields
    if mark != _LITTLE:
        raise _damaged("byte order")
    form = BY_GL_BLOCK.get(internal) if kind == 0 else BY_GL.get((kind, layout))
    if form is None:
        raise Unsupported("ktx format", gl_name(kind, layout, internal))
    count = _measured(width, height, depth, layers, faces, levels, form)
    if order == ">" and unit not in (1, 2, 4):
        raise _damaged("glTypeSize")
    if _HEADER_1 + noted > len(data):
        raise _cut()
    spans, at = [], _HEADER_1 + noted
    for level in range(count):
        wide, high = _sides(width, height, level)
        row, rows = form.row(wide), form.rows(high)
        if order == ">" and row % unit:
            raise _damaged("glTypeSize")
        padded = row if form.block > 1 else -(-row // 4) * 4
        if at + 4 > len(data):
            raise _cut()
        length = int.from_bytes(data[at : at + 4], "little" if order == "<" else "big")
        # tools that pack rows closely say so by the length
        pitch = padded if length == padded * rows else row
        if length != pitch * rows:
            raise _damaged(f"level {level}: {length} bytes, {padded * rows} expected")
        spans.append((at + 4, length, row, pitch, rows))
        at += 4
        at += (length + 3) // 4 * 4 * (faces - 1) + length
        if at > len(data):
            raise _cut()
        at = -(-at // 4) * 4

    def blocks(level: int) -> bytes:
        start, length, row, pitch, rows = spans[level]
        kept = []
        for face in range(faces):
            begin = start + face * ((length + 3) // 4 * 4)
            lines = np.frombuffer(data, np.uint8, length, begin).reshape(rows, pitch)[:, :row]
            if order == ">" and unit > 1:
                lines = np.ascontiguousarray(lines).view(f"u{unit}").byteswap().view(np.uint8)
            kept.append(lines.tobytes())
        return b"".join(kept)

    notes = _notes(data[_HEADER_1 : _HEADER_1 + noted], order)
    srgb = internal in SRGB_GL or (kind == 0 and form.srgb)
    return _KtxFile(width, height, faces, count, form, srgb, notes, blocks)


def _notes(data: bytes, order: str) -> dict[str, str]:
    """The entries of a file that tell how its image is to be understood."""
    found, at = {}, 0
    while at + 4 <= len(data):
        (size,) = struct.unpack_from(order + "I", data, at)
        entry = data[at + 4 : at + 4 + size]
        if len(entry) < size:
            raise _cut()
        key, _, value = entry.partition(b"\0")
        if key in (b"KTXorientation", b"KTXswizzle"):
            found[key.decode()] = value.rstrip(b"\0").decode("ascii", "replace")
        at += 4 + -(-size // 4) * 4
    return found


# ---- version 2 ----------------------------------------------------------------------------------------


def _second(data: bytes) -> _KtxFile:
    if len(data) < _HEADER_2:
        raise _cut()
    number, _, width, height, depth, layers, faces, levels, scheme = struct.unpack_from("<9I", data, 12)
    describes, described, noted_at, noted = struct.unpack_from("<4I", data, 48)
    if describes + described > len(data) or noted_at + noted > len(data):
        raise _cut()
    if described < 28:
        raise _damaged("data format descriptor")
    model, primaries, transfer, flags = struct.unpack_from("<4B", data, describes + 12)
    if model in BASIS_MODELS or scheme == _BASIS_LZ:
        raise Unsupported("ktx basis", BASIS_MODELS.get(model, "BasisLZ"))
    form = BY_VULKAN.get(number)
    if form is None:
        raise Unsupported("ktx format", vulkan_name(number))
    if scheme not in (0, _ZSTANDARD, _ZLIB):
        raise Unsupported("ktx scheme", str(scheme))
    if primaries not in _PRIMARIES:
        raise Unsupported("ktx primaries", str(primaries))
    if flags & _PREMULTIPLIED:
        raise Unsupported("ktx alpha")
    count = _measured(width, height, depth, layers, faces, levels, form)
    if _HEADER_2 + count * _LEVEL > len(data):
        raise _cut()
    spans = []
    for level in range(count):
        start, length, full = struct.unpack_from("<3Q", data, _HEADER_2 + level * _LEVEL)
        wide, high = _sides(width, height, level)
        expected = form.row(wide) * form.rows(high) * faces
        if start + length > len(data):
            raise _cut()
        if full != expected or (scheme == 0 and length != expected):
            raise _damaged(f"level {level}: {full if scheme else length} bytes, {expected} expected")
        spans.append((start, length, expected))

    def blocks(level: int) -> bytes:
        start, length, expected = spans[level]
        stored = data[start : start + length]
        return stored if scheme == 0 else _UNPACK[scheme](stored, expected)

    notes = _notes(data[noted_at : noted_at + noted], "<")
    return _KtxFile(width, height, faces, count, form, form.srgb or transfer == _TRANSFER_SRGB, notes, blocks)


def _inflated(data: bytes, expected: int) -> bytes:
    machine = zlib.decompressobj()
    try:
        result = machine.decompress(data, expected + 1)
    except zlib.error as error:
        raise _damaged(str(error)) from None
    return _as_long_as(result, expected)


def _unpacked_zstandard(data: bytes, expected: int) -> bytes:
    import zstandard

    try:
        result = zstandard.ZstdDecompressor().stream_reader(data).read(expected + 1)
    except zstandard.ZstdError as error:
        raise _damaged(str(error)) from None
    return _as_long_as(result, expected)


def _as_long_as(result: bytes, expected: int) -> bytes:
    if len(result) != expected:
        raise _damaged(f"{min(len(result), expected + 1)} bytes, {expected} expected")
    return result


_UNPACK = {_ZSTANDARD: _unpacked_zstandard, _ZLIB: _inflated}

# ---- pixels -------------------------------------------------------------------------------------------


def _order(file: _KtxFile) -> tuple[str, bool, bool]:
    """(channels as the file wants them read, mirrored across, first row at the bottom). Raises BadImage."""
    swizzle = file.notes.get("KTXswizzle", "rgba")
    if len(swizzle) != 4 or set(swizzle) - set("rgba01"):
        raise _damaged(f"KTXswizzle '{swizzle}'")
    said = file.notes.get("KTXorientation", "rd").lower().replace("s=", "").replace("t=", "").replace(",", "")
    return swizzle, said[:1] == "l", said[1:2] == "u"


def _unpacked(file: _KtxFile) -> KtxImage:
    swizzle, mirrored, upward = _order(file)
    levels = []
    for level in range(file.count):
        wide, high = _sides(file.width, file.height, level)
        data = file.blocks(level)
        size = len(data) // file.faces
        faces = [file.format.unpack(data[k * size : (k + 1) * size], wide, high) for k in range(file.faces)]
        pixels = _swizzled(np.stack(faces), swizzle)
        pixels = pixels[:, :, ::-1] if mirrored else pixels
        levels.append(np.ascontiguousarray(pixels[:, ::-1] if upward else pixels))
    return KtxImage(tuple(levels), file.srgb and levels[0].dtype == np.uint8)


def _swizzled(pixels: np.ndarray, swizzle: str) -> np.ndarray:
    channels = pixels.shape[-1]
    if swizzle[:channels] == "rgba"[:channels] and (channels == 4 or swizzle[3] in "a1"):
        return pixels
    one = np.full(pixels.shape[:-1], 255 if pixels.dtype == np.uint8 else 1, pixels.dtype)
    named = {letter: pixels[..., k] for k, letter in enumerate("rgba"[:channels])}
    named |= {"0": np.zeros_like(one), "1": one, "a": named.get("a", one)}
    return np.stack([named[letter] for letter in swizzle], axis=-1)
