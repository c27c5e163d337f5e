"""Handlers: recorders, the model that is compared, recorded motions, and questions of other threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinetree.app.workers.simulation import requests
from kinetree.app.workers.simulation.playing import Playing

if TYPE_CHECKING:
    from kinetree.app.workers.simulation.core import SimulationCore
    from kinetree.app.workers.simulation.loaded import Loaded


def record(_core: SimulationCore, loaded: Loaded, request: requests.Record) -> None:
    if request.recorder not in loaded.recorders:
        loaded.recorders.append(request.recorder)


def stop_recording(core: SimulationCore, request: requests.StopRecording) -> None:
    recorder = request.recorder
    core.waiting = [
        each
        for each in core.waiting
        if not (isinstance(each, requests.Record | requests.RecordOther) and each.recorder is recorder)
    ]
    if core.loaded is not None:
        core.loaded.stop_recording(recorder)


def compare(core: SimulationCore, loaded: Loaded, request: requests.Compare) -> None:
    loaded.compare(request.other)
    _publish_soon(core)


def record_other(_core: SimulationCore, loaded: Loaded, request: requests.RecordOther) -> None:
    other = loaded.companion
    if other is not None and request.recorder not in other.recorders:
        other.recorders.append(request.recorder)


def play_motion(core: SimulationCore, loaded: Loaded, request: requests.PlayMotion) -> None:
    if not core.ready:
        return
    if not core.plays_motion:
        loaded.keep_changes()  # what was set by hand is there again afterwards
    core.mouse.poser.clear()
    core.mode = Playing(request.playback)
    request.playback.play(loaded.model, loaded.data, 0, loaded.recorders)
    core.clock.new_model()
    core.set_running(True)


def end_motion(core: SimulationCore, loaded: Loaded, request: requests.EndMotion) -> None:
    if not core.plays_motion:
        return
    if request.goes_on:
        core.set_running(False)
        core.take_state(loaded)
    else:
        core.restore_history(loaded)


def ask(core: SimulationCore, request: requests.Ask) -> None:
    loaded = core.loaded
    request.question(*((None, None) if loaded is None else (loaded.model, loaded.data)))


def ask_both(core: SimulationCore, request: requests.AskBoth) -> None:
    loaded = core.loaded
    other = None if loaded is None else loaded.companion
    found = (None, None) if other is None else (other.shared, other.data)
    request.question(*((None, None) if loaded is None else (loaded.model, loaded.data)), *found)


def take_replay(core: SimulationCore, request: requests.TakeReplay) -> None:
    loaded = core.loaded
    if loaded is None:
        request.take(None)
        return
    if not core.plays_motion:
        loaded.keep_changes()
    request.take(loaded.history.replay(loaded.shared))


def copy_history(core: SimulationCore, request: requests.CopyHistory) -> None:
    loaded = core.loaded
    request.take(*((None, None) if loaded is None else (loaded.model.with_own_options(), loaded.history.copy())))


def publish(core: SimulationCore, _loaded: Loaded, _request: requests.Publish) -> None:
    _publish_soon(core)


def _publish_soon(core: SimulationCore) -> None:
    core.is_dirty = True
    core.published = 0.0
