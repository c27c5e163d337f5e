"""Quantities of the steps that a history keeps, computed again: the past of a curve that is added later.

    past = PastSteps(model, history)            # copies for this thread: `History.copy`, `Model.with_own_options`
    for rows in past.rows({"height": expression}, [(first, last)]):
        rows.times, rows.steps, rows.values                     # the newest steps first, in pieces

The numbers are those that a Recorder would have written then, to the bit. Steps of earlier versions of the model are
computed with these versions; an expression that means nothing there, or something of another width, is nan. Energies
and sensors are computed also where their flag was off: no step depends on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.data import Data
from kinetree.engine.model.model import Model
from kinetree.engine.run.capture import Capture
from kinetree.engine.run.expression import ExpressionError, parse
from kinetree.engine.run.expression_names import follow
from kinetree.engine.run.expression_tree import Expression
from kinetree.engine.run.matching import Matching
from kinetree.engine.run.recorder import step as recorded_step

if TYPE_CHECKING:
    from kinetree.engine.run.history import History, Keyframe

PIECE = 2048
"""Steps of a piece, as far as keyframes allow."""
MOST_KEYFRAMES = 16
"""Keyframes of a piece: each is about 10 ms of work."""

Ranges = Sequence[tuple[int, int]]


class PastRows(NamedTuple):
    """Steps that were computed again: shapes (n,), (n,), (n, columns)."""

    times: np.ndarray
    steps: np.ndarray
    values: np.ndarray


class PastSteps:
    """Computes the steps of a history again, with a model and a history that nobody else uses."""

    def __init__(self, model: Model, history: History):
        self._model, self._history = model, history
        self._data: Data | None = None
        self._known: dict[int, tuple[Model, dict[Any, Expression]]] = {}  # by id of an earlier model, which is kept

    @property
    def first(self) -> int:
        """The oldest step that is kept: rows begin with the step after it."""
        return self._history.first

    @property
    def last(self) -> int:
        return self._history.last

    def rows(self, quantities: Mapping[Any, Expression], wanted: Ranges) -> Iterator[PastRows]:
        """Values of quantities, the columns of one after another, of the steps in `wanted` (both ends included) and
        of others near them; the newest first."""
        piece: list[tuple[Keyframe, int]] = []  # keyframes with their last steps, oldest first
        steps = 0
        for keyframe, end in reversed(self._history.keyframes()):
            if not any(low <= end and keyframe.step < high for low, high in wanted):
                continue
            follows = bool(piece) and end == piece[0][0].step and keyframe.version == piece[0][0].version
            if piece and (not follows or steps >= PIECE or len(piece) >= MOST_KEYFRAMES):
                yield self._repeat(piece, quantities)
                piece, steps = [], 0
            piece.insert(0, (keyframe, end))
            steps += end - keyframe.step
        if piece:
            yield self._repeat(piece, quantities)

    def _repeat(self, piece: list[tuple[Keyframe, int]], quantities: Mapping[Any, Expression]) -> PastRows:
        """Take the steps of some keyframes that follow each other again."""
        model, data, expressions = self._version(piece[0][0].version, quantities)
        count = piece[-1][1] - piece[0][0].step
        capture = Capture(model, expressions, rows=count)
        for keyframe, end in piece:
            at = keyframe.step
            keyframe.restore(model, data)
            model.opt.enableflags = int(model.opt.enableflags) | enums.ENBL_ENERGY
            model.opt.disableflags = int(model.opt.disableflags) & ~enums.DSBL_SENSOR
            changes = [change for change in keyframe.changes if change.step < end]
            for number, change in enumerate([None, *changes]):
                if change is not None:
                    data.block("inputs")[change.places] = change.values
                stop = changes[number].step if number < len(changes) else end
                if stop > at:
                    capture.recorder.step = at
                    recorded_step(model, data, stop - at, [capture.recorder])
                    at = stop
        found = capture.read()
        parts, column = [], 0
        for key, expression in quantities.items():
            known = expressions.get(key)
            if known is None:
                parts.append(np.full((len(found.times), expression.width), np.nan))
            else:
                parts.append(found.values[:, column : column + known.width])
                column += known.width
        return PastRows(found.times, found.steps, np.concatenate(parts, axis=1))

    def _version(
        self, number: int, quantities: Mapping[Any, Expression]
    ) -> tuple[Model, Data, Mapping[Any, Expression]]:
        """A version of the model, Data for it, and the quantities that it has."""
        past, matching = self._history.version(number)
        if past is None:
            if self._data is None:
                self._data = Data(self._model)
            return self._model, self._data, quantities
        if matching is None:
            return past.model, past.data, quantities
        old = matching.old
        if id(old) not in self._known:
            back = Matching(matching.new, old)
            found = {key: _in_version(old, back, each) for key, each in quantities.items()}
            self._known[id(old)] = old, {key: each for key, each in found.items() if each is not None}
        return past.model, past.data, self._known[id(old)][1]


def _in_version(old: Model, back: Matching, expression: Expression) -> Expression | None:
    """The expression of an earlier version of the model, None where that has nothing like it."""
    try:
        found = parse(old, follow(expression, back))
    except ExpressionError:
        return None
    return found if found.width == expression.width else None
