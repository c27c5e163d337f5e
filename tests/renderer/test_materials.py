"""Layers of materials, and what the Motphys dialect adds: emitted colours and detail normal maps."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.options import ToneMapping, VisOptions
from kinetree.engine.scene.scene import encoded, linear
from tests.renderer.test_render import DARK, FRONT, TOP, at, world


def shown(text: str, **flags) -> np.ndarray:
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    options = VisOptions(skybox=False, haze=False, bloom=False, tonemap=ToneMapping.NONE, **flags)
    return kinetree.render(model, data, 120, 80, 0, options).astype(int)


@pytest.mark.parametrize(("factor", "times"), [("", 1.0), ('emissionintensity="0.5"', 0.5)])
def test_an_emitted_colour_is_not_that_of_the_surface(factor, times):
    material = f'<material name="m" metallic="1" roughness="1" rgba="1 0 0 1" emission="0 0.5 0.25 1" {factor}/>'
    text = world(FRONT + '<geom type="sphere" size="1" material="m"/>', DARK + f"<asset>{material}</asset>")
    expected = 255 * encoded(linear([0.0, 0.5, 0.25]) * times)
    np.testing.assert_allclose(at(shown(text), 0.5, 0.5), expected, atol=1)


def test_a_detail_normal_map_repeats_and_has_a_strength(tmp_path):
    """Stripes of slanted normals: three times as many with three times the repeats, none without strength."""
    from PIL import Image

    slanted = np.full((8, 64, 3), (128, 128, 255), np.uint8)
    slanted[:, :32] = 200, 128, 230
    Image.fromarray(slanted).save(tmp_path / "n.png")

    def edges(detail: str) -> int:
        (tmp_path / "m.xml").write_text(
            world(
                TOP + '<light type="directional" dir="-1 0 -1" diffuse="1 1 1" specular="0 0 0" castshadow="false"/>'
                '<geom type="plane" size="1 1 1" material="m"/>',
                DARK
                + '<asset><texture name="n" type="2d" file="n.png" colorspace="linear"/>'
                + f'<material name="m" metallic="0" roughness="1" detailpara="{detail}"><layer texture="n" role="normal"/>'
                "</material></asset>",
            )
        )
        model = kinetree.load(tmp_path / "m.xml")
        data = kinetree.Data(model)
        kinetree.kinematics(model, data)
        image = kinetree.render(model, data, 300, 300, 0, VisOptions(skybox=False, shadow=False)).astype(int)
        row = image[150, 65:235, 0]
        if np.ptp(row) < 20:
            return 0
        bright = row > 0.5 * (int(row.min()) + int(row.max()))
        return int((bright[1:] != bright[:-1]).sum())

    once, thrice, flat = edges("1 1 1 1"), edges("3 1 1 1"), edges("1 1 0 1")
    assert flat == 0 < once
    assert thrice == pytest.approx(3 * once, abs=2)


def test_grey_layers_are_grey_in_every_channel():
    """Roughness is read from green and metallic from blue, also of images with one channel."""
    pictures = []
    for channels in (1, 3):
        grey = f'<texture name="g" type="2d" builtin="flat" rgb1="0.5 0.5 0.5" width="8" height="8" nchannel="{channels}"/>'
        layers = '<layer texture="g" role="roughness"/><layer texture="g" role="metallic"/>'
        text = world(
            FRONT + '<light dir="0 1 -1"/><geom type="sphere" size="1" material="m"/>',
            f'<asset>{grey}<material name="m" metallic="1" roughness="1" rgba="0.9 0.6 0.3 1">{layers}</material></asset>',
        )
        pictures.append(shown(text))
    np.testing.assert_array_equal(*pictures)
