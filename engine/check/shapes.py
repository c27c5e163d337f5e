"""Checks of contacts: overlaps at qpos0, geoms that cannot collide, contact parameters without effect."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.check.case import Case, Finding, Findings
from kinetree.engine.check.overlap import Convex, depth
from kinetree.engine.check.pairs import Geoms, overlapping
from kinetree.engine.mjcf.geom_types import GEOM_TYPES
from kinetree.engine.model import enums
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.mjcf.elements import Element

MAX_PAIRS = 20_000
"""Pairs of shapes whose bounding spheres overlap, beyond which no more are looked at."""
MAX_TESTED, MAX_FOUND = 5_000, 100
"""The same for pairs whose shapes are compared, and for overlaps."""
MAX_ABOVE = 100_000_000
"""Pairs of a plane and a shape, beyond which no more planes are looked at."""
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
                    label=_described(case, i),
                    geom_condim=model.geom_condim[i],
                ),
            )
    if model.opt_enableflags & enums.ENBL_OVERRIDE:
        return
    least = 2 * float(model.opt_timestep)
    places: dict[tuple, tuple] = {}
    for i, geom in case.first_of_copies("geom"):
        value = float(model.geom_solref[i, 0])
        if "solref" in geom.given and 0 < value < least * (1 - 1e-9) and case.colliding(np.array([i]))[0]:
            where = case.at(geom, "solref")
            span = where.location
            places.setdefault((span.file, span.line, span.column), (where, value, i))
    then = (
        tr("becomes unstable")
        if model.opt_disableflags & enums.DSBL_REFSAFE
        else tr("is raised to {least:g} s", least=least)
    )
    for where, value, i in places.values():
        yield Finding(
            "stiff-contact",
            where,
            tr(
                "the time constant {value:g} s of {label} is shorter than two time steps and {then}; use a "
                "smaller timestep, or a larger solref",
                value=value,
                label=_described(case, i),
                then=then,
            ),
            (f"{least:.10g}",),
        )


def falling(case: Case) -> Findings:
    model = case.model
    if (
        model.opt_disableflags & (enums.DSBL_GRAVITY | enums.DSBL_CONTACT | enums.DSBL_CONSTRAINT)
        or not model.opt_gravity.any()
    ):
        return
    if model.ntendon or model.neq or model.nu or model.npair or model.opt_density or model.nflex:
        return
    owner = model.body_rootid[model.geom_bodyid]
    has_geoms = np.bincount(owner, minlength=model.nbody) > 0
    is_held = np.bincount(model.body_rootid[model.body_gravcomp != 0], minlength=model.nbody) > 0
    is_held[owner[case.colliding(np.arange(model.ngeom))]] = True
    seen: set[int] = set()
    for b in model.jnt_bodyid[model.jnt_type == enums.JNT_FREE].tolist():
        body = case.index.bodies[b]
        if id(body.node) in seen or is_held[b]:
            continue
        seen.add(id(body.node))
        if has_geoms[b]:
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
    if model.opt_disableflags & (enums.DSBL_CONTACT | enums.DSBL_CONSTRAINT):
        return
    solid = (model.geom_type >= 2) & (model.geom_type <= enums.GEOM_MESH)
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
                tuple(fact for body in bodies for fact in _found_again(case, body)),
            )


def _described(case: Case, g: int) -> str:
    """Label of a geom: geom 'foot', or box geom of body 'leg', or sphere geom of the body on line 7."""
    model, geom = case.model, case.elements("geom")[g]
    if geom.name:
        return geom.label()
    shape = SHAPES.get(int(model.geom_type[g]), "")
    named = f"{shape} {geom.label()}".strip()
    return tr("{named} of {body}", named=named, body=_body(case, int(model.geom_bodyid[g])))


def _body(case: Case, b: int) -> str:
    """Label of a body; by its line if it has no name."""
    body = case.index.bodies[b]
    return (
        case.body(b)
        if b == 0 or body.name
        else tr("the {label} on line {line}", label=body.label(), line=body.node.line)
    )


def _found_again(case: Case, b: int) -> tuple[str, str]:
    """A body for a quick fix: its name, and where its element stands."""
    body = case.index.bodies[b]
    where = body.node.location
    return ("world", "") if b == 0 else (body.name, f"{where.line}:{where.column}:{where.file}")


def _place(element: Element, seen_from: Element) -> str:
    """The line of an element, as seen from another one: with the file or the column where these differ."""
    here, there = element.node.location, seen_from.node.location
    line = tr("line {line}", line=here.line)
    if here.file != there.file:
        return f"{os.path.basename(here.file)}, {line}"
    return line if here.line != there.line else tr("{line}, column {column}", line=line, column=here.column)


def length(value: float) -> str:
    """Text of a length: in mm below a metre."""
    return f"{value:.3g} m" if value >= 1 else f"{1000 * value:.3g} mm"


def _below(case: Case, geoms: np.ndarray, shape) -> Findings:
    model, data = case.model, case.rest
    planes = np.flatnonzero(model.geom_type == enums.GEOM_PLANE)
    planes = planes[case.colliding(planes)][: MAX_ABOVE // len(geoms) + 1]
    root = model.body_rootid[model.geom_bodyid[geoms]]
    for p in planes.tolist():
        if case.cancelled():
            return
        normal, origin = data.geom_xmat[p].reshape(3, 3)[:, 2], data.geom_xpos[p]
        near = (data.geom_xpos[geoms] - origin) @ normal <= model.geom_rbound[geoms]
        near[near] = _may_touch(case, np.full(np.count_nonzero(near), p), geoms[near])
        told: set[int] = set()
        for g, r in zip(geoms[near].tolist(), root[near].tolist(), strict=True):
            if r in told:
                continue
            low = -float(shape(g).support(-normal[None])[0]) - float(origin @ normal)
            if -low > BURIED * shape(g).least and -low > 1e-3:
                told.add(r)
                geom = case.elements("geom")[g]
                yield Finding(
                    "below-ground",
                    geom.node.tag_span,
                    tr(
                        "{described} is {length} below {described2} at rest; raise its body",
                        described=_described(case, g),
                        length=length(-low),
                        described2=_described(case, p),
                    ),
                    (*_found_again(case, r), *(f"{-low * n:.10g}" for n in normal)),
                )


def _candidates(case: Case, geoms: np.ndarray) -> list[list[int]]:
    """Pairs of geoms that can touch and whose bounding spheres overlap."""
    model = case.model
    facts = Geoms(
        case.rest.geom_xpos[geoms],
        model.geom_rbound[geoms],
        model.body_weldid[model.geom_bodyid[geoms]],
        model.geom_contype[geoms],
        model.geom_conaffinity[geoms],
    )
    found = overlapping(facts, MAX_PAIRS, lambda i, j: _may_touch(case, geoms[i], geoms[j]), case.cancelled)
    return geoms[found].tolist()


def _may_touch(case: Case, g: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Which pairs of geoms the filters of contacts let through."""
    model = case.model
    touch = (model.geom_contype[g] & model.geom_conaffinity[h]) | (model.geom_contype[h] & model.geom_conaffinity[g])
    bodies = model.geom_bodyid[g].astype(np.int64), model.geom_bodyid[h].astype(np.int64)
    one, two = (model.body_weldid[b] for b in bodies)
    allowed = (touch != 0) & (one != two)
    if not model.opt_disableflags & enums.DSBL_FILTERPARENT:
        parent, parent2 = (model.body_weldid[model.body_parentid[weld]] for weld in (one, two))
        allowed &= (one == 0) | (two == 0) | ((parent != two) & (parent2 != one))
    signature = (np.minimum(*bodies) << 16) + np.maximum(*bodies)
    return allowed & ~np.isin(signature, model.exclude_signature)
