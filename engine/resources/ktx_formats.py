"""The pixel formats of KTX textures that are read, by their numbers in OpenGL and Vulkan, and the names of others.

Source: Khronos Group, OpenGL 4.6 and Vulkan 1.3 specifications, Data Format Specification 1.3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

HIGHEST = 65504.0
"""Brightest value that is kept; halves end there."""


@dataclass(frozen=True)
class KtxFormat:
    """One format.

    size      bytes of a pixel, or of a block of 4 x 4 pixels
    block     1, or 4
    unpacked  bytes of a pixel that `unpack` makes
    srgb      whether the format's name says sRGB
    unpack    (bytes of an image without padding, width, height) -> (height, width, 3 or 4), uint8 or float16
    """

    size: int
    block: int
    unpacked: int
    srgb: bool
    unpack: Callable[[bytes, int, int], np.ndarray]

    def row(self, width: int) -> int:
        """Bytes of a row of pixels, or of blocks."""
        return -(-width // self.block) * self.size

    def rows(self, height: int) -> int:
        """Rows of pixels, or of blocks."""
        return -(-height // self.block)


_ORDERS = {
    "r": "r00", "rg": "rg0", "rgb": "rgb", "bgr": "bgr", "rgba": "rgba", "bgra": "bgra", "l": "rrr", "la": "rrrg",
}  # fmt: skip
"""Channels of a pixel in the file -> where each channel of the picture stands, named as if the file's were rgba."""


def _plain(kind: str, channels: str, srgb: bool = False) -> KtxFormat:
    """Numbers of one type, one after the other. 8 bits stay, all else becomes halves."""
    dtype = np.dtype(kind)
    order = _ORDERS[channels]

    def unpack(data: bytes, width: int, height: int) -> np.ndarray:
        stored = np.frombuffer(data, dtype).reshape(height, width, len(channels))
        if dtype.kind == "f":
            stored = finite(stored)
        elif dtype.itemsize > 1:
            stored = (stored / np.float32(65535)).astype(np.float16)
        result = np.zeros((height, width, len(order)), stored.dtype)
        for k, letter in enumerate(order):
            if letter != "0":
                result[..., k] = stored[..., "rgba".index(letter)]
        return result

    each = 1 if dtype.itemsize == 1 else 2
    return KtxFormat(dtype.itemsize * len(channels), 1, each * len(order), srgb, unpack)


def finite(values: np.ndarray) -> np.ndarray:
    """float16 that can be light: what is no number becomes 0, what is too bright the brightest there is."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.clip(np.nan_to_num(values, nan=0.0, posinf=HIGHEST), 0, HIGHEST).astype(np.float16)


def _packed_floats(data: bytes, width: int, height: int) -> np.ndarray:
    """Floats of 11, 11 and 10 bits: a half's exponent and the first bits of its mantissa, without a sign."""
    word = np.frombuffer(data, "<u4").reshape(height, width)
    bits = np.stack([(word & 0x7FF) << 4, (word >> 11 & 0x7FF) << 4, (word >> 22) << 5], axis=-1)
    return finite(bits.astype(np.uint16).view(np.float16))


def _shared_exponent(data: bytes, width: int, height: int) -> np.ndarray:
    """Three mantissas of 9 bits and an exponent."""
    word = np.frombuffer(data, "<u4").reshape(height, width)
    scale = np.exp2((word >> 27).astype(np.float32) - 24)
    return finite(np.stack([(word >> shift & 0x1FF) * scale for shift in (0, 9, 18)], axis=-1))


def _ten_bits(order: tuple[int, int, int]) -> Callable[[bytes, int, int], np.ndarray]:
    def unpack(data: bytes, width: int, height: int) -> np.ndarray:
        word = np.frombuffer(data, "<u4").reshape(height, width)
        colors = [(word >> shift & 0x3FF) / np.float32(1023) for shift in order]
        return np.stack([*colors, (word >> 30) / np.float32(3)], axis=-1).astype(np.float16)

    return unpack


