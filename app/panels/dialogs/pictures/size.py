"""The rows of a dialog that say how large a picture is, and how fine."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.spin import SpinBox
from kinetree.engine.translation import marked, tr

SIZES: tuple[tuple[str, int, int], ...] = (
    ("HD", 1280, 720),
    (marked("Full HD"), 1920, 1080),
    ("QHD", 2560, 1440),
    ("4K", 3840, 2160),
    ("8K", 7680, 4320),
    (marked("Square"), 1080, 1080),
    (marked("Upright"), 1080, 1920),
)
"""Name, width and height in pixels."""
SAMPLES: tuple[tuple[str, int], ...] = (
    (marked("None"), 1),
    (marked("Fine (4 samples)"), 4),
    (marked("Finest (16 samples)"), 16),
)
"""Smoothing of edges, by samples a pixel."""


class SizeRow(QWidget):
    """A choice of usual sizes, and width and height as numbers. `changed()`."""

    changed = Signal()

    def __init__(self, shown: QSize, most: int, parent: QWidget | None = None):
        """shown: size of the viewport, pixels. most: along a side."""
        super().__init__(parent)
        self.usual = ComboBox(self)
        self.usual.setAccessibleName(tr("Usual sizes"))
        self.usual.addItem(tr("As the viewport"), (shown.width(), shown.height()))
        for name, width, height in SIZES:
            self.usual.addItem(f"{tr(name)}, {width} × {height}", (width, height))
        self.usual.addItem(tr("Other"), None)
        self.width_, self.height_ = SpinBox(self), SpinBox(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.usual, 1)
        for name, box, value in (
            (tr("Width"), self.width_, shown.width()),
            (tr("Height"), self.height_, shown.height()),
        ):
            box.setRange(1, most)
            box.setValue(value)
            box.setAccessibleName(name)
            box.setToolTip(tr("{name} in pixels", name=name))
            box.valueChanged.connect(self._follow_numbers)
        for widget in (self.width_, QLabel("×", self), self.height_):
            row.addWidget(widget)
        self.usual.currentIndexChanged.connect(self._follow_usual)

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height."""
        return self.width_.value(), self.height_.value()

    def set_pixels(self, width: int, height: int) -> None:
        self.width_.setValue(width)
        self.height_.setValue(height)

    def _follow_usual(self) -> None:
        chosen = self.usual.currentData()
        if chosen is not None:
            self.set_pixels(*chosen)

    def _follow_numbers(self) -> None:
        known = self.usual.findData(self.pixels)
        if self.usual.currentData() != self.pixels:
            self.usual.blockSignals(True)
            self.usual.setCurrentIndex(known if known >= 0 else self.usual.count() - 1)
            self.usual.blockSignals(False)
        self.changed.emit()


def samples_box(samples: int, parent: QWidget) -> QComboBox:
    """A choice of how smooth edges are."""
    box = ComboBox(parent)
    for name, number in SAMPLES:
        box.addItem(tr(name), number)
    box.setCurrentIndex(max(0, box.findData(samples)))
    box.setToolTip(tr("Each pixel is the mean of so many samples"))
    return box
