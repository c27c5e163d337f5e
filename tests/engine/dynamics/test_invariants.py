"""Invariants of any correct engine, independent of a reference: conservation, symmetry, optimality, determinism."""

from __future__ import annotations

import subprocess
import sys
import threading
import tracemalloc

import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.query.inspect import efc_J
from kinetree.engine.model import enums
from kinetree.engine.model.data import Data
from kinetree.engine.model.fields import CAPACITIES, TABLES
from tests.conftest import ROOT
from tests.patience import wait_for

MODELS = ROOT / "resources" / "models"
FENCE = 1024

CHAIN = """<mujoco><option timestep="{dt}" gravity="0 0 -9.81">
 <flag energy="enable" contact="disable"/></option>
<worldbody><body><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .4 0 0"/>
 <body pos=".4 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 .1"/>
  <body pos=".3 0 .1"><joint type="ball"/><geom type="box" size=".1 .05 .08" pos=".1 0 0"/></body>
 </body></body></worldbody></mujoco>"""

# Different shapes, so that nothing cancels by symmetry; the third bounces between the others.
FLYING = """<mujoco><option timestep=".001" gravity="0 0 0" cone="{cone}" iterations="200" tolerance="0"/>
<default><geom condim="1" solref="{solref}"/></default><worldbody>
 <body pos="0 0 0" euler="10 20 30"><freejoint/><geom type="box" size=".1 .2 .15"/></body>
 <body pos=".6 .05 .02" euler="40 0 5"><freejoint/><geom type="capsule" size=".1 .2"/></body>
 <body pos="1.2 -.1 0"><freejoint/><geom size=".15"/></body></worldbody></mujoco>"""

HEAP = """<mujoco><option timestep=".002" cone="{cone}" iterations="200" tolerance="1e-13"/><worldbody>
 <geom type="plane" size="3 3 .1"/>
 <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
 <body pos=".05 .02 .3" euler="3 4 5"><freejoint/><geom type="box" size=".08 .1 .1" condim="4"/></body>
 <body pos=".4 0 .1"><freejoint/><geom size=".1" condim="6"/></body>
 <body pos=".4 .02 .32"><freejoint/><geom type="capsule" size=".07 .05" condim="1"/></body>
 <body pos="-.5 0 .15"><joint axis="0 1 0" range="-20 20" limited="true" frictionloss=".1"/>
  <geom type="capsule" size=".05" fromto="0 0 0 .3 0 -.1"/></body></worldbody></mujoco>"""


def run_to(model, data, seconds):
    kinetree.step(model, data, round(seconds / model.opt.timestep))
    kinetree.forward(model, data)


def bits(data) -> bytes:
    """All that has a meaning after a step, as bytes."""
    names = [
        "qpos",
        "qvel",
        "act",
        "qacc",
        "qacc_warmstart",
        "qfrc_constraint",
        "sensordata",
        "efc_force",
        "xpos",
    ]
    return b"".join(np.ascontiguousarray(getattr(data, name)).tobytes() for name in names)


# ---- conservation ------------------------------------------------------------------------------------------


def test_energy_error_of_a_pendulum_chain_shrinks_with_the_step():
    """Semi-implicit Euler is of first order: half the step, half the error."""
    errors = []
    for dt in (4e-4, 2e-4, 1e-4):
        model = kinetree.load_string(CHAIN.format(dt=dt))
        data = kinetree.Data(model)
        data.qvel[2] = 3.0
        kinetree.forward(model, data)
        start = data.energy.sum()
        worst = 0.0
        for _ in range(20):
            run_to(model, data, 0.05)
            worst = max(worst, abs(data.energy.sum() - start))
        errors.append(worst)
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert ((orders > 0.8) & (orders < 1.3)).all(), (errors, orders)
    assert errors[-1] < 0.02 * start


def momentum(model, data) -> tuple[np.ndarray, np.ndarray]:
    """Linear momentum and angular momentum about the origin, of free bodies, from velocities and inertias
    alone.
    """
    linear, angular = np.zeros(3), np.zeros(3)
    for j in range(model.njnt):
        body, dof = model.jnt_bodyid[j], model.jnt_dofadr[j]
        rotation = data.ximat[body].reshape(3, 3)
        turn = data.xmat[body].reshape(3, 3) @ data.qvel[dof + 3 : dof + 6]
        velocity = data.qvel[dof : dof + 3] + np.cross(turn, data.xipos[body] - data.xpos[body])
        p = model.body_mass[body] * velocity
        linear += p
        angular += np.cross(data.xipos[body], p)
        angular += rotation @ (model.body_inertia[body] * (rotation.T @ turn))
    return linear, angular


