"""The panels of tendons, equalities and mocap bodies."""

import math

import pytest
from PySide6.QtCore import Qt

import kinetree
from kinetree.app.panels.driving.tendons.panel import ends_of

RIG = """<mujoco>
  <worldbody>
    <body name="arm"><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
      <site name="tip" pos=".5 0 0"/></body>
    <body name="other" pos="0 1 0"><joint name="turn" axis="0 1 0"/><geom size=".1"/></body>
    <body name="hand" mocap="true" pos="1 0 .5"><geom size=".05" contype="0" conaffinity="0"/></body>
    <site name="base" pos="0 0 1"/>
  </worldbody>
  <tendon><spatial name="rope" range="0 2"><site site="base"/><site site="tip"/></spatial></tendon>
  <equality><joint name="gear" joint1="hinge" joint2="turn"/><joint joint1="hinge" active="false"/></equality>
</mujoco>
"""


@pytest.fixture
def model_file(tmp_path):
    path = tmp_path / "state.xml"
    path.write_text(RIG)
    return path


def shown(open_panel, qtbot, name):
    panel = open_panel(name)
    qtbot.waitUntil(lambda: panel.model.rowCount() > 0 and panel.model.snapshot is not None)
    return panel


def test_a_tendon_shows_its_length(open_panel, paused, qtbot):
    panel = shown(open_panel, qtbot, "tendons")
    (row,) = panel.model.rows
    assert (row.name, row.low, row.high, row.limited, row.write) == ("rope", 0.0, 2.0, True, None)
    assert panel.model.value(row) == pytest.approx(math.hypot(0.5, 1.0))


def test_a_fixed_tendon_without_limits_goes_as_far_as_its_joints(rig):
    model = kinetree.load_string("""<mujoco><worldbody>
      <body><joint name="a" type="slide" range="-.1 .3" limited="true"/><geom size=".1"/></body>
      <body><joint name="b" axis="0 1 0"/><geom size=".1"/></body>
      <body><joint name="c" type="slide"/><geom size=".1"/><site name="s" pos="0 0 2"/></body><site name="t"/>
    </worldbody><tendon>
      <fixed><joint joint="a" coef="-2"/><joint joint="b" coef=".5"/></fixed>
      <spatial><site site="s"/><site site="t"/></spatial>
    </tendon></mujoco>""")
    assert ends_of(model, 0) == pytest.approx((-0.6 - math.pi / 2, 0.2 + math.pi / 2))
    assert ends_of(model, 1) == pytest.approx((0.0, 4.0))


def test_an_equality_is_switched_for_now(open_panel, paused, qtbot):
    panel = shown(open_panel, qtbot, "equalities")
    index = panel.model.index(0, 0)
    assert [panel.model.index(0, column).data() for column in range(3)] == ["gear", "joint", "on"]
    assert panel.model.setData(index, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    qtbot.waitUntil(lambda: not paused.simulation.snapshot.eq_active[0])
    qtbot.waitUntil(lambda: panel.model.index(0, 2).data() == "off")
    assert not paused.project.modified


def test_a_mocap_body_is_placed_and_turned(open_panel, paused, qtbot):
    panel = shown(open_panel, qtbot, "mocap")
    rows = {row.name: row for row in panel.model.rows}
    assert rows["z"].quantity == "mocap_pos[0,2]" and rows["z"].group == "hand"
    rows["z"].write(0.75)
    rows["yaw"].write(math.pi / 2)
    snapshot = lambda: paused.simulation.snapshot  # noqa: E731
    qtbot.waitUntil(lambda: snapshot().mocap_pos[0, 2] == 0.75 and snapshot().mocap_quat[0, 3] != 0.0)
    assert snapshot().mocap_quat[0] == pytest.approx([math.sqrt(0.5), 0, 0, math.sqrt(0.5)])
    panel.reset_rows(panel.model.rows)
    qtbot.waitUntil(lambda: snapshot().mocap_pos[0].tolist() == [1, 0, 0.5])
