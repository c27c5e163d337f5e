"""How far a model, its dynamics and its motion are from the reference's: gaps by field, in units of a tolerance.

    compiled(model, m)          every numeric field of the compiled model that means something, names, sizes
    forward(model, m, states)   what engine.forward computes, at states that the reference passes through
    rollout(model, m, steps)    motion from the first keyframe (else qpos0), as far as the reference itself is sure of it

A gap above 1 is a difference. `differences` keeps those, worst first.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np

import engine
from tests.oracle.bridge import copy_state

# Fields of mjModel that are not the model's meaning but how mujoco stores it: text buffers, bounding volume trees,
# sparsity that our engine orders in its own way, hulls and normals of meshes, pixels (the renderer's tests see those).
STORAGE = {
    "names", "names_map", "paths", "text_data", "signature", "plugin_attr", "plugin_attradr",
    "mapM2M", "mapM2D", "mapD2M", "D_diag", "tex_data", "tex_adr",
    "mesh_normal", "mesh_facenormal", "mesh_normaladr", "mesh_normalnum",
}  # fmt: skip
STORAGE_WORDS = ("bvh", "oct_", "name_", "pathadr", "mesh_poly", "mesh_graph", "octadr", "octnum")
SPARSE = tuple(f"{a}_{b}" for a in "MDB" for b in ("rownnz", "rowadr", "colind"))
COUNTS = [
    "nq",
    "nv",
    "nu",
    "na",
    "nbody",
    "njnt",
    "ngeom",
    "nsite",
    "ncam",
    "nlight",
    "nmesh",
    "nhfield",
    "ntex",
    "nmat",
    "npair",
    "nexclude",
    "neq",
    "ntendon",
    "nwrap",
    "nsensor",
    "nsensordata",
    "nkey",
    "nmocap",
    "nflex",
    "nskin",
    "nM",
    "ntree",
    "nnumeric",
    "ntext",
    "ntuple",
]
# Either sign of a quaternion is the same orientation.
ORIENTATIONS = {"geom_quat", "body_iquat", "mesh_quat", "xquat"}
KINDS = {
    "body": "nbody", "joint": "njnt", "geom": "ngeom", "site": "nsite", "camera": "ncam", "light": "nlight",
    "mesh": "nmesh", "hfield": "nhfield", "texture": "ntex", "material": "nmat", "pair": "npair",
    "exclude": "nexclude", "equality": "neq", "tendon": "ntendon", "actuator": "nu", "sensor": "nsensor",
    "numeric": "nnumeric", "text": "ntext", "tuple": "ntuple", "key": "nkey",
}  # fmt: skip

SMOOTH = {
    **dict.fromkeys(
        [
            "xpos",
            "xquat",
            "xipos",
            "geom_xpos",
            "geom_xmat",
            "site_xpos",
            "site_xmat",
            "cam_xpos",
            "cam_xmat",
            "light_xpos",
            "light_xdir",
            "subtree_com",
        ],
        1e-9,
    ),
    **dict.fromkeys(
        [
            "ten_length",
            "ten_velocity",
            "actuator_length",
            "actuator_velocity",
            "cvel",
            "qfrc_bias",
            "qfrc_passive",
            "actuator_force",
            "qfrc_actuator",
            "act_dot",
        ],
        1e-8,
    ),
    "qacc_smooth": 1e-7,
}
SOLVED = {"qacc": 1e-4, "qfrc_constraint": 1e-4, "sensordata": 1e-4}
UNTOUCHED = {"qfrc_actuator"}  # zero from the start where there are no actuators
CHAOS = 1e-6  # once two runs of the reference differ by this, its motion tells nothing


def distance(ours, theirs) -> float:
    """Largest difference relative to the reference's largest value (at least 1); infinite where one is not finite."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.size != theirs.size:
        return math.inf
    ours = ours.reshape(theirs.shape)
    finite = np.isfinite(theirs)
    if (np.isfinite(ours) != finite).any():
        return math.inf
    scale = np.abs(theirs[finite]).max(initial=1.0)
    return float(np.abs(ours[finite] - theirs[finite]).max(initial=0.0) / scale)


