"""Wavefront OBJ files: vertices, texture coordinates, normals and faces; materials and everything else are skipped.

As in the reference, the mesh is the first non-empty object or group, with all vertices of the file. Polygons are
triangulated by ear clipping, whose decisions in single precision and whose limits are the reference's: some polygons
that cross themselves lose triangles, and faces of more than MOST_CORNERS corners are left out.

Numbers are parsed a block of lines at a time; only blocks with lines that NumPy cannot read, or that are wrong, are
read line by line.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

import numpy as np

from kinetree.engine.resources.ear_clipping import ears
from kinetree.engine.resources.raw_mesh import BadMesh, RawMesh
from kinetree.engine.translation import tr

MAX_FACES = 5_000_000
MAX_VERTICES = 10_000_000
MOST_CORNERS = 100
"""Of one face. The reference leaves out faces with more, found by trying mujoco 3.3.4."""
MOST = 2**31 - 2
"""Greatest number of a vertex."""
BLOCK = 1 << 18
"""Letters that are parsed in one go, to the end of a line."""


def read(data: bytes) -> RawMesh:
    """Raises BadMesh."""
    lines = _Lines(data)
    end = lines.end_of_faces()
    faces = lines.after(b"f", end)
    rows = {tag: lines.after(tag) for tag in (b"v", b"vt", b"vn")}
    if rows[b"v"].count(b"\n") > MAX_VERTICES or faces.count(b"\n") > MAX_FACES:
        raise BadMesh(
            tr(
                "the OBJ file has more than {max_vertices} vertices or {max_faces} faces",
                max_vertices=MAX_VERTICES,
                max_faces=MAX_FACES,
            )
        )
    vert = _numbers(rows[b"v"], 3, "v")
    texcoord, normal = _numbers(rows[b"vt"], 2, "vt"), _numbers(rows[b"vn"], 3, "vn")
    if not len(vert):
        raise BadMesh(tr("the OBJ file has no vertices"))
    table, left_out = _table(faces, lines, end, vert)
    if table is None:
        return RawMesh(vert, None, left_out=left_out)
    for k, count in enumerate((len(vert), len(texcoord), len(normal))):
        if table[..., k].max() >= count or table[..., k].min() < (0 if k == 0 else -1):
            what = (tr("vertex"), tr("texture coordinate"), tr("normal"))[k]
            raise BadMesh(tr("a face of the OBJ file names a {what} that the file does not have", what=what))
    normals = (normal, table[..., 2]) if len(normal) and table[..., 2].min() >= 0 else (None, None)
    texcoord[:, 1] = 1 - texcoord[:, 1]
    facetexcoord = table[..., 1] if len(texcoord) else None
    return RawMesh(vert, table[..., 0], *normals, texcoord, facetexcoord, left_out=left_out)


class _Lines:
    """The lines of a file by their first word.

    text   the file, with line feeds as ends of lines, also of the last one, and no white space before a line
    start  where each line begins, and the end of the text
    """

    TAGS = (b"v", b"vt", b"vn", b"f", b"l", b"p", b"o", b"g")

    def __init__(self, data: bytes):
        text = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\t", b" ") + b"\n"
        if text.count(b"\n") > 4 * (MAX_VERTICES + MAX_FACES):
            raise BadMesh(tr("the OBJ file has too many lines; make it smaller"))
        if text[0] in BLANKS or b"\n " in text or b"\v" in text or b"\f" in text:
            text = re.sub(rb"[ \v\f]*\n[ \v\f]*", b"\n", text.lstrip(BLANKS))
        self.text = text
        letters = np.frombuffer(text + b"\n\n", np.uint8)
        self.start = np.append(0, np.flatnonzero(letters[: len(text)] == ord("\n")) + 1)
        first, second, third = (letters[self.start[:-1] + k] for k in range(3))
        blank = [(letter == ord(" ")) | (letter == ord("\n")) for letter in (second, third)]
        self._is = {
            tag: (first == tag[0]) & blank[0] if len(tag) == 1 else (first == tag[0]) & (second == tag[1]) & blank[1]
            for tag in self.TAGS
        }

    def end_of_faces(self) -> int:
        """The line where the first object or group ends that has a face, a line or a point; its faces are the mesh."""
        filled = np.flatnonzero(self._is[b"f"] | self._is[b"l"] | self._is[b"p"])[:1]
        ends = np.flatnonzero(self._is[b"o"] | self._is[b"g"])
        ends = ends[ends > filled] if len(filled) else ends[:0]
        return int(ends[0]) if len(ends) else len(self.start) - 1

    def after(self, tag: bytes, end: int | None = None) -> bytes:
        """The rest of each line that begins with the tag, one a line, up to line `end`."""
        found = self._is[tag][:end]
        change = np.flatnonzero(np.diff(found, prepend=False, append=False))
        runs = self.start[change].reshape(-1, 2).tolist()
        joined = b"".join([self.text[a:b] for a, b in runs])
        if joined.count(tag) == np.count_nonzero(found):
            return joined.replace(tag, b" ")
        return b"".join([line[len(tag) :] for line in joined.splitlines(keepends=True)])

    def before_faces(self, end: int) -> np.ndarray:
        """How many vertices, texture coordinates and normals stand before each face up to line `end`: (n, 3)."""
        counts = [np.cumsum(self._is[tag][:end])[self._is[b"f"][:end]] for tag in (b"v", b"vt", b"vn")]
        return np.stack(counts, axis=1)


BLANKS = b" \v\f"


def _numbers(text: bytes, width: int, tag: str) -> np.ndarray:
    """The first numbers of each line: (n, width)."""
    blocks = [_block(block, width, tag) for block in _blocks(text)]
    return np.concatenate(blocks) if blocks else np.zeros((0, width), np.float32)


def _blocks(text: bytes) -> Iterator[bytes]:
    """The text in pieces of whole lines."""
    start = 0
    while start < len(text):
        end = text.find(b"\n", start + BLOCK) + 1 or len(text)
        yield text[start:end]
        start = end


def _block(text: bytes, width: int, tag: str) -> np.ndarray:
    starts, words = _words(text)
    if len(words) and (words == words[0]).all() and words[0] >= width:
        values = _decimals(text, starts)
        if values is None:
            values = _parsed(text, float)
        if values is not None and values.size == len(starts):
            return values.reshape(len(words), -1)[:, :width].astype(np.float32)
    rows = []
    for line in text.split(b"\n")[:-1]:
        words = line.split()
        try:
            rows.append([float(word) for word in (words[:width] if tag != "vt" else (words + [b"0"])[:width])])
            if len(rows[-1]) < width:
                raise ValueError
        except ValueError:
            read = line.strip().decode("latin-1")[:60]
            raise BadMesh(tr("a line of the OBJ file cannot be read: {tag} {read}", tag=tag, read=read)) from None
    return np.array(rows, np.float32)


def _words(text: bytes) -> tuple[np.ndarray, np.ndarray]:
    """(where each word begins, the words of each line)."""
    letters = np.frombuffer(text, np.uint8)
    blank = (letters == ord(" ")) | ((letters >= 9) & (letters <= 13))
    starts = np.flatnonzero(~blank[1:] & blank[:-1]) + 1
    if len(text) and not blank[0]:
        starts = np.append(0, starts)
    return starts, np.diff(np.searchsorted(starts, np.flatnonzero(letters == ord("\n"))), prepend=0)


def _decimals(text: bytes, starts: np.ndarray) -> np.ndarray | None:
    """The numbers of a text, with the very bits of `float`, where all are written without exponent and have few digits;
    None for another text. A number is its digits without the point, over a power of ten: both are exact, and so the
    quotient is rounded once. NumPy reads integers eight times faster than other numbers.

    starts  where each word begins
    """
    letters = np.frombuffer(text, np.uint8)
    whole = _parsed(text.replace(b".", b""), np.int64)
    if whole is None or whole.size != len(starts) or whole.max() >= EXACT or whole.min() <= -EXACT:
        return None
    points = np.flatnonzero(letters == ord("."))
    number = np.searchsorted(starts, points, "right") - 1
    if (np.diff(number) < 1).any():  # two in one word
        return None
    ends = np.flatnonzero((letters[1:] <= ord(" ")) & (letters[:-1] > ord(" "))) + 1  # the text ends with a line feed
    places = ends[number] - points - 1
    if places.max(initial=0) > MOST_PLACES:
        return None
    values = whole.astype(float)
    values[number] /= POWERS[places]
    return np.copysign(values, np.where(letters[starts] == ord("-"), -1.0, 1.0))  # -0.0 is a number of its own


EXACT = 2**53
"""Integers below this are exact in double precision."""
MOST_PLACES = 22
"""Powers of ten up to this one are, too."""
POWERS = 10.0 ** np.arange(MOST_PLACES + 1)


def _parsed(text: bytes, kind: type) -> np.ndarray | None:
    """The numbers of a text that consists of numbers and white space; None for another text."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(text, kind, sep=" ")
        except (DeprecationWarning, ValueError):
            return None


