"""Handlers: the model that is simulated, and the next versions of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import kinetree
from kinetree.app.workers.simulation.loaded import Loaded
from kinetree.engine import dynamics, run
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.workers.simulation.core import SimulationCore
    from kinetree.app.workers.simulation.requests import Load, MakeReady, Unload
    from kinetree.engine.model.model import Model


def load(core: SimulationCore, request: Load) -> None:

    if core.plays_motion and core.loaded is not None:
        core.restore_history(core.loaded)
    before, model, matching = core.loaded, request.model, None
    if request.keep and before is not None:
        loaded, matching = _next_version(core, before, model)
    else:
        history = run.history.History(*(core.history_limit or (run.history.LIMIT, math.inf)))
        loaded = Loaded(model, model.with_own_options(), kinetree.Data(model), history)
    if matching is None or not matching.keeps_places:
        core.clock.new_model()
        core.steps = 0
    loaded.data.threads = core.threads
    core.loaded = loaded
    core.mouse.clear()
    core.generation, core.ready = request.generation, request.ready
    core.compute(loaded)
    if matching is not None:
        loaded.history.follow(matching, loaded.model, loaded.data)
    _begin(core, loaded)


def _next_version(core: SimulationCore, before: Loaded, model: Model) -> tuple[Loaded, run.matching.Matching]:
    """Go on with the next version of the model, from the state in which it is.

    Where every number stays in its place, Data and what its memory has grown to are kept. Recorders and history follow
    the objects that are still there.
    """

    core.mouse.release(before)
    own, matching = model.with_own_options(), run.matching.Matching(before.shared, model)
    run.options.transfer_options(before.shared, before.model, model, own)
    state, data = run.transfer.StateCopy(before.data), before.data
    if matching.keeps_places:
        dynamics.forward.keep_pipeline(before.model, own)
        data.adopt(own)
        kinetree.reset(own, data)
    else:
        data = kinetree.Data(own)
        for recorder in before.recorders:
            recorder.follow(matching)
    run.transfer.transfer(before.model, state, own, data, matching)
    before.drive.follow(matching)
    until = None if before.until is None else before.until.follow(matching)
    if before.until is not None and until is None:
        core.say(
            tr("The run does not stop any more: this version of the model does not have {told}", told=before.until.told)
        )
    loaded = Loaded(model, own, data, before.history, before.recorders, before.drive, before.controller, until)
    if loaded.controller is not None:
        loaded.controller.show_model(own)
    loaded.companion = before.companion
    if loaded.companion is not None:
        loaded.companion.take_model(model, data)
    return loaded, matching


def make_ready(core: SimulationCore, loaded: Loaded, _request: MakeReady) -> None:
    if not core.ready:
        core.ready = True
        core.compute(loaded)
        _begin(core, loaded)


def _begin(core: SimulationCore, loaded: Loaded) -> None:
    """Count time, and keep steps, from here."""
    if not loaded.history.behind:
        loaded.history.before_step(loaded.model, loaded.data)
    core.start_clock(loaded)


def unload(core: SimulationCore, _request: Unload) -> None:
    core.mode, core.loaded = core.physics, None
    core.mouse.perturb = None
    core.ready = core.is_dirty = core.is_stale = False
    core.waiting.clear()
