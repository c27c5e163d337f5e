"""Flexes and skins in the scene: what the flags and groups show, how it looks, and what a click on it finds."""

# pyright: reportAttributeAccessIssue=false, reportCallIssue=false, reportOptionalMemberAccess=false
# mujoco carries no types

import mujoco
import numpy as np
import pytest

from kinetree.engine.model import enums
from kinetree.engine.run.perturb import Perturb
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import default_free
from kinetree.engine.scene.decor.labels import labels
from kinetree.engine.scene.decor.rows import frames_along
from kinetree.engine.scene.options import Label, VisOptions
from kinetree.engine.scene.pick import first_capsule, pick
from kinetree.engine.scene.scene import ShaderFeatures, ShapeKind, linear, shape_parts
from tests.engine.scene.test_surface import FLEXES, SKIN
from tests.engine.scene.worlds import load

CAPSULE = int(mujoco.mjtGeom.mjGEOM_CAPSULE)
CLOTH = '<flexcomp name="cloth" type="grid" dim="2" count="4 3 1" spacing=".2 .2 .2" pos="0 0 1" radius=".02" {}/>'
ROPE = '<flexcomp name="rope" type="grid" dim="1" count="5 1 1" spacing=".2 .2 .2" pos="0 2 1" radius=".03"/>'
BALL = '<flexcomp name="ball" type="grid" dim="3" count="4 4 4" spacing=".1 .1 .1" pos="0 -2 1" radius="0"/>'
ASSETS = """<asset><texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="8" height="8"/>
<texture name="c" type="cube" builtin="flat" rgb1="0 1 0" width="8" height="8"/>
<material name="m" texture="t" rgba="1 1 1 1"/><material name="c" texture="c"/><material name="p" metallic="1" rgba="1 0 0 .5"/>
</asset>"""
LIGHT = '<light pos="0 0 5" dir="0 0 -1" type="directional"/>'


def world(*flexes: str):
    return load(f"<mujoco>{ASSETS}<worldbody>{LIGHT}{''.join(flexes)}</worldbody></mujoco>")


def bent(attributes: str = ""):
    return load(f"<mujoco>{ASSETS}{SKIN.format(0, attributes)}</mujoco>")


def scene_of(world, options=None, perturb=None, scene=None, **flags):
    return build(*world, options or VisOptions(**flags), default_free(world[0]), perturb, scene)


def shapes(scene) -> dict[ShapeKind, int]:
    """How many instances of each kind of shape there are."""
    counts: dict[ShapeKind, int] = {}
    for batch in scene.opaque + scene.transparent:
        kind = shape_parts(batch.shape)[0]
        counts[kind] = counts.get(kind, 0) + batch.count
    return counts


def test_flags_as_in_simulate():
    all_ = world(CLOTH.format(""), ROPE, BALL)
    edges = all_[0].flex_edgenum
    assert shapes(scene_of(all_)) == {ShapeKind.FLEX: 2, ShapeKind.CAPSULE: 4}
    assert shapes(scene_of(all_, flexedge=False)) == {ShapeKind.FLEX: 2}
    assert shapes(scene_of(all_, flexvert=True)) == {ShapeKind.FLEX: 2, ShapeKind.CAPSULE: 4, ShapeKind.SPHERE: 5}
    assert shapes(scene_of(all_, flexskin=False)) == {ShapeKind.CAPSULE: edges.sum()}
    assert shapes(scene_of(all_, flexskin=False, flexface=True, flexedge=False)) == {ShapeKind.FLEX: 2}
    assert shapes(scene_of(all_, flexskin=False, flexvert=True, flexedge=False)) == {ShapeKind.SPHERE: 12 + 5 + 64}
    faces = {"flexskin": False, "flexface": True, "flexedge": False}
    layers = [
        scene_of(all_, flexlayer=layer, **faces).surfaces[S.shape_number(ShapeKind.FLEX, 2)]
        for layer in range(all_[0].flex_elemlayer.max() + 1)
    ]
    assert sum(len(layer.faces) for layer in layers) == 4 * all_[0].flex_elemnum[2]
    assert shapes(scene_of(all_, flexlayer=5, **faces)) == {ShapeKind.FLEX: 1}  # the cloth has no layers


def test_skins_and_groups():
    model, data = bent('group="2"')
    assert shapes(scene_of((model, data))).get(ShapeKind.SKIN) == 1
    assert ShapeKind.SKIN not in shapes(scene_of((model, data), skin=False))
    options = VisOptions()
    options.skingroup[2] = False
    assert ShapeKind.SKIN not in shapes(scene_of((model, data), options))
    cloth = world(CLOTH.format('group="4"'))
    assert shapes(scene_of(cloth)) == {}
    options = VisOptions()
    options.flexgroup[4] = True
    assert shapes(scene_of(cloth, options)) == {ShapeKind.FLEX: 1}


def row_of(scene, kind: ShapeKind):
    """(row, batch) of the only instance of a kind."""
    (batch,) = [b for b in scene.opaque + scene.transparent if shape_parts(b.shape)[0] == kind]
    return scene.instances[batch.first], batch


