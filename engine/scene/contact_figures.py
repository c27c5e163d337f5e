"""Figures of selected contacts: the point, the normal, the force and its friction cone.

Nothing here draws: points are in the world, the window projects them. Sizes follow the view, so that a contact of an
ant and one of a truck can be seen.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from kinetree.engine.dynamics.query.contact_force import contact_forces, contact_keys, contact_sides
from kinetree.engine.model import enums
from kinetree.engine.scene.camera import View
from kinetree.engine.scene.decor.look import Look, matrices, vectors
from kinetree.engine.scene.options import VisOptions

ContactKey = tuple[int, int, int]
"""Two sides, the lower first, and the number among contacts of the same sides; -1 for all of them."""
MOST = 100
"""Contacts that are drawn at once; of more, those with the greatest forces."""
SHORTEST, LONGEST = 0.05, 0.2  # of a force, in heights of the window
NORMAL = 0.045  # length of the normal where there is no force, likewise
CORNERS = 40  # of a round cone
SLIPPING = 0.995  # fraction of the cone's limit


@dataclass(frozen=True)
class ContactFigure:
    """One contact. Points of the world, each (3,).

    normal  end of the normal
    force   end of the force; None without one
    rim     (n, 3) corners of the friction cone's rim, as high as the normal force; empty without friction
    edges   (m, 3) corners that a line goes to from the point: those of a pyramid; empty for a round cone
    slips   whether friction is at its bound
    text    the size of the force
    """

    pos: np.ndarray
    normal: np.ndarray
    force: np.ndarray | None
    rim: np.ndarray
    edges: np.ndarray
    slips: bool
    text: str


def chosen(keys: list[ContactKey], wanted: Collection[ContactKey]) -> np.ndarray:
    """Numbers of the contacts that are wanted, by themselves or by their pair."""
    return np.array([i for i, key in enumerate(keys) if key in wanted or (key[0], key[1], -1) in wanted], np.intp)


def usage(state: Any, forces: np.ndarray) -> np.ndarray:
    """(ncon,) fraction of the friction limit that each contact uses, 1 while it slips; nan without a normal force or
    friction.
    """
    count = len(forces)
    friction = np.asarray(state.contact.friction, float).reshape(-1, 5)[:count, :2]
    dim = np.asarray(state.contact.dim).reshape(-1)[:count]
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.abs(forces[:, 1:3]) / friction / forces[:, :1]
    used = np.where(is_pyramid(state, count), parts.sum(axis=1), np.hypot(parts[:, 0], parts[:, 1]))
    return np.where((forces[:, 0] > 0) & (dim > 1), used, np.nan)


def is_pyramid(state: Any, count: int) -> np.ndarray:
    """(ncon,) whether each contact's cone is a pyramid."""
    rows = np.asarray(state.contact.efc_address).reshape(-1)[:count].astype(np.intp)
    types = np.append(np.asarray(state.efc_type).reshape(-1), -1)
    return types[np.where(rows >= 0, rows, len(types) - 1)] == enums.CNSTR_CONTACT_PYRAMIDAL


def contact_figures(model: Any, state: Any, wanted: Collection[ContactKey], view: View) -> list[ContactFigure]:
    """The figures of those wanted contacts that exist now."""
    if not wanted or not int(state.ncon):
        return []
    sides = contact_sides(state)
    numbers = chosen(contact_keys(sides), wanted)
    forces = contact_forces(state)
    sizes = np.linalg.norm(forces[:, :3], axis=1)
    if len(numbers) > MOST:
        numbers = numbers[np.argsort(-sizes[numbers], kind="stable")[:MOST]]
    frames = matrices(np.asarray(state.contact.frame)[: len(forces)])
    positions = vectors(state.contact.pos)[: len(forces)]
    friction = np.asarray(state.contact.friction, float).reshape(-1, 5)
    pyramids, used = is_pyramid(state, len(forces)), usage(state, forces)
    per_newton = Look(model, state, VisOptions(), None, view).per_newton()
    upside = _acts_on_first(model, sides)
    found = []
    for i in numbers.tolist():
        pos, axes = positions[i], frames[i] * (-1.0 if upside[i] else 1.0)
        height = view.height_at(max(view.depth(pos), view.near))
        size = float(sizes[i])
        nothing = np.zeros((0, 3))
        if size <= 0.0:
            found.append(ContactFigure(pos, pos + NORMAL * height * axes[0], None, nothing, nothing, False, ""))
            continue
        scale = min(max(per_newton * size, SHORTEST * height), LONGEST * height) / size
        force = scale * forces[i, :3] @ axes
        top = scale * max(float(forces[i, 0]), 0.0)
        rim = edges = nothing
        if np.isfinite(used[i]):
            turns = np.arange(4 if pyramids[i] else CORNERS) * (2 * np.pi / (4 if pyramids[i] else CORNERS))
            across = np.outer(np.cos(turns) * friction[i, 0], axes[1]) + np.outer(
                np.sin(turns) * friction[i, 1], axes[2]
            )
            rim = pos + top * (axes[0] + across)
            edges = rim if pyramids[i] else nothing
        normal = pos + max(top, NORMAL * height) * axes[0]
        found.append(ContactFigure(pos, normal, pos + force, rim, edges, bool(used[i] > SLIPPING), f"{size:.3g} N"))
    return found


def _acts_on_first(model: Any, sides: np.ndarray) -> np.ndarray:
    """(ncon,) whether the force is drawn as that on the first side, since the second does not move: upwards from a
    floor."""
    weld = np.asarray(model.body_weldid).astype(np.intp)[np.asarray(model.geom_bodyid).astype(np.intp)]
    fixed = np.zeros(sides.shape, bool)
    is_geom = sides >= 0
    fixed[is_geom] = weld[sides[is_geom]] == 0
    return fixed[:, 1] & ~fixed[:, 0]
