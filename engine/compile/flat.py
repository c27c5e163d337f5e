"""A compiled model as plain data (what JSON can hold) and one piece of memory, for another process.

    flat = plain(model)                 names, settings, where everything comes from
    model.pack(memory)                  `model.packed_bytes` bytes: the arrays
    unflattened(flat, memory, ...)      the model again, whose arrays lie in that memory

The memory is laid out as engine/model/layout.py says for the sizes of the model, so the other process needs the same
table of fields. A spec does not cross: the process that compiled the model writes it as text.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from kinetree.engine.compile.origins import Origins
from kinetree.engine.diagnostics import Diagnostic, Severity
from kinetree.engine.dynamics import unsimulated
from kinetree.engine.dynamics.unsimulated import Gap
from kinetree.engine.model import unsupported
from kinetree.engine.model.model import Model
from kinetree.engine.model.visual import Visual

CONTACTS = "contacts"
"""The condition of a gap that holds while contacts are on; the other ones are None (always) and the number of one of
`unsupported.live_options`."""


def plain(model: Model) -> dict[str, Any]:
    """All of a model that is no array."""
    return {
        "sizes": model.sizes,
        "name": model.name,
        "names": model.names,
        "texts": model.texts,
        "format": model.format,
        "visual": {section: _settings(values) for section, values in vars(model.vis).items()},
        "gaps": [[plain_finding(gap.diagnostic), gap.text, _condition(gap)] for gap in model.gaps],
        "cells": model.cells.tolist(),
        "origins": None if model.provenance is None else model.provenance.origins.plain,
    }


def unflattened(flat: dict[str, Any], memory: np.ndarray) -> Model:
    """The model of plain data and its memory, without provenance."""
    model = Model(flat["sizes"], flat["names"], memory)
    model.cells[...] = flat["cells"]
    model.name, model.texts, model.format = flat["name"], flat["texts"], flat["format"]
    for section, values in flat["visual"].items():
        vars(model.vis)[section] = Visual(**{name: _setting(value) for name, value in values.items()})
    model.gaps = [Gap(finding(place), text, _when(condition)) for place, text, condition in flat["gaps"]]
    return model


def origins(flat: dict[str, Any], arrays: dict[str, np.ndarray]) -> Origins | None:
    """Where the objects of the model come from; None for a model from a binary file."""
    given = flat["origins"]
    if given is None:
        return None
    fields: dict[str, Any] = {**given, **arrays}
    return Origins(**fields)


def plain_finding(item: Diagnostic) -> list[Any]:
    """A diagnostic as plain data."""
    return [
        item.severity.value, item.code, item.message, item.file, item.line, item.column, item.end_line, item.end_column,
        item.more, list(item.facts),
    ]  # fmt: skip


def finding(values: list[Any]) -> Diagnostic:
    """The diagnostic of plain data."""
    severity, *others, facts = values
    return Diagnostic(Severity(severity), *others, facts=tuple(facts))


def _settings(values: Visual) -> dict[str, Any]:
    """Numbers as they are, arrays as their type and their numbers."""
    return {
        name: [value.dtype.name, value.tolist()] if isinstance(value, np.ndarray) else value
        for name, value in vars(values).items()
    }


def _setting(value: Any) -> Any:
    return np.array(value[1], value[0]) if isinstance(value, list) else value


def _condition(gap: Gap) -> str | int | None:
    if gap.when is None:
        return None
    if gap.when is unsimulated.contacts:
        return CONTACTS
    assert isinstance(gap.when, partial)
    return unsupported.live_options().index(gap.when.args[0])


def _when(condition: str | int | None) -> Any:
    if condition is None:
        return None
    if condition == CONTACTS:
        return unsimulated.contacts
    return partial(unsimulated.uses, unsupported.live_options()[int(condition)])
