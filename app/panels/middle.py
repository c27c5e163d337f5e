"""The middle of the window: the viewports, or the start page while there is no model."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from kinetree.app.panels.pages.start import StartPage
from kinetree.app.settings.settings import Settings
from kinetree.app.widgets.keyboard import replace_page
from kinetree.app.workspace.workspace import Workspace


class Middle(QStackedWidget):
    """Centre of the window: the viewports or a page. `heir()` is the widget of the viewports that takes the keyboard.
    `refreshed(has_model)`: the page may have changed.

    offers_tour  whether the first page offers the tour: no model was ever opened, and it was not offered before
    """

    refreshed = Signal(bool)

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        start: StartPage,
        viewports: QWidget,
        heir: Callable[[], QWidget],
        parent: QWidget,
    ):
        super().__init__(parent)
        self._workspace, self._settings, self._heir = workspace, settings, heir
        self._start, self._viewports = start, viewports
        self.offers_tour = settings.offers_tour and not settings.recent()
        self.addWidget(start)
        self.addWidget(viewports)
        workspace.simulation.model_changed.connect(self.refresh)
        workspace.compiler.diagnostics_changed.connect(self.refresh)
        workspace.project.changed.connect(self.refresh)

    @property
    def shows_model(self) -> bool:
        return self.currentWidget() is self._viewports

    @property
    def heir(self) -> QWidget:
        """The widget of the shown page that takes the keyboard."""
        return self._heir() if self.shows_model else self._start

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the viewports once there is a model; before, what became of the file that is being opened."""
        has_model = self._workspace.simulation.model is not None
        if not has_model:
            self._show_start()
        self.refreshed.emit(has_model)
        page = self._viewports if has_model else self._start
        if self.currentWidget() is not page:
            replace_page(self, page, self._heir() if has_model else self._start)

    def _show_start(self) -> None:
        compiler, start = self._workspace.compiler, self._start
        path, result = self._workspace.opening.shown_path, compiler.result
        if path and compiler.failed and result is not None and result.models:
            start.show_part(result, compiler.diagnostics)
        elif path and compiler.failed:
            start.show_failed(path, compiler.diagnostics, self._workspace.opening.earlier)
        elif path:
            start.show_loading(path)
        else:
            start.show_nothing(self._settings.recent())
            if self.offers_tour and self.isVisible():
                self._settings.offers_tour = False  # once, whatever the user does
                start.offer_tour()
