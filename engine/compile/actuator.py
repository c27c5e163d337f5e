"""Actuators: the shortcuts as settings of one general actuator, transmissions, ranges.

A shortcut is applied on top of what the default classes have left, in the order in which they are applied, as the
XML reference says (actuator; "default"). Source of the parameters: XML reference, actuator/motor ... cylinder.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.compile.indexing import Index, users
from engine.compile.limits import limited
from engine.compile.transmission import transmission
from engine.enums import (
    BIAS_AFFINE,
    BIAS_MUSCLE,
    BIAS_NONE,
    BIAS_USER,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    DYN_MUSCLE,
    DYN_NONE,
    DYN_USER,
    GAIN_AFFINE,
    GAIN_FIXED,
    GAIN_MUSCLE,
    GAIN_USER,
    TRN_TENDON,
)
from engine.mjcf.values import fill as fill_up
from engine.spec.elements import Element

if TYPE_CHECKING:
    from engine.diagnostics import Diagnostics
    from engine.model import Model

DYNAMICS = {
    "none": DYN_NONE,
    "integrator": DYN_INTEGRATOR,
    "filter": DYN_FILTER,
    "filterexact": DYN_FILTEREXACT,
    "muscle": DYN_MUSCLE,
    "user": DYN_USER,
}
GAINS = {"fixed": GAIN_FIXED, "affine": GAIN_AFFINE, "muscle": GAIN_MUSCLE, "user": GAIN_USER}
BIASES = {"none": BIAS_NONE, "affine": BIAS_AFFINE, "muscle": BIAS_MUSCLE, "user": BIAS_USER}


INHERITS = {"none": "ctrlrange", "filterexact": "ctrlrange", "integrator": "actrange"}
"""dyntype -> what inheritrange sets."""


class Actuator:
    """The parameters of one actuator while its shortcuts are applied."""

    def __init__(self) -> None:
        self.dyntype, self.gaintype, self.biastype = "none", "fixed", "none"
        self.dynprm, self.gainprm, self.biasprm = [1.0] + [0.0] * 9, [1.0] + [0.0] * 9, [0.0] * 10
        self.actdim = -1
        self.actearly = False
        self.inheritrange = 0.0
        self.plain: dict[str, Any] = {"actlimited": "auto"}
        self.problem: tuple[str, str] | None = None


def _general(a: Actuator, own: dict[str, Any]) -> None:
    for name in ("dyntype", "gaintype", "biastype", "actdim", "actearly"):
        if name in own:
            setattr(a, name, own[name])
    for name in ("dynprm", "gainprm", "biasprm"):
        if name in own:
            given = own[name].tolist()[:10]
            getattr(a, name)[: len(given)] = given


def _motor(a: Actuator, own: dict[str, Any]) -> None:
    a.dyntype, a.gaintype, a.biastype = "none", "fixed", "none"
    a.gainprm[0] = 1.0


def _servo(a: Actuator, own: dict[str, Any]) -> None:
    kp = own.get("kp", a.gainprm[0])
    a.gaintype, a.biastype = "fixed", "affine"
    a.gainprm[0], a.biasprm[1] = kp, -kp
    if "kv" in own and "dampratio" in own:
        a.problem = ("dampratio", "kv and dampratio exclude each other; remove one")
    if "kv" in own:
        if own["kv"] < 0:
            a.problem = ("kv", "kv cannot be negative")
        a.biasprm[2] = -own["kv"]
    if "dampratio" in own:
        if own["dampratio"] < 0:
            a.problem = ("dampratio", "dampratio cannot be negative")
        a.biasprm[2] = own["dampratio"]  # turned into a damping when the inertia is known
    a.inheritrange = own.get("inheritrange", a.inheritrange)


def _exclude(a: Actuator, name: str) -> None:
    if a.inheritrange > 0 and np.any(a.plain.get(name, 0.0)):
        a.problem = (name, f"{name} and inheritrange exclude each other; remove one")


def _position(a: Actuator, own: dict[str, Any]) -> None:
    _servo(a, own)
    if "timeconst" in own:
        if own["timeconst"] < 0:
            a.problem = ("timeconst", "timeconst cannot be negative")
        a.dynprm[0] = own["timeconst"]
        a.dyntype = "filterexact" if own["timeconst"] > 0 else "none"
    _exclude(a, "ctrlrange")


def _intvelocity(a: Actuator, own: dict[str, Any]) -> None:
    before = a.gaintype, a.biastype, a.biasprm[2]
    _servo(a, own)
    if a.problem is not None:  # mujoco 3.3.4 then leaves these as they are, and says nothing
        a.problem, (a.gaintype, a.biastype, a.biasprm[2]) = None, before
    a.dyntype = "integrator"
    a.plain["actlimited"] = "true"
    _exclude(a, "actrange")


def _velocity(a: Actuator, own: dict[str, Any]) -> None:
    kv = own.get("kv", a.gainprm[0])
    a.dyntype, a.gaintype, a.biastype = "none", "fixed", "affine"
    a.gainprm[0], a.biasprm = kv, [0.0, 0.0, -kv] + [0.0] * 7


def _damper(a: Actuator, own: dict[str, Any]) -> None:
    kv = own.get("kv", 0.0)
    a.dyntype, a.gaintype, a.biastype = "none", "affine", "none"
    a.gainprm = [0.0, 0.0, -kv] + [0.0] * 7
    if kv < 0:
        a.problem = ("kv", "kv cannot be negative")
    a.plain["ctrllimited"] = own.get("ctrllimited", "true")  # only the Motphys dialect lets it be said


def _cylinder(a: Actuator, own: dict[str, Any]) -> None:
    a.dyntype, a.gaintype, a.biastype = "filter", "fixed", "affine"
    if "timeconst" in own:
        a.dynprm[0] = own["timeconst"]
    if "bias" in own:  # all three, as the specification says; mujoco 3.3.4 takes only the first
        a.biasprm[:3] = own["bias"].tolist()
    if "area" in own:
        a.gainprm[0] = own["area"]
    if own.get("diameter", -1) >= 0:
        a.gainprm[0] = math.pi * own["diameter"] ** 2 / 4


# What a muscle puts in place of the parameters of a general actuator: (index, their default, the muscle's).
_MUSCLE_DYN = ((0, 1.0, 0.01), (1, 0.0, 0.04))
_MUSCLE_GAIN = (
    (0, 1.0, 0.75), (1, 0.0, 1.05), (2, 0.0, -1.0), (3, 0.0, 200.0), (4, 0.0, 0.5), (5, 0.0, 1.6), (6, 0.0, 1.5),
    (7, 0.0, 1.3), (8, 0.0, 1.2),
)  # fmt: skip
_MUSCLE_NAMES = {"force": 2, "scale": 3, "lmin": 4, "lmax": 5, "vmax": 6, "fpmax": 7, "fvmax": 8}


def _muscle(a: Actuator, own: dict[str, Any]) -> None:
    for prm, table in ((a.dynprm, _MUSCLE_DYN), (a.gainprm, _MUSCLE_GAIN)):
        for k, general, muscle in table:
            if prm[k] == general:
                prm[k] = muscle
    if own.get("tausmooth", 0.0) < 0:
        a.problem = ("tausmooth", "tausmooth cannot be negative")
    for name, prm in (("timeconst", a.dynprm), ("range", a.gainprm)):
        for k, value in enumerate(own.get(name, ())):
            if value >= 0:  # a negative number stands for what is there already
                prm[k] = float(value)
    if "tausmooth" in own:
        a.dynprm[2] = own["tausmooth"]
    for name, k in _MUSCLE_NAMES.items():
        if own.get(name, -1.0) >= 0:
            a.gainprm[k] = own[name]
    a.biasprm[:9] = a.gainprm[:9]
    a.dyntype = a.gaintype = a.biastype = "muscle"


def _adhesion(a: Actuator, own: dict[str, Any]) -> None:
    a.gaintype, a.biastype = "fixed", "none"
    if "gain" in own:
        a.gainprm[0] = own["gain"]
        if own["gain"] < 0:
            a.problem = ("gain", "gain cannot be negative")
    a.plain["ctrllimited"] = own.get("ctrllimited", "true")  # only the Motphys dialect lets it be said


APPLY: dict[str, Callable[[Actuator, dict[str, Any]], None]] = {
    "general": _general,
    "plugin": _general,
    "motor": _motor,
    "position": _position,
    "velocity": _velocity,
    "intvelocity": _intvelocity,
    "damper": _damper,
    "cylinder": _cylinder,
    "muscle": _muscle,
    "adhesion": _adhesion,
}
_PLAIN = (
    "ctrllimited", "forcelimited", "actlimited", "ctrlrange", "forcerange", "actrange", "group", "gear", "lengthrange",
    "cranklength",
)  # fmt: skip


def parameters(element: Element) -> Actuator:
    """All links of an actuator applied, the default classes' first."""
    result = Actuator()
    for tag, own in element.links:
        for name in _PLAIN:
            if name in own:
                result.plain[name] = fill_up(own[name], result.plain.get(name))
        APPLY[tag](result, own)
    return result


