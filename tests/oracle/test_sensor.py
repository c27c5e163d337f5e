"""Sensors against mujoco: every type of sensor on every object, with every reference frame, at random states."""

from __future__ import annotations

import itertools

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics import forward
from tests.oracle.bridge import copy_state, forward_on_contacts, model_from
from tests.oracle.models import SENSOR_MODEL
from tests.oracle.test_smooth import random_state

WORLD = """
<mujoco><option magnetic="1 2 3" {option}><flag energy="enable"/></option>
<asset><hfield name="hill" nrow="3" ncol="3" size="3 3 .5 .1" elevation="0 1 0 2 3 1 0 1 0"/>
 <mesh name="rock" vertex="0 0 0 .5 0 0 0 .4 0 0 0 .6 .3 .3 .3"/></asset>
<worldbody>
 <geom name="floor" type="plane" size="0 0 1" pos="0 0 -2"/><geom type="hfield" hfield="hill" pos="0 0 -1.5"/>
 <site name="world" pos="0 1 0" euler="120 20 30"/>
 <camera name="fixed" pos="1 2 3" xyaxes="0 1 0 1 0 1" resolution="640 480"/>
 <camera name="watching" mode="targetbody" target="b" pos="2 1 2" resolution="320 200"/>
 <body name="a" pos="0 0 1"><freejoint name="f"/><geom name="box" size=".1 .2 .3" type="box" pos=".1 0 .05"/>
  <site name="s1" type="ellipsoid" size=".3 .2 .4" pos=".1 .2 .3" euler="5 6 7"/>
  <body name="b" pos=".3 .1 0" euler="20 0 40"><joint name="ball" type="ball" pos=".02 0 .1"/>
   <geom name="capsule" type="capsule" size=".05 .2" pos="0 .1 0" euler="40 50 60"/>
   <geom name="rock" type="mesh" mesh="rock" pos="0 -.3 0"/>
   <site name="s2" type="box" size=".3 .3 .3" pos=".1 0 .3"/>
   <camera name="tracking" mode="trackcom" pos="0 0 .3" euler="10 0 30" resolution="640 480" fovy="60"/>
   <camera name="lens" pos="0 .2 .5" resolution="64 48" sensorsize=".04 .03" focal=".05 .06" principal=".01 0"/>
   <body name="c" pos="0 .3 .1"><joint name="h" axis="1 2 3" pos=".1 .1 .1" range="-20 20"/>
    <joint name="s" type="slide" axis="0 1 2" range="-.1 .1" actuatorfrcrange="-1 1"/>
    <geom name="egg" type="ellipsoid" size=".1 .05 .2"/>
    <site name="s3" type="capsule" size=".2 .3" euler="50 6 7"/></body></body></body>
 <body name="d" pos="0 0 -.5"><freejoint/><geom name="tin" type="cylinder" size=".4 .3"/>
  <geom name="marble" size=".3" pos=".1 0 .57"/><site name="s4" type="sphere" size=".9"/></body>
</worldbody>
<tendon><fixed name="t" range="-.1 .1"><joint joint="h" coef=".5"/><joint joint="s" coef="-1"/></fixed>
 <spatial name="p" range="0 .5"><site site="s1"/><site site="s4"/></spatial></tendon>
<actuator><motor name="m" joint="h" gear="3"/><motor name="mt" tendon="t" gear="2"/><motor tendon="t" gear="-1"/>
 <motor name="ms" joint="s" gear="9"/></actuator>
<sensor>{sensors}</sensor></mujoco>"""
FRAMES = {"body": "c", "xbody": "b", "geom": "capsule", "site": "s3", "camera": "tracking"}
OTHERS = {"body": "b", "xbody": "a", "geom": "tin", "site": "s1", "camera": "watching"}
FRAME_SENSORS = (
    "framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel",
)  # fmt: skip


def frame_sensors() -> list[str]:
    found = []
    for sensor in (*FRAME_SENSORS, "framelinacc", "frameangacc"):
        for kind, name in [*FRAMES.items(), ("site", "world"), ("camera", "fixed"), ("body", "world")]:
            found.append(f'<{sensor} objtype="{kind}" objname="{name}"/>')
    for sensor, (kind, name), (ref, other) in itertools.product(FRAME_SENSORS, FRAMES.items(), OTHERS.items()):
        found.append(f'<{sensor} objtype="{kind}" objname="{name}" reftype="{ref}" refname="{other}"/>')
    for sensor in FRAME_SENSORS:
        found.append(f'<{sensor} objtype="geom" objname="egg" reftype="geom" refname="box"/>')
        found.append(f'<{sensor} objtype="geom" objname="egg" reftype="site" refname="world"/>')
    return found


