"""Muscles: activation dynamics, and how force depends on length and velocity.

Lengths are scaled so that the range of the actuator's length is the muscle's operating range: with the ranges
(l0, l1) of the length and (r0, r1) of the operating range, L0 = (l1 - l0) / (r1 - r0), LT = l0 - L0 r0, and
the scaled length is (l - LT) / L0. Specification: Modeling, "Muscles"; XML reference, actuator/muscle. The
time constants change with the activation as in Millard et al. 2013.
"""

from __future__ import annotations

from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import MINVAL
from kinetree.engine.model import enums


@small
def sigmoid(x):
    """A smooth step from 0 at x = 0 to 1 at x = 1, with zero first and second derivatives at both ends."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    return x * x * x * (10.0 + x * (6.0 * x - 15.0))


@small
def activation_rate(model, i, ctrl, act):
    """Rate of the activation: towards the control, slower when it falls."""
    goal, now = min(max(ctrl, 0.0), 1.0), min(max(act, 0.0), 1.0)
    share = 0.5 + 1.5 * now
    rising, falling = model.actuator_dynprm[i, 0] * share, model.actuator_dynprm[i, 1] / share
    smooth, away = model.actuator_dynprm[i, 2], goal - act
    if smooth < MINVAL:
        tau = rising if away > 0.0 else falling
    else:
        tau = falling + (rising - falling) * sigmoid(away / smooth + 0.5)
    return away / max(MINVAL, tau)


@small
def _scaled(model, i, prm, length):
    """(scaled length, optimal length, peak force)"""
    low, high = model.actuator_lengthrange[i, 0], model.actuator_lengthrange[i, 1]
    optimal = (high - low) / max(MINVAL, prm[i, 1] - prm[i, 0])
    scaled = prm[i, 0] + (length - low) / max(MINVAL, optimal)
    force = prm[i, 2]
    if force < 0.0:
        force = prm[i, 3] / max(MINVAL, model.actuator_acc0[i])
    return scaled, optimal, force


@small
def _bell(x, low, high):
    """Active force by length: four pieces of parabolas from 0 at low over 1 at 1 to 0 at high."""
    if x < low or x > high:
        return 0.0
    middle = 0.5 * (low + 1.0) if x <= 1.0 else 0.5 * (1.0 + high)
    end = low if x <= 1.0 else high
    if (x <= middle) == (x <= 1.0):
        y = (x - end) / max(MINVAL, abs(middle - end))
        return 0.5 * y * y
    y = (1.0 - x) / max(MINVAL, abs(1.0 - middle))
    return 1.0 - 0.5 * y * y


@small
def _by_velocity(v, most):
    """(active force by scaled velocity, its derivative)"""
    rise = most - 1.0
    if v <= -1.0:
        return 0.0, 0.0
    if v <= 0.0:
        return (v + 1.0) * (v + 1.0), 2.0 * (v + 1.0)
    if v <= rise:
        return most - (rise - v) * (rise - v) / max(MINVAL, rise), 2.0 * (rise - v) / max(MINVAL, rise)
    return most, 0.0


@small
def _passive(x, high, most):
    """Passive force by length: a parabola from 1 on, then a straight line."""
    if x <= 1.0:
        return 0.0
    width = max(MINVAL, 0.5 * (1.0 + high) - 1.0)
    y = (x - 1.0) / width
    return most * 0.5 * y * y if y <= 1.0 else most * (y - 0.5)


@kernel
def muscle(model, data):
    """muscle_gain, its derivative by velocity, and muscle_bias, of actuators that have them.

    Those of type user are 1, 0 and 0, until hooks replace them (engine/dynamics/hooks.py).
    """
    for i in range(model.nu):
        length = data.actuator_length[i]
        if model.actuator_gaintype[i] == enums.GAIN_MUSCLE:
            prm = model.actuator_gainprm
            x, optimal, force = _scaled(model, i, prm, length)
            span = max(MINVAL, optimal * prm[i, 6])
            shape = -force * _bell(x, prm[i, 4], prm[i, 5])
            value, slope = _by_velocity(data.actuator_velocity[i] / span, prm[i, 8])
            data.muscle_gain[i] = shape * value
            data.muscle_gain_vel[i] = shape * slope / span
        elif model.actuator_gaintype[i] == enums.GAIN_USER:
            data.muscle_gain[i] = 1.0
        if model.actuator_biastype[i] == enums.BIAS_MUSCLE:
            prm = model.actuator_biasprm
            x, _, force = _scaled(model, i, prm, length)
            data.muscle_bias[i] = -force * _passive(x, prm[i, 5], prm[i, 7])
        elif model.actuator_biastype[i] == enums.BIAS_USER:
            data.muscle_bias[i] = 0.0
