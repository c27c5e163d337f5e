"""The panel of plots in a real window: plots are added, dropped on, moved, exported and remembered."""

import csv
import json

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog
from shiboken6 import isValid

from kinetree.app.panels.analysing.plots.curves import read_state, short_labels
from kinetree.app.panels.analysing.plots.legend import shortened
from kinetree.app.panels.analysing.plots.ready import READY
from kinetree.app.panels.live.rows import MIME
from kinetree.app.settings import theme
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.idle_queue import IdleQueue
from kinetree.engine.run.expression import parse


@pytest.fixture
def panel(qtbot, make_window, model_file):
    window = make_window(model_file, size=(1200, 760))
    window.docks["plots"].bring_up()
    panel = window.docks["plots"].panel
    qtbot.waitUntil(lambda: bool(panel.plots))
    return panel


def record(qtbot, panel, steps=200):
    """Wait for so many recorded steps."""
    qtbot.waitUntil(lambda: panel.recording.series.count >= steps)


def test_a_closed_panel_costs_nothing(qtbot, make_window, model_file):
    window = make_window(model_file)
    assert window.docks["plots"].widget() is None
    window.docks["plots"].bring_up()
    panel = window.docks["plots"].panel
    qtbot.waitUntil(lambda: bool(panel.plots))
    panel.add_quantities(["qpos[0]"])
    record(qtbot, panel, 20)
    window.docks["plots"].close()
    assert panel.recording._capture is None
    assert not panel.frames.timer.isActive()


@pytest.mark.parametrize("row", READY, ids=lambda row: row.title)
def test_ready_plots_show_what_they_say(qtbot, panel, row):
    model = panel.simulation.model
    if row.needs and not getattr(model, row.needs):
        pytest.skip("the model has none of it")
    plot = panel.add_ready(row)
    assert len(plot.curves) == sum(parse(model, text).width for text in row.texts)
    record(qtbot, panel, 50)
    panel.frames.now()
    if row.enables == "ENERGY":
        qtbot.waitUntil(lambda: plot.canvas.value(plot.curves[0], None) != 0.0)


@pytest.mark.parametrize("mode", ["time", "phase", "spectrum"])
def test_every_mode_draws_what_was_recorded(qtbot, panel, mode):
    plot = panel.plots[0]
    plot.add('joint("hinge").qpos')
    plot.add('joint("hinge").qvel')
    plot.mode.setCurrentIndex(plot.mode.findData(mode))
    record(qtbot, panel)
    panel.frames.outdate()
    panel.frames.now()
    item, _ = plot.canvas._items[plot.curves[1]]
    assert item.xData is not None
    assert len(item.xData) > 10
    assert np.isfinite(item.yData).all()


def test_a_phase_plot_shows_the_range_of_its_curves_alone(qtbot, panel):
    """And not the origin, which is far away here."""
    plot = panel.plots[0]
    for text in ('joint("hinge").qpos + 100', 'joint("hinge").qvel + 200'):
        plot.add(text)
    plot.mode.setCurrentIndex(plot.mode.findData("phase"))
    record(qtbot, panel)
    panel.frames.outdate()
    panel.frames.now()
    (left, _), (low, _) = plot.canvas._main.viewRange()
    assert left > 50 and low > 100


def test_the_lowest_plot_names_the_time(panel, qtbot):
    first, second = panel.plots[0], panel.add_plot()
    axes = [plot.canvas.getAxis("bottom") for plot in (first, second)]
    qtbot.waitUntil(lambda: [axis.labelText for axis in axes] == ["", "s"])
    second.mode.setCurrentIndex(second.mode.findData("spectrum"))
    qtbot.waitUntil(lambda: [axis.labelText for axis in axes] == ["s", "Hz"])
    second.mode.setCurrentIndex(second.mode.findData("time"))
    qtbot.waitUntil(lambda: [axis.labelText for axis in axes] == ["", "s"])
    panel.remove_plot(second)
    qtbot.waitUntil(lambda: axes[0].labelText == "s")


