"""Files of meshes, height fields, textures and skins: what the reference makes of them, we make of them too."""

from __future__ import annotations

import io
import struct

import mujoco
import numpy as np
import pytest
from PIL import Image

import kinetree
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.document import Document
from tests.engine.resources.ktx_files import RGB8, ktx1, ktx2

from .compiled import differences

GREY = np.arange(6, dtype=np.uint8).reshape(2, 3) * 40
COLOUR = np.stack([GREY, GREY + 9, GREY // 2], -1)
HEIGHTS = struct.pack("<2i", 2, 3) + np.array([3, 1, 2, 4, 9, 6], "<f4").tobytes()


def png(image: Image.Image | np.ndarray, **options) -> bytes:
    out = io.BytesIO()
    (Image.fromarray(image) if isinstance(image, np.ndarray) else image).save(out, "PNG", **options)
    return out.getvalue()


def both(tmp_path, text: str, files: dict[str, bytes]):
    """(our model or error, the reference's or its message) of a text beside some files."""
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    path = tmp_path / "model.xml"
    path.write_text(text)
    try:
        ours = kinetree.load(path)
    except kinetree.ModelError as error:
        ours = error
    try:
        theirs = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        theirs = str(error)
    return ours, theirs


def agree(tmp_path, text: str, files: dict[str, bytes]):
    """Both load the text to the same model, or both refuse it."""
    ours, theirs = both(tmp_path, text, files)
    if isinstance(ours, kinetree.ModelError):
        assert isinstance(theirs, str), f"only we refuse it: {ours}"
        return None
    assert not isinstance(theirs, str), f"only the reference refuses it: {theirs}"
    assert not differences(ours, theirs)
    return ours


# ---- height fields ------------------------------------------------------------------------------------

HFIELD = '<mujoco><asset><hfield size="1 2 3 .5" {}/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>'
HFIELDS = {
    "grey": ('file="h.png"', png(GREY)),
    "upper case": ('file="h.PNG" name="h"', png(GREY)),
    "red counts": ('file="h.png"', png(COLOUR)),
    "alpha does not": ('file="h.png"', png(np.dstack([COLOUR, 7 * GREY]))),
    "16 bits": ('file="h.png"', png(GREY.astype(np.uint16) * 257 + 100)),
    "palette": ('file="h.png"', png(Image.fromarray(GREY).convert("P"))),
    "1 bit": ('file="h.png"', png(Image.fromarray(GREY).convert("1"))),
    "grey and alpha": ('file="h.png"', png(Image.fromarray(GREY).convert("LA"))),
    "all the same": ('file="h.png"', png(GREY * 0 + 10)),
    "one row": ('file="h.png"', png(GREY[:1])),
    "file and rows": ('file="h.png" nrow="2"', png(GREY)),
    "file and text": ('file="h.png" elevation="1 2 3"', png(GREY)),
    "no image": ('file="h.png"', b""),
    "cut image": ('file="h.png"', png(GREY)[:-30]),
    "binary": ('file="h.bin"', HEIGHTS),
    "no extension": ('file="h"', HEIGHTS),
    "too long": ('file="h.bin"', HEIGHTS + b"x"),
    "too short": ('file="h.bin"', HEIGHTS[:-1]),
    "no cells": ('file="h.bin"', struct.pack("<2i", 0, 3)),
    "empty": ('file="h.bin"', b""),
    "type png": ('file="h.bin" content_type="image/png"', png(GREY)),
    "type binary": ('file="h.png" content_type="image/vnd.mujoco.hfield"', HEIGHTS),
    "type unknown": ('file="h.png" content_type="image/foo"', HEIGHTS),
    "type of a mesh": ('file="h.png" content_type="model/stl"', HEIGHTS),
    "no type": ('file="h.bin" content_type=""', HEIGHTS),
}


@pytest.mark.parametrize(("attributes", "data"), HFIELDS.values(), ids=HFIELDS)
def test_hfield(tmp_path, attributes, data):
    name = attributes.split('"')[1]
    agree(tmp_path, HFIELD.format(attributes), {name: data})


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_heights_that_are_no_numbers(tmp_path, bad):
    """The reference makes them into heights that are no numbers."""
    data = struct.pack("<2i", 1, 3) + np.array([1, bad, 2], "<f4").tobytes()
    ours, _ = both(tmp_path, HFIELD.format('file="h.bin"'), {"h.bin": data})
    assert isinstance(ours, kinetree.ModelError)
    assert "not a number" in str(ours)


# ---- skins --------------------------------------------------------------------------------------------

SKIN = (
    '<mujoco><compiler meshdir="s"/><worldbody><body name="a"><geom size="1"/></body></worldbody><deformable>'
    "<skin {}>{}</skin></deformable></mujoco>"
)
BONE = '<bone body="a" bindpos="1 2 3" bindquat="2 0 0 0" vertid="0 1 2 3" vertweight="1 1 1 1"/>'


def skn(
    vert=4,
    uv=0,
    face=2,
    bones=1,
    name=b"a",
    vertid=(0, 1, 2, 3),
    weight=(1, 2, 1, 1),
    quat=(2, 0, 0, 0),
    cut=0,
):
    parts = [
        struct.pack("<4i", vert, uv, face, bones),
        np.arange(3 * vert, dtype="<f4"),
        np.arange(2 * uv, dtype="<f4"),
    ]
    parts.append(np.array([0, 1, 2] * face, "<i4"))
    for _ in range(bones):
        parts += [name.ljust(40, b"\0")[:40], struct.pack("<3f", 1, 2, 3), struct.pack("<4f", *quat)]
        parts += [struct.pack("<i", len(vertid)), np.array(vertid, "<i4"), np.array(weight, "<f4")]
    data = b"".join(bytes(part) for part in parts)
    return data[: len(data) - cut]


SKINS = {
    "plain": skn(),
    "texture coordinates": skn(uv=4),
    "too few texture coordinates": skn(uv=2),
    "cut": skn(cut=1),
    "longer": skn() + b"x",
    "unknown body": skn(name=b"zz"),
    "long name": skn(name=b"a" * 40),
    "after the name": skn(name=b"a\0zz"),
    "vertex too large": skn(vertid=(0, 1, 2, 9)),
    "vertex negative": skn(vertid=(0, 1, 2, -1)),
    "no vertices": skn(vert=0, vertid=(), weight=()),
    "no bones": skn(bones=0),
    "two bones": skn(bones=2),
    "no faces": skn(face=0),
    "quaternion of zeros": skn(quat=(0, 0, 0, 0)),
    "three vertices": skn(vert=3, vertid=(0, 1, 2), weight=(1, 1, 1)),
    "empty": b"",
    "zeros": b"\0" * 16,
    "negative": b"\xff" * 16,
}


@pytest.mark.parametrize("data", SKINS.values(), ids=SKINS)
def test_skin(tmp_path, data):
    agree(tmp_path, SKIN.format('file="a.skn"', ""), {"s/a.skn": data})


@pytest.mark.parametrize(
    ("attributes", "bone"),
    [('vertex="0 0 0"', ""), ('face="0 0 0"', ""), ('texcoord="0 0"', ""), ("", BONE), ('name="b"', "")],
)
def test_skin_from_a_file_and_the_text(tmp_path, attributes, bone):
    agree(tmp_path, SKIN.format('file="a.SKN" ' + attributes, bone), {"s/a.SKN": skn()})


@pytest.mark.parametrize("name", ["a", "a.bin", "missing.skn"])
def test_skin_files_by_name(tmp_path, name):
    agree(tmp_path, SKIN.format(f'file="{name}"', ""), {"s/a": skn(), "s/a.bin": skn()})


@pytest.mark.parametrize(
    "data",
    [
        skn(weight=(1, 1, 1, np.nan)),
        skn().replace(np.array([0, 1, 2] * 2, "<i4").tobytes(), np.array([0, 1, 2, 0, 1, 7], "<i4").tobytes()),
        struct.pack("<4i", 2**31 - 1, 0, 2**31 - 1, 2**31 - 1),
    ],
)
def test_skins_that_only_we_refuse(tmp_path, data):
    """The reference keeps invalid numbers and vertices that do not exist, or crashes."""
    (tmp_path / "s").mkdir()
    (tmp_path / "s/a.skn").write_bytes(data)
    with pytest.raises(kinetree.ModelError, match="bad-skin"):
        kinetree.load_string(SKIN.format('file="a.skn"', ""), tmp_path)


# ---- meshes -------------------------------------------------------------------------------------------

BOX = "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nv 0 0 3\nv 1 0 3\nv 1 2 3\nv 0 2 3\n"
SIDES = "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
PRISM = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 .5 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv 2 2 1\nv 1 .5 1\nv 0 2 1\n"
ROUND = "f 5 4 3 2 1\nf 6 7 8 9 10\nf 1 2 7 6\nf 2 3 8 7\nf 3 4 9 8\nf 4 5 10 9\nf 5 1 6 10\n"
UV = "vt .1 .2\nvt .3 .4\nvt 1 1\n"
OBJS = {
    "quads": BOX + SIDES,
    "windows": (BOX + SIDES).replace("\n", "\r\n"),
    "tabs": (BOX + SIDES).replace(" ", "\t"),
    "concave polygons": PRISM + ROUND,
    "an edge": BOX + "f 1 2\n" + SIDES,
    "lines and points": BOX + SIDES + "l 1 2\np 1\n",
    "lines first": BOX + "o a\nl 1 2\no b\n" + SIDES,
    "materials": "mtllib x.mtl\n" + BOX + "usemtl a\ns 1\n" + SIDES + "usemtl b\nf 1 2 7\n",
    "two objects": BOX + "o a\n" + SIDES + "o b\nf 1 2 7\n",
    "two groups": BOX + "g a\n" + SIDES + "g a\nf 1 2 7\n",
    "empty group": BOX + "g a\ng b\n" + SIDES,
    "colours": BOX.replace("v 0 0 0", "v 0 0 0 1 .5 .2") + SIDES,
    "unused vertices": BOX + "v 9 9 9\n" + SIDES,
    "negative numbers": BOX + "f -5 -6 -7 -8\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
    "unused texture coordinates": BOX + UV + SIDES,
    "some texture coordinates": BOX + UV + SIDES + "f 1/1 2/3 7/2\n",
    "texture coordinates": BOX + UV + "f 4/1 3/2 2/3 1/1\nf 5/3 6/2 7/1\nf 1 2 6\n",
    "normals": BOX + "vn 0 0 1\nvn 1 0 0\nf 1//1 2//1 7//2\nf 1//1 3//1 8//2\nf 1//1 2//1 8//2\n" + SIDES,
    "only normals": BOX + "vn 0 0 1\nf 4//1 3//1 2//1\nf 5//1 6//1 8//1\nf 1//1 2//1 6//1\n",
    "everything": BOX + UV + "vn 0 0 1\nf 4/1/1 3/2/1 2/3/1\nf 5/1/1 6/1/1 8/2/1\nf 1/1/1 2/1/1 6/3/1\n",
    "faces first": SIDES + BOX,
    "points only": BOX,
    "degenerate": BOX + SIDES + "f 1 1 2\n",
    "flat": "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n",
    "three points": "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n",
    "number 0": BOX + "f 0 1 2\n",
    "open corner": BOX + "f 1/ 2/ 3/\n",
    "too far": BOX + "f 1 2 99\n",
    "nothing": "",
    "no ear to cut": "v -2 -2 0\nv 0 1 1\nv -2 2 1\nv 0 -2 0\nv 0 2 0\nv 2 -2 -1\nf 1 2 3 4 5 6\n",
    "not a number": BOX + "v nan 1 2\n" + SIDES,
}


@pytest.mark.parametrize("attributes", ["", 'scale="-1 2 1"', 'inertia="shell"'])
@pytest.mark.parametrize("text", OBJS.values(), ids=OBJS)
def test_obj(tmp_path, text, attributes):
    model = '<mujoco><asset><mesh file="m.obj" {}/></asset><worldbody><body><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
    agree(tmp_path, model.format(attributes), {"m.obj": text.encode()})
    quiet = model.replace("<geom", '<geom contype="0" conaffinity="0"')
    agree(tmp_path, quiet.format(attributes), {"m.obj": text.encode()})


def _polygon(rng: np.random.Generator, kind: str) -> np.ndarray:
    """Corners of a random polygon, (n, 3), somewhere in space."""
    count = int(rng.integers(5, 12)) if kind != "many corners" else int(rng.integers(90, 110))
    angle = np.sort(rng.uniform(0, 2 * np.pi, count))
    radius = 1.0 if kind == "convex" else rng.uniform(0.8 if kind == "many corners" else 0.3, 1, count)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(count)], axis=1)
    if kind == "on a grid":
        points[:, :2] = rng.integers(0, 3, (count, 2))
    elif kind == "twisted":
        points[:, 2] = rng.normal(0, 0.3, count)
    elif kind == "crossing itself":
        points = points[rng.permutation(count)]
    return points @ np.linalg.qr(rng.normal(size=(3, 3)))[0].T + rng.normal(size=3)


