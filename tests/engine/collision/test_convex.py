"""Convex pairs: what must hold without a reference, by brute force over directions and by symmetry."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.collision import broadphase, driver
from kinetree.engine.collision.support import LARGE
from kinetree.engine.collision.table import FUNCTIONS, addresses, needed_pairs
from kinetree.engine.jit.compiler import compiled
from tests.engine.collision.support import depth, extent, overlap

SHAPES = {
    "sphere": 'type="sphere" size=".2"',
    "capsule": 'type="capsule" size=".1 .3"',
    "ellipsoid": 'type="ellipsoid" size=".1 .2 .3"',
    "cylinder": 'type="cylinder" size=".2 .3"',
    "box": 'type="box" size=".1 .2 .3"',
    "mesh": 'type="mesh" mesh="m"',
}
MESH = '<asset><mesh name="m" vertex="0 0 0 .5 0 0 0 .4 0 0 0 .3 .3 .3 .1 -.1 .1 .2 .2 -.2 .1"/></asset>'
FLAT = {"box", "mesh"}
RADIUS = {"sphere": 0.2, "capsule": 0.1}
CONVEX = [
    ("ellipsoid", "ellipsoid"), ("ellipsoid", "cylinder"), ("ellipsoid", "box"), ("cylinder", "cylinder"),
    ("cylinder", "box"), ("sphere", "ellipsoid"), ("capsule", "ellipsoid"), ("capsule", "cylinder"),
    ("sphere", "mesh"), ("capsule", "mesh"), ("ellipsoid", "mesh"), ("cylinder", "mesh"), ("box", "mesh"),
    ("mesh", "mesh"),
]  # fmt: skip


def rotation(q) -> np.ndarray:
    w, x, y, z = np.asarray(q) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


broad_phase, collision = compiled(broadphase.broad_phase), compiled(driver.collision)


class Scene:
    def __init__(self, first: str, second: str, margin: float = 0.0):
        bodies = "".join(
            f'<body><freejoint/><geom {SHAPES[s]} mass="1" margin="{margin}"/></body>' for s in (first, second)
        )
        option = '<option ccd_tolerance="1e-8" ccd_iterations="400"/>'
        self.model = kinetree.load_string(f"<mujoco>{option}{MESH}<worldbody>{bodies}</worldbody></mujoco>")
        self.data = kinetree.Data(self.model)
        self.data.collision_function[...] = addresses(needed_pairs(self.model))

    def contacts(self, p1, R1, p2, R2):
        model, data = self.model, self.data
        data.geom_xpos = [p1, p2]
        data.geom_xmat = [np.ravel(R1), np.ravel(R2)]
        for name in ("near_dist", "near_pos", "near_frame", "ccd_point", "ccd_plane", "ccd_weight"):
            data._arrays[name][...] = np.nan
        broad_phase(model, data)
        collision(model, data)
        while data.needs_memory:
            data.grow()
            collision(model, data)
        return [
            (
                data.contact.dist[i].item(),
                data.contact.pos[i].copy(),
                data.contact.frame[i].reshape(3, 3).copy(),
            )
            for i in range(data.ncon)
        ]


EXACT = 3e-5
"""How well depth and distance satisfy their definitions, m, at a tolerance of 1e-8: round shapes end at a gain of it."""
PLACE = 1e-3
"""How well positions do on round shapes, m; on flat ones they are as exact as the depth."""
BRUTE = 5e-4
"""How far the search over directions may miss the least overlap, m: its value is never too small."""


def is_too_deep(scene: Scene, kind: str, poses) -> bool:
    """Whether a sphere's or capsule's core is inside the other geom: its depth is not found, as in the reference."""
    return kind in RADIUS and depth(scene.model, poses) > RADIUS[kind] - EXACT


@pytest.mark.parametrize(("first", "second"), CONVEX)
def test_depth_is_the_least_over_all_directions(first, second):
    scene = Scene(first, second)
    rng = np.random.default_rng(0)
    seen = 0
    for _ in range(60):
        p1, R1 = rng.normal(size=3), rotation(rng.normal(size=4))
        p2, R2 = p1 + rng.normal(size=3) * 0.12, rotation(rng.normal(size=4))
        poses = (p1, R1), (p2, R2)
        least = depth(scene.model, poses)
        contacts = scene.contacts(p1, R1, p2, R2)
        if least < 0:
            assert not contacts
            continue
        if is_too_deep(scene, first, poses):
            continue
        if not contacts:
            assert least < EXACT + BRUTE
            continue
        seen += 1
        dist, pos, frame = contacts[0]
        normal = frame[:1]
        # the depth is the overlap along the normal, and no direction has less
        assert abs(dist + overlap(scene.model, poses, normal)[0]) < EXACT
        assert least - BRUTE < -dist < least + EXACT
        np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-12)
        for g, ((p, R), sign) in enumerate(zip(poses, (1.0, -1.0), strict=True)):
            # half the depth inside both surfaces
            surface = extent(scene.model, g, p, R, sign * normal)[0]
            assert abs(sign * normal[0] @ pos - (surface + dist / 2)) < (EXACT if {first, second} <= FLAT else PLACE)
    assert seen > 3


@pytest.mark.parametrize(("first", "second"), [*CONVEX, ("box", "box")])
def test_distance_is_the_most_over_all_directions(first, second):
    scene = Scene(first, second)
    rng = np.random.default_rng(3)
    for _ in range(60):
        p1, R1 = rng.normal(size=3), rotation(rng.normal(size=4))
        p2, R2 = p1 + rng.normal(size=3) * 0.7, rotation(rng.normal(size=4))
        poses = (p1, R1), (p2, R2)
        gap = -depth(scene.model, poses)
        if gap < 1e-3:
            continue
        scene.data.geom_xpos, scene.data.geom_xmat = [p1, p2], [np.ravel(R1), np.ravel(R2)]
        dist, points = kinetree.geom_distance(scene.model, scene.data, 0, 1, 10.0)
        from_, to = points[:3], points[3:]
        assert gap - EXACT < dist < gap + BRUTE
        assert abs(np.linalg.norm(to - from_) - dist) < EXACT
        # each point is the end of its geom towards the other one
        normal = (to - from_) / dist
        ends = extent(scene.model, 0, p1, R1, normal[None])[0], -extent(scene.model, 1, p2, R2, -normal[None])[0]
        exact = EXACT if {first, second} <= FLAT else PLACE
        assert abs(normal @ from_ - ends[0]) < exact and abs(normal @ to - ends[1]) < exact
        back, reverse = kinetree.geom_distance(scene.model, scene.data, 1, 0, 10.0)
        assert back == dist and (reverse == np.roll(points, 3)).all()
        beyond, nothing = kinetree.geom_distance(scene.model, scene.data, 0, 1, 0.5 * dist)
        assert beyond == 0.5 * dist and not nothing.any()


def test_distances_that_cannot_be_asked_for():
    scene = Scene("mesh", "box")
    kinetree.kinematics(scene.model, scene.data)
    for geom in (2, -1):
        with pytest.raises(IndexError, match="there are 2"):
            kinetree.geom_distance(scene.model, scene.data, 0, geom, 1.0)
    with pytest.raises(KeyError, match="nothing"):
        kinetree.geom_distance(scene.model, scene.data, "nothing", 0, 1.0)
    for distmax in (-1.0, np.nan):
        with pytest.raises(ValueError, match="distmax"):
            kinetree.geom_distance(scene.model, scene.data, 0, 1, distmax)


@pytest.mark.parametrize(("first", "second"), CONVEX)
def test_moving_out_by_the_depth_ends_the_contact(first, second):
    scene = Scene(first, second)
    rng = np.random.default_rng(1)
    for _ in range(60):
        p1, R1 = rng.normal(size=3), rotation(rng.normal(size=4))
        p2, R2 = p1 + rng.normal(size=3) * 0.15, rotation(rng.normal(size=4))
        contacts = scene.contacts(p1, R1, p2, R2)
        if contacts and not is_too_deep(scene, first, ((p1, R1), (p2, R2))):
            dist, _, frame = contacts[0]
            assert not scene.contacts(p1, R1, p2 + frame[0] * (EXACT - dist), R2)
            assert scene.contacts(p1, R1, p2 + frame[0] * (-EXACT - dist), R2) or -dist < EXACT


@pytest.mark.parametrize(("first", "second"), [pair for pair in CONVEX if pair[0] == pair[1]])
def test_exchanged_geoms_mirror_the_contact(first, second):
    scene = Scene(first, second, margin=0.1)
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(100):
        p1, R1 = rng.normal(size=3), rotation(rng.normal(size=4))
        p2, R2 = p1 + rng.normal(size=3) * 0.25, rotation(rng.normal(size=4))
        one, two = scene.contacts(p1, R1, p2, R2), scene.contacts(p2, R2, p1, R1)
        assert len(one) == len(two)
        if one:
            hits += 1
            assert abs(one[0][0] - two[0][0]) < EXACT
            if np.abs(one[0][2][0] + two[0][2][0]).max() < 1e-2:  # not two directions of equal depth
                np.testing.assert_allclose(one[0][1], two[0][1], atol=PLACE)
    assert hits > 20


NAMES = {2: "sphere", 3: "capsule", 4: "ellipsoid", 5: "cylinder", 6: "box", 7: "mesh"}


@pytest.mark.parametrize("pair", [p for p in FUNCTIONS if set(p) <= set(NAMES)])
def test_degenerate_poses(pair):
    """Coincident centres, axes and far away: every pair ends with finite contacts."""
    scene = Scene(NAMES[pair[0]], NAMES[pair[1]], margin=0.01)
    quarter = rotation([1, 0, 1, 0])
    for offset in (
        (0, 0, 0),
        (0, 0, 1e-300),
        (1e-12, 0, 0),
        (0.2, 0, 0),
        (0, 0.3, 0),
        (0, 0, 0.6),
        (0.1, 0.2, 0.3),
    ):
        for R in (np.eye(3), quarter, rotation([1, 1e-9, 0, 0]), rotation([1, 2, 3, 4])):
            for origin in (0.0, 1e3, 1e10):
                p = np.full(3, origin)
                for dist, pos, frame in scene.contacts(p, np.eye(3), p + offset, R):
                    assert np.isfinite(dist) and np.isfinite(pos).all() and np.isfinite(frame).all()
                    np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-9)


@pytest.mark.parametrize("pair", [p for p in FUNCTIONS if set(p) <= set(NAMES)])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_functions_end_on_wild_numbers(pair, value):
    """Called directly, past the broad phase, with every kind of wild number."""
    from importlib import import_module

    module, _, name = FUNCTIONS[pair].partition(":")
    function = compiled(getattr(import_module(module), name))
    scene = Scene(NAMES[pair[0]], NAMES[pair[1]])
    model, data = scene.model, scene.data
    for k in range(4):
        data.geom_xpos = [[0, 0, 0], [0.1, 0.1, 0.1]]
        data.geom_xmat = [np.ravel(np.eye(3))] * 2
        if k & 1:
            data.geom_xpos[1, 1] = value
        if k & 2:
            data.geom_xmat[0, 4] = value
        assert 0 <= function(model, data, 0, 1, 0.0) <= 50


def test_contacts_of_meshes_do_not_depend_on_earlier_ones():
    """Wherever the search for the farthest vertex begins, it ends at the same one: to the bit."""
    rng = np.random.default_rng(4)
    points = rng.normal(size=(200, 3))
    vertices = " ".join(map(str, (0.2 * points / np.linalg.norm(points, axis=1)[:, None]).ravel()))
    mesh = f'<asset><mesh name="m" vertex="{vertices}"/></asset>'
    body = '<body><freejoint/><geom type="mesh" mesh="m"/></body>'
    model = kinetree.load_string(f"<mujoco>{mesh}<worldbody>{body}{body}</worldbody></mujoco>")
    number = int(model.mesh_graph[0])
    assert number >= LARGE
    used = kinetree.Data(model)
    touching = 0
    for _ in range(200):
        pose = [*(rng.normal(size=3) * 0.15), *rng.normal(size=4), *np.zeros(3), *rng.normal(size=4)]
        used.ccd_guess = rng.integers(0, number, len(used.ccd_guess))
        fresh = kinetree.Data(model)
        for data in (used, fresh):
            data.qpos = pose
            kinetree.forward(model, data)
        assert used.ncon == fresh.ncon
        assert used.contact_pos.tobytes() == fresh.contact_pos.tobytes()
        assert used.contact_frame.tobytes() == fresh.contact_frame.tobytes()
        assert used.contact_dist.tobytes() == fresh.contact_dist.tobytes()
        touching += used.ncon
    assert touching > 50
