"""Plugins against mujoco: controllers, touch sensors."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from tests.oracle.bridge import copy_state

ARM = """<mujoco><option timestep="0.004" integrator="{integrator}"/><extension><plugin plugin="mujoco.pid"/></extension>
<worldbody><body><joint name="j" type="hinge" axis="0 1 0" damping=".1"/><geom type="capsule" size=".05 .2" pos="0 0 .2"/>
<body pos="0 0 .4"><joint name="k" type="slide" axis="0 0 1" stiffness="3"/><geom size=".05"/></body></body></worldbody>
<actuator>{actuators}</actuator></mujoco>"""
CONFIG = '<plugin joint="{joint}" plugin="mujoco.pid" {attributes}>{config}</plugin>'
OWN = {"none": 0, "integrator": 1, "filter": 1, "filterexact": 1}


def controller(rng: np.random.Generator, joint: str) -> str:
    numbers = {"kp": rng.uniform(0, 9), "ki": rng.choice([0, 5, -2]), "kd": rng.uniform(0, 2)}
    if rng.random() < 0.5:
        numbers["imax"] = rng.uniform(0, 1) * (1 if numbers["ki"] >= 0 else -1)
    if rng.random() < 0.5:
        numbers["slewmax"] = rng.uniform(0, 3)
    dynamics = str(rng.choice(list(OWN)))
    actdim = int(numbers["ki"] != 0) + int("slewmax" in numbers) + OWN[dynamics]
    attributes = f'dyntype="{dynamics}" dynprm=".05"'
    attributes += f' actdim="{actdim}"' if actdim else ""
    for name, chance in (("ctrl", 0.5), ("force", 0.5), ("act", 0.5 if dynamics != "none" else 0)):
        if rng.random() < chance:
            attributes += f' {name}limited="true" {name}range="-.7 {rng.uniform(0.2, 1)}"'
    if dynamics != "none" and rng.random() < 0.5:
        attributes += ' actearly="true"'
    config = "".join(f'<config key="{key}" value="{value}"/>' for key, value in numbers.items())
    return CONFIG.format(joint=joint, attributes=attributes, config=config)


@pytest.mark.parametrize("seed", range(12))
def test_controllers_move_as_in_the_reference(seed):
    rng = np.random.default_rng(seed)
    xml = ARM.format(
        integrator=rng.choice(["Euler", "implicitfast", "RK4"]), actuators=controller(rng, "j") + controller(rng, "k")
    )
    m, model = mujoco.MjModel.from_xml_string(xml), kinetree.load_string(xml)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    for _ in range(60):
        d.ctrl[:] = data.ctrl[:] = rng.normal(size=m.nu)
        data.act_dot[:] = data.actuator_force[:] = data.qfrc_actuator[:] = np.nan
        mujoco.mj_step(m, d)
        kinetree.step(model, data)
        for name in ("act", "act_dot", "actuator_force", "qfrc_actuator", "qpos", "qvel"):
            np.testing.assert_allclose(getattr(data, name), getattr(d, name), rtol=1e-9, atol=1e-9, err_msg=name)


def test_a_controller_stays_on_when_its_group_is_switched_off():
    xml = ARM.format(
        integrator="Euler",
        actuators=CONFIG.format(joint="j", attributes='group="2"', config='<config key="kp" value="2"/>'),
    )
    m, model = mujoco.MjModel.from_xml_string(xml), kinetree.load_string(xml)
    m.opt.disableactuator = model.opt.disableactuator = 4
    d, data = mujoco.MjData(m), kinetree.Data(model)
    d.ctrl[:] = data.ctrl[:] = 1
    mujoco.mj_forward(m, d)
    kinetree.forward(model, data)
    assert data.actuator_force[0] == d.actuator_force[0] == 2


TOUCH = """<mujoco><option cone="{cone}"/><extension><plugin plugin="mujoco.sensor.touch_grid"/></extension><worldbody>
<geom type="plane" size="2 2 1" condim="6"/><body name="fixed" pos="0 0 .1"><geom type="box" size=".3 .3 .02" condim="4"/>
<site name="low" pos="0 0 -.05" euler="10 20 30"/></body>
{bodies}</worldbody><sensor>{sensors}</sensor></mujoco>"""
BALL = """<body pos="{pos}"><freejoint/><geom size=".08" condim="{condim}" margin="{margin}" gap="{gap}"/>
<body><geom size=".05" pos=".05 0 0"/><site name="s{i}" euler="{euler}"/></body></body>"""


def words(values) -> str:
    return " ".join(map(str, values))


def touch_model(rng: np.random.Generator) -> str:
    bodies = sensors = ""
    for i in range(6):
        bodies += BALL.format(
            i=i,
            pos=words(rng.uniform([-0.2, -0.2, 0.1], [0.2, 0.2, 0.35])),
            condim=rng.choice([1, 3, 4, 6]),
            margin=rng.choice([0, 0.05]),
            gap=rng.choice([0, 0.05]),
            euler=words(rng.uniform(-180, 180, 3)),
        )
    for site in ("low", "s0", "s1", "s2"):
        numbers = {
            "size": words(rng.integers(1, 9, 2)),
            "fov": words(rng.uniform(10, [180, 90])),
            "gamma": rng.choice([0, 0.4, 1]),
            "nchannel": rng.integers(1, 7),
        }
        config = "".join(f'<config key="{key}" value="{value}"/>' for key, value in numbers.items())
        sensors += f'<plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="{site}">{config}</plugin>'
    return TOUCH.format(cone=rng.choice(["pyramidal", "elliptic"]), bodies=bodies, sensors=sensors)


def test_touch_grids_read_as_in_the_reference():
    rng = np.random.default_rng(3)
    read = 0
    for _ in range(6):
        xml = touch_model(rng)
        m, model = mujoco.MjModel.from_xml_string(xml), kinetree.load_string(xml)
        d, data = mujoco.MjData(m), kinetree.Data(model)
        for _ in range(5):
            mujoco.mj_step(m, d, 4)
            copy_state(m, d, data)
            mujoco.mj_forward(m, d)
            data.sensordata[:] = np.nan
            kinetree.forward(model, data)
            read += np.count_nonzero(d.sensordata)
            scale = max(1.0, np.abs(d.sensordata).max())
            np.testing.assert_allclose(data.sensordata / scale, d.sensordata / scale, atol=1e-5)
    assert read > 100


STRESS = """<mujoco><extension><plugin plugin="mujoco.sdf.torus"><instance name="p"/></plugin>
<plugin plugin="mujoco.sensor.touch_stress"/></extension><asset><mesh name="s"><plugin instance="p"/></mesh></asset>
<worldbody><geom type="plane" size="2 2 1" pos="0 0 -.25" euler="3 4 0"/>
<geom type="sdf" mesh="s"><plugin instance="p"/></geom>
<body pos=".3 .1 0"><freejoint/><geom type="box" size=".1 .2 .1"/></body>
<body pos="-.3 .1 0"><freejoint/><geom type="capsule" size=".1 .2"/></body>
<body pos=".1 .3 .1"><freejoint/><geom size=".2"/><geom size=".1" contype="0" conaffinity="0"/>
<site name="t" pos=".02 .01 0" euler="{euler}"/><body><geom size=".22" pos=".1 0 0"/></body></body></worldbody>
<sensor><plugin plugin="mujoco.sensor.touch_stress" objtype="site" objname="t">{config}</plugin></sensor></mujoco>"""


def test_touch_stress_reads_as_in_the_reference():
    rng = np.random.default_rng(0)
    for channels in (1, 2, 3):
        numbers = {
            "size": "7 5",
            "fov": words(rng.uniform(20, [180, 90])),
            "gamma": rng.choice([0, 0.5]),
            "nchannel": channels,
        }
        config = "".join(f'<config key="{key}" value="{value}"/>' for key, value in numbers.items())
        xml = STRESS.format(euler=words(rng.uniform(-90, 90, 3)), config=config)
        m, model = mujoco.MjModel.from_xml_string(xml), kinetree.load_string(xml)
        d, data = mujoco.MjData(m), kinetree.Data(model)
        d.qvel[:] = rng.normal(size=m.nv)
        mujoco.mj_forward(m, d)
        copy_state(m, d, data)
        data.sensordata[:] = np.nan
        kinetree.forward(model, data)
        assert np.count_nonzero(d.sensordata) > 5 * channels
        np.testing.assert_allclose(data.sensordata, d.sensordata, atol=1e-11)


def test_touch_stress_needs_a_geom_that_collides():
    config = '<config key="size" value="7 5"/><config key="fov" value="20 20"/>'
    xml = STRESS.format(euler="0 0 0", config=config).replace('<geom size=".2"/>', "")
    with pytest.raises(ValueError, match="geom"):
        mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(kinetree.ModelError, match="has no geom that collides"):
        kinetree.load_string(xml)


CHECKED = {
    "shape": """<mujoco><extension><plugin plugin="mujoco.sdf.bolt"><instance name="p">
