"""KTX textures: every pixel format that is read, and files that are damaged, that lie or that hold something else."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import kinetree
from kinetree.engine.model import unsupported
from kinetree.engine.resources import ktx
from kinetree.engine.resources.image import BadImage
from kinetree.engine.resources.ktx_formats import BY_GL, BY_GL_BLOCK, BY_VULKAN, HIGHEST
from tests.engine.resources.ktx_files import BGRA8, FLOAT, HALF, PACKED, RGB8, RGBA8, SRGB8, flat, ktx1, ktx2

BYTE, SHORT, FLOAT32, FLOAT16 = 0x1401, 0x1403, 0x1406, 0x140B
RED, RG, RGB, RGBA, BGR, BGRA, GREY, GREY_ALPHA = 0x1903, 0x8227, 0x1907, 0x1908, 0x80E0, 0x80E1, 0x1909, 0x190A
SHADES = np.random.default_rng(3).integers(0, 256, (3, 5, 4)).astype(np.uint8)  # rows that version 1 pads
ORDERS = {
    RED: lambda p: (p[..., :1], [0]),
    RG: lambda p: (p[..., :2], [0, 1]),
    RGB: lambda p: (p[..., :3], [0, 1, 2]),
    BGR: lambda p: (p[..., 2::-1], [0, 1, 2]),
    RGBA: lambda p: (p, [0, 1, 2, 3]),
    BGRA: lambda p: (p[..., [2, 1, 0, 3]], [0, 1, 2, 3]),
}


def read(data: bytes) -> np.ndarray:
    """The largest level of a file with one face."""
    return ktx.read(data).levels[0][0]


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("layout", ORDERS)
@pytest.mark.parametrize("kind", [BYTE, SHORT, FLOAT16, FLOAT32])
def test_channels_of_version_1(kind, layout, order):
    """Each type of number in each order of channels, with either order of bytes; missing channels are 0."""
    dtype = {BYTE: np.uint8, SHORT: np.uint16, FLOAT16: np.float16, FLOAT32: np.float32}[kind]
    scale = {BYTE: 1, SHORT: 257, FLOAT16: 1 / 255, FLOAT32: 1 / 255}[kind]
    values = (SHADES.astype(float) * scale).astype(dtype)
    stored, kept = ORDERS[layout](values)
    found = read(ktx1([[stored]], kind, layout, order=order))
    expected = np.zeros((3, 5, 4 if 3 in kept else 3))
    expected[..., kept] = SHADES[..., kept]
    if kind == BYTE:
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == np.uint8
    else:
        np.testing.assert_allclose(found.astype(float) * 255, expected, atol=0.07)
        assert found.dtype == np.float16


@pytest.mark.parametrize("scheme", [0, 2, 3], ids=["plain", "zstandard", "zlib"])
@pytest.mark.parametrize(("form", "channels"), [(RGB8, [0, 1, 2]), (RGBA8, [0, 1, 2, 3]), (BGRA8, [2, 1, 0, 3])])
def test_channels_of_version_2(form, channels, scheme):
    found = read(ktx2([[SHADES[..., channels]]], form, scheme=scheme))
    np.testing.assert_array_equal(found, SHADES[..., : len(channels)])


def test_grey():
    np.testing.assert_array_equal(read(ktx1([[SHADES[..., :1]]], BYTE, GREY)), np.repeat(SHADES[..., :1], 3, axis=2))
    found = read(ktx1([[SHADES[..., :2]]], BYTE, GREY_ALPHA))
    np.testing.assert_array_equal(found, SHADES[..., [0, 0, 0, 1]])


def test_packed_numbers():
    """1.5, 0.25 and 2 in 11, 11 and 10 bits, and with a shared exponent; 1, 0.5 and 0 in ten bits."""
    eleven = (15 << 6 | 32) | (13 << 6) << 11 | (16 << 5) << 22
    shared = 384 << 0 | 64 << 9 | (512 - 1) << 18 | 16 << 27
    tens = 1023 | 512 << 10 | 0 << 20 | 3 << 30
    words = [np.array([[[word]]], "<u4") for word in (eleven, shared, tens)]
    np.testing.assert_allclose(read(ktx2([[words[0]]], PACKED))[0, 0], [1.5, 0.25, 2])
    np.testing.assert_allclose(read(ktx1([[words[0]]], 0x8C3B, RGB))[0, 0], [1.5, 0.25, 2])
    np.testing.assert_allclose(read(ktx2([[words[1]]], 123))[0, 0], [1.5, 0.25, 511 / 256], rtol=1e-3)
    np.testing.assert_allclose(read(ktx2([[words[2]]], 64))[0, 0], [1, 0.5, 0, 1], atol=1e-3)
    np.testing.assert_allclose(read(ktx2([[words[2]]], 58))[0, 0], [0, 0.5, 1, 1], atol=1e-3)


def block(number: int) -> bytes:
    """A block of one colour, (255, 0, 0, 255) or what the format has of (200, 100)."""
    color = struct.pack("<HHI", 0xF800, 0xF800, 0)
    if number == 7:  # mode 6: two end points of seven bits and a bit below each, indices 0
        bits, at = 1 << 6, 7
        for value in (127, 127, 0, 0, 0, 0, 127, 127):
            bits, at = bits | value << at, at + 7
        return (bits | 3 << at).to_bytes(16, "little")
    red, green = struct.pack("<BB6x", 200, 200), struct.pack("<BB6x", 100, 100)
    return {1: color, 2: b"\xff" * 8 + color, 3: b"\xff\xff" + bytes(6) + color, 4: red, 5: red + green}[number]


@pytest.mark.parametrize(
    ("form", "number", "color"),
    [(131, 1, (255, 0, 0)), (133, 1, (255, 0, 0, 255)), (135, 2, (255, 0, 0, 255)), (137, 3, (255, 0, 0, 255)),
     (139, 4, (200, 0, 0)), (141, 5, (200, 100, 0)), (145, 7, (255, 1, 1, 255))],
)  # fmt: skip
def test_blocks(form, number, color):
    """Images whose sides are no multiples of four, in both versions."""
    blocks = np.frombuffer(block(number) * 4, np.uint8).reshape(2, -1)
    found = read(ktx2([[blocks]], form, size=(6, 7)))
    assert found.shape == (7, 6, len(color))
    np.testing.assert_allclose(found.reshape(-1, len(color)), np.tile(color, (42, 1)), atol=1)
    internal = next(number for number, known in BY_GL_BLOCK.items() if known is BY_VULKAN[form])
    np.testing.assert_array_equal(read(ktx1([[blocks]], 0, 0, internal, size=(6, 7))), found)


def test_light_is_finite_and_not_negative():
    values = np.array([[[np.nan, np.inf, -1.0], [1e9, 2.0, -np.inf]]], np.float32)
    found = read(ktx2([[values]], FLOAT))
    np.testing.assert_array_equal(found, np.array([[[0, HIGHEST, 0], [HIGHEST, 2, 0]]], np.float16))


def test_sides_and_levels():
    levels = [[flat((10 * face, level, 0), 4 >> level) for face in range(6)] for level in range(3)]
    for data in (ktx1(levels, BYTE, RGB), ktx2(levels, RGB8), ktx2(levels, RGB8, scheme=3)):
        found = ktx.read(data).levels
        assert [level.shape for level in found] == [(6, 4, 4, 3), (6, 2, 2, 3), (6, 1, 1, 3)]
        for ours, written in zip(found, levels):
            np.testing.assert_array_equal(ours, np.stack(written))


def test_color_space():
    image = [[SHADES[..., :3]]]
    assert not ktx.read(ktx1(image, BYTE, RGB)).srgb and ktx.read(ktx1(image, BYTE, RGB, 0x8C41)).srgb
    assert not ktx.read(ktx2(image, RGB8)).srgb
    assert ktx.read(ktx2(image, SRGB8, transfer=2)).srgb and ktx.read(ktx2(image, RGB8, transfer=2)).srgb
    assert not ktx.read(ktx2([[flat((0.5, 0.5, 0.5), 2, np.float32)]], FLOAT, transfer=2)).srgb  # light is linear


@pytest.mark.parametrize(
    ("first", "second", "turned"),
    [("S=r,T=d", "rd", np.s_[:, :]), ("S=r,T=u", "ru", np.s_[::-1]), ("S=l,T=d", "ld", np.s_[:, ::-1]),
     ("S=l,T=u", "lu", np.s_[::-1, ::-1])],
)  # fmt: skip
def test_orientation(first, second, turned):
    for data in (
        ktx1([[SHADES]], BYTE, RGBA, known={"KTXorientation": first}),
        ktx2([[SHADES]], RGBA8, known={"KTXwriter": "a test", "KTXorientation": second}),
    ):
        np.testing.assert_array_equal(read(data), SHADES[turned])


def test_swizzle():
    found = read(ktx2([[SHADES[..., :1]]], 9, known={"KTXswizzle": "rrr1"}))
    np.testing.assert_array_equal(found, np.dstack([SHADES[..., [0, 0, 0]], np.full((3, 5), 255)]))
    found = read(ktx2([[SHADES]], RGBA8, known={"KTXswizzle": "bg0a"}))
    np.testing.assert_array_equal(
        found, np.dstack([SHADES[..., 2], SHADES[..., 1], 0 * SHADES[..., 0], SHADES[..., 3]])
    )
    with pytest.raises(BadImage, match="swizzle"):
        ktx.check(ktx2([[SHADES]], RGBA8, known={"KTXswizzle": "xyzw"}))


# ---- files that are not what they should be ------------------------------------------------------------


def test_a_file_that_is_cut_anywhere():
    levels = [[flat((9, 8, 7), 4 >> level) for _ in range(6)] for level in range(2)]
    for data in (ktx1(levels, BYTE, RGB, known={"KTXorientation": "S=r,T=d"}), ktx2(levels, RGB8, scheme=3)):
        ktx.check(data)
        for length in range(len(data)):
            with pytest.raises(BadImage):
                ktx.check(data[:length])


def test_files_with_wrong_bytes():
    """Nothing but BadImage is raised, and what is accepted can be read."""
    rng = np.random.default_rng(8)
    levels = [[flat((9, 8, 7), 4 >> level)] for level in range(3)]
    files = [ktx1(levels, BYTE, RGB, known={"KTXswizzle": "rgba"})]
    files += [ktx2(levels, RGB8, scheme=scheme, known={"KTXswizzle": "rgba"}) for scheme in (0, 2, 3)]
    refused = 0
    for data in files:
        for _ in range(400):
            changed = bytearray(data)
            for at in rng.integers(12, len(data), rng.integers(1, 4)):
                changed[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.integers(256)])
            try:
                ktx.check(bytes(changed))
            except BadImage:
                refused += 1
                continue
            picture = ktx.read(bytes(changed))
            assert all(level.nbytes < 1 << 20 for level in picture.levels)
    assert refused > 400


@pytest.mark.parametrize("scheme", [2, 3], ids=["zstandard", "zlib"])
def test_what_is_packed_is_as_long_as_promised(scheme):
    """A file of some hundred bytes may unpack to gigabytes."""
    image = [[np.zeros((64, 64, 3), np.uint8)]]
    with pytest.raises(BadImage, match="expected"):
        ktx.check(ktx2(image, RGB8, scheme=scheme, size=(8, 8), full=8 * 8 * 3))
    with pytest.raises(BadImage, match="expected"):
        ktx.check(ktx2(image, RGB8, scheme=scheme, size=(128, 64), full=128 * 64 * 3))


def test_sizes_are_checked_before_memory_is_taken():
    head = bytearray(ktx2([[SHADES[..., :3]]], RGB8))
    head[20:28] = struct.pack("<2I", 16384, 16384)
    with pytest.raises(BadImage, match="too large"):
        ktx.check(bytes(head))
    head[20:28] = struct.pack("<2I", 5, 1 << 31)
    with pytest.raises(BadImage, match="too large"):
        ktx.check(bytes(head))


REFUSED = {
    "ktx layers": ktx2([[SHADES]], RGBA8, layers=2),
    "ktx dimensions": ktx2([[SHADES]], RGBA8, depth=3),
    "ktx format": ktx2([[SHADES]], 147),
    "ktx basis": ktx2([[SHADES]], 0, model=166),
    "ktx scheme": ktx2([[SHADES]], RGBA8, scheme=9),
    "ktx primaries": ktx2([[SHADES]], RGBA8, primaries=10),
    "ktx alpha": ktx2([[SHADES]], RGBA8, flags=1),
    "ktx flip": ktx2([[SHADES]], RGBA8),
    "ktx grid": ktx2([[flat((1, 2, 3))]], RGB8),
    "ktx side": ktx2([[flat((1, 2, 3))]], RGB8),
}
ATTRIBUTES = {
    "ktx flip": 'type="2d" hflip="true" file="t.ktx2"',
    "ktx grid": 'type="cube" gridsize="2 2" gridlayout="RLUD" file="t.ktx2"',
    "ktx side": 'type="cube" fileright="t.ktx2"',
}


def test_every_row_of_what_is_not_read_has_a_file():
    assert set(REFUSED) == {row.in_file for row in unsupported.TABLE if row.in_file}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_read_is_named_with_its_place(tmp_path, what):
    (tmp_path / "t.ktx2").write_bytes(REFUSED[what])
    attributes = ATTRIBUTES.get(what, 'type="2d" file="t.ktx2"')
    text = f'<mujoco>\n<asset>\n<texture name="t" {attributes}/></asset></mujoco>'
    with pytest.raises(kinetree.ModelError) as raised:
        kinetree.load_string(text, tmp_path)
    (diagnostic,) = raised.value.diagnostics
    row = unsupported.of_file(what)
    assert diagnostic.code == unsupported.REFUSED and row.remedy in diagnostic.message
    assert "{" not in diagnostic.message
    line = text.splitlines()[diagnostic.line - 1]
    assert line[diagnostic.column - 1 :].startswith(row.attribute) or row.attribute in line
    assert diagnostic.line == 3 and diagnostic.column > 1


def test_families_are_named():
    for data, name in (
        (ktx2([[SHADES]], 147), "ETC2"),
        (ktx2([[SHADES]], 143), "BC6H"),
        (ktx2([[SHADES]], 160), "ASTC"),
        (ktx1([[SHADES]], 0, 0, 0x8D64), "ETC1"),
        (ktx1([[SHADES]], 0x1400, RGBA), "glType 0x1400"),
        (ktx2([[SHADES]], 0, model=163), "ETC1S"),
    ):
        with pytest.raises(ktx.Unsupported) as raised:
            ktx.check(data)
        assert name in raised.value.value


def load(tmp_path, data: bytes, attributes: str = 'type="2d"'):
    (tmp_path / "t.ktx").write_bytes(data)
    return kinetree.load_string(
        f'<mujoco><asset><texture name="t" {attributes} file="t.ktx"/></asset></mujoco>', tmp_path
    )


def test_the_model_holds_the_file(tmp_path):
    """As the reference's does; colorspace is what the file says."""
    data = ktx2([[SHADES[..., :3]]], SRGB8, transfer=2)
    model = load(tmp_path, data)
    assert model.tex_data[: len(data)].tobytes() == data
    assert model.tex_colorspace[0] == 2
    assert load(tmp_path, ktx2([[SHADES]], RGBA8)).tex_colorspace[0] == 1
    assert load(tmp_path, ktx2([[SHADES]], RGBA8), 'type="2d" colorspace="sRGB"').tex_colorspace[0] == 2


