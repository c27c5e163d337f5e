"""Explains `data.warning` as text: which numbers went bad, where, since when, and what to try.

    for finding in findings(model, data):
        print(finding.text)

`data.warning[WARN_BADQACC]` is MuJoCo's (lastinfo, number); `data.warning_time` has the time of the first one and
`data.nreset` counts automatic resets. A reset from outside clears them, an automatic one does not.

Detected are numbers that are not finite, or beyond 1e10, in positions, velocities and accelerations (the state goes
back to its start, unless the flag autoreset is disabled) and in controls (all controls count as zero in that step).
Arrays of contacts and constraint rows grow, up to the limits of `engine/jit/capacity.py`: WARN_CONTACTFULL and
WARN_CNSTRFULL say that something was left out of a step. Without autoreset MuJoCo counts a warning about the motion
twice, and so do we; the texts tell how often it happened.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.data import Data
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.model.model import Model, options_of
from kinetree.engine.run.snapshot import Snapshot
from kinetree.engine.translation import any_of, marked, tr

HELP = "docs/divergence.md"
_MOTION = (enums.WARN_BADQPOS, enums.WARN_BADQVEL, enums.WARN_BADQACC)
_LEFT_OUT = {
    enums.WARN_CONTACTFULL: (
        marked("contacts"),
        marked("Move bodies apart that are in the same place, or let them pass ({help})."),
    ),
    enums.WARN_CNSTRFULL: (marked("constraint rows"), marked("Move bodies apart that are in the same place ({help}).")),
}
"""WARN_ -> (what was left out, what to try)"""
NAMES: dict[int, str] = {
    value: name.removeprefix("WARN_") for name, value in vars(enums).items() if name.startswith("WARN_")
}
"""WARN_ -> MuJoCo's name of it, like BADQACC."""
SANE_STEPS = 10
"""A simulation that is reset more often than every so many steps shows nothing of the model."""


@dataclass(frozen=True)
class WarningFinding:
    """One kind of warning of a simulation.

    warning  WARN_...
    number   how often it was raised
    time     simulation time of the first, s
    place    where the last one was: 'joint "hinge"'
    remedy   what to try
    text     all of that, in sentences
    """

    warning: int
    number: int
    time: float
    place: str
    remedy: str
    text: str

    @property
    def name(self) -> str:
        """MuJoCo's name of the warning, like BADQACC."""
        return NAMES[self.warning]

    @property
    def summary(self) -> str:
        """A few words, for a status bar."""
        if self.warning in _LEFT_OUT:
            return tr("Too crowded")
        return tr("Bad control") if self.warning == enums.WARN_BADCTRL else tr("Diverged")


def findings(model: Model, state: Data | Snapshot) -> list[WarningFinding]:
    """The warnings that the simulation has raised, those of the motion first; empty for a sound one."""
    found = [
        _finding(model, state, warning)
        for warning in np.flatnonzero(state.warning[:, 1]).tolist()
        if warning in _PLACES or warning in _LEFT_OUT
    ]
    return sorted(found, key=lambda item: (item.warning not in _MOTION, item.time))


def object_of(model: Model, warning: int, last: int) -> ObjectId | None:
    """The object that the lastinfo of a warning names; None where it names none."""
    if warning == enums.WARN_BADCTRL:
        return ObjectId("actuator", last) if 0 <= last < model.nu else None
    if warning == enums.WARN_BADQPOS:
        return ObjectId("joint", _joint_of_position(model, last)) if model.njnt else None
    if warning in _MOTION and 0 <= last < model.nv:
        return ObjectId("joint", int(model.dof_jntid[last]))
    return None


def diverged(state: Data | Snapshot) -> bool:
    """Whether positions, velocities or accelerations went bad."""
    return bool(state.warning[list(_MOTION), 1].any())


def shows_nothing(state: Data | Snapshot, steps: int) -> bool:
    """Whether the simulation went bad so often, or so much, that its result says nothing about the model."""
    if not diverged(state):
        return False
    return bool(state.nreset * SANE_STEPS > steps) or not bool(np.isfinite(state.qpos).all())


