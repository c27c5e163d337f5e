"""GMSH files, formats 2.2 and 4.1, text and binary: their nodes and elements.

Source: the format's description in GMSH's manual, "MSH file format"; XML reference, "body/flexcomp", type
gmsh: nodes in one block, elements of one kind. Whatever is in the file, reading it ends in a shape or in
BadFlexcomp.
"""

from __future__ import annotations

import re

import numpy as np

from kinetree.engine.expand.flexcomp.points import MAX_POINTS, BadFlexcomp, FlexPoints
from kinetree.engine.translation import marked, tr

DIMS = {1: 1, 2: 2, 4: 3}
"""GMSH's numbers of the elements that a flex can have, and their dimensions."""
_HEADER = re.compile(rb"\s*\$MeshFormat\s+(\S+)\s+(\d+)\s+(\d+)[ \t]*\r?\n")
MAX_ELEMENTS = 5_000_000
_NODES, _ELEMENTS = marked("nodes"), marked("elements")


def read(data: bytes) -> FlexPoints:
    """The shape in a GMSH file.

    Raises BadFlexcomp.
    """
    header = _HEADER.match(data)
    if header is None:
        raise _bad(tr("it does not begin with $MeshFormat"))
    version, binary, size = header[1].decode("latin-1"), int(header[2]), int(header[3])
    if version not in ("2.2", "4.1"):
        raise _bad(tr("its format is {version}; save it as 4.1 or 2.2", version=version[:20]))
    if binary not in (0, 1) or size != 8:
        raise _bad(tr("its numbers are not of 8 bytes, or neither text nor binary"))
    nodes, elements = _section(data, b"Nodes"), _section(data, b"Elements")
    try:
        if version == "2.2":
            point, kinds = (_binary22 if binary else _text22)(nodes, elements)
        else:
            point, kinds = (_binary41 if binary else _text41)(nodes, elements)
        kinds = {kind: np.asarray(rows).astype(np.int64) for kind, rows in kinds.items()}
    except (ValueError, OverflowError, IndexError):
        raise _bad(tr("its nodes or elements are cut off, or not numbers")) from None
    if not np.isfinite(point).all():
        raise _bad(tr("a node is infinite or not a number"))
    if len(kinds) != 1:
        raise _bad(tr("it has elements of several kinds; keep lines, triangles or tetrahedra alone"))
    ((kind, element),) = kinds.items()
    if kind not in DIMS:
        raise _bad(tr("its elements are not lines, triangles or tetrahedra with straight edges"))
    element = element - 1
    if (element < 0).any() or (element >= len(point)).any():
        raise _bad(tr("an element names a node that the file does not have"))
    return FlexPoints(DIMS[kind], point, element)


def _bad(message: str) -> BadFlexcomp:
    return BadFlexcomp(tr("the GMSH file cannot be used: {message}", message=message), "file", code="bad-mesh")


def _section(data: bytes, name: bytes) -> bytes:
    start = re.search(rb"\$" + name + rb"[ \t]*\r?\n", data)
    if start is None:
        raise _bad(tr("it has no section {decode}", decode=name.decode()))
    end = data.find(b"$End" + name, start.end())
    if end < 0:
        raise _bad(tr("its section {decode} does not end", decode=name.decode()))
    return data[start.end() : end]


def _count(number: int, limit: int, what: str) -> int:
    if number < 1:
        raise _bad(tr("it has no {what}", what=tr(what)))
    if number > limit:
        raise _bad(tr("it has {number} {what}; at most {limit} are read", number=number, what=tr(what), limit=limit))
    return number


def _sequential(tags: np.ndarray) -> None:
    if not np.array_equal(tags, np.arange(1, len(tags) + 1)):
        raise _bad(tr("its nodes are not numbered 1, 2, 3 and so on"))


# ---- 2.2 ----------------------------------------------------------------------------------------------


def _first_line(section: bytes, what: str) -> tuple[int, bytes]:
    line, _, rest = section.partition(b"\n")
    if len(line.split()) != 1:
        raise _bad(tr("the section of its {what} does not begin with their number", what=tr(what)))
    return int(line), rest


def _text22(nodes: bytes, elements: bytes) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    number, rest = _first_line(nodes, _NODES)
    number = _count(number, MAX_POINTS, _NODES)
    table = np.array(rest.split(), float)
    if len(table) != 4 * number:
        raise _bad(tr("it announces {number} nodes, and has {number2:g}", number=number, number2=len(table) / 4))
    table = table.reshape(number, 4)
    _sequential(table[:, 0])
    number, rest = _first_line(elements, _ELEMENTS)
    number = _count(number, MAX_ELEMENTS, _ELEMENTS)
    lines = [line.split() for line in rest.splitlines() if line.strip()]
    if len(lines) != number:
        raise _bad(tr("it announces {number} elements, and has {count}", number=number, count=len(lines)))
    found: dict[int, list[list[int]]] = {}
    for words in lines:
        kind, skip = int(words[1]), 3 + int(words[2])
        corners = [int(word) for word in words[skip:]]
        if kind in DIMS and len(corners) != DIMS[kind] + 1:
            raise _bad(tr("an element has too few or too many nodes"))
        found.setdefault(kind, []).append(corners if kind in DIMS else [1])
    return table[:, 1:], {kind: np.array(rows) for kind, rows in found.items()}


