"""The attributes of one kind of selection, by group: headings and rows, laid out in a column.

A form is made once for each kind of selection and shows any elements of that kind after that. Rows of groups that
are closed, or that the filter leaves out, are made when they are first needed.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from kinetree.app.panels.writing.inspector.details import tooltip
from kinetree.app.panels.writing.inspector.editors import NumbersEditor, make_editor
from kinetree.app.panels.writing.inspector.inspection import ORIENTATION, InspectedAttribute, Inspection, unit_of
from kinetree.app.panels.writing.inspector.orientation_editor import OrientationEditor
from kinetree.app.panels.writing.inspector.row import InspectorRow
from kinetree.app.settings import theme
from kinetree.app.settings.icons import draw_icon
from kinetree.app.widgets.numbers import NumbersField
from kinetree.app.widgets.text import TextField
from kinetree.engine.assist.in_force import ValueOrigin, class_of
from kinetree.engine.editing.orientation import FORMS
from kinetree.engine.mjcf import groups
from kinetree.engine.mjcf.unused import unused
from kinetree.engine.translation import marked, tr

UNUSED = marked("Not used")
"""The group of the attributes that the elements do not use, with the values that others have."""
CLOSED_AT_FIRST = frozenset({"Medium", "Constraint", "Contact override", "Copies", groups.OTHER, UNUSED})
FIRST = 0.012  # s of computing, for rows that are made in one go where they can be seen
BUDGET = 0.006  # s of computing, for those below, once all others are there
BELOW = 8  # free space below the last row, pixels


class Heading(QWidget):
    """Heading of a group of rows; a click opens and closes the group. `toggled()`."""

    toggled = Signal()

    def __init__(self, name: str, parent: QWidget):
        super().__init__(parent)
        self.title, self.is_open, self.count = tr(name), True, 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr(name))

    def sizeHint(self) -> QSize:
        return QSize(80, self.fontMetrics().height() + 10)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), theme.current()
        area = self.rect()
        painter.fillRect(area, QColor(colours.surface))
        painter.fillRect(QRect(0, 0, area.width(), 1), QColor(colours.line))
        arrow = QRect(6, (area.height() - 10) // 2, 10, 10)
        draw_icon(painter, arrow, "expanded" if self.is_open else "collapsed", "dim")
        font = self.font()
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QPen(QColor(colours.accent if self.hasFocus() else colours.text)))
        inside = area.adjusted(22, 0, -8, 0)
        title = painter.fontMetrics().elidedText(self.title, Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, title)
        if self.count:
            painter.setFont(self.font())
            painter.setPen(QPen(QColor(colours.dim)))
            text = tr("{count} set", count=self.count)
            painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        painter.end()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.toggled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.toggled.emit()
        else:
            super().keyPressEvent(event)


class Form(QWidget):
    """The rows of the inspector for one kind of selection. `made(Row)`: a row was made, to be connected."""

    made = Signal(object)

    def __init__(self, found: Inspection, closed: set[str], parent: QWidget | None = None):
        super().__init__(parent)
        self.found = found
        self.headings: dict[str, Heading] = {}
        self.rows: dict[str, InspectorRow] = {}
        self.filter, self.only_set = "", False
        self.read_only = False
        self._closed = closed
        self._names = {group: list(self._rows_of(group)) for group in found.groups}
        for group in (*self._names, UNUSED):
            heading = self.headings[group] = Heading(group, self)
            heading.toggled.connect(lambda group=group: self.toggle(group))
        self._shown: dict[str, tuple] = {}
        self._drafts: dict[tuple[int, ...], dict[str, object]] = {}
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._grow)
        self._budget = 0.0  # s, for rows below those that can be seen
        self._begun: float | None = None  # when the first row was made in this go

    def _rows_of(self, group: str) -> Iterable[str]:
        """The names of the rows of a group: one row for all forms of an orientation."""
        seen = False
        several = len(self.found.forms) > 1
        for known in self.found.groups[group]:
            if several and known.name in FORMS:
                if not seen:
                    yield ORIENTATION
                seen = True
            else:
                yield known.name

    # ---- what is shown -------------------------------------------------------------------------------

    def show_inspection(self, found: Inspection, read_only: bool = False) -> None:
        """Show other elements of the same kind, or the same ones after an edit."""
        others = _identities(found) != _identities(self.found)
        if others:
            self._put_drafts_away()
        self.found, self.read_only = found, read_only
        for name, row in self.rows.items():
            self._fill(name, row)
        if others:
            for name, draft in self._drafts.pop(_identities(found), {}).items():
                self.row(name).editor.restore(draft)
        self.arrange()

    def show_again(self, name: str) -> None:
        """Show what the text has, although it has not changed: an editor shows something else."""
        self._shown.pop(name, None)
        if name in self.rows:
            self._fill(name, self.rows[name])

    def _put_drafts_away(self) -> None:
        """Keep what is typed and was refused for when the same elements are shown again."""
        drafts = {name: row.editor.draft for name, row in self.rows.items()}
        drafts = {name: draft for name, draft in drafts.items() if draft is not None}
        if drafts:
            self._drafts[_identities(self.found)] = drafts
        for row in self.rows.values():
            row.editor.restore(None)
            row.set_refusal("")

    def set_filter(self, text: str, only_set: bool) -> None:
        """Show only attributes whose name or help has the text, and only those that are set."""
        wanted = text.strip().lower(), only_set
        if wanted != (self.filter, self.only_set):
            self.filter, self.only_set = wanted
            self.arrange()

    def toggle(self, group: str) -> None:
        """Open or close a group."""
        self._closed.symmetric_difference_update({group})
        self.arrange()

    def is_set(self, name: str) -> bool:
        """Whether the text sets an attribute, in the elements or in their classes."""
        if name == ORIENTATION:
            return any(self.found.items[form].is_set for form in self.found.forms)
        return self.found.items[name].is_set

    def is_shown(self, name: str) -> bool:
        """Whether the filter lets a row through."""
        if self.only_set and not self.is_set(name):
            return False
        if not self.filter:
            return True
        names = self.found.forms if name == ORIENTATION else (name,)
        texts = [name, *(text for each in names for text in (each, tr(self.found.items[each].row.help)))]
        return any(self.filter in text.lower() for text in texts)

    def row(self, name: str) -> InspectorRow:
        """The row of an attribute, which is made if need be."""
        if name not in self.rows:
            found, kind = self.found, self.found.row
            assert kind is not None
            if name == ORIENTATION:
                editor = OrientationEditor(kind, found.forms, self)
            else:
                editor = make_editor(kind, found.items[name].row, self)
            row = self.rows[name] = InspectorRow(name, editor, self)
            row.resized.connect(lambda: self._later.start(0))
            self.made.emit(row)
            self._fill(name, row)
        return self.rows[name]

    def _fill(self, name: str, row: InspectorRow) -> None:
        found = self.found
        read_only = self.read_only
        item = found.items[found.form if name == ORIENTATION else name]
        if name != ORIENTATION:
            hint = hint_of(found, item)
            type_ = found.items["type"].text if "type" in found.items else None
            state = (read_only, item.state, unit_of(found, item.row), hint, type_)
            if self._shown.get(name) == state:
                return
            self._shown[name] = state
            field = row.editor.line_field
            if isinstance(field, TextField) or (isinstance(field, NumbersField) and len(field.texts) == 1):
                field.hint = hint
        inherited = item.primary.where is not None and not item.is_written
        row.unit = unit_of(found, item.row)
        row.tip = tooltip(found, item)
        if isinstance(row.editor, NumbersEditor):
            row.editor.set_unit(row.unit)
        if isinstance(row.editor, NumbersEditor) and found.row is not None and "type" in found.items:
            row.editor.set_labels(groups.components(found.row, item.row, found.items["type"].text))
        if isinstance(row.editor, OrientationEditor):
            row.editor.show_inspection(found, read_only)
        else:
            row.editor.show_item(item, read_only)
        origin = item.origin if not item.is_written else ValueOrigin.WRITTEN
        row.set_state(origin, inherited, item.has_value, read_only)

    def _grouped(self) -> dict[str, list[str]]:
        """The rows of each group. Those that the elements do not use, and that are not written, are in the last one."""
        kind, items = self.found.row, self.found.items
        reasons = {} if kind is None else unused(kind, lambda name: items[name].text if name in items else None)
        apart = {name: reason for name, reason in reasons.items() if name in items and not items[name].is_written}
        found = {group: [name for name in names if name not in apart] for group, names in self._names.items()}
        found[UNUSED] = [name for names in self._names.values() for name in names if name in apart]
        if apart:
            why = Counter(reason for reason in apart.values() if reason.value).most_common(1)
            title = tr(UNUSED)
            if why:
                attribute, value = why[0][0]
                title = tr("Not used with {attribute} {value}", attribute=attribute, value=value)
            self.headings[UNUSED].title = title
            self.headings[UNUSED].setAccessibleName(title)
        return found

    # ---- layout --------------------------------------------------------------------------------------

    def _grow(self) -> None:
        """Make some more rows, for BUDGET seconds at most."""
        self._budget = BUDGET
        self.arrange()

    def _may_make(self, y: int) -> bool:
        """Whether a row at this height is made now: first what can be seen, the rest bit by bit."""
        parent, now = self.parentWidget(), time.thread_time()
        is_seen = y < (parent.height() if parent is not None else self.height())
        if self._begun is None:
            self._begun = now  # so that at least one is made
        return now - self._begun < (max(FIRST, self._budget) if is_seen else self._budget)

    def complete(self) -> None:
        """Make all rows now."""
        self._budget = math.inf
        self.arrange()

    def arrange(self) -> None:
        """Place the headings and rows that are to be seen."""
        width, y = self.width(), 0
        self._begun = None
        is_complete = True
        narrowed = bool(self.filter) or self.only_set
        order: list[QWidget] = []
        for group, every in self._grouped().items():
            heading = self.headings[group]
            names = [name for name in every if self.is_shown(name)] if is_complete else []
            is_open = bool(names) and (narrowed or group not in self._closed)
            heading.is_open, heading.count = is_open, sum(map(self.is_set, every))
            shown = set(names) if is_open else set()
            if not names:
                heading.hide()
            else:
                heading.setGeometry(0, y, width, heading.sizeHint().height())
                heading.show()
                heading.update()
                order.append(heading)
                y += heading.height()
            for name in every:
                if name not in shown:
                    if name in self.rows:
                        self.rows[name].hide()
                    continue
                if name not in self.rows and not (is_complete and self._may_make(y)):
                    is_complete = False
                if not is_complete:
                    if name in self.rows:
                        self.rows[name].hide()
                    continue
                row = self.row(name)
                height = row.arrange(width)
                row.setGeometry(0, y, width, height)
                row.show()
                order.append(row.editor)
                y += height
            y += 3 if names and is_open else 0
        self._budget = 0.0
        if is_complete:
            self._order(order)
        else:
            self._later.start(0)
        self.setMinimumHeight(y + BELOW)
        self.resize(width, max(y + BELOW, self.height() if self.parentWidget() is None else y + BELOW))

    def _order(self, order: list[QWidget]) -> None:
        """Let Tab go through the rows from top to bottom."""
        key = [id(each) for each in order]
        if key != getattr(self, "_ordered", None):
            self._ordered = key
            for before, after in pairwise(order):
                QWidget.setTabOrder(_last(before), after)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.arrange()

    @property
    def has_open_rows(self) -> bool:
        """Whether the details of any row are shown."""
        return any(row.is_open for row in self.rows.values())


def hint_of(found: Inspection, item: InspectedAttribute) -> str:
    """Hint for an attribute without a text: the value in force."""
    if item.text != "":
        return ""
    if item.row.name == "class" and found.row is not None and found.row.default is not None:
        return class_of(found.document, found.node).name
    if item.row.declares is not None and len(found.nodes) == 1:
        return found.language.name_of(found.node) or ""
    return tr("computed") if item.origin is ValueOrigin.COMPILER else ""


def _identities(found: Inspection) -> tuple[int, ...]:
    return tuple(node.id for node in found.nodes)


def _last(widget: QWidget) -> QWidget:
    return widget.focusProxy() or widget
