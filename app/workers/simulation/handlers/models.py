"""Handlers: the model that is simulated, and the next versions of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kinetree.app.workers.simulation.loaded import Loaded
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.workers.simulation.core import SimulationCore
    from kinetree.app.workers.simulation.requests import Load, MakeReady, Unload
    from kinetree.engine.model.model import Model
    from kinetree.engine.run.matching import Matching


def load(core: SimulationCore, request: Load) -> None:
    from kinetree import Data
    from kinetree.engine.run.history import LIMIT, History

    if core.plays_motion and core.loaded is not None:
        core.restore_history(core.loaded)
    before, model, matching = core.loaded, request.model, None
    if request.keep and before is not None:
        loaded, matching = _next_version(core, before, model)
    else:
        history = History(*(core.history_limit or (LIMIT, math.inf)))
        loaded = Loaded(model, model.with_own_options(), Data(model), history)
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


def _next_version(core: SimulationCore, before: Loaded, model: Model) -> tuple[Loaded, Matching]:
    """Go on with the next version of the model, from the state in which it is.

    Where every number stays in its place, Data and what its memory has grown to are kept. Recorders and history follow
    the objects that are still there.
    """
    from kinetree import Data, reset
    from kinetree.engine.dynamics.forward import keep_pipeline
    from kinetree.engine.run.matching import Matching
    from kinetree.engine.run.options import transfer_options
    from kinetree.engine.run.transfer import StateCopy, transfer

    core.mouse.release(before)
    own, matching = model.with_own_options(), Matching(before.shared, model)
    transfer_options(before.shared, before.model, model, own)
    state, data = StateCopy(before.data), before.data
    if matching.keeps_places:
        keep_pipeline(before.model, own)
        data.adopt(own)
        reset(own, data)
    else:
        data = Data(own)
        for recorder in before.recorders:
            recorder.follow(matching)
    transfer(before.model, state, own, data, matching)
    before.drive.follow(matching)
    until = None if before.until is None else before.until.follow(matching)
    if before.until is not None and until is None:
        core.say(tr("Runs on: this version of the model does not have {told}", told=before.until.told))
    loaded = Loaded(model, own, data, before.history, before.recorders, before.drive, until=until)
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