def _binary22(nodes: bytes, elements: bytes) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    number, rest = _first_line(nodes, _NODES)
    number = _count(number, MAX_POINTS, _NODES)
    row = np.dtype([("tag", "<i4"), ("point", "<f8", 3)])
    table = np.frombuffer(rest, row, number)
    _sequential(table["tag"])
    number, rest = _first_line(elements, _ELEMENTS)
    number = _count(number, MAX_ELEMENTS, _ELEMENTS)
    found: dict[int, list[np.ndarray]] = {}
    at = read_ = 0
    while read_ < number:
        kind, follow, tags = (int(v) for v in np.frombuffer(rest, "<i4", 3, at))
        if kind not in DIMS or follow < 1 or tags < 0 or tags > 100:
            return table["point"], {kind: np.ones((1, 1), int)}
        width = 1 + tags + DIMS[kind] + 1
        rows = np.frombuffer(rest, "<i4", follow * width, at + 12).reshape(follow, width)
        found.setdefault(kind, []).append(rows[:, 1 + tags :])
        at += 12 + 4 * follow * width
        read_ += follow
    return table["point"], {kind: np.concatenate(rows) for kind, rows in found.items()}


# ---- 4.1 ----------------------------------------------------------------------------------------------


def _blocks(header, what: str) -> int:
    """The number of things in a section's only block."""
    blocks, number, low, high = (int(v) for v in header)
    if blocks != 1:
        raise _bad(
            tr("its {what} must be in one block; save it with all entities in one physical group", what=tr(what))
        )
    if high - low + 1 != number:
        raise _bad(tr("its {what} must be numbered without gaps", what=tr(what)))
    return number


def _text41(nodes: bytes, elements: bytes) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    lines = [line.split() for line in nodes.splitlines() if line.strip()]
    if len(lines) < 2 or len(lines[0]) != 4 or len(lines[1]) != 4:
        raise _bad(tr("the section of its nodes does not begin with a block's header"))
    number = _count(_blocks(lines[0], _NODES), MAX_POINTS, _NODES)
    if int(lines[1][3]) != number or len(lines) != 2 + 2 * number:
        raise _bad(tr("it announces {number} nodes, and has others", number=number))
    _sequential(np.array([int(tag) for (tag,) in lines[2 : 2 + number]]))
    point = np.array(lines[2 + number :], float)
    if point.shape != (number, 3):
        raise _bad(tr("a node does not have three coordinates"))
    lines = [line.split() for line in elements.splitlines() if line.strip()]
    if len(lines) < 2 or len(lines[0]) != 4 or len(lines[1]) != 4:
        raise _bad(tr("the section of its elements does not begin with a block's header"))
    number = _count(_blocks(lines[0], _ELEMENTS), MAX_ELEMENTS, _ELEMENTS)
    kind = int(lines[1][2])
    if int(lines[1][3]) != number or len(lines) != 2 + number:
        raise _bad(tr("it announces {number} elements, and has {number2}", number=number, number2=len(lines) - 2))
    table = np.array([[int(word) for word in line] for line in lines[2:]])
    return point, {kind: _corners(kind, table)}


def _corners(kind: int, table: np.ndarray) -> np.ndarray:
    if kind in DIMS and table.shape[1] != DIMS[kind] + 2:
        raise _bad(tr("an element has too few or too many nodes"))
    return table[:, 1:]


def _binary41(nodes: bytes, elements: bytes) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    number = _count(_blocks(np.frombuffer(nodes, "<u8", 4), _NODES), MAX_POINTS, _NODES)
    parametric, inside = (
        int(np.frombuffer(nodes, "<i4", 1, 40)[0]),
        int(np.frombuffer(nodes, "<u8", 1, 44)[0]),
    )
    if parametric or inside != number:
        raise _bad(tr("its nodes are parametric, or not all in the block"))
    _sequential(np.frombuffer(nodes, "<u8", number, 52))
    point = np.frombuffer(nodes, "<f8", 3 * number, 52 + 8 * number).reshape(number, 3)
    number = _count(_blocks(np.frombuffer(elements, "<u8", 4), _ELEMENTS), MAX_ELEMENTS, _ELEMENTS)
    kind, inside = (
        int(np.frombuffer(elements, "<i4", 1, 40)[0]),
        int(np.frombuffer(elements, "<u8", 1, 44)[0]),
    )
    if inside != number:
        raise _bad(tr("its elements are not all in the block"))
    if kind not in DIMS:
        return point, {kind: np.ones((1, 1), int)}
    width = DIMS[kind] + 2
    table = np.frombuffer(elements, "<u8", number * width, 52).reshape(number, width)
    return point, {kind: _corners(kind, table)}
