"""Rays against the simple volumes of sites."""

from __future__ import annotations

import math

from engine.jit.kernel import small
from engine.jit.vec import load3, load9, mulmatT3, sub3
from engine.model.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_CYLINDER, GEOM_ELLIPSOID


@small
def _ahead(a, b, c):
    """Whether a t^2 + 2 b t + c = 0 has a solution t >= 0."""
    det = b * b - a * c
    if det < 0.0 or a < 1e-15:
        return False
    return -b + math.sqrt(det) >= 0.0


@small
def _ball(p, d, centre):
    z = p[2] - centre
    return (p[0] * p[0] + p[1] * p[1] + z * z, p[0] * d[0] + p[1] * d[1] + z * d[2])


@small
def ray_hits_site(model, data, site, point, direction):
    """Whether the ray from a global point meets the site's volume (from inside counts)."""
    p = mulmatT3(load9(data.site_xmat, site), sub3(point, load3(data.site_xpos, site)))
    d = mulmatT3(load9(data.site_xmat, site), direction)
    size = load3(model.site_size, site)
    kind = model.site_type[site]
    if kind == GEOM_ELLIPSOID:
        s = (1.0 / size[0], 1.0 / size[1], 1.0 / size[2])
        p = (p[0] * s[0], p[1] * s[1], p[2] * s[2])
        d = (d[0] * s[0], d[1] * s[1], d[2] * s[2])
        a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
        square, b = _ball(p, d, 0.0)
        return _ahead(a, b, square - 1.0)
    a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    if kind == GEOM_BOX:
        return _slabs(p, d, size)
    if kind == GEOM_CAPSULE or kind == GEOM_CYLINDER:
        if kind == GEOM_CAPSULE:
            for end in (-size[1], size[1]):
                square, b = _ball(p, d, end)
                if _ahead(a, b, square - size[0] * size[0]):
                    return True
        return _tube(p, d, size[0], size[1])
    square, b = _ball(p, d, 0.0)
    return _ahead(a, b, square - size[0] * size[0])


@small
def _slabs(p, d, size):
    low, high = 0.0, math.inf
    for k in range(3):
        if abs(d[k]) < 1e-15:
            if abs(p[k]) > size[k]:
                return False
        else:
            t1, t2 = (-size[k] - p[k]) / d[k], (size[k] - p[k]) / d[k]
            low, high = max(low, min(t1, t2)), min(high, max(t1, t2))
    return low <= high


@small
def _tube(p, d, radius, half):
    """A cylinder with flat ends."""
    low, high = 0.0, math.inf
    a = d[0] * d[0] + d[1] * d[1]
    c = p[0] * p[0] + p[1] * p[1] - radius * radius
    if a < 1e-15:
        if c > 0.0:
            return False
    else:
        b = p[0] * d[0] + p[1] * d[1]
        det = b * b - a * c
        if det < 0.0:
            return False
        root = math.sqrt(det)
        low, high = max(low, (-b - root) / a), (-b + root) / a
    if abs(d[2]) < 1e-15:
        return abs(p[2]) <= half and low <= high
    t1, t2 = (-half - p[2]) / d[2], (half - p[2]) / d[2]
    return max(low, min(t1, t2)) <= min(high, max(t1, t2))
