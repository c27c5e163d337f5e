"""Mirror a limb, in the window."""

from __future__ import annotations

from tests.app.actions.conftest import message, select

TEXT = """<mujoco>
  <asset>
    <mesh name="cube" vertex="-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 .1 .1 .1"/>
    <mesh name="wedge" vertex="0 0 0  .1 0 0  0 .2 0  0 0 .3  .1 .05 .2"/>
  </asset>
  <worldbody>
    <body name="left_arm" pos="0 1 0">
      <joint name="left_elbow"/>
      <geom name="left_cube" type="mesh" mesh="cube"/>
      <geom name="left_wedge" type="mesh" mesh="wedge"/>
    </body>
    <body name="other"><geom size=".1"/></body>
    <site name="s"/>
  </worldbody>
  <equality><connect body1="other" body2="left_arm" anchor="0 0 0"/></equality>
  <keyframe><key name="home" qpos="0"/></keyframe>
</mujoco>
"""


def test_the_limb_around_the_selected_geom_is_mirrored_in_one_step(window, qtbot):
    select(window, "left_cube")
    window.actions_["tools.mirror_y"].trigger()
    assert "is not copied: its anchor is in the frame of other" in message(window, qtbot)
    text = window.project.texts.text(window.project.path)
    assert '<body name="right_arm" pos="0 -1 0">' in text
    assert '<geom name="right_cube" type="mesh" mesh="cube"/>' in text  # it is its own mirror image
    assert 'mesh="wedge_mirrored"' in text and 'vertex="0 0 0  .1 0 0  0 -.2 0' in text
    assert '<key name="home" qpos="0 0"/>' in text
    document = window.project.document
    assert document.node(window.selection.current.element).get("name") == "right_arm"
    assert window.project.texts.undo_names == ["Mirror Limb"]
    window.project.undo()
    assert window.project.texts.text(window.project.path) == TEXT


def test_what_is_no_limb_is_refused(window, qtbot):
    select(window, "s")
    window.actions_["tools.mirror_y"].trigger()
    assert "Select the body or link" in message(window, qtbot)
    assert not window.project.modified
