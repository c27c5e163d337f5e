"""Table of collision functions by pair of geom types, and which of them a model needs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement, product

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.model import Model
from kinetree.engine.model.plugins import PLUGIN_BOLT, PLUGIN_SDFLIB
from kinetree.engine.model.sensors import SensedKind, of_target

PRIMITIVE = "kinetree.engine.collision.primitive"

# The type of the first geom is never above that of the second.
FUNCTIONS = {
    (enums.GEOM_PLANE, enums.GEOM_SPHERE): f"{PRIMITIVE}:plane_sphere",
    (enums.GEOM_PLANE, enums.GEOM_CAPSULE): f"{PRIMITIVE}:plane_capsule",
    (enums.GEOM_PLANE, enums.GEOM_ELLIPSOID): f"{PRIMITIVE}:plane_ellipsoid",
    (enums.GEOM_PLANE, enums.GEOM_CYLINDER): f"{PRIMITIVE}:plane_cylinder",
    (enums.GEOM_PLANE, enums.GEOM_BOX): f"{PRIMITIVE}:plane_box",
    (enums.GEOM_SPHERE, enums.GEOM_SPHERE): f"{PRIMITIVE}:sphere_sphere",
    (enums.GEOM_SPHERE, enums.GEOM_CAPSULE): f"{PRIMITIVE}:sphere_capsule",
    (enums.GEOM_SPHERE, enums.GEOM_CYLINDER): f"{PRIMITIVE}:sphere_cylinder",
    (enums.GEOM_SPHERE, enums.GEOM_BOX): f"{PRIMITIVE}:sphere_box",
    (enums.GEOM_CAPSULE, enums.GEOM_CAPSULE): f"{PRIMITIVE}:capsule_capsule",
    (enums.GEOM_CAPSULE, enums.GEOM_BOX): "kinetree.engine.collision.capsule_box:capsule_box",
    (enums.GEOM_BOX, enums.GEOM_BOX): "kinetree.engine.collision.box:box_box",
    (enums.GEOM_PLANE, enums.GEOM_MESH): "kinetree.engine.collision.mesh:plane_mesh",
}
CONVEX = (
    enums.GEOM_SPHERE,
    enums.GEOM_CAPSULE,
    enums.GEOM_ELLIPSOID,
    enums.GEOM_CYLINDER,
    enums.GEOM_BOX,
    enums.GEOM_MESH,
)
CONVEX_FUNCTION = "kinetree.engine.collision.convex:convex"
MULTICCD_FUNCTION = "kinetree.engine.collision.multiccd:multiccd"
"""In place of CONVEX_FUNCTION, with the flag multiccd."""
COLLIDER_FUNCTION = "kinetree.engine.collision.ccd:collide"
OLDER_FUNCTION, OLDER_COLLIDER = (f"kinetree.engine.collision.mpr:{name}" for name in ("convex_mpr", "collide_mpr"))
"""In place of these two, without the flag nativeccd."""
CONVEX_FUNCTIONS = {CONVEX_FUNCTION, MULTICCD_FUNCTION, OLDER_FUNCTION}
COLLIDER_PLACE = (9, 0)
"""Where the convex collider is in tables of pairs of types: after them."""
FLEX_FUNCTION = "kinetree.engine.collision.flex_pairs:flex_candidate"
FLEX_PLACE = (9, 1)
"""Where the function for candidates with a flex is, likewise."""
PAIR_PLACES = 81
"""Number of pairs of geom types."""
PLACES = PAIR_PLACES + 2
"""Number of entries of data.collision_function."""
USE_COLLIDER = {CONVEX_FUNCTION, MULTICCD_FUNCTION, FLEX_FUNCTION}
"""The functions that call the convex collider."""
CONVEX_DISTANCE, CONTACT_DISTANCE = (
    f"kinetree.engine.collision.distance:{name}" for name in ("convex_distance", "contact_distance")
)
HFIELD_FUNCTION = "kinetree.engine.collision.hfield:hfield_convex"
USE_COLLIDER.update((CONVEX_DISTANCE, HFIELD_FUNCTION))
for first, second in combinations_with_replacement(CONVEX, 2):
    FUNCTIONS.setdefault((first, second), CONVEX_FUNCTION)
for second in CONVEX:
    FUNCTIONS[enums.GEOM_HFIELD, second] = HFIELD_FUNCTION
for first in (
    enums.GEOM_SPHERE,
    enums.GEOM_CAPSULE,
    enums.GEOM_ELLIPSOID,
    enums.GEOM_CYLINDER,
    enums.GEOM_BOX,
    enums.GEOM_SDF,
):
    FUNCTIONS[first, enums.GEOM_SDF] = "kinetree.engine.collision.sdf_pairs:sdf_geom"
FUNCTIONS[enums.GEOM_MESH, enums.GEOM_SDF] = "kinetree.engine.collision.sdf_pairs:sdf_mesh"
FUNCTIONS[enums.GEOM_PLANE, enums.GEOM_SDF] = "kinetree.engine.collision.mesh:plane_mesh"

SIGNATURE = ("Model", "Data", "i8", "i8", "f8")
"""Arguments of a pair function: (model, data, geom1, geom2, margin). It returns an integer."""
COLLIDER_SIGNATURE = ("Model", "Data", "f8")
"""Arguments of a convex collider: (model, data, cutoff). It returns an integer."""
FLEX_SIGNATURE = ("Model", "Data", "i8", "i8", "i8")
"""Arguments of the function for flexes: (model, data, side1, side2, number of contacts). It returns the new number."""
_SIGNATURES = {COLLIDER_PLACE: COLLIDER_SIGNATURE, FLEX_PLACE: FLEX_SIGNATURE}

# These never make contacts.
APART = {
    (enums.GEOM_PLANE, enums.GEOM_PLANE),
    (enums.GEOM_PLANE, enums.GEOM_HFIELD),
    (enums.GEOM_HFIELD, enums.GEOM_HFIELD),
    (enums.GEOM_HFIELD, enums.GEOM_SDF),
}


def colliding_types(model: Model) -> set[tuple[int, int]]:
    """The pairs of geom types that may collide in the model, lower type first."""
    result = set()
    types = model.geom_type.tolist()
    pairs = []
    if model.npair:
        explicit = zip(model.pair_geom1.tolist(), model.pair_geom2.tolist(), strict=True)
        pairs = [(types[g1], types[g2]) for g1, g2 in explicit]
    # geoms with the same type and masks count once, with the set of their weld bodies
    welds = model.body_weldid.tolist()
    groups: dict[tuple[int, int, int], set[int]] = {}
    for kind, contype, conaffinity, body in zip(
        types,
        model.geom_contype.tolist(),
        model.geom_conaffinity.tolist(),
        model.geom_bodyid.tolist(),
        strict=True,
    ):
        if contype | conaffinity:
            groups.setdefault((kind, contype, conaffinity), set()).add(welds[body])
    for (kind, contype, conaffinity), bodies in groups.items():
        for (other, its_contype, its_conaffinity), others in groups.items():
            if (contype & its_conaffinity) | (conaffinity & its_contype):
                if len(bodies) > 1 or len(others) > 1 or bodies != others:
                    pairs.append((kind, other))
    for pair in pairs:
        result.add((min(pair), max(pair)))
    return result


def missing(model: Model) -> list[tuple[int, int]]:
    """Geoms that may collide with a type for which there is no function: (geom, type of the other), each geom
    once.
    """
    types = {pair for pair in colliding_types(model) if pair not in FUNCTIONS and pair not in APART}
    if not types:
        return []
    known = [kind for pair in FUNCTIONS for kind in pair]
    found: dict[int, int] = {}
    explicit = zip(model.pair_geom1.tolist(), model.pair_geom2.tolist(), strict=True)
    for g1, g2 in explicit:
        pair = sorted((int(model.geom_type[g1]), int(model.geom_type[g2])))
        if tuple(pair) in types:
            geom, other = sorted((g1, g2), key=lambda g: known.count(int(model.geom_type[g])))
            found.setdefault(geom, int(model.geom_type[other]))
    for pair in sorted(types):
        kind, other = sorted(pair, key=known.count)  # report the type that has fewer functions
        others = np.flatnonzero(model.geom_type == other)
        for geom in np.flatnonzero(model.geom_type == kind).tolist():
            if geom not in found and _may_collide_with_any(model, geom, others):
                found[geom] = other
    return sorted(found.items())


def shapeless(model: Model) -> list[int]:
    """Geoms of type sdf that may collide, and whose distance no plugin of ours tells."""
    found = []
    for geom in np.flatnonzero(model.geom_type == enums.GEOM_SDF).tolist():
        plugin = model.geom_plugin[geom]
        if plugin >= 0 and PLUGIN_BOLT <= model.plugin[plugin] <= PLUGIN_SDFLIB:
            continue
        named = bool((model.pair_geom1 == geom).any() or (model.pair_geom2 == geom).any())
        if named or _may_collide_with_any(model, geom, np.flatnonzero(model.geom_type != enums.GEOM_HFIELD)):
            found.append(geom)
    return found


def _may_collide_with_any(model: Model, geom: int, others: np.ndarray) -> bool:
    """Whether the filters let a geom collide with any of the other geoms."""
    body, bodies = int(model.geom_bodyid[geom]), model.geom_bodyid[others]
    weld, welds = int(model.body_weldid[body]), model.body_weldid[bodies]
    mask = (model.geom_contype[geom] & model.geom_conaffinity[others]) != 0
    mask |= (model.geom_conaffinity[geom] & model.geom_contype[others]) != 0
    mask &= welds != weld
    if not model.opt_disableflags & enums.DSBL_FILTERPARENT and weld != 0:
        above = int(model.body_weldid[model.body_parentid[weld]])
        family = (welds == above) | (model.body_weldid[model.body_parentid[welds]] == weld)
        mask &= ~(family & (welds != 0))
    signatures = (np.minimum(body, bodies) << 16) + np.maximum(body, bodies)
    mask &= ~np.isin(signatures, model.exclude_signature)
    return bool(mask.any())


def has_colliding_flexes(model: Model) -> bool:
    """Whether a flex may touch a geom, another flex or itself."""
    for f in range(model.nflex):
        kind, mask = model.flex_contype[f], model.flex_conaffinity[f]
        if np.any((model.geom_contype & mask) | (kind & model.geom_conaffinity)):
            return True
        if np.any((model.flex_contype[:f] & mask) | (kind & model.flex_conaffinity[:f])):
            return True
        if kind & mask and not model.flex_rigid[f] and (model.flex_internal[f] or model.flex_selfcollide[f]):
            return True
    return False


def has_flexes_that_touch_themselves(model: Model) -> bool:
    """Whether a flex has internal contacts or contacts of its elements with each other."""
    masks = (model.flex_contype & model.flex_conaffinity) != 0
    wanted = (model.flex_internal != 0) | (model.flex_selfcollide != 0)
    return bool((masks & wanted & (model.flex_rigid == 0)).any())


def needed_pairs(model: Model) -> dict[tuple[int, int], str]:
    """Pair of geom types -> its function, for the pairs that the model can need."""
    found = _functions(model, [pair for pair in sorted(colliding_types(model)) if pair in FUNCTIONS])
    if has_colliding_flexes(model):
        found |= {FLEX_PLACE: FLEX_FUNCTION, **_collider(model, [FLEX_FUNCTION])}
    return found


def _functions(model: Model, pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """The functions for contacts of pairs of types under the model's flags, and the convex collider if they use it."""
    found = {}
    for pair in pairs:
        function = FUNCTIONS[pair]
        if function == CONVEX_FUNCTION and model.opt_enableflags & enums.ENBL_MULTICCD:
            function = MULTICCD_FUNCTION
        elif function == CONVEX_FUNCTION and model.opt_disableflags & enums.DSBL_NATIVECCD:
            function = OLDER_FUNCTION
        found[pair] = function
    return {**found, **_collider(model, found.values())}


