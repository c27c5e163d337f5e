"""Comparing the open model with another one: in the simulation thread, and from the window."""

import numpy as np
from PySide6.QtCore import Qt

import kinetree
from kinetree.app.viewport.painting import pixels
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import NOTHING, Selection
from kinetree.engine.run.motion import Motion
from tests.app.conftest import save_over, wait_for
from tests.app.workers.simulation.test_thread import paused, settle

__all__ = ["paused"]


def other_of(thread):
    settle(thread)
    return thread.latest_other


def test_another_model_goes_along(paused, rig):
    other = rig.copy()
    other.opt.gravity[:] = 0.0, 0.0, -1.0
    paused.post(requests.Compare(other, generation=1))
    here, there = settle(paused), paused.latest_other
    np.testing.assert_array_equal(here.qpos, there.qpos)
    paused.post(requests.StepRequest(20))
    here = settle(paused)
    there = paused.latest_other
    assert there.model is other and there.time == here.time > 0
    assert not np.array_equal(there.qpos, here.qpos)
    far = there.qpos.copy()
    paused.post(requests.StepBack(10))
    here = settle(paused)
    assert paused.latest_other.time == here.time and not np.array_equal(paused.latest_other.qpos, far)
    paused.post(requests.StepRequest(10))
    settle(paused)
    np.testing.assert_array_equal(paused.latest_other.qpos, far)
    paused.post(requests.Reset())
    here = settle(paused)
    np.testing.assert_array_equal(paused.latest_other.qpos, here.qpos)
    paused.post(requests.Compare(None, generation=1))
    assert other_of(paused) is None


def test_it_stays_while_the_model_is_edited(paused, rig):
    other = rig.copy()
    other.opt.gravity[:] = 0.0, 0.0, -1.0
    paused.post(requests.Compare(other, generation=1))
    paused.post(requests.StepRequest(10))
    settle(paused)
    before = paused.latest_other.qpos.copy()
    paused.post(requests.Load(rig.copy(), 2, keep=True, ready=True))
    here = settle(paused, lambda s: s.generation == 2)
    np.testing.assert_array_equal(paused.latest_other.qpos, before)
    paused.post(requests.StepRequest(5))
    here = settle(paused)
    assert paused.latest_other.time == here.time
    paused.post(requests.Load(rig.copy(), 3, keep=False, ready=True))
    settle(paused, lambda s: s.generation == 3)
    assert paused.latest_other is None
    assert wait_for(lambda: paused.failures == [])


def test_in_the_window_a_kept_version_is_the_ghost_and_in_plots(qtbot, make_window, model_file):
    window = make_window(model_file, size=(1200, 760))
    simulation, actions = window.workspace.simulation, window.actions_
    assert not actions["compare.end"].isEnabled() and not actions["compare.previous"].isEnabled()
    qtbot.waitUntil(lambda: simulation.ready)
    actions["compare.present"].trigger()
    qtbot.waitUntil(lambda: simulation.other_snapshot is not None)
    kept = simulation.other
    assert kept is simulation.model and actions["compare.end"].isEnabled()
    text = model_file.read_text()
    save_over(model_file, text.replace("<worldbody>", '<option gravity="0 0 -3"/><worldbody>', 1))
    qtbot.waitUntil(lambda: simulation.model is not kept and simulation.snapshot.model is simulation.model)
    assert simulation.other is kept and actions["compare.previous"].isEnabled()
    window.docks["plots"].bring_up()
    panel = window.docks["plots"].panel
    qtbot.waitUntil(lambda: bool(panel.plots))
    plot = panel.plots[0]
    assert plot.add("qpos[0]")
    panel.add_other()
    mine, others = plot.curves
    assert others.label == "other.qpos[0]" and others.colour("dark") == mine.colour("dark") and others.dashes
    qtbot.waitUntil(lambda: panel.recording.series.count >= 100)
    simulation.post(requests.Reset())
    qtbot.waitUntil(lambda: panel.recording.series.count >= 400)

    def drawn() -> list[np.ndarray]:
        panel.frames.outdate()
        panel.frames.now()
        return [plot.canvas._items[curve][0].yData[-20:] for curve in (mine, others)]

    # The kept version begins as soon as it is loaded; steps before that have no values of it.
    qtbot.waitUntil(lambda: all(np.isfinite(values).all() and len(values) == 20 for values in drawn()))
    assert not np.array_equal(*drawn())
    qtbot.waitUntil(lambda: "Ghost" in window.frame.compared.text())
    window.simulation.post(requests.Pause())
    window.view.show_ghost(False)
    assert window.frame.compared.text() == "" or not window.frame.compared.isVisible(), "while paused too"
    window.view.show_ghost(True)
    assert "Ghost" in window.frame.compared.text() and window.frame.compared.isVisible()
    window.simulation.post(requests.Play())
    assert not plot.add("other.nothing")
    assert plot.add("qpos[0] - other.qpos[0]")
    qtbot.waitUntil(
        lambda: bool(np.isfinite(panel.recording.series.raw(plot.curves[2].quantity, 0, 0.0, 1e9)[1]).any())
    )
    window.docks["watch"].bring_up()
    watch = window.docks["watch"].panel
    watch.add("qpos[0] - other.qpos[0]")
    watch.add("other.sum(qfrc_bias)")  # not part of snapshots: asked of the thread
    qtbot.waitUntil(lambda: all(row.read(simulation.snapshot) is not None for _, row in watch.model.indices()))
    actions["compare.end"].trigger()
    qtbot.waitUntil(lambda: simulation.other_snapshot is None)
    assert others.quantity.expression is None and "File > Compare" in others.quantity.error
    assert all("File > Compare" in row.help for _, row in watch.model.indices())
    assert not window.frame.compared.isVisible()


