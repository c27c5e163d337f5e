"""Distances and angles between points of a model, and the points that the mouse snaps to.

A point stands on a body and moves with it. It is one of these: a corner or an end of a shape, a vertex of a mesh, the
centre of a shape, a site, an anchor of a joint, or any place on a surface.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import acos, degrees

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.scene.camera import View
from kinetree.engine.scene.decor.labels import object_names
from kinetree.engine.scene.options import VisOptions, choose_geoms, hidden_mask
from kinetree.engine.scene.pick import Pick
from kinetree.engine.translation import marked, tr

REACH = 12.0  # how near to the mouse a point must be for it to snap, pixels
AHEAD = 6.0  # so much nearer to the mouse a centre must be than a corner, pixels
MOST_VERTICES = 20_000  # of a mesh that are looked through
WORDS = {
    enums.GEOM_BOX: marked("corner of {name}"),
    enums.GEOM_CYLINDER: marked("end of {name}"),
    enums.GEOM_CAPSULE: marked("end of {name}"),
}
_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


@dataclass(frozen=True, slots=True)
class Point:
    """A point on a body: `local` (3,) in the body's frame, and a description of it as text."""

    body: int
    local: tuple[float, float, float]
    name: str

    def place(self, state) -> np.ndarray:
        """(3,) where it is in the world."""
        axes = np.asarray(state.xmat[self.body], float).reshape(3, 3)
        return np.asarray(state.xpos[self.body], float) + axes @ np.array(self.local)


@dataclass(frozen=True, slots=True)
class Measurement:
    """The distance between two points, or the angle at the second of three."""

    points: tuple[Point, ...]

    @property
    def is_angle(self) -> bool:
        """Whether it is an angle."""
        return len(self.points) > 2

    def places(self, state) -> np.ndarray:
        """(2 or 3, 3) where its points are in the world."""
        return np.array([point.place(state) for point in self.points])

    def value(self, state) -> float:
        """Metres, or radians."""
        places = self.places(state)
        return angle(*places) if self.is_angle else float(np.linalg.norm(places[1] - places[0]))

    def text(self, state, in_degrees: bool = True) -> str:
        """Its value as people read it."""
        value = self.value(state)
        if not self.is_angle:
            return f"{value:.4g} m"
        return f"{degrees(value):.4g}°" if in_degrees else f"{value:.4g} rad"

    def line(self, state, in_degrees: bool = True) -> str:
        """One line for the clipboard: what it is between, its value, and for a distance its components."""
        names = " – ".join(point.name for point in self.points)
        if self.is_angle:
            return f"Angle {names}: {self.text(state, in_degrees)}"
        places = self.places(state)
        x, y, z = (places[1] - places[0]).tolist()
        return f"Distance {names}: {self.text(state, in_degrees)} (x {x:.4g}, y {y:.4g}, z {z:.4g})"


def angle(first: np.ndarray, corner: np.ndarray, last: np.ndarray) -> float:
    """The angle at `corner` (3,) between the directions to two points, radians; 0 where one has no length."""
    one, other = first - corner, last - corner
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return acos(min(1.0, max(-1.0, float(one @ other) / lengths))) if lengths > 0 else 0.0


def snap(
    model, state, view: View, x: float, y: float, size: tuple[int, int], hit: Pick | None, options: VisOptions
) -> Point | None:
    """The point that a mouse at pixels (x, y) of a window of `size` means: the nearest of those that it snaps to, else
    the place of the surface under it; None beside everything. `hit`: what lies under the mouse."""
    best: tuple[float, Point] | None = None
    for handicap, bodies, places, names in _candidates(model, state, hit, options):
        found = view.project(places)
        seen = (found[:, 2] > view.near) | view.orthographic
        pixels = np.hypot(found[:, 0] * size[0] - x, found[:, 1] * size[1] - y) + handicap
        pixels = np.where(seen, pixels, np.inf)
        which = int(np.argmin(pixels)) if len(pixels) else -1
        if which >= 0 and pixels[which] <= REACH and (best is None or pixels[which] < best[0]):
            best = float(pixels[which]), _point(state, int(bodies[which]), places[which], names(which))
    if best is not None:
        return best[1]
    if hit is None:
        return None
    return _point(state, hit.bodyid, hit.point, f"{hit.object.kind} {_name(model, hit.object.kind, hit.object.id)}")


def _point(state, body: int, place: np.ndarray, name: str) -> Point:
    axes = np.asarray(state.xmat[body], float).reshape(3, 3)
    a, b, c = (axes.T @ (np.asarray(place, float) - np.asarray(state.xpos[body], float))).tolist()
    return Point(body, (a, b, c), name)


def _name(model, kind: str, number: int) -> str:
    return object_names(model, kind, number + 1)[number].removeprefix(f"{kind} ")


def _candidates(model, state, hit: Pick | None, options: VisOptions) -> Iterator[tuple]:
    """(pixels that they stand back, bodies (n,), places (n, 3), name of each) of points to snap to."""
    if hit is not None and hit.geomid >= 0:
        corners = shape_points(model, state, hit.geomid)
        if len(corners):
            words = WORDS.get(int(model.geom_type[hit.geomid]), marked("vertex of {name}"))
            name = tr(words, name=_name(model, "geom", hit.geomid))
            yield 1.0, np.full(len(corners), hit.bodyid), corners, lambda _which: name
    groups = (
        ("geom", "geom_xpos", model.geom_bodyid, marked("centre of {name}"), AHEAD),
        ("site", "site_xpos", model.site_bodyid, marked("site {name}"), 0.0),
        ("joint", "xanchor", model.jnt_bodyid, marked("anchor of {name}"), 0.0),
    )
    for kind, field, bodies, what, handicap in groups:
        places = np.asarray(getattr(state, field), float).reshape(-1, 3)
        shown = ~hidden_mask(options, kind, len(places))
        if kind == "geom":
            shown &= choose_geoms(model, options).drawn
            shown &= np.asarray(model.geom_rbound, float) > 0  # planes have no centre that matters
        ids = np.flatnonzero(shown)
        if len(ids):
            names = lambda which, ids=ids, kind=kind, what=what: tr(what, name=_name(model, kind, int(ids[which])))  # noqa: E731
            yield handicap, np.asarray(bodies).astype(int)[ids], places[ids], names


def shape_points(model, state, geom: int) -> np.ndarray:
    """(n, 3) corners, ends or vertices of a shape in the world; none of round shapes."""
    form, size = int(model.geom_type[geom]), np.asarray(model.geom_size[geom], float)
    ends = np.array([[0, 0, -1.0], [0, 0, 1.0]])
    if form == enums.GEOM_BOX:
        local = _CORNERS * size
    elif form in (enums.GEOM_CYLINDER, enums.GEOM_CAPSULE):
        local = ends * size[1]
    elif form in (enums.GEOM_MESH, enums.GEOM_SDF):
        mesh = int(model.geom_dataid[geom])
        first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        local = np.asarray(model.mesh_vert[first : first + count], float)[:MOST_VERTICES]
    else:
        local = np.zeros((0, 3))
    axes = np.asarray(state.geom_xmat[geom], float).reshape(3, 3)
    return np.asarray(state.geom_xpos[geom], float) + local @ axes.T


def lines(measurements: Sequence[Measurement], state, in_degrees: bool = True) -> str:
    """All measurements as text, one a line."""
    return "\n".join(each.line(state, in_degrees) for each in measurements)
