"""Signed distance fields against mujoco: contacts with every type of geom, contact by contact in the same order."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.collision import sdf_shapes
from kinetree.engine.compile.assets import signed_distance
from kinetree.engine.resources.hull import convex_hull
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import initial
from kinetree.engine.scene.decor.table import collect
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.scene import ShapeKind
from tests.oracle.bridge import copy_state
from tests.oracle.test_collision import GEOMS, cloud

CONFIG = {
    "torus": "",
    "bowl": '<config key="height" value=".2"/><config key="radius" value=".5"/><config key="thickness" value=".05"/>',
    "bolt": "",
    "nut": "",
    "gear": '<config key="diameter" value="1"/>',
}
SCENE = """<mujoco><extension><plugin plugin="mujoco.sdf.{shape}"><instance name="p">{config}</instance></plugin></extension>
<option sdf_iterations="10" sdf_initpoints="12"/><asset>{mesh}<mesh name="s"><plugin instance="p"/></mesh></asset>
<worldbody>{bodies}{field}</worldbody></mujoco>"""
BODY = '<body><freejoint/><geom mass="1" {}</body>'
FIELD = BODY.format('type="sdf" mesh="s"><plugin instance="p"/></geom>')
KINDS = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
POSES = 25


@pytest.mark.parametrize("shape", CONFIG)
def test_contacts(shape):
    bodies = "".join(BODY.format(GEOMS[kind] + "/>") for kind in KINDS) + FIELD
    xml = SCENE.format(shape=shape, config=CONFIG[shape], mesh=cloud(150), bodies=bodies, field=FIELD)
    m, model = mujoco.MjModel.from_xml_string(xml), kinetree.load_string(xml)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    rng = np.random.default_rng(1)
    for number, kind in enumerate((*KINDS, "sdf")):
        gaps: list[float] = []
        for _ in range(POSES):
            d.qpos[:] = np.concatenate([[3 * i, 0, 0, *rng.normal(size=4)] for i in range(m.nbody - 2, -1, -1)])
            d.qpos[7 * number : 7 * number + 3] = d.qpos[-7:-4] + rng.uniform(-0.5, 0.5, 3)
            mujoco.mj_normalizeQuat(m, d.qpos)
            mujoco.mj_forward(m, d)
            copy_state(m, d, data)
            for name in ("dist", "pos", "frame"):
                data._arrays["contact_" + name][...] = np.nan
            kinetree.forward(model, data)
            gaps += differences(data, d, kind)
        # descents end at slightly different points where a shape has an edge; gradients are differences, good to 1e-8
        assert len(gaps) > POSES
        assert np.mean(np.array(gaps) > 1e-6) < 0.25, kind
        assert np.median(gaps) < 1e-7, kind


def differences(data: kinetree.Data, d: mujoco.MjData, kind: str) -> list[float]:
    """Largest differences of distances, positions and frames. For boxes: of the reference's points from ours.

    Points on a box's surface are inside or outside by their last bit, which sends descents different ways.
    """
    if kind == "box":
        if not d.ncon or not data.ncon:
            return [np.inf] * d.ncon
        ours, theirs = data.contact.pos[: data.ncon], d.contact.pos
        return np.abs(ours[:, None] - theirs[None]).max(2).min(0).tolist()
    assert data.ncon == d.ncon
    pairs = [(data._arrays["contact_" + name], getattr(d.contact, name)) for name in ("dist", "pos", "frame")]
    return [float(np.abs(ours[: d.ncon].reshape(theirs.shape) - theirs).max(initial=0)) for ours, theirs in pairs]


@pytest.mark.parametrize("shape", CONFIG)
def test_kernels_and_meshes_have_the_same_shapes(shape):
    made = signed_distance.SHAPES["mujoco.sdf." + shape]
    numbers = tuple(made.defaults.values())
    points = np.random.default_rng(0).uniform(-1, 1, (500, 3)) * 1.2 * np.array(made.box(*numbers))
    grid = made.distance(tuple(points.T), *numbers)
    kernel = getattr(sdf_shapes, shape, None)
    for point, expected in zip(points.tolist(), grid.tolist(), strict=True):
        found = sdf_shapes.screw(*point, *numbers, shape == "nut") if kernel is None else kernel(*point, *numbers)
        assert found == pytest.approx(expected, abs=1e-13)


NUT_AND_BOLT = """<mujoco><extension><plugin plugin="mujoco.sdf.nut"><instance name="n"/></plugin>
<plugin plugin="mujoco.sdf.bolt"><instance name="b"/></plugin></extension>
<option sdf_iterations="10" sdf_initpoints="20"/><asset><mesh name="n"><plugin instance="n"/></mesh>
<mesh name="b"><plugin instance="b"/></mesh></asset><worldbody>
<body pos=".1 .05 .3" euler="5 10 20"><freejoint/><geom type="sdf" mesh="n"><plugin instance="n"/></geom></body>
<geom type="sdf" mesh="b"><plugin instance="b"/></geom></worldbody></mujoco>"""


def test_descents_go_where_the_reference_draws_them():
    """Its plugins draw each with a blue ball at the start, a red one at the end, and lines from each point to near the
    next. They leave out some points that are close to others."""
    m, model = mujoco.MjModel.from_xml_string(NUT_AND_BOLT), kinetree.load_string(NUT_AND_BOLT)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    mujoco.mj_forward(m, d)
    copy_state(m, d, data)
    data._arrays["sdf_point"][...] = np.nan
    kinetree.forward(model, data)
    option, drawn = mujoco.MjvOption(), mujoco.MjvScene(m, 5000)
    option.flags[mujoco.mjtVisFlag.mjVIS_SDFITER] = 1
    mujoco.mjv_updateScene(m, d, option, None, mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL.value, drawn)
    geoms = [drawn.geoms[k] for k in range(drawn.ngeom)]
    balls = [geom for geom in geoms if geom.type == mujoco.mjtGeom.mjGEOM_SPHERE]
    lines = [geom.pos.copy() for geom in geoms if geom.type == mujoco.mjtGeom.mjGEOM_LINE]
    starts, ends = ([ball.pos.copy() for ball in balls if ball.rgba[c] == 1] for c in (2, 0))
    assert len(starts) == len(ends) == 20 and len(lines) > 100
    points, steps = data.sdf_point[: data.nsdfpoint], data.sdf_step[: data.nsdfpoint]
    assert np.isfinite(points).all() and set(np.diff(steps)[steps[1:] > 0]) == {1}
    np.testing.assert_allclose(points[steps == 0], starts, atol=1e-6)
    for place in (*lines, *ends):
        assert np.abs(points - place).max(axis=1).min() < 1e-5
    assert (data.sdf_geom[: data.nsdfpoint] == [0, 1]).all()
    view = build(model, data, VisOptions(), initial(model)).view
    shown = collect(model, data, VisOptions(sdfiter=True), None, view).rows
    assert (shown["shape"] == ShapeKind.SPHERE).sum() == 40 and (shown["shape"] == ShapeKind.CAPSULE).sum() == len(
        points
    ) - 20
    assert shown["size"][0, 0] == pytest.approx(balls[0].size[0], rel=1e-6)
    assert not collect(model, data, VisOptions(), None, view).count


OTHER = """<mujoco><extension><plugin plugin="mujoco.sdf.sdflib"/></extension><asset>
<mesh name="s" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><body><freejoint/>
<geom type="sdf" mesh="s" {off}/></body><geom size=".1"/></worldbody></mujoco>"""


def test_fields_without_a_shape_are_refused_where_they_would_collide():
    model = kinetree.load_string(OTHER.format(off=""))
    with pytest.raises(kinetree.ModelError, match="sdf geoms without a plugin"):
        kinetree.step(model, kinetree.Data(model))
    model = kinetree.load_string(OTHER.format(off='contype="0" conaffinity="0"'))
    kinetree.step(model, kinetree.Data(model))


MESH = """<mujoco><extension><plugin plugin="mujoco.sdf.sdflib"><instance name="p"/></plugin></extension>
<option sdf_iterations="10" sdf_initpoints="30"/><asset><mesh name="s" file="{file}"><plugin instance="p"/></mesh></asset>
<worldbody><geom type="sdf" mesh="s" pos=".1 .2 .3" euler="10 20 30"><plugin instance="p"/></geom>
<body><freejoint/><geom size=".2"/></body></worldbody></mujoco>"""


def test_fields_of_meshes(tmp_path):
    """The reference interpolates in another octree: depths agree to its error of 1 mm, or so."""
    points = np.random.default_rng(0).normal(size=(200, 3))
    points /= np.linalg.norm(points, axis=1)[:, None] / (0.5, 0.4, 0.3)
    lines = [f"v {x} {y} {z}" for x, y, z in points]
    lines += ["f {} {} {}".format(*(face + 1)) for face in convex_hull(points).face]
    file = tmp_path / "blob.obj"
    file.write_text("\n".join(lines))
    xml = MESH.format(file=file)
    m, model = mujoco.MjModel.from_xml_string(xml), kinetree.load_string(xml)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    rng, hits = np.random.default_rng(1), 0
    for _ in range(40):
        d.qpos[:3] = [0.1, 0.2, 0.3] + rng.uniform(-0.6, 0.6, 3)
        mujoco.mj_forward(m, d)
        copy_state(m, d, data)
        kinetree.forward(model, data)
        theirs, ours = (
            min(values, default=0.0) for values in (d.contact.dist.tolist(), data.contact.dist[: data.ncon].tolist())
        )
        hits += theirs < 0
        assert ours == pytest.approx(theirs, abs=0.01)
    assert hits > 10
