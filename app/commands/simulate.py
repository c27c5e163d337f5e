"""Simulate a model without a window, and record its states."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import kinetree
from kinetree import engine
from kinetree.app.commands.arguments import add_model, add_seed, seed_of
from kinetree.app.commands.common import cannot_move, load, object_id, writable
from kinetree.app.commands.stepping import advance, report_warnings
from kinetree.app.terminal import UsageError, fail
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.run.replay import MotionBuilder
    from kinetree.engine.run.signals import Drive
    from kinetree.engine.run.until import Until

LONGEST = 1e6
MOST_BYTES = 4 << 30
"""Most memory of a recording."""
CHUNK = 1024
"""Steps between two reads of the recorder, at most."""


def add_arguments(parser) -> None:
    add_model(parser, "model", metavar="MODEL", help=tr("model file, or the name of a model"))
    parser.add_argument("--time", default=10.0, metavar="S", help=tr("simulated time at most (default 10)"))
    parser.add_argument(
        "--until", metavar="CONDITION", help=tr("stop at the step at which it begins to hold, like 'qpos[2] < 0.5'")
    )
    parser.add_argument("--key", metavar="NAME", help=tr("start from a keyframe, by name or number"))
    parser.add_argument("--controls", metavar="FILE", help=tr("play recorded controls: .csv or .npz"))
    parser.add_argument("--noise", metavar="STD", help=tr("noise on controls, as a part of half their range"))
    parser.add_argument(
        "--noise-rate", default=0.1, metavar="S", help=tr("time over which noise is forgotten (default 0.1)")
    )
    parser.add_argument(
        "--noise-seed", default=0, metavar="N", help=tr("the same seed gives the same noise (default 0)")
    )
    parser.add_argument(
        "--record", metavar="FILE", help=tr("write all states and controls, one column for each number: .csv or .npz")
    )
    add_seed(parser)


def run(options) -> int:
    seconds = _number(options, "time", 0.0, LONGEST)
    problem = writable(options.record) if options.record else None
    if problem:
        return fail(f"simulate: {problem}")

    if options.record and not options.record.lower().endswith(engine.run.motion.FILES):
        raise UsageError(
            tr(
                "simulate: --record {record}: the name should end in {names}",
                record=options.record,
                names=" or ".join(engine.run.motion.FILES),
            )
        )
    model = load(options.model, seed_of(options))
    if model is None:
        return 1
    if model.unsimulated:
        return fail(f"simulate: {cannot_move(model)}")
    data = kinetree.Data(model)
    kinetree.reset(model, data, object_id("simulate", model, "key", options.key))
    steps = max(1, round(seconds / model.opt.timestep))
    drive, until = _drive(options, model, data), _until(options, model)
    builder = None
    if options.record:
        builder = engine.run.replay.MotionBuilder(model)
        if 8 * builder.width * (steps + 1) > MOST_BYTES:
            return fail(
                tr(
                    "simulate: {steps:,} states of {width} numbers are more than {number} GB",
                    steps=steps,
                    width=builder.width,
                    number=MOST_BYTES >> 30,
                )
            )
        builder.begin(data)
    begun = time.perf_counter()
    simulated = _Run(model, data, drive, until, builder)
    done = advance(model, data, steps, "simulate", simulated.take)
    spent = time.perf_counter() - begun
    code = report_warnings(model, data, done, "simulate")
    if builder is not None:
        try:
            builder.motion(data).save(options.record)
        except ValueError as error:
            return fail(f"simulate: {error}")
    told = tr("{done:,} steps to {time:.6g} s in {spent:.2f} s", done=done, time=data.time, spent=spent)
    if simulated.stopped and until is not None:
        told = tr("{told}, stopped: {reason}", told=told, reason=until.told)
    print(told)
    return code


class _Run:
    """Steps with controls from elsewhere, that are recorded and stop by themselves. `stopped`: whether they have."""

    def __init__(self, model, data, drive: Drive, until: Until | None, builder: MotionBuilder | None):
        self._model, self._data, self._drive, self._until, self._builder = model, data, drive, until, builder
        self._recorders = [] if builder is None else [builder.recorder(model, CHUNK)]
        self._next = 0
        self.stopped = False
        if until is not None:
            until.begin(data)

    def take(self, count: int) -> int:
        """So many steps, or fewer where they stop; how many."""
        done = 0
        while done < count and not self.stopped:
            one_by_one = bool(self._drive) or self._until is not None
            number = 1 if one_by_one else min(count - done, CHUNK)
            if self._drive:
                self._drive.apply(self._model, self._data)
            engine.run.recorder.step(self._model, self._data, number, self._recorders)
            done += number
            self.stopped = self._until is not None and self._until.is_met(self._model, self._data)
            if self._builder is not None and (self.stopped or done == count or done % CHUNK == 0):
                chunk = self._recorders[0].read(self._next)
                self._next = chunk.next
                self._builder.add(chunk)
        return done


def _drive(options, model, data) -> engine.run.signals.Drive:
    """The drive that writes the controls. Raises UsageError."""

    drive = engine.run.signals.Drive()
    if options.controls:
        try:
            series = engine.run.signals.ControlSeries.load(options.controls)
        except ValueError as error:
            raise UsageError(f"simulate: --controls: {error}") from None
        drive.play(series, engine.run.signals.actuator_names(model), float(data.time))
    if options.noise is not None:
        seed = _number(options, "noise_seed", 0, 2**63)
        rate = _number(options, "noise_rate", 0.0, LONGEST)
        drive.set_noise(model, engine.run.noise.Noise(_number(options, "noise", 0.0, LONGEST), rate, int(seed)))
    return drive


def _until(options, model):
    """Where the run stops before its time is over, None without. Raises UsageError."""
    if not options.until:
        return None

    try:
        return engine.run.until.read(model, options.until)
    except engine.run.expression.ExpressionError as error:
        raise UsageError(f"simulate: --until: {error}") from None


def _number(options, name: str, least: float, most: float) -> float:
    """An option that is a number within limits. Raises UsageError."""
    text, option = getattr(options, name), "--" + name.replace("_", "-")
    try:
        number = float(text)
    except ValueError:
        raise UsageError(tr("simulate: {option} {text!r} is not a number", option=option, text=text)) from None
    if not (math.isfinite(number) and least <= number <= most):
        raise UsageError(
            tr(
                "simulate: {option} {text} must be between {least:g} and {most:g}",
                option=option,
                text=text,
                least=least,
                most=most,
            )
        )
    return number
