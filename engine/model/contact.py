"""data.contact: the contacts of a Data or a Snapshot under MuJoCo's names, as arrays or one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from kinetree.engine.model.arguments import integer, meant
from kinetree.engine.model.fields import select

_PREFIX = "contact_"
_SIDES = {"geom1": 0, "geom2": 1}
"""Columns of `geom` that have names of their own."""
_FIELDS = tuple(
    field.name.removeprefix(_PREFIX)
    for field in select(lambda field: field.role == "output" and field.name.startswith(_PREFIX))
)
NAMES = (*_FIELDS, *_SIDES)
"""Fields of a contact: dist, pos, frame, geom, geom1 ... as in mjContact."""


class Contacts:
    """The present contacts.

    contact.dist, .pos, .geom1 ...   of all contacts, one row each; a Data's share their memory with it
    contact[i].dist ...              of one contact
    len(contact), iteration          the contacts
    """

    __slots__ = ("_state",)

    def __init__(self, state: Any):
        object.__setattr__(self, "_state", state)

    def __getattr__(self, name: str) -> np.ndarray:
        state, side = self._state, _SIDES.get(name)
        if side is not None:
            return state.contact_geom[:, side]
        if name in _FIELDS:
            found = getattr(state, _PREFIX + name, None)  # a Snapshot has not all
            if found is not None:
                return found
        raise AttributeError(f"a contact has no {name!r}", name=name, obj=self)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in dir(self):
            raise AttributeError(f"a contact has no {name!r}{meant(name, NAMES)}")
        getattr(self, name)[...] = value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in NAMES if name in _SIDES or hasattr(self, name))]

    def __len__(self) -> int:
        return int(self._state.ncon)

    def __getitem__(self, i: int) -> Contact:
        number, count = integer(i, "the number of a contact"), len(self)
        if not -count <= number < count:
            raise IndexError(f"there is no contact {number}: there are {count}")
        return Contact(self, number % count)

    def __iter__(self) -> Iterator[Contact]:
        return (Contact(self, i) for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} contacts: {', '.join(NAMES)}>"


class Contact:
    """One contact: `.dist`, `.pos`, `.geom1` ..., until the next step."""

    __slots__ = ("_contacts", "_number")

    def __init__(self, contacts: Contacts, number: int):
        object.__setattr__(self, "_contacts", contacts)
        object.__setattr__(self, "_number", number)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._contacts, name)[self._number]
        return value if isinstance(value, np.ndarray) else value.item()

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in dir(self._contacts):
            raise AttributeError(f"a contact has no {name!r}{meant(name, NAMES)}")
        getattr(self._contacts, name)[self._number] = value

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *(name for name in dir(self._contacts) if name in NAMES)]

    def __repr__(self) -> str:
        return f"<contact {self._number}: geom {self.geom.tolist()}, dist {self.dist:g}>"
