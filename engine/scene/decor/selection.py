"""The selected point, the spring that pulls it, the frame that turns its body, and the force on the body."""

from __future__ import annotations

import numpy as np

from kinetree.engine.run.perturb import Active, Perturb
from kinetree.engine.scene.decor.bodies import add_frames, inertia_size
from kinetree.engine.scene.decor.look import Look
from kinetree.engine.scene.decor.rows import IDENTITY, Decor
from kinetree.engine.scene.scene import ShapeKind

THINNEST = 0.0015  # radius of the spring, of the window's height


def point(decor: Decor, look: Look) -> None:
    """Draw a ball at the selected point."""
    perturb = look.selection()
    if perturb is not None:
        radius = look.scale("selectpoint")
        decor.add(
            ShapeKind.SPHERE,
            perturb.point(look.state),
            IDENTITY,
            radius,
            look.color("selectpoint"),
            emission=0.3,
        )


def perturbation(decor: Decor, look: Look) -> None:
    """Draw the spring to where the point is pulled, and the frame and box that the body is turned to."""
    perturb = look.selection()
    if perturb is None:
        return
    model, state = look.model, look.state
    rgba, width = look.color("force"), _width(look, perturb)
    if perturb.active & Active.TRANSLATE:
        start = perturb.point(state)
        decor.add(ShapeKind.SPHERE, start, IDENTITY, 1.6 * width, rgba, emission=0.4)
        decor.arrows(start, np.asarray(perturb.refselpos, float) - start, width, rgba, emission=0.4)
    if perturb.active & Active.ROTATE:
        body, mat = perturb.select, perturb.refmat()
        centre = state.xipos[body]
        add_frames(decor, look, centre, mat, factor=2.0)
        size = np.maximum(inertia_size(model, body), 2 * width)
        decor.add(ShapeKind.LINES_BOX, centre, mat @ perturb.inertial_offset(model), size, rgba, emission=0.5)


def force(decor: Decor, look: Look) -> None:
    """Draw the force that acts on the selected body from outside."""
    perturb = look.selection()
    if perturb is not None:
        body = perturb.select
        vector = look.per_newton() * np.asarray(look.state.xfrc_applied[body], float)[:3]
        decor.arrows(look.state.xipos[body], vector, _width(look, perturb), look.color("force"), emission=0.3)


def _width(look: Look, perturb: Perturb) -> float:
    """Radius of the spring: never too thin to be seen."""
    depth = max(look.view.depth(perturb.point(look.state)), look.view.near)
    return max(look.scale("forcewidth"), THINNEST * look.view.height_at(depth))
