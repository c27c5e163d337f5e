"""Rays: every kind of geom against the reference's ray, and what a click passes through."""

import mujoco
import numpy as np
import pytest

from engine.model.kinds import ObjectId
from engine.scene.options import VisOptions
from engine.scene.pick import pick as pick_ray
from engine.scene.pick import ray_geom
from tests.engine.scene.worlds import load
from tests.oracle.bridge import model_from


@pytest.fixture(scope="module")
def world():
    return load()


@pytest.mark.parametrize("name", ["sphere", "capsule", "ellipsoid", "cylinder", "box", "pane", "tetra", "hill"])
def test_distance_is_the_references(world, name):
    model, data = world
    kinetree = model_from(model)
    geom = model.geom(name).id
    rng = np.random.default_rng(geom)
    centre, axes = data.geom_xpos[geom], data.geom_xmat[geom].reshape(3, 3)
    hits = 0
    for _ in range(300):
        origin = centre + rng.normal(size=3) * 1.2
        direction = centre + rng.normal(size=3) * 0.25 - origin
        direction /= np.linalg.norm(direction)
        if name == "tetra":
            expected = mujoco.mj_rayMesh(model, data, geom, origin, direction)
        elif name == "hill":
            expected = mujoco.mj_rayHfield(model, data, geom, origin, direction)
        else:
            expected = mujoco.mju_rayGeom(
                centre, data.geom_xmat[geom], model.geom_size[geom], origin, direction, model.geom_type[geom]
            )
        ours = ray_geom(kinetree, geom, axes.T @ (origin - centre), axes.T @ direction)
        if name in ("tetra", "hill") and (expected < 0) != np.isinf(ours):
            continue  # the reference's rays differ where they start inside or graze an edge
        if expected < 0:
            assert np.isinf(ours)
        else:
            hits += 1
            if name == "hill" and ours > expected + 1e-6:
                # the reference takes the sides of the base's box, below the surface, for a hit up to the highest point
                local = axes.T @ (origin + expected * direction - centre)
                assert np.any(np.abs(local[:2]) > np.array([0.5, 0.4]) - 1e-6) or local[2] < 0
                continue
            assert ours == pytest.approx(expected, abs=1e-6)
    assert hits > 20


def test_what_a_click_hits(world):
    model, data = world
    pick = pick_ray(model, data, [0, -9, 1], [0, 1, 0], VisOptions())
    assert pick.geomid == model.geom("ellipsoid").id and pick.bodyid == model.body("c").id
    np.testing.assert_allclose(pick.point, [0, -0.3, 1], atol=1e-9)
    np.testing.assert_allclose(pick.localpos(data), [0, -0.3, 0], atol=1e-9)
    assert pick.distance == pytest.approx(8.7)
    without = VisOptions(hidden=frozenset({ObjectId("geom", pick.geomid)}))
    behind = pick_ray(model, data, [0, -9, 1], [0, 1, 0], without)
    assert behind is None or behind.geomid != pick.geomid
    all_groups = VisOptions(geomgroup=[True] * 6)
    assert pick_ray(model, data, [0, -9, 1], [0, 1, 0], all_groups).geomid == model.geom("hidden").id
    assert pick_ray(model, data, [0, -9, 1], [0, -1, 0], VisOptions()) is None
    assert pick_ray(model, data, [0, -9, 1], [0, 1, -0.5], VisOptions(static=False)) is None
    assert pick_ray(model, data, [0, -9, 1], [0, 1, -0.5], VisOptions()).geomid == model.geom("floor").id


def test_nothing_there():
    model, data = load("<mujoco/>")
    assert pick_ray(model, data, [0, 0, 1], [0, 0, -1], VisOptions()) is None
