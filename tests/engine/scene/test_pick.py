"""Rays: every kind of geom against the reference's ray, and what a click passes through."""

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.pick import Pick, ray_geom
from kinetree.engine.scene.pick import pick as pick_ray
from kinetree.engine.scene.section import Section
from tests.engine.scene.worlds import load
from tests.oracle.bridge import model_from


def met(model, data, origin, direction, options=None) -> Pick:
    """The hit of a ray, which must exist."""
    hit = pick_ray(model, data, origin, direction, options or VisOptions())
    assert hit is not None
    return hit


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
    pick = met(model, data, [0, -9, 1], [0, 1, 0])
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


@pytest.mark.parametrize(
    "name", ["floor", "pane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "tetra", "hill"]
)
@pytest.mark.parametrize("inside", [False, True])
def test_normals_are_those_of_the_surface(world, name, inside):
    """Across the rays beside it, the surface has no slope along its normal, which points against the ray."""
    reference, data = world
    model = model_from(reference)
    geom = reference.geom(name).id
    flat = name in ("floor", "pane")
    rng = np.random.default_rng(geom)
    axes, size = data.geom_xmat[geom].reshape(3, 3), np.where(model.geom_size[geom] > 0, model.geom_size[geom], 1.0)
    centre = data.geom_xpos[geom] + (axes @ model.geom_aabb[geom, :3] if not flat else 0.0)
    options = VisOptions(hidden=frozenset(ObjectId("geom", other) for other in range(model.ngeom) if other != geom))
    compared = 0
    for _ in range(60):
        away = axes @ np.array([0, 0, 1.5]) if flat else rng.normal(size=3) * (0.02 if inside else 1.5)
        origin = centre + away + (0.3 * rng.normal(size=3) if flat else 0.0)
        direction = axes @ (rng.uniform(-0.4, 0.4, 3) * size) + data.geom_xpos[geom] - origin
        direction /= np.linalg.norm(direction)
        hit = pick_ray(model, data, origin, direction, options)
        if hit is None:
            continue
        assert np.linalg.norm(hit.normal) == pytest.approx(1.0, abs=1e-12) and hit.normal @ direction < 1e-12
        frame = np.linalg.svd(direction[None])[2][1:]
        beside = [
            [pick_ray(model, data, origin + sign * 1e-5 * axis, direction, options) for sign in (-1, 1)]
            for axis in frame
        ]
        if any(each is None or each.normal @ hit.normal < 0.999 for pair in beside for each in pair):
            continue  # an edge
        compared += 1
        for before, after in beside:
            slope = (after.point - before.point) / np.linalg.norm(after.point - before.point)
            assert abs(slope @ hit.normal) < 2e-4
    assert compared > 15 or (inside and flat)


def test_normal_of_a_cut(world):
    """Of a ball that is cut open it is that of the plane; beside the cut it is the ball's."""
    model, data = load('<mujoco><worldbody><geom name="ball" size="1"/></worldbody></mujoco>')
    options = VisOptions(section=Section((0.0, 0.2, 0.0), (0.6, 0.8, 0.0)))
    cut = met(model, data, [0, 9, 0], [0, -1, 0], options)
    np.testing.assert_allclose(cut.normal, [0.6, 0.8, 0], atol=1e-12)
    whole = met(model, data, [0, -9, 0.5], [0, 1, 0], options)
    np.testing.assert_allclose(whole.normal, [0, -np.sqrt(0.75), 0.5], atol=1e-9)


def test_normals_of_flexes():
    """A cloth's is that of its triangle, from either side; a cable's points away from its line."""
    text = (
        '<mujoco><worldbody><flexcomp name="{0}" type="grid" dim="{1}" count="{2}" spacing=".1 .1 .1" radius="{3}" '
        'euler="20 0 0"><contact selfcollide="none"/></flexcomp></worldbody></mujoco>'
    )
    model, data = load(text.format("cloth", 2, "5 5 1", 0.0001))
    up = np.array([0.0, -np.sin(np.radians(20)), np.cos(np.radians(20))])
    for side in (1, -1):
        hit = met(model, data, side * 2 * up, -side * up)
        assert hit.flexid == 0
        np.testing.assert_allclose(hit.normal, side * up, atol=1e-6)
    model, data = load(text.format("cable", 1, "5 1 1", 0.02))
    hit = met(model, data, [0.03, 0.01, 2], [0, 0, -1])
    np.testing.assert_allclose(hit.normal, [0, 0.5, np.sqrt(0.75)], atol=1e-5)


def test_soft_parts_are_kept_until_something_is_shown_otherwise():
    """A cloth that moved, was hidden or belongs to another model is not hit where it was."""
    text = '<mujoco><worldbody><flexcomp name="c" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" pos="{} 0 0"/></worldbody></mujoco>'
    for x in (0.0, 3.0):
        model = kinetree.load_string(text.format(x))
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        ray = [x, 0, 2], [0, 0, -1]
        assert met(model, data, *ray).flexid == 0
        assert pick_ray(model, data, [3.0 - x, 0, 2], [0, 0, -1], VisOptions()) is None
        data.flexvert_xpos[:] += [0, 0, 1]
        assert met(model, data, *ray).point[2] == pytest.approx(1.0, abs=0.05)
        assert pick_ray(model, data, *ray, VisOptions(flexgroup=[False] * 6)) is None
        hidden = VisOptions(hidden=frozenset({ObjectId("flex", 0)}))
        assert pick_ray(model, data, *ray, hidden) is None


def test_nothing_there():
    model, data = load("<mujoco/>")
    assert pick_ray(model, data, [0, 0, 1], [0, 0, -1], VisOptions()) is None
