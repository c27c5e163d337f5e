"""Dialog for a video drawn frame by frame: of the recorded past, or of a camera that circles the current state."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.panels.dialogs.pictures.size import SizeRow, samples_box
from kinetree.app.pictures.film import LONGEST, Film
from kinetree.app.pictures.formats import VIDEOS
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.spin import DoubleSpinBox
from kinetree.engine.translation import tr

SPAN, PAST, TURNTABLE = "span", "past", "turntable"
RATES = (24, 25, 30, 50, 60)
MOST = 8192
USUAL = 10.0
"""Length that is offered first, s."""


@dataclass(frozen=True, slots=True)
class VideoChoice:
    """Options of a video.

    seconds  how much of the recorded past it shows, up to its end; 0 for the current state
    span     its first and last step, in place of the end of the past; None without
    """

    seconds: float
    film: Film
    width: int
    height: int
    samples: int
    planes: bool
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class SelectedSpan:
    """A part of the timeline that the user selected: its first and last step, and its simulated time, s."""

    steps: tuple[int, int]
    seconds: float


class VideoDialog(QDialog):
    """Dialog for videos. `save_wanted(VideoChoice)`: the dialog closes then."""

    save_wanted = Signal(object)

    def __init__(
        self,
        shown: QSize,
        samples: int,
        recorded: float,
        parent: QWidget | None = None,
        span: SelectedSpan | None = None,
    ):
        """shown: size of the viewport, pixels. samples: of the viewport. recorded: length of the past, s. span: its
        selected part."""
        super().__init__(parent)
        self._span = span
        self.setWindowTitle(tr("Save Video"))
        self.shows = ComboBox(self)
        if span is not None:
            self.shows.addItem(tr("The selected span ({seconds:.2f} s)", seconds=span.seconds), SPAN)
        self.shows.addItem(tr("The past ({recorded:.1f} s recorded)", recorded=recorded), PAST)
        self.shows.addItem(tr("This moment, from all sides"), TURNTABLE)
        self.seconds = _number(0.1, max(0.1, recorded), min(USUAL, recorded), " s", tr("Simulated time up to now"))
        self.speed = _number(0.001, 1000.0, 1.0, " ×", tr("Simulated time for each second of the video"), 3)
        self.length = _number(0.1, 3600.0, USUAL, " s", tr("Length of the video"))
        self.turn = _number(-3600.0, 3600.0, 0.0, "°", tr("How far the camera goes around what it looks at"), 0)
        self.rate = ComboBox(self)
        for each in RATES:
            self.rate.addItem(f"{each}", float(each))
        self.rate.setCurrentIndex(RATES.index(30))
        self.rate.setToolTip(tr("Frames a second. A GIF can show 10, 20, 25 or 50."))
        self.size_ = SizeRow(QSize(shown.width() & ~1, shown.height() & ~1), MOST, self)
        self.samples = samples_box(samples, self)
        self.planes = QCheckBox(tr("Infinite floors"), self)
        self.planes.setChecked(True)
        self.note = QLabel(self)
        self.note.setObjectName("dim")
        self.note.setWordWrap(True)
        self.form = QFormLayout()
        for title, widget in (
            (tr("Shows"), self.shows),
            (tr("The last"), self.seconds),
            (tr("Speed"), self.speed),
            (tr("Length"), self.length),
            (tr("Camera turns by"), self.turn),
            (tr("Frames a second"), self.rate),
            (tr("Size"), self.size_),
            (tr("Smooth edges"), self.samples),
            ("", self.planes),
        ):
            self.form.addRow(title, widget)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.save = box.addButton(tr("Save…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.save.setDefault(True)
        self.save.clicked.connect(self._end)
        box.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addLayout(self.form)
        layout.addWidget(self.note)
        layout.addWidget(box)
        if recorded < 0.1:
            self.shows.removeItem(self.shows.findData(PAST))
        for signal in (
            self.shows.currentIndexChanged, self.seconds.valueChanged, self.speed.valueChanged, self.turn.valueChanged,
            self.length.valueChanged, self.rate.currentIndexChanged, self.size_.changed,
        ):  # fmt: skip
            signal.connect(self._follow)
        self.shows.currentIndexChanged.connect(self._offer_turn)
        self._offer_turn()
        self._follow()

    @property
    def is_past(self) -> bool:
        """Whether it shows recorded states."""
        return self.shows.currentData() in (PAST, SPAN)

    def choice(self) -> VideoChoice:
        """The present choice."""
        fps = self.rate.currentData()
        span = self._span if self.shows.currentData() == SPAN else None
        speed = self.speed.value() if self.is_past else 0.0
        seconds = span.seconds if span is not None else self.seconds.value() if self.is_past else 0.0
        length = seconds / speed if self.is_past else self.length.value()
        film = Film(max(1, min(LONGEST, round(length * fps))), fps, speed, self.turn.value())
        steps = span.steps if span is not None else None
        planes = self.planes.isChecked()
        return VideoChoice(seconds, film, *self.size_.pixels, self.samples.currentData(), planes, steps)

    def _offer_turn(self) -> None:
        self.turn.setValue(0.0 if self.is_past else 360.0)

    def _follow(self) -> None:
        self.form.setRowVisible(self.seconds, self.shows.currentData() == PAST)
        self.form.setRowVisible(self.speed, self.is_past)
        self.form.setRowVisible(self.length, not self.is_past)
        choice = self.choice()
        film = choice.film
        text = tr("{frames:,} frames, {seconds:.1f} s.", frames=film.frames, seconds=film.frames / film.fps)
        is_even = not (choice.width % 2 or choice.height % 2)
        if not is_even:
            text += " " + tr("Width and height must be even.")
        self.note.setText(text)
        self.save.setEnabled(is_even)

    def _end(self) -> None:
        choice = self.choice()
        self.accept()
        self.save_wanted.emit(choice)


def video_filters(fps: float | None = None) -> list[str]:
    """The kinds of files for a file dialog that can show so many frames a second; None: all."""
    return [
        f"{form.name} (*{ending})"
        for ending, form in VIDEOS.items()
        if form.rates is None or fps is None or fps in form.rates
    ]


def _number(least: float, most: float, value: float, unit: str, help: str, digits: int = 1) -> QDoubleSpinBox:
    box = DoubleSpinBox()
    box.setDecimals(digits)
    box.setRange(least, most)
    box.setValue(value)
    box.setSuffix(unit)
    box.setToolTip(help)
    return box