<config key="radius" value="{}"/></instance></plugin></extension><asset><mesh name="s"><plugin instance="p"/></mesh></asset>
<worldbody><geom type="sdf" mesh="s"><plugin instance="p"/></geom></worldbody></mujoco>""",
    "touch grid": TOUCH.format(
        cone="elliptic",
        bodies="",
        sensors="""<plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="low"><config key="size" value="2 2"/>
<config key="fov" value="9 9"/><config key="gamma" value="{}"/></plugin>""",
    ),
    "cable": """<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody><body><joint type="ball"/>
<geom size=".1"/><plugin plugin="mujoco.elasticity.cable"><config key="bend" value="{}"/></plugin></body></worldbody></mujoco>""",
}


@pytest.mark.parametrize("what", CHECKED)
def test_numbers_that_are_checked_are_refused_as_in_the_reference(what):
    for value in (
        "",
        ".25",
        " .3 ",
        "1.",
        "3e-1",
        "0x1",
        "+.5",
        ".2 5",
        "x",
        "1x",
        "1e",
        "1_0",
        "--1",
        ".5,",
        ".4d",
        "٣",
    ):
        refused = []
        for load, error in ((mujoco.MjModel.from_xml_string, ValueError), (kinetree.load_string, kinetree.ModelError)):
            try:
                load(CHECKED[what].format(value))
                refused.append(False)
            except error:
                refused.append(True)
        assert refused[0] == refused[1], value
