"""Scenes from models: what is in them, in which order, and how fast."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.model.lights import MAXLIGHT
from kinetree.engine.run.perturb import Perturb
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.build import COARSE, build
from kinetree.engine.scene.camera import Camera, default_free
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.scene import Scene, ShaderFeatures, ShapeKind, encoded, linear, shape_number, shape_parts
from tests.engine.scene.worlds import load
from tests.patience import LIMIT


@pytest.fixture(scope="module")
def world():
    return load()


def scene_of(world, camera=None, **flags) -> Scene:
    model, data = world
    return build(model, data, VisOptions(**flags), camera or default_free(model))


def names(world, scene) -> list[str]:
    """Names of the geoms in drawing order."""
    ids = scene.instances[: scene.ninstance, S.SEGMENT].astype(int)
    return [world[0].geom(scene.segments[i, 1]).name for i in ids if scene.segments[i, 0] == enums.OBJ_GEOM]


def test_what_is_shown(world):
    shown = names(world, scene_of(world))
    assert set(shown) == {
        *("floor", "pane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "tetra", "mocap", "hill")
    }
    assert len(shown) == len(set(shown))
    assert "hidden" in names(world, scene_of(world, geomgroup=[True] * 6))
    assert "box" not in names(world, scene_of(world, geomgroup=[True, False, True, True, True, True]))
    model = world[0]
    hidden = frozenset({ObjectId("geom", model.geom("box").id), ObjectId("site", 0), ObjectId("geom", 10_000)})
    assert set(shown) - set(names(world, scene_of(world, hidden=hidden))) == {"box"}
    moving = names(world, scene_of(world, static=False))
    assert set(moving) == {"sphere", "capsule", "ellipsoid", "cylinder", "box"}


def test_rows_hold_pose_size_and_colour(world):
    model, data = world
    scene = scene_of(world)
    rows = scene.instances[: scene.ninstance]
    row = rows[names(world, scene).index("ellipsoid")]
    geom = model.geom("ellipsoid").id
    np.testing.assert_allclose(row[S.POS : S.POS + 3], data.geom_xpos[geom], atol=1e-6)
    mat = np.stack([row[k : k + 3] for k in (S.ROW0, S.ROW1, S.ROW2)])
    np.testing.assert_allclose(mat, data.geom_xmat[geom].reshape(3, 3), atol=1e-6)
    np.testing.assert_allclose(row[list(S.SIZE)], model.geom_size[geom], atol=1e-6)
    np.testing.assert_allclose(row[S.COLOR : S.COLOR + 3], linear(0.5), atol=1e-6)


def test_batches_cover_the_instances_once_and_share_shapes():
    balls = "".join(f'<geom type="sphere" size="0.1" pos="{x} {y} 1"/>' for x in range(12) for y in range(9))
    few = "".join(f'<geom type="sphere" size="0.1" pos="{x} 0 1"/>' for x in range(4))
    counts = []
    for geoms in (balls, few):
        model, data = load(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
        scene = build(model, data, VisOptions(), Camera(lookat=np.array([5, 4, 1.0]), distance=300.0))
        assert sum(batch.count for batch in scene.opaque) == scene.ninstance == model.ngeom
        counts.append(len(scene.opaque))
    assert counts == [1, 1]


def test_transparent_from_far_to_near():
    panes = "".join(f'<geom type="box" size="1 0.01 1" pos="0 {y} 0" rgba="1 1 1 0.5"/>' for y in (3, 0, 5, 1))
    model, data = load(f"<mujoco><worldbody>{panes}</worldbody></mujoco>")
    camera = Camera(distance=10.0, azimuth=90.0, elevation=0.0)
    scene = build(model, data, VisOptions(), camera)
    assert not scene.opaque
    order = [scene.instances[b.first + k, S.POS + 1] for b in scene.transparent for k in range(b.count)]
    assert order == sorted(order, reverse=True)
    camera.azimuth = -90.0
    build(model, data, VisOptions(), camera, None, scene)
    order = [scene.instances[b.first + k, S.POS + 1] for b in scene.transparent for k in range(b.count)]
    assert order == sorted(order)


def test_culling_keeps_what_is_seen(world):
    model, data = world
    away = Camera(lookat=np.array([50.0, 0, 1]), distance=2.0, azimuth=0.0, elevation=0.0)
    scene = build(model, data, VisOptions(), away)
    seen = sum(batch.visible for batch in scene.opaque + scene.transparent)
    assert seen < scene.ninstance
    rng = np.random.default_rng(0)
    for _ in range(30):
        camera = Camera(
            lookat=rng.normal(size=3),
            distance=rng.uniform(0.5, 8),
            azimuth=rng.uniform(-180, 180),
            elevation=-20,
        )
        scene = build(model, data, VisOptions(), camera)
        for batch in scene.opaque:
            hidden = scene.instances[batch.first + batch.visible : batch.first + batch.count, S.POS : S.POS + 3]
            if len(hidden):
                place = scene.view.project(hidden.astype(float))
                inside = (place[:, 2] > scene.view.near) & np.all((place[:, :2] > 0) & (place[:, :2] < 1), axis=1)
                assert not inside.any()


def test_level_of_detail_follows_size(world):
    model, _ = world

    def lod(distance):
        scene = scene_of(world, Camera(lookat=np.array([-2, 0, 1.0]), distance=distance, elevation=-10.0))
        return next(shape_parts(b.shape)[2] for b in scene.opaque if shape_parts(b.shape)[0] == ShapeKind.SPHERE)

    assert lod(1.0) < lod(30.0) < lod(300.0)
    assert model.ngeom


def test_edges_of_round_shapes_are_in_their_place():
    """Each level of detail has corners enough for the pixels that its shape covers, and the next one would not."""
    sizes = np.geomspace(0.002, 0.5, 12)
    kinds = {
        ShapeKind.SPHERE: ("sphere", "{0}"),
        ShapeKind.CAPSULE: ("capsule", "{0} {1}"),
        ShapeKind.CYLINDER: ("cylinder", "{0} {1}"),
    }
    geoms = "".join(
        f'<geom type="{kind}" size="{size.format(radius, 2 * radius)}" pos="0 {20 * radius} {4 * n}"/>'
        for n, (kind, size) in enumerate(kinds.values())
        for radius in sizes
    )
    model = kinetree.load_string(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    scene = build(model, data, VisOptions(), Camera(distance=16.0, elevation=0.0, azimuth=0.0), None, None, (640, 480))
    view, seen = scene.view, set()
    for batch in scene.opaque:
        kind, _, lod = shape_parts(batch.shape)
        for row in scene.instances[batch.first : batch.first + batch.count].astype(float):
            radius, half = row[S.SIZE[0]], row[S.CAPSULE_HALF] + row[S.SIZE[2]] * (kind is ShapeKind.CYLINDER)
            depth = (row[S.POS : S.POS + 3] - view.pos) @ view.forward - half
            pixels = radius * 480 * view.near / (view.top - view.bottom) / max(depth, view.near)
            beside = [pixels * (1 - np.cos(np.pi / segments)) for segments in S.SEGMENTS]
            assert beside[lod] <= COARSE * 1.001 or lod == 0
            assert lod == S.LODS - 1 or beside[lod + 1] > COARSE * 0.999
            seen.add((kind, lod))
    assert {kind for kind, _ in seen} == set(kinds) and len(seen) > 9


def test_infinite_plane_keeps_its_pattern(world):
    """The texture coordinate of a world point does not depend on where the mesh is centred."""
    rows = []
    for lookat in ((0, 0, 0), (3.7, -11.3, 2.0)):
        scene = scene_of(world, Camera(lookat=np.array(lookat), distance=3.0))
        batch = next(b for b in scene.opaque if b.kind & ShaderFeatures.INFINITE)
        assert batch is scene.opaque[-1]
        rows.append(scene.instances[batch.first].astype(float))
    point = np.array([0.83, -0.41])
    coordinate = [
        0.5 * row[S.TEXTURE : S.TEXTURE + 2] * (point - row[S.POS : S.POS + 2]) + row[S.TEXTURE + 2 : S.TEXTURE + 4]
        for row in rows
    ]
    difference = coordinate[0] - coordinate[1]
    np.testing.assert_allclose(difference - np.round(difference), 0, atol=1e-5)
    assert not np.allclose(rows[0][S.POS : S.POS + 2], rows[1][S.POS : S.POS + 2])


def test_plane_from_behind_fades(world):
    model, data = world
    front = scene_of(world, Camera(lookat=np.array([0, 2, 1.0]), distance=3.0, azimuth=90.0, elevation=0.0))
    back = scene_of(world, Camera(lookat=np.array([0, 2, 1.0]), distance=3.0, azimuth=-90.0, elevation=0.0))
    geom = model.geom("pane").id

    def alpha(scene):
        rows = scene.instances[: scene.ninstance]
        index = next(
            k for k, row in enumerate(rows) if tuple(scene.segments[int(row[S.SEGMENT])]) == (enums.OBJ_GEOM, geom)
        )
        return rows[index, S.COLOR + 3]

    assert sorted([alpha(front), alpha(back)]) == pytest.approx([0.3, 1.0])
    assert data.ncon >= 0


def test_selection_glows(world):
    model, data = world
    body = model.body("c").id
    scene = build(model, data, VisOptions(), default_free(model), Perturb(select=body))
    rows = scene.instances[: scene.ninstance]
    glowing = [int(row[S.SEGMENT]) for row in rows if row[S.GLOW] > 0]
    assert [int(model.geom_bodyid[scene.segments[i, 1]]) for i in glowing] == [body]


def test_lights_and_shadows(world):
    scene = scene_of(world)
    assert scene.nlight == 2 and scene.ndirectional == 2
    none, shadow = scene.shadows  # there is no finer view: the scene is small
    assert none.side == 0 and scene.lights[shadow.light, S.L_SHADOW] == 0
    assert not scene_of(world, shadow=False).shadows
    casters = world[1].geom_xpos[[world[0].geom(n).id for n in ("sphere", "box", "mocap")]]
    clip = np.c_[casters, np.ones(len(casters))] @ shadow.matrix.T
    assert np.all(np.abs(clip[:, :3] / clip[:, 3:]) < 1)


def test_more_lights_than_the_limit_are_left_out():
    lights = "".join(f'<light pos="{i} 0 3" castshadow="false"/>' for i in range(MAXLIGHT + 20))
    model, data = load(f"<mujoco><worldbody>{lights}<geom size='1'/></worldbody></mujoco>")
    assert build(model, data, VisOptions(), default_free(model)).nlight == MAXLIGHT


def test_a_scene_is_used_again(world):
    model, data = world
    options, camera = VisOptions(), default_free(model)
    scene = build(model, data, options, camera)
    cache, instances = scene.cache, scene.instances
    assert build(model, data, options, camera, None, scene) is scene
    assert scene.cache is cache and scene.instances is instances
    other = load()
    build(*other, options, camera, None, scene)
    assert scene.cache is not cache and scene.model is other[0]
    scene.invalidate()
    assert scene.cache is None


def test_shape_numbers():
    for kind in ShapeKind:
        for asset in (0, 1, 4000):
            for lod in range(S.LODS):
                assert shape_parts(shape_number(kind, asset, lod)) == (kind, asset, lod)


def test_colour_coding():
    values = np.linspace(0, 1, 50)
    np.testing.assert_allclose(encoded(linear(values)), values, atol=1e-6)
    assert linear(0.5) == pytest.approx(0.2140411, rel=1e-5)


def test_empty_model():
    model, data = load("<mujoco/>")
    scene = build(model, data, VisOptions(), default_free(model))
    assert scene.ninstance == 0 and not scene.opaque and not scene.shadows


def test_imports_neither_gl_nor_qt_nor_what_a_first_picture_would_wait_for():
    import subprocess
    import sys

    code = (
        "import sys, kinetree.engine.scene.build, kinetree.engine.scene.measure, kinetree.engine.scene.pick, kinetree.engine.scene.drag;"
        "bad = {'moderngl', 'PySide6', 'numba', 'scipy'} & {m.split('.')[0] for m in sys.modules}; assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=LIMIT)


def test_a_model_whose_format_knows_no_light_is_lit_by_a_lamp_of_ours():
    import kinetree

    urdf = (
        "<robot name='r'><link name='a'><collision><geometry><box size='1 1 1'/></geometry></collision></link></robot>"
    )
    mjcf = "<mujoco><worldbody><geom type='box' size='.5 .5 .5'/></worldbody></mujoco>"
    counts = []
    for text in (urdf, mjcf):
        model = kinetree.load_string(text)
        data = kinetree.Data(model)
        kinetree.kinematics(model, data)
        scene = build(model, data, VisOptions(), default_free(model))
        counts.append((scene.nlight, len(scene.shadows)))
        assert model.copy().format == model.format
    assert counts == [(2, 2), (1, 0)]


def test_what_depends_on_the_model_only_is_kept_for_the_next_version_where_it_looks_the_same():
    text = "<mujoco><visual><map zfar='90'/></visual><worldbody><light pos='0 0 3'/><geom type='plane' size='1 1 1'/>"
    text += "<body><joint damping='1'/><geom size='.1' rgba='1 0 0 1' friction='1'/><site/></body></worldbody></mujoco>"
    model = kinetree.load_string(text)
    options, camera = VisOptions(), default_free(model)
    scene = None
    for old, new, same in (
        ("", "", False),
        ("damping='1'", "damping='2'", True),
        ("friction='1'", "friction='2'", True),
        ("rgba='1 0 0 1'", "rgba='1 1 0 1'", False),
        ("zfar='90'", "zfar='80'", False),
        ("size='.1'", "size='.2'", False),
        ("<site/>", "<site/><site/>", False),
        ("<light pos='0 0 3'/>", "<light pos='0 0 3' diffuse='1 0 0'/>", False),
    ):
        text = text.replace(old, new)
        model = kinetree.load_string(text)
        data = kinetree.Data(model)
        kinetree.kinematics(model, data)
        before = None if scene is None else scene.cache
        scene, fresh = build(model, data, options, camera, None, scene), build(model, data, options, camera)
        assert (scene.cache is before) == same, new
        assert scene.model is model
        np.testing.assert_array_equal(scene.instances[: scene.ninstance], fresh.instances[: fresh.ninstance])
        np.testing.assert_array_equal(scene.lights[: scene.nlight], fresh.lights[: fresh.nlight])


@pytest.mark.parametrize("cutoff", [np.inf, -np.inf, np.nan, 1e30, -30.0, 720.0])
def test_a_spot_light_whose_cutoff_is_no_angle(cutoff):
    model = kinetree.load_string('<mujoco><worldbody><light type="spot"/></worldbody></mujoco>')
    model.light_cutoff = cutoff
    scene = build(model, kinetree.Data(model), VisOptions(), Camera())
    assert scene.nlight and np.isfinite(scene.lights[: scene.nlight]).all()
