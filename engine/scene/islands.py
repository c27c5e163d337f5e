"""Constraint islands: trees of bodies that constraints connect, found from the constraint rows of a state.

A Snapshot has the rows and not the islands of the solver; these are the same.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.model import enums


def island_of_bodies(model, state) -> np.ndarray | None:
    """(nbody,) first dof of the island of each body, -1 where nothing constrains it; None where the model does not
    enable islands or has no constraint now."""
    options = getattr(state, "opt", None)
    flags = int(model.opt.enableflags if options is None else options.enableflags)
    if not flags & enums.ENBL_ISLAND or not int(state.nefc):
        return None
    trees = [list(dict.fromkeys(each)) for each in _trees(model, state)]
    trees = [each for each in trees if each]
    ntree = int(model.ntree)
    if not trees or not ntree:
        return None
    from scipy.sparse import coo_matrix  # a quarter of a second, which a model's first picture does not wait for
    from scipy.sparse.csgraph import connected_components

    pairs = np.array([(each[0], other) for each in trees for other in each])
    graph = coo_matrix((np.ones(len(pairs)), pairs.T), shape=(ntree, ntree))
    _, label = connected_components(graph, directed=False)
    used = np.zeros(ntree, bool)
    used[np.unique(pairs)] = True
    start = np.unique(np.asarray(model.dof_treeid), return_index=True)[1]  # first dof of each tree
    first = np.full(ntree, np.iinfo(np.int64).max)
    np.minimum.at(first, label[used], start[used])
    island = np.where(used, first[label], -1)
    owner = np.asarray(model.body_treeid).astype(int)
    return np.where(owner >= 0, island[np.maximum(owner, 0)], -1)


def color_of(first: np.ndarray) -> np.ndarray:
    """(n, 3) sRGB-encoded colours of islands by their first dof, as in MuJoCo: Halton's sequence in bases 2, 3, 5."""
    return np.stack([0.1 + 0.9 * _halton(np.asarray(first, int) + 1, base) for base in (2, 3, 5)], axis=-1)


def _halton(index: np.ndarray, base: int) -> np.ndarray:
    result, share = np.zeros(index.shape), 1.0
    while (index > 0).any():
        share /= base
        index, digit = np.divmod(index, base)
        result += share * digit
    return result


def _trees(model, state):
    """For each constraint the trees that it acts on."""
    tree = np.asarray(model.body_treeid).astype(int)
    count = int(state.nefc)
    rows = np.unique(np.stack([np.asarray(state.efc_type)[:count], np.asarray(state.efc_id)[:count]], 1), axis=0)
    for kind, index in rows.astype(int).tolist():
        if kind == enums.CNSTR_EQUALITY:
            bodies = _equality(model, index)
        elif kind == enums.CNSTR_FRICTION_DOF:
            bodies = [int(model.dof_bodyid[index])]
        elif kind == enums.CNSTR_LIMIT_JOINT:
            bodies = [int(model.jnt_bodyid[index])]
        elif kind < enums.CNSTR_CONTACT_FRICTIONLESS:
            bodies = _tendon(model, index)
        else:
            bodies = _contact(model, state, index)
        yield [int(tree[body]) for body in bodies if tree[body] >= 0]


def _equality(model, index: int) -> list[int]:
    kind = int(model.eq_type[index])
    ends = [int(model.eq_obj1id[index]), int(model.eq_obj2id[index])]
    if kind in (enums.EQ_CONNECT, enums.EQ_WELD):
        if int(model.eq_objtype[index]) == enums.OBJ_SITE:
            return [int(model.site_bodyid[site]) for site in ends]
        return ends
    if kind == enums.EQ_JOINT:
        return [int(model.jnt_bodyid[joint]) for joint in ends if joint >= 0]
    if kind == enums.EQ_TENDON:
        return [body for tendon in ends if tendon >= 0 for body in _tendon(model, tendon)]
    return _flex(model, ends[0])


def _flex(model, flex: int) -> list[int]:
    first, count = int(model.flex_vertadr[flex]), int(model.flex_vertnum[flex])
    return np.unique(np.asarray(model.flex_vertbodyid)[first : first + count]).astype(int).tolist()


def _tendon(model, tendon: int) -> list[int]:
    first, count = int(model.tendon_adr[tendon]), int(model.tendon_num[tendon])
    owner = {
        enums.WRAP_JOINT: model.jnt_bodyid,
        enums.WRAP_SITE: model.site_bodyid,
        enums.WRAP_SPHERE: model.geom_bodyid,
        enums.WRAP_CYLINDER: model.geom_bodyid,
    }
    path = [(int(model.wrap_type[i]), int(model.wrap_objid[i])) for i in range(first, first + count)]
    return [int(owner[kind][each]) for kind, each in path if kind in owner]


def _contact(model, state, index: int) -> list[int]:
    kinds = (getattr(state.contact, name) for name in ("geom", "flex", "elem", "vert"))
    sides = (np.asarray(each).reshape(-1, 2)[index] for each in kinds)
    bodies: list[int] = []
    for geom, flex, element, vertex in zip(*(side.astype(int).tolist() for side in sides), strict=True):
        if geom >= 0:
            bodies.append(int(model.geom_bodyid[geom]))
        elif element >= 0:
            corners = int(model.flex_dim[flex]) + 1
            first = int(model.flex_elemdataadr[flex]) + corners * element
            vertices = int(model.flex_vertadr[flex]) + np.asarray(model.flex_elem)[first : first + corners]
            bodies += np.asarray(model.flex_vertbodyid)[vertices].astype(int).tolist()
        elif vertex >= 0:
            bodies.append(int(model.flex_vertbodyid[int(model.flex_vertadr[flex]) + vertex]))
    return bodies
