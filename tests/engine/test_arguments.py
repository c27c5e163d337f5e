"""Every public function, called with arguments of wrong kinds, sizes, ids and names: a plain error with a sentence, and
never a crash, an internal error, or a result."""

from __future__ import annotations

import inspect
import pickle
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinetree

TEXT = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="b" pos="0 0 .0999">
      <joint name="j" type="slide" axis="0 0 1"/><geom name="g" size=".1"/><geom size=".01"/>
    </body>
    <body name="c" pos="1 0 0"><joint/><geom size=".1"/><site name="s"/></body>
  </worldbody>
  <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
  <keyframe><key name="k"/></keyframe>
</mujoco>"""
PLAIN = (TypeError, ValueError, IndexError, KeyError, ZeroDivisionError, OSError, kinetree.ModelError)


class Strange:
    """Something that no function knows."""


WRONG: dict[str, Any] = {
    "None": None,
    "a float": 1.5,
    "-1": -1,
    "99999": 99999,
    "a huge integer": 10**30,
    "an unknown name": "nothing",
    "an empty name": "",
    "bytes": b"b",
    "True": True,
    "nan": np.nan,
    "inf": np.inf,
    "a complex number": 1j,
    "an empty list": [],
    "four numbers": [1.0, 2.0, 3.0, 4.0],
    "uneven rows": [[1.0, 2.0], [3.0]],
    "a (2, 5) array": np.zeros((2, 5)),
    "no rows": np.zeros((0, 3)),
    "texts": np.array(["a", "b", "c"]),
    "Nones": [None] * 3,
    "a text in an array": np.array("x"),
    "a dict": {},
    "an object": Strange(),
    "a function": lambda: 0,
}
"""Argument values; a few of them suit each parameter."""

FINE: dict[tuple[str, str], tuple[str, ...]] = {
    ("load", "seed"): ("None", "99999"),
    ("load_string", "seed"): ("None", "99999"),
    ("load_string", "base"): ("None", "an unknown name", "an empty name"),
    ("to_xml", "folder"): ("None", "an unknown name", "an empty name"),
    ("reset", "key"): ("None",),
    ("step", "nstep"): ("99999",),
    ("integrate_pos", "dt"): ("a float", "-1", "99999"),
    ("differentiate_pos", "dt"): ("a float", "-1", "99999"),
    ("ray", "vec"): ("no rows",),
    ("ray", "geomgroup"): ("None",),
    ("ray", "flg_static"): ("True",),
    ("ray", "bodyexclude"): ("-1",),
    ("geom_distance", "distmax"): ("a float", "99999", "inf"),
    ("object_velocity", "local"): ("True",),
    ("object_acceleration", "local"): ("True",),
    ("transition_fd", "eps"): ("a float", "99999"),
    ("transition_fd", "centered"): ("True",),
    ("inverse_fd", "eps"): ("a float", "99999"),
    ("inverse_fd", "actuation"): ("True",),
}
"""(function, parameter) -> those of WRONG that are right there."""
ELSEWHERE = {"render": "tests/renderer/test_arguments.py"}
FUNCTIONS = [name for name in kinetree.__all__ if name not in ELSEWHERE and inspect.isroutine(getattr(kinetree, name))]


@cache
def _simulated() -> tuple[kinetree.Model, kinetree.Data]:
    model = kinetree.load_string(TEXT)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    return model, data


def _arguments(name: str, model: kinetree.Model, data: kinetree.Data, folder: Path) -> dict[str, Any]:
    """Right values of all parameters without a default."""
    path = folder / ("model.xml" if name == "load" else "model.kmodel")
    right: dict[str, Any] = {
        "model": model, "data": data, "path": path, "text": TEXT, "name": "b", "kind": "body", "which": 0, "body": "b",
        "geom": 1, "site": "s", "tendon": "t", "point": [0.0, 0.0, 0.0], "force": [0.0, 0.0, 1.0],
        "torque": [0.0, 0.0, 1.0], "x": np.zeros(model.nv), "qpos": model.qpos0, "qvel": np.zeros(model.nv), "dt": 0.1,
        "qpos1": model.qpos0, "qpos2": model.qpos0, "pnt": [0.0, 0.0, 2.0], "vec": [0.0, 0.0, -1.0], "geom1": "floor",
        "geom2": 1, "distmax": 1.0, "i": 0, "state": kinetree.get_state(model, data),
    }  # fmt: skip
    return {
        parameter.name: right[parameter.name]
        for parameter in inspect.signature(getattr(kinetree, name)).parameters.values()
        if parameter.default is parameter.empty
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_arguments_are_refused_with_a_sentence(name: str, tmp_path: Path) -> None:
    model, kept = _simulated()
    data = kept.copy()
    (tmp_path / "model.xml").write_text(TEXT)
    function = getattr(kinetree, name)
    right = _arguments(name, model, data, tmp_path)
    function(**right)
    wrong = []
    for parameter in inspect.signature(function).parameters:
        others = {"a Model": model, "a Data": data}
        others.pop({"model": "a Model", "data": "a Data"}.get(parameter), None)
        for what, value in {**WRONG, **others}.items():
            if what in FINE.get((name, parameter), ()):
                function(**{**right, parameter: value})
                continue
            try:
                function(**{**right, parameter: value})
            except PLAIN as error:
                if len(str(error).split()) < 4:
                    wrong.append(f"{parameter} = {what}: no sentence: {error!r}")
            except Exception as error:
                wrong.append(f"{parameter} = {what}: {error!r}")
            else:
                wrong.append(f"{parameter} = {what}: accepted")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in ("load", "load_string", "save", "to_xml")])
@pytest.mark.parametrize("text", ["<mujoco/>", '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>'])
def test_models_without_degrees_of_freedom(name: str, text: str) -> None:
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    right = _arguments(name, model, data, Path())
    right.update({"body": 0, "geom": 0, "geom1": 0, "geom2": 0, "site": 0, "tendon": 0})
    right = {key: right[key] for key in inspect.signature(getattr(kinetree, name)).parameters if key in right}
    if "name" in right:
        right["name"] = "world"
    missing = {"jac_site", "jac_tendon", "contact_force"} | (set() if model.ngeom else {"jac_geom", "geom_distance"})
    if name in missing:
        with pytest.raises(IndexError, match="there are 0"):
            getattr(kinetree, name)(**right)
    else:
        getattr(kinetree, name)(**right)


NEED_POSES = [
    "full_m", "jac", "jac_body", "jac_body_com", "jac_geom", "jac_site", "jac_subtree_com", "jac_tendon", "jac_dot",
    "apply_ft", "object_velocity", "object_acceleration", "mul_m", "solve_m", "rne_post_constraint", "subtree_vel", "ray",
    "geom_distance",
]  # fmt: skip


@pytest.mark.parametrize("name", NEED_POSES)
def test_what_needs_poses_says_so(name: str, tmp_path: Path) -> None:
    """Zeros would look like a result."""
    model, computed = _simulated()
    right = _arguments(name, model, computed, tmp_path)
    data = computed.copy()
    kinetree.reset(model, data)
    for fresh in (kinetree.Data(model), data):
        with pytest.raises(ValueError, match=r"nothing has been computed .* kinetree\.forward"):
            getattr(kinetree, name)(**{**right, "data": fresh})


@pytest.mark.parametrize("name", ["full_m", "mul_m", "solve_m"])
def test_kinematics_alone_compute_no_inertia(name: str, tmp_path: Path) -> None:
    model, computed = _simulated()
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    with pytest.raises(ValueError, match="the inertia has not been computed"):
        getattr(kinetree, name)(**{**_arguments(name, model, computed, tmp_path), "data": data})


def test_model_and_data_the_wrong_way_round() -> None:
    model, data = _simulated()
    swapped: Any = (data, model)
    with pytest.raises(TypeError, match="swapped: the Model comes first"):
        kinetree.step(*swapped)


@pytest.mark.parametrize("what", [what for what in WRONG if what not in ("None", "a function")])
def test_hooks_and_threads_that_are_none(what: str) -> None:
    model, kept = _simulated()
    for name in ("hooks", "threads"):
        data = kept.copy()
        setattr(data, name, WRONG[what])
        before = data.qpos.copy()
        with pytest.raises(TypeError, match=f"data.{name} must be kinetree.{name.capitalize()} or None"):
            kinetree.step(model, data)
        assert (data.qpos == before).all()
    with pytest.raises(TypeError, match="no function"):
        kinetree.Hooks(control=WRONG[what])


@pytest.mark.parametrize("number", [0, -1, 1.5, "2", 10**6, [1], True])
def test_numbers_of_threads_that_are_none(number: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="the number of threads must be"):
        kinetree.Threads(number)


@pytest.mark.parametrize("model", [None, 1, "model.xml", {}, np.zeros(3)])
def test_a_data_of_no_model(model: Any) -> None:
    with pytest.raises(TypeError, match=r"expected a kinetree\.Model, not"):
        kinetree.Data(model)


# ---- names that are assigned -----------------------------------------------------------------------------------------


def test_misspelled_names_are_refused() -> None:
    model = kinetree.load_string(TEXT)
    data = kinetree.Data(model)
    cases: list[tuple[Any, str, str]] = [
        (data, "qposs", "did you mean 'qpos'"),
        (data, "control", "Data has no field 'control'"),
        (model, "nq", "nq is a size"),
        (data, "contact", "contact cannot be replaced"),
        (model, "geom_typ", "did you mean 'geom_type'"),
        (model, "opt", "opt cannot be replaced"),
        (model.opt, "timestp", "did you mean 'timestep'"),
        (model.vis, "maps", "did you mean 'map'"),
        (model.vis, "map", "map is a section"),
        (model.vis.map, "zfr", "did you mean 'zfar'"),
        (data.contact, "distance", "a contact has no 'distance'"),
    ]
    for owner, name, message in cases:
        with pytest.raises(AttributeError, match=message):
            setattr(owner, name, 1.0)
        if name in ("qposs", "geom_typ", "zfr"):
            assert not hasattr(owner, name)
    for owner in (model, data):
        with pytest.raises(AttributeError, match="has no field 'nothing'"):
            _ = owner.nothing


def test_visual_settings_keep_their_kinds() -> None:
    vis = kinetree.load_string(TEXT).vis
    vis.map.zfar, vis.rgba.fog, vis.headlight.active, vis.global_.offwidth = 7, [1, 0, 0, 1], False, 800
    assert (vis.map.zfar, vis.rgba.fog.tolist(), vis.headlight.active, vis.global_.offwidth) == (
        7.0,
        [1, 0, 0, 1],
        0,
        800,
    )
    for section, name, value in (
        (vis.map, "zfar", "far"), (vis.map, "zfar", np.nan), (vis.rgba, "fog", [1, 0, 0]), (vis.rgba, "fog", "red"),
        (vis.global_, "offwidth", 1.5), (vis.headlight, "active", "yes"),
    ):  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=f"^{name} must be"):
            setattr(section, name, value)
    assert vis.rgba.fog.tolist() == [1, 0, 0, 1]
    assert pickle.loads(pickle.dumps(vis)).map.zfar == 7.0


def test_the_table_names_functions_and_parameters_that_there_are() -> None:
    for name, parameter in FINE:
        assert parameter in inspect.signature(getattr(kinetree, name)).parameters, (name, parameter)
