"""The handler of each request, and when it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kinetree.app.workers.simulation import requests
from kinetree.app.workers.simulation.handlers import drive, models, posing, recording, running, state

if TYPE_CHECKING:
    from kinetree.app.workers.simulation.core import SimulationCore

HANDLERS: dict[type[requests.SimulationRequest], Callable[..., None]] = {
    requests.Load: models.load,
    requests.MakeReady: models.make_ready,
    requests.Unload: models.unload,
    requests.Play: running.play,
    requests.Pause: running.pause,
    requests.StepRequest: running.step,
    requests.StepBack: running.step_back,
    requests.Seek: running.seek,
    requests.RunUntil: running.run_until,
    requests.SetSpeed: running.set_speed,
    requests.SetThreads: running.set_threads,
    requests.SetHistoryLimit: running.set_history_limit,
    requests.End: running.end,
    requests.Reset: state.reset_state,
    requests.LoadKeyframe: state.load_keyframe,
    requests.SetState: state.set_state,
    requests.SetValues: state.set_values,
    requests.SetControl: state.set_control,
    requests.SetOption: state.set_option,
    requests.SetSignals: drive.set_signals,
    requests.SetNoise: drive.set_noise,
    requests.PlaySeries: drive.play_series,
    requests.SetController: drive.set_controller,
    requests.Awake: drive.awake,
    requests.ClearControls: drive.clear_controls,
    requests.ApplyPerturb: posing.apply_perturb,
    requests.ReleasePerturb: posing.release_perturb,
    requests.DragBody: posing.drag_body,
    requests.SetPose: posing.set_pose,
    requests.EndDrag: posing.end_drag,
    requests.CancelDrag: posing.cancel_drag,
    requests.SetContactsBlockPoses: posing.set_contacts_block_poses,
    requests.UndoPose: posing.undo_pose,
    requests.RedoPose: posing.redo_pose,
    requests.Record: recording.record,
    requests.StopRecording: recording.stop_recording,
    requests.Compare: recording.compare,
    requests.RecordOther: recording.record_other,
    requests.PlayMotion: recording.play_motion,
    requests.EndMotion: recording.end_motion,
    requests.Ask: recording.ask,
    requests.AskBoth: recording.ask_both,
    requests.TakeReplay: recording.take_replay,
    requests.CopyHistory: recording.copy_history,
    requests.Publish: recording.publish,
}
"""Called as handler(core, request); the handler of a RunRequest as handler(core, loaded, request)."""


def handle(core: SimulationCore, request: requests.SimulationRequest) -> None:
    """Do what a request asks for, or let it wait for its model. What cannot be done any more is left out."""
    handler = HANDLERS[type(request)]
    if not isinstance(request, requests.RunRequest):
        handler(core, request)
        return
    if isinstance(request, requests.ForModel) and request.generation != core.generation:
        if request.generation > core.generation:
            core.waiting.append(request)
        return
    if core.loaded is not None:
        handler(core, core.loaded, request)
