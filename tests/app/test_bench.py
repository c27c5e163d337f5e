"""Output of `kinetree bench` for a step."""

import pytest

from kinetree.app.commands.bench import parts
from kinetree.engine.run.timing import StepTimes


@pytest.mark.parametrize("step", [1e-5, 4e-6])
def test_the_parts_add_up_to_the_step_and_the_rest_says_what_it_is(step):
    times = StepTimes(step, [("kinematics", 2e-6), ("solve", 3e-6), ("light", 1e-8), ("sensor", 1e-8)])
    shown = parts(times)
    assert sum(value for _, value in shown) == pytest.approx(step)
    assert [name for name, _ in shown[:3]] == ["solve", "kinematics", "2 other stages"]
    assert shown[-1][0].startswith("between" if step > 5e-6 else "saved")
