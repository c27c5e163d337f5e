"""Makes mip levels of drawn textures with a shader, for software rendering.

Mesa's llvmpipe compiles a program for each format of image whose levels it makes, in every process; ours stays in
Mesa's cache. `levels.py` has measurements. moderngl cannot draw into a level, so OpenGL's own functions attach it.
"""

from __future__ import annotations

import ctypes

import moderngl

from kinetree.renderer import levels
from kinetree.renderer.shader import SAMPLERS, Programs

GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, GL_TEXTURE_MAX_LEVEL = 0x0DE1, 0x813C, 0x813D
GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE0 = 0x8D40, 0x8CE0, 0x84C0


class Halving:
    """Owns the framebuffer of one context into which levels are drawn."""

    def __init__(self, context: moderngl.Context, programs: Programs):
        self._context, self._programs = context, programs
        self._framebuffer = ctypes.c_uint(0)
        self._sampler = context.sampler(False, False, False, (moderngl.LINEAR, moderngl.LINEAR))

    def fill(self, texture: moderngl.Texture, count: int) -> None:
        """Make the levels of a texture from level 0; `count` with that one. Changes which framebuffer is drawn into."""
        library, context = levels.library(), self._context
        assert library is not None
        program = self._programs.get("screen.vert", "halve.frag")
        if not self._framebuffer:
            library.glGenFramebuffers(1, ctypes.byref(self._framebuffer))
        unit = SAMPLERS["image_map"]
        context.enable_only(moderngl.NOTHING)
        texture.use(unit)
        self._sampler.use(unit)
        library.glActiveTexture(GL_TEXTURE0 + unit)
        library.glBindFramebuffer(GL_FRAMEBUFFER, self._framebuffer)
        for level in range(1, count):
            width, height = max(texture.width >> level, 1), max(texture.height >> level, 1)
            self._read_only(library, level - 1, level - 1)  # what is drawn into is not read
            _attach(library, texture.glo, level)
            library.glViewport(0, 0, width, height)
            program["size"] = (width, height)
            self._programs.screens.of(program).render(moderngl.TRIANGLES, vertices=3)
        self._read_only(library, 0, count - 1)
        _attach(library, 0, 0)
        self._sampler.clear(unit)

    def _read_only(self, library: ctypes.CDLL, first: int, last: int) -> None:
        library.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, first)
        library.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, last)

    def release(self) -> None:
        """Delete the framebuffer."""
        library = levels.library()
        if self._framebuffer and library is not None:
            library.glDeleteFramebuffers(1, ctypes.byref(self._framebuffer))
            self._framebuffer = ctypes.c_uint(0)
        self._sampler.release()


def _attach(library: ctypes.CDLL, texture: int, level: int) -> None:
    library.glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, level)
