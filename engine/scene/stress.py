"""Colours of cables by the torque that they transmit, where their plugin has `vmax`.

The plugin mujoco.elasticity.cable of the reference paints the first geom of each body from blue (no torque) over green
to red (vmax and more). The torque is the mean of those at the body's two ends, each in the axes of the body behind it:
found by comparing with mujoco 3.3.4. Models of mujoco carry no numbers of cables: they keep their colours.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.model.plugins import CABLE_VMAX
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.scene import linear

TINY = 1e-30


class CableStress:
    """The cables of a model that are painted, and the rows of their geoms.

    row      (n,) row of the body's first geom
    cable    (n,) number of the body among those of cables
    """

    def __init__(self, model, geoms: np.ndarray):
        """`geoms`: ids of the geoms that are drawn, in the order of their rows."""
        count = int(getattr(model, "ncable", 0))
        self.body = np.asarray(model.cable_bodyid).astype(int) if count else np.zeros(0, int)
        self.row = self.cable = np.zeros(0, int)
        if not count:
            return
        most = np.asarray(model.plugin_prm, float)[np.asarray(model.body_plugin).astype(int)[self.body], CABLE_VMAX]
        place = np.full(int(model.ngeom) + 1, -1)
        place[geoms] = np.arange(len(geoms))
        row = place[np.asarray(model.body_geomadr).astype(int)[self.body]]  # of a body without geoms: the last, -1
        self.cable = np.flatnonzero((row >= 0) & (most > 0))
        self.row, self._most = row[self.cable], most[self.cable]
        self._parent = np.asarray(model.body_parentid).astype(int)[self.body]
        self._stiffness, self._rest = np.array(model.cable_stiffness, float), np.array(model.cable_rest, float)
        self._next = np.asarray(model.cable_next).astype(bool)

    def paint(self, rows: np.ndarray, state) -> None:
        """Give the rows of geoms their colours in a state."""
        if len(self.row):
            rows[self.row, S.COLOR : S.COLOR + 3] = linear(ramp(self.torque(state)[self.cable] / self._most))

    def torque(self, state) -> np.ndarray:
        """(ncable,) magnitude of the mean torque at the two ends of each body, N m."""
        xquat = np.asarray(state.xquat, float)
        scalar, vector = _turns(xquat[self._parent], xquat[self.body])
        torque = self._stiffness * (_rotation_vectors(scalar, vector) - self._rest)
        follows = np.concatenate([[False], self._next[:-1]])
        behind = np.where(follows[:, None], _turned_back(scalar, vector, torque), 0.0)
        ends = np.maximum(follows.astype(int) + self._next, 1)
        return np.linalg.norm(behind + np.roll(behind, -1, axis=0), axis=1) / ends


def ramp(share: np.ndarray) -> np.ndarray:
    """(n, 3) sRGB-encoded colours of shares of the most: 0 blue, a quarter cyan, half green, three quarters yellow,
    from 1 on red. What is no number is blue."""
    share = np.clip(np.nan_to_num(share), 0.0, 1.0)
    return np.clip(np.stack([4 * share - 2, 2 - np.abs(4 * share - 2), 2 - 4 * share], axis=-1), 0.0, 1.0)


def _turns(before: np.ndarray, after: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 1) scalar and (n, 3) vector parts of the quaternions from `before` to `after`, in the axes of `before`."""
    w, v = before[:, :1], before[:, 1:]
    scalar = np.einsum("ij,ij->i", before, after)[:, None]
    return scalar, w * after[:, 1:] - after[:, :1] * v - np.cross(v, after[:, 1:])


def _rotation_vectors(scalar: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """(n, 3) rotation vectors of quaternions, along the shorter way."""
    length = np.linalg.norm(vector, axis=1, keepdims=True)
    angle = 2.0 * np.arctan2(length, scalar)
    return np.where(angle > np.pi, angle - 2.0 * np.pi, angle) * vector / np.maximum(length, TINY)


def _turned_back(scalar: np.ndarray, vector: np.ndarray, of: np.ndarray) -> np.ndarray:
    """(n, 3) the vectors `of`, turned by the inverses of quaternions."""
    across = np.cross(vector, of)
    return of - 2.0 * scalar * across + 2.0 * np.cross(vector, across)
