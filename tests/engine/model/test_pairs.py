"""Which Data may be used with which Model, and what every function says to the others."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.query import inspect as dense
from kinetree.engine.model.fields import by_name
from kinetree.engine.model.model import PLACES, STRUCTURE, sizes_of_data
from kinetree.engine.posing.posing import Aim, pose
from kinetree.engine.run import recorder
from kinetree.engine.run.history import History
from kinetree.engine.run.profiler import Profiler
from kinetree.engine.run.timing import StageTimer
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import initial
from kinetree.engine.scene.options import VisOptions

ONE = '<mujoco><worldbody><body name="b"><joint/><geom name="g" size=".1"/></body></worldbody>{}</mujoco>'
SLIDE = ONE.replace("<joint/>", '<joint type="slide"/>')
MANY = "<mujoco><worldbody>" + "<body><freejoint/><geom size='.1'/></body>" * 400 + "</worldbody></mujoco>"


def _made(text: str) -> tuple[kinetree.Model, kinetree.Data]:
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    return model, data


def _take_pairs() -> list[str]:
    functions = [name for name in kinetree.__all__ if inspect.isroutine(getattr(kinetree, name))]
    return [
        name for name in functions if {"model", "data"} <= set(inspect.signature(getattr(kinetree, name)).parameters)
    ]


RIGHT: dict[str, Any] = {
    "point": [0.0] * 3, "body": 0, "geom": 0, "site": 0, "tendon": 0, "force": [0.0] * 3, "torque": [0.0] * 3,
    "x": [0.0], "kind": "body", "which": 0, "state": [0.0] * 3, "pnt": [0.0] * 3, "vec": [0.0, 0.0, 1.0], "geom1": 0,
    "geom2": 0, "distmax": 1.0, "i": 0, "width": 8, "height": 8,
}  # fmt: skip


@pytest.mark.parametrize("name", _take_pairs())
@pytest.mark.parametrize("text", [MANY, SLIDE], ids=["other sizes", "other structure"])
def test_a_data_of_another_model_is_refused(name: str, text: str) -> None:
    _, data = _made(ONE.format(""))
    other = kinetree.load_string(text)
    before = data.qpos.tobytes(), data.xpos.tobytes(), data.time
    function = getattr(kinetree, name)
    right = {key: RIGHT[key] for key in inspect.signature(function).parameters if key in RIGHT}
    with pytest.raises(ValueError, match=r"this Data was made for another model.*kinetree\.Data\(model\)"):
        function(other, data, **right)
    assert (data.qpos.tobytes(), data.xpos.tobytes(), data.time) == before


def test_functions_inside_refuse_it_too() -> None:
    """Functions that take a model and a data, and methods of a model that take a data."""
    model, data = _made(ONE.format(""))
    other, others = _made(MANY)
    recorded = recorder.Recorder(other, ["qpos"])
    history = History()
    history.before_step(other, others)
    camera = initial(model)
    calls: dict[str, Callable[[], Any]] = {
        "recorder.step": lambda: recorder.step(other, data),
        "recorder.forward": lambda: recorder.forward(other, data, [recorded]),
        "a recorder of another model": lambda: recorder.step(model, data, 1, [recorded]),
        "a history": lambda: History().before_step(other, data),
        "a history of another model": lambda: history.before_step(model, data),
        "seeking in one": lambda: history.seek(model, data, 0),
        "a timer": lambda: StageTimer(other).step(other, data, 1),
        "posing": lambda: pose(other, data, 1, Aim()),
        "a scene": lambda: build(other, data, VisOptions(), camera),
    }
    for what, call in calls.items():
        with pytest.raises(ValueError) as error:
            call()
        assert "another model" in str(error.value), what


def test_sizes_are_told() -> None:
    _, data = _made(ONE.format(""))
    with pytest.raises(ValueError, match=r"with nq = 1, where this one has 2800:"):
        kinetree.step(kinetree.load_string(MANY), data)
    with pytest.raises(ValueError, match="whose bodies, joints, geoms or actuators are others:"):
        kinetree.step(kinetree.load_string(SLIDE), data)


def test_numbers_may_differ() -> None:
    """A model of the same text with other masses, sizes, options, names and textures goes on with the Data."""
    _model, data = _made(ONE.format(""))
    text = ONE.replace('name="b"', 'name="c" pos="0 0 1"').replace('size=".1"', 'type="box" size=".1 .2 .3" mass="7"')
    other = kinetree.load_string(
        text.format('<asset><texture name="t" type="2d" builtin="flat" width="8" height="8"/></asset>')
    )
    fresh = kinetree.Data(other)
    for each in (data, fresh):
        kinetree.reset(other, each)
        kinetree.step(other, each, 20)
    assert data.qpos.tobytes() == fresh.qpos.tobytes() and data.xpos.tobytes() == fresh.xpos.tobytes()


def test_models_that_share_arrays_fit() -> None:
    model, data = _made(ONE.format(""))
    for other in (model.with_own_options(), model.copy(), kinetree.load_string(ONE.format(""))):
        kinetree.step(other, data)
    assert data.time == pytest.approx(3 * model.opt.timestep)


@pytest.mark.parametrize(
    "name", [name for name in STRUCTURE if name not in ("plugin", "plugin_stateadr", "plugin_statenum")]
)
def test_every_field_of_the_structure_counts(name: str, tiny: Callable[[str], Path]) -> None:
    text = """<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>
        <body mocap="true"/><body><joint name="j"/><geom type="mesh" mesh="m"/></body></worldbody>
        <actuator><general joint="j" dyntype="integrator"/></actuator></mujoco>"""
    model = kinetree.load_string(text)
    data, changed = kinetree.Data(model), model.copy()
    getattr(changed, name)[-1] += 1
    with pytest.raises(ValueError, match="this Data was made for another model"):
        kinetree.get_state(changed, data)


def test_sizes_of_data_are_part_of_the_structure() -> None:
    model = kinetree.load_string(ONE.format(""))
    before = model.structure
    sizes = sizes_of_data()
    assert {"nq", "nv", "nbody", "ngeom", "nmeshgraph"} <= set(sizes)
    for name in sizes:
        other = kinetree.Model({**model.sizes, name: model.sizes[name] + 1})
        assert other.structure != before, name
    assert set(PLACES) < set(STRUCTURE) <= set(by_name("Model"))


def test_a_data_follows_a_version_that_keeps_its_places() -> None:
    """A body that hangs on another one: the structure differs, and each number keeps its place."""
    limb = '<body><joint/><geom size=".1"/>'
    text = f"<mujoco><worldbody>{limb}{{}}{limb}</body>{{}}</worldbody></mujoco>"
    _, data = _made(text.format("", "</body>"))
    other = kinetree.load_string(text.format("</body>", ""))
    with pytest.raises(ValueError, match="another model"):
        kinetree.reset(other, data)
    data.adopt(other)
    kinetree.reset(other, data)
    fresh = kinetree.Data(other)
    for each in (data, fresh):
        kinetree.step(other, each, 20)
    assert data.xpos.tobytes() == fresh.xpos.tobytes()


def test_profiles_and_dense_results_of_a_fitting_pair() -> None:
    """Tools that make Data of their own take the model's."""
    model, data = _made(ONE.format(""))
    Profiler().sample(model, data)
    assert dense.efc_J(model, data).shape == (data.nefc, 1)
    assert np.isfinite(data.qpos).all()