def _collider(model: Model, functions: Iterable[str]) -> dict[tuple[int, int], str]:
    """The convex collider in its place, if one of the functions uses it."""
    if USE_COLLIDER.isdisjoint(functions):
        return {}
    return {COLLIDER_PLACE: OLDER_COLLIDER if model.opt_disableflags & enums.DSBL_NATIVECCD else COLLIDER_FUNCTION}


def needed(model: Model) -> list[str]:
    """The kernels that contacts and distance sensors of the model call through addresses, as "module:function"."""
    measured = measured_pairs(model)
    return sorted({*needed_pairs(model).values(), *measured.values(), *supporting_pairs(model, measured).values()})


def distance_function(model: Model, pair: tuple[int, int]) -> str | None:
    """The function for the distance of two types of geoms, lower type first; None if there is none."""
    if pair not in FUNCTIONS:
        return None
    by_collider = FUNCTIONS[pair] == CONVEX_FUNCTION or pair == (enums.GEOM_BOX, enums.GEOM_BOX)
    return CONVEX_DISTANCE if by_collider and not model.opt_disableflags & enums.DSBL_NATIVECCD else CONTACT_DISTANCE


def supporting_pairs(model: Model, measured: dict[tuple[int, int], str]) -> dict[tuple[int, int], str]:
    """The functions for contacts, and the collider, that functions for distances (see measured_pairs) call."""
    found = _functions(model, [pair for pair, where in measured.items() if where == CONTACT_DISTANCE])
    return {**found, **_collider(model, measured.values())}


