"""The text owns the model: edits are compiled from memory and undone."""

import pytest

import kinetree
from kinetree.engine.document.change import set_attribute
from kinetree.engine.document.edit import apply
from tests.app.conftest import MODEL, save_over
from tests.app.workspace.hub import THEIRS, edit, hub_size, wait_for_size


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


def test_an_edit_of_an_included_file_belongs_to_it(make_workspace, model_file, tmp_path, qtbot):
    part = tmp_path / "part.xml"
    part.write_text('<mujoco><option timestep="0.004"/></mujoco>')
    save_over(model_file, MODEL.replace("<worldbody>", '<include file="part.xml"/><worldbody>', 1))
    workspace = make_workspace(model_file)
    option = workspace.project.texts.tree(part).children[0]
    workspace.project.apply("Set timestep", set_attribute(option, "timestep", "0.001"))
    assert workspace.project.modified == [str(part)]
    qtbot.waitUntil(lambda: workspace.simulation.model.opt.timestep == 0.001)
    with qtbot.waitSignal(workspace.saving.saved):
        workspace.saving.save()
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


def test_errors_in_an_edit_keep_the_last_good_model(workspace, qtbot):
    good = workspace.simulation.model
    edit(workspace, "Set size", "-.3")
    qtbot.waitUntil(lambda: workspace.compiler.failed)
    assert workspace.simulation.model is good
    workspace.project.undo()
    qtbot.waitUntil(lambda: not workspace.compiler.failed)
    assert workspace.compiler.diagnostics == []


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
    qtbot.waitUntil(lambda: bool(workspace.merging.conflicts))
    workspace.disk.take_theirs()
    assert told == [
        ("Set size", False, True),
        ("Set size", False, True),
        ("Set size", True, True),
        ("Set size", False, True),
        ("Reload rig.xml", False, True),
    ]
