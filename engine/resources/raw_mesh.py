"""RawMesh: points and triangles read from a mesh file or from the text."""

from __future__ import annotations

import hashlib

import numpy as np


class BadMesh(ValueError):
    """A mesh that cannot be used: (message, attribute to point at)."""

    def __init__(self, message: str, attribute: str = "file"):
        super().__init__(message)
        self.attribute = attribute


class RawMesh:
    """Points and triangles as read.

    vert (n, 3) float32; face (m, 3) int32 or None; normal (k, 3) or None with facenormal (m, 3);
    texcoord (l, 2) or None with facetexcoord (m, 3)
    smooth: whether normals are smoothed over all edges, independent of smoothnormal
    left_out: how many faces of the file were not read, because they have too many corners
    """

    __slots__ = ("_digest", "face", "facenormal", "facetexcoord", "left_out", "normal", "smooth", "texcoord", "vert")

    def __init__(
        self,
        vert,
        face=None,
        normal=None,
        facenormal=None,
        texcoord=None,
        facetexcoord=None,
        smooth=False,
        left_out=0,
    ):
        self.smooth = smooth
        self.left_out = left_out
        self.vert = np.ascontiguousarray(vert, np.float32).reshape(-1, 3)
        self.face = None if face is None or not len(face) else np.ascontiguousarray(face, np.int32).reshape(-1, 3)
        self.normal = None if normal is None or not len(normal) else np.asarray(normal, np.float32).reshape(-1, 3)
        self.facenormal = None if facenormal is None else np.asarray(facenormal, np.int32).reshape(-1, 3)
        self.texcoord = (
            None if texcoord is None or not len(texcoord) else np.asarray(texcoord, np.float32).reshape(-1, 2)
        )
        self.facetexcoord = None if facetexcoord is None else np.asarray(facetexcoord, np.int32).reshape(-1, 3)
        self._digest = b""

    @property
    def digest(self) -> bytes:
        """Hash of all arrays."""
        if not self._digest:
            digest = hashlib.sha1(usedforsecurity=False)
            for array in (
                self.vert,
                self.face,
                self.normal,
                self.facenormal,
                self.texcoord,
                self.facetexcoord,
            ):
                digest.update(b"-" if array is None else array.tobytes() + b"+")
            self._digest = digest.digest()
        return self._digest
