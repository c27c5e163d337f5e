"""Makes docs/coming-from-simulate.md: parts and keys of MuJoCo's simulate, and what Kinetree has in their place.

Menu entries and keys are those of the table of actions, panels those of the table of docks: a row names an action as
{its id}, a panel as {panel.its name}.
"""

from __future__ import annotations

import re

from kinetree.app.actions.rows import all_actions
from kinetree.app.menus.keys import sequence
from kinetree.app.menus.table import FLAG_GROUPS, Action
from kinetree.engine.scene.options import FLAG_BY_NAME

INTRODUCTION = """# Coming from simulate

<!-- Made by `python -m tests.documentation`. -->

Where the parts of MuJoCo's viewer `simulate` are in Kinetree. All keys of `simulate` that are listed here do the same;
**Edit > Keyboard and Mouse…** changes them. **View > Command Palette…** (Ctrl+Shift+P) finds every action by its name or a
word of its description.

"""

SECTIONS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("File and Option", (
        ("Drop a file on the window", "The same; {file.open}, {file.open_name}"),
        ("Save xml", "{file.save_as} saves your text as you wrote it, {file.save_copy} the compiled model, as Save xml does"),
        ("Save mjb", "`kinetree convert MODEL.xml MODEL.kmodel` (a format of its own)"),
        ("Print model, Print data", "{panel.inspector}: the values of the selected object; {panel.facts}; {panel.watch}"),
        ("Screenshot", "{file.screenshot}, {file.copy_picture}; {file.video}"),
        ("Quit", "{file.quit}"),
        ("Help, Info", "{help.keys}, {help.info}; {panel.statistics}"),
        ("Profiler, Sensor", "{panel.profiler}, {panel.sensors}; sensors and anything else as curves: {panel.plots}"),
        ("Fullscreen", "{view.full_screen}"),
        ("Color, Font, Spacing", "{view.theme_system}, {view.theme_dark}; sizes follow the desktop"),
        ("Vertical Sync, Busy Wait", "Not needed: the simulation has a thread of its own"),
    )),
    ("Simulation", (
        ("Pause, Run", "{sim.toggle}"),
        ("Reset", "{sim.reset}"),
        ("Reload", "{file.reload}; {file.auto_reload} does it whenever the file changes, and keeps the state"),
        ("Align", "{camera.align}"),
        ("Copy state", "{sim.copy_state}"),
        ("Key slider, Load key, Save key", "The box Keyframes of the tool bar; {panel.keyframes} captures states and writes them into the model"),
        ("Noise scale, Noise rate", "{sim.noise}, with its numbers in {panel.controls}"),
        ("History slider", "The timeline below the viewport; {sim.oldest}, {sim.newest}"),
        ("Faster, slower", "{sim.faster}, {sim.slower}, {sim.real_time}; the box of the tool bar"),
    )),
    ("Watch", (
        ("Field and index", "{panel.watch}: any number of expressions, such as `qpos[3]` or `joint(\"knee\").qvel`"),
    )),
    ("Physics", (
        ("Integrator, cone, solver, tolerances", "{panel.options}, changed while it runs"),
        ("Disable and enable flags, contact override", "{panel.options}, below"),
        ("Actuator groups", "{panel.options}"),
    )),
    ("Rendering", (
        ("Camera", "The box of the tool bar; {camera.next}, {camera.previous}, {camera.free}, {camera.track}"),
        ("Copy camera", "{camera.bookmark} keeps the view under a name"),
        ("Label, Frame", "{show.label}, {show.frame}; Labels and Frames in the menu Show"),
        ("Model elements, OpenGL effects", "{panel.display}, and the menu Show, with the keys of the last table"),
    )),
    ("Visualization", (
        ("Headlight, map, scale, RGBA", "Elements of the text: select `visual` in {panel.tree}, and edit it in {panel.inspector}"),
    )),
    ("Group enable", (
        ("Geom, site and other groups", "{panel.display}; 0 to 5 for geoms, Shift and a digit for sites. {show.shapes} switches between what is seen and what collides"),
    )),
    ("Joint and Control", (
        ("Joint sliders", "{panel.joints}: they set the state while paused, and can write it into the model"),
        ("Control sliders, Clear all", "{panel.controls}, {sim.clear_ctrl}; signals and recorded controls too"),
        ("Equality", "{panel.equalities}"),
    )),
)  # fmt: skip
"""Sections of simulate's panels: a part, and its place here."""

