"""The section plane: what is drawn, seen and picked of a model that is cut open."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kinetree
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.pick import pick
from kinetree.engine.scene.section import across, nearest_on_line, on_sphere, seen

vectors = st.tuples(*[st.floats(-2, 2)] * 3)
directions = vectors.filter(lambda v: np.linalg.norm(v) > 0.1).map(lambda v: np.array(v) / np.linalg.norm(v))
TEXT = """<mujoco><worldbody>
  <geom name="floor" type="plane" size="5 5 1" pos="0 0 -1"/>
  <geom name="near" size=".3" pos="2 0 0"/><geom name="far" size=".3" pos="-2 0 0"/>
</worldbody></mujoco>"""


@given(vectors, directions, vectors, directions)
def test_what_a_ray_sees_is_on_the_side_that_is_drawn(point, normal, origin, direction):
    section = across(point, normal)
    start, end = seen(section, np.array(origin), direction)
    if start > end:
        return
    plane = section.plane
    for distance in (start, start + 0.5 * min(end - start, 4.0)):
        assert plane[:3] @ (np.array(origin) + distance * direction) + plane[3] >= -1e-6 * max(1.0, distance)


@pytest.mark.parametrize(("cut_at", "hit"), [(3.0, "near"), (0.0, "far"), (-3.0, None)])
def test_what_is_cut_away_is_not_picked(cut_at, hit):
    model = kinetree.load_string(TEXT)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    options = VisOptions(section=across((cut_at, 0, 0), (1, 0, 0)))
    found = pick(model, data, (10, 0, 0), (-1, 0, 0), options)
    assert (None if found is None else model.names["geom"][found.geomid]) == hit
    if found is not None:
        assert np.isclose(found.distance, 10 - found.point[0])


@pytest.mark.parametrize(("shape", "size"), [("sphere", ".5"), ("box", ".5 .4 .3"), ("cylinder", ".4 .5")])
def test_a_cut_is_picked_on_the_plane_and_what_is_cut_in_it_too(shape, size):
    model = kinetree.load_string(f"""<mujoco><worldbody><geom name="outer" type="{shape}" size="{size}"/>
      <geom name="behind" pos="-.2 0 0" size=".1"/><geom name="cut" pos="0 .2 0" size=".05"/></worldbody></mujoco>""")
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    options = VisOptions(section=across((0, 0, 0), (1, 0, 0)))
    for y, name in ((0.0, "outer"), (0.2, "cut")):
        found = pick(model, data, (10, y, 0), (-1, 0, 0), options)
        assert model.names["geom"][found.geomid] == name and np.allclose(found.point, (0, y, 0), atol=1e-5)
    found = pick(model, data, (10, 2, 0), np.array((-1, -0.1, 0)), options)  # it passes beside the shapes
    assert found is None


def test_the_inside_of_what_is_cut_is_hit_and_planes_are_whole():
    model = kinetree.load_string(TEXT)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    options = VisOptions(section=across((2, 0, 0), (1, 0, 0)))
    found = pick(model, data, (10, 0, 0), (-1, 0, 0), options)
    assert found is not None and np.allclose(found.point, (2.0, 0, 0), atol=1e-5)
    below = pick(model, data, (4, 0, 3), (0, 0, -1), options)
    assert below is not None and model.names["geom"][below.geomid] == "floor"


@given(vectors, directions, vectors, directions)
def test_the_place_on_a_line_is_the_nearest_one(point, axis, origin, direction):
    along = nearest_on_line(point, axis, origin, direction)
    if along is None:
        return

    def gap(t):
        away = np.array(point) + t * axis - np.array(origin)
        return np.linalg.norm(away - (away @ direction) * direction)

    assert gap(along) <= min(gap(along + 0.01), gap(along - 0.01)) + 1e-9


@given(vectors, directions, directions, st.floats(0.1, 2), directions)
def test_a_ring_follows_the_mouse_on_its_sphere(point, normal, looking, radius, aside):
    """Where the ray meets the sphere the normal leads to that very place, else as near to the ray as it can."""
    origin = np.array(point) - 10.0 * looking + 0.5 * radius * aside
    found = on_sphere(point, radius, normal, origin, looking)
    assert np.linalg.norm(found) == pytest.approx(1.0)
    place = np.array(point) + radius * found
    away = place - origin - ((place - origin) @ looking) * looking
    assert np.linalg.norm(away) < 1e-6 * (1.0 + radius)
    other = found - 2.0 * (found @ looking) * looking
    assert found @ normal >= other @ normal - 1e-6
    missed = on_sphere(point, radius, normal, np.array(point) + 3.0 * np.cross(looking, aside) / radius, looking)
    assert abs(missed @ looking) < 1e-6 or np.linalg.norm(np.cross(looking, aside)) * 3.0 / radius <= radius


@given(directions, directions)
def test_a_plane_is_tilted_about_its_point_freely_or_in_steps(before, wanted):
    section = across((1.0, 2.0, 3.0), before)
    free = section.facing(3.0 * wanted)
    assert free.point == section.point and np.allclose(free.normal, wanted)
    step = np.radians(15.0)
    x, y, z = section.facing(wanted, step).normal
    elevation = np.arcsin(np.clip(z, -1.0, 1.0)) / step
    assert abs(elevation - round(elevation)) < 1e-6
    if abs(z) < 0.999:
        azimuth = np.arctan2(y, x) / step
        assert abs(azimuth - round(azimuth)) < 1e-6
    assert np.degrees(np.arccos(np.clip(np.dot((x, y, z), wanted), -1, 1))) < 15.0
