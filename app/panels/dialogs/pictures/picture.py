"""The dialog about a picture that is to be saved or copied."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from kinetree.app.panels.dialogs.pictures.size import SizeRow, samples_box
from kinetree.app.pictures.formats import CONTENTS, MOST, PICTURES, Content
from kinetree.app.widgets.boxes import ComboBox
from kinetree.engine.translation import tr

AS_SHOWN = "shown"


@dataclass(frozen=True, slots=True)
class PictureChoice:
    """Options of a picture. `content` is None for the viewport as it is, with all overlays."""

    content: Content | None
    width: int
    height: int
    samples: int
    transparent: bool
    planes: bool


class PictureDialog(QDialog):
    """Dialog for pictures. `save_wanted(Choice)`, `copy_wanted(Choice)`: the dialog closes then."""

    save_wanted = Signal(object)
    copy_wanted = Signal(object)

    def __init__(self, shown: QSize, samples: int, last: PictureChoice | None, parent: QWidget | None = None):
        """shown: size of the viewport, pixels. samples: of the viewport. last: what was wanted the last time."""
        super().__init__(parent)
        self.setWindowTitle(tr("Save Picture"))
        self.content = ComboBox(self)
        self.content.addItem(tr("As shown, with labels and handles"), AS_SHOWN)
        for content, (name, help) in CONTENTS.items():
            self.content.addItem(tr(name), content)
            self.content.setItemData(self.content.count() - 1, tr(help), Qt.ItemDataRole.ToolTipRole)
        self.content.setCurrentIndex(1)
        self.size_ = SizeRow(shown, MOST, self)
        self.samples = samples_box(samples, self)
        self.transparent = QCheckBox(tr("Transparent background"), self)
        self.transparent.setToolTip(tr("No sky: what lies behind the picture shows through. PNG and WebP can do that."))
        self.planes = QCheckBox(tr("Infinite floors"), self)
        self.planes.setChecked(True)
        self.planes.setToolTip(tr("Off: planes without an end are left out, so that only the objects are seen"))
        self.note = QLabel(self)
        self.note.setObjectName("dim")
        self.note.setWordWrap(True)
        form = QFormLayout()
        form.addRow(tr("Content"), self.content)
        form.addRow(tr("Size"), self.size_)
        form.addRow(tr("Smooth edges"), self.samples)
        form.addRow("", self.transparent)
        form.addRow("", self.planes)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.copy = box.addButton(tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        self.save = box.addButton(tr("Save…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.save.setDefault(True)
        self.save.clicked.connect(lambda: self._end(self.save_wanted))
        self.copy.clicked.connect(lambda: self._end(self.copy_wanted))
        box.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addLayout(form)
        layout.addWidget(self.note)
        layout.addWidget(box)
        if last is not None:
            self.content.setCurrentIndex(self.content.findData(AS_SHOWN if last.content is None else last.content))
            self.samples.setCurrentIndex(max(0, self.samples.findData(last.samples)))
            self.transparent.setChecked(last.transparent)
            self.planes.setChecked(last.planes)
        self.content.currentIndexChanged.connect(self._follow)
        self._follow()

    def choice(self) -> PictureChoice:
        """The present choice."""
        content = self.content.currentData()
        drawn = None if content == AS_SHOWN else Content(content)
        transparent = self.transparent.isChecked() and drawn is Content.COLORS
        samples = self.samples.currentData() if drawn is Content.COLORS else 1
        return PictureChoice(drawn, *self.size_.pixels, samples, transparent, self.planes.isChecked())

    def _follow(self) -> None:
        """Offer what the content can have."""
        choice = self.choice()
        content = choice.content
        self.size_.setEnabled(content is not None)
        self.samples.setEnabled(content is Content.COLORS)
        self.transparent.setEnabled(content is Content.COLORS)
        self.planes.setEnabled(content is not None)
        self.copy.setEnabled(content in (None, Content.COLORS))
        self.note.setText(
            "" if content in (None, Content.COLORS) else tr("{sentence}.", sentence=tr(CONTENTS[content][1]))
        )
        self.note.setVisible(bool(self.note.text()))

    def _end(self, signal: SignalInstance) -> None:
        choice = self.choice()
        self.accept()
        signal.emit(choice)


def file_filters(choice: PictureChoice) -> list[str]:
    """The kinds of files that can hold what is wanted, for a file dialog; the usual one first."""
    content = choice.content or Content.COLORS
    kinds: dict[str, list[str]] = {}
    for ending, form in PICTURES.items():
        if content in form.holds and (form.alpha or not choice.transparent):
            kinds.setdefault(form.name, []).append(f"*{ending}")
    return [f"{name} ({' '.join(endings)})" for name, endings in kinds.items()]
