"""Actions about cameras and viewports."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QInputDialog, QMenu

from kinetree.app.actions.context import ActionContext
from kinetree.app.menus.table import BOOKMARKS, GROUPS, SIDES
from kinetree.app.viewport.viewports import ARRANGEMENTS
from kinetree.app.widgets.keyboard import is_typing
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.bookmarks import camera_of
from kinetree.app.workspace.camera_choices import camera_choices
from kinetree.app.workspace.view import ViewModel
from kinetree.engine import scene
from kinetree.engine.model.kinds import name_of
from kinetree.engine.run.clock import speed_text
from kinetree.engine.scene.effects import EFFECT_BY_NAME
from kinetree.engine.scene.options import FLAG_BY_NAME
from kinetree.engine.translation import marked, tr

SAID = {
    "faded": (marked("Transparent"), marked("No longer transparent")),
    "framed": (marked("Frame on"), marked("Frame off")),
    "labelled": (marked("Label on"), marked("Label off")),
}
"""Messages when objects are marked, and when the marks are removed."""


OPTION_TITLES = {
    "shapes": marked("shapes"),
    "label": marked("labels"),
    "frame": marked("frames"),
    "hidden": marked("hidden elements"),
    "faded": marked("transparent elements"),
    "framed": marked("frames of elements"),
    "labelled": marked("labels of elements"),
    "section": marked("section plane"),
    "albedo": marked("colours without light"),
    "flexlayer": marked("flex layer"),
    "tonemap": marked("tone mapping"),
    "exposure": marked("exposure"),
}
"""Texts of options that are no flag, effect or group."""


def _option_title(name: str) -> str:
    """Title of a field of VisOptions."""
    row = FLAG_BY_NAME.get(name) or EFFECT_BY_NAME.get(name)
    if row is not None:
        return tr(row.label)
    kind = name.removesuffix("group")
    label = next((label for each, label, _ in GROUPS if each == kind), "")
    return tr(f"{label} Groups") if label else tr(OPTION_TITLES[name])


class ViewHandlers:
    """Handlers of the camera and viewport actions: one method for each, `table()` maps ids of actions to them. They act
    on the active view."""

    def __init__(self, context: ActionContext):
        self.context, self.workspace = context, context.workspace
        self.workspace.camera_changed.connect(self.refresh)
        self.workspace.measurements.changed.connect(self.refresh)
        context.viewports.arranged.connect(self.refresh)
        self.workspace.bookmarks.changed.connect(self._name_bookmarks)
        self._bookmarks = QMenu(context.parent)
        self._added: list[QAction] = []  # to the menu of bookmarks
        self._pictures = QMenu(tr("Picture in Picture"), context.parent)
        self._cameras = QMenu(tr("Look Through"), context.parent)

    @property
    def view(self) -> ViewModel:
        """The active view."""
        return self.workspace.view

    def table(self) -> dict[str, Callable]:
        viewports = self.context.viewports
        handlers: dict[str, Callable] = {
            "camera.align": lambda: self.view.align_camera(),
            "camera.next": lambda: self.view.cycle_camera(1),
            "camera.previous": lambda: self.view.cycle_camera(-1),
            "camera.track": lambda: self.view.track_selection(),
            "camera.fit": self.fit,
            "camera.bookmark": self.ask_bookmark,
            "camera.picture": self.next_picture,
            "camera.fit_all": lambda: self.view.fit((), self._aspect()),
            "camera.orthographic": lambda on: self.view.set_orthographic(on),
            "camera.cube": lambda on: self.context.settings.set("viewport.cube", on),
            "show.shapes": self.switch_shapes,
            "show.fade": lambda: self.mark("faded"),
            "show.frame_of": lambda: self.mark("framed"),
            "show.label_of": lambda: self.mark("labelled"),
            "show.unmark": lambda: self.view.visibility.unmark(),
            "section.toggle": self.toggle_section,
            "section.x": lambda: self.view.cut((1.0, 0.0, 0.0)),
            "section.y": lambda: self.view.cut((0.0, 1.0, 0.0)),
            "section.z": lambda: self.view.cut((0.0, 0.0, 1.0)),
            "section.view": lambda: self.view.cut(),
            "section.flip": self.flip_section,
            "measure.distance": lambda on: self.measure(2 if on else 0),
            "measure.angle": lambda on: self.measure(3 if on else 0),
            "measure.copy": self.copy_measurements,
            "measure.clear": self.workspace.measurements.clear,
            "view.reset_display": self.reset_display,
            "view.reset_camera": self.reset_camera,
            "viewports.next": viewports.activate_next,
            "viewports.previous": lambda: viewports.activate_next(-1),
        }
        for name, _, _, direction in SIDES:
            handlers[f"camera.{name}"] = lambda direction=direction: self.view.look_from(direction)
        for number in range(BOOKMARKS):
            handlers[f"bookmark.{number + 1}"] = partial(self.go_to, number)
        for name in ARRANGEMENTS:
            handlers[f"viewports.{name}"] = lambda _on, name=name: self.arrange(name)
        return handlers

    def fill_menus(self, menus: dict[str, QMenu], actions) -> None:
        """Add the menus that are not in the table of actions: cameras of the model, bookmarks, pictures of cameras."""
        menus["Camera"].insertMenu(actions["camera.next"], self._cameras)
        self._name_bookmarks()
        self._cameras.aboutToShow.connect(self._fill_cameras)
        self._bookmarks = menus["Camera/Bookmarks"]
        self._bookmarks.aboutToShow.connect(self._fill_bookmarks)
        menus["Camera"].insertMenu(actions["camera.picture"], self._pictures)
        self._pictures.aboutToShow.connect(self._fill_pictures)

    def _fill_cameras(self) -> None:
        menu = self._cameras
        menu.clear()
        for choice in camera_choices(self.view):
            action = menu.addAction(choice.text.replace("&", "&&"), partial(choice.choose, self.view))
            action.setCheckable(True)
            action.setChecked(choice.is_chosen)

    def _fill_bookmarks(self) -> None:
        """Add to the menu the bookmarks without keys, and the actions that edit bookmarks."""
        menu, bookmarks = self._bookmarks, self.workspace.bookmarks
        for action in self._added:
            menu.removeAction(action)
            action.deleteLater()
        self._added = []
        for number, each in list(enumerate(bookmarks.items))[BOOKMARKS:]:
            self._added.append(menu.addAction(each.name.replace("&", "&&"), partial(self.go_to, number)))
        self._added.append(menu.addSeparator())
        for title, act in ((tr("Rename"), self._ask_name), (tr("Remove"), bookmarks.remove)):
            below = QMenu(title, menu)
            for number, each in enumerate(bookmarks.items):
                below.addAction(each.name.replace("&", "&&"), partial(act, number))
            below.setEnabled(bool(bookmarks.items))
            give_letters(below)
            self._added.append(menu.addMenu(below))

    def _name_bookmarks(self) -> None:
        """Give the numbered bookmark actions the names of the bookmarks; disable those without one."""
        items = self.workspace.bookmarks.items
        for number in range(BOOKMARKS):
            action = self.context.actions[f"bookmark.{number + 1}"]
            exists = number < len(items)
            action.setText(
                items[number].name.replace("&", "&&") if exists else tr("Bookmark {number}", number=number + 1)
            )
            action.setEnabled(exists)
            action.setVisible(exists or number == 0)

    def _fill_pictures(self) -> None:
        menu, model = self._pictures, self.workspace.simulation.model
        menu.clear()
        names = [] if model is None else [name_of(model, "camera", number) for number in range(model.ncam)]
        for number, name in enumerate(names):
            action = menu.addAction(name.replace("&", "&&"), partial(self.view.toggle_picture, number))
            action.setCheckable(True)
            action.setChecked(number in self.view.pictures)
        if menu.isEmpty():
            menu.addAction(tr("The model has no camera")).setEnabled(False)

    def go_to(self, number: int) -> None:
        """Go back to the camera of a bookmark."""
        model, items = self.workspace.simulation.model, self.workspace.bookmarks.items
        if model is None or number >= len(items):
            return
        camera = camera_of(items[number].camera, model)
        if camera is None:
            self.context.say(tr("The target or camera of {name} is no longer in the model", name=items[number].name))
        else:
            self.view.fly_to(camera)

    def ask_bookmark(self) -> None:
        """Ask for the name of a bookmark of the present camera."""
        camera, model, bookmarks = self.view.camera, self.workspace.simulation.model, self.workspace.bookmarks
        if camera is not None and model is not None:
            camera = camera.copy()
            self._ask(tr("Save View"), bookmarks.new_name(), lambda name: bookmarks.add(name, camera, model))

    def _ask_name(self, number: int) -> None:
        bookmarks = self.workspace.bookmarks
        self._ask(tr("Rename Bookmark"), bookmarks.items[number].name, lambda name: bookmarks.rename(number, name))

    def _ask(self, title: str, name: str, take: Callable[[str], None]) -> None:
        dialog = QInputDialog(self.context.parent)
        dialog.setWindowTitle(title)
        dialog.setLabelText(tr("Name of the view:"))
        dialog.setTextValue(name)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.textValueSelected.connect(lambda text: take(text.strip()) if text.strip() else None)
        dialog.open()

    def next_picture(self) -> None:
        """Show the picture of the next camera in place of the others; after the last one none."""
        model = self.workspace.simulation.model
        count = 0 if model is None else model.ncam
        following = max(self.view.pictures, default=-1) + 1
        self.view.set_pictures((following,) if following < count else ())
        if not count:
            self.context.say(tr("The model has no camera"))

    def refresh(self) -> None:
        """Bring the checks of the actions in line with the active view."""
        actions, camera, viewports = self.context.actions, self.view.camera, self.context.viewports
        actions.set_checked("camera.cube", self.context.settings.view_cube)
        actions.set_checked("camera.orthographic", camera is not None and camera.orthographic)
        for name in ARRANGEMENTS:
            actions.set_checked(f"viewports.{name}", viewports.arrangement == name)
        measurements, section = self.workspace.measurements, self.view.options.section
        has_model = self.workspace.simulation.model is not None
        actions.set_checked("section.toggle", section is not None)
        for name in ("toggle", "x", "y", "z", "view"):
            actions[f"section.{name}"].setEnabled(has_model)
        actions["section.flip"].setEnabled(section is not None)
        for name, wanted in (("distance", 2), ("angle", 3)):
            actions[f"measure.{name}"].setEnabled(has_model)
            actions.set_checked(f"measure.{name}", measurements.wanted == wanted)
        for name in ("copy", "clear"):
            actions[f"measure.{name}"].setEnabled(bool(measurements.made))
        for name in ("fade", "frame_of", "label_of"):
            actions[f"show.{name}"].setEnabled(has_model and bool(self.workspace.selection.current))
        marked = self.view.visibility.marked
        actions["show.unmark"].setEnabled(bool(marked["framed"] or marked["labelled"]))
        for name in ("next", "previous"):
            actions[f"viewports.{name}"].setEnabled(len(viewports.frames) > 1)

    def fit(self) -> None:
        """Show what is selected, or the whole model, as large as the viewport allows."""
        if not self.view.fit(self.workspace.selection.selections, self._aspect()):
            self.context.say(tr("The selection has no place in the picture"))

    def switch_shapes(self) -> None:
        """Show visual shapes, collision shapes or both: the next choice that makes another picture."""
        model = self.workspace.simulation.model
        if model is not None:
            self.view.set_option("shapes", scene.shapes.following(model, self.view.options))

    def shapes_text(self) -> str:
        """A sentence about the choice of shapes; another one if the model has no visual shapes."""
        model, options = self.workspace.simulation.model, self.view.options
        if model is None:
            return ""
        text = scene.shapes.told(model, options)
        if any(each.code == "visuals-discarded" for each in self.workspace.compiler.diagnostics):
            text += "\n" + tr("The visual shapes of this URDF are left out (compiler/discardvisual)")
        return text

    def mark(self, what: str) -> None:
        """Mark what is selected in one way, or no more."""
        on = self.view.visibility.toggle_marked(what, self.workspace.selection.selections)
        self.context.frame.announce(SAID[what][0 if on else 1])

    def reset_display(self) -> None:
        """Draw the model as with usual options, in real time, and say what was different: each is one switch away."""
        names = [_option_title(name) for name in self.view.reset_display()]
        simulation = self.workspace.simulation
        if simulation.speed != 1.0:
            names.append(tr("speed {speed}", speed=tr(speed_text(simulation.speed))))
            simulation.post(requests.SetSpeed(1.0))
        what = ", ".join(dict.fromkeys(names))
        self._say(tr("Reset: {what}", what=what) if what else tr("The display is as usual already"))

    def reset_camera(self) -> None:
        """Look as when the model was opened first."""
        self.view.reset_camera()
        self._say(tr("The camera is as the model says"))

    def _say(self, text: str) -> None:
        self.context.say(text)
        self.context.frame.announce(text)

    def toggle_section(self, on: bool) -> None:
        """Cut the model open, or show it whole."""
        if on:
            self.view.cut()
        else:
            self.view.set_section(None)

    def flip_section(self) -> None:
        """Leave out the other side of the section plane."""
        section = self.view.options.section
        if section is not None:
            self.view.set_section(section.flipped())

    def measure(self, points: int) -> None:
        """Measure between so many points; 0: no more."""
        self.workspace.measurements.begin(points)
        if not is_typing(self.context.parent):
            self.context.viewport.setFocus()

    def copy_measurements(self) -> None:
        """Copy all measurements to the clipboard."""
        QGuiApplication.clipboard().setText(self.workspace.measurements.text(self.workspace.units.degrees))
        self.context.say(tr("Measurements copied to the clipboard"))

    def arrange(self, name: str) -> None:
        """Show one or several viewports."""
        self.context.viewports.arrange(name)
        self.refresh()

    def _aspect(self) -> float:
        viewport = self.context.viewport
        return max(1, viewport.width()) / max(1, viewport.height())
