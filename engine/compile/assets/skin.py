"""Skins: meshes deformed by several bodies, from SKN files or from the text.

Source: XML reference, "deformable/skin". Everything is checked before it is used: a vertex or bone that a skin names
exists, and every vertex has weight.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from kinetree.engine.mjcf.elements import Element
from kinetree.engine.translation import marked, tr

MINVAL = 1e-15
_NAME = 40
_BONE = _NAME + 12 + 16 + 4


class BadSkin(ValueError):
    """A skin that cannot be used: (message, attribute to point at, the element if it is a bone)."""

    def __init__(self, message: str, attribute: str = "file", bone: Element | None = None):
        super().__init__(message)
        self.attribute, self.bone = attribute, bone


class Bone(NamedTuple):
    """body (its name); pos (3,) and quat (4,) of the body in the bind pose; vertid and weight of the vertices that it
    moves.
    """

    body: str
    pos: np.ndarray
    quat: np.ndarray
    vertid: np.ndarray
    weight: np.ndarray
    element: Element | None


class Skin:
    """vert      (n, 3) float32 in the bind pose, global coordinates, m
    texcoord  (n, 2) float32 or empty
    face      (m, 3) int32
    bones     the bones, weights normalized so that those of each vertex sum to 1
    """

    def __init__(self, vert: np.ndarray, texcoord: np.ndarray, face: np.ndarray, bones: list[Bone]):
        for what, array, name in (
            (marked("vertices"), vert, "vertex"),
            (marked("faces"), face, "face"),
            (marked("bones"), bones, "face"),
        ):
            if not len(array):
                raise BadSkin(tr("the skin has no {what}; add them", what=tr(what)), name)
        for array, width, name in ((vert, 3, "vertex"), (face, 3, "face"), (texcoord, 2, "texcoord")):
            if len(array) % width:
                raise BadSkin(
                    tr(
                        "{name} has {count} numbers, which is no multiple of {width}",
                        name=name,
                        count=len(array),
                        width=width,
                    ),
                    name,
                )
        self.vert = np.ascontiguousarray(vert, np.float32).reshape(-1, 3)
        self.face = np.ascontiguousarray(face, np.int32).reshape(-1, 3)
        self.texcoord = np.ascontiguousarray(texcoord, np.float32).reshape(-1, 2)
        count = len(self.vert)
        if len(self.texcoord) not in (0, count):
            raise BadSkin(
                tr(
                    "there are {count} texture coordinates; {count2} vertices need {count2}",
                    count=len(self.texcoord),
                    count2=count,
                ),
                "texcoord",
            )
        if not np.isfinite(self.vert).all() or not np.isfinite(self.texcoord).all():
            raise BadSkin(tr("a vertex or texture coordinate is infinite or not a number"), "vertex")
        wrong = (self.face < 0) | (self.face >= count)
        if wrong.any():
            raise BadSkin(
                tr(
                    "a face names vertex {face}, but vertices are numbered 0 to {number}",
                    face=self.face[wrong][0],
                    number=count - 1,
                ),
                "face",
            )
        self.bones = [_checked(bone, count) for bone in bones]
        total = np.zeros(count)
        for bone in self.bones:
            np.add.at(total, bone.vertid, bone.weight)
        light = np.flatnonzero(~(total > MINVAL))
        if len(light):
            raise BadSkin(
                tr(
                    "the weights of vertex {light} sum to {total:g}; they must sum to more than 0: add it to the "
                    "vertid of a bone",
                    light=light[0],
                    total=total[light[0]],
                ),
                "vertex",
            )
        self.bones = [
            bone._replace(weight=(bone.weight / total[bone.vertid]).astype(np.float32)) for bone in self.bones
        ]


def _checked(bone: Bone, count: int) -> Bone:
    def bad(message: str, attribute: str) -> BadSkin:
        return BadSkin(
            tr("the bone of body '{body}' {message}", body=bone.body, message=message), attribute, bone.element
        )

    if not len(bone.vertid) or len(bone.vertid) != len(bone.weight):
        raise bad(
            tr(
                "has {count} vertices and {count2} weights; give one weight for each",
                count=len(bone.vertid),
                count2=len(bone.weight),
            ),
            "vertid",
        )
    wrong = bone.vertid[(bone.vertid < 0) | (bone.vertid >= count)]
    if len(wrong):
        raise bad(
            tr("names vertex {wrong}, but vertices are numbered 0 to {number}", wrong=wrong[0], number=count - 1),
            "vertid",
        )
    if not all(np.isfinite(array).all() for array in (bone.pos, bone.quat, bone.weight)):
        raise bad(tr("has a number that is infinite or not a number"), "vertweight")
    length = float(np.linalg.norm(bone.quat))
    return bone._replace(quat=bone.quat / length) if length > MINVAL else bone


def read_skin(element: Element, read: Callable[[str], bytes]) -> Skin:
    """The skin of an element. `read` gives the contents of the file that an attribute names.

    Raises BadSkin.
    """
    if not element.get("file"):
        empty = np.zeros(0)
        arrays = [element.get(name, empty) for name in ("vertex", "texcoord", "face")]
        bones = [
            Bone(bone["body"], bone["bindpos"], bone["bindquat"], bone["vertid"], bone["vertweight"], bone)
            for bone in element.items
        ]
        vertex, texcoord, face = arrays
        return Skin(vertex, texcoord, face, bones)
    for name in ("vertex", "texcoord", "face"):
        if element.get(name) is not None and len(element[name]):
            raise BadSkin(tr("a skin comes from a file or from the text; remove {name} or file", name=name), name)
    if element.items:
        raise BadSkin(tr("a skin from a file has its bones in the file; remove the bone"), "body", element.items[0])
    if PurePath(element["file"]).suffix.lower() != ".skn":
        raise BadSkin(tr("skins are read from .skn files, not from '{element}'", element=element["file"]))
    return _read(read("file"))


class _BytesReader:
    """Reads arrays from bytes, with bounds checks."""

    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, dtype: str, count: int, what: str) -> np.ndarray:
        size = np.dtype(dtype).itemsize * count
        if count < 0 or size > len(self.data) - self.at:
            raise BadSkin(
                tr(
                    "the SKN file is cut off or damaged: it does not hold the {count} {what} that it announces",
                    count=count,
                    what=tr(what),
                )
            )
        array = np.frombuffer(self.data, dtype, count, self.at)
        self.at += size
        return array


@np.errstate(all="ignore")  # a signalling not-a-number warns where it is converted
def _read(data: bytes) -> Skin:
    file = _BytesReader(data)
    nvert, ntexcoord, nface, nbone = file.take("<i4", 4, marked("integers of its beginning")).tolist()
    vert = file.take("<f4", 3 * nvert, marked("numbers of vertices"))
    texcoord = file.take("<f4", 2 * ntexcoord, marked("numbers of texture coordinates"))
    face = file.take("<i4", 3 * nface, marked("vertices of faces"))
    if nbone * _BONE > len(data) - file.at:
        raise BadSkin(
            tr("the SKN file is cut off or damaged: it does not hold the {nbone} bones that it announces", nbone=nbone)
        )
    bones = []
    for _ in range(nbone):
        name = file.take("u1", _NAME, marked("letters of a name"))[: _NAME - 1].tobytes().split(b"\0")[0]
        pos = file.take("<f4", 3, marked("numbers of a position")).astype(float)
        quat = file.take("<f4", 4, marked("numbers of an orientation")).astype(float)
        count = int(file.take("<i4", 1, marked("sizes"))[0])
        vertid = file.take("<i4", count, marked("vertices of a bone"))
        weight = file.take("<f4", count, marked("weights of a bone")).astype(float)
        bones.append(Bone(name.decode("utf-8", "replace"), pos, quat, vertid, weight, None))
    if file.at != len(data):
        raise BadSkin(
            tr("the SKN file has {number} bytes more than it announces; export it again", number=len(data) - file.at)
        )
    return Skin(vert, texcoord, face, bones)
