"""The display panel, and what the viewport says of keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kinetree.app.menus.table import FLAG_GROUPS
from kinetree.app.viewport.overlay import PATIENCE, LagNotice
from kinetree.engine.scene.effects import EFFECTS, Preset, preset_of
from kinetree.engine.scene.options import FLAGS, FRAMES, LABELS, Frame, Label


def test_every_flag_is_in_one_section():
    names = [name for _, names in FLAG_GROUPS for name in names]
    assert sorted(names) == sorted(flag.name for flag in FLAGS)
    assert set(FRAMES) == set(Frame) and set(LABELS) == set(Label)


@pytest.fixture
def panel(open_panel):
    return open_panel("display")


def test_flags_groups_and_modes_go_both_ways(panel, paused):
    options = paused.view.options
    panel.boxes["joint"].click()
    assert options.joint and paused.actions_["flag.joint"].isChecked()
    paused.actions_["flag.joint"].trigger()
    assert not panel.boxes["joint"].isChecked()
    panel.groups["geom", 4].click()
    assert options.geomgroup[4] and paused.actions_["group.geom.4"].isChecked()
    panel.labels.activated.emit(panel.labels.findData(Label.GEOM))
    assert options.label is Label.GEOM and paused.actions_["label.geom"].isChecked()
    paused.actions_["frame.body"].trigger()
    assert panel.frames.currentText() == "Bodies"


def test_the_filter_leaves_what_holds_the_words(panel):
    panel.filter.setText("contact force")
    shown = [name for name, box in panel.boxes.items() if not box.isHidden()]
    assert shown == ["contactforce", "contactsplit"]
    assert panel.frames.isHidden() and not panel.labels.isHidden()  # labels can be those of contact forces
    panel.filter.setText("collision")
    assert not panel.shapes.isHidden() and panel.frames.isHidden() and panel._groups.isHidden()
    panel.filter.setText("groups")
    assert not panel._groups.isHidden()
    panel.filter.setText("xyz")
    assert panel._none.isVisibleTo(panel)
    panel.filter.clear()
    assert all(not box.isHidden() for box in panel.boxes.values())


def test_sections_take_as_many_columns_as_their_own_flags_leave_room_for(panel):
    panel.resize(300, 600)
    panel._arrange()
    columns = {section.title: section._columns for section in panel.sections}
    assert columns["Surfaces"] == 2 and set(columns.values()) <= {1, 2}
    panel.resize(1000, 600)
    panel._arrange()
    assert all(section._columns > 2 for section in panel.sections)


def test_the_panel_tells_how_shapes_are_chosen_while_groups_do_not(panel, paused):
    assert panel.told.isHidden()
    paused.actions_["shapes.collision"].trigger()
    assert not panel.told.isHidden() and panel.told.text().startswith("Collision shapes: ")
    paused.actions_["shapes.groups"].trigger()
    assert panel.told.isHidden()
    assert all("Key: " in each.toolTip() for each in (panel.shapes, panel.frames, panel.labels))


def test_every_key_says_what_it_did(paused, qtbot):
    said = paused.frame.said
    paused.activateWindow()
    paused.viewport.setFocus()
    qtbot.waitUntil(paused.viewport.hasFocus)
    for key, text in (
        (Qt.Key.Key_T, "Transparent on"), (Qt.Key.Key_T, "Transparent off"), (Qt.Key.Key_Equal, "Speed 2×"),
        (Qt.Key.Key_0, "Geom Group 0 off"), (Qt.Key.Key_BracketRight, "Camera front"), (Qt.Key.Key_F6, "Frames: bodies"),
        (Qt.Key.Key_Escape, "Free camera"), (Qt.Key.Key_Space, "Running"), (Qt.Key.Key_Space, "Paused"),
    ):  # fmt: skip
        QTest.keyClick(paused.viewport, key)
        assert said.text() == text and said.isVisible()
    qtbot.waitUntil(lambda: not said.isVisible())


def test_short_dips_of_the_speed_are_not_told():
    lag = LagNotice()
    assert not any(lag.follow(0.5 if 1.0 < t < 1.5 else 1.0, 1.0, t) for t in (0.1 * k for k in range(30)))
    assert [lag.follow(0.8, 1.0, t) for t in (10.0, 10.0 + PATIENCE)] == [False, True]
    assert lag.follow(0.94, 1.0, 30.0) and lag.follow(1.0, 1.0, 31.0)
    assert not lag.follow(0.97, 1.0, 31.0 + PATIENCE)


def test_quality_and_effects_go_both_ways(panel, paused):
    options, settings = paused.view.options, paused.settings
    for preset in Preset:
        paused.actions_[f"quality.{preset}"].trigger()
        assert preset_of(options) is preset is paused.view.preset
        assert settings.quality == preset == panel.quality.currentData()
        assert [each for each in Preset if paused.actions_[f"quality.{each}"].isChecked()] == [preset]
    paused.actions_["effect.samples.1"].trigger()
    assert options.samples == 1 and panel.choices["samples"].currentText() == "Off"
    panel.quality.activated.emit(panel.quality.findData("balanced"))
    assert preset_of(options) is Preset.BALANCED and settings.quality == "balanced"
    panel.choices["samples"].activated.emit(panel.choices["samples"].findData(8))
    assert options.samples == 8 and paused.actions_["effect.samples.8"].isChecked()
    for effect in EFFECTS:
        if not effect.choices:
            before = getattr(options, effect.name)
            panel.boxes[effect.name].click()
            assert getattr(options, effect.name) is not before
            assert paused.actions_[f"effect.{effect.name}"].isChecked() is not before


def test_the_machine_decides_where_nobody_chose(panel, paused):
    paused.actions_["quality.quality"].trigger()
    paused.actions_["quality.automatic"].trigger()
    software = paused.viewport._renderer.device.software
    assert preset_of(paused.view.options) is (Preset.PERFORMANCE if software else Preset.QUALITY)


def test_effects_that_were_chosen_outlive_another_preset(paused):
    paused.actions_["quality.balanced"].trigger()
    paused.view.set_option("samples", 1)
    paused.view.set_preset(Preset.QUALITY)
    assert paused.view.options.samples == 1
