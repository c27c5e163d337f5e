"""Contacts as limits of a pose: moved geoms do not penetrate others.

Contacts are found at a distance, `margin`, so that each step knows of every surface that it could reach: a step that
moves no point by more than the margin cannot pass through a thin wall. Two geoms that overlap already when the search
begins may stay as deep as they are, but go no deeper.

A side of a contact is a geom or a flex; flexes are numbered after the geoms. A flex in its present shape stops moved
geoms, and is stopped if it is moved itself; contacts with itself do not count. It may have thousands of contacts with
one geom: only the nearest ones limit a step, and a step into another is taken back.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.dynamics import needs
from kinetree.engine.dynamics.forward import run_list
from kinetree.engine.dynamics.query.jac import chain, jac
from kinetree.engine.model import enums
from kinetree.engine.model.data import Data
from kinetree.engine.model.model import Model

DEPTH = 1e-4
"""How deep a contact may get that did not overlap before, m: the precision of the collision functions."""
NEAR = 0.25
"""The margin, as a multiple of the length of the moved bodies."""
MOST = 16
"""Contacts of a flex with one other thing that limit a step."""
LEAST_NEAR = 0.02
"""The margin at least, in extents of the model."""


def may_touch(model: Model) -> bool:
    """Whether anything in a model makes contacts."""
    return needs.may_collide(model) and not int(model.opt_disableflags) & (enums.DSBL_CONSTRAINT | enums.DSBL_CONTACT)


class Touching:
    """The contacts that some dofs move.

    margin  distance at which contacts are found, m
    levers  (dofs,) how far a point moves at most where a dof changes by 1, m
    """

    def __init__(self, model: Model, data: Data, dofs: np.ndarray, is_length: np.ndarray):
        """The data must have poses of bodies and geoms of the present position."""
        self._model, self._dofs = model, dofs
        moved = set(dofs.tolist())
        moves = np.array([bool(moved & set(chain(model, body).tolist())) for body in range(model.nbody)])
        self._moved_bodies = moves
        flexes = [bool(moves[_bodies(model, flex)].any()) for flex in range(model.nflex)]
        self._moved = np.concatenate([moves[model.geom_bodyid], np.array(flexes, bool)])
        reach = self._reach(data)
        self.levers = np.where(is_length, 1.0, reach)
        self.margin = max(NEAR * reach, LEAST_NEAR * float(model.stat.extent))
        self._near = model.with_own_options()
        self._near.opt.enableflags = int(model.opt_enableflags) | enums.ENBL_OVERRIDE
        self._near.opt.o_margin = self.margin
        self._floor: dict[tuple[int, int], float] = {}
        self._found: tuple[np.ndarray, np.ndarray] | None = None  # rows and room of the present position
        self.run(data)
        for pair, distance in zip(*self._pairs(data)[1:]):
            self._floor[pair] = min(self._floor.get(pair, 0.0), distance)
        self._found = None

    def _reach(self, data: Data) -> float:
        """Most distance between what moves and a joint that moves it, m."""
        model = self._model
        geoms = np.flatnonzero(self._moved[: model.ngeom])
        vertices = np.flatnonzero(np.repeat(self._moved[model.ngeom :], model.flex_vertnum))
        points = np.concatenate([data.geom_xpos[geoms], data.flexvert_xpos[vertices]])
        if not len(points):
            return 0.0
        sizes = np.concatenate([model.geom_rbound[geoms], np.zeros(len(vertices))])
        joints = np.unique(model.dof_jntid[self._dofs])
        away = np.zeros(len(points))
        for anchor in data.xanchor[joints]:
            np.maximum(away, np.linalg.norm(points - anchor, axis=1), out=away)
        return float((away + sizes).max())

    def run(self, data: Data) -> None:
        """Compute poses and contacts of the present position."""
        run_list(self._near, data, "touch")
        self._found = None

    def share(self, change: np.ndarray) -> float:
        """How much of a change of the position may be made at once, at most 1."""
        return min(1.0, self.margin / max(float(np.abs(change) @ self.levers), 1e-12))

    def rows(self, data: Data) -> tuple[np.ndarray, np.ndarray]:
        """(A (k, dofs), a (k,)) so that a change x of the position keeps out of contacts where A x <= a."""
        if self._found is None:
            rows, room = [np.zeros((0, len(self._dofs)))], []
            numbers, pairs, distances = self._pairs(data)
            count: dict[tuple[int, int], int] = {}
            for at in np.argsort(distances, kind="stable").tolist():
                pair = pairs[at]
                count[pair] = count.get(pair, 0) + 1
                if max(pair) >= self._model.ngeom and count[pair] > MOST:
                    continue
                row = self._row(data, numbers[at])
                if np.abs(row).max() > 1e-9:
                    rows.append(row[None])
                    room.append(distances[at] - self._floor.get(pair, 0.0))
            self._found = -np.concatenate(rows), np.array(room, float)
        return self._found

    def excess(self, data: Data) -> float:
        """Largest penetration of the contacts, m; 0 if there is none."""
        room = [distance - self._floor.get(pair, 0.0) for pair, distance in zip(*self._pairs(data)[1:])]
        return max(0.0, -min(room, default=0.0) - DEPTH)

    def _pairs(self, data: Data) -> tuple[list[int], list[tuple[int, int]], list[float]]:
        """Indices, sides and distances of the contacts with a side that the dofs move."""
        count = int(data.ncon)
        geom, flex = data.contact_geom[:count], data.contact_flex[:count]
        sides = np.where(geom >= 0, geom, self._model.ngeom + flex)
        numbers = np.flatnonzero(self._moved[sides].any(axis=1)) if count else np.zeros(0, int)
        pairs = [(int(first), int(second)) for first, second in sides[numbers]]
        return numbers.tolist(), pairs, data.contact_dist[numbers].tolist()

    def _row(self, data: Data, number: int) -> np.ndarray:
        """(dofs,) by how much the distance of a contact grows where a dof grows."""
        model, normal = self._model, data.contact_frame[number, :3]
        row = np.zeros(model.nv)
        for side, sign in ((0, -1.0), (1, 1.0)):
            for body, point, weight in self._carriers(data, number, side):
                if self._moved_bodies[body]:
                    row += sign * weight * (normal @ jac(model, data, point, body)[0])
        return row[self._dofs]

    def _carriers(self, data: Data, number: int, side: int) -> list[tuple[int, np.ndarray, float]]:
        """The bodies that move a side of a contact: with the point that is fixed to each, and its weight; all weights
        together are 1."""
        model = self._model
        geom = int(data.contact_geom[number, side])
        point = data.contact_pos[number]
        if geom >= 0:
            return [(int(model.geom_bodyid[geom]), point, 1.0)]
        flex = int(data.contact_flex[number, side])
        first, corners = int(model.flex_vertadr[flex]), int(model.flex_dim[flex]) + 1
        if data.contact_vert[number, side] >= 0:
            vertices = np.array([first + data.contact_vert[number, side]])
        else:
            start = int(model.flex_elemdataadr[flex]) + int(data.contact_elem[number, side]) * corners
            vertices = first + model.flex_elem[start : start + corners]
        near = 1.0 / np.maximum(np.linalg.norm(data.flexvert_xpos[vertices] - point, axis=1), 1e-12)
        shares = near / near.sum()
        if not model.flex_interp[flex]:
            bodies = model.flex_vertbodyid[vertices].tolist()
            return list(zip(bodies, data.flexvert_xpos[vertices], shares.tolist()))
        nodes = slice(int(model.flex_nodeadr[flex]), int(model.flex_nodeadr[flex] + model.flex_nodenum[flex]))
        bodies = model.flex_nodebodyid[nodes]
        places = data.xpos[bodies] + np.einsum(
            "nij,nj->ni", data.xmat[bodies].reshape(-1, 3, 3), model.flex_node[nodes]
        )
        at = model.flex_vert0[vertices]  # in the box of the nodes, from 0 to 1
        bits = np.arange(len(bodies))[:, None] >> np.array([2, 1, 0]) & 1
        weights = shares @ np.where(bits, at[:, None, :], 1.0 - at[:, None, :]).prod(axis=2)
        return list(zip(bodies.tolist(), places, weights.tolist()))


def _bodies(model: Model, flex: int) -> np.ndarray:
    """The bodies that carry the vertices of a flex."""
    kind = "node" if model.flex_interp[flex] else "vert"
    first, count = int(getattr(model, f"flex_{kind}adr")[flex]), int(getattr(model, f"flex_{kind}num")[flex])
    return getattr(model, f"flex_{kind}bodyid")[first : first + count]
