"""The options panel: the options and flags of the simulation, changed while it runs, for now.

What differs from the text of the model is marked, and can be put back one by one or all together. Save to Model puts
all of it into the text, as one step of the history.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.panels.driving.options.rows import OptionRow, as_text, option_rows, write_options
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.filter import FilteredColumn, FilterEdit
from kinetree.app.widgets.numbers import NumbersField
from kinetree.app.widgets.panel import Panel
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.translation import counted, marked, tr

GAP = 6  # between the columns, pixels
CHECK = 21  # width of the box of a flag, before its name, pixels
LEAST_EDITOR = 170  # width that editors need beside both names, with margins, pixels
SECTIONS = (
    (marked("Numbers"), "number"),
    (marked("Methods"), "choice"),
    (marked("Actuator Groups That Are Off"), "groups"),
    (marked("Flags"), "flag"),
)


class GroupButtons(QWidget):
    """A button for each group of the model's actuators: pressed where the group is off.

    Signal: `chosen(bits)`: these groups are to be off.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self._bits = 0
        self.buttons: dict[int, QToolButton] = {}
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(2)
        self._none = QLabel(tr("This model has no actuators."), self)
        self._none.setObjectName("dim")
        self._line.addWidget(self._none)
        self._line.addStretch(1)

    def show_groups(self, model: Any, bits: int) -> None:
        """Show a button for each actuator group of a model; the set bits are the disabled groups."""
        self._bits = bits
        counts = np.bincount([each for each in model.actuator_group.tolist() if 0 <= each <= 30], minlength=31)
        shown = [group for group in range(31) if counts[group] or bits >> group & 1]
        if shown != list(self.buttons):
            for button in self.buttons.values():
                self._line.removeWidget(button)
                button.deleteLater()
            self.buttons = {group: self._button(group) for group in shown}
        self._none.setVisible(not shown)
        for group, button in self.buttons.items():
            button.setChecked(bool(bits >> group & 1))
            count = int(counts[group])
            actuators = counted("{count} actuator", "{count} actuators", count)
            button.setToolTip(
                tr("Group {group}, {actuators}: pressed, it produces no force", group=group, actuators=actuators)
            )
            button.setAccessibleName(tr("Actuator group {group} off", group=group))

    def _button(self, group: int) -> QToolButton:
        button = QToolButton(self)
        button.setText(str(group))
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda _on: self.chosen.emit(self._bits ^ (1 << group)))
        self._line.insertWidget(self._line.count() - 1, button)
        return button


class OptionName(QWidget):
    """The name of an option in plain words, with that of MJCF beside it, or below it where there is no room."""

    def __init__(self, row: OptionRow, parent: QWidget, plain: QWidget | None = None):
        """plain: a widget that shows the plain name already."""
        super().__init__(parent)
        self.plain = plain or QLabel(tr(row.title), self)
        self.attribute = QLabel(row.attribute, self)
        self.attribute.setObjectName("dim")
        for label in (self.plain, self.attribute):
            label.setToolTip(tr(row.help))
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.addWidget(self.plain)
        self._line.addWidget(self.attribute)
        self.attribute.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.attribute.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def set_columns(self, plain: int, attribute: int, beside: bool) -> None:
        """Set the widths of both names, pixels; a longer plain name takes more."""
        plain = max(plain, self.plain.sizeHint().width())
        directions = QBoxLayout.Direction
        self._line.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
        self._line.setSpacing(GAP if beside else 0)
        self.plain.setFixedWidth(plain)
        self.attribute.setFixedWidth(attribute if beside else plain)
        self.setFixedWidth(plain + GAP + attribute if beside else plain)


