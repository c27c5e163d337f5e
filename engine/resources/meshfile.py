"""Mesh files: STL (binary and text), OBJ, MuJoCo's MSH, and COLLADA through engine/resources/collada.py.

Sources: the STL and Wavefront OBJ formats; XML reference, "MSH file format". Any malformed
file raises BadMesh.
"""

from __future__ import annotations

from pathlib import PurePath

import numpy as np

from kinetree.engine import resources
from kinetree.engine.geometry.unique_rows import distinct
from kinetree.engine.resources import objfile
from kinetree.engine.resources.objfile import MAX_FACES, MAX_VERTICES
from kinetree.engine.resources.raw_mesh import BadMesh, RawMesh
from kinetree.engine.translation import tr

MAX_COORDINATE = 2.0**30

_MEDIA = {
    "model/stl": "stl",
    "model/obj": "obj",
    "model/vnd.mujoco.msh": "msh",
    "model/vnd.collada+xml": "dae",
}


def read(data: bytes, name: str, media: str | None = None) -> RawMesh:
    """The contents of a mesh file; its format by media type, else by the extension of its name.

    Raises BadMesh.
    """
    kind = _MEDIA.get(media or "", PurePath(name).suffix[1:].lower())
    if media and media not in _MEDIA:
        raise BadMesh(
            tr("'{media}' is no media type of a mesh; use {names}", media=media, names=", ".join(_MEDIA)),
            "content_type",
        )
    reader = {"stl": _stl, "obj": objfile.read, "msh": _msh, "dae": _dae}.get(kind)
    if reader is None:
        raise BadMesh(
            tr("meshes are read from .stl, .obj, .msh and .dae files, not from '.{kind}'; convert the file", kind=kind)
        )
    with np.errstate(all="ignore"):  # numbers that are too large for single precision become infinite
        raw = reader(data)
    if not np.isfinite(raw.vert).all():
        raise BadMesh(tr("a vertex is infinite or not a number"))
    return raw


def _dae(data: bytes) -> RawMesh:
    return resources.collada.read(data, MAX_FACES)


# ---- STL ----------------------------------------------------------------------------------------------

_TRIANGLE = np.dtype([("normal", "<f4", 3), ("vert", "<f4", (3, 3)), ("attribute", "<u2")])


def _stl(data: bytes) -> RawMesh:
    if len(data) >= 84:
        count = int.from_bytes(data[80:84], "little")
        if 84 + 50 * count == len(data):
            if count == 0:
                raise BadMesh(tr("the STL file has no triangles"))
            if count > MAX_FACES:
                raise BadMesh(
                    tr("the STL file has {count} triangles; at most {most} are read", count=count, most=MAX_FACES)
                )
            corners = np.frombuffer(data, _TRIANGLE, count, 84)["vert"].reshape(-1, 3)
            return _welded(corners)
    if data[:5].lower() == b"solid" and b"vertex" in data[:4096]:
        return _stl_text(data)
    raise BadMesh(tr("the STL file is damaged or cut off: its length does not fit its number of triangles"))


def _stl_text(data: bytes) -> RawMesh:
    words = np.array(data.split(), object)
    at = np.flatnonzero(words == b"vertex")
    if not len(at) or len(at) % 3 or at[-1] + 3 >= len(words):
        raise BadMesh(tr("the text STL file is damaged: each facet needs three vertices of three numbers"))
    if len(at) > 3 * MAX_FACES:
        raise BadMesh(
            tr("the STL file has {number} triangles; at most {most} are read", number=len(at) // 3, most=MAX_FACES)
        )
    numbers = words[(at[:, None] + np.arange(1, 4)).ravel()].tolist()
    try:
        corners = np.array(list(map(float, numbers)), np.float32).reshape(-1, 3)
    except ValueError:
        raise BadMesh(tr("the text STL file holds something that is not a number")) from None
    return _welded(corners)


def _welded(corners: np.ndarray) -> RawMesh:
    """Merge equal points into one vertex, in the order of first occurrence."""
    if not (np.abs(corners) <= MAX_COORDINATE).all():
        raise BadMesh(tr("a vertex of the STL file is not a number or too far away; use metres and smaller numbers"))
    corners = np.ascontiguousarray(corners + 0.0)  # -0.0 and 0.0 are the same place
    first, inverse = distinct(corners.view(np.uint32))
    return RawMesh(corners[first], inverse.reshape(-1, 3))


# ---- MSH ----------------------------------------------------------------------------------------------


def _msh(data: bytes) -> RawMesh:
    if len(data) < 16:
        raise BadMesh(tr("the MSH file is cut off"))
    nvert, nnormal, ntexcoord, nface = np.frombuffer(data, "<i4", 4).tolist()
    if min(nvert, nnormal, ntexcoord, nface) < 0 or nvert > MAX_VERTICES or nface > MAX_FACES:
        raise BadMesh(tr("the MSH file has impossible numbers of vertices or faces"))
    if nnormal not in (0, nvert) or ntexcoord not in (0, nvert):
        raise BadMesh(tr("the MSH file must have as many normals and texture coordinates as vertices, or none"))
    if len(data) != 16 + 12 * nvert + 12 * nnormal + 8 * ntexcoord + 12 * nface:
        raise BadMesh(tr("the MSH file's length does not fit the numbers at its beginning"))
    at = 16

    def take(count: int, dtype: str) -> np.ndarray:
        nonlocal at
        array = np.frombuffer(data, dtype, count, at)
        at += array.nbytes
        return array

    vert, normal = take(3 * nvert, "<f4"), take(3 * nnormal, "<f4")
    texcoord, face = take(2 * ntexcoord, "<f4"), take(3 * nface, "<i4")
    if nface and (face.min() < 0 or face.max() >= nvert):
        raise BadMesh(tr("a face of the MSH file names a vertex that the file does not have"))
    return RawMesh(vert, face, normal, None, texcoord)