def test_long_names_of_axes_are_shortened(panel):
    plot = panel.plots[0]
    for text in ("1", "qpos[0] * 2 + qpos[1] * 3 < 4 + qpos[2] * qpos[3] * qpos[0] * qpos[1] * qpos[2] * qpos[3]"):
        plot.add(text)
    plot.mode.setCurrentIndex(plot.mode.findData("phase"))
    axis = plot.canvas.getAxis("left")
    name = axis.label.toPlainText().strip()
    assert name.startswith("qpos[0]") and "…" in name and name.endswith("qpos[3]")
    assert plot.canvas.fontMetrics().horizontalAdvance(name) <= plot.canvas._main.rect().height()
    whole, part = plot.canvas._main.sceneBoundingRect(), axis.label.sceneBoundingRect()
    assert abs(whole.center().y() - part.center().y()) < 8


def test_plots_are_drawn_in_turn(qtbot, panel, monkeypatch):
    from kinetree.app.panels.analysing.plots.plot import Plot  # with pyqtgraph, which is imported when it is needed

    for _ in range(2):
        panel.add_plot()
    for plot in panel.plots:
        plot.add('joint("hinge").qpos')
    record(qtbot, panel, 20)
    qtbot.waitUntil(lambda: not panel.recording._later.isActive())
    asked, drawn = [], []
    monkeypatch.setattr(IdleQueue, "ask", lambda _turns, work: asked.append(work))
    refresh = Plot.refresh
    monkeypatch.setattr(Plot, "refresh", lambda plot, **how: (drawn.append(plot), refresh(plot, **how)))
    panel.frames.timer.stop()
    panel.frames.outdate()
    panel.frames.begin_frame()
    assert not drawn
    panel.frames.soon()
    assert not panel.frames.timer.isActive()  # the next frame begins after this one
    panel.frames.draw_in_turn()
    assert drawn == panel.plots[:1]
    gone = panel.plots[1]
    panel.remove_plot(gone)
    panel.frames.draw_in_turn()
    assert drawn == panel.plots
    assert len(asked) >= 2
    assert not panel.frames.waiting


def test_curves_with_other_units_have_other_axes(qtbot, panel):
    plot = panel.plots[0]
    for text in ('joint("hinge").qpos', 'joint("hinge").qvel', 'joint("hinge").qpos + 1', "ncon"):
        plot.add(text)
    assert [plot.canvas.axis_of(curve) for curve in plot.curves] == [0, 1, 0, 0]
    plot.curves[3].axis = 2
    plot.legend.changed.emit()
    assert plot.canvas.axis_of(plot.curves[3]) == 2


def test_quantities_are_dropped_on_a_plot(panel):
    plot = panel.plots[0]
    data = QMimeData()
    data.setData(MIME, b'joint("hinge").qpos\nnorm(qvel)\n')
    buttons, modifiers = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    plot.dropEvent(QDropEvent(QPointF(20, 20), Qt.DropAction.CopyAction, data, buttons, modifiers))
    assert [curve.label for curve in plot.curves] == ['joint("hinge").qpos', "norm(qvel)"]


def test_a_mistake_is_told_where_it_is_typed(qtbot, panel):
    entry = panel.plots[0].entry
    entry.line.setText("1 + qops[0]")
    entry.line.returnPressed.emit()
    assert "did you mean qpos?" in entry.error.text()
    assert not entry.error.isHidden()
    assert entry.line.selectedText() == "qops"
    entry.line.setText("1 + qpos[0]")
    assert entry.error.isHidden()
    entry.line.returnPressed.emit()
    assert [curve.label for curve in panel.plots[0].curves] == ["1 + qpos[0]"]
    assert entry.line.text() == ""


def test_names_are_completed(qtbot, panel):
    entry = panel.plots[0].entry
    entry.setFocus()
    qtbot.keyClicks(entry.line, 'joint("hi')
    completer = entry._completer
    assert completer.model().rowCount() == 1
    assert completer.pathFromIndex(completer.model().index(0, 0)) == 'joint("hinge")'


def test_pause_lets_the_plots_stand_while_recording_goes_on(qtbot, panel):
    panel.add_quantities(["qpos[0]"])
    record(qtbot, panel, 50)
    panel.pause.setChecked(True)
    assert not panel.following
    start, end = panel.plots[0].canvas.start, panel.plots[0].canvas.end
    count = panel.recording.series.count
    record(qtbot, panel, count + 50)
    assert (panel.plots[0].canvas.start, panel.plots[0].canvas.end) == (start, end)
    panel.plots[0].canvas.moved.emit(0.1, 0.2)
    assert (panel.plots[0].canvas.start, panel.plots[0].canvas.end) == (0.1, 0.2)
    panel.plots[0].canvas.fitted.emit()
    assert panel.following
    assert not panel.pause.isChecked()


