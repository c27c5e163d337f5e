"""Handlers of all actions of the table."""

from __future__ import annotations

import os
from collections.abc import Callable
from enum import Enum
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

import kinetree
from kinetree import app
from kinetree.app.actions.comparing import Comparing
from kinetree.app.actions.context import ActionContext, ActionTargets
from kinetree.app.actions.controllers import ControllerHandlers
from kinetree.app.actions.converting import Converting
from kinetree.app.actions.crash_handlers import CrashHandlers
from kinetree.app.actions.decomposing import Decomposing
from kinetree.app.actions.dialogs import Dialogs
from kinetree.app.actions.documentation import DocumentationHandlers
from kinetree.app.actions.documents import Documents
from kinetree.app.actions.editing import EditingHandlers
from kinetree.app.actions.element_handlers import ElementHandlers
from kinetree.app.actions.external import ExternalEditing
from kinetree.app.actions.extras import ExtraOffers
from kinetree.app.actions.fitting import Fitting
from kinetree.app.actions.focus import FocusHandlers
from kinetree.app.actions.mirroring import Mirroring
from kinetree.app.actions.motions import Motions
from kinetree.app.actions.other_windows import OtherWindows
from kinetree.app.actions.posing import PoseHandlers
from kinetree.app.actions.simulation_handlers import SimulationHandlers
from kinetree.app.actions.source_handlers import source_handlers
from kinetree.app.actions.tools import Tools
from kinetree.app.actions.updating import Updating
from kinetree.app.actions.view_handlers import ViewHandlers
from kinetree.app.menus.help import help_sections
from kinetree.app.menus.table import FLAG_GROUPS, GROUPS, SOURCE, VIEWPORT, Action
from kinetree.app.panels.dialogs.help_overlay import HelpOverlay
from kinetree.app.panels.dock_layout import DockLayout
from kinetree.app.panels.plot_docks import PlotDocks
from kinetree.app.settings.icons import app_icon
from kinetree.app.settings.table import AUTOMATIC
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import NOTHING, Selection
from kinetree.app.workspace.view import ViewModel
from kinetree.engine.library import labels
from kinetree.engine.model.kinds import name_of
from kinetree.engine.run.clock import SPEEDS, speed_text
from kinetree.engine.scene.effects import EFFECT_BY_NAME, EFFECTS, PRESETS
from kinetree.engine.scene.options import (
    FRAMES,
    LABELS,
    MOST_EXPOSURE,
    NGROUP,
    TONE_MAPPINGS,
    Frame,
    Label,
    Shapes,
)
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.workers.filming import FilmThread

SAVE_FILTER = "MJCF (*.xml)"
WIDEST_NAME = 320
"""Of names and folders in the menu of recent files, pixels."""


