"""How far a model, its dynamics and its motion are from the reference's: gaps by field, in units of a tolerance.

    kinematics(model, m)   where kinetree.kinematics puts everything, also of models that are not simulated yet
    forward(model, m)      what kinetree.forward computes, at states that the reference passes through
    rollout(model, m)      motion from the first keyframe (else qpos0), as far as the reference itself is sure of it

A gap above 1 is a difference; math.nan says that only we have a number. tests/oracle/compiled.py does the same for the
fields of compiled models.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np

import kinetree
from tests.oracle.bridge import copy_state, forward_on_contacts
from tests.oracle.compiled import distance, distance_of

POSES = {
    **dict.fromkeys(
        (
            "xpos", "xquat", "xmat", "xipos", "ximat", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat", "cam_xpos",
            "cam_xmat", "light_xpos", "light_xdir", "subtree_com", "flexvert_xpos",
        ),
        1e-9,
    ),
    "ten_length": 1e-8,
}  # fmt: skip
SMOOTH = {
    **POSES,
    **dict.fromkeys(
        (
            "ten_velocity", "actuator_length", "actuator_velocity", "cvel", "qfrc_bias", "qfrc_passive",
            "actuator_force", "qfrc_actuator", "act_dot",
        ),
        1e-8,
    ),
    "qacc_smooth": 1e-7,
}  # fmt: skip
SOLVED = {"qacc": 1e-4, "qfrc_constraint": 1e-4}
SENSOR = {
    mujoco.mjtStage.mjSTAGE_POS: 1e-8,
    mujoco.mjtStage.mjSTAGE_VEL: 1e-8,
    mujoco.mjtStage.mjSTAGE_ACC: 1e-4,
}
"""Tolerance of a sensor, by the stage that it needs, relative to its own largest value."""
SMALLEST_SENSOR = 1e-2  # values below are compared as if they were this large
CONTACT = {
    "dist": 1e-5,
    "pos": 1e-5,
    "normal": 1e-3,
    "friction": 1e-9,
    "solref": 1e-9,
    "solreffriction": 1e-9,
    "solimp": 1e-9,
    "includemargin": 1e-9,
}
UNTOUCHED = {"qfrc_actuator"}  # zero from the start where there are no actuators
CHAOS = 1e-6  # once two runs of the reference differ by this, its motion tells nothing
ON_EQUAL_CONTACTS = " on equal contacts"

Gaps = dict[str, float]


def worst_of(first: float, second: float) -> float:
    """The larger gap; math.nan only where neither is a difference."""
    if math.isnan(first) or math.isnan(second):
        number = second if math.isnan(first) else first
        return number if number > 1.0 else math.nan
    return max(first, second)


def _merge(worst: Gaps, more: Gaps) -> None:
    for name, gap in more.items():
        worst[name] = worst_of(worst.get(name, 0.0), gap)


def start(m: mujoco.MjModel) -> mujoco.MjData:
    """The reference's data at the first keyframe, else at qpos0."""
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    return d


# ---- positions -------------------------------------------------------------------------------------------------------


def kinematics(model: kinetree.Model, m: mujoco.MjModel) -> Gaps:
    """Gaps of kinetree.kinematics, at the first keyframe (or qpos0) and at random positions."""
    d, data = start(m), kinetree.Data(model)
    worst: Gaps = {}
    for moved in (False, True):
        if moved:
            step = np.random.default_rng(1).normal(size=m.nv)
            mujoco.mj_integratePos(m, d.qpos, step, 1.0)
        for stage in (
            mujoco.mj_kinematics,
            mujoco.mj_comPos,
            mujoco.mj_camlight,
            mujoco.mj_flex,
            mujoco.mj_tendon,
        ):
            stage(m, d)
        copy_state(m, d, data)
        for name in POSES:
            getattr(data, name)[...] = np.nan
        kinetree.kinematics(model, data)
        _merge(worst, {n: distance_of(n, getattr(data, n), getattr(d, n)) / t for n, t in POSES.items()})
    return worst


# ---- what a state implies --------------------------------------------------------------------------------------------


def forward(model: kinetree.Model, m: mujoco.MjModel, states: int = 6) -> Gaps:
    """Worst gaps of kinetree.forward over states that the reference visits under random controls.

    In a state where the contacts differ, the solution is compared for the reference's contacts.
    """
    d, data = start(m), kinetree.Data(model)
    rng = np.random.default_rng(7)
    low = np.where(m.actuator_ctrllimited, m.actuator_ctrlrange[:, 0], -1.0)
    high = np.where(m.actuator_ctrllimited, m.actuator_ctrlrange[:, 1], 1.0)
    worst: Gaps = {}
    for k in range(states):
        copy_state(m, d, data)
        warmstart = d.qacc_warmstart.copy()
        poison(model, data)
        kinetree.forward(model, data)
        mujoco.mj_forward(m, d)
        _merge(worst, _smooth_gaps(model, data, m, d))
        contacts, solution = contact_gaps(data, d), _solution_gaps(model, data, m, d)
        _merge(worst, contacts)
        if _differs(contacts) or _differs(solution):
            if not _differs(contacts):
                _merge(worst, solution)
            poison(model, data)
            data.qacc_warmstart[:] = warmstart  # both put their solutions there
            forward_on_contacts(m, d, model, data)
            again = _solution_gaps(model, data, m, d)
            _merge(worst, {name + ON_EQUAL_CONTACTS: gap for name, gap in again.items()})
        else:
            _merge(worst, solution)
        if not np.isfinite(d.qacc).all():
            break  # the reference has nothing to say about states after this one
        d.ctrl[:] = rng.uniform(low, high)
        mujoco.mj_step(m, d, 1 + 7 * k)
    return worst