def fill(model: Model, index: Index, diagnostics: Diagnostics, actuators: list[Actuator]) -> None:
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


def check_activations(index: Index, diagnostics: Diagnostics, element: Element, a: Actuator) -> int:
    """How many activation variables an actuator has; 0 after a diagnostic where actdim does not fit."""
    number = activations(a)
    stateful = a.dyntype != "none"
    if element.tag == "plugin":
        need = index.plugins.activations(element) + stateful
        if number != need:
            diagnostics.error(
                element.at("actdim"),
                "bad-value",
                f'the plugin, as it is set, needs {need} activation variables, not {number}; write actdim="{need}"',
            )
        return number
    if (number == 0 and not stateful) or (number == 1 and stateful) or (number > 1 and a.dyntype == "user"):
        return number
    diagnostics.error(
        element.at("actdim"), "bad-value", f"actdim is {a.actdim}, which does not fit dyntype {a.dyntype}"
    )
    return 0


def check_muscle(diagnostics: Diagnostics, element: Element, a: Actuator) -> None:
    """Parameters of muscle gains and biases with which the curves of force make sense."""
    for kind, prm, name in ((a.gaintype, a.gainprm, "gainprm"), (a.biastype, a.biasprm, "biasprm")):
        if kind != "muscle":
            continue
        message = None
        if prm[0] >= prm[1]:
            message = "the range of lengths of a muscle must grow: its first value must be the smaller"
            where = ("range", name)
        elif not prm[4] < 1 < prm[5]:
            message = "lmin must be less than 1 and lmax greater: forces peak at the normalized length 1"
            where = ("lmin", "lmax", name)
        elif min(prm[3], prm[6], prm[7], prm[8]) <= 0:
            message = "scale, vmax, fpmax and fvmax must be greater than 0"
            where = ("scale", "vmax", "fpmax", "fvmax", name)
        if message:
            diagnostics.error(element.at(*where), "bad-value", message)
            return


