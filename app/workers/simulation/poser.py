"""Sets poses by hand in the simulation thread, while the simulation is paused.

A body is drawn to a place by inverse kinematics (`engine/posing`), a few steps at a time: the window shows each result,
and a newer target replaces one that is not reached yet. A whole drag is one undoable pose (`engine/run/poses.py`). With
`contacts_block` a dragged body does not penetrate others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine import posing
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import JOINT_NQ, JOINT_NV
from kinetree.engine.run.poses import Poses

if TYPE_CHECKING:
    from kinetree.engine.model.data import Data
    from kinetree.engine.model.model import Model
    from kinetree.engine.posing.aim import Aim
    from kinetree.engine.posing.posing import Posing

POSE_FIELDS = ("qpos", "mocap_pos", "mocap_quat")


class Poser:
    """Belongs to the simulation thread.

    poses           those that can be taken back
    contacts_block  whether contacts stop a body that is drawn to a place
    """

    def __init__(self) -> None:
        self.poses = Poses()
        self.contacts_block = True
        self._posing: Posing | None = None  # the search for the pose of the body that is dragged
        self._aim: tuple[int, Aim] | None = None  # body, where it is to go; None: what was asked for is under way
        self._drags = 0  # counts drags
        self._is_released = False  # the drag ended, the search goes on to where it was aimed at last

    @property
    def is_searching(self) -> bool:
        """Whether `improve` has something to do."""
        return self._aim is not None or (self._posing is not None and not self._posing.is_done)

    @property
    def at_limit(self) -> tuple[int, ...]:
        """Joints at an end of their range, of those that pose the dragged body."""
        return () if self._posing is None or self._is_released else tuple(self._posing.at_limit)

    def release(self) -> None:
        """The drag of a body ended where it is aimed at: the body still gets there, however quick the hand was."""
        self._is_released = True
        self._drags += 1

    def let_go(self) -> None:
        """Search no more: the body stays where it is."""
        self._posing = self._aim = None
        self._drags += 1

    def clear(self) -> None:
        """Another model, or another state, is there now."""
        self.let_go()
        self.poses.clear()

    def begin(self, data: Data) -> None:
        """The following poses belong to the drag in progress."""
        self.poses.before(data, self._drags)

    def give_up(self, data: Data) -> None:
        """Put everything back to before the drag."""
        self.poses.give_up(data, self._drags)

    def draw(self, model: Model, data: Data, body: int, aim: Aim) -> None:
        """Let a body go to a place: at once where nothing holds it, else by inverse kinematics."""
        self.begin(data)
        first = int(model.body_jntadr[body])
        is_free = first >= 0 and int(model.jnt_type[first]) == enums.JNT_FREE
        if is_free and aim.pos is not None and aim.quat is not None and not any(aim.point) and not self.contacts_block:
            if not self.is_coupled(model, data, body):
                place(model, data, "qpos", int(model.jnt_qposadr[first]), [*aim.pos, *aim.quat])
                return
        self._aim = body, aim
        self._is_released = False

    def is_coupled(self, model: Model, data: Data, body: int) -> bool:
        """Whether an equality holds a free body to something else."""
        return posing.mechanism.is_coupled(model, data, body)

    def improve(self, model: Model, data: Data) -> None:
        """Take some steps towards where the body is to go."""
        aim, self._aim = self._aim, None
        try:
            found = self._posing
            if aim is not None:
                if found is None or found.body != aim[0] or found.data is not data or not found.is_current:
                    found = self._posing = posing.posing.Posing(model, data, aim[0], self.contacts_block)
                found.aim(aim[1])
            elif self._is_released and found is not None and not found.is_current:
                found = self._posing = None  # something else has changed the pose since
            if found is not None:
                found.improve()
                data.qvel[found.dofs] = 0.0
                if self._is_released and found.is_done:
                    self._posing = None
        except posing.posing.NotPosable:
            self._posing = None


def place(model: Model, data: Data, name: str, start: int, values: Sequence[float]) -> None:
    """Write values into an array of the state or the inputs, from a flat index on. Joints whose qpos is written are at
    rest afterwards."""
    count = len(values)
    getattr(data, name).reshape(-1)[start : start + count] = values
    if name == "qpos":
        ends = model.jnt_qposadr + np.array(JOINT_NQ)[model.jnt_type]
        for joint in np.flatnonzero((model.jnt_qposadr < start + count) & (ends > start)):
            first = model.jnt_dofadr[joint]
            data.qvel[first : first + JOINT_NV[model.jnt_type[joint]]] = 0.0
