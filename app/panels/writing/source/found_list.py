"""FoundList: places in the texts of the project, each with its line: hits of a search, references to a name."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.panels.writing.source.carets import line_end, line_start
from kinetree.app.panels.writing.source.closing import Closing
from kinetree.app.panels.writing.source.look import colours
from kinetree.app.settings import theme as themes
from kinetree.engine.translation import tr

MOST = 2000
"""So many places are listed."""
BEFORE = 22
"""Characters of a line before a place that are shown: the place itself is seen in a narrow list too."""
SPACE = "\u2007"
"""As wide as a digit."""

Index = QModelIndex | QPersistentModelIndex
_PLACE, _PIECES = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class FoundPlace(NamedTuple):
    """A span of a file's text that the list shows; `new`: the text that replaces it, None for no change."""

    path: str
    start: int
    end: int
    new: str | None = None


class _Line(QStyledItemDelegate):
    """Paints a line of text with the found span marked, followed by its replacement."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        pieces = index.data(_PIECES)
        if not pieces:
            return
        theme = themes.current()
        look = colours(theme)
        style, widget = option.widget.style(), option.widget
        area = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, widget)
        painter.save()
        painter.setClipRect(option.rect)
        painter.setFont(option.font)
        metrics, x = option.fontMetrics, area.left() + 3
        if index.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            x = max(x, option.rect.left() + style.pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth, option, widget) + 9)
        for text, kind in pieces:
            width = metrics.horizontalAdvance(text)
            box = QRect(x, option.rect.top() + 1, width, option.rect.height() - 2)
            if kind == "hit":
                painter.fillRect(box, QColor(look.hit_back))
            elif kind == "new":
                painter.fillRect(box, QColor(look.element_back))
            painter.setPen(QColor(theme.dim if kind in ("number", "old") else theme.text))
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
            if kind == "old":
                painter.drawLine(box.left(), box.center().y(), box.right(), box.center().y())
            x += width
        painter.restore()


class FoundList(Closing):
    """List of places in the texts of the project, each with its line. Signals: `chosen(Place)`, `confirmed()`: the
    button for the change that is shown."""

    chosen = Signal(object)
    confirmed = Signal()

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._title = QLabel(self)
        self._button = QPushButton(self)
        self._button.setAccessibleName(tr("Do it at all of these places"))
        self._button.clicked.connect(self.confirmed)
        self._tree = QTreeWidget(self)
        self._tree.setAccessibleName(tr("Places that were found"))
        self._tree.setHeaderHidden(True)
        self._tree.setUniformRowHeights(True)
        self._tree.setItemDelegate(_Line(self._tree))
        self._tree.setIndentation(14)
        self._tree.currentItemChanged.connect(self._choose)
        self._tree.itemActivated.connect(self._choose)
        self._tree.itemClicked.connect(self._choose)
        self._tree.itemChanged.connect(self._checked)
        top = QHBoxLayout()
        top.setContentsMargins(8, 3, 4, 3)
        top.addWidget(self._title, 1)
        top.addWidget(self._button)
        top.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self._tree)
        self._verb = ""
        self._filling = False

    def show_places(self, title: str, places: Sequence[FoundPlace], texts: Mapping[str, str], verb: str = "") -> None:
        """List places of these texts; with a `verb` they are changes, which can be chosen one by one and then be made
        by a button of that name."""
        self._filling, self._verb = True, verb
        self._tree.clear()
        parents: dict[str, QTreeWidgetItem] = {}
        for place in places[:MOST]:
            if place.path not in parents:
                item = QTreeWidgetItem(self._tree, [os.path.basename(place.path)])
                item.setToolTip(0, place.path)
                item.setExpanded(True)
                parents[place.path] = item
            item = QTreeWidgetItem(parents[place.path])
            item.setData(0, _PLACE, place)
            item.setData(0, _PIECES, _pieces(place, texts[place.path]))
            if verb:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(0, Qt.CheckState.Checked)
        more = len(places) > MOST
        self._title.setText(tr("{title}, the first {most} are listed", title=title, most=MOST) if more else title)
        self._button.setVisible(bool(verb))
        self._filling = False
        self._checked()
        self.show()

    @property
    def rows(self) -> list[tuple[FoundPlace, bool]]:
        """The places that are listed, and whether each is checked."""
        tops = filter(None, map(self._tree.topLevelItem, range(self._tree.topLevelItemCount())))
        rows = [row for top in tops for row in map(top.child, range(top.childCount())) if row is not None]
        return [(FoundPlace(*row.data(0, _PLACE)), row.checkState(0) == Qt.CheckState.Checked) for row in rows]

    def _checked(self, *_ignored) -> None:
        if not self._filling and self._verb:
            count = sum(checked for _, checked in self.rows)
            self._button.setText(f"{self._verb} {count}")
            self._button.setEnabled(count > 0)

    def _choose(self, item: QTreeWidgetItem | None, *_ignored) -> None:
        place = None if item is None or self._filling else item.data(0, _PLACE)
        if place is not None:
            self.chosen.emit(FoundPlace(*place))

    def end(self) -> None:
        """Empty the list and hide it."""
        self._filling = True
        self._tree.clear()
        self._filling = False
        super().end()


def _pieces(place: FoundPlace, text: str) -> list[tuple[str, str]]:
    first, last = line_start(text, place.start), line_end(text, place.start)
    number = text.count("\n", 0, first) + 1
    end = min(place.end, last)
    before = text[first : place.start].lstrip()
    if len(before) > BEFORE:
        before = "…" + before[-BEFORE:]
    pieces = [
        (f"{str(number).rjust(4, SPACE)}  ", "number"),
        (before, ""),
        (text[place.start : end], "hit" if place.new is None else "old"),
    ]
    if place.new is not None:
        pieces.append((_on_one_line(place.new), "new"))
    return [*pieces, (text[end : min(last, end + 200)], "")]


def _on_one_line(text: str) -> str:
    """A text on one line."""
    return text.replace("\r\n", "⏎").replace("\n", "⏎").replace("\r", "⏎")
