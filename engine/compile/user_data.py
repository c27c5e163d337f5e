"""User data (numeric, text, tuple) and keyframes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.compile.indexing import ObjectIndex
from kinetree.engine.compile.mechanism.sensor import OBJECTS
from kinetree.engine.model import enums
from kinetree.engine.translation import counted, marked, tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.model.model import Model

MAX_NUMERIC = 10_000_000
"""Most numbers that all numeric elements together may ask for."""


def sizes(index: ObjectIndex, diagnostics: Diagnostics) -> dict[str, int]:
    total = 0
    for numeric in index.objects["numeric"]:
        data = numeric.get("data")
        found = 0 if data is None else len(data)
        size = numeric.get("size", found)
        if size < found:
            diagnostics.error(
                numeric.at("size"),
                "wrong-count",
                tr("size is {size}, but there are {found} numbers; raise it", size=size, found=found),
            )
        if size <= 0 and not found:
            diagnostics.error(numeric.node, "missing-attribute", tr("the array is empty; give data or a size above 0"))
        total += max(size, found)
        if total > MAX_NUMERIC:
            diagnostics.error(
                numeric.at("size"),
                "too-large",
                tr("more than {most} numbers in all; make the arrays smaller", most=MAX_NUMERIC),
            )
            total = 0
            break
    text = sum(len(t.get("data", "").encode("utf-8", "surrogateescape")) + 1 for t in index.objects["text"])
    return {"nnumericdata": total, "ntextdata": text}


def fill(model: Model, index: ObjectIndex, diagnostics: Diagnostics) -> None:
    adr = 0
    for i, numeric in enumerate(index.objects["numeric"]):
        data = numeric.get("data")
        found = 0 if data is None else len(data)
        size = max(numeric.get("size", found), found)
        model.numeric_adr[i], model.numeric_size[i] = adr, size
        if found:
            model.numeric_data[adr : adr + found] = data
        adr += size
    adr, texts = 0, []
    for i, text in enumerate(index.objects["text"]):
        if not text.get("data"):
            diagnostics.error(text.at("data"), "missing-attribute", tr("the text is empty; give data"))
        data = text.get("data", "")
        size = len(data.encode("utf-8", "surrogateescape")) + 1
        model.text_adr[i], model.text_size[i] = adr, size
        adr += size
        texts.append(data)
    model.texts = texts
    adr = 0
    for i, group in enumerate(index.objects["tuple"]):
        if not group.items:
            diagnostics.error(group.node, "missing-element", tr("the tuple is empty; add elements to it"))
        model.tuple_adr[i], model.tuple_size[i] = adr, len(group.items)
        for item in group.items:
            kind = item["objtype"]
            model.tuple_objtype[adr] = OBJECTS.get(kind, 0)
            model.tuple_objid[adr] = index.find("body" if kind == "xbody" else kind, item["objname"], item, "objname")
            model.tuple_objprm[adr] = item["prm"]
            adr += 1


def keyframes(model: Model, index: ObjectIndex, diagnostics: Diagnostics) -> None:
    """Fill in keyframes; attributes that are not given come from the reference configuration."""
    if model.nkey:
        mocap = np.flatnonzero(model.body_mocapid >= 0)
        model.key_qpos = np.broadcast_to(model.qpos0, model.key_qpos.shape)
        model.key_mpos = np.broadcast_to(model.body_pos[mocap].ravel(), model.key_mpos.shape)
        model.key_mquat = np.broadcast_to(model.body_quat[mocap].ravel(), model.key_mquat.shape)
    lengths = {
        "qpos": ("nq", marked("joint positions")),
        "qvel": ("nv", marked("joint velocities")),
        "act": ("na", marked("activations")),
        "ctrl": ("nu", marked("controls")),
        "mpos": ("nmpos", marked("mocap positions")),
        "mquat": ("nmquat", marked("mocap orientations")),
    }
    for i, key in enumerate(index.objects["key"]):
        model.key_time[i] = key["time"]
        for name, (size, what) in lengths.items():
            values = key.get(name)
            if values is None:
                continue
            need = getattr(model, size)
            if len(values) != need:
                diagnostics.error(
                    key.at(name),
                    "wrong-count",
                    tr(
                        "{name} has {numbers}, but the model has {need} {what}; add {missing}"
                        if len(values) < need
                        else "{name} has {numbers}, but the model has {need} {what}; remove {missing}",
                        name=name,
                        numbers=counted("{count} number", "{count} numbers", len(values)),
                        need=need,
                        what=tr(what),
                        missing=abs(need - len(values)),
                    ),
                )
                continue
            row = getattr(model, "key_" + name)[i]
            row[...] = np.where(np.isnan(values), row, values)  # NaN: not set by any part of an attached model
    if model.nkey:
        for j in np.flatnonzero((model.jnt_type == enums.JNT_FREE) | (model.jnt_type == enums.JNT_BALL)):
            at = model.jnt_qposadr[j] + (3 if model.jnt_type[j] == enums.JNT_FREE else 0)
            _normalize(model.key_qpos[:, at : at + 4])
        for i in range(model.nmocap):
            _normalize(model.key_mquat[:, 4 * i : 4 * i + 4])


def _normalize(quats: np.ndarray) -> None:
    """Normalize quaternions in place; zero quaternions become the identity."""
    length = np.linalg.norm(quats, axis=1, keepdims=True)
    quats[...] = np.where(length < 1e-15, (1.0, 0.0, 0.0, 0.0), quats / np.maximum(length, 1e-15))
