"""Changes of other programs to the files of the open document."""

import pytest

from tests.app.conftest import MODEL, save_over
from tests.app.workspace.hub import edit, hub_size, wait_for_size


def test_reload_takes_unsaved_edits_back_and_undo_brings_them(workspace, qtbot):
    project = workspace.project
    edit(workspace, "Set size", ".3")
    wait_for_size(workspace, qtbot, 0.3)
    workspace.disk.reload()
    wait_for_size(workspace, qtbot, 0.1)
    assert not project.modified and project.texts.undo_name == "Reload rig.xml"
    project.undo()
    wait_for_size(workspace, qtbot, 0.3)


def test_without_automatic_reload_the_project_says_what_changed(workspace, model_file, qtbot):
    project = workspace.project
    workspace.disk.set_auto_reload(False)
    save_over(model_file, MODEL.replace('size=".1" mass="1"', 'size=".2" mass="1"'))
    qtbot.waitUntil(lambda: workspace.disk.outdated == [str(model_file)])
    assert hub_size(workspace) == pytest.approx(0.1)
    workspace.disk.keep()
    assert workspace.disk.outdated == [] and project.modified  # the text is no longer that of the disk
    save_over(model_file, MODEL.replace('size=".1" mass="1"', 'size=".4" mass="1"'))
    qtbot.waitUntil(lambda: bool(workspace.disk.outdated))
    workspace.disk.reload()
    wait_for_size(workspace, qtbot, 0.4)
    assert workspace.disk.outdated == [] and not project.modified


def test_what_was_kept_can_be_saved(workspace, model_file, qtbot):
    project = workspace.project
    workspace.disk.set_auto_reload(False)
    save_over(model_file, MODEL + "\n")
    qtbot.waitUntil(lambda: bool(workspace.disk.outdated))
    workspace.disk.keep()
    with qtbot.waitSignal(workspace.saving.saved):
        workspace.saving.save()
    assert model_file.read_text() == MODEL and not project.modified


def test_saving_is_not_a_change_on_disk_without_automatic_reload_either(workspace, qtbot):
    workspace.disk.set_auto_reload(False)
    edit(workspace, "Set size", ".3")
    with qtbot.waitSignal(workspace.saving.saved):
        workspace.saving.save_all()
    qtbot.wait(400)
    assert workspace.disk.outdated == [] and not workspace.merging.conflicts


def test_an_attached_model_is_followed(make_workspace, tmp_path, qtbot):
    child, parent = tmp_path / "child.xml", tmp_path / "parent.xml"
    child.write_text('<mujoco><worldbody><body name="b"><geom name="g" size=".1"/></body></worldbody></mujoco>')
    parent.write_text(
        '<mujoco><asset><model name="c" file="child.xml"/></asset><worldbody>'
        '<attach model="c" body="b" prefix="p-"/></worldbody></mujoco>'
    )
    workspace = make_workspace(parent)
    for size in (0.2, 0.3):
        child.write_text(child.read_text().replace('size="', f'size="{size} ', 1))
        qtbot.waitUntil(lambda size=size: workspace.simulation.model.geom_size[0, 0] == size)
