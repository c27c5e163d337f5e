"""The table of settings: what a user can choose, once for all windows and models.

The settings dialog is made from it, and the settings file is checked against it. A new setting is a row here. Read it
with `settings.value(name)`, write it with `settings.set(name, value)`, and follow it with the signal
`settings.changed(name)`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from kinetree.engine.scene.effects import PRESETS
from kinetree.engine.translation import languages

Value = bool | int | float | str

GENERAL, SIMULATION, VIEWPORT, MOUSE = "General", "Simulation", "Viewport", "Mouse"
SOURCE, PLOTS = "Source", "Plots"
AUTOMATIC = "automatic"
PACKAGE_FOLDERS = "packages.folders"
RUNNING_WINDOW, NEW_WINDOW = "running", "new"
PAGES: tuple[str, ...] = (GENERAL, SIMULATION, VIEWPORT, MOUSE, SOURCE, PLOTS)
"""The pages of the dialog, in order."""


DRAGS, CLICKS = "drags", "clicks"
"""Groups of settings whose values should differ."""
DRAG_GESTURES: tuple[tuple[str, str], ...] = (
    ("left", "Left drag"),
    ("right", "Right drag"),
    ("middle", "Middle drag"),
    ("ctrl+left", "Ctrl + left drag"),
    ("ctrl+right", "Ctrl + right drag"),
    ("ctrl+middle", "Ctrl + middle drag"),
    ("alt+left", "Alt + left drag"),
    ("alt+right", "Alt + right drag"),
    ("alt+middle", "Alt + middle drag"),
    ("ctrl+alt+left", "Ctrl + Alt + left drag"),
    ("ctrl+alt+right", "Ctrl + Alt + right drag"),
    ("ctrl+alt+middle", "Ctrl + Alt + middle drag"),
)
CLICK_GESTURES: tuple[tuple[str, str], ...] = (
    ("left", "Double-click"),
    ("right", "Right double-click"),
    ("middle", "Middle double-click"),
    ("ctrl+left", "Ctrl + double-click"),
    ("ctrl+right", "Ctrl + right double-click"),
    ("ctrl+middle", "Ctrl + middle double-click"),
    ("alt+left", "Alt + double-click"),
    ("alt+right", "Alt + right double-click"),
    ("alt+middle", "Alt + middle double-click"),
)
"""Gestures of the mouse with their titles. Shift is no part of them: it makes a drag horizontal."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One row.

    name     stable; the key in the settings file, with a slash for each dot
    title    what the dialog calls it
    page     one of PAGES
    help     a sentence that says what it does
    default  its type is the type of the setting: bool, int, float or str
    least    smallest number, for int and float
    most     greatest number
    unit     of a number, shown behind it
    choices  of a str: each value with its title; () for any text
    folders  whether a str is a list of folders
    group    settings of one group should have different values; "" for none
    """

    name: str
    title: str
    page: str
    help: str
    default: Value
    least: float = 0
    most: float = 0
    unit: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    group: str = ""
    folders: bool = False

    @property
    def key(self) -> str:
        """Its key in the settings file."""
        return self.name.replace(".", "/")

    def text(self, value: Value) -> str:
        """A value as the settings file has it."""
        return str(value).lower() if isinstance(value, bool) else str(value)

    def value(self, text: object) -> Value:
        """The value of a text of the settings file: within the limits, the default where the text is not valid."""
        found = str(text)
        if isinstance(self.default, bool):
            return {"true": True, "false": False}.get(found.lower(), self.default)
        if isinstance(self.default, str):
            return found if not self.choices or found in dict(self.choices) else self.default
        try:
            return type(self.default)(min(max(type(self.default)(found), self.least), self.most))
        except (ValueError, OverflowError):
            return self.default


EDITORS: tuple[tuple[str, str], ...] = (
    ("code", "VS Code"),
    ("codium", "VSCodium"),
    ("neovim", "Neovim"),
    ("kate", "Kate"),
    ("emacs", "Emacs"),
    ("sublime", "Sublime Text"),
    ("helix", "Helix"),
)
"""Text editors that are known, with their names; `app/actions/external_editors.py` has their commands."""
CUSTOM = "custom"

LANGUAGE_NAMES = {"en": "English", "de": "Deutsch", "en_XA": "Ëñglïsh, longer (for tests)"}
"""Names of the languages in the languages themselves: these are never translated."""


def _drag(name: str, title: str, help: str, default: str) -> Setting:
    """A drag of the mouse in the viewport."""
    return Setting(f"mouse.{name}", title, MOUSE, help, default, choices=DRAG_GESTURES, group=DRAGS)


def _click(name: str, title: str, help: str, default: str) -> Setting:
    """A double-click in the viewport."""
    return Setting(f"mouse.{name}", title, MOUSE, help, default, choices=CLICK_GESTURES, group=CLICKS)


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "language", "Language", GENERAL,
        "Language of menus, panels and messages, from the next start on. System follows the desktop.", "system",
        choices=(("system", "System"), *((name, LANGUAGE_NAMES.get(name, name)) for name in languages())),
    ),
    Setting(
        "theme", "Theme", GENERAL, "Colours of the window. System follows the desktop.", "system",
        choices=(("system", "System"), ("light", "Light"), ("dark", "Dark")),
    ),
    Setting(
        "degrees", "Show angles in degrees", GENERAL,
        "Panels show angles in degrees instead of radians. The text of the model stays as it is.", False,
    ),
    Setting(
        "auto_reload", "Reload automatically", GENERAL,
        "Reload the model when its file, or one that it refers to, changes on disk.", True,
    ),
    Setting(
        "open_files_in", "Open files in", GENERAL,
        "Where files open that the desktop or a command line opens. A window that shows the file already comes to the "
        "front.", RUNNING_WINDOW, choices=((RUNNING_WINDOW, "The running window"), (NEW_WINDOW, "A new window")),
    ),
    Setting(
        PACKAGE_FOLDERS, "Package folders", GENERAL,
        "Folders in which package:// addresses of URDF are looked up, after those around the model. The commands and "
        "the language server use them too.", "", folders=True,
    ),
    Setting(
        "tree.kinematic", "Kinematic tree of URDF", GENERAL,
        "The model panel shows each link of a URDF in the link that its joint hangs it on. Off: in the order of the "
        "file.", True,
    ),
    Setting(
        "tour.offer", "Offer the tour", GENERAL,
        "Offer the tour on the first page when no model was ever opened. It is offered once; Help > Tour begins it at "
        "any time.", True,
    ),
    Setting(
        "start.plays", "Play examples", GENERAL,
        "An example on the first page moves while the mouse is over it. Off: nothing there moves.", True,
    ),
    Setting(
        "recent_documents", "Recent documents of the desktop", GENERAL,
        "Add files that are opened to the list of recent documents that all programs of the desktop share.", True,
    ),
    Setting(
        "updates.ask", "Ask for updates", GENERAL,
        "Ask the index of Python packages whether there is a newer version, with one request at the start. Kinetree "
        "never updates itself.", "never", choices=(("never", "Never"), ("weekly", "Once a week")),
    ),
    Setting(
        "history_memory", "History memory", SIMULATION,
        "Memory for the steps that can be scrubbed through. Beyond it the oldest steps are dropped.",
        200, 10, 16_000, "MB",
    ),
    Setting(
        "history_seconds", "History time", SIMULATION,
        "Simulated time that can be scrubbed through. Beyond it the oldest steps are dropped. 0: as much as fits in "
        "the history memory.", 0, 0, 1_000_000, "s",
    ),
    Setting(
        "step_size", "Step size", SIMULATION,
        "States that Step Forward by Several and Step Back by Several go.", 10, 2, 100_000,
    ),
    Setting(
        "timeline.shown", "Timeline", SIMULATION,
        "Show the recorded states of the simulation below the panels, to go back to any of them.", True,
    ),
    Setting(
        "posing.contacts", "Contacts stop poses", SIMULATION,
        "A limb or a free body that is dragged while the simulation is paused does not penetrate other objects.",
        True,
    ),
    Setting(
        "motions.repeat", "Repeat motions", SIMULATION,
        "A recorded motion that is played begins again after its end.", False,
    ),
    Setting(
        "physics_threads", "Physics threads", SIMULATION,
        "Threads that share the work of a simulation step. Models with many contacts run faster with several, but not "
        "with more than the computer has processors. The motion is the same.", 1, 1, max(2, os.cpu_count() or 1),
    ),
    Setting(
        "viewport.cube", "View cube", VIEWPORT,
        "Show a small cube in each viewport that tells how the camera stands, and turns it.", True,
    ),
    Setting(
        "viewport.quality", "Quality of the picture", VIEWPORT,
        "Quality of the picture. Automatic: Quality with a graphics card, Performance without one. Single "
        "effects are in the menu and the panel Display.", AUTOMATIC,
        choices=((AUTOMATIC, "Automatic"), *((preset.value, label) for preset, (label, _) in PRESETS.items())),
    ),
    Setting(
        "viewport.reduce", "Reduce slow pictures", VIEWPORT,
        "While frames take long, draw them with fewer effects and pixels and without shadows and reflections, so that "
        "menus and keys answer. A picture that stands still is whole.", True,
    ),
    Setting(
        "viewport.wheel", "Turning the wheel forward", VIEWPORT,
        "Which way the wheel zooms. MuJoCo's simulate moves away, most other 3-D programs move nearer. Shift zooms in "
        "finer steps, Ctrl in larger ones.", "away", choices=(("away", "Moves away"), ("nearer", "Moves nearer")),
    ),
    _drag("orbit", "Rotate the camera", "Look at the model from another side.", "left"),
    _drag("pan", "Pan the camera", "In the vertical plane; with Shift in the horizontal one.", "right"),
    _drag("zoom", "Zoom", "Move the camera nearer or away, as the wheel does.", "middle"),
    _drag(
        "turn", "Turn the selected body",
        "With a torque while the simulation runs, its pose while paused.", "ctrl+left",
    ),
    _drag(
        "pull", "Pull the selected body",
        "With a force while the simulation runs, its pose while paused; with Shift horizontally.", "ctrl+right",
    ),
    _drag("pull_too", "Pull the selected body, on trackpads", "The same without the right button.", "ctrl+alt+left"),
    _click("select", "Select a body", "Select what is under the mouse; again: its geom.", "left"),
    _click("select_more", "Add to the selection", "Select what is under the mouse beside the rest.", "ctrl+left"),
    _click("centre", "Centre the camera on a point", "Look at what is under the mouse.", "right"),
    _click(
        "track", "Track a body with the camera",
        "Look at the body under the mouse, also when it moves.", "ctrl+right",
    ),
    Setting(
        "source.text_size", "Text size", SOURCE, "Size of the text in the source panel.", 10, 6, 32, "pt",
    ),
    Setting(
        "source.wrap", "Wrap long lines", SOURCE, "Continue long lines on the next row.", False,
    ),
    Setting(
        "source.map", "Minimap", SOURCE, "Show the shape of the whole text in the scroll bar.", True,
    ),
    Setting(
        "editor.program", "External editor", SOURCE,
        "The editor that Source > Open in External Editor opens the selected element in.", EDITORS[0][0],
        choices=(*EDITORS, (CUSTOM, "Other: the command below")),
    ),
    Setting(
        "editor.command", "Command of another editor", SOURCE,
        "Program and arguments for the external editor, with {file}, {line} and {column} for the place. No shell reads "
        "it; an argument with spaces stands in quotes.", "",
    ),
    Setting(
        "plots.memory", "Plot memory", PLOTS,
        "Memory for the steps that plots have recorded. Beyond it the oldest steps are dropped.",
        200, 10, 16_000, "MB",
    ),
)  # fmt: skip
"""In the order of the dialog, page by page."""

SETTING_BY_NAME: dict[str, Setting] = {row.name: row for row in SETTINGS}
