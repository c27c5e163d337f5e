"""Kernels that run uncompiled give what they give compiled: IEEE 754, where no operation fails."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import math
import textwrap
from pathlib import Path
from types import FunctionType, ModuleType

import numpy as np
import pytest

import kinetree
from kinetree.engine.collision.sdf_shapes import wrap
from kinetree.engine.dynamics.position import (
    frames,
    inertia,
    kinematics,
    spatial_tendon,
    tendon,
    transmission,
    transmission_site,
)
from kinetree.engine.dynamics.position.flex import flex_edges, flex_positions
from kinetree.engine.dynamics.sensor import ray
from kinetree.engine.dynamics.sensor.touch import edge
from kinetree.engine.jit.compiler import compiled
from kinetree.engine.jit.ieee import with_ieee
from kinetree.engine.jit.kernel import kernel
from kinetree.engine.jit.rounding import floor, to_int
from kinetree.engine.jit.simd import padded
from kinetree.engine.jit.uncompiled import Lists, ListState, uncompiled
from kinetree.engine.jit.vec import integrate_quat, subquat
from kinetree.engine.model import enums
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.pick import pick
from tests.engine.jit.test_uncompiled import ARM

ROOT = Path(__file__).resolve().parents[3]
ODD = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 1e-200, -1e-200, 1e200, math.inf, -math.inf, math.nan)
MODERATE = tuple(x for x in ODD if not 1e100 < abs(x) < math.inf)
"""Without numbers whose products overflow: inside a fused multiply-add they do not."""
DRAWS = 400


def same(ours, theirs) -> bool:
    """Whether two results are equal but for the rounding that a fused multiply-add leaves out."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    return bool(np.allclose(ours, theirs, rtol=1e-9, atol=1e-12, equal_nan=True))


# ---- operations -----------------------------------------------------------------------------------------------------


@kernel
def _operators(a, b):
    c = a
    c /= b
    return a / b, c, 1.0 / (a - a), (a / b) / (b / a), -(a / b)


@kernel
def _powers(a, b):
    return a**b, a**2, 2.0**a


@kernel
def _functions(a, b):
    return (
        math.sqrt(a),
        math.acos(a),
        math.asin(a),
        math.sin(a),
        math.cos(a),
        math.tan(a),
        math.atan2(a, b),
        math.exp(a),
    )


@kernel
def _logarithms(a, b):
    return math.log(a), math.log1p(a), math.hypot(a, b), math.radians(a), abs(a), min(a, b), max(a, b)


@kernel
def _whole(a, b):
    return a // b, a % b


@kernel
def _rounded(a, b):
    return to_int(a, -7, 12), to_int(b, 0, 2), floor(a), floor(-b)


@pytest.mark.parametrize("function", [_operators, _functions, _logarithms, _rounded])
@pytest.mark.parametrize("scale", [1.0, 3.7, 1e300])
def test_operations(function, scale):
    for a in ODD:
        for b in ODD:
            ours, theirs = uncompiled(function)(scale * a, b), compiled(function)(scale * a, b)
            assert same(ours, theirs), (a, b, ours, theirs)


def test_powers():
    for a in ODD:
        for b in ODD:
            assert same(with_ieee(_powers)(a, b), compiled(_powers)(a, b)), (a, b)


def test_whole_numbers():
    for a in (0, 1, 7, -7):
        for b in (0, 1, 3, -3):
            assert uncompiled(_whole)(a, b) == compiled(_whole)(a, b), (a, b)


@pytest.mark.parametrize("value", [-(2.0**63), 2.0**63, 1e300, -1e300, math.inf, -math.inf, math.nan, 1e19, -1e19])
def test_a_float_that_no_integer_holds_is_clamped(value):
    for function in (to_int, compiled(to_int)):
        assert function(value, -5, 9) == (9 if value > 0 else -5)


# ---- the kernels that run uncompiled --------------------------------------------------------------------------------


def vector(rng, n: int, odd=ODD) -> tuple[float, ...]:
    """Random numbers, a third of them odd; the others have few digits, so that their products are not rounded."""
    return tuple(float(rng.choice(odd)) if rng.random() < 0.35 else round(8.0 * rng.normal()) / 8.0 for _ in range(n))


