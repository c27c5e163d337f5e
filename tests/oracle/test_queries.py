"""Functions for callers against mujoco's: Jacobians, object velocities, products with M, positions, states, contacts."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from tests.oracle.bridge import copy_state, model_from
from tests.oracle.constrained import CONSTRAINED, settle
from tests.oracle.models import SENSOR_MODEL, SMOOTH_MODELS
from tests.oracle.test_integrators import DRIVEN
from tests.oracle.test_smooth import random_state

MODELS = {**SMOOTH_MODELS, "sensors": SENSOR_MODEL, "driven": DRIVEN}
CLOSE = {"rtol": 1e-10, "atol": 1e-10}


@pytest.fixture(scope="module", params=MODELS)
def case(request):
    m = mujoco.MjModel.from_xml_string(MODELS[request.param])
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    d, model = mujoco.MjData(m), model_from(m)
    data = kinetree.Data(model)
    random_state(m, d, np.random.default_rng(1))
    copy_state(m, d, data)
    mujoco.mj_forward(m, d)
    mujoco.mj_rnePostConstraint(m, d)
    kinetree.forward(model, data)
    return m, d, model, data


def pair(m, function, *args):
    jacp, jacr = np.zeros((3, m.nv)), np.zeros((3, m.nv))
    function(*args[:2], jacp, jacr, *args[2:])
    return jacp, jacr


def test_jacobians(case):
    m, d, model, data = case
    for body in range(m.nbody):
        point = np.array([0.3, -0.2, 0.5]) + d.xpos[body]
        for ours, theirs in (
            (kinetree.jac(model, data, point, body), pair(m, mujoco.mj_jac, m, d, point, body)),
            (kinetree.jac_dot(model, data, point, body), pair(m, mujoco.mj_jacDot, m, d, point, body)),
            (kinetree.jac_body(model, data, body), pair(m, mujoco.mj_jacBody, m, d, body)),
            (kinetree.jac_body_com(model, data, body), pair(m, mujoco.mj_jacBodyCom, m, d, body)),
        ):
            np.testing.assert_allclose(ours, theirs, **CLOSE)
        jacp = np.zeros((3, m.nv))
        mujoco.mj_jacSubtreeCom(m, d, jacp, body)
        np.testing.assert_allclose(kinetree.jac_subtree_com(model, data, body), jacp, **CLOSE)
        force, torque, result = np.array([1.0, 2, 3]), np.array([-3.0, 1, 2]), np.zeros(m.nv)
        mujoco.mj_applyFT(m, d, force, torque, point, body, result)
        np.testing.assert_allclose(kinetree.apply_ft(model, data, force, torque, point, body), result, **CLOSE)
    for geom in range(m.ngeom):
        np.testing.assert_allclose(
            kinetree.jac_geom(model, data, geom), pair(m, mujoco.mj_jacGeom, m, d, geom), **CLOSE
        )
    for site in range(m.nsite):
        np.testing.assert_allclose(
            kinetree.jac_site(model, data, site), pair(m, mujoco.mj_jacSite, m, d, site), **CLOSE
        )
    for tendon in range(m.ntendon):
        row = kinetree.jac_tendon(model, data, tendon)
        assert row @ d.qvel == pytest.approx(d.ten_velocity[tendon], abs=1e-10)


def test_motion_of_objects(case):
    m, d, model, data = case
    kinds = {
        "body": ("BODY", m.nbody),
        "xbody": ("XBODY", m.nbody),
        "geom": ("GEOM", m.ngeom),
        "site": ("SITE", m.nsite),
        "camera": ("CAMERA", m.ncam),
    }
    for kind, (name, count) in kinds.items():
        obj = getattr(mujoco.mjtObj, f"mjOBJ_{name}")
        for i in range(count):
            for local in (False, True):
                theirs = np.zeros(6)
                mujoco.mj_objectVelocity(m, d, obj, i, theirs, local)
                np.testing.assert_allclose(kinetree.object_velocity(model, data, kind, i, local), theirs, **CLOSE)
                mujoco.mj_objectAcceleration(m, d, obj, i, theirs, local)
                scale = max(1.0, np.abs(theirs).max())
                ours = kinetree.object_acceleration(model, data, kind, i, local)
                np.testing.assert_allclose(ours / scale, theirs / scale, **CLOSE)


def test_products_with_the_inertia(case):
    m, d, model, data = case
    x = np.random.default_rng(2).normal(size=(3, m.nv))
    theirs = np.zeros_like(x)
    for row, result in zip(x, theirs, strict=True):
        mujoco.mj_mulM(m, d, result, row)
    np.testing.assert_allclose(kinetree.mul_m(model, data, x), theirs, **CLOSE)
    np.testing.assert_allclose(kinetree.mul_m(model, data, x[0]), theirs[0], **CLOSE)
    np.testing.assert_allclose(kinetree.solve_m(model, data, theirs), x, rtol=1e-7, atol=1e-7)
    with pytest.raises(ValueError, match="x must be an array"):
        kinetree.mul_m(model, data, np.zeros(m.nv + 1))


def test_quantities_on_request(case):
    m, d, model, data = case
    d.xfrc_applied[:] = data.xfrc_applied[:] = np.random.default_rng(3).normal(size=(m.nbody, 6))
    mujoco.mj_forward(m, d)
    kinetree.forward(model, data)
    names = ("cacc", "cfrc_int", "cfrc_ext", "subtree_linvel", "subtree_angmom")
    for name in names:
        getattr(data, name)[...] = np.nan
    mujoco.mj_rnePostConstraint(m, d)
    mujoco.mj_subtreeVel(m, d)
    kinetree.rne_post_constraint(model, data)
    kinetree.subtree_vel(model, data)
    for name in names:
        theirs = getattr(d, name)
        scale = max(1.0, np.abs(theirs).max(initial=0.0))
        np.testing.assert_allclose(getattr(data, name) / scale, theirs / scale, **CLOSE, err_msg=name)


@pytest.mark.parametrize("name", CONSTRAINED)
def test_external_forces_of_constraints(name):
    """A model without sensors: only a request computes them."""
    m = mujoco.MjModel.from_xml_string(CONSTRAINED[name])
    d, model = mujoco.MjData(m), model_from(m)
    data = kinetree.Data(model)
    settle(m, d, 100, np.random.default_rng(5))
    copy_state(m, d, data)
    mujoco.mj_forward(m, d)
    mujoco.mj_rnePostConstraint(m, d)
    kinetree.forward(model, data)
    kinetree.rne_post_constraint(model, data)
    scale = max(1.0, np.abs(d.cfrc_ext).max())
    np.testing.assert_allclose(data.cfrc_ext / scale, d.cfrc_ext / scale, rtol=0, atol=1e-6)


def test_positions(case):
    m, d, model, _ = case
    rng = np.random.default_rng(4)
    other = mujoco.MjData(m)
    random_state(m, other, rng)
    theirs = np.zeros(m.nv)
    mujoco.mj_differentiatePos(m, theirs, 0.3, d.qpos, other.qpos)
    velocity = kinetree.differentiate_pos(model, d.qpos, other.qpos, 0.3)
    np.testing.assert_allclose(velocity, theirs, **CLOSE)
    moved = d.qpos.copy()
    mujoco.mj_integratePos(m, moved, velocity, 0.3)
    np.testing.assert_allclose(kinetree.integrate_pos(model, d.qpos, velocity, 0.3), moved, **CLOSE)
    with pytest.raises(ValueError, match="qvel must be an array"):
        kinetree.integrate_pos(model, d.qpos, np.zeros(m.nv + 1), 0.3)


def test_states(case):
    m, d, model, data = case
    for parts in [1 << bit for bit in range(13)] + [
        int(kinetree.State.PHYSICS),
        int(kinetree.State.FULLPHYSICS),
        int(kinetree.State.USER),
        int(kinetree.State.INTEGRATION),
    ]:
        theirs = np.zeros(mujoco.mj_stateSize(m, parts))
        mujoco.mj_getState(m, d, theirs, parts)
        ours = kinetree.get_state(model, data, parts)
        assert kinetree.state_size(model, parts) == len(theirs) == len(ours)
        if parts & int(kinetree.State.WARMSTART) == 0:
            assert np.array_equal(ours, theirs), parts
    for name in ("PHYSICS", "FULLPHYSICS", "USER", "INTEGRATION"):
        assert getattr(kinetree.State, name) == getattr(mujoco.mjtState, f"mjSTATE_{name}")


def test_a_state_that_is_put_back_goes_on_to_the_same_bits():
    model = kinetree.load_string(CONSTRAINED["contacts"])
    data = kinetree.Data(model)
    kinetree.step(model, data, 20)
    state = kinetree.get_state(model, data, kinetree.State.INTEGRATION)
    kinetree.step(model, data, 30)
    end = kinetree.get_state(model, data, kinetree.State.INTEGRATION)
    other = kinetree.Data(model)
    kinetree.set_state(model, other, state, kinetree.State.INTEGRATION)
    kinetree.step(model, other, 30)
    assert np.array_equal(kinetree.get_state(model, other, kinetree.State.INTEGRATION), end)
    with pytest.raises(ValueError, match="the state must be an array"):
        kinetree.set_state(model, other, state[1:], kinetree.State.INTEGRATION)
    with pytest.raises(ValueError, match="parts"):
        kinetree.get_state(model, other, 1 << 13)


@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
def test_contact_forces(cone):
    m = mujoco.MjModel.from_xml_string(CONSTRAINED["contacts"])
    m.opt.cone = cone
    d, model = mujoco.MjData(m), model_from(m)
    settle(m, d, 40, np.random.default_rng(0))
    data = kinetree.Data(model)
    copy_state(m, d, data)
    kinetree.forward(model, data)
    mujoco.mj_forward(m, d)
    assert data.ncon == d.ncon > 3
    total, dims = np.zeros((model.nbody, 3)), set()
    for i in range(d.ncon):
        theirs = np.zeros(6)
        mujoco.mj_contactForce(m, d, i, theirs)
        (match,) = np.flatnonzero(np.abs(data.contact.pos - d.contact.pos[i]).max(axis=1) < 1e-9)
        ours = kinetree.contact_force(model, data, int(match))
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4 * max(1.0, np.abs(theirs).max()))
        world = kinetree.contact_force(model, data, int(match), "world")
        frame = data.contact.frame[match].reshape(3, 3)
        np.testing.assert_allclose(frame @ world[:3], ours[:3], atol=1e-9 * max(1.0, np.abs(ours).max()))
        dims.add(int(d.contact.dim[i]))
        for side, sign in ((0, -1), (1, 1)):
            total[model.geom_bodyid[data.contact.geom[match, side]]] += sign * world[:3]
    assert len(dims) > 1 and np.abs(total[0]).max() > 0  # actio est reactio
    np.testing.assert_allclose(total.sum(axis=0), 0, atol=1e-9 * np.abs(total).max())
    with pytest.raises(IndexError, match="no contact"):
        kinetree.contact_force(model, data, data.ncon)
    with pytest.raises(ValueError, match="frame"):
        kinetree.contact_force(model, data, 0, "global")


def test_what_is_not_there():
    model = kinetree.load_string(
        "<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    assert np.array_equal(kinetree.jac_body(model, data, "b")[0], kinetree.jac_body(model, data, 1)[0])
    with pytest.raises(KeyError, match="no body is named"):
        kinetree.jac_body(model, data, "c")
    with pytest.raises(IndexError, match="no site 0"):
        kinetree.jac_site(model, data, 0)
    with pytest.raises(ValueError, match="an object with a frame"):
        kinetree.object_velocity(model, data, "joint", 0)
