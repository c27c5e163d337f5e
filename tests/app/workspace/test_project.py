"""The text owns the model: edits are compiled from memory, saved, undone, and never lost to a change on
disk."""

import os

import pytest

import kinetree
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.document.change import set_attribute
from kinetree.engine.document.edit import apply
from kinetree.engine.document.merge import Choice
from tests.app.conftest import MODEL, save_over


@pytest.fixture
def make_workspace(qtbot):
    """make_workspace(path): a workspace without a window, its model compiled."""
    made = []

    def make(path):
        workspace = Workspace()
        made.append(workspace)
        workspace.messages = []
        workspace.failed.connect(lambda message, _details: workspace.messages.append(message))
        workspace.simulation.set_running(False)
        workspace.project.open(str(path))
        qtbot.waitUntil(lambda: workspace.compiler.result is not None)
        return workspace

    yield make
    for workspace in made:
        workspace.close()


@pytest.fixture
def workspace(make_workspace, model_file):
    return make_workspace(model_file)


def edit(workspace, name, value, merge=None):
    """Set the size of the geom "hub"."""
    hub = next(node for node in workspace.project.document.root.iter("geom") if node.get("name") == "hub")
    workspace.project.apply(name, set_attribute(hub, "size", value), merge)


def hub_size(workspace):
    model = workspace.simulation.model
    return model.geom_size[kinetree.name2id(model, "geom", "hub"), 0]


def wait_for_size(workspace, qtbot, size):
    qtbot.waitUntil(lambda: hub_size(workspace) == pytest.approx(size))


def test_an_edit_is_compiled_from_memory(workspace, model_file, qtbot):
    edit(workspace, "Set size", ".3")
    assert workspace.project.modified == [str(model_file)]
    wait_for_size(workspace, qtbot, 0.3)
    assert model_file.read_text() == MODEL
    assert workspace.project.compiled.document.source.text == workspace.project.texts.text(model_file)
    assert workspace.simulation.generation == 2  # the state was carried over


def test_undo_and_redo(workspace, qtbot):
    project = workspace.project
    edit(workspace, "Set size", ".3")
    assert (project.texts.undo_name, project.texts.redo_name) == ("Set size", None)
    project.undo()
    assert not project.modified and project.texts.redo_name == "Set size"
    qtbot.waitUntil(lambda: workspace.compiler.compiling_since is None)
    assert hub_size(workspace) == pytest.approx(0.1)
    project.redo()
    wait_for_size(workspace, qtbot, 0.3)


def test_only_the_newest_of_many_edits_is_shown(workspace, qtbot):
    shown = []
    workspace.simulation.model_changed.connect(lambda *_: shown.append(hub_size(workspace)))
    for i in range(30):
        edit(workspace, "Set size", f"{0.1 + 0.01 * (i + 1):g}", merge="size")
    wait_for_size(workspace, qtbot, 0.4)
    assert len(shown) < 30 and shown == sorted(shown)
    workspace.project.undo()
    assert not workspace.project.modified


def test_saving_writes_the_edit_and_nothing_else(workspace, model_file, qtbot):
    edit(workspace, "Set size", ".3")
    with qtbot.waitSignal(workspace.project.saved):
        workspace.project.save()
    assert model_file.read_text() == MODEL.replace(
        'type="sphere" size=".1" mass="1"', 'type="sphere" size=".3" mass="1"'
    )
    assert not workspace.project.modified
    wait_for_size(workspace, qtbot, 0.3)
    generation = workspace.simulation.generation
    qtbot.wait(400)  # our own write is no change on disk
    assert workspace.simulation.generation == generation and not workspace.project.conflicts


def test_a_change_on_disk_does_not_cost_unsaved_edits(workspace, model_file, qtbot):
    project = workspace.project
    edit(workspace, "Set size", ".3")
    save_over(model_file, THEIRS)
    qtbot.waitUntil(lambda: bool(project.conflicts))
    wait_for_size(workspace, qtbot, 0.3)
    project.take_theirs()
    wait_for_size(workspace, qtbot, 0.2)
    assert not project.conflicts and not project.modified
    project.undo()
    wait_for_size(workspace, qtbot, 0.3)
    assert project.modified


