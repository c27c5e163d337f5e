"""Bounds of the integer arrays of a model, so that a file cannot make a kernel index out of bounds.

RULES has a rule for each field; the functions of CHECKS test relations between fields. A model that passes may be
nonsense, but every number that is used as an index is valid.

    any            not an index
    below N        0 <= value < N
    id SIZE        0 <= value < size
    id? SIZE       the same, or -1 for none
    span NUM SIZE  value .. value + the field NUM of the same row lies within size; -1 if that is 0
    checked        by a function of CHECKS, or recomputed
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from kinetree.engine.compile.mechanism.plugins import CHANNELS, MOST_CELLS, PLUGINS
from kinetree.engine.compile.mechanism.sensor import OBJECTS
from kinetree.engine.compile.tree.kinematic_tree import addresses, kinematic_tree
from kinetree.engine.model import enums as e
from kinetree.engine.model import plugins as slots
from kinetree.engine.model.fields import TABLES, Field
from kinetree.engine.model.kinds import BY_OBJECT, KINDS, TYPED_REFERENCES
from kinetree.engine.model.model import Model
from kinetree.engine.model.sensors import SensedKind, by_type


class BadNumbers(ValueError):
    """Inconsistent numbers; str() names the field."""


_SPANS = {
    part.address: f"span {part.fields[0]} {part.size}"
    for kind in KINDS.values()
    for part in kind.ranges
    if len(part.fields) == 1
}


def _rule_of(field: Field) -> str:
    """The range of a field's whole numbers, as engine/model/fields.py writes it, with sizes in place of kinds."""
    if field.rule == "span":
        return _SPANS[field.name]
    if field.rule in _LIMITS:
        return f"below {_LIMITS[field.rule]}"
    if field.rule:
        return field.rule
    if field.constants:
        return f"one {field.constants}"
    kind, optional = field.refers.rstrip("?"), field.refers.endswith("?")
    return f"id{'?' * optional} {KINDS[kind].size}" if kind in KINDS else "checked"


_LIMITS = {"flag": 2, "count": 2147483647}
RULES: dict[str, str] = {
    field.name: _rule_of(field)
    for field in TABLES["Model"]
    if field.kind != "size" and field.dtype.startswith(("i", "u"))
}
STRUCTURE = frozenset(field.name for field in TABLES["Model"] if field.derived)
"""Fields that `kinetree.engine.compile.derived.structure` makes of the others: not stored."""


def check(model: Model) -> None:
    """Raise BadNumbers for the first field with an invalid number."""
    for field in TABLES["Model"]:
        rule = RULES.get(field.name)
        if rule is not None and field.kind != "size":
            _rule(model, field.name, rule)
    for function in CHECKS:
        function(model)
    for field in TABLES["Model"]:
        if field.may_be_nan:
            continue
        if field.dtype == "f8" and field.kind == "array" and np.isnan(getattr(model, field.name)).any():
            raise BadNumbers(field.name)


def _size(model: Model, name: str) -> int:
    return model.sizes.get(name, 0)


def _rule(model: Model, name: str, rule: str) -> None:
    kind, *words = rule.split()
    if kind in ("any", "checked", "derived"):
        return
    values = np.asarray(getattr(model, name), np.int64)
    if kind == "span":
        number = getattr(model, words[0]).astype(np.int64)
        size = _size(model, words[1])
        _hold(name, (number >= 0) & (values >= np.where(number > 0, 0, -1)) & (values + number <= size))
    elif kind == "one":
        _hold(name, np.isin(values, _constants(words[0])))
    else:
        limit = int(words[0]) if kind == "below" else _size(model, words[0])
        _hold(name, (values >= (-1 if kind == "id?" else 0)) & (values < limit))


@cache
def _constants(prefix: str) -> tuple[int, ...]:
    return tuple(value for name, value in vars(e).items() if name.startswith(prefix))


def _hold(name: str, conditions) -> None:
    if not np.all(conditions):
        raise BadNumbers(name)


def _same(model: Model, **expected) -> None:
    for name, value in expected.items():
        if not np.array_equal(getattr(model, name), value):
            raise BadNumbers(name)


# ---- relations between fields -----------------------------------------------------------------------------------


