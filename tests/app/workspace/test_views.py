"""Several views of a simulation, and several projects in one process."""

import numpy as np
import pytest
from PySide6.QtWidgets import QHBoxLayout, QWidget

import kinetree
from kinetree.app.viewport.overlay import ViewportFrame
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import NOTHING, Selection
from kinetree.app.workspace.workspace import Workspace
from tests.app.conftest import MODEL

OTHER = """<mujoco model="other"><worldbody><light pos="0 0 3"/>
<geom type="plane" size="2 2 .1" rgba="0 0 1 1"/><geom name="g" type="box" size=".5 .5 .5" rgba="1 0 0 1"/>
</worldbody></mujoco>"""


@pytest.fixture
def side_by_side(qtbot):
    """side_by_side(workspaces): a widget with a viewport for each view of each workspace, all drawn."""
    shown = []

    def show(*workspaces):
        widget = QWidget()
        shown.append((widget, workspaces))
        qtbot.addWidget(widget)
        layout = QHBoxLayout(widget)
        frames = [ViewportFrame(view, workspace, widget) for workspace in workspaces for view in workspace.views]
        for frame in frames:
            layout.addWidget(frame)
        widget.resize(900, 400)
        widget.show()
        for frame in frames:
            qtbot.waitUntil(lambda frame=frame: frame.viewport.frame_seconds > 0)
        return frames

    yield show
    for widget, workspaces in shown:
        widget.hide()
        for frame in widget.findChildren(ViewportFrame):
            frame.viewport.end()
        for workspace in workspaces:
            workspace.close()


def opened(path, text, qtbot):
    path.write_text(text)
    workspace = Workspace()
    workspace.simulation.post(requests.Pause())
    workspace.opening.open(str(path))
    qtbot.waitUntil(lambda: workspace.simulation.snapshot is not None)
    return workspace


def pixels(frame) -> np.ndarray:
    picture = frame.viewport.picture()
    image = picture.convertToFormat(picture.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)


def test_two_views_of_one_simulation(side_by_side, tmp_path, qtbot):
    workspace = opened(tmp_path / "other.xml", OTHER, qtbot)
    first, second = workspace.view, workspace.add_view()
    frames = side_by_side(workspace)
    first.camera.azimuth, second.camera.azimuth = 0.0, 45.0
    second.set_option("geomgroup", [False] * 6)
    before = pixels(frames[0])
    assert first.options.geomgroup[0] and (before != pixels(frames[1])).any()
    red = (before[..., 0] > 80) & (before[..., 2] < 60)
    assert red.sum() > 500 and not ((pixels(frames[1])[..., 0] > 80) & (pixels(frames[1])[..., 2] < 60)).any()
    box = Selection("geom", kinetree.name2id(workspace.simulation.model, "geom", "g"))
    workspace.selection.select(box)
    assert all("geom" in frame.selected.text() for frame in frames)


def test_two_models_side_by_side(side_by_side, tmp_path, rig, qtbot):
    rigged = opened(tmp_path / "rig.xml", MODEL, qtbot)
    other = opened(tmp_path / "other.xml", OTHER, qtbot)
    frames = side_by_side(rigged, other)
    assert (pixels(frames[0]) != pixels(frames[1])).any()
    rigged.selection.select(Selection("body", 1))
    assert other.selection.current == NOTHING
    qtbot.waitUntil(lambda: rigged.simulation.ready and other.simulation.ready)
    rigged.simulation.post(requests.Play())
    qtbot.waitUntil(lambda: rigged.simulation.snapshot.time > 0.05)
    assert other.simulation.snapshot.time == 0 and not other.simulation.running
    old = rigged.simulation.model
    (tmp_path / "other.xml").write_text(OTHER.replace(".5 .5 .5", ".2 .2 .2"))
    qtbot.waitUntil(lambda: other.simulation.model.geom_size[1, 0] == 0.2)
    assert rigged.simulation.model is old


def test_statistics_show_how_far_inverse_and_forward_dynamics_differ(side_by_side, tmp_path, qtbot):
    """Only where the model asks for the comparison."""
    text = """<mujoco><option><flag fwdinv="{}"/></option><worldbody><geom type="plane" size="2 2 .1"/>
     <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
    workspace = opened(tmp_path / "compared.xml", text.format("enable"), qtbot)
    simulation = workspace.simulation
    (frame,) = side_by_side(workspace)
    frame.set_info(True)
    simulation.post(requests.Play())
    qtbot.waitUntil(lambda: simulation.snapshot.solver_fwdinv.any())
    simulation.post(requests.Pause())
    qtbot.waitUntil(lambda: not simulation.snapshot.running)
    frame.refresh()
    constraint, applied = simulation.snapshot.solver_fwdinv
    assert (
        f"FwdInv       {constraint:.2g} (constraint forces)\n             {applied:.2g} (applied" in frame.info.text()
    )
    (tmp_path / "compared.xml").write_text(text.format("disable"))
    qtbot.waitUntil(lambda: not simulation.model.opt.enableflags)
    qtbot.waitUntil(lambda: "Iterations" in frame.info.text() and "FwdInv" not in frame.info.text())
