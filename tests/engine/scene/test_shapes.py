"""Visual shapes, collision shapes and both: what is which, and what is drawn."""

import numpy as np
import pytest

from kinetree.engine.model import enums
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.scene import scene as S
from kinetree.engine.scene import shapes
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import default_free
from kinetree.engine.scene.options import Shapes, VisOptions
from kinetree.engine.scene.pick import pick
from kinetree.engine.scene.scene import ShapeKind, shape_parts
from tests.engine.scene.worlds import load

MENAGERIE = """
<mujoco>
  <asset><mesh name="lump" vertex="0 0 0  .3 0 0  0 .3 0  0 0 .3  .1 .1 .1"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="arm" pos="0 0 .5"><joint/>
      <geom name="cover" type="mesh" mesh="lump" group="2" contype="0" conaffinity="0" mass="0"/>
      <geom name="hull" type="mesh" mesh="lump" group="3"/>
      <geom name="foot" size=".05" pos=".4 0 0" group="3"/>
      <geom name="ghost" size=".05" pos=".6 0 0" rgba="1 0 0 0"/>
      <geom name="paired" size=".05" pos=".8 0 0" group="4" contype="0" conaffinity="0"/>
      <geom name="mark" size=".02" pos="0 0 .2" group="5" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <contact><pair geom1="paired" geom2="floor"/></contact>
</mujoco>
"""
CONVERTED = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <geom name="line" type="box" size="1 .01 .001" group="1" contype="0" conaffinity="0"/>
    <body name="link"><joint/>
      <geom name="box" type="box" size=".1 .1 .1"/>
      <geom name="cover" type="box" size=".1 .1 .1" group="1" contype="0" conaffinity="0" mass="0"/>
    </body>
    <body name="wheel"><joint/><geom name="tyre" size=".1"/></body>
  </worldbody>
</mujoco>
"""
PLAIN = """<mujoco><worldbody><geom name="a" size=".1"/><body><joint/><geom name="b" size=".1"/></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def menagerie():
    return load(MENAGERIE)


def drawn(world, **options) -> dict[str, tuple[ShapeKind, float]]:
    """The geoms of a scene by name: shape and alpha."""
    model, data = world
    scene = build(model, data, VisOptions(**options), default_free(model))
    found = {}
    for batch in (*scene.opaque, *scene.transparent):
        for row in scene.instances[batch.first : batch.first + batch.count]:
            obj, number = scene.segments[int(row[S.SEGMENT])]
            if obj == enums.OBJ_GEOM:
                found[model.geom(number).name] = (
                    ShapeKind(shape_parts(batch.shape)[0]),
                    round(float(row[S.COLOR + 3]), 2),
                )
    return found


def test_what_can_collide_is_drawn_whatever_its_group(menagerie):
    assert set(drawn(menagerie)) == {"floor", "cover"}
    assert set(drawn(menagerie, shapes=Shapes.COLLISION)) == {"floor", "hull", "foot", "ghost", "paired"}
    assert set(drawn(menagerie, shapes=Shapes.VISUAL)) == {"floor", "cover", "mark"}
    assert set(drawn(menagerie, shapes=Shapes.BOTH)) == {
        "floor", "cover", "mark", "hull", "foot", "ghost", "paired"
    }  # fmt: skip


def test_a_mesh_that_collides_is_drawn_by_its_hull_and_over_visual_shapes_see_through(menagerie):
    collision, both = drawn(menagerie, shapes=Shapes.COLLISION), drawn(menagerie, shapes=Shapes.BOTH)
    assert collision["hull"] == (ShapeKind.HULL, 1.0) and collision["ghost"][1] == 1.0
    assert both["hull"] == (ShapeKind.HULL, 0.3) and both["ghost"][1] == both["foot"][1] == 0.3
    assert both["cover"] == (ShapeKind.MESH, 1.0) and both["floor"][1] == 1.0


