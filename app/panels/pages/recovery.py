"""The dialog that offers what a crash has left unsaved."""

from __future__ import annotations

import os
import time

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.workers.journal import Unsaved
from kinetree.app.workspace.recovery import describe
from kinetree.engine.translation import tr


class RecoveryDialog(QDialog):
    """One row for each document. `recover(Unsaved)` and `discard(Unsaved)` tell what the user wants of the selected
    one; the others stay for later. `report_wanted()`: the user wants to see the report of the crash, which has a
    button once `offer_report` was called."""

    report_wanted = Signal()
    recover = Signal(object)
    discard = Signal(object)

    def __init__(self, left: list[Unsaved], parent: QWidget | None = None):
        super().__init__(parent)
        self.setWindowTitle(tr("Unsaved Changes"))
        self.resize(760, 300)
        text = QLabel(
            tr(
                "Kinetree ended before these changes were saved. Recover opens them as unsaved changes; no file is "
                "written."
            )
        )
        text.setWordWrap(True)
        self.list = QTreeWidget()
        self.list.setHeaderLabels([tr("Document"), tr("Changed files"), tr("Folder"), tr("Last change")])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        header = self.list.header()
        header.setStretchLastSection(False)
        for column in range(3):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(3, QHeaderView.ResizeMode.ResizeToContents)
        self.left: list[Unsaved] = []
        self.box = QDialogButtonBox()
        roles = QDialogButtonBox.ButtonRole
        self.recover_button = self.box.addButton(tr("Recover"), roles.AcceptRole)
        self.discard_button = self.box.addButton(tr("Discard…"), roles.DestructiveRole)
        self.later_button = self.box.addButton(tr("Later"), roles.RejectRole)
        self.report_button = self.box.addButton(tr("Crash Report…"), roles.HelpRole)
        self.report_button.setVisible(False)
        self.report_button.clicked.connect(self.report_wanted)
        self.recover_button.setDefault(True)
        self.later_button.setToolTip(tr("Ask again when Kinetree starts the next time"))
        self.recover_button.clicked.connect(lambda: self._tell(self.recover))
        self.discard_button.clicked.connect(lambda: self._tell(self.discard))
        self.later_button.clicked.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(text)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.box)
        self.set_left(left)

    def set_left(self, left: list[Unsaved]) -> None:
        """Show the documents that can be recovered; the dialog closes when there are none."""
        self.left = left
        self.list.clear()
        for unsaved in left:
            folder = os.path.dirname(unsaved.main)
            cells = [os.path.basename(unsaved.main) or tr("Untitled"), describe(unsaved), folder, _when(unsaved.time)]
            item = QTreeWidgetItem(cells)
            item.setToolTip(2, folder)
            self.list.addTopLevelItem(item)
        if not left:
            self.accept()
        self.list.setCurrentIndex(self.list.model().index(0, 0))

    def offer_report(self) -> None:
        """Show the button for the report of the crash."""
        self.report_button.setVisible(True)

    def _tell(self, signal) -> None:
        row = self.list.currentIndex().row()
        if row >= 0:
            signal.emit(self.left[row])


def _when(seconds: float) -> str:
    """A time as people write it: of today without the date."""
    moment = QDateTime.fromSecsSinceEpoch(int(seconds))
    today = time.strftime("%Y-%m-%d") == time.strftime("%Y-%m-%d", time.localtime(seconds))
    form = QLocale.FormatType.ShortFormat
    return QLocale().toString(moment.time(), form) if today else QLocale().toString(moment, form)
