"""Live targets: what the handles move while they pose the running state instead of editing the text.

A mocap body, a ball joint, a hinge or a slide is set at any time; a free body is placed, and a limb is posed by inverse
kinematics, while the simulation is paused. Nothing here touches the text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kinetree.app.viewport.gizmo.keys import rest_of_ball
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.engine import editing, posing
from kinetree.engine.document.element_edit import ElementEdit
from kinetree.engine.dynamics import query
from kinetree.engine.geometry.orientation import START, Pose, Quat, compose, invert, unit
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import body_of, name_of
from kinetree.engine.model.model import Model
from kinetree.engine.scene.gizmo import TURN, anchor_of
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    import numpy as np

    from kinetree.app.viewport.gizmo.drag import Drag
    from kinetree.app.workspace.simulation_controller import SimulationController

ENOUGH = 6
"""Dofs of a limb that keeps its orientation while it is moved."""


@dataclass(frozen=True)
class LivePlacement:
    """Placement of a live target: a pose in the frame of its target."""

    pose: Pose
    moves: bool = True
    turns: bool = True
    grows: bool = False


@dataclass(frozen=True)
class LiveTarget:
    """Object moved by the handles, with the interface of a Target that the gizmo uses.

    selection  the body or joint
    what       "mocap", "free", "limb", "ball" or "value" (a hinge or slide)
    number     mocap id, body, or address in qpos
    base       the frame in which the pose counts, in the world, when this was made
    most       of a ball joint: the angle that its range allows, rad
    """

    selection: Selection
    what: str
    number: int
    base: Pose
    placement: LivePlacement
    most: float = math.pi
    shape: None = None
    unsized: str = ""
    element: int = -1
    replicas: Mapping[int, int] = field(default_factory=dict)

    def why_not(self, _tool: str) -> str:
        return ""

    def frame(self, _model: Model, _snapshot: Any) -> Pose:
        """The frame of `placement.pose`: the one at the start of the drag, so that the drag counts from there."""
        return self.base

    def set(self, model: Model, simulation: SimulationController, pose: Pose, turned: bool) -> None:
        """Request that the simulation moves the object to a pose in `base`. `turned`: by a handle that turns."""
        pos, quat = compose(self.base, pose)
        if self.what == "mocap":
            simulation.post(
                requests.SetPose([("mocap_pos", 3 * self.number, pos), ("mocap_quat", 4 * self.number, unit(quat))])
            )
        elif self.what == "ball":
            simulation.post(requests.SetPose([("qpos", self.number, _within(unit(pose[1]), self.most))]))
        elif self.what in ("free", "limb"):
            keeps = turned or self.what == "free" or _freedom(model, self.number) >= ENOUGH
            simulation.post(requests.DragBody(self.number, posing.aim.Aim(pos, unit(quat) if keeps else None)))


@dataclass(frozen=True)
class LiveValue:
    """The position of a hinge or slide; it has what the gizmo uses of Limits, with both ends in one.

    address  in qpos
    low      the position, rad or m
    ends     the range, None without one
    """

    address: int
    low: float
    turns: bool
    ends: tuple[float, float] | None

    @property
    def high(self) -> float:
        return self.low

    def set(self, _side: int, value: float, _precision: float) -> list[ElementEdit]:
        """No edit: a position is no part of the text."""
        return []

    def put(self, simulation: SimulationController, value: float) -> None:
        """Put the joint there, within its range."""
        if self.ends is not None:
            value = min(max(value, self.ends[0]), self.ends[1])
        simulation.post(requests.SetPose([("qpos", self.address, (value,))]))


def live_target(model: Model, snapshot: Any, selection: Selection) -> tuple[LiveTarget, LiveValue | None]:
    """The target for a selected object, and of a hinge or slide its position. Raises NotPlaced."""
    if selection.kind == "joint" and int(model.jnt_type[selection.id]) != enums.JNT_FREE:
        return _joint(model, snapshot, selection)
    body = body_of(model, selection.kind, selection.id) if selection.kind else -1
    if body <= 0:
        raise editing.pose.NotPlaced(tr("this does not move: select a body or a joint"))
    root = int(model.body_rootid[body])
    rigid = int(model.body_weldid[body]) == int(model.body_weldid[root])
    if rigid and int(model.body_mocapid[root]) >= 0:
        return _body(model, snapshot, root, "mocap", int(model.body_mocapid[root])), None
    if int(model.body_weldid[body]) == 0:
        raise editing.pose.NotPlaced(
            tr("{name_of} is fixed to the world: no joint moves it", name_of=name_of(model, "body", body))
        )
    if snapshot.running:
        raise editing.pose.NotPlaced(
            tr(
                "pause to pose {name_of}: a body that moves is pulled (Ctrl + right drag)",
                name_of=name_of(model, "body", body),
            )
        )
    first = int(model.body_jntadr[root])
    if rigid and first >= 0 and int(model.jnt_type[first]) == enums.JNT_FREE:
        return _body(model, snapshot, root, "free", root), None
    return _body(model, snapshot, body, "limb", body), None


def put(
    simulation: SimulationController, drag: Drag, value: object, frames: Sequence[Pose], towards: np.ndarray
) -> bool:
    """Put what is dragged where the drag says: `value`, a LiveValue, or else the targets, whose frames in the world are
    given; `towards` (3,) points to the viewer. Returns whether there is a model."""
    if simulation.model is None:
        return False
    if isinstance(value, LiveValue):
        value.put(simulation, math.radians(drag.value) if drag.unit == "°" else drag.value)
        return True
    for target, pose in zip(drag.targets, drag.poses(frames, towards), strict=True):
        if isinstance(target, LiveTarget):
            target.set(simulation.model, simulation, pose, drag.handle.tool == TURN)
    return True


def take_back(simulation: SimulationController, drag: Drag, value: object) -> None:
    """Put everything back to before the drag; while the simulation runs, what is dragged."""
    model, snapshot = simulation.model, simulation.snapshot
    if model is None:
        return
    if snapshot is None or not snapshot.running:
        simulation.post(requests.CancelDrag())
    elif isinstance(value, LiveValue):
        value.put(simulation, value.low)
    else:
        for target in drag.targets:
            if isinstance(target, LiveTarget):
                target.set(model, simulation, target.placement.pose, True)


def _body(model: Model, snapshot: Any, body: int, what: str, number: int) -> LiveTarget:
    parent = int(model.body_parentid[body])
    base = _pose(snapshot, parent) if parent > 0 else START
    return LiveTarget(
        Selection("body", body), what, number, base, LivePlacement(compose(invert(base), _pose(snapshot, body)))
    )


def _joint(model: Model, snapshot: Any, selection: Selection) -> tuple[LiveTarget, LiveValue | None]:
    joint, address = selection.id, int(model.jnt_qposadr[selection.id])
    if int(model.jnt_type[joint]) == enums.JNT_BALL:
        base = rest_of_ball(model, snapshot, joint)
        turned = unit(tuple(map(float, snapshot.qpos[address : address + 4])))
        placement = LivePlacement((START[0], turned), moves=False)
        most = float(model.jnt_range[joint, 1]) if model.jnt_limited[joint] else math.pi
        return LiveTarget(selection, "ball", address, base, placement, most), None
    pos = tuple(map(float, anchor_of(model, snapshot, joint)))
    placement = LivePlacement((pos, START[1]), moves=False, turns=False)
    ends = (float(model.jnt_range[joint, 0]), float(model.jnt_range[joint, 1])) if model.jnt_limited[joint] else None
    turns = int(model.jnt_type[joint]) == enums.JNT_HINGE
    value = LiveValue(address, float(snapshot.qpos[address]), turns, ends)
    return LiveTarget(selection, "value", address, START, placement), value


def _within(quat: Quat, most: float) -> Quat:
    """An orientation turned by at most so much, about the same axis, rad."""
    sine = math.hypot(*quat[1:])
    if 2.0 * math.atan2(sine, abs(quat[0])) <= most:
        return quat
    scale = math.copysign(math.sin(0.5 * most) / sine, quat[0])
    return (math.cos(0.5 * most), *(scale * each for each in quat[1:]))


def _pose(snapshot: Any, body: int) -> Pose:
    return tuple(map(float, snapshot.xpos[body])), unit(tuple(map(float, snapshot.xquat[body])))


def _freedom(model: Model, body: int) -> int:
    """How many dofs a limb has, without a free joint at the root."""

    return len(set(query.jac.chain(model, body).tolist()) - posing.mechanism.root_dofs(model, body))
