"""Applies the mouse to bodies, in the simulation thread: pushes them while the simulation runs, and poses them while it
is paused.

The simulation calls the methods between steps. They return whether the state has changed, so that dependent values must
be computed again.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kinetree.app.workers.simulation.poser import POSE_FIELDS, Poser, place
from kinetree.engine import posing

if TYPE_CHECKING:
    from kinetree.app.workers.simulation.loaded import Loaded
    from kinetree.engine.model.data import Data
    from kinetree.engine.posing.aim import Aim
    from kinetree.engine.run.perturb import Perturb


class MouseForces:
    """Belongs to the simulation thread. `moves`: whether the simulation runs; `ready`: whether its kernels are there.

    perturb  how a body is pushed or where it is to go, None without a drag
    poser    poses bodies, and knows the poses that can be taken back
    """

    def __init__(self) -> None:
        self.perturb: Perturb | None = None
        self.poser = Poser()

    def drop(self) -> None:
        """End what is being done, as after an error."""
        self.perturb = None
        self.poser.let_go()

    def clear(self) -> None:
        """Another model is there now."""
        self.perturb = None
        self.poser.clear()

    # ---- pushing -----------------------------------------------------------------------------------------

    def take(self, loaded: Loaded, perturb: Perturb, moves: bool, ready: bool) -> bool:
        """Push, or pose, a body from now on."""
        if self.perturb is not None and perturb.select != self.perturb.select:
            self.let_go(loaded)
        self.perturb = perturb
        if moves:
            return False
        self.push(loaded, moves, ready)
        return True

    def let_go(self, loaded: Loaded) -> None:
        """End the drag of a body."""
        self.release(loaded)
        self.poser.release()
        self.perturb = None

    def release(self, loaded: Loaded) -> None:
        """Take the force away from the body that is pushed."""
        if self.perturb is not None and 0 < self.perturb.select < loaded.model.nbody:
            loaded.data.xfrc_applied[self.perturb.select] = 0.0

    def push(self, loaded: Loaded, moves: bool, ready: bool) -> None:
        """Write the perturbation's pose (mocap bodies; while paused all bodies) or force into the data."""
        model, data, perturb = loaded.model, loaded.data, self.perturb
        if perturb is None or not 0 < perturb.select < model.nbody:
            return
        body = perturb.select
        posed = perturb.pose(model, data, not moves)
        if posed is None and moves:
            data.xfrc_applied[body] = perturb.force(model, data)
            return
        data.xfrc_applied[body] = 0.0
        if not moves:
            self.poser.begin(data)
        is_coupled = posed is not None and posed[0] == "free" and ready
        if posed is None or (is_coupled and self.poser.is_coupled(model, data, body)):
            aim = perturb.aim(model)
            if aim is not None:
                self.poser.draw(model, data, body, aim)
            return
        target, address, position, rotation = posed
        if target == "free" and ready:
            self.poser.draw(model, data, body, posing.aim.Aim(position.tolist(), rotation.tolist()))
        elif target == "mocap":
            data.mocap_pos[address], data.mocap_quat[address] = position, rotation
        else:
            place(model, data, "qpos", address, [*position, *rotation])

    # ---- posing ------------------------------------------------------------------------------------------

    def set_contacts_block_poses(self, on: bool) -> None:
        """Let contacts stop a body that is drawn to a place, or not."""
        self.poser.contacts_block = on
        self.poser.let_go()

    def draw(self, loaded: Loaded, body: int, aim: Aim, moves: bool) -> bool:
        """While paused: let a body go to a place, with the joints that carry it."""
        if moves or not 0 < body < loaded.model.nbody:
            return False
        self.poser.draw(loaded.model, loaded.data, body, aim)
        return True

    def place(self, loaded: Loaded, values: Sequence[tuple[str, int, Sequence[float]]], moves: bool) -> bool:
        """Write (array, flat index, values) of positions; while paused all until the end of a drag is one pose."""
        if not moves:
            self.poser.begin(loaded.data)
        for name, start, numbers in values:
            place(loaded.model, loaded.data, name, start, numbers)
        return True

    def put(self, loaded: Loaded, name: str, start: int, values: Sequence[float], moves: bool) -> bool:
        """Write values into an array of the state or the inputs; while paused a position is a pose to take back."""
        if name in POSE_FIELDS and not moves:
            self.poser.poses.before(loaded.data, (name, start), time.perf_counter())
        place(loaded.model, loaded.data, name, start, values)
        return True

    def is_searching(self, ready: bool) -> bool:
        """Whether a body is still on its way to where it was drawn."""
        return ready and self.poser.is_searching

    def improve(self, loaded: Loaded, ready: bool) -> bool:
        """Take some steps towards the pose that was asked for; the window shows each result."""
        if not self.is_searching(ready):
            return False
        self.poser.improve(loaded.model, loaded.data)
        return True

    def put_back(self, data: Data, moves: bool) -> None:
        """While paused: put everything back to before the drag."""
        if not moves:
            self.poser.give_up(data)