KEYS: tuple[tuple[str, str], ...] = (
    ("Space", "sim.toggle"), ("Right", "sim.step"), ("Left", "sim.back"), ("Backspace", "sim.reset"), ("=", "sim.faster"),
    ("-", "sim.slower"), ("PgUp", "select.parent"), ("Esc", "camera.free"), ("[", "camera.previous"), ("]", "camera.next"),
    ("F1", "help.keys"), ("F2", "help.info"), ("F3", "panel.profiler"), ("F4", "panel.sensors"), ("F5", "view.full_screen"),
    ("F6", "show.frame"), ("F7", "show.label"), ("Tab", "view.left"), ("Shift+Tab", "view.right"), ("Ctrl+L", "file.reload"),
    ("Ctrl+A", "camera.align"), ("Ctrl+C", "sim.copy_state"), ("Ctrl+P", "file.screenshot"), ("Ctrl+Q", "file.quit"),
)  # fmt: skip
"""Keys of simulate, with the action that has them here. They act in the viewport, or everywhere."""

MOUSE: tuple[tuple[str, str], ...] = (
    ("Left drag", "Rotates the camera"),
    ("Right drag", "Pans it; with Shift in the horizontal plane"),
    ("Wheel, middle drag", "Zooms; with Shift finer, with Ctrl faster"),
    ("Left double-click", "Selects a body; again: its geom, with outline, handles and inspector"),
    ("Right double-click", "Centres the camera on the point"),
    ("Ctrl + right double-click", "Tracks the body with the camera"),
    ("Ctrl + right drag", "Pulls the selected body; while paused its joints follow, within their limits ([posing](posing.md))"),
    ("Ctrl + left drag", "Turns the selected body"),
)  # fmt: skip

DIFFERENT = """## What is different

- **The text is the model.** A value that you change in the inspector is a change of your file, with undo; comments and
  indentation stay. Sliders of joints and options of the physics change the running simulation only.
- **The state survives a reload and an edit.** Joints keep their values by name. {sim.reset} starts again.
- **Nothing is lost by stepping back**: the timeline has the past, to look at and to go on from.
- **Errors do not close the model.** The last version that compiles goes on, and {panel.problems} says what to correct.
- The physics is Kinetree's own: [differences from MuJoCo](differences.md) lists what can be seen of it, and
  [not done yet](unsupported.md) what is missing.

## What is more

- [Editing](editing.md) in the tree, the inspector, the [text](source.md) and by handles in the picture, with one undo.
- [Plots](plots.md) of any quantity, of every step, with export; {panel.contacts} with forces and friction.
- {sim.until} stops at a time or a condition. {file.video} films the past again, drawn frame by frame.
- [Two models](comparing.md) side by side, with the same controls: {compare.saved} shows what an edit does.
- [Findings](checks.md) about models that compile: overlaps at rest, implausible inertia, actuators without effect.
- [URDF and x_xy](formats.md), as they are. Several models at once, each in a window: {file.new_window}.
"""


def page() -> str:
    """The text of the page."""
    rows = {row.id: row for row in all_actions()}
    parts = [INTRODUCTION]
    for title, lines in SECTIONS:
        table = [f"| {left} | {_named(right, rows)} |" for left, right in lines]
        parts.append("\n".join([f"## {title}\n", "| in simulate | here |", "|---|---|", *table, "\n"]))
    parts.append("## Keys\n\n| in simulate | here |\n|---|---|\n")
    parts += [f"| {key} | {_entry(_owner(key, name, rows), key)} |\n" for key, name in KEYS]
    parts.append(
        "\nThe widget with the keyboard decides: keys without Ctrl act while the viewport has it, so click the viewport.\n\n"
    )
    parts.append("## Mouse\n\n| in simulate | here |\n|---|---|\n")
    parts += [f"| {gesture} | {what} |\n" for gesture, what in MOUSE]
    parts.append("\n" + _named(DIFFERENT, rows))
    parts.append("\n## Keys of the display\n\n| key | shows or hides |\n|---|---|\n")
    flags = [FLAG_BY_NAME[name] for _, names in FLAG_GROUPS for name in names if FLAG_BY_NAME[name].key]
    parts += [f"| {_shown(flag.key)} | {flag.label} |\n" for flag in flags]
    return "".join(parts)


def _owner(key: str, name: str, rows: dict[str, Action]) -> Action:
    """The action that has a key. Raises ValueError if it has other ones: then simulate's key does something else here."""
    row = rows[name]
    if sequence(key) not in [sequence(each) for each in row.keys]:
        raise ValueError(f"{name} has the keys {row.keys}, and {key} is not among them: correct KEYS")
    return row


def _entry(row: Action, key: str = "") -> str:
    """A menu entry in bold, with its first key unless that is known."""
    path = " > ".join([*row.menu.split("/"), row.text])
    return f"**{path}** ({_shown(row.keys[0])})" if row.keys and not key else f"**{path}**"


def _shown(key: str) -> str:
    return key.replace("|", "\\|").replace("`", "`` ` ``")


def _named(text: str, rows: dict[str, Action]) -> str:
    return re.sub(r"\{([\w.]+)\}", lambda match: _entry(rows[match[1]]), text)