def _blocks(number: int, channels: int, size: int, srgb: bool = False) -> KtxFormat:
    """A format of block compression, BC1 to BC7; Pillow unpacks it. BC4 has red, BC5 red and green."""

    def unpack(data: bytes, width: int, height: int) -> np.ndarray:
        from PIL import Image

        whole = (-(-width // 4) * 4, -(-height // 4) * 4)
        mode = {4: "L", 5: "RGB"}.get(number, "RGBA")
        pixels = np.asarray(Image.frombytes(mode, whole, data, "bcn", number, f"BC{number}"))[:height, :width]
        if number == 4:
            pixels = np.stack([pixels, np.zeros_like(pixels), np.zeros_like(pixels)], axis=-1)
        return pixels[..., :channels]

    return KtxFormat(size, 4, channels, srgb, unpack)


_PACKED_FLOATS = KtxFormat(4, 1, 6, False, _packed_floats)
_SHARED_EXPONENT = KtxFormat(4, 1, 6, False, _shared_exponent)
_RED_LOW, _BLUE_LOW = (
    KtxFormat(4, 1, 8, False, _ten_bits((0, 10, 20))),
    KtxFormat(4, 1, 8, False, _ten_bits((20, 10, 0))),
)

BY_VULKAN: dict[int, KtxFormat] = {
    9: _plain("u1", "r"), 15: _plain("u1", "r", True), 16: _plain("u1", "rg"), 22: _plain("u1", "rg", True),
    23: _plain("u1", "rgb"), 29: _plain("u1", "rgb", True), 30: _plain("u1", "bgr"), 36: _plain("u1", "bgr", True),
    37: _plain("u1", "rgba"), 43: _plain("u1", "rgba", True), 44: _plain("u1", "bgra"), 50: _plain("u1", "bgra", True),
    58: _BLUE_LOW, 64: _RED_LOW,
    70: _plain("<u2", "r"), 77: _plain("<u2", "rg"), 84: _plain("<u2", "rgb"), 91: _plain("<u2", "rgba"),
    76: _plain("<f2", "r"), 83: _plain("<f2", "rg"), 90: _plain("<f2", "rgb"), 97: _plain("<f2", "rgba"),
    100: _plain("<f4", "r"), 103: _plain("<f4", "rg"), 106: _plain("<f4", "rgb"), 109: _plain("<f4", "rgba"),
    122: _PACKED_FLOATS, 123: _SHARED_EXPONENT,
    131: _blocks(1, 3, 8), 132: _blocks(1, 3, 8, True), 133: _blocks(1, 4, 8), 134: _blocks(1, 4, 8, True),
    135: _blocks(2, 4, 16), 136: _blocks(2, 4, 16, True), 137: _blocks(3, 4, 16), 138: _blocks(3, 4, 16, True),
    139: _blocks(4, 3, 8), 141: _blocks(5, 3, 16), 145: _blocks(7, 4, 16), 146: _blocks(7, 4, 16, True),
}  # fmt: skip
"""VkFormat -> format."""

_TYPES = {0x1401: "u1", 0x1403: "<u2", 0x140B: "<f2", 0x8D61: "<f2", 0x1406: "<f4"}
_LAYOUTS = {
    0x1903: "r", 0x8227: "rg", 0x1907: "rgb", 0x1908: "rgba", 0x80E0: "bgr", 0x80E1: "bgra", 0x1909: "l",
    0x190A: "la",
}  # fmt: skip
BY_GL: dict[tuple[int, int], KtxFormat] = {
    (kind, layout): _plain(number, channels) for kind, number in _TYPES.items() for layout, channels in _LAYOUTS.items()
}
"""(glType, glFormat) -> format."""
BY_GL[0x8C3B, 0x1907] = _PACKED_FLOATS
BY_GL[0x8C3E, 0x1907] = _SHARED_EXPONENT
BY_GL[0x8368, 0x1908], BY_GL[0x8368, 0x80E1] = _RED_LOW, _BLUE_LOW

BY_GL_BLOCK: dict[int, KtxFormat] = {
    0x83F0: BY_VULKAN[131], 0x83F1: BY_VULKAN[133], 0x83F2: BY_VULKAN[135], 0x83F3: BY_VULKAN[137],
    0x8C4C: BY_VULKAN[132], 0x8C4D: BY_VULKAN[134], 0x8C4E: BY_VULKAN[136], 0x8C4F: BY_VULKAN[138],
    0x8DBB: BY_VULKAN[139], 0x8DBD: BY_VULKAN[141], 0x8E8C: BY_VULKAN[145], 0x8E8D: BY_VULKAN[146],
}  # fmt: skip
"""glInternalFormat of compressed images -> format."""
SRGB_GL = frozenset({0x8C40, 0x8C41, 0x8C42, 0x8C43, 0x8C46, 0x8C47, 0x8FBD, 0x8FBE})
"""glInternalFormat of plain images that are sRGB."""
BASIS_MODELS = {163: "ETC1S", 166: "UASTC"}
"""colorModel of the data format descriptor -> how Basis Universal compressed the file."""

_VULKAN_FAMILIES = ((143, 144, "BC6H"), (140, 142, "signed BC"), (147, 156, "ETC2"), (157, 184, "ASTC"))
_GL_FAMILIES = (
    (0x8D64, 0x8D64, "ETC1"), (0x9270, 0x9279, "ETC2"), (0x93B0, 0x93BD, "ASTC"), (0x93D0, 0x93DD, "ASTC"),
    (0x8E8E, 0x8E8F, "BC6H"), (0x8C00, 0x8C03, "PVRTC"),
)  # fmt: skip


def _family(number: int, families) -> str:
    return next((f"{name}, " for first, last, name in families if first <= number <= last), "")


def vulkan_name(number: int) -> str:
    """A format that is not read, for a message."""
    return f"{_family(number, _VULKAN_FAMILIES)}VkFormat {number}"


def gl_name(kind: int, layout: int, internal: int) -> str:
    """A format that is not read, for a message."""
    if kind == 0:
        return f"{_family(internal, _GL_FAMILIES)}glInternalFormat 0x{internal:04X}"
    return f"glType 0x{kind:04X}, glFormat 0x{layout:04X}"