def measured_pairs(model: Model) -> dict[tuple[int, int], str]:
    """Pair of geom types -> the function for its distance, for the pairs that the model's sensors measure."""
    found = {}
    types = [row.type for row in of_target(SensedKind.TWO_GEOMS)]
    for sensor in np.flatnonzero(np.isin(model.sensor_type, types)):
        first = _types_of(model, model.sensor_objtype[sensor], model.sensor_objid[sensor])
        second = _types_of(model, model.sensor_reftype[sensor], model.sensor_refid[sensor])
        for one, other in product(first, second):
            pair = min(one, other), max(one, other)
            function = distance_function(model, pair)
            if function is not None:
                found[pair] = function
    return found


def _types_of(model: Model, kind: int, index: int) -> set[int]:
    """The types of a geom, or of all geoms of a body."""
    if kind == enums.OBJ_GEOM:
        return {int(model.geom_type[index])}
    start = model.body_geomadr[index]
    return set(model.geom_type[start : start + model.body_geomnum[index]].tolist())


def addresses(pairs: dict[tuple[int, int], str]) -> np.ndarray:
    """Addresses of functions for pairs (see needed_pairs), at 9 * type1 + type2; 0 for all other pairs."""
    from kinetree.engine.jit.compiler import address_of

    table = np.zeros(PLACES, np.int64)
    for pair, where in pairs.items():
        table[9 * pair[0] + pair[1]] = address_of(where, *_SIGNATURES.get(pair, SIGNATURE))
    return table
