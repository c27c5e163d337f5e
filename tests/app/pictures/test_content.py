"""Colours, depths and objects of a small scene."""

import numpy as np
import pytest

from kinetree.app.pictures.content import PictureRequest, draw
from kinetree.app.pictures.formats import Content
from kinetree.engine.model import enums
from kinetree.engine.scene.camera import FIXED, Camera
from kinetree.engine.scene.options import Label, ToneMapping, VisOptions

SIZE = 120, 80
FRONT = Camera(FIXED, fixedcamid=0)


def drawn(offscreen, scene, look=None, **wanted):
    return draw(offscreen, *scene, FRONT, PictureRequest(*SIZE, look or VisOptions(), **wanted))


def test_depth_is_the_distance_along_the_viewing_direction(offscreen, scene):
    depth = drawn(offscreen, scene, content=Content.DEPTH).pixels
    assert depth.shape == (80, 120) and depth.dtype == np.float32
    assert depth[40, 60] == pytest.approx(1.6, abs=3e-3)  # the ball's front: 2 m away, 0.4 m in radius
    assert np.isinf(depth[0]).all()  # above the horizon


def test_a_segmentation_names_objects_by_type_and_id(offscreen, scene):
    found = drawn(offscreen, scene, content=Content.SEGMENTATION)
    assert found.objects[found.pixels[40, 60]].tolist() == [enums.OBJ_GEOM, 1]
    assert found.objects[found.pixels[79, 60]].tolist() == [enums.OBJ_GEOM, 0]
    assert (found.pixels[0] == -1).all()
    assert drawn(offscreen, scene, content=Content.SEGMENTATION, planes=False).pixels[79, 60] == -1


def test_a_transparent_picture_is_the_picture_where_something_opaque_is(offscreen, scene):
    look = VisOptions(haze=False, reflection=False)
    opaque = drawn(offscreen, scene, look).pixels
    cutout = drawn(offscreen, scene, look, transparent=True, planes=False).pixels
    alpha = cutout[..., 3]
    assert cutout.shape == (80, 120, 4)
    assert alpha[0, 0] == 0 and alpha[79, 0] == 0 and alpha[40, 60] == 255
    assert 110 <= alpha[40, 108] <= 145  # the box, half transparent
    np.testing.assert_allclose(cutout[40, 60, :3].astype(int), opaque[40, 60], atol=1)
    edge = (alpha > 0) & (alpha < 100)
    assert edge.any() and (cutout[edge][:, 1:3].max() < 100 or cutout[edge][:, 2].max() > 100)


def test_a_transparent_picture_over_black_is_as_bright_as_drawn_over_black(offscreen, scene):
    look = VisOptions(haze=False, skybox=False, tonemap=ToneMapping.NONE, reflection=False)
    black = drawn(offscreen, scene, look, planes=False).pixels.astype(float) / 255
    cutout = drawn(offscreen, scene, look, transparent=True, planes=False).pixels.astype(float) / 255
    linear = np.where(cutout[..., :3] <= 0.04045, cutout[..., :3] / 12.92, ((cutout[..., :3] + 0.055) / 1.055) ** 2.4)
    over = linear * cutout[..., 3:]
    shown = np.where(over <= 0.0031308, over * 12.92, 1.055 * np.maximum(over, 1e-9) ** (1 / 2.4) - 0.055)
    np.testing.assert_allclose(shown, black, atol=0.02)


def test_the_floor_fades_at_the_horizon_of_a_transparent_picture(offscreen, scene):
    alpha = drawn(offscreen, scene, transparent=True).pixels[:, 5, 3].astype(int)
    assert alpha[0] == 0 and alpha[-1] == 255
    assert (np.diff(alpha) >= 0).all()
    assert ((alpha > 20) & (alpha < 235)).any()


def test_the_options_of_the_caller_stay(offscreen, scene):
    look = VisOptions(wireframe=True)
    before = dict(look.__dict__)
    drawn(offscreen, scene, look, content=Content.SEGMENTATION, planes=False)
    assert look.__dict__ == before


@pytest.mark.parametrize("transparent", [False, True])
def test_labels_are_written_into_pictures(qapp, offscreen, scene, transparent):
    look = VisOptions(label=Label.BODY)
    with_labels = draw(offscreen, *scene, FRONT, PictureRequest(*SIZE, look, transparent=transparent)).pixels
    without = draw(offscreen, *scene, FRONT, PictureRequest(*SIZE, VisOptions(), transparent=transparent)).pixels
    assert with_labels.shape == without.shape
    changed = (with_labels != without).any(axis=2)
    assert 10 < changed.sum() < 0.5 * changed.size
    assert (with_labels[changed][:, :3] > 200).all(axis=1).any()  # the ink


def test_labels_grow_with_the_picture(qapp, offscreen, scene):
    heights = []
    for size in ((800, 800), (1600, 1600)):
        pictures = [
            draw(offscreen, *scene, FRONT, PictureRequest(*size, VisOptions(label=label))).pixels
            for label in (Label.BODY, Label.NONE)
        ]
        rows = np.flatnonzero((pictures[0] != pictures[1]).any(axis=(1, 2)))
        heights.append(rows[-1] - rows[0])
    assert 1.7 < heights[1] / heights[0] < 2.4


def test_normals_are_unit_vectors_of_the_world(offscreen, scene):
    normal = drawn(offscreen, scene, content=Content.NORMAL).pixels
    assert normal.shape == (80, 120, 3) and normal.dtype == np.float32
    assert normal[40, 60] == pytest.approx([0, -1, 0], abs=0.05)  # the ball's front looks at the camera
    assert normal[79, 60] == pytest.approx([0, 0, 1], abs=1e-3)  # the floor
    assert not normal[0].any()


def test_base_colours_are_as_the_model_gives_them(offscreen, scene):
    albedo = drawn(offscreen, scene, content=Content.ALBEDO).pixels
    assert albedo[40, 60].tolist() == [255, 0, 0] and albedo[20, 55].tolist() in ([255, 0, 0], [0, 0, 0])
    assert albedo[79, 60] == pytest.approx([76, 76, 76], abs=1)
    assert not albedo[0].any()