def test_keeping_ours_lets_save_replace_the_file(workspace, model_file, qtbot):
    project = workspace.project
    edit(workspace, "Set size", ".3")
    save_over(model_file, THEIRS)
    qtbot.waitUntil(lambda: bool(project.conflicts))
    project.save()
    qtbot.waitUntil(lambda: bool(workspace.messages))
    assert (
        all(words in workspace.messages[0] for words in ("another program", "keep your version"))
        and model_file.read_text() == THEIRS
    )
    project.keep()
    assert not project.conflicts and project.modified
    with qtbot.waitSignal(project.saved):
        project.save()
    assert 'size=".3" mass="1"' in model_file.read_text()


THEIRS = MODEL.replace('name="hub" type="sphere" size=".1"', 'name="hub" type="sphere" size=".2"')
"""Another program changed the line that `edit` changes."""


def test_changes_of_other_lines_are_merged(workspace, model_file, qtbot):
    project, merged = workspace.project, []
    project.merged.connect(merged.append)
    edit(workspace, "Set size", ".3")
    save_over(model_file, MODEL.replace('range="-90 90"', 'range="-45 90"'))
    qtbot.waitUntil(lambda: bool(merged))
    assert merged == [str(model_file)] and not project.conflicts and project.modified
    wait_for_size(workspace, qtbot, 0.3)
    text = project.texts.text(model_file)
    assert 'size=".3" mass="1"' in text and 'range="-45 90"' in text
    project.undo()
    assert 'range="-90 90"' in project.texts.text(model_file)
    project.redo()
    with qtbot.waitSignal(project.saved):
        project.save()
    assert model_file.read_text() == text


def test_a_conflict_is_merged_as_the_user_decides(workspace, model_file, qtbot):
    project = workspace.project
    edit(workspace, "Set size", ".3")
    save_over(model_file, THEIRS.replace('range="-90 90"', 'range="-45 90"'))
    qtbot.waitUntil(lambda: bool(project.conflicts))
    stale = project.merge_of(str(model_file))
    edit(workspace, "Set size", ".35")
    assert project.merge_of(str(model_file)) is None and project.conflicts  # compared anew
    qtbot.waitUntil(lambda: project.merge_of(str(model_file)) is not None)
    project.merge(stale, {0: Choice.THEIRS})
    assert project.conflicts  # that was about other texts
    found = project.merge_of(str(model_file))
    assert [conflict.line for conflict in found.merge.conflicts] == [8]
    project.merge(found, {0: Choice.THEIRS})
    wait_for_size(workspace, qtbot, 0.2)
    assert not project.conflicts and not project.modified
    assert project.texts.text(model_file) == model_file.read_text()
    project.undo()
    wait_for_size(workspace, qtbot, 0.35)


def test_reload_takes_unsaved_edits_back_and_undo_brings_them(workspace, qtbot):
    project = workspace.project
    edit(workspace, "Set size", ".3")
    wait_for_size(workspace, qtbot, 0.3)
    project.reload()
    wait_for_size(workspace, qtbot, 0.1)
    assert not project.modified and project.texts.undo_name == "Reload rig.xml"
    project.undo()
    wait_for_size(workspace, qtbot, 0.3)


def test_without_automatic_reload_the_project_says_what_changed(workspace, model_file, qtbot):
    project = workspace.project
    project.set_auto_reload(False)
    save_over(model_file, MODEL.replace('size=".1" mass="1"', 'size=".2" mass="1"'))
    qtbot.waitUntil(lambda: project.outdated == [str(model_file)])
    assert hub_size(workspace) == pytest.approx(0.1)
    project.keep()
    assert project.outdated == [] and project.modified  # the text is no longer that of the disk
    save_over(model_file, MODEL.replace('size=".1" mass="1"', 'size=".4" mass="1"'))
    qtbot.waitUntil(lambda: bool(project.outdated))
    project.reload()
    wait_for_size(workspace, qtbot, 0.4)
    assert project.outdated == [] and not project.modified


def test_what_was_kept_can_be_saved(workspace, model_file, qtbot):
    project = workspace.project
    project.set_auto_reload(False)
    save_over(model_file, MODEL + "\n")
    qtbot.waitUntil(lambda: bool(project.outdated))
    project.keep()
    with qtbot.waitSignal(project.saved):
        project.save()
    assert model_file.read_text() == MODEL and not project.modified


def test_saving_is_not_a_change_on_disk_without_automatic_reload_either(workspace, qtbot):
    workspace.project.set_auto_reload(False)
    edit(workspace, "Set size", ".3")
    with qtbot.waitSignal(workspace.project.saved):
        workspace.project.save_all()
    qtbot.wait(400)
    assert workspace.project.outdated == [] and not workspace.project.conflicts