def _tree(m: Model) -> None:
    """Check the tree: bodies depth first, joints and geoms body by body, and derived arrays."""
    if m.nbody < 1 or m.body_parentid[0] != 0:
        raise BadNumbers("body_parentid")
    parents = m.body_parentid.tolist()
    for i in range(1, m.nbody):
        at = i - 1
        while at > 0 and at != parents[i]:
            at = parents[at]
        if at != parents[i]:
            raise BadNumbers("body_parentid")
    for name, first in (("jnt_bodyid", 1), ("geom_bodyid", 0)):
        owner = getattr(m, name)
        _hold(name, (owner >= first) & (owner < m.nbody))
        _hold(name, np.diff(owner) >= 0)
    _hold("jnt_type", (m.jnt_type >= 0) & (m.jnt_type < 4))
    tree = kinematic_tree(parents, m.jnt_bodyid.tolist(), m.jnt_type.tolist())
    for name, size in tree.sizes.items():
        if getattr(m, name) != size:
            raise BadNumbers(name)
    _same(m, **tree.bodies, **tree.joints, **tree.dofs)
    geoms = np.bincount(m.geom_bodyid, minlength=m.nbody).tolist()
    _same(m, body_geomnum=geoms, body_geomadr=addresses(geoms))
    mocap = m.body_mocapid[m.body_mocapid >= 0]
    _hold("body_mocapid", m.body_mocapid >= -1)
    if not np.array_equal(np.sort(mocap), np.arange(m.nmocap)):
        raise BadNumbers("body_mocapid")
    if (m.nmpos, m.nmquat) != (3 * m.nmocap, 4 * m.nmocap):
        raise BadNumbers("nmpos")


def _geoms(m: Model) -> None:
    for kind, size in ((e.GEOM_MESH, m.nmesh), (e.GEOM_SDF, m.nmesh), (e.GEOM_HFIELD, m.nhfield)):
        of = m.geom_dataid[m.geom_type == kind]
        _hold("geom_dataid", (of >= 0) & (of < size))
    _hold("geom_dataid", (m.geom_dataid >= -1) & (m.geom_dataid < max(m.nmesh, m.nhfield, 1)))
    _hold("geom_condim", np.isin(m.geom_condim, (1, 3, 4, 6)))
    _hold("pair_dim", np.isin(m.pair_dim, (1, 3, 4, 6)))
    bodies = np.sort(np.stack([m.geom_bodyid[m.pair_geom1], m.geom_bodyid[m.pair_geom2]]), 0)
    _same(m, pair_signature=(bodies[0] << 16) + bodies[1])
    _hold("exclude_signature", (m.exclude_signature >= 0) & (m.exclude_signature >> 16 < m.nbody))
    _hold("exclude_signature", m.exclude_signature & 0xFFFF < m.nbody)


def _meshes(m: Model) -> None:
    for i in range(m.nmesh):
        rows = slice(m.mesh_faceadr[i], m.mesh_faceadr[i] + m.mesh_facenum[i])
        for name, number in (
            ("mesh_face", m.mesh_vertnum[i]),
            ("mesh_facenormal", m.mesh_normalnum[i]),
            ("mesh_facetexcoord", max(m.mesh_texcoordnum[i], 1)),
        ):
            found = getattr(m, name)[rows]
            _hold(name, (found >= 0) & (found < number))
        at = int(m.mesh_graphadr[i])
        if at == -1:
            continue
        if not 0 <= at <= m.nmeshgraph - 2:
            raise BadNumbers("mesh_graphadr")
        vertices, faces = (int(v) for v in m.mesh_graph[at : at + 2])
        if vertices < 1 or faces < 0 or at + 2 + 3 * vertices + 6 * faces > m.nmeshgraph:
            raise BadNumbers("mesh_graph")
        start, used, lists, hull = np.split(
            m.mesh_graph[at + 2 : at + 2 + 3 * vertices + 6 * faces],
            np.cumsum([vertices, vertices, 3 * faces + vertices]),
        )
        _hold("mesh_graph", (start >= 0) & (start < len(lists)))
        for own in (used, hull):
            _hold("mesh_graph", (own >= 0) & (own < m.mesh_vertnum[i]))
        _hold("mesh_graph", (lists >= -1) & (lists < vertices))
        if lists[-1] != -1:  # what ends every walk
            raise BadNumbers("mesh_graph")
    _hold("mesh_polyvert", (m.mesh_polyvert >= 0) & (m.mesh_polyvert < max(m.nmeshvert, 1)))
    _hold("mesh_polymap", (m.mesh_polymap >= 0) & (m.mesh_polymap < max(m.nmeshpoly, 1)))


