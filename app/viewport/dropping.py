"""Handles drops on the viewport: things of the shelf, mesh files, other models.

A thing lands on the surface under the mouse, with its Z axis along the normal, in the body that was hit; with Shift in
the world. Each drop is one undo step.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QMimeData, QObject, QPointF, Qt, QUrl, Signal, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from kinetree.app.viewport.gizmo.target import body_frame, find, target_of
from kinetree.app.viewport.viewport import Viewport
from kinetree.app.workers.saving import SaveThread
from kinetree.app.workspace.project import ProjectController
from kinetree.app.workspace.selection import Selection
from kinetree.app.workspace.view import ViewModel
from kinetree.engine import assist, editing
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import ElementEdit, Insert
from kinetree.engine.document.tree import Node
from kinetree.engine.geometry.orientation import START, Pose, compose, invert
from kinetree.engine.model.model import Model
from kinetree.engine.scene.gizmo import fine_step, snap_step
from kinetree.engine.translation import tr

MIME = "application/x-kinetree-shelf"
LEVEL = 1e-3  # a normal so near to an axis of its body is that axis
TURN = 1e-3  # radians: how precise a turn is written
SIZE = 20.0  # half of that of a new thing, pixels


@dataclass(frozen=True)
class DropSpot:
    """Where something would be dropped.

    point, normal   of the surface, in the world
    body            the body that was hit, 0 for the world
    pixel           metres that a pixel is there
    geom            the geom that was hit, -1 without one
    """

    point: np.ndarray
    normal: np.ndarray
    body: int
    pixel: float
    geom: int = -1


class Drops(QObject):
    """Handler of drops on a viewport. `spot_changed()`: `spot` is another place; `said(text)`: something to tell the
    user; `open_file(path)`.
    """

    spot_changed = Signal()
    said = Signal(str)
    open_file = Signal(str)

    _copied = Signal(str, str)

    def __init__(self, viewport: Viewport, view: ViewModel, project: ProjectController, parent: QWidget):
        super().__init__(parent)
        self._viewport, self._view, self._project, self._window = viewport, view, project, parent
        self.spot: DropSpot | None = None
        self.question: QMessageBox | None = None
        self._after_copy: Callable[[str], None] | None = None
        self._thread: SaveThread | None = None
        self._copied.connect(self._take_copied)

    @property
    def format(self) -> str:
        """The format of the model, whose shelf is shown."""
        document = self._project.document
        return "MJCF" if document is None else assist.language.language_of(document).name

    # ---- what can be dropped -----------------------------------------------------------------------------

    def accepts(self, data: QMimeData) -> bool:
        """Whether this can be dropped on the model that is open."""
        if self._view.simulation.model is None:
            return False
        ending = _ending(data)
        # Several models are not attached at once: the window opens them.
        return (
            data.hasFormat(MIME) or ending in assist.files.MESHES or (ending in assist.files.MODELS and _is_alone(data))
        )

    def hover(self, position: QPointF | None) -> None:
        """Mark the place where something that is dragged would be dropped; None: no more."""
        self.spot = None if position is None else self.spot_at(position)
        self.spot_changed.emit()

    def drop(self, data: QMimeData, position: QPointF, world: bool) -> None:
        """Add what was dropped. `world`: to the world, not to the body under the mouse."""
        self.hover(None)
        spot = self.spot_at(position)
        if spot is None:
            return
        if world:
            spot = DropSpot(spot.point, spot.normal, 0, spot.pixel)
        if data.hasFormat(MIME):
            self.add(bytes(data.data(MIME).data()).decode(), spot)
            return
        path = _path(data)
        if Path(path).suffix.lower() in assist.files.MESHES:
            self.add_mesh(path, spot)
        elif path:
            self.ask_model(path, spot)

    def add_in_middle(self, kind: str) -> None:
        """Add a clicked thing of the shelf at the centre of the viewport."""
        spot = self.spot_at(QPointF(self._viewport.width() / 2, self._viewport.height() / 2))
        if spot is not None:
            self.add(kind, spot)

    # ---- where -------------------------------------------------------------------------------------------

    def spot_at(self, position: QPointF) -> DropSpot | None:
        """The surface under a point of the viewport; without one, the ground or what the camera looks at."""
        view = self._viewport.eye()
        if view is None:
            return None
        width, height = max(1, self._viewport.width()), max(1, self._viewport.height())
        hit = self._viewport.pick(position)
        if hit is not None:
            pixel = view.height_at(view.depth(hit.point)) / height
            return DropSpot(hit.point, hit.normal, int(hit.bodyid), pixel, int(hit.geomid))
        origin, direction = view.ray(position.x() / width, position.y() / height)
        up = np.array((0.0, 0.0, 1.0))
        if direction[2] < -0.02 and origin[2] > 0:
            point = origin - origin[2] / direction[2] * direction
        else:
            camera = self._view.camera
            assert camera is not None
            point = origin + float(camera.distance) * direction
        return DropSpot(point, up, 0, view.height_at(max(view.depth(point), view.near)) / height)

    def _place(self, spot: DropSpot):
        """Where a dropped object is inserted: (document, element of the body or None, pose in it)."""
        model, snapshot = self._view.simulation.model, self._view.simulation.snapshot
        document = self._project.document
        if document is None or model is None:
            raise editing.pose.NotPlaced(tr("a model from a binary file has no text to edit"))
        document, node, frame = self._holder(document, model, snapshot, spot)
        normal = np.asarray(spot.normal, float)
        pose: Pose = tuple(spot.point.tolist()), editing.orientation.between((0.0, 0.0, 1.0), tuple(normal.tolist()))
        local = compose(invert(frame), pose)
        axis = np.array(compose(invert((START[0], frame[1])), (tuple(normal.tolist()), START[1]))[0])
        number = int(np.argmax(np.abs(axis)))
        if 1 - abs(axis[number]) < LEVEL:
            axis = np.sign(axis[number]) * np.eye(3)[number]
        return document, node, (local[0], editing.orientation.between((0.0, 0.0, 1.0), tuple(axis.tolist())))

    def _holder(self, document: Document, model: Model, snapshot, spot: DropSpot):
        """(document, element of the body or link that was hit or None, its frame in the world)."""
        provenance, body = model.provenance, spot.body
        if provenance is None:
            return document, None, START
        if assist.language.language_of(document).name == "URDF":  # links are fused: a body can be several
            origin = provenance.origin("geom", spot.geom)
            if origin is None:
                return document, None, START
            target = target_of(document, model, Selection("geom", spot.geom, origin.node.id))
            assert isinstance(target.placement, editing.pose.Placement)
            return document, target.placement.body, target.around(model, snapshot)
        while body > 0:
            origin = provenance.origin("body", body)
            found = None if origin is None or origin.node.tag != "body" else find(document, origin.node.id)
            if found is not None:
                return *found, body_frame(found[0], model, snapshot, body)
            body = int(model.body_parentid[body])
        return document, None, START

    def _apply(self, name: str, spot: DropSpot, edits: Callable[..., list[ElementEdit]]) -> None:
        """Carry out `edits(document, parent, pose, precision)`, and select what was made."""
        try:
            document, node, pose = self._place(spot)
            precision = editing.pose.Precision(fine_step(spot.pixel), TURN)
            wanted = edits(document, node, pose, precision)
            parent = next((edit.node for edit in wanted if isinstance(edit, Insert) and edit.node.tag != "asset"), None)
            before = set() if parent is None else {child.id for child in parent.children}
            self._project.apply(name, wanted)
            self._project.texts.seal()
        except (ValueError, KeyError) as error:
            self.said.emit(str(error)[:1].upper() + str(error)[1:])
            return
        if parent is not None:
            self._select_new(parent, before)

    def _select_new(self, parent: Node, before: set[int]) -> None:
        """Select the first child of an element that was not there before; of a shape of URDF what is seen and what
        collides, so that both move together."""
        found = find(self._project.document, parent.id)
        new = [] if found is None else [child for child in found[1].children if child.id not in before]
        if new:
            inner = new[0].children if new[0].tag == "worldbody" else new
            chosen = inner if inner[0].tag == "visual" else inner[:1]
            self._view.selection.select_several([Selection(element=node.id) for node in chosen])

    # ---- things ------------------------------------------------------------------------------------------

    def add(self, kind: str, spot: DropSpot) -> None:
        """Insert a thing of the shelf."""
        size = snap_step(spot.pixel, SIZE)

        def edits(
            document: Document, node: Node | None, pose: Pose, precision: editing.pose.Precision
        ) -> list[ElementEdit]:
            main, model = self._project.document, self._view.simulation.model
            wanted = editing.shelf.put(document, node, kind, pose, size, precision)
            if main is None or document is main or node is None or model is None:
                return wanted
            return editing.states.with_attached_joint(main, model, document, node, wanted)

        thing = editing.shelf.SHELF[self.format].get(kind)
        self._apply(tr("Add {thing}", thing=tr(thing.name).lower() if thing is not None else kind), spot, edits)

    def add_mesh(self, path: str, spot: DropSpot) -> None:
        """Insert a mesh file: at once if it lies with the others, else after asking."""
        document = self._project.document
        if document is None:
            self.said.emit(tr("A model from a binary file has no text to edit"))
            return
        rows = assist.language.language_of(document).grammar.rows
        row = rows.get("asset.mesh") or rows.get("mesh")
        folder = document.base if row is None else assist.files.folder_of(document, row)
        name, inside = assist.files.named(folder, path)

        def refer(name: str) -> None:
            self._apply(
                tr("Add mesh"),
                spot,
                lambda document, node, pose, precision: editing.shelf.put_mesh(document, node, name, pose, precision),
            )

        if inside:
            refer(name)
            return
        buttons: dict[str, Callable[[], object]] = {
            tr("Copy to {folder}", folder=folder.name or folder): lambda: self._copy(path, folder, refer),
            tr("Refer by Path"): lambda: refer(name),
        }
        text = tr("{file} is not in the folder of the model's meshes.", file=os.path.basename(path))
        self._ask(text, tr("The folder is {folder}.", folder=folder), buttons)

    def ask_model(self, path: str, spot: DropSpot) -> None:
        """Open a model, or attach it to the one that is open."""
        document = self._project.document
        buttons: dict[str, Callable[[], object]] = {"Open": lambda: self.open_file.emit(path)}
        if document is not None and document.root.tag == "mujoco" and Path(path).suffix.lower() != ".urdf":
            name = assist.files.named(document.base, path)[0]
            buttons["Attach Here"] = lambda: self._apply(
                tr("Attach model"),
                spot,
                lambda document, node, pose, precision: editing.shelf.put_model(document, node, name, pose, precision),
            )
        if len(buttons) == 1:
            self.open_file.emit(path)
            return
        self._ask(tr("Open {file}, or attach it to this model?", file=os.path.basename(path)), "", buttons)

    def _ask(self, text: str, more: str, buttons: dict[str, Callable[[], object]]) -> None:
        if self.question is not None:
            self.question.close()
        box = QMessageBox(QMessageBox.Icon.Question, "Kinetree", text, QMessageBox.StandardButton.Cancel, self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(more)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        roles = {box.addButton(label, QMessageBox.ButtonRole.AcceptRole): act for label, act in buttons.items()}

        def decide(_result: int) -> None:
            self.question = None
            act = roles.get(box.clickedButton())  # type: ignore[arg-type]
            if act is not None:
                act()

        self.question = box
        box.finished.connect(decide)
        box.open()

    # ---- copying -----------------------------------------------------------------------------------------

    def _copy(self, path: str, folder: Path, then: Callable[[str], None]) -> None:
        """Copy a file into a folder on another thread, then go on with its name there."""
        chosen: list[str] = []

        def write() -> None:
            folder.mkdir(parents=True, exist_ok=True)
            stem, ending = os.path.splitext(os.path.basename(path))
            target, number = folder / f"{stem}{ending}", 1
            while target.exists():
                number += 1
                target = folder / f"{stem}_{number}{ending}"
            shutil.copyfile(path, target)
            chosen.append(target.name)

        def done(_path: str, message: str, _details: str) -> None:
            self._copied.emit(chosen[0] if chosen else "", message)

        self._after_copy = then
        self._thread = SaveThread(write, str(folder), done)
        self._thread.start()

    @Slot(str, str)
    def _take_copied(self, name: str, message: str) -> None:
        then, self._after_copy = self._after_copy, None
        if message or then is None:
            self.said.emit(message)
        else:
            then(name)


def _path(data: QMimeData) -> str:
    """The first local file."""
    urls: list[QUrl] = data.urls() if data.hasUrls() else []
    return next((url.toLocalFile() for url in urls if url.isLocalFile()), "")


def _is_alone(data: QMimeData) -> bool:
    """Whether a drop has no other local file."""
    return sum(url.isLocalFile() for url in data.urls()) == 1


def _ending(data: QMimeData) -> str:
    return Path(_path(data)).suffix.lower()