def throw(model):
    data = kinetree.Data(model)
    data.qvel[:] = [0.5, 0, 0, 1, -2, 3, 0, 0.1, 0, 0, 1, 0, -1.5, 0.2, 0.1, 2, 1, 0]
    kinetree.forward(model, data)
    return data


def test_momentum_of_free_flight():
    """Without contact: linear momentum to the last digits; angular to the order of the step."""
    model = kinetree.load_string(FLYING.format(cone="pyramidal", solref=".02 1"))
    model.opt.disableflags |= 1 << 4
    gaps = []
    for dt in (1e-3, 5e-4):
        model.opt.timestep = dt
        data = throw(model)
        linear, angular = momentum(model, data)
        run_to(model, data, 0.5)
        now = momentum(model, data)
        np.testing.assert_allclose(now[0], linear, rtol=0, atol=1e-11 * np.abs(linear).max())
        gaps.append(np.abs(now[1] - angular).max() / np.abs(angular).max())
    assert gaps[1] < 0.65 * gaps[0] < 0.05


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solref", ["-20000 0", ".01 1"])
def test_momentum_after_frictionless_contact(cone, solref):
    """Contact forces come in pairs, with one line of action: they change no total momentum."""
    model = kinetree.load_string(FLYING.format(cone=cone, solref=solref))
    data = throw(model)
    linear, angular = momentum(model, data)
    touched = 0
    for _ in range(700):
        kinetree.step(model, data)
        touched += data.ncon > 0
    kinetree.forward(model, data)
    assert touched > 3
    now = momentum(model, data)
    np.testing.assert_allclose(now[0], linear, rtol=0, atol=1e-9 * np.abs(linear).max())
    assert np.abs(now[1] - angular).max() < 0.02 * np.abs(angular).max()


