"""Checks of contacts: overlaps at qpos0, geoms that cannot collide, contact parameters without effect."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from engine.check.case import Case, Finding, Findings
from engine.check.overlap import Convex, depth
from engine.mjcf.geom_types import GEOM_TYPES
from engine.model.enums import (
    DSBL_CONSTRAINT,
    DSBL_CONTACT,
    DSBL_FILTERPARENT,
    DSBL_GRAVITY,
    DSBL_REFSAFE,
    ENBL_OVERRIDE,
    GEOM_MESH,
    GEOM_PLANE,
    JNT_FREE,
)
from engine.progress import give_way
from engine.translation import tr

if TYPE_CHECKING:
    from engine.mjcf.elements import Element

MAX_PAIRS = 20_000
"""Pairs of shapes whose bounding spheres overlap, beyond which no more are looked at."""
MAX_TESTED, MAX_FOUND = 5_000, 100
"""The same for pairs whose shapes are compared, and for overlaps."""
SHARE = 0.05
"""Overlaps are reported from this share of the smaller shape's size."""
BURIED = 0.5
SHAPES = {number: name for name, number in GEOM_TYPES.items()}


def contacts(case: Case) -> Findings:
    model = case.model
    for i, geom in case.first_of_copies("geom"):
        given = geom.node.attribute("friction") is not None and geom.node.attribute("condim") is not None
        if given and model.geom_friction[i, 0] == 0 and model.geom_condim[i] > 1:
            yield Finding(
                "zero-friction",
                geom.at("friction"),
                tr(
                    "{label} has no friction, but condim {geom_condim}; use condim 1",
                    label=geom.label(),
                    geom_condim=model.geom_condim[i],
                ),
            )
    if model.opt_enableflags & ENBL_OVERRIDE:
        return
    least = 2 * float(model.opt_timestep)
    places: dict[tuple, tuple] = {}
    for i, geom in case.first_of_copies("geom"):
        value = float(model.geom_solref[i, 0])
        if "solref" in geom.given and 0 < value < least * (1 - 1e-9) and case.colliding(np.array([i]))[0]:
            where = case.at(geom, "solref")
            span = where.location
            places.setdefault((span.file, span.line, span.column), (where, value, geom))
    then = (
        tr("becomes unstable") if model.opt_disableflags & DSBL_REFSAFE else tr("is raised to {least:g} s", least=least)
    )
    for where, value, geom in places.values():
        yield Finding(
            "stiff-contact",
            where,
            tr(
                "the time constant {value:g} s of {label} is shorter than two time steps and {then}; use a "
                "smaller timestep, or a larger solref",
                value=value,
                label=geom.label(),
                then=then,
            ),
        )


def falling(case: Case) -> Findings:
    model = case.model
    if model.opt_disableflags & (DSBL_GRAVITY | DSBL_CONTACT | DSBL_CONSTRAINT) or not model.opt_gravity.any():
        return
    if model.ntendon or model.neq or model.nu or model.npair or model.opt_density or model.nflex:
        return
    free = [int(model.jnt_bodyid[j]) for j in range(model.njnt) if model.jnt_type[j] == JNT_FREE]
    seen: set[int] = set()
    touching = {
        int(model.body_rootid[model.geom_bodyid[g]]) for g in np.flatnonzero(case.colliding(np.arange(model.ngeom)))
    }
    for b in free:
        body = case.index.bodies[b]
        subtree = np.flatnonzero(model.body_rootid == b)
        if id(body.node) in seen or b in touching or model.body_gravcomp[subtree].any():
            continue
        seen.add(id(body.node))
        if np.isin(model.geom_bodyid, subtree).any():
            yield Finding(
                "never-collides",
                body.node.tag_span,
                tr(
                    '{label} falls for ever: none of its geoms collides; give one of them contype="1"',
                    label=body.label(),
                ),
            )


def overlaps(case: Case) -> Findings:
    model = case.model
    if model.opt_disableflags & (DSBL_CONTACT | DSBL_CONSTRAINT):
        return
    solid = (model.geom_type >= 2) & (model.geom_type <= GEOM_MESH)
    solid &= case.colliding(np.arange(model.ngeom)) & (model.geom_plugin < 0)
    geoms = np.flatnonzero(solid)
    if not len(geoms):
        return
    shapes: dict[int, Convex] = {}
    hulls: dict[int, np.ndarray] = {}

    def shape(g: int) -> Convex:
        if g not in shapes:
            shapes[g] = Convex(model, case.rest, g, hulls)
        return shapes[g]

    yield from _below(case, geoms, shape)
    found: set[tuple[int, int]] = set()
    tested = 0
    for g, h in _candidates(case, geoms):
        first, second = sorted((int(model.geom_bodyid[g]), int(model.geom_bodyid[h])))
        bodies = (first, second)
        if bodies in found:
            continue
        tested += 1
        if tested > MAX_TESTED or len(found) >= MAX_FOUND or case.cancelled():
            return
        small = min(shape(g).least, shape(h).least)
        deep = depth(shape(g), shape(h), SHARE * small)
        if deep > SHARE * small:
            found.add(bodies)
            lower, upper = sorted((g, h))
            here, there = case.elements("geom")[upper], case.elements("geom")[lower]
            yield Finding(
                "overlap-at-rest",
                here.node.tag_span,
                tr(
                    "{described} overlaps {described2} ({place}) by {length} at rest, and they collide; move "
                    "one, or exclude the two bodies",
                    described=_described(case, upper),
                    described2=_described(case, lower),
                    place=_place(there, here),
                    length=length(deep),
                ),
            )


