"""Which points of a flexcomp stay in the parent body. Source: XML reference, "flexcomp/pin"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.expand.flexcomp.points import BadFlexcomp
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.mjcf.elements import Element


def pinned(item: Element, count: int, dim: int) -> np.ndarray:
    """(count,) whether each point is pinned."""
    result = np.zeros(count, bool)
    if item["rigid"]:
        result[:] = True
    for pin in item.items:
        if pin.tag == "pin":
            try:
                _check_grid(item, pin, dim)
                if item["rigid"]:
                    continue
                _pin(item, pin, result, dim)
            except BadFlexcomp as error:
                raise error.at(pin) from None
    return result


def _pin(item: Element, pin: Element, result: np.ndarray, dim: int) -> None:
    count = len(result)
    ids = pin.get("id")
    if ids is not None and len(ids):
        _inside(ids, count, "id")
        result[ids] = True
    ranges = pin.get("range")
    if ranges is not None and len(ranges):
        _inside(ranges, count, "range")
        for low, high in ranges.reshape(-1, 2).tolist():
            result[low : high + 1] = True
    for name, each in (("grid", dim), ("gridrange", 2 * dim)):
        places = pin.get(name)
        if places is None or not len(places):
            continue
        if len(places) % each:
            raise BadFlexcomp(
                tr("{name} has {count} numbers; it takes {each} each", name=name, count=len(places), each=each),
                name,
                code="wrong-count",
            )
        grid = item["count"].astype(int)
        corners = places.reshape(-1, each // dim, dim)
        if (corners < 0).any() or (corners >= grid[:dim]).any():
            raise BadFlexcomp(
                tr(
                    "{name} leaves the grid of {names} points", name=name, names=" by ".join(str(n) for n in grid[:dim])
                ),
                name,
                code="out-of-range",
            )
        marked = result.reshape(grid)
        for corner in corners:
            low, high = corner[0], corner[-1]
            marked[tuple(slice(int(a), int(b) + 1) for a, b in zip(low, high, strict=True))] = True


def _check_grid(item: Element, pin: Element, dim: int) -> None:
    for name in ("grid", "gridrange"):
        places = pin.get(name)
        if places is not None and len(places) and (item["type"] != "grid" or dim == 1):
            raise BadFlexcomp(
                tr("{name} is for grids of dimension 2 and 3; use id or range", name=name),
                name,
                code="exclusive-attributes",
            )


def _inside(numbers: np.ndarray, count: int, name: str) -> None:
    wrong = numbers[(numbers < 0) | (numbers >= count)]
    if len(wrong):
        raise BadFlexcomp(
            tr(
                "{name} names point {wrong}, but points are numbered 0 to {number}",
                name=name,
                wrong=wrong[0],
                number=count - 1,
            ),
            name,
            code="out-of-range",
        )