def turn(ours, theirs) -> float:
    """The distance of orientations."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.size != theirs.size:
        return math.inf
    ours, theirs = ours.reshape(-1, 4), theirs.reshape(-1, 4)
    gaps = np.minimum(np.abs(ours - theirs).max(1), np.abs(ours + theirs).max(1))
    return float(gaps.max(initial=0.0))


def _gap(name: str, ours, theirs) -> float:
    return (turn if name in ORIENTATIONS else distance)(ours, theirs)


def differences(gaps: dict[str, float]) -> list[str]:
    """What is beyond its tolerance, worst first, as "field x17"."""
    bad = sorted(((gap, name) for name, gap in gaps.items() if not gap <= 1.0), reverse=True)
    return [f"{name} x{gap:.3g}" for gap, name in bad]


# ---- the compiled model -------------------------------------------------------------------------------------------


def compiled(model: engine.Model, m: mujoco.MjModel) -> dict[str, float]:
    """Gaps of the compiled model's fields, sizes and names."""
    gaps = {name: 0.0 if getattr(model, name, None) == getattr(m, name) else math.inf for name in COUNTS}
    for name in meaningful(m):
        theirs = getattr(m, name)
        single = theirs.dtype == np.float32 or name.startswith("mesh_")
        if hasattr(model, name):
            gaps[name] = _gap(name, getattr(model, name), theirs) / (2e-6 if single else 1e-7)
        elif theirs.size:
            gaps[name] = math.inf
    for owner in ("opt", "stat"):
        theirs = getattr(m, owner)
        for name in dir(theirs):
            value = getattr(theirs, name)
            if name[0] != "_" and isinstance(value, int | float | np.ndarray):
                gap = distance(getattr(getattr(model, owner), name, np.nan), value)
                gaps[f"{owner}.{name}"] = gap / (1e-9 if owner == "opt" else 1e-7)
    for kind, count in KINDS.items():
        object_type = getattr(mujoco.mjtObj, "mjOBJ_" + kind.upper())
        theirs = [mujoco.mj_id2name(m, object_type, i) or "" for i in range(getattr(m, count))]
        gaps[f"names.{kind}"] = 0.0 if list(model.names.get(kind, [])) == theirs else math.inf
    return gaps


def meaningful(m: mujoco.MjModel) -> list[str]:
    """The numeric arrays of a compiled model that say what it means."""
    return [
        name
        for name in dir(m)
        if not name.startswith("_")
        and name not in STORAGE
        and name not in SPARSE
        and not any(word in name for word in STORAGE_WORDS)
        and isinstance(getattr(m, name), np.ndarray)
        and getattr(m, name).dtype.kind in "fiub"
    ]


# ---- what a state implies --------------------------------------------------------------------------------------------


def start(m: mujoco.MjModel) -> mujoco.MjData:
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    return d


def forward(model: engine.Model, m: mujoco.MjModel, states: int = 6) -> dict[str, float]:
    """Worst gaps of engine.forward over states that the reference visits under random controls."""
    d, data = start(m), engine.Data(model)
    rng = np.random.default_rng(7)
    low = np.where(m.actuator_ctrllimited, m.actuator_ctrlrange[:, 0], -1.0)
    high = np.where(m.actuator_ctrllimited, m.actuator_ctrlrange[:, 1], 1.0)
    worst: dict[str, float] = {}
    for k in range(states):
        copy_state(m, d, data)
        poison(model, data)
        engine.forward(model, data)
        mujoco.mj_forward(m, d)
        for name, gap in _state_gaps(model, data, m, d).items():
            worst[name] = max(worst.get(name, 0.0), gap)
        d.ctrl[:] = rng.uniform(low, high)
        mujoco.mj_step(m, d, 1 + 7 * k)
    return worst


