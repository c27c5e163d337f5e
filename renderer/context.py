"""The OpenGL context: one without a window, and the state that a frame relies on.

moderngl leaves the state that it does not wrap to the caller; `prepare` sets all that a frame relies on, as
Qt and others change it between frames.
"""

from __future__ import annotations

from typing import Any

import moderngl

from kinetree.engine.platforms import display

GL_CLIP_DISTANCE0 = 0x3000
GL_MULTISAMPLE = 0x809D
GL_FRAMEBUFFER_SRGB = 0x8DB9
GL_TEXTURE_CUBE_MAP_SEAMLESS = 0x884F
GL_SCISSOR_TEST, GL_STENCIL_TEST, GL_DITHER = 0x0C11, 0x0B90, 0x0BD0
GL_SAMPLE_ALPHA_TO_COVERAGE = 0x809E
GL_RASTERIZER_DISCARD = 0x8C89
REQUIRED = 410
ALPHA_BLENDING = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA  # OpenGL's usual one


class NoContext(RuntimeError):
    """OpenGL 4.1 is not available; str() says why and what to do.

    Source: Kinetree's own.

    Example:
        model = kinetree.load("arm.xml")
        try:
            kinetree.render(model, kinetree.Data(model), 160, 120)
        except kinetree.NoContext as error:
            print("no picture:", error)
    """


def headless() -> moderngl.Context:
    """A context without a window: EGL on Linux, a hidden one elsewhere. Raises NoContext."""
    settings: dict[str, Any] = {}
    if display.draws_by_egl():
        settings["backend"] = "egl"
    try:
        context = moderngl.create_context(standalone=True, require=REQUIRED, **settings)
    except Exception as error:
        raise NoContext(
            f"no OpenGL {REQUIRED / 100:.1f} without a window: {error}. On Debian and Ubuntu, "
            "apt-get install libegl1 libgl1-mesa-dri brings software OpenGL"
        ) from error
    return context


def prepare(context: moderngl.Context) -> None:
    """Put every piece of global state that the passes rely on into a known state."""
    context.enable_only(moderngl.DEPTH_TEST)
    for flag in (
        GL_SCISSOR_TEST,
        GL_STENCIL_TEST,
        GL_FRAMEBUFFER_SRGB,
        GL_SAMPLE_ALPHA_TO_COVERAGE,
        GL_CLIP_DISTANCE0,
        GL_RASTERIZER_DISCARD,
        GL_DITHER,
    ):
        context.disable_direct(flag)
    context.enable_direct(GL_MULTISAMPLE)
    context.enable_direct(GL_TEXTURE_CUBE_MAP_SEAMLESS)
    context.front_face = "ccw"
    context.cull_face = "back"
    context.depth_func = "<="
    context.wireframe = False
    context.polygon_offset = 0.0, 0.0
    context.blend_func = ALPHA_BLENDING
    context.blend_equation = moderngl.FUNC_ADD, moderngl.FUNC_ADD  # of colours, of alpha


def is_software(context: moderngl.Context) -> bool:
    """Whether the processor draws (Mesa's llvmpipe or softpipe)."""
    name = context.info["GL_RENDERER"].lower()
    return "llvmpipe" in name or "softpipe" in name or "swiftshader" in name
