"""Writes KTX files for tests, as the specifications of versions 1 and 2 say."""

from __future__ import annotations

import struct
import zlib

import numpy as np

RGB8, RGBA8, SRGB8, BGRA8, HALF, FLOAT, PACKED = 23, 37, 29, 44, 97, 106, 122
"""Some VkFormats."""


def notes(values: dict[str, str], order: str = "<") -> bytes:
    """The entries of key and value."""
    result = b""
    for key, value in values.items():
        entry = key.encode() + b"\0" + value.encode() + b"\0"
        result += struct.pack(order + "I", len(entry)) + entry + bytes(-len(entry) % 4)
    return result


def ktx1(
    levels: list[list[np.ndarray]],
    kind: int,
    layout: int,
    internal: int = 0x8058,
    *,
    order: str = "<",
    known: dict[str, str] | None = None,
    layers: int = 0,
    depth: int = 0,
    size: tuple[int, int] | None = None,
) -> bytes:
    """Version 1: for each level its faces, (height, width, channels) or blocks with `size` of the image."""
    first = levels[0][0]
    height, width = first.shape[:2] if size is None else (size[1], size[0])
    unit = first.dtype.itemsize
    entries = notes(known or {}, order)
    result = b"\xabKTX 11\xbb\r\n\x1a\n" + struct.pack(
        order + "13I", 0x04030201, kind, unit, layout, internal, layout, width, height, depth, layers, len(levels[0]),
        len(levels), len(entries),
    )  # fmt: skip
    result += entries
    for faces in levels:
        packed = []
        for face in faces:
            face = face.astype(face.dtype.newbyteorder(order))
            rows = [row.tobytes() for row in face] if size is None else [face.tobytes()]
            packed.append(b"".join(row + bytes(-len(row) % 4) for row in rows))
        result += struct.pack(order + "I", len(packed[0])) + b"".join(packed)
    return result


def ktx2(
    levels: list[list[np.ndarray]],
    form: int,
    *,
    transfer: int = 1,
    model: int = 1,
    primaries: int = 1,
    flags: int = 0,
    scheme: int = 0,
    known: dict[str, str] | None = None,
    layers: int = 0,
    depth: int = 0,
    size: tuple[int, int] | None = None,
    full: int | None = None,
) -> bytes:
    """Version 2, likewise; `full`: a length that the index promises instead of the true one."""
    first = levels[0][0]
    height, width = first.shape[:2] if size is None else (size[1], size[0])
    described = struct.pack("<I2I4B16x", 44, 0, 2 | 40 << 16, model, primaries, transfer, flags).ljust(44, b"\0")
    entries = notes(known or {})
    start = 80 + 24 * len(levels)
    index, body = b"", b""
    at = start + len(described) + len(entries)
    for faces in levels:
        data = b"".join(face.tobytes() for face in faces)
        stored = packed(data, scheme)
        index += struct.pack("<3Q", at + len(body), len(stored), len(data) if full is None else full)
        body += stored
    head = b"\xabKTX 20\xbb\r\n\x1a\n" + struct.pack(
        "<9I", form, first.dtype.itemsize, width, height, depth, layers, len(levels[0]), len(levels), scheme
    )
    head += struct.pack("<4I2Q", start, len(described), start + len(described), len(entries), 0, 0)
    return head + index + described + entries + body


def packed(data: bytes, scheme: int) -> bytes:
    if scheme == 3:
        return zlib.compress(data)
    if scheme == 2:
        import zstandard

        return zstandard.ZstdCompressor().compress(data)
    return data


def flat(color, side: int = 4, dtype=np.uint8) -> np.ndarray:
    """A square of one colour."""
    return np.broadcast_to(np.array(color, dtype), (side, side, len(color))).copy()
