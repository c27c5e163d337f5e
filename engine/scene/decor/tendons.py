"""Spatial tendons: capsules along their paths, and slack ropes as catenaries."""

from __future__ import annotations

from math import sqrt

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.model import options_of
from kinetree.engine.scene.appearance import UNSET_RGBA
from kinetree.engine.scene.decor.look import Look, vectors
from kinetree.engine.scene.decor.rows import Decor

PULLEY = -2  # in wrap_obj


def tendons(decor: Decor, look: Look) -> None:
    """Draw all tendons with a path."""
    model, state = look.model, look.state
    for tendon in look.shown("tendon", model.tendon_group) if model.ntendon else ():
        if int(state.ten_wrapnum[tendon]) < 2:
            continue  # a fixed tendon has no path
        rgba = np.asarray(model.tendon_rgba[tendon], float)
        material = int(model.tendon_matid[tendon])
        if material >= 0 and np.all(np.abs(rgba - UNSET_RGBA) < 1e-6):
            rgba = np.asarray(model.mat_rgba[material], float)
        width = float(model.tendon_width[tendon])
        points = _slack_rope(look, tendon)
        if points is None:
            path(decor, look, tendon, width, rgba, (enums.OBJ_TENDON, tendon))
        else:
            decor.capsules(points[:-1], points[1:], width, rgba, object=(enums.OBJ_TENDON, tendon), solid=True)


def path(decor: Decor, look: Look, tendon: int, width: float, rgba, object: tuple[int, int]) -> None:
    """Draw capsules along a tendon's path; half as thick where it lies on a wrapping geom."""
    state = look.state
    first = int(state.ten_wrapadr[tendon])
    points = vectors(state.wrap_xpos)[first : first + int(state.ten_wrapnum[tendon])]
    wrapped = np.asarray(state.wrap_obj).reshape(-1)[first : first + len(points)]
    start, end = wrapped[:-1], wrapped[1:]
    joined = (start != PULLEY) & (end != PULLEY)
    radius = np.where((start >= 0) & (end >= 0), 0.5 * width, width)
    decor.capsules(points[:-1][joined], points[1:][joined], radius[joined], rgba, object=object, solid=True)


def _slack_rope(look: Look, tendon: int) -> np.ndarray | None:
    """(n, 3) points of a limited tendon between two sites that is slack and that nothing else acts on, else
    None."""
    model, state = look.model, look.state
    between_sites = int(state.ten_wrapnum[tendon]) == 2 and model.tendon_num[tendon] == 2
    only_longest = model.tendon_limited[tendon] and model.tendon_range[tendon][0] == 0
    acted_on = (
        model.tendon_stiffness[tendon] > 0 or model.tendon_damping[tendon] > 0 or model.tendon_frictionloss[tendon] > 0
    )
    if not between_sites or not only_longest or acted_on:
        return None
    driven = np.asarray(model.actuator_trntype) == enums.TRN_TENDON
    if np.any(np.asarray(model.actuator_trnid)[driven, 0] == tendon):
        return None
    first = int(state.ten_wrapadr[tendon])
    ends = vectors(state.wrap_xpos)[first : first + 2]
    gravity = np.asarray(options_of(model, state).gravity, float)
    return catenary(ends[0], ends[1], gravity, float(model.tendon_range[tendon][1]))


def catenary(start, end, gravity, length: float, count: int = 31) -> np.ndarray | None:
    """(count, 3) points of a rope of `length` that hangs between two points; None if it is taut or has no
    weight.

    With horizontal distance h and drop v, the parameter a solves 2 a sinh(h / 2a) = sqrt(length^2 - v^2).
    """
    start, end = np.asarray(start, float), np.asarray(end, float)
    weight = np.linalg.norm(gravity)
    span = end - start
    if weight < 1e-12 or length <= np.linalg.norm(span) * (1 + 1e-9):
        return None
    down = gravity / weight
    drop = span @ down
    across = span - drop * down
    h = np.linalg.norm(across)
    if h < 1e-9 * length:  # hangs straight down and comes back up
        low = 0.5 * (length + drop)
        return np.stack([start, start + low * down, end])
    target = sqrt(length * length - drop * drop) / h
    # sinh(x) / x = target, by Newton from above
    x = sqrt(6.0 * (target - 1.0)) if target < 3.0 else np.log(2.0 * target) + np.log(np.log(2.0 * target))
    for _ in range(50):
        value = np.sinh(x) - target * x
        step = value / (np.cosh(x) - target)
        x -= step
        if abs(step) < 1e-13 * x:
            break
    a = h / (2.0 * x)
    middle = 0.5 * h - a * np.arctanh(np.clip(-drop / length, -1 + 1e-15, 1 - 1e-15))
    s = np.linspace(0.0, h, count)
    sag = a * (np.cosh(middle / a) - np.cosh((s - middle) / a))
    return start + s[:, None] * (across / h) + sag[:, None] * down
