"""What each action of the table does."""

from __future__ import annotations

import os
from collections.abc import Callable
from enum import Enum

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMenu, QMessageBox

from app.actions.help import help_sections
from app.actions.table import GROUPS
from app.settings.icons import app_icon
from app.settings.settings import HISTORY_MEMORY
from app.workspace.selection import NOTHING, Selection, select_at
from engine.run.clock import SPEEDS
from engine.scene.options import FLAGS, MOST_EXPOSURE, NGROUP, TONE_MAPPINGS

FILTER = "Models (*.xml *.mjcf *.urdf *.kmodel);;All files (*)"
SAVE_FILTER = "MJCF (*.xml)"


class Handlers:
    """One method an action; `table()` maps the actions' ids to them."""

    def __init__(self, window):
        self.window = window
        workspace = window.workspace
        self.project, self.simulation = workspace.project, workspace.simulation
        self.view, self.selection = workspace.view, workspace.selection
        for signal in (
            self.view.options_changed,
            self.simulation.run_changed,
            self.simulation.model_changed,
            self.selection.changed,
            self.project.changed,
        ):
            signal.connect(self.refresh)
        for dock in window.docks.values():
            dock.visibilityChanged.connect(self.refresh)
        self._recent_menu = QMenu("Open &Recent", window)

    def table(self) -> dict[str, Callable]:
        project, simulation, view, window = self.project, self.simulation, self.view, self.window
        handlers: dict[str, Callable] = {
            "file.open": self.open_dialog,
            "file.reload": project.reload,
            "file.auto_reload": self.set_auto_reload,
            "file.save": lambda: project.save(),
            "file.save_all": lambda: project.save_all(),
            "file.screenshot": self.save_picture,
            "file.save_copy": self.save_copy,
            "file.close": lambda: window.unless_unsaved(project.close),
            "file.quit": window.close,
            "edit.undo": project.undo,
            "edit.redo": project.redo,
            "sim.toggle": simulation.toggle,
            "sim.step": lambda: simulation.step(),
            "sim.back": lambda: simulation.back(),
            "sim.reset": lambda: simulation.reset(),
            "sim.faster": lambda: self.change_speed(1),
            "sim.slower": lambda: self.change_speed(-1),
            "sim.real_time": lambda: simulation.set_speed(1.0),
            "sim.clear_ctrl": simulation.clear_ctrl,
            "sim.history": self.ask_history_memory,
            "sim.copy_state": lambda: self.copy_state(6),
            "sim.copy_state_exactly": lambda: self.copy_state(16),
            "camera.free": self.free_camera,
            "camera.align": view.align_camera,
            "camera.next": lambda: view.cycle_camera(1),
            "camera.previous": lambda: view.cycle_camera(-1),
            "camera.track": view.track_selection,
            "select.parent": self.select_parent,
            "show.frame": lambda: self.cycle("frame"),
            "show.label": lambda: self.cycle("label"),
            "show.flex_layer": self.next_flex_layer,
            "view.left": lambda on: self.show_side(("tree",), on),
            "view.right": lambda on: self.show_side(("values",), on),
            "view.full_screen": self.set_full_screen,
            "view.layout": window.default_layout,
            "view.theme_system": lambda _on: window.set_theme("system"),
            "view.theme_light": lambda _on: window.set_theme("light"),
            "view.theme_dark": lambda _on: window.set_theme("dark"),
            "help.keys": self.show_help,
            "help.info": window.frame.set_info,
            "help.about": self.about,
        }

        for flag in FLAGS:
            if flag.drawn:
                handlers[f"flag.{flag.name}"] = lambda on, name=flag.name: view.set_option(name, on)
        for kind, _label, _held in GROUPS:
            for number in range(NGROUP):
                handlers[f"group.{kind}.{number}"] = lambda on, k=kind, n=number: self.set_group(k, n, on)
        for name in TONE_MAPPINGS:
            handlers[f"tonemap.{name}"] = lambda _on, name=name: view.set_option("tonemap", name)
        for name, stops in (("brighter", 0.5), ("darker", -0.5), ("reset", None)):
            handlers[f"exposure.{name}"] = lambda stops=stops: self.change_exposure(stops)
        return handlers

    def fill_menus(self) -> None:
        """The parts of menus that are not in the table: recent files, panels."""
        menus, actions = self.window.menus, self.window.actions_
        menus["File"].insertMenu(actions["file.reload"], self._recent_menu)
        menus["File"].insertSeparator(actions["file.reload"])
        self._recent_menu.aboutToShow.connect(self._fill_recent)
        first = menus["View"].actions()[0]
        for dock in self.window.docks.values():
            menus["View"].insertAction(first, dock.toggleViewAction())
        menus["View"].insertSeparator(first)

    def _fill_recent(self) -> None:
        menu = self._recent_menu
        menu.clear()
        for path in self.window.settings.recent():
            text = menu.fontMetrics().elidedText(path, _ELIDE_MIDDLE, 480)
            menu.addAction(text.replace("&", "&&"), lambda path=path: self.window.open(path))
        if menu.isEmpty():
            menu.addAction("No recent files").setEnabled(False)
        else:
            menu.addSeparator()
            menu.addAction("Clear Recent Files", self.window.settings.clear_recent)

    def refresh(self, *_ignored) -> None:
        """Bring the checks of the actions in line with the state."""
        actions, window = self.window.actions_, self.window
        options = self.view.options
        model = self.simulation.model is not None
        for name, row in actions.rows.items():
            kind, _, rest = name.partition(".")
            if kind == "flag":
                actions.set_checked(name, getattr(options, rest))
            elif kind == "group":
                which, number = rest.split(".")
                actions.set_checked(name, getattr(options, f"{which}group")[int(number)])
            elif kind == "tonemap":
                actions.set_checked(name, options.tonemap == rest)
            elif name in _MOVING:
                actions[name].setEnabled(model and not self.simulation.unsimulated)
            elif row.menu in ("Camera", "Show") or name in _WITH_MODEL:
                actions[name].setEnabled(model)
        for name in ("file.close", "file.reload"):
            actions[name].setEnabled(bool(self.project.path or self.project.attempt))
        for name in ("file.save", "file.save_all"):
            actions[name].setEnabled(bool(self.project.modified))
        texts = self.project.texts
        for name, verb, step in (("undo", "Undo", texts.undo_name), ("redo", "Redo", texts.redo_name)):
            actions[f"edit.{name}"].setEnabled(step is not None)
            actions[f"edit.{name}"].setText(f"{verb} {step}" if step else verb)
        actions["camera.track"].setEnabled(self.selection.body > 0)
        actions["select.parent"].setEnabled(bool(self.selection.current))
        actions.set_checked("file.auto_reload", self.project.auto_reload)
        actions.set_checked("view.left", not window.docks["tree"].isHidden())
        actions.set_checked("view.right", not window.docks["values"].isHidden())
        actions.set_checked("view.full_screen", window.isFullScreen())
        actions.set_checked("help.info", window.frame.info_shown)
        actions.set_checked("help.keys", not window.help.isHidden())
        for name in ("system", "light", "dark"):
            actions.set_checked(f"view.theme_{name}", window.settings.theme == name)
        if not window.help.isHidden():
            window.help.set_sections(help_sections(actions))

    # ---- files -------------------------------------------------------------------------------------------

    def open_dialog(self) -> None:
        settings = self.window.settings
        dialog = QFileDialog(self.window, "Open a Model", settings.folder or os.getcwd(), FILTER)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(_DELETE_ON_CLOSE)
        dialog.fileSelected.connect(self.window.open)
        dialog.open()

    def set_auto_reload(self, on: bool) -> None:
        self.window.settings.auto_reload = on
        self.project.set_auto_reload(on)

    def save_picture(self) -> None:
        image = self.window.viewport.picture()
        name = f"{self._stem() or 'kinetree'}.png"
        self._ask_where("Save Picture", name, "PNG (*.png)", lambda path: self._write_picture(image, path))

    def _write_picture(self, image, path: str) -> None:
        if image.save(path):
            self.window.status.say(f"Saved {path}")
        else:
            self.window.report(f"The picture cannot be written to {path}")

    def save_copy(self) -> None:
        name = f"{self._stem()}_canonical.xml"
        self._ask_where("Save a Canonical Copy", name, SAVE_FILTER, self.project.save_copy)

    def _stem(self) -> str:
        return os.path.splitext(os.path.basename(self.project.path))[0]

    def _ask_where(self, title: str, name: str, kinds: str, write: Callable[[str], None]) -> None:
        """Ask for the file to write to, of one of the `kinds`, beginning with `name`; then write."""
        folder = self.window.settings.folder
        dialog = QFileDialog(self.window, title, os.path.join(folder, name), kinds)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(name.rpartition(".")[2])
        dialog.setAttribute(_DELETE_ON_CLOSE)
        dialog.fileSelected.connect(write)
        dialog.open()

    # ---- simulation --------------------------------------------------------------------------------------

    def change_speed(self, by: int) -> None:
        speeds = list(SPEEDS)
        index = speeds.index(self.simulation.speed) if self.simulation.speed in speeds else speeds.index(1.0)
        self.simulation.set_speed(speeds[min(max(index + by, 0), len(speeds) - 1)])

    def ask_history_memory(self) -> None:
        """Ask how much memory the history may take."""
        least, _, most = HISTORY_MEMORY
        dialog = QInputDialog(self.window)
        dialog.setWindowTitle("History Memory")
        dialog.setLabelText("Memory limit of the simulation's history, MB.\nBeyond it the oldest steps are dropped.")
        dialog.setInputMode(QInputDialog.InputMode.IntInput)
        dialog.setIntRange(least, most)
        dialog.setIntStep(100)
        dialog.setIntValue(self.window.settings.history_memory)
        dialog.setAttribute(_DELETE_ON_CLOSE)
        dialog.intValueSelected.connect(self.window.set_history_memory)
        dialog.open()

    def copy_state(self, digits: int) -> None:
        snapshot = self.simulation.snapshot
        if snapshot is not None:
            QGuiApplication.clipboard().setText(keyframe_text(snapshot, digits))
            self.window.status.say("State copied to the clipboard as a keyframe")

    # ---- view --------------------------------------------------------------------------------------------

    def free_camera(self) -> None:
        """Close the help if it is open, else look through the free camera."""
        if self.window.help.isHidden():
            self.view.set_fixed_camera(-1)
        else:
            self.show_help(False)

    def select_parent(self) -> None:
        selection, model = self.selection.current, self.simulation.model
        if not selection or model is None:
            return
        parent = int(model.body_parentid[selection.id]) if selection.kind == "body" else self.selection.body
        self.selection.select(Selection("body", parent) if parent > 0 else NOTHING)

    def select_problem(self, diagnostic) -> None:
        """Select the element that a finding is about, where it is in the model that is shown."""
        model = self.simulation.model
        if model is not None:
            found = select_at(model, diagnostic.file, diagnostic.line, diagnostic.column)
            if found:
                self.selection.select(found)

    def set_group(self, kind: str, number: int, on: bool) -> None:
        groups = list(getattr(self.view.options, f"{kind}group"))
        groups[number] = on
        self.view.set_option(f"{kind}group", groups)

    def cycle(self, what: str) -> None:
        """The next label or frame mode."""
        value: Enum = getattr(self.view.options, what)
        modes = list(type(value))
        new = modes[(modes.index(value) + 1) % len(modes)]
        self.view.set_option(what, new)
        self.window.status.say(f"{what.capitalize()}s: {new.name.lower()}")

    def change_exposure(self, stops: float | None) -> None:
        """Brighter or darker by so many stops; None: as the model gives it."""
        exposure = 0.0 if stops is None else self.view.options.exposure + stops
        self.view.set_option("exposure", min(max(exposure, -MOST_EXPOSURE), MOST_EXPOSURE))
        self.window.status.say(f"Exposure: {self.view.options.exposure:+g} stops")

    def next_flex_layer(self) -> None:
        """One layer further inside the solid flexes; from the innermost back to the outside."""
        options, model = self.view.options, self.simulation.model
        if model is None:
            return
        layers = int(model.flex_elemlayer.max(initial=0)) + 1
        self.view.set_option("flexlayer", (options.flexlayer + 1) % layers)
        self.window.status.say(f"Flex layer: {options.flexlayer} of {layers - 1}")

    def show_side(self, names: tuple[str, ...], on: bool) -> None:
        for name in names:
            self.window.docks[name].setVisible(on)

    def set_full_screen(self, on: bool) -> None:
        if on:
            self.window.showFullScreen()
        else:
            self.window.showNormal()

    def show_help(self, on: bool) -> None:
        self.window.actions_.set_checked("help.keys", on)
        if on:
            self.window.help.set_sections(help_sections(self.window.actions_))
            self.window.help.raise_()
        self.window.help.setVisible(on)

    def about(self) -> None:
        from app.terminal import version

        box = QMessageBox(self.window)
        box.setAttribute(_DELETE_ON_CLOSE)
        box.setWindowTitle("About Kinetree")
        box.setText(f"<b>Kinetree {version()}</b>")
        box.setInformativeText("Opens, simulates and renders robot and physics models: MJCF, URDF and x_xy.")
        box.setIconPixmap(app_icon().pixmap(64, 64))
        box.open()


