"""The contacts panel: forces now and as means of every step, selection both ways, what the viewport draws."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

import kinetree
from kinetree.app.panels.analysing.contacts.panel import CONE, FRICTION, NORMAL, PEAK, TOUCHING
from kinetree.app.settings import theme
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import NOTHING, Selection
from kinetree.engine.dynamics.query.contact_force import contact_force

PILE = """<mujoco><worldbody><light pos="0 0 3"/><geom name="floor" type="plane" size="3 3 .1"/>
  <body name="low" pos="0 0 .1"><freejoint/><geom name="crate" type="box" size=".1 .1 .1"/></body>
  <body name="high" pos="0 0 .3"><freejoint/><geom name="ball" size=".1"/></body>
  <body name="bare" pos="1 0 .1"><freejoint/><geom size=".1"/></body>
</worldbody></mujoco>"""


@pytest.fixture
def panel(open_paused, model_file, qtbot):
    model_file.write_text(PILE)
    window = open_paused(model_file, size=(1100, 760))
    window.simulation.post(requests.StepRequest(100))
    qtbot.waitUntil(lambda: window.simulation.snapshot.step >= 100)
    dock = window.docks["contacts"]
    dock.bring_up()
    qtbot.waitUntil(lambda: dock.panel.in_view)
    dock.panel.refresh()
    return dock.panel


def names(panel):
    return [row.name for _, row in panel.model.indices()]


def value(panel, name):
    return next(panel.model.value(row) for _, row in panel.model.indices() if row.name == name)


def test_every_contact_is_listed_with_its_forces(panel):
    snapshot = panel.simulation.snapshot
    assert len(names(panel)) == snapshot.ncon >= 6
    assert names(panel)[:2] == ["floor – crate", "floor – crate  (2)"] and "floor – bare/geom 3" in names(panel)
    model, data = panel.simulation.model, kinetree.Data(panel.simulation.model)
    kinetree.step(model, data, 100)
    for number, (_, row) in enumerate(panel.model.indices()):
        force, found = contact_force(model, data, number), panel.model.value(row)
        assert found[NORMAL] == pytest.approx(force[0]) and found[FRICTION] == pytest.approx(np.hypot(*force[1:3]))
    assert "contacts" in panel.summary.text()


def test_headers_have_units_and_the_cone_is_a_bar_that_turns_red(panel):
    titles = [panel.model.headerData(k, Qt.Orientation.Horizontal) for k in range(panel.model.columnCount())]
    assert titles[1:5] == ["Distance, m", "Normal, N", "Friction, N", "Cone"]
    bar = panel.view.itemDelegateForColumn(CONE + 1)
    colours = theme.current()
    assert [bar.colour(each) for each in (0.3, 0.85, 1.0)] == [colours.accent, colours.warning, colours.error]
    index = panel.model.index(0, CONE + 1)
    assert bar.share(index) == pytest.approx(float(str(index.data()).removesuffix("%")) / 100)


def test_numbers_stand_beside_the_names_in_a_wide_list(panel, qtbot):
    dock = panel.window().docks["contacts"]
    dock.setFloating(True)
    dock.resize(1500, 400)
    view = panel.view
    qtbot.waitUntil(lambda: view.viewport().width() > 1300)
    widest = max(view.fontMetrics().horizontalAdvance(name) for name in names(panel))
    assert widest < view.columnWidth(0) < widest + 120
    dock.resize(420, 400)
    qtbot.waitUntil(lambda: view.viewport().width() < 450)
    shown = [k for k in range(panel.model.columnCount()) if not view.isColumnHidden(k)]
    assert sum(view.columnWidth(k) for k in shown) == view.viewport().width(), "a narrow list is filled"
    dock.setFloating(False)


def test_a_contact_selects_what_touches_and_is_drawn(panel, qtbot):
    window = panel.window()
    panel.view.show_selected(lambda row: row.name == "crate – ball")
    panel.view.picked.emit(panel.view.rows_selected())
    assert {(each.kind, each.id) for each in window.selection.selections} == {("geom", 1), ("geom", 2)}
    assert window.selection.contacts == {(1, 2, 0)}
    assert [row.name for row in panel.view.rows_selected()] == ["crate – ball"]
    layer = window.frame.contacts
    qtbot.waitUntil(lambda: layer.isVisible())
    assert len(layer._figures) == 1
    before = layer.grab().toImage()
    window.selection.select_contacts(())
    assert layer.isHidden() and before.pixelColor(0, 0).alpha() >= 0


def test_what_is_selected_elsewhere_selects_its_contacts(panel):
    window = panel.window()
    window.selection.select(Selection("body", 2))
    assert [row.name for row in panel.view.rows_selected()] == ["crate – ball"]
    window.selection.select(Selection("geom", 1))
    assert len(panel.view.rows_selected()) == 5
    window.selection.select_several([Selection("geom", 0), Selection("geom", 3)])
    assert [row.name for row in panel.view.rows_selected()] == ["floor – bare/geom 3"]
    window.selection.select(NOTHING)
    assert not panel.view.rows_selected() and not window.selection.contacts


def test_means_and_peaks_are_of_every_step(panel, qtbot):
    simulation = panel.simulation
    panel.set_span(5.0)
    assert not panel.view.isColumnHidden(PEAK + 1) and panel.view.isColumnHidden(CONE + 1)
    qtbot.waitUntil(lambda: panel.averages.is_ready)
    qtbot.waitUntil(lambda: panel.averages._tally is not None)
    begin = simulation.snapshot.step
    simulation.post(requests.StepRequest(150))
    qtbot.waitUntil(lambda: simulation.snapshot.step == begin + 150)
    qtbot.waitUntil(lambda: panel.averages.seconds == pytest.approx(0.3))
    panel.refresh()
    model, data = simulation.model, kinetree.Data(simulation.model)
    kinetree.step(model, data, begin)
    total = np.zeros(150)
    for k in range(150):
        kinetree.step(model, data)
        total[k] = sum(
            contact_force(model, data, i)[0] for i in range(data.ncon) if set(data.contact.geom[i]) == {0, 1}
        )
    found = value(panel, "floor – crate")
    assert found[NORMAL] == pytest.approx(total.mean()) and found[PEAK] == pytest.approx(total.max())
    assert found[TOUCHING] == 1.0
    assert "means of the last 0.3 s" in panel.summary.text()


def test_a_hidden_panel_records_and_draws_nothing(panel, qtbot):
    window = panel.window()
    panel.set_span(1.0)
    qtbot.waitUntil(lambda: panel.averages._tally is not None)
    panel.simulation.post(requests.StepRequest(20))
    qtbot.waitUntil(lambda: bool(names(panel)))
    window.selection.select(Selection("geom", 2))
    assert window.selection.contacts == {(1, 2, -1)}
    window.docks["contacts"].close()
    qtbot.waitUntil(lambda: not panel.isVisible())
    assert panel.averages._tally is None and not window.selection.contacts


def test_a_contact_is_plotted_by_the_names_of_its_geoms(panel):
    row = next(row for _, row in panel.model.indices() if row.name == "crate – ball")
    assert row.quantity == 'contact("crate", "ball").normal'
    bare = next(row for _, row in panel.model.indices() if "bare" in row.name)
    assert bare.quantity == 'contact("floor", 3).normal'
    panel.view.show_selected(lambda each: each is row)
    asked = []
    panel.view.plot_wanted.connect(asked.append)
    menu = panel.view.menu()
    next(action for action in menu.actions() if action.text() == "Plot Force").trigger()
    assert asked == [['contact("crate", "ball").force']]


def test_the_filter_finds_geoms_and_bodies(panel):
    panel.filter.setText("high")
    assert names(panel) == ["crate – ball"]
    panel.filter.setText("nothing")
    assert panel.view.empty == "No contact has “nothing” in its name."


def test_without_contacts_the_panel_says_so(open_paused, model_file, qtbot):
    model_file.write_text("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    window = open_paused(model_file)
    dock = window.docks["contacts"]
    dock.bring_up()
    qtbot.waitUntil(lambda: dock.panel.in_view)
    dock.panel.refresh()
    assert dock.panel.view.empty == "Nothing touches now."


def test_a_contact_that_comes_back_is_selected_again_and_the_list_stays(panel, qtbot):
    panel.view.show_selected(lambda row: row.name == "crate – ball")
    panel.view.picked.emit(panel.view.rows_selected())
    simulation = panel.simulation
    here = simulation.snapshot.qpos.copy()
    away = here.copy()
    away[9] += 1.0  # the ball
    panel.view.setFixedHeight(60)
    panel.view.verticalScrollBar().setValue(0)
    for place, count in ((away, 0), (here, 1)):
        simulation.post(requests.SetValues("qpos", 0, place.tolist()))
        qtbot.waitUntil(lambda count=count: ((1, 2, 0) in panel._values) == bool(count))
        assert len(panel.view.rows_selected()) == count
    assert panel.view.verticalScrollBar().value() == 0
