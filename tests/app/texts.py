"""Every text that a window shows: of widgets, menus, lists, tabs and tool tips."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDoubleSpinBox,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QSpinBox,
    QTabBar,
    QTextEdit,
    QWidget,
)

from kinetree.app.widgets.labels import Elided
from kinetree.app.widgets.mnemonics import plain

PROPERTIES = (
    "text",
    "title",
    "windowTitle",
    "toolTip",
    "statusTip",
    "placeholderText",
    "accessibleName",
    "accessibleDescription",
    "informativeText",
    "suffix",
    "specialValueText",
    "labelText",
)
"""Properties of Qt that hold words."""
ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
MOST_ROWS = 200
"""Rows of a list that are looked at."""


def texts_of(root: QWidget) -> Iterator[tuple[str, str]]:
    """(where, text) of a widget and of all in it."""
    for widget in (root, *root.findChildren(QWidget)):
        if isinstance(widget, QPlainTextEdit | QTextEdit):
            continue  # what the user writes
        where = f"{type(widget).__name__} {widget.objectName()}".strip()
        for name in PROPERTIES:
            if name == "text" and isinstance(widget, QLineEdit | Elided):
                continue  # typed texts; the tool tip has the whole of a shortened one
            value = widget.property(name)
            if isinstance(value, str) and value:
                yield f"{where}.{name}", value
        yield from ((where, text) for text in _inside(widget))
        for action in widget.actions():
            yield from _of_action(action, where)
        empty = getattr(widget, "empty", "")
        if isinstance(empty, str) and empty:
            yield f"{where}.empty", empty


def texts_of_menu(menu: QMenu) -> Iterator[tuple[str, str]]:
    """(where, text) of the entries of a menu and of the menus in it."""
    menu.aboutToShow.emit()
    for action in menu.actions():
        yield from _of_action(action, menu.title())
        below = action.menu()
        if isinstance(below, QMenu):
            yield from texts_of_menu(below)


def _of_action(action: QAction, where: str) -> Iterator[tuple[str, str]]:
    for name in ("text", "toolTip", "statusTip"):
        value = action.property(name)
        if value:
            yield f"{where}: action {action.objectName()}.{name}", plain(value) if name == "text" else value


def _inside(widget: QWidget) -> Iterator[str]:
    """Texts of entries, tabs, columns and rows."""
    if isinstance(widget, QComboBox):
        for i in range(widget.count()):
            yield widget.itemText(i)
            yield widget.itemData(i, Qt.ItemDataRole.ToolTipRole) or ""
    elif isinstance(widget, QTabBar):
        for i in range(widget.count()):
            yield from (widget.tabText(i), widget.tabToolTip(i))
    elif isinstance(widget, QSpinBox | QDoubleSpinBox):
        yield widget.prefix()
    elif isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView) and widget.model() is not None:
        if not isinstance(widget.parent(), QComboBox):
            yield from _of_view(widget)


def _of_view(view: QAbstractItemView) -> Iterator[str]:
    """The texts of the columns that are shown: hidden ones may have no values."""
    model = view.model()
    is_hidden = getattr(view, "isColumnHidden", lambda _column: False)
    columns = [
        column
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex()))
        if not is_hidden(column)
    ]
    for section in columns:
        for role in ROLES[:2]:
            yield model.headerData(section, Qt.Orientation.Horizontal, role) or ""
    yield from _of_rows(model, columns, QModelIndex())


def _of_rows(model: QAbstractItemModel, columns: list[int], parent: QModelIndex) -> Iterator[str]:
    for row in range(min(model.rowCount(parent), MOST_ROWS)):
        for column in columns:
            index = model.index(row, column, parent)
            for role in ROLES if index.isValid() else ():
                yield model.data(index, role) or ""
        first = model.index(row, 0, parent)
        if not isinstance(model, QAbstractListModel | QAbstractTableModel) and model.hasChildren(first):
            yield from _of_rows(model, columns, first)
