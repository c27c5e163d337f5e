"""The texts beside objects: names, contact forces, the selected point. The window writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from kinetree.engine.dynamics.query.contact_force import in_contact_frame
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import KINDS
from kinetree.engine.scene.bounds import place_of
from kinetree.engine.scene.decor.constraints import equality_ends
from kinetree.engine.scene.decor.look import Look, vectors
from kinetree.engine.scene.islands import island_of_bodies
from kinetree.engine.scene.options import Label as Mode
from kinetree.engine.scene.scene import TextLabel

Texts = Iterator[tuple[np.ndarray, str]]  # world position and text


def labels(model, state, options, perturb, view) -> list[TextLabel]:
    """The text labels of the kind of objects in `options.label`, and of single objects."""
    write = LABELS.get(options.label)
    if write is None and not options.labelled:
        return []
    look = Look(model, state, options, perturb, view)
    texts = [*_names(look), *(write(look) if write is not None else ())]
    places = [(tuple(np.asarray(pos, float).tolist()), text) for pos, text in texts]
    return [TextLabel(pos, text) for pos, text in dict.fromkeys(places)]


def _names(look: Look) -> Texts:
    """The single objects that `options.labelled` lists."""
    for each in sorted(look.options.labelled):
        pos = place_of(look.model, look.state, each)
        if pos is not None:
            yield pos, object_names(look.model, each.kind, each.id + 1)[each.id]


def object_names(model, kind: str, count: int) -> list[str]:
    """Names of a kind of object, `kind i` for those without; also of mujoco's models, whose names are one
    string."""
    names = getattr(model, "names", b"")
    if isinstance(names, dict):
        return [names[kind][i] or f"{kind} {i}" for i in range(count)]
    addresses = getattr(model, f"name_{KINDS[kind].prefix}adr")
    result = []
    for i in range(count):
        start = int(addresses[i])
        text = names[start : names.index(b"\0", start)].decode()
        result.append(text or f"{kind} {i}")
    return result


def _objects(kind: str, positions: str, groups: str = "", first: int = 0) -> Callable[[Look], Texts]:
    """Names of a kind at `state.<positions>`; with `groups` (an array of the model) of the groups that are
    shown."""

    def texts(look: Look) -> Texts:
        pos = vectors(getattr(look.state, positions))
        names = object_names(look.model, kind, len(pos))
        ids = look.shown(kind, getattr(look.model, groups)) if groups else range(first, len(pos))
        for i in ids:
            yield pos[i], names[i]

    return texts


def _actuators(look: Look) -> Texts:
    """Actuators of joints, at the joints."""
    model = look.model
    for i, name in enumerate(object_names(model, "actuator", model.nu)):
        if int(model.actuator_trntype[i]) in (enums.TRN_JOINT, enums.TRN_JOINTINPARENT):
            yield look.state.xanchor[model.actuator_trnid[i][0]], name


def _tendons(look: Look) -> Texts:
    """Spatial tendons, in the middle of their paths."""
    model, state = look.model, look.state
    for i, name in enumerate(object_names(model, "tendon", model.ntendon)):
        number = int(state.ten_wrapnum[i])
        if number >= 2:
            middle = int(state.ten_wrapadr[i]) + number // 2
            yield vectors(state.wrap_xpos)[middle - 1 : middle + 1].mean(axis=0), name


def _flexes(look: Look) -> Texts:
    """Flexes, at the mean of their vertices."""
    model = look.model
    if not model.nflex:
        return
    vertices = vectors(look.state.flexvert_xpos)
    names = object_names(model, "flex", model.nflex)
    for i in look.shown("flex", model.flex_group):
        first, count = int(model.flex_vertadr[i]), int(model.flex_vertnum[i])
        yield vertices[first : first + count].mean(axis=0), names[i]


def _skins(look: Look) -> Texts:
    """Skins, at the mean of their bones."""
    model = look.model
    names = object_names(model, "skin", model.nskin)
    for i in look.shown("skin", model.skin_group) if model.nskin else ():
        first, count = int(model.skin_boneadr[i]), int(model.skin_bonenum[i])
        bodies = np.asarray(model.skin_bonebodyid).astype(int)[first : first + count]
        yield vectors(look.state.xpos)[bodies].mean(axis=0), names[i]


def _constraints(look: Look) -> Texts:
    """Connect and weld constraints with the distance that they leave open, between their points. As a difference of
    places it has rounding errors, which are left out."""
    for i, name in enumerate(object_names(look.model, "equality", look.model.neq)):
        ends = equality_ends(look.model, look.state, i)
        if ends is not None:
            yield ends.mean(axis=0), f"{name}: {round(1e3 * float(np.linalg.norm(ends[1] - ends[0])), 9):.4g} mm"


def _contacts(look: Look) -> Texts:
    """The two geoms of each contact; a side without a geom is a flex."""
    contact, names = look.state.contact, object_names(look.model, "geom", look.model.ngeom)
    for i in range(int(look.state.ncon)):
        pair = np.asarray(contact.geom[i]).reshape(-1).tolist()
        yield contact.pos[i], " | ".join(names[geom] if geom >= 0 else "flex" for geom in pair)


def _contact_forces(look: Look) -> Texts:
    """The size of each contact's force."""
    for i in range(int(look.state.ncon)):
        force = np.linalg.norm(in_contact_frame(look.state, i)[:3])
        yield look.state.contact.pos[i], f"{force:.3g} N"


def _selection(look: Look) -> Texts:
    """The selected body's name, at the selected point."""
    perturb = look.selection()
    if perturb is not None:
        names = object_names(look.model, "body", look.model.nbody)
        yield perturb.point(look.state), names[perturb.select]


def _selected_point(look: Look) -> Texts:
    """The selected point, in the frame of its body."""
    perturb = look.selection()
    if perturb is not None:
        local = np.asarray(perturb.localpos, float)
        yield perturb.point(look.state), "({:.4g}, {:.4g}, {:.4g})".format(*local)


def _islands(look: Look) -> Texts:
    """The number of each constraint island, at the bodies that move freely against the world."""
    model = look.model
    island = island_of_bodies(model, look.state)
    if island is None:
        return
    numbers = {first: number for number, first in enumerate(np.unique(island[island >= 0]).tolist())}
    weld, parent = np.asarray(model.body_weldid).astype(int), np.asarray(model.body_parentid).astype(int)
    for body in np.flatnonzero(island >= 0).tolist():
        if weld[body] == body and weld[parent[body]] == 0:
            yield look.state.xipos[body], str(numbers[int(island[body])])


LABELS: dict[Mode, Callable[[Look], Texts]] = {
    Mode.BODY: _objects("body", "xpos", first=1),
    Mode.JOINT: _objects("joint", "xanchor", "jnt_group"),
    Mode.GEOM: _objects("geom", "geom_xpos", "geom_group"),
    Mode.SITE: _objects("site", "site_xpos", "site_group"),
    Mode.CAMERA: _objects("camera", "cam_xpos"),
    Mode.LIGHT: _objects("light", "light_xpos"),
    Mode.TENDON: _tendons,
    Mode.ACTUATOR: _actuators,
    Mode.CONSTRAINT: _constraints,
    Mode.FLEX: _flexes,
    Mode.SKIN: _skins,
    Mode.SELECTION: _selection,
    Mode.SELPOINT: _selected_point,
    Mode.CONTACT: _contacts,
    Mode.CONTACTFORCE: _contact_forces,
    Mode.ISLAND: _islands,
}
