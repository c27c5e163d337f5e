"""Writing what a panel of plots shows: the recorded steps to a file, the plots as a picture."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from kinetree.app.panels.analysing import plots
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.engine.translation import counted, tr

if TYPE_CHECKING:
    from kinetree.app.panels.analysing.plots.panel import PlotsPanel


class PlotExport:
    """Exports from one panel of plots."""

    def __init__(self, panel: PlotsPanel):
        self._panel = panel

    def ask(self, ending: str) -> None:
        """Ask for a file and write all recorded steps to it."""
        if not self._panel.recording.series.count:
            self._panel.said.emit(tr("Nothing was recorded yet"))
            return
        need = plots.export.NEEDS.get(ending)
        if need is None:
            self._ask(ending)
        else:
            self._panel.workspace.extras.need(need, partial(self._ask, ending))

    def _ask(self, ending: str) -> None:
        path = self._panel.remembered.path
        stem = os.path.splitext(os.path.basename(path))[0] or "plots"
        start = os.path.join(os.path.dirname(path), stem + ending)
        dialog = FileDialog(
            self._panel, tr("Export Recorded Steps"), start, f"{tr(plots.export.FORMATS[ending])} (*{ending})"
        )
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(ending)
        dialog.fileSelected.connect(self.write)
        dialog.open()

    def write(self, path: str) -> None:
        """Write all recorded steps to a file, in a thread with progress and Cancel."""

        self._panel.recording.drain()
        columns, names = [], set()
        for quantity in self._panel.recording.quantities:
            if quantity.expression is not None:
                for place, (label, unit) in enumerate(zip(quantity.expression.labels, quantity.units, strict=True)):
                    if label not in names:
                        names.add(label)
                        columns.append(plots.export.ExportColumn(quantity, place, label, unit))
        blocks = list(self._panel.recording.series.rows())
        name = os.path.basename(path)
        self._panel.workspace.tasks.run(
            tr("Exporting {name}", name=name),
            lambda: plots.export.write(path, blocks, columns),
            lambda count: self._panel.said.emit(
                counted("Wrote {count} step to {path}", "Wrote {count} steps to {path}", count, path=path)
            ),
            lambda reason: self._panel.said.emit(reason),
        )

    def copy_picture(self) -> None:
        """Copy all plots to the clipboard."""
        from PySide6.QtGui import QGuiApplication

        QGuiApplication.clipboard().setPixmap(self._panel.splitter.grab())
        self._panel.said.emit(tr("Copied the plots as a picture"))
