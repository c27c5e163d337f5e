"""The shape of a flexcomp: made, written in the text, or read from a mesh or GMSH file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.expand import flexcomp
from kinetree.engine.expand.flexcomp import points
from kinetree.engine.expand.flexcomp.points import BadFlexcomp, FlexPoints
from kinetree.engine.resources import meshfile
from kinetree.engine.resources.raw_mesh import BadMesh
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.mjcf.elements import Element
    from kinetree.engine.resources.files import AssetFiles


SMALLEST_VOLUME = 0.0


def shape(item: Element, read: AssetFiles | None) -> FlexPoints:
    """Points and elements before the flexcomp's pose is applied; scaled where they come from data.

    Raises BadFlexcomp, Unreadable.
    """
    kind = item["type"]
    if kind == "direct":
        found = _direct(item)
    elif kind in ("mesh", "gmsh"):
        assert read is not None  # models with files are read with a folder
        found = _mesh(item, read) if kind == "mesh" else _gmsh(item, read)
    else:
        return points.generated(item)
    found.point = found.point * np.asarray(item["scale"], float)
    return found


def _direct(item: Element) -> FlexPoints:
    point, element, dim = item.get("point"), item.get("element"), item["dim"]
    if point is None or element is None:
        raise BadFlexcomp(tr("type direct needs point and element"), "type", code="missing-attribute")
    if len(point) % 3:
        raise BadFlexcomp(
            tr("point has {count} numbers; it needs three each", count=len(point)), "point", code="wrong-count"
        )
    if len(element) % (dim + 1):
        raise BadFlexcomp(
            tr(
                "element has {count} numbers; elements of dimension {dim} take {number} each",
                count=len(element),
                dim=dim,
                number=dim + 1,
            ),
            "element",
            code="wrong-count",
        )
    return FlexPoints(dim, np.asarray(point, float).reshape(-1, 3), np.asarray(element, int).reshape(-1, dim + 1))


def _data(item: Element, read: AssetFiles) -> bytes:
    if not item.get("file"):
        raise BadFlexcomp(tr("type {item} needs a file", item=item["type"]), "type", code="missing-attribute")
    return read.read(item, "file", "mesh")


def _mesh(item: Element, read: AssetFiles) -> FlexPoints:
    if item["dim"] < 2:
        raise BadFlexcomp(tr("a mesh has surfaces; set dim to 2, or to 3 to fill it"), "dim", "type")
    if item["dim"] == 3 and "origin" not in item.given:
        raise BadFlexcomp(
            tr("to fill a mesh, give the origin that its faces are joined to"), "dim", code="missing-attribute"
        )
    name = item.get("file") or ""
    if name.lower().endswith(".msh"):
        raise BadFlexcomp(tr("files of type .msh are read with type gmsh; use that, or an .obj or .stl file"), "file")
    try:
        raw = meshfile.read(_data(item, read), name)
    except BadMesh as error:
        raise BadFlexcomp(str(error), "file", code="bad-mesh") from None
    if raw.face is None or not len(raw.face):
        raise BadFlexcomp(tr("the file has no faces"), "file", code="bad-mesh")
    # points at the same position are merged
    _, first, inverse = np.unique(raw.vert + np.float32(0), axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), int)
    rank[order] = np.arange(len(order))
    point = np.asarray(raw.vert[first[order]], float)
    element = rank[inverse.ravel()][raw.face]
    texcoord = corners = None
    if raw.texcoord is not None and raw.facetexcoord is not None:
        texcoord, corners = np.asarray(raw.texcoord, float), np.asarray(raw.facetexcoord, int)
    if item["dim"] == 3:
        point, element = _filled(item, point, element)
    return FlexPoints(item["dim"], point, element, texcoord, corners)


def _filled(item: Element, point: np.ndarray, face: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points with the origin as the first; a tetrahedron from the origin to each face turned away from it."""
    origin = np.asarray(item["origin"], float)
    corner = point[face] - origin
    behind = np.linalg.det(corner) > SMALLEST_VOLUME
    element = np.concatenate([np.zeros((len(face), 1), int), face + 1], axis=1)[behind]
    return np.concatenate([origin[None], point]), element


def _gmsh(item: Element, read: AssetFiles) -> FlexPoints:
    return flexcomp.gmsh.read(_data(item, read))