def positive(rng, n: int) -> tuple[float, ...]:
    return tuple(map(abs, vector(rng, n)))


def _shape(kind: int):
    return lambda rng: (kind, positive(rng, 3), vector(rng, 3), vector(rng, 3))


PURE = {
    "plane": (ray.ray_shape, _shape(enums.GEOM_PLANE)),
    "sphere": (ray.ray_shape, _shape(enums.GEOM_SPHERE)),
    "capsule": (ray.ray_shape, _shape(enums.GEOM_CAPSULE)),
    "ellipsoid": (ray.ray_shape, _shape(enums.GEOM_ELLIPSOID)),
    "cylinder": (ray.ray_shape, _shape(enums.GEOM_CYLINDER)),
    "box": (ray.ray_shape, _shape(enums.GEOM_BOX)),
    "segment": (ray.ray_capsule, lambda rng: (*positive(rng, 2), vector(rng, 3), vector(rng, 3))),
    "triangle": (ray.ray_triangle, lambda rng: tuple(vector(rng, 3, MODERATE) for _ in range(5))),
    "edge": (edge, lambda rng: (int(rng.integers(0, 4)), int(rng.integers(0, 4)), *vector(rng, 2))),
    "subquat": (subquat, lambda rng: (vector(rng, 4), vector(rng, 4))),
    "integrate": (integrate_quat, lambda rng: (vector(rng, 4), vector(rng, 3), vector(rng, 1)[0])),
    "padded": (padded, lambda rng: (int(rng.integers(0, 99)),)),
    "wrap": (wrap, lambda rng: vector(rng, 2)),
}


@pytest.mark.parametrize("name", PURE)
def test_kernels_without_a_model(name):
    function, arguments = PURE[name]
    rng, differ = np.random.default_rng(5), []
    for _ in range(DRAWS):
        args = arguments(rng)
        ours, theirs = uncompiled(function)(*args), compiled(function)(*args)
        if not same(ours, theirs):
            differ.append((args, ours, theirs))
    assert not differ, (len(differ), differ[:3])


STAGES = (
    kinematics.kinematics, kinematics.com_pos, kinematics.camlight, flex_positions, flex_edges, tendon.tendon,
    spatial_tendon.spatial_tendon, inertia.crb, inertia.tendon_armature, transmission.transmission,
    transmission_site.transmission_site, transmission_site.transmission_body,
)  # fmt: skip
WRAPPED = """<mujoco><worldbody><site name="a" pos="0 0 1"/><geom name="round" type="cylinder" size="0.1 0.3"/>
  <site name="side" pos="0 0.3 0"/>
  <body name="one" pos="0.4 0 0"><joint name="hinge" axis="0 0 1"/><geom size="0.1"/><site name="b"/>
    <site name="crank" pos="0 0.1 0"/></body>
  <flexcomp name="cloth" type="grid" count="3 3 1" spacing="0.1 0.1 0.1" dim="2" radius="0.01" pos="0 0 2"/></worldbody>
  <tendon><spatial name="around"><site site="a"/><geom geom="round" sidesite="side"/><site site="b"/></spatial></tendon>
  <actuator><motor tendon="around"/><general cranksite="crank" slidersite="b" cranklength="0.2"/>
    <adhesion body="one" ctrlrange="0 1"/></actuator></mujoco>"""
CHANGED = (
    "body_pos", "body_quat", "body_ipos", "body_iquat", "body_mass", "body_inertia", "jnt_axis", "jnt_pos", "geom_pos",
    "geom_quat", "geom_size", "site_pos", "site_quat", "cam_pos", "light_dir", "qpos0", "wrap_prm", "tendon_armature",
    "actuator_gear", "actuator_cranklength", "flex_vert",
)  # fmt: skip


def _odd(model, rng) -> None:
    """Set some numbers of a model to odd ones."""
    for name in CHANGED:
        values = getattr(model, name)
        chosen = rng.random(values.shape) < (0.0 if name == "wrap_prm" and rng.random() < 0.5 else 0.15)
        if name == "wrap_prm":
            chosen &= False  # also a site's number
        values[chosen] = rng.choice(ODD, int(chosen.sum()))