@pytest.mark.parametrize("kind", ["star", "convex", "on a grid", "twisted", "crossing itself", "many corners"])
def test_obj_polygons(tmp_path, kind):
    """Also which triangles the reference loses: of polygons that cross themselves, or have over 100 corners."""
    rng = np.random.default_rng(1)
    points, faces, first = [], [], 1
    for _ in range(60):
        corners = _polygon(rng, kind).round(4)
        points += [f"v {x} {y} {z}\n" for x, y, z in corners]
        faces.append("f " + " ".join(map(str, range(first, first + len(corners)))) + "\n")
        first += len(corners)
    model = '<mujoco><asset><mesh file="m.obj" inertia="shell"/></asset></mujoco>'
    ours = agree(tmp_path, model, {"m.obj": "".join(points + faces).encode()})
    assert ours is not None and ours.nmeshface > 60
    warnings = compile_document(Document.load(tmp_path / "model.xml")).diagnostics.warnings
    assert ("too-many-corners" in {warning.code for warning in warnings}) == (kind == "many corners")


def test_a_changed_file_is_read_again(tmp_path):
    text = '<mujoco><asset><mesh file="m.obj"/></asset><worldbody><body><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
    for k in range(1, 4):
        (tmp_path / "m.obj").write_text(BOX.replace("3", str(2 + k)) + SIDES)
        assert kinetree.load_string(text, tmp_path).body_mass[1] == pytest.approx(2000 * (2 + k))


