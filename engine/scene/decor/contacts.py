"""Contacts: discs at the points, their frames, and the forces as arrows."""

from __future__ import annotations

import numpy as np

from kinetree.engine.dynamics.query.contact_force import contact_forces
from kinetree.engine.scene.decor.bodies import add_frames
from kinetree.engine.scene.decor.look import Look, matrices, vectors
from kinetree.engine.scene.decor.rows import Decor
from kinetree.engine.scene.scene import ShapeKind


def points(decor: Decor, look: Look) -> None:
    """Draw a disc at each contact; contacts in the gap, which give no force, have a different colour."""
    contact, count = look.state.contact, int(look.state.ncon)
    width, height = look.scale("contactwidth"), look.scale("contactheight")
    free = _without_force(contact, count)
    rgba = np.where(free[:, None], look.color("contactgap"), look.color("contactpoint"))
    pos = vectors(contact.pos)[:count]
    decor.add(ShapeKind.CYLINDER, pos, _axes(contact, count), (width, width, height), rgba, emission=0.2)


def frames(decor: Decor, look: Look) -> None:
    """Draw the contacts' frames; z is the normal."""
    contact, count = look.state.contact, int(look.state.ncon)
    add_frames(decor, look, vectors(contact.pos)[:count], _axes(contact, count))


def forces(decor: Decor, look: Look) -> None:
    """Draw an arrow for each contact's force; with `contactsplit` one for the normal and one for the friction part. The
    force acts on the second geom. It is drawn on the body that moves: upwards from a floor; split forces between two
    moving bodies get two heads.

    The force acts on the second geom. It is drawn on the body that moves: upwards from a floor; split forces
    between two moving bodies get two heads.
    """
    model, state = look.model, look.state
    contact, count = state.contact, int(state.ncon)
    use = np.flatnonzero(~_without_force(contact, count))
    if not len(use):
        return
    pos, axes = vectors(contact.pos)[use], matrices(np.asarray(contact.frame)[:count])[use]
    force = contact_forces(state)[use, :3]
    geoms = np.asarray(contact.geom).reshape(-1, 2)[use].astype(int)
    weld = np.asarray(model.body_weldid).astype(int)[np.asarray(model.geom_bodyid).astype(int)]
    # a side without a geom is a flex, whose vertices move
    fixed = np.array([[geom >= 0 and weld[geom] == 0 for geom in pair] for pair in geoms])
    scaled = np.where(fixed[:, 1], -1.0, 1.0)[:, None] * look.per_newton() * force
    width = 0.6 * look.scale("forcewidth")
    parts = {"contactforce": scaled}
    both = False
    if look.options.contactsplit:
        parts = {"contactforce": scaled * [1.0, 0.0, 0.0], "contactfriction": scaled * [0.0, 1.0, 1.0]}
        both = ~fixed.any(axis=1)
    for name, part in parts.items():
        vector = np.einsum("ij,ijk->ik", part, axes)
        decor.arrows(pos, vector, width, look.color(name), double=both, emission=0.2)


def _without_force(contact, count: int) -> np.ndarray:
    """(count,) bool: contacts that have no constraint."""
    return np.asarray(contact.efc_address).reshape(-1)[:count] < 0


def _axes(contact, count: int) -> np.ndarray:
    """(count, 3, 3) axes of the contacts' frames as columns, the normal last."""
    rows = matrices(np.asarray(contact.frame)[:count])
    return rows[:, [1, 2, 0]].transpose(0, 2, 1)
