"""Choice of the drawn geoms, flexes and skins: by group, or by purpose.

A geom can collide if its contype or conaffinity has a bit, or if a contact pair names it. A geom only collides if it
can collide and stands in for shapes that are looked at: nobody sees it (alpha 0), its group is hidden at first (3 to 5,
as in MuJoCo Menagerie), or its body has shapes that cannot collide and its group has none of those in the whole model
(groups 0 and 1 of converted URDF). All other geoms are visual shapes; many models have one geom for both.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.scene.appearance import colors
from kinetree.engine.scene.options import SHAPES, GeomChoice, Shapes, VisOptions, choose_geoms, in_groups
from kinetree.engine.translation import tr

SHOWN_AT_FIRST = 3
"""Groups below this number are shown at first."""


def can_collide(model) -> np.ndarray:
    """(ngeom,) bool: geoms with a bit in contype or conaffinity, and those of contact pairs."""
    result = (np.asarray(model.geom_contype) != 0) | (np.asarray(model.geom_conaffinity) != 0)
    for geoms in (model.pair_geom1, model.pair_geom2):
        result[np.asarray(geoms).astype(int)] = True
    return result


def only_collides(model) -> np.ndarray:
    """(ngeom,) bool: geoms that collide in place of shapes that are looked at."""
    collides = can_collide(model)
    alpha = _alpha(model)
    group, body = np.asarray(model.geom_group).astype(int), np.asarray(model.geom_bodyid).astype(int)
    seen = ~collides & (alpha > 0)
    beside = np.isin(body, body[seen]) & ~np.isin(group, group[seen])
    beside &= np.asarray(model.geom_type) != enums.GEOM_PLANE
    return collides & ((alpha <= 0) | (group >= SHOWN_AT_FIRST) | beside)


def geoms_by_purpose(model, options: VisOptions) -> GeomChoice:
    """The geoms that `options.shapes` chooses, whatever their groups."""
    none = np.zeros(len(np.asarray(model.geom_group)), bool)
    collides, stands_in = can_collide(model), only_collides(model)
    if options.shapes is Shapes.VISUAL:
        return GeomChoice(~stands_in, none, none, none)
    is_mesh = np.asarray(model.geom_type) == enums.GEOM_MESH
    if options.shapes is Shapes.COLLISION:
        return GeomChoice(collides, collides, none, collides & is_mesh)
    return GeomChoice(~none, collides, stands_in, stands_in & is_mesh)


def chosen_flexes(model, options: VisOptions) -> np.ndarray:
    """(nflex,) bool: flexes that the options choose. All are looked at."""
    if options.shapes is Shapes.GROUPS:
        return in_groups(options.flexgroup, model.flex_group)
    if options.shapes is Shapes.COLLISION:
        return (np.asarray(model.flex_contype) != 0) | (np.asarray(model.flex_conaffinity) != 0)
    return np.ones(int(model.nflex), bool)


def chosen_skins(model, options: VisOptions) -> np.ndarray:
    """(nskin,) bool: skins that the options choose. None can collide."""
    if options.shapes is Shapes.GROUPS:
        return in_groups(options.skingroup, model.skin_group)
    return np.full(int(model.nskin), options.shapes is not Shapes.COLLISION)


def following(model, options: VisOptions) -> Shapes:
    """The next choice of shapes that makes another picture; `options.shapes` if there is none. What looks as the groups
    do is left out, so that the way round ends with the groups."""
    order = list(SHAPES)
    start = order.index(options.shapes)
    pictures = {each: _picture(model, _with(options, each)) for each in order}
    seen = {pictures[options.shapes], pictures[Shapes.GROUPS]}
    for each in order[start + 1 :]:
        if pictures[each] not in seen:
            return each
    return Shapes.GROUPS


def told(model, options: VisOptions) -> str:
    """A sentence for the user: the choice of shapes, its criterion, and the number of geoms that are drawn."""
    drawn = choose_geoms(model, options).drawn
    counts = {"shown": int(drawn.sum()), "total": len(drawn)}
    if options.shapes is Shapes.VISUAL:
        return tr("Visual shapes: {shown} of {total} geoms: all but those that only collide", **counts)
    if options.shapes is Shapes.COLLISION:
        return tr(
            "Collision shapes: {shown} of {total} geoms: those that can collide (contype, conaffinity, pairs)", **counts
        )
    if options.shapes is Shapes.BOTH:
        return tr(
            "Visual and collision shapes: {total} geoms; those that only collide are see-through", total=len(drawn)
        )
    return tr("Shapes by their groups: {shown} of {total} geoms", **counts)


def _with(options: VisOptions, shapes: Shapes) -> VisOptions:
    return VisOptions(
        shapes=shapes, geomgroup=options.geomgroup, flexgroup=options.flexgroup, skingroup=options.skingroup
    )


def _picture(model, options: VisOptions) -> bytes:
    """The same for options that choose the same."""
    geoms, soft = choose_geoms(model, options), (chosen_flexes(model, options), chosen_skins(model, options))
    drawn = geoms.drawn & ((_alpha(model) > 0) | geoms.revealed)
    parts = drawn, geoms.faded & drawn, geoms.hull & drawn, *soft
    return b"".join(each.tobytes() for each in parts)


def _alpha(model) -> np.ndarray:
    """(ngeom,) of the geoms' colours."""
    return colors(model.geom_rgba, np.asarray(model.geom_matid).astype(int), model)[:, 3]
