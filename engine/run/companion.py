"""A second model that is simulated beside another one, step by step, with the same inputs: to judge a change against
what was before.

    other = Companion(changed, model, data)     # goes on from the state of `data`, as far as both have it
    step(model, data, 10)
    other.follow(data, position)                # the same time, the same controls

The inputs are the controls of actuators, the poses of mocap bodies and the forces from outside. They go to the objects
that `engine/run/matching.py` finds: those of the same name. A pose that is set by hand in the first model is given to
both.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import floor

import numpy as np

from kinetree.engine.dynamics.forward import forward
from kinetree.engine.model.data import Data, reset
from kinetree.engine.model.model import Model
from kinetree.engine.run.history import LIMIT, History
from kinetree.engine.run.matching import Matching
from kinetree.engine.run.recorder import Recorder, step
from kinetree.engine.run.transfer import transfer

KEPT = 100_000
"""Places in the history that are known of both models at most."""


class Companion:
    """Second model that is simulated beside a first one, with the same inputs. Belongs to the thread that steps the
    first model.

    shared       the model as it was given, which other threads may use too
    model, data  the same with options of its own, and its state
    history      of its steps
    recorders    that every step of it is written to
    diverged     whether its simulation failed; it stands still then until the next reset
    """

    def __init__(self, model: Model, first: Model, first_data: Data, limit: int = LIMIT, seconds: float = float("inf")):
        self.shared, self.model = model, model.with_own_options()
        self.data = Data(self.model)
        self.history = History(limit, seconds)
        self.recorders: list[Recorder] = []
        self.diverged = False
        self._steps: list[tuple[int, int]] = []  # numbers of the same moment in the histories of both
        self._matching = Matching(first, model)
        self._read_pairs()
        self.join(first_data)

    # ---- the first model -----------------------------------------------------------------------------------

    def take_model(self, first: Model, first_data: Data) -> None:
        """Go on with `first_data`, of the next version of the first model."""
        self._matching = Matching(first, self.shared)
        self._read_pairs()
        self._see(first_data)

    def join(self, first_data: Data) -> None:
        """Take the state and the time of the first model."""
        reset(self.model, self.data)
        transfer(self._matching.old, first_data, self.model, self.data, self._matching, follow_text=False)
        self.data.time = first_data.time
        self._begin(first_data)

    def reset(self, first_data: Data, key: int | str | None = None) -> None:
        """Follow a reset of the first model: go to this model's initial state, or its keyframe of the same name."""
        if isinstance(key, int):
            key = self._matching.old.names["key"][key]
        reset(self.model, self.data, key if key and key in self.shared.names["key"] else None)
        self._begin(first_data)

    def _begin(self, first_data: Data) -> None:
        self._copy_inputs(first_data)
        forward(self.model, self.data)
        self.history.append(self.model, self.data)
        self.diverged = False
        self._see(first_data)

    def check(self, first_data: Data) -> None:
        """Join the first model where its pose was changed by hand since the last call of any method."""
        if not np.array_equal(first_data.qpos, self._seen):
            self.join(first_data)

    def _see(self, first_data: Data) -> None:
        self._seen = first_data.qpos.copy()

    # ---- steps ---------------------------------------------------------------------------------------------

    def follow(self, first_data: Data, position: int) -> None:
        """Step until the time of the first model, which is now at `position` of its history."""
        self._see(first_data)
        if self.diverged:
            return
        self._copy_inputs(first_data)
        count = floor((first_data.time - self.data.time) / self.model.opt.timestep + 0.5)
        if count < 1:
            return
        resets = self.data.nreset
        self.history.before_step(self.model, self.data)
        for recorder in self.recorders:
            recorder.step = self.history.position
        step(self.model, self.data, count, self.recorders)
        self.history.after_step(self.data, count)
        self.diverged = self.data.nreset != resets
        self._note(position)

    def seek(self, first_data: Data, position: int) -> None:
        """Follow the first model to `position` of its history: go to the same moment."""
        self._see(first_data)
        if not self._steps:
            return
        index = min(bisect_left(self._steps, (position, -1)), len(self._steps) - 1)
        there, mine = self._steps[index]
        rate = self._matching.old.opt.timestep / self.model.opt.timestep
        self.history.seek(self.model, self.data, mine - round((there - position) * rate))

    def _note(self, position: int) -> None:
        while self._steps and self._steps[-1][0] >= position:  # the first model went on from the past
            self._steps.pop()
        self._steps.append((position, self.history.position))
        if len(self._steps) > KEPT:
            del self._steps[: KEPT // 2]

    # ---- inputs --------------------------------------------------------------------------------------------

    def _read_pairs(self) -> None:
        self._actuators = self._matching.pairs("actuator")
        self._bodies = self._matching.pairs("body")
        mine, theirs = (
            model.body_mocapid[ids] for model, ids in zip((self.shared, self._matching.old), self._bodies, strict=True)
        )
        both = (mine >= 0) & (theirs >= 0)
        self._mocap = mine[both], theirs[both]

    def _copy_inputs(self, first_data: Data) -> None:
        pairs: Sequence[tuple[str, tuple[np.ndarray, np.ndarray]]] = (
            ("ctrl", self._actuators),
            ("xfrc_applied", self._bodies),
            ("mocap_pos", self._mocap),
            ("mocap_quat", self._mocap),
        )
        for name, (mine, theirs) in pairs:
            if len(mine):
                getattr(self.data, name)[mine] = getattr(first_data, name)[theirs]
