"""Paints a row of the tree and edits its name in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QAbstractItemModel, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionViewItem, QWidget

from kinetree.app.panels.writing.tree.elements import GeneratedRow
from kinetree.app.settings import theme
from kinetree.app.settings.icons import draw_icon
from kinetree.app.widgets.line_delegate import LineDelegate
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.tree.model import Index, TreeModel

INDENT = 16
ARROW = 16
GAP = 6
BADGE = 14
LEAST_DETAIL = 4  # characters; a detail that would be shortened to less is left out
LEAST_EDITOR = 90  # pixels


class TreeDelegate(LineDelegate):
    """Paints arrow, icon, name, detail and badges. Where space is short, the detail is elided before the name."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = cast("TreeModel", index.model())
        outline, row = model.outline, model.row(index)
        item, colours = outline.items[row], theme.current()
        description = model.describe(row)
        # A style sheet's own way to fill an item takes longer than all the rest of the row.
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(colours.selection))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, QColor(colours.hover))
        area = QRect(option.rect)
        depth = int(outline.depths[row])
        if outline.has_children(row):
            name = "expanded" if outline.is_expanded(row) else "collapsed"
            _draw_icon(name, painter, arrow_area(area, depth), 10)
        x = icon_left(area, depth)
        for badge, role in model.badges(row):
            area.setRight(area.right() - BADGE - 3)
            _draw_icon(badge, painter, QRect(area.right(), area.top(), BADGE, area.height()), BADGE, role)
        faint = model.is_faint(row)
        size = option.decorationSize.width()
        painter.save()
        if faint:
            painter.setOpacity(0.55)
        _draw_icon(description.icon, painter, QRect(x, area.top(), size, area.height()), size)
        painter.restore()
        x += size + GAP
        made = isinstance(item, GeneratedRow) and item.is_made
        painter.save()
        font = painter.font()
        font.setItalic(made)
        painter.setFont(font)
        metrics = QFontMetrics(font)
        width = area.right() - GAP - x
        name, detail = elided(description.name, description.detail, metrics, width)
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setPen(QColor(colours.dim if made or faint else colours.text))
        painter.drawText(QRect(x, area.top(), width, area.height()), middle, name)
        if detail:
            x += metrics.horizontalAdvance(name) + GAP
            painter.setPen(QColor(colours.dim))
            painter.drawText(QRect(x, area.top(), area.right() - x, area.height()), middle, detail)
        painter.restore()

    # ---- the name ----------------------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setFrame(False)
        editor.setAccessibleName(tr("Name"))
        editor.setProperty("tree", True)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        line = cast(QLineEdit, editor)
        line.setText(index.data(Qt.ItemDataRole.EditRole))
        line.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        model.setData(index, cast(QLineEdit, editor).text(), Qt.ItemDataRole.EditRole)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        model = cast("TreeModel", index.model())
        area = QRect(option.rect)
        left = icon_left(area, int(model.outline.depths[model.row(index)])) + option.decorationSize.width() + GAP - 3
        area.setLeft(min(left, area.right() - LEAST_EDITOR))
        editor.setGeometry(area)


def arrow_area(area: QRect, depth: int) -> QRect:
    """Where in the area of a row its arrow is."""
    return QRect(area.left() + depth * INDENT, area.top(), ARROW, area.height())


def icon_left(area: QRect, depth: int) -> int:
    """Where in the area of a row its icon begins."""
    return area.left() + depth * INDENT + ARROW


def elided(name: str, detail: str, metrics: QFontMetrics, width: int) -> tuple[str, str]:
    """The two texts as they fit in a width: the detail is elided first, then omitted, then the name elided."""
    needed = metrics.horizontalAdvance(name)
    left = width - needed - GAP
    if detail and left < metrics.horizontalAdvance(detail):
        enough = left >= LEAST_DETAIL * metrics.averageCharWidth()
        detail = metrics.elidedText(detail, Qt.TextElideMode.ElideRight, left) if enough else ""
    if needed > width:
        name = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, width)
    return name, detail


def _draw_icon(name: str, painter: QPainter, area: QRect, size: int, role: str = "") -> None:
    target = QRect(0, 0, size, size)
    target.moveCenter(area.center())
    draw_icon(painter, target, name, role)
