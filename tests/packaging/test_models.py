"""The bundled models: sound in the reference, alive, and dressed (cameras, keyframes, sensors)."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "models"
NAMES = ["arm", "boxes", "car", "hand", "walker"]


def load(name: str) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mujoco.MjModel.from_xml_path(str(FOLDER / f"{name}.xml"))
    return model, mujoco.MjData(model)


def run(model: mujoco.MjModel, data: mujoco.MjData, seconds: float) -> None:
    end = data.time + seconds
    while data.time < end:
        mujoco.mj_step(model, data)
    assert np.isfinite(data.qpos).all()
    assert not any(warning.number for warning in data.warning)


def test_these_are_all(our_models: list[Path]) -> None:
    assert [path.stem for path in our_models] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_dressed(name: str) -> None:
    model, _ = load(name)
    text = (FOLDER / f"{name}.xml").read_text(encoding="utf-8")
    assert model.ncam >= 2
    assert model.nkey >= 2
    assert model.nsensor >= 5
    assert text.startswith("<!--"), "says what it is and what to try"
    for sensor in range(model.nsensor):
        assert model.sensor(sensor).name


@pytest.mark.slow("twelve seconds of simulation from every start")
@pytest.mark.parametrize("name", NAMES)
def test_steady_for_twelve_seconds_from_every_start(name: str) -> None:
    model, data = load(name)
    for key in range(-1, model.nkey):
        if key < 0:
            mujoco.mj_resetData(model, data)
        else:
            mujoco.mj_resetDataKeyframe(model, data, key)
        run(model, data, 12.0)
        assert np.abs(data.qvel).max() < 100.0


def test_the_walker_walks_round_its_post() -> None:
    model, data = load("walker")
    run(model, data, 6.0)
    assert data.sensor("turned").data[0] > 2.0
    assert abs(data.joint("lean").qpos[0]) < 0.2
    assert data.body("head").xpos[2] > 1.2


def test_the_walker_walks_backwards_and_stops_on_request() -> None:
    model, data = load("walker")
    mujoco.mj_resetDataKeyframe(model, data, model.key("backwards").id)
    run(model, data, 4.0)
    assert data.sensor("turned").data[0] < -0.5
    mujoco.mj_resetDataKeyframe(model, data, model.key("lunge").id)
    run(model, data, 4.0)
    assert abs(data.joint("turn").qvel[0]) < 0.02


def test_the_arm_follows_its_target() -> None:
    model, data = load("arm")
    run(model, data, 0.5)
    data.mocap_pos[0] += [0.1, 0.15, -0.1]
    run(model, data, 2.0)
    assert np.linalg.norm(data.sensor("tool_in_target").data) < 0.02


def test_the_arm_holds_the_cube() -> None:
    model, data = load("arm")
    mujoco.mj_resetDataKeyframe(model, data, model.key("lift").id)
    run(model, data, 2.0)
    assert data.body("cube_coral").xpos[2] > 0.3


def test_the_car_drives_in_a_circle() -> None:
    model, data = load("car")
    mujoco.mj_resetDataKeyframe(model, data, model.key("circle").id)
    run(model, data, 3.0)
    assert data.sensor("speed").data[0] > 1.0
    assert data.sensor("turn_rate").data[2] > 0.2
    # the differential: outside of the bend the wheel turns faster
    assert data.sensor("wheel_rear_right").data[0] > data.sensor("wheel_rear_left").data[0] + 0.2


def test_the_ball_breaks_the_pyramid() -> None:
    model, data = load("boxes")
    run(model, data, 0.25)
    assert data.sensor("top_crate").data[2] > 1.3
    run(model, data, 3.0)
    assert data.sensor("top_crate").data[2] < 1.0


def test_the_hand_holds_the_ball_and_the_little_finger_follows() -> None:
    model, data = load("hand")
    run(model, data, 3.0)
    assert data.sensor("ball_position").data[2] > 0.3, "it rests in the open hand"
    mujoco.mj_resetDataKeyframe(model, data, model.key("hold").id)
    run(model, data, 3.0)
    assert data.sensor("ball_position").data[2] > 0.3
    mujoco.mj_resetDataKeyframe(model, data, model.key("fist").id)
    run(model, data, 1.0)
    assert data.sensor("little").data[0] == pytest.approx(data.sensor("ring").data[0], abs=0.05)
