"""A history goes on over edits of the model: every step before gives the state that it had."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.run.history import History
from kinetree.engine.run.matching import Matching
from kinetree.engine.run.transfer import StateCopy, transfer
from tests.engine.run.test_history import TEXT

HEAVIER = TEXT.replace('<geom type="box" size=".1 .1 .1"/>\n', '<geom type="box" size=".1 .1 .1" mass="9"/>\n')
SLIPPERY = TEXT.replace("fromto=", 'friction=".1" fromto=')
FALLING = TEXT.replace("<mujoco>", '<mujoco><option gravity="0 0 -3" timestep=".004"/>')
MORE = TEXT.replace("<worldbody>", '<worldbody><body name="new" pos="3 0 1"><freejoint/><geom size=".1"/></body>')
LESS = TEXT.replace(
    '<body name="target" mocap="true" pos="1 0 1"><geom size=".05" contype="0" conaffinity="0"/></body>', ""
)


class Edited:
    """A simulation whose model is edited, with the state before and after each step as it was."""

    def __init__(self, text: str = TEXT, **limits):
        self.shared = kinetree.load_string(text)
        self.model, self.data, self.history = (
            self.shared.with_own_options(),
            kinetree.Data(self.shared),
            History(**limits),
        )
        self.states = {}

    def run(self, steps: int, cost: float = 1e-5):
        for _ in range(steps):
            self.history.before_step(self.model, self.data, cost)
            kinetree.step(self.model, self.data)
            self.history.after_step(self.data, 1)
            self.states[self.history.position] = self.data.time, self.data.qpos.copy(), self.data.qvel.copy()

    def edit(self, text: str):
        new = kinetree.load_string(text)
        state, own, matching = StateCopy(self.data), new.with_own_options(), Matching(self.shared, new)
        if matching.keeps_places:
            kinetree.reset(own, self.data)
        else:
            self.data = kinetree.Data(own)
        transfer(self.model, state, own, self.data, matching)
        self.shared, self.model = new, own
        kinetree.forward(own, self.data)
        self.history.follow(matching, own, self.data)

    def check(self, step: int, count: int):
        """The first `count` coordinates from the end are those of this step."""
        self.history.seek(self.model, self.data, step)
        time, qpos, qvel = self.states[step]
        assert self.data.time == time
        np.testing.assert_array_equal(self.data.qpos[-count:], qpos[-count:])
        np.testing.assert_array_equal(self.data.qvel[-count + 2 :], qvel[-count + 2 :])
        fresh = kinetree.Data(self.model)  # what is shown is the newest model in that state
        fresh.qpos, fresh.mocap_pos, fresh.mocap_quat = self.data.qpos, self.data.mocap_pos, self.data.mocap_quat
        kinetree.forward(self.model, fresh)
        np.testing.assert_array_equal(self.data.geom_xpos, fresh.geom_xpos)


@pytest.mark.parametrize("cost", [0.0, 1e-5, 1e-3])
def test_steps_before_an_edit_of_numbers_come_back_to_the_bit(cost):
    run = Edited()
    run.run(30, cost)
    data = run.data
    for text in (SLIPPERY, HEAVIER, FALLING):
        run.edit(text)
        assert run.data is data  # its memory is kept
        run.run(30, cost)
    for step in (90, 119, 31, 1, 60, 29, 61, 45, 120, 15):
        run.check(step, run.model.nq)
        assert run.model.opt.timestep == 0.004, "an edit of an option stays"
    assert run.history.last == 120


@pytest.mark.parametrize("text", [MORE, LESS])
def test_steps_before_a_structural_edit_give_the_objects_that_are_still_there_their_state(text):
    run = Edited()
    run.data.ctrl[0] = 0.5
    run.run(20)
    run.edit(SLIPPERY)
    run.run(20)
    run.edit(text)
    run.run(20)
    run.edit(text.replace('size=".05"', 'size=".06"'))
    run.run(20)
    for step in (10, 25, 40, 41, 60, 61, 5, 80):
        run.check(step, 15)
        assert run.data.ctrl[0] == 0.5
    run.edit(TEXT)
    for step in (10, 25, 45, 65):
        run.check(step, 15)


def test_from_a_step_before_an_edit_it_goes_on_with_the_newest_model():
    run = Edited()
    run.run(20)
    run.edit(HEAVIER)
    run.run(20)
    run.check(12, run.model.nq)
    run.run(10)
    assert run.history.last == 22
    twin = kinetree.Data(run.model)
    run.history.seek(run.model, run.data, 12)
    twin.block("history")[...] = run.data.block("history")
    twin.time = run.data.time
    kinetree.step(run.model, twin, 10)
    np.testing.assert_array_equal(twin.qpos, run.states[22][1])
    for step in (5, 12, 17, 22):
        run.check(step, run.model.nq)


def test_the_position_in_the_past_outlives_an_edit():
    run = Edited()
    run.run(20)
    run.check(8, run.model.nq)
    run.edit(SLIPPERY)
    assert (run.history.position, run.history.behind) == (8, 12)
    assert run.history.is_current(run.model, run.data)
    run.check(19, run.model.nq)


def test_edits_while_nothing_moves_leave_nothing_behind():
    run = Edited()
    run.run(20)
    run.edit(MORE)
    run.run(5)
    size, keyframes = run.history.nbytes, len(run.history)
    for _ in range(3):
        for text in (MORE.replace('size=".05"', 'size=".06"'), TEXT, MORE):
            run.edit(text)
    assert len(run.history) <= keyframes + 1
    assert run.history.nbytes < size + 2 * sum(a.nbytes for a in run.shared._arrays.values()) + 10_000
    run.check(10, 15)


def test_old_versions_count_as_memory_and_are_forgotten():
    run = Edited()
    for text in (MORE, TEXT) * 4:
        run.run(5)
        run.edit(text)
    run.run(5)
    size = run.history.nbytes
    assert size > 50_000 and run.history.first == 0
    run.history.limit = size // 2
    assert 10 < run.history.first < 40 and run.history.nbytes <= size // 2
    run.check(run.history.first + 1, 15)
    run.history.limit = 0
    assert run.history.first == 40 and run.history.nbytes < 5_000


def test_an_edit_of_a_number_takes_little_memory():
    run = Edited()
    run.run(10)
    before = run.history.nbytes
    for value in range(100):
        run.edit(SLIPPERY.replace('friction=".1"', f'friction="{value + 1}"'))
        run.run(1)
    assert run.history.nbytes - before < 100 * 4000
    for step in (3, 50, 77, 12, 110):
        run.check(step, run.model.nq)
