"""A Model made from mujoco's own compiled model: lets the physics be tested apart from the compiler."""

from __future__ import annotations

import mujoco
import numpy as np

import kinetree
from kinetree.engine.compile.derived import mesh_boxes, structure
from kinetree.engine.dynamics import forward
from kinetree.engine.jit.capacity import NCONMAX
from kinetree.engine.jit.compiler import compiled
from kinetree.engine.model.fields import TABLES


def model_from(m: mujoco.MjModel) -> kinetree.Model:
    sizes = {f.name: int(getattr(m, f.name)) for f in TABLES["Model"] if f.kind == "size" and hasattr(m, f.name)}
    sizes["nC"] = m.nM
    sizes["nmpos"], sizes["nmquat"] = 3 * m.nmocap, 4 * m.nmocap
    kinds = {
        "body": m.nbody,
        "joint": m.njnt,
        "geom": m.ngeom,
        "site": m.nsite,
        "camera": m.ncam,
        "light": m.nlight,
        "tendon": m.ntendon,
        "actuator": m.nu,
        "sensor": m.nsensor,
        "key": m.nkey,
        "equality": m.neq,
    }
    names = {
        kind: [mujoco.mj_id2name(m, getattr(mujoco.mjtObj, "mjOBJ_" + kind.upper()), i) or "" for i in range(count)]
        for kind, count in kinds.items()
    }
    ours = kinetree.Model(sizes, names)
    for field in TABLES["Model"]:
        if field.kind == "size":
            continue
        prefix, _, rest = field.name.partition("_")
        owner = {"opt": m.opt, "stat": m.stat}.get(prefix)
        value = getattr(owner, rest) if owner is not None else getattr(m, field.name, None)
        if field.name == "bvh_aabb":  # the reference counts the trees of flexes in nbvh, but has no boxes of them here
            ours.bvh_aabb[: m.nbvhstatic] = m.bvh_aabb
            continue
        if value is not None and field.name[:2] != "M_":
            setattr(
                ours,
                field.name,
                np.reshape(value, np.shape(getattr(ours, field.name))) if field.kind == "array" else value,
            )
    _copy_trees(m, ours)
    mesh_boxes.fill(ours)
    structure.fill(ours)
    ours.vis = m.vis
    return ours


def _copy_trees(m: mujoco.MjModel, ours: kinetree.Model) -> None:
    """The trees of boxes of flexes, which the reference keeps together with those of bodies and meshes."""
    ours.resize("nflextree", int(m.flex_bvhnum.sum()))
    adr = 0
    for flex in range(m.nflex):
        start, number = m.flex_bvhadr[flex], m.flex_bvhnum[flex]
        ours.flex_treeadr[flex], ours.flex_treenum[flex] = adr, number
        ours.flextree_child[adr : adr + number] = m.bvh_child[start : start + number]
        ours.flextree_elem[adr : adr + number] = m.bvh_nodeid[start : start + number]
        adr += number


def copy_state(m: mujoco.MjModel, d: mujoco.MjData, data: kinetree.Data) -> None:
    """State and inputs of mujoco's data into ours."""
    for name in (
        "qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat",
        "qacc_warmstart", "eq_active", "userdata",
    ):  # fmt: skip
        setattr(data, name, getattr(d, name))
    data.time = d.time


def copy_contacts(d: mujoco.MjData, data: kinetree.Data) -> None:
    """The contacts of mujoco's data into ours."""
    if d.ncon > data._sizes["nconmax"]:
        data.need[NCONMAX] = d.ncon
        data.grow()
    data.ncon = d.ncon
    for name in (
        "dist", "pos", "frame", "includemargin", "friction", "solref", "solreffriction", "solimp", "dim", "geom",
        "flex", "elem", "vert", "exclude",
    ):  # fmt: skip
        ours = data._arrays["contact_" + name][: d.ncon]
        ours[...] = getattr(d.contact, name).reshape(ours.shape)


def forward_on_contacts(m: mujoco.MjModel, d: mujoco.MjData, model: kinetree.Model, data: kinetree.Data) -> None:
    """Like kinetree.forward, with mujoco's contacts in place of those of our collision detection."""
    rows = [row for row in forward.stages(model, forward.FORWARD) if "collision" not in row.where]
    found = forward.pipeline(model)
    data.collision_function, data.distance_function = found.collision, found.distance
    copy_contacts(d, data)
    for row in rows:
        compiled(row.load())(model, data)
        while data.needs_memory:
            data.grow()
            compiled(row.load())(model, data)
