"""Each setting is applied by the part that owns it."""

from PySide6.QtCore import QObject
from shiboken6 import delete

from kinetree.app.settings.following import SettingsFollower
from kinetree.app.settings.settings import Settings
from kinetree.app.workspace.bindings import PULL
from kinetree.app.workspace.workspace import Workspace


def test_a_setting_is_applied_now_and_when_it_changes_as_long_as_its_owner_lives(tmp_path, qtbot) -> None:
    settings, owner, applied = Settings(str(tmp_path)), QObject(), []
    settings.set("step_size", 7)
    SettingsFollower(settings, owner, {"step_size": applied.append})
    settings.set("step_size", 9)
    settings.set("degrees", not settings.degrees)
    assert applied == [7, 9]
    delete(owner)
    settings.set("step_size", 11)
    assert applied == [7, 9]


def test_the_parts_of_a_workspace_follow_their_settings(tmp_path, qtbot) -> None:
    settings = Settings(str(tmp_path))
    settings.set("auto_reload", False)
    workspace = Workspace()
    try:
        workspace.follow(settings)
        assert not workspace.disk.auto_reload
        settings.set("auto_reload", True)
        assert workspace.disk.auto_reload
        for on in (True, False):
            settings.set("degrees", on)
            assert workspace.units.degrees is on
        workspace.units.set_degrees(True)  # an action of the View menu
        assert settings.degrees
        wheel, other = workspace.view.wheel, {"away": "nearer", "nearer": "away"}
        settings.set("viewport.wheel", other[wheel])
        assert workspace.view.wheel == other[wheel] == workspace.add_view().wheel
        before = workspace.view.bindings
        settings.set(PULL, "alt+middle")
        assert workspace.view.bindings is not before
    finally:
        workspace.close()
