"""The compiled stages of one model, and the fields of the model that their choice depends on.

The choice is made by predicates over the Model (engine/dynamics/needs.py, and the conditions of
unsimulated.py). They are evaluated on a `Recorder`, which notes every field that they read: as long as these
fields keep their values, the pipeline is right; as soon as one changes, a new one is made. Nothing has to
list the fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.model.model import Model


class Recorder:
    """Stands for a Model, and notes the names of the fields that are read.

    fields   names of the arrays and cells that were read; sizes cannot change and do not count
    """

    def __init__(self, model: Model):
        self._model = model
        self.fields: set[str] = set()
        for prefix in ("opt", "stat", "mpex"):
            setattr(self, prefix, type(model.opt)(self, f"{prefix}_"))

    def __getattr__(self, name: str):
        value = getattr(self._model, name)
        if name in self._model._arrays or name in self._model._cells:
            self.fields.add(name)
        return value


@dataclass(frozen=True)
class Pipeline:
    """Addresses of compiled code for one model.

    forward     the stages of the forward dynamics, in order
    step        the stages of a step
    collision   the collision function of each pair of geom types, 0 where none is needed; then the convex collider
    distance    the function for the distance of each pair of geom types, 0 where none is needed
    names       the names of the stages of a step
    fields      names of the model's fields that all this depends on
    values      the bytes of these fields
    """

    forward: np.ndarray
    step: np.ndarray
    collision: np.ndarray
    distance: np.ndarray
    names: tuple[str, ...]
    fields: tuple[str, ...]
    values: list[bytes]

    def fits(self, model: Model) -> bool:
        """Whether the model's fields are still those that the pipeline was made for."""
        return self.values == values(model, self.fields)


def values(model: Model, fields: tuple[str, ...]) -> list[bytes]:
    """The bytes of fields of the model."""
    arrays, cells = model._arrays, model._cells
    return [(arrays if name in arrays else cells)[name].tobytes() for name in fields]


def recorded(model: Model, *functions: Callable) -> tuple[tuple[str, ...], list]:
    """Evaluate functions of a Model: the names of the fields that they read, and their results."""
    recorder = Recorder(model)
    results = [function(recorder) for function in functions]
    return tuple(sorted(recorder.fields)), results