def test_an_edit_of_an_included_file_belongs_to_it(make_workspace, model_file, tmp_path, qtbot):
    part = tmp_path / "part.xml"
    part.write_text('<mujoco><option timestep="0.004"/></mujoco>')
    save_over(model_file, MODEL.replace("<worldbody>", '<include file="part.xml"/><worldbody>', 1))
    workspace = make_workspace(model_file)
    option = workspace.project.texts.tree(part).children[0]
    workspace.project.apply("Set timestep", set_attribute(option, "timestep", "0.001"))
    assert workspace.project.modified == [str(part)]
    qtbot.waitUntil(lambda: workspace.simulation.model.opt.timestep == 0.001)
    with qtbot.waitSignal(workspace.project.saved):
        workspace.project.save()
    assert "0.001" in part.read_text() and 'include file="part.xml"' in model_file.read_text()


def test_an_include_that_an_edit_adds_is_read(workspace, tmp_path, qtbot):
    (tmp_path / "part.xml").write_text('<mujoco><option timestep="0.004"/></mujoco>')
    project = workspace.project
    where = project.texts.text(project.path).index("<worldbody>")
    from kinetree.engine.document.edit import Edit

    project.apply("Include", {project.path: [Edit(where, where, '<include file="part.xml"/>')]})
    qtbot.waitUntil(lambda: workspace.simulation.model.opt.timestep == 0.004)
    assert str(tmp_path / "part.xml") in project.texts.files
    (tmp_path / "part.xml").write_text('<mujoco><option timestep="0.001"/></mujoco>')
    qtbot.waitUntil(lambda: workspace.simulation.model.opt.timestep == 0.001)


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


def test_errors_in_an_edit_keep_the_last_good_model(workspace, qtbot):
    good = workspace.simulation.model
    edit(workspace, "Set size", "-.3")
    qtbot.waitUntil(lambda: workspace.compiler.failed)
    assert workspace.simulation.model is good
    workspace.project.undo()
    qtbot.waitUntil(lambda: not workspace.compiler.failed)
    assert workspace.compiler.diagnostics == []


def test_giving_up_a_file_that_cannot_be_opened_brings_back_the_findings(workspace, tmp_path, qtbot):
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco>")
    workspace.project.open(str(bad))
    qtbot.waitUntil(lambda: workspace.compiler.failed)
    assert workspace.compiler.diagnostics and workspace.project.attempt == str(bad)
    workspace.project.abandon()
    assert not workspace.compiler.failed and workspace.compiler.diagnostics == []
    assert os.path.basename(workspace.project.path) == "rig.xml"


def test_the_selection_follows_an_element_that_is_renamed(workspace, qtbot):
    from kinetree.app.workspace.selection import Selection

    model = workspace.simulation.model
    workspace.selection.select(Selection("geom", kinetree.name2id(model, "geom", "hub")))
    element = workspace.selection.current.element
    hub = workspace.project.document.node(element)
    workspace.project.apply("Rename", set_attribute(hub, "name", "ball"))
    qtbot.waitUntil(lambda: "ball" in workspace.simulation.model.names["geom"])
    model, current = workspace.simulation.model, workspace.selection.current
    assert current.kind == "geom" and model.names["geom"][current.id] == "ball"
    assert current.element == element


def test_cancelling_the_first_file_leaves_nothing_open(make_workspace, tmp_path, qtbot):
    workspace = make_workspace(tmp_path / "missing.xml")
    workspace.project.open(str(tmp_path / "other.xml"))
    workspace.compiler.cancel()
    assert workspace.project.shown_path == ""


def test_each_change_is_told_by_its_edits(workspace, model_file, qtbot):
    project, path = workspace.project, str(model_file)
    texts, told = [project.texts.text(path)], []

    def follow(transaction, backward):
        change = transaction.changes[path]
        texts.append(apply(texts[-1], change.backward if backward else change.forward))
        told.append((transaction.name, backward, texts[-1] == project.texts.text(path)))

    project.edited.connect(follow)
    edit(workspace, "Set size", ".2", merge="size")
    edit(workspace, "Set size", ".3", merge="size")
    project.undo()
    project.redo()
    save_over(model_file, THEIRS)
    qtbot.waitUntil(lambda: bool(project.conflicts))
    project.take_theirs()
    assert told == [
        ("Set size", False, True),
        ("Set size", False, True),
        ("Set size", True, True),
        ("Set size", False, True),
        ("Reload rig.xml", False, True),
    ]
