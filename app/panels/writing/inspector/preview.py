"""Previews of files: a thumbnail of an image, a small picture of a mesh with its size, numbers and bounds.

Runs in a thread: everything here works on images in memory.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QImageReader, QPainter, QPolygonF

from kinetree.engine import resources
from kinetree.engine.translation import counted, tr

SIDE = 132  # of a preview, pixels
MOST_BYTES = 64 * 1024 * 1024
"""Larger files get no picture."""
MOST_FACES = 6000
"""Of a mesh with more triangles every n-th one is drawn."""
LIGHT = np.array([0.35, 0.45, 0.82])


@dataclass(frozen=True)
class FilePreview:
    """Preview of a file: a picture, None without one, and a text."""

    picture: QImage | None
    text: str


def preview(path: str, tag: str, colour: str) -> FilePreview:
    """The preview of a file that an element names; meshes are drawn in a colour."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return FilePreview(None, tr("There is no file {path}.", path=path))
    if stat.S_ISDIR(status.st_mode):
        return FilePreview(None, counted("{count:,} file", "{count:,} files", sum(1 for _ in os.scandir(path))))
    if not stat.S_ISREG(status.st_mode):
        return FilePreview(None, tr("This is not a regular file."))
    size = size_text(status.st_size)
    if status.st_size > MOST_BYTES:
        return FilePreview(None, tr("{size}; too large for a preview", size=size))
    try:
        if tag in ("mesh", "flexcomp"):
            return mesh(path, size, colour)
        if Path(path).suffix.lower() in (".png", ".jpg", ".jpeg", ".bmp"):
            return image(path, size)
    except (OSError, ValueError) as error:
        return FilePreview(None, f"{size}. {error}")
    return FilePreview(None, size)


def image(path: str, size: str) -> FilePreview:
    """A thumbnail."""
    reader = QImageReader(path)
    whole = reader.size()
    reader.setScaledSize(whole.scaled(SIDE * 2, SIDE, Qt.AspectRatioMode.KeepAspectRatio))
    picture = reader.read()
    if picture.isNull():
        return FilePreview(None, f"{size}. {reader.errorString()}")
    return FilePreview(
        picture, tr("{width} × {height} pixels, {size}", width=whole.width(), height=whole.height(), size=size)
    )


def mesh(path: str, size: str, colour: str) -> FilePreview:
    """A picture of a mesh from above the front, and its numbers."""
    read = resources.meshfile.read(Path(path).read_bytes(), path)
    if not len(read.vert):
        return FilePreview(None, tr("{size}; no vertices", size=size))
    low, high = read.vert.min(0), read.vert.max(0)
    bounds = " × ".join(f"{value:.4g}" for value in high - low)
    faces = 0 if read.face is None else len(read.face)
    text = tr(
        "{vertices:,} vertices, {faces:,} triangles, {bounds} m before scaling, {size}"
        if read.face is not None
        else "{vertices:,} vertices, {bounds} m before scaling, {size}",
        vertices=len(read.vert),
        faces=faces,
        bounds=bounds,
        size=size,
    )
    picture = draw(read.vert, read.face, colour) if read.face is not None else None
    return FilePreview(picture, text)


def draw(vert: np.ndarray, face: np.ndarray, colour: str) -> QImage:
    """A picture of triangles on nothing: those farther away first, shaded by their direction."""
    picture = QImage(2 * SIDE, 2 * SIDE, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(0)
    face = face[:: max(1, -(-len(face) // MOST_FACES))]
    turn = np.array([[0.82, 0.57, 0.0], [-0.25, 0.36, 0.9], [-0.51, 0.74, -0.44]])
    turn /= np.linalg.norm(turn, axis=1)[:, None]
    middle = 0.5 * (vert.min(0) + vert.max(0))
    seen = (vert - middle) @ turn.T
    reach = max(float(np.abs(seen[:, :2]).max()), 1e-12)
    points = SIDE + seen[:, :2] * np.array([1, -1]) * (SIDE - 4) / reach
    corners = vert[face]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-30)[:, None]
    shade = 0.35 + 0.65 * np.abs(normal @ (LIGHT @ turn))
    base = QColor(colour)
    painter = QPainter(picture)
    painter.setPen(Qt.PenStyle.NoPen)
    for i in np.argsort(-seen[face][:, :, 2].mean(1)):
        light = float(shade[i])
        painter.setBrush(QColor.fromRgbF(base.redF() * light, base.greenF() * light, base.blueF() * light))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points[face[i]].tolist()]))
    painter.end()
    picture.setDevicePixelRatio(2.0)
    return picture


def size_text(size: int) -> str:
    """A number of bytes for reading."""
    if size < 1000:
        return counted("{count} byte", "{count} bytes", size)
    return f"{size / 1e3:.3g} kB" if size < 1e6 else f"{size / 1e6:.3g} MB"
