"""Expressions: what they mean, that recorded columns give the bits of a Data, and that bad texts say what to do."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kinetree
from kinetree.engine.arithmetic import FUNCTIONS
from kinetree.engine.run.expression import ExpressionError, parse
from kinetree.engine.run.expression_names import attributes, follow, of_other, reference
from kinetree.engine.run.matching import Matching
from kinetree.engine.run.recorder import Recorder, step
from kinetree.engine.run.snapshot import Snapshot

TEXT = """<mujoco><option><flag energy="enable"/></option><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
  <body name="box" pos="0 0 .1"><freejoint name="free"/><geom type="box" size=".1 .1 .1"/></body>
  <body name="arm" pos="1 0 .5"><joint name="elbow" axis="0 1 0" range="-1 2" limited="true"/>
    <geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/><site name="tip"/></body>
</worldbody><actuator><motor name="motor" joint="elbow"/></actuator>
<tendon><fixed name="cable"><joint joint="elbow" coef="2"/></fixed></tendon>
<sensor><jointpos joint="elbow"/><framelinacc name="acc" objtype="site" objname="tip"/></sensor></mujoco>"""


@pytest.fixture(scope="module")
def model():
    return kinetree.load_string(TEXT)


@pytest.fixture
def data(model):
    data = kinetree.Data(model)
    data.ctrl[:] = 0.3
    kinetree.step(model, data, 40)
    return data


MEANINGS = {
    "qpos[7]": lambda m, d: d.qpos[7],
    "qpos[-1]": lambda m, d: d.qpos[-1],
    "data.qpos[0:3]": lambda m, d: d.qpos[:3],
    "qvel[::2]": lambda m, d: d.qvel[::2],
    "xpos[1:3, 2]": lambda m, d: d.xpos[1:3, 2],
    "xpos[1][2]": lambda m, d: d.xpos[1, 2],
    "time": lambda m, d: d.time,
    "energy": lambda m, d: d.energy,
    'joint("elbow").qvel': lambda m, d: d.qvel[6],
    'joint("free").qpos[3:7]': lambda m, d: d.qpos[3:7],
    'body("arm").xpos[2]': lambda m, d: d.xpos[2, 2],
    'geom("floor").xpos': lambda m, d: d.geom_xpos[0],
    "jnt(1).qpos": lambda m, d: d.qpos[7],
    'actuator("motor").force': lambda m, d: d.actuator_force[0],
    'actuator("motor").ctrl': lambda m, d: d.ctrl[0],
    'tendon("cable").length': lambda m, d: d.ten_length[0],
    'sensor("acc")': lambda m, d: d.sensordata[1:4],
    'sensor("acc")[2]': lambda m, d: d.sensordata[3],
    'sensor("acc").data[1]': lambda m, d: d.sensordata[2],
    'norm(sensor("acc"))': lambda m, d: np.sqrt(sum(x * x for x in d.sensordata[1:4].tolist())),
    "model.body_mass[1] * 9.81": lambda m, d: m.body_mass[1] * 9.81,
    'model.body("box").mass': lambda m, d: m.body_mass[1],
    'model.joint("elbow").range': lambda m, d: m.jnt_range[1],
    "model.opt.timestep": lambda m, d: m.opt.timestep,
    "model.nv": lambda m, d: m.nv,
    "ncon > 0 and not qpos[2] > 1": lambda m, d: 1.0,
    "0 < qpos[2] <= 0.2": lambda m, d: float(0 < d.qpos[2] <= 0.2),
    "1 if ncon == 0 else -1": lambda m, d: -1.0,
    "sum(contact.dist)": lambda m, d: sum(d.contact_dist.tolist()),
    "min(contact_dist)": lambda m, d: d.contact_dist.min(),
    "contact.dist[99]": lambda m, d: np.nan,
    "contact_frame[0,2]": lambda m, d: d.contact_frame[0, 2],
    "sum(solver.niter)": lambda m, d: d.solver_niter.sum(),
    "max(qpos[0], 7)": lambda m, d: 7.0,
    "(qpos[0:3] * 2)[1]": lambda m, d: d.qpos[1] * 2,
    "clip(10 * qpos, -1, 1)": lambda m, d: np.clip(10 * d.qpos, -1, 1),
    "-2 ** 2 + 7 // 2 % 2": lambda m, d: -3.0,
    "qpos[0:3] - qpos[0]": lambda m, d: d.qpos[:3] - d.qpos[0],
    "1 / 0": lambda m, d: np.inf,
}


@pytest.mark.parametrize("text", MEANINGS)
def test_a_text_means_what_it_means_in_python(model, data, text):
    value = parse(model, text).of_state(data)
    np.testing.assert_array_equal(value, np.ravel(MEANINGS[text](model, data)))


@pytest.mark.parametrize(
    "text", [*MEANINGS, *(f"{name}(qpos[7] / 4)" for name in FUNCTIONS if FUNCTIONS[name].most == 1)]
)
def test_recorded_columns_give_the_bits_of_data(model, text):
    expression = parse(model, text)
    data, expected = kinetree.Data(model), []
    recorder = Recorder(model, expression.channels, capacity=100)
    data.ctrl[:] = 0.3
    for _ in range(37):
        step(model, data, 1, [recorder])
        expected.append(expression.of_state(data))
    chunk = recorder.read()
    assert expression.of_columns(chunk.values).tobytes() == np.array(expected).tobytes()
    assert len(expression.labels) == expression.width == expression.of_columns(chunk.values).shape[1]


def test_a_snapshot_gives_the_same(model, data):
    expression = parse(model, 'norm(body("arm").xpos) + sum(contact.dist)')
    assert expression.fields == ("xpos", "contact_dist")
    assert expression.of_state(Snapshot(model, data)) == expression.of_state(data)


def test_a_channel_is_recorded_once(model):
    assert len(parse(model, "qpos[0] + qpos[0] * qpos[0]").channels) == 1
    assert [item.operation for item in parse(model, "norm(qvel) - sum(qvel)").channels] == ["norm", "sum"]


def test_a_condition_holds_when_every_column_does(model, data):
    assert parse(model, "time > 0").holds(data)
    assert not parse(model, "qpos > 100").holds(data)
    assert not parse(model, "contact.dist[99]").holds(data)  # nan is no number


LABELS = {
    "qpos[0:2]": ("qpos[0]", "qpos[1]"),
    "energy": ("energy[0]", "energy[1]"),
    "xpos[1:3,2]": ("xpos[1,2]", "xpos[2,2]"),
    'sensor("acc")': ('sensor("acc")[0]', 'sensor("acc")[1]', 'sensor("acc")[2]'),
    "norm(qvel)": ("norm(qvel)",),
    "2 * energy": ("(2 * energy)[0]", "(2 * energy)[1]"),
}


@pytest.mark.parametrize("text", LABELS)
def test_labels_say_which_column_is_which_and_are_expressions_themselves(model, data, text):
    expression = parse(model, text)
    assert expression.labels == LABELS[text]
    parts = [parse(model, label).of_state(data) for label in expression.labels]
    np.testing.assert_array_equal(np.concatenate(parts), expression.of_state(data))


WRONG = {
    "": (1, "there is nothing here"),
    "qpos[": (5, "never closed"),
    "qpos = 3": (6, "compare with =="),
    "1 + qops": (5, "did you mean qpos?"),
    'body("amr").xpos': (6, "did you mean arm?"),
    'body("arm")': (1, "Add one of .xfrc_applied, .xpos"),
    'joint("elbow").qpo': (1, "did you mean qpos?"),
    'skin("a")': (6, "this model has no skins"),
    "body(9)": (6, "3 bodies"),
    "body.xpos": (1, 'body("NAME")'),
    "__import__('os')": (1, "there is no function"),
    "qpos.__class__": (1, "a number has no .__class__"),
    "open('/etc/passwd')": (1, "there is no function"),
    "lambda: 1": (1, "lambda is not part"),
    "[x for x in qpos]": (1, "a comprehension is not part"),
    "qpos + qvel": (1, "these have 8 and 7 columns"),
    "contact.dist": (1, "sum(contact_dist)"),
    "contact.dist[-1]": (1, "name one"),
    "qpos[8]": (1, "there are 8 entries"),
    "xpos[0,0,0]": (1, "too many indices"),
    "qpos[0.5]": (6, "an index is an integer"),
    "qpos[3:3]": (1, "nothing in this range"),
    "seg_J": (1, "cannot be recorded"),
    "body_mass": (1, "write model.body_mass"),
    "'text'": (1, 'body("torso")'),
    "sin": (1, "sin(x)"),
    "sin(1, 2)": (1, "sin(x)"),
    "data": (1, "a group of fields"),
    "act": (1, "empty in this model"),
    "~ncon": (1, "write not"),
    "(" * 300 + "1" + ")" * 300: (201, "too many nested"),
    "é + qops": (1, "there is no é"),
    "9" * 400: (1, "too large"),
}


@pytest.mark.parametrize("text", WRONG)
def test_a_bad_text_says_where_and_what_to_do(model, text):
    column, message = WRONG[text]
    with pytest.raises(ExpressionError) as failure:
        parse(model, text)
    assert message in failure.value.message
    assert failure.value.column == column
    assert str(failure.value).startswith(f"column {column}: ")


PIECES = ["qpos", "[", "]", "(", ")", "body", '"arm"', ".", "xpos", "3", "+", "-", ":", ",", "if", "else", "not", " ",
          "lambda", "model", "contact", "é", "\0", "1if", "sin", "**", "'", "\n"]  # fmt: skip


@given(st.one_of(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.text(max_size=30)))
def test_any_text_is_a_value_or_an_error_that_says_why(model, text):
    try:
        expression = parse(model, text)
    except ExpressionError as error:
        good = error.message and 1 <= error.column < error.end
    else:
        good = expression.of_state(kinetree.Data(model)).shape == (expression.width,)
    assert good


def test_names_follow_the_next_version_of_the_model(model):
    expression = parse(model, 'joint("elbow").qpos - joint("elbow").qvel + qpos[0] + joint(1).qpos')
    renamed = kinetree.load_string(TEXT.replace("elbow", "say &quot;hinge&quot;"))
    text = follow(expression, Matching(model, renamed))
    assert text == 'joint("say \\"hinge\\"").qpos - joint("say \\"hinge\\"").qvel + qpos[0] + joint(1).qpos'
    assert parse(renamed, text).channels == expression.channels
    more = kinetree.load_string(
        TEXT.replace('<body name="box"', "<body><joint/><geom size='.1'/></body><body name=\"box\"")
    )
    assert follow(expression, Matching(model, more)) == expression.text.replace("joint(1)", "joint(2)")


def test_the_text_of_an_object_names_it(model, data):
    for kind, id in (("body", 2), ("geom", 1), ("joint", 0)):
        parse(model, f"{reference(model, kind, id)}.{attributes(model, kind)[0]}").of_state(data)
    assert reference(model, "geom", 0) == 'geom("floor")'
    assert reference(model, "geom", 1) == "geom(1)"


@pytest.mark.parametrize("kind", ["body", "joint", "actuator", "sensor", "tendon", "geom"])
def test_every_attribute_that_is_offered_is_there(model, kind):
    """In Data only the attributes of the first object of the kind: a body without joints has no qvel."""
    body = {"body": 1}.get(kind, 0)
    for table, prefix in (("Data", ""), ("Model", "model.")):
        offered = attributes(model, kind, table)
        there = [name for name in offered if reads(model, f"{prefix}{kind}({body}).{name}")]
        missing = set(offered) - set(there)
        assert not [name for name in missing if not any(word in name for word in ("mocap", "act", "plugin", "user"))]


def reads(model, text: str) -> bool:
    try:
        parse(model, text)
    except ExpressionError:
        return False
    return True


# ---- the model that is compared --------------------------------------------------------------------------------


BESIDE = """<mujoco><worldbody><body name="base"><geom size=".1"/><joint name="one" type="slide"/>
  <body name="arm" pos="0 0 2"><joint name="elbow"/><geom name="hand" size=".1" mass="3"/></body></body></worldbody>