def _finding(model: Model, state: Data | Snapshot, warning: int) -> WarningFinding:
    opt = options_of(model, state)
    last, number = (int(n) for n in state.warning[warning])
    time = float(state.warning_time[warning])
    if warning in _MOTION and opt.disableflags & enums.DSBL_AUTORESET:
        number = max(1, number // 2)
    times = tr("once") if number == 1 else tr("{number:,} times", number=number)
    since = tr("at {time:.4g} s", time=time) if number == 1 else tr("first at {time:.4g} s", time=time)
    if warning in _LEFT_OUT:
        what, sentence = _LEFT_OUT[warning]
        place, remedy = tr(what), tr(sentence, help=HELP)
        text = tr(
            "There were too many {place} at once {times} ({since}): what does not fit in memory had no effect.",
            place=place,
            times=times,
            since=since,
        )
        return WarningFinding(warning, number, time, place, remedy, f"{text} {remedy}")
    place_of, what = _PLACES[warning]
    place = place_of(model, last)
    if warning == enums.WARN_BADCTRL:
        remedy = tr("Check what sets the controls; a ctrlrange keeps them in bounds ({help}).", help=HELP)
        text = tr(
            "The control of {place} was too large or not a number {times} ({since}): all controls counted as zero.",
            place=place,
            times=times,
            since=since,
        )
    elif opt.disableflags & enums.DSBL_AUTORESET:
        remedy = _remedy(model, opt, warning, last)
        text = tr(
            "The simulation diverged: {what} of {place} was too large or not a number ({since}, {times}). It goes on "
            "from there, as autoreset is disabled.",
            what=tr(what),
            place=place,
            since=since,
            times=times,
        )
    else:
        remedy = _remedy(model, opt, warning, last)
        text = tr(
            "The simulation diverged {times}: {what} of {place} was too large or not a number ({since}). It began "
            "again from its start.",
            times=times,
            what=tr(what),
            place=place,
            since=since,
        )
    return WarningFinding(warning, number, time, place, remedy, f"{text} {remedy}")


def _remedy(model: Model, opt, warning: int, last: int) -> str:
    """What to try, most promising first."""
    step = float(opt.timestep)
    dof = int(model.jnt_dofadr[_joint_of_position(model, last)]) if warning == enums.WARN_BADQPOS else last
    limit = _spring_limit(model, dof) if 0 <= dof < model.nv else math.inf
    tried = [
        tr("a timestep below {limit:.2g} s", limit=limit)
        if limit < step
        else tr("a timestep smaller than {step:g} s", step=step)
    ]
    tried.append(tr("more damping or armature"))
    if opt.integrator == enums.INT_EULER:
        tried.append('integrator="implicitfast"')
    return tr("Try {names} ({help}).", names=any_of(tried), help=HELP)


def _spring_limit(model: Model, dof: int) -> float:
    """The timestep at which the spring of a dof's joint gets unstable under semi-implicit Euler: 2 / omega, s."""
    stiffness, inertia = float(model.jnt_stiffness[model.dof_jntid[dof]]), float(model.dof_M0[dof])
    return 2 * math.sqrt(inertia / stiffness) if stiffness > 0 and inertia > 0 else math.inf


def _joint_of_position(model: Model, position: int) -> int:
    return max(0, int(np.searchsorted(model.jnt_qposadr, position, side="right")) - 1)


def _joint(model: Model, joint: int) -> str:
    names = model.names.get("joint", [])
    if joint < len(names) and names[joint]:
        return tr('joint "{name}"', name=names[joint])
    bodies, body = model.names.get("body", []), int(model.jnt_bodyid[joint])
    name = f'"{bodies[body]}"' if body < len(bodies) and bodies[body] else str(body)
    return tr("joint {joint} (of body {name})", joint=joint, name=name)


def _actuator(model: Model, actuator: int) -> str:
    names = model.names.get("actuator", [])
    if names and names[actuator]:
        return tr('actuator "{name}"', name=names[actuator])
    target = _target(model, actuator)
    if target:
        return tr("actuator {number} (of {target})", number=actuator, target=target)
    return tr("actuator {number}", number=actuator)


def _target(model: Model, actuator: int) -> str:
    """The object that an actuator drives, by its name; "" for one without a name."""
    transmission, target = int(model.actuator_trntype[actuator]), int(model.actuator_trnid[actuator, 0])
    if transmission in (enums.TRN_JOINT, enums.TRN_JOINTINPARENT):
        return _joint(model, target)
    kind = {enums.TRN_TENDON: "tendon", enums.TRN_SITE: "site", enums.TRN_BODY: "body"}.get(transmission, "")
    names = model.names.get(kind, [])
    return f'{kind} "{names[target]}"' if 0 <= target < len(names) and names[target] else ""


_PLACES: dict[int, tuple[Callable[[Model, int], str], str]] = {
    enums.WARN_BADQPOS: (lambda model, i: _joint(model, _joint_of_position(model, i)), marked("the position")),
    enums.WARN_BADQVEL: (lambda model, i: _joint(model, int(model.dof_jntid[i])), marked("the velocity")),
    enums.WARN_BADQACC: (lambda model, i: _joint(model, int(model.dof_jntid[i])), marked("the acceleration")),
    enums.WARN_BADCTRL: (_actuator, marked("the control")),
}
"""WARN_ -> (what its lastinfo names, which numbers are bad)"""