@pytest.mark.parametrize("text", [ARM, WRAPPED], ids=["arm", "wrapped"])
@pytest.mark.parametrize("seed", range(12))
def test_stages(text, seed):
    """One stage after the other, each from the same numbers."""
    model = kinetree.load_string(text)
    if seed:
        _odd(model, np.random.default_rng(seed))
    data, lists = kinetree.Data(model), Lists(model)
    state = ListState(lists)
    for stage in STAGES:
        compiled(stage)(model, data)
        uncompiled(stage)(lists, state)
        for name in vars(state).keys() & data._arrays.keys():
            theirs = getattr(data, name)
            assert same(getattr(state.arrays, name), theirs), (stage.__name__, name)
        vars(state).update({name: value for name, value in vars(state).items() if name == "_found"})


@pytest.mark.parametrize("kind", [enums.OBJ_BODY, enums.OBJ_XBODY, enums.OBJ_GEOM, enums.OBJ_SITE, enums.OBJ_CAMERA])
@pytest.mark.parametrize("value", [math.inf, math.nan, 1e200, 0.0])
def test_frames(kind, value):
    model = kinetree.load_string(ARM)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    for name in ("xpos", "xmat", "ximat", "subtree_com", "cvel", "geom_xmat", "site_xpos", "cam_xmat"):
        getattr(data, name)[:, 1] = value
    with np.errstate(all="ignore"):
        for function in (frames.position, frames.orientation):
            assert same(uncompiled(function)(data, kind, 0), compiled(function)(data, kind, 0))
        ours, theirs = (f(frames.velocity)(model, data, kind, 0) for f in (uncompiled, compiled))
        assert same(ours, theirs)


def test_what_a_kernel_has_written_before_it_failed_is_undone():
    lists = Lists(kinetree.load_string(ARM))
    state = ListState(lists)
    uncompiled(_adds_and_divides)(lists, state)
    assert state.qvel[:2] == [1.0, math.inf]
    moved = np.array([0.5, 0.5, math.inf])
    uncompiled(_moves)(moved)
    assert same(moved, [1.5, 1.0, math.nan])


@kernel
def _adds_and_divides(model, data):
    data.qvel[0] += 1.0
    data.qvel[1] = 1.0 / data.qvel[2]


@kernel
def _moves(values):
    for k in range(3):
        values[k] += math.cos(values[2]) if k == 2 else 1.0 / (k + 1.0)


# ---- meshes and height fields under a ray ---------------------------------------------------------------------------

DEGENERATE = """<mujoco><asset>
  <mesh name="flat" vertex="0 0 0 1 0 0 0 1 0 0 0 1 2 0 0" face="0 2 1 0 1 4 0 4 4 0 3 2 0 1 3 1 2 3" inertia="shell"/>
  <hfield name="field" nrow="4" ncol="4" size="1 1 1 .1" elevation="0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1"/>
  <hfield name="row" nrow="1" ncol="4" size="1 1 1 .1" elevation="0 1 0 1"/>
  <hfield name="column" nrow="3" ncol="1" size="1 1 1 .1" elevation="0 1 0"/>
  <hfield name="point" nrow="1" ncol="1" size="1 1 1 .1" elevation="1"/></asset>
  <worldbody><geom type="mesh" mesh="flat"/><geom type="hfield" hfield="field" pos="0 0 3"/>
  <geom type="hfield" hfield="row" pos="0 0 6"/><geom type="hfield" hfield="column" pos="0 0 9"/>
  <geom type="hfield" hfield="point" pos="0 0 12"/></worldbody></mujoco>"""


@pytest.mark.parametrize(("function", "number"), [(ray.ray_mesh, 1), (ray.ray_hfield, 4)])
def test_rays_at_meshes_and_height_fields(function, number):
    model = kinetree.load_string(DEGENERATE)
    rng = np.random.default_rng(7)
    for _ in range(DRAWS):
        args = int(rng.integers(number)), vector(rng, 3), vector(rng, 3)
        ours, theirs = uncompiled(function)(model, *args), compiled(function)(model, *args)
        assert same(ours, theirs), (args, ours, theirs)


