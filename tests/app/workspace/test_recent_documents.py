"""Files that a window opens, in the shared list of the desktop."""

import pytest

from kinetree.app.workspace.recent_documents import RecentDocuments
from kinetree.engine.platforms import recent_documents
from tests.app.conftest import MODEL


@pytest.fixture
def added(monkeypatch):
    found = []
    monkeypatch.setattr(recent_documents, "add", lambda *arguments: found.append(arguments))
    return found


def test_opened_files_are_added_unless_the_settings_say_no(
    make_workspace, settings, tmp_path, model_file, added, qtbot
):
    workspace = make_workspace(model_file)
    recent = RecentDocuments(workspace.compiler, settings, workspace)
    qtbot.waitUntil(lambda: len(added) == 1)
    assert added == [(str(model_file), "model/x-mjcf+xml")]
    robot = tmp_path / "robot.urdf"
    robot.write_text('<robot name="r"><link name="a"/></robot>')
    workspace.opening.open(str(robot))
    qtbot.waitUntil(lambda: len(added) == 2)
    assert added[1] == (str(robot), "model/x-urdf+xml")
    with qtbot.waitSignal(workspace.compiler.compiled):
        workspace.project.compile()  # an edit opens nothing
    settings.set("recent_documents", False)
    other = tmp_path / "other.xml"
    other.write_text(MODEL)
    workspace.opening.open(str(other))
    qtbot.waitUntil(lambda: workspace.project.path == str(other))
    recent.end()
    assert len(added) == 2
