"""The arguments of the functions that draw decorations: the model, its state, the options, and the usual sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kinetree import engine
from kinetree.engine.run.perturb import Perturb
from kinetree.engine.scene.camera import View
from kinetree.engine.scene.options import VisOptions, choose_geoms, in_groups

ARROW = 0.5  # length of a drawn arrow, of the length that the settings give (as in MuJoCo)
LEAST_MASS = 1e-12  # kg
LOW = 480.0  # height below which a window shows everything smaller, pixels


@dataclass(frozen=True, slots=True)
class Look:
    """One frame's decor. `state` is a Data, a Snapshot or anything with their fields; `perturb` may be None;
    `height` is that of the window in pixels, those of the screen's scaling."""

    model: Any
    state: Any
    options: VisOptions
    perturb: Perturb | None
    view: View
    height: float = 800.0

    def pixels(self, points, number: float) -> np.ndarray:
        """(n,) the length in metres that has a number of pixels at each of the points (n, 3); in a window that is lower
        than LOW, of the pixels that it would have if it were enlarged to that."""
        view, points = self.view, vectors(points)
        share = number * (view.top - view.bottom) / max(self.height, LOW)
        if view.orthographic:
            return np.full(len(points), share)
        return share / view.near * np.maximum((points - view.pos) @ view.forward, view.near)

    @property
    def meansize(self) -> float:
        """The unit of the factors of `visual/scale`: `stat.meansize`, m."""
        return float(self.model.stat.meansize)

    def scale(self, name: str) -> float:
        """A size from `visual/scale`, m."""
        return self.meansize * float(getattr(self.model.vis.scale, name))

    def color(self, name: str) -> np.ndarray:
        """(4,) a colour from `visual/rgba`."""
        return np.asarray(getattr(self.model.vis.rgba, name), float)

    def per_newton(self) -> float:
        """Length of an arrow for a force of 1 N, m."""
        return ARROW * float(self.model.vis.map.force) / max(float(self.model.stat.meanmass), LEAST_MASS)

    def shown(self, kind: str, groups) -> np.ndarray:
        """Ids of the objects of a kind ("geom", "joint", ...) that are shown; `groups`: the group of each."""
        if kind == "geom":
            chosen = choose_geoms(self.model, self.options).drawn
        elif kind == "flex":
            chosen = engine.scene.shapes.chosen_flexes(self.model, self.options)
        else:
            chosen = in_groups(getattr(self.options, f"{kind}group"), groups)
        return np.flatnonzero(chosen)

    def selected(self) -> int:
        """The selected body, 0 for none."""
        return 0 if self.perturb is None else int(getattr(self.perturb, "select", 0))

    def selection(self) -> Perturb | None:
        """Perturbation of the selected body; None if no body is selected."""
        return self.perturb if self.selected() else None


def vectors(array) -> np.ndarray:
    """(n, 3) float64 positions or directions."""
    return np.asarray(array, float).reshape(-1, 3)


def matrices(array) -> np.ndarray:
    """(n, 3, 3) float64 rotations, from rows of nine."""
    return np.asarray(array, float).reshape(-1, 3, 3)


def objects(kind: int, ids) -> np.ndarray:
    """(n, 2) int32: object type and ids."""
    ids = np.atleast_1d(np.asarray(ids, np.int32))
    return np.stack([np.full(len(ids), kind, np.int32), ids], axis=1)