def _described(case: Case, g: int) -> str:
    """A geom in words: geom 'foot', or box geom of body 'leg', or sphere geom of the body on line 7."""
    model, geom = case.model, case.elements("geom")[g]
    if geom.name:
        return geom.label()
    shape = SHAPES.get(int(model.geom_type[g]), "")
    named = f"{shape} {geom.label()}".strip()
    return tr("{named} of {body}", named=named, body=_body(case, int(model.geom_bodyid[g])))


def _body(case: Case, b: int) -> str:
    """A body in words, by its line where it has no name."""
    body = case.index.bodies[b]
    return (
        case.body(b)
        if b == 0 or body.name
        else tr("the {label} on line {line}", label=body.label(), line=body.node.line)
    )


def _place(element: Element, seen_from: Element) -> str:
    """The line of an element, as seen from another one: with the file or the column where these differ."""
    here, there = element.node.location, seen_from.node.location
    line = tr("line {line}", line=here.line)
    if here.file != there.file:
        return f"{os.path.basename(here.file)}, {line}"
    return line if here.line != there.line else tr("{line}, column {column}", line=line, column=here.column)


def length(value: float) -> str:
    """A length in words: mm below a metre."""
    return f"{value:.3g} m" if value >= 1 else f"{1000 * value:.3g} mm"


def _below(case: Case, geoms: np.ndarray, shape) -> Findings:
    model, data = case.model, case.rest
    planes = [p for p in np.flatnonzero(model.geom_type == GEOM_PLANE) if case.colliding(np.array([p]))[0]]
    roots: set[tuple[int, int]] = set()
    for p in planes:
        normal, origin = data.geom_xmat[p].reshape(3, 3)[:, 2], data.geom_xpos[p]
        for g in geoms.tolist():
            if not _may_touch(case, int(p), g) or (int(p), int(model.body_rootid[model.geom_bodyid[g]])) in roots:
                continue
            if (data.geom_xpos[g] - origin) @ normal > model.geom_rbound[g]:
                continue
            low = -float(shape(g).support(-normal[None])[0]) - float(origin @ normal)
            if -low > BURIED * shape(g).least and -low > 1e-3:
                roots.add((int(p), int(model.body_rootid[model.geom_bodyid[g]])))
                geom = case.elements("geom")[g]
                yield Finding(
                    "below-ground",
                    geom.node.tag_span,
                    tr(
                        "{described} is {length} below {described2} at rest; raise its body",
                        described=_described(case, g),
                        length=length(-low),
                        described2=_described(case, int(p)),
                    ),
                )


def _candidates(case: Case, geoms: np.ndarray):
    """Pairs of geoms that can touch and whose bounding spheres overlap."""
    model, data = case.model, case.rest
    place, radius = data.geom_xpos[geoms], model.geom_rbound[geoms]
    number = 0
    for k, g in enumerate(geoms.tolist()):
        give_way()
        rest = slice(k + 1, None)
        gap = ((place[rest] - place[k]) ** 2).sum(1) - (radius[rest] + radius[k]) ** 2
        for h in geoms[rest][gap < 0].tolist():
            if _may_touch(case, g, h):
                number += 1
                if number > MAX_PAIRS:
                    return
                yield g, h


def _may_touch(case: Case, g: int, h: int) -> bool:
    give_way()
    model = case.model
    if not (model.geom_contype[g] & model.geom_conaffinity[h] or model.geom_contype[h] & model.geom_conaffinity[g]):
        return False
    bodies = int(model.geom_bodyid[g]), int(model.geom_bodyid[h])
    one, two = (int(model.body_weldid[b]) for b in bodies)
    if one == two:
        return False
    filtered = not model.opt_disableflags & DSBL_FILTERPARENT
    if one and two and filtered and case.parent_and_child(one, two):
        return False
    return (min(bodies) << 16) + max(bodies) not in case.excluded