def test_groups_tell_what_only_collides_beside_visual_shapes():
    """Converted URDF: collision shapes in group 0, visual ones in group 1; a body without visual shapes keeps its own."""
    world = load(CONVERTED)
    assert set(drawn(world, shapes=Shapes.VISUAL)) == {"floor", "line", "cover", "tyre"}
    assert set(drawn(world, shapes=Shapes.COLLISION)) == {"floor", "box", "tyre"}


def test_what_the_user_hides_stays_hidden_and_static_bodies_too(menagerie):
    model, _ = menagerie
    hidden = frozenset({ObjectId("geom", model.geom("foot").id)})
    assert "foot" not in drawn(menagerie, shapes=Shapes.COLLISION, hidden=hidden)
    assert "floor" not in drawn(menagerie, shapes=Shapes.COLLISION, static=False)


def test_the_key_goes_round_and_leaves_out_what_looks_the_same(menagerie):
    model, _ = menagerie
    options, found = VisOptions(), []
    for _ in range(4):
        options.shapes = shapes.following(model, options)
        found.append(options.shapes)
    assert found == [Shapes.COLLISION, Shapes.BOTH, Shapes.VISUAL, Shapes.GROUPS]  # the mark is in a hidden group
    options.geomgroup = [True] * 3 + [False, False, True]
    found = []
    for _ in range(3):
        options.shapes = shapes.following(model, options)
        found.append(options.shapes)
    assert found == [Shapes.COLLISION, Shapes.BOTH, Shapes.GROUPS]
    assert shapes.following(load(PLAIN)[0], VisOptions()) is Shapes.GROUPS


def test_how_many_are_shown_and_why_is_told(menagerie):
    told = {each: shapes.told(menagerie[0], VisOptions(shapes=each)) for each in Shapes}
    assert told[Shapes.COLLISION] == (
        "Collision shapes: 5 of 7 geoms: those that can collide (contype, conaffinity, pairs)"
    )
    assert told[Shapes.VISUAL].startswith("Visual shapes: 3 of 7 geoms")
    assert told[Shapes.BOTH].startswith("Visual and collision shapes: 7 geoms")
    assert told[Shapes.GROUPS] == "Shapes by their groups: 3 of 7 geoms"


def test_a_click_hits_what_is_drawn():
    """Also a shape without alpha, while it is drawn because it can collide."""
    model, data = load(
        """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
        <geom name="clear" size=".1" pos="0 0 .5" rgba="1 1 1 0"/>
        <geom name="guard" size=".1" pos="0 0 .8" group="3"/></worldbody></mujoco>"""
    )

    def hits(**options) -> list[str]:
        found, height = [], 1.5
        while (hit := pick(model, data, [0, 0, height], [0, 0, -1.0], VisOptions(**options))) is not None:
            found.append(model.geom(hit.geomid).name)
            height = float(hit.point[2]) - 0.25
            if height < 0:
                break
        return found

    assert hits() == hits(shapes=Shapes.VISUAL) == ["floor"]
    assert hits(shapes=Shapes.COLLISION) == ["guard", "clear", "floor"]


def test_flexes_collide_and_skins_do_not():
    text = """<mujoco><worldbody><body name="cloth" pos="0 0 1">
      <flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" mass="1"/></body></worldbody></mujoco>"""
    model, _ = load(text)
    model.flex_group[:] = 4
    assert not shapes.chosen_flexes(model, VisOptions()).any()
    assert shapes.chosen_flexes(model, VisOptions(shapes=Shapes.COLLISION)).all()
    model.flex_contype[:] = model.flex_conaffinity[:] = 0
    assert not shapes.chosen_flexes(model, VisOptions(shapes=Shapes.COLLISION)).any()
    assert shapes.chosen_flexes(model, VisOptions(shapes=Shapes.VISUAL)).all()
    assert np.array_equal(shapes.chosen_skins(model, VisOptions(shapes=Shapes.COLLISION)), np.zeros(0, bool))
