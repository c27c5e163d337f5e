"""Mip levels made by the processor, where the processor draws.

Mesa's llvmpipe compiles a program for each format of image whose levels it makes, 50 to 75 ms each, in every process.
With this file and `halving.py` the first frame of `walker.xml` takes 0.42 s of a processor, without them 0.73 s
(`arm.xml`: 0.55 and 0.77 s; medians of three starts at 640 x 400, 2026-11-23); later frames take the same. moderngl
cannot write levels that the driver has not made, nor draw into one, so OpenGL's own functions are called, in these two
files only (`tests/test_private_names.py`).
"""

from __future__ import annotations

import ctypes
import ctypes.util
from functools import cache

import moderngl
import numpy as np

from kinetree.engine.scene.scene import encoded, linear

MOST_PIXELS = 1 << 20  # of an image; the driver is faster with larger ones
GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP, GL_SIDE = 0x0DE1, 0x8513, 0x8515
GL_TEXTURE0, GL_TEXTURE_MAX_LEVEL, GL_UNPACK_ALIGNMENT = 0x84C0, 0x813D, 0x0CF5
GL_RGB, GL_RGBA, GL_UNSIGNED_BYTE, GL_HALF_FLOAT = 0x1907, 0x1908, 0x1401, 0x140B
INTERNAL = {("u1", 3): 0x8051, ("u1", 4): 0x8058, ("f2", 3): 0x881B, ("f2", 4): 0x881A}
"""moderngl's names of the formats of these channels: RGB8, RGBA8, RGB16F, RGBA16F."""
FINE = 4096  # steps of light from which sRGB is looked up


@cache
def library() -> ctypes.CDLL | None:
    """OpenGL's functions, which work on the context that is current; None where they are not found."""
    for name in ("GL", "OpenGL"):
        found = ctypes.util.find_library(name)
        if found is not None:
            try:
                loaded = ctypes.CDLL(found)
                loaded.glTexImage2D.argtypes = [
                    *(ctypes.c_uint, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int),
                    *(ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p),
                ]
                loaded.glTexSubImage2D.argtypes = [
                    *(ctypes.c_uint, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int),
                    *(ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p),
                ]
                return loaded
            except (OSError, AttributeError):
                continue
    return None


def make(
    context: moderngl.Context,
    texture: moderngl.Texture | moderngl.TextureCube,
    pixels: np.ndarray,
    internal: int | None,
) -> bool:
    """Give a texture the mip levels of its image, uint8 or float16: (height, width, channels), or with six sides
    before. `internal`: its format, None for the usual one of those channels; those of sRGB are averaged as light.

    False where the driver is to do it: no function is found, or the sides of the image are no powers of two.
    """
    height, width = pixels.shape[-3:-1]
    if height & (height - 1) or width & (width - 1) or pixels.size // pixels.shape[-1] > MOST_PIXELS:
        return False
    if library() is None:
        return False
    write(context, texture, halved(pixels, internal is not None), internal, first=1)
    return True


def write(
    context: moderngl.Context,
    texture: moderngl.Texture | moderngl.TextureCube,
    levels: list[np.ndarray],
    internal: int | None = None,
    first: int = 0,
) -> None:
    """Define the levels of a texture from `first` on, each half the one before; they are its last ones."""
    gl = library()
    assert gl is not None
    cube = isinstance(texture, moderngl.TextureCube)
    target = GL_TEXTURE_CUBE_MAP if cube else GL_TEXTURE_2D
    gl.glActiveTexture(GL_TEXTURE0 + context.default_texture_unit)
    gl.glBindTexture(target, texture.glo)
    gl.glPixelStorei(GL_UNPACK_ALIGNMENT, 1)
    for number, level in enumerate(levels, first):
        height, width, channels = level.shape[-3:]
        kind = "u1" if level.dtype == np.uint8 else "f2"
        known = INTERNAL[kind, channels] if internal is None else internal
        for side, image in enumerate(np.ascontiguousarray(level).reshape(-1, height, width, channels)):
            gl.glTexImage2D(
                GL_SIDE + side if cube else GL_TEXTURE_2D, number, known, width, height, 0,
                {3: GL_RGB, 4: GL_RGBA}[channels], GL_UNSIGNED_BYTE if kind == "u1" else GL_HALF_FLOAT,
                image.ctypes.data,
            )  # fmt: skip
    gl.glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, first + len(levels) - 1)
    gl.glBindTexture(target, 0)


