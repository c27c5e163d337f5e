"""The ball around objects that a camera is fitted to."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.scene.bounds import sphere

TEXT = """<mujoco><worldbody>
  <geom name="floor" type="plane" size="0 0 1"/>
  <body name="arm" pos="1 0 0"><joint name="hinge"/><geom name="rod" size=".2"/>
    <body name="hand" pos="1 0 0"><geom name="palm" size=".3"/><site name="tip" pos="0 1 0"/></body></body>
  <camera name="eye" pos="0 0 7"/>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def posed():
    model = kinetree.load_string(TEXT)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    return model, data


@pytest.mark.parametrize(
    ("kind", "name", "centre", "radius"),
    [
        ("geom", "rod", (1, 0, 0), 0.2),
        ("body", "hand", (2, 0, 0), 0.3),
        ("body", "arm", (1.55, 0, 0), 0.75),
        ("joint", "hinge", (1.55, 0, 0), 0.75),
    ],
)
def test_a_ball_is_around_objects_and_all_below_them(posed, kind, name, centre, radius):
    model, data = posed
    found = sphere(model, data, [ObjectId(kind, kinetree.name2id(model, kind, name))])
    assert found is not None
    assert np.allclose(found[0], centre) and np.isclose(found[1], radius)


def test_the_whole_model_is_without_endless_planes(posed):
    found = sphere(*posed)
    assert found is not None and np.allclose(found[0], (1.55, 0, 0)) and np.isclose(found[1], 0.75)


def test_what_has_a_place_alone_has_a_small_ball(posed):
    model, data = posed
    for kind, name, place in (("site", "tip", (2, 1, 0)), ("camera", "eye", (0, 0, 7))):
        found = sphere(model, data, [ObjectId(kind, kinetree.name2id(model, kind, name))])
        assert found is not None and np.allclose(found[0], place) and 0 < found[1] < 1


def test_what_has_no_place_has_no_ball(posed):
    assert sphere(*posed, [ObjectId("key", 0)]) is None
