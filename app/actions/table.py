"""The table of actions: menus, shortcuts, tooltips and the F1 help are made from it.

Keys are MuJoCo simulate's. An action in the scope "viewport" has its keys only while the viewport has the
focus, so that typing in a filter box never toggles a flag. The flags and groups of the scene come from
`VisOptions`' table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

WINDOW, VIEWPORT = "window", "viewport"

MENUS: tuple[str, ...] = ("File", "Edit", "Simulation", "Camera", "Show", "View", "Help")


@dataclass(frozen=True)
class Action:
    """One row. `id` names the handler; `keys` are QKeySequence texts, the first one is shown.

    menu     "File", or "Show/Groups" for a submenu; "" for none
    section  a separator is drawn between actions of different sections of one menu
    scope    WINDOW: the keys act in the whole window; VIEWPORT: only while the viewport has the focus
    """

    id: str
    text: str
    keys: tuple[str, ...]
    help: str
    menu: str = ""
    section: str = ""
    scope: str = WINDOW
    checkable: bool = False
    icon: str = ""


ACTIONS: tuple[Action, ...] = (
    Action("file.open", "Open…", ("Ctrl+O",), "Open a model file", "File", "open", icon="open"),
    Action("file.reload", "Reload", ("Ctrl+L",), "Read the file again; the state is kept", "File", "reload", icon="reload"),
    Action("file.auto_reload", "Reload Automatically", (), "Reload when the file, or one that it refers to, changes", "File", "reload", checkable=True, icon="watch"),
    Action("file.save", "Save", ("Ctrl+S",), "Save the changes to the open file and the files that it includes", "File", "save"),
    Action("file.save_all", "Save All", ("Ctrl+Alt+S",), "Save the changes to all open files", "File", "save"),
    Action("file.screenshot", "Save Picture…", ("Ctrl+P",), "Save the picture in the viewport as a PNG file", "File", "picture"),
    Action("file.save_copy", "Save a Canonical Copy…", ("Ctrl+Shift+S",), "Save the model as one MJCF file with includes, defaults and replicas expanded", "File", "picture"),
    Action("file.close", "Close Model", ("Ctrl+W",), "Close the model and keep the window", "File", "end"),
    Action("file.quit", "Quit", ("Ctrl+Q",), "Close Kinetree", "File", "end"),
    Action("edit.undo", "Undo", ("Ctrl+Z",), "Undo the last edit of the text", "Edit", "history"),
    Action("edit.redo", "Redo", ("Ctrl+Shift+Z",), "Redo the last undone edit of the text", "Edit", "history"),
    Action("sim.toggle", "Run or Pause", ("Space",), "Run or pause the simulation", "Simulation", "run", VIEWPORT, icon="play"),
    Action("sim.step", "Step Forward", ("Right",), "While paused: go to the next state of the history, after the last one simulate one step", "Simulation", "run", VIEWPORT, icon="step"),
    Action("sim.back", "Step Back", ("Left",), "Pause and go to the previous state of the history", "Simulation", "run", VIEWPORT, icon="back"),
    Action("sim.reset", "Reset", ("Backspace",), "Return to the initial state", "Simulation", "run", VIEWPORT, icon="reset"),
    Action("sim.faster", "Faster", ("=", "+"), "Increase the simulation speed", "Simulation", "speed", VIEWPORT),
    Action("sim.slower", "Slower", ("-",), "Decrease the simulation speed", "Simulation", "speed", VIEWPORT),
    Action("sim.real_time", "Real Time", (), "Simulate one second per second", "Simulation", "speed"),
    Action("sim.clear_ctrl", "Clear Controls", (), "Set all controls to zero", "Simulation", "state"),
    Action("sim.history", "History Memory…", (), "Limit the memory of the simulation's history", "Simulation", "state"),
    Action("sim.copy_state", "Copy State", ("Ctrl+C",), "Copy the state to the clipboard as an MJCF keyframe", "Simulation", "state", VIEWPORT),
    Action("sim.copy_state_exactly", "Copy State, All Digits", ("Ctrl+Shift+C",), "Copy the state as an MJCF keyframe with 16 significant digits", "Simulation", "state", VIEWPORT),
    Action("camera.free", "Free Camera", ("Esc",), "Look through the free camera, which the mouse moves", "Camera", "kind", VIEWPORT),
    Action("camera.align", "Align Free Camera", ("Ctrl+A",), "Return the free camera to its initial view", "Camera", "kind", VIEWPORT),
    Action("camera.next", "Next Camera", ("]",), "Look through the model's next camera", "Camera", "cycle", VIEWPORT),
    Action("camera.previous", "Previous Camera", ("[",), "Look through the model's previous camera", "Camera", "cycle", VIEWPORT),
    Action("camera.track", "Track Selection", (), "Make the camera follow the selected body", "Camera", "selection"),
    Action("select.parent", "Select Parent Body", ("PgUp",), "Select the parent of the selected body", "Camera", "selection", VIEWPORT),
    Action("show.frame", "Next Frame Mode", ("F6",), "Choose which coordinate frames are drawn", "Show", "modes"),
    Action("show.label", "Next Label Mode", ("F7",), "Choose which objects are labelled with their names", "Show", "modes"),
    Action("show.flex_layer", "Next Flex Layer", (), "With Flex Face: show the next inner layer of solid flexes", "Show", "modes"),
    Action("view.left", "Left Panels", ("Tab",), "Show or hide the panels on the left", "View", "panels", VIEWPORT, True),
    Action("view.right", "Right Panels", ("Shift+Tab",), "Show or hide the panels on the right", "View", "panels", VIEWPORT, True),
    Action("view.full_screen", "Full Screen", ("F5",), "Fill the screen with the window", "View", "screen", checkable=True),
    Action("view.layout", "Default Layout", (), "Restore the initial arrangement of the panels", "View", "screen"),
    Action("view.theme_system", "System", (), "Use the light or dark theme of the desktop", "View/Theme", "", checkable=True),
    Action("view.theme_light", "Light", (), "Dark text on a light background", "View/Theme", "", checkable=True),
    Action("view.theme_dark", "Dark", (), "Light text on a dark background", "View/Theme", "", checkable=True),
    Action("help.keys", "Keys and Mouse", ("F1",), "Show all keys and mouse gestures", "Help", "", checkable=True),
    Action("help.info", "Statistics", ("F2",), "Show time, speed, frame rate, contacts and solver iterations in the viewport", "Help", "", checkable=True),
    Action("help.about", "About Kinetree", (), "Show the version of Kinetree", "Help", "about"),
)  # fmt: skip


@dataclass(frozen=True)
class Gesture:
    """A mouse gesture in the viewport, for the F1 help. `app/viewport/mouse.py` implements them."""

    mouse: str
    help: str


GESTURES: tuple[Gesture, ...] = (
    Gesture("Left drag", "Rotate the camera"),
    Gesture("Right drag", "Pan the camera in the vertical plane"),
    Gesture("Shift + right drag", "Pan the camera in the horizontal plane"),
    Gesture("Wheel, middle drag", "Zoom"),
    Gesture("Double-click", "Select"),
    Gesture("Right double-click", "Centre the camera on a point"),
    Gesture("Ctrl + right double-click", "Track a body with the camera"),
    Gesture("Ctrl + left drag", "Rotate the selected body"),
    Gesture("Ctrl + right drag", "Pull the selected body (Shift: horizontally)"),
    Gesture("Ctrl + Alt + left drag", "Pull the selected body, on trackpads"),
)

GROUPS: tuple[tuple[str, str, str | None], ...] = (
    ("geom", "Geom", ""),
    ("site", "Site", "Shift+"),
    ("joint", "Joint", None),
    ("tendon", "Tendon", None),
    ("actuator", "Actuator", None),
    ("flex", "Flex", None),
    ("skin", "Skin", None),
)  # fmt: skip
"""Kinds whose groups 0 to 5 can be hidden: kind, label, and the modifier of the digit keys (None: no
keys)."""


EXPOSURES: tuple[tuple[str, str, str], ...] = (
    ("brighter", "Brighter", "Raise the exposure by half a stop"),
    ("darker", "Darker", "Lower the exposure by half a stop"),
    ("reset", "Default", "Use the exposure that the model gives"),
)


def plural(kind: str) -> str:
    """The plural of a kind's name."""
    return f"{kind}es" if kind.endswith("x") else f"{kind}s"


