"""The second part of a window: what its first picture does not need. Panels of writing, handlers of actions, dialogs.

`Window.complete` makes it, in the program after the first picture, and imports this module then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinetree.app.actions.context import ActionContext, ActionTargets
from kinetree.app.actions.handlers import Handlers
from kinetree.app.actions.problem_handlers import ProblemHandlers
from kinetree.app.menus.table import SOURCE
from kinetree.app.panels.dialogs.help_overlay import HelpOverlay
from kinetree.app.panels.writing.history import HistoryPanel
from kinetree.app.panels.writing.inspector.panel import InspectorPanel
from kinetree.app.panels.writing.problems import ProblemsPanel
from kinetree.app.panels.writing.source.panel import SourcePanel
from kinetree.app.panels.writing.tree.panel import TreePanel
from kinetree.app.widgets.mnemonics import give_letters

if TYPE_CHECKING:
    from kinetree.app.window import Window

TREE_KEYS = {
    **{name: f"edit.{name}" for name in ("rename", "cut", "copy", "paste", "duplicate", "delete")},
    "hide": "show.hide", "isolate": "show.isolate", "fade": "show.fade", "show": "show.all",
}  # fmt: skip
"""Actions of the tree that have the keys of actions of the table, which do the same in the viewport."""


class SecondPart:
    """The panels of writing in their docks, and the handlers of all actions."""

    def __init__(self, window: Window):
        self._window, workspace, actions = window, window.workspace, window.actions_
        self.source = SourcePanel(workspace, window.settings, window)
        actions.attach(self.source, SOURCE)
        self.tree, self.problems = TreePanel(workspace, window), ProblemsPanel(window)
        for name, shared in TREE_KEYS.items():
            actions.share_keys(shared, self.tree.actions_[name])
        self.history = HistoryPanel(window.project, window)
        window.run_from(self.tree.view)
        self.inspector = InspectorPanel(workspace, window)
        panels = {
            "tree": self.tree, "history": self.history, "inspector": self.inspector,
            "problems": self.problems, "source": self.source,
        }  # fmt: skip
        for name, panel in panels.items():
            window.docks[name].setWidget(panel)
        self.help = HelpOverlay(window)
        context = ActionContext(
            workspace,
            window.settings,
            actions,
            window.docks,
            window.viewports,
            window,
            window.status.say,
            window.report,
        )
        targets = ActionTargets(self.tree, self.source, self.inspector, window.timeline, window.middle, window.toolbar)
        self.handlers = Handlers(context, targets, self.help, window.dock_layout, window.plots)
        self.findings = ProblemHandlers(context, self.problems, window.start.problems, self.source)

    def connect(self) -> None:
        """Connect the actions with their handlers, and the parts with each other."""
        window, handlers, actions = self._window, self.handlers, self._window.actions_
        handlers.fill_menus()
        for menu in actions.menus.values():
            give_letters(menu)
        window.frame.fill_shelf(actions)
        actions.connect(handlers.table())
        handlers.announce_all()
        documents, frame = handlers.documents, window.frame
        self.source.told.connect(window.status.say)
        self.help.dismissed.connect(lambda: handlers.show_help(False))
        window.start.open_dialog.connect(documents.ask_file)
        window.start.new_wanted.connect(lambda: documents.new())
        for opens in (window.start.open_file, frame.open_wanted, frame.drops.open_file):
            opens.connect(documents.open)
        for shows in (frame.show_problems, window.status.show_problems):
            shows.connect(self.findings.show_panel)
        frame.show_conflicts.connect(documents.show_conflicts)
        frame.save_elsewhere.connect(lambda: documents.save_as())
        handlers.refresh()
