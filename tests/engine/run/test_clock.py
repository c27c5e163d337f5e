"""Pacing: simulated time follows the wall clock, overload is dropped and told, nothing spirals."""

import math

import pytest

from kinetree.engine.run.clock import BATCH, MAX_LAG, RATE_EVERY, SPEEDS, Clock, speed_text


class Machine:
    """A wall clock and a simulation whose steps take a given time; runs a Clock as the simulation thread does."""

    def __init__(self, speed=1.0, timestep=0.002, cost=1e-5):
        self.clock = Clock(speed)
        self.wall, self.time, self.timestep, self.cost = 100.0, 7.0, timestep, cost
        self.longest = 0.0
        self.calls = 0
        self.clock.start(self.wall, self.time)

    def run(self, seconds):
        end = self.wall + seconds
        while self.wall < end:
            steps = self.clock.due(self.wall, self.time, self.timestep)
            if steps == 0:
                wait = self.clock.wait(self.wall, self.time, self.timestep)
                assert wait > 0
                self.wall += min(wait, 0.02)
                continue
            took = steps * self.cost
            self.longest = max(self.longest, took)
            self.calls += 1
            self.wall += took
            self.time += steps * self.timestep
            self.clock.done(steps, took, self.wall, self.time)


@pytest.mark.parametrize("speed", [s for s in SPEEDS if math.isfinite(s)])
def test_simulated_time_follows_the_speed(speed):
    machine = Machine(speed)
    machine.run(4.0)
    assert machine.time - 7.0 == pytest.approx(4.0 * speed, abs=2 * machine.timestep + MAX_LAG * speed * 0.2)
    assert machine.clock.rate(machine.wall) == pytest.approx(speed, rel=0.1, abs=2 * machine.timestep)
    assert not machine.clock.overloaded(machine.wall)


def test_overload_is_dropped_and_told():
    machine = Machine(speed=1.0, timestep=0.002, cost=0.008)
    machine.run(3.0)
    assert machine.clock.overloaded(machine.wall)
    assert machine.clock.rate(machine.wall) == pytest.approx(0.25, rel=0.05)
    assert machine.longest <= max(BATCH, machine.cost) + 1e-9
    machine.cost = 1e-5  # load goes away: lost steps are not caught up
    before = machine.time
    machine.run(2.0)
    assert machine.time - before <= 2.0 + MAX_LAG + machine.timestep
    machine.run(1.0)
    assert not machine.clock.overloaded(machine.wall)
    assert machine.clock.rate(machine.wall) == pytest.approx(1.0, rel=0.05)


def test_batches_stay_short():
    machine = Machine(speed=16.0, timestep=0.001, cost=5e-5)
    machine.run(2.0)
    assert machine.longest <= BATCH + machine.cost


def test_as_fast_as_possible_never_waits():
    machine = Machine(speed=math.inf, cost=1e-4)
    machine.run(1.0)
    assert machine.time - 7.0 == pytest.approx(machine.timestep / machine.cost, rel=0.02)
    assert machine.clock.wait(machine.wall, machine.time, machine.timestep) == 0.0


def test_a_pause_is_not_caught_up():
    machine = Machine()
    machine.run(1.0)
    machine.wall += 30.0
    machine.clock.start(machine.wall, machine.time)
    before = machine.time
    machine.run(0.5)
    assert machine.time - before == pytest.approx(0.5, abs=0.01)


def test_a_change_of_speed_does_not_jump():
    machine = Machine(speed=1 / 64)
    machine.run(1.0)
    machine.clock.set_speed(8.0, machine.wall, machine.time)
    assert machine.clock.due(machine.wall, machine.time, machine.timestep) == 0
    before = machine.time
    machine.run(1.0)
    assert machine.time - before == pytest.approx(8.0, rel=0.02)


def test_a_timestep_longer_than_the_lag_still_goes_on():
    machine = Machine(speed=1.0, timestep=0.5)
    machine.run(5.0)
    assert machine.time - 7.0 == pytest.approx(5.0, abs=0.51)


def test_no_rate_before_enough_is_known():
    machine = Machine()
    assert machine.clock.rate(machine.wall) is None
    machine.run(0.1)
    assert machine.clock.rate(machine.wall) is None


def test_a_measured_rate_holds_so_that_all_who_show_it_show_the_same():
    machine = Machine(speed=1.0, timestep=0.002, cost=0.008)
    machine.run(3.0)
    first = machine.clock.rate(machine.wall)
    machine.cost = 0.08
    machine.run(0.5 * RATE_EVERY)
    assert machine.clock.rate(machine.wall) == first
    machine.run(RATE_EVERY)
    assert machine.clock.rate(machine.wall) < first
    machine.clock.start(machine.wall, machine.time)
    assert machine.clock.rate(machine.wall) is None


def test_a_speed_must_be_positive():
    with pytest.raises(ValueError, match="positive"):
        Clock().set_speed(0.0, 0.0, 0.0)


def test_speeds_are_written_as_people_do():
    assert [speed_text(s) for s in (1 / 64, 0.5, 1.0, 16.0, math.inf)] == [
        "1/64×",
        "1/2×",
        "1×",
        "16×",
        "Max",
    ]