def _points(rng: np.random.Generator, kind: str) -> np.ndarray:
    points = rng.normal(size=(int(rng.integers(5, 80)), 3))
    if kind == "on a sphere":
        points /= np.linalg.norm(points, axis=1, keepdims=True)
    elif kind == "prism":
        angle = 2 * np.pi * np.arange(len(points)) / len(points)
        points = np.array([(x, y, z) for z in (-1, 1) for x, y in zip(np.cos(angle), np.sin(angle), strict=True)])
    elif kind == "on a grid":
        points = np.unique(rng.uniform(-1, 1, points.shape).round(1), axis=0)
    return points


@pytest.mark.parametrize("kind", ["random", "on a sphere", "prism", "on a grid"])
def test_graph_of_the_hull(kind):
    """The order of vertices and neighbours decides which contacts a mesh has with a plane.

    Where Qhull merges facets and goes on, as on a grid, the order of neighbours may be another.
    """
    rng = np.random.default_rng(2)
    for _ in range(30):
        vertex = " ".join(map(repr, _points(rng, kind).ravel().tolist()))
        text = (
            f'<mujoco><asset><mesh name="m" vertex="{vertex}"/></asset>'
            '<worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
        )
        ours, theirs = kinetree.load_string(text).mesh_graph, mujoco.MjModel.from_xml_string(text).mesh_graph
        if kind == "on a grid":
            first = 2 + theirs[0]
            assert ours[first] == theirs[first] and ours.size == theirs.size
        else:
            np.testing.assert_array_equal(ours, theirs)


