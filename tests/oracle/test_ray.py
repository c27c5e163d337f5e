"""Rays: every shape against mju_rayGeom, whole models against mj_ray."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.sensor.ray import ray_shape
from kinetree.engine.model import enums
from kinetree.engine.scene.pick import first_triangle, ray_geom
from tests.oracle.test_sdf import CONFIG

SHAPES = {
    "plane": (enums.GEOM_PLANE, (0.0, 0.0, 1.0)),
    "rectangle": (enums.GEOM_PLANE, (0.5, 0.3, 1.0)),
    "sphere": (enums.GEOM_SPHERE, (0.4, 0.0, 0.0)),
    "capsule": (enums.GEOM_CAPSULE, (0.2, 0.4, 0.0)),
    "ellipsoid": (enums.GEOM_ELLIPSOID, (0.2, 0.3, 0.5)),
    "cylinder": (enums.GEOM_CYLINDER, (0.3, 0.4, 0.0)),
    "box": (enums.GEOM_BOX, (0.2, 0.3, 0.4)),
}

WORLD = """<mujoco>
  <asset>
    <mesh name="tetra" vertex="0 0 0 .4 0 0 0 .4 0 0 0 .4"/>
    <hfield name="hill" nrow="7" ncol="7" size=".5 .5 .3 .1" elevation="{}"/>
    <material name="clear" rgba="1 1 1 0"/><material name="red" rgba="1 0 0 1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" pos="0 0 -1"/>
    <geom name="hill" type="hfield" hfield="hill" pos="0 2 0" euler="10 20 30"/>
    <body name="a" pos="0 0 1"><freejoint/>
      <geom type="box" size=".2 .3 .1"/><geom type="mesh" mesh="tetra" pos=".5 0 0" euler="0 40 0"/>
      <body name="b" pos="0 0 .6"><joint axis="1 0 0"/><geom size=".2" pos="0 .8 0" group="3"/>
        <geom type="capsule" size=".1 .3" material="red" rgba="1 1 1 0"/></body>
    </body>
    <body pos="-1 0 .5"><joint axis="0 1 0"/><geom type="ellipsoid" size=".2 .3 .4"/></body>
    <body pos="-1 1 .5"><geom type="cylinder" size=".3 .4" group="9"/></body>
    <body pos="1 1 .5"><joint axis="0 1 0"/>
      <geom size=".4" rgba="1 1 1 0"/><geom size=".3" pos="0 0 1" material="clear"/></body>
  </worldbody>
