"""Mip levels of drawn textures: those of the driver, made by our shader for software rendering."""

from __future__ import annotations

import numpy as np
import pytest

from kinetree.renderer import context as gl
from kinetree.renderer.device import Device
from kinetree.renderer.pool import Sampling, TargetFormat, TextureSpec
from tests.renderer.test_levels import seen


@pytest.mark.parametrize(
    ("format", "size", "count"),
    [
        (TargetFormat.RGBA16F, (64, 32), 6),
        (TargetFormat.RGBA16F, (75, 41), 6),
        (TargetFormat.R11G11B10F, (40, 24), 4),
        (TargetFormat.RG16F, (1, 5), 3),
    ],
)
def test_levels_are_those_of_the_driver(format, size, count):
    context = gl.headless()
    with context:
        device = Device(context, None)
        if device.halving is None:
            pytest.skip("a graphics card makes them itself")
        spec = TextureSpec(format, *size, levels=count, sampling=Sampling.LINEAR)
        shape = size[1], size[0], format.value.components
        pixels = np.random.default_rng(0).uniform(0, 9, shape).astype(np.float16)
        ours, theirs = (device.pool.acquire(spec) for _ in range(2))
        for texture in (ours, theirs):
            texture.write(pixels.tobytes(), alignment=1)
        theirs.build_mipmaps(max_level=count - 1)
        for _ in range(2):  # of a texture that has its levels too
            device.make_levels(ours, count)
        for level in range(count):
            smaller = max(size[0] >> level, 1), max(size[1] >> level, 1)
            found, expected = (seen(context, texture, level, smaller) for texture in (ours, theirs))
            np.testing.assert_allclose(found, expected, rtol=0.04, atol=0.02)  # 1 / 32 is a step of blue in 32 bits
            assert found[..., :2].max() > 1.0
        assert not context.error.startswith("GL_INVALID")
        for texture in (ours, theirs):
            device.pool.give_back(spec, texture)
        device.release()
    context.release()
