"""The dialog that makes a default class of common attributes."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from kinetree.engine.translation import counted, tr


class ExtractDialog(QDialog):
    """Asks for the name of a new default class, and the attributes that go into it. `wanted(name, attributes)`: the
    user agrees; the dialog stays open until the caller accepts it."""

    wanted = Signal(str, list)

    def __init__(self, tag: str, count: int, shared: dict[str, str], parent: QWidget | None = None):
        super().__init__(parent)
        self.setWindowTitle(tr("Extract Default Class"))
        self.resize(420, 360)
        text = QLabel(
            counted(
                "The selected <{tag}> has these attributes. The chosen ones move to a class.",
                "The {count} selected <{tag}> elements have these attributes in common. The chosen ones move to a "
                "class.",
                count,
                tag=tag,
            )
        )
        text.setWordWrap(True)
        text.setTextFormat(Qt.TextFormat.PlainText)
        self.name = QLineEdit()
        self.name.setPlaceholderText(tr("visual, rubber, finger…"))
        self.name.textChanged.connect(self._check)
        self.list = QListWidget()
        self.list.setSpacing(3)
        for name, value in shared.items():
            item = QListWidgetItem(f'{name}="{value}"')
            item.setData(Qt.ItemDataRole.UserRole, name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.list.addItem(item)
        self.list.itemChanged.connect(self._check)
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.button = self.box.addButton(tr("Extract"), QDialogButtonBox.ButtonRole.ActionRole)
        self.button.setDefault(True)
        self.button.clicked.connect(lambda: self.wanted.emit(self.name.text().strip(), self.chosen))
        self.box.rejected.connect(self.reject)
        form = QFormLayout()
        form.addRow(tr("Name of the class"), self.name)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(text)
        layout.addLayout(form)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.box)
        self._check()
        self.name.setFocus()

    @property
    def chosen(self) -> list[str]:
        """The names of the chosen attributes."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return [item.data(Qt.ItemDataRole.UserRole) for item in items if item.checkState() is Qt.CheckState.Checked]

    def _check(self) -> None:
        self.button.setEnabled(bool(self.name.text().strip()) and bool(self.chosen))
