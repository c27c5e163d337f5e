"""Unsupported physics: the model loads, can be looked at, and refuses to move, with the place and the reason."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.diagnostics import Severity
from kinetree.engine.dynamics import forward
from kinetree.engine.dynamics.forward import POSE, POSITION, stages
from kinetree.engine.jit.compiler import compiled
from kinetree.engine.model import enums, unsupported
from kinetree.engine.run import warmup

FLOOR = "<worldbody><geom type='plane' size='1 1 .1'/><geom type='cylinder' size='.1 .1'/></worldbody>"
BALL = "<worldbody><body name='b' pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody>"
TEXTS = {
    "RK4": "<option integrator='RK4'><flag invdiscrete='§enable' fwdinv='enable'/></option>",
}


def _load(marked: str) -> tuple[kinetree.Model, int]:
    ball = BALL.replace("<geom size='.1'/>", "<geom type='ellipsoid' size='.1 .1 .1'/>")
    text = f"<mujoco>{marked}{ball}{FLOOR}</mujoco>"
    column = text.index("§") + 1
    return kinetree.load_string(text.replace("§", "")), column


def test_every_live_option_has_a_case():
    rows = [
        row for row in unsupported.live_options() if row.element.startswith("option") and row.attribute != "multiccd"
    ]
    assert len(TEXTS) == len(rows)
    assert {row.attribute for row in rows} == {
        text.replace("<flag ", "<option ").split("<option ")[-1].split("=")[0] for text in TEXTS.values()
    }


@pytest.mark.parametrize("name", TEXTS)
def test_option(name):
    model, column = _load(TEXTS[name])
    (found,) = model.unsimulated
    assert (found.severity, found.code, found.column) == (Severity.WARNING, "not-simulated", column)
    assert found.message in {row.message() for row in unsupported.live_options()}
    assert name in found.message
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    assert data.geom_xpos[-1].tolist() == [0, 0, 1]
    for move in (kinetree.step, kinetree.forward):
        with pytest.raises(kinetree.ModelError) as caught:
            move(model, data)
        (refusal,) = caught.value.diagnostics
        assert (refusal.severity, refusal.column, refusal.message) == (Severity.ERROR, column, found.message)
    assert data.time == 0 and model.pipeline is None
    with pytest.raises(kinetree.ModelError):
        warmup.warmup(model)


def test_flat_faces_of_meshes_are_compiled_for_multiccd():
    """Switched on later, the flag lacks them; without meshes it needs none."""
    text = (
        "<mujoco>{}<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>"
        "<body><freejoint/><geom type='{}' mesh='m' size='.1 .1 .1'/></body>"
        "<body><freejoint/><geom type='{}' mesh='m' size='.1 .1 .1'/></body></worldbody></mujoco>"
    )
    flag = "<option><flag multiccd='enable'/></option>"
    for option, shape in ((flag, "mesh"), ("", "ellipsoid"), ("", "mesh")):
        other = shape.replace("ellipsoid", "cylinder")
        model = kinetree.load_string(
            text.format(option, shape, other).replace("mesh='m'", "mesh='m'" * (shape == "mesh"))
        )
        model.opt.enableflags = enums.ENBL_MULTICCD
        if option or shape == "ellipsoid":
            kinetree.step(model, kinetree.Data(model))
            continue
        (found,) = model.unsimulated
        assert "flat faces" in found.message and "multiccd" in found.message
        with pytest.raises(kinetree.ModelError):
            kinetree.step(model, kinetree.Data(model))


def test_an_option_can_be_changed_on_the_live_model():
    model, _ = _load(TEXTS["RK4"])
    data = kinetree.Data(model)
    flags = int(model.opt.enableflags)
    model.opt.enableflags = 0
    assert not model.unsimulated
    kinetree.step(model, data)
    before = data.time
    assert before > 0
    model.opt.enableflags = flags
    with pytest.raises(kinetree.ModelError):
        kinetree.step(model, data)
    assert data.time == before
    model.opt.enableflags = 0
    kinetree.step(model, data)
    assert data.time > before


def test_a_copy_is_refused_too():
    model, _ = _load(TEXTS["RK4"])
    assert model.copy().unsimulated == model.unsimulated


def test_what_can_be_simulated_has_no_gaps():
    model, _ = _load("<option integrator='implicitfast'/>§")
    assert model.unsimulated == []


CLOTH = (
    "<flexcomp name='f' dim='2' type='grid' count='2 2 1' spacing='1 1 1' pos='9 9 9' radius='.1' rigid='true'>"
    "<plugin plugin='mujoco.elasticity.cable'/></flexcomp>"
)
"""Models that cannot be simulated."""


def test_elements_are_told_where_they_stand():
    text = f"<mujoco>{BALL}</mujoco>".replace("</worldbody>", f"{CLOTH}</worldbody>")
    model = kinetree.load_string(text)
    (found,) = model.unsimulated
    assert found.column == text.index("<plugin") + 1
    assert "deformable" in found.message


def test_what_is_not_drawn_can_be_simulated():
    text = f"<mujoco><asset><texture name='t' type='2d' builtin='dynamic' width='4' height='4'/></asset>{BALL}</mujoco>"
    from kinetree.engine.compile.compiler import compile_document
    from kinetree.engine.document.document import Document

    compiled = compile_document(Document.from_string(text))
    (found,) = (each for each in compiled.diagnostics if each.severity is Severity.WARNING)
    assert found.code == unsupported.NOT_DRAWN
    assert found.column == text.index("dynamic") + 1
    assert not compiled.model.unsimulated
    kinetree.step(compiled.model, kinetree.Data(compiled.model))


# ---- geoms without a collision function --------------------------------------------------------------------

TERRAIN = """<mujoco>
  <worldbody>
    <geom name="ground" type="box" size="1 1 .1" {ground}/>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="b" pos="0 0 1"><freejoint/><geom name="ball" size=".1" {ball}/>
      <body name="c"><joint/><geom name="stick" size=".1"/></body></body>
  </worldbody>
  {more}
