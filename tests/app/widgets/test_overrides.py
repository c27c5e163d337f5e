"""An exception in a method that Qt calls is told, and the program goes on: in a process of its own, which died before."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os
from PySide6.QtCore import QStringListModel
from PySide6.QtWidgets import QApplication, QStyledItemDelegate, QTreeView, QWidget
from app.widgets.overrides import guard

class Early(QStyledItemDelegate):
    def paint(self, painter, option, index):
        [][index.row()]

guard()
guard()

class Late(QStyledItemDelegate):
    def paint(self, painter, option, index):
        {}["key"]

class View(QTreeView):
    def paintEvent(self, event):
        super().paintEvent(event)

class Model(QStringListModel):
    def data(self, index, role=0):
        return float("word")

told = []
application = QApplication([])
model = QStringListModel(["row"])
for delegate, rows in [(Early, model), (Late, model), (None, Model(["row"]))]:
    view = View()
    view.setModel(rows)
    if delegate is not None:
        view.setItemDelegate(delegate(view))
    try:
        view.grab()
    except Exception as error:
        told.append(type(error).__name__)
print(*told, flush=True)
os._exit(0)  # views that were torn out of their painting
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks for the platform without a screen")
def test_exceptions_of_python_s_own_code_in_overrides_are_told():
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=120
    )
    assert found.returncode == 0, found.stderr[-2000:]
    assert found.stdout.split() == ["IndexError", "KeyError", "ValueError"]
