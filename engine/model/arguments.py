"""Checks the arguments of public functions: TypeError for a wrong kind, ValueError and IndexError for a wrong value,
with a sentence that names the argument.
"""

from __future__ import annotations

import operator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.model.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kinetree.engine.model.model import Model


def kind_of(value: Any) -> str:
    """Description of a value for messages: `None`, `float 1.5`, `a list`."""
    if value is None:
        return "None"
    if isinstance(value, bool | int | float | complex | str | np.generic):
        shown = repr(value.item() if isinstance(value, np.generic) else value)
        return f"{type(value).__name__} {shown if len(shown) < 40 else shown[:37] + '...'}"
    name = type(value).__name__
    return f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"


def integer(value: Any, what: str) -> int:
    """An integer. Raises TypeError for truth values and floats, even whole ones."""
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise TypeError(f"{what} must be an integer, not {kind_of(value)}")


def whole(value: Any, what: str, least: int, most: int = 2**63 - 1) -> int:
    """An integer from `least` to `most`."""
    found = integer(value, what)
    if not least <= found <= most:
        limits = f"at least {least}" if found < least else f"at most {most}"
        raise ValueError(f"{what} must be {limits}, not {found}")
    return found


def flag(value: Any, what: str) -> bool:
    """A truth value: True, False, 0 or 1."""
    if isinstance(value, bool | int | np.bool_ | np.integer) and value in (0, 1):
        return bool(value)
    raise TypeError(f"{what} must be True or False, not {kind_of(value)}")


def number(value: Any, what: str, least: float = -np.inf, positive: bool = False, infinite: bool = False) -> float:
    """A finite number, or also an `infinite` one, of at least `least`, or above 0."""
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"{what} must be a number, not {kind_of(value)}")
    found = numbers(value, (), what).item()
    if not np.isfinite(found) and not (infinite and found == found):
        raise ValueError(f"{what} must be a finite number, not {found}")
    if positive and not found > 0.0:
        raise ValueError(f"{what} must be positive, not {found}")
    if found < least:
        raise ValueError(f"{what} must be at least {least:g}, not {found}")
    return found


def numbers(value: Any, shape: tuple[int, ...], what: str, finite: bool = False) -> np.ndarray:
    """A copy of real numbers as doubles, in exactly this shape; -1: any length."""
    try:
        found = np.asarray(value)
    except ValueError:  # rows of different lengths
        raise ValueError(f"{what} must be numbers in rows of one length") from None
    if found.dtype.kind not in "biuf" and found.size:
        raise TypeError(f"{what} must be real numbers, not {kind_of(value)}")
    if len(found.shape) != len(shape) or any(n not in (-1, m) for n, m in zip(shape, found.shape, strict=True)):
        wanted = f"an array of shape {_shape(shape)}" if shape else "a number"
        raise ValueError(f"{what} must be {wanted}, not of shape {_shape(found.shape)}")
    found = np.array(found, np.float64, order="C")
    if finite and not np.isfinite(found).all():
        raise ValueError(f"{what} must be finite numbers")
    return found


def _shape(shape: tuple[int, ...]) -> str:
    return str(tuple(n if n >= 0 else "n" for n in shape)).replace("'", "")


def choice(value: Any, choices: Iterable[str], what: str) -> str:
    """One of some words."""
    known = list(choices)
    if not isinstance(value, str):
        raise TypeError(f"{what} must be one of the words {', '.join(known)}, not {kind_of(value)}")
    if value not in known:
        raise ValueError(f"{what} must be one of {', '.join(known)}, not {value!r}{meant(value, known)}")
    return value


def object_id(model: Model, kind: str, which: Any) -> int:
    """The id of an object that is given by id or name. Raises TypeError, KeyError for a name, IndexError for an id."""
    if isinstance(which, str):
        names = model.names.get(kind, [])
        if which and which in names:  # objects without a name have an empty one
            return names.index(which)
        raise KeyError(f"no {kind} is named {which!r}{meant(which, filter(None, names))}")
    try:
        found = integer(which, kind)
    except TypeError:
        raise TypeError(f"a {kind} is given by its name or its id, not by {kind_of(which)}") from None
    count = KINDS[kind].count(model)
    if not 0 <= found < count:
        raise IndexError(f"there is no {kind} {found}: there are {count}")
    return found


def meant(name: str, known: Iterable[str]) -> str:
    """Hint for an unknown name: `; did you mean 'qpos'?` if a known name is similar, else an empty text."""
    found = get_close_matches(name, known, n=1)
    return f"; did you mean {found[0]!r}?" if found else ""