# ---- textures -----------------------------------------------------------------------------------------

SQUARE = np.arange(12, dtype=np.uint8).reshape(2, 2, 3) * 9
RAW = struct.pack("<2i", 2, 1) + bytes(range(6))
TEXTURES = {
    "png": ('type="2d" file="t.png"', png(SQUARE)),
    "grey": ('type="2d" file="t.png" nchannel="1"', png(GREY)),
    "red of colours": ('type="2d" file="t.png" nchannel="1"', png(SQUARE)),
    "alpha": ('type="2d" file="t.png" nchannel="4"', png(SQUARE)),
    "two channels": ('type="2d" file="t.png" nchannel="2"', png(SQUARE)),
    "no channel": ('type="2d" file="t.png" nchannel="0"', png(SQUARE)),
    "16 bits": ('type="2d" file="t.png"', png(GREY.astype(np.uint16) * 257 + 100)),
    "transparent colour": ('type="2d" file="t.png" nchannel="4"', png(SQUARE, transparency=(0, 9, 18))),
    "flips": ('type="2d" file="t.png" hflip="true" vflip="true"', png(SQUARE)),
    "cut": ('type="2d" file="t.png"', png(SQUARE)[:-20]),
    "custom": ('type="2d" file="t.bin"', RAW),
    "custom, flipped": ('type="2d" file="t" hflip="true"', RAW),
    "custom, too long": ('type="2d" file="t.bin"', RAW + b"x"),
    "custom, empty": ('type="2d" file="t.bin"', b""),
    "custom, no pixels": ('type="2d" file="t.bin"', struct.pack("<2i", 0, 1)),
    "png by another name": ('type="2d" file="t.bin"', png(SQUARE)),
    "type png": ('type="2d" file="t.jpg" content_type="image/png"', png(SQUARE)),
    "type custom": ('type="2d" file="t.png" content_type="image/vnd.mujoco.texture"', RAW),
    "type unknown": ('type="2d" file="t.png" content_type="image/jpeg"', png(SQUARE)),
    "cube": ('file="t.png"', png(SQUARE)),
    "cube of a rectangle": ('file="t.png"', png(SQUARE[:1])),
    "grid": ('file="t.png" gridsize="2 2" gridlayout="RLUD"', png(SQUARE)),
    "grid of nothing": ('file="t.png" gridsize="2 2"', png(SQUARE)),
    "grid with other letters": ('file="t.png" gridsize="2 2" gridlayout="RLUX"', png(SQUARE)),
    "grid that does not fit": ('file="t.png" gridsize="3 3" gridlayout="RLUDRLUDF"', png(SQUARE)),
    "sides": ('fileright="t.png" fileup="t.png"', png(SQUARE)),
    "a side that is not square": ('fileright="t.png"', png(SQUARE[:1])),
    "side of a flat one": ('type="2d" fileright="t.png"', png(SQUARE)),
}