class Handlers:
    """Handlers of all actions of the table: one method for each, `table()` maps ids of actions to them."""

    def __init__(
        self,
        context: ActionContext,
        targets: ActionTargets,
        help: HelpOverlay,
        layout: DockLayout,
        plots: PlotDocks,
        offer_report: Callable[[], None],
    ):
        """`offer_report`: shows the notice of a crash."""
        self.context, self.targets, self.help, self.layout, self.plots = context, targets, help, layout, plots
        workspace = context.workspace
        self.project, self.simulation = workspace.project, workspace.simulation
        self.workspace, self.selection = workspace, workspace.selection
        self._enabled: tuple[bool, bool, bool] | None = None
        workspace.options_changed.connect(self.refresh)
        workspace.units.changed.connect(self.refresh)
        context.settings.changed.connect(self.refresh)
        for signal in (
            self.simulation.run_changed,
            self.simulation.drive_changed,
            self.simulation.model_changed,
            self.selection.changed,
            self.project.changed,
        ):
            signal.connect(self.refresh_state)
        for dock in context.docks.values():
            dock.visibilityChanged.connect(self.refresh_state)
        self.windows = OtherWindows(context)
        self.documents = Documents(context, self.windows)
        self.dialogs = Dialogs(context, targets.tree)
        self.tools = Tools(context, targets.tree)
        self.motions = Motions(context)
        self.converting = Converting(self.tools, self.documents)
        self.editing = EditingHandlers(context)
        self.viewing = ViewHandlers(context)
        self.elements = ElementHandlers(context, targets.tree, targets.source)
        self.documentation = DocumentationHandlers(context, self.dialogs, targets.timeline)
        self.comparing = Comparing(context)
        self.controllers = ControllerHandlers(context)
        self.extras = ExtraOffers(context)
        self.focus = FocusHandlers(context.docks, targets.middle, targets.toolbar)
        self.crashes = CrashHandlers(context, self.dialogs, self.documents, offer_report)
        self._recent_menu = QMenu(tr("Open Recent"), context.parent)

    @cached_property
    def pictures(self) -> app.actions.pictures.PictureDialogs:
        """Pictures and videos; made when they are first wanted."""
        return app.actions.pictures.PictureDialogs(self.context, lambda: self.targets.timeline.track.selected)

    def end(self) -> list[FilmThread]:
        """The window closes: end a recording. Returns the threads that write it."""
        self.crashes.end()
        return self.pictures.filming.close() if "pictures" in self.__dict__ else []

    @property
    def view(self) -> ViewModel:
        """The active view."""
        return self.workspace.view

    def table(self) -> dict[str, Callable]:
        project, simulation, context, targets = self.project, self.simulation, self.context, self.targets
        documents, dialogs, settings = self.documents, self.dialogs, context.settings
        handlers: dict[str, Callable] = {
            "file.open": lambda: documents.ask_file(),
            "file.open_apart": lambda: documents.ask_file(apart=True),
            "file.new_window": self.windows.open_new,
            "file.open_name": lambda: documents.ask_name(),
            "file.reload": self.workspace.disk.reload,
            "file.auto_reload": lambda on: settings.set("auto_reload", on),
            "file.new": documents.new,
            "file.save": lambda: documents.save(),
            "file.save_as": lambda: documents.save_as(),
            "file.save_copy_as": documents.save_copy_as,
            "file.save_all": lambda: documents.save_all(),
            "file.screenshot": lambda: self.pictures.ask_picture(),
            "file.copy_picture": lambda: self.pictures.copy_shown(),
            "file.video": lambda: self.pictures.ask_video(),
            "file.film": lambda on: self.pictures.toggle_filming("viewport", on),
            "file.film_window": lambda on: self.pictures.toggle_filming("window", on),
            "file.save_copy": self.save_copy,
            "file.close": lambda: documents.unless_unsaved(self.workspace.opening.close),
            "file.quit": context.parent.close,
            "select.back": targets.inspector.visited.back,
            "select.forward": targets.inspector.visited.forward,
            "edit.settings": lambda: dialogs.show_settings(),
            "edit.keys": lambda: dialogs.show_keys(),
            "edit.undo": project.undo,
            "edit.redo": project.redo,
            "sim.toggle": simulation.toggle,
            "sim.step": lambda: simulation.post(requests.StepRequest()),
            "sim.back": lambda: simulation.post(requests.StepBack()),
            "sim.reset": lambda: simulation.post(requests.Reset()),
            "sim.faster": lambda: self.change_speed(1),
            "sim.slower": lambda: self.change_speed(-1),
            "sim.real_time": lambda: simulation.post(requests.SetSpeed(1.0)),
            "sim.clear_ctrl": lambda: simulation.post(requests.ClearControls()),
            "sim.threads": lambda: dialogs.show_settings("physics_threads"),
            "sim.copy_state": lambda: self.copy_state(6),
            "sim.copy_state_exactly": lambda: self.copy_state(16),
            "camera.free": lambda: self.view.set_fixed_camera(-1),
            "camera.look": self.look_at_selection,
            "select.parent": self.select_parent,
            "show.frame": lambda: self.cycle("frame"),
            "show.label": lambda: self.cycle("label"),
            "show.flex_layer": self.next_flex_layer,
            "show.hide": targets.tree.hide_selection,
            "show.isolate": targets.tree.isolate_selection,
            "show.all": lambda: self.view.visibility.show_all(),
            "view.left": lambda on: self.show_side(("tree",), on),
            "view.right": lambda on: self.show_side(("controls", "joints"), on),
            "view.full_screen": self.set_full_screen,
            "view.reduce": lambda on: settings.set("viewport.reduce", on),
            "view.degrees": self.workspace.units.set_degrees,
            "view.layout": self.layout.reset,
            "view.palette": dialogs.show_palette,
            "plots.new": lambda: self.plots.open_other(),
            "view.theme_system": lambda _on: self.set_theme("system"),
            "view.theme_light": lambda _on: self.set_theme("light"),
            "view.theme_dark": lambda _on: self.set_theme("dark"),
            "help.keys": self.show_help,
            "help.info": lambda on: context.frame.set_info(on),
            "help.about": self.about,
        }

        handlers |= self.focus.table()
        handlers |= self.editing.table()
        handlers |= self.viewing.table()
        handlers |= self.elements.table()
        handlers |= self.tools.table()
        handlers |= self.converting.table()
        handlers |= SimulationHandlers(context, targets.timeline, dialogs).table()
        handlers |= self.motions.table()
        handlers |= Mirroring(self.tools).table()
        handlers |= PoseHandlers(context).table()
        handlers |= Fitting(self.tools).table()
        handlers |= self.comparing.table()
        handlers |= self.controllers.table()
        handlers |= self.documentation.table()
        handlers |= self.extras.table()
        handlers |= self.crashes.table()
        handlers |= Updating(context).table()
        handlers |= Decomposing(self.tools).table()
        handlers |= ExternalEditing(context, documents, targets.source).table()
        handlers |= source_handlers(targets.source, context.docks["source"])
        for name in context.docks:
            handlers[f"panel.{name}"] = lambda _on, name=name: self.toggle_panel(name)
        for _title, flags in FLAG_GROUPS:
            for name in flags:
                handlers[f"flag.{name}"] = lambda on, name=name: self.view.set_option(name, on)
        for kind, _label, _held in GROUPS:
            for number in range(NGROUP):
                handlers[f"group.{kind}.{number}"] = lambda on, k=kind, n=number: self.view.set_group(k, n, on)
        for which, modes in (("shapes", Shapes), ("frame", Frame), ("label", Label)):
            for mode in modes:
                handlers[f"{which}.{mode.name.lower()}"] = lambda _on, w=which, m=mode: self.view.set_option(w, m)
        for name in (AUTOMATIC, *PRESETS):
            handlers[f"quality.{name}"] = lambda _on, name=name: self.set_quality(name)
        for effect in EFFECTS:
            if not effect.choices:
                handlers[f"effect.{effect.name}"] = lambda on, name=effect.name: self.view.set_option(name, on)
            for value, _label in effect.choices:
                handlers[f"effect.{effect.name}.{value}"] = lambda _on, name=effect.name, value=value: (
                    self.view.set_option(name, value)
                )
        for name in TONE_MAPPINGS:
            handlers[f"tonemap.{name}"] = lambda _on, name=name: self.view.set_option("tonemap", name)
        for name, stops in (("brighter", 0.5), ("darker", -0.5), ("reset", None)):
            handlers[f"exposure.{name}"] = lambda stops=stops: self.change_exposure(stops)
        return handlers

    def announce_all(self) -> None:
        """Connect `announce` after the handlers of the actions that act in the viewport, and of display."""
        actions = self.context.actions
        for row in actions.rows.values():
            kind = row.id.partition(".")[0]
            if (row.scope == VIEWPORT and kind != "edit") or kind in _VIEWS or row.id in ("show.frame", "show.label"):
                actions[row.id].triggered.connect(lambda _checked=False, row=row: self.announce(row))

    def fill_menus(self) -> None:
        """Add the menus that are not in the table of actions: templates, recent files, cameras."""
        actions = self.context.actions
        menus = actions.menus
        menus["File"].insertMenu(actions["file.new_window"], self.documents.templates_menu)
        menus["File"].insertMenu(actions["file.reload"], self._recent_menu)
        menus["File"].insertMenu(actions["file.reload"], self.windows.menu)
        menus["File"].insertSeparator(actions["file.reload"])
        self.viewing.fill_menus(menus, actions)
        self._recent_menu.aboutToShow.connect(self._fill_recent)

    def _fill_recent(self) -> None:
        menu = self._recent_menu
        menu.clear()
        recent, fits = self.context.settings.recent(), menu.fontMetrics().elidedText
        for path, name in labels.labels(recent).items():
            texts = [fits(text, _ELIDE_MIDDLE, WIDEST_NAME) for text in (name, labels.folder(path, name))]
            action = menu.addAction("\t".join(texts).replace("&", "&&"), partial(self._open_recent, path))
            action.setStatusTip(tr("{path}; with Ctrl in a new window", path=path))
        if menu.isEmpty():
            menu.addAction(tr("No recent files")).setEnabled(False)
        else:
            menu.addSeparator()
            menu.addAction(tr("Clear Recent Files"), self.context.settings.clear_recent)

    def _open_recent(self, path: str) -> None:
        if QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier:
            self.documents.open_apart(path)
        else:
            self.documents.open(path)

    def refresh(self, *_ignored) -> None:
        """Bring the actions in line with the state and the picture."""
        actions, options = self.context.actions, self.view.options
        for name in actions.rows:
            kind, _, rest = name.partition(".")
            if kind == "flag":
                actions.set_checked(name, getattr(options, rest))
            elif kind == "group":
                which, number = rest.split(".")
                actions.set_checked(name, getattr(options, f"{which}group")[int(number)])
            elif kind in ("shapes", "frame", "label"):
                actions.set_checked(name, getattr(options, kind).name.lower() == rest)
            elif kind == "tonemap":
                actions.set_checked(name, options.tonemap == rest)
            elif kind == "quality":
                actions.set_checked(name, self.context.settings.quality == rest)
            elif kind == "effect":
                effect, _, value = rest.partition(".")
                found = getattr(options, effect)
                actions.set_checked(name, str(found) == value if value else found)
        self.refresh_state()

    def refresh_state(self, *_ignored) -> None:
        """Bring all other actions in line with the state. An edit asks for this half a dozen times."""
        actions, context = self.context.actions, self.context
        model = self.simulation.model is not None
        has_text = self.targets.source.editor is not None
        enabled = model, model and not self.simulation.unsimulated, has_text
        if enabled != self._enabled:
            self._enabled = enabled
            for name, row in actions.rows.items():
                if name in _MOVING:
                    actions[name].setEnabled(enabled[1])
                elif row.menu in ("Camera", "Display") or name in _WITH_MODEL:
                    actions[name].setEnabled(model)
                elif row.scope == SOURCE:
                    actions[name].setEnabled(has_text)
        for name, dock in context.docks.items():
            actions.set_checked(f"panel.{name}", dock.in_view)
        for name in ("file.close", "file.reload"):
            actions[name].setEnabled(bool(self.project.path or self.workspace.opening.attempt))
        for name in ("file.save", "file.save_all"):
            actions[name].setEnabled(bool(self.project.modified))
        for name in ("file.save_as", "file.save_copy_as"):
            actions[name].setEnabled(self.project.path in self.project.texts.documents)
        texts = self.project.texts
        actions["edit.undo"].setEnabled(texts.undo_name is not None)
        actions["edit.redo"].setEnabled(texts.redo_name is not None)
        actions["edit.undo"].setText(tr("Undo {step}", step=texts.undo_name) if texts.undo_name else tr("Undo"))
        actions["edit.redo"].setText(tr("Redo {step}", step=texts.redo_name) if texts.redo_name else tr("Redo"))
        document = self.project.document
        actions["sim.save_key"].setEnabled(model and document is not None and document.root.tag == "mujoco")
        has_document = self.project.path in texts.documents
        for name in ("cut", "copy", "paste", "duplicate", "delete", "add", "insert", "rename"):
            actions[f"edit.{name}"].setEnabled(has_document)
        for name in ("show.hide", "show.isolate"):
            actions[name].setEnabled(model and bool(self.selection.current))
        actions["show.all"].setEnabled(self.view.visibility.hides)
        actions["camera.track"].setEnabled(self.selection.body > 0)
        actions["camera.look"].setEnabled(model and bool(self.selection.current))
        actions["select.parent"].setEnabled(bool(self.selection.current))
        actions.set_checked("file.auto_reload", self.workspace.disk.auto_reload)
        self.viewing.refresh()
        self.comparing.refresh()
        actions.set_checked("view.left", not context.docks["tree"].isHidden())
        actions.set_checked("view.right", not context.docks["controls"].isHidden())
        actions.set_checked("source.wrap", context.settings.source_wrap)
        actions.set_checked("source.map", context.settings.source_map)
        actions.set_checked("sim.noise", self.simulation.noise is not None)
        actions.set_checked("view.timeline", context.settings.shows_timeline)
        actions.set_checked("view.degrees", self.workspace.units.degrees)
        actions.set_checked("view.reduce", context.settings.reduce_pictures)
        actions.set_checked("sim.pose_contacts", context.settings.contacts_block_poses)
        actions.set_checked("view.full_screen", context.parent.isFullScreen())
        actions.set_checked("help.info", context.frame.info_shown)
        actions.set_checked("help.keys", not self.help.isHidden())
        for name in ("system", "light", "dark"):
            actions.set_checked(f"view.theme_{name}", context.settings.theme == name)
        if not self.help.isHidden():
            self.help.set_sections(help_sections(actions))

    # ---- files -------------------------------------------------------------------------------------------

    def save_copy(self) -> None:
        name = f"{self._stem()}_canonical.xml"
        self._ask_where(tr("Save a Canonical Copy"), name, SAVE_FILTER, self.workspace.converting.save_copy)

    def _stem(self) -> str:
        return os.path.splitext(os.path.basename(self.project.path))[0]

    def _ask_where(self, title: str, name: str, kinds: str, write: Callable[[str], None]) -> None:
        """Ask for the file to write to, of one of the `kinds`, beginning with `name`; then write."""
        folder = self.context.settings.folder
        dialog = FileDialog(self.context.parent, title, os.path.join(folder, name), kinds)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(name.rpartition(".")[2])
        dialog.fileSelected.connect(write)
        dialog.open()

    # ---- simulation --------------------------------------------------------------------------------------

    def change_speed(self, by: int) -> None:
        speeds = list(SPEEDS)
        index = speeds.index(self.simulation.speed) if self.simulation.speed in speeds else speeds.index(1.0)
        self.simulation.post(requests.SetSpeed(speeds[min(max(index + by, 0), len(speeds) - 1)]))

    def copy_state(self, digits: int) -> None:
        snapshot = self.simulation.snapshot
        if snapshot is not None:
            QGuiApplication.clipboard().setText(keyframe_text(snapshot, digits))
            self.context.say(tr("State copied to the clipboard as a keyframe"))

    # ---- view --------------------------------------------------------------------------------------------

    def look_at_selection(self) -> None:
        """Bring the selected element into the middle of the picture."""
        point = self.context.frame.gizmo.middle()
        if point is None:
            self.context.say(tr("The selection has no place in the picture"))
        else:
            self.view.look_at(point)

    def select_parent(self) -> None:
        selection, model = self.selection.current, self.simulation.model
        if not selection or model is None:
            return
        parent = int(model.body_parentid[selection.id]) if selection.kind == "body" else self.selection.body
        self.selection.select(Selection("body", parent) if parent > 0 else NOTHING)

    def cycle(self, what: str) -> None:
        """Choose the next value of an enumerated option of the view: `label` or `frame`."""
        value: Enum = getattr(self.view.options, what)
        modes = list(type(value))
        self.view.set_option(what, modes[(modes.index(value) + 1) % len(modes)])

    # ---- what a key press did ----------------------------------------------------------------------------

    def announce(self, row: Action) -> None:
        """Say in the viewport what an action of the viewport did: nobody switches anything unnoticed."""
        text = self._outcome(row)
        if text:
            self.context.frame.announce(text)

    def _outcome(self, row: Action) -> str:
        """The result of an action, in a few words; "" if the picture shows it."""
        kind, _, rest = row.id.partition(".")
        options = self.view.options
        if row.id in ("show.shapes", "show.frame", "show.label"):
            kind = rest
        if kind == "shapes":
            return self.viewing.shapes_text()
        if kind == "frame":
            return tr("Frames: {mode}", mode=tr(FRAMES[options.frame][0]).lower())
        if kind == "label":
            return tr("Labels: {mode}", mode=tr(LABELS[options.label][0]).lower())
        if row.id == "sim.toggle":
            return tr("Running") if self.simulation.running else tr("Paused")
        if row.id in ("sim.faster", "sim.slower", "sim.real_time"):
            return tr("Speed {speed}", speed=tr(speed_text(self.simulation.speed)))
        if kind == "camera" and not row.checkable and row.id not in _SEEN:
            return self._camera_name()
        if kind == "tonemap":
            return tr("Tone mapping: {text}", text=tr(row.text))
        if kind == "quality":
            return tr("Quality: {text}", text=tr(row.text))
        if kind == "effect" and "." in rest:
            return f"{tr(EFFECT_BY_NAME[rest.partition('.')[0]].label)}: {tr(row.text)}"
        if row.checkable:
            is_on = self.context.actions[row.id].isChecked()
            return tr("{switch} on", switch=tr(row.text)) if is_on else tr("{switch} off", switch=tr(row.text))
        return "" if row.id in _SEEN else tr(row.text).rstrip("…")

    def _camera_name(self) -> str:
        camera, model = self.view.camera, self.simulation.model
        if camera is None or model is None:
            return ""
        if camera.type == "fixed":
            return tr("Camera {name}", name=name_of(model, "camera", camera.fixedcamid))
        if camera.type == "tracking":
            return tr("Tracking {body}", body=name_of(model, "body", camera.trackbodyid))
        return tr("Free camera")

    def set_quality(self, name: str) -> None:
        """Set the quality preset of all viewports, and reset the effects that were set one by one."""
        self.context.settings.set("viewport.quality", name)
        self.workspace.reset_effects()

    def change_exposure(self, stops: float | None) -> None:
        """Make the picture brighter or darker by a number of stops; None: the exposure of the model."""
        exposure = 0.0 if stops is None else self.view.options.exposure + stops
        self.view.set_option("exposure", min(max(exposure, -MOST_EXPOSURE), MOST_EXPOSURE))
        self.context.say(tr("Exposure: {exposure:+g} stops", exposure=self.view.options.exposure))

    def next_flex_layer(self) -> None:
        """Show the next layer further inside the solid flexes; after the innermost one the outside."""
        options, model = self.view.options, self.simulation.model
        if model is None:
            return
        layers = int(model.flex_elemlayer.max(initial=0)) + 1
        self.view.set_option("flexlayer", (options.flexlayer + 1) % layers)
        self.context.say(tr("Flex layer: {layer} of {last}", layer=options.flexlayer, last=layers - 1))

    def toggle_panel(self, name: str) -> None:
        """Close a panel that is in view; bring up one that is closed or behind another tab. Panels that have keys leave
        the keyboard to the viewport, as in simulate."""
        dock = self.context.docks[name]
        if dock.in_view:
            dock.close()
        elif self.context.actions.keys.of(f"panel.{name}") and self.context.viewport.hasFocus():
            dock.bring_up(with_keyboard=False)
        else:
            dock.bring_up()
        self.refresh()

    def set_theme(self, name: str) -> None:
        """Set the theme: "system", "light" or "dark"."""
        self.context.settings.theme = name
        self.refresh()  # the action of the same theme stays checked

    def show_side(self, names: tuple[str, ...], on: bool) -> None:
        for name in names:
            self.context.docks[name].setVisible(on)

    def set_full_screen(self, on: bool) -> None:
        if on:
            self.context.parent.showFullScreen()
        else:
            self.context.parent.showNormal()

    def show_help(self, on: bool) -> None:
        self.context.actions.set_checked("help.keys", on)
        if on:
            self.help.set_sections(help_sections(self.context.actions))
        self.help.setVisible(on)

    def about(self) -> None:
        box = QMessageBox(self.context.parent)
        box.setAttribute(_DELETE_ON_CLOSE)
        box.setWindowTitle(tr("About Kinetree"))
        box.setText(tr("<b>Kinetree {version}</b>", version=kinetree.__version__))
        box.setInformativeText(tr("Opens, simulates and renders robot and physics models: MJCF, URDF and x_xy."))
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