def _octrees(m: Model) -> None:
    """Check the octrees of meshes: a walk from the root meets nodes with ever higher numbers, then a leaf."""
    for i in range(m.nmesh):
        child = m.oct_child[m.mesh_octadr[i] : m.mesh_octadr[i] + m.mesh_octnum[i]].astype(np.int64)
        own = np.arange(len(child))[:, None]
        _hold("oct_child", np.where(child < 0, -1 - child < m.noctcoeff, (child > own) & (child < len(child))))
    interpolated = (m.geom_type == e.GEOM_SDF) & _has_plugin(m, m.geom_plugin, slots.PLUGIN_SDFLIB)
    _hold("geom_plugin", m.mesh_octnum[m.geom_dataid[interpolated]] > 0)


def _has_plugin(m: Model, ids: np.ndarray, *kinds: int) -> np.ndarray:
    """Which ids are those of instances of one of these plugins."""
    return np.isin(np.append(m.plugin, -1)[ids], kinds)


def _pictures(m: Model) -> None:
    rows, columns = m.hfield_nrow.astype(np.int64), m.hfield_ncol.astype(np.int64)
    fits = (m.hfield_adr >= 0) & (m.hfield_adr + np.minimum(rows * columns, 2**40) <= m.nhfielddata)
    _hold("hfield_nrow", (rows > 0) & (columns > 0) & (rows < 2**20) & (columns < 2**20) & fits)
    height, width = m.tex_height.astype(np.int64), m.tex_width.astype(np.int64)
    sound = (
        (height >= 0)
        & (width >= 0)
        & (height < 2**20)
        & (width < 2**20)
        & (m.tex_nchannel >= 1)
        & (m.tex_nchannel <= 4)
    )
    _hold("tex_height", sound & (m.tex_adr >= 0) & (m.tex_adr + height * width * m.tex_nchannel <= m.ntexdata))


def _skins(m: Model) -> None:
    for i in range(m.nskin):
        face = m.skin_face[m.skin_faceadr[i] : m.skin_faceadr[i] + m.skin_facenum[i]]
        _hold("skin_face", (face >= 0) & (face < m.skin_vertnum[i]))
        if m.skin_texcoordadr[i] >= 0 and m.skin_texcoordadr[i] + m.skin_vertnum[i] > m.nskintexvert:
            raise BadNumbers("skin_texcoordadr")
        for bone in range(m.skin_boneadr[i], m.skin_boneadr[i] + m.skin_bonenum[i]):
            start = m.skin_bonevertadr[bone]
            moved = m.skin_bonevertid[start : start + m.skin_bonevertnum[bone]]
            _hold("skin_bonevertid", (moved >= 0) & (moved < m.skin_vertnum[i]))


