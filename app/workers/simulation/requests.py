"""Everything that can be asked of the simulation: frozen dataclasses, which `SimulationThread.post` takes from any
thread. app/workers/simulation/table.py has the handler of each.

Three kinds:

    Request     always handled
    RunRequest  ignored while no model is loaded
    ForModel    made for one model, because it names something of it by its number (an actuator, a body, a keyframe) or
                holds what was made for it (a Recorder, a Playback). It waits while that model is still to come, and is
                dropped where another one has taken its place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from kinetree.app.workers.controller.client import ControllerProcess
    from kinetree.engine.model.model import Model
    from kinetree.engine.posing.aim import Aim
    from kinetree.engine.run.noise import Noise
    from kinetree.engine.run.perturb import Perturb
    from kinetree.engine.run.playback import Playback
    from kinetree.engine.run.recorder import Recorder
    from kinetree.engine.run.replay import Replay
    from kinetree.engine.run.signals import ControlSeries, Signal
    from kinetree.engine.run.timeline import Mark
    from kinetree.engine.run.until import Until

SHOWN = -1


@dataclass(frozen=True)
class SimulationRequest:
    """Something to do. `newest_only`: of several that wait, only the one that was posted last is handled."""

    newest_only: ClassVar[bool] = False


@dataclass(frozen=True)
class RunRequest(SimulationRequest):
    """See the module."""


@dataclass(frozen=True, kw_only=True)
class ForModel(RunRequest):
    """See the module. generation: the number of the model, as in `Load`; SHOWN: the one that the window shows, which
    `SimulationController.post` fills in."""

    generation: int = SHOWN


# ---- the model ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Load(SimulationRequest):
    """Simulate another model.

    generation  its number, larger than those of all models before
    keep        it is the next version of the one before, whose state, history and recorders it takes over
    ready       its kernels are compiled
    """

    model: Model
    generation: int
    keep: bool
    ready: bool


@dataclass(frozen=True)
class MakeReady(ForModel):
    """Start physics: the kernels of the model are compiled."""


@dataclass(frozen=True)
class Unload(SimulationRequest):
    """Forget the model."""


# ---- the run -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Play(SimulationRequest):
    """Run from the present state on."""


@dataclass(frozen=True)
class Pause(SimulationRequest):
    """Stop running."""


@dataclass(frozen=True)
class StepRequest(RunRequest):
    """While paused: forward through the history, at its end by real steps."""

    count: int = 1


@dataclass(frozen=True)
class StepBack(RunRequest):
    """Pause, and go steps back through the history."""

    count: int = 1


@dataclass(frozen=True)
class Seek(RunRequest):
    """Pause, and go to a recorded step by its number (Snapshot.first to Snapshot.last), or to a mark of the timeline.
    Playing resumes from there."""

    newest_only: ClassVar[bool] = True
    to: int | Mark


@dataclass(frozen=True)
class RunUntil(ForModel):
    """Run up to a time or a condition, to the very step; None: do not stop by itself any more. Pausing keeps it."""

    until: Until | None


@dataclass(frozen=True)
class SetSpeed(SimulationRequest):
    """Simulated time per real time; inf: as fast as possible."""

    speed: float


@dataclass(frozen=True)
class SetThreads(SimulationRequest):
    """How many threads share the work of a step; 1: the simulation thread does all."""

    number: int


@dataclass(frozen=True)
class SetHistoryLimit(SimulationRequest):
    """Most memory of the history, bytes, and most simulated time, s; the oldest steps are forgotten for it."""

    limit: int
    seconds: float = math.inf


# ---- state and inputs --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reset(RunRequest):
    """Reset to the initial state, qpos0."""


@dataclass(frozen=True)
class LoadKeyframe(ForModel):
    """Reset to a keyframe, given by its number or its name."""

    key: int | str


@dataclass(frozen=True)
class SetState(ForModel):
    """Begin again from a state: arrays of the state and the inputs, and `time`, by name. What is not named is as after
    a reset. `name`: what the state is called."""

    state: Mapping[str, Any]
    name: str = ""


@dataclass(frozen=True)
class SetValues(ForModel):
    """Write values into an array of the state or the inputs (`qpos`, `ctrl`, `mocap_pos`, ...), from a flat index on.
    Joints whose qpos is written are at rest afterwards. Signals do not drive a control that is written."""

    field: str
    start: int
    values: Sequence[float]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))  # the caller may change its list


@dataclass(frozen=True)
class SetControl(ForModel):
    """Set the control of an actuator; a signal does not drive it any more."""

    actuator: int
    value: float


@dataclass(frozen=True)
class SetOption(RunRequest):
    """Change an option of this simulation, `model.opt.NAME`. The model that was loaded stays as it is."""

    name: str
    value: Any


# ---- what drives the controls ------------------------------------------------------------------------------


@dataclass(frozen=True)
class SetSignals(ForModel):
    """Let signals drive actuators, by their numbers; None: none any more, the control stays as it is."""

    signals: Mapping[int, Signal | None]

    def __post_init__(self) -> None:
        object.__setattr__(self, "signals", dict(self.signals))


@dataclass(frozen=True)
class SetNoise(RunRequest):
    """Let noise move the controls that nothing else drives; None: they stay as they are."""

    noise: Noise | None


@dataclass(frozen=True)
class PlaySeries(ForModel):
    """Play recorded controls from the present moment on; None: no more."""

    series: ControlSeries | None
    loops: bool = False


@dataclass(frozen=True)
class SetController(ForModel):
    """Let a controller file drive the actuators; None: no more, and the controls stay. The one before is ended."""

    process: ControllerProcess | None


@dataclass(frozen=True)
class Awake(SimulationRequest):
    """Controls have come that the thread waits for."""


@dataclass(frozen=True)
class ClearControls(RunRequest):
    """Set all controls to zero; signals, series, noise and a controller file end."""


# ---- bodies moved by hand ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ApplyPerturb(ForModel):
    """Push a body, or while paused pose it, as a Perturb says that nobody changes any more."""

    perturb: Perturb


@dataclass(frozen=True)
class ReleasePerturb(RunRequest):
    """Let go of the body that is pushed or posed."""


@dataclass(frozen=True)
class DragBody(ForModel):
    """While paused: draw a body to a place, and let the joints that carry it follow."""

    body: int
    aim: Aim


@dataclass(frozen=True)
class SetPose(ForModel):
    """Write (array, flat index, values) of positions; while paused all until `EndDrag` is one pose to take back."""

    values: Sequence[tuple[str, int, Sequence[float]]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple((name, start, tuple(each)) for name, start, each in self.values))


@dataclass(frozen=True)
class EndDrag(RunRequest):
    """The drag of `DragBody` or `SetPose` has ended: what comes is another one."""


@dataclass(frozen=True)
class CancelDrag(RunRequest):
    """End the drag of a body; while paused, put everything back to before it."""


@dataclass(frozen=True)
class SetContactsBlockPoses(SimulationRequest):
    """Whether contacts stop a body that is drawn to a place while paused."""

    on: bool


@dataclass(frozen=True)
class UndoPose(RunRequest):
    """While paused: take the last pose back that was set by hand since the simulation stopped."""


@dataclass(frozen=True)
class RedoPose(RunRequest):
    """While paused: set the pose again that was taken back last."""


# ---- recording and comparing -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Record(ForModel):
    """Write every step to a Recorder until another file is opened. Where the model is edited, the columns follow their
    objects.

    Call `kinetree.engine.run.recorder.prepare` before, in a thread that may wait. Its step numbers are those of the
    history.
    """

    recorder: Recorder


@dataclass(frozen=True)
class StopRecording(SimulationRequest):
    """Leave a Recorder, also one of the model that is compared, as it is from now on; it can still be read."""

    recorder: Recorder


@dataclass(frozen=True)
class Compare(ForModel):
    """Simulate another model, whose kernels are loaded, beside this one: with the same inputs, from the present state
    on. None: no more."""

    other: Model | None


@dataclass(frozen=True)
class RecordOther(ForModel):
    """Write every step of the model that is compared to a Recorder made for it."""

    recorder: Recorder


# ---- recorded motions --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlayMotion(ForModel):
    """Show a recorded motion in place of the simulation, from its first row on. Nobody else may use it then."""

    playback: Playback


@dataclass(frozen=True)
class EndMotion(RunRequest):
    """Show the simulation again: as it was left, or (`goes_on`) from the state that the motion shows."""

    goes_on: bool


# ---- questions ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ask(SimulationRequest):
    """Call question(model, data) in the simulation thread between two steps; (None, None) without a model. It must not
    keep or change the data."""

    question: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class AskBoth(SimulationRequest):
    """Call question(model, data, other model, other data) as `Ask` does: the latter of the model that is compared, as
    it was given, None without one."""

    question: Callable[[Any, Any, Any, Any], Any]


@dataclass(frozen=True)
class TakeReplay(SimulationRequest):
    """Call `take`, in the simulation thread, with the replayable history; None without a model."""

    take: Callable[[Replay | None], Any]


@dataclass(frozen=True)
class CopyHistory(SimulationRequest):
    """Call take(model, history) in the simulation thread: a model with options of its own and a copy of the history, to
    be used in another thread; (None, None) without a model."""

    take: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Publish(RunRequest):
    """Publish a snapshot even if nothing changed."""


@dataclass(frozen=True)
class End(SimulationRequest):
    """End the thread."""
