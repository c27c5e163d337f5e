"""Motions: recorded from the history to the bit, written, read, and shown by the names of joints."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.run.history import History
from kinetree.engine.run.motion import Motion, labels
from kinetree.engine.run.signals import ControlSeries
from tests.engine.run.test_history import Recorded, reset, state

TEXT = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
  <body name="box" pos="0 0 .4"><freejoint name="root"/><geom type="box" size=".1 .1 .1"/>
    <body pos=".3 0 0"><joint name="knee" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body>
    <body pos="-.3 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 -.3 0 0"/></body></body>
  <body name="target" mocap="true" pos="1 0 1"><geom size=".05" contype="0" conaffinity="0"/></body>
</worldbody><actuator><general name="motor" joint="knee" dyntype="filter" dynprm=".1" gainprm="3"/></actuator>
<equality><joint name="lock" joint1="knee" polycoef="0 0 0 0 0" active="false"/></equality></mujoco>"""


@pytest.fixture(scope="module")
def model():
    return kinetree.load_string(TEXT)


@pytest.fixture
def run(model):
    """A run with controls, a mocap pose and a push by hand."""
    run = Recorded(model)
    for number in range(120):
        if number % 7 == 0:
            run.data.ctrl[0] = np.sin(number)
        if number == 40:
            run.data.mocap_pos[0, 2], run.data.xfrc_applied[1, 2] = 2.0, 30.0
        run.run(1, 1e-4)
    return run


def test_every_number_of_a_model_has_a_name_of_its_own(model):
    found = list(labels(model))
    assert len({label for label, _ in found}) == len({place for _, place in found}) == len(found)
    names = [label for label, _ in found]
    for name in ("qpos/root/6", "qpos/knee", "qpos/joint 2", "qvel/root/5", "act/motor", "ctrl/motor",
                 "mocap_quat/target/3", "eq_active/lock"):  # fmt: skip
        assert name in names


def test_a_replay_is_what_was_computed_to_the_bit(model, run):
    motion = run.history.replay(model).motion()
    assert len(motion.times) == 121
    data, places = kinetree.Data(model), motion.places(model)
    assert not places.unused
    for step in (0, 1, 39, 40, 41, 42, 63, 64, 119, 120):
        run.seek(step)
        motion.show(places, data, step)
        assert data.time == run.data.time
        for field in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "eq_active"):
            np.testing.assert_array_equal(getattr(data, field), getattr(run.data, field), err_msg=f"{field} {step}")


def test_a_state_that_was_set_by_hand_is_in_its_row(model, tmp_path):
    """As it was when the next step began, not as the step before left it: who goes on from the row takes that step."""
    run = Recorded(model)
    for number in range(30):
        if number in (10, 11, 20):
            run.data.qpos[7] += 0.3
            run.data.qvel[:] = 0.0
        run.run(1, 1e-4)
    motion = run.history.replay(model).motion()
    assert len(motion.times) == 31
    data, places = kinetree.Data(model), motion.places(model)
    for row in range(30):
        run.seek(row)
        motion.show(places, data, row)
        np.testing.assert_array_equal(data.qpos, run.data.qpos, err_msg=f"row {row}")
        np.testing.assert_array_equal(data.qvel, run.data.qvel, err_msg=f"row {row}")
        kinetree.step(model, data)
        if row + 1 not in (10, 11, 20):
            run.seek(row + 1)
            np.testing.assert_array_equal(data.qpos, run.data.qpos, err_msg=f"after row {row}")


def test_a_replay_goes_on_while_the_history_does(model, run):
    replay = run.history.replay(model)
    run.seek(50)
    run.data.ctrl[0] = 9.0
    run.run(3)
    assert len(replay.motion().times) == 121 and len(run.history.replay(model).motion().times) == 54


def test_a_replay_begins_at_the_last_reset(model, run):
    reset(run)
    run.run(30)
    motion = run.history.replay(model).motion()
    assert len(motion.times) == 31 and motion.times[0] == 0.0
    with pytest.raises(ValueError, match="let the simulation run"):
        History().replay(model).motion()


@pytest.mark.parametrize("name", ["walk.npz", "walk.csv"])
def test_a_motion_is_the_same_to_the_bit_after_saving_and_loading(model, run, tmp_path, name):
    motion = run.history.replay(model).motion()
    motion.save(tmp_path / name)
    loaded = Motion.load(tmp_path / name)
    assert loaded.names == motion.names
    assert loaded.times.tobytes() == motion.times.tobytes() and loaded.values.tobytes() == motion.values.tobytes()
    assert [path.name for path in tmp_path.iterdir()] == [name]
    series = ControlSeries.load(tmp_path / name)
    assert series.names == ("motor",) and series.duration == pytest.approx(motion.duration)


