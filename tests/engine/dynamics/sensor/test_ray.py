"""Rays without the reference: what scaling, moving and leaving out must and must not change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinetree

TEXT = """<mujoco><asset><mesh name="m" vertex="-1 -1 -1 1 -1 -1 -1 1 -1 0 0 1.5 .3 .9 .2"/>
  <hfield name="h" nrow="4" ncol="3" size="1 2 .5 .2" elevation="0 1 0 2 3 1 0 1 0 1 1 1"/></asset><worldbody>
 <geom type="plane" size="4 4 1" pos="0 0 -2"/><geom type="hfield" hfield="h" pos="3 0 -1" group="2"/>
 <body name="a" pos="0 0 0"><freejoint/><geom type="box" size=".5 .4 .3"/><geom type="capsule" size=".2 .5" pos="1 0 0"/>
  <body pos="0 1 0"><geom type="ellipsoid" size=".2 .4 .3"/><geom type="cylinder" size=".2 .3" pos="0 1 0" group="1"/></body>
 </body>
 <body pos="-2 0 0" quat="1 2 3 4"><joint/><geom type="mesh" mesh="m"/><geom size=".3" pos="0 0 2"/></body>
</worldbody></mujoco>"""
coordinates = st.lists(st.floats(-4, 4), min_size=3, max_size=3)
directions = coordinates.filter(lambda v: np.linalg.norm(v) > 1e-3)


@pytest.fixture(scope="module")
def world():
    model = kinetree.load_string(TEXT)
    data = kinetree.Data(model)
    data.qpos[3:7] = [0.7, 0.1, -0.7, 0.1]
    kinetree.forward(model, data)
    return model, data


@settings(max_examples=200)
@given(coordinates, directions, st.floats(0.01, 100))
def test_longer_directions_give_shorter_distances(world, start, direction, factor):
    distance, geom = kinetree.ray(*world, start, direction)
    scaled, other = kinetree.ray(*world, start, np.multiply(direction, factor))
    assert geom == other
    assert geom < 0 or scaled * factor == pytest.approx(distance, rel=1e-9, abs=1e-12)


@settings(max_examples=200)
@given(coordinates, directions)
def test_the_first_of_all_is_the_nearest_of_the_parts(world, start, direction):
    model, data = world
    found = []
    for group in range(3):
        for body in range(model.nbody):
            found.append(kinetree.ray(model, data, start, direction, [k == group for k in range(6)], True, body))
    hits = [hit for hit in found if hit[1] >= 0]
    assert kinetree.ray(model, data, start, direction)[0] == (min(hits)[0] if hits else -1.0)


@settings(max_examples=100)
@given(coordinates, directions)
def test_nothing_lies_before_the_hit(world, start, direction):
    """From a little before the hit the same geom is met, at what is left of the way."""
    distance, geom = kinetree.ray(*world, start, direction)
    if geom >= 0:
        near = np.add(start, np.multiply(direction, 0.999 * distance))
        rest, again = kinetree.ray(*world, near, direction)
        assert again == geom and rest == pytest.approx(0.001 * distance, abs=1e-9 * (1 + distance))


def test_what_is_left_out(world):
    model, data = world
    down = ([0, 0, 5], [0, 0, -1])
    first = kinetree.ray(model, data, *down)[1]
    assert model.geom_bodyid[first] == 1
    assert kinetree.ray(model, data, *down, bodyexclude=1)[1] == 0
    assert kinetree.ray(model, data, *down, bodyexclude=1, flg_static=False) == (-1.0, -1)
    assert kinetree.ray(model, data, *down, [0] * 6) == (-1.0, -1)
    assert kinetree.ray(model, data, [0, 0, -5], [0, 0, 1], flg_static=True)[1] != 0  # planes have no back
