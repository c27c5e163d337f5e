"""Colours of curves are told apart in both themes, also with each kind of colour blindness."""

import itertools

import numpy as np
import pytest

from kinetree.app.panels.analysing.plots.curves import COLOURS
from kinetree.app.settings import theme

LEAST = 18.0
"""Distance of two colours in CIE L*a*b*: 2 is just seen side by side."""
SIGHT = {
    "normal": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
"""Kind of sight -> the matrix from linear RGB to the colour that is seen (Machado, Oliveira and Fernandes, 2009)."""
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour: str) -> np.ndarray:
    values = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(colour: str, sight: str) -> np.ndarray:
    xyz = TO_XYZ @ np.clip(np.array(SIGHT[sight]) @ linear(colour), 0, 1) / np.array([0.9505, 1, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("name", COLOURS)
def test_each_pair_differs(name, sight):
    close = {
        pair: round(float(distance), 1)
        for pair in itertools.combinations(COLOURS[name], 2)
        if (distance := np.linalg.norm(lab(pair[0], sight) - lab(pair[1], sight))) < LEAST
    }
    assert not close


@pytest.mark.parametrize("name", COLOURS)
def test_each_is_seen_on_the_background(name):
    def luminance(colour: str) -> float:
        return float(TO_XYZ[1] @ linear(colour))

    base = luminance(theme.choose(name).base)
    for colour in COLOURS[name]:
        low, high = sorted((base, luminance(colour)))
        assert (high + 0.05) / (low + 0.05) >= 3.0, colour
