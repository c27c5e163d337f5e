"""Compares two models of one side with each other: of a text, and of what was written of it."""

from __future__ import annotations

import mujoco
import numpy as np

import engine
from engine.model.fields import TABLES

_TINY = 1e-9
_PLACES = ("paths", "npaths", "signature", "narena", "nbuffer", "nnames", "name_")
"""What follows from where a file is and how long its text is. Rounding decides about bvh_: it sorts boxes."""


def ours_differ(first: engine.Model, second: engine.Model) -> dict[str, float]:
    """Fields of two models of ours that are not the same but for rounding."""
    bad = {name: np.inf for name in first.sizes if first.sizes[name] != second.sizes[name]}
    if bad:
        return bad
    for field in TABLES["Model"]:
        if field.kind != "size":
            gap = _gap(getattr(first, field.name), getattr(second, field.name))
            if not gap <= _TINY:
                bad[field.name] = gap
    for kind in first.names:
        if first.names[kind] != second.names[kind]:
            bad[f"names[{kind}]"] = np.inf
    for section in vars(first.vis):
        mine, other = vars(getattr(first.vis, section)), vars(getattr(second.vis, section))
        bad |= {f"vis.{section}.{k}": np.inf for k in mine if not np.array_equal(mine[k], other[k])}
    if (first.name or "MuJoCo Model") != second.name:
        bad["name"] = np.inf
    if first.texts != second.texts:
        bad["texts"] = np.inf
    return bad


def theirs_differ(first: mujoco.MjModel, second: mujoco.MjModel) -> dict[str, float]:
    """The same of two models of the reference: every field that it shows."""
    bad: dict[str, float] = {}
    for owner, prefix in (("", ""), ("opt", "opt."), ("stat", "stat.")):
        a = getattr(first, owner) if owner else first
        b = getattr(second, owner) if owner else second
        for name in dir(a):
            if name.startswith(("_", "bvh_", "nbvh", "body_bvh", *_PLACES)) or name.endswith("pathadr"):
                continue
            mine, other = getattr(a, name), getattr(b, name)
            if isinstance(mine, bytes):
                if mine.partition(b"\0")[2] != other.partition(b"\0")[2]:  # after the name of the model
                    bad[prefix + name] = np.inf
            elif isinstance(mine, int | float | np.ndarray):
                gap = _gap(mine, other, name)
                if not gap <= _TINY:
                    bad[prefix + name] = gap
    for section in ("global_", "quality", "headlight", "map", "scale", "rgba"):
        a, b = getattr(first.vis, section), getattr(second.vis, section)
        for name in dir(a):
            if not name.startswith("_") and not np.array_equal(
                np.asarray(getattr(a, name)), np.asarray(getattr(b, name))
            ):
                bad[f"vis.{section}.{name}"] = np.inf
    return bad


def _gap(a, b, name: str = "") -> float:
    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.shape != b.shape:
        return np.inf
    if not a.size:
        return 0.0
    if name == "flex_vert0":  # where a flex is flat, the reference divides by an extent of zero
        flat = ~np.isfinite(a) | ~np.isfinite(b) | (np.abs(a) > 1e3) | (np.abs(b) > 1e3)
        a, b = np.where(flat, 0.0, a), np.where(flat, 0.0, b)
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return 0.0 if np.array_equal(a, b, equal_nan=True) else np.inf
    scale = max(1.0, float(np.abs(b).max()))
    return float(np.abs(a - b).max() / scale)