def flag_actions() -> Iterator[Action]:
    """A row for every flag and group of `VisOptions` that the scene builder draws."""
    from engine.scene.options import FLAGS, NGROUP

    sections = {"visual": ("Show", "flags"), "rendering": ("Show/Rendering", "")}
    for flag in FLAGS:
        if flag.drawn:
            menu, section = sections[flag.kind]
            keys = (flag.key,) if flag.key else ()
            yield Action(f"flag.{flag.name}", flag.label, keys, flag.help, menu, section, VIEWPORT, True)
    for kind, label, held in GROUPS:
        for number in range(NGROUP):
            keys = (f"{held}{number}",) if held is not None else ()
            yield Action(
                f"group.{kind}.{number}",
                f"{label} Group {number}",
                keys,
                f"Show the {plural(kind)} of group {number}",
                f"Show/{label} Groups",
                "",
                VIEWPORT,
                True,
            )


def light_actions() -> Iterator[Action]:
    """A row for every tone mapping, and for changes of exposure."""
    from engine.scene.options import TONE_MAPPINGS

    for name, (label, help) in TONE_MAPPINGS.items():
        yield Action(f"tonemap.{name}", label, (), help, "Show/Tone Mapping", "", VIEWPORT, True)
    for name, label, help in EXPOSURES:
        yield Action(f"exposure.{name}", label, (), help, "Show/Exposure", "", VIEWPORT)


def all_actions() -> list[Action]:
    """The whole table."""
    return [*ACTIONS, *flag_actions(), *light_actions()]
