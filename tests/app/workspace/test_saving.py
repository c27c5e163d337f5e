"""Unsaved texts are written where they belong."""

from tests.app.conftest import MODEL
from tests.app.workspace.hub import edit, wait_for_size


def test_saving_writes_the_edit_and_nothing_else(workspace, model_file, qtbot):
    edit(workspace, "Set size", ".3")
    with qtbot.waitSignal(workspace.saving.saved):
        workspace.saving.save()
    assert model_file.read_text() == MODEL.replace(
        'type="sphere" size=".1" mass="1"', 'type="sphere" size=".3" mass="1"'
    )
    assert not workspace.project.modified
    wait_for_size(workspace, qtbot, 0.3)
    generation = workspace.simulation.generation
    qtbot.wait(400)  # our own write is no change on disk
    assert workspace.simulation.generation == generation and not workspace.merging.conflicts
