"""One key that switches between what is looked at and what collides, in a real window."""

import pytest
from PySide6.QtCore import Qt

from kinetree.app.viewport.remembering import _restore_view, _view_record
from kinetree.engine.scene.options import SHAPES, Shapes, VisOptions

ROBOT = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/><body name="arm" pos="0 0 .3"><joint/>
<geom name="cover" size=".1" group="2" contype="0" conaffinity="0"/><geom name="guard" type="box" size=".1 .1 .1" group="3"/>
</body></worldbody></mujoco>"""
URDF = """<robot name="r"><link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"
iyz="0"/></inertial><visual><geometry><sphere radius=".1"/></geometry></visual><collision><geometry><box size=".1 .1 .1"/>
</geometry></collision></link></robot>"""


@pytest.fixture
def robot(open_paused, tmp_path):
    path = tmp_path / "robot.xml"
    path.write_text(ROBOT)
    return open_paused(path)


def test_the_key_goes_round_tells_what_is_shown_and_returns_to_the_users_groups(robot, qtbot):
    view, frame = robot.view, robot.frame
    view.set_group("geom", 1, False)
    groups = list(view.options.geomgroup)
    seen = []
    for _ in range(3):
        qtbot.keyClick(robot.viewport, Qt.Key.Key_6)
        seen.append((view.options.shapes, frame.shapes.whole, frame.said.whole))
        assert robot.actions_[f"shapes.{view.options.shapes}"].isChecked()
    assert seen == [
        (
            Shapes.COLLISION,
            "Collision shapes",
            "Collision shapes: 2 of 3 geoms: those that can collide (contype, conaffinity, pairs)",
        ),
        (
            Shapes.BOTH,
            "Visual and collision shapes",
            "Visual and collision shapes: 3 geoms; those that only collide are see-through",
        ),
        (Shapes.GROUPS, "", "Shapes by their groups: 2 of 3 geoms"),
    ]
    assert view.options.geomgroup == groups


def test_menu_and_panel_show_and_set_the_choice_and_a_group_takes_it_back(robot, qtbot):
    robot.docks["display"].bring_up()
    qtbot.waitUntil(lambda: robot.docks["display"].panel is not None and robot.docks["display"].in_view)
    panel = robot.docks["display"].panel
    for number, shapes in enumerate(SHAPES):
        robot.actions_[f"shapes.{shapes}"].trigger()
        assert robot.view.options.shapes is shapes and panel.shapes.currentIndex() == number
    panel.shapes.activated.emit(list(SHAPES).index(Shapes.COLLISION))
    assert robot.view.options.shapes is Shapes.COLLISION
    robot.viewport.setFocus()
    qtbot.keyClick(robot.viewport, Qt.Key.Key_3)
    assert robot.view.options.shapes is Shapes.GROUPS and robot.view.options.geomgroup[3]


def test_each_viewport_has_its_own_choice_and_it_is_remembered(robot):
    robot.actions_["viewports.columns"].trigger()
    first, second = (frame.view for frame in robot.viewports.frames)
    first.set_option("shapes", Shapes.COLLISION)
    assert second.options.shapes is Shapes.GROUPS
    record = _view_record(first, robot.simulation.model)
    first.options = VisOptions()
    _restore_view(first, record, robot.simulation.model)
    assert first.options.shapes is Shapes.COLLISION and robot.viewports.frames[0].shapes.isVisible()
    _restore_view(second, {"options": {"shapes": "no such"}}, robot.simulation.model)
    assert second.options.shapes is Shapes.GROUPS
    robot.actions_["view.reset_display"].trigger()
    assert robot.view.options.shapes is Shapes.GROUPS


def test_a_urdf_without_its_visual_shapes_says_so(open_paused, tmp_path, qtbot):
    path = tmp_path / "robot.urdf"
    path.write_text(URDF)
    window = open_paused(path)
    qtbot.keyClick(window.viewport, Qt.Key.Key_6)
    assert "left out" in window.frame.said.whole and "discardvisual" in window.frame.said.whole
