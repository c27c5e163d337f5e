"""OBJ files: all ways to write the same mesh give the same arrays, and none of them is read line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pytest

from kinetree.engine.resources import objfile
from kinetree.engine.resources.raw_mesh import BadMesh, RawMesh

RINGS = 12


def lines(rings: int = RINGS, corners: int = 4) -> list[str]:
    """A closed surface with texture coordinates and normals, each as many as vertices; faces of `corners` corners that
    are neither flat nor convex, and two that close it."""
    wide = 4 * rings
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, wide, False), np.linspace(0.1, 3.0, rings))
    radius = 1 + 0.3 * np.random.default_rng(2).random(u.shape)
    points = np.stack([radius * np.sin(v) * np.cos(u), radius * np.sin(v) * np.sin(u), radius * np.cos(v)], -1)
    rows = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points.reshape(-1, 3)]
    rows += [f"vt {x:.4f} {y:.4f}" for x, y in (points.reshape(-1, 3)[:, :2] + 2) / 4]
    rows += [f"vn {x:.4f} {y:.4f} {z:.4f}" for x, y, z in points.reshape(-1, 3)]
    step = corners // 2 - 1
    for i in range(rings - 1):
        for j in range(0, wide, step):
            above = [i * wide + (j + k) % wide + 1 for k in range(step + 1)]
            below = [k + wide for k in reversed(above)]
            rows.append("f " + " ".join(f"{k}/{k}/{k}" for k in [*below, *above][::-1]))
    return rows


def rewritten(rows: list[str], corner: Callable[[int, str], str]) -> list[str]:
    """The lines with `corner(number of the face, corner)` for each corner of a face."""
    count = sum(row.startswith("v ") for row in rows)
    assert count == sum(row.startswith("vn ") for row in rows)
    return [
        "f " + " ".join(corner(n, word) for word in row.split()[1:]) if row.startswith("f ") else row
        for n, row in enumerate(rows)
    ]


def negative(_: int, word: str) -> str:
    total = 4 * RINGS * RINGS
    return "/".join(str(int(part) - total - 1) for part in word.split("/"))


WAYS: dict[str, Callable[[list[str]], list[str]]] = {
    "negative numbers": lambda rows: rewritten(rows, negative),
    "some negative numbers": lambda rows: rewritten(rows, lambda n, word: negative(n, word) if n % 3 else word),
    "signs": lambda rows: rewritten(rows, lambda n, word: "+" + word),
    "colours": lambda rows: [row + " 0.5 0.25 1" if row.startswith("v ") else row for row in rows],
    "a fourth coordinate": lambda rows: [row + " 1.0" if row.startswith("v ") else row for row in rows],
    "a third texture coordinate": lambda rows: [row + " 0" if row.startswith("vt ") else row for row in rows],
    "line ends of Windows": lambda rows: [row + "\r" for row in rows],
    "line ends of old Macs": lambda rows: ["\r".join(rows)],
    "spaces around": lambda rows: [f"  {row}  " for row in rows],
    "tabs": lambda rows: [row.replace(" ", "\t") for row in rows],
    "exponents": lambda rows: [
        "v " + " ".join(f"{float(x):.6e}" for x in row.split()[1:]) if row.startswith("v ") else row for row in rows
    ],
    "comments between": lambda rows: [f"{row}\n# a comment\n" for row in rows],
    "materials between": lambda rows: [f"usemtl m\n{row}\ns 1" if row.startswith("f ") else row for row in rows],
}


def read(rows: list[str]) -> RawMesh:
    return objfile.read("\n".join(rows).encode())


def alike(a: RawMesh, b: RawMesh) -> bool:
    return a.digest == b.digest


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("corners", [4, 6])
def test_every_way_to_write_a_mesh_gives_the_same_arrays(way: str, corners: int):
    rows = lines(corners=corners)
    there = WAYS[way](rows)
    assert there != rows
    assert alike(read(rows), read(there))


@pytest.mark.parametrize("keep", [(0,), (0, 1), (0, 2)])
def test_corners_written_in_several_ways_keep_what_each_gives(keep: tuple[int, ...]):
    style = {(0,): "{0}", (0, 1): "{0}/{1}", (0, 2): "{0}//{2}"}[keep]
    rows = lines()
    mixed = rewritten(rows, lambda n, word: style.format(*word.split("/")) if n % 2 else word)
    whole, found = read(rows), read(mixed)
    assert np.array_equal(whole.face, found.face)
    assert found.facetexcoord is not None and found.face is not None and whole.facenormal is not None
    has_texcoord = found.facetexcoord >= 0
    assert has_texcoord.all() == (1 in keep) and has_texcoord.any()
    assert np.array_equal(found.facetexcoord[has_texcoord], found.face[has_texcoord])
    assert (found.facenormal is None) == (2 not in keep)  # normals count where each corner has one


@pytest.mark.parametrize("style", ["{0}", "{0}/{1}", "{0}//{2}", "{0}/{1}/{2}"])
def test_a_corner_written_in_one_way_is_read_as_written(style: str):
    found = read(rewritten(lines(), lambda n, word: style.format(*word.split("/"))))
    assert found.face is not None and len(found.face) == 2 * 4 * RINGS * (RINGS - 1)
    assert (found.facenormal is not None) == ("{2}" in style)
    assert found.facetexcoord is not None and (found.facetexcoord.min() >= 0) == ("{1}" in style)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("v 1 2", "a line of the OBJ file cannot be read: v 1 2"),
        ("v 1 x 2", "a line of the OBJ file cannot be read: v 1 x 2"),
        ("v 1 2\nv 1 2 3 4", "a line of the OBJ file cannot be read: v 1 2"),
        ("f 1 2 0", "a face of the OBJ file cannot be read or names vertex 0"),
        ("f 1 2 3/", "a face of the OBJ file cannot be read or names vertex 0"),
        ("f 1 2 /3", "a face of the OBJ file cannot be read or names vertex 0"),
        ("f 1 2 3//", "a face of the OBJ file cannot be read or names vertex 0"),
        ("f 1 2 -99999", "a face of the OBJ file cannot be read or names vertex 0"),
        ("f 1 2 99999", "a face of the OBJ file names a vertex that the file does not have"),
        ("f 1/1 2/1 3/99999", "a face of the OBJ file names a texture coordinate that the file does not have"),
    ],
)
@pytest.mark.parametrize("way", ["plain", "mixed"])
def test_a_wrong_line_among_many_is_told(bad: str, message: str, way: str):
    rows = lines()
    if way == "mixed":
        rows = rewritten(rows, lambda n, word: word.split("/")[0] if n % 2 else negative(n, word))
    middle = len(rows) - 20
    with pytest.raises(BadMesh, match=message):
        read([*rows[:middle], bad, *rows[middle:]])


def work(action: Callable[[], object]) -> int:
    """How many functions are called."""
    count = 0

    def count_calls(frame, event, argument) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(count_calls)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("way", [way for way in WAYS if "negative" not in way])
def test_no_line_is_read_by_itself(way: str):
    small, large = (WAYS[way](lines(rings, 6)) for rings in (RINGS, 3 * RINGS))
    few, many = (work(lambda rows=rows: read(rows)) for rows in (small, large))
    assert many < 2 * few + 200


def test_no_corner_counted_from_the_end_is_read_by_itself():
    def rows(count: int) -> list[str]:
        return [row for k in range(count) for row in (f"v {k} 0 0", f"v {k} 1 0", f"v {k} 0 1", "f -3 -2 -1")]

    few, many = (work(lambda count=count: read(rows(count))) for count in (100, 10_000))
    assert many < 2 * few + 200


def bits(values) -> list[bytes]:
    return [np.float64(each).tobytes() for each in values]


def decimals(words: list[str]) -> np.ndarray | None:
    text = ("\n".join(words) + "\n").encode()
    return objfile._decimals(text, objfile._words(text)[0])


def test_decimals_have_the_bits_that_python_gives_them():
    draw = np.random.default_rng(4)
    words = [
        "0",
        "-0",
        "-0.000000",
        "+.5",
        "-.5",
        "5.",
        "0.1",
        "007.50",
        "9007199254740991",
        "-.0000000000000000000001",
    ]
    for _ in range(20_000):
        digits = "".join(map(str, draw.integers(0, 10, draw.integers(1, 16))))
        point = draw.integers(-1, len(digits) + 1)
        words.append(draw.choice(["", "-", "+"]) + (digits if point < 0 else f"{digits[:point]}.{digits[point:]}"))
    found = decimals(words)
    assert found is not None and bits(found) == bits(map(float, words))


@pytest.mark.parametrize(
    "word",
    [
        *(
            "1e5",
            "1E-3",
            "nan",
            "inf",
            "-inf",
            ".",
            "-",
            "-.",
            "1.2.3",
            "1..2",
            "1-2",
            "1+2",
            "--1",
            "1-2 .",
            "0x10",
            "1_0",
        ),
        *("9007199254740992", "-9007199254740992", "0.12345678901234567890", "99999999999999999999", "-9" * 12, "1,5"),
        ".00000000000000000000001",
    ],
)
def test_other_numbers_are_left_to_the_general_reader(word: str):
    assert decimals(["1.5", word, "-2.25"]) is None


def test_the_general_reader_gives_the_same_vertices():
    plain = lines()
    exponents = [
        "v " + " ".join(f"{word}e0" for word in row.split()[1:]) if row.startswith("v ") else row for row in plain
    ]
    assert read(plain).vert.tobytes() == read(exponents).vert.tobytes()
