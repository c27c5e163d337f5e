"""The problems panel: a table of the errors and warnings about the current version of the file.

Equal findings are one row with their number, which opens to a row for each. A row says which element it is about, and
has a link that applies the first quick fix; its menu has the others.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import (
    QAbstractTableModel,
    QMargins,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QMessageBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolButton,
    QWidget,
)

from kinetree.app.settings import theme
from kinetree.app.settings.icons import draw_icon, icon
from kinetree.app.widgets.empty import paint_empty
from kinetree.app.widgets.filter import FilteredColumn, FilterEdit
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.engine import check
from kinetree.engine.diagnostics import Diagnostic, Severity
from kinetree.engine.translation import counted, marked, tr

if TYPE_CHECKING:
    from kinetree.engine.editing.fixes import Fix

Index = QModelIndex | QPersistentModelIndex

MESSAGE, ELEMENT, FIX, FILE, LINE, CODE = range(6)
COLUMNS = (marked("Message"), marked("Element"), marked("Fix"), marked("File"), marked("Line"), marked("Code"))
ROW_PADDING = 6  # pixels
ARROW = 18
"""Pixels before the messages for the arrow of a row that opens, where there is such a row."""
MANY = 8
"""Rows from which on there is a search field: fewer are seen at once, and the panel is low."""
FROM_WIDTH = {CODE: 900, ELEMENT: 480, FILE: 400, LINE: 240}
"""Columns that a narrow panel leaves to the message, and from which width on they are shown, pixels."""
WIDTHS = {ELEMENT: 190, FIX: 250, FILE: 130, LINE: 66, CODE: 150}
SHORT, SHORT_UNTIL = {ELEMENT: 150}, 1000
"""Widths of columns in a panel that is narrower than so many pixels: there, fixes have no titles."""
ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def counts(diagnostics: list[Diagnostic]) -> dict[Severity, int]:
    """How many findings of each severity there are."""
    result = dict.fromkeys(Severity, 0)
    for item in diagnostics:
        result[item.severity] += 1
    return result


def _searched(item: Diagnostic) -> str:
    return f"{item.message} {os.path.basename(item.file)} {item.code}".casefold()


def place_of(item: Diagnostic) -> str:
    """The location as file:line:column."""
    return f"{item.file}:{item.line}:{item.column}"


@dataclass(eq=False)
class Row:
    """A row: one finding, a group of equal ones, or one of those below its group.

    items     the findings; the row shows the first one
    group     the row of the group that it stands below
    is_open   whether the findings of the group have rows of their own
    element   the element that the finding is about, and
    fixes     its quick fixes; None before they are asked for
    """

    items: list[Diagnostic]
    group: Row | None = None
    is_open: bool = False
    element: str | None = None
    fixes: Sequence[Fix] | None = None

    @property
    def item(self) -> Diagnostic:
        return self.items[0]

    @property
    def message(self) -> str:
        """The message; that of the last finding of a kind also says how many more there are."""
        return max((item.message for item in self.items), key=len)


def grouped(items: Sequence[Diagnostic]) -> list[Row]:
    """A row for each finding; equal ones, which differ in their place alone, share one."""
    rows: list[Row] = []
    alike: dict[tuple[Severity, str, tuple[str, ...]], list[Row]] = {}
    for item in items:
        same = alike.setdefault((item.severity, item.code, item.facts), [])
        row = next((row for row in reversed(same) if _is_same(row.item.message, item.message)), None)
        if row is None:
            row = Row([])
            rows.append(row)
            same.append(row)
        row.items.append(item)
    return rows


def _is_same(message: str, other: str) -> bool:
    """Whether two messages are equal, but for the number of further findings that the last one of a kind has."""
    return message == other or (other.startswith(f"{message} (") and other.endswith(")"))


class ProblemsModel(QAbstractTableModel):
    """Findings by row. Elements and fixes are asked for when a row is first shown."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.items: list[Diagnostic] = []
        self.rows: list[Row] = []
        self.describe: Callable[[Diagnostic], str] = lambda item: ""
        self.fixes_of: Callable[[Diagnostic], Sequence[Fix]] = lambda item: ()
        self.with_titles = True
        self._open: set[tuple[str, str]] = set()  # groups that the user has opened

    @property
    def has_groups(self) -> bool:
        """Whether any row can be opened."""
        return any(len(row.items) > 1 for row in self.rows)

    def set_items(self, items: list[Diagnostic]) -> None:
        """Set the findings: errors first, otherwise in the order of the text."""
        self.beginResetModel()
        self.items = sorted(items, key=lambda item: ORDER[item.severity])
        self.rows = []
        for row in grouped(self.items):
            row.is_open = len(row.items) > 1 and _key(row) in self._open
            self.rows += [row, *(_below(row) if row.is_open else ())]
        self.endResetModel()

    def toggle(self, number: int, open: bool | None = None) -> None:
        """Open or close the group of a row; `open` says which, None the other one of the two."""
        row = self.rows[number]
        if row.group is not None and open is False:
            number = self.rows.index(row.group)
            row = row.group
        if len(row.items) < 2 or row.is_open == open:
            return
        row.is_open = not row.is_open
        self.layoutAboutToBeChanged.emit()
        if row.is_open:
            self._open.add(_key(row))
            self.rows[number + 1 : number + 1] = _below(row)
        else:
            self._open.discard(_key(row))
            del self.rows[number + 1 : number + 1 + len(row.items)]
        self.layoutChanged.emit()

    def fixes(self, number: int) -> Sequence[Fix]:
        """The quick fixes of a row's finding."""
        row = self.rows[number]
        if row.fixes is None:
            row.fixes = self.fixes_of(row.item)
        return row.fixes

    def element(self, number: int) -> str:
        """The element that a row is about; of a group the number of places."""
        row = self.rows[number]
        if len(row.items) > 1:
            return counted("{count} place", "{count} places", len(row.items))
        if row.element is None:
            row.element = self.describe(row.item)
        return row.element

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole):
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return tr(COLUMNS[section])
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        number, column = index.row(), index.column()
        row = self.rows[number]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(number, column)
        if role == Qt.ItemDataRole.DecorationRole and column == MESSAGE and row.group is None:
            return icon(row.item.severity.value, row.item.severity.value)
        if role == Qt.ItemDataRole.ToolTipRole and column == FIX:
            return "\n".join(fix.title for fix in self.fixes(number)) or None
        if role == Qt.ItemDataRole.ToolTipRole:
            place = place_of(row.item) if len(row.items) == 1 else self.element(number)
            return "\n".join(filter(None, (place, row.message, self.element(number) if len(row.items) == 1 else "")))
        if role == Qt.ItemDataRole.ForegroundRole and column == FIX:
            return QColor(theme.current().accent)
        return None

    def _text(self, number: int, column: int) -> str:
        row = self.rows[number]
        match column:
            case 0:
                return row.message if row.group is None else self.element(number) or place_of(row.item)
            case 1:
                return self.element(number) if row.group is None else ""
            case 2:
                return self._fix(number)
            case 3:
                return os.path.basename(row.item.file) if len({item.file for item in row.items}) == 1 else ""
            case 4:
                return f"{row.item.line}:{row.item.column}" if len(row.items) == 1 else ""
            case _:
                return row.item.code if row.group is None else ""

    def _fix(self, number: int) -> str:
        fixes, count = self.fixes(number), len(self.rows[number].items)
        if not fixes:
            return ""
        if count > 1:
            return tr("Fix All {count}", count=count)
        return fixes[0].title if self.with_titles else tr("Fix")


