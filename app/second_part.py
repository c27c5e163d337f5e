"""The second part of a window: what its first picture does not need. Panels of writing, handlers of actions, dialogs.

`Window.complete` makes it, in the program after the first picture, and imports this module then.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from kinetree import app
from kinetree.app.actions.context import ActionContext, ActionTargets
from kinetree.app.actions.handed import HandedFiles
from kinetree.app.actions.handlers import Handlers
from kinetree.app.actions.problem_handlers import ProblemHandlers
from kinetree.app.menus.table import SOURCE
from kinetree.app.panels.dialogs.help_overlay import HelpOverlay
from kinetree.app.panels.writing.history import HistoryPanel
from kinetree.app.panels.writing.inspector.panel import InspectorPanel
from kinetree.app.panels.writing.problems import ProblemsPanel
from kinetree.app.panels.writing.source.panel import SourcePanel
from kinetree.app.panels.writing.tree.panel import TreePanel
from kinetree.app.settings.following import SettingsFollower
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from kinetree.app.panels.dock_layout import DockLayout
    from kinetree.app.panels.driving.timeline.bar import TimelineBar
    from kinetree.app.panels.middle import Middle
    from kinetree.app.panels.pages.start import StartPage
    from kinetree.app.panels.plot_docks import PlotDocks
    from kinetree.app.panels.status import StatusBar
    from kinetree.app.panels.toolbar import ToolBar

TREE_KEYS = {
    **{name: f"edit.{name}" for name in ("rename", "cut", "copy", "paste", "duplicate", "delete")},
    "hide": "show.hide", "isolate": "show.isolate", "fade": "show.fade", "show": "show.all",
}  # fmt: skip
"""Actions of the tree that have the keys of actions of the table, which do the same in the viewport."""


class SecondPart:
    """The panels of writing in their docks, and the handlers of all actions.

    run_from  lets the keys that run and pause act in a list too
    """

    def __init__(
        self,
        context: ActionContext,
        timeline: TimelineBar,
        middle: Middle,
        toolbar: ToolBar,
        layout: DockLayout,
        plots: PlotDocks,
        start: StartPage,
        run_from: Callable[[QWidget], None],
        status: StatusBar,
    ):
        workspace, settings, actions, parent = context.workspace, context.settings, context.actions, context.parent
        self._context, self._start, self._middle, self._plots = context, start, middle, plots
        self.source = SourcePanel(workspace, settings, parent)
        actions.attach(self.source, SOURCE)
        self.tree, self.problems = TreePanel(workspace, parent), ProblemsPanel(parent)
        SettingsFollower(settings, self.tree, {"tree.kinematic": self.tree.show_kinematic})
        self.tree.kinematic_wanted.connect(lambda on: settings.set("tree.kinematic", on))
        for name, shared in TREE_KEYS.items():
            actions.share_keys(shared, self.tree.actions_[name])
        self.tree.menus.more = self.source.more_actions = [actions["source.external"]]
        self.history = HistoryPanel(workspace.project, parent)
        run_from(self.tree.view)
        self.inspector = InspectorPanel(workspace, parent)
        panels = {
            "tree": self.tree, "history": self.history, "inspector": self.inspector,
            "problems": self.problems, "source": self.source,
        }  # fmt: skip
        for name, panel in panels.items():
            context.docks[name].setWidget(panel)
        self.help = HelpOverlay(parent)
        targets = ActionTargets(self.tree, self.source, self.inspector, timeline, middle, toolbar)
        self.handlers = Handlers(context, targets, self.help, layout, plots, status.offer_report)
        self.findings = ProblemHandlers(
            context, self.problems, start.problems, self.source, self.handlers.documents.unless_unsaved
        )
        self.handed = HandedFiles(context, self.handlers.documents, self.source)

    @cached_property
    def tour(self) -> app.tour.tour.Tour:
        """The tour and what shows it; made when it is first wanted."""
        context, parent = self._context, self._context.parent
        tour = app.tour.tour.Tour(context, self.handlers.documents, self._plots, parent)
        view = app.tour.mark.TourView(tour, app.tour.places.Places(context, self.inspector), parent)
        self.handlers.focus.others.append(view.mark)
        return tour

    def end(self) -> None:
        """The window closes: leave the tour, so that the panels are as before it."""
        if "tour" in self.__dict__:
            self.tour.leave()

    def connect(self, status: StatusBar) -> None:
        """Connect the actions with their handlers, and the parts with each other."""
        context, handlers, start = self._context, self.handlers, self._start
        actions, documents, frame = context.actions, handlers.documents, context.frame
        handlers.fill_menus()
        for menu in actions.menus.values():
            give_letters(menu)
        frame.fill_shelf(actions)
        give_letters(frame.shelf.menu)
        actions.connect(handlers.table() | {"help.tour": lambda: self.tour.begin()})
        handlers.announce_all()
        self.source.told.connect(context.say)
        self.help.dismissed.connect(lambda: handlers.show_help(False))
        start.open_dialog.connect(documents.ask_file)
        start.new_wanted.connect(lambda: documents.new())
        start.tour_wanted.connect(lambda: self.tour.begin())
        for opens in (start.open_file, frame.open_wanted, frame.drops.open_file):
            opens.connect(documents.open)
        start.open_apart.connect(documents.open_apart)
        start.action_wanted.connect(lambda name: actions[name].trigger())
        status.show_report.connect(lambda: handlers.crashes.show())
        for shows in (frame.show_problems, status.show_problems):
            shows.connect(self.findings.show_panel)
        frame.show_conflicts.connect(documents.show_conflicts)
        frame.fix_wanted.connect(lambda: self.findings.open_broken())
        frame.save_elsewhere.connect(lambda: documents.save_as())
        if self._middle.offers_tour and context.workspace.opening.shown_path:
            context.settings.offers_tour = False
            context.say(tr("New here? Help > Tour shows the program in five steps"))
        handlers.refresh()
