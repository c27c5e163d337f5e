"""Joints, actuators, sensors, equalities and keyframes without their intended effect."""

from __future__ import annotations

import math

import numpy as np

from kinetree.engine.check.case import Case, Finding, Findings
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.mjcf.exceptions import RANGE_OF_FLAG
from kinetree.engine.model import enums
from kinetree.engine.model.sensors import Idle, by_type
from kinetree.engine.translation import all_of, counted, tr

TOLERANCE = 0.01
"""Share of a range by which a value may be outside."""
KEYS_AT_ONCE = 1000
"""Keyframes whose values are compared in one go."""
FACTOR = 20.0
"""Ranges that differ by more are in different units."""


# ---- joints -------------------------------------------------------------------------------------------


def angles(case: Case) -> Findings:
    """Ranges in the wrong unit. Radians that look like degrees are whole numbers; the reverse are shares of pi."""
    degree = case.index.spec.degree
    for i, joint in case.first_of_copies("joint"):
        if case.model.jnt_type[i] not in (enums.JNT_HINGE, enums.JNT_BALL) or not case.model.jnt_limited[i]:
            continue
        values = joint["range"]
        if "range" not in joint.given:
            continue
        most = float(np.abs(values).max())
        if not degree and 4 * math.pi < most <= 720 and np.all(values == np.round(values)):
            yield Finding(
                "angle-unit",
                joint.at("range"),
                tr(
                    "the range of {label} ends at {most:g} radians ({number:.0f} turns); write it in radians, or "
                    'set compiler/angle="degree"',
                    label=case.joint(i),
                    most=most,
                    number=most / 2 / math.pi,
                ),
            )
        elif degree and 0.5 < most < 6.5 and all(_share_of_pi(v) for v in values.tolist()):
            yield Finding(
                "angle-unit",
                joint.at("range"),
                tr(
                    "the range of {label} is {values:g} to {values2:g} degrees; write it in degrees, or set "
                    'compiler/angle="radian"',
                    label=case.joint(i),
                    values=values[0],
                    values2=values[1],
                ),
            )


def _share_of_pi(value: float) -> bool:
    parts = abs(value) / (math.pi / 12)
    return value == 0 or (round(value, 2) != round(value, 1) and abs(parts - round(parts)) * math.pi / 12 < 2e-3)


def ranges(case: Case) -> Findings:
    model = case.model
    for i, joint in case.first_of_copies("joint"):
        if not model.jnt_limited[i] or not case.scalar_joint(i):
            continue
        low, high = model.jnt_range[i].tolist()
        at, slack = float(model.qpos0[model.jnt_qposadr[i]]), TOLERANCE * (high - low)
        if high - low < 1e-5:
            yield Finding(
                "narrow-range",
                joint.at("range"),
                tr(
                    "{label} can move by {number:.2g} only; remove the joint to weld the bodies",
                    label=case.joint(i),
                    number=high - low,
                ),
            )
        elif not low - slack <= at <= high + slack:
            unit = "rad" if model.jnt_type[i] == enums.JNT_HINGE else "m"
            yield Finding(
                "rest-outside-range",
                joint.at("range"),
                tr(
                    "{label} is at {at:.4g} {unit} at rest, outside its range of {low:.4g} to {high:.4g}; change "
                    "the range, or set ref",
                    label=case.joint(i),
                    at=at,
                    unit=unit,
                    low=low,
                    high=high,
                ),
                (_written(case, joint, i, min(max(at, low), high)), _written(case, joint, i, at)),
            )
    for kind in ("joint", "tendon", "actuator"):
        for _, element in case.first_of_copies(kind):
            yield from _off(element)


def _written(case: Case, joint: Element, j: int, value: float) -> str:
    """A position of a joint as its attributes have it: an angle in the unit of the model."""
    in_degrees = case.model.jnt_type[j] == enums.JNT_HINGE and case.index.spec.degree_of(joint)
    return f"{math.degrees(value) if in_degrees else value:.10g}"


def _off(element: Element) -> Findings:
    for flag, interval in RANGE_OF_FLAG.items():
        written = element.node.attribute(interval)
        if written is not None and element.node.get(flag) == "false" and np.any(element.get(interval, 0)):
            yield Finding(
                "range-off",
                written,
                tr(
                    '{flag}="false" switches the {interval} of {label} off; remove one of them',
                    flag=flag,
                    interval=interval,
                    label=element.label(),
                ),
            )


