"""RenameBar: asks for another name of an element."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from kinetree.app.panels.writing.source.closing import Closing
from kinetree.app.widgets.labels import Elided
from kinetree.engine.translation import tr


class RenameBar(Closing):
    """Bar that asks for another name of an element. Signals: `wanted(str)`: the new name."""

    wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._title = Elided(Qt.TextElideMode.ElideMiddle, self)  # a long name must not make the panel wider
        self.name = QLineEdit(self)
        self.name.setAccessibleName(tr("Other name"))
        self.name.setMinimumWidth(120)
        self.name.setMaximumWidth(420)
        self.name.returnPressed.connect(lambda: self.wanted.emit(self.name.text()))
        self.name.textChanged.connect(lambda: self.show_reason(""))
        button = QPushButton(tr("Rename"), self)
        button.setAutoDefault(False)
        button.setToolTip(tr("Rename the element and all that refers to it, in all files"))
        button.clicked.connect(lambda: self.wanted.emit(self.name.text()))
        self._reason = Elided(parent=self)
        self._reason.setObjectName("dim")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 3, 4, 3)
        layout.addWidget(self._title, 2)
        layout.addWidget(self.name, 3)
        layout.addWidget(button)
        layout.addWidget(self._reason, 2)
        layout.addWidget(self.close_button)

    def begin(self, name: str, where: str = "") -> None:
        """Ask for the new name. `where`: the file of another model that declares it, or ""."""
        self._title.set_text(
            tr("Rename {name} of {file} to", name=name, file=where) if where else tr("Rename {name} to", name=name)
        )
        self.name.setText(name)
        self.show_reason("")
        self.show()
        self.name.setFocus()
        self.name.selectAll()

    def show_reason(self, text: str) -> None:
        """Show why the name cannot be used."""
        self._reason.set_text(text)
        self._reason.setVisible(bool(text))
