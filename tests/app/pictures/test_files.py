"""Pictures in files: what the numbers in them are."""

import csv

import numpy as np
from PIL import Image

from kinetree.app.pictures.content import Drawn, PictureRequest, draw
from kinetree.app.pictures.files import in_millimetres, palette, save
from kinetree.app.pictures.formats import Content
from kinetree.engine.model import enums
from kinetree.engine.scene.camera import FIXED, Camera
from kinetree.engine.scene.options import VisOptions


def test_millimetres():
    depth = np.array([[0.0014, 65.535, 65.536, np.inf]], np.float32)
    assert in_millimetres(depth).tolist() == [[1, 65535, 0, 0]]


def test_colours_of_a_palette_differ():
    colors = palette(3000)
    assert len(np.unique(colors, axis=0)) == 3001 and colors[0].tolist() == [0, 0, 0]


def test_depths_survive_both_formats(tmp_path, scene):
    depth = np.array([[0.5, np.inf], [1.25, 3.0]], np.float32)
    assert save(Drawn(depth), Content.DEPTH, str(tmp_path / "d.npy"), scene[0]) == [str(tmp_path / "d.npy")]
    np.testing.assert_array_equal(np.load(tmp_path / "d.npy"), depth)
    save(Drawn(depth), Content.DEPTH, str(tmp_path / "d.png"), scene[0])
    with Image.open(tmp_path / "d.png") as picture:
        assert np.array(picture).tolist() == [[500, 0], [1250, 3000]]


def test_a_segmentation_comes_with_the_names_of_its_objects(tmp_path, scene, offscreen):
    model, data = scene
    picture = PictureRequest(120, 80, VisOptions(), Content.SEGMENTATION)
    found = draw(offscreen, model, data, Camera(FIXED, fixedcamid=0), picture)
    files = save(found, Content.SEGMENTATION, str(tmp_path / "s.png"), model)
    assert files == [str(tmp_path / "s.png"), str(tmp_path / "s.csv")]
    with Image.open(files[0]) as image:
        pixels = np.array(image)
    with open(files[1], newline="", encoding="utf-8") as file:
        rows = {row["color"]: row for row in csv.DictReader(file)}
    row = rows["#{:02x}{:02x}{:02x}".format(*pixels[40, 60].tolist())]
    assert (row["kind"], row["id"], row["name"]) == ("geom", "1", "ball")
    assert len(rows) == len(np.unique(pixels.reshape(-1, 3), axis=0)) - 1  # without the background
    save(found, Content.SEGMENTATION, str(tmp_path / "s.npy"), model)
    pairs = np.load(tmp_path / "s.npy")
    assert pairs[40, 60].tolist() == [1, enums.OBJ_GEOM] and pairs[0, 0].tolist() == [-1, -1]
