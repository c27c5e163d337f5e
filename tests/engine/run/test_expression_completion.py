"""Completions while an expression is typed, and the units of its value."""

import pytest

import kinetree
from kinetree.engine.run.expression import ExpressionError, parse
from kinetree.engine.run.expression_completion import complete
from kinetree.engine.run.quantity_units import is_count, sensor_unit, units_of

TEXT = """<mujoco><worldbody><body name="box"><freejoint name="free"/><geom size=".1"/></body>
  <body name="arm"><joint name="elbow"/><geom size=".1"/><site name="tip"/></body>
  <body name="drawer"><joint name="rail" type="slide"/><geom size=".1"/></body></worldbody>
<actuator><motor name="motor" joint="elbow"/></actuator>
<sensor><jointpos name="angle" joint="elbow"/><jointpos name="way" joint="rail"/><gyro name="gyro" site="tip"/></sensor>
</mujoco>"""


@pytest.fixture(scope="module")
def model():
    return kinetree.load_string(TEXT)


@pytest.mark.parametrize(
    ("text", "first", "start"),
    [
        ("qp", "qpos", 0),
        ("2 * qv", "qvel", 4),
        ("sens", "sensordata", 0),
        ("nor", "norm(", 0),
        ('sensor("g', '"gyro")', 7),
        ("joint(", '"free")', 6),
        ('joint("el', '"elbow")', 6),
        ('joint("elbow").qv', "qvel", 15),
        ("contact.di", "dist", 8),
        ("model.opt.tim", "timestep", 10),
        ('model.joint("rail").ra', "range", 20),
    ],
)
def test_the_likeliest_comes_first(model, text, first, start):
    found = complete(model, text, len(text))[0]
    assert (found.text, found.start) == (first, start)


@pytest.mark.parametrize(
    ("text", "first", "start"),
    [
        ("oth", "other.", 0),
        ("other.qp", "qpos", 6),
        ("qpos[0] - other.qv", "qvel", 16),
        ('other.body("p', '"pole")', 11),
        ('other.body("pole").xp', "xpos", 19),
        ("other(norm(qv", "qvel", 11),
        ("other.model.opt.tim", "timestep", 16),
        ('other.contact("po', '"pole_tip", ', 14),
        ('other.qpos[0] - body("b', '"box")', 21),
        ("other(qpos[0]) - joint(", '"free")', 23),
    ],
)
def test_after_other_the_compared_model_is_offered(model, text, first, start):
    other = kinetree.load_string("""<mujoco><worldbody><body name="pole"><joint name="swing"/>
        <geom name="pole_tip" size=".1"/></body></worldbody></mujoco>""")
    found = complete(model, text, len(text), other)[0]
    assert (found.text, found.start) == (first, start)
    if text.startswith("other"):
        assert complete(model, text, text.index(".") + 1 if "." in text[:6] else 6) == []


def test_what_is_offered_is_read(model):
    """Every candidate of an empty line, completed to something, is an expression, or lacks an index or arguments."""
    lacking = ("number of rows", "which number", "other arguments", "there is no contact_opt")
    wrong = []
    for each in complete(model, "", 0):
        tail = {"(": "0)", ".": "opt.timestep"}.get(each.text[-1], "")
        try:
            parse(model, each.text + tail)
        except ExpressionError as error:
            wrong += [] if any(words in error.message for words in lacking) else [error.message]
    assert not wrong


UNITS = {
    "qpos[0]": "m", "qpos[3]": "", "qpos[7]": "rad", "qpos[8]": "m", 'joint("elbow").qvel': "rad/s",
    "qvel[0:3]": "m/s", 'joint("rail").qfrc_passive': "N", "time": "s", "energy": "J", 'sensor("gyro")': "rad/s",
    'sensor("way")': "m", "norm(qvel)": "", "2 * qpos[0]": "", "xfrc_applied[1,0:3]": "N", "contact.dist[0]": "m",
    "xpos[1,2] - xpos[0,2]": "m", "energy[0] + energy[1]": "J", "xpos[1,2] + qvel[6]": "", "sqrt(time)": "", "1": "",
    "qpos[7] if ncon else -qpos[7]": "rad", "max(abs(qvel[0:3]))": "m/s", "qpos[7] + 1": "", 'norm(sensor("gyro"))': "rad/s",
}  # fmt: skip


@pytest.mark.parametrize("text", UNITS)
def test_units(model, text):
    assert set(units_of(model, parse(model, text))) == {UNITS[text]}


def test_units_of_columns(model):
    assert units_of(model, parse(model, "qpos")) == ["m"] * 3 + [""] * 4 + ["rad", "m"]


def test_counts(model):
    assert [is_count(parse(model, text)) for text in ("ncon", "sum(solver_niter)", "qpos[0]", "2 * ncon")] == [
        True, True, False, False,
    ]  # fmt: skip


def test_units_of_sensors(model):
    assert [sensor_unit(model, i) for i in range(3)] == ["rad", "m", "rad/s"]
