"""The broad phase finds every pair of boxes that overlap and may touch, in order, however the bodies lie."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.collision import broadphase
from kinetree.engine.jit.capacity import NNEARMAX
from kinetree.engine.jit.compiler import compiled

broad_phase = compiled(broadphase.broad_phase)


def scene(bodies: int, fixed: int, seed: int, size: float) -> tuple[kinetree.Model, kinetree.Data]:
    rng = np.random.default_rng(seed)
    kinds = ['type="sphere" size=".1"', 'type="box" size=".2 .05 .1"', 'type="capsule" size=".05 .2"']
    inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    parts = []
    for i in range(bodies):
        geoms = "".join(
            f'<geom {kinds[rng.integers(3)]} pos="{rng.normal() * 0.1} 0 0" contype="{rng.integers(3)}" '
            f'conaffinity="{rng.integers(4)}"/>'
            for _ in range(rng.integers(0, 4))
        )
        child = f'<body><joint axis="0 1 0"/>{inertial}{geoms}</body>' if rng.integers(2) else ""
        parts.append(f'<body name="b{i}"><freejoint/><geom size=".05"/>{geoms}{child}</body>')
    for _ in range(fixed):
        parts.append(f'<geom {kinds[rng.integers(3)]} pos="{rng.normal() * size} {rng.normal() * size} 0"/>')
    excluded = range(0, bodies - 1, 3) if seed % 2 else ()
    excludes = "".join(f'<exclude body1="b{i}" body2="b{i + 1}"/>' for i in excluded)
    model = kinetree.load_string(
        f'<mujoco><worldbody><geom type="plane" size="1 1 1"/>{"".join(parts)}</worldbody>'
        f"<contact>{excludes}</contact></mujoco>"
    )
    data = kinetree.Data(model)
    free = np.flatnonzero(model.jnt_type == 0)
    for adr in model.jnt_qposadr[free]:
        data.qpos[adr : adr + 7] = [*(rng.normal(size=3) * size), *rng.normal(size=4)]
    data.contact_dist[...] = np.nan
    from kinetree.engine.dynamics.position.kinematics import kinematics

    compiled(kinematics)(model, data)
    return model, data


def found(model, data) -> list[tuple[int, int]]:
    broad_phase(model, data)
    while data.needs_memory:
        data.grow()
        broad_phase(model, data)
    codes = data._arrays["near_geoms"][: data.nnear]
    bodies = data._arrays["near_bodies"][: data.nnear]
    order = np.lexsort((codes, bodies))
    assert (order == np.arange(data.nnear)).all()
    return [(int(c) >> 32, int(c) & broadphase.LOW_HALF) for c in codes]


def may_touch(model, g1: int, g2: int) -> bool:
    types = model.geom_contype, model.geom_conaffinity
    if not (types[0][g1] & types[1][g2] or types[0][g2] & types[1][g1]):
        return False
    b1, b2 = model.geom_bodyid[g1], model.geom_bodyid[g2]
    w1, w2 = model.body_weldid[b1], model.body_weldid[b2]
    if w1 == w2:
        return False
    if (
        w1
        and w2
        and (model.body_weldid[model.body_parentid[w1]] == w2 or model.body_weldid[model.body_parentid[w2]] == w1)
    ):
        return False
    return ((min(b1, b2) << 16) + max(b1, b2)) not in model.exclude_signature


def touching_spheres(model, data) -> set[tuple[int, int]]:
    """Pairs that may collide and whose bounding spheres overlap well: all must be candidates."""
    result = set()
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    low, high = [], []
    for g in range(model.ngeom):
        R = data.geom_xmat[g].reshape(3, 3)
        points = (model.geom_aabb[g, :3] + corners * model.geom_aabb[g, 3:]) @ R.T + data.geom_xpos[g]
        r = model.geom_rbound[g] if model.geom_type[g] != 0 else np.inf
        low.append(np.maximum(points.min(0), data.geom_xpos[g] - r))
        high.append(np.minimum(points.max(0), data.geom_xpos[g] + r))
    for i in range(model.ngeom):
        for j in range(i + 1, model.ngeom):
            if 0 in (model.geom_type[i], model.geom_type[j]) or not may_touch(model, i, j):
                continue
            if (low[i] < high[j]).all() and (low[j] < high[i]).all():
                pair = (i, j) if model.geom_type[i] <= model.geom_type[j] else (j, i)
                result.add(pair)
    return result


@pytest.mark.parametrize("size", [0.2, 1.0, 4.0])
@pytest.mark.parametrize(("bodies", "fixed"), [(2, 0), (12, 3), (40, 0), (40, 60)])
def test_all_overlaps_are_found(bodies, fixed, size):
    for seed in range(4):
        model, data = scene(bodies, fixed, seed, size)
        pairs = found(model, data)
        assert len(pairs) == len(set(pairs))
        boxes = {p for p in pairs if model.geom_type[p[0]] != 0}
        assert boxes == touching_spheres(model, data)
        assert all(may_touch(model, *p) for p in pairs)
        # the order kept from one sweep to the next does not change the result
        data.geom_xpos = data.geom_xpos[:, [1, 2, 0]]
        other = found(model, data)
        data.geom_xpos = data.geom_xpos[:, [2, 0, 1]]
        assert found(model, data) == pairs
        fresh = kinetree.Data(model)
        fresh.geom_xpos, fresh.geom_xmat = data.geom_xpos[:, [1, 2, 0]], data.geom_xmat
        assert found(model, fresh) == other


def test_candidates_that_do_not_fit_grow_the_data():
    model, data = scene(80, 0, 1, 0.05)
    broad_phase(model, data)
    assert data.needs_memory and data.need[NNEARMAX] > data.nnearmax
    assert data.ncon == data.nnear == 0
    pairs = found(model, data)
    assert len(pairs) == data.nnear <= data.nnearmax
    kinetree.forward(model, data)
    assert data.ncon > 100


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e10, 1e300])
def test_wild_positions(value):
    """They neither hang nor hide the contacts of other geoms."""
    model, data = scene(20, 5, 3, 0.3)
    before = found(model, data)
    victim = int(np.flatnonzero(model.geom_bodyid > 0)[5])
    data.geom_xpos[victim] = value
    body = model.geom_bodyid[victim]
    after = found(model, data)
    kept = [p for p in before if victim not in p]
    if np.isfinite(value):
        assert [p for p in after if victim not in p] == kept
    else:  # all of the body may be left out, nothing of the others
        others = [p for p in kept if body not in model.geom_bodyid[list(p)]]
        assert [p for p in after if body not in model.geom_bodyid[list(p)]] == others


@pytest.mark.parametrize("number", [0, 1, 7, broadphase.FEW - 1, broadphase.FEW, 4000])
def test_candidates_are_sorted(number):
    """Also many, most of them with the world."""
    model, data = scene(60, 0, 1, 4.0)
    rng = np.random.default_rng(number)
    data.need[NNEARMAX] = 4000
    data.grow()
    low = np.where(rng.random(number) < 0.5, 0, rng.integers(0, model.nbody, number))
    bodies = (low << 32) + rng.integers(0, model.nbody, number)
    geoms = rng.permutation(number)
    data.near_bodies[:number], data.near_geoms[:number] = bodies, geoms
    compiled(broadphase.sort_candidates)(model, data, number)
    order = np.lexsort((geoms, bodies))
    assert (data.near_bodies[:number] == bodies[order]).all()
    assert (data.near_geoms[:number] == geoms[order]).all()
