"""The one table of what the user can do: menus, shortcuts, tooltips and the F1 help are made from it.

Keys are MuJoCo simulate's. An action in the scope "viewport" has its keys only while the viewport has the focus, so
that typing in a filter box never toggles a flag. The flags and groups of the scene come from `VisOptions`' table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

WINDOW, VIEWPORT = "window", "viewport"

MENUS: tuple[str, ...] = ("File", "Simulation", "Camera", "Show", "View", "Help")


@dataclass(frozen=True)
class Action:
    """One row. `id` names the handler; `keys` are QKeySequence texts, the first one is shown.

    menu     "File", or "Show/Groups" for a submenu; "" for none
    section  actions of one menu with different sections are parted by a line
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
    Action("file.reload", "Reload", ("Ctrl+L",), "Read the file again and keep the state", "File", "reload", icon="reload"),
    Action("file.auto_reload", "Reload Automatically", (), "Reload when the file, or one that it refers to, changes", "File", "reload", checkable=True, icon="watch"),
    Action("file.screenshot", "Save Picture…", ("Ctrl+P",), "Save what the viewport shows as a PNG file", "File", "picture"),
    Action("file.save_copy", "Save a Canonical Copy…", ("Ctrl+Shift+S",), "Write the model as one MJCF file in which everything is expanded", "File", "picture"),
    Action("file.close", "Close Model", ("Ctrl+W",), "Close the model and keep the window", "File", "end"),
    Action("file.quit", "Quit", ("Ctrl+Q",), "Close Kinetree", "File", "end"),
    Action("sim.toggle", "Run or Pause", ("Space",), "Run or pause the simulation", "Simulation", "run", VIEWPORT, icon="play"),
    Action("sim.step", "Step Forward", ("Right",), "While paused: forward through the history, then one step", "Simulation", "run", VIEWPORT, icon="step"),
    Action("sim.back", "Step Back", ("Left",), "Pause and go one recorded state back", "Simulation", "run", VIEWPORT, icon="back"),
    Action("sim.reset", "Reset", ("Backspace",), "Back to the initial state", "Simulation", "run", VIEWPORT, icon="reset"),
    Action("sim.faster", "Faster", ("=", "+"), "Run faster", "Simulation", "speed", VIEWPORT),
    Action("sim.slower", "Slower", ("-",), "Run slower", "Simulation", "speed", VIEWPORT),
    Action("sim.real_time", "Real Time", (), "Run at the speed of the clock", "Simulation", "speed"),
    Action("sim.clear_ctrl", "Controls to Zero", (), "Set all controls to zero", "Simulation", "state"),
    Action("sim.copy_state", "Copy State", ("Ctrl+C",), "Copy the state as a keyframe in MJCF", "Simulation", "state", VIEWPORT),
    Action("sim.copy_state_exactly", "Copy State with All Digits", ("Ctrl+Shift+C",), "The same with 16 digits", "Simulation", "state", VIEWPORT),
    Action("camera.free", "Free Camera", ("Esc",), "The camera that the mouse moves", "Camera", "kind", VIEWPORT),
    Action("camera.align", "Align Free Camera", ("Ctrl+A",), "The free camera as the model opens with", "Camera", "kind", VIEWPORT),
    Action("camera.next", "Next Camera", ("]",), "The next of the model's cameras", "Camera", "cycle", VIEWPORT),
    Action("camera.previous", "Previous Camera", ("[",), "The previous of the model's cameras", "Camera", "cycle", VIEWPORT),
    Action("camera.track", "Track Selection", (), "Keep the selected body in the middle", "Camera", "selection"),
    Action("select.parent", "Select Parent Body", ("PgUp",), "Select the parent of the selected body", "Camera", "selection", VIEWPORT),
    Action("show.frame", "Next Frame Mode", ("F6",), "Whose coordinate frames are drawn", "Show", "modes"),
    Action("show.label", "Next Label Mode", ("F7",), "What is labelled with its name", "Show", "modes"),
    Action("show.flex_layer", "Next Flex Layer", (), "Which layer of solid flexes Flex Face shows, from the outside in", "Show", "modes"),
    Action("view.left", "Left Panels", ("Tab",), "Show or hide the panels on the left", "View", "panels", VIEWPORT, True),
    Action("view.right", "Right Panels", ("Shift+Tab",), "Show or hide the panels on the right", "View", "panels", VIEWPORT, True),
    Action("view.full_screen", "Full Screen", ("F5",), "The window fills the screen", "View", "screen", checkable=True),
    Action("view.layout", "Default Layout", (), "Put every panel back where it was at first", "View", "screen"),
    Action("view.theme_system", "Like the System", (), "Light or dark as the system is", "View/Theme", "", checkable=True),
    Action("view.theme_light", "Light", (), "Dark on light", "View/Theme", "", checkable=True),
    Action("view.theme_dark", "Dark", (), "Light on dark", "View/Theme", "", checkable=True),
    Action("help.keys", "Keys and Mouse", ("F1",), "This help", "Help", "", checkable=True),
    Action("help.info", "Information", ("F2",), "Time, rates and sizes over the viewport", "Help", "", checkable=True),
    Action("help.about", "About Kinetree", (), "Version and licence", "Help", "about"),
)  # fmt: skip


@dataclass(frozen=True)
class Gesture:
    """What a mouse movement in the viewport does, for the help. The code is in `app/viewport/mouse.py`."""

    mouse: str
    help: str


GESTURES: tuple[Gesture, ...] = (
    Gesture("Left drag", "Turn the camera"),
    Gesture("Right drag", "Move the camera in the vertical plane"),
    Gesture("Shift + right drag", "Move the camera in the horizontal plane"),
    Gesture("Wheel, middle drag", "Zoom"),
    Gesture("Double-click", "Select"),
    Gesture("Right double-click", "Centre the view there"),
    Gesture("Ctrl + right double-click", "Follow that body"),
    Gesture("Ctrl + left drag", "Turn the selected body"),
    Gesture("Ctrl + right drag", "Pull the selected body (Shift: in the horizontal plane)"),
    Gesture("Ctrl + Alt + left drag", "The same, for trackpads"),
)

GROUPS: tuple[tuple[str, str, str], ...] = (
    ("geom", "Geom", ""),
    ("site", "Site", "Shift+"),
    ("joint", "Joint", None),
    ("tendon", "Tendon", None),
    ("actuator", "Actuator", None),
    ("flex", "Flex", None),
    ("skin", "Skin", None),
)  # fmt: skip
"""Kinds whose groups 0-5 can be hidden, and what is held with the digit (None: no key)."""


def plural(kind: str) -> str:
    """More than one of a kind."""
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


def all_actions() -> list[Action]:
    """The whole table."""
    return [*ACTIONS, *flag_actions()]
