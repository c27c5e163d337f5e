"""Every item model of the window keeps Qt's contract while the model, its text and the simulation change: a view
follows the model's signals, and a wrong signal makes it read freed memory.
"""

import ast
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QAbstractItemModelTester, QTest

from kinetree.app.panels.dialogs.model_chooser import ModelChooser
from kinetree.app.panels.dialogs.palette.palette import Palette
from kinetree.app.panels.docks import DOCKS
from kinetree.app.panels.live.model import LiveModel
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.engine.document.edit import Edit
from tests.app.conftest import FLAWED

OTHER = """<mujoco>
  <worldbody>
    <body name="one"><joint name="slide" type="slide"/><geom name="ball" size=".1"/></body>
    <body name="two" pos="1 0 0"><joint name="turn"/><geom name="rod" type="capsule" size=".05 .2"/></body>
  </worldbody>
  <actuator><position name="servo" joint="turn" kp="3"/></actuator>
  <sensor><jointpos name="angle" joint="turn"/></sensor>
</mujoco>
"""
BASES = ("QAbstractItemModel", "QAbstractTableModel", "QAbstractListModel", "QSortFilterProxyModel")


def written() -> set[str]:
    """The classes of the application that are item models, as they are written."""
    found = set()
    for path in Path("app").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and any(
                isinstance(base, ast.Name) and base.id in BASES for base in node.bases
            ):
                found.add(node.name)
    return found


class Watch:
    """Testers of all item models of a window; they tell by Qt's warnings, which fail a test."""

    def __init__(self, window):
        self.window = window
        self.testers: dict[QAbstractItemModel, QAbstractItemModelTester] = {}

    def look(self) -> None:
        """Watch also the models that are new."""
        for model in self.window.findChildren(QAbstractItemModel):
            if type(model).__module__.startswith("kinetree.app.") and model not in self.testers:
                mode = QAbstractItemModelTester.FailureReportingMode.Warning
                self.testers[model] = QAbstractItemModelTester(model, mode)

    @property
    def classes(self) -> set[str]:
        return {type(model).__name__ for model in self.testers}


def test_every_model_tells_its_views_what_changes(paused, tmp_path, qtbot):
    window, watch = paused, Watch(paused)

    def settle() -> None:
        QTest.qWait(1)
        watch.look()

    for row in DOCKS:
        window.docks[row.name].bring_up()
        settle()
    facts, inspector = window.docks["facts"].panel, window.docks["inspector"].panel
    for tab in range(facts.tabs.count()):
        facts.tabs.setCurrentIndex(tab)
        settle()
    window.selection.select(Selection("joint", 0))
    for tab in range(inspector.tabs.count()):
        inspector.tabs.setCurrentIndex(tab)
        settle()
    editor = window.source.editor
    qtbot.waitUntil(lambda: editor is not None and window.project.document is not None)
    editor.setFocus()
    window.source.knowledge.complete()
    qtbot.waitUntil(lambda: bool(window.source.knowledge._popups[editor].items))
    settle()
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    window.actions_["view.palette"].trigger()
    (palette,) = window.findChildren(Palette)
    settle()
    qtbot.keyClicks(palette.line, "tra")
    qtbot.keyClick(palette.line, Qt.Key.Key_Escape)
    chooser = ModelChooser(str(tmp_path), "", lambda model: QImage(), window)
    chooser.show()
    qtbot.waitUntil(lambda: chooser._thread is None)
    settle()
    qtbot.keyClicks(chooser.line, "walk")
    chooser.reject()
    assert watch.classes == written()

    lists = [model for model in watch.testers if isinstance(model, LiveModel)]
    assert len(lists) > 8
    for model in lists:
        for column in (*range(len(model.columns)), -1):
            model.sort(column, Qt.SortOrder.DescendingOrder)
        model.set_filter("a")
        model.set_filter("zebra")
        model.set_filter("")
    window.docks["log"].panel.filter.setText("a")
    window.docks["tree"].panel.filter.setText("geom")
    window.docks["tree"].panel.filter.setText("")
    simulation = window.simulation
    for _round in range(3):
        start = float(simulation.snapshot.time)
        simulation.post(requests.StepRequest(30))
        qtbot.waitUntil(lambda start=start: simulation.snapshot.time > start)
        settle()
    text = window.project.texts.text(window.project.path)
    at = text.index("<actuator>")
    window.project.apply("Leave out", {window.project.path: [Edit(at, text.index("<keyframe>"), "")]})
    qtbot.waitUntil(lambda: simulation.model is not None and simulation.model.nu == 0)
    settle()
    window.project.undo()
    qtbot.waitUntil(lambda: simulation.model.nu == 1)
    settle()
    for words in (OTHER, FLAWED, "<mujoco><worldbody/></mujoco>"):
        other = tmp_path / f"other{len(words)}.xml"
        other.write_text(words)
        window.open(str(other))
        qtbot.waitUntil(lambda other=other: window.project.path == str(other) and window.compiler.result is not None)
        settle()
    window.workspace.log.clear()
    assert window.docks["log"].panel.model.rowCount() == 0