def keyframe_text(snapshot, digits: int) -> str:
    """The state as a <key> element of MJCF."""

    def numbers(values) -> str:
        return " ".join(f"{value:.{digits}g}" for value in values)

    parts = [
        f'time="{snapshot.time:.{digits}g}"',
        f'qpos="{numbers(snapshot.qpos)}"',
        f'qvel="{numbers(snapshot.qvel)}"',
    ]
    if len(snapshot.act):
        parts.append(f'act="{numbers(snapshot.act)}"')
    if len(snapshot.ctrl):
        parts.append(f'ctrl="{numbers(snapshot.ctrl)}"')
    if len(snapshot.mocap_pos):
        parts.append(f'mpos="{numbers(snapshot.mocap_pos.ravel())}"')
        parts.append(f'mquat="{numbers(snapshot.mocap_quat.ravel())}"')
    return f"<key {' '.join(parts)}/>"


def _constants():
    from PySide6.QtCore import Qt

    return Qt.TextElideMode.ElideMiddle, Qt.WidgetAttribute.WA_DeleteOnClose


_ELIDE_MIDDLE, _DELETE_ON_CLOSE = _constants()
_WITH_MODEL = {
    "file.screenshot", "file.save_copy", "sim.clear_ctrl", "sim.copy_state", "sim.copy_state_exactly",
    "help.info",
}  # fmt: skip
_MOVING = {"sim.faster", "sim.slower", "sim.real_time"}