def keyframes(case: Case) -> Findings:
    model = case.model
    scalar = (model.jnt_limited != 0) & (model.jnt_type != enums.JNT_FREE) & (model.jnt_type != enums.JNT_BALL)
    joints = np.flatnonzero(scalar)
    driven = np.flatnonzero(model.actuator_ctrllimited != 0)
    places = model.jnt_qposadr[joints]
    wrong_joint = _first_outside(model.key_qpos, model.jnt_qposadr[joints], model.jnt_range[joints])
    wrong_control = _first_outside(model.key_ctrl, driven, model.actuator_ctrlrange[driven])
    if model.opt_disableflags & enums.DSBL_CLAMPCTRL:
        wrong_control[:] = -1
    for k in np.flatnonzero((wrong_joint >= 0) | (wrong_control >= 0)).tolist():
        key = case.elements("key")[k]
        if "qpos" in key.given and wrong_joint[k] >= 0:
            j = int(joints[wrong_joint[k]])
            low, high = model.jnt_range[j].tolist()
            yield Finding(
                "keyframe-outside-range",
                key.at("qpos"),
                tr(
                    "{label} puts {label2} at {at:.4g}, outside its range of {low:.4g} to {high:.4g}; correct its "
                    "value, number {number} of qpos",
                    label=key.label(),
                    label2=case.joint(j),
                    at=float(model.key_qpos[k, model.jnt_qposadr[j]]),
                    low=low,
                    high=high,
                    number=model.jnt_qposadr[j] + 1,
                ),
                _clamped(model.key_qpos[k], places, model.jnt_range[joints]),
            )
        if "ctrl" in key.given and wrong_control[k] >= 0:
            a = int(driven[wrong_control[k]])
            low, high = model.actuator_ctrlrange[a].tolist()
            yield Finding(
                "keyframe-outside-range",
                key.at("ctrl"),
                tr(
                    "{label} sets {label2} to {at:.4g}, outside its range of {low:.4g} to {high:.4g}; correct its "
                    "value, number {number} of ctrl",
                    label=key.label(),
                    label2=case.actuator(a),
                    at=float(model.key_ctrl[k, a]),
                    low=low,
                    high=high,
                    number=a + 1,
                ),
                _clamped(model.key_ctrl[k], driven, model.actuator_ctrlrange[driven]),
            )


def _clamped(row: np.ndarray, columns: np.ndarray, limits: np.ndarray) -> tuple[str, ...]:
    """The numbers of a keyframe that are outside of their limits: for each its place in the row, and the nearest number
    within them."""
    values = row[columns]
    nearest = np.clip(values, limits[:, 0], limits[:, 1])
    found: list[str] = []
    for i in np.flatnonzero(values != nearest).tolist():
        found += [str(int(columns[i])), f"{nearest[i]:.6g}"]
    return tuple(found)


