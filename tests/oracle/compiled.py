"""Compares compiled models with the reference's, field by field, and texts that only one of the two accepts."""

from __future__ import annotations

import math

import mujoco
import numpy as np

import kinetree
from kinetree.engine.model import kinds

# Fields of mjModel that say how mujoco stores a model: text buffers, bounding volume trees, sparsity that our engine
# orders in its own way, hulls and normals of meshes, pixels (the tests of the renderer compare those).
STORAGE = {
    "names", "names_map", "paths", "signature", "mapM2M", "mapM2D", "mapD2M", "D_diag", "tex_data", "tex_adr",
    "mesh_normal", "mesh_facenormal", "mesh_normaladr", "mesh_normalnum",
}  # fmt: skip
STORAGE_WORDS = ("bvh", "oct_", "name_", "pathadr", "mesh_poly", "mesh_graph", "octadr", "octnum")
SPARSE = tuple(f"{a}_{b}" for a in "MDB" for b in ("rownnz", "rowadr", "colind"))
COUNTS = (
    "nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "ncam", "nlight", "nmesh", "nhfield", "nskin", "nflex",
    "ntex", "nmat", "npair", "nexclude", "neq", "ntendon", "nwrap", "nsensor", "nsensordata", "nkey", "nmocap", "nM",
    "ntree", "nuserdata", "nnumeric", "nnumericdata", "ntext", "ntuple", "ngravcomp",
)  # fmt: skip
KINDS = tuple(kind for kind in kinds.NAMED if kinds.KINDS[kind].obj)
"""Those that the reference has too."""
VISUAL_SECTIONS = ("global_", "quality", "headlight", "map", "scale", "rgba")
# Both signs of a quaternion are the same orientation.
ORIENTATIONS = {"geom_quat", "body_iquat", "mesh_quat", "xquat"}

TOLERANCE = 1e-7
SINGLE_PRECISION = 2e-6
OPTION = 1e-9


def gaps(ours: kinetree.Model, theirs: mujoco.MjModel) -> dict[str, float]:
    """How far each field of a compiled model is from the reference's, in units of its tolerance.

    0 and math.inf for counts and names; math.nan where the reference has no finite number and we have one. Where a
    count differs, only the counts are compared.
    """
    found = {name: _same(getattr(ours, name, None) == getattr(theirs, name)) for name in COUNTS}
    if any(found.values()):
        return found
    for name in meaningful_fields(ours, theirs):
        value = getattr(theirs, name)
        single = value.dtype == np.float32 or name.startswith("mesh_")
        tolerance = SINGLE_PRECISION if single else TOLERANCE
        if hasattr(ours, name):
            found[name] = distance_of(name, getattr(ours, name), value) / tolerance
        elif value.size:
            found[name] = math.inf
    for owner, tolerance in (("opt", OPTION), ("stat", TOLERANCE)):
        reference_values = getattr(theirs, owner)
        for name in dir(reference_values):
            value = getattr(reference_values, name)
            if name[0] != "_" and isinstance(value, int | float | np.ndarray):
                found[f"{owner}_{name}"] = distance(getattr(getattr(ours, owner), name, math.inf), value) / tolerance
    for kind in KINDS:
        names = [mujoco.mj_id2name(theirs, kinds.KINDS[kind].obj, i) or "" for i in range(len(ours.names[kind]))]
        found[f"names[{kind}]"] = _same(names == ours.names[kind])
    return found | _visual(ours, theirs)


def differences(ours: kinetree.Model, theirs: mujoco.MjModel) -> dict[str, float]:
    """The fields whose gap is beyond their tolerance."""
    return {name: gap for name, gap in gaps(ours, theirs).items() if not gap <= 1.0}


def meaningful_fields(ours: kinetree.Model, theirs: mujoco.MjModel) -> list[str]:
    """The numeric arrays of the reference's model that say what the model means."""
    return [
        name
        for name in dir(theirs)
        if not name.startswith("_")
        and name not in STORAGE
        and name not in SPARSE
        and not any(word in name for word in STORAGE_WORDS)
        and isinstance(getattr(theirs, name), np.ndarray)
        and getattr(theirs, name).dtype.kind in "fiub"
        and (hasattr(ours, name) or name not in ("text_data", "plugin_attr", "plugin_attradr"))
    ]


def _same(equal: bool) -> float:
    return 0.0 if equal else math.inf


def distance_of(name: str, ours, theirs) -> float:
    """The distance of two values of a field."""
    if name in ORIENTATIONS:
        return turn(ours, theirs)
    if name == "flex_vert0":  # where a flex is flat, the reference divides by an extent of zero
        theirs = np.asarray(theirs, float)
        flat = ~np.isfinite(theirs) | (np.abs(theirs) > 1e3)
        ours, theirs = np.where(flat, 0.0, np.reshape(ours, theirs.shape)), np.where(flat, 0.0, theirs)
    return distance(ours, theirs)


def distance(ours, theirs) -> float:
    """Largest difference, relative to the reference's largest finite value (at least 1).

    math.inf for other sizes and where only the reference has a finite number; math.nan where only we have one and all
    others agree.
    """
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.size != theirs.size:
        return math.inf
    if not ours.size:
        return 0.0
    ours = ours.reshape(theirs.shape)
    finite = np.isfinite(theirs)
    if not np.isfinite(ours[finite]).all():
        return math.inf
    scale = np.abs(theirs[finite]).max(initial=1.0)
    largest = float(np.abs(ours[finite] - theirs[finite]).max(initial=0.0) / scale)
    undefined = np.isfinite(ours[~finite]).any()
    return math.nan if undefined and largest <= TOLERANCE else largest


def turn(ours, theirs) -> float:
    """The largest distance of orientations, as quaternions."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.size != theirs.size:
        return math.inf
    ours, theirs = ours.reshape(-1, 4), theirs.reshape(-1, 4)
    distances = np.minimum(np.abs(ours - theirs).max(1, initial=0.0), np.abs(ours + theirs).max(1, initial=0.0))
    largest = distances.max(initial=0.0)
    return float(largest) if np.isfinite(largest) else math.inf


def _visual(ours: kinetree.Model, theirs: mujoco.MjModel) -> dict[str, float]:
    found = {}
    for section in VISUAL_SECTIONS:
        mine, reference_values = getattr(ours.vis, section), getattr(theirs.vis, section)
        for name in vars(mine):
            expected = np.asarray(getattr(reference_values, name), float)
            if expected.size:  # mujoco's Python module shows some colours as empty
                found[f"vis.{section}.{name}"] = distance(getattr(mine, name), expected) / 1e-6
    return found


def reference(text: str) -> mujoco.MjModel | str:
    """The reference's model of a text, or its error message."""
    try:
        return mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        return str(error).splitlines()[0]


def compiled(text: str) -> kinetree.Model | kinetree.ModelError:
    """Our model of a text, or the error."""
    try:
        return kinetree.load_string(text)
    except kinetree.ModelError as error:
        return error


def assert_agreement(ours: kinetree.Model | kinetree.ModelError, theirs: mujoco.MjModel | str, text: str) -> None:
    """Both are the same model, or both refusals."""
    if isinstance(ours, kinetree.ModelError):
        assert isinstance(theirs, str), f"only we refuse it: {ours}\n{text}"
        return
    assert not isinstance(theirs, str), f"only the reference refuses it: {theirs}\n{text}"
    bad = differences(ours, theirs)
    assert not bad, f"{bad}\n{text}"


def agree(text: str) -> None:
    """Both compile the text to the same model, or both refuse it."""
    assert_agreement(compiled(text), reference(text), text)
