"""Mesh and texture files: the formats, and files that are damaged, hostile or not there."""

from __future__ import annotations

import io
import struct
import zlib

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import kinetree
from kinetree.engine.compile.assets.normals import corner_normals
from kinetree.engine.resources import meshfile
from kinetree.engine.resources.raw_mesh import BadMesh

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float32)
FACES = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
     [1, 5, 7], [1, 7, 3]]
)  # fmt: skip


def _stl(corners=CUBE[FACES]) -> bytes:
    body = b"".join(np.zeros(3, "<f4").tobytes() + t.astype("<f4").tobytes() + b"\0\0" for t in corners)
    return b"\0" * 80 + struct.pack("<I", len(corners)) + body


def _obj() -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in CUBE] + ["vt 0 0", "vt 1 0", "vt 1 1"]
    return "\n".join([*lines, *(f"f {a + 1}/1 {b + 1}/2 {c + 1}/3" for a, b, c in FACES)]).encode()


def _msh() -> bytes:
    return struct.pack("<4i", 8, 0, 0, 12) + CUBE.tobytes() + FACES.astype("<i4").tobytes()


def _text_stl() -> bytes:
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in t) + "endloop\nendfacet\n"
        for t in CUBE[FACES]
    )
    return f"solid cube\n{facets}endsolid\n".encode()


@pytest.mark.parametrize(("name", "make"), [("a.stl", _stl), ("a.OBJ", _obj), ("a.msh", _msh), ("b.stl", _text_stl)])
def test_formats(tmp_path, name, make):
    (tmp_path / name).write_bytes(make())
    text = (
        f"<mujoco><asset><mesh name='m' file='{name}'/></asset><worldbody><body><geom type='mesh' mesh='m'/></body>"
        "</worldbody></mujoco>"
    )
    model = kinetree.load_string(text, tmp_path)
    assert (model.nmeshvert, model.nmeshface) == (8, 12)
    assert model.body_mass[1] == pytest.approx(1000)
    np.testing.assert_allclose(model.body_ipos[1], 0.5, atol=1e-9)
    assert model.mesh_texcoordnum[0] == (3 if name.endswith("OBJ") else 0)


def test_quads_and_relative_indices():
    raw = meshfile.read(b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nf -5 -4 -3 -2\nf 1 2 5\n", "a.obj")
    assert raw.face.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 4]]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.stl", b""),
        ("a.stl", _stl()[:-1]),
        ("a.stl", b"\0" * 80 + struct.pack("<I", 2**31)),
        ("a.stl", b"solid x\nvertex 1 2\n"),
        ("a.obj", b"v 1 2\n"),
        ("a.obj", b"v 1 2 3\nf 1 2 9\n"),
        ("a.obj", b"v a b c\n"),
        ("a.obj", b"f 1 2 3 4 5\n"),
        ("a.msh", b"\xff" * 40),
        ("a.msh", _msh()[:-4]),
        ("a.dae", b"<COLLADA/>"),
    ],
)
def test_damaged_meshes(name, data):
    with pytest.raises(BadMesh):
        meshfile.read(data, name)


@given(st.binary(max_size=300), st.sampled_from(["a.stl", "a.obj", "a.msh"]))
@settings(max_examples=200)
def test_any_bytes_are_a_mesh_or_not(data, name):
    try:
        raw = meshfile.read(data, name)
    except BadMesh:
        return
    assert raw.vert.shape[1] == 3


def test_sharp_edges_keep_their_normals():
    normal, face = corner_normals(CUBE.astype(float), FACES, False)
    assert len(normal) == 24
    np.testing.assert_allclose(np.abs(normal).max(1), 1)
    smooth, index = corner_normals(CUBE.astype(float), FACES, True)
    assert len(smooth) == 8
    assert index is FACES
    assert face.shape == FACES.shape


def test_round_meshes_are_as_smooth_as_in_the_reference():
    angles = np.linspace(0, 2 * np.pi, 9)[:-1]
    around, tube = (grid.ravel() for grid in np.meshgrid(angles, angles, indexing="ij"))
    radius = 1 + 0.4 * np.cos(tube)
    vert = np.column_stack([radius * np.cos(around), radius * np.sin(around), 0.4 * np.sin(tube)])
    at = np.arange(64).reshape(8, 8)
    right, up, both = np.roll(at, -1, 0), np.roll(at, -1, 1), np.roll(at, (-1, -1), (0, 1))
    face = np.concatenate([np.stack(c, -1).reshape(-1, 3) for c in ((at, right, both), (at, both, up))])
    text = (
        "<mujoco><asset><mesh name='m' vertex='{}' face='{}'/></asset>"
        "<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
    ).format(" ".join(f"{x:.6f}" for x in vert.ravel()), " ".join(map(str, face.ravel())))
    corners = []
    for model in (kinetree.load_string(text), mujoco.MjModel.from_xml_string(text)):
        corners.append(np.asarray(model.mesh_normal)[np.asarray(model.mesh_facenormal)])
    points = np.asarray(model.mesh_vert, float)[np.asarray(model.mesh_face)]
    flat = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    flat /= np.linalg.norm(flat, axis=1)[:, None]
    near = (corners[1] * flat[:, None]).sum(2) > 0.8
    assert near.mean() > 0.6
    assert (corners[0] * corners[1]).sum(2)[near].min() > 0.9999


