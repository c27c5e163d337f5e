"""Forces of contacts, from the forces of their constraint rows; which contact is which."""

from __future__ import annotations

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.arguments import choice, integer
from kinetree.engine.model.data import Data, check_pair
from kinetree.engine.model.model import Model


def contact_force(model: Model, data: Data, i: int, frame: str = "contact") -> np.ndarray:
    """Return the force (N) and torque (N m) of a contact, (6,), at data.contact.pos[i], on the body of the second geom.

    The first geom's body feels the opposite. A contact without constraint rows (in the gap) gives zeros.

    i       number of the contact
    frame   "contact" for the axes of data.contact.frame[i] (normal from the first geom to the second, then two
            tangents), "world" for global axes

    Raises IndexError for an unknown contact, ValueError for another frame and for a Data of another model. The forces
    are those of the last `kinetree.forward` or step.

    Source: specification, Computation, "Contact"; API reference, mj_contactForce.

    Example:
        model = kinetree.load("boxes.xml")
        data = kinetree.Data(model)
        kinetree.step(model, data, 20)
        assert kinetree.contact_force(model, data, 0)[0] >= 0.0  # contacts push
    """
    check_pair(model, data)
    if not 0 <= (i := integer(i, "the number of a contact")) < data.ncon:
        raise IndexError(f"there is no contact {i}: there are {data.ncon}")
    choice(frame, ("contact", "world"), "the frame of a force")
    result = in_contact_frame(data, i)
    if frame == "world":
        axes = np.reshape(data.contact.frame[i], (3, 3))
        result = (result.reshape(2, 3) @ axes).ravel()
    return result


@np.errstate(over="ignore", invalid="ignore")  # forces of a state that diverges are infinite
def in_contact_frame(state, i: int) -> np.ndarray:
    """The same in the contact's frame, of a Data or a Snapshot, for an existing contact.

    The forces f of a pyramid's edges sum to the normal force. Along friction direction j they are friction_j (f_2j -
    f_2j+1).
    """
    contact, result = state.contact, np.zeros(6)
    row, dim = int(contact.efc_address[i]), int(contact.dim[i])
    if row < 0:
        return result
    if int(state.efc_type[row]) != enums.CNSTR_CONTACT_PYRAMIDAL:
        result[:dim] = state.efc_force[row : row + dim]
        return result
    edges = np.reshape(state.efc_force[row : row + 2 * (dim - 1)], (dim - 1, 2))
    result[0] = edges.sum()
    result[1:dim] = np.asarray(contact.friction[i])[: dim - 1] * (edges[:, 0] - edges[:, 1])
    return result


@np.errstate(over="ignore", invalid="ignore")
def contact_forces(state) -> np.ndarray:
    """Force and torque of every contact in its own frame, (ncon, 6), of a Data or a Snapshot: `in_contact_frame` of all
    at once."""
    count = int(state.ncon)
    contact, result = state.contact, np.zeros((count, 6))
    rows = np.asarray(contact.efc_address).reshape(-1)[:count].astype(np.intp)
    dims = np.asarray(contact.dim).reshape(-1)[:count].astype(np.intp)
    has_rows = rows >= 0
    types = np.asarray(state.efc_type).reshape(-1)
    force = np.asarray(state.efc_force, float).reshape(-1)
    pyramid = np.zeros(count, bool)
    pyramid[has_rows] = types[rows[has_rows]] == enums.CNSTR_CONTACT_PYRAMIDAL
    for dim in np.unique(dims[has_rows]).tolist():
        plain = np.flatnonzero(has_rows & ~pyramid & (dims == dim))
        result[plain, :dim] = force[rows[plain, None] + np.arange(dim)]
        split = np.flatnonzero(pyramid & (dims == dim))
        edges = force[rows[split, None] + np.arange(2 * (dim - 1))].reshape(len(split), dim - 1, 2)
        result[split, 0] = edges.sum(axis=(1, 2))
        friction = np.asarray(contact.friction, float).reshape(-1, 5)[split]
        result[split, 1:dim] = friction[:, : dim - 1] * (edges[:, :, 0] - edges[:, :, 1])
    return result


def contact_sides(state) -> np.ndarray:
    """(ncon, 2) the two sides of every contact as one number each: a geom by its id, a flex as -1 - id."""
    count = int(state.ncon)
    geoms = np.asarray(state.contact.geom).reshape(-1, 2)[:count].astype(np.int64)
    flexes = np.asarray(state.contact.flex).reshape(-1, 2)[:count].astype(np.int64)
    return np.where(geoms >= 0, geoms, -1 - flexes)


def contact_keys(sides: np.ndarray) -> list[tuple[int, int, int]]:
    """Keys of contacts, unique within one moment and mostly stable between neighbouring moments: the two sides of
    `contact_sides`, the lower first, and a number among those with the same sides.
    """
    seen: dict[tuple[int, int], int] = {}
    keys = []
    for pair in np.sort(sides, axis=1).tolist():
        number = seen[key] = seen.get(key := (pair[0], pair[1]), -1) + 1
        keys.append((*key, number))
    return keys