def other_sensors() -> list[str]:
    found = []
    for site in ("world", "s1", "s2", "s3", "s4"):
        for kind in ("accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer", "rangefinder", "touch"):
            found.append(f'<{kind} site="{site}"/>')
            found.append(f'<{kind} site="{site}" cutoff=".7"/>')
        for camera in ("fixed", "watching", "tracking", "lens"):
            found.append(f'<camprojection site="{site}" camera="{camera}"/>')
    for joint in ("h", "s"):
        for kind in ("pos", "vel", "actuatorfrc", "limitpos", "limitvel", "limitfrc"):
            found.append(f'<joint{kind} joint="{joint}"/><joint{kind} joint="{joint}" cutoff=".01"/>')
    for tendon in ("t", "p"):
        for kind in ("pos", "vel", "actuatorfrc", "limitpos", "limitvel", "limitfrc"):
            found.append(f'<tendon{kind} tendon="{tendon}"/>')
    for actuator in ("m", "mt", "ms"):
        found += [f'<actuator{kind} actuator="{actuator}"/>' for kind in ("pos", "vel", "frc")]
    found += ['<ballquat joint="ball"/>', '<ballangvel joint="ball"/>', '<ballangvel joint="ball" cutoff=".3"/>']
    for body in ("world", "a", "b", "c", "d"):
        found += [f'<subtree{kind} body="{body}"/>' for kind in ("com", "linvel", "angmom")]
    return [*found, "<clock/>", '<clock cutoff="1"/>', "<e_potential/>", "<e_kinetic/>", '<e_kinetic cutoff="1"/>']


MEASURES = ("distance", "normal", "fromto")


def distance_sensors() -> list[str]:
    geoms = ("floor", "box", "capsule", "egg", "tin", "marble", "rock")
    sides = [f'geom1="{one}" geom2="{other}"' for one, other in itertools.permutations(geoms, 2)]
    sides = [f'{side} cutoff="{cutoff}"' for side in sides for cutoff in (0, 0.2, 10)]
    sides += [f'body1="{one}" body2="{other}" cutoff="5"' for one, other in (("b", "d"), ("d", "b"), ("a", "d"))]
    sides += ['geom1="egg" body2="d" cutoff="5"', 'body1="b" geom2="marble" cutoff="5"']
    return [f"<{kind} {side}/>" for side in sides for kind in MEASURES]


def compare(m, d, data, tolerance):
    for i in range(m.nsensor):
        a, n = m.sensor_adr[i], m.sensor_dim[i]
        theirs = d.sensordata[a : a + n]
        kind = mujoco.mjtSensor(m.sensor_type[i]).name
        scale = max(1.0, np.abs(theirs).max())
        np.testing.assert_allclose(
            data.sensordata[a : a + n] / scale, theirs / scale, atol=tolerance, err_msg=f"{i} {kind}"
        )


def test_free_motion():
    m = mujoco.MjModel.from_xml_string(SENSOR_MODEL)
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    d = mujoco.MjData(m)
    model = model_from(m)
    model.geom_contype = model.geom_conaffinity = 0
    data = kinetree.Data(model)
    rng = np.random.default_rng(11)
    for _ in range(10):
        random_state(m, d, rng)
        d.time = 1.25
        mujoco.mj_forward(m, d)
        copy_state(m, d, data)
        data.sensordata = np.nan
        kinetree.forward(model, data)
        compare(m, d, data, 1e-10)


