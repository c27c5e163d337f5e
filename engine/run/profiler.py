"""Where the time of a running simulation goes: its next steps, taken on a copy of the state, stage by stage.

    profiler = Profiler()
    found = profiler.sample(model, data)      # in the thread that steps, between two steps

The simulation itself is not touched: what it computes stays the same to the bit. A sample costs as much as the steps
that are timed; take them seldom (`Profile.seconds`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from kinetree.engine import jit, run
from kinetree.engine.dynamics import forward
from kinetree.engine.dynamics.solver.statistics import ISLANDS, ITERATIONS
from kinetree.engine.model.data import Data
from kinetree.engine.model.fields import select
from kinetree.engine.model.model import Model
from kinetree.engine.run.timing import StageTimer, Work, work

BLOCK = 0.002
"""About how long the timed steps of a sample take, s."""
MOST_STEPS = 20


@dataclass(frozen=True)
class Convergence:
    """The iterations of the constraint solver in the last step, of the island that took most; arrays have an entry for
    each.

    island       which one, 0 where the model is solved as a whole
    improvement  decrease of the cost, scaled
    gradient     norm of the gradient after the iteration, scaled
    active       active constraint rows
    changed      rows whose state changed
    searches     evaluations of the cost in the line search
    """

    island: int
    improvement: np.ndarray
    gradient: np.ndarray
    active: np.ndarray
    changed: np.ndarray
    searches: np.ndarray


@dataclass(frozen=True)
class Profile:
    """One sample.

    stages       (name, s) of each stage in a step, in order; the median of the timed steps
    work         what the last step had to do
    convergence  how its solver converged
    seconds      what the sample cost, s
    """

    stages: list[tuple[str, float]]
    work: Work
    convergence: Convergence
    seconds: float

    @property
    def step(self) -> float:
        """Time of a step, s: of all stages."""
        return sum(seconds for _name, seconds in self.stages)


def prepare() -> None:
    """Compile what times stages, or load it. Call it where waiting is allowed."""

    jit.compiler.address_of(run.stage_timer.begin)
    jit.compiler.address_of(run.stage_timer.tick)


class Profiler:
    """Measures the stages of steps. Belongs to the thread that steps. It keeps a separate Data for the model that was
    sampled last."""

    def __init__(self) -> None:
        self._model: Model | None = None
        self._data: Data | None = None
        self._timer: StageTimer | None = None
        self._pipeline: object = None
        self._cells = [field.name for field in select(lambda field: field.history and field.kind == "cell")]

    def sample(self, model: Model, data: Data) -> Profile:
        """Time the next steps of a simulation. Raises ModelError for a model that cannot be simulated."""
        begun = time.perf_counter()
        if self._model is not model or self._data is None:
            self._model, self._data = model, Data(model)
            self._timer = None
        pipeline = forward.pipeline(model)
        if self._timer is None or pipeline is not self._pipeline:
            self._timer, self._pipeline = StageTimer(model), pipeline
        scratch, timer = self._data, self._timer
        scratch.threads = data.threads
        self._take_state(data)
        first = time.perf_counter()
        forward.step(model, scratch, 1)  # memory grows here, and what was not computed before is
        cost = time.perf_counter() - first
        self._take_state(data)
        steps = min(max(1, int(BLOCK / max(cost, 1e-9))), MOST_STEPS)
        turns = [timer.step(model, scratch, 1) for _ in range(steps)]
        stages = list(zip(timer.names, np.median(turns, axis=0).tolist(), strict=True))
        return Profile(stages, work(data), convergence(data), time.perf_counter() - begun)

    def _take_state(self, data: Data) -> None:
        assert self._data is not None
        self._data.block("history")[...] = data.block("history")
        for name in self._cells:
            setattr(self._data, name, getattr(data, name))


def convergence(data: Data) -> Convergence:
    """How the constraint solver converged in the last step."""
    numbers = np.asarray(data.solver_niter)[:ISLANDS]
    island = int(np.argmax(numbers))
    first, number = ITERATIONS * island, min(int(numbers[island]), ITERATIONS)

    def part(name: str) -> np.ndarray:
        return np.array(getattr(data, name))[first : first + number]

    return Convergence(
        island, part("solver_improvement"), part("solver_gradient"), part("solver_nactive"), part("solver_nchange"),
        part("solver_neval"),
    )  # fmt: skip
