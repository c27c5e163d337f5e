"""Reads COLLADA (.dae) meshes with pycollada, which is imported at the first use.

All geometries of the scene become one mesh, transformed by the nodes of the scene and scaled to metres by asset/unit;
without a scene they are not transformed. up_axis is ignored: robot descriptions are Z up, as in ROS. Colours and
images are ignored, since a mesh of MuJoCo has one material. No other file is opened, and a document type is refused
(it could name other files or expand without bound).
"""

from __future__ import annotations

import io
import re
import warnings
from typing import Any

import numpy as np

from kinetree.engine.resources.raw_mesh import BadMesh, RawMesh
from kinetree.engine.translation import tr

_ENCODING = re.compile(rb"""^\s*<\?xml[^>]*encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_ENCODINGS = {b"utf-8", b"utf8", b"us-ascii", b"ascii", b"iso-8859-1", b"latin-1", b"windows-1252"}
_LOOKS = (
    "bind_material", "library_images", "library_effects", "library_materials", "library_cameras", "library_lights",
    "library_animations",
)  # fmt: skip
"""Elements without geometry that make pycollada drop a shape if they are incomplete."""
_POLYGONS = ("Polylist", "Polygons")


def read(data: bytes, most: int) -> RawMesh:
    """Points and triangles of a COLLADA text; at most `most` triangles. Raises BadMesh."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    encoding = _ENCODING.match(data)
    if b"\0" in data or (encoding is not None and encoding[1].lower() not in _ENCODINGS):
        raise BadMesh(tr("the COLLADA file is not in UTF-8; save it as that"))
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise BadMesh(tr("the COLLADA file has a document type, which is not read; remove <!DOCTYPE ...> from it"))
    try:
        import collada
        from collada.common import DaeError
    except ImportError:
        raise BadMesh(
            tr("reading .dae files needs the package pycollada (pip install pycollada); or convert the file")
        ) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scene = collada.Collada(
                io.BytesIO(_without_looks(data)),
                ignore=[DaeError],
                aux_file_loader=lambda name: None,
            )
            points, faces = _triangles(scene, most)
    except BadMesh:
        raise
    except RecursionError:
        raise BadMesh(tr("the COLLADA file is nested too deep")) from None
    except Exception as error:  # pycollada raises many kinds of errors on malformed files
        raise BadMesh(
            tr("the COLLADA file is damaged: {name}: {error}", name=type(error).__name__, error=str(error)[:100])
        ) from None
    if not faces:
        raise BadMesh(tr("the COLLADA file has no triangles or polygons"))
    scale = getattr(scene.assetInfo, "unitmeter", None) or 1.0
    vert = np.concatenate(points) * float(scale)
    if not np.isfinite(vert).all():
        raise BadMesh(tr("a vertex of the COLLADA file is infinite or not a number"))
    return _merged(vert, np.concatenate(faces))


def _without_looks(data: bytes) -> bytes:
    for tag in _LOOKS:
        opening, closing = f"<{tag}>".encode(), f"</{tag}>".encode()
        kept, at = [], 0
        while (start := data.find(opening, at)) >= 0 and (end := data.find(closing, start)) >= 0:
            kept.append(data[at:start])
            at = end + len(closing)
        data = b"".join([*kept, data[at:]]) if kept else data
    return data


def _triangles(scene: Any, most: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    points: list[np.ndarray] = []
    faces: list[np.ndarray] = []
    count = offset = 0
    for part in _parts(scene):
        name = type(part).__name__
        if name.endswith(_POLYGONS):
            part = part.triangleset()
        elif not name.endswith("TriangleSet"):
            continue  # lines
        vertex, index = part.vertex, part.vertex_index
        if vertex is None or index is None or not len(index):
            continue
        face = np.asarray(index).reshape(-1, 3)
        count += len(face)
        if count > most:
            raise BadMesh(tr("the COLLADA file has more than {most} triangles", most=most))
        if face.min() < 0 or face.max() >= len(vertex):
            raise BadMesh(tr("a face of the COLLADA file names a vertex that the file does not have"))
        points.append(np.asarray(vertex, float).reshape(-1, 3))
        faces.append(face + offset)
        offset += len(vertex)
    return points, faces


def _parts(scene: Any):
    """All primitives, transformed by the scene."""
    if scene.scene is not None:
        for geometry in scene.scene.objects("geometry"):
            yield from geometry.primitives()
        return
    for geometry in scene.geometries:
        yield from geometry.primitives


def _merged(vert: np.ndarray, face: np.ndarray) -> RawMesh:
    """Drop the vertices that no face uses, and duplicates."""
    vert = (vert + 0.0).astype(np.float32)
    used, index = np.unique(face, return_inverse=True)
    found, inverse = np.unique(vert[used], axis=0, return_inverse=True)
    return RawMesh(found, inverse.reshape(-1)[index.reshape(-1)].reshape(-1, 3).astype(np.int32))