</mujoco>"""


@pytest.fixture(scope="module")
def beside():
    other = kinetree.load_string(BESIDE)
    data = kinetree.Data(other)
    data.qpos[:], data.qvel[:] = (0.25, 0.5), (3.0, 4.0)
    kinetree.forward(other, data)
    return other, data


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("other.qpos[1]", lambda mine, other: other.qpos[1]),
        ("qpos[0] - other.qpos[0]", lambda mine, other: mine.qpos[0] - other.qpos[0]),
        ('other.body("arm").xpos[2] - body("arm").xpos[2]', lambda m, o: o.body_xpos - m.body_xpos),
        ("other.norm(qvel) + time", lambda mine, other: 5.0 + mine.time),
        ("other(norm(qvel) + qpos[0])", lambda mine, other: 5.0 + other.qpos[0]),
        ("other.data.qvel[0]", lambda mine, other: 3.0),
        ('other.model.geom("hand").type + 0 * other.contact("hand").count', lambda mine, other: 2.0),
        ("max(other.qvel, 3.5)[0]", lambda mine, other: 3.5),
        ("qvel[0] * 0 + other.qvel[0:2]", lambda mine, other: np.array([3.0, 4.0])),
    ],
)
def test_a_text_may_read_the_other_model_too(model, data, beside, text, expected):
    other, other_data = beside
    expression = parse(model, text, other)
    assert expression.reads_other
    mine, theirs = (
        SimpleNamespace(qpos=d.qpos, time=d.time, body_xpos=d.xpos[kinetree.name2id(m, "body", "arm"), 2])
        for m, d in ((model, data), (other, other_data))
    )
    np.testing.assert_allclose(expression.of_state(data, other_data), expected(mine, theirs), rtol=1e-15)


def test_labels_of_the_other_model_can_be_read_again(model, beside):
    other, other_data = beside
    for text in ("other.qpos", "other.qpos[0:2]", "other(qvel)", "other.xpos[1]", 'other.body("arm").xpos'):
        expression = parse(model, text, other)
        parts = [parse(model, label, other).of_state(None, other_data) for label in expression.labels]
        np.testing.assert_array_equal(np.concatenate(parts), expression.of_state(None, other_data))


def test_what_is_wrong_with_the_other_model_is_told_at_its_place(model, beside):
    for text, other, words, column in (
        ("1 + other.qpos[0]", None, "File > Compare", 5),
        ("qpos[0] - other.nothing", beside[0], "there is no nothing", 11),
        ('other.body("nobody").xpos', beside[0], "no body is named 'nobody'", 12),
        ("other", beside[0], "group of fields", 1),
        ("qpos - other.qpos", beside[0], "columns", 1),
        ('other.contact(body("arm"), 99)', beside[0], "numbered from 0", 28),
    ):
        with pytest.raises(ExpressionError, match=re.escape(words)) as told:
            parse(model, text, other)
        assert told.value.column == column


def test_an_edit_of_the_open_model_leaves_names_of_the_other_one(model, beside):
    text = 'joint("elbow").qpos - other.joint("elbow").qpos'
    renamed = kinetree.load_string(TEXT.replace('"elbow"', '"knee"'))
    followed = follow(parse(model, text, beside[0]), Matching(model, renamed))
    assert followed == 'joint("knee").qpos - other.joint("elbow").qpos'


@pytest.mark.parametrize("text", ["qpos[0]", "norm(qvel)", 'body("arm").xpos[2]', "2 * qpos[0] + norm(qvel)", "-time"])
def test_any_text_can_be_asked_of_the_other_model(model, beside, text):
    other, data = beside
    np.testing.assert_array_equal(
        parse(model, of_other(text), other).of_state(None, data), parse(other, text).of_state(data)
    )
