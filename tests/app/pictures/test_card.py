"""Cards of models that cannot be drawn."""

import io

import pytest
from PIL import Image

from kinetree.app.pictures.card import Summary, png, summary


@pytest.mark.parametrize(
    ("text", "form", "bodies"),
    [
        (b"<mujoco><worldbody><body><body/></body></worldbody></mujoco>", "MJCF", 2),
        (b"<?xml version='1.0'?>\n<!-- <robot> -->\n<mujoco/>", "MJCF", 0),
        (b"\xef\xbb\xbf<robot name='r'><link name='a'/><link\nname='b'/></robot>", "URDF", 2),
        ("<x_xy><worldbody><body/></worldbody></x_xy>".encode("utf-16"), "x_xy", 1),
        (b"\x89KINETREE MODEL\n\0\0", "KMODEL", -1),
        (b"<svg/>", "", -1),
        (b"", "", -1),
        (b"\0" * 3000, "", -1),
        (b"<mujoco>" + b"<body/>" * 400_000, "MJCF", -1),
    ],
)
def test_the_summary_of_a_file(tmp_path, text, form, bodies):
    path = tmp_path / "two.words.xml"
    path.write_bytes(text)
    assert summary(str(path)) == Summary("two.words", form, bodies)


@pytest.mark.parametrize("size", [32, 128, 256, 1024])
def test_a_card_has_the_size_and_shows_the_format(size):
    picture = Image.open(io.BytesIO(png(Summary("a", "MJCF", 3), size)))
    assert picture.size == (size, size) and picture.mode == "RGBA"
    assert picture.getpixel((0, 0))[3] == 0
    red, green, blue, alpha = picture.getpixel((round(0.13 * size), round(0.64 * size)))
    assert alpha == 255 and red < 60 and green > 100 and blue > 100


def test_a_long_name_stays_on_the_paper():
    for name in ("m" * 300, "ü" * 300, "\u202e\n\0name"):
        picture = Image.open(io.BytesIO(png(Summary(name, "URDF"), 256)))
        below = picture.crop((0, 194, 256, 256)).getchannel("A").getbbox()
        assert below is not None and below[0] >= 35 and below[2] <= 221