</mujoco>"""


def _met(ground="", ball="", more="", kind="hfield", of="ground"):
    """Missing features when one geom is of a kind without collision functions."""
    from kinetree.engine.collision import table
    from kinetree.engine.model import enums

    model = kinetree.load_string(TERRAIN.format(ground=ground, ball=ball, more=more))
    model.geom_type[kinetree.name2id(model, "geom", of)] = {"hfield": enums.GEOM_HFIELD, "sdf": enums.GEOM_SDF}[kind]
    rows = {pair: where for pair, where in table.FUNCTIONS.items() if max(pair) != 8 and 1 not in pair}
    saved, table.FUNCTIONS = table.FUNCTIONS, rows
    try:
        return [model.names["geom"][geom] for geom, _ in table.missing(model)]
    finally:
        table.FUNCTIONS = saved


def test_geoms_that_would_collide_need_a_function():
    assert _met() == ["ground"]
    assert _met(kind="sdf", of="ball") == ["ball"]
    assert _met(kind="sdf", of="stick") == ["stick"]
    # named pairs count whatever the filters say; the floor never meets a height field
    assert _met(ground="contype='0' conaffinity='0'") == []
    pair = "<contact><pair geom1='ball' geom2='ground'/></contact>"
    assert _met(ground="contype='0' conaffinity='0'", more=pair) == ["ground"]
    assert _met(ground="contype='2' conaffinity='2'") == []


def test_filters_are_those_of_the_broad_phase():
    excluded = "<contact><exclude body1='world' body2='b'/><exclude body1='world' body2='c'/></contact>"
    assert _met(more=excluded) == []
    # the stick's parent is filtered, the floor and the ground are not
    assert _met(kind="sdf", of="stick", more=excluded) == []
    allowed = excluded + "<option><flag filterparent='disable'/></option>"
    assert _met(kind="sdf", of="stick", more=allowed) == ["stick"]


def test_every_stage_of_looking_exists():
    model, _ = _load("§")
    names = {row.name for row in forward.stages(model, forward.POSITION)}
    assert names & set(forward.POSE) == {"kinematics", "com_pos"}
    data, other = kinetree.Data(model), kinetree.Data(model)
    kinetree.kinematics(model, data)
    kinetree.forward(model, other)
    np.testing.assert_allclose(data.geom_xmat, other.geom_xmat, atol=1e-12)


def test_tendons_are_where_they_are():
    text = """<mujoco><worldbody><site name="a" pos="0 0 1"/><geom name="g" type="cylinder" size=".1 1"/>
      <body pos="1 0 1"><joint axis="0 1 0"/><geom size=".1"/><site name="b" pos="-2 .05 0"/></body>
      {}</worldbody>
      <tendon><spatial><site site="a"/><geom geom="g"/><site site="b"/></spatial></tendon></mujoco>"""
    still = kinetree.load_string(text.format(CLOTH))
    moving = kinetree.load_string(text.format(""))
    assert still.unsimulated and not moving.unsimulated
    seen, computed = kinetree.Data(still), kinetree.Data(moving)
    kinetree.kinematics(still, seen)
    kinetree.forward(moving, computed)
    assert seen.ten_length[0] == pytest.approx(computed.ten_length[0], abs=1e-12) and seen.ten_length[0] > 0
    np.testing.assert_allclose(seen.wrap_xpos, computed.wrap_xpos, atol=1e-12)


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 1e155, 1e200])
def test_bad_positions_give_the_poses_of_compiled_code(value):
    """Python's mathematics raises errors where compiled code goes on with numbers that are not finite."""
    model = kinetree.load_string("""<mujoco><worldbody>
     <body><joint axis="0 1 0"/><geom name="g" type="cylinder" size=".1 .2"/><site name="a" pos=".3 0 0"/>
      <body pos=".5 0 0"><joint type="ball"/><geom size=".1"/><site name="b" pos=".3 .1 0"/>
       <body><joint type="slide"/><geom size=".1"/></body></body></body>
     <body><freejoint/><geom size=".1"/><camera mode="targetbody" target="t"/></body>
     <body name="t" mocap="true"/></worldbody>
     <tendon><spatial><site site="a"/><geom geom="g"/><site site="b"/></spatial></tendon></mujoco>""")
    kernels = [compiled(row.load()) for row in stages(model, POSITION) if row.name in POSE]
    for i in range(model.nq):
        ours, expected = kinetree.Data(model), kinetree.Data(model)
        ours.qpos[i] = expected.qpos[i] = value
        kinetree.kinematics(model, ours)
        for kernel in kernels:
            kernel(model, expected)
        for name in ("xpos", "xquat", "geom_xmat", "subtree_com", "cam_xmat", "ten_length", "wrap_xpos"):
            np.testing.assert_allclose(getattr(ours, name), getattr(expected, name), rtol=1e-9, atol=1e-9, err_msg=name)