def define(context: moderngl.Context, texture: moderngl.Texture, internal: int, count: int) -> None:
    """Give a texture `count` levels with level 0, with undefined content, to be drawn into."""
    gl = library()
    assert gl is not None
    gl.glActiveTexture(GL_TEXTURE0 + context.default_texture_unit)
    gl.glBindTexture(GL_TEXTURE_2D, texture.glo)
    for level in range(1, count):
        size = max(texture.width >> level, 1), max(texture.height >> level, 1)
        gl.glTexImage2D(GL_TEXTURE_2D, level, internal, *size, 0, GL_RGBA, GL_HALF_FLOAT, None)
    gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, count - 1)
    gl.glBindTexture(GL_TEXTURE_2D, 0)


def place(context: moderngl.Context, texture: moderngl.Texture, image: np.ndarray, level: int, left: int) -> None:
    """Put a part of a level that `write` has defined: (height, width, 4) float16, so far from the left."""
    gl = library()
    assert gl is not None
    gl.glActiveTexture(GL_TEXTURE0 + context.default_texture_unit)
    gl.glBindTexture(GL_TEXTURE_2D, texture.glo)
    gl.glPixelStorei(GL_UNPACK_ALIGNMENT, 1)
    height, width = image.shape[:2]
    pixels = np.ascontiguousarray(image, np.float16)
    gl.glTexSubImage2D(GL_TEXTURE_2D, level, left, 0, width, height, GL_RGBA, GL_HALF_FLOAT, pixels.ctypes.data)
    gl.glBindTexture(GL_TEXTURE_2D, 0)


def can_write() -> bool:
    """Whether `write` can be called."""
    return library() is not None


def halved(pixels: np.ndarray, srgb: bool) -> list[np.ndarray]:
    """The smaller levels of an image whose sides are powers of two: means of the pixels, of their light if `srgb`."""
    light = _light().take(pixels) if pixels.dtype == np.uint8 and srgb else pixels.astype(np.float32)
    if srgb and pixels.shape[-1] == 4:
        light[..., 3] = pixels[..., 3]
    result = []
    while max(light.shape[-3:-1]) > 1:
        if light.shape[-3] > 1:
            light = light[..., 0::2, :, :] + light[..., 1::2, :, :]
            light *= 0.5
        if light.shape[-2] > 1:
            light = light[..., 0::2, :] + light[..., 1::2, :]
            light *= 0.5
        result.append(_stored(light, pixels.dtype, srgb))
    return result


def _stored(light: np.ndarray, dtype: np.dtype, srgb: bool) -> np.ndarray:
    if dtype != np.uint8:
        return light.astype(dtype)
    if not srgb:
        return np.rint(light).astype(np.uint8)
    colors = _shades().take(np.rint(light * FINE).astype(np.int32), mode="clip")
    if light.shape[-1] == 4:
        colors[..., 3] = np.rint(light[..., 3])
    return colors


@cache
def _light() -> np.ndarray:
    """(256,) float32 light of each sRGB value."""
    return np.asarray(linear(np.arange(256) / 255), np.float32)


@cache
def _shades() -> np.ndarray:
    """(FINE + 1,) uint8: the sRGB value of light in steps."""
    return np.rint(255 * np.asarray(encoded(np.arange(FINE + 1) / FINE))).astype(np.uint8)
