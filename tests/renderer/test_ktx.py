"""KTX textures on surfaces, as sky and as light: the same picture as from PNG, and what PNG cannot hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import kinetree
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import FIXED, Camera
from kinetree.engine.scene.options import ToneMapping, VisOptions
from kinetree.engine.scene.scene import linear
from kinetree.renderer import context as gl
from kinetree.renderer.frame import Renderer
from tests.engine.resources.ktx_files import FLOAT, RGB8, SRGB8, flat, ktx1, ktx2
from tests.renderer.test_render import DARK, FRONT, TOP, at

SIDES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
COLORS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (0, 255, 255), (255, 0, 255))
WHITE = '<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>'
CORNERS = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [180, 180, 180]]], np.uint8)


def shown(folder: Path, assets: str, body: str, head: str = WHITE, **flags) -> np.ndarray:
    text = f"<mujoco>{head}<asset>{assets}</asset><worldbody>{body}</worldbody></mujoco>"
    model = kinetree.load_string(text, folder)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    flags = {"tonemap": ToneMapping.NONE, "haze": False, "shadow": False} | flags
    return kinetree.render(model, data, 121, 121, 0, VisOptions(**flags)).astype(int)


def write(folder: Path, name: str, data: bytes | np.ndarray) -> None:
    if isinstance(data, bytes):
        (folder / name).write_bytes(data)
    else:
        Image.fromarray(data).save(folder / name)


PLANE = TOP + '<geom type="plane" size="1 1 1" material="m"/>'
FLAT = '<texture name="t" type="2d" file="{}"/><material name="m" texture="t" texrepeat="1 1" specular="0"/>'


def test_the_same_picture_as_a_png(tmp_path):
    """Upright, with the colours of each corner, from either version; as sRGB and packed."""
    image = np.kron(CORNERS, np.ones((4, 4, 1), np.uint8))
    write(tmp_path, "t.png", image)
    expected = shown(tmp_path, FLAT.format("t.png"), PLANE)
    assert len({tuple(at(expected, x, y)) for x in (0.4, 0.6) for y in (0.4, 0.6)}) == 4
    for name, data in {
        "a.ktx": ktx1([[image]], 0x1401, 0x1907, 0x8C41),
        "b.ktx2": ktx2([[image]], SRGB8, transfer=2),
        "c.ktx2": ktx2([[image]], SRGB8, transfer=2, scheme=3),
    }.items():
        write(tmp_path, name, data)
        np.testing.assert_array_equal(shown(tmp_path, FLAT.format(name), PLANE), expected)


def test_linear_colors_are_not_decoded(tmp_path):
    """0.5 of light is 188 on the screen; colorspace="sRGB" makes it 128, as in a PNG."""
    write(tmp_path, "t.ktx2", ktx2([[flat((128, 128, 128))]], RGB8))
    found = at(shown(tmp_path, FLAT.format("t.ktx2"), PLANE), 0.5, 0.5)
    np.testing.assert_allclose(found, 188, atol=3)
    encoded = FLAT.format("t.ktx2").replace("type=", 'colorspace="sRGB" type=')
    np.testing.assert_allclose(at(shown(tmp_path, encoded, PLANE), 0.5, 0.5), 128, atol=3)


def test_levels_of_the_file_are_drawn(tmp_path):
    """Red close by, blue far away; with the largest level alone it stays red."""
    levels = [[flat((255, 0, 0) if level < 3 else (0, 0, 255), 64 >> level)] for level in range(7)]
    write(tmp_path, "t.ktx2", ktx2(levels, SRGB8, transfer=2))
    write(tmp_path, "one.ktx2", ktx2(levels[:1], SRGB8, transfer=2))
    plane = '<camera pos="0 0 {}" xyaxes="1 0 0 0 1 0" fovy="20"/><geom type="plane" size="1 1 1" material="m"/>'
    far = plane.format(5.5).replace("1 1 1", "2 2 1")
    many = FLAT.replace("1 1", "80 80")
    near = at(shown(tmp_path, FLAT.format("t.ktx2"), plane.format(1)), 0.5, 0.5)
    assert near[0] > 250 and near[2] < 5
    away = at(shown(tmp_path, many.format("t.ktx2"), far), 0.5, 0.5)
    assert away[2] > 250 and away[0] < 5
    assert at(shown(tmp_path, many.format("one.ktx2"), far), 0.5, 0.5)[0] > 250


@pytest.mark.parametrize("kind", ["cube", "skybox"])
def test_sides_of_a_cube(tmp_path, kind):
    """A cube map shows what six PNG files show, on a box and as sky, seen in all six directions."""
    faces = [flat(color, 8) for color in COLORS]
    faces = [np.where(np.arange(64).reshape(8, 8, 1) < 24, face, face // 2).astype(np.uint8) for face in faces]
    for name, face in zip(SIDES, faces):
        write(tmp_path, f"{name}.png", face)
    write(tmp_path, "t.ktx", ktx1([faces], 0x1401, 0x1907, 0x8C41))
    box = '<material name="m" texture="t" specular="0"/>'
    pngs = " ".join(f'{name}="{name}.png"' for name in SIDES)
    body = '<geom type="box" size="1 1 1" material="m"/>' if kind == "cube" else ""
    for axes in ("1 0 0 0 0 1", "0 1 0 0 0 1", "-1 0 0 0 0 1", "0 -1 0 0 0 1", "1 0 0 0 1 0", "1 0 0 0 -1 0"):
        x, y = np.array(axes.split(), float).reshape(2, 3)
        camera = f'<camera pos="{" ".join(map(str, 4 * np.cross(x, y)))}" xyaxes="{axes}" fovy="50"/>'
        one = shown(tmp_path, f'<texture name="t" type="{kind}" {pngs}/>{box}', camera + body)
        other = shown(tmp_path, f'<texture name="t" type="{kind}" file="t.ktx"/>{box}', camera + body)
        np.testing.assert_array_equal(one, other)
        assert one.max() > 200


def test_a_square_is_on_all_sides_of_a_cube(tmp_path):
    write(tmp_path, "t.ktx2", ktx2([[flat((200, 10, 30))]], SRGB8, transfer=2))
    material = '<texture name="t" type="cube" file="t.ktx2"/><material name="m" texture="t" specular="0"/>'
    found = at(shown(tmp_path, material, FRONT + '<geom type="box" size="1 1 1" material="m"/>'), 0.5, 0.5)
    np.testing.assert_allclose(found, (200, 10, 30), atol=3)


def test_a_sky_brighter_than_white(tmp_path):
    """Light of 4 is white; two stops darker it is 1, three stops 0.5."""
    write(tmp_path, "t.ktx2", ktx2([[flat((4, 4, 4), 8, np.float32)] * 6], FLOAT))
    sky = '<texture name="t" type="skybox" file="t.ktx2"/>'
    for stops, expected in ((0, 255), (-2, 255), (-3, 188)):
        found = at(shown(tmp_path, sky, FRONT, DARK, exposure=stops), 0.5, 0.5)
        np.testing.assert_allclose(found, expected, atol=2)


def test_light_of_an_environment(tmp_path):
    """A matte ball under an image light of half the brightness is half as bright."""
    ball = FRONT + '<light type="image" texture="t" intensity="10000"/><geom type="sphere" size="1" material="m"/>'
    assets = (
        '<texture name="t" type="cube" file="{}"/><material name="m" metallic="0" roughness="1" rgba="0.5 0.5 0.5 1"/>'
    )
    found = []
    for name, light in (("a.ktx2", 0.3), ("b.ktx2", 0.6)):
        write(tmp_path, name, ktx2([[flat((light,) * 3, 8, np.float32)] * 6], FLOAT))
        found.append(at(shown(tmp_path, assets.format(name), ball, DARK, skybox=False), 0.5, 0.5)[0])
    assert 20 < found[0] < found[1] < 230
    dim, bright = linear(np.array(found) / 255)
    assert bright / dim == pytest.approx(2, rel=0.1)


def test_a_file_that_the_compiler_has_not_seen(tmp_path):
    """A model whose bytes were changed: grey, and it is told."""
    data = ktx2([[flat((200, 10, 30))]], SRGB8, transfer=2)
    write(tmp_path, "t.ktx2", data)
    model = kinetree.load_string(
        f"<mujoco>{WHITE}<asset>{FLAT.format('t.ktx2')}</asset><worldbody>{PLANE}</worldbody></mujoco>", tmp_path
    )
    model.tex_data[20:24] = 255
    state = kinetree.Data(model)
    kinetree.kinematics(model, state)
    scene = build(model, state, VisOptions(tonemap=ToneMapping.NONE), Camera(FIXED, fixedcamid=0), size=(64, 64))
    context = gl.headless()
    with context:
        drawer = Renderer(context)
        [image] = drawer.read(scene, 64, 64)
        assert any("too large" in remark for remark in drawer.remarks)
        drawer.release()
    context.release()
    np.testing.assert_allclose(at(image, 0.5, 0.5), 128, atol=3)