class OptionEditor(QWidget):
    """One option: both names, editor, and the button that puts the model's value back."""

    def __init__(self, row: OptionRow, panel: OptionsPanel):
        super().__init__(panel)
        self.row = row
        self._panel = panel
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GAP)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnStretch(1, 1)
        self.editor = self._make()
        self.editor.setAccessibleName(f"{tr(row.title)} ({row.name})")
        self.editor.setToolTip(tr(row.help))
        self.name = OptionName(row, self, self.editor if row.kind == "flag" else None)
        self.label = self.name.plain
        self.back = QToolButton(self)
        self.back.setIcon(icon("revert"))
        self.back.setAutoRaise(True)
        self.back.setFixedSize(18, 22)
        self.back.setAccessibleName(tr("Put {name} back", name=row.name))
        self.back.clicked.connect(lambda: panel.put_back([row]))
        policy = self.back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(policy)
        self.name.setVisible(row.kind != "groups")

    def set_columns(self, plain: int, attribute: int, beside: bool) -> None:
        """Set the widths of both names, pixels. `plain`: with the box of a flag. Where there is no room beside them,
        several numbers stand in a line of their own."""
        is_flag = self.row.kind == "flag"
        is_own_line = not beside and (self.row.count > 1 or self.row.kind == "groups")
        self.name.set_columns(plain if beside or is_flag else plain - CHECK, attribute, beside or is_own_line)
        self.name.attribute.setIndent(CHECK if is_flag and not beside else 0)
        grid, line = self._grid, 1 if is_own_line else 0
        grid.addWidget(self.name, 0, 0, 1, 3 if is_own_line else 1, Qt.AlignmentFlag.AlignLeft)
        if not is_flag:
            grid.addWidget(self.editor, line, 0 if is_own_line else 1, 1, 2 if is_own_line else 1)
        grid.addWidget(self.back, line, 2)

    def _make(self) -> QWidget:
        row, panel = self.row, self._panel
        if row.kind == "flag":
            box = QCheckBox(tr(row.title), self)
            box.clicked.connect(lambda on: panel.set_now(row, on))
            return box
        if row.kind == "groups":
            groups = GroupButtons(self)
            groups.setObjectName(row.name)
            groups.chosen.connect(lambda bits: panel.set_now(row, bits))
            return groups
        if row.kind == "choice":
            choices = ComboBox(self)
            choices.addItems(list(row.choices))
            choices.activated.connect(lambda index: panel.set_now(row, index))
            return choices
        field = NumbersField(self)
        field.set_kind(row.count, integer=row.whole, low=row.least, columns=min(row.count, 3))
        field.check = lambda _cell, text: row.refusal(float(text))
        field.dragged.connect(lambda cell, value: panel.set_number(row, cell, value))
        field.typed.connect(lambda cell, text: panel.set_number(row, cell, float(text)))
        return field

    def show_value(self, value: Any, written: Any) -> None:
        """Show the current value, and whether it differs from the value of the model's text."""
        editor = self.editor
        if isinstance(editor, QCheckBox):
            editor.setChecked(bool(value))
        elif isinstance(editor, QComboBox):
            editor.setCurrentIndex(int(value))
        elif isinstance(editor, GroupButtons):
            editor.show_groups(self._panel.simulation.model, int(value))
        elif isinstance(editor, NumbersField):
            editor.show_values([as_text(each) for each in np.atleast_1d(value).tolist()])
        differs = not np.array_equal(value, written)
        self.back.setVisible(differs)
        words = self.row.words(written) or tr("none")
        self.back.setToolTip(tr("The model has {words}: put it back", words=words))
        font = self.label.font()
        font.setBold(differs)
        for widget in (self.label, editor):
            widget.setFont(font) if not isinstance(widget, NumbersField) else None