_ELIDE_MIDDLE, _DELETE_ON_CLOSE = Qt.TextElideMode.ElideMiddle, Qt.WidgetAttribute.WA_DeleteOnClose
_WITH_MODEL = {
    "sim.step_many", "sim.back_many", "sim.previous_mark", "sim.next_mark", "sim.oldest", "sim.newest",
    "sim.controller", "sim.new_controller",
    "sim.until", "sim.noise", "sim.save_motion", "sim.play_motion", "sim.end_motion", "sim.go_on",
    "file.screenshot", "file.copy_picture", "file.video", "file.film",
    "file.save_copy", "sim.clear_ctrl", "sim.copy_state", "sim.copy_state_exactly",
    "help.info", "view.reset_display", "view.reset_camera",
}  # fmt: skip
_SEEN = {
    "sim.step", "sim.back", "sim.step_many", "sim.back_many", "sim.oldest", "sim.newest", "sim.until",
    "sim.previous_mark", "sim.next_mark", "sim.copy_state", "sim.copy_state_exactly", "select.parent", "camera.picture",
    "camera.bookmark", "camera.fit", "camera.fit_all",
}  # fmt: skip
_VIEWS = {"camera", "bookmark", "section", "measure"}
"""Kinds of actions that change what the viewport shows, wherever the keyboard is."""
_MOVING = {"sim.faster", "sim.slower", "sim.real_time"}
