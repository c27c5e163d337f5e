"""What is selected: an element of the model by kind and id."""

from __future__ import annotations

from typing import NamedTuple


class Selection(NamedTuple):
    """`kind` as in `model.names` ("" for nothing) and the id."""

    kind: str
    id: int

    def __bool__(self) -> bool:
        return bool(self.kind)


NOTHING = Selection("", -1)

_OWNER = {
    "joint": "jnt_bodyid",
    "geom": "geom_bodyid",
    "site": "site_bodyid",
    "camera": "cam_bodyid",
    "light": "light_bodyid",
}


def body_of(selection: Selection, model) -> int:
    """The body that a selection belongs to; 0 for the world and for what has no body."""
    if selection.kind == "body":
        return selection.id
    owner = _OWNER.get(selection.kind)
    return int(getattr(model, owner)[selection.id]) if owner else 0


def name_of(model, kind: str, index: int) -> str:
    """The name of an element, or its kind and number where it has none."""
    names = model.names.get(kind, ())
    name = names[index] if 0 <= index < len(names) else ""
    return name or ("world" if kind == "body" and index == 0 else f"{kind} {index}")


def follow(selection: Selection, old, new) -> Selection:
    """The same element in the next version of the model: by name, else by place; NOTHING if it is gone."""
    if not selection:
        return NOTHING
    from engine.run.transfer import match

    for mine, theirs in match(old, new, selection.kind).items():
        if theirs == selection.id:
            return Selection(selection.kind, mine)
    return NOTHING
