"""A profile of a running simulation: times of all stages, the solver's figures, and a simulation that does not notice."""

import numpy as np

import kinetree
from kinetree.engine.model import enums
from kinetree.engine.run.profiler import Profiler, convergence

TEXT = """<mujoco><worldbody><geom type="plane" size="2 2 .1"/>
  <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos=".05 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


def test_a_sample_has_every_stage_and_changes_nothing():
    model = kinetree.load_string(TEXT)
    data, alone, profiler = kinetree.Data(model), kinetree.Data(model), Profiler()
    for _ in range(40):
        kinetree.step(model, data)
        found = profiler.sample(model, data)
        kinetree.step(model, alone)
    assert data.block("history").tobytes() == alone.block("history").tobytes()
    assert data.time == alone.time
    names = [name for name, _ in found.stages]
    assert {"kinematics", "collision", "solve"} <= set(names)
    assert all(seconds >= 0 for _, seconds in found.stages) and 0 < found.step < 0.1
    assert found.work.contacts == data.ncon >= 4 and found.seconds > found.step


def test_the_profile_follows_options_and_models():
    model = kinetree.load_string(TEXT)
    data, profiler = kinetree.Data(model), Profiler()
    kinetree.step(model, data)
    profiler.sample(model, data)
    model.opt.solver, model.opt.integrator = enums.SOL_CG, enums.INT_RK4
    kinetree.step(model, data)
    assert "cg" in [name for name, _ in profiler.sample(model, data).stages]
    other = kinetree.load_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    data = kinetree.Data(other)
    kinetree.step(other, data)
    assert "collision" not in [name for name, _ in profiler.sample(other, data).stages]


def test_convergence_is_that_of_the_last_step():
    model = kinetree.load_string(TEXT)
    model.opt.solver, model.opt.iterations = enums.SOL_CG, 50
    data = kinetree.Data(model)
    kinetree.step(model, data, 60)
    found = convergence(data)
    number = int(data.solver_niter[found.island])
    assert number == data.solver_niter.max() > 0 and len(found.improvement) == number
    np.testing.assert_array_equal(found.improvement, data.solver_improvement[200 * found.island :][:number])
    assert (found.gradient[:number] >= 0).all() and (found.active[:number] > 0).all()
