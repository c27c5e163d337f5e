"""A run stops at the very step that is told by a time or a condition."""

import pytest

import kinetree
from kinetree.engine.run.expression import ExpressionError
from kinetree.engine.run.matching import Matching
from kinetree.engine.run.until import read

TEXT = """<mujoco><option timestep="0.003"/><worldbody><body name="pendulum"><joint name="swing" axis="0 1 0"/>
  <geom size=".1" pos=".5 0 0"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def model():
    return kinetree.load_string(TEXT)


def run(model, data, until, chunk=7):
    """Run until it stops; the number of steps."""
    until.begin(data)
    done = 0
    while done < 5000:
        steps = until.most_steps(model, data, chunk)
        kinetree.step(model, data, steps)
        done += steps
        if until.is_met(model, data):
            return done
    raise AssertionError("it never stops")


@pytest.mark.parametrize(("text", "steps"), [("0.3", 100), ("0.3 s", 100), ("0.0001", 1), ("0.3014s", 100), ("1", 333)])
def test_a_time_is_met_at_the_step_nearest_to_it(model, text, steps):
    assert run(model, kinetree.Data(model), read(model, text, 0.0)) == max(1, steps)


def test_a_condition_is_met_at_the_first_step_at_which_it_begins_to_hold(model):
    data, expected = kinetree.Data(model), []
    held = False
    for number in range(1, 2000):
        kinetree.step(model, data)
        holds = data.qvel[0] > 1.0
        if holds and not held:
            expected.append(number)
        held = holds
    data, until, found = kinetree.Data(model), read(model, "joint('swing').qvel > 1"), [0]
    for _ in expected[:2]:
        found.append(found[-1] + run(model, data, until))
    assert found[1:] == expected[:2] and len(expected) > 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0.5", "later time"),
        ("inf", "finite"),
        ("1 > 0", "same at every step"),
        ("qpos[", "column"),
        ("knee", "no knee"),
    ],
)
def test_what_cannot_be_waited_for_is_refused(model, text, why):
    with pytest.raises(ExpressionError, match=why):
        read(model, text, 0.5)


def test_a_condition_follows_an_edit_of_the_model(model):
    until = read(model, 'joint("swing").qvel > 1')
    renamed = kinetree.load_string(TEXT.replace("swing", "hinge"))
    followed = until.follow(Matching(model, renamed))
    assert followed.told == 'joint("hinge").qvel > 1'
    without = kinetree.load_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    assert until.follow(Matching(model, without)) is None
    assert read(model, "5").follow(Matching(model, without)).time == 5.0
