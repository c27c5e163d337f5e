"""The dialogs about extras: one that offers an extra by name and size, and the list of all."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.settings.icons import icon
from kinetree.app.widgets.labels import Elided, IconLabel
from kinetree.engine import extras
from kinetree.engine.extras.places import ExtraSource, FoundExtra
from kinetree.engine.platforms.system import HERE
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.workspace.extras import Extras
    from kinetree.engine.extras.table import Extra

WIDTH = 560
"""Of both dialogs."""


class ExtraDialog(QDialog):
    """Offers an extra: what it is for, how large it is, where it comes from and where it goes. It is accepted when the
    user agrees to the install.

    command  the same to type
    """

    def __init__(self, extra: Extra, reason: str = "", parent: QWidget | None = None):
        """reason: why it could not be installed the last time."""
        super().__init__(parent)
        self.setWindowTitle(tr("Install an Extra"))
        size = extras.wheels.download_size(extra)
        can = size is not None and extras.installing.installer() is not None
        title = _plain(tr(extra.title))
        title.setObjectName("heading")
        self.purpose = _plain(tr(extra.purpose))
        self.why = _plain(
            tr("It is not part of Kinetree, as few need it and it is large.")
            if size is not None and size > 1e6
            else tr("It is not part of Kinetree.")
        )
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(
            tr("Package"), _plain(", ".join(f"{pin.package} {pin.version}" for pin in extras.wheels.pins(extra)))
        )
        if size is not None:
            self.size_ = _plain(
                tr("{size}, {disk} MB on the disk", size=extras.wheels.size_text(size), disk=extra.disk[HERE])
            )
            form.addRow(tr("Download"), self.size_)
            form.addRow(tr("From"), _plain(tr("the Python Package Index, or the index that your pip is set to")))
            folder = Elided(Qt.TextElideMode.ElideMiddle)
            folder.set_text(str(extras.places.folder(extra)))
            form.addRow(tr("Into"), folder)
        self.command = QLineEdit(extras.places.install_command(extra) if can else extras.installing.other_way(extra))
        self.command.setReadOnly(True)
        self.command.setAccessibleName(tr("The command line that installs it"))
        copy = QPushButton(icon("copy"), "")
        copy.setAutoDefault(False)
        copy.setToolTip(tr("Copy the command line"))
        copy.setAccessibleName(tr("Copy the command line"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command.text()))
        typed = QHBoxLayout()
        typed.addWidget(self.command, 1)
        typed.addWidget(copy)
        form.addRow(tr("Or type"), typed)
        self.problem = _Problem(_sentence(reason) if reason else _obstacle(extra))
        self.box = QDialogButtonBox()
        self.install = self.box.addButton(tr("Install"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.install.setEnabled(can)
        self.install.setDefault(True)
        self.later = self.box.addButton(tr("Not Now"), QDialogButtonBox.ButtonRole.RejectRole)
        self.box.accepted.connect(self.accept)
        self.box.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        for widget in (title, self.purpose, self.why):
            layout.addWidget(widget)
        layout.addLayout(form)
        if size is None:
            form.setRowVisible(typed, False)
        layout.addWidget(self.problem)
        layout.addStretch(1)
        layout.addWidget(self.box)
        _fit(self, layout)
        (self.install if can else self.later).setFocus()


class _Problem(QWidget):
    """A warning sign and a text; hidden without a text."""

    def __init__(self, text: str):
        super().__init__()
        sign = IconLabel(16, self)
        sign.set_icon(icon("warning", "warning"))
        self.label = _plain(text)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.label, 1)
        self.setVisible(bool(text))


def _fit(dialog: QDialog, layout: QVBoxLayout) -> None:
    """Make a dialog as high as its lines need at its width: Qt leaves room for texts that are wrapped earlier."""
    dialog.setMinimumWidth(WIDTH)
    dialog.resize(WIDTH, layout.totalHeightForWidth(WIDTH))


def _obstacle(extra: Extra) -> str:
    """Why an extra cannot be installed from here; "" if it can be."""
    if extras.wheels.download_size(extra) is None:
        return tr("It does not exist for this system and this version of Python.")
    if extras.installing.installer() is None:
        return tr("Kinetree cannot install it here, as this environment has no pip: type the command line above.")
    return ""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _plain(text: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label


class ExtrasDialog(QDialog):
    """All extras: what each is for, whether it is there, and how large it is. `install_wanted(extra)`: the user wants
    to see the offer of one."""

    install_wanted = Signal(object)

    def __init__(self, workspace_extras: Extras, parent: QWidget | None = None):
        super().__init__(parent)
        self._extras = workspace_extras
        self.setWindowTitle(tr("Extras"))
        head = _plain(tr("Large packages that few features need. They are fetched only when you say so."))
        self.rows = {name: _Row(extra) for name, extra in extras.table.EXTRAS.items()}
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        place = 0
        for row in self.rows.values():
            grid.setRowMinimumHeight(place, 10)
            grid.addWidget(row.title, place + 1, 0)
            grid.addWidget(row.purpose, place + 2, 0)
            grid.addWidget(row.state, place + 3, 0)
            grid.addWidget(row.button, place + 1, 1, 3, 1, Qt.AlignmentFlag.AlignVCenter)
            row.button.clicked.connect(partial(self._act, row))
            place += 4
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(head)
        layout.addLayout(grid)
        layout.addStretch(1)
        layout.addWidget(box)
        _fit(self, layout)
        workspace_extras.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Look again which are there."""
        self._extras.look(self._show)

    def _show(self, found: dict[str, FoundExtra | None]) -> None:
        for name, row in self.rows.items():
            row.show_state(found[name], self._extras.is_being_installed(name))

    def _act(self, row: _Row) -> None:
        if row.is_fetched:
            self._extras.remove(row.extra)
        else:
            self.install_wanted.emit(row.extra)


