"""Predicates over a Model that decide which stages its step needs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kinetree.engine.collision.table import has_colliding_flexes
from kinetree.engine.model import enums
from kinetree.engine.model.model import Model
from kinetree.engine.model.sensors import SENSORS, Reads, types_that_read

_WITH_KERNEL = tuple(row.type for row in SENSORS.values() if row.kernel)
"""Types of sensors with a kernel of their own (SENS_)."""


def sensors(stage: int) -> Callable[[Model], bool]:
    """Whether any sensor is computed after this stage (STAGE_) together with others."""
    return lambda model: bool(np.any((model.sensor_needstage == stage) & ~np.isin(model.sensor_type, _WITH_KERNEL)))


def has_sensor(*types: int) -> Callable[[Model], bool]:
    """Whether there is a sensor of one of these types (SENS_)."""
    return lambda model: bool(np.isin(model.sensor_type, types).any())


def finds_range_of_sdf(model: Model) -> bool:
    """Whether a range finder may see a geom of type sdf."""
    from kinetree.engine.dynamics.sensor.ray import has_traced_geoms

    return has_sensor(enums.SENS_RANGEFINDER)(model) and has_traced_geoms(model)


def reads(quantity: Reads, stage: int) -> Callable[[Model], bool]:
    """Whether a sensor reads this quantity, or there is a user sensor of this stage, whose hook may read anything."""
    types = types_that_read(quantity)

    def needed(model: Model) -> bool:
        user = (model.sensor_type == enums.SENS_USER) & (model.sensor_needstage == stage)
        return has_sensor(*types)(model) or bool(user.any())

    return needed


def _stores_energy(model: Model) -> bool:
    return bool(model.opt_enableflags & enums.ENBL_ENERGY)


def computes_energy(quantity: Reads) -> Callable[[Model], bool]:
    """Whether an energy is computed: because of the flag energy, or for sensors that read it."""
    return lambda model: _stores_energy(model) or has_sensor(*types_that_read(quantity))(model)


def clears_energy(model: Model) -> bool:
    """Whether data.energy is cleared after sensors have used it: as in the reference not with e_potential sensors."""
    return (
        not _stores_energy(model)
        and has_sensor(*types_that_read(Reads.KINETIC_ENERGY))(model)
        and not has_sensor(*types_that_read(Reads.POTENTIAL_ENERGY))(model)
    )


def clears_energy_after_rk4(model: Model) -> bool:
    """Like `clears_energy`, at the end of a step of RK4, where e_potential sensors make no difference."""
    if _stores_energy(model) or model.opt_integrator != enums.INT_RK4:
        return False
    return has_sensor(*types_that_read(Reads.KINETIC_ENERGY, Reads.POTENTIAL_ENERGY))(model)


def has_dofs(model: Model) -> bool:
    return model.nv > 0


def is_reset_automatically(model: Model) -> bool:
    """Whether a state that diverges is reset."""
    return has_dofs(model) and not model.opt_disableflags & enums.DSBL_AUTORESET


def has_medium(model: Model) -> bool:
    """Whether bodies move in a medium that acts on them."""
    return model.nv > 0 and (model.opt_density > 0 or model.opt_viscosity > 0)


def has_friction_loss(model: Model) -> bool:
    return model.nv > 0 and bool(model.dof_frictionloss.any() or model.tendon_frictionloss.any())


def has_limits(model: Model) -> bool:
    return model.nv > 0 and bool(model.jnt_limited.any() or model.tendon_limited.any())


def may_collide(model: Model) -> bool:
    """Whether the filters leave any pair of geoms, or a flex, that may be in contact."""
    if model.npair > 0 or has_colliding_flexes(model):
        return True
    return model.ngeom > 1 and bool((model.geom_contype | model.geom_conaffinity).any())


def has_hard_contacts(model: Model) -> bool:
    """Whether contacts may be hard."""
    return has_contact_rows(model) and bool(model.mpex_geom_hard.any())


def has_hard_rows(model: Model) -> bool:
    """Whether contacts or limits may be hard."""
    return has_hard_contacts(model) or (has_limits(model) and bool(model.mpex_jnt_hardlimit.any()))


def has_contact_rows(model: Model) -> bool:
    """Whether contacts may make constraint rows."""
    return model.nv > 0 and may_collide(model)


def may_be_constrained(model: Model) -> bool:
    """Whether any constraint may ever be active."""
    return model.nv > 0 and (model.neq > 0 or has_friction_loss(model) or has_limits(model) or has_contact_rows(model))


def has_equality_rows(model: Model) -> bool:
    return model.nv > 0 and model.neq > 0


def may_have_large_islands(model: Model) -> bool:
    """Whether an island may be too large for one dense node of the Hessian."""
    from kinetree.engine.dynamics.constraint.island import DENSE

    return solves_with(enums.SOL_NEWTON)(model) and model.nv > DENSE


def solves_with(solver: int) -> Callable[[Model], bool]:
    """Whether the option names this solver (SOL_), and there may be something to solve."""
    return lambda model: may_be_constrained(model) and model.opt_solver == solver


def removes_slip(model: Model) -> bool:
    """Whether the noslip solver runs after the main one."""
    return may_be_constrained(model) and model.opt_noslip_iterations > 0


def uses_the_dual(model: Model) -> bool:
    """Whether a solver works with the matrix of the dual problem."""
    return solves_with(enums.SOL_PGS)(model) or removes_slip(model)


def has_tendons(model: Model) -> bool:
    return model.ntendon > 0


def has_flex_edges(model: Model) -> bool:
    """Whether there are flexes whose edges have lengths that may change."""
    return bool(np.any((model.flex_rigid == 0) & (model.flex_interp == 0)))


def has_flex_velocities(model: Model) -> bool:
    """Whether the rates of the edge lengths of flexes have any effect."""
    damps = (model.flex_damping != 0) | (model.flex_edgedamping != 0)
    acts = damps | (model.flex_edgestiffness != 0) | (model.flex_edgeequality != 0)
    return model.nv > 0 and has_flex_edges(model) and bool(acts.any())


def has_flex_forces(model: Model) -> bool:
    """Whether flexes are elastic or damped."""
    edges = model.flex_edgestiffness.any() or model.flex_edgedamping.any()
    return model.nv > 0 and model.nflex > 0 and bool(edges or model.flex_stiffness.any() or model.flex_bending.any())


def has_cables(model: Model) -> bool:
    return model.nv > 0 and model.ncable > 0


def has_tendon_armature(model: Model) -> bool:
    return bool(model.tendon_armature.any())


def has_fixed_tendons(model: Model) -> bool:
    return bool((model.wrap_type == enums.WRAP_JOINT).any())


def has_spatial_tendons(model: Model) -> bool:
    return bool((model.wrap_type == enums.WRAP_SITE).any())


def has_spatial_armature(model: Model) -> bool:
    return model.nv > 0 and has_spatial_tendons(model) and has_tendon_armature(model)


def has_transmission(*kinds: int) -> Callable[[Model], bool]:
    """Whether an actuator has one of these transmissions (TRN_)."""
    return lambda model: bool(np.isin(model.actuator_trntype, kinds).any())


def has_actuators(model: Model) -> bool:
    return model.nu > 0


def has_actuator_plugins(model: Model) -> bool:
    return bool((model.actuator_plugin >= 0).any())


def has_sensor_plugin(slot: int) -> Callable[[Model], bool]:
    """Whether there is a sensor of this plugin (PLUGIN_)."""
    return lambda model: bool((model.plugin[model.sensor_plugin[model.sensor_plugin >= 0]] == slot).any())


def has_muscles_or_user_types(model: Model) -> bool:
    """Whether gains or bias forces of muscles or of type user are computed apart."""
    gains = np.isin(model.actuator_gaintype, (enums.GAIN_MUSCLE, enums.GAIN_USER))
    biases = np.isin(model.actuator_biastype, (enums.BIAS_MUSCLE, enums.BIAS_USER))
    return bool(gains.any() or biases.any())


def integrates_with(*integrators: int) -> Callable[[Model], bool]:
    """Whether the option names one of these integrators (INT_)."""
    return lambda model: model.opt_integrator in integrators


def damps_implicitly(model: Model) -> bool:
    """Whether Euler treats joint damping implicitly."""
    if model.opt_integrator != enums.INT_EULER or model.opt_disableflags & enums.DSBL_EULERDAMP:
        return False
    return bool((model.dof_damping > 0.0).any())


def integrates_explicitly(model: Model) -> bool:
    """Whether Euler advances with qacc itself."""
    return model.opt_integrator == enums.INT_EULER and not damps_implicitly(model)


def compares_with_inverse(model: Model) -> bool:
    """Whether each step compares the forward with the inverse dynamics."""
    return model.nv > 0 and bool(model.opt_enableflags & enums.ENBL_FWDINV)


def lacks_discrete_inverse(model: Model) -> bool:
    """Whether the flag invdiscrete is set with RK4, which has no discrete inverse."""
    return bool(model.opt_enableflags & enums.ENBL_INVDISCRETE) and model.opt_integrator == enums.INT_RK4


def has_discrete_inverse(model: Model) -> bool:
    """Whether the inverse dynamics takes qacc as a difference of velocities, and that makes a difference."""
    if not model.nv or not model.opt_enableflags & enums.ENBL_INVDISCRETE:
        return False
    return damps_implicitly(model) or model.opt_integrator in (enums.INT_IMPLICIT, enums.INT_IMPLICITFAST)
