"""Opening a file in place of another, and giving it up."""

import os


def test_giving_up_a_file_that_cannot_be_opened_brings_back_the_findings(workspace, tmp_path, qtbot):
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco>")
    workspace.opening.open(str(bad))
    qtbot.waitUntil(lambda: workspace.compiler.failed)
    assert workspace.compiler.diagnostics and workspace.opening.attempt == str(bad)
    workspace.opening.abandon()
    assert not workspace.compiler.failed and workspace.compiler.diagnostics == []
    assert os.path.basename(workspace.project.path) == "rig.xml"


def test_cancelling_the_first_file_leaves_nothing_open(make_workspace, tmp_path, qtbot):
    workspace = make_workspace(tmp_path / "missing.xml")
    workspace.opening.open(str(tmp_path / "other.xml"))
    workspace.compiler.cancel()
    assert workspace.opening.shown_path == ""