@pytest.mark.parametrize(
    ("data", "attributes", "words"),
    [
        (ktx2([[flat((1, 2, 3))] * 6], RGB8), 'type="2d"', "cube map"),
        (ktx2([[SHADES]], RGBA8), 'type="cube"', "square"),
        (ktx2([[SHADES] * 6], RGBA8), 'type="skybox"', "square"),
        (b"\xabKTX 11\xbb\r\n\x1a\n" + bytes(50), 'type="2d"', "cut off"),
        (b"\xabKTX 30\xbb\r\n\x1a\n" + bytes(80), 'type="2d"', "version"),
        (b"", 'type="2d"', "empty"),
        (b"png", 'type="2d"', "no KTX"),
    ],
)
def test_files_that_do_not_fit(tmp_path, data, attributes, words):
    with pytest.raises(kinetree.ModelError) as raised:
        load(tmp_path, data, attributes)
    (diagnostic,) = raised.value.diagnostics
    assert words in diagnostic.message and diagnostic.code == "bad-texture"


def test_formats_say_how_much_they_take():
    for form in {*BY_GL.values(), *BY_GL_BLOCK.values(), *BY_VULKAN.values()}:
        pixels = form.unpack(bytes(form.row(5) * form.rows(6)), 5, 6)
        assert pixels.nbytes == 30 * form.unpacked and pixels.shape[:2] == (6, 5)


def test_halves(tmp_path):
    found = read(ktx2([[flat((0.5, 4, 1000, 1), 2, np.float16)]], HALF))
    np.testing.assert_array_equal(found[0, 0], np.array([0.5, 4, 1000, 1], np.float16))
