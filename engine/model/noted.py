"""Which fields of a model a function reads or writes, found by running it on a stand-in.

    fields = set()
    result = function(NotedModel(model, fields.add))

What depends on these fields only can be kept while they have the same values: nothing has to list the fields.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kinetree.engine.model.layout import layout_of
from kinetree.engine.model.model import Model

Note = Callable[[str], object]


def field(model: Model, name: str) -> np.ndarray:
    """An array of the model, or a number of it as an array without dimensions."""
    return model._arrays[name] if name in model._arrays else model._cells[name]


class NotedModel:
    """Stands for a Model. `note(name)` is called before an array or a cell is read or written, by whatever way; sizes
    do not count."""

    def __init__(self, model: Model, note: Note):
        own = self.__dict__
        own["_model"], own["_note"] = model, note
        own["_arrays"] = own["_cells"] = _NotedFields(model, note)

    opt, stat, mpex = Model.opt, Model.stat, Model.mpex  # their fields are read through __getattr__ too

    def __getattr__(self, name: str) -> Any:
        if name in self._arrays:
            self._note(name)
        return getattr(self._model, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._arrays:
            self._note(name)
        setattr(self._model, name, value)

    def resize(self, name: str, number: int) -> None:
        for each in layout_of("Model").with_first_dimension.get(name, ()):
            self._note(each.name)
        self._model.resize(name, number)

    def put(self, columns: dict[str, list]) -> None:
        for name, values in columns.items():
            self._arrays[name][...] = values


class _NotedFields:
    """The arrays and cells of a model, noted when they are reached."""

    def __init__(self, model: Model, note: Note):
        self._model, self._note = model, note

    def __getitem__(self, name: str) -> np.ndarray:
        self._note(name)
        return field(self._model, name)

    def __contains__(self, name: object) -> bool:
        return name in self._model._arrays or name in self._model._cells