</mujoco>"""


def rays(rng, count: int, spread: float):
    """Starts around the origin, inside and outside, with directions of any length towards what is near it."""
    starts = rng.normal(size=(count, 3)) * spread
    return starts, (rng.normal(size=(count, 3)) * 0.4 - starts) * rng.uniform(0.1, 3, (count, 1))


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    kind, size = SHAPES[name]
    hits = 0
    for start, direction in zip(*rays(np.random.default_rng(1), 400, 0.7), strict=True):
        wanted = mujoco.mju_rayGeom(np.zeros(3), np.eye(3).ravel(), np.array(size), start, direction, kind)
        found = ray_shape(kind, size, tuple(start.tolist()), tuple(direction.tolist()))
        assert found == (np.inf if wanted < 0 else pytest.approx(wanted, rel=1e-9, abs=1e-12))
        hits += wanted >= 0
    assert hits > 30


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("axis", range(3))
def test_rays_along_an_axis(name, axis):
    kind, size = SHAPES[name]
    for sign in (-1.0, 1.0):
        for offset in (0.0, 0.1, 0.35, 2.0):
            start, direction = np.full(3, offset), np.zeros(3)
            start[axis], direction[axis] = -2.0 * sign, sign
            wanted = mujoco.mju_rayGeom(np.zeros(3), np.eye(3).ravel(), np.array(size), start, direction, kind)
            found = ray_shape(kind, size, tuple(start.tolist()), tuple(direction.tolist()))
            assert found == (np.inf if wanted < 0 else pytest.approx(wanted, rel=1e-12))


@pytest.fixture(scope="module")
def world():
    rng = np.random.default_rng(0)
    text = WORLD.format(" ".join(str(round(x, 3)) for x in rng.uniform(0, 1, 49)))
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    d.qpos[7:] = data.qpos[7:] = [0.3, -0.4, 0.2][: m.nq - 7]
    mujoco.mj_forward(m, d)
    kinetree.kinematics(model, data)
    return m, d, model, data


@pytest.mark.parametrize(
    ("groups", "static", "exclude"), [(None, True, -1), ([1, 1, 1, 0, 1, 0], True, -1), (None, False, 1)]
)
def test_whole_models(world, groups, static, exclude):
    m, d, model, data = world
    mask = None if groups is None else np.array(groups, np.uint8)
    found = set()
    for start, direction in zip(*rays(np.random.default_rng(2), 600, 2.0), strict=True):
        geom = np.zeros(1, np.int32)
        wanted = mujoco.mj_ray(m, d, start, direction, mask, static, exclude, geom)
        distance, ours = kinetree.ray(model, data, start, direction, groups, static, exclude)
        assert ours == geom[0]
        assert distance == pytest.approx(wanted, rel=1e-9)
        found.add(ours)
    assert len(found) >= 4


def test_picking_meets_the_same_surfaces(world):
    _, _, model, data = world
    for start, direction in zip(*rays(np.random.default_rng(3), 100, 2.0), strict=True):
        distance, geom = kinetree.ray(model, data, start, direction)
        each = []
        for g in range(model.ngeom):
            axes = data.geom_xmat[g].reshape(3, 3)
            each.append(ray_geom(model, g, axes.T @ (start - data.geom_xpos[g]), axes.T @ direction))
        if geom >= 0:
            assert each[geom] == pytest.approx(distance, rel=1e-8)


def test_many_rays_at_once(world):
    _, _, model, data = world
    _, directions = rays(np.random.default_rng(4), 50, 2.0)
    distance, geom = kinetree.ray(model, data, [0, 0, 3.0], directions)
    one = [kinetree.ray(model, data, [0, 0, 3.0], direction) for direction in directions]
    assert list(zip(distance.tolist(), geom.tolist(), strict=True)) == one
    assert (geom >= 0).any() and (distance[geom < 0] == -1).all()


def test_walls_of_height_fields_that_are_not_square():
    """The reference reads the profile of two walls with the wrong stride (algorithms-dynamics.md); ours is
    the surface's.
    """
    rows, columns = 3, 6
    heights = np.arange(rows * columns) / (rows * columns)
    text = f"""<mujoco><asset><hfield name="h" nrow="{rows}" ncol="{columns}" size="1 1 1 .1"
      elevation="{" ".join(map(str, heights))}"/></asset>
      <worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>"""
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    height = model.hfield_data.reshape(rows, columns)
    for side, column in ((-1.0, 0), (1.0, columns - 1)):
        for place, row in ((-0.99, 0), (0.99, rows - 1)):
            for z, hit in ((height[row, column] - 0.03, True), (height[row, column] + 0.03, False)):
                if z > 0:
                    distance, _ = kinetree.ray(model, data, [3.0 * side, place, z], [-side, 0, 0])
                    assert (distance == pytest.approx(2.0)) == hit


@pytest.mark.parametrize(
    "arguments",
    [([0, 0, 0], [0, 0, 0]), ([0, 0], [0, 0, 1]), ([0, 0, 0], [[1, 0, 0], [0, 0, 0]]), ([0, 0, 0], [1, 0])],
)
def test_rays_that_are_none(world, arguments):
    with pytest.raises(ValueError, match="ray"):
        kinetree.ray(world[2], world[3], *arguments)


def test_meshes_by_their_boxes():
    """Every mesh against all of its triangles, one after the other."""
    rng = np.random.default_rng(5)
    for count in (4, 5, 9, 33, 400):
        points = rng.normal(size=(count, 3)) * (0.3, 0.2, 0.5)
        faces = np.array([rng.permutation(count)[:3] for _ in range(3 * count)])
        text = f"""<mujoco><asset><mesh name="m" inertia="shell" vertex="{" ".join(map(str, points.ravel()))}"
          face="{" ".join(map(str, faces.ravel()))}"/></asset>
          <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""
        model = kinetree.load_string(text)
        data = kinetree.Data(model)
        kinetree.kinematics(model, data)
        corners = model.mesh_vert[model.mesh_face].astype(float)
        axes = data.geom_xmat[0].reshape(3, 3)
        hits = 0
        for start, direction in zip(*rays(rng, 200, 0.6), strict=True):
            local = axes.T @ (start - data.geom_xpos[0]), axes.T @ direction
            wanted, which = first_triangle(*local, corners)
            distance, geom = kinetree.ray(model, data, start, direction)
            assert geom == (0 if which >= 0 else -1)
            assert distance == (pytest.approx(wanted, rel=1e-12) if which >= 0 else -1)
            hits += geom == 0
        assert hits > 10


SDF = """<mujoco><extension><plugin plugin="mujoco.sdf.{shape}"><instance name="p">{config}</instance></plugin></extension>
<asset><mesh name="s"><plugin instance="p"/></mesh></asset><worldbody>
 <geom type="plane" size="9 9 1" pos="0 0 -3"/>
 <body pos=".2 0 .1"><freejoint/><geom type="sdf" mesh="s"><plugin instance="p"/></geom></body>
 <body pos="0 0 2"><geom size=".1" pos="0 0 .2"/><site name="down" euler="170 5 0"/><site name="up"/></body>
</worldbody><sensor><rangefinder site="down"/><rangefinder site="up"/><rangefinder site="down" cutoff=".7"/></sensor></mujoco>"""


@pytest.mark.slow("hundreds of rays into each signed distance field")
@pytest.mark.parametrize("shape", CONFIG)
def test_signed_distances(shape):
    """With directions of length one: of others the reference takes the way in metres for one in lengths of them."""
    text = SDF.format(shape=shape, config=CONFIG[shape])
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    rng = np.random.default_rng(6)
    d.qpos[3:7] = rng.normal(size=4)
    mujoco.mj_normalizeQuat(m, d.qpos)
    mujoco.mj_forward(m, d)
    data.qpos = d.qpos
    kinetree.forward(model, data)
    np.testing.assert_allclose(data.sensordata, d.sensordata, atol=1e-7)
    hits = 0
    geom = np.zeros(1, np.int32)
    for start, direction in zip(*rays(rng, 300, 1.0), strict=True):
        direction = direction / np.linalg.norm(direction)
        wanted = mujoco.mj_ray(m, d, start, direction, None, 1, -1, geom)
        distance, ours = kinetree.ray(model, data, start, direction)
        assert ours == geom[0]
        assert distance == pytest.approx(wanted, abs=1e-6)
        hits += ours == 1
        if ours == 1:
            twice, ours = kinetree.ray(model, data, start, 2 * direction)
            assert ours == 1 and 2 * twice == pytest.approx(distance, abs=1e-9)
    assert hits > 10