@pytest.mark.parametrize(
    ("how", "kind", "texture"),
    [
        ('rgba="1 0 0 1"', ShaderFeatures.NONE, -1),
        ('material="m"', ShaderFeatures.TEXTURE_2D | ShaderFeatures.TEXTURE_MESH, 0),
        ('material="c"', ShaderFeatures.TEXTURE_CUBE, 1),
        ('material="p"', ShaderFeatures.PBR, -1),
    ],
)
def test_materials(how, kind, texture):
    scene = scene_of(world(CLOTH.format(how)))
    row, batch = row_of(scene, ShapeKind.FLEX)
    assert (batch.kind, batch.texture) == (kind, texture)
    if "p" in how.split('"')[1] or "rgba" in how:
        np.testing.assert_allclose(row[S.COLOR : S.COLOR + 3], linear([1, 0, 0]), atol=1e-6)
    assert (batch in scene.transparent) == ('"p"' in how)


def test_without_coordinates_a_flex_has_no_texture_and_a_skin_stands_in_it():
    bare = FLEXES["torn"].format('material="m"')
    assert row_of(scene_of(world(bare)), ShapeKind.FLEX)[1].texture == -1
    rope = ROPE.replace("/>", ' material="m"/>')
    assert not [b for b in scene_of(world(rope)).opaque if b.kind & ShaderFeatures.TEXTURE_2D]
    model, data = bent('material="m"')
    row, batch = row_of(scene_of((model, data)), ShapeKind.SKIN)
    assert batch.kind == ShaderFeatures.TEXTURE_2D
    map_ = row[S.TEXTURE : S.TEXTURE + 4].astype(float)
    # the shader's coordinate of a vertex is that of its place in the world
    surface = scene_of((model, data)).surfaces[S.shape_number(ShapeKind.SKIN, 0)]
    local = surface.vertices[:, :2].astype(float)
    ours = 0.5 * map_[:2] * local + map_[2:]
    away = ours - 0.5 * (local + surface.centre[:2])
    np.testing.assert_allclose(away, np.round(away), atol=1e-5)


def test_transparent_flag_and_shadowless():
    scene = scene_of(world(CLOTH.format("")), transparent=True)
    assert row_of(scene, ShapeKind.FLEX)[0][S.COLOR + 3] == pytest.approx(0.3)
    assert not scene.opaque
    assert scene.shadows
    assert not scene_of(world(CLOTH.format("")), shadow=False).shadows


def test_the_shadow_map_holds_what_is_soft():
    both = world(CLOTH.format(""), ROPE)
    none, shadow = scene_of(both).shadows
    assert none.side == 0  # nothing is so near that a finer view pays
    points = np.c_[both[1].flexvert_xpos, np.ones(both[0].nflexvert)] @ shadow.matrix.T
    assert (abs(points[:, :3]) < 1).all()


def test_rods_end_at_the_vertices():
    model, data = world(ROPE)
    data.qpos += np.random.default_rng(2).uniform(-0.1, 0.1, model.nq)
    mujoco.mj_forward(model, data)
    scene = scene_of((model, data))
    rows = scene.instances[: scene.ninstance].astype(float)
    ends = []
    for row in rows:
        z = row[[S.ROW0 + 2, S.ROW1 + 2, S.ROW2 + 2]]
        ends += [row[:3] + side * row[S.CAPSULE_HALF] * z for side in (-1, 1)]
    want = data.flexvert_xpos[model.flex_edge].reshape(-1, 3)
    away = np.linalg.norm(np.array(ends)[:, None] - want, axis=2)
    assert len(ends) == len(want)
    assert away.min(axis=0).max() < 1e-5
    assert away.min(axis=1).max() < 1e-5


def test_frames_along_are_rotations():
    along = np.array([[0, 0, 1.0], [0, 0, -2], [1, 0, 0], [0.1, 0, 1], [1, 2, 3], [0, 0, 0]])
    length = np.linalg.norm(along, axis=1)
    frames = frames_along(along)
    np.testing.assert_allclose(frames @ frames.transpose(0, 2, 1), np.tile(np.eye(3), (6, 1, 1)), atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(frames), 1.0)
    np.testing.assert_allclose(frames[:5, :, 2], along[:5] / length[:5, None])


def test_it_follows_the_state_and_is_found_again():
    model, data = world(CLOTH.format(""))
    scene = scene_of((model, data))
    (surface,) = scene.surfaces.values()
    serial, centre = surface.serial, surface.centre.copy()
    assert scene_of((model, data), scene=scene).surfaces[S.shape_number(ShapeKind.FLEX, 0)] is surface
    assert surface.serial == serial
    data.qpos.reshape(-1, 3)[:, 2] += 0.5
    mujoco.mj_forward(model, data)
    scene_of((model, data), scene=scene)
    np.testing.assert_allclose(surface.centre - centre, [0, 0, 0.5], atol=1e-9)