def test_the_cursor_shows_the_values_of_its_time_in_all_plots(qtbot, panel):
    panel.plots[0].add("time")
    panel.add_plot().add("2 * time")
    record(qtbot, panel, 100)
    panel.simulation.post(requests.Pause())
    moment = panel.recording.series.end - 0.05
    panel.plots[0].canvas.hovered.emit(moment)
    values = [plot.legend.topLevelItem(0).text(1) for plot in panel.plots]
    assert float(values[0].split()[0]) == pytest.approx(moment, abs=0.0021)
    assert float(values[1].split()[0]) == pytest.approx(2 * moment, abs=0.0041)
    assert panel.note.text() == f"t = {moment:.3f} s"


@pytest.mark.parametrize("format", [MIME, "text/plain"])
def test_a_drag_over_the_curves_is_of_the_plot(panel, format):
    data = QMimeData()
    data.setData(format, b"ncon")
    window = panel.window()
    over = panel.plots[0].canvas.viewport()
    place = over.mapTo(window, over.rect().center())
    buttons, modifiers, copy = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    enter = QDragEnterEvent(place, copy, data, buttons, modifiers)
    QApplication.sendEvent(window.windowHandle(), enter)
    assert enter.isAccepted() == (format == MIME)
    QApplication.sendEvent(window.windowHandle(), QDragLeaveEvent())  # pyqtgraph's view complains if the drag was its


def test_curves_are_hidden_coloured_and_removed(qtbot, panel):
    plot = panel.plots[0]
    plot.add("qpos[0:3]")
    row = plot.legend.topLevelItem(1)
    row.setCheckState(0, Qt.CheckState.Unchecked)
    assert isValid(row)  # Qt still uses it after it has told of the change
    assert plot.legend.topLevelItem(1) is row
    assert [curve.is_visible for curve in plot.curves] == [True, False, True]
    plot.legend.topLevelItem(0).setSelected(True)
    menu = plot.legend.menu()
    assert [action.text() for action in menu.actions() if action.text()][-2:] == ["Copy Expression", "Remove"]
    menu.actions()[-1].trigger()
    menu.close()
    assert [curve.label for curve in plot.curves] == ["qpos[1]", "qpos[2]"]


