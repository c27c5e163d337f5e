"""Readings of touch sensors (plugins mujoco.sensor.touch_grid and touch_stress): a plate for each cell of the sensor.

A plate lies across the direction of its cell: of a grid as far from the site as its contacts are on average, where the
cell reads anything; of stress on the sensor's sphere. Red, green and blue are the first three channels, in parts of the
greatest reading of the first, and full where there are fewer channels; where that is 0 nothing is drawn. Found by
comparing with mujoco 3.3.4.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.dynamics.sensor.touch import edge
from kinetree.engine.dynamics.sensor.touch_stress import radius_of
from kinetree.engine.jit.uncompiled import uncompiled
from kinetree.engine.model.plugins import PLUGIN_TOUCH_GRID, PLUGIN_TOUCH_STRESS
from kinetree.engine.scene.decor.look import Look, matrices, vectors
from kinetree.engine.scene.decor.rows import Decor
from kinetree.engine.scene.scene import ShapeKind

THICK = 0.02  # half of a plate's thickness, and its offset towards the viewer, in distances


def readings(decor: Decor, look: Look) -> None:
    """Draw the plates of all touch sensors."""
    model = look.model
    for sensor, plugin in enumerate(np.asarray(model.sensor_plugin).tolist()):
        kind = int(model.plugin[plugin]) if plugin >= 0 else -1
        if kind in (PLUGIN_TOUCH_GRID, PLUGIN_TOUCH_STRESS):
            _plates(decor, look, sensor, kind)


def _plates(decor: Decor, look: Look, sensor: int, kind: int) -> None:
    model, state = look.model, look.state
    channels, across, down = (int(number) for number in model.plugin_prm[model.sensor_plugin[sensor], :3])
    address, cells = int(model.sensor_adr[sensor]), across * down
    read = np.asarray(state.sensordata, float)[address : address + channels * cells].reshape(channels, cells)
    most = float(np.abs(read[0]).max())
    if not 0.0 < most < np.inf:
        return
    x, y = _edges(model, sensor)
    if kind == PLUGIN_TOUCH_GRID:
        distance, shown = _mean_distances(look, sensor, x, y), read[0] != 0.0
    else:
        radius = float(uncompiled(radius_of)(model, int(model.site_bodyid[model.sensor_objid[sensor]])))
        distance, shown = np.full(cells, radius), np.ones(cells, bool)
    shown = np.flatnonzero(shown & (distance > 0.0))
    angle, elevation = (0.5 * (each[1:] + each[:-1]) for each in (x, y))
    width, height = 0.5 * np.diff(x)[shown % across], 0.5 * np.diff(y)[shown // across]
    a, e, distance = angle[shown % across], elevation[shown // across], distance[shown]
    back = np.stack([-np.cos(e) * np.sin(a), -np.sin(e), np.cos(e) * np.cos(a)], axis=1)
    right = np.stack([np.cos(a), np.zeros(len(a)), np.sin(a)], axis=1)
    site = int(model.sensor_objid[sensor])
    axes = matrices(state.site_xmat)[site]
    mat = axes @ np.stack([right, np.cross(back, right), back], axis=2)
    pos = vectors(state.site_xpos)[site] - (1.0 - THICK) * distance[:, None] * (back @ axes.T)
    rgba = np.ones((len(shown), 4))
    rgba[:, : min(channels, 3)] = np.minimum(np.abs(read[:3, shown]).T / most, 1.0)
    size = distance[:, None] * np.stack([width, height, np.full(len(a), THICK)], axis=1)
    decor.add(ShapeKind.BOX, pos, mat, size, rgba)


def _edges(model, sensor: int) -> tuple[np.ndarray, np.ndarray]:
    """Angles at which the cells across and down begin and end, rad."""
    prm = model.plugin_prm[model.sensor_plugin[sensor]]
    counts, views = prm[1:3].astype(int), np.radians(prm[3:5])
    ends = uncompiled(edge)
    across, down = (ends(np.arange(n + 1), n, float(prm[5]), view) for n, view in zip(counts.tolist(), views))
    return across, down


def _mean_distances(look: Look, sensor: int, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(cells,) mean distance from the site of the contacts in each cell that the sensor feels; 0 without any."""
    model, state = look.model, look.state
    site, count = int(model.sensor_objid[sensor]), int(state.ncon)
    geom = np.asarray(state.contact.geom, int).reshape(-1, 2)[:count]
    weld = np.asarray(model.body_weldid).astype(int)
    side = weld[np.asarray(model.geom_bodyid).astype(int)[geom]]  # of a flex some geom's: left out below
    felt = (geom >= 0).all(axis=1) & (side == weld[int(model.site_bodyid[site])]).any(axis=1)
    away = vectors(state.contact.pos)[:count][felt] - vectors(state.site_xpos)[site]
    local = away @ matrices(state.site_xmat)[site]
    places = (np.arctan2(local[:, 0], -local[:, 2]), np.arctan2(local[:, 1], np.hypot(local[:, 0], local[:, 2])))
    column, row = (np.searchsorted(edges, angle, "left") - 1 for edges, angle in zip((x, y), places))
    inside = (column >= 0) & (column < len(x) - 1) & (row >= 0) & (row < len(y) - 1)
    cell, cells = (row * (len(x) - 1) + column)[inside], (len(x) - 1) * (len(y) - 1)
    total = np.bincount(cell, np.linalg.norm(local[inside], axis=1), cells)
    return total / np.maximum(np.bincount(cell, minlength=cells), 1)
