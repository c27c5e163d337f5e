"""Previews of files, made in any thread."""

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from kinetree.app.panels.writing.inspector.preview import MOST_BYTES, SIDE, draw, preview, size_text

OBJ = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_a_mesh_has_a_picture_and_its_numbers(qapp, tmp_path):
    path = tmp_path / "corner.obj"
    path.write_text(OBJ)
    shown = preview(str(path), "mesh", "#4080c0")
    assert shown.text.startswith("4 vertices, 4 triangles, 1 × 2 × 3 m")
    assert shown.picture is not None and not shown.picture.isNull()
    colours = {shown.picture.pixel(x, y) >> 24 for x in range(0, 2 * SIDE, 4) for y in range(0, 2 * SIDE, 4)}
    assert colours >= {0, 255}  # something on nothing


def test_an_image_has_a_thumbnail(qapp, tmp_path):
    path = tmp_path / "red.png"
    image = QImage(400, 200, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    image.save(str(path))
    shown = preview(str(path), "texture", "#fff")
    assert shown.text.startswith("400 × 200 pixels")
    assert shown.picture is not None and shown.picture.height() <= SIDE


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [("none.obj", None, "no file"), ("bad.obj", "v 1 2\nf 1 2 3\n", ""), ("notes.png", "no image", "")],
)
def test_what_cannot_be_shown_is_told(qapp, tmp_path, name, content, says):
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    shown = preview(str(path), "mesh" if name.endswith("obj") else "texture", "#fff")
    assert shown.picture is None and shown.text and says in shown.text


def test_folders_devices_and_strange_names_are_told(qapp, tmp_path):
    assert "files" in preview(str(tmp_path), "compiler", "#fff").text
    assert preview("/dev/null", "mesh", "#fff").picture is None
    assert "no file" in preview("a\0b", "mesh", "#fff").text


def test_a_flat_mesh_and_a_point_can_be_drawn(qapp):
    flat = draw(np.zeros((3, 3), np.float32), np.array([[0, 1, 2]]), "#fff")
    assert not flat.isNull()


def test_sizes_are_short():
    assert [size_text(n) for n in (12, 2_500, MOST_BYTES)] == ["12 bytes", "2.5 kB", "67.1 MB"]