def test_plots_are_remembered_for_each_model(qtbot, panel, tmp_path):
    panel.plots[0].add("qpos[0:2]")
    panel.plots[0].mode.setCurrentIndex(1)
    panel.add_plot().add("ncon")
    panel.set_span(30.0)
    other = tmp_path / "other.xml"
    other.write_text("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    first = panel.workspace.project.path
    panel.workspace.opening.open(str(other))
    qtbot.waitUntil(lambda: panel.remembered.path == str(other))
    assert [plot.curves for plot in panel.plots] == [[]]
    panel.workspace.opening.open(first)
    qtbot.waitUntil(lambda: panel.remembered.path == first)
    panel.remembered.save()  # the second plot is made in another turn: it is remembered all the same
    kept = read_state(panel.settings.of_model(first, panel.kept_as))
    assert kept is not None and len(kept.plots) == 2
    qtbot.waitUntil(lambda: len(panel.plots) == 2)
    assert [[curve.label for curve in plot.curves] for plot in panel.plots] == [["qpos[0]", "qpos[1]"], ["ncon"]]
    assert panel.plots[0].canvas.mode == "phase"


def test_a_plot_is_copied_as_a_picture(panel):
    panel.plots[0].copy_picture()
    assert not QGuiApplication.clipboard().pixmap().isNull()


def rows_of(panel):
    """(steps, values) of the recording."""
    blocks = list(panel.recording.series.rows())
    return np.concatenate([rows.steps for rows in blocks]), np.concatenate([rows.values for rows in blocks])


def export(qtbot, panel, path):
    said = []
    panel.said.connect(said.append)
    panel.exports.write(str(path))
    qtbot.waitUntil(lambda: bool(said))
    assert said[0].startswith("Wrote"), said
    panel.said.disconnect(said.append)


def test_exports_hold_every_step_to_the_bit(qtbot, panel, tmp_path):
    panel.add_quantities(["qpos", "norm(qvel) / 3"])
    record(qtbot, panel, 100)
    panel.simulation.post(requests.Reset())
    count = panel.recording.series.count
    record(qtbot, panel, count + 100)
    panel.simulation.post(requests.Pause())
    qtbot.waitUntil(lambda: not panel.simulation.snapshot.running)
    panel.recording.drain()
    steps, values = rows_of(panel)
    names = [*parse(panel.simulation.model, "qpos").labels, "norm(qvel) / 3"]

    export(qtbot, panel, tmp_path / "a.csv")
    with open(tmp_path / "a.csv", newline="") as file:
        head, *lines = csv.reader(file)
    assert head == ["run", "step", "time", *names]
    assert [int(line[1]) for line in lines] == steps.tolist()
    assert np.array([line[3:] for line in lines], float).tobytes() == np.ascontiguousarray(values).tobytes()
    assert len({line[0] for line in lines}) == 2

    import pyarrow.parquet as pq

    export(qtbot, panel, tmp_path / "a.parquet")
    table = pq.read_table(tmp_path / "a.parquet")
    assert table.column_names == head
    found = np.stack([table[name].to_numpy() for name in names], axis=1)
    assert found.tobytes() == np.ascontiguousarray(values).tobytes()
    assert table.schema.field(names[0]).metadata[b"unit"] == b"rad"

    from mcap.reader import make_reader

    export(qtbot, panel, tmp_path / "a.mcap")
    with open(tmp_path / "a.mcap", "rb") as file:
        messages = [
            (channel.topic, json.loads(message.data))
            for _, channel, message in make_reader(file).iter_messages(log_time_order=False)
        ]
    assert len({topic for topic, _ in messages}) == 2
    assert [message["step"] for _, message in messages] == steps.tolist()
    found = np.array([[message["values"][name] for name in names] for _, message in messages])
    assert found.tobytes() == np.ascontiguousarray(values).tobytes()


def test_an_export_asks_for_a_file_and_lets_the_window_go_on(qtbot, panel, tmp_path):
    panel.add_quantities(["qpos"])
    record(qtbot, panel, 20)
    panel.exports.ask(".csv")
    dialog = panel.findChild(QFileDialog)
    assert dialog is not None and dialog.isVisible() and dialog.defaultSuffix() == "csv"
    said = []
    panel.said.connect(said.append)
    dialog.fileSelected.emit(str(tmp_path / "a.csv"))
    dialog.reject()
    qtbot.waitUntil(lambda: bool(said))
    assert said[0].startswith("Wrote") and (tmp_path / "a.csv").exists()


def test_an_export_that_cannot_be_written_says_why(qtbot, panel, tmp_path):
    panel.add_quantities(["qpos[0]"])
    record(qtbot, panel, 10)
    said = []
    panel.said.connect(said.append)
    panel.exports.write(str(tmp_path / "missing" / "a.csv"))
    qtbot.waitUntil(lambda: bool(said))
    assert "cannot be written" in said[0]
    panel.exports.write(str(tmp_path / "a.txt"))
    qtbot.waitUntil(lambda: len(said) == 2)
    assert ".csv" in said[1]
    assert list(tmp_path.glob(".*")) == []


def test_a_plot_moves_to_a_panel_of_its_own(panel, qtbot):
    window = panel.window()
    panel.add_quantities(["qpos[0]"])
    panel.add_plot().add("qvel[0]")
    panel.plots[-1].move_button.click()
    dock = window.docks["plots2"]
    qtbot.waitUntil(lambda: dock.widget() is not None and dock.panel.is_ready)
    qtbot.waitUntil(lambda: [curve.label for plot in dock.panel.plots for curve in plot.curves] == ["qvel[0]"])
    assert [curve.label for plot in panel.plots for curve in plot.curves] == ["qpos[0]"]
    assert panel.isVisible() and dock.panel.isVisible(), "both are in view, side by side"
    path = window.project.path
    panel.remembered.save()
    dock.panel.remembered.save()
    assert "qvel[0]" in window.settings.of_model(path, "plots2")
    assert "qvel[0]" not in window.settings.of_model(path, "plots")


def test_labels_have_the_names_of_objects_alone_unless_two_are_the_same():
    labels = ['joint("knee").qpos', 'norm(body("leg").xpos - site("tip").xpos)', "other.joint('knee').qpos[0]", "ncon"]
    assert short_labels(labels) == ["knee.qpos", "norm(leg.xpos - tip.xpos)", "other.knee.qpos[0]", "ncon"]
    twice = ['body("arm").xpos[0]', 'geom("arm").xpos[0]', 'joint("arm").qpos']
    contacts = [
        'contact("floor", "foot").normal',
        'contact(body("leg"), body("chair")).count',
        'contact("foot").force[0]',
    ]
    assert short_labels(contacts) == ["floor–foot.normal", "leg–chair.count", "foot.force[0]"]
    assert short_labels(twice) == [*twice[:2], "arm.qpos"]


def test_names_of_a_legend_have_the_room_that_values_leave(panel, qtbot):
    plot = panel.plots[0]
    plot.add('joint("hinge").qpos')
    plot.add("ncon")
    legend, width = plot.legend, plot.legend.fontMetrics().horizontalAdvance
    assert [legend.topLevelItem(row).text(0) for row in (0, 1)] == ["hinge.qpos", "ncon"]
    assert legend.topLevelItem(0).toolTip(0) == 'joint("hinge").qpos'
    before = legend.columnWidth(1)
    assert before < width("-0000.0000 rad/s²")
    legend.show_values(lambda _curve: -1.2345e-7)
    assert legend.columnWidth(1) > before, "a value that needs more room gets it"
    legend.show_values(lambda _curve: 1.0)
    assert legend.columnWidth(1) > before, "and the column stays calm"


def test_a_low_plot_shows_its_curves_and_the_line_to_add_more_on_demand(panel, qtbot):
    plot = panel.plots[0]
    assert not plot.entry.isHidden(), "a plot without curves asks for one"
    plot.add("ncon")
    plot.resize(600, 100)
    assert plot.entry.isHidden() and not plot.add_button.isHidden()
    plot.add_button.click()
    assert not plot.entry.isHidden()
    plot.add_button.click()
    plot.resize(600, 300)
    assert not plot.entry.isHidden() and plot.add_button.isHidden()


def test_a_plot_whose_buttons_are_pressed_twice_goes_once(panel):
    """Qt deletes it later: its buttons still answer."""
    for press in ("close_button", "move_button"):
        plot, kept = panel.add_plot(), list(panel.plots)
        button = getattr(plot, press)
        button.click()
        button.click()
        assert plot not in panel.plots
        assert [each for each in panel.plots if each in kept] == [each for each in kept if each is not plot]


def test_parquet_asks_for_its_extra_first(qtbot, panel, tmp_path, monkeypatch):
    """CSV and MCAP do not. A path that ends in .parquet is refused with the reason."""
    from kinetree.engine.extras import places

    monkeypatch.setattr(places, "found", lambda extra: None)
    panel.add_quantities(["qpos"])
    record(qtbot, panel, 20)
    asked = []
    extras = panel.workspace.extras
    extras.asked.disconnect()  # the dialog
    extras.asked.connect(lambda extra, go_on: asked.append((extra.name, go_on)))
    panel.exports.ask(".csv")
    panel.findChild(QFileDialog).close()
    assert asked == []
    panel.exports.ask(".parquet")
    ((name, go_on),) = asked
    assert name == "parquet" and not any(each.isVisible() for each in panel.findChildren(QFileDialog))
    go_on()
    dialog = next(each for each in panel.findChildren(QFileDialog) if each.isVisible())
    assert dialog.defaultSuffix() == "parquet"
    dialog.reject()

    def lacking(name):
        raise places.MissingExtra(places.EXTRAS[name])

    monkeypatch.setattr(places, "activate", lacking)
    said = []
    panel.said.connect(said.append)
    panel.exports.write(str(tmp_path / "a.parquet"))
    qtbot.waitUntil(lambda: bool(said))
    assert "the extra 'parquet' (pyarrow, " in said[0] and list(tmp_path.glob("*.parquet")) == []


KERNING = 4  # pixels that Qt lets a shortened text be wider


def test_a_long_name_loses_its_middle_and_no_dot_is_beside_the_ellipsis(panel):
    metrics = panel.fontMetrics()
    name = "sole_left_in–floor.normal"
    for width in range(20, metrics.horizontalAdvance(name) + 20):
        shown = shortened(name, metrics, width)
        assert "…." not in shown and ".…" not in shown
        assert metrics.horizontalAdvance(shown) <= max(width, metrics.horizontalAdvance("…")) + KERNING
    assert shown == name


def test_an_empty_plot_offers_ready_ones_in_its_middle(qtbot, panel):
    plot = panel.plots[0]
    qtbot.waitUntil(lambda: plot.offers.isVisible())
    model = panel.simulation.model
    offered = [row for row, button in plot.offers.buttons.items() if button.isVisible()]
    assert offered == [row for row in READY if not row.needs or getattr(model, row.needs)]
    joints = next(row for row in READY if row.title == "Joint Positions")
    qtbot.mouseClick(plot.offers.buttons[joints], Qt.MouseButton.LeftButton)
    assert len(panel.plots) == 1 and plot.curves and not plot.offers.isVisible()
    plot.remove(list(plot.curves))
    assert plot.offers.isVisible()


def test_energy_that_is_not_computed_is_told_and_switched_on_in_the_plot(qtbot, panel):
    plot = panel.plots[0]
    plot.add("energy[0]")
    record(qtbot, panel, 50)
    panel.frames.now()
    qtbot.waitUntil(lambda: plot.note.isVisible())
    assert "Energy is not computed" in plot.note.label.text()
    panel.simulation.post(requests.Pause())
    qtbot.waitUntil(lambda: not panel.simulation.snapshot.running)
    qtbot.mouseClick(plot.note.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(panel.simulation.snapshot.opt.enableflags & 2))
    qtbot.waitUntil(lambda: not panel.recording.past.is_computing)
    plot.refresh(values=True)
    assert not plot.note.isVisible()
    values = panel.recording.series.raw(plot.curves[0].quantity, 0, 0.0, 1e9)[1]
    assert len(values) >= 50 and values.all(), "the past is computed again"


def test_four_axes_stay_in_the_plot_with_names_beside_their_numbers(qtbot, panel):
    plot = panel.plots[0]
    for text in (
        'joint("hinge").qpos',
        'joint("hinge").qvel',
        'body("arm").xpos[2] * 1000',
        "actuator_force[0]",
        "time",
    ):
        plot.add(text)
    panel.window().resize(1280, 800)
    record(qtbot, panel, 300)
    canvas = plot.canvas

    def are_in_place():
        panel.frames.outdate()
        panel.frames.now()
        used = [axis for axis in canvas._axes if axis.isVisible()]
        right = canvas.rect().right() + 1
        return (
            len(used) >= 3
            and all(axis.sceneBoundingRect().right() <= right for axis in used)
            and all(axis.width() >= axis._needed for axis in used[1:])
        )

    qtbot.waitUntil(are_in_place)
    alone = plot.curves[1]
    axis = canvas._axes[canvas.axis_of(alone)]
    assert axis.textPen().color().name() == alone.colour(theme.current().name)


def test_each_earlier_run_has_one_ruler(qtbot, panel):
    plot = panel.plots[0]
    plot.add("qpos[0]")
    simulation = panel.simulation
    simulation.post(requests.Pause())
    qtbot.waitUntil(lambda: not simulation.snapshot.running)
    for steps in (30, 20, 10):
        simulation.post(requests.Reset())
        qtbot.waitUntil(lambda: simulation.snapshot.time == 0.0)
        simulation.post(requests.StepRequest(steps))
        qtbot.waitUntil(lambda steps=steps: simulation.snapshot.time == pytest.approx(0.002 * steps))
    qtbot.waitUntil(lambda: panel.recording.series.end == pytest.approx(0.02))
    qtbot.waitUntil(lambda: not panel.recording.past.is_computing)
    panel.frames.outdate()
    panel.frames.now()
    ends = [end.time for end in plot.canvas.marks.ends][-2:]
    assert ends == pytest.approx([0.06, 0.04])
    panel.show_events("reset", False)
    panel.frames.now()
    assert not plot.canvas.marks.ends


def test_the_part_without_data_is_shaded(qtbot, panel):
    plot = panel.plots[0]
    plot.add("qpos[0]")
    record(qtbot, panel, 100)
    panel.simulation.post(requests.Pause())
    qtbot.waitUntil(lambda: not panel.simulation.snapshot.running)
    qtbot.waitUntil(lambda: not panel.recording.past.is_computing)
    panel.frames.outdate()
    panel.frames.now()
    assert plot.canvas.marks.begin is None, "the past goes back to the start of the run"
    panel.recording.clear()
    panel.simulation.post(requests.StepRequest(10))
    qtbot.waitUntil(lambda: panel.recording.series.count >= 10)
    panel.set_span(0.0)
    plot.canvas.set_times(0.0, panel.recording.series.end)
    plot.refresh()
    begin = panel.recording.series.begin_of(plot.curves[0].quantity)[0]
    assert plot.canvas.marks.begin == begin > 0.1
