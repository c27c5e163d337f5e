"""NaN, infinity and huge numbers anywhere in a Model or a Data: every stage ends, and none reads or writes beside an
array.

Each stage of a step runs by itself, after some floats of Data, and some of the model, became odd: also those that a
stage before it has just computed. `python -m pytest -p tests.bounds tests/engine/dynamics/test_odd_numbers.py` checks
each index.
"""

import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.forward import pipeline, run_stages
from kinetree.engine.model import enums
from kinetree.engine.model.data import Data
from kinetree.engine.model.fields import TABLES
from kinetree.engine.model.model import Model
from tests.engine.dynamics.test_guards import TEXTS, WAYS, _damaged, guarded  # noqa: F401 (a fixture)
from tests.engine.storage.test_binary import FIELDS, PLUGINS, SOFT

ODD = (
    1e10, -1e10, 1e18, 1e19, -1e19, 1e30, 1e100, -1e200, 1e300, 1.7e308, 1e-300, 0.0, -0.0, 0.5, np.inf, -np.inf, np.nan,
)  # fmt: skip
SEEDS, STEPS = 4, 3
ELEVATION = "0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1"


def ball(count: int) -> str:
    """Vertices on a sphere, which make a hull with a graph."""
    k = np.arange(count) + 0.5
    turn, z = np.pi * (1 + 5**0.5) * k, 1 - 2 * k / count
    points = 0.2 * np.stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z], 1)
    return " ".join(f"{x:.6f}" for x in points.ravel())


FIELD = f"""<mujoco><option><flag multiccd="enable"/></option><asset>
  <hfield name="h" nrow="4" ncol="4" size="1 1 1 .1" elevation="{ELEVATION}"/>
  <hfield name="row" nrow="1" ncol="4" size="1 1 1 .1" elevation="0 1 0 1"/>
  <mesh name="large" vertex="{ball(200)}"/><mesh name="small" vertex="{ball(20)}"/></asset>
  <worldbody><geom type="hfield" hfield="h"/><geom type="hfield" hfield="row" pos="4 0 0"/>
    <site name="down" pos="0.1 0.2 5" euler="180 0 0"/><site name="across" pos="-3 0.1 0.3" euler="0 90 0"/>
    <body pos="0 0 1.1"><freejoint/><geom name="large" type="mesh" mesh="large"/></body>
    <body pos="0.5 0 1.1"><freejoint/><geom type="mesh" mesh="small"/><geom type="mesh" mesh="large"/></body>
    <body pos="-0.5 0 1"><freejoint/><geom type="box" size=".2 .2 .2"/></body>
    <body pos="-0.5 0.5 1"><freejoint/><geom type="cylinder" size=".2 .2"/></body>
    <body pos="0 0.5 1"><freejoint/><geom type="ellipsoid" size=".2 .1 .2"/></body>
    <body pos="0 -0.5 1"><freejoint/><geom name="capsule" type="capsule" size=".1 .2"/></body>
    <body pos="4 0 0.5"><freejoint/><geom size=".3"/></body>
    <flexcomp name="cloth" type="grid" count="4 4 1" spacing=".1 .1 .1" dim="2" radius=".01" pos="0 0 1.2">
      <contact selfcollide="sap"/></flexcomp>
    <flexcomp name="rope" type="grid" count="5 1 1" spacing=".1 .1 .1" dim="1" radius=".01" pos="0 0.3 1.2"/>
    <flexcomp name="jelly" type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3" radius=".01" pos="0.2 0.3 1.2">
      <contact selfcollide="bvh" internal="true"/></flexcomp></worldbody>
  <sensor><rangefinder site="down"/><rangefinder site="across"/>
    <distance geom1="large" geom2="capsule" cutoff="1"/><normal geom1="large" geom2="capsule" cutoff="1"/></sensor></mujoco>"""