@pytest.mark.parametrize(("attributes", "data"), TEXTURES.values(), ids=TEXTURES)
def test_texture(tmp_path, attributes, data):
    name = next(part for part in attributes.split('"') if part.split(".")[0] == "t")
    text = f'<mujoco><asset><texture name="t" {attributes}/></asset></mujoco>'
    ours = agree(tmp_path, text, {name: data})
    if ours is not None:
        np.testing.assert_array_equal(ours.tex_data, mujoco.MjModel.from_xml_path(str(tmp_path / "model.xml")).tex_data)


@pytest.mark.parametrize("data", [ktx1([[SQUARE]], 0x1401, 0x1907), ktx2([[SQUARE]], RGB8)], ids=["1", "2"])
@pytest.mark.parametrize("kind", ["2d", "cube", "skybox"])
def test_ktx(tmp_path, kind, data):
    """Kept as the file is. The reference does not load cube maps, though its specification says so."""
    text = f'<mujoco><asset><texture name="t" type="{kind}" file="t.x" content_type="image/ktx"/></asset></mujoco>'
    if kind == "2d":
        ours = agree(tmp_path, text, {"t.x": data})
    else:
        ours, theirs = both(tmp_path, text, {"t.x": data})
        assert isinstance(theirs, str)
    assert ours.tex_data[: len(data)].tobytes() == data


def test_what_images_promise(tmp_path):
    """A header of 60000 x 60000 pixels, and a file of zeros."""
    bomb = bytearray(png(SQUARE))
    bomb[16:24] = struct.pack(">2I", 60000, 60000)
    for data in (bytes(bomb), bytes(100), b"\x89PNG\r\n\x1a\n"):
        (tmp_path / "t.png").write_bytes(data)
        for element in ('texture name="t" type="2d"', 'hfield name="h" size="1 1 1 1"'):
            with pytest.raises(kinetree.ModelError, match="bad-"):
                kinetree.load_string(f'<mujoco><asset><{element} file="t.png"/></asset></mujoco>', tmp_path)
