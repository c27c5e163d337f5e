"""The compiled stages of one model, and the fields of the model that their choice depends on.

The choice is made by predicates over the Model (engine/dynamics/needs.py, and the conditions of
unsimulated.py). They are evaluated on a `NotedModel`, which notes every field that they read: as long as these
fields keep their values, the pipeline is right; as soon as one changes, a new one is made. Nothing has to
list the fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from kinetree.engine.model.model import Model
from kinetree.engine.model.noted import NotedModel, field


class Pipeline:
    """Compiled code for one model.

    rows        the rows of each list of stages (`LISTS` in forward.py) that the model needs, with hooks
    collision   the collision function of each pair of geom types, 0 where none is needed; then the convex collider
    distance    the function for the distance of each pair of geom types, 0 where none is needed
    fields      names of the model's fields that all this depends on
    values      the bytes of these fields
    """

    def __init__(
        self,
        rows: dict[str, list],
        collision: np.ndarray,
        distance: np.ndarray,
        fields: tuple[str, ...],
        values: list[bytes],
    ):
        self.rows, self.fields, self.values = rows, fields, values
        self.collision, self.distance = collision, distance
        self._tables: dict[str, np.ndarray] = {}
        self._parts: dict[str, list] = {}

    def fits(self, model: Model) -> bool:
        """Whether the model's fields are still those that the pipeline was made for."""
        return self.values == values(model, self.fields)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the stages of a step; those of RK4's evaluations four times."""
        return tuple(row.name for row in self.rows["step"] if _is_stage(row))

    @property
    def forward(self) -> np.ndarray:
        """Addresses of the stages of the forward dynamics."""
        return self.table("forward")

    @property
    def step(self) -> np.ndarray:
        """Addresses of the stages of a step."""
        return self.table("step")

    def table(self, name: str) -> np.ndarray:
        """Addresses of the stages of a list, in order; compiled, or loaded, when they are first asked for."""
        if name not in self._tables:
            self._tables[name] = addresses(row for row in self.rows[name] if _is_stage(row))
        return self._tables[name]

    def parts(self, name: str) -> list:
        """The list as Python runs it where there are hooks: tables of addresses, and the rows between them.

        These are the hooks, and the check that may ask for the whole list again.
        """
        if name not in self._parts:
            found: list = [[]]
            for row in self.rows[name]:
                if _is_stage(row) and row.name != "check_acc":
                    found[-1].append(row)
                else:
                    found += [row, []]
            self._parts[name] = [addresses(part) if isinstance(part, list) else part for part in found if part != []]
        return self._parts[name]


def _is_stage(row) -> bool:
    return hasattr(row, "load")


def addresses(rows: Iterable) -> np.ndarray:
    """Addresses of the kernels of stages."""
    from kinetree.engine.jit.compiler import address_of

    return np.array([address_of(row.where) for row in rows], np.int64)


def values(model: Model, fields: tuple[str, ...]) -> list[bytes]:
    """The bytes of fields of the model."""
    return [field(model, name).tobytes() for name in fields]


def recorded(model: Model, *functions: Callable) -> tuple[tuple[str, ...], list]:
    """Evaluate functions of a Model: the names of the fields that they read, and their results."""
    fields: set[str] = set()
    noted = NotedModel(model, fields.add)
    results = [function(noted) for function in functions]
    return tuple(sorted(fields)), results
