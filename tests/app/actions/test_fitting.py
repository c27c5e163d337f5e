"""Fit primitives to meshes, in the window."""

from __future__ import annotations

from tests.app.actions.conftest import message, select

TEXT = """<mujoco>
  <asset><mesh name="cube" vertex="-.1 -.2 -.1 .1 -.2 -.1 -.1 .2 -.1 .1 .2 -.1 -.1 -.2 .1 .1 -.2 .1 -.1 .2 .1 .1 .2 .1"/></asset>
  <worldbody>
    <geom name="a" type="mesh" mesh="cube"/>
    <geom name="b" type="mesh" mesh="cube" pos="1 0 0"/>
    <geom name="c" size=".1"/>
  </worldbody>
</mujoco>
"""


def test_boxes_take_the_place_of_the_meshes_in_one_step(window, qtbot):
    select(window, "a", "b")
    window.actions_["tools.fit_box"].trigger()
    qtbot.waitUntil(lambda: bool(window.project.modified))
    model = None

    def compiled():
        nonlocal model
        model = window.project.compiled.model
        return sorted(map(float, model.geom_size[1].round(6))) == [0.1, 0.1, 0.2]

    qtbot.waitUntil(compiled)
    assert window.project.texts.undo_names == ["Fit Box"]
    assert window.project.texts.text(window.project.path).count('mesh="cube"') == 0
    window.project.undo()
    assert window.project.texts.text(window.project.path) == TEXT


def test_a_geom_without_a_mesh_is_refused(window, qtbot):
    select(window, "c")
    window.actions_["tools.fit_sphere"].trigger()
    assert message(window, qtbot).startswith('<geom> "c" is no geom with a mesh')
    assert not window.project.modified
