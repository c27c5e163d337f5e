"""x_xy: what each joint type, shape and default becomes; errors at their place; the page's own example moves."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.document.document import Document
from kinetree.engine.formats.x_xy_table import JOINTS
from tests.oracle.compiled import differences

EXAMPLE = """<x_xy model="inv_pendulum">
    <options gravity="0 0 9.81" dt="0.01"/>
    <defaults>
        <geom color="white"/>
    </defaults>
    <worldbody>
        <body name="cart" joint="px" damping="0.01">
            <geom type="box" mass="1" dim="0.4 0.1 0.1"/>
            <body name="pendulum" joint="ry" euler="0 -90 0" damping="0.01">
                <geom type="box" mass="0.5" pos="0.5 0 0" dim="1 0.1 0.1"/>
            </body>
        </body>
    </worldbody>
</x_xy>"""
SAME = """<mujoco model="inv_pendulum"><compiler angle="radian"/><option timestep="0.01"/>
<visual><headlight ambient=".35 .35 .35" diffuse=".55 .55 .55" specular=".3 .3 .3"/></visual>
<default><geom type="box" rgba=".8 .8 .8 1" contype="0" conaffinity="0"/></default><worldbody>
<body name="cart"><joint name="cart" type="slide" axis="1 0 0" damping=".01"/><geom mass="1" size=".2 .05 .05"/>
<body name="pendulum" quat="0.70710678118654757 0 -0.70710678118654757 0">
<joint name="pendulum" axis="0 1 0" damping=".01"/><geom mass=".5" pos=".5 0 0" size=".5 .05 .05"/></body></body></worldbody></mujoco>"""
BALL = '<geom type="sphere" dim=".1" mass="1"/>'
LOOKS = 'rgba=".7 .5 .1 1" contype="0" conaffinity="0" mass="1"'


def body(attributes: str, inside: str = BALL) -> str:
    return f'<x_xy model="m"><worldbody><body name="b" {attributes}>{inside}</body></worldbody></x_xy>'


LIGHT = '<visual><headlight ambient=".35 .35 .35" diffuse=".55 .55 .55" specular=".3 .3 .3"/></visual>'


def mjcf(inside: str, pose: str = "", geom: str = 'size=".1"') -> str:
    return (
        '<mujoco model="m"><compiler angle="radian"/><option timestep=".01"/>'
        f"{LIGHT}<worldbody>"
        f'<body name="b" {pose}>{inside}<geom {geom} {LOOKS}/></body></worldbody></mujoco>'
    )


def slides(*axes: str, more: str = "", prefix: str = "b_") -> str:
    vectors = {"x": "1 0 0", "y": "0 1 0", "z": "0 0 1"}
    return "".join(f'<joint name="{prefix}{a}" type="slide" axis="{vectors[a]}" {more}/>' for a in axes)


def moved(path_or_text: str, steps: int):
    model = kinetree.load_string(path_or_text)
    data = kinetree.Data(model)
    data.qpos[1] = 0.3
    kinetree.step(model, data, steps)
    return model, data


def test_the_example_of_the_page_is_this_model():
    assert not differences(kinetree.load_string(EXAMPLE), mujoco.MjModel.from_xml_string(SAME))


def test_the_example_of_the_page_moves_like_it():
    _, data = moved(EXAMPLE, 200)
    model = mujoco.MjModel.from_xml_string(SAME)
    theirs = mujoco.MjData(model)
    theirs.qpos[1] = 0.3
    for _ in range(200):
        mujoco.mj_step(model, theirs)
    assert np.allclose(data.qpos, theirs.qpos, atol=1e-9)


@pytest.mark.parametrize(
    ("x_xy", "same"),
    [
        (body('joint="free" pos="1 2 3"'), mjcf('<freejoint name="b"/>', 'pos="1 2 3"')),
        (body('joint="frozen" euler="90 0 90"'), mjcf("", 'quat=".5 .5 .5 .5"')),
        (body('joint="frozen" quat="1 1 0 0"'), mjcf("", 'quat="1 -1 0 0"')),
        (body('joint="spherical"'), mjcf('<joint name="b" type="ball"/>')),
        (
            body('joint="spherical" damping="2 2 2" armature="1 1 1" spring_stiff="3 3 3"'),
            mjcf('<joint name="b" type="ball" damping="2" armature="1" stiffness="3"/>'),
        ),
        (body('joint="p3d" damping="1 1 1"'), mjcf(slides("x", "y", "z", more='damping="1"'))),
        (body('joint="pz" spring_stiff="4" spring_zero="-.2"'), mjcf('<joint name="b" type="slide" axis="0 0 1" stiffness="4" springref="-.2"/>')),
        (body('joint="rx"'), mjcf('<joint name="b" axis="1 0 0"/>')),
        (body('joint="saddle"'), mjcf('<joint name="b_ry" axis="0 1 0"/><joint name="b_rz" axis="0 0 1"/>')),
        (body('joint="free_2d"'), mjcf(slides("y", "z") + '<joint name="b_rx" axis="1 0 0"/>')),
        (
            body('joint="free" spring_stiff="1 1 1 2 2 2"'),
            mjcf(slides("x", "y", "z", more='stiffness="2"') + '<joint name="b_rot" type="ball" stiffness="1"/>'),
        ),
        (body('joint="frozen"', '<geom type="capsule" dim=".1 2" mass="1"/>'), mjcf("", "", 'type="capsule" size=".1 1" quat="1 0 1 0"')),
        (body('joint="frozen"', '<geom type="cylinder" size=".1 2" mass="1"/>'), mjcf("", "", 'type="cylinder" size=".1 1" quat="1 0 1 0"')),
        (body('joint="frozen"', '<geom type="box" dim=".1 2 1" mass="1" euler="0 0 90"/>'), mjcf("", "", 'type="box" size=".05 1 .5" quat="1 0 0 1"')),
    ],
)  # fmt: skip
def test_the_same_as_mjcf(x_xy, same):
    ours = kinetree.load_string(x_xy)
    assert not differences(ours, mujoco.MjModel.from_xml_string(same))


@pytest.mark.parametrize("kind", JOINTS)
def test_widths(kind):
    model = kinetree.load_string(body(f'joint="{kind}"'))
    assert (model.nq, model.nv) == (JOINTS[kind].q, JOINTS[kind].qd)


def test_numbers_for_each_dof_of_a_free_body():
    model = kinetree.load_string(body('joint="free" damping="1 2 3 4 5 6" armature=".1 .2 .3 .4 .5 .6"'))
    assert model.dof_damping.tolist() == [4, 5, 6, 1, 2, 3]
    assert np.allclose(model.dof_armature, [0.4, 0.5, 0.6, 0.1, 0.2, 0.3])


def test_the_zero_of_a_spherical_spring_is_a_rotation():
    model = kinetree.load_string(body('joint="spherical" spring_stiff="1 1 1" spring_zero="1 1 0 0"'))
    assert np.allclose(model.qpos_spring, [0.5**0.5, -(0.5**0.5), 0, 0])


def test_a_centre_of_rotation_is_a_body_around():
    model = kinetree.load_string(body('joint="cor" pos="1 0 0" armature="1 1 1 1 1 1 1 1 1"'))
    assert model.names["body"] == ["world", "b_cor", "b"]
    assert model.names["joint"] == ["b", "b_cor_x", "b_cor_y", "b_cor_z"]
    assert model.body_pos[1].tolist() == [1, 0, 0]
    assert not model.body_pos[2].any()


def test_bodies_without_mass():
    text = body('joint="rx"', f'<body name="c" joint="ry">{BALL}</body>')
    model = kinetree.load_string(text)
    assert model.body_mass[1] < 1e-11
    assert np.isclose(model.body_subtreemass[0], 1)


def test_axes_are_drawn_without_mass():
    model = kinetree.load_string(body('joint="frozen"', '<geom type="xyz" dim=".3"/>'))
    assert model.ngeom == 3
    assert not model.body_mass.any()
    assert np.allclose(model.geom_pos, 0.15 * np.eye(3))
    turned = np.array([mujoco_matrix(quat)[:, 2] for quat in model.geom_quat])
    assert np.allclose(turned, np.eye(3))
    assert np.allclose(model.geom_rgba[0, :3], (0.8, 0.2, 0.2))


def mujoco_matrix(quat) -> np.ndarray:
    result = np.zeros(9)
    mujoco.mju_quat2Mat(result, quat)
    return result.reshape(3, 3)


def test_random_axes_follow_the_seed():
    text = body('joint="rsaddle"')
    one, again, two = (kinetree.load_string(text, seed=seed).jnt_axis for seed in (5, 5, 6))
    assert np.array_equal(one, again)
    assert not np.allclose(one, two)
    assert np.array_equal(kinetree.load_string(text).jnt_axis, kinetree.load_string(text, seed=1).jnt_axis)
    assert np.allclose(np.linalg.norm(one, axis=1), 1)
    first, second = kinetree.load_string(body('joint="rr_imp"')).jnt_axis
    assert abs(first @ second) < 1e-12


def test_random_axes_are_told():
    from kinetree.engine.compile.compiler import compile_document

    found = compile_document(Document.from_string(body('joint="rr"')), seed=42).diagnostics
    assert any(item.code == "drawn-axis" and "seed 42" in item.message for item in found)


def test_defaults_only_fill_in():
    text = (
        '<x_xy name="m"><defaults><geom mass="2" color="red" quat="1 1 0 0"/><body joint="rx" damping="3"/></defaults><worldbody>'
        '<body name="a"><geom type="sphere" dim="1"/></body>'
        '<body name="b" damping="1"><geom type="sphere" dim="1" mass="1" color="0 1 0" euler="0 0 0"/></body></worldbody></x_xy>'
    )
    model = kinetree.load_string(text)
    assert model.body_mass.tolist() == [0, 2, 1]
    assert model.dof_damping.tolist() == [3, 1]
    assert np.allclose(model.geom_rgba, [(0.8, 0.2, 0.2, 1), (0, 1, 0, 1)])
    assert np.allclose(model.geom_quat[1], (1, 0, 0, 0))


def test_objects_know_their_elements():
    model = kinetree.load_string(EXAMPLE)
    assert model.provenance.origin("body", 2).node.line == 9
    assert model.provenance.origin("geom", 1).node.line == 10
    assert model.provenance.origin("joint", 0).node.line == 7


def geom(attributes: str) -> str:
    return body("joint='rx'", f"<geom {attributes}/>")


@pytest.mark.parametrize(
    ("code", "marked"),
    [
        ("bad-choice", body("joint='§rxx'")),
        ("unknown-attribute", body("joint='rx' §dampin='1'")),
        ("unknown-element", body("joint='rx'", "<§geon type='sphere'/>")),
        ("wrong-count", body("joint='rx' damping='§1 2'")),
        ("wrong-count", body("joint='spherical' spring_zero='§1 2 3'")),
        ("not-a-number", body("joint='rx' damping='§a'")),
        ("exclusive-attributes", body("joint='rx' quat='1 0 0 0' euler='§0 0 0'")),
        ("missing-attribute", body("joint='rx' pos_min='§0 0 0'")),
        ("missing-attribute", "<x_xy><worldbody><§body joint='rx'/></worldbody></x_xy>"),
        ("missing-attribute", "<x_xy><worldbody><§body name='a'/></worldbody></x_xy>"),
        ("missing-element", "<§x_xy/>"),
        ("repeated-name", "<x_xy><worldbody><body name='a' joint='rx'/><body name='§a' joint='rx'/></worldbody></x_xy>"),
        ("repeated-element", "<x_xy><worldbody/><§worldbody/></x_xy>"),
        ("missing-attribute", body("joint='rx'", "<§geom type='box' mass='1'/>")),
        ("missing-attribute", body("joint='rx'", "<§geom type='box' dim='1 1 1'/>")),
        ("missing-attribute", body("joint='rx'", "<§geom dim='1 1 1' mass='1'/>")),
        ("wrong-count", geom("type='box' mass='1' dim='§1 1'")),
        ("bad-size", geom("type='sphere' mass='1' dim='§-1'")),
        ("exclusive-attributes", geom("type='sphere' mass='1' dim='1' size='§1'")),
        ("bad-value", geom("type='sphere' mass='§-1' dim='1'")),
        ("bad-colour", geom("type='sphere' mass='1' dim='1' color='§bleu'")),
        ("bad-orientation", body("joint='rx' quat='§0 0 0 0'")),
        ("not-supported", body("joint='spherical' spring_stiff='§1 2 3'")),
        ("not-finite", body("joint='rx' pos='§0 inf 0'")),
        ("bad-value", "<x_xy><options dt='§0'/><worldbody/></x_xy>"),
    ],
)  # fmt: skip
def test_errors_stand_at_their_place(code, marked):
    at = marked.index("§")
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load_string(marked.replace("§", ""))
    errors = [item for item in caught.value.diagnostics if item.severity == "error"]
    assert [(e.code, e.column) for e in errors] == [(code, at + 1)]


def test_gravity_that_points_down_is_a_trap():
    from kinetree.engine.compile.compiler import compile_document

    text = '<x_xy><options gravity="0 0 -9.81"/><worldbody/></x_xy>'
    found = compile_document(Document.from_string(text)).diagnostics
    assert [item.code for item in found if item.severity == "warning"] == ["falls-upwards"]
