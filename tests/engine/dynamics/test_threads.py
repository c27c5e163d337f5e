"""Threads that share a step: the same bits for any number of them, whatever happens, and none left behind."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

import kinetree
from kinetree.engine.model import enums
from kinetree.engine.model.fields import CAPACITIES, TABLES
from tests.conftest import SHARED
from tests.engine.dynamics.solver.test_primal import crowd
from tests.engine.dynamics.test_memory import results, shrink

CORPUS = SHARED / "corpus" / "mujoco" / "model"
MODELS = Path(__file__).resolve().parents[3] / "resources" / "models"
NUMBERS = (1, 2, 3, 5)


def piles(piles: int = 6, height: int = 3) -> str:
    """Piles of boxes and capsules apart from each other: an island for each, of several sizes."""
    bodies = []
    for i in range(piles):
        for k in range(height + i % 3):
            shape = 'type="box" size=".1 .1 .05"' if (i + k) % 2 else 'type="capsule" size=".05 .08" euler="90 0 10"'
            bodies.append(f'<body pos="{i} {0.01 * k} {0.06 + 0.105 * k}"><freejoint/><geom {shape}/></body>')
    return "<mujoco><worldbody><geom type='plane' size='50 50 1'/>" + "".join(bodies) + "</worldbody></mujoco>"


def load(name: str) -> kinetree.Model:
    """A model with islands: many small ones, one large one, or a file of the corpus."""
    if name == "piles":
        return kinetree.load_string(piles())
    if name == "crowd":
        return kinetree.load_string(crowd(40))
    path = CORPUS / f"{name}.xml"
    if not path.exists():
        pytest.skip("needs the corpus")
    return kinetree.load(path)


def after(
    model: kinetree.Model, threads: kinetree.Threads | None, splits=(30,)
) -> tuple[dict[str, bytes], kinetree.Data]:
    """State after steps in calls of so many."""
    data = kinetree.Data(model)
    data.threads = threads
    for n in splits:
        kinetree.step(model, data, n)
    return results(data), data


@pytest.mark.parametrize("is_separate", [False, True], ids=["whole", "islands"])
@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", [enums.SOL_NEWTON, enums.SOL_CG], ids=["Newton", "CG"])
@pytest.mark.parametrize(
    "name", ["piles", "crowd", "humanoid/22_humanoids", "humanoid/humanoid100", "replicate/stonehenge"]
)
def test_the_bits_do_not_depend_on_the_number_of_threads(name, solver, cone, is_separate):
    model = load(name)
    model.opt.solver, model.opt.cone = solver, cone
    if is_separate:
        model.opt.enableflags |= enums.ENBL_ISLAND
    alone, data = after(model, None)
    assert data.nefc > 0 and np.isfinite(data.qpos).all()
    for number in NUMBERS:
        with kinetree.Threads(number) as threads:
            for splits in ((30,), (1, 4, 25)):
                assert after(model, threads, splits)[0] == alone


@pytest.mark.parametrize("name", ["walker", "hand"])
@pytest.mark.parametrize("jacobian", [0, 1], ids=["dense", "sparse"])
@pytest.mark.parametrize("integrator", [0, enums.INT_RK4], ids=["Euler", "RK4"])
def test_models_of_all_kinds_move_as_without(name, jacobian, integrator):
    model = kinetree.load(MODELS / f"{name}.xml")
    model.opt.jacobian, model.opt.integrator = jacobian, integrator
    alone, _ = after(model, None)
    with kinetree.Threads(3) as threads:
        assert after(model, threads)[0] == alone


def test_other_solvers_and_functions_take_threads_too():
    model = load("piles")
    model.opt.solver, model.opt.noslip_iterations = enums.SOL_PGS, 2
    alone, data = after(model, None)
    kinetree.forward(model, data)
    kinetree.inverse(model, data)
    with kinetree.Threads(2) as threads:
        shared, other = after(model, threads)
        kinetree.forward(model, other)
        kinetree.inverse(model, other)
    assert shared == alone
    assert other.qfrc_inverse.tobytes() == data.qfrc_inverse.tobytes()


@pytest.mark.parametrize("name", ["piles", "crowd"])
@pytest.mark.parametrize("solver", [enums.SOL_NEWTON, enums.SOL_CG], ids=["Newton", "CG"])
def test_memory_may_run_out_while_threads_work(name, solver):
    model = load(name)
    model.opt.solver = solver
    alone, _ = after(model, None, (6,))
    with kinetree.Threads(3) as threads:
        one_by_one, at_once = kinetree.Data(model), kinetree.Data(model)
        one_by_one.threads = at_once.threads = threads
        shrink(at_once, CAPACITIES)
        kinetree.step(model, at_once, 6)
        for _ in range(6):
            shrink(one_by_one, CAPACITIES)
            kinetree.step(model, one_by_one)
    assert results(one_by_one) == results(at_once) == alone


@pytest.mark.parametrize("solver", [enums.SOL_NEWTON, enums.SOL_CG], ids=["Newton", "CG"])
def test_a_simulation_that_diverges_is_reset_as_without(solver):
    model = load("piles")
    model.opt.solver = solver
    found = []
    with kinetree.Threads(3) as threads:
        for pool in (None, threads):
            data = kinetree.Data(model)
            data.threads = pool
            kinetree.step(model, data, 20)
            data.qfrc_applied[7] = np.nan
            data.qfrc_applied[20] = 1e200
            kinetree.step(model, data, 30)
            assert data.warning[enums.WARN_BADQACC, 1] > 0 and data.nreset > 0
            found.append(results(data))
    assert found[0] == found[1]


def test_an_error_in_a_hook_frees_the_threads():
    model, calls = load("piles"), []

    def fail(model, data):
        calls.append(data.time)
        if len(calls) == 5:
            raise ValueError("the hook fails")

    with kinetree.Threads(2) as threads:
        data = kinetree.Data(model)
        data.threads, data.hooks = threads, kinetree.Hooks(control=fail)
        with pytest.raises(ValueError, match="the hook fails"):
            kinetree.step(model, data, 30)
        assert data.pool == 0
        data.hooks = None
        kinetree.step(model, data, 30)
        assert after(model, threads)[0] == after(model, None)[0]


def test_two_data_in_two_threads():
    """With pools of their own, and with one for both, which helps the one that comes first."""
    model = load("crowd")
    alone, _ = after(model, None, (40,) * 5)
    with kinetree.Threads(2) as first, kinetree.Threads(3) as second:
        for pools in ((first, second), (first, first)):
            found: list = [None, None]

            def run(k, pools=pools, found=found):
                found[k], _ = after(model, pools[k], (40,) * 5)

            runners = [threading.Thread(target=run, args=(k,)) for k in range(2)]
            for runner in runners:
                runner.start()
            for runner in runners:
                runner.join()
            assert found == [alone, alone]


def test_a_closed_pool_is_refused_and_can_be_taken_away():
    model = load("piles")
    before = threading.active_count()
    threads = kinetree.Threads(4)
    assert threads.number == 4 and threading.active_count() == before + 3
    threads.close()
    threads.close()
    assert threading.active_count() == before
    data = kinetree.Data(model)
    data.threads = threads
    with pytest.raises(RuntimeError, match="closed"):
        kinetree.step(model, data)
    data.threads = None
    kinetree.step(model, data)


def test_threads_end_with_their_pool():
    before = threading.active_count()
    kinetree.Threads(3)
    assert threading.active_count() == before


@pytest.mark.parametrize("number", [0, -1])
def test_a_pool_has_at_least_one_thread(number):
    with pytest.raises(ValueError, match="at least 1"):
        kinetree.Threads(number)


def test_what_threads_have_of_their_own_has_a_fixed_size():
    own = [field for field in TABLES["Data"] if field.thread]
    assert own and all(isinstance(n, int) for field in own for n in field.shape)
    assert all(field.role == "scratch" for field in own)


def test_a_reset_keeps_the_pool():
    model = load("piles")
    with kinetree.Threads(2) as threads:
        data = kinetree.Data(model)
        data.threads = threads
        kinetree.step(model, data, 5)
        kinetree.reset(model, data)
        kinetree.step(model, data, 30)
        assert results(data) == after(model, None)[0]
