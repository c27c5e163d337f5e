"""Assets and classes that nothing uses, meshes in the wrong unit, with holes or inside out."""

from __future__ import annotations

import hashlib

import numpy as np

from kinetree.engine.check.case import Case, Finding, Findings
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.defaults import MAIN
from kinetree.engine.model import enums
from kinetree.engine.resources.cache import Cache
from kinetree.engine.translation import tr

LARGE, LARGER = 50.0, 20.0
MAX_FACES = 400_000
"""Meshes with more triangles are not looked at."""
_surfaces = Cache(256 * 1024)
"""Results of the mesh checks from earlier versions of a model."""
_SURFACE_BYTES = 128


def sizes(case: Case) -> Findings:
    model = case.model
    if not model.nmesh:
        return
    spans = []
    for i in range(model.nmesh):
        start, number = model.mesh_vertadr[i], model.mesh_vertnum[i]
        vert = model.mesh_vert[start : start + number]
        spans.append(float(np.ptp(vert, axis=0).max()) if number else 0.0)
    plain = np.isin(model.geom_type, (enums.GEOM_MESH, enums.GEOM_SDF), invert=True)
    others = np.linalg.norm(model.body_pos[1:], axis=1).max(initial=0.0)
    others = max(others, float(model.geom_rbound[plain].max(initial=0.0)))
    for i, mesh in case.first_of_copies("mesh"):
        if spans[i] > LARGE and spans[i] > LARGER * others:
            yield Finding(
                "implausible-size",
                mesh.at("scale", "file"),
                tr(
                    '{label} is {spans:.3g} m large; if the file is in millimetres, give it scale="0.001 0.001 0.001"',
                    label=mesh.label(),
                    spans=spans[i],
                ),
            )


def meshes(case: Case) -> Findings:
    model = case.model
    massive = _massive(case)
    for i, mesh in case.first_of_copies("mesh"):
        start, number = model.mesh_faceadr[i], model.mesh_facenum[i]
        if not 4 <= number <= MAX_FACES:
            continue
        if case.cancelled():
            return
        first = model.mesh_vertadr[i]
        vert = model.mesh_vert[first : first + model.mesh_vertnum[i]]
        holes, inside_out = _surface(vert, model.mesh_face[start : start + number])
        if holes:
            if i in massive and mesh["inertia"] != "shell" and mesh["inertia"] != "convex":
                yield Finding(
                    "open-mesh",
                    mesh.at("file", "face"),
                    tr(
                        "{label} has holes ({holes} open edges), so that the mass and inertia that come from it mean "
                        'little; repair it, or set inertia="convex" or "shell"',
                        label=mesh.label(),
                        holes=holes,
                    ),
                )
            continue
        if inside_out:
            yield Finding(
                "inside-out-mesh",
                mesh.at("file", "face"),
                tr(
                    "the faces of {label} point inwards; reverse the order of the vertices of each face",
                    label=mesh.label(),
                ),
            )


def _massive(case: Case) -> set[int]:
    """Meshes that contribute to the mass of a moving body."""
    model, found = case.model, set()
    for g in range(model.ngeom):
        body = case.index.bodies[model.geom_bodyid[g]]
        geom = case.elements("geom")[g]
        counts = geom.get("mass", 1.0) != 0 and geom["density"] != 0
        if model.geom_dataid[g] >= 0 and model.geom_type[g] in (enums.GEOM_MESH, enums.GEOM_SDF) and counts:
            if body.inertial is None and not case.static[body.id]:
                found.add(int(model.geom_dataid[g]))
    return found


def _surface(vert: np.ndarray, face: np.ndarray) -> tuple[int, bool]:
    """(Number of open edges, whether the faces of a closed mesh point inwards)."""

    def examine() -> tuple[int, bool]:
        points = vert.astype(float)
        welded = _welded(points, face)
        a, b, c = (points[welded[:, k]] for k in range(3))
        volume = (np.einsum("ij,ij->i", a, np.cross(b, c)) / 6).sum()
        return _open_edges(welded), bool(volume < -1e-3 * np.prod(np.ptp(points, axis=0)))

    key = tuple(hashlib.blake2b(numbers.tobytes(), digest_size=16).digest() for numbers in (vert, face))
    return _surfaces.get(key, examine, lambda _: _SURFACE_BYTES)


