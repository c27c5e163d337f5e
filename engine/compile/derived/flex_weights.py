"""flexedge_invweight0: the inverse inertia along each edge of the flexes at the reference configuration.

Source: Computation ("Constraint model": approximate inverse inertia). Where both ends are on bodies that only slide,
it is the mean of the bodies' own; elsewhere j M^-1 j' with the gradient j of the edge's length, for flexes whose edges
act at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from kinetree.engine.jit.uncompiled import Arrays
    from kinetree.engine.model.model import Model


_NEXT, _AFTER = [1, 2, 0], [2, 0, 1]
"""Components of a cross product: c[i] = a[next] b[after] - a[after] b[next]."""


class EdgeWeights:
    """Collects the share of one block of M after another.

    model, data   at the reference configuration, kinematics done
    chains        for each body, the dofs that move it
    block_of      for each dof, the number of its block: a set of dofs outside which M has no entries with it
    """

    def __init__(self, model: Model, data: Arrays, chains: list[np.ndarray], block_of: list[int]):
        self.model = model
        self.rows: list[list[tuple[int, np.ndarray, np.ndarray]]] = [[] for _ in range(block_of[-1] + 1)]
        self.means: list[tuple[int, int, int]] = []
        for flex in range(model.nflex):
            if not (model.flex_interp[flex] or model.flex_rigid[flex]):
                self.flex(flex, data, chains, np.array(block_of))

    def flex(self, flex: int, data: Arrays, chains: list[np.ndarray], block_of: np.ndarray) -> None:
        m = self.model
        acts = any(
            (
                m.flex_edgeequality[flex],
                m.flex_edgestiffness[flex],
                m.flex_edgedamping[flex],
                m.flex_damping[flex],
            )
        )
        first, vert = m.flex_edgeadr[flex], m.flex_vertadr[flex]
        for edge in range(first, first + m.flex_edgenum[flex]):
            if m.flexedge_rigid[edge]:
                continue
            ends = vert + m.flex_edge[edge]
            one, two = m.flex_vertbodyid[ends].tolist()
            if m.body_simple[one] == 2 and m.body_simple[two] == 2:
                self.means.append((edge, one, two))
                continue
            if not acts:
                continue
            points = [
                data.xpos[b] + data.xmat[b].reshape(3, 3) @ m.flex_vert[v]
                for b, v in zip((one, two), ends, strict=True)
            ]
            along = points[1] - points[0]
            length = float(np.linalg.norm(along))
            if length < 1e-15:
                continue
            gradient: dict[int, float] = {}
            for sign, body, point in ((-1.0, one, points[0]), (1.0, two, points[1])):
                dofs = chains[body]
                axis = data.cdof[dofs]
                away = point - data.subtree_com[m.body_rootid[body]]
                turn = axis[:, :3]
                speed = axis[:, 3:] + (turn[:, _NEXT] * away[_AFTER] - turn[:, _AFTER] * away[_NEXT])
                for dof, value in zip(dofs.tolist(), (sign / length) * (speed @ along), strict=True):
                    gradient[dof] = gradient.get(dof, 0.0) + value
            columns, values = np.array(list(gradient), int), np.array(list(gradient.values()))
            owner = block_of[columns]
            for block in sorted(set(owner.tolist())):
                inside = owner == block
                self.rows[block].append((edge, columns[inside], values[inside]))

    def add(self, block: int, inverse: np.ndarray, start: int) -> None:
        """Add the share of a block, whose part of M^-1 is `inverse` and whose first dof is `start`."""
        for edge, columns, values in self.rows[block]:
            at = columns - start
            self.model.flexedge_invweight0[edge] += values @ inverse[np.ix_(at, at)] @ values

    def finish(self) -> None:
        """Fill in the edges whose weight is the mean of those of two bodies, once these are known."""
        for edge, one, two in self.means:
            self.model.flexedge_invweight0[edge] = self.model.body_invweight0[[one, two], 0].mean()