def poison(model: engine.Model, data: engine.Data) -> None:
    """What forward has to compute holds no number before. What a user sensor reads is the user's to write."""
    for name in (*SMOOTH, *SOLVED):
        if name not in UNTOUCHED or model.nu:
            getattr(data, name)[...] = np.nan
    for i in np.flatnonzero(model.sensor_type == mujoco.mjtSensor.mjSENS_USER):
        data.sensordata[model.sensor_adr[i] :][: model.sensor_dim[i]] = 0


def _state_gaps(model, data, m, d) -> dict[str, float]:
    gaps = {
        name: _gap(name, getattr(data, name), getattr(d, name)) / tolerance
        for name, tolerance in SMOOTH.items()
    }
    if m.nv:
        inertia = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, inertia, d.qM)
        gaps["M"] = distance(engine.full_m(model, data), inertia) / 1e-9
    gaps["ncon"] = 0.0 if data.ncon == d.ncon else math.inf
    if data.ncon == d.ncon:
        gaps |= _contact_gaps(data, d)
        gaps["nefc"] = 0.0 if data.nefc == d.nefc else math.inf
        # what is left of huge forces that cancel is rounding, in both
        rounding = 4 * np.finfo(float).eps * np.abs(d.efc_force).max(initial=0.0)
        for name, tolerance in SOLVED.items():
            gap = distance(getattr(data, name), getattr(d, name))
            if name == "qfrc_constraint":
                gap = max(0.0, gap - rounding)
            gaps[name] = gap / tolerance
    return gaps


def _contact_gaps(data, d) -> dict[str, float]:
    """Contacts in any order: each of theirs against the nearest of ours with the same geoms that is not taken."""
    fields = {"dist": 1e-5, "pos": 1e-5, "normal": 1e-3, "friction": 1e-9, "dim": 1.0 - 1e-9, "solref": 1e-9}
    gaps = {f"contact.{name}": 0.0 for name in fields}
    free = set(range(data.ncon))
    ours, theirs = data.contact, d.contact
    for j in range(d.ncon):
        pair = set(theirs.geom[j].tolist())
        same = [i for i in free if set(ours.geom[i].tolist()) == pair]
        if not same:
            return {"contact.geom": math.inf}
        i = min(same, key=lambda i: np.abs(ours.pos[i] - theirs.pos[j]).max())
        free.remove(i)
        sign = 1.0 if ours.geom[i].tolist() == theirs.geom[j].tolist() else -1.0
        parts = {
            "normal": (sign * ours.frame[i].ravel()[:3], theirs.frame[j].ravel()[:3]),
            **{
                name: (getattr(ours, name)[i], getattr(theirs, name)[j])
                for name in fields
                if name != "normal"
            },
        }
        for name, (a, b) in parts.items():
            gaps[f"contact.{name}"] = max(gaps[f"contact.{name}"], distance(a, b) / fields[name])
    return gaps


# ---- motion ----------------------------------------------------------------------------------------------------------


def rollout(model: engine.Model, m: mujoco.MjModel, steps: int = 100) -> dict[str, float]:
    """Worst gaps of the motion, while the reference, begun with velocities 1e-10 higher, agrees with itself."""
    d, twin, data = start(m), start(m), engine.Data(model)
    copy_state(m, d, data)
    twin.qvel[:] += 1e-10
    worst = {"qpos": 0.0, "qvel": 0.0, "time": 0.0}
    for _ in range(steps):
        mujoco.mj_step(m, d)
        mujoco.mj_step(m, twin)
        engine.step(model, data)
        noise = distance(twin.qpos, d.qpos)
        if noise > CHAOS:
            break
        worst["qpos"] = max(worst["qpos"], distance(data.qpos, d.qpos) / max(1e-4, 1e3 * noise))
        worst["qvel"] = max(worst["qvel"], distance(data.qvel, d.qvel) / max(1e-3, 1e5 * noise))
        worst["time"] = max(worst["time"], abs(data.time - d.time) / 1e-9)
    return worst


PARTS = {"compile": compiled, "forward": forward, "rollout": rollout}