def _first_outside(rows: np.ndarray, columns: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """For each row the first of some columns that is outside its limits, as its number among them; -1 for none."""
    slack = TOLERANCE * (limits[:, 1] - limits[:, 0])
    low, high = limits[:, 0] - slack, limits[:, 1] + slack
    found = np.full(len(rows), -1)
    for start in range(0, len(rows) if len(columns) else 0, KEYS_AT_ONCE):
        values = rows[start : start + KEYS_AT_ONCE, columns]
        outside = ~((low <= values) & (values <= high))
        found[start : start + KEYS_AT_ONCE] = np.where(outside.any(1), outside.argmax(1), -1)
    return found


# ---- actuators ----------------------------------------------------------------------------------------


def actuators(case: Case) -> Findings:
    model = case.model
    for i, actuator in enumerate(case.elements("actuator")):
        gain, bias = model.actuator_gainprm[i], model.actuator_biasprm[i]
        fixed = model.actuator_gaintype[i] == enums.GAIN_FIXED
        plain = bool(model.actuator_biastype[i] == enums.BIAS_NONE or not bias.any())
        if model.actuator_plugin[i] >= 0:
            continue
        if not model.actuator_gear[i].any() and model.actuator_trntype[i] != enums.TRN_TENDON:
            yield Finding(
                "idle-actuator",
                actuator.at("gear"),
                tr("the gear of {label} is 0; change it", label=case.actuator(i)),
                ("gear",),
            )
            continue
        if fixed and gain[0] == 0 and plain:
            yield Finding(
                "idle-actuator",
                actuator.at("gainprm", "kp", "kv"),
                tr("{label} has no gain, so that it never produces a force; set its gain", label=case.actuator(i)),
            )
            continue
        servo = fixed and model.actuator_biastype[i] == enums.BIAS_AFFINE and gain[0] > 0 and bias[1] == -gain[0]
        if not servo or model.actuator_trntype[i] not in (enums.TRN_JOINT, enums.TRN_JOINTINPARENT):
            continue
        joint, gear = int(model.actuator_trnid[i, 0]), float(model.actuator_gear[i, 0])
        if not case.scalar_joint(joint) or gear == 0:
            continue
        yield from _reach(case, actuator, i, joint, gear)
        yield from _stiffness(case, actuator, i, joint, gear)


def _reach(case: Case, actuator: Element, i: int, joint: int, gear: float) -> Findings:
    model = case.model
    if not model.jnt_limited[joint] or not model.actuator_ctrllimited[i]:
        return
    if model.actuator_dyntype[i] == enums.DYN_INTEGRATOR:
        return
    low, high = sorted((model.actuator_ctrlrange[i] / gear).tolist())
    first, last = model.jnt_range[joint].tolist()
    name = case.joint(joint)
    facts = tuple(f"{value:.6g}" for value in sorted((model.jnt_range[joint] * gear).tolist()))
    where = actuator.at("ctrlrange", "inheritrange")
    meant = tr("the targets {low:.4g} to {high:.4g} of {label}", low=low, high=high, label=case.actuator(i))
    if high < first or low > last:
        yield Finding(
            "actuator-range",
            where,
            tr(
                "{meant} are all outside the range of {name}, {first:.4g} to {last:.4g}; change one",
                meant=meant,
                name=name,
                first=first,
                last=last,
            ),
            facts,
        )
    elif high - low < (last - first) / FACTOR:
        yield Finding(
            "actuator-range",
            where,
            tr(
                "{meant} cover a small part of the range of {name}, {first:.4g} to {last:.4g}; check the units",
                meant=meant,
                name=name,
                first=first,
                last=last,
            ),
            facts,
        )
    elif high - low > (last - first) * FACTOR:
        hint = tr("controls are in radians") if model.jnt_type[joint] == enums.JNT_HINGE else tr("check the units")
        yield Finding(
            "actuator-range",
            where,
            tr(
                "{meant} go far beyond the range of {name}, {first:.4g} to {last:.4g}; {hint}",
                meant=meant,
                name=name,
                first=first,
                last=last,
                hint=hint,
            ),
            facts,
        )


def _stiffness(case: Case, actuator: Element, i: int, joint: int, gear: float) -> Findings:
    model = case.model
    if model.opt_integrator not in (enums.INT_EULER, enums.INT_RK4) or model.actuator_forcelimited[i]:
        return
    if model.jnt_actfrclimited[joint] or model.actuator_dyntype[i]:
        return
    step, mobility = float(model.opt_timestep), float(model.actuator_acc0[i]) / abs(gear)
    stiffness = float(model.actuator_gainprm[i, 0]) * gear * gear
    damping = float(model.dof_damping[model.jnt_dofadr[joint]]) - float(model.actuator_biasprm[i, 2]) * gear * gear
    if step * step * stiffness * mobility > 4 + 2 * step * max(damping, 0.0) * mobility:
        longest = 2 / math.sqrt(stiffness * mobility)
        yield Finding(
            "unstable-servo",
            actuator.at("kp", "gainprm"),
            tr(
                "{label} is too stiff for a timestep of {step:g} s; use less than {longest:.2g} s, a smaller "
                "kp, armature on the joint, or an implicit integrator",
                label=case.actuator(i),
                step=step,
                longest=longest,
            ),
        )


# ---- sensors ------------------------------------------------------------------------------------------


def sensors(case: Case) -> Findings:
    model = case.model
    elements = case.elements("sensor")
    if elements and model.opt_disableflags & enums.DSBL_SENSOR:
        flag = case.index.spec.flag.given.get("sensor")
        yield Finding(
            "sensors-off",
            flag or elements[0].node,
            counted(
                "this switches off {count} sensor; enable it, or remove them",
                "this switches off {count} sensors; enable it, or remove them",
                len(elements),
            ),
        )
        return
    direct = np.isin(model.actuator_trntype, (enums.TRN_JOINT, enums.TRN_JOINTINPARENT))
    tendons = set(model.actuator_trnid[model.actuator_trntype == enums.TRN_TENDON, 0].tolist())
    joints = set(model.actuator_trnid[direct, 0].tolist()) | _joints_of(case, tendons)
    driven = {"joint": joints, "tendon": tendons}
    # what drives sites, bodies or paths in space can move any joint
    elsewhere = bool((~direct & (model.actuator_trntype != enums.TRN_TENDON)).any()) or -1 in joints
    touched = np.zeros(model.nbody, bool)  # bodies whose geoms can touch something
    touched[model.geom_bodyid[case.colliding(np.arange(model.ngeom))]] = True
    touched[model.geom_bodyid[np.concatenate([model.pair_geom1, model.pair_geom2])]] = True
    for i, sensor in case.first_of_copies("sensor"):
        row, obj = by_type()[int(model.sensor_type[i])], int(model.sensor_objid[i])
        reason, facts = "", ()
        if row.idle is Idle.UNTOUCHED:
            if not touched[model.site_bodyid[obj]]:
                body = case.body(model.site_bodyid[obj])
                reason = tr("{body} has no geom that collides; give it one", body=body)
        elif row.idle is Idle.STATIC and case.static[model.site_bodyid[obj]]:
            reason = tr("its site cannot move; put it into a body that does")
        elif row.idle is Idle.NO_FIELD and not model.opt_magnetic.any():
            reason, facts = tr("option/magnetic is 0; set it"), ("magnetic",)
        elif row.idle is Idle.UNDRIVEN and not elsewhere and obj not in driven[row.target.kind]:
            reason = (
                tr("no actuator drives the joint; add one")
                if row.target.kind == "joint"
                else tr("no actuator drives the tendon; add one")
            )
        if reason:
            yield Finding(
                "idle-sensor",
                sensor.node.tag_span,
                tr("{label} always reads the same: {reason}", label=sensor.label(), reason=reason),
                facts,
            )


def _joints_of(case: Case, tendons: set[int]) -> set[int]:
    """Joints that these tendons are made of; -1 stands for those that a path in space moves."""
    model, found = case.model, set()
    for t in tendons:
        for w in range(model.tendon_adr[t], model.tendon_adr[t] + model.tendon_num[t]):
            found.add(int(model.wrap_objid[w]) if model.wrap_type[w] == enums.WRAP_JOINT else -1)
    return found


# ---- loops --------------------------------------------------------------------------------------------


def loops(case: Case) -> Findings:
    model = case.model
    for i, equality in case.first_of_copies("equality"):
        if model.eq_type[i] not in (enums.EQ_CONNECT, enums.EQ_WELD) or not model.eq_active0[i]:
            continue
        ends = [int(model.eq_obj1id[i]), max(int(model.eq_obj2id[i]), 0)]
        if model.eq_objtype[i] == enums.OBJ_SITE:
            sites, ends = ends, [int(model.site_bodyid[s]) for s in ends]
        elif model.eq_objtype[i] == enums.OBJ_BODY:
            sites = []
        else:
            continue
        if (model.body_mocapid[model.body_rootid[ends]] >= 0).any():
            continue
        one, two = (int(model.body_weldid[b]) for b in ends)
        labels = all_of([case.body(b) for b in ends])
        where = equality.at("body1", "site1")
        if one == two:
            yield Finding(
                "loop-parent-child",
                where,
                tr("{labels} cannot move against each other, so that this does nothing; remove it", labels=labels),
            )
        elif case.parent_and_child(one, two) and 0 not in (one, two):
            yield Finding(
                "loop-parent-child",
                where,
                tr(
                    "of {labels} one is the other's parent, so that this fights the joint between them; join the "
                    "ends of the loop, or remove the joint",
                    labels=labels,
                ),
            )
        elif sites:
            gap = float(np.linalg.norm(np.subtract(*case.rest.site_xpos[sites])))
            if gap > 0.5 * float(model.stat_meansize):
                yield Finding(
                    "open-loop",
                    equality.at("site1"),
                    tr("the two sites are {gap:.3g} m apart at rest; move them to the same place", gap=gap),
                )


def exclusions(case: Case) -> Findings:
    model = case.model
    filtered = not model.opt_disableflags & enums.DSBL_FILTERPARENT
    for _, exclude in case.first_of_copies("exclude"):
        if exclude.node.attribute("body1") is None:
            continue  # made by another element
        ids = [case.index.ids["body"].get(exclude.get(name, ""), 0) for name in ("body1", "body2")]
        one, two = (int(model.body_weldid[b]) for b in ids)
        if one == two or (filtered and 0 not in (one, two) and case.parent_and_child(one, two)):
            yield Finding(
                "redundant-exclude",
                exclude.node.tag_span,
                tr(
                    "{one} and {other} never collide: they are welded together; remove the element"
                    if one == two
                    else "{one} and {other} never collide: one is the parent of the other; remove the element",
                    one=case.body(ids[0]),
                    other=case.body(ids[1]),
                ),
            )
