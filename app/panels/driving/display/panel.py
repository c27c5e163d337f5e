"""The display panel: content of the viewport. Flags by topic, frames, labels and groups.

It sets the options of the view. Neither the state nor the text of the model changes.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.menus.keys import shown
from kinetree.app.menus.table import ACTIONS, FLAG_GROUPS, GROUPS, plural
from kinetree.app.settings.table import SETTING_BY_NAME
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.filter import FilteredColumn, FilterEdit
from kinetree.app.widgets.panel import Panel
from kinetree.app.workspace.view import ViewModel
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine import scene
from kinetree.engine.scene.effects import EFFECTS, Effect
from kinetree.engine.scene.options import (
    FLAG_BY_NAME,
    FRAMES,
    LABELS,
    MOST_EXPOSURE,
    NGROUP,
    SHAPES,
    TONE_MAPPINGS,
    Flag,
    Frame,
    Label,
    Shapes,
    ToneMapping,
)
from kinetree.engine.translation import marked, tr

COLUMN = 130  # least width of a column of flags, pixels


class FlagBox(QCheckBox):
    """A flag, with the key that switches it, or an effect that is a switch."""

    def __init__(self, flag: Flag | Effect, parent: QWidget):
        super().__init__(tr(flag.label), parent)
        self.name, self.help = flag.name, tr(flag.help)
        key = flag.key if isinstance(flag, Flag) else ""
        self.setToolTip(tr("{help}   Key: {key}", help=self.help, key=shown([key])) if key else self.help)

    def matches(self, words: list[str]) -> bool:
        text = f"{self.text()} {self.help}".casefold()
        return all(word in text for word in words)


class FlagSection(QWidget):
    """A title and the flags that belong to it, in as many columns as there is room for."""

    def __init__(self, title: str, boxes: list[FlagBox], parent: QWidget):
        super().__init__(parent)
        self.title, self.boxes = title, boxes
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 6, 0, 0)
        self._grid.setVerticalSpacing(3)
        self._label = QLabel(title, self)
        self._label.setObjectName("dim")
        self._columns = 0

    def arrange(self, words: list[str], room: int) -> None:
        """Show the flags whose texts have every word, all of them if the title has; `room`: for columns, pixels."""
        widest = max(box.sizeHint().width() for box in self.boxes)
        columns = max(1, room // max(COLUMN, widest + 6))
        whole = bool(words) and all(word in self.title.casefold() for word in words)
        shown = [box for box in self.boxes if whole or box.matches(words)]
        self.setVisible(bool(shown))
        for box in self.boxes:
            self._grid.removeWidget(box)
            box.setVisible(box in shown)
        self._grid.addWidget(self._label, 0, 0, 1, columns)
        for column in range(max(columns, self._columns)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        self._columns = columns
        for place, box in enumerate(shown):
            self._grid.addWidget(box, 1 + place // columns, place % columns)


class DisplayPanel(Panel):
    """Shows and sets the options of the view of a workspace."""

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(parent)
        self._workspace, self._settings = workspace, settings
        self.filter = FilterEdit(self)
        self.filter.setPlaceholderText(tr("Filter display options"))
        self.filter.setAccessibleName(tr("Filter of the display options"))
        self.filter.textChanged.connect(self._arrange)
        self._inside = QWidget(self)
        column = QVBoxLayout(self._inside)
        column.setContentsMargins(10, 2, 10, 10)
        column.setSpacing(6)
        self.shapes = self._modes(tr("Shapes"), [(Shapes(mode), *row) for mode, row in SHAPES.items()], "shapes")
        self.frames = self._modes(tr("Frames"), [(Frame(mode), *row) for mode, row in FRAMES.items()], "frame")
        self.labels = self._modes(tr("Labels"), [(Label(mode), *row) for mode, row in LABELS.items()], "label")
        tones = [(ToneMapping(mode), *row) for mode, row in TONE_MAPPINGS.items()]
        self.tones = self._modes(tr("Tone mapping"), tones, "tonemap")
        for box, action in ((self.shapes, "show.shapes"), (self.frames, "show.frame"), (self.labels, "show.label")):
            row = next(row for row in ACTIONS if row.id == action)
            box.setToolTip(tr("{help}   Key: {key}", help=tr(row.help), key=shown(row.keys)))
        self.lines: list[tuple[QLabel, QWidget, str]] = []
        self._rows, rows = self._lines((self.shapes,))
        self.told = QLabel(self._rows)
        self.told.setObjectName("dim")
        self.told.setWordWrap(True)
        self.told.hide()
        rows.addWidget(self.told, rows.rowCount(), 0, 1, 2)
        for box in (self.frames, self.labels):
            self._add_box(rows, box)
        self.quality = self._quality()
        self.choices = {
            effect.name: self._modes(tr(effect.label), [(*each, effect.help) for each in effect.choices], effect.name)
            for effect in EFFECTS
            if effect.choices
        }
        self._light, rows = self._lines((self.tones, self.quality, *self.choices.values()))
        self._add_line(rows, tr("Exposure"), self._exposure(self._light))
        self.groups: dict[tuple[str, int], QToolButton] = {}
        self._groups = self._group_strips()
        self.boxes: dict[str, FlagBox] = {}
        self.sections: list[FlagSection] = []
        switches = (marked("Effects"), [effect for effect in EFFECTS if not effect.choices])
        for title, rows in (*((title, map(FLAG_BY_NAME.__getitem__, names)) for title, names in FLAG_GROUPS), switches):
            boxes = [FlagBox(row, self._inside) for row in rows]
            for box in boxes:
                box.clicked.connect(lambda on, name=box.name: self.view.set_option(name, on))
                self.boxes[box.name] = box
            self.sections.append(FlagSection(tr(title), boxes, self._inside))
        column.addWidget(self._rows)
        for section in self.sections:
            column.addWidget(section)
        column.addWidget(self._light)
        column.addWidget(self._groups)
        self._none = QLabel(tr("No display option has these words."), self._inside)
        self._none.setObjectName("dim")
        self._none.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._none)
        column.addStretch(1)
        area = QScrollArea(self)
        area.setAccessibleName(tr("Content of the viewport"))
        area.setWidget(self._inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        FilteredColumn(self, self.filter, area)
        self.setFocusProxy(self.filter)
        workspace.options_changed.connect(self.refresh)
        self._arrange()
        self.refresh()

    @property
    def view(self) -> ViewModel:
        """The view of the active viewport."""
        return self._workspace.view

    def _modes(self, name: str, modes: list[tuple[Any, str, str]], option: str) -> QComboBox:
        box = _box(self, name)
        for mode, label, help in modes:
            box.addItem(tr(label), mode)
            box.setItemData(box.count() - 1, tr(help), Qt.ItemDataRole.ToolTipRole)
        box.activated.connect(lambda index: self.view.set_option(option, modes[index][0]))
        return box

    def _quality(self) -> QComboBox:
        """The setting that chooses the effects."""
        row = SETTING_BY_NAME["viewport.quality"]
        box = _box(self, tr("Quality"))
        box.setToolTip(tr(row.help))
        for value, label in row.choices:
            box.addItem(tr(label), value)
        box.activated.connect(lambda index: self._set_quality(box.itemData(index)))
        return box

    def _set_quality(self, name: str) -> None:
        self._settings.set("viewport.quality", name)
        self._workspace.reset_effects()

    def _lines(self, boxes: tuple[QComboBox, ...]) -> tuple[QWidget, QGridLayout]:
        """Boxes below each other, with their names before them."""
        lines = QWidget(self._inside)
        grid = QGridLayout(lines)
        grid.setContentsMargins(0, 4, 0, 0)
        grid.setColumnMinimumWidth(0, self.fontMetrics().horizontalAdvance(tr("Tone mapping")) + 8)
        grid.setColumnStretch(1, 1)
        grid.setVerticalSpacing(4)
        for box in boxes:
            self._add_box(grid, box)
        return lines, grid

    def _add_box(self, grid: QGridLayout, box: QComboBox) -> None:
        """Add a box, which the filter finds by its choices too."""
        choices = [f"{box.itemText(i)} {box.itemData(i, Qt.ItemDataRole.ToolTipRole)}" for i in range(box.count())]
        self._add_line(grid, box.accessibleName(), box, " ".join(choices))

    def _add_line(self, grid: QGridLayout, name: str, field: QWidget, words: str = "") -> None:
        """Add a field with its name before it; `words`: more words by which the filter finds it."""
        label, line = QLabel(name, grid.parentWidget()), grid.rowCount()
        grid.addWidget(label, line, 0)
        grid.addWidget(field, line, 1)
        self.lines.append((label, field, f"{name} {words}".casefold()))

    def _exposure(self, parent: QWidget) -> QWidget:
        field = QWidget(parent)
        line = QHBoxLayout(field)
        line.setContentsMargins(0, 0, 0, 0)
        self.exposure = QLabel(self)
        self.exposure.setMinimumWidth(60)
        for text, stops, help in (("−", -0.5, tr("Darker by half a stop")), ("+", 0.5, tr("Brighter by half a stop"))):
            button = QToolButton(self)
            button.setText(text)
            button.setToolTip(help)
            button.setAccessibleName(help)
            button.clicked.connect(lambda _on, stops=stops: self._expose(stops))
            line.addWidget(button)
        line.insertWidget(1, self.exposure)
        self.exposure.setAlignment(Qt.AlignmentFlag.AlignCenter)
        line.addStretch(1)
        return field

    def _expose(self, stops: float) -> None:
        exposure = min(max(self.view.options.exposure + stops, -MOST_EXPOSURE), MOST_EXPOSURE)
        self.view.set_option("exposure", exposure)

    def _group_strips(self) -> QWidget:
        """A strip of six buttons for each kind that has groups."""
        strips = QWidget(self._inside)
        self._group_words = " ".join((tr("Groups"), *(tr(plural(kind)) for kind, _label, _held in GROUPS))).casefold()
        grid = QGridLayout(strips)
        grid.setContentsMargins(0, 6, 0, 0)
        grid.setVerticalSpacing(2)
        grid.setHorizontalSpacing(2)
        title = QLabel(tr("Groups"), strips)
        title.setObjectName("dim")
        grid.addWidget(title, 0, 0, 1, NGROUP + 2)
        for line, (kind, label, held) in enumerate(GROUPS, 1):
            name = QLabel(tr(plural(kind).capitalize()), strips)
            name.setContentsMargins(0, 0, 8, 0)
            grid.addWidget(name, line, 0)
            for number in range(NGROUP):
                button = self.groups[kind, number] = QToolButton(strips)
                button.setText(str(number))
                button.setCheckable(True)
                button.setAutoRaise(True)
                button.setFixedSize(24, 22)
                help = tr(f"Show the {plural(kind)} of group {number}")
                key = "" if held is None else shown([f"{held}{number}"])
                button.setToolTip(tr("{help}   Key: {key}", help=help, key=key) if key else help)
                button.setAccessibleName(tr(f"{label} Group {number}"))
                button.clicked.connect(lambda on, k=kind, n=number: self.view.set_group(k, n, on))
                grid.addWidget(button, line, number + 1)
        grid.setColumnStretch(NGROUP + 1, 1)
        return strips

    def refresh(self) -> None:
        """Show the options as they are."""
        options = self.view.options
        for name, box in self.boxes.items():
            box.setChecked(getattr(options, name))
        for (kind, number), button in self.groups.items():
            button.setChecked(getattr(options, f"{kind}group")[number])
        modes = {
            "shapes": self.shapes,
            "frame": self.frames,
            "label": self.labels,
            "tonemap": self.tones,
            **self.choices,
        }
        for name, box in modes.items():
            box.setCurrentIndex(box.findData(getattr(options, name)))
        self.quality.setCurrentIndex(self.quality.findData(self._settings.quality))
        model = self._workspace.simulation.model
        by_purpose = model is not None and options.shapes is not Shapes.GROUPS
        self.told.setVisible(by_purpose and not self.shapes.isHidden())
        if by_purpose:
            self.told.setText(scene.shapes.told(model, options))
        self.exposure.setText(
            tr("{exposure:+g} stops", exposure=options.exposure) if options.exposure else tr("As given")
        )

    def _arrange(self) -> None:
        words = self.filter.text().casefold().split()
        for label, field, known in self.lines:
            for each in (label, field):
                each.setVisible(all(word in known for word in words))
        for part in (self._rows, self._light):
            part.setVisible(any(not field.isHidden() and part.isAncestorOf(field) for _, field, _ in self.lines))
        self._groups.setVisible(all(word in self._group_words for word in words))
        for section in self.sections:
            section.arrange(words, self.width() - 20)
        self._none.setVisible(all(part.isHidden() for part in (self._rows, self._light, self._groups, *self.sections)))
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


def _box(parent: QWidget, name: str) -> QComboBox:
    """A box that is as wide as the panel leaves it, and not as its longest choice."""
    box = ComboBox(parent)
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(5)  # beside the longest name in German a panel of 300 pixels leaves no more
    return box