def _differs(gaps: Gaps) -> bool:
    return any(not gap <= 1.0 for gap in gaps.values())


def poison(model: kinetree.Model, data: kinetree.Data) -> None:
    """Fill with NaN what forward has to compute. What a user sensor reads is the user's to write."""
    for name in (*SMOOTH, *SOLVED, "sensordata"):
        if name not in UNTOUCHED or model.nu:
            getattr(data, name)[...] = np.nan
    for i in np.flatnonzero(model.sensor_type == mujoco.mjtSensor.mjSENS_USER):
        data.sensordata[model.sensor_adr[i] :][: model.sensor_dim[i]] = 0


def _smooth_gaps(model, data, m, d) -> Gaps:
    gaps = {n: distance_of(n, getattr(data, n), getattr(d, n)) / t for n, t in SMOOTH.items()}
    if m.nv:
        inertia = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, inertia, d.qM)
        gaps["M"] = distance(kinetree.full_m(model, data), inertia) / 1e-9
    return gaps


def contact_gaps(data, d) -> Gaps:
    """Contacts in any order: each of theirs against the nearest of ours between the same things that is not taken.

    The things are geoms, and elements and vertices of flexes: contacts of several elements may be at the same place.
    """
    gaps = {"ncon": 2.0 * abs(data.ncon - d.ncon)}
    if data.ncon != d.ncon:
        return gaps
    gaps |= {f"contact.{name}": 0.0 for name in (*CONTACT, "geom", "dim")}
    free = set(range(data.ncon))
    ours, theirs = data.contact, d.contact
    pairs = [_pair(ours, i) for i in range(data.ncon)]
    for j in range(d.ncon):
        pair = _pair(theirs, j)
        same = [i for i in free if pairs[i] == pair]
        if not same:
            return gaps | {"contact.geom": math.inf}
        i = min(same, key=lambda i: np.abs(ours.pos[i] - theirs.pos[j]).max())
        free.remove(i)
        if ours.dim[i] != theirs.dim[j]:
            gaps["contact.dim"] = math.inf
        sign = 1.0 if ours.geom[i].tolist() == theirs.geom[j].tolist() else -1.0
        for name, tolerance in CONTACT.items():
            if name == "normal":
                a, b = sign * ours.frame[i].ravel()[:3], theirs.frame[j].ravel()[:3]
            else:
                a, b = getattr(ours, name)[i], getattr(theirs, name)[j]
            gaps[f"contact.{name}"] = max(gaps[f"contact.{name}"], distance(a, b) / tolerance)
    return gaps


def _pair(contact, i: int) -> set[tuple[int, ...]]:
    """The two things that touch, in any order."""
    sides = zip(contact.geom[i], contact.flex[i], contact.elem[i], contact.vert[i], strict=True)
    return {tuple(map(int, side)) for side in sides}


def _solution_gaps(model, data, m, d) -> Gaps:
    """Gaps of the constraint solution: rows, accelerations, forces, sensors."""
    gaps = {"nefc": 2.0 * abs(data.nefc - d.nefc)}
    # what is left of huge forces that cancel is rounding, in both
    rounding = 4 * np.finfo(float).eps * np.abs(d.efc_force).max(initial=0.0)
    for name, tolerance in SOLVED.items():
        gap = distance(getattr(data, name), getattr(d, name))
        if name == "qfrc_constraint":
            gap = max(0.0, gap - rounding)
        gaps[name] = gap / tolerance
    return gaps | sensor_gaps(data, m, d)


def sensor_gaps(data: kinetree.Data, m: mujoco.MjModel, d: mujoco.MjData) -> Gaps:
    """Gap of each sensor, relative to its own largest value; by its name (or number) and type."""
    gaps = {}
    for i in range(m.nsensor):
        first, count = m.sensor_adr[i], m.sensor_dim[i]
        ours, theirs = data.sensordata[first : first + count], d.sensordata[first : first + count]
        size = max(float(np.abs(theirs).max(initial=0.0)), SMALLEST_SENSOR)
        kind = mujoco.mjtSensor(m.sensor_type[i]).name.removeprefix("mjSENS_").lower()
        name = mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_SENSOR, i) or i
        gaps[f"sensor {name} ({kind})"] = distance(ours / size, theirs / size) / SENSOR[m.sensor_needstage[i]]
    return gaps


# ---- motion ----------------------------------------------------------------------------------------------------------


def rollout(model: kinetree.Model, m: mujoco.MjModel, steps: int = 100) -> Gaps:
    """Worst gaps of the motion, while the reference, begun with velocities 1e-10 higher, agrees with itself."""
    d, twin, data = start(m), start(m), kinetree.Data(model)
    copy_state(m, d, data)
    twin.qvel[:] += 1e-10
    worst = {"qpos": 0.0, "qvel": 0.0, "time": 0.0}
    for _ in range(steps):
        mujoco.mj_step(m, d)
        mujoco.mj_step(m, twin)
        kinetree.step(model, data)
        noise = distance(twin.qpos, d.qpos)
        if noise > CHAOS:
            break
        worst["qpos"] = max(worst["qpos"], distance(data.qpos, d.qpos) / max(1e-4, 1e3 * noise))
        worst["qvel"] = max(worst["qvel"], distance(data.qvel, d.qvel) / max(1e-3, 1e5 * noise))
        worst["time"] = max(worst["time"], abs(data.time - d.time) / 1e-9)
    return worst