WRAPPED = """<mujoco><worldbody><site name="a" pos="0 0 1"/><site name="side" pos="0 0.3 0"/>
  <geom name="round" type="cylinder" size="0.1 0.3"/><geom name="ball" pos="0.2 0 0.3" size="0.1"/>
  <body name="one" pos="0.4 0 0"><joint name="hinge" axis="0 0 1" limited="true" range="-90 90"/><geom size="0.1"/>
    <site name="b"/><site name="crank" pos="0 0.1 0"/></body></worldbody>
  <tendon><spatial name="t" limited="true" range="0 2" width="0.01"><site site="a"/><geom geom="round" sidesite="side"/>
    <site site="b"/><geom geom="ball"/><site site="a"/></spatial></tendon>
  <actuator><muscle tendon="t" lengthrange="0.5 2"/><general cranksite="crank" slidersite="b" cranklength="0.2"/>
    <adhesion body="one" ctrlrange="0 1"/></actuator></mujoco>"""
REPORTED = f"""<mujoco><asset><hfield name="h" nrow="4" ncol="4" size="1 1 1 .1" elevation="{ELEVATION}"/></asset>
  <worldbody><geom type="hfield" hfield="h"/>
  <flexcomp name="f" type="direct" dim="2" radius=".01" point="-3.05e+04 0 0 0 1e+20 0 -1e+20 0 0" element="0 1 2"/>
  </worldbody></mujoco>"""
EVERY = {
    **TEXTS,
    "field": FIELD,
    "wrapped": WRAPPED,
    "reported": REPORTED,
    "plugins": PLUGINS,
    "sdf": FIELDS,
    "soft": SOFT,
}


def floats(table: Model | Data) -> list[np.ndarray]:
    """The arrays of floats of a Model or a Data."""
    rows = [row for row in TABLES[table.kind] if row.kind == "array" and row.dtype in ("f8", "f4")]
    return [array for array in (table._arrays[row.name] for row in rows) if array.size]


def disturb(table: Model | Data, generator: np.random.Generator, share: float) -> None:
    """Make some floats odd, in a share of the arrays."""
    with np.errstate(over="ignore"):
        for array in floats(table):
            if generator.random() < share:
                chosen = generator.random(array.shape) < generator.choice([0.02, 0.3, 1.0])
                array[chosen] = generator.choice(ODD, int(chosen.sum())).astype(array.dtype)


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("name", EVERY)
def test_odd_numbers_before_each_stage(guarded, name, seed):  # noqa: F811
    model = kinetree.load_string(EVERY[name])
    if model.unsimulated:
        pytest.skip("the model can be shown but not simulated")
    solver, cone, integrator, noslip = WAYS[seed % len(WAYS)]
    model.opt.solver, model.opt.cone, model.opt.integrator = solver, cone, integrator
    model.opt.noslip_iterations = noslip
    if seed % 2:
        model.opt.disableflags |= enums.DSBL_AUTORESET
    generator, table = np.random.default_rng(seed), pipeline(model).step
    data = guarded(model)
    kinetree.step(model, data)
    whole = model.copy()
    for _ in range(STEPS):
        for k in range(len(table)):
            disturb(data, generator, 0.1)
            run_stages(model, data, 1, table[k : k + 1])
            data.redo = 0
        assert _damaged(data) == []
        for old, new in zip(floats(whole), floats(model), strict=True):
            new[...] = old
        disturb(model, generator, 0.05)


@pytest.mark.parametrize("value", ODD)
@pytest.mark.parametrize("name", ["field", "reported", "wrapped", "sdf"])
def test_every_position_is_odd(guarded, name, value):  # noqa: F811
    """Without an automatic reset, so that the step goes on with them."""
    for flags in (0, enums.DSBL_AUTORESET):
        model = kinetree.load_string(EVERY[name])
        model.opt.disableflags |= flags
        data = guarded(model)
        for array in (data.qpos, data.qvel, data.ctrl, data.mocap_pos, data.qfrc_applied, data.xfrc_applied):
            array[...] = value
            kinetree.step(model, data, 2)
            kinetree.forward(model, data)
        assert _damaged(data) == []
        assert flags or np.isfinite(data.qpos).all()
