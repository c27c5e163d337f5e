"""Models and states as plain arrays and texts, so that they can be sent to another process."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from kinetree.engine.model.model import Model

_ATTRIBUTES = ("name", "vis", "texts", "format")


@dataclass(frozen=True, slots=True)
class PackedModel:
    """A model without the text that it was compiled from: enough for pictures."""

    sizes: dict[str, int]
    names: dict[str, list[str]]
    arrays: dict[str, np.ndarray]
    cells: np.ndarray
    attributes: dict[str, Any]

    def unpack(self) -> Model:
        """The model."""
        model = Model(self.sizes, self.names)
        for name, array in self.arrays.items():
            model._arrays[name][...] = array
        model._cells.words[...] = self.cells
        for name, value in self.attributes.items():
            setattr(model, name, value)
        return model


def pack(model: Model) -> PackedModel:
    """A model to be sent. It shares the arrays."""
    attributes = {name: getattr(model, name) for name in _ATTRIBUTES}
    return PackedModel(model.sizes, model.names, dict(model._arrays.items()), model._cells.words.copy(), attributes)


def packed_state(snapshot: Any) -> Any:
    """A Snapshot to be sent: it does not bring its model along."""
    state = copy(snapshot)
    state.model = None
    return state
