"""The dialog that asks for a file."""

import pytest
from PySide6.QtWidgets import QFileDialog, QTreeView, QWidget

from kinetree.app.widgets.file_dialog import FileDialog


def test_sizes_and_dates_are_whole(qtbot, tmp_path):
    (tmp_path / ("a_long_name_of_a_robot_" * 8 + ".xml")).write_text("<mujoco/>" * 12_345)
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    dialog = FileDialog(parent, "Open", str(tmp_path), "Models (*.xml)")
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.open()
    view = dialog.findChild(QTreeView, "treeView")
    if view is None:
        pytest.skip("the desktop has a dialog of its own")
    qtbot.waitUntil(lambda: view.model().rowCount(view.rootIndex()) == 1)
    header = view.header()
    for column in range(1, header.count()):
        qtbot.waitUntil(lambda column=column: header.sectionSize(column) >= view.sizeHintForColumn(column) > 0)
    assert header.length() == view.viewport().width()
    assert header.sectionSize(0) > 200
    gone = []
    dialog.destroyed.connect(lambda: gone.append(True))
    dialog.reject()
    qtbot.waitUntil(lambda: bool(gone))
