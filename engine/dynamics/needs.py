"""What of a model decides which stages its step needs: yes or no of a Model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.model.enums import (
    BIAS_MUSCLE,
    ENBL_ENERGY,
    GAIN_MUSCLE,
    SENS_E_KINETIC,
    SENS_E_POTENTIAL,
    WRAP_JOINT,
    WRAP_SITE,
)
from engine.model.model import Model


def sensors(stage: int) -> Callable[[Model], bool]:
    return lambda model: bool(np.any(model.sensor_needstage == stage))


def has_sensor(*types: int) -> Callable[[Model], bool]:
    return lambda model: bool(np.isin(model.sensor_type, types).any())


def wants_energy(model: Model) -> bool:
    return bool(model.opt.enableflags & ENBL_ENERGY) or has_sensor(SENS_E_POTENTIAL, SENS_E_KINETIC)(model)


def has_dofs(model: Model) -> bool:
    return model.nv > 0


def rubs(model: Model) -> bool:
    return model.nv > 0 and bool(model.dof_frictionloss.any() or model.tendon_frictionloss.any())


def limited(model: Model) -> bool:
    return model.nv > 0 and bool(model.jnt_limited.any() or model.tendon_limited.any())


def touches(model: Model) -> bool:
    return model.nv > 0 and collides(model)


def constrained(model: Model) -> bool:
    """Whether any constraint may ever be active."""
    return model.nv > 0 and (model.neq > 0 or rubs(model) or limited(model) or touches(model))


def large(model: Model) -> bool:
    """Whether an island may be too large for one dense node."""
    from engine.dynamics.island import DENSE

    return constrained(model) and model.nv > DENSE


def collides(model: Model) -> bool:
    """Whether any pair of geoms may ever touch."""
    return model.npair > 0 or (model.ngeom > 1 and bool((model.geom_contype | model.geom_conaffinity).any()))


def has_tendons(model: Model) -> bool:
    return model.ntendon > 0


def fixed_tendons(model: Model) -> bool:
    return bool((model.wrap_type == WRAP_JOINT).any())


def spatial_tendons(model: Model) -> bool:
    return bool((model.wrap_type == WRAP_SITE).any())


def acts_on(*kinds: int) -> Callable[[Model], bool]:
    return lambda model: bool(np.isin(model.actuator_trntype, kinds).any())


def has_muscles(model: Model) -> bool:
    return bool(
        (model.actuator_gaintype == GAIN_MUSCLE).any() or (model.actuator_biastype == BIAS_MUSCLE).any()
    )
