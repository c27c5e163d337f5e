"""Where a run stops by itself: at a time, or at the step at which a condition begins to hold.

    until = read(model, "5", data.time)                      # simulation time, s
    until = read(model, 'body("torso").xpos[2] < 0.5')       # an expression, see engine/run/expression.py
    until.begin(data)
    while not until.is_met(data):
        step(model, data, until.most_steps(model, data, 100))

A condition that holds already must first end: the run stops where it begins to hold. It reads what `kinetree.step`
leaves in Data, as a Recorder does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kinetree.engine.run.expression import NOT_COMPARED, ExpressionError, parse
from kinetree.engine.run.expression_names import follow
from kinetree.engine.run.expression_tree import Expression
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.model.data import Data
    from kinetree.engine.model.model import Model
    from kinetree.engine.run.matching import Matching


@dataclass(slots=True)
class Until:
    """A time or a condition at which a run stops.

    text       as the user wrote it
    time       simulation time at which the run stops, s; None where a condition is told
    condition  None where a time is told
    """

    text: str
    time: float | None = None
    condition: Expression | None = None
    _held: bool = field(default=False, repr=False)

    @property
    def told(self) -> str:
        """The condition as text, for a user."""
        return f"{self.time:g} s" if self.time is not None else self.text

    def begin(self, data: Data) -> None:
        """Start the run, or go on from another state."""
        self._held = self.condition is not None and self.condition.holds(data)

    @property
    def held(self) -> bool:
        """Whether the condition held after the last step that was looked at."""
        return self._held

    def most_steps(self, model: Model, data: Data, wanted: int) -> int:
        """How many steps of those wanted may be taken before `is_met` is to be asked: at least 1."""
        if self.time is None:
            return 1
        return max(1, min(wanted, math.ceil((self.time - data.time) / model.opt.timestep - 0.5)))

    def is_met(self, model: Model, data: Data) -> bool:
        """Whether the run stops after the step that was just taken. Of a time: at the step that is nearest to it."""
        if self.time is not None:
            return data.time > self.time - 0.5 * model.opt.timestep
        assert self.condition is not None
        before, self._held = self._held, self.condition.holds(data)
        return self._held and not before

    def follow(self, matching: Matching) -> Until | None:
        """The same condition for the next version of the model; None where it has no meaning there."""
        if self.condition is None:
            return self
        try:
            text = follow(self.condition, matching)
            return Until(text, None, parse(matching.new, text), self._held)
        except ExpressionError:
            return None


def read(model: Model, text: str, now: float = -math.inf) -> Until:
    """Parses a condition: a number is a time in s, with or without the unit, and must be after `now`.

    Raises ExpressionError, with the column and a remedy.
    """
    number = text.strip().removesuffix("s").rstrip()
    try:
        time = float(number)
    except ValueError:
        try:
            expression = parse(model, text)
        except ExpressionError as error:
            if error.message != tr(NOT_COMPARED):
                raise
            message = tr("a run stops by a condition of the open model, without the one that is compared with it")
            raise ExpressionError(message, error.column, error.end) from None
        if not expression.channels:
            raise ExpressionError(tr("this is the same at every step; write a condition like qpos[0] > 0.5")) from None
        return Until(expression.text, None, expression)
    if not math.isfinite(time):
        raise ExpressionError(tr("write a finite time in seconds, or a condition like qpos[0] > 0.5"))
    if time <= now:
        raise ExpressionError(tr("it is already {now:.4g} s; write a later time, or reset first", now=now))
    return Until(text.strip(), time)