def test_undamped_contact_gives_the_velocity_back():
    """A ball on an undamped contact is thrown back as fast as it came, but for the order of the step.

    With solimp constant the contact is a linear spring whatever the depth.
    """
    text = """<mujoco><option timestep="{dt}" gravity="0 0 0" iterations="100" tolerance="0"/><default>
     <geom condim="1" solref="-1000 0" solimp=".9 .9 .001"/></default>
      <worldbody><geom type="plane" size="1 1 1"/>
     <body pos="0 0 .2"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    lost = []
    for dt in (1e-3, 2.5e-4):
        model = kinetree.load_string(text.format(dt=dt))
        data = kinetree.Data(model)
        data.qvel[2] = -1.0
        run_to(model, data, 0.5)
        assert data.qvel[2] > 0 and data.ncon == 0
        lost.append(abs(data.qvel[2] - 1.0))
    assert lost[1] < 0.02 and lost[1] <= lost[0]


# ---- symmetry ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_mirrored_model_gives_mirrored_motion(cone):
    """Reflection in the plane y = 0: positions and velocities as vectors, rotations as axial vectors."""
    text = """<mujoco><option timestep=".002" cone="{cone}" iterations="200" tolerance="1e-14"/><worldbody>
     <geom type="plane" size="2 2 .1"/>
     <body pos="0 {y1} .5" quat=".9 {qx} .2 {qz}"><freejoint/><geom type="capsule" size=".08 .15"/>
      <body pos=".1 {y2} .1"><joint type="hinge" axis="{ax} .4 {az}" damping=".01"/>
       <geom type="sphere" size=".1" pos=".1 {y3} .05"/></body></body></worldbody></mujoco>"""

    def build(s):
        return kinetree.load_string(
            text.format(
                cone=cone,
                y1=0.1 * s,
                qx=0.1 * s,
                qz=0.3 * s,
                y2=0.05 * s,
                ax=0.3 * s,
                az=0.7 * s,
                y3=0.02 * s,
            )
        )

    one, other = build(1), build(-1)
    vector, axial = np.array([1, -1, 1.0]), np.array([-1, 1, -1.0])
    a, b = kinetree.Data(one), kinetree.Data(other)
    a.qvel[:] = [0.4, 0.3, -0.5, 1, 2, 3, 0.7]
    b.qvel[:] = [*(vector * a.qvel[:3]), *(axial * a.qvel[3:6]), 0.7]
    touched = 0
    for _ in range(150):
        kinetree.step(one, a)
        kinetree.step(other, b)
        touched += a.ncon > 0
        assert a.ncon == b.ncon
    assert touched > 10
    np.testing.assert_allclose(b.qpos[:3], vector * a.qpos[:3], atol=1e-6)
    np.testing.assert_allclose(b.qpos[4:7], axial * a.qpos[4:7], atol=1e-6)
    np.testing.assert_allclose(b.qpos[[3, 7]], a.qpos[[3, 7]], atol=1e-6)
    np.testing.assert_allclose(b.qvel[:3], vector * a.qvel[:3], atol=1e-5)


# ---- constraint forces -------------------------------------------------------------------------------------


def contact_wrenches(data, c, cone) -> np.ndarray:
    """Force and torque in the contact frame, from the rows."""
    row, dim = data.contact.efc_address[c], data.contact.dim[c]
    force = np.zeros(6)
    if dim == 1 or cone == "elliptic":
        force[:dim] = data.efc_force[row : row + dim]
    else:
        edges = data.efc_force[row : row + 2 * dim - 2]
        force[0] = edges.sum()
        force[1:dim] = data.contact.friction[c, : dim - 1] * (edges[::2] - edges[1::2])
    return force


def settled(cone, seconds=0.3):
    model = kinetree.load_string(HEAP.format(cone=cone))
    data = kinetree.Data(model)
    run_to(model, data, seconds)
    assert data.ncon >= 6
    return model, data


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_forces_of_contacts_are_all_that_moves_the_bodies(cone):
    """Newton's law for every free body with forces put together from the contacts, equal and opposite on the
    two.
    """
    model, data = settled(cone)
    total = np.zeros((model.nbody, 3))
    for c in range(data.ncon):
        if data.contact.efc_address[c] < 0:
            continue
        frame = data.contact.frame[c].reshape(3, 3)
        push = frame.T @ contact_wrenches(data, c, cone)[:3]
        one, two = (model.geom_bodyid[g] for g in data.contact.geom[c])
        total[one] -= push
        total[two] += push
    for j in np.flatnonzero(model.jnt_type == 0):
        body, dof = model.jnt_bodyid[j], model.jnt_dofadr[j]
        weight = model.body_mass[body] * model.opt.gravity
        expected = model.body_mass[body] * data.qacc[dof : dof + 3]
        np.testing.assert_allclose(total[body] + weight, expected, atol=1e-7 * np.abs(weight).max())


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_solution_is_the_optimum(cone):
    """qfrc_constraint = J^T f; the gradient vanishes; forces are dual feasible and complementary."""
    model, data = settled(cone)
    J = efc_J(model, data)
    force = data.efc_force
    np.testing.assert_allclose(data.qfrc_constraint, J.T @ force, atol=1e-9 * max(1, np.abs(force).max()))
    gradient = kinetree.full_m(model, data) @ data.qacc - data.qfrc_smooth - J.T @ force
    assert np.linalg.norm(gradient) < 1e-7 * max(1.0, np.linalg.norm(data.qfrc_smooth))
    jar = J @ data.qacc - data.efc_aref
    for row in range(data.nefc):
        if data.efc_type[row] in (enums.CNSTR_CONTACT_ELLIPTIC,):
            continue
        if data.efc_frictionloss[row] > 0:
            assert abs(force[row]) <= data.efc_frictionloss[row] + 1e-12
        elif data.efc_type[row] >= enums.CNSTR_CONTACT_FRICTIONLESS or row >= data.ne + data.nf:
            # unilateral: never pulls; where it does not touch its cone's edge it makes no force
            assert force[row] >= 0.0
            slack = jar[row] + data.efc_R[row] * force[row]
            assert slack >= -1e-6 * max(1, abs(data.efc_aref[row]))
            assert abs(force[row] * slack) < 1e-5 * max(1.0, force[row] * abs(data.efc_aref[row]))
    if cone == "elliptic":
        for c in range(data.ncon):
            dim = data.contact.dim[c]
            if dim > 1 and data.contact.efc_address[c] >= 0:
                wrench = contact_wrenches(data, c, cone)
                slip = np.linalg.norm(wrench[1:dim] / data.contact.friction[c, : dim - 1])
                assert wrench[0] >= 0.0
                assert slip <= wrench[0] * (1 + 1e-6) + 1e-9


def test_weight_rests_on_the_floor():
    """At rest the floor carries the weight of all."""
    model = kinetree.load_string(HEAP.format(cone="elliptic"))
    data = kinetree.Data(model)
    run_to(model, data, 4.0)
    free = [model.jnt_bodyid[j] for j in np.flatnonzero(model.jnt_type == 0)]
    push = 0.0
    for c in range(data.ncon):
        bodies = [model.geom_bodyid[g] for g in data.contact.geom[c]]
        if bodies[0] == 0 and bodies[1] in free:
            push += data.contact.frame[c].reshape(3, 3)[:, 2] @ contact_wrenches(data, c, "elliptic")[:3]
    assert push == pytest.approx(model.body_mass[free].sum() * 9.81, rel=0.02)


# ---- determinism -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_a_stack_comes_to_rest(cone):
    """Close to rest a Newton step gains less than the rounding of the cost. It must be taken all the same, or the last
    accelerations stay and the stack starts to move again.
    """
    dice = "".join(
        f'<body pos="0 0 {0.02 + 0.04 * i}" euler="0 0 {15 * i}"><freejoint/><geom type="box" size=".02 .02 .02"/></body>'
        for i in range(5)
    )
    model = kinetree.load_string(f"""<mujoco><option cone="{cone}" integrator="implicitfast"/><worldbody>
     <geom type="plane" size="1 1 1"/>{dice}</worldbody></mujoco>""")
    data = kinetree.Data(model)
    run_to(model, data, 2.0)
    for _ in range(10):
        run_to(model, data, 0.2)
        assert np.abs(data.qvel).max() < 1e-12


def test_same_bits_again_and_in_steps_of_any_number():
    model = kinetree.load(MODELS / "boxes.xml")
    first, again, single = kinetree.Data(model), kinetree.Data(model), kinetree.Data(model)
    kinetree.step(model, first, 60)
    kinetree.step(model, again, 60)
    for _ in range(60):
        kinetree.step(model, single)
    assert bits(first) == bits(again)
    assert bits(first) == bits(single)
    assert first.time == pytest.approx(60 * model.opt.timestep)


def test_same_bits_in_another_process():
    code = (
        "import kinetree, hashlib; from tests.engine.dynamics.test_invariants import bits, MODELS\n"
        "m = kinetree.load(MODELS / 'walker.xml'); d = kinetree.Data(m); kinetree.step(m, d, 80)\n"
        "print(hashlib.sha256(bits(d)).hexdigest())"
    )
    command = [sys.executable, "-c", code]
    results = {subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout for _ in range(2)}
    assert len(results) == 1


class Fenced(Data):
    """A Data with a strip of known bytes before and after every array."""

    def __init__(self, model):
        object.__setattr__(self, "fences", {})
        super().__init__(model)
        for field in TABLES["Data"]:
            if field.kind == "array":
                self._allocate(field)
        kinetree.reset(model, self)

    def _move(self, field, array):
        whole = np.full(array.nbytes + 2 * FENCE, 0xA5, np.uint8)
        inside = whole[FENCE : FENCE + array.nbytes].view(array.dtype).reshape(array.shape)
        inside[...] = array
        self.fences[field.name] = whole[:FENCE], whole[FENCE + array.nbytes :]
        super()._move(field, inside)

    def trespassed(self) -> list[str]:
        """Arrays with writes out of their bounds."""
        return [name for name, strips in self.fences.items() if any((strip != 0xA5).any() for strip in strips)]

    def shrink(self) -> None:
        """Leave hardly any room in growing arrays."""
        for name in CAPACITIES:
            self.resize(name, 1)


@pytest.mark.parametrize("name", ["boxes", "walker", "hand"])
def test_growth_in_the_middle_of_a_step_changes_no_bit(name):
    model = kinetree.load(MODELS / f"{name}.xml")
    roomy, small = kinetree.Data(model), Fenced(model)
    small.shrink()
    before = small._sizes["njmax"]
    for _ in range(5):
        kinetree.step(model, roomy, 10)
        kinetree.step(model, small, 10)
        assert bits(roomy) == bits(small)
        assert small.time == roomy.time
        assert not small.trespassed()
    assert small._sizes["njmax"] > before
    kinetree.reset(model, small)
    kinetree.reset(model, roomy)
    kinetree.step(model, small, 10)
    kinetree.step(model, roomy, 10)
    assert bits(roomy) == bits(small)


def test_reset_is_a_fresh_data():
    for name in ("walker", "boxes", "arm", "hand"):
        model = kinetree.load(MODELS / f"{name}.xml")
        used, fresh = kinetree.Data(model), kinetree.Data(model)
        rng = np.random.default_rng(3)
        used.ctrl[:] = rng.uniform(-1, 1, model.nu)
        used.xfrc_applied[:] = rng.normal(size=used.xfrc_applied.shape)
        kinetree.step(model, used, 30)
        kinetree.reset(model, used)
        for data in (used, fresh):
            kinetree.step(model, data, 20)
        assert bits(used) == bits(fresh), name


def test_keyframes():
    for path in sorted(MODELS.glob("*.xml")):
        model = kinetree.load(path)
        assert model.nkey, path
        for key, name in enumerate(model.names["key"]):
            data = kinetree.Data(model)
            kinetree.step(model, data, 3)
            kinetree.reset(model, data, name or key)
            for field in ("qpos", "qvel", "act", "ctrl"):
                np.testing.assert_array_equal(getattr(data, field), getattr(model, "key_" + field)[key])
            np.testing.assert_array_equal(data.mocap_pos.ravel(), model.key_mpos[key])
            np.testing.assert_array_equal(data.mocap_quat.ravel(), model.key_mquat[key])
            assert data.time == model.key_time[key]
    with pytest.raises(IndexError):
        kinetree.reset(model, data, model.nkey)
    with pytest.raises(IndexError):
        kinetree.reset(model, data, -1)
    with pytest.raises(KeyError):
        kinetree.reset(model, data, "no such keyframe")


# ---- memory and threads ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["walker", "boxes", "hand"])
def test_a_step_allocates_nothing(name):
    """In Python; that compiled code does not: tests/engine/jit/test_object_code.py."""
    model = kinetree.load(MODELS / f"{name}.xml")
    data = kinetree.Data(model)
    kinetree.step(model, data, 400)  # bound, compiled, grown for these steps
    kinetree.reset(model, data)

    tracemalloc.start()
    try:
        kinetree.step(model, data, 1)
        before = tracemalloc.take_snapshot()
        kinetree.step(model, data, 50)
        after = tracemalloc.take_snapshot()
    finally:
        tracemalloc.stop()
    grown = [s for s in after.compare_to(before, "filename") if "tracemalloc" not in s.traceback[0].filename]
    assert sum(max(0, s.size_diff) for s in grown) < 2048, grown[:5]


def test_other_threads_run_while_the_engine_steps():
    model = kinetree.load(MODELS / "boxes.xml")
    data = kinetree.Data(model)
    kinetree.step(model, data)
    done, counts = threading.Event(), []

    def count():
        n = 0
        while not done.is_set():
            n += 1
        counts.append(n)

    counter = threading.Thread(target=count)
    counter.start()

    def others_ran() -> bool:
        """Waits of another thread ended while one call to step was under way."""
        ticks = []
        watcher = threading.Thread(target=lambda: [ticks.append(done.wait(0.002)) for _ in range(10)])
        watcher.start()
        kinetree.step(model, data, 400)
        inside = len(ticks)
        watcher.join()
        return inside >= 5

    wait_for(others_ran)
    done.set()
    counter.join()
    assert counts[0] > 1000


def test_two_threads_step_one_model():
    """Two Data of one model share nothing."""
    model = kinetree.load(MODELS / "boxes.xml")
    alone = kinetree.Data(model)
    kinetree.step(model, alone, 100)
    together = [kinetree.Data(model) for _ in range(2)]
    threads = [threading.Thread(target=kinetree.step, args=(model, data, 100)) for data in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bits(together[0]) == bits(together[1]) == bits(alone)


# ---- a state that has gone bad -----------------------------------------------------------------------------

BAD = [np.nan, np.inf, -np.inf, 1e11]
POLES = """<mujoco><worldbody><body><joint axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body>
 <body pos="0 2 0"><joint name="j" axis="0 1 0" damping=".1"/><geom size=".1" pos=".1 0 0"/></body>
  </worldbody>
 <actuator><motor name="m" joint="j"/><motor joint="j"/></actuator></mujoco>"""


@pytest.mark.parametrize("value", BAD)
@pytest.mark.parametrize(("field", "warning"), [("qpos", enums.WARN_BADQPOS), ("qvel", enums.WARN_BADQVEL)])
def test_bad_state_is_reset_with_a_warning(field, warning, value):
    model = kinetree.load_string(POLES)
    data, fresh = kinetree.Data(model), kinetree.Data(model)
    kinetree.step(model, data, 5)
    getattr(data, field)[1] = value
    kinetree.step(model, data)
    kinetree.step(model, fresh)
    np.testing.assert_array_equal(data.warning[warning], [1, 1])
    assert data.warning[:, 1].sum() == 1
    assert bits(data) == bits(fresh)
    assert data.time == fresh.time


@pytest.mark.parametrize("value", BAD)
def test_bad_control_counts_as_none(value):
    model = kinetree.load_string(POLES)
    data, idle = kinetree.Data(model), kinetree.Data(model)
    data.ctrl[:] = [0.5, value]
    kinetree.step(model, data)
    kinetree.step(model, idle)
    np.testing.assert_array_equal(data.warning[enums.WARN_BADCTRL], [1, 1])
    np.testing.assert_array_equal(data.actuator_force, 0)
    np.testing.assert_array_equal(data.qpos, idle.qpos)
    data.ctrl[1] = 0
    kinetree.forward(model, data)
    assert data.actuator_force[0] == 0.5


def test_huge_control_is_good_where_it_is_clamped():
    model = kinetree.load_string(POLES.replace('name="m"', 'ctrllimited="true" ctrlrange="-1 1"'))
    data = kinetree.Data(model)
    data.ctrl[0] = 1e11
    kinetree.forward(model, data)
    assert data.actuator_force[0] == 1.0
    assert not data.warning.any()


@pytest.mark.parametrize("field", ["qfrc_applied", "xfrc_applied"])
@pytest.mark.parametrize("value", BAD[:3])
def test_bad_force_is_reset_with_a_warning(field, value):
    model = kinetree.load_string(POLES)
    data = kinetree.Data(model)
    getattr(data, field)[-1] = value
    kinetree.step(model, data)
    assert data.warning[enums.WARN_BADQACC, 1] == 1
    assert np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all()
    assert not getattr(data, field).any()


@pytest.mark.parametrize("damping", ["0", "1"])
def test_a_model_bad_from_the_start_does_not_hang(damping):
    """A reset does not help where the rest pose itself has huge accelerations; each step still ends."""
    model = kinetree.load_string(
        f"""<mujoco><option gravity="0 0 1e20"/><worldbody><body><joint axis="0 1 0" damping="{damping}"/>
        <geom size=".1" pos=".1 0 0"/></body></worldbody></mujoco>"""
    )
    data = kinetree.Data(model)
    kinetree.step(model, data, 10)
    assert data.warning[:, 1].sum() >= 10


@pytest.mark.parametrize("name", ["boxes", "walker", "hand", "arm", "car"])
def test_bad_numbers_anywhere_do_not_hang(name):
    """Whatever a user writes into state and inputs: finite again after a few steps."""
    model = kinetree.load(MODELS / f"{name}.xml")
    rng = np.random.default_rng(11)
    for field in (
        "qpos",
        "qvel",
        "act",
        "ctrl",
        "qfrc_applied",
        "xfrc_applied",
        "qacc_warmstart",
        "mocap_pos",
    ):
        for value in (np.nan, np.inf, -1e9, 1e300):
            data = Fenced(model)
            kinetree.step(model, data, 2)
            array = getattr(data, field).reshape(-1)
            if not array.size:
                continue
            array[rng.integers(array.size)] = value
            kinetree.step(model, data, 3)
            data.ctrl[:], data.mocap_pos[...] = 0, np.nan_to_num(data.mocap_pos, posinf=0, neginf=0)
            data.mocap_pos[np.abs(data.mocap_pos) > 1e6] = 0
            kinetree.step(model, data, 3)
            assert not data.trespassed(), (field, value)
            assert np.isfinite(data.qpos).all(), (field, value)
            assert np.isfinite(data.qvel).all(), (field, value)
