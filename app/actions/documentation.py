"""Handlers that open the documentation: at its first page, or at the page about the panel that has the keyboard."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QApplication, QWidget

from kinetree.app.actions.context import ActionContext
from kinetree.app.actions.dialogs import Dialogs
from kinetree.app.panels.plot_docks import is_plots

SIMULATE = "coming-from-simulate.md"
VIEWPORT_PAGE = "views.md"
START_PAGE = "tutorial/01-open.md"
TIMELINE_PAGE = "timeline.md"
PAGE_OF_DOCK: dict[str, str] = {
    "tree": "editing.md", "controls": "panels.md#signals-and-recorded-controls", "joints": "panels.md#sliders",
    "keyframes": "panels.md", "tendons": "panels.md#sliders", "equalities": "panels.md", "mocap": "posing.md",
    "bookmarks": "views.md#cameras", "history": "editing.md", "sensors": "plots.md", "watch": "plots.md",
    "statistics": "panels.md", "facts": "panels.md#model-facts", "inspector": "inspector.md",
    "display": "views.md#what-is-drawn",
    "options": "panels.md", "problems": "panels.md#problems", "log": "panels.md#profiler-and-log",
    "plots": "plots.md#plots",
    "contacts": "panels.md#contacts", "profiler": "panels.md#profiler-and-log", "source": "source.md",
}  # fmt: skip
"""Panel -> the page and heading that are about it."""


class DocumentationHandlers:
    """Handlers of the entries of the menu Help that show pages. `table()` maps ids of actions to them. `timeline`: the
    bar with the past of the simulation."""

    def __init__(self, context: ActionContext, dialogs: Dialogs, timeline: QWidget):
        self._context, self._dialogs, self._timeline = context, dialogs, timeline

    def table(self) -> dict[str, Callable]:
        return {
            "help.docs": lambda: self._dialogs.show_documentation(),
            "help.here": lambda: self.show(self.page_here()),
            "help.simulate": lambda: self.show(SIMULATE),
        }

    def show(self, place: str) -> None:
        """Show a page, and a heading of it after a #."""
        page, _, mark = place.partition("#")
        self._dialogs.show_documentation(page, mark)

    def page_here(self) -> str:
        """The page about the part of the window that has the keyboard."""
        focus = QApplication.focusWidget()
        if focus is not None:
            for name, dock in self._context.docks.items():
                if dock.isAncestorOf(focus):
                    return PAGE_OF_DOCK["plots" if is_plots(name) else name]
            if self._timeline is focus or self._timeline.isAncestorOf(focus):
                return TIMELINE_PAGE
        return VIEWPORT_PAGE if self._context.workspace.simulation.model is not None else START_PAGE