class OptionsPanel(Panel):
    """Shows and sets the options of the simulation of a workspace."""

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(parent)
        self.project, self.simulation = workspace.project, workspace.simulation
        self._queue = workspace.idle_queue
        self._shown: Any = None  # the Options that are shown
        self.filter = FilterEdit(self)
        self.filter.setPlaceholderText(tr("Filter options"))
        self.filter.setAccessibleName(tr("Filter of options"))
        self.filter.textChanged.connect(self._arrange)
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(8, 2, 2, 10)
        column.setSpacing(4)
        self.editors: dict[str, OptionEditor] = {}
        self._titles: list[tuple[QLabel, list[OptionEditor]]] = []
        rows = option_rows()
        for title, kind in SECTIONS:
            label = QLabel(tr(title), inside)
            label.setObjectName("dim")
            label.setContentsMargins(0, 6, 0, 0)
            column.addWidget(label)
            grid = QGridLayout()
            grid.setVerticalSpacing(3)
            editors = [OptionEditor(row, self) for row in rows if row.kind == kind]
            for number, editor in enumerate(editors):
                grid.addWidget(editor, number, 0)
                self.editors[editor.row.key] = editor
            column.addLayout(grid)
            self._titles.append((label, editors))
        self._none = QLabel("", inside)
        self._none.setObjectName("dim")
        self._none.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._none)
        column.addStretch(1)
        self.area = QScrollArea(self)
        self.area.setAccessibleName(tr("Options of the physics"))
        self.area.setWidget(inside)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._fit()
        self.write_all = QPushButton(tr("Save to Model"), self)
        self.write_all.setToolTip(tr("Save every option that differs into the text of the model, as one step"))
        self.write_all.clicked.connect(self.write)
        self.back_all = QPushButton(tr("Put All Back"), self)
        self.back_all.setToolTip(tr("Give every option the value that the text of the model has"))
        self.back_all.clicked.connect(lambda: self.put_back(self.changed()))
        bottom = QHBoxLayout()
        bottom.setContentsMargins(6, 4, 6, 6)
        bottom.setSpacing(4)
        for button in (self.write_all, self.back_all):
            button.setObjectName("small")
            bottom.addWidget(button)
        bottom.addStretch(1)
        FilteredColumn(self, self.filter, self.area).addLayout(bottom)
        self.setFocusProxy(self.filter)
        for signal in (self.simulation.snapshot_changed, self.simulation.model_changed):
            signal.connect(self._follow)
        self.simulation.model_changed.connect(self._arrange)
        self._arrange()
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give names and editors columns; MJCF's names go below the plain ones in a narrow panel."""
        bold = QFont(self.font())
        bold.setBold(True)  # what differs from the text is
        rows = [editor.row for editor in self.editors.values()]
        numbers = [row for row in rows if row.kind != "flag"]
        plain = max(QFontMetrics(bold).horizontalAdvance(tr(row.title)) for row in numbers) + CHECK
        attribute = max(self.fontMetrics().horizontalAdvance(row.attribute) for row in rows) + 2
        beside = self.width() - plain - attribute >= LEAST_EDITOR
        for editor in self.editors.values():
            editor.set_columns(plain, attribute, beside)

    # ---- values ------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        if self.isVisible() and not self.visibleRegion().isEmpty():
            self._queue.ask(self.refresh)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.refresh()  # it comes from behind another tab

    def refresh(self) -> None:
        """Show the options as they are now."""
        model, snapshot = self.simulation.model, self.simulation.snapshot
        opt = snapshot.opt if snapshot is not None and snapshot.model is model else None
        if opt is self._shown and opt is not None:
            return
        if opt is None and model is not None and self._shown is not None:
            return  # until there is a state of the new model; fields that are disabled meanwhile lose the keyboard
        self._shown = opt
        self.area.setEnabled(opt is not None)
        if opt is not None and model is not None:
            for editor in self.editors.values():
                editor.show_value(editor.row.read(opt), editor.row.read(model.opt))
        changed = bool(self.changed())
        document = self.project.document
        self.write_all.setEnabled(changed and document is not None and document.root.tag == "mujoco")
        self.back_all.setEnabled(changed)

    def changed(self) -> list[OptionRow]:
        """The options that differ from the text."""
        model = self.simulation.model
        if self._shown is None or model is None:
            return []
        rows = [editor.row for editor in self.editors.values()]
        return [row for row in rows if not np.array_equal(row.read(self._shown), row.read(model.opt))]

    def set_now(self, row: OptionRow, value: Any) -> None:
        """Set an option of the running simulation."""
        if self._shown is not None:
            name, new = row.command(self._shown, value)
            self.simulation.post(requests.SetOption(name, new))
            self.simulation.post(requests.Publish())

    def set_number(self, row: OptionRow, cell: int, value: float) -> None:
        """Set one number of an option."""
        if self._shown is None:
            return
        values = np.atleast_1d(row.read(self._shown)).astype(float)
        values[cell] = value
        self.set_now(row, values if row.count > 1 else int(value) if row.whole else float(value))

    def put_back(self, rows: list[OptionRow]) -> None:
        """Give options the values of the model's text."""
        model = self.simulation.model
        if model is None or self._shown is None:
            return
        bits: dict[str, int] = {}
        for row in rows:
            value = row.read(model.opt)
            if row.kind == "flag":  # several flags are bits of one number
                bits[row.field] = row.with_bit(bits.get(row.field, int(getattr(self._shown, row.field))), bool(value))
            else:
                self.simulation.post(requests.SetOption(row.field, value))
        for name, number in bits.items():
            self.simulation.post(requests.SetOption(name, number))
        self.simulation.post(requests.Publish())

    def write(self) -> None:
        """Write what differs into the text."""
        document, opt = self.project.document, self._shown
        if document is not None and opt is not None:
            self.project.apply(tr("Set options"), write_options(document, self.changed(), opt))

    # ---- filter ------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        words = self.filter.text().casefold().split()
        is_open = self.simulation.model is not None
        for label, editors in self._titles:
            for editor in editors:
                text = f"{tr(editor.row.title)} {editor.row.name} {tr(editor.row.help)}".casefold()
                editor.setVisible(is_open and all(word in text for word in words))
            label.setVisible(any(not editor.isHidden() for editor in editors))
        if any(not each.isHidden() for each in self.editors.values()):
            self._none.setText("")
        else:
            self._none.setText(tr("No option has these words.") if is_open else tr("No model is open."))
