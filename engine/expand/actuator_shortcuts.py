"""Actuator shortcuts (motor, position, velocity, ... adhesion) as parameters of one general actuator.

A shortcut overrides the settings of the default classes, in the order in which they apply (XML reference, "actuator"
and "default"). Source of the parameters: XML reference, actuator/motor to actuator/adhesion.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.mjcf.defaults import Defaults, add_values
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.mjcf.schema_table import ELEMENTS
from kinetree.engine.mjcf.values import fill as fill_up
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.document.tree import Node


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
        a.problem = ("dampratio", tr("kv and dampratio exclude each other; remove one"))
    if "kv" in own:
        if own["kv"] < 0:
            a.problem = ("kv", tr("{name} cannot be negative", name="kv"))
        a.biasprm[2] = -own["kv"]
    if "dampratio" in own:
        if own["dampratio"] < 0:
            a.problem = ("dampratio", tr("{name} cannot be negative", name="dampratio"))
        a.biasprm[2] = own["dampratio"]  # converted to a damping coefficient when the inertia is known
    a.inheritrange = own.get("inheritrange", a.inheritrange)


def _exclude(a: Actuator, name: str) -> None:
    if a.inheritrange > 0 and np.any(a.plain.get(name, 0.0)):
        a.problem = (name, tr("{name} and inheritrange exclude each other; remove one", name=name))


def _position(a: Actuator, own: dict[str, Any]) -> None:
    _servo(a, own)
    if "timeconst" in own:
        if own["timeconst"] < 0:
            a.problem = ("timeconst", tr("{name} cannot be negative", name="timeconst"))
        a.dynprm[0] = own["timeconst"]
        a.dyntype = "filterexact" if own["timeconst"] > 0 else "none"
    _exclude(a, "ctrlrange")


def _intvelocity(a: Actuator, own: dict[str, Any]) -> None:
    before = a.gaintype, a.biastype, a.biasprm[2]
    _servo(a, own)
    if a.problem is not None:  # mujoco 3.3.4 then ignores these without a warning
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
        a.problem = ("kv", tr("{name} cannot be negative", name="kv"))
    a.plain["ctrllimited"] = own.get("ctrllimited", "true")  # an attribute in the Motphys dialect only


def _cylinder(a: Actuator, own: dict[str, Any]) -> None:
    a.dyntype, a.gaintype, a.biastype = "filter", "fixed", "affine"
    if "timeconst" in own:
        a.dynprm[0] = own["timeconst"]
    if "bias" in own:  # all three numbers, as the specification says; mujoco 3.3.4 reads only the first
        a.biasprm[:3] = own["bias"].tolist()
    if "area" in own:
        a.gainprm[0] = own["area"]
    if own.get("diameter", -1) >= 0:
        a.gainprm[0] = math.pi * own["diameter"] ** 2 / 4


# Defaults of a muscle in place of those of a general actuator: (index, general default, muscle default).
_MUSCLE_DYN = ((0, 1.0, 0.01), (1, 0.0, 0.04))
_MUSCLE_GAIN = (
    (0, 1.0, 0.75), (1, 0.0, 1.05), (2, 0.0, -1.0), (3, 0.0, 200.0), (4, 0.0, 0.5), (5, 0.0, 1.6),
    (6, 0.0, 1.5),
    (7, 0.0, 1.3), (8, 0.0, 1.2),
)  # fmt: skip
_MUSCLE_NAMES = {"force": 2, "scale": 3, "lmin": 4, "lmax": 5, "vmax": 6, "fpmax": 7, "fvmax": 8}


def _muscle(a: Actuator, own: dict[str, Any]) -> None:
    for prm, table in ((a.dynprm, _MUSCLE_DYN), (a.gainprm, _MUSCLE_GAIN)):
        for k, general, muscle in table:
            if prm[k] == general:
                prm[k] = muscle
    if own.get("tausmooth", 0.0) < 0:
        a.problem = ("tausmooth", tr("{name} cannot be negative", name="tausmooth"))
    for name, prm in (("timeconst", a.dynprm), ("range", a.gainprm)):
        for k, value in enumerate(own.get(name, ())):
            if value >= 0:  # a negative number keeps the present value
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
            a.problem = ("gain", tr("{name} cannot be negative", name="gain"))
    a.plain["ctrllimited"] = own.get("ctrllimited", "true")  # an attribute in the Motphys dialect only


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
    "ctrllimited", "forcelimited", "actlimited", "ctrlrange", "forcerange", "actrange", "group", "gear",
    "lengthrange",
    "cranklength",
)  # fmt: skip


def parameters(element: Element) -> Actuator:
    """Apply all links of an actuator (`Element.links`), those of default classes first."""
    result = Actuator()
    for tag, own in element.links:
        _apply(result, tag, own)
    return result


def _apply(a: Actuator, tag: str, own: dict[str, Any]) -> None:
    for name in _PLAIN:
        if name in own:
            a.plain[name] = fill_up(own[name], a.plain.get(name))
    APPLY[tag](a, own)


def check_classes(defaults: Defaults, diagnostics: Diagnostics) -> None:
    """Report default classes whose shortcuts exclude each other, whether an actuator uses them or not."""
    reported: set[Node] = set()
    for each in defaults:
        a = Actuator()
        for node in each.elements(ELEMENTS["actuator.general"]):
            own: dict[str, Any] = {}
            add_values(own, node, ELEMENTS[f"actuator.{node.tag}"], fill=False)
            _apply(a, node.tag, own)
            if a.problem is not None:
                name, message = a.problem
                place = node.attribute(name) or node.attribute("inheritrange") or node
                if node not in reported:
                    diagnostics.error(place, "bad-value", message)
                reported.add(node)
                break


def activations(a: Actuator) -> int:
    """How many activation variables an actuator has."""
    if a.actdim >= 0:
        return a.actdim
    return 0 if a.dyntype == "none" else 1
