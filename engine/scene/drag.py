"""Drags in a view: which way a movement of the mouse pulls or turns the selected body (engine/run/perturb.py)."""

from __future__ import annotations

from math import pi

import numpy as np

from kinetree.engine.run.perturb import Active, Perturb
from kinetree.engine.scene.camera import Mouse, View, drag_axes


def begin(perturb: Perturb, active: Active, model, state, view: View) -> None:
    """Begin to drag the selected point as it is seen in a view."""
    depth = max(view.depth(perturb.point(state)), view.near)
    perturb.begin(active, model, state, view.height_at(depth))


def move(perturb: Perturb, action: Mouse, dx: float, dy: float, view: View) -> None:
    """Move or turn the reference of a drag by a movement of the mouse, in fractions of the window height, y down."""
    right, up, away = drag_axes(view.forward, view.right)
    if action == Mouse.MOVE_V:
        perturb.shift(perturb.scale * (dx * right - dy * up))
    elif action == Mouse.MOVE_H:
        perturb.shift(perturb.scale * (dx * right - dy * away))
    elif action in (Mouse.ROTATE_V, Mouse.ROTATE_H):
        other = np.array([0.0, 0.0, 1.0]) if action == Mouse.ROTATE_V else away
        perturb.turn(2.0 * pi * (dx * other + dy * right))  # about the axis across the movement, once a window height
