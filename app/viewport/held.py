"""Text about the held body: the force in newtons, the torque or the pose."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.app.widgets.readouts import number_text
from kinetree.engine import run
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model
    from kinetree.engine.run.perturb import Perturb


def held_text(model: Model, snapshot: Any, perturb: Perturb) -> str:
    """The text beside the held point; "" while nothing is held."""
    body, turns = perturb.select, bool(perturb.active & run.perturb.Active.ROTATE)
    if body <= 0 or not perturb.active or not snapshot.ready:
        return ""
    paused = not snapshot.running
    if perturb.pose(model, snapshot, paused) is None and not paused:
        force = np.asarray(snapshot.xfrc_applied[body], float)
        return f"{_figures(force[3:])} N m" if turns else f"{_figures(force[:3])} N"
    if paused and not _moves(model, body):
        return tr("No joint moves this body")
    if turns:
        text = tr("Turned by {degrees:.1f}°", degrees=math.degrees(perturb.turned()))
    else:
        text = "x {}   y {}   z {} m".format(*(number_text(each, 4) for each in perturb.point(snapshot)))
    if snapshot.at_limit:
        text += "\n" + limit_text(model, snapshot.at_limit)
    return text


def limit_text(model: Model, joints: tuple[int, ...]) -> str:
    """Which joints are at an end of their range."""
    names = [name_of(model, "joint", joint) for joint in joints[:2]]
    if len(joints) == 1:
        return tr("{names} is at its limit", names=names[0])
    if len(joints) == 2:
        return tr("{names} and {names2} are at their limits", names=names[0], names2=names[1])
    return tr(
        "{names}, {names2} and {number} more joints are at their limits",
        names=names[0],
        names2=names[1],
        number=len(joints) - 2,
    )


def _moves(model: Model, body: int) -> bool:
    return int(model.body_weldid[body]) != 0 or int(model.body_mocapid[model.body_rootid[body]]) >= 0


def _figures(vector: np.ndarray) -> str:
    """The length of a vector with three digits that count."""
    size = float(np.linalg.norm(vector))
    return f"{size:.3g}" if size < 1000 else f"{size:,.0f}"
