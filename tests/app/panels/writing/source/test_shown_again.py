"""A source panel that comes into view while the window goes over to another model."""

from tests.app.conftest import MODEL


def test_it_has_the_files_of_the_present_model(window, tmp_path, qtbot):
    panel = window.source
    window.docks["source"].bring_up()
    qtbot.waitUntil(lambda: panel.editor is not None)
    window.docks["source"].close()
    other = tmp_path / "other.xml"
    other.write_text(MODEL)
    window.project.changed.disconnect(panel._take_files)  # it is told last
    window.open(str(other))
    qtbot.waitUntil(lambda: window.project.path == str(other))
    window.docks["source"].bring_up()
    qtbot.waitUntil(panel.isVisible)
    assert panel.paths == [str(other)]
    assert panel.editor is not None and panel.editor.path == str(other)