def states(sensors):
    """(m, d, data) at states in contact and at limits; ours on the reference's contacts."""
    m = mujoco.MjModel.from_xml_string(WORLD.format(option='cone="elliptic"', sensors="".join(sensors)))
    m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations, m.opt.ls_tolerance = 0.0, 200, 200, 1e-10
    d = mujoco.MjData(m)
    model = model_from(m)
    data = kinetree.Data(model)
    rng = np.random.default_rng(12)
    for _ in range(6):
        random_state(m, d, rng)
        d.qpos[:3] *= 0.5
        d.qpos[-7:-4] = rng.normal(size=3) * (0.5, 0.5, 0.2) + (0, 0, -0.6)
        d.ctrl[:] *= 5
        d.time = 1.25
        mujoco.mj_forward(m, d)
        copy_state(m, d, data)
        data.sensordata = np.nan
        forward_on_contacts(m, d, model, data)
        mujoco.mj_forward(m, d)  # from the same warm start
        yield m, d, data


@pytest.mark.parametrize("sensors", [frame_sensors, other_sensors])
def test_every_sensor_on_every_object(sensors):
    touched = set()
    for m, d, data in states(sensors()):
        touched.update(d.contact.geom.ravel().tolist())
        for i in range(m.nsensor):
            part = slice(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i])
            ours, theirs = data.sensordata[part], d.sensordata[part]
            solved = m.sensor_needstage[i] == mujoco.mjtStage.mjSTAGE_ACC
            scale = max(1.0, np.abs(theirs).max())
            text = f"{i} {mujoco.mjtSensor(m.sensor_type[i]).name}"
            np.testing.assert_allclose(ours, theirs, atol=scale * (1e-5 if solved else 1e-9), err_msg=text)
    assert len(touched) >= 4


def test_distance_normal_and_points():
    """Directions and points on rounded shapes are found to the root of the collider's tolerance (1e-6).

    Where the reference fails to find the depth, its two points are the same one, and its distance means nothing.
    """
    sensors = distance_sensors()
    failed = 0
    for _, d, data in states(sensors):
        ours, theirs = data.sensordata.reshape(-1, 10), d.sensordata.reshape(-1, 10)
        for text, our, their in zip(sensors[:: len(MEASURES)], ours, theirs, strict=True):
            if np.abs(their[4:7] - their[7:]).max() < 1e-12 and their[4:].any():
                failed += 1
                np.testing.assert_allclose(our[4:], their[4:], atol=1e-9, err_msg=text)
                continue
            assert our[0] == pytest.approx(their[0], rel=1e-6, abs=1e-6), text
            np.testing.assert_allclose(our[1:], their[1:], atol=1e-3, err_msg=text)
    assert failed < len(sensors) / 10


def test_user_sensors_keep_their_values():
    """Values written by a callback or the user stay, clipped to the cutoff as the declared type says."""
    model = kinetree.load_string("""<mujoco><worldbody><body name="b"><joint/><geom size=".1"/></body></worldbody><sensor>
      <user dim="2" needstage="pos" cutoff="1"/><user dim="3" needstage="vel" datatype="axis"/>
      <user dim="2" needstage="acc" datatype="positive" cutoff="2"/></sensor></mujoco>""")
    data = kinetree.Data(model)
    data.sensordata = [-3, 0.5, 7, 8, 9, -5, 5]
    kinetree.forward(model, data)
    assert data.sensordata.tolist() == [-1, 0.5, 7, 8, 9, -5, 2]


def test_disabled_sensors_keep_their_values():
    m = mujoco.MjModel.from_xml_string(WORLD.format(option="", sensors="".join(other_sensors())))
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_SENSOR
    model = model_from(m)
    data = kinetree.Data(model)
    data.sensordata = 42.0
    kinetree.forward(model, data)
    assert (data.sensordata == 42).all()


def test_every_stage_is_needed_by_a_sensor_of_this_model():
    model = model_from(mujoco.MjModel.from_xml_string(SENSOR_MODEL))
    names = [row.name for row in forward.stages(model)]
    assert {"subtree_vel", "rne_post_constraint", "sensor_pos", "sensor_vel", "sensor_acc"} <= set(names)
    assert {"potential_energy", "kinetic_energy", "camera_projection"} <= set(names)


