"""A short scripted session of edits through every surface; `tests/benchmark/session.py` runs a long one."""

from __future__ import annotations

import pytest

from kinetree.app.workers.simulation import requests
from tests.app.conftest import MODEL
from tests.app.session import Session

PART = '<mujoco>\n  <asset>\n    <material name="red" rgba="1 0 0 1"/>\n  </asset>\n</mujoco>\n'


@pytest.mark.slow("sixty acts in a window, each checked")
@pytest.mark.parametrize("seed", [1, 2])
def test_text_tree_model_and_undo_agree_over_a_session(make_window, tmp_path, rig, seed, qtbot):
    (tmp_path / "part.xml").write_text(PART)
    path = tmp_path / "rig.xml"
    path.write_text(MODEL.replace("  <worldbody>", '  <include file="part.xml"/>\n  <worldbody>', 1))
    window = make_window(path, size=(1280, 800))
    window.simulation.post(requests.Pause())
    session = Session(window, seed)
    for number in range(60):
        session.step()
        if number % 20 == 19:
            session.settle()
    assert {"source", "tree", "inspector", "gizmo"} <= set(session.counts), session.counts
    while window.project.texts.undo_name is not None:
        window.project.undo()
    session.settle()
    session.check_picture()
    window.workspace.opening.close()
