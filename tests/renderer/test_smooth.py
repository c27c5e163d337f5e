"""Edges of the finished picture are smoothed where pixels have one sample."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.effects import Preset, with_preset
from kinetree.engine.scene.options import VisOptions

MODEL = """
<mujoco>
  <visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
  <worldbody>
    <camera name="front" pos="0 -3 0" xyaxes="1 0 0 0 0 1"/>
    <geom type="box" size=".7 .1 .7" euler="0 20 0" rgba="1 1 1 1"/>
  </worldbody>
</mujoco>"""


def picture(**effects) -> np.ndarray:
    """Brightness, 0..255, (height, width)."""
    model = kinetree.load_string(MODEL)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    options = with_preset(VisOptions(), Preset.PERFORMANCE)
    options.skybox = False
    for name, value in effects.items():
        setattr(options, name, value)
    return kinetree.render(model, data, 200, 200, "front", options).mean(axis=2)


def between(image: np.ndarray) -> np.ndarray:
    """Which pixels are neither the box nor what is behind it."""
    dark, bright = image.min(), image.max()
    assert bright - dark > 100
    return (image > dark + 30) & (image < bright - 30)


def test_edges_are_smoothed_and_areas_are_not():
    hard, smooth = picture(fxaa=False), picture()
    assert between(hard).sum() < 20 and between(smooth).sum() > 150
    changed = abs(hard - smooth) > 2
    rows, columns = np.nonzero(changed)
    near = [
        between(smooth)[max(y - 2, 0) : y + 3, max(x - 2, 0) : x + 3].any() for y, x in zip(rows, columns, strict=True)
    ]
    assert np.mean(near) > 0.95
    assert abs(hard.mean() - smooth.mean()) < 0.5


def unevenness(image: np.ndarray) -> float:
    """Standard deviation of the upper edge of the box from a straight line, pixels."""
    columns = np.arange(75, 105)
    height = (image[:100, columns] / image.max()).sum(axis=0)
    return float((height - np.polyval(np.polyfit(columns, height, 1), columns)).std())


def test_an_edge_is_straighter():
    assert unevenness(picture()) < 0.6 * unevenness(picture(fxaa=False))


@pytest.mark.parametrize("samples", [2, 4])
def test_pictures_with_more_samples_stay(samples):
    np.testing.assert_array_equal(picture(samples=samples), picture(samples=samples, fxaa=False))