def test_the_controls_of_a_motion_make_the_same_motion_again(model, tmp_path):
    run = Recorded(model)
    for number in range(80):
        run.data.ctrl[0] = np.cos(0.1 * number)
        run.run(1, 1e-4)
    motion = run.history.replay(model).motion()
    motion.save(tmp_path / "a.csv")
    series, data = ControlSeries.load(tmp_path / "a.csv"), kinetree.Data(model)
    for number in range(80):
        data.ctrl[0] = series.values[number, 0]
        kinetree.step(model, data)
    assert state(data) == run.states[80]


def test_it_is_shown_by_name_in_a_model_with_other_joints(model):
    other = kinetree.load_string(
        TEXT.replace('<freejoint name="root"/>', "").replace('name="knee"', 'name="knee" ref="0"')
    )
    motion = Motion([0.0, 1.0], [[0.1] * 7 + [0.5], [0.2] * 7 + [0.6]], [f"qpos/root/{k}" for k in range(7)] + ["knee"])
    data, places = kinetree.Data(other), motion.places(other)
    data.qvel[:] = 3.0
    motion.show(places, data, 1)
    assert data.qpos[other.jnt_qposadr[kinetree.name2id(other, "joint", "knee")]] == 0.6
    assert len(places.unused) == 7 and not data.qvel.any() and data.time == 1.0


@pytest.mark.parametrize(
    ("header", "place"), [("knee", 7), ("qpos/knee", 7), ("qpos[7]", 7), ('"joint(""knee"").qpos"', 7), ("root/2", 2)]
)
def test_columns_as_other_programs_write_them(model, tmp_path, header, place):
    (tmp_path / "a.csv").write_text(f"foot,t,{header}\n1,0.0,0.25\n2,0.5,0.75\n")
    motion = Motion.load(tmp_path / "a.csv")
    places = motion.places(model)
    assert places.unused == ("foot",) and places.fields["qpos"][0].tolist() == [place]


def test_arrays_as_other_programs_write_them(model, tmp_path):
    qpos = np.arange(3.0 * model.nq).reshape(3, -1)
    np.savez(tmp_path / "a.npz", time=[0.0, 0.1, 0.2], qpos=qpos, knee_torque=np.zeros(3), about=np.array("x"))
    motion, data = Motion.load(tmp_path / "a.npz"), kinetree.Data(model)
    places = motion.places(model)
    motion.show(places, data, 2)
    np.testing.assert_array_equal(data.qpos, qpos[2])
    assert places.unused == ("knee_torque",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "first line"),
        ("1,2\n3,4\n", "first line"),
        ("time,knee\n0\n", "line 2: 1 values"),
        ("time,knee\n0,x\n", "line 2: not all"),
        ("time,knee\n0,nan\n", "nan"),
        ("time,knee\n1,0\n0.5,0\n", "must rise; row 2"),
        ("time,knee\n", "one row"),
    ],
)
def test_what_is_no_motion_is_refused(tmp_path, text, why):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ValueError, match=why):
        Motion.load(tmp_path / "a.csv")


def test_other_files_are_refused(tmp_path):
    for name, content in (("a.npz", b"no zip"), ("a.csv", b"\xff\xfe\x00"), ("b.npz", b"PK\x03\x04rest")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match=name[0]):
            Motion.load(tmp_path / name)
    motion = Motion([0.0], [[1.0]], ["knee"])
    with pytest.raises(ValueError, match="should end in"):
        motion.save(tmp_path / "a.txt")
    with pytest.raises(ValueError, match="cannot be written"):
        motion.save(tmp_path / "nowhere" / "a.csv")
    with pytest.raises(ValueError, match="cannot be read"):
        Motion.load(tmp_path / "missing.csv")


def test_a_motion_of_another_robot_is_refused(model):
    with pytest.raises(ValueError, match="columns are elbow, and the joints of the model are root, knee, joint 2"):
        Motion([0.0], [[1.0]], ["elbow"]).places(model)
    with pytest.raises(ValueError, match="same number"):
        Motion([0.0], [[1.0, 2.0]], ["knee", "qpos/knee"]).places(model)


def test_times_for_a_timeline(model):
    times = [0.0, 0.1, 0.2, 0.3, 1.0, 1.5, 2.0]
    course = Motion(times, np.zeros((7, 1)), ["knee"]).course()
    assert [course.time(row) for row in range(7)] == pytest.approx(times)
    assert [course.step_at(time) for time in times] == list(range(7))
    assert Motion([2.0], [[0.0]], ["knee"]).course().time(0) == 2.0


