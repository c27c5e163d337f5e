"""Read first about panels: the table of docks. The View menu, the actions that open panels and the window are made
from it.

A new panel is a row here and a Panel (app/widgets/panel.py) that is made as `Class(workspace, settings, parent)`. A
dock is closed at first, and its panel is made when it comes into view for the first time: start-up pays for nothing
that is not seen. Panels that other parts of the window talk to have no class here; `app/second_part.py` makes them,
in the program soon after the first picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from kinetree.app.menus.table import Action

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from kinetree.app.settings.settings import Settings
    from kinetree.app.widgets.panel import Panel
    from kinetree.app.workspace.workspace import Workspace

LEFT, RIGHT, BOTTOM = "left", "right", "bottom"
PLOTS = "plots"
"""The first dock that has plots; `app/panels/plot_docks.py` makes any number of others."""
GROUPS: dict[str, tuple[str, ...]] = {
    "editing": ("tree", "inspector", "source", "problems", "history"),
    "simulation": ("controls", "joints", "keyframes", "tendons", "equalities", "mocap", "options"),
    "results": ("sensors", "plots", "contacts", "watch", "statistics", "profiler", "facts", "log"),
    "viewport": ("display", "bookmarks"),
}
"""The docks by section of the View menu, in its order."""
MORE_PLOTS = "More Plots"
"""The submenu of View that has them."""
MORE_PLOTS_HELP = "Open another panel of plots, which can be placed anywhere"


@dataclass(frozen=True, slots=True)
class DockRow:
    """A dock.

    name    stable: the layout is saved under it, and its action is `panel.NAME`
    icon    in menus, "" for none
    size    width (at the sides) or height (at the bottom) at first, pixels
    panel   "module:Class", or "" for a panel that the window makes
    menu    the submenu of View that lists it, "" for View itself
    keys    open and close it, from anywhere in the window
    beside  the dock whose tab group it joins, "" for a place of its own
    is_open whether it is shown at first
    keeps   the name under which the panel keeps what it remembers, where several docks have panels of one kind
    """

    name: str
    title: str
    icon: str
    area: str
    size: int
    help: str
    panel: str = ""
    menu: str = ""
    keys: tuple[str, ...] = ()
    beside: str = ""
    is_open: bool = False
    keeps: str = ""

    def make(self, workspace: Workspace, settings: Settings, parent: QWidget) -> Panel:
        """A new panel."""
        module, _, name = self.panel.partition(":")
        names = (self.keeps,) if self.keeps else ()
        return getattr(import_module(module), name)(workspace, settings, parent, *names)


DOCKS: tuple[DockRow, ...] = (
    DockRow("tree", "Model", "model", LEFT, 270, "The elements of the model as they are written", is_open=True),
    DockRow(
        "controls", "Controls", "actuator", RIGHT, 290, "Sliders and signals for the controls of all actuators",
        "kinetree.app.panels.driving.controls.panel:ControlsPanel", is_open=True,
    ),
    DockRow(
        "joints", "Joints", "joint", RIGHT, 290, "Sliders for the positions of all joints",
        "kinetree.app.panels.driving.joints.panel:JointsPanel", beside="controls", is_open=True,
    ),
    DockRow(
        "keyframes", "Keyframes", "key", RIGHT, 290, "States saved in the model or remembered beside it, to go on from",
        "kinetree.app.panels.driving.keyframes.panel:KeyframesPanel", "State", beside="joints",
    ),
    DockRow(
        "tendons", "Tendons", "tendon", RIGHT, 290, "Lengths of tendons within their limits",
        "kinetree.app.panels.driving.tendons.panel:TendonsPanel", "State", beside="keyframes",
    ),
    DockRow(
        "equalities", "Equalities", "equality", RIGHT, 290, "Equality constraints to switch on and off",
        "kinetree.app.panels.driving.equalities.panel:EqualitiesPanel", "State", beside="keyframes",
    ),
    DockRow(
        "mocap", "Mocap Bodies", "body", RIGHT, 290, "Positions and orientations of mocap bodies",
        "kinetree.app.panels.driving.mocap.panel:MocapPanel", "State", beside="keyframes",
    ),
    DockRow(
        "bookmarks", "Bookmarks", "bookmark", RIGHT, 290, "Saved views to go back to, with their names, order and keys",
        "kinetree.app.panels.driving.bookmarks:BookmarksPanel", beside="keyframes",
    ),
    DockRow("history", "History", "history", RIGHT, 290, "Every edit of the text, to go back to", beside="joints"),
    DockRow(
        "sensors", "Sensors", "sensor", RIGHT, 290, "The values of all sensors; drag them to a plot",
        "kinetree.app.panels.analysing.sensors:SensorsPanel", keys=("F4",), beside="joints",
    ),
    DockRow(
        "watch", "Watch", "target", RIGHT, 290, "The values of expressions that you choose",
        "kinetree.app.panels.analysing.watch:WatchPanel", "Analysis", beside="sensors",
    ),
    DockRow(
        "statistics", "Statistics", "statistics", RIGHT, 290,
        "Time, speed, energy and its drift, contacts and the solver",
        "kinetree.app.panels.analysing.statistics.panel:StatisticsPanel", "Analysis", beside="sensors",
    ),
    DockRow(
        "facts", "Model Facts", "info", RIGHT, 360, "Masses, freedom, ranges reached, and what may collide with what",
        "kinetree.app.panels.analysing.facts.panel:FactsPanel", "Analysis", beside="sensors",
    ),
    DockRow("inspector", "Inspector", "settings", RIGHT, 300, "The attributes of the selected elements", is_open=True),
    DockRow(
        "display", "Display", "display", RIGHT, 300, "Content of the viewport: flags, frames, labels, groups",
        "kinetree.app.panels.driving.display.panel:DisplayPanel", beside="inspector",
    ),
    DockRow(
        "options", "Options", "options", RIGHT, 300, "Options and flags of the physics, changed while it runs",
        "kinetree.app.panels.driving.options.panel:OptionsPanel", beside="inspector",
    ),
    DockRow("problems", "Problems", "warning", BOTTOM, 150, "Errors and warnings about the model"),
    DockRow(
        "log", "Log", "log", BOTTOM, 200, "Events: problems, warnings of the physics, edits, saves",
        "kinetree.app.panels.analysing.log.panel:LogPanel", "Analysis", beside="problems",
    ),
    DockRow(
        "plots", "Plots", "plot", BOTTOM, 300, "Quantities over time, phase plots, spectra, and measured data",
        "kinetree.app.panels.analysing.plots.panel:PlotsPanel", beside="problems",
    ),
    DockRow(
        "contacts", "Contacts", "contact", BOTTOM, 300, "Contacts, and their forces",
        "kinetree.app.panels.analysing.contacts.panel:ContactsPanel", beside="plots",
    ),
    DockRow(
        "profiler", "Profiler", "profiler", BOTTOM, 300,
        "Where the time of a step goes, and what the constraint solver does",
        "kinetree.app.panels.analysing.profiler.panel:ProfilerPanel", "Analysis", keys=("F3",), beside="plots",
    ),
    DockRow("source", "Source", "source", BOTTOM, 300, "The text of the model", beside="problems"),
)  # fmt: skip
"""A dock stands after the one that it is `beside`."""

DOCK_BY_NAME: dict[str, DockRow] = {row.name: row for row in DOCKS}


def first_of_group(name: str) -> str:
    """The dock with a place of its own in whose group of tabs a dock is at first."""
    row = DOCK_BY_NAME.get(name)
    return name if row is None or not row.beside else first_of_group(row.beside)


def dock_action(row: DockRow) -> Action:
    """The row of the table of actions that opens and closes a dock."""
    menu = f"View/{row.menu}" if row.menu else "View"
    help = f"Open or close this panel: {row.help[0].lower()}{row.help[1:]}"
    section = next((section for section, names in GROUPS.items() if row.name in names), "") if not row.menu else ""
    return Action(f"panel.{row.name}", row.title, row.keys, help, menu, section, checkable=True, icon=row.icon)


def dock_actions() -> Iterator[Action]:
    """A row of the table of actions for every dock, and for another panel of plots."""
    for name in (name for names in GROUPS.values() for name in names):
        row = DOCK_BY_NAME[name]
        yield dock_action(row)
        if row.name == PLOTS:
            yield Action("plots.new", "New Panel", (), MORE_PLOTS_HELP, f"View/{MORE_PLOTS}", "", icon=row.icon)
