"""The list of joints, while another model comes."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from kinetree.app.panels.live.sliders import track


def test_a_click_acts_on_the_joints_of_the_present_model(open_panel, paused, model_file, qtbot):
    """The list follows a model that has just come in its turn; what is clicked until then is not there any more."""
    panel = open_panel("joints")
    qtbot.waitUntil(lambda: panel.model.rowCount() > 0)
    hinge = next(index for index, row in panel.model.indices() if row.name == "hinge")
    other = model_file.with_name("other.xml")
    other.write_text('<mujoco><worldbody><body><joint name="one"/><geom size=".1"/></body></worldbody></mujoco>')
    place = track(panel.view.visualRect(hinge)).toRect().center()
    below = place + QPoint(0, 2 * panel.view.rowHeight(hinge))
    assert panel.model.row(panel.view.indexAt(below)).selection.id == 1
    clicked = []

    def click(*_ignored) -> None:
        clicked.append(panel.model.row(panel.view.indexAt(below)).selection.id)
        for point in (below, place):
            QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
            clicked.append(paused.selection.current.id if paused.selection.current.kind else None)

    paused.simulation.model_changed.connect(click)
    paused.workspace.opening.open(str(other))
    qtbot.waitUntil(lambda: len(clicked) == 3)
    paused.simulation.model_changed.disconnect(click)
    assert clicked == [1, None, 0]
    qtbot.waitUntil(lambda: paused.simulation.snapshot.model is paused.simulation.model)
