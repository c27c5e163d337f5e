"""Forces of contacts, from the forces of their constraint rows."""

from __future__ import annotations

import numpy as np

from engine.model.data import Data
from engine.model.enums import CNSTR_CONTACT_PYRAMIDAL
from engine.model.model import Model


def contact_force(model: Model, data: Data, i: int, frame: str = "contact") -> np.ndarray:
    """Force (N) and torque (N m) of contact i, (6,), at data.contact.pos[i], on the body of the second geom.

    The first geom's body feels the opposite. Zeros for a contact without constraint rows (in the gap).
    frame: "contact" for the axes of data.contact.frame[i] (normal from the first geom to the second, then two
    tangents), "world" for global axes.

    Needs the constraint forces: `engine.forward` or a step. Raises IndexError for a contact that there is not, and
    ValueError for another frame. Specification: Computation, "Contact"; like mj_contactForce.
    """
    if not 0 <= i < data.ncon:
        raise IndexError(f"there is no contact {i}: there are {data.ncon}")
    if frame not in ("contact", "world"):
        raise ValueError(f"the frame of a force is 'contact' or 'world', not {frame!r}")
    result = in_contact_frame(data, i)
    if frame == "world":
        axes = np.reshape(data.contact.frame[i], (3, 3))
        result = (result.reshape(2, 3) @ axes).ravel()
    return result


def in_contact_frame(state, i: int) -> np.ndarray:
    """The same in the contact's frame, of a Data or a Snapshot, for a contact that there is.

    The forces f of a pyramid's edges sum to the normal force. Along friction direction j they are
    friction_j (f_2j - f_2j+1).
    """
    contact, result = state.contact, np.zeros(6)
    row, dim = int(contact.efc_address[i]), int(contact.dim[i])
    if row < 0:
        return result
    if int(state.efc_type[row]) != CNSTR_CONTACT_PYRAMIDAL:
        result[:dim] = state.efc_force[row : row + dim]
        return result
    edges = np.reshape(state.efc_force[row : row + 2 * (dim - 1)], (dim - 1, 2))
    result[0] = edges.sum()
    result[1:dim] = np.asarray(contact.friction[i])[: dim - 1] * (edges[:, 0] - edges[:, 1])
    return result
