"""Textures that passes draw into, and the framebuffers that attach them; both are reused from frame to frame.

A pass asks for a texture by its Spec (format, size, samples, levels, layers). What no frame asked for lately
is deleted, so that a window that changes size keeps no textures of its former sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import moderngl

from kinetree.renderer import levels
from kinetree.renderer.context import is_software

KEPT_FRAMES = 2  # a texture that this many frames in a row did not use is deleted


Image = moderngl.Texture | moderngl.TextureArray
"""Framebuffer textures of a target."""


class Pixels(NamedTuple):
    """Format of a texture for moderngl: channels, type of a channel, OpenGL's internal format."""

    components: int
    dtype: str
    internal: int | None


class TargetFormat(Enum):
    """The formats that targets may have."""

    RGBA8 = Pixels(4, "f1", 0x8058)
    RGBA16F = Pixels(4, "f2", 0x881A)
    RGBA32F = Pixels(4, "f4", 0x8814)
    R11G11B10F = Pixels(3, "f2", 0x8C3A)
    RG16F = Pixels(2, "f2", 0x822F)
    R32F = Pixels(1, "f4", 0x822E)
    RGBA32UI = Pixels(4, "u4", 0x8D70)
    DEPTH24 = Pixels(1, "f4", None)

    @property
    def is_depth(self) -> bool:
        """Whether it is attached as depth."""
        return self is TargetFormat.DEPTH24


class Sampling(Enum):
    """How shaders read a texture: one texel, a mean of the nearest four, or a depth comparison
    (sampler2DShadow)."""

    NEAREST = "nearest"
    LINEAR = "linear"
    COMPARE = "compare"


@dataclass(frozen=True, slots=True)
class TextureSpec:
    """Everything that decides whether two targets can share a texture."""

    format: TargetFormat
    width: int
    height: int
    samples: int = 0  # 0: not multisampled
    levels: int = 1  # mip levels
    layers: int = 1  # more than one: an array texture, attached as a whole
    sampling: Sampling = Sampling.NEAREST


class Pool:
    """Owns the textures and framebuffers of one context."""

    def __init__(self, context: moderngl.Context):
        self._context = context
        self.halves = is_software(context) and levels.can_write()  # `halving.py` makes mip levels
        self._idle: dict[tuple[TextureSpec, str], list[list]] = {}  # [texture, frames since it was used]
        self._framebuffers: dict[tuple[int, ...], moderngl.Framebuffer] = {}
        self._parking: moderngl.Framebuffer | None = None

    def acquire(self, spec: TextureSpec, owner: str = "") -> Image:
        """A texture of that kind with undefined content; it belongs to the caller until `give_back`. With an `owner`,
        the one that this owner gave back lately, with its content."""
        idle = self._idle.get((spec, owner))
        return idle.pop()[0] if idle else self._make(spec)

    def give_back(self, spec: TextureSpec, texture: Image, owner: str = "") -> None:
        """Return a texture to the pool; one with an `owner` is only given to that owner again."""
        self._idle.setdefault((spec, owner), []).append([texture, 0])

    def framebuffer(self, textures: list) -> moderngl.Framebuffer:
        """The framebuffer with these attachments: colours in order, and at most one depth."""
        key = tuple(texture.glo for texture in textures)
        framebuffer = self._framebuffers.get(key)
        if framebuffer is None:
            colors = [texture for texture in textures if not _is_depth(texture)]
            depth = next((texture for texture in textures if _is_depth(texture)), None)
            framebuffer = self._framebuffers[key] = self._context.framebuffer(colors, depth)
        return framebuffer

    def most_samples(self) -> int:
        """Samples a pixel, at most, that the driver gives targets of colour and depth: less than it says, on some."""
        for samples in (8, 4, 2):
            textures, framebuffer = [], None
            try:
                for format in (TargetFormat.RGBA16F, TargetFormat.DEPTH24):
                    textures.append(self._make(TextureSpec(format, 1, 1, samples)))
                    if textures[-1].samples < samples:
                        raise moderngl.Error
                framebuffer = self._context.framebuffer(textures[:1], textures[1])
                return samples
            except Exception:  # drivers and moderngl have many words for it
                continue
            finally:
                self._park()
                for made in (framebuffer, *textures):
                    if made is not None:
                        made.release()
        return 1

    def begin_frame(self) -> None:
        """Delete what the last frames did not use."""
        for spec, idle in list(self._idle.items()):
            for entry in idle:
                entry[1] += 1
            for texture, _ in [entry for entry in idle if entry[1] > KEPT_FRAMES]:
                self._delete(texture)
            self._idle[spec] = [entry for entry in idle if entry[1] <= KEPT_FRAMES]
            if not self._idle[spec]:
                del self._idle[spec]

    def release(self) -> None:
        """Delete everything that was given back."""
        for idle in self._idle.values():
            for texture, _ in idle:
                self._delete(texture)
        self._idle.clear()
        if self._parking is not None:
            color = self._parking.color_attachments[0]
            self._parking.release()
            color.release()
            self._parking = None

    def _make(self, spec: TextureSpec) -> Image:
        size, pixels = (spec.width, spec.height), spec.format.value
        if spec.format.is_depth:
            texture = self._context.depth_texture(size, samples=spec.samples)
            if not spec.samples:
                texture.compare_func = "<=" if spec.sampling is Sampling.COMPARE else ""
        elif spec.layers > 1:
            texture = self._context.texture_array((*size, spec.layers), pixels.components, dtype=pixels.dtype)
        else:
            texture = self._context.texture(
                size,
                pixels.components,
                samples=spec.samples,
                dtype=pixels.dtype,
                internal_format=pixels.internal,
            )
        if spec.levels > 1 and self.halves and pixels.internal and isinstance(texture, moderngl.Texture):
            levels.define(self._context, texture, pixels.internal, spec.levels)
        if not spec.samples:
            filtered = moderngl.NEAREST if spec.sampling is Sampling.NEAREST else moderngl.LINEAR
            smaller = moderngl.LINEAR_MIPMAP_LINEAR if spec.levels > 1 else filtered
            texture.filter = (smaller, filtered)
            texture.repeat_x = texture.repeat_y = False
        return texture

    def _delete(self, texture) -> None:
        self._park()
        for key in [key for key in self._framebuffers if texture.glo in key]:
            self._framebuffers.pop(key).release()
        texture.release()

    def _park(self) -> None:
        """Bind one pixel that nobody draws into: moderngl binds the framebuffer used last once more."""
        if self._parking is None:
            self._parking = self._context.framebuffer([self._context.renderbuffer((1, 1))])
        self._parking.use()


def _is_depth(texture) -> bool:
    return isinstance(texture, moderngl.Texture) and texture.depth