def test_a_file_that_does_not_compile_is_refused_by_name(qtbot, make_window, model_file, tmp_path):
    window = make_window(model_file)
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco><worldbody><geom/></worldbody></mujoco>")
    comparison = window.workspace.comparison
    with qtbot.waitSignal(comparison.refused) as told:
        comparison.with_file(str(bad))
    assert "bad.xml" in told.args[0] and "line 1" in told.args[0]
    assert window.workspace.simulation.other is None


def test_both_models_are_seen_beside_each_other_from_one_place(qtbot, make_window, model_file):
    window = make_window(model_file, size=(1200, 760))
    simulation, actions, viewports = window.workspace.simulation, window.actions_, window.viewports
    qtbot.waitUntil(lambda: simulation.ready)
    actions["compare.present"].trigger()
    qtbot.waitUntil(lambda: simulation.other_snapshot is not None)
    actions["compare.side"].trigger()
    first, second = viewports.frames
    assert actions["compare.side"].isChecked() and second.view.shows_other and not first.view.shows_ghost
    assert not second.gizmo_layer.isVisible() and first.gizmo_layer.isVisible()
    window.workspace.simulation.post(requests.Pause())
    first.view.align_camera()
    qtbot.waitUntil(lambda: second.view.camera is first.view.camera)
    drawn = []
    second.viewport.drawn.connect(drawn.append)
    first.view.camera.azimuth += 30.0
    first.viewport.update()
    qtbot.waitUntil(lambda: bool(drawn))
    qtbot.waitUntil(lambda: second.compared.text().startswith("Compared"))
    # what is picked in the second model is selected in the open one
    qtbot.waitUntil(lambda: simulation.other_snapshot is not None and simulation.snapshot.model is simulation.model)
    other = simulation.other_snapshot
    rod = other.geom_xpos[other.model.names["geom"].index("rod")]
    (place,) = pixels(second.viewport.eye(), rod, (second.viewport.width(), second.viewport.height()))
    window.selection.select(NOTHING)
    qtbot.mouseDClick(second.viewport, Qt.MouseButton.LeftButton, pos=place.toPoint())
    assert window.selection.current == Selection("body", simulation.model.names["body"].index("arm"))
    assert second.viewport._highlight_of_other().objects
    actions["compare.end"].trigger()
    assert len(viewports.frames) == 1 and first.view.shows_ghost and not actions["compare.side"].isChecked()


CLOTH = """<mujoco><option gravity="0 0 {gravity}"/><worldbody><light pos="0 0 3"/>
<flexcomp name="cloth" type="grid" dim="2" count="5 5 1" spacing=".1 .1 .1" pos="0 0 1" radius=".01" mass=".5">
<edge equality="true" damping="1"/><contact selfcollide="none"/><pin id="0 4"/></flexcomp></worldbody></mujoco>"""


def test_a_flex_is_compared_and_its_motion_shown(qtbot, make_window, tmp_path):
    """The ghost of a cloth moves as its own model says, and a saved motion has every point of it."""
    path = tmp_path / "cloth.xml"
    path.write_text(CLOTH.format(gravity=-9.81))
    window = make_window(path)
    simulation = window.simulation
    window.actions_["compare.present"].trigger()
    qtbot.waitUntil(lambda: simulation.other_snapshot is not None)
    kept = simulation.model
    path.write_text(CLOTH.format(gravity=-1))
    qtbot.waitUntil(lambda: simulation.model is not kept and simulation.snapshot.model is simulation.model)
    simulation.post(requests.Pause())
    simulation.post(requests.Reset())
    qtbot.waitUntil(lambda: simulation.snapshot.time == 0.0)
    simulation.post(requests.Play())
    qtbot.waitUntil(lambda: simulation.snapshot.time > 0.05)
    simulation.post(requests.Pause())
    motion = tmp_path / "cloth.npz"
    window.handlers.motions.save(str(motion))
    qtbot.waitUntil(motion.exists)
    end = Motion.load(motion).times[-1]
    qtbot.waitUntil(lambda: simulation.snapshot.time == end and abs(simulation.other_snapshot.time - end) < 1e-9)
    here, there = simulation.snapshot, simulation.other_snapshot
    assert here.flexvert_xpos.shape == there.flexvert_xpos.shape == (25, 3)
    assert there.flexvert_xpos[:, 2].mean() < here.flexvert_xpos[:, 2].mean(), "the kept version falls faster"
    window.actions_["compare.end"].trigger()
    qtbot.waitUntil(lambda: simulation.other is None)
    simulation.post(requests.Reset())
    qtbot.waitUntil(lambda: simulation.snapshot.time == 0.0)
    window.handlers.motions.play(str(motion))
    qtbot.waitUntil(lambda: simulation.snapshot.time == end)
    np.testing.assert_array_equal(simulation.snapshot.qpos, here.qpos)
    data = kinetree.Data(simulation.model)
    data.qpos = here.qpos
    kinetree.forward(simulation.model, data)
    np.testing.assert_array_equal(simulation.snapshot.flexvert_xpos, data.flexvert_xpos)
