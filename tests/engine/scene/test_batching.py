"""Batches: no feature, id or level of detail is lost, whatever their numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.engine.scene.batching import BatchTable
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import default_free
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.scene import LODS, ShaderFeatures, ShapeKind, shape_number, shape_parts
from tests.engine.scene.worlds import load

EVERY_KIND = sum(int(kind) for kind in ShaderFeatures)
SHAPES = st.builds(shape_number, st.sampled_from(ShapeKind), st.integers(0, 2**31))
ROWS = st.tuples(st.integers(0, 4 * EVERY_KIND + 3), st.integers(-1, 2**31), st.integers(-1, 2**31), SHAPES)


@settings(deadline=None)
@given(st.lists(st.tuples(ROWS, st.booleans(), st.integers(0, LODS - 1), st.booleans()), min_size=1, max_size=40))
def test_features_come_back_as_they_went_in(instances):
    rows = [row for row, *_ in instances]
    table = BatchTable(*zip(*rows))
    mirrored, level, hidden = (np.array(column) for column in list(zip(*instances))[1:])
    keys = table.keys(table.row, mirrored, level)
    order = np.argsort(2 * keys + hidden, kind="stable")
    batches = table.batches(keys[order], hidden[order], 100)
    assert sum(batch.count for batch in batches) == len(rows)
    for batch in batches:
        members = order[batch.first - 100 : batch.first - 100 + batch.count]
        assert batch.visible == np.count_nonzero(~hidden[members])
        assert not hidden[members[: batch.visible]].any()
        for i in members:
            kind, texture, material, shape = rows[i]
            assert (batch.texture, batch.material) == (texture, material)
            assert int(batch.kind) == kind | (int(ShaderFeatures.MIRROR) if mirrored[i] else 0)
            assert batch.shape == shape + level[i]


def test_every_flag_and_five_thousand_ids():
    n = 5000
    kinds = np.where(np.arange(n) % 2, EVERY_KIND, EVERY_KIND + 1024 * (np.arange(n) % 7))
    shapes = [shape_number(ShapeKind.MESH, i) for i in range(n)]
    table = BatchTable(kinds, np.arange(n), n + np.arange(n), shapes)
    assert len(table) == n
    keys = table.keys(table.row, 0, 3)
    order = np.argsort(keys)
    batches = table.batches(keys[order], np.zeros(n, bool), 0)
    assert sorted(batch.texture for batch in batches) == list(range(n))
    for batch in batches:
        assert batch.material == batch.texture + n and int(batch.kind) == kinds[batch.texture]
        assert shape_parts(batch.shape) == (ShapeKind.MESH, batch.texture, 3)


def test_infinite_planes_come_last():
    kinds = [
        ShaderFeatures.INFINITE,
        ShaderFeatures.DECOR,
        ShaderFeatures.INFINITE | ShaderFeatures.TEXTURE_2D,
        ShaderFeatures.SHADOWLESS,
        ShaderFeatures.NONE,
    ]
    table = BatchTable([int(kind) for kind in kinds], [-1] * 5, [-1] * 5, [0] * 5)
    assert table.is_infinite(np.arange(5)).tolist() == [False, False, False, True, True]
    np.testing.assert_array_equal(table.is_infinite(table.row), [True, False, True, False, False])


@pytest.mark.parametrize("count", [4200])
def test_a_model_with_more_than_4096_materials(count):
    """Each of many balls keeps its own texture layer and material."""
    assets = "".join(
        f'<texture name="t{i}" type="2d" builtin="flat" width="1" height="1" rgb1="1 1 1"/>'
        f'<material name="m{i}"><layer role="normal" texture="t{i}"/></material>'
        for i in range(count)
    )
    balls = "".join(f'<geom size=".1" material="m{i}" pos="{i % 70} {i // 70} 0"/>' for i in range(count))
    model, data = load(f"<mujoco><asset>{assets}</asset><worldbody>{balls}</worldbody></mujoco>")
    scene = build(model, data, VisOptions(), default_free(model))
    assert sorted(batch.material for batch in scene.opaque) == list(range(count))
    assert all(batch.kind & ShaderFeatures.LAYERS and batch.kind & ShaderFeatures.PBR for batch in scene.opaque)
