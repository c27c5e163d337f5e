"""Names and numbers of a narrow list: as much of both is seen as the row has room for."""

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QStyleOptionViewItem

from kinetree.app.panels.live.cells import LEAST, Cells
from kinetree.app.panels.live.model import LiveModel
from kinetree.app.panels.live.rows import NAME, UNIT, VALUE, LiveRow
from kinetree.app.panels.live.view import LiveView
from kinetree.app.settings import theme
from kinetree.app.workspace.units import Units

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
            LiveRow("short", lambda _: 1.0, "m", key=0),
            LiveRow(LONG, lambda _: 1.0, "m", key=1),
            LiveRow(LONG, lambda _: np.array([-1.5, 2.5, -3.5]), "m", key=2),
            LiveRow("x", lambda _: 1.0, "m", group="A group with a title that is longer than the first column", key=3),
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


def shown(view, row) -> str:
    """Painted text of the number of a row."""
    index = view.live.index(row, 1)
    view._cells._short = None
    view._cells.edge(index)
    option = QStyleOptionViewItem()
    view._cells.initStyleOption(option, index)
    return option.text


def cells(view, row, parent=None):
    model = view.live
    return [model.index(row, column, parent) if parent else model.index(row, column) for column in (0, 1)]


def test_a_long_name_goes_on_beside_a_short_number(view):
    width = view.fontMetrics().horizontalAdvance
    for row in (0, 1, 2):
        name, value = (painted(view, index) for index in cells(view, row))
        assert name.right() < value.left(), "they do not lie over each other"
        assert value.width() >= width(shown(view, row))
    short, long, vector = (painted(view, cells(view, row)[0]).width() for row in (0, 1, 2))
    assert short == view.columnWidth(0) < long
    assert LEAST <= vector < short, "numbers come first"
    assert shown(view, 2) == "-1.50  2.50  -3.50"


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


QUATERNION = np.array([0.98765, -0.012345, 3.4e-6, -0.15])


@pytest.mark.parametrize(
    ("width", "text"),
    [
        (600, "0.98765  -0.012345  3.4000e-06  -0.15000"),
        (370, "0.9876  -0.0123  0.0000  -0.1500…"),
        (300, "0.987  -0.012  0.000  -0.150…"),
        (260, "0.98  -0.01  0.00  -0.15…"),
    ],
)
def test_several_numbers_have_the_decimals_that_there_is_room_for(view, width, text):
    view.resize(width, 200)
    if width == 600:
        view.header().resizeSection(1, 300)
    view.live.set_rows([LiveRow("torso_quat", lambda _: QUATERNION, key=0)])
    index = view.live.index(0, 1)
    assert shown(view, 0) == text
    assert view.fontMetrics().horizontalAdvance(text) <= painted(view, index).width(), "it is seen as a whole"
    assert "3.4000e-06" in view.live.data(index, Qt.ItemDataRole.ToolTipRole), "the tooltip has all digits"


def test_numbers_use_an_empty_column_behind_them_and_a_long_name_does_not_move_with_them(view):
    widths = {}
    for unit in ("m", ""):
        for sign in (1.0, -1.0):
            value = sign * np.array([0.5, 0.25, 0.125, 0.75])
            view.live.set_rows([LiveRow(LONG, lambda _, value=value: value, unit, key=0)])
            name, number = (painted(view, index) for index in cells(view, 0))
            assert name.right() < number.left()
            assert view.fontMetrics().horizontalAdvance(shown(view, 0)) <= number.width()
            assert number.right() == view.visualRect(view.live.index(0, 1 if unit else 2)).right()
            widths[unit, sign] = name.width()
    assert widths["", 1.0] == widths["", -1.0] > widths["m", -1.0]


def test_an_error_leaves_the_name_its_share(view):
    name, reason = "nonsense(1 + 2", "there is nothing of this name in the model; write another one, such as qpos[0]"
    view.live.set_rows([LiveRow(name, lambda _: reason, error=reason, key=0)])
    seen = painted(view, view.live.index(0, 0)).width()
    assert seen >= view.fontMetrics().horizontalAdvance(name)
    option = QStyleOptionViewItem()
    view._cells.initStyleOption(option, view.live.index(0, 1))
    assert option.textElideMode == Qt.TextElideMode.ElideRight
    assert option.palette.text().color().name() == theme.current().error