BOUND = """<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="9 9 1"/><site name="w" pos=".3 .2 1.4" euler="10 20 30"/>
 <body name="a" pos="0 0 .9"><freejoint/><geom type="box" size=".3 .2 .1"/><site name="s1" pos=".1 .2 0" euler="50 0 10"/>
  <body name="b" pos=".3 0 0"><joint name="h" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/><site name="s2" pos=".1 0 0"/>
   <body pos=".2 0 -.6"><geom type="capsule" size=".1 .2"/></body></body></body>
 <body name="c" pos="1 0 1.2" euler="20 30 40"><freejoint/><geom type="capsule" size=".1 .3"/>
  <site name="s3" pos="0 0 .2" euler="9 8 7"/></body>
 <body name="d" pos="-1 0 .05"><freejoint/><geom size=".1" condim="6"/><site name="s4" size=".2"/></body>
</worldbody><tendon><fixed name="t"><joint joint="h" coef="2"/></fixed></tendon><equality>
 <connect body1="b" body2="c" anchor=".3 0 .1"/><connect site1="s1" site2="w"/><weld body1="a" body2="c" torquescale=".3"/>
 <weld site1="s3" site2="w"/><connect body1="d" anchor="0 0 .3"/><joint joint1="h"/><tendon tendon1="t"/></equality>
<sensor>{sensors}</sensor></mujoco>"""


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_forces_between_bodies(cone):
    """With contacts, forces from outside and every kind of equality; touch counts the site's own body only."""
    sensors = "".join(
        f'<{kind} site="{site}"/>'
        for site in ("s1", "s2", "s3", "s4")
        for kind in ("force", "torque", "accelerometer", "touch")
    )
    m = mujoco.MjModel.from_xml_string(BOUND.format(cone=cone, sensors=sensors))
    m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations, m.opt.ls_tolerance = 0.0, 300, 200, 1e-10
    d, model = mujoco.MjData(m), model_from(m)
    data = kinetree.Data(model)
    rng = np.random.default_rng(13)
    for _ in range(6):
        mujoco.mj_resetData(m, d)
        d.qpos[2], d.qpos[7] = rng.uniform(0.5, 0.9), rng.normal() * 0.2
        d.qvel[:] = rng.normal(size=m.nv)
        d.xfrc_applied[:] = rng.normal(size=(m.nbody, 6)) * 5
        mujoco.mj_forward(m, d)
        copy_state(m, d, data)
        for array in (data.sensordata, data.cacc, data.cfrc_int, data.cfrc_ext):
            array[...] = np.nan
        forward_on_contacts(m, d, model, data)
        mujoco.mj_forward(m, d)
        assert d.ne and d.ncon
        for name in ("cacc", "cfrc_ext", "cfrc_int", "sensordata"):
            ours, theirs = getattr(data, name), getattr(d, name)
            np.testing.assert_allclose(ours, theirs, atol=1e-5 * max(1, np.abs(theirs).max()), err_msg=name)


FIELDS = """<mujoco><extension><plugin plugin="mujoco.sdf.torus"><instance name="p"/></plugin></extension><asset>
 <mesh name="s"><plugin instance="p"/></mesh><mesh name="m" vertex="-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 0 0 .15"/></asset>
<worldbody><body><freejoint/><geom name="sdf" type="sdf" mesh="s"><plugin instance="p"/></geom></body>
 <body><freejoint/><geom name="sphere" size=".1"/></body>
 <body><freejoint/><geom name="capsule" type="capsule" size=".05 .1"/></body>
 <body><freejoint/><geom name="egg" type="ellipsoid" size=".05 .1 .2"/></body>
 <body><freejoint/><geom name="tin" type="cylinder" size=".1 .1"/></body>
 <body><freejoint/><geom name="mesh" type="mesh" mesh="m"/></body></worldbody><sensor>{sensors}</sensor></mujoco>"""


def test_distances_of_signed_distance_fields():
    """Only overlaps count: apart, the distance is the cutoff."""
    sides = [f'geom1="{name}" geom2="sdf" cutoff="1"' for name in ("sphere", "capsule", "egg", "tin", "mesh")]
    text = FIELDS.format(sensors="".join(f"<{kind} {side}/>" for side in sides for kind in MEASURES))
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    rng = np.random.default_rng(14)
    overlaps = 0
    for _ in range(20):
        random_state(m, d, rng)
        d.qpos.reshape(-1, 7)[:, :3] *= 0.2
        mujoco.mj_forward(m, d)
        data.qpos = d.qpos
        kinetree.forward(model, data)
        np.testing.assert_allclose(data.sensordata, d.sensordata, atol=1e-6)
        overlaps += (d.sensordata.reshape(-1, 10)[:, 0] < 0).sum()
    assert overlaps > 20
