"""Mesh files: STL (binary and text), OBJ, MuJoCo's MSH, and COLLADA through engine/formats/collada.py.

Sources: the STL and Wavefront OBJ formats; XML reference, "MSH file format". Whatever is in the file, reading it ends
in arrays or in BadMesh.
"""

from __future__ import annotations

from collections import OrderedDict
from pathlib import PurePath

import numpy as np

from engine.compile.mesh import BadMesh, Raw

MAX_FACES = 5_000_000
MAX_VERTICES = 10_000_000
_CACHED = 64

_cache: OrderedDict[tuple[int, int, str], Raw] = OrderedDict()

_MEDIA = {
    "model/stl": "stl",
    "model/obj": "obj",
    "model/vnd.mujoco.msh": "msh",
    "model/vnd.collada+xml": "dae",
}


def read(data: bytes, name: str, media: str | None = None) -> Raw:
    """The contents of a mesh file; its format by media type, else by the extension of its name.

    Raises BadMesh.
    """
    kind = _MEDIA.get(media or "", PurePath(name).suffix[1:].lower())
    if media and media not in _MEDIA:
        raise BadMesh(f"'{media}' is no media type of a mesh; use {', '.join(_MEDIA)}", "content_type")
    reader = {"stl": _stl, "obj": _obj, "msh": _msh, "dae": _dae}.get(kind)
    if reader is None:
        raise BadMesh(
            f"meshes are read from .stl, .obj, .msh and .dae files, not from '.{kind}'; convert the file"
        )
    key = (hash(data), len(data), kind)
    raw = _cache.get(key)
    if raw is None:
        raw = _cache[key] = reader(data)
        while len(_cache) > _CACHED:
            _cache.popitem(last=False)
    return raw


def _dae(data: bytes) -> Raw:
    from engine.formats import collada

    return collada.read(data, MAX_FACES)


# ---- STL ----------------------------------------------------------------------------------------------

_TRIANGLE = np.dtype([("normal", "<f4", 3), ("vert", "<f4", (3, 3)), ("attribute", "<u2")])


def _stl(data: bytes) -> Raw:
    if len(data) >= 84:
        count = int.from_bytes(data[80:84], "little")
        if 84 + 50 * count == len(data):
            if count == 0:
                raise BadMesh("the STL file has no triangles")
            if count > MAX_FACES:
                raise BadMesh(f"the STL file has {count} triangles; at most {MAX_FACES} are read")
            corners = np.frombuffer(data, _TRIANGLE, count, 84)["vert"].reshape(-1, 3)
            return _welded(corners)
    if data[:5].lower() == b"solid" and b"vertex" in data[:4096]:
        return _stl_text(data)
    raise BadMesh("the STL file is damaged or cut off: its length does not fit its number of triangles")


def _stl_text(data: bytes) -> Raw:
    words = data.split()
    at = [i for i, word in enumerate(words) if word == b"vertex"]
    if not at or len(at) % 3 or at[-1] + 3 >= len(words):
        raise BadMesh("the text STL file is damaged: each facet needs three vertices of three numbers")
    if len(at) > 3 * MAX_FACES:
        raise BadMesh(f"the STL file has {len(at) // 3} triangles; at most {MAX_FACES} are read")
    try:
        corners = np.array([[float(v) for v in words[i + 1 : i + 4]] for i in at], np.float32)
    except ValueError:
        raise BadMesh("the text STL file holds something that is not a number") from None
    return _welded(corners)


def _welded(corners: np.ndarray) -> Raw:
    """Equal points become one vertex, numbered in the order in which they come first."""
    if not np.isfinite(corners).all():
        raise BadMesh("a vertex of the STL file is infinite or not a number")
    corners = np.ascontiguousarray(corners + 0.0)  # -0.0 and 0.0 are the same place
    keys = corners.view([("", corners.dtype)] * 3).ravel()
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    face = rank[inverse.ravel()].reshape(-1, 3)
    return Raw(corners[first[order]], face)


# ---- OBJ ----------------------------------------------------------------------------------------------


