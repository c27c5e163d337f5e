"""Quantities that a step computes for sensors only, for callers. Like mj_rnePostConstraint and mj_subtreeVel.

Where a model has sensors that read them, `kinetree.forward` has computed them already. Specification: Computation,
"Forward dynamics", steps 16 and 22.
"""

from __future__ import annotations

from kinetree.engine.dynamics.constraint import post_constraint
from kinetree.engine.model.data import Data, check_computed
from kinetree.engine.model.model import Model


def rne_post_constraint(model: Model, data: Data) -> None:
    """Compute data.cacc, data.cfrc_int and data.cfrc_ext, (nbody, 6): accelerations of bodies (rad/s^2, m/s^2), the
    forces between a body and its parent, and external forces (N m, N).

    All are (angular, linear) about the centre of mass of the root's subtree. It uses the accelerations and constraint
    forces that were computed last.

    Raises ValueError where nothing has been computed yet (`kinetree.forward` or a step) and for a Data of another
    model.

    Source: specification, Computation, "Forward dynamics"; API reference, mj_rnePostConstraint.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        kinetree.rne_post_constraint(model, data)
        assert data.cfrc_int.shape == (model.nbody, 6)
    """
    from kinetree.engine.jit.compiler import compiled

    check_computed(model, data)
    compiled(post_constraint.rne_post_constraint)(model, data)


def subtree_vel(model: Model, data: Data) -> None:
    """Compute data.subtree_linvel, m/s, and data.subtree_angmom, kg m^2/s, (nbody, 3): the velocity of the centre of
    mass of each body with all below it, and the angular momentum about it.

    It uses the velocities that were computed last.

    Raises ValueError where nothing has been computed yet (`kinetree.forward` or a step) and for a Data of another
    model.

    Source: specification, Computation, "Forward dynamics"; API reference, mj_subtreeVel.

    Example:
        model = kinetree.load("walker.xml")
        data = kinetree.Data(model)
        kinetree.step(model, data, 50)
        kinetree.subtree_vel(model, data)
        assert data.subtree_linvel.any()
    """
    from kinetree.engine.jit.compiler import compiled

    check_computed(model, data)
    compiled(post_constraint.subtree_vel)(model, data)
