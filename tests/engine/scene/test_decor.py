"""Decor: the objects that each flag adds, their places and sizes."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from kinetree.engine.dynamics.query.contact_force import in_contact_frame
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.run.perturb import Active, Perturb
from kinetree.engine.scene import drag
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import Camera, default_free, view_of
from kinetree.engine.scene.decor.bodies import DENSITY, FRAME_LENGTH
from kinetree.engine.scene.decor.labels import LABELS, labels
from kinetree.engine.scene.decor.rows import Decor
from kinetree.engine.scene.decor.table import DECORATIONS, collect
from kinetree.engine.scene.decor.tendons import catenary
from kinetree.engine.scene.options import FLAG_BY_NAME, Frame, Label, VisOptions
from kinetree.engine.scene.related import closure
from kinetree.engine.scene.scene import Layer, ShapeKind
from tests.engine.scene.worlds import load

MECHANISM = """
<mujoco>
  <statistic meansize="0.2"/>
  <option cone="{cone}"/>
  <worldbody>
    <light name="lamp" pos="0 0 4"/>
    <camera name="eye" pos="0 -3 1" sensorsize="0.03 0.02" focal="0.02 0.02" resolution="30 20"/>
    <site name="top" pos="0 0 3"/>
    <site name="side" pos="1 0 3"/>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="arm" pos="0 0 2">
      <joint name="hinge" axis="0 1 0"/>
      <geom name="link" type="capsule" fromto="0 0 0 0.5 0 0" size="0.05" mass="2"/>
      <site name="tip" pos="0.5 0 0"/>
      <body name="hand" pos="0.5 0 0"><joint name="ball" type="ball"/><geom type="box" size="0.1 0.05 0.02" mass="1"/></body>
    </body>
    <body name="crate" pos="2 0 0.198"><freejoint name="free"/><geom name="crate" type="box" size="0.2 0.2 0.2"/></body>
  </worldbody>
  <equality><connect name="pin" body1="hand" body2="crate" anchor="0.1 0 0" active="true"/></equality>
  <tendon>
    <spatial name="cable" width="0.01"><site site="top"/><site site="tip"/></spatial>
    <spatial name="rope" range="0 2" limited="true" width="0.01"><site site="top"/><site site="side"/></spatial>
  </tendon>
  <actuator><motor name="motor" joint="hinge" ctrlrange="-2 2" ctrllimited="true"/></actuator>