def _key(row: Row) -> tuple[str, str]:
    return row.item.code, row.item.message


def _below(row: Row) -> list[Row]:
    return [Row([item], row) for item in row.items]


class _CellDelegate(QStyledItemDelegate):
    """Draws cells; the mouse underlines links."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if index.column() == FIX and option.state & QStyle.StateFlag.State_MouseOver:
            option.font.setUnderline(True)


class _MessageDelegate(_CellDelegate):
    """Draws messages behind the arrow of rows that open; findings below their group are indented."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, area = cast(ProblemsModel, index.model()), QRect(option.rect)
        row = model.rows[index.row()]
        super().paint(painter, _moved(option, self._shift(model, row)), index)
        if len(row.items) > 1:
            side = 12
            top = area.top() + ROW_PADDING // 2 + (option.fontMetrics.height() - side) // 2
            place = QRect(area.left() + (ARROW - side) // 2, top, side, side)
            draw_icon(painter, place, "expanded" if row.is_open else "collapsed", "dim")

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        model = cast(ProblemsModel, index.model())
        shift = self._shift(model, model.rows[index.row()])
        return super().sizeHint(_moved(option, shift), index) + QSize(shift, 0)

    @staticmethod
    def _shift(model: ProblemsModel, row: Row) -> int:
        return 0 if not model.has_groups else ARROW if row.group is None else 2 * ARROW + 8


def _moved(option: QStyleOptionViewItem, shift: int) -> QStyleOptionViewItem:
    moved = QStyleOptionViewItem(option)
    moved.rect = option.rect.adjusted(shift, 0, 0, 0)
    return moved


class _ProblemsView(QTableView):
    """A table whose rows are as high as their texts need. Only rows that come into view are measured.

    empty  what is written where there are no rows

    `copy_wanted(index)` when Ctrl+C is pressed, `open_wanted(index)` when Return is, `fixes_wanted(index)` when
    Alt+Return is.
    """

    copy_wanted = Signal(QModelIndex)
    open_wanted = Signal(QModelIndex)
    fixes_wanted = Signal(QModelIndex)
    empty = ""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self._fitted: set[int] = set()
        self._fitted_width = 0  # of the messages' column
        self.setWordWrap(True)
        self.setObjectName("problems-table")
        self.setMouseTracking(True)
        self.setItemDelegate(_CellDelegate(self))
        self.setItemDelegateForColumn(MESSAGE, _MessageDelegate(self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().valueChanged.connect(self._fit)
        self.horizontalHeader().sectionResized.connect(self.fit_again)

    def fit_again(self) -> None:
        """Fit the heights of the rows again, after the texts or the widths of the columns have changed."""
        self._fitted.clear()
        self._fitted_width = self.columnWidth(0)
        self._fit()

    def _fit(self) -> None:
        bar = self.verticalScrollBar()
        at_end = 0 < bar.value() == bar.maximum()
        fitted = len(self._fitted)
        row, count = max(0, self.rowAt(0)), self.model().rowCount()
        while row < count and self.rowViewportPosition(row) < self.viewport().height():
            if row not in self._fitted:
                self._fitted.add(row)
                self.setRowHeight(row, self.sizeHintForRow(row) + ROW_PADDING)
            row += 1
        if at_end and len(self._fitted) > fitted:  # the rows above grew: the last one is still to be seen
            self.updateGeometries()
            bar.setValue(bar.maximum())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()
        self._fit()

    def arrange(self) -> None:
        """Show as many columns as fit; that of the file only with several files."""
        width, model = self.viewport().width(), cast(ProblemsModel, self.model())
        for column, enough in FROM_WIDTH.items():
            is_needed = column != FILE or len({item.file for item in model.items}) > 1
            self.setColumnHidden(column, width < enough or not is_needed)
        is_short = width < SHORT_UNTIL
        if is_short == model.with_titles:
            model.with_titles = not is_short
            longest = self.fontMetrics().horizontalAdvance(tr("Fix All {count}", count=999))
            for column, short in {**SHORT, FIX: longest + 12}.items():
                self.setColumnWidth(column, short if is_short else WIDTHS[column])

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.columnWidth(0) != self._fitted_width:  # of a table that was hidden, no signal tells
            QTimer.singleShot(0, self, self.fit_again)
        if not self.model().rowCount():
            paint_empty(self, self.empty)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.currentIndex().isValid():
            self.copy_wanted.emit(self.currentIndex())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            is_fix = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            (self.fixes_wanted if is_fix else self.open_wanted).emit(self.currentIndex())
        elif event.key() in (Qt.Key.Key_Right, Qt.Key.Key_Left) and self.currentIndex().isValid():
            self.toggle(self.currentIndex().row(), event.key() == Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)

    def toggle(self, number: int, open: bool | None = None) -> None:
        """Open or close the group of a row; its row stays the current one."""
        model = cast(ProblemsModel, self.model())
        row = model.rows[number].group if open is False else None
        model.toggle(number, open)
        self.fit_again()
        self.setCurrentIndex(model.index(model.rows.index(row) if row is not None else number, MESSAGE))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        model = cast(ProblemsModel, self.model())
        is_arrow = index.isValid() and index.column() == MESSAGE and event.position().x() < ARROW
        if is_arrow and event.button() == Qt.MouseButton.LeftButton and len(model.rows[index.row()].items) > 1:
            self.toggle(index.row())
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        is_link = index.isValid() and index.column() == FIX and bool(index.data())
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)


class ProblemsPanel(QWidget):
    """List of findings. `chosen(Diagnostic)` is emitted when the user clicks one, `opened(Diagnostic)` when a
    double-click or Return asks for it in the text. Ctrl+C copies it (`copied(text)`), the menu its location.

    `fix_wanted([Fix], Diagnostic)`: the user wants fixes of that finding carried out;
    `fix_all_wanted([Diagnostic])`: the first fix of each of several findings. `set_knowledge` gives the panel the
    element and the fixes of a finding.

    The menu of a finding hides all of its kind (`hide_kind(code)`); the line below the table says how many are hidden
    and brings kinds back (`show_again(codes)`).
    """

    chosen = Signal(object)
    opened = Signal(object)
    copied = Signal(str)
    hide_kind = Signal(str)
    show_again = Signal(list)
    fix_wanted = Signal(object, object)
    fix_all_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.model = ProblemsModel(self)
        self._items: list[Diagnostic] = []
        self._is_open = False
        self.view = _ProblemsView(self)
        self.filter = FilterEdit(self)
        self.filter.setPlaceholderText(tr("Filter problems"))
        self.filter.setAccessibleName(tr("Filter of problems"))
        self.filter.textChanged.connect(self._show_items)
        self.filter.entered.connect(self.view.setFocus)
        self.view.setAccessibleName(tr("Problems of the model"))
        self.view.setModel(self.model)
        self.view.copy_wanted.connect(lambda index: self._copy_text(str(self._item(index))))
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setShowGrid(False)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setMinimumSectionSize(self.fontMetrics().height())
        self.view.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 9)
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        for column, width in WIDTHS.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.view.setColumnWidth(column, width)
        self.view.clicked.connect(self._click)
        self.view.doubleClicked.connect(self._open)
        self.view.open_wanted.connect(self._open)
        self.view.fixes_wanted.connect(self._open_fixes)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._open_menu)
        self.hidden = QToolButton(self)
        self.hidden.setAccessibleName(tr("Hidden problems"))
        self.hidden.setAutoRaise(True)
        self.hidden.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.hidden.setMenu(QMenu(self.hidden))
        self.hidden.setVisible(False)
        column = FilteredColumn(self, self.filter, self.view)
        column.addWidget(self.hidden)
        self._margins = column.top.contentsMargins()
        self._top = column.top
        self.setFocusProxy(self.view)
        self._show_items()

    def set_knowledge(
        self, describe: Callable[[Diagnostic], str], fixes_of: Callable[[Diagnostic], Sequence[Fix]]
    ) -> None:
        """Set how the panel learns the element and the quick fixes of a finding."""
        self.model.describe, self.model.fixes_of = describe, fixes_of

    def _item(self, index: QModelIndex) -> Diagnostic:
        return self.model.rows[index.row()].item

    def set_items(self, items: list[Diagnostic]) -> None:
        """Show the findings about the present version."""
        self._items = list(items)
        self._show_items()

    def _show_items(self) -> None:
        """Show the findings that match the filter: each of its words is in the message, the file or the code."""
        words = self.filter.text().casefold().split()
        is_long = bool(words) or len(grouped(self._items)) >= MANY or self.filter.hasFocus()
        self.filter.setVisible(is_long)
        self._top.setContentsMargins(self._margins if is_long else QMargins())
        self.model.set_items([each for each in self._items if all(word in _searched(each) for word in words)])
        if self._items:
            self.view.empty = tr("No problem has these words.")
        else:
            self.view.empty = tr("No errors and no warnings.") if self._is_open else tr("No model is open.")
        self.view.arrange()
        self.view.fit_again()

    def set_open(self, is_open: bool) -> None:
        """Set whether a model is open: without one the panel reports neither problems nor their absence."""
        if is_open != self._is_open:
            self._is_open = is_open
            self._show_items()

    def set_hidden(self, codes: list[str], number: int) -> None:
        """Set the kinds of findings that are hidden, and the number of findings that this leaves out."""
        self.hidden.setVisible(bool(codes))
        kinds = counted("{count} kind filtered out", "{count} kinds filtered out", len(codes))
        findings = (
            counted("{count} problem hidden", "{count} problems hidden", number) if number else tr("No problem hidden")
        )
        self.hidden.setText(tr("{findings} ({kinds}). Show Again", findings=findings, kinds=kinds))
        menu = self.hidden.menu()
        menu.clear()
        for code in codes:
            menu.addAction(code).triggered.connect(partial(self.show_again.emit, [code]))
        if len(codes) > 1:
            menu.addSeparator()
            menu.addAction(tr("All")).triggered.connect(partial(self.show_again.emit, list(codes)))

    def menu(self, item: Diagnostic) -> QMenu:
        """Context menu of the row of a finding."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        row = next((row for row in self.model.rows if row.item is item), None) or Row([item])
        self._add_fixes(menu, row)
        menu.addAction(tr("Open in Editor")).triggered.connect(partial(self.opened.emit, item))
        menu.addSeparator()
        menu.addAction(tr("Copy Location")).triggered.connect(partial(self._copy_text, place_of(item)))
        menu.addAction(tr("Copy Message")).triggered.connect(partial(self._copy_text, str(item)))
        menu.addSeparator()
        about = menu.addAction(tr("Explain"))
        about.triggered.connect(partial(self._explain, item))
        kind = menu.addAction(tr("Hide Problems of This Kind ({code})", code=item.code))
        kind.setEnabled(item.severity is not Severity.ERROR)
        kind.triggered.connect(partial(self.hide_kind.emit, item.code))
        give_letters(menu)
        return menu

    def _add_fixes(self, menu: QMenu, row: Row) -> None:
        """Add the fixes of a row to a menu: for a group the first one for all of it, and for all findings of the kind
        where there are others."""
        fixes = self.model.fixes_of(row.item)
        if not fixes:
            return
        if len(row.items) > 1:
            menu.addAction(tr("Fix All {count}", count=len(row.items))).triggered.connect(
                partial(self.fix_all_wanted.emit, list(row.items))
            )
        else:
            for each in fixes:
                menu.addAction(_plain(each.title)).triggered.connect(partial(self.fix_wanted.emit, [each], row.item))
        kind = [item for item in self.model.items if item.code == row.item.code]
        if len(kind) > len(row.items):
            menu.addAction(tr("Fix All of This Kind ({code})", code=row.item.code)).triggered.connect(
                partial(self.fix_all_wanted.emit, kind)
            )
        menu.addSeparator()

    def _open_menu(self, point: QPoint) -> None:
        index = self.view.indexAt(point)
        if index.isValid():
            self.menu(self._item(index)).popup(self.view.viewport().mapToGlobal(point))

    def _open_fixes(self, index: QModelIndex) -> None:
        """Offer the fixes of a row below it."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add_fixes(menu, self.model.rows[index.row()])
        if menu.isEmpty():
            menu.addAction(tr("There is no quick fix")).setEnabled(False)
        give_letters(menu)
        area = self.view.visualRect(index.siblingAtColumn(MESSAGE))
        menu.popup(self.view.viewport().mapToGlobal(area.bottomLeft()))

    def _click(self, index: QModelIndex) -> None:
        row = self.model.rows[index.row()]
        fixes = self.model.fixes(index.row()) if index.column() == FIX else ()
        if not fixes:
            self.chosen.emit(row.item)
        elif len(row.items) > 1:
            self.fix_all_wanted.emit(list(row.items))
        else:
            self.fix_wanted.emit([fixes[0]], row.item)

    def _explain(self, item: Diagnostic) -> None:
        text = check.explanations.explain(item.code) if item.code in check.table.TABLE else item.code
        box = QMessageBox(QMessageBox.Icon.NoIcon, item.code, item.message, QMessageBox.StandardButton.Ok, self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(text)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def _open(self, index: QModelIndex) -> None:
        if index.column() != FIX or not self.model.fixes(index.row()):  # a click on the fix has done it
            self.opened.emit(self._item(index))

    def _copy_text(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text)


def _plain(text: str) -> str:
    """A text as the title of an action, where an ampersand would mark a letter."""
    return text.replace("&", "&&")
