"""Reset Display, Reset Camera, Reset Panels: what the model and the program say is shown again."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kinetree.app.actions.view_handlers import OPTION_TITLES, _option_title
from kinetree.app.menus.help import help_sections
from kinetree.app.panels.dialogs.palette.palette import action_entries
from kinetree.app.workspace.selection import select_object
from kinetree.engine.scene.camera import initial
from kinetree.engine.scene.effects import EFFECTS
from kinetree.engine.scene.options import VisOptions
from tests.app.conftest import MODEL

TEXT = MODEL.replace("<worldbody>", '<visual><global cameraid="1" azimuth="30"/></visual><worldbody>', 1)


def shown(view) -> dict:
    return dict(vars(view.options))


def test_reset_display_takes_back_what_keys_switched_and_says_what(window):
    view, simulation = window.view, window.simulation
    before = shown(view)
    window.viewport.setFocus()
    QTest.keyClicks(window.viewport, "tw0")
    QTest.keyClick(window.viewport, Qt.Key.Key_F6)
    window.actions_["sim.slower"].trigger()
    view.visibility.isolate([select_object(simulation.model, "geom", 1)])
    view.visibility.toggle_marked("faded", [select_object(simulation.model, "geom", 1)])
    view.cut((1.0, 0.0, 0.0))
    view.set_option("exposure", 1.5)
    view.set_option("tonemap", "neutral")
    assert view.visibility.hides and shown(view) != before and simulation.speed != 1.0
    window.actions_["view.reset_display"].trigger()
    assert shown(view) == before and not view.visibility.hides and simulation.speed == 1.0
    for word in ("Transparent", "Wireframe", "Geom Groups", "frames", "hidden elements", "section plane", "speed"):
        assert word in window.status.file.toolTip(), word
    assert not window.actions_["flag.transparent"].isChecked()
    window.actions_["view.reset_display"].trigger()
    assert shown(view) == before


def test_what_was_reset_is_not_restored_the_next_time(window, settings):
    window.view.set_option("transparent", True)
    window.view_memory.save()
    assert "transparent" in settings.of_model(window.project.path, "views")
    window.actions_["view.reset_display"].trigger()
    window.actions_["view.reset_camera"].trigger()
    window.view_memory.save()
    assert settings.of_model(window.project.path, "views") == ""


def test_effects_go_back_to_the_preset(window):
    view = window.view
    effect = next(each for each in EFFECTS if not each.choices)
    before = getattr(view.options, effect.name)
    assert before == effect.of(view.preset)
    view.set_option(effect.name, not before)
    assert view.reset_display() == [effect.name]
    assert getattr(view.options, effect.name) == before


def test_every_option_has_a_title():
    for name in vars(VisOptions()):
        assert _option_title(name), name
    assert not set(OPTION_TITLES) - set(vars(VisOptions()))


def test_reset_camera_looks_as_the_model_opens(make_window, tmp_path, rig, qtbot):
    path = tmp_path / "camera.xml"
    path.write_text(TEXT)
    window = make_window(path, physics=False)
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    view, model = window.view, window.simulation.model
    first = view.camera.copy()
    assert first.type == "fixed" and first.fixedcamid == 1
    view.track(2)
    view.set_orthographic(True)
    view.look_at(np.array([3.0, 4.0, 5.0]))
    view.set_pictures((0,))
    window.actions_["view.reset_camera"].trigger()
    now, wanted = view.camera, initial(model)
    assert (now.type, now.fixedcamid, now.orthographic) == (first.type, first.fixedcamid, first.orthographic)
    assert np.array_equal(now.lookat, wanted.lookat) and now.azimuth == 30 and view.pictures == ()


def test_reset_panels_brings_the_first_layout_back(window, qtbot):
    first = {name: (dock.isHidden(), dock.isFloating()) for name, dock in window.docks.items()}
    window.docks["tree"].hide()
    window.docks["sensors"].bring_up()
    window.docks["inspector"].setFloating(True)
    window.actions_["view.layout"].trigger()
    assert {name: (dock.isHidden(), dock.isFloating()) for name, dock in window.docks.items()} == first


@pytest.mark.parametrize(
    ("menu", "name"), [("Display", "Reset Display"), ("Camera", "Reset Camera"), ("View", "Reset Panels")]
)
def test_the_menu_the_palette_and_the_table_have_them(window, menu, name):
    texts = [action.text().replace("&", "") for action in window.actions_.menus[menu].actions()]
    assert name in texts
    row = next(row for row in window.actions_.rows.values() if row.text == name)
    assert row.help and window.actions_[row.id].toolTip()
    assert any(entry.name.startswith(name) for entry in action_entries(window.actions_, []))
    assert help_sections(window.actions_)


def test_without_a_model_there_is_nothing_to_reset(make_window):
    window = make_window()
    assert not window.actions_["view.reset_display"].isEnabled()
    assert not window.actions_["view.reset_camera"].isEnabled()
    assert window.actions_["view.layout"].isEnabled()
