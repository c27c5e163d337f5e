"""Which instances can share a draw call, and the order in which draw calls come.

A BatchTable lists every distinct combination of features (kind, texture, material, shape) once, in drawing
order; an instance carries the number of its combination, whatever its size. Sorting instances is then sorting
small numbers, and no feature or id can be cut off.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.scene.scene import LODS, MOST_MIRRORS, Batch, ShaderFeatures

COLUMNS = ("infinite", "kind", "texture", "material", "shape")  # sorted by the first column first


class BatchTable:
    """The distinct combinations among rows of features.

    kind, texture, material, shape  (ncombination,) int64 each, sorted; infinite planes come last
    """

    def __init__(self, kind, texture, material, shape):
        rows = np.stack([np.asarray(column, np.int64) for column in (kind, texture, material, shape)], axis=1)
        infinite = (rows[:, :1] & int(ShaderFeatures.INFINITE)) != 0
        rows = np.concatenate([infinite, rows], axis=1)
        order = np.lexsort(rows.T[::-1])
        ordered = rows[order]
        starts = np.ones(len(rows), bool)
        starts[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        self.row = np.empty(len(rows), np.int64)  # combination of each row that was given
        self.row[order] = np.cumsum(starts) - 1
        self.kind, self.texture, self.material, self.shape = (
            np.ascontiguousarray(column) for column in ordered[starts].T[1:]
        )

    def __len__(self) -> int:
        return len(self.kind)

    def keys(self, row, mirrored, level) -> np.ndarray:
        """(n,) int64, equal where one draw call will do, ascending in drawing order.

        row: combinations; mirrored: which planar reflection they show, from 1, 0: none; level: of detail.
        """
        return (np.asarray(row, np.int64) * (MOST_MIRRORS + 1) + mirrored) * LODS + level

    def batches(self, keys: np.ndarray, hidden: np.ndarray, first: int) -> list[Batch]:
        """Neighbours with equal keys as batches; `first`: the number of the first instance.

        hidden (n,): outside the view; in each batch the visible ones come first.
        """
        if not len(keys):
            return []
        starts = np.concatenate([[0], np.flatnonzero(keys[1:] != keys[:-1]) + 1, [len(keys)]])
        visible = np.add.reduceat(~hidden, starts[:-1], dtype=np.int64)
        rest, level = np.divmod(keys[starts[:-1]], LODS)
        row, mirrored = np.divmod(rest, MOST_MIRRORS + 1)
        kind = self.kind[row] | (mirrored > 0) * int(ShaderFeatures.MIRROR)
        columns = (
            self.shape[row] + level,
            kind,
            self.texture[row],
            self.material[row],
            starts[:-1],
            starts[1:],
            mirrored - 1,
        )
        return [
            Batch(shape, ShaderFeatures(kind), texture, material, first + start, end - start, count, mirror=mirror)
            for (shape, kind, texture, material, start, end, mirror), count in zip(
                zip(*(column.tolist() for column in columns)), visible.tolist()
            )
        ]

    def is_infinite(self, row) -> np.ndarray:
        """Whether combinations are of infinite planes."""
        return (self.kind[row] & int(ShaderFeatures.INFINITE)) != 0