def test_segments_and_glow():
    model, data = world(CLOTH.format(""), ROPE)
    body = int(model.flex_vertbodyid[model.flex_vertadr[1]])  # of the rope
    perturb = Perturb()
    perturb.select = body
    scene = scene_of((model, data), perturb=perturb)
    for row in scene.instances[: scene.ninstance]:
        kind, index = scene.segments[int(row[S.SEGMENT])]
        if kind == enums.OBJ_FLEX:
            assert (row[S.GLOW] > 0) == (index == 1)
    assert enums.OBJ_FLEX in scene.segments[:, 0]


def test_labels():
    model, data = world(CLOTH.format(""), ROPE)
    found = labels(model, data, VisOptions(label=Label.FLEX), None, None)
    assert [label.text for label in found] == ["cloth", "rope"]
    np.testing.assert_allclose(found[1].pos, [0, 2, 1], atol=1e-6)
    model, data = bent()
    assert [label.text for label in labels(model, data, VisOptions(label=Label.SKIN), None, None)] == ["s"]


def test_click_on_cloth_rope_and_skin():
    model, data = world(CLOTH.format(""), ROPE)
    options = VisOptions()
    for flex, vertex in ((0, 4), (1, 2)):
        vertex += int(model.flex_vertadr[flex])
        aim = data.flexvert_xpos[vertex] + [0.01, 0.01, 0]
        hit = pick(model, data, aim + [0, 0, 3.0], [0, 0, -1], options)
        assert (hit.geomid, hit.flexid, hit.bodyid) == (-1, flex, model.flex_vertbodyid[vertex])
        assert hit.point[2] == pytest.approx(1.0 + model.flex_radius[flex], abs=3e-3)
        assert hit.object == ("flex", flex)
    options.flexgroup[0] = False
    assert pick(model, data, [0, 0, 3.0], [0, 0, -1], options) is None
    model, data = bent()
    options = VisOptions()
    options.geomgroup[0] = False
    (surface,) = scene_of((model, data), options).surfaces.values()
    hits = []
    for corners, near in zip(surface.triangles()[[0, 2]], (0, 1)):
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        aim = corners.mean(axis=0) + 0.5 * (corners[near] - corners.mean(axis=0))
        hits.append(pick(model, data, aim + 2 * normal, -normal, options))
        np.testing.assert_allclose(hits[-1].point, aim, atol=1e-6)
    assert [hit.object for hit in hits] == [("skin", 0)] * 2
    assert [hit.bodyid for hit in hits] == [model.body("a").id, model.body("b").id]
    assert pick(model, data, [9, 9, 3], [0, 0, -1], options) is None


def test_click_on_an_interpolated_solid_finds_a_corner():
    quiet = '<contact selfcollide="none"/></flexcomp>'
    model, data = world(BALL.replace("/>", f' dof="trilinear">{quiet}'))
    hit = pick(model, data, data.flexvert_xpos[-1] + [-0.01, -0.01, 2], [0, 0, -1], VisOptions())
    nodes = data.xpos[model.flex_nodebodyid]
    assert hit.bodyid == model.flex_nodebodyid[np.argmin(np.linalg.norm(nodes - hit.point, axis=1))]


def test_click_on_an_interpolated_solid_near_a_pinned_corner_finds_the_body_that_holds_it():
    pinned = '<pin id="1 3 5 7"/><contact selfcollide="none"/></flexcomp>'  # the upper corners
    model, data = world(BALL.replace("/>", f' dof="trilinear">{pinned}'))
    below = pick(model, data, [0.1, -1.9, -1.0], [0, 0, 1], VisOptions())
    above = pick(model, data, [0.1, -1.9, 3.0], [0, 0, -1], VisOptions())
    assert below.object == above.object == ("flex", 0)
    assert below.bodyid > 0 and above.bodyid == 0


def test_what_is_nearer_hides_what_is_behind():
    model, data = world(CLOTH.format(""), '<geom name="g" size=".05" pos="0 0 2"/>')
    above = pick(model, data, [0, 0, 3.0], [0, 0, -1], VisOptions())
    below = pick(model, data, [0, 0, -3.0], [0, 0, 1], VisOptions())
    assert (above.object, below.object) == (("geom", model.geom("g").id), ("flex", 0))


def test_rays_and_capsules():
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(60):
        start, end, origin = rng.normal(size=(9, 3)), rng.normal(size=(9, 3)), 4 * rng.normal(size=3)
        direction = rng.normal(size=3) * 0.3 - origin
        direction /= np.linalg.norm(direction)
        distance, which = first_capsule(origin, direction, start, end, 0.3)
        half = 0.5 * np.linalg.norm(end - start, axis=1)
        axes = frames_along(end - start)
        want = [
            mujoco.mju_rayGeom(
                0.5 * (start + end)[k],
                axes[k].ravel(),
                np.array([0.3, half[k], 0]),
                origin,
                direction,
                CAPSULE,
            )
            for k in range(9)
        ]
        want = np.where(np.array(want) < 0, np.inf, want)
        assert distance == pytest.approx(want.min())
        if np.isfinite(distance):
            hits += 1
            assert which == np.argmin(want)
    assert hits > 20


def test_skins_are_objects_of_their_own():
    model, data = bent()
    assert (enums.OBJ_SKIN, 0) in map(tuple, scene_of((model, data)).segments)
