"""Model facts: masses, freedom, ranges reached and saturation of every step, and the matrix of collisions."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

import kinetree
from kinetree.app.panels.analysing.facts.panel import PARTS
from kinetree.app.panels.live.view import FITTED, LEAST_FITTED
from kinetree.app.workers.simulation import requests
from kinetree.engine.collision.filters import Filters, Reason

ARM = """<mujoco><compiler angle="radian"/><option gravity="0 0 0"/>
<worldbody><geom name="floor" type="plane" size="2 2 .1" pos="0 0 -1"/>
  <body name="upper"><joint name="a" axis="0 1 0" range="-.5 .5" damping=".2"/><geom size=".05" fromto="0 0 0 .4 0 0" type="capsule"/>
    <body name="lower" pos=".4 0 0"><joint name="b" axis="0 1 0"/><geom name="hand" size=".05" pos=".3 0 0" mass="2"/>
      <body name="palm" pos=".3 0 0"><geom name="pad" size=".02"/></body></body></body>
  <body name="free" pos="0 1 0"><freejoint/><geom size=".1" mass="3"/></body>
</worldbody>
<actuator><motor name="m" joint="a" ctrlrange="-1 1" forcerange="-.4 .4"/><motor name="n" joint="b"/></actuator></mujoco>"""


@pytest.fixture
def facts(open_paused, model_file, qtbot):
    model_file.write_text(ARM)
    window = open_paused(model_file, size=(1200, 800))
    dock = window.docks["facts"]
    dock.bring_up()
    qtbot.waitUntil(lambda: dock.panel.isVisible())

    def show(title):
        dock.panel.show_part([each[0] for each in PARTS].index(title))
        part = dock.panel.parts[title]
        qtbot.waitUntil(lambda: part.isVisible())
        if hasattr(part, "refresh"):
            part.refresh()
        return part

    return show


def values(panel):
    return {row.name.strip(): panel.model.value(row) for _, row in panel.model.indices()}


def test_sizes_masses_and_freedom(facts):
    found = values(facts("Overview"))
    model = facts("Overview").simulation.model
    assert found["Total mass"] == pytest.approx(float(model.body_mass.sum()))
    assert found["Degrees of freedom"] == 8 and found["Degrees of freedom without actuator"] == 6
    (row,) = (row for _, row in facts("Overview").model.indices() if "without actuator" in row.name)
    assert row.help == "Of the joints: free"
    assert found["Kinematic trees"] == 2 and found["Bodies"] == 5
    masses = values(facts("Masses"))
    body = model.names["body"].index
    assert masses["upper"][1] == pytest.approx(sum(model.body_mass[body(name)] for name in ("upper", "lower", "palm")))
    assert masses["lower"][3:] == pytest.approx(tuple(facts("Masses").simulation.snapshot.subtree_com[body("lower")]))
    assert list(masses) == ["world", "upper", "lower", "palm", "free"]


def test_what_is_reached_is_of_every_step(facts, qtbot):
    panel = facts("Ranges")
    simulation = panel.simulation
    qtbot.waitUntil(lambda: panel.extremes._capture is not None)
    actuators = facts("Actuators")
    qtbot.waitUntil(lambda: actuators.extremes._capture is not None and panel.extremes._capture is None)
    simulation.post(requests.SetControl(0, 1.0))
    simulation.post(requests.StepRequest(100))
    qtbot.waitUntil(lambda: simulation.snapshot.step == 100)
    qtbot.waitUntil(lambda: actuators.extremes.steps == 100)
    found = values(actuators)
    assert found["m"][:2] == (1.0, 1.0) and found["m"][3] == 0.4
    assert np.isnan(found["n"][:2]).all()
    facts("Ranges")
    qtbot.waitUntil(lambda: panel.extremes._capture is not None)
    simulation.post(requests.StepRequest(200))
    qtbot.waitUntil(lambda: panel.extremes.steps == 200)
    model, data = simulation.model, kinetree.Data(simulation.model)
    data.ctrl[0] = 1.0
    kinetree.step(model, data, 100)
    path = []
    for _ in range(200):
        kinetree.step(model, data)
        path.append(float(data.qpos[0]))
    low, high, least, greatest, used, at_limit = values(panel)["a"]
    assert (low, high, least, greatest) == (-0.5, 0.5, min(path), max(path))
    assert used == pytest.approx(max(path) - min(path)) and at_limit == np.mean(np.array(path) >= 0.5 - 1e-9)
    assert np.isnan(values(panel)["b"][4])
    panel.again.click()
    assert np.isnan(values(panel)["a"][2])


def test_the_matrix_says_why_and_selects(facts, qtbot):
    part = facts("Collisions")
    model = part.simulation.model
    assert part.model.names == ["world", "upper", "lower", "palm", "free"]
    filters = Filters(model)
    for row in range(5):
        for column in range(5):
            assert part.model.reason(row, column) == filters.bodies(row)[column]
    assert part.model.reason(1, 2) is Reason.PARENT and part.model.reason(2, 3) is Reason.WELDED
    place = part.table.visualRect(part.model.index(1, 4)).center()
    QTest.mouseMove(part.table.viewport(), QPoint(1, 1))
    QTest.mouseMove(part.table.viewport(), place)
    QTest.mouseClick(part.table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert [each.id for each in part.selection.selections] == [1, 4]
    assert part.words.text().startswith("upper – free: May collide.")
    part.filter.setText("palm")
    assert part.model.names == ["palm"]
    part.filter.clear()
    part.kinds.setCurrentIndex(1)
    part.kinds.activated.emit(1)
    assert "free/geom 4" in part.model.names and part.model.rowCount() == model.ngeom
    part.simulation.post(requests.SetOption("disableflags", 1 << 4))
    qtbot.waitUntil(lambda: part.model.reason(0, 1) is Reason.DISABLED)
    assert not part.table.grab().toImage().isNull()


@pytest.mark.parametrize("height", [160, 240, 600])
def test_the_first_row_of_the_matrix_is_below_the_names_of_columns(facts, qtbot, height):
    part = facts("Collisions")
    part.setParent(None)
    part.resize(300, height)
    part.show()
    qtbot.waitUntil(lambda: part.table.viewport().height() > 20)
    table = part.table
    assert table.horizontalHeader().geometry().bottom() < table.viewport().geometry().top()
    assert table.verticalHeader().geometry().top() == table.viewport().geometry().top()
    part.hide()
    part.deleteLater()


def test_hidden_parts_record_nothing(facts, qtbot):
    panel = facts("Ranges")
    qtbot.waitUntil(lambda: panel.extremes._capture is not None)
    panel.window().docks["facts"].close()
    qtbot.waitUntil(lambda: panel.extremes._capture is None)


@pytest.mark.parametrize("title", ["Overview", "Masses"])
def test_names_and_numbers_share_the_width_of_a_list(facts, title, qtbot):
    """A narrow list leaves columns out or makes them narrower; a wide one shows all of them as wide as they want, beside
    the names."""
    part = facts(title)
    part.setParent(None)
    header, shown = part.view.header(), part.view.viewport()
    widths = {}
    for width in (290, 900):
        part.resize(width, 300)
        part.show()
        qtbot.waitUntil(lambda width=width: width - 80 < shown.width() <= width)
        assert header.sectionSize(0) >= (0.3 * shown.width() if width <= FITTED else LEAST_FITTED)
        widths[width] = [header.sectionSize(number) for number in range(1, header.count())]
    assert all(widths[900]) and sum(widths[290]) < sum(widths[900])
    part.hide()
    part.deleteLater()
