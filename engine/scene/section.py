"""The section plane: what lies before it is not drawn, so that the inside can be seen."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

PARALLEL = 0.01  # squared sine below which a ray is parallel to the normal
Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Section:
    """A plane through `point` (3,) of the world. What lies on the side of its unit `normal` (3,) is not drawn; planes
    and decorations are, as they have no inside."""

    point: Vector
    normal: Vector

    @property
    def plane(self) -> np.ndarray:
        """(4,) a, b, c, d: what is drawn has a x + b y + c z + d >= 0."""
        normal = np.array(self.normal, float)
        return np.append(-normal, normal @ self.point)

    def flipped(self) -> Section:
        """The plane that leaves out the other side."""
        x, y, z = self.normal
        return replace(self, normal=(-x, -y, -z))

    def moved(self, distance: float) -> Section:
        """The plane so many metres along its normal."""
        x, y, z = (np.array(self.point) + distance * np.array(self.normal)).tolist()
        return replace(self, point=(x, y, z))

    def facing(self, direction, snap: float = 0.0) -> Section:
        """The plane through the same point with another normal, (3,) of any length but zero. `snap`: its azimuth and
        elevation become multiples of this angle, rad."""
        direction = np.asarray(direction, float)
        if snap > 0.0:
            azimuth = np.arctan2(direction[1], direction[0])
            elevation = np.arcsin(np.clip(direction[2] / np.linalg.norm(direction), -1.0, 1.0))
            azimuth, elevation = (snap * round(angle / snap) for angle in (azimuth, elevation))
            direction = np.array((np.cos(azimuth), np.sin(azimuth), np.tan(elevation)))
            if abs(elevation) > 0.5 * np.pi - 0.5 * snap:
                direction = np.array((0.0, 0.0, np.sign(elevation)))
        return across(self.point, direction)


def across(centre, normal) -> Section:
    """The plane through a point (3,) with a normal (3,) of any length but zero."""
    normal = np.asarray(normal, float)
    x, y, z = np.asarray(centre, float).tolist()
    a, b, c = (normal / np.linalg.norm(normal)).tolist()
    return Section((x, y, z), (a, b, c))


def seen(section: Section | None, origin: np.ndarray, direction: np.ndarray) -> tuple[float, float]:
    """The part of a ray from `origin` along the unit `direction` that the section leaves: distances from and to.
    Empty (from > to) where it leaves nothing."""
    if section is None:
        return 0.0, np.inf
    plane = section.plane
    height, rate = float(plane[:3] @ origin + plane[3]), float(plane[:3] @ direction)
    if height >= 0:
        return (0.0, -height / rate) if rate < 0 else (0.0, np.inf)
    return (-height / rate, np.inf) if rate > 0 else (np.inf, 0.0)


def nearest_on_line(point, axis, origin, direction) -> float | None:
    """How far along the unit `axis` through `point` the place nearest to a ray is, metres; None where the ray is
    nearly parallel to it."""
    axis, direction = np.asarray(axis, float), np.asarray(direction, float)
    between = np.asarray(origin, float) - np.asarray(point, float)
    slant = float(axis @ direction)
    rest = 1.0 - slant * slant
    if rest < PARALLEL:
        return None
    return float((between @ axis - slant * (between @ direction)) / rest)


def on_sphere(centre, radius: float, near, origin, direction) -> np.ndarray:
    """(3,) the unit direction from the centre of a sphere to where a ray along the unit `direction` meets it: of the
    two places the one that is nearer to the direction `near`. Where the ray misses it, towards the ray."""
    direction, between = np.asarray(direction, float), np.asarray(origin, float) - np.asarray(centre, float)
    closest = between - (between @ direction) * direction
    left = radius * radius - closest @ closest
    if left <= 0.0:
        return closest / np.linalg.norm(closest)
    places = [closest + sign * np.sqrt(left) * direction for sign in (-1.0, 1.0)]
    return max(places, key=lambda place: float(place @ np.asarray(near, float))) / radius
