"""Warnings of the step, counted with the time of the first, and explained as text."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.model import enums
from kinetree.engine.run.divergence import diverged, findings, shows_nothing
from kinetree.engine.run.snapshot import Snapshot

PENDULUM = """<mujoco><option timestep="0.05"/><worldbody><body name="rod"><joint name="hinge" axis="0 1 0" stiffness="1e5"/>
 <geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/></body></worldbody></mujoco>"""
PAIR = """<mujoco><worldbody><body name="loose"><freejoint/><geom size=".1"/></body>
 <body name="rod" pos="1 0 0"><joint axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body></worldbody>
 <actuator><motor joint="j"/></actuator></mujoco>""".replace('<joint axis="0 1 0"/>', '<joint name="j" axis="0 1 0"/>')


def run(text, steps):
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.step(model, data, steps)
    return model, data


def test_a_spring_too_stiff_for_its_timestep_is_told():
    model, data = run(PENDULUM, 20)
    first = findings(model, data)[0]
    assert diverged(data) and data.nreset >= 1
    assert first.place == 'joint "hinge"' and first.number == data.warning[first.warning, 1]
    assert 0 < first.time < 0.3 and first.name in ("BADQACC", "BADQVEL", "BADQPOS")
    for part in ('"hinge"', f"{first.time:.4g} s", "timestep below", "implicitfast", "divergence.md"):
        assert part in first.text
    limit = 2 * np.sqrt(model.dof_M0[0] / 1e5)
    assert f"{limit:.2g}" in first.remedy
    calm = PENDULUM.replace('timestep="0.05"', f'timestep="{limit / 3:.6f}"')
    model, data = run(calm, 1000)
    assert findings(model, data) == [] and not data.warning.any() and not data.warning_time.any()


def test_the_time_of_the_first_warning_stays_and_a_reset_clears_it():
    model, data = run(PAIR, 10)
    times = []
    for _ in range(3):
        data.qvel[6] = np.nan
        times.append(data.time)
        kinetree.step(model, data, 5)
    assert data.warning[enums.WARN_BADQVEL].tolist() == [6, 3] and data.nreset == 3
    assert data.warning_time[enums.WARN_BADQVEL] == times[0] == pytest.approx(0.02)
    kinetree.reset(model, data)
    assert not data.warning.any() and not data.warning_time.any() and data.nreset == 0


@pytest.mark.parametrize(
    ("field", "index", "warning", "place"),
    [
        ("qpos", 2, enums.WARN_BADQPOS, 'joint 0 (of body "loose")'), ("qpos", 7, enums.WARN_BADQPOS, 'joint "j"'),
        ("qvel", 5, enums.WARN_BADQVEL, 'joint 0 (of body "loose")'), ("qfrc_applied", 6, enums.WARN_BADQACC, 'joint "j"'),
        ("ctrl", 0, enums.WARN_BADCTRL, 'actuator 0 (of joint "j")'),
    ],
)  # fmt: skip
def test_each_warning_names_its_place(field, index, warning, place):
    model, data = run(PAIR, 3)
    getattr(data, field)[index] = np.inf
    kinetree.step(model, data, 1)
    (found,) = findings(model, data)
    assert (found.warning, found.number, found.place) == (warning, 1, place)
    assert place in found.text and "once" in found.text and found.time == pytest.approx(0.006)
    assert diverged(data) == (warning != enums.WARN_BADCTRL)


def test_without_autoreset_it_is_told_what_happens_instead():
    text = PAIR.replace("<worldbody>", '<option><flag autoreset="disable"/></option><worldbody>', 1)
    model, data = run(text, 1)
    data.qvel[6] = np.inf
    kinetree.step(model, data, 2)
    assert data.nreset == 0 and "autoreset is disabled" in findings(model, data)[0].text
    assert shows_nothing(data, 1000)


def test_a_snapshot_tells_the_same_with_the_options_of_the_simulation():
    model, data = run(PENDULUM, 20)
    own = model.with_own_options()
    own.opt.timestep, own.opt.integrator = 0.04, 3
    from kinetree.engine.model.model import Options

    snapshot = Snapshot(model, data, opt=Options(own))
    (ours, *_), (theirs, *_) = findings(model, data), findings(model, snapshot)
    assert (theirs.number, theirs.time, theirs.place) == (ours.number, ours.time, ours.place)
    assert "implicitfast" in ours.text and "implicitfast" not in theirs.text


def test_when_a_result_shows_nothing():
    _, data = run(PENDULUM, 100)
    assert data.nreset > 20 and shows_nothing(data, 100) and not shows_nothing(data, 11 * data.nreset)
    _, data = run(PAIR, 100)
    assert not shows_nothing(data, 100)