def _welded(vert: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Triangles by points in space: vertices that coincide are one; flat triangles are left out."""
    scale = max(float(np.ptp(vert, axis=0).max()), 1e-12)
    keys = np.round(vert / (scale * 1e-6)).astype(np.int64)
    _, first, same = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    face = first[same.reshape(-1)][face]
    flat = (face[:, 0] == face[:, 1]) | (face[:, 1] == face[:, 2]) | (face[:, 0] == face[:, 2])
    return face[~flat]


def _open_edges(face: np.ndarray) -> int:
    """Number of edges with unequal numbers of triangles in the two directions."""
    edges = face[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(np.int64)
    size = int(edges.max(initial=0)) + 1
    low, high = edges.min(1), edges.max(1)
    sign = np.where(edges[:, 0] < edges[:, 1], 1, -1)
    _, place = np.unique(low * size + high, return_inverse=True)
    return int(np.count_nonzero(np.bincount(place.reshape(-1), weights=sign)))


# ---- nothing uses it ----------------------------------------------------------------------------------


def unused_assets(case: Case) -> Findings:
    if not case.is_mjcf or case.model.ngeom == 0:
        return
    used = _references(case)
    for section in case.root.children:
        row = schema.child(schema.ROOT, section.tag)
        if row is None:
            continue
        for node in section.children:
            inner = schema.child(row, node.tag)
            if inner is None or node.source is not case.document.source:
                continue
            name = inner.attributes.get("name")
            if name is None or name.declares not in _ASSETS or _stands_alone(node):
                continue
            label = node.get("name") or _stem(node.get(inner.name_from or "") or "")
            if label and label not in used.get(name.declares, ()):
                yield Finding(
                    "unused-asset",
                    node.tag_span,
                    tr("nothing uses the {tag} '{label}'; remove it", tag=node.tag, label=label),
                )


_ASSETS = ("mesh", "hfield", "texture", "material", "model")


def _stands_alone(node) -> bool:
    """Whether a texture (skybox) is used without being referred to."""
    kind = schema.row(node, "type")
    return kind is not None and "skybox" in kind.choices and node.get("type", kind.default) not in ("2d", "cube")


def _stem(path: str) -> str:
    name = path.replace("\\", "/").rpartition("/")[2]
    return name.rpartition(".")[0] or name


def _references(case: Case) -> dict[str, set[str]]:
    """Every name that the text refers to, by namespace."""
    used: dict[str, set[str]] = {}
    stack = [(case.root, schema.ROOT, schema.ROOT)]
    while stack:
        node, row, around = stack.pop()
        for attribute in node.attributes:
            known = row.attributes.get(attribute.name)
            if known is None or known.refers is None:
                continue
            space = schema.referred(known, node) or ""
            used.setdefault(space, set()).update([attribute.value, *attribute.value.split()])
        inside = schema.enclosing(row, around)
        for child in node.children:
            inner = schema.child(row, child.tag, around)
            if inner is not None:
                stack.append((child, inner, inside))
    return used


def unused_classes(case: Case) -> Findings:
    if case.defaults is None or not case.is_mjcf or len(case.index.bodies) < 2:
        return
    used = set()
    for node in case.root.iter():
        if node.parent is not None and _inside_defaults(node):
            continue
        used.update(filter(None, (node.get("class"), node.get("childclass"))))
    needed = set()
    for name in used:
        kind = case.defaults.classes.get(name)
        while kind is not None and kind.name not in needed:
            needed.add(kind.name)
            kind = kind.parent
    for name, kind in case.defaults.classes.items():
        if name == MAIN or name in needed or kind.node is None:
            continue
        if kind.node.source is case.document.source:
            yield Finding(
                "unused-class",
                kind.node.attribute("class") or kind.node.tag_span,
                tr("no element is of the default class '{name}'; remove it", name=name),
            )


def _inside_defaults(node) -> bool:
    top = node
    for around in node.ancestors():
        if around.parent is None:
            break
        top = around
    return schema.child(schema.ROOT, top.tag) is schema.ELEMENTS["default"]
