"""Unsaved edits and what another program has written in the same file."""

from kinetree.engine.document.merge import ConflictChoice
from tests.app.conftest import MODEL, save_over
from tests.app.workspace.hub import THEIRS, edit, wait_for_size


def test_a_change_on_disk_does_not_cost_unsaved_edits(workspace, model_file, qtbot):
    project = workspace.project
    edit(workspace, "Set size", ".3")
    save_over(model_file, THEIRS)
    qtbot.waitUntil(lambda: bool(workspace.merging.conflicts))
    wait_for_size(workspace, qtbot, 0.3)
    workspace.disk.take_theirs()
    wait_for_size(workspace, qtbot, 0.2)
    assert not workspace.merging.conflicts and not project.modified
    project.undo()
    wait_for_size(workspace, qtbot, 0.3)
    assert project.modified


def test_keeping_ours_lets_save_replace_the_file(workspace, model_file, qtbot):
    project = workspace.project
    edit(workspace, "Set size", ".3")
    save_over(model_file, THEIRS)
    qtbot.waitUntil(lambda: bool(workspace.merging.conflicts))
    workspace.saving.save()
    qtbot.waitUntil(lambda: bool(workspace.messages))
    assert (
        all(words in workspace.messages[0] for words in ("another program", "keep your version"))
        and model_file.read_text() == THEIRS
    )
    workspace.disk.keep()
    assert not workspace.merging.conflicts and project.modified
    with qtbot.waitSignal(workspace.saving.saved):
        workspace.saving.save()
    assert 'size=".3" mass="1"' in model_file.read_text()


def test_changes_of_other_lines_are_merged(workspace, model_file, qtbot):
    project, merged = workspace.project, []
    workspace.merging.merged.connect(merged.append)
    edit(workspace, "Set size", ".3")
    save_over(model_file, MODEL.replace('range="-90 90"', 'range="-45 90"'))
    qtbot.waitUntil(lambda: bool(merged))
    assert merged == [str(model_file)] and not workspace.merging.conflicts and project.modified
    wait_for_size(workspace, qtbot, 0.3)
    text = project.texts.text(model_file)
    assert 'size=".3" mass="1"' in text and 'range="-45 90"' in text
    project.undo()
    assert 'range="-90 90"' in project.texts.text(model_file)
    project.redo()
    with qtbot.waitSignal(workspace.saving.saved):
        workspace.saving.save()
    assert model_file.read_text() == text


def test_a_conflict_is_merged_as_the_user_decides(workspace, model_file, qtbot):
    project = workspace.project
    edit(workspace, "Set size", ".3")
    save_over(model_file, THEIRS.replace('range="-90 90"', 'range="-45 90"'))
    qtbot.waitUntil(lambda: bool(workspace.merging.conflicts))
    stale = workspace.merging.merge_of(str(model_file))
    edit(workspace, "Set size", ".35")
    assert workspace.merging.merge_of(str(model_file)) is None and workspace.merging.conflicts  # compared again
    qtbot.waitUntil(lambda: workspace.merging.merge_of(str(model_file)) is not None)
    workspace.merging.merge(stale, {0: ConflictChoice.THEIRS})
    assert workspace.merging.conflicts  # that was about other texts
    found = workspace.merging.merge_of(str(model_file))
    assert [conflict.line for conflict in found.merge.conflicts] == [8]
    workspace.merging.merge(found, {0: ConflictChoice.THEIRS})
    wait_for_size(workspace, qtbot, 0.2)
    assert not workspace.merging.conflicts and not project.modified
    assert project.texts.text(model_file) == model_file.read_text()
    project.undo()
    wait_for_size(workspace, qtbot, 0.35)
