"""Names and numbers of a narrow list: as much of both is seen as the row has room for."""

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QStyleOptionViewItem

from app.panels.live.cells import LEAST, Cells
from app.panels.live.model import LiveModel
from app.panels.live.rows import NAME, UNIT, VALUE, Row
from app.panels.live.view import LiveView
from app.workspace.units import Units

LONG = "left_front_lower_leg_assembly_link"


@pytest.fixture
def view(qtbot):
    model = LiveModel((NAME, VALUE, UNIT), Units())
    view = LiveView(model)
    qtbot.addWidget(view)
    view.resize(300, 200)
    view.show()
    model.set_rows(
        [
            Row("short", lambda _: 1.0, "m", key=0),
            Row(LONG, lambda _: 1.0, "m", key=1),
            Row(LONG, lambda _: np.array([-1.5, 2.5, -3.5]), "m", key=2),
            Row("x", lambda _: 1.0, "m", group="A group with a title that is longer than the first column", key=3),
        ]
    )
    model.snapshot = object()
    return view


def painted(view, index) -> QRect:
    """Where the delegate lets a cell be painted."""
    seen = []

    class Seen(Cells):
        def initStyleOption(self, option, index):
            seen.append(QRect(option.rect))
            super().initStyleOption(option, index)

    option = QStyleOptionViewItem()
    view.initViewItemOption(option)
    option.rect = view.visualRect(index)
    pixmap = QPixmap(view.size())
    painter = QPainter(pixmap)
    Seen(view).paint(painter, option, index)
    painter.end()
    return seen[0]


def cells(view, row, parent=None):
    model = view.live
    return [model.index(row, column, parent) if parent else model.index(row, column) for column in (0, 1)]


def test_a_long_name_goes_on_beside_a_short_number(view):
    width = view.fontMetrics().horizontalAdvance
    for row in (0, 1, 2):
        name, value = (painted(view, index) for index in cells(view, row))
        assert name.right() < value.left(), "they do not lie over each other"
        number = view.live.data(cells(view, row)[1], Qt.ItemDataRole.DisplayRole)
        assert value.width() >= width(number)
    short, long, vector = (painted(view, cells(view, row)[0]).width() for row in (0, 1, 2))
    assert short == view.columnWidth(0) < long
    assert LEAST <= vector < short, "numbers come first"


def test_a_title_has_the_whole_row(view):
    group = view.live.index(3, 0)
    assert view.live.row(group) is None
    assert painted(view, group).right() == view.viewport().width()


def test_a_selected_row_is_painted(view, qtbot):
    view.selectAll()
    qtbot.waitUntil(lambda: len(view.rows_selected()) == 4)
    assert not view.grab().isNull()


@pytest.mark.parametrize("decorated", [False, True])
def test_a_name_begins_where_qt_lets_it_begin(view, decorated):
    view.setRootIsDecorated(decorated)
    view.expandAll()
    group = view.live.index(3, 0)
    lefts = []
    for index in (view.live.index(0, 0), view.live.index(0, 0, group)):
        lefts.append(view._cells._left(index))
        assert lefts[-1] == view.visualRect(index).left()
    assert lefts[0] < lefts[1]