TOUCHING = """<mujoco><extension><plugin plugin="mujoco.pid"><instance name="pid"><config key="ki" value="2"/>
    <config key="kp" value="5"/></instance></plugin></extension>
  <worldbody><geom type="plane" size="5 5 .1"/>
    <body name="box" pos="0 0 .12"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="1 0 1"><joint name="swing" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/></body>
  </worldbody><actuator><plugin joint="swing" plugin="mujoco.pid" instance="pid" actdim="1"/></actuator></mujoco>"""


def test_an_archive_that_would_not_fit_into_memory_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    np.savez_compressed(tmp_path / "a.npz", time=np.arange(1000.0), values=np.zeros((1000, 2)), names=["a", "b"])
    assert len(Motion.load(tmp_path / "a.npz").times) == 1000
    monkeypatch.setattr("kinetree.engine.run.npz.MAX_BYTES", 20_000)
    with pytest.raises(ValueError, match="more than 4 GB"):
        Motion.load(tmp_path / "a.npz")


@pytest.mark.parametrize("ending", ["npz", "csv"])
def test_a_simulation_that_goes_on_from_a_row_takes_the_recorded_steps_to_the_bit(tmp_path, ending):
    """With contacts, whose forces depend on where the solver starts, a push, and the activation of a plugin."""
    model = kinetree.load_string(TOUCHING)
    data, history = kinetree.Data(model), History()
    history.append(model, data)
    kinetree.forward(model, data)
    for number in range(80):
        data.xfrc_applied[1] = [3.0, 0.0, 0.0, 0.0, 0.5, 0.0] if 30 <= number < 60 else 0.0
        data.ctrl[0] = 0.4
        history.before_step(model, data)
        kinetree.step(model, data)
        history.after_step(data, 1)
    path = tmp_path / f"walk.{ending}"
    history.replay(model).motion().save(path)
    motion = Motion.load(path)
    assert "xfrc_applied/box/0" in motion.names and not any(name.startswith("qfrc_applied") for name in motion.names)
    places = motion.places(model)
    for start in (10, 45):
        again = kinetree.Data(model)
        again.xfrc_applied[2] = 7.0  # a push before the motion was shown
        motion.show(places, again, start)
        for row in range(start, 80):
            again.ctrl[0] = 0.4
            again.xfrc_applied[1] = [3.0, 0.0, 0.0, 0.0, 0.5, 0.0] if 30 <= row < 60 else 0.0
            kinetree.step(model, again)
        assert again.qpos.tobytes() == data.qpos.tobytes() and again.act.tobytes() == data.act.tobytes()


WITH_PLUGIN = """<mujoco><extension><plugin plugin="mujoco.pid"><instance name="servo"><config key="kp" value="4"/></instance>
  </plugin></extension><worldbody><body><joint name="knee" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
  <actuator><plugin joint="knee" plugin="mujoco.pid" instance="servo" actdim="0"/></actuator></mujoco>"""


@pytest.mark.parametrize("ending", ["npz", "csv"])
def test_the_states_of_plugins_are_part_of_a_motion(monkeypatch, tmp_path, ending):
    """No plugin that is built in has any; MuJoCo's interface allows it, and so do the arrays."""
    from kinetree.engine.compile.mechanism.plugins import Plugins

    sizes, fill = Plugins.sizes, Plugins.fill

    def filled(self, model):
        fill(self, model)
        model.plugin_statenum[0] = 2

    monkeypatch.setattr(Plugins, "sizes", lambda self: sizes(self) | {"npluginstate": 2})
    monkeypatch.setattr(Plugins, "fill", filled)
    model = kinetree.load_string(WITH_PLUGIN)
    assert model.npluginstate == 2 and kinetree.Data(model).plugin_state.shape == (2,)
    run = Recorded(model)
    for number in range(40):
        run.data.ctrl[0] = np.sin(0.3 * number)
        if number % 5 == 0:  # what a plugin would do
            run.data.plugin_state[:] = np.cos(number), 0.1 * number
        run.run(1, 1e-4)
    assert len(np.unique([value for _, value in run.states.values()])) == 41
    motion = run.history.replay(model).motion()
    assert {"plugin_state/servo/0", "plugin_state/servo/1"} <= set(motion.names)
    path = tmp_path / f"a.{ending}"
    motion.save(path)
    loaded, data = Motion.load(path), kinetree.Data(model)
    places = loaded.places(model)
    assert not places.unused
    for row in (0, 1, 5, 6, 20, 39, 40):
        run.seek(row)
        data.plugin_state[:] = np.nan
        loaded.show(places, data, row)
        np.testing.assert_array_equal(data.plugin_state, run.data.plugin_state)
    assert data.plugin_state[1] == pytest.approx(3.5)
