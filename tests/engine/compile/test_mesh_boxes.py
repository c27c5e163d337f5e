"""Trees of boxes around the triangles of meshes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.compile.derived.mesh_boxes import LEAF, boxes_of, depth


def assert_tree(vert: np.ndarray, face: np.ndarray) -> None:
    order, boxes = boxes_of(vert, face)
    assert sorted(order.tolist()) == list(range(len(face)))
    leaves = 2 ** depth(len(face))
    assert len(boxes) == 2 * leaves - 1
    for leaf in range(leaves):
        inside = order[leaf * len(face) // leaves : (leaf + 1) * len(face) // leaves]
        assert 1 <= len(inside) <= LEAF
        corners = vert[face[inside]].reshape(-1, 3)
        box = boxes[leaves - 1 + leaf]
        assert box[:3].tolist() == corners.min(0).tolist() and box[3:].tolist() == corners.max(0).tolist()
    for node in range(leaves - 1):
        low, high = boxes[2 * node + 1 : 2 * node + 3, :3].min(0), boxes[2 * node + 1 : 2 * node + 3, 3:].max(0)
        assert boxes[node].tolist() == [*low.tolist(), *high.tolist()]


@given(
    st.integers(1, 70), st.integers(0, 2**32 - 1), st.sampled_from([(1, 1, 1), (1, 1, 0), (0, 0, 0), (1e-30, 1, 1e30)])
)
def test_every_triangle_is_in_one_leaf_and_boxes_hold_what_is_below(count, seed, scale):
    rng = np.random.default_rng(seed)
    vert = (rng.normal(size=(12, 3)) * scale).astype(np.float32)
    assert_tree(vert, rng.integers(0, 12, (count, 3)))


def test_a_mesh_without_triangles_has_one_empty_box():
    order, boxes = boxes_of(np.zeros((4, 3), np.float32), np.zeros((0, 3), int))
    assert not len(order) and boxes.shape == (1, 6)


@pytest.mark.parametrize(("faces", "levels"), [(1, 0), (4, 0), (5, 1), (8, 1), (9, 2), (340_000, 17)])
def test_depth(faces, levels):
    assert depth(faces) == levels
