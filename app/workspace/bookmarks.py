"""Bookmarks of views: named cameras to go back to, kept for each model file."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from kinetree.engine import scene
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model
    from kinetree.engine.scene.camera import Camera

NUMBERS = ("distance", "azimuth", "elevation")


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A camera with a name, as `record_of` writes it."""

    name: str
    camera: dict[str, Any]


class Bookmarks(QObject):
    """The bookmarks of the open model, in the order in which they were made. `changed()`."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.items: tuple[Bookmark, ...] = ()

    def set_items(self, items: tuple[Bookmark, ...]) -> None:
        """Replace all bookmarks."""
        if items != self.items:
            self.items = items
            self.changed.emit()

    def add(self, name: str, camera: Camera, model: Model) -> None:
        """Keep a camera; one of the same name is replaced."""
        made = Bookmark(name, record_of(camera, model))
        if any(each.name == name for each in self.items):
            self.set_items(tuple(made if each.name == name else each for each in self.items))
        else:
            self.set_items((*self.items, made))

    def rename(self, index: int, name: str) -> None:
        """Give a bookmark another name."""
        items = list(self.items)
        items[index] = replace(items[index], name=name)
        self.set_items(tuple(items))

    def move(self, index: int, by: int) -> None:
        """Move a bookmark up or down."""
        items = list(self.items)
        items.insert(index + by, items.pop(index))
        self.set_items(tuple(items))

    def remove(self, index: int) -> None:
        """Forget a bookmark."""
        self.set_items(self.items[:index] + self.items[index + 1 :])

    def new_name(self) -> str:
        """A name that none has."""
        names = {each.name for each in self.items}
        return next(
            name
            for name in (tr("View {number}", number=number) for number in range(1, len(names) + 2))
            if name not in names
        )


def record_of(camera: Camera, model: Model) -> dict[str, Any]:
    """A camera as text and numbers; cameras and bodies of the model by their names, else by their numbers."""
    record: dict[str, Any] = {"type": camera.type, "lookat": [float(value) for value in camera.lookat]}
    record |= {name: float(getattr(camera, name)) for name in NUMBERS}
    record["orthographic"] = bool(camera.orthographic)
    for type_, kind, number in (("fixed", "camera", camera.fixedcamid), ("tracking", "body", camera.trackbodyid)):
        if camera.type == type_:
            record["object"] = model.names[kind][number] or number
    return record


def camera_of(record: Any, model: Model) -> scene.camera.Camera | None:
    """The camera of a record, which may have been written for another version of the model; None where it does not
    make sense or its camera or body is gone."""
    try:
        values = [float(record[name]) for name in NUMBERS]
        lookat = [float(value) for value in record["lookat"]]
        kind, what = str(record["type"]), record.get("object", -1)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    if (
        kind not in (scene.camera.FREE, scene.camera.TRACKING, scene.camera.FIXED)
        or len(lookat) != 3
        or not all(map(math.isfinite, (*values, *lookat)))
    ):
        return None
    if values[0] <= 0:
        return None
    import numpy as np

    made = scene.camera.Camera(kind, lookat=np.array(lookat), orthographic=record.get("orthographic") is True)
    made.distance, made.azimuth, made.elevation = values
    if kind != scene.camera.FREE:
        number = number_of(model, "camera" if kind == scene.camera.FIXED else "body", what)
        if number < 0:
            return None
        if kind == scene.camera.FIXED:
            made.fixedcamid = number
        else:
            made.trackbodyid = number
    return made


def number_of(model: Model, kind: str, what: Any) -> int:
    """The number of an object by its name, or a number that the model has; else -1."""
    names = model.names[kind]
    if isinstance(what, str):
        return names.index(what) if what and what in names else -1
    return what if isinstance(what, int) and not isinstance(what, bool) and 0 <= what < len(names) else -1
