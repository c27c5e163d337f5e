"""Measured data of a panel of plots: asks for files and how they are shown, and reads them in a thread."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtWidgets import QFileDialog
from shiboken6 import isValid

from kinetree.app.panels.analysing.plots.curves import MeasuredState
from kinetree.app.panels.analysing.plots.data_dialog import DataDialog
from kinetree.app.panels.analysing.plots.measured import MeasuredCurve
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.engine.run.measured import ColumnMapping, MeasuredData, Table, preview, read
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.analysing.plots.panel import PlotsPanel
    from kinetree.app.panels.analysing.plots.plot import Plot

ENDINGS = (".csv", ".tsv", ".txt", ".dat", ".log")


def data_files(data: QMimeData) -> list[str]:
    """The files with measured data that are dragged."""
    if not data.hasUrls():
        return []
    paths = [url.toLocalFile() for url in data.urls()]
    return [path for path in paths if path and os.path.splitext(path)[1].lower() in ENDINGS]


class DataFiles(QObject):
    """Adds measured curves to the plots of one panel."""

    def __init__(self, panel: PlotsPanel):
        super().__init__(panel)
        self._panel = panel

    def ask_file(self, plot: Plot) -> None:
        """Ask which file is to be shown in a plot."""
        start = os.path.dirname(self._panel.remembered.path)
        kinds = f"{tr('Tables')} ({' '.join('*' + ending for ending in ENDINGS)});;{tr('All Files')} (*)"
        dialog = FileDialog(self._panel, tr("Measured Data"), start, kinds)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptOpen)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(partial(self.ask_columns, plot))
        dialog.open()

    def ask_columns(self, plot: Plot, path: str, changed: MeasuredCurve | None = None) -> None:
        """Look into a file, and ask how it is to be shown; `changed`: the curve whose mapping is to be another."""
        self._panel.workspace.tasks.run(
            tr("Reading {name}", name=os.path.basename(path)),
            partial(preview, path),
            partial(self._open, plot, path, changed),
            self._panel.said.emit,
        )

    def _open(self, plot: Plot, path: str, changed: MeasuredCurve | None, table: Table) -> None:
        if plot not in self._panel.plots:
            return
        near = plot.near_curve() if changed is None else plot.simulated(changed.beside)
        before = None if changed is None else changed.mapping
        dialog = DataDialog(self._panel, path, table, plot.simulated_curves, near, before)
        dialog.chosen.connect(partial(self.take, plot, changed))
        dialog.open()

    def take(self, plot: Plot, changed: MeasuredCurve | None, mapping: ColumnMapping, beside: str) -> None:
        """Show a column in a plot, as another curve or in place of one."""
        if plot not in self._panel.plots:
            return
        if changed is None or changed not in plot.curves:
            near = plot.simulated(beside)
            changed = MeasuredCurve(MeasuredState(mapping, beside, plot.style_beside(near), -1, True))
            plot.add_measured(changed)
        else:
            changed.change(mapping, beside)
        self.load(plot, changed)
        plot.changed.emit()

    def load(self, plot: Plot, curve: MeasuredCurve) -> None:
        """Read the numbers of a curve in a thread."""
        mapping = curve.mapping

        def work() -> MeasuredData:
            return read(mapping.path, preview(mapping.path), mapping.time, mapping.value)

        def take(data: MeasuredData) -> None:
            if is_wanted():
                curve.show(data)
                plot.show_measured()

        def refuse(reason: str) -> None:
            if is_wanted():
                curve.fail(reason)
                plot.show_measured()
                self._panel.said.emit(reason)

        def is_wanted() -> bool:
            return isValid(plot) and curve in plot.curves and curve.mapping == mapping

        self._panel.workspace.tasks.run(tr("Reading {name}", name=os.path.basename(mapping.path)), work, take, refuse)