def _flexes(m: Model) -> None:
    """Check that the parts of a flex refer to parts of the same flex, and the assumptions of its kernels."""
    _hold("flex_dim", (m.flex_dim >= 1) & (m.flex_dim <= 3))
    _hold("flex_condim", np.isin(m.flex_condim, (1, 3, 4, 6)))
    _hold("flex_nodenum", m.flex_nodenum == np.where(m.flex_interp, 8, 0))
    for i in range(m.nflex):
        dim, nvert, nedge, nelem = (
            int(getattr(m, f"flex_{name}")[i]) for name in ("dim", "vertnum", "edgenum", "elemnum")
        )
        if nvert < 1 or nelem < 1:
            raise BadNumbers("flex_elemnum")
        sides = dim * (dim + 1) // 2
        _within(m, i, "flex_elem", "flex_elemdataadr", nelem * (dim + 1), 0, nvert)
        _within(m, i, "flex_elemedge", "flex_elemedgeadr", nelem * sides, 0, nedge)
        _within(m, i, "flex_shell", "flex_shelldataadr", int(m.flex_shellnum[i]) * dim, 0, nvert)
        _within(m, i, "flex_edge", "flex_edgeadr", nedge, 0, nvert)
        _within(m, i, "flex_edgeflap", "flex_edgeadr", nedge, -1, nvert)
        _within(m, i, "flex_evpair", "flex_evpairadr", int(m.flex_evpairnum[i]), 0, (nelem, nvert))
        first = int(m.flex_texcoordadr[i])
        _hold("flex_texcoordadr", first >= -1)
        coordinates = (
            m.nflextexcoord - first if first >= 0 else 1_000_000_000
        )  # without texcoords the corners mean nothing
        _within(m, i, "flex_elemtexcoord", "flex_elemdataadr", nelem * (dim + 1), 0, coordinates)
        tree = int(m.flex_treenum[i])
        nodes = np.arange(tree)[:, None]
        child = _within(m, i, "flextree_child", "flex_treeadr", tree, -1, tree)
        _hold("flextree_child", (child < 0) | (child > nodes))
        leaf = _within(m, i, "flextree_elem", "flex_treeadr", tree, -1, nelem)
        _hold("flextree_elem", (leaf >= 0) == (child < 0).all(1))
        start = int(m.flex_elemadr[i])
        if m.flex_interp[i]:
            if m.flex_stiffness[start, 0] != 0.0 and 21 * nelem < 576:
                raise BadNumbers("flex_elemnum")
            continue
        body = m.flex_vertbodyid[m.flex_vertadr[i] : m.flex_vertadr[i] + nvert]
        _hold("flex_vertbodyid", body >= 0)
        edges = slice(m.flex_edgeadr[i], m.flex_edgeadr[i] + nedge)
        inner = (m.flex_edgeflap[edges] >= 0).all(1)
        around = np.concatenate((m.flex_edge[edges][inner], m.flex_edgeflap[edges][inner]))
        _hold("flex_edgeflap", m.body_dofnum[body[around]] == 3)


def _within(
    m: Model, i: int, name: str, address: str, number: int, least: int, size: int | tuple[int, int]
) -> np.ndarray:
    """The rows of a field that belong to flex i; raises BadNumbers where one lies outside of least <= value < size."""
    values, first = getattr(m, name), int(getattr(m, address)[i])
    if number < 0 or (number and not 0 <= first <= len(values) - number):
        raise BadNumbers(address)
    rows = values[first : first + number] if number else values[:0]
    _hold(name, (rows >= least) & (rows < np.array(size)))
    return rows


def _cables(m: Model) -> None:
    if m.ncable and m.cable_next[-1]:
        raise BadNumbers("cable_next")


def _equalities(m: Model) -> None:
    sizes = {e.EQ_JOINT: m.njnt, e.EQ_TENDON: m.ntendon, e.EQ_FLEX: m.nflex}
    for i in range(m.neq):
        kind, what = int(m.eq_type[i]), int(m.eq_objtype[i])
        size, least = sizes.get(kind, -1), -1
        if size < 0:
            if what not in (e.OBJ_BODY, e.OBJ_SITE):
                raise BadNumbers("eq_objtype")
            size, least = (m.nbody if what == e.OBJ_BODY else m.nsite), 0
        if not (0 <= m.eq_obj1id[i] < size and least <= m.eq_obj2id[i] < size):
            raise BadNumbers("eq_obj1id")


def _tendons(m: Model) -> None:
    sizes = {e.WRAP_JOINT: m.njnt, e.WRAP_SITE: m.nsite, e.WRAP_SPHERE: m.ngeom, e.WRAP_CYLINDER: m.ngeom}
    _hold("tendon_num", m.tendon_num > 0)
    for i in range(m.ntendon):
        path = range(m.tendon_adr[i], m.tendon_adr[i] + m.tendon_num[i])
        kinds = m.wrap_type[path.start : path.stop].tolist()
        if e.WRAP_JOINT in kinds and set(kinds) != {e.WRAP_JOINT}:
            raise BadNumbers("wrap_type")
        for place, kind in enumerate(kinds):
            at = path[place]
            if kind == e.WRAP_NONE:
                raise BadNumbers("wrap_type")
            if kind in sizes and not 0 <= m.wrap_objid[at] < sizes[kind]:
                raise BadNumbers("wrap_objid")
            if kind in (e.WRAP_SPHERE, e.WRAP_CYLINDER):
                if not (0 < place < len(kinds) - 1 and kinds[place - 1] == kinds[place + 1] == e.WRAP_SITE):
                    raise BadNumbers("wrap_type")
                if not -1 <= m.wrap_prm[at] < m.nsite:
                    raise BadNumbers("wrap_prm")
        for place in (0, -1):
            if kinds[place] not in (e.WRAP_JOINT, e.WRAP_SITE):
                raise BadNumbers("wrap_type")


