"""Handlers: bodies that are pushed and posed by hand, and poses that are taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kinetree.app.workers.simulation.core import SimulationCore
    from kinetree.app.workers.simulation.loaded import Loaded
    from kinetree.app.workers.simulation.requests import (
        ApplyPerturb,
        CancelDrag,
        DragBody,
        EndDrag,
        RedoPose,
        ReleasePerturb,
        SetContactsBlockPoses,
        SetPose,
        UndoPose,
    )
    from kinetree.engine.model.data import Data


def apply_perturb(core: SimulationCore, loaded: Loaded, request: ApplyPerturb) -> None:
    if not core.mode.refuses_poses(core):
        core.is_stale |= core.mouse.take(loaded, request.perturb, core.moves, core.ready)
        core.is_dirty = True


def release_perturb(core: SimulationCore, loaded: Loaded, _request: ReleasePerturb) -> None:
    core.mouse.let_go(loaded)
    core.is_dirty = True


def drag_body(core: SimulationCore, loaded: Loaded, request: DragBody) -> None:
    if not core.mode.refuses_poses(core):
        core.is_stale |= core.mouse.draw(loaded, request.body, request.aim, core.moves)
        core.is_dirty = True


def set_pose(core: SimulationCore, loaded: Loaded, request: SetPose) -> None:
    if not core.mode.refuses_poses(core):
        core.is_stale = core.is_dirty = core.mouse.place(loaded, request.values, core.moves)


def end_drag(core: SimulationCore, _loaded: Loaded, _request: EndDrag) -> None:
    core.mouse.poser.release()
    core.is_dirty = True


def cancel_drag(core: SimulationCore, loaded: Loaded, _request: CancelDrag) -> None:
    core.mouse.put_back(loaded.data, core.moves)
    core.mouse.let_go(loaded)
    core.mouse.poser.let_go()
    core.is_stale = core.is_dirty = True


def set_contacts_block_poses(core: SimulationCore, request: SetContactsBlockPoses) -> None:
    core.mouse.set_contacts_block_poses(request.on)


def undo_pose(core: SimulationCore, loaded: Loaded, _request: UndoPose) -> None:
    _change_pose(core, loaded, core.mouse.poser.poses.back)


def redo_pose(core: SimulationCore, loaded: Loaded, _request: RedoPose) -> None:
    _change_pose(core, loaded, core.mouse.poser.poses.again)


def _change_pose(core: SimulationCore, loaded: Loaded, change: Callable[[Data], bool]) -> None:
    if not core.moves:
        core.mouse.poser.let_go()
        if change(loaded.data):
            core.is_stale = core.is_dirty = True