def test_a_click_at_a_triangle_without_area():
    """All corners of a mesh in one line, seen along its sides: the determinants are zero."""
    model = kinetree.load_string(DEGENERATE)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    for origin in ((-1.0, 0.0, 0.0), (0.25, 0.25, 5.0), (0.0, 0.0, 20.0), (3.0, 0.0, 0.0), (1.5, 0.0, 4.0)):
        for toward in ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.3, 0.0, 6.0)):
            direction = np.subtract(toward, origin)
            if direction.any():
                found = pick(model, data, np.array(origin), direction, VisOptions())
                assert found is None or np.isfinite(found.point).all()


# ---- no kernel is called from Python without `uncompiled` -----------------------------------------------------------


def _sources() -> dict[str, ast.Module]:
    """Module -> its source, for all modules that name what kernels are made of."""
    files = sorted((ROOT / "engine").rglob("*.py"))
    texts = {".".join(("kinetree", *file.relative_to(ROOT).with_suffix("").parts)): file.read_text() for file in files}
    words = (
        "kinetree.engine.jit",
        "kinetree.engine.dynamics",
        "kinetree.engine.collision",
        "dynamics.position",
        "dynamics.sensor",
    )
    return {
        name.removesuffix(".__init__"): ast.parse(text)
        for name, text in texts.items()
        if any(word in text for word in words)
        and name not in ("kinetree.engine.jit.translation", "kinetree.engine.jit.intrinsics")
    }


def _is_kernel(value) -> bool:
    return hasattr(value, "jit_options") or isinstance(getattr(value, "jit_form", None), FunctionType)


def _names(module: str, tree: ast.Module) -> dict[str, object]:
    """Meanings of the names in a module, those that its functions import included."""
    names = dict(vars(importlib.import_module(module)))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kinetree.engine"):
            for alias in node.names:
                home = importlib.import_module(str(node.module))
                names.setdefault(alias.asname or alias.name, getattr(home, alias.name, None))
    return names


def _value(node: ast.expr, names: dict[str, object]) -> object:
    """Value of `name` or `module.name`."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        home = names.get(node.value.id)
        return getattr(home, node.attr, None) if isinstance(home, ModuleType) else None
    return None


def _called_directly(tree: ast.Module, names: dict[str, object]) -> list[str]:
    """Calls of kernels by plain functions, `line: name`."""
    found: list[str] = []

    def walk(node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef) and (_is_kernel(names.get(node.name)) or _marked(node)):
            return
        if isinstance(node, ast.Call) and _is_kernel(_value(node.func, names)):
            found.append(f"{node.lineno}: {ast.unparse(node.func)}")
        for child in ast.iter_child_nodes(node):
            walk(child)

    walk(tree)
    return found


def _marked(node: ast.FunctionDef) -> bool:
    """Whether a function inside another one is a kernel too."""
    return any(_is_kernel_decorator(ast.unparse(each)) for each in node.decorator_list)


def _is_kernel_decorator(name: str) -> bool:
    return name in ("kernel", "small", "apart", "exact", "exact_small", "dense", "dense_small", "compiled_only")


@functools.cache
def _all_names() -> dict[str, tuple[ast.Module, dict[str, object]]]:
    return {module: (tree, _names(module, tree)) for module, tree in _sources().items()}


def test_no_kernel_is_called_from_python_but_through_uncompiled():
    found = {module: _called_directly(*parts) for module, parts in _all_names().items()}
    assert {module: calls for module, calls in found.items() if calls} == {}


def _reached() -> set:
    """The kernels that `uncompiled` is asked for, the stages of poses and all that they call."""
    todo = list(STAGES)
    for tree, names in _all_names().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "uncompiled":
                todo.append(_value(node.args[0], names))
    seen = set()
    while todo:
        function = todo.pop()
        if _is_kernel(function) and hasattr(function, "__code__") and function not in seen:
            seen.add(function)
            todo += [function.__globals__.get(name) for name in function.__code__.co_names]
    return seen


def test_kernels_that_run_uncompiled_have_no_powers_with_a_fraction():
    """(-1) ** 0.5 is a complex number in Python, without an exception."""
    reached = _reached()
    assert {"ray_triangle", "kinematics", "normalize4", "around"} <= {function.__name__ for function in reached}
    for function in reached:
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
                assert isinstance(node.right, ast.Constant) and type(node.right.value) is int, function
