"""Stores the state of the viewports for each model file: their number, cameras, options and section planes,
measurements, bookmarks.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kinetree.app.settings.settings import Settings, parsed
from kinetree.app.viewport.viewports import ARRANGEMENTS, Viewports
from kinetree.app.workspace.bookmarks import Bookmark, camera_of, number_of, record_of
from kinetree.app.workspace.view import ViewModel
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine import scene
from kinetree.engine.scene.effects import EFFECTS
from kinetree.engine.scene.options import FLAGS, GROUP_KINDS, NGROUP, Frame, Label, Shapes, VisOptions

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model
    from kinetree.engine.scene.measure import Measurement
    from kinetree.engine.scene.section import Section

KEY = "views"


class ViewMemory:
    """Saves the views of a model when it is left or a bookmark changes, and restores them when it is opened."""

    def __init__(self, workspace: Workspace, viewports: Viewports, settings: Settings):
        self._workspace, self._viewports, self._settings = workspace, viewports, settings
        self._path = ""  # of the model whose views are shown
        workspace.leaving.connect(self.leave)
        workspace.project.changed.connect(self._take_project)
        workspace.bookmarks.changed.connect(self.save)

    def leave(self) -> None:
        """Save what is remembered of the model, which is about to be closed or replaced."""
        self.save()
        self._path = ""
        self._workspace.bookmarks.set_items(())

    def save(self) -> None:
        """Save what the views show now."""
        if not self._path or self._workspace.simulation.model is None:
            return
        record = self._record()
        self._settings.set_of_model(self._path, KEY, json.dumps(record) if record else "")

    def _take_project(self) -> None:
        path = self._workspace.project.path
        if path == self._path or not path or self._workspace.simulation.model is None:
            return
        self._path = ""
        record = parsed(self._settings.of_model(path, KEY))
        self._restore(record if isinstance(record, dict) else {})
        self._path = path

    def _record(self) -> dict[str, Any]:
        viewports, model = self._viewports, self._workspace.simulation.model
        assert model is not None
        record: dict[str, Any] = {}
        views = [_view_record(frame.view, model) for frame in viewports.frames]
        if viewports.arrangement != "single":
            record |= {"arrangement": viewports.arrangement, "share": viewports.share}
        if any(views):
            record["views"] = views
        if self._workspace.bookmarks.items:
            record["bookmarks"] = [[each.name, each.camera] for each in self._workspace.bookmarks.items]
        if self._workspace.measurements.made:
            record["measurements"] = measurements_record(self._workspace.measurements.made, model)
        return record

    def _restore(self, record: dict[str, Any]) -> None:
        viewports, model = self._viewports, self._workspace.simulation.model
        assert model is not None
        arrangement = str(record.get("arrangement"))
        arrangement = arrangement if arrangement in ARRANGEMENTS else "single"
        if viewports.arrangement != arrangement:
            viewports.arrange(arrangement)
        share = record.get("share")
        if isinstance(share, list) and len(share) == 2 and all(isinstance(each, int | float) for each in share):
            for axis, each in enumerate(share):
                viewports.move_gap(axis, float(each))
        views = record.get("views")
        for frame, each in zip(viewports.frames, views if isinstance(views, list) else [], strict=False):
            if isinstance(each, dict):
                _restore_view(frame.view, each, model)
        found = record.get("bookmarks")
        items = [each for each in (found if isinstance(found, list) else []) if _is_bookmark(each)]
        self._workspace.bookmarks.set_items(tuple(Bookmark(name, camera) for name, camera in items))
        self._workspace.measurements.set_made(measurements_of(record.get("measurements"), model))


def _is_bookmark(each: Any) -> bool:
    return isinstance(each, list) and len(each) == 2 and isinstance(each[0], str) and isinstance(each[1], dict)


def _section_of(record: Any) -> Section | None:
    """The section plane of a record; None where it makes no sense."""
    try:
        point, normal = ([float(each) for each in part] for part in record)
    except (TypeError, ValueError):
        return None
    is_plane = len(point) == len(normal) == 3 and all(map(math.isfinite, (*point, *normal)))
    return scene.section.across(point, normal) if is_plane and math.hypot(*normal) > 1e-6 else None


def measurements_record(made: Sequence[Measurement], model: Model) -> list:
    """Measurements as lists: of each point its body by name, else by number, its place on it, and what it is."""
    return [
        [[model.names["body"][point.body] or point.body, list(point.local), point.name] for point in each.points]
        for each in made
    ]


def measurements_of(record: Any, model: Model) -> tuple[scene.measure.Measurement, ...]:
    """The measurements of a record; without those of bodies that the model does not have, and what makes no sense."""
    found = []
    for each in record if isinstance(record, list) else []:
        points = []
        for point in each if isinstance(each, list) else []:
            try:
                what, (x, y, z), name = point
                body, local = number_of(model, "body", what), (float(x), float(y), float(z))
            except (TypeError, ValueError):
                continue
            if body >= 0 and all(map(math.isfinite, local)):
                points.append(scene.measure.Point(body, local, str(name)))
        if 2 <= len(points) <= 3 and len(points) == len(each):
            found.append(scene.measure.Measurement(tuple(points)))
    return tuple(found)


def _view_record(view: ViewModel, model) -> dict[str, Any]:
    """Differences from the initial view of the model."""
    record: dict[str, Any] = {}
    if view.camera is not None:
        camera = record_of(view.camera, model)
        if camera != record_of(scene.camera.initial(model), model):
            record["camera"] = camera
    if view.pictures:
        record["pictures"] = [model.names["camera"][number] or number for number in view.pictures]
    section = view.options.section
    if section is not None:
        record["section"] = [list(section.point), list(section.normal)]
    usual, options = VisOptions(), view.options
    changed = {flag.name: getattr(options, flag.name) for flag in FLAGS if getattr(options, flag.name) != flag.default}
    for kind in GROUP_KINDS:
        groups = getattr(options, f"{kind}group")
        if groups != getattr(usual, f"{kind}group"):
            changed[f"{kind}group"] = groups
    if options.shapes != Shapes.GROUPS:
        changed["shapes"] = options.shapes.name
    if options.frame != Frame.NONE:
        changed["frame"] = options.frame.name
    if options.label != Label.NONE:
        changed["label"] = options.label.name
    for effect in EFFECTS:
        value = getattr(options, effect.name)
        if value != effect.of(view.preset):
            changed[effect.name] = value
    if changed:
        record["options"] = changed
    return record


def _restore_view(view: ViewModel, record: dict[str, Any], model) -> None:
    camera = camera_of(record.get("camera"), model)
    if camera is not None:
        view.set_camera(camera)
    pictures = record.get("pictures")
    numbers = [number_of(model, "camera", each) for each in (pictures if isinstance(pictures, list) else [])]
    view.set_pictures(number for number in numbers if number >= 0)
    section = _section_of(record.get("section"))
    if section is not None:
        view.set_section(section)
    options = record.get("options")
    options = options if isinstance(options, dict) else {}
    for flag in FLAGS:
        if isinstance(options.get(flag.name), bool):
            setattr(view.options, flag.name, options[flag.name])
    for kind in GROUP_KINDS:
        groups = options.get(f"{kind}group")
        if isinstance(groups, list) and len(groups) == NGROUP and all(isinstance(each, bool) for each in groups):
            setattr(view.options, f"{kind}group", groups)
    shapes, frame, label = (str(options.get(name)) for name in ("shapes", "frame", "label"))
    if shapes in Shapes.__members__:
        view.options.shapes = Shapes[shapes]
    if frame in Frame.__members__:
        view.options.frame = Frame[frame]
    if label in Label.__members__:
        view.options.label = Label[label]
    for effect in EFFECTS:
        if effect.accepts(options.get(effect.name)):
            setattr(view.options, effect.name, options[effect.name])
    view.options_changed.emit()
