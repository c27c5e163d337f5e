"""Actuators: parameters, transmissions, activation and ranges as arrays of the model.

Source: XML reference, "actuator"; the shortcuts are resolved by engine/expand/actuator_shortcuts.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.compile.autolimits import limited
from kinetree.engine.compile.indexing import ObjectIndex, users
from kinetree.engine.compile.mechanism.transmission import transmission
from kinetree.engine.expand.actuator_shortcuts import Actuator, activations
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.model import enums
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.model.model import Model

DYNAMICS = {
    "none": enums.DYN_NONE,
    "integrator": enums.DYN_INTEGRATOR,
    "filter": enums.DYN_FILTER,
    "filterexact": enums.DYN_FILTEREXACT,
    "muscle": enums.DYN_MUSCLE,
    "user": enums.DYN_USER,
}
GAINS = {"fixed": enums.GAIN_FIXED, "affine": enums.GAIN_AFFINE, "muscle": enums.GAIN_MUSCLE, "user": enums.GAIN_USER}
BIASES = {"none": enums.BIAS_NONE, "affine": enums.BIAS_AFFINE, "muscle": enums.BIAS_MUSCLE, "user": enums.BIAS_USER}


INHERITS = {"none": "ctrlrange", "filterexact": "ctrlrange", "integrator": "actrange"}
"""dyntype -> what inheritrange sets."""


def fill(model: Model, index: ObjectIndex, diagnostics: Diagnostics, actuators: list[Actuator]) -> None:
    adr = 0
    for i, (element, a) in enumerate(zip(index.objects["actuator"], actuators, strict=True)):
        if a.problem:
            diagnostics.error(element.at(a.problem[0], "inheritrange"), "bad-value", a.problem[1])
        values = element.values = {**element.values, **a.plain}
        element.given.update(a.plain)
        model.actuator_trntype[i], model.actuator_trnid[i] = transmission(index, diagnostics, element)
        model.actuator_dyntype[i] = DYNAMICS[a.dyntype]
        model.actuator_gaintype[i] = GAINS[a.gaintype]
        model.actuator_biastype[i] = BIASES[a.biastype]
        model.actuator_dynprm[i], model.actuator_gainprm[i] = a.dynprm, a.gainprm
        model.actuator_biasprm[i] = a.biasprm
        model.actuator_actearly[i] = a.actearly
        number = check_activations(index, diagnostics, element, a)
        check_muscle(diagnostics, element, a)
        model.actuator_actnum[i], model.actuator_actadr[i] = number, adr if number else -1
        adr += number
        model.actuator_group[i] = values["group"]
        gear = values["gear"].tolist() if "gear" in values else [1.0]
        model.actuator_gear[i, : len(gear)] = gear
        model.actuator_cranklength[i] = values.get("cranklength", 0.0)
        ranges(model, index, diagnostics, element, a, i)
    users(model, "actuator_user", index.objects["actuator"])


def check_activations(index: ObjectIndex, diagnostics: Diagnostics, element: Element, a: Actuator) -> int:
    """Number of activation variables of an actuator; 0 after a diagnostic where actdim does not fit."""
    number = activations(a)
    stateful = a.dyntype != "none"
    if element.tag == "plugin":
        need = index.plugins.activations(element) + stateful
        if number != need:
            diagnostics.error(
                element.at("actdim"),
                "bad-value",
                tr(
                    'the plugin, as it is set, needs {need} activation variables, not {number}; write actdim="{need}"',
                    need=need,
                    number=number,
                ),
            )
        return number
    if (number == 0 and not stateful) or (number == 1 and stateful) or (number > 1 and a.dyntype == "user"):
        return number
    diagnostics.error(
        element.at("actdim"),
        "bad-value",
        tr("actdim is {actdim}, which does not fit dyntype {dyntype}", actdim=a.actdim, dyntype=a.dyntype),
    )
    return 0


def check_muscle(diagnostics: Diagnostics, element: Element, a: Actuator) -> None:
    """Check that the parameters of a muscle give valid force curves."""
    for kind, prm, name in ((a.gaintype, a.gainprm, "gainprm"), (a.biastype, a.biasprm, "biasprm")):
        if kind != "muscle":
            continue
        message = None
        if prm[0] >= prm[1]:
            message = tr("the range of lengths of a muscle must grow: its first value must be the smaller")
            where = ("range", name)
        elif not prm[4] < 1 < prm[5]:
            message = tr("lmin must be less than 1 and lmax greater: forces peak at the normalized length 1")
            where = ("lmin", "lmax", name)
        elif min(prm[3], prm[6], prm[7], prm[8]) <= 0:
            message = tr("scale, vmax, fpmax and fvmax must be greater than 0")
            where = ("scale", "vmax", "fpmax", "fvmax", name)
        if message:
            diagnostics.error(element.at(*where), "bad-value", message)
            return


def ranges(model: Model, index: ObjectIndex, diagnostics: Diagnostics, element: Element, a: Actuator, i: int) -> None:
    spec, values = index.spec, element.values
    if a.inheritrange > 0:
        inherit(model, diagnostics, element, a, i)
        values = element.values
    for name in ("ctrl", "force", "act"):
        if f"{name}range" in values:
            getattr(model, f"actuator_{name}range")[i] = values[f"{name}range"]
        on = limited(spec, diagnostics, element, f"{name}limited", f"{name}range")
        getattr(model, f"actuator_{name}limited")[i] = on
        if name == "act" and on and a.dyntype == "none":
            diagnostics.error(
                element.at("actrange", "actlimited"),
                "exclusive-attributes",
                tr("the activation is limited, but dyntype none has no activation; remove actrange or set dyntype"),
            )
    if element.tag in ("damper", "adhesion") and (model.actuator_ctrlrange[i] < 0).any():
        diagnostics.error(
            element.at("ctrlrange"), "bad-range", tr("the control range of {tag} cannot be negative", tag=element.tag)
        )
    if "lengthrange" in values:
        model.actuator_lengthrange[i] = values["lengthrange"]


def inherit(model: Model, diagnostics: Diagnostics, element: Element, a: Actuator, i: int) -> None:
    """Apply inheritrange: the range of the joint or tendon, scaled about its middle; of servos only."""
    if a.gaintype != "fixed" or a.biastype != "affine" or a.gainprm[0] != -a.biasprm[1]:
        return
    name = INHERITS.get(a.dyntype)
    if name is None:
        diagnostics.error(
            element.at("inheritrange", "dyntype"),
            "exclusive-attributes",
            tr(
                "only servos without dynamics inherit a range, and this one has dyntype {dyntype}; remove inheritrange",
                dyntype=a.dyntype,
            ),
        )
        return
    target = model.actuator_trnid[i, 0]
    if target < 0:
        return
    tendon = model.actuator_trntype[i] == enums.TRN_TENDON
    hinged = model.actuator_trntype[i] == enums.TRN_JOINT and model.jnt_type[target] in (
        enums.JNT_HINGE,
        enums.JNT_SLIDE,
    )
    if not (tendon or hinged):
        message = tr("only actuators of hinge joints, slide joints and tendons inherit a range; remove inheritrange")
        diagnostics.error(element.at("inheritrange"), "bad-reference", message)
        return
    low, high = (model.tendon_range if tendon else model.jnt_range)[target]
    if low == high:
        diagnostics.error(
            element.at("inheritrange"),
            "bad-range",
            tr("the tendon has no range to inherit; give it one or remove inheritrange")
            if tendon
            else tr("the joint has no range to inherit; give it one or remove inheritrange"),
        )
        return
    middle, half = (low + high) / 2, (high - low) / 2 * a.inheritrange
    element.values = {**element.values, name: np.array([middle - half, middle + half])}
    element.given.add(name)
