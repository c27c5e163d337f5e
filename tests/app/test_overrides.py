"""An error in a method that Qt calls is told, and the program goes on."""

import os
import subprocess
import sys

import pytest
from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QStyledItemDelegate, QTreeView

from kinetree.app.overrides import ANSWERS
from tests.patience import LIMIT


def in_python():
    raise ValueError("in Python")


ERRORS = {
    "made by a list": lambda: [][0],
    "made by a number": lambda: float("%"),
    "made in Python": in_python,
    "with numbers": lambda: {}[1, 2],
}


class Model(QAbstractTableModel):
    fails = staticmethod(lambda: None)

    def rowCount(self, parent=QModelIndex()):  # noqa: B008
        return 0 if parent.isValid() else 5

    def columnCount(self, parent=QModelIndex()):  # noqa: B008
        return 0 if parent.isValid() else 2

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        self.fails()
        return "text" if role == Qt.ItemDataRole.DisplayRole else None


class Delegate(QStyledItemDelegate):
    fails = staticmethod(lambda: None)

    def paint(self, painter, option, index):
        super().paint(painter, option, index)
        self.fails()


class View(QTreeView):
    hidden = 0
    fails = staticmethod(lambda: None)

    def paintEvent(self, event):
        super().paintEvent(event)

    def hideEvent(self, event):
        self.hidden += 1
        self.fails()


@pytest.fixture
def view(qtbot):
    found = View()
    qtbot.addWidget(found)
    found.setModel(Model(found))
    found.setItemDelegate(Delegate(found))
    found.show()
    qtbot.waitExposed(found)
    return found


@pytest.mark.parametrize("where", ["model", "itemDelegate"])
@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_while_rows_are_painted_is_told_and_goes_no_further(view, where, kind, qtbot):
    part = getattr(view, where)()
    part.fails = ERRORS[kind]
    with qtbot.capture_exceptions() as told:
        view.grab()
    assert len(told) >= 5 and len({each[0] for each in told}) == 1
    del part.fails
    with qtbot.capture_exceptions() as later:
        assert view.model().rowCount() == 5 and not view.grab().isNull()
    assert not later


def test_an_error_of_a_handler_does_not_come_out_of_the_next_call(view, qtbot):
    view.fails = in_python
    with qtbot.capture_exceptions() as told:
        view.hide()
        view.event(QEvent(QEvent.Type.User))
    assert view.hidden == 1 and [str(each[1]) for each in told] == ["in Python"]
    with qtbot.capture_exceptions() as told:
        view.hideEvent(QHideEvent())
    del view.fails
    assert view.hidden == 2 and len(told) == 1


def test_an_error_in_a_method_without_an_answer_is_raised(view):
    """As an object: as the text alone that C code gives, it would end the process."""

    class Sized(QTreeView):
        def viewportSizeHint(self):
            return [][0]

    assert "viewportSizeHint" not in ANSWERS
    sized = Sized(view)
    sized.setSizeAdjustPolicy(QTreeView.SizeAdjustPolicy.AdjustToContents)
    with pytest.raises(IndexError):
        sized.sizeHint()


def test_every_answer_can_be_made():
    for answer in ANSWERS.values():
        answer()


def test_the_windows_classes_tell_their_errors(tmp_path):
    """The program makes them after `install`."""
    script = """
import os, sys
from PySide6.QtWidgets import QApplication
def look(*_):
    from kinetree.app.panels.live.cells import Cells
    from kinetree.app.panels.live.model import LiveModel
    from kinetree.app.viewport.viewport import Viewport
    from kinetree.app.window import Window
    for method in (Cells.paint, LiveModel.data, Viewport.paintGL, Window.closeEvent):
        assert hasattr(method, "__wrapped__"), method
    print("told")
    return 0
QApplication.exec = look
from kinetree.app.main import main
sys.exit(main([]))
"""
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, timeout=LIMIT
    )
    assert done.stdout.strip().endswith("told"), done.stderr