def _obj(data: bytes) -> Raw:
    vert, normal, texcoord = [], [], []
    faces: list[tuple[tuple[int, int, int], ...]] = []
    text = data.decode("latin-1").replace("\\\r\n", " ").replace("\\\n", " ")
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words:
            continue
        tag = words[0]
        try:
            if tag == "v":
                vert.append((float(words[1]), float(words[2]), float(words[3])))
            elif tag == "vn":
                normal.append((float(words[1]), float(words[2]), float(words[3])))
            elif tag == "vt":
                texcoord.append((float(words[1]), float(words[2])))
            elif tag == "f":
                sizes = len(vert), len(texcoord), len(normal)
                faces.append(tuple(_corner(word, sizes) for word in words[1:]))
        except (ValueError, IndexError):
            raise BadMesh(f"line {number} of the OBJ file cannot be read: {line.strip()[:60]}") from None
        if len(vert) > MAX_VERTICES or len(faces) > MAX_FACES:
            raise BadMesh(f"the OBJ file has more than {MAX_VERTICES} vertices or {MAX_FACES} faces")
    corners = []
    for face in faces:
        if not 3 <= len(face) <= 4:
            raise BadMesh(
                f"the OBJ file has a face with {len(face)} corners; only triangles and quads are read"
            )
        corners.append((face[0], face[1], face[2]))
        if len(face) == 4:
            corners.append((face[0], face[2], face[3]))
    if not vert:
        raise BadMesh("the OBJ file has no vertices")
    if not corners:
        return Raw(vert, None)
    table = np.array(corners, np.int32)
    for k, count in enumerate((len(vert), len(texcoord), len(normal))):
        if table[..., k].max() >= count or (k == 0 and table[..., 0].min() < 0):
            raise BadMesh("a face of the OBJ file names a vertex that the file does not have")
    result = Raw(vert, table[..., 0])
    if texcoord and table[..., 1].min() >= 0:
        uv = np.array(texcoord, np.float32)
        uv[:, 1] = 1 - uv[:, 1]
        result = Raw(vert, table[..., 0], None, None, uv, table[..., 1])
    if normal and table[..., 2].min() >= 0:
        result = Raw(vert, result.face, normal, table[..., 2], result.texcoord, result.facetexcoord)
    return result


def _corner(word: str, sizes: tuple[int, int, int]) -> tuple[int, int, int]:
    """Vertex, texture coordinate and normal of a corner, from 0; -1 where one is not given."""
    result = []
    parts = word.split("/")
    for k in range(3):
        part = parts[k] if k < len(parts) else ""
        if not part:
            result.append(-1)
            continue
        index = int(part)
        index = index - 1 if index > 0 else sizes[k] + index
        if index < 0:
            raise ValueError
        result.append(index)
    if result[0] < 0:
        raise ValueError
    return tuple(result)


# ---- MSH ----------------------------------------------------------------------------------------------


def _msh(data: bytes) -> Raw:
    if len(data) < 16:
        raise BadMesh("the MSH file is cut off")
    nvert, nnormal, ntexcoord, nface = np.frombuffer(data, "<i4", 4).tolist()
    if min(nvert, nnormal, ntexcoord, nface) < 0 or nvert > MAX_VERTICES or nface > MAX_FACES:
        raise BadMesh("the MSH file has impossible numbers of vertices or faces")
    if nnormal not in (0, nvert) or ntexcoord not in (0, nvert):
        raise BadMesh("the MSH file must have as many normals and texture coordinates as vertices, or none")
    if len(data) != 16 + 12 * nvert + 12 * nnormal + 8 * ntexcoord + 12 * nface:
        raise BadMesh("the MSH file's length does not fit the numbers at its beginning")
    at = 16

    def take(count: int, dtype: str) -> np.ndarray:
        nonlocal at
        array = np.frombuffer(data, dtype, count, at)
        at += array.nbytes
        return array

    vert, normal = take(3 * nvert, "<f4"), take(3 * nnormal, "<f4")
    texcoord, face = take(2 * ntexcoord, "<f4"), take(3 * nface, "<i4")
    if nface and (face.min() < 0 or face.max() >= nvert):
        raise BadMesh("a face of the MSH file names a vertex that the file does not have")
    return Raw(vert, face, normal, None, texcoord)