# ---- textures -----------------------------------------------------------------------------------------


def _texture(tmp_path, attributes, image=None) -> np.ndarray:
    if image is not None:
        Image.fromarray(image).save(tmp_path / "t.png")
    model = kinetree.load_string(f"<mujoco><asset><texture name='t' {attributes}/></asset></mujoco>", tmp_path)
    shape = model.tex_height[0], model.tex_width[0], model.tex_nchannel[0]
    return model.tex_data.reshape(shape)


def test_checker_and_flat(tmp_path):
    board = _texture(tmp_path, "type='2d' builtin='checker' width='4' height='4' rgb1='1 0 0' rgb2='0 1 0'")
    assert board[..., 0].tolist() == [[255, 255, 0, 0]] * 2 + [[0, 0, 255, 255]] * 2
    cube = _texture(tmp_path, "builtin='flat' width='2' rgb1='1 0 0' rgb2='0 0 1'").reshape(6, 2, 2, 3)
    assert [side[0, 0, 2] for side in cube] == [0, 0, 0, 255, 0, 0]


def test_marks(tmp_path):
    edge = _texture(tmp_path, "type='2d' builtin='flat' width='4' height='3' rgb1='1 1 1' mark='edge'")
    assert edge[..., 0].tolist() == [[0] * 4, [0, 255, 255, 0], [0] * 4]
    random = "type='2d' builtin='flat' width='64' height='64' mark='random' random='0.2'"
    dots = (_texture(tmp_path, random)[..., 0] == 0).mean()
    assert 0.15 < dots < 0.25
    np.testing.assert_array_equal(_texture(tmp_path, random), _texture(tmp_path, random))


def test_png_flips_and_grids(tmp_path):
    image = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    np.testing.assert_array_equal(_texture(tmp_path, "type='2d' file='t.png'", image), image)
    np.testing.assert_array_equal(_texture(tmp_path, "type='2d' file='t.png' vflip='true'", image), image[::-1])
    grid = np.arange(3 * 4 * 3, dtype=np.uint8).reshape(3, 4, 3)
    cube = _texture(tmp_path, "file='t.png' gridsize='3 4' gridlayout='.U..LFRB.D..'", grid)
    assert cube.shape == (6, 1, 3)
    np.testing.assert_array_equal(cube[:, 0], grid[[1, 1, 0, 2, 1, 1], [2, 0, 1, 1, 1, 3]])


@pytest.mark.parametrize("data", [b"", b"not an image", b"\x89PNG\r\n\x1a\n" + b"\0" * 50])
def test_damaged_images(tmp_path, data):
    (tmp_path / "t.png").write_bytes(data)
    with pytest.raises(kinetree.ModelError, match="bad-texture"):
        _texture(tmp_path, "type='2d' file='t.png'")


