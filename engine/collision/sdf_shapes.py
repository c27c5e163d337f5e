"""Signed distances of the shapes of MuJoCo's signed distance plugins: bolt, bowl, gear, nut, torus.

Each function takes a point in the shape's frame and its parameters (model.plugin_prm). The same distances on grids, for
meshes: engine/compile/assets/signed_distance.py, which says where they come from.
"""

from __future__ import annotations

import math

from kinetree.engine.jit.kernel import exact, exact_small
from kinetree.engine.jit.rounding import floor
from kinetree.engine.jit.vec import MINVAL
from kinetree.engine.model.plugins import PLUGIN_BOLT, PLUGIN_BOWL, PLUGIN_GEAR, PLUGIN_NUT, PLUGIN_TORUS

PITCH = 12.0
SLOPE = math.sqrt(0.5)
HEAD = 0.5
SIDES = 6.0 / math.pi / 2.0


@exact_small
def torus(x, y, z, radius1, radius2):
    ring = math.sqrt(x * x + y * y) - radius1
    return math.sqrt(ring * ring + z * z) - radius2


@exact_small
def torus_gradient(x, y, z, radius1):
    across = math.sqrt(x * x + y * y)
    ring = across - radius1
    length = math.sqrt(ring * ring + z * z)
    share = ring / length / max(across, MINVAL)
    return x * share, y * share, z / length


@exact_small
def bowl(x, y, z, height, radius, thickness):
    width = math.sqrt(radius * radius - height * height)
    across = math.sqrt(x * x + y * y)
    if height * across < width * z:
        a, b = across - width, z - height
        return math.sqrt(a * a + b * b) - thickness
    return abs(math.sqrt(across * across + z * z) - radius) - thickness


@exact_small
def head(x, y, z, outward, angle):
    """The hexagon of bolts and nuts."""
    turn = -floor(angle * SIDES + 0.5) / SIDES
    flat = math.sin(turn + math.pi / 2.0) * x - math.sin(turn) * y - HEAD
    return max(max(flat, abs(z + 0.25) - 0.25), (z + outward - 0.22) * SLOPE)


@exact
def screw(x, y, z, radius, is_nut):
    """A bolt, or a nut."""
    outward = math.sqrt(x * x + y * y) - radius
    angle = math.atan2(y, x)
    turn = z * PITCH - angle / math.pi / 2.0
    thread = (outward - abs(turn - floor(turn) - 0.5) / PITCH) * SLOPE
    cone = (z - outward) * SLOPE
    outside = head(x, y, z, outward, angle)
    if is_nut:
        hole = min(max(thread, -(cone + 0.5 * SLOPE)), -cone - 0.05 * SLOPE)
        return max(outside, -hole)
    shaft = max(max(thread, abs(z + 0.5) - 0.5), -(cone + SLOPE))
    return min(shaft, outside)


@exact_small
def wrap(value, period):
    return value - period * floor(value / period)


@exact_small
def smooth_union(a, b, width):
    share = min(max(0.5 + 0.5 * (a - b) / width, 0.0), 1.0)
    return a + (b - a) * share - width * share * (1.0 - share)


@exact
def gear(x, y, z, alpha, diameter, teeth, thickness, innerdiameter):
    pressure = 3.096e-5 * teeth * teeth - 6.557e-3 * teeth + 0.551
    pitch = teeth / diameter
    outer = (diameter + 2.0 / pitch) / 2.0
    root = outer - 2.2 / pitch
    inner = innerdiameter / 2.0 if innerdiameter >= 0.0 else root - 0.14 * diameter
    rho = math.sqrt(x * x + y * y)
    if inner > rho:
        flat = inner - rho
    elif rho - outer > 0.2:
        flat = rho - outer
    else:
        base = diameter * math.cos(pressure) / 2.0
        stride = math.pi / pitch / (diameter / 2.0)
        involute = math.acos(min(base / (diameter / 2.0), 1.0))
        gap = stride / 2.0 - 2.0 * (math.tan(involute) - involute)
        angle = math.atan2(y, x) + alpha
        flank1 = wrap(angle + gap / 2.0, stride) - gap / 2.0
        flank2 = wrap(-angle - gap / 2.0, stride) - gap / 2.0
        tooth = -1e6
        if base < rho:
            unrolled = math.sqrt(rho * rho - base * base)
            turned = math.acos(base / rho)
            tooth = max(unrolled - base * (flank1 + turned), unrolled - base * (flank2 + turned))
        tooth = max(tooth, max(-flank1, -flank2))
        low, high = min(tooth, rho - outer), max(tooth, rho - outer)
        off = low - smooth_union(tooth, rho - outer, 0.0035 * diameter)
        flat = max(high, off + min(high, -low))
        flat = max(smooth_union(flat, rho - root, base - root), inner - rho)
    tall = abs(z) - thickness / 2.0
    a, b = max(flat, 0.0), max(tall, 0.0)
    return min(max(flat, tall), 0.0) + math.sqrt(a * a + b * b)


@exact
def shape_distance(model, plugin, x, y, z):
    """Signed distance of the shape of a plugin instance at a point, m; 0 for one without a shape."""
    slot = model.plugin[plugin]
    prm = model.plugin_prm
    if slot == PLUGIN_TORUS:
        return torus(x, y, z, prm[plugin, 0], prm[plugin, 1])
    if slot == PLUGIN_BOWL:
        return bowl(x, y, z, prm[plugin, 0], prm[plugin, 1], prm[plugin, 2])
    if slot == PLUGIN_BOLT or slot == PLUGIN_NUT:
        return screw(x, y, z, prm[plugin, 0], slot == PLUGIN_NUT)
    if slot == PLUGIN_GEAR:
        return gear(x, y, z, prm[plugin, 0], prm[plugin, 1], prm[plugin, 2], prm[plugin, 3], prm[plugin, 4])
    return 0.0
