"""Compares compiled models with the reference's, field by field, and texts that only one of the two accepts."""

from __future__ import annotations

import mujoco
import numpy as np

import engine
from engine.model.fields import TABLES

# Not part of what a model means, or kept in another way: acceleration structures, hull graphs, normals, pixels.
_SKIP = (
    "mesh_graph", "mesh_graphadr", "mesh_normal", "mesh_normaladr", "mesh_normalnum", "mesh_facenormal", "mesh_poly",
    "tex_data", "tex_adr", "M_", "tree_", "ten_J_",
)  # fmt: skip
_SIZES = (
    "nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "ncam", "nlight", "nmesh", "nhfield", "nskin", "nflex", "ntex", "nmat",
    "npair", "nexclude", "neq", "ntendon", "nwrap", "nsensor", "nsensordata", "nkey", "nmocap", "nM", "ntree", "nuserdata", "nnumericdata", "ntuple", "ntext", "ngravcomp",
)  # fmt: skip
_QUATS = ("geom_quat", "body_iquat", "mesh_quat")
_KINDS = (
    "body", "joint", "geom", "site", "camera", "light", "flex", "mesh", "hfield", "skin", "texture", "material", "pair", "exclude", "equality",
    "tendon", "actuator", "sensor", "numeric", "text", "tuple", "key",
)  # fmt: skip


def differences(ours: engine.Model, theirs: mujoco.MjModel) -> dict[str, float]:
    """Fields that differ, by how much of the tolerance; inf for shapes, sizes and names."""
    bad = {name: np.inf for name in _SIZES if getattr(ours, name) != getattr(theirs, name)}
    if bad:
        return bad
    for field in TABLES["Model"]:
        if field.role == "size" or field.name.startswith(_SKIP):
            continue
        prefix, _, rest = field.name.partition("_")
        owner = {"opt": theirs.opt, "stat": theirs.stat}.get(prefix)
        value = getattr(owner, rest) if owner is not None else getattr(theirs, field.name, None)
        if value is None:
            continue
        gap = _gap(field.name, getattr(ours, field.name), value)
        loose = np.asarray(value).dtype == np.float32 or field.name.startswith("mesh_")
        if not gap <= (2e-6 if loose else 1e-7):
            bad[field.name] = gap / (2e-6 if loose else 1e-7)
    for kind in _KINDS:
        of = getattr(mujoco.mjtObj, f"mjOBJ_{kind.upper()}")
        names = [mujoco.mj_id2name(theirs, of, i) or "" for i in range(len(ours.names[kind]))]
        if names != ours.names[kind]:
            bad[f"names[{kind}]"] = np.inf
    return bad | _visual(ours, theirs)


def _gap(name: str, ours, theirs) -> float:
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.size != theirs.size:
        return np.inf
    ours = ours.reshape(theirs.shape)
    if not ours.size:
        return 0.0
    if name == "flex_vert0":  # where a flex is flat, its box is no measure
        flat = ~np.isfinite(theirs) | (np.abs(theirs) > 1e3)
        ours, theirs = np.where(flat, 0.0, ours), np.where(flat, 0.0, theirs)
    if not (np.isfinite(ours).all() and np.isfinite(theirs).all()):
        return np.inf
    if name in _QUATS:
        gap = np.minimum(np.abs(ours - theirs).max(-1), np.abs(ours + theirs).max(-1))
        return float(gap.max())
    return float(np.abs(ours - theirs).max() / max(1.0, np.abs(theirs).max()))


def _visual(ours: engine.Model, theirs: mujoco.MjModel) -> dict[str, float]:
    bad = {}
    for section in ("global_", "quality", "headlight", "map", "scale", "rgba"):
        mine, reference = getattr(ours.vis, section), getattr(theirs.vis, section)
        for name in vars(mine):
            expected = np.asarray(getattr(reference, name), float)
            if not expected.size:  # mujoco's Python module shows some colours as empty
                continue
            if np.abs(np.asarray(getattr(mine, name), float) - expected).max() > 1e-6:
                bad[f"vis.{section}.{name}"] = np.inf
    return bad


def reference(text: str) -> mujoco.MjModel | str:
    """The reference's model of a text, or what it says against it."""
    try:
        return mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        return str(error).splitlines()[0]


def compiled(text: str) -> engine.Model | engine.ModelError:
    """Our model of a text, or the error."""
    try:
        return engine.load_string(text)
    except engine.ModelError as error:
        return error


def agree(text: str) -> None:
    """Both compile the text to the same model, or both refuse it."""
    theirs, ours = reference(text), compiled(text)
    if isinstance(ours, engine.ModelError):
        assert isinstance(theirs, str), f"only we refuse it: {ours}\n{text}"
        return
    assert not isinstance(theirs, str), f"only the reference refuses it: {theirs}\n{text}"
    bad = differences(ours, theirs)
    assert not bad, f"{bad}\n{text}"