def test_image_bomb(tmp_path):
    packer = zlib.compressobj()  # row by row: Pillow would take 900 MB to make it
    rows = b"".join(packer.compress(bytes(1 + 30000 // 8)) for _ in range(30000)) + packer.flush()
    chunks = [(b"IHDR", struct.pack(">2I5B", 30000, 30000, 1, 0, 0, 0, 0)), (b"IDAT", rows), (b"IEND", b"")]
    parts = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    ]
    (tmp_path / "t.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))
    with pytest.raises(Image.DecompressionBombError, match="900000000 pixels"):
        Image.open(tmp_path / "t.png")
    with pytest.raises(kinetree.ModelError, match="too large"):
        _texture(tmp_path, "type='2d' file='t.png'")


def test_every_file_is_listed_for_watching(tmp_path):
    from kinetree.engine.compile.compiler import compile_document
    from kinetree.engine.document.document import Document

    (tmp_path / "a.stl").write_bytes(_stl())
    Image.fromarray(np.zeros((2, 2, 3), np.uint8)).save(tmp_path / "t.png")
    text = "<mujoco><asset><mesh file='a.stl'/><texture type='2d' file='t.png'/></asset></mujoco>"
    (tmp_path / "m.xml").write_text(text)
    compiled = compile_document(Document.load(tmp_path / "m.xml"))
    assert sorted(compiled.files) == [str(tmp_path / name) for name in ("a.stl", "m.xml", "t.png")]


# ---- whatever is in a file ----------------------------------------------------------------------------


def _skn() -> bytes:
    bone = b"world".ljust(40, b"\0") + struct.pack("<7f", 0, 0, 0, 1, 0, 0, 0) + struct.pack("<i", 8)
    bone += np.arange(8, dtype="<i4").tobytes() + np.ones(8, "<f4").tobytes()
    return struct.pack("<4i", 8, 0, 12, 1) + CUBE.tobytes() + FACES.astype("<i4").tobytes() + bone


def _heights() -> bytes:
    return struct.pack("<2i", 3, 4) + np.arange(12, dtype="<f4").tobytes()


def _png() -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.arange(48, dtype=np.uint8).reshape(4, 4, 3)).save(out, "PNG")
    return out.getvalue()


FILES = {
    "a.stl": (_stl, '<mesh name="m" file="a.stl"/>'),
    "a.obj": (_obj, '<mesh name="m" file="a.obj"/>'),
    "a.msh": (_msh, '<mesh name="m" file="a.msh"/>'),
    "a.skn": (_skn, '<skin name="s" file="a.skn"/>'),
    "a.hf": (_heights, '<hfield name="h" size="1 1 1 1" file="a.hf"/>'),
    "a.png": (_png, '<hfield name="h" size="1 1 1 1" file="a.png"/><texture name="t" file="a.png"/>'),
}


@pytest.mark.parametrize("name", FILES)
def test_whole_files_load(tmp_path, name):
    make, element = FILES[name]
    (tmp_path / name).write_bytes(make())
    kinetree.load_string(f"<mujoco><asset>{element}</asset></mujoco>", tmp_path)


@given(st.sampled_from(sorted(FILES)), st.data())
@settings(max_examples=300, deadline=None)
def test_damaged_files_are_a_model_or_a_diagnostic(tmp_path_factory, name, data):
    make, element = FILES[name]
    content = bytearray(make())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(len(content) - 4, 0)))
        kind = data.draw(st.sampled_from(["cut", "byte", "integer", "number", "twice"]))
        if kind == "cut":
            del content[at : at + data.draw(st.integers(1, 40))]
        elif kind == "byte" and content:
            content[at] = data.draw(st.integers(0, 255))
        elif kind == "integer":
            content[at : at + 4] = struct.pack("<i", data.draw(st.sampled_from([-1, 0, 1, 2**31 - 1, -(2**31)])))
        elif kind == "number":
            content[at : at + 4] = struct.pack("<f", data.draw(st.sampled_from([np.nan, np.inf, 1e38, -0.0])))
        else:
            content[at:at] = content[at : at + data.draw(st.integers(1, 60))]
    folder = tmp_path_factory.mktemp("damaged")
    (folder / name).write_bytes(content)
    text = f"<mujoco><asset>{element}</asset><worldbody>{_GEOMS.get(name, '')}</worldbody></mujoco>"
    said = name
    try:
        kinetree.load_string(text, folder)
    except kinetree.ModelError as error:
        said = str(error)
    assert any(word in said for word in (name, "mesh 'm'", "skin 's'", "height field 'h'")), said


_GEOMS = dict.fromkeys(("a.stl", "a.obj", "a.msh"), '<body><geom type="mesh" mesh="m"/></body>')


def test_caches_stay_within_their_bounds():
    from kinetree.engine.resources.cache import Cache

    cache = Cache(100)
    for k in range(50):
        assert cache.get(k, lambda k=k: bytes(30), len) == bytes(30)
    assert cache.size <= 100
    assert len(cache) == 3
    assert cache.get("large", lambda: bytes(500), len) == bytes(500)
    assert len(cache) == 1


def test_equal_rows():
    from kinetree.engine.geometry.unique_rows import distinct

    rows = np.random.default_rng(0).integers(-3, 3, (500, 3))
    first, inverse = distinct(rows)
    np.testing.assert_array_equal(rows[first][inverse], rows)
    assert len(first) == len(np.unique(rows, axis=0))
    assert (np.diff(first) > 0).all()


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a"])
@pytest.mark.parametrize("element", ['texture type="2d"', 'hfield size="1 1 1 1"'])
def test_other_images_are_called_by_their_name(tmp_path, element, name):
    (tmp_path / name).write_bytes(b"\xff\xd8\xff\xe0" + bytes(100))
    with pytest.raises(kinetree.ModelError, match="a JPEG image, which is not read; convert it to PNG"):
        kinetree.load_string(f'<mujoco><asset><{element} name="t" file="{name}"/></asset></mujoco>', tmp_path)
