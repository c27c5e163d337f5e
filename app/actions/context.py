"""Shared by the handlers of actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStackedWidget, QWidget

    from kinetree.app.crashes.recorder import CrashRecorder
    from kinetree.app.menus.build import Actions
    from kinetree.app.panels.dock import Dock
    from kinetree.app.panels.driving.timeline.bar import TimelineBar
    from kinetree.app.panels.writing.inspector.panel import InspectorPanel
    from kinetree.app.panels.writing.source.panel import SourcePanel
    from kinetree.app.panels.writing.tree.panel import TreePanel
    from kinetree.app.settings.settings import Settings
    from kinetree.app.viewport.overlay import ViewportFrame
    from kinetree.app.viewport.viewport import Viewport
    from kinetree.app.viewport.viewports import Viewports
    from kinetree.app.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ActionContext:
    """The services that handlers share.

    parent  of their dialogs and menus
    docks   by name; panels of plots come and go
    say     shows a remark in the status bar
    report  shows a failure, with details
    recorder  keeps notes for a crash report
    """

    workspace: Workspace
    settings: Settings
    actions: Actions
    docks: Mapping[str, Dock]
    viewports: Viewports
    parent: QWidget
    say: Callable[[str], None]
    report: Callable[..., None]
    recorder: CrashRecorder

    @property
    def frame(self) -> ViewportFrame:
        """The active viewport with its overlays."""
        return self.viewports.active

    @property
    def viewport(self) -> Viewport:
        """The active viewport."""
        return self.viewports.active.viewport


@dataclass(frozen=True, slots=True)
class ActionTargets:
    """The parts of the window that actions are about, each given to the handlers that act on it. `middle` shows the
    viewports or the start page; `toolbar` takes the keyboard after all panels."""

    tree: TreePanel
    source: SourcePanel
    inspector: InspectorPanel
    timeline: TimelineBar
    middle: QStackedWidget
    toolbar: QWidget
