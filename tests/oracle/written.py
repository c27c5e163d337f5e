"""Compares two models of one side with each other: one of a text, and one of the text written from it."""

from __future__ import annotations

import functools
import math
from pathlib import Path

import mujoco
import numpy as np

import kinetree
from kinetree.engine.model.compare import differing, gap
from tests.oracle.compiled import VISUAL_SECTIONS

_LOCATION = ("paths", "npaths", "signature", "narena", "nbuffer", "nnames", "name_")
"""Fields that depend on the place of a file and the length of its text."""
_VOLUMES = ("bvh_", "nbvh", "body_bvh", "mesh_poly", "nmeshpoly")
"""Bounding volume trees and the polygons of hulls: rounding decides how boxes are sorted and which faces are one."""


def round_trip(model: kinetree.Model, folder: Path, theirs: mujoco.MjModel | str | None) -> dict[str, float]:
    """Changes by writing a model and reading it again, to us and to the reference; {} if there are none.

    Keys are "ours: FIELD", "theirs: FIELD", "text" (not the same when written once more) and "refused" (by the
    reference); values are gaps in units of `kinetree.engine.model.compare.TOLERANCE`.
    """
    text = kinetree.to_xml(model, folder)
    again = kinetree.load_string(text, folder)
    found = {f"ours: {name}": gap for name, gap in differing(model, again).items()}
    if kinetree.to_xml(again, folder) != text:
        found["text"] = math.inf
    if isinstance(theirs, mujoco.MjModel):
        path = folder / "written.xml"
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        try:
            second = mujoco.MjModel.from_xml_path(str(path))
        except ValueError:
            found["refused"] = math.inf
        else:
            found |= {f"theirs: {name}": gap for name, gap in theirs_differ(theirs, second).items()}
    return found


@functools.cache
def _attributes(kind: type) -> tuple[str, ...]:
    return tuple(
        name
        for name in dir(kind)
        if not name.startswith(("_", *_VOLUMES, *_LOCATION))
        and not name.endswith("pathadr")
        and not callable(getattr(kind, name))
    )


def theirs_differ(first: mujoco.MjModel, second: mujoco.MjModel) -> dict[str, float]:
    """The same of two models of the reference: every field that it shows."""
    bad: dict[str, float] = {}
    for owner, prefix in (("", ""), ("opt", "opt."), ("stat", "stat.")):
        a = getattr(first, owner) if owner else first
        b = getattr(second, owner) if owner else second
        for name in _attributes(type(a)):
            mine, other = getattr(a, name), getattr(b, name)
            if isinstance(mine, bytes):
                if mine.partition(b"\0")[2] != other.partition(b"\0")[2]:  # after the name of the model
                    bad[prefix + name] = math.inf
            elif isinstance(mine, int | float | np.ndarray):
                gap = _gap(mine, other, name)
                if not gap <= 1.0:
                    bad[prefix + name] = gap
    for section in VISUAL_SECTIONS:
        a, b = getattr(first.vis, section), getattr(second.vis, section)
        for name in _attributes(type(a)):
            if not np.array_equal(np.asarray(getattr(a, name)), np.asarray(getattr(b, name))):
                bad[f"vis.{section}.{name}"] = math.inf
    return bad


def _gap(a, b, name: str = "") -> float:
    a, b = np.asarray(a), np.asarray(b)
    if name == "flex_vert0":  # where a flex is flat, the reference divides by an extent of zero
        flat = ~np.isfinite(a) | ~np.isfinite(b) | (np.abs(a) > 1e3) | (np.abs(b) > 1e3)
        a, b = np.where(flat, 0.0, a), np.where(flat, 0.0, b)
    return gap(a, b)