</mujoco>
"""


@pytest.fixture(scope="module", params=["pyramidal", "elliptic"])
def world(request):
    model, data = load(MECHANISM.format(cone=request.param))
    data.ctrl[0] = 1.0
    mujoco.mj_forward(model, data)
    return model, data


def rows_of(world, options, perturb=None):
    """Kinds, rows and segments of the decor."""
    model, data = world
    view = build(model, data, VisOptions(), default_free(model)).view
    decor = collect(model, data, options, perturb, view)
    return [ShapeKind(kind) for kind in decor.rows["shape"]], decor.instances(), decor.rows["object"]


def only(**flags) -> VisOptions:
    return VisOptions(**({"tendon": False} | flags))


def test_nothing_by_default(world):
    assert rows_of(world, only())[0] == []


@pytest.mark.parametrize(
    ("flag", "kind", "count"),
    [
        ("joint", ShapeKind.BOX, 1),
        ("joint", ShapeKind.SPHERE, 1),
        ("joint", ShapeKind.CONE, 1),
        ("com", ShapeKind.SPHERE, 2),
        ("inertia", ShapeKind.BOX, 3),
        ("camera", ShapeKind.PYRAMID, 1),
        ("light", ShapeKind.CYLINDER, 1),
        ("equality", ShapeKind.SPHERE, 2),
        ("contactpoint", ShapeKind.CYLINDER, 4),
        ("contactforce", ShapeKind.CONE, 4),
        ("autoconnect", ShapeKind.CAPSULE, 2),
        ("tendon", ShapeKind.CAPSULE, 31),
    ],
)
def test_what_each_flag_adds(world, flag, kind, count):
    kinds = rows_of(world, only(**{flag: True}))[0]
    assert kinds.count(kind) == count


def test_centres_of_mass_are_of_moving_trees(world):
    model, data = world
    _, rows, segments = rows_of(world, only(com=True))
    np.testing.assert_allclose(rows[:, S.POS : S.POS + 3], data.subtree_com[segments[:, 1]], atol=1e-6)
    np.testing.assert_allclose(rows[:, S.SIZE[0]], model.vis.scale.com * model.stat.meansize, rtol=1e-6)


def test_inertia_boxes_have_the_bodies_inertia(world):
    model, _ = world
    _, rows, segments = rows_of(world, only(inertia=True))
    for row, (_, body) in zip(rows, segments):
        size = row[list(S.SIZE)].astype(float)
        moment = model.body_mass[body] / 3 * (np.sum(size**2) - size**2)
        np.testing.assert_allclose(moment, model.body_inertia[body], rtol=1e-5)
    _, rows, segments = rows_of(world, only(inertia=True, sclinertia=True))
    for row, (_, body) in zip(rows, segments):
        assert 8 * row[list(S.SIZE)].prod() * DENSITY == pytest.approx(model.body_mass[body], rel=1e-5)


def test_contact_forces_are_the_references(world):
    model, data = world
    assert data.ncon >= 4
    for i in range(data.ncon):
        expected = np.zeros(6)
        mujoco.mj_contactForce(model, data, i, expected)
        np.testing.assert_allclose(in_contact_frame(data, i), expected, rtol=1e-9, atol=1e-9)


def test_force_arrows_point_up_from_the_floor(world):
    kinds, rows, _ = rows_of(world, only(contactforce=True))
    tips = [row for kind, row in zip(kinds, rows) if kind == ShapeKind.CONE]
    assert all(row[S.ROW2 + 2] > 0.9 for row in tips)  # the cone's z axis


def test_actuator_colour_follows_control(world):
    model, _ = world
    _, rows, _ = rows_of(world, only(actuator=True))
    rest, positive = (np.array(getattr(model.vis.rgba, n)) for n in ("actuator", "actuatorpositive"))
    np.testing.assert_allclose(S.encoded(rows[0, S.COLOR : S.COLOR + 3]), (0.5 * (rest + positive))[:3], atol=1e-5)


@pytest.mark.parametrize("rod", [0.5, 0.1])  # m; the shorter one does not reach
def test_slider_cranks_are_the_references(rod):
    model, data = load(
        f"""<mujoco><statistic meansize="0.2"/><worldbody>
          <body name="wheel"><joint name="turn" axis="0 1 0"/><geom size="0.1"/><site name="crank" pos="0.1 0 0.2"/></body>
          <site name="slider" pos="-0.6 0 0" zaxis="1 0 0.1"/></worldbody>
        <actuator><position cranksite="crank" slidersite="slider" cranklength="{rod}"/></actuator></mujoco>"""
    )
    mujoco.mj_forward(model, data)
    scene = mujoco.MjvScene(model, 20)
    camera, options = mujoco.MjvCamera(), mujoco.MjvOption()
    mujoco.mjv_updateScene(model, data, options, None, camera, mujoco.mjtCatBit.mjCAT_DYNAMIC, scene)
    theirs = [geom for geom in scene.geoms[: scene.ngeom] if geom.objtype == mujoco.mjtObj.mjOBJ_ACTUATOR]
    rows = collect(model, data, VisOptions(), None, view_of(default_free(model), model, data, 1.0)).rows
    assert len(theirs) == len(rows) == 2
    for wanted, row in zip(theirs, rows):
        np.testing.assert_allclose(row["pos"], wanted.pos, atol=1e-6)
        np.testing.assert_allclose(row["size"][0], wanted.size[0], rtol=1e-6)
        np.testing.assert_allclose(row["rgba"], wanted.rgba, atol=1e-6)
        np.testing.assert_allclose(np.abs(row["mat"][:, 2] @ wanted.mat[:, 2]), 1.0, atol=1e-6)
        half = row["half"] if row["shape"] == ShapeKind.CAPSULE else row["size"][2]
        np.testing.assert_allclose(half, wanted.size[2], rtol=1e-5)
    assert (
        collect(
            model, data, VisOptions(actuatorgroup=(False,) * 6), None, view_of(default_free(model), model, data, 1.0)
        ).count
        == 0
    )


def test_frames(world):
    model, _ = world
    counts = {mode: len(rows_of(world, only(frame=mode))[0]) // 3 for mode in Frame}
    assert counts[Frame.BODY] == model.nbody - 1 and counts[Frame.SITE] == model.nsite
    assert counts[Frame.GEOM] == model.ngeom and counts[Frame.WORLD] == 1 and counts[Frame.NONE] == 0


@pytest.mark.parametrize("distance", [2.0, 9.0])
def test_frames_have_one_size_on_the_screen(world, distance):
    model, data = world
    view = view_of(Camera(lookat=np.array([0.5, 0.0, 1.5]), distance=distance), model, data, 1.5)
    decor = collect(model, data, only(frame=Frame.BODY), None, view, height=600.0)
    rows = decor.rows
    assert (rows["layer"] == Layer.OVER).all()  # neither lit nor mirrored
    depth = (data.xpos[1:].repeat(3, axis=0) - view.pos) @ view.forward
    pixels = 600.0 * 2 * rows["size"][:, 2] / [view.height_at(each) for each in depth]
    np.testing.assert_allclose(pixels, FRAME_LENGTH * model.vis.scale.framelength, rtol=1e-9)
    assert rows["size"][:, 0].max() < 0.05 * rows["size"][:, 2].max() * 2


def test_what_is_selected_is_marked(world):
    model, data = world
    view = build(model, data, VisOptions(), default_free(model)).view

    def marks(kind, name):
        object = ObjectId(kind, getattr(model, kind)(name).id)
        return collect(model, data, only(), None, view, 800.0, closure(model, [object])).rows

    for kind, name in (("joint", "hinge"), ("joint", "ball"), ("tendon", "cable"), ("equality", "pin")):
        assert len(marks(kind, name)) and (marks(kind, name)["layer"] == Layer.MARK).all()
    np.testing.assert_array_equal(marks("actuator", "motor"), marks("joint", "hinge"))
    for kind, name in (("camera", "eye"), ("light", "lamp"), ("site", "tip")):
        assert len(marks(kind, name))
    assert not len(marks("geom", "link"))  # it has an outline
    ends = np.concatenate([marks("tendon", "cable")["pos"], data.site_xpos[[model.site(n).id for n in ("top", "tip")]]])
    assert np.isfinite(ends).all()


def test_labels(world):
    model, data = world

    def texts(mode, perturb=None):
        return [label.text for label in labels(model, data, VisOptions(label=mode), perturb, None)]

    assert texts(Label.BODY) == ["arm", "hand", "crate"]
    assert texts(Label.JOINT) == ["hinge", "ball", "free"]
    assert texts(Label.GEOM)[:2] == ["floor", "link"] and texts(Label.GEOM)[2] == "geom 2"
    assert texts(Label.TENDON) == ["cable", "rope"] and texts(Label.ACTUATOR) == ["motor"]
    assert texts(Label.CONSTRAINT) == ["pin: 0 mm"] and texts(Label.CAMERA) == ["eye"]
    assert "floor | crate" in texts(Label.CONTACT) and texts(Label.CONTACTFORCE)[0].endswith(" N")
    assert texts(Label.SELECTION, Perturb(select=1)) == ["arm"]


def test_perturbation_shows_spring_and_frame(world):
    model, data = world
    view = build(model, data, VisOptions(), default_free(model)).view
    perturb = Perturb(select=model.body("crate").id)
    assert rows_of(world, only(), perturb)[0] == []
    drag.begin(perturb, Active.TRANSLATE, model, data, view)
    perturb.refselpos = perturb.refselpos + [0, 0, 0.5]
    assert ShapeKind.CONE in rows_of(world, only(), perturb)[0]
    assert rows_of(world, only(pertobj=False), perturb)[0] == []
    drag.begin(perturb, Active.ROTATE, model, data, view)
    assert ShapeKind.LINES_BOX in rows_of(world, only(), perturb)[0]


@pytest.mark.parametrize("drop", [-0.7, 0.0, 0.4])
@pytest.mark.parametrize("length", [1.3, 2.0, 6.0])
def test_catenary(drop, length):
    gravity = np.array([0.0, 0.0, -9.81])
    start, end = np.array([0.2, 0.1, 1.0]), np.array([0.9, 0.5, 1.0 - drop])
    points = catenary(start, end, gravity, length, count=4001)
    np.testing.assert_allclose(points[[0, -1]], [start, end], atol=1e-9)
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).sum() == pytest.approx(length, rel=1e-5)
    # a rope's slope against arc length is linear: the horizontal pull is the same everywhere
    steps = np.diff(points, axis=0)
    slope = steps[:, 2] / np.linalg.norm(steps[:, :2], axis=1)
    arc = np.cumsum(np.linalg.norm(steps, axis=1))
    assert np.corrcoef(arc, slope)[0, 1] > 0.99999
    assert points[:, 2].min() < min(start[2], end[2])


def test_taut_ropes_do_not_hang():
    gravity = np.array([0.0, 0.0, -9.81])
    assert catenary([0, 0, 0], [1, 0, 0], gravity, 1.0) is None
    assert catenary([0, 0, 0], [1, 0, 0], np.zeros(3), 2.0) is None


STORED = np.load(Path(__file__).parent / "data" / "decor.npz")
OPTIONS = {
    "scl": {"inertia": True, "sclinertia": True},
    "split": {"contactforce": True, "contactsplit": True},
    "act": {"actuator": True, "activation": True},
    "tendon": {"tendon": True},
} | {f"frame{int(mode)}": {"frame": mode} for mode in Frame}


@pytest.mark.parametrize("case", sorted(STORED))
def test_rows_are_the_stored_ones(case):
    """Every row (instance, object, solid, shape), in any order, as an earlier version of this package made it."""
    cone, name, active = case.split()
    model, data = load(MECHANISM.format(cone=cone))
    data.ctrl[0] = 1.0
    mujoco.mj_forward(model, data)
    view = build(model, data, VisOptions(), default_free(model)).view
    perturb = Perturb(select=1, localpos=np.array([0.01, 0.02, 0.03]))
    drag.begin(perturb, Active(int(active)), model, data, view)
    perturb.refselpos = perturb.refselpos + [0.1, 0.2, 0.3]
    decor = collect(model, data, only(**OPTIONS.get(name, {name: True})), perturb, view)
    extra = (decor.rows["object"], decor.rows["solid"][:, None], decor.rows["shape"][:, None])
    rows = np.concatenate([decor.instances(), *extra], axis=1)
    assert rows.shape == STORED[case].shape
    ours, stored = (array[np.lexsort(np.round(array, 3).T)] for array in (rows, STORED[case]))
    np.testing.assert_allclose(ours, stored, rtol=1e-5, atol=1e-6)


def test_the_table_covers_the_options():
    """Every flag of something drawn besides the model's own objects switches a row of the table on."""
    options = VisOptions(**dict.fromkeys(FLAG_BY_NAME, False))
    always = [decoration for decoration in DECORATIONS if decoration.shown(options)]
    assert [decoration.name for decoration in always] == ["slider-cranks"]  # parts of the mechanism
    switched = [decoration for decoration in DECORATIONS if decoration not in always]
    flags = [name for name in FLAG_BY_NAME if any(d.shown(only_flag(name)) for d in switched)]
    assert set(flags) == {
        *("inertia", "tendon", "joint", "actuator", "autoconnect", "com", "camera", "light", "equality"),
        *("rangefinder", "contactpoint", "contactforce", "select", "pertobj", "pertforce"),
        *("bodybvh", "meshbvh", "flexbvh", "sdfiter"),
    }
    for mode in Frame:
        options.frame = mode
        assert sum(decoration.shown(options) for decoration in switched) == (mode != Frame.NONE)
    assert set(LABELS) == set(Label) - {Label.NONE}


def only_flag(name: str) -> VisOptions:
    return VisOptions(**(dict.fromkeys(FLAG_BY_NAME, False) | {name: True}))


def test_rows_grow_and_skip_what_cannot_be_seen():
    decor = Decor()
    for i in range(200):
        decor.add(ShapeKind.SPHERE, (i, 0.0, 0.0), np.eye(3), 0.1, (1.0, 0.0, 0.0, i % 2))
    np.testing.assert_array_equal(decor.rows["pos"][:, 0], np.arange(1, 200, 2))
    decor.add(ShapeKind.BOX, np.zeros((3, 3)), np.eye(3), 0.1, np.eye(4)[1:] + [1, 0, 0, 0])
    assert decor.count == 101 and decor.rows["rgba"][-1, 3] == 1