def activations(a: Actuator) -> int:
    """How many activation variables an actuator has."""
    if a.actdim >= 0:
        return a.actdim
    return 0 if a.dyntype == "none" else 1


def ranges(
    model: Model, index: Index, diagnostics: Diagnostics, element: Element, a: Actuator, i: int
) -> None:
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
                "the activation is limited, but dyntype none has no activation; remove actrange or set dyntype",
            )
    if element.tag in ("damper", "adhesion") and (model.actuator_ctrlrange[i] < 0).any():
        diagnostics.error(
            element.at("ctrlrange"), "bad-range", f"the control range of {element.tag} cannot be negative"
        )
    if "lengthrange" in values:
        model.actuator_lengthrange[i] = values["lengthrange"]


def inherit(model: Model, diagnostics: Diagnostics, element: Element, a: Actuator, i: int) -> None:
    """inheritrange: the range of the joint or tendon, scaled about its middle; of servos only."""
    if a.gaintype != "fixed" or a.biastype != "affine" or a.gainprm[0] != -a.biasprm[1]:
        return
    name = INHERITS.get(a.dyntype)
    if name is None:
        diagnostics.error(
            element.at("inheritrange", "dyntype"),
            "exclusive-attributes",
            f"only servos without dynamics inherit a range, and this one has dyntype {a.dyntype}; remove inheritrange",
        )
        return
    target = model.actuator_trnid[i, 0]
    if target < 0:
        return
    tendon = model.actuator_trntype[i] == TRN_TENDON
    low, high = (model.tendon_range if tendon else model.jnt_range)[target]
    if low == high:
        diagnostics.error(
            element.at("inheritrange"),
            "bad-range",
            f"the {'tendon' if tendon else 'joint'} has no range to inherit; give it one or remove inheritrange",
        )
        return
    middle, half = (low + high) / 2, (high - low) / 2 * a.inheritrange
    element.values = {**element.values, name: np.array([middle - half, middle + half])}
    element.given.add(name)
