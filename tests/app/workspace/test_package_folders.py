"""The setting for the folders of packages reaches the compiler process, and a change compiles the open model again."""

import os

import pytest

from kinetree.app.panels.dialogs.settings_dialog import SettingsDialog
from kinetree.engine.resources import packages
from tests.engine.resources.test_packages import model as model  # the robot whose package lies elsewhere


@pytest.fixture(autouse=True)
def none_chosen(monkeypatch):
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    yield
    packages.use(())


def test_a_folder_that_is_added_in_the_settings_brings_the_mesh(make_window, settings, model, tmp_path, qtbot):
    window = make_window(model, physics=False)
    qtbot.waitUntil(lambda: window.compiler.failed)
    assert any("Package folders" in item.message for item in window.compiler.diagnostics)
    window.dialogs.show_settings("packages.folders")
    dialog = window.findChild(SettingsDialog)
    field = dialog.rows["packages.folders"].editor
    field.add(str(tmp_path / "nowhere"))
    field.add(str(tmp_path / "workspace" / "src"))
    assert settings.value("packages.folders").count(os.pathsep) == 1
    qtbot.waitUntil(lambda: window.simulation.model is not None and window.simulation.model.nmesh == 1)
    dialog.close()
