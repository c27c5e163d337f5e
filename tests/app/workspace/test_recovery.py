"""A program ends without saving; the next one opens what was unsaved."""

from __future__ import annotations

import pytest

from kinetree.app.workers.journal import _read, left_sessions
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.document.change import set_attribute
from tests.app.conftest import MODEL


@pytest.fixture
def start(qtbot, tmp_path):
    """start(): a workspace with a journal."""
    made = []

    def make() -> Workspace:
        workspace = Workspace(journal=tmp_path / "unsaved")
        made.append(workspace)
        workspace.simulation.post(requests.Pause())
        return workspace

    yield make
    for workspace in made:
        workspace.close()


@pytest.fixture
def crash(qtbot, tmp_path):
    """crash(workspace): its journal stays on the disk as after a crash."""

    def end(workspace: Workspace) -> None:
        root = tmp_path / "unsaved"
        qtbot.waitUntil(lambda: any(root.glob("*/state.json")))
        [folder] = root.iterdir()
        project = workspace.project

        def is_kept() -> bool:
            try:
                unsaved = _read(folder)
            except FileNotFoundError:  # the thread has just written the next one
                return False
            kept = {each.path: each.text for each in unsaved.files} if unsaved is not None else {}
            return kept == {path: project.texts.text(path) for path in project.modified}

        qtbot.waitUntil(is_kept)
        saved = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "lock"}
        workspace.close()
        folder.mkdir()
        for name, data in saved.items():
            (folder / name).write_bytes(data)

    return end


def opened(workspace: Workspace, path, qtbot) -> Workspace:
    workspace.opening.open(str(path))
    qtbot.waitUntil(lambda: workspace.project.document is not None)
    return workspace


def edit(workspace: Workspace, value: str) -> None:
    hub = next(node for node in workspace.project.document.root.iter("geom") if node.get("name") == "hub")
    workspace.project.apply("Set size", set_attribute(hub, "size", value))


def recover(workspace: Workspace, qtbot):
    qtbot.waitUntil(lambda: bool(workspace.recovery.left))
    [left] = workspace.recovery.left
    with qtbot.waitSignal(workspace.opening.recovered):
        workspace.recovery.recover(left)
    return workspace.project


def test_unsaved_edits_come_back_as_one_step(start, crash, model_file, tmp_path, qtbot):
    first = opened(start(), model_file, qtbot)
    edit(first, ".3")
    text = first.project.texts.text(model_file)
    crash(first)
    assert model_file.read_text() == MODEL
    second = start()
    project = recover(second, qtbot)
    assert project.texts.text(model_file) == text and project.modified == [str(model_file)]
    assert not second.merging.conflicts
    assert project.texts.undo_name == "Recover Unsaved Changes"
    assert second.recovery.left == []
    project.undo()
    assert project.texts.text(model_file) == MODEL and not project.modified
    # The journal of the second one has them now, the first one's is gone.
    project.redo()
    root = tmp_path / "unsaved"
    qtbot.waitUntil(lambda: left_sessions(root) == [] and any(root.glob("*/state.json")))


def test_what_changed_on_disk_since_is_merged(start, crash, model_file, qtbot):
    first = opened(start(), model_file, qtbot)
    edit(first, ".3")
    crash(first)
    model_file.write_text(MODEL.replace('range="-90 90"', 'range="-45 90"'))
    workspace = start()
    project = recover(workspace, qtbot)
    qtbot.waitUntil(lambda: 'range="-45 90"' in project.texts.text(model_file))
    assert 'size=".3" mass="1"' in project.texts.text(model_file)
    assert project.modified and not workspace.merging.conflicts


def test_what_changed_on_disk_in_the_same_lines_is_a_conflict(start, crash, model_file, qtbot):
    first = opened(start(), model_file, qtbot)
    edit(first, ".3")
    crash(first)
    model_file.write_text(MODEL.replace('size=".1" mass="1"', 'size=".2" mass="1"'))
    workspace = start()
    project = recover(workspace, qtbot)
    qtbot.waitUntil(lambda: workspace.merging.merge_of(str(model_file)) is not None)
    assert 'size=".3" mass="1"' in project.texts.text(model_file)


def test_a_document_that_was_never_saved(start, crash, tmp_path, qtbot):
    path = tmp_path / "Untitled.xml"
    first = start()
    first.opening.create(str(path), "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    qtbot.waitUntil(lambda: first.simulation.model is not None)
    assert first.project.modified == [str(path)]
    crash(first)
    second = start()
    project = recover(second, qtbot)
    qtbot.waitUntil(lambda: second.simulation.model is not None)
    assert project.path == str(path) and project.modified == [str(path)] and not path.exists()
    with qtbot.waitSignal(second.saving.saved):
        second.saving.save()
    assert path.read_text() == "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"


def test_a_document_with_errors_comes_back(start, crash, model_file, qtbot):
    first = opened(start(), model_file, qtbot)
    edit(first, "not a number")
    crash(first)
    project = recover(start(), qtbot)
    assert 'size="not a number"' in project.texts.text(model_file)


@pytest.mark.parametrize("text", [MODEL.replace("<body", "<boddy", 1), "<mujoco><bad"])
def test_a_file_with_errors_gets_its_edits_back_while_another_model_is_open(
    start, crash, model_file, tmp_path, qtbot, text
):
    first = opened(start(), model_file, qtbot)
    edit(first, ".3")
    unsaved = first.project.texts.text(model_file)
    crash(first)
    model_file.write_text(text)
    (tmp_path / "other.xml").write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    second = opened(start(), tmp_path / "other.xml", qtbot)
    project = recover(second, qtbot)
    assert project.path == str(model_file) and project.modified == [str(model_file)]
    assert "Recover Unsaved Changes" in project.texts.undo_names and 'size=".3" mass="1"' in unsaved
    second.disk.keep()
    while project.texts.undo_name != "Recover Unsaved Changes":  # what was merged since
        project.undo()
    assert project.texts.text(model_file) == unsaved


def test_a_proper_end_leaves_nothing(start, model_file, tmp_path, qtbot):
    first = opened(start(), model_file, qtbot)
    edit(first, ".3")
    qtbot.waitUntil(lambda: any((tmp_path / "unsaved").glob("*/state.json")))
    first.close()
    assert list((tmp_path / "unsaved").iterdir()) == []