class _Row:
    """The widgets of one extra in the list.

    is_fetched  whether it can be removed
    """

    def __init__(self, extra: Extra):
        self.extra, self.is_fetched = extra, False
        self.title, self.purpose = _plain(tr(extra.title)), _plain(tr(extra.purpose))
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.state = Elided(Qt.TextElideMode.ElideMiddle)
        self.state.setObjectName("dim")
        self.button = QPushButton()
        self.button.setEnabled(False)
        words = (tr("Install…"), tr("Remove"))
        metrics = QFontMetrics(self.button.font())
        self.button.setMinimumWidth(max(map(metrics.horizontalAdvance, words)) + 32)
        self.button.setText(words[0])

    def show_state(self, found: FoundExtra | None, is_being_installed: bool) -> None:
        size = extras.wheels.download_size(self.extra)
        self.is_fetched = found is not None and found.source is ExtraSource.FETCHED
        if is_being_installed:
            text = tr("Being installed: the status bar shows how far it is")
        elif found is not None:
            text = _where(found)
        elif size is None:
            text = tr("Does not exist for this system and this version of Python")
        else:
            text = tr(
                "Not installed: {size} to download, {disk} MB on the disk",
                size=extras.wheels.size_text(size),
                disk=self.extra.disk[HERE],
            )
        self.state.set_text(text)
        self.button.setText(tr("Remove") if self.is_fetched else tr("Install…"))
        self.button.setAccessibleName(f"{self.button.text()} {self.title.text()}")
        self.button.setEnabled(self.is_fetched or (found is None and size is not None and not is_being_installed))
        self.button.setVisible(found is None or self.is_fetched)


def _where(found: FoundExtra) -> str:
    if found.source is ExtraSource.FETCHED:
        return tr("Installed in {path}", path=found.path)
    if found.source is ExtraSource.SYSTEM:
        return tr("Not needed: {path} does the same", path=found.path)
    return tr("Part of this environment: {path}", path=found.path)