def _table(faces: bytes, lines: _Lines, end: int, vert: np.ndarray) -> tuple[np.ndarray | None, int]:
    """Vertex, texture coordinate and normal of each corner of each triangle, from 0, -1 where there is none: (n, 3,
    3); and how many faces are left out because they have too many corners.

    faces  what follows the f of each face up to line `end`, a line each
    """
    if not faces:
        return None, 0
    blocks, first, before = [], 0, None
    for text in _blocks(faces):
        block = _plain_corners(text)
        if block is None:
            if before is None:
                before = lines.before_faces(end)
            sizes = before[first : first + text.count(b"\n")]
            block = _mixed_corners(text, sizes)
            if block is None:
                block = _corners_by_line(text, sizes.tolist())
        blocks.append(block)
        first += len(block[1])
    corners = np.concatenate([each for each, _ in blocks]), np.concatenate([widths for _, widths in blocks])
    return _triangles(*corners, vert), int((corners[1] > MOST_CORNERS).sum())


def _corners_by_line(faces: bytes, before: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """`_plain_corners` of any faces. Raises BadMesh.

    before  how many vertices, texture coordinates and normals stand before each face
    """
    try:
        rows = [
            [_corner(word, sizes) for word in line.split()]
            for line, sizes in zip(faces.split(b"\n")[:-1], before, strict=True)
        ]
    except ValueError:
        raise BadMesh(tr("a face of the OBJ file cannot be read or names vertex 0")) from None
    widths = np.array([len(row) for row in rows])
    return np.array([corner for row in rows for corner in row], np.int32).reshape(-1, 3), widths


def _triangles(corners: np.ndarray, widths: np.ndarray, vert: np.ndarray) -> np.ndarray | None:
    """Triangulate polygons, in their order."""
    if (np.maximum(widths - 2, 0)).sum() > MAX_FACES:
        raise BadMesh(tr("the OBJ file has more than {most} triangles", most=MAX_FACES))
    if corners[:, 0].max(initial=-1) >= len(vert):
        raise BadMesh(tr("a face of the OBJ file names a vertex that the file does not have"))
    if len(widths) and (widths == 3).all():
        return corners.reshape(-1, 3, 3)
    start = np.cumsum(widths) - widths
    parts, order = [corners[start[widths == 3][:, None] + np.arange(3)]], [np.flatnonzero(widths == 3)]
    quads = np.flatnonzero(widths == 4)
    even = _convex(vert[corners[start[quads][:, None] + np.arange(4), 0]].astype(float))
    for ear in ((0, 1, 2), (0, 2, 3)):
        parts.append(corners[start[quads[even]][:, None] + np.array(ear)])
        order.append(quads[even])
    others = [quads[~even]]
    for width in np.unique(widths[(widths > 4) & (widths <= MOST_CORNERS)]).tolist():
        faces = np.flatnonzero(widths == width)
        round_ = _round(vert[corners[start[faces][:, None] + np.arange(width), 0]].astype(float))
        fan = np.array([(0, k, k + 1) for k in range(1, width - 1)])
        parts.append(corners[(start[faces[round_]][:, None, None] + fan).reshape(-1, 3)])
        order.append(np.repeat(faces[round_], width - 2))
        others.append(faces[~round_])
    for faces in filter(len, others):  # of one width each
        polygons = corners[start[faces][:, None] + np.arange(int(widths[faces[0]]))]
        of, cut = ears(vert[polygons[..., 0]])
        parts.append(polygons[of[:, None], cut])
        order.append(faces[of])
    table = np.concatenate(parts)
    if not len(table):
        return None
    return table[np.argsort(np.concatenate(order), kind="stable")].astype(np.int32)


def _convex(points: np.ndarray) -> np.ndarray:
    """Which quadrilaterals, (n, 4, 3), surely bend the same way at all corners."""
    edge = np.roll(points, -1, axis=1) - points
    normal = np.cross(edge, np.roll(edge, -1, axis=1))
    size = np.einsum("nki,nki->nk", normal, normal)
    along = np.einsum("nki,ni->nk", normal, normal[:, 0])
    return (along > 0.5 * np.sqrt(size * size[:, :1])).all(axis=1) & (size.min(axis=1) > 1e-12)


def _round(points: np.ndarray) -> np.ndarray:
    """Which polygons, (n, k, 3), are flat and convex by far more than the rounding of `ears`, which makes a fan of
    them.
    """
    edge = np.roll(points, -1, axis=1) - points
    spoke = points[:, 1:] - points[:, :1]
    normal = np.cross(edge, np.roll(edge, -1, axis=1))
    axis = normal[:, 0]
    found = np.linalg.norm(normal, axis=2).min(axis=1) > 1e-6
    for first, second in ((edge, np.roll(edge, -1, axis=1)), (spoke[:, :-1], spoke[:, 1:])):
        turn = np.cross(first, second)
        size = np.linalg.norm(turn, axis=2)
        along = np.einsum("nki,ni->nk", turn, axis)
        bent = size > 1e-4 * np.linalg.norm(first, axis=2) * np.linalg.norm(second, axis=2)
        found &= (bent & (along > 0.99 * size * np.linalg.norm(axis, axis=1)[:, None])).all(axis=1)
    area = np.linalg.norm(np.cross(spoke[:, :-1], spoke[:, 1:]), axis=2).sum(axis=1)
    return found & (area > 1e-5 * points.shape[1] * np.abs(points).max(axis=(1, 2)) ** 2)


def _plain_corners(faces: bytes) -> tuple[np.ndarray, np.ndarray] | None:
    """(vertex, texture coordinate and normal of each corner; corners of each face) where all corners are written in
    one way, with positive numbers; None otherwise."""
    first = faces[:200].split()
    if not first:
        return None
    double, slashes = b"//" in first[0], first[0].count(b"/")
    if slashes > 2:
        return None
    starts, widths = _words(faces)
    words, slash = len(starts), np.flatnonzero(np.frombuffer(faces, np.uint8) == ord("/"))
    if len(slash) != slashes * words or faces.count(b"//") != (words if double else 0):
        return None
    slash = slash.reshape(words, slashes)
    if (slash < starts[:, None]).any() or (slash[:-1] > starts[1:, None]).any():  # each word has its own
        return None
    width = 1 + slashes - double
    values = _parsed(faces.replace(b"/", b" "), np.int64)
    if values is None or values.size != width * words or values.min() < 1 or values.max() > MOST:
        return None
    corners = np.full((words, 3), -1, np.int32)
    values = values.reshape(-1, width) - 1
    corners[:, 0] = values[:, 0]
    if double:
        corners[:, 2] = values[:, 1]
    else:
        corners[:, 1:width] = values[:, 1:]
    return corners, widths


def _mixed_corners(faces: bytes, before: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """`_plain_corners` of faces whose corners are written in several ways, or with negative numbers; None where one
    cannot be read.

    before  how many vertices, texture coordinates and normals stand before each face: (n, 3)
    """
    values = _parsed(faces.replace(b"/", b" "), np.int64)
    if values is None:
        return None
    starts, widths = _words(faces)
    is_slash = np.frombuffer(faces, np.uint8) == ord("/")
    slashes, doubles = (
        np.diff(np.searchsorted(np.flatnonzero(found), np.append(starts, len(faces))))
        for found in (is_slash, is_slash[1:] & is_slash[:-1])
    )
    numbers = 1 + slashes - doubles
    if slashes.max(initial=0) > 2 or (doubles > (slashes == 2)).any() or values.size != numbers.sum():
        return None
    at = np.cumsum(numbers) - numbers
    given = np.stack([slashes >= 0, (slashes > 0) & (doubles == 0), slashes == 2], 1)
    corners = np.full((len(starts), 3), -1, np.int64)
    for k in range(3):
        index = values[(at + np.where(doubles > 0, min(k, 1), k))[given[:, k]]]
        sizes = np.repeat(before[:, k], widths)[given[:, k]]
        index = np.where(index > 0, index - 1, np.where(index < 0, sizes + index, -1))
        if ((index < 0) | (index > MOST)).any():
            return None
        corners[given[:, k], k] = index
    return corners.astype(np.int32), widths


def _corner(word: bytes, sizes: list[int]) -> tuple[int, int, int]:
    """Vertex, texture coordinate and normal of a corner, from 0; -1 where one is not given."""
    result = [-1, -1, -1]
    parts = word.split(b"/")
    for k, part in enumerate(parts[:3]):
        if not part and k == 1 and len(parts) == 3:
            continue
        index = int(part)
        index = index - 1 if index > 0 else sizes[k] + index if index < 0 else -1
        if index < 0 or index > MOST:
            raise ValueError
        result[k] = index
    return result[0], result[1], result[2]
