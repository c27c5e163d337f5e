"""The range of a selected joint, as it is drawn about the joint: the arc of a hinge, the line of a slide, the cone of a
ball joint. While a new version of the model has no state yet, it stays where it was."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.scene import gizmo
from kinetree.engine.scene.gizmo import GizmoFrame, JointRange

if TYPE_CHECKING:
    from kinetree.app.viewport.gizmo.drag import Drag
    from kinetree.app.workspace.selection import Selection
    from kinetree.engine.editing.keyframe import KeyValue
    from kinetree.engine.editing.limit import JointLimits
    from kinetree.engine.model.model import Model
    from kinetree.engine.run.matching import Matching
    from kinetree.engine.scene.camera import View


class ShownRange:
    """World positions of the ranges of the joints that were selected last, to draw them."""

    def __init__(self) -> None:
        self._arc: tuple[np.ndarray, np.ndarray, np.ndarray | None, float] | None = None  # see `joint_range`
        self._arc_joint = -1
        self._ball: tuple[int, np.ndarray, np.ndarray] | None = None  # joint, see `ball_cone`

    def forget(self) -> None:
        """Drop all ranges: another model is open."""
        self._arc, self._arc_joint, self._ball = None, -1, None

    def follow(self, matching: Matching) -> None:
        """Renumber the joints for the next version of the model."""
        self._arc_joint = matching.new_id("joint", self._arc_joint)
        if self._ball is not None:
            joint = matching.new_id("joint", self._ball[0])
            self._ball = (joint, *self._ball[1:]) if joint >= 0 else None

    def arc(
        self, model: Model, snapshot: Any, selection: Selection, limits: JointLimits | KeyValue, drag: Drag | None
    ) -> JointRange | None:
        """The range of a hinge or slide, as dragged; None for other objects, and where it is not known yet."""
        if selection.kind != "joint" or not 0 <= selection.id < model.njnt:
            return None
        if snapshot is not None and snapshot.model is model:
            self._arc, self._arc_joint = gizmo.joint_range(model, snapshot, selection.id), selection.id
        if self._arc is None or self._arc_joint != selection.id:
            return None
        low, high = limits.low, limits.high
        if drag is not None and drag.handle.tool == "limit":
            end = math.radians(drag.value) if drag.unit == "°" else drag.value
            side = drag.handle.side
            low, high = (end if side <= 0 else low), (end if side >= 0 else high)
        pos, axis, start, now = self._arc
        return JointRange(pos, axis, start, low - now, high - now)

    def cone(
        self,
        model: Model,
        snapshot: Any,
        selection: Selection,
        limits: JointLimits,
        drag: Drag | None,
        view: View,
        size: tuple[int, int],
    ) -> JointRange | None:
        """The range of a ball joint, as dragged and as seen in a view of a size, pixels."""
        if selection.kind != "joint" or not 0 <= selection.id < model.njnt:
            return None
        if snapshot is not None and snapshot.model is model and int(model.jnt_type[selection.id]) == enums.JNT_BALL:
            self._ball = selection.id, *gizmo.ball_cone(model, snapshot, selection.id)
        if self._ball is None or self._ball[0] != selection.id:
            return None
        _, pos, start = self._ball
        half_angle = math.radians(drag.value) if drag is not None and drag.handle.tool == "limit" else limits.high
        return gizmo.cone(pos, start, half_angle, GizmoFrame(pos, np.eye(3), view, *size))