def _actuators(m: Model) -> None:
    sizes = {
        e.TRN_JOINT: (m.njnt, None), e.TRN_JOINTINPARENT: (m.njnt, None), e.TRN_TENDON: (m.ntendon, None),
        e.TRN_BODY: (m.nbody, None), e.TRN_SITE: (m.nsite, -1), e.TRN_SLIDERCRANK: (m.nsite, 0),
    }  # fmt: skip
    for kind, (first, second) in zip(m.actuator_trntype.tolist(), m.actuator_trnid.tolist(), strict=True):
        size, least = sizes[kind]
        if not 0 <= first < size or not -1 <= second or (least is not None and not least <= second < size):
            raise BadNumbers("actuator_trnid")
    controlled = m.actuator_plugin >= 0
    _hold("actuator_plugin", _has_plugin(m, m.actuator_plugin, slots.PLUGIN_PID) | ~controlled)
    need = (m.actuator_dyntype != e.DYN_NONE).astype(int)
    prm = m.plugin_prm[m.actuator_plugin[controlled]]
    need[controlled] += (prm[:, 1] != 0).astype(int) + (prm[:, 4] >= 0)
    _hold("actuator_actnum", m.actuator_actnum >= need)


_WITH_FRAME = (SensedKind.FRAME, SensedKind.FRAME_IN_WORLD, SensedKind.PLUGIN)


def _sensors(m: Model) -> None:
    rows = by_type()
    frames = (e.OBJ_BODY, e.OBJ_XBODY, e.OBJ_GEOM, e.OBJ_SITE, e.OBJ_CAMERA)
    for i in range(m.nsensor):
        row, what = rows.get(int(m.sensor_type[i])), int(m.sensor_objtype[i])
        if row is None:
            raise BadNumbers("sensor_type")
        if row.dim > 0 and m.sensor_dim[i] != row.dim:
            raise BadNumbers("sensor_dim")
        kind = row.target.kind
        if (kind and what != OBJECTS[kind]) or (row.target in _WITH_FRAME and what not in frames):
            raise BadNumbers("sensor_objtype")
        if m.sensor_dim[i] < 0:
            raise BadNumbers("sensor_dim")
        if not ((m.mpex_sensor_data[i] >= -1) & (m.mpex_sensor_data[i] < 7)).all():
            raise BadNumbers("mpex_sensor_data")


def _touch_sensors(m: Model) -> None:
    """Check the touch sensors: size of the grid, sensor_dim and type of the object."""
    for name, most in CHANNELS.items():
        for i in np.flatnonzero(_has_plugin(m, m.sensor_plugin, PLUGINS[name].slot)).tolist():
            grid = m.plugin_prm[m.sensor_plugin[i], :3]
            if not ((grid >= 1) & (grid <= (most, MOST_CELLS, MOST_CELLS)) & (grid == np.floor(grid))).all():
                raise BadNumbers("plugin_prm")
            if m.sensor_dim[i] != grid.prod():
                raise BadNumbers("sensor_dim")
            if m.sensor_objtype[i] != e.OBJ_SITE:
                raise BadNumbers("sensor_objtype")


def _typed_references(m: Model) -> None:
    """Check ids of objects whose kind is in another array."""
    for field, (types, optional) in TYPED_REFERENCES.items():
        for obj, id in zip(getattr(m, types).tolist(), getattr(m, field).tolist(), strict=True):
            kind = BY_OBJECT.get(obj)
            least = 0 if kind is not None and not optional else -1
            if not least <= id < (0 if kind is None else kind.count(m)):
                raise BadNumbers(field)


CHECKS: tuple[Callable[[Model], None], ...] = (
    _tree, _geoms, _meshes, _octrees, _pictures, _skins, _flexes, _cables, _equalities, _tendons, _actuators, _sensors,
    _touch_sensors, _typed_references,
)  # fmt: skip
