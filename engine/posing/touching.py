"""Contacts as limits of a pose: what is moved stays outside of what it may touch.

Contacts are found at a distance, `margin`, so that each step knows of every surface that it could reach: a step that
moves no point by more than the margin cannot pass through a thin wall. Two geoms that overlap already when the search
begins may stay as deep as they are, but go no deeper.
"""

from __future__ import annotations

import numpy as np

from engine.dynamics import needs
from engine.dynamics.forward import run_list
from engine.dynamics.query.jac import chain, jac
from engine.model.data import Data
from engine.model.enums import DSBL_CONSTRAINT, DSBL_CONTACT, ENBL_OVERRIDE
from engine.model.model import Model

DEPTH = 1e-4
"""How deep a contact may get that did not overlap before, m: the precision of the collision functions."""
NEAR = 0.25
"""The margin, in lengths of what moves."""
LEAST_NEAR = 0.02
"""The margin at least, in extents of the model."""


def may_touch(model: Model) -> bool:
    """Whether anything in a model makes contacts."""
    return needs.may_collide(model) and not int(model.opt_disableflags) & (DSBL_CONSTRAINT | DSBL_CONTACT)


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
        self._moved = moves[model.geom_bodyid]
        reach = self._reach(data)
        self.levers = np.where(is_length, 1.0, reach)
        self.margin = max(NEAR * reach, LEAST_NEAR * float(model.stat.extent))
        self._near = model.with_own_options()
        self._near.opt.enableflags = int(model.opt_enableflags) | ENBL_OVERRIDE
        self._near.opt.o_margin = self.margin
        self._floor: dict[tuple[int, int], float] = {}
        self._found: tuple[np.ndarray, np.ndarray] | None = None  # rows and room of the present position
        self.run(data)
        for pair, distance, _rows in self._contacts(data):
            self._floor[pair] = min(self._floor.get(pair, 0.0), distance)
        self._found = None

    def _reach(self, data: Data) -> float:
        """Most distance between what moves and a joint that moves it, m."""
        geoms = np.flatnonzero(self._moved)
        joints = np.unique(self._model.dof_jntid[self._dofs])
        if not len(geoms):
            return 0.0
        away = np.linalg.norm(data.geom_xpos[geoms, None, :] - data.xanchor[None, joints, :], axis=2)
        return float((away.max(axis=1) + self._model.geom_rbound[geoms]).max())

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
            found = list(self._contacts(data))
            rows = np.array([row for _pair, _distance, row in found]).reshape(-1, len(self._dofs))
            room = [distance - self._floor.get(pair, 0.0) for pair, distance, _row in found]
            self._found = -rows, np.array(room, float)
        return self._found

    def excess(self, data: Data) -> float:
        """By how much the worst contact is too deep, m; 0 where none is."""
        return max(0.0, -float(self.rows(data)[1].min(initial=0.0)) - DEPTH)

    def _contacts(self, data: Data):
        """(geoms, distance, Jacobian (dofs,) of the distance) of each contact whose distance the dofs change."""
        model = self._model
        for number in range(int(data.ncon)):
            first, second = data.contact_geom[number].tolist()
            if min(first, second) < 0 or not (self._moved[first] or self._moved[second]):
                continue
            point, normal = data.contact_pos[number], data.contact_frame[number, :3]
            row = np.zeros(model.nv)
            for geom, sign in ((first, -1.0), (second, 1.0)):
                if self._moved[geom]:
                    row += sign * (normal @ jac(model, data, point, int(model.geom_bodyid[geom]))[0])
            if np.abs(row[self._dofs]).max() > 1e-9:
                yield (first, second), float(data.contact_dist[number]), row[self._dofs]
