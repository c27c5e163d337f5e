"""Mip levels that the processor makes: those of the driver, but for rounding."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from kinetree.renderer import context as gl
from kinetree.renderer import levels

READ = """#version 410
uniform {kind} image;
uniform int level;
out vec4 color;
void main() {{ color = {fetch}; }}"""
SCREEN = (
    "#version 410\nvoid main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }"
)
FLAT = "sampler2D", "texelFetch(image, ivec2(gl_FragCoord.xy), level)"
SIDE = "samplerCube", "textureLod(image, vec3(1.0, 0.0, 0.0), float(level))"
SRGB8, SRGB8_ALPHA8 = 0x8C41, 0x8C43


def seen(context: moderngl.Context, texture, level: int, size: tuple[int, int], how=FLAT) -> np.ndarray:
    """The texels of a level, as a shader reads them."""
    program = context.program(vertex_shader=SCREEN, fragment_shader=READ.format(kind=how[0], fetch=how[1]))
    target = context.framebuffer([context.texture(size, 4, dtype="f4")])
    target.use()
    texture.filter = moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR
    texture.use(3)
    program["image"], program["level"] = 3, level
    context.vertex_array(program, []).render(moderngl.TRIANGLES, vertices=3)
    return np.frombuffer(target.read(components=4, dtype="f4"), np.float32).reshape(size[1], size[0], 4)


@pytest.mark.parametrize(
    ("shape", "internal"), [((64, 32, 3), SRGB8), ((32, 32, 4), SRGB8_ALPHA8), ((16, 64, 3), None)]
)
def test_levels_are_those_of_the_driver(shape, internal):
    pixels = np.random.default_rng(0).integers(0, 256, shape).astype(np.uint8)
    context = gl.headless()
    with context:
        ours, theirs = (
            context.texture((shape[1], shape[0]), shape[2], pixels.tobytes(), alignment=1, internal_format=internal)
            for _ in range(2)
        )
        theirs.build_mipmaps()
        assert levels.make(context, ours, pixels, internal)
        for level in range(max(shape).bit_length()):
            size = max(shape[1] >> level, 1), max(shape[0] >> level, 1)
            found, expected = (seen(context, texture, level, size) for texture in (ours, theirs))
            np.testing.assert_allclose(found, expected, atol=3.1 / 255)
            assert level == 0 or not np.array_equal(found, np.zeros_like(found))
    context.release()


def test_levels_of_light():
    """Halves: means, on every side of a cube."""
    faces = np.random.default_rng(1).uniform(0, 9, (6, 8, 8, 4)).astype(np.float16)
    context = gl.headless()
    with context:
        texture = context.texture_cube((8, 8), 4, faces.tobytes(), dtype="f2")
        assert levels.make(context, texture, faces, None)
        found = seen(context, texture, 3, (1, 1), SIDE)[0, 0]
    context.release()
    np.testing.assert_allclose(found, faces[0].astype(float).mean(axis=(0, 1)), rtol=2e-3)


def test_colors_are_averaged_as_light():
    black_and_white = np.zeros((2, 2, 3), np.uint8)
    black_and_white[0] = 255
    [one] = levels.halved(black_and_white, srgb=True)
    assert one.tolist() == [[[188, 188, 188]]]
    [one] = levels.halved(black_and_white, srgb=False)
    assert one.tolist() == [[[128, 128, 128]]]


@pytest.mark.parametrize("shape", [(3, 4, 3), (2048, 1024, 3)])
def test_other_images_are_left_to_the_driver(shape):
    assert not levels.make(None, None, np.zeros(shape, np.uint8), None)  # pyright: ignore
