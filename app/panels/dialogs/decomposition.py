"""The dialog that cuts a mesh into convex parts, shows them, and asks what becomes of the geom."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.app.widgets.spin import DoubleSpinBox, SpinBox
from kinetree.app.workers.decomposer import Decomposer, DecompositionSettings
from kinetree.engine.editing.tools.decompose import ConvexPart
from kinetree.engine.translation import counted, tr

_GOLDEN = 0.618034
MOST_DRAWN = 6_000
"""Triangles above which the preview shows only some of them: a frame takes 40 ms then."""


class DecompositionDialog(QDialog):
    """Dialog of the convex decomposition. `wanted(parts, folder, keep)`: the user agrees; the dialog stays open until
    the caller accepts it.
    """

    wanted = Signal(object, str, bool)

    def __init__(self, name: str, mesh: ConvexPart, folder: str, parent: QWidget | None = None):
        super().__init__(parent)
        self.setWindowTitle(tr("Convex Decomposition"))
        self.resize(760, 500)
        self.mesh, self.parts = mesh, []
        self.decomposer = Decomposer(self)
        self.decomposer.progressed.connect(self._progress)
        self.decomposer.done.connect(self._take)
        self.decomposer.failed.connect(self._fail)
        self.finished.connect(self.decomposer.stop)
        self.threshold = DoubleSpinBox()
        self.threshold.setRange(0.01, 1.0)
        self.threshold.setValue(0.05)
        self.threshold.setToolTip(tr("Greatest concavity that is left. Less gives more parts and takes longer."))
        self.hulls = SpinBox()
        self.hulls.setRange(0, 1000)
        self.hulls.setSpecialValueText(tr("No limit"))
        self.vertices = SpinBox()
        self.vertices.setRange(8, 256)
        self.vertices.setValue(64)
        self.folder = QLineEdit(folder)
        browse = QPushButton(tr("Choose…"))
        browse.clicked.connect(self._browse)
        self.keep = QCheckBox(tr("Keep the mesh for looks"))
        self.keep.setChecked(True)
        self.keep.setToolTip(
            tr("It collides with nothing any more, and has the mass as before. Otherwise it is removed.")
        )
        self.start = QPushButton(tr("Decompose"))
        self.start.clicked.connect(self._toggle)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 0)
        policy = self.bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(policy)
        self.bar.hide()
        self.result_ = QLabel(
            tr("{count} vertices, {count2} triangles", count=len(mesh.vertices), count2=len(mesh.faces))
        )
        self.result_.setTextFormat(Qt.TextFormat.PlainText)
        self.result_.setWordWrap(True)
        self.result_.setMinimumHeight(4 * self.fontMetrics().lineSpacing())
        self.result_.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.preview = MeshPreview([mesh])
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.insert = self.box.addButton(tr("Insert"), QDialogButtonBox.ButtonRole.ActionRole)
        self.insert.setEnabled(False)
        self.insert.clicked.connect(lambda: self.wanted.emit(self.parts, self.folder.text(), self.keep.isChecked()))
        self.box.rejected.connect(self.reject)

        form = QFormLayout()
        form.addRow(tr("Mesh"), _plain(name))
        form.addRow(tr("Concavity"), self.threshold)
        form.addRow(tr("Most parts"), self.hulls)
        form.addRow(tr("Most vertices of a part"), self.vertices)
        side = QVBoxLayout()
        side.setSpacing(10)
        side.addLayout(form)
        side.addWidget(self.start)
        side.addWidget(self.bar)
        side.addWidget(self.result_)
        side.addStretch(1)
        side.addWidget(QLabel(tr("Folder of the parts")))
        row = QHBoxLayout()
        row.addWidget(self.folder, 1)
        row.addWidget(browse)
        side.addLayout(row)
        side.addWidget(self.keep)
        both = QHBoxLayout()
        both.setSpacing(12)
        both.addLayout(side, 2)
        both.addWidget(self.preview, 3)
        layout = QVBoxLayout(self)
        layout.addLayout(both, 1)
        layout.addWidget(self.box)
        self.start.setDefault(True)

    def _browse(self) -> None:
        dialog = FileDialog(self, tr("Folder of the Parts"), self.folder.text())
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self.folder.setText)
        dialog.open()

    # ---- the process ---------------------------------------------------------------------------------

    def _toggle(self) -> None:
        """Start, or stop what runs."""
        if self.decomposer.is_running:
            self.decomposer.stop()
            self._show_running(False)
            self.result_.setText(tr("Stopped"))
            return
        self.parts = []
        self.preview.show_parts([self.mesh])
        hulls = self.hulls.value() or -1
        self.decomposer.start(self.mesh, DecompositionSettings(self.threshold.value(), hulls, self.vertices.value()))
        self._show_running(True)
        self.result_.setText(tr("Preparing the mesh…"))

    def _show_running(self, on: bool) -> None:
        self.start.setText(tr("Stop") if on else tr("Decompose"))
        self.bar.setVisible(on)
        self.insert.setEnabled(not on and bool(self.parts))
        for each in (self.threshold, self.hulls, self.vertices):
            each.setEnabled(not on)

    def _progress(self, text: str) -> None:
        self.result_.setText(text)

    def _fail(self, why: str) -> None:
        self._show_running(False)
        self.result_.setText(f"{why[:1].upper()}{why[1:]}.")

    def _take(self, parts: list[ConvexPart]) -> None:
        self.parts = parts
        self._show_running(False)
        self.result_.setText(summary(self.mesh, parts))
        self.preview.show_parts(parts)
        self.insert.setDefault(True)


def summary(mesh: ConvexPart, parts: Sequence[ConvexPart]) -> str:
    """How many parts there are, how large, and how much they differ from the mesh."""
    vertices = sum(len(part.vertices) for part in parts)
    what = counted(
        "One part with {vertices} vertices", "{count} parts with {vertices} vertices", len(parts), vertices=vertices
    )
    whole = mesh.volume
    if whole <= 0:
        return tr("{what}. The mesh encloses no volume to compare with.", what=what)
    error = sum(part.volume for part in parts) / whole - 1
    if error >= 0:
        return tr("{what}. The whole volume is {share:.1%} more than that of the mesh.", what=what, share=error)
    return tr("{what}. The whole volume is {share:.1%} less than that of the mesh.", what=what, share=-error)


def _plain(text: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


class MeshPreview(QWidget):
    """Draws meshes in colours; a drag turns them."""

    def __init__(self, parts: Sequence[ConvexPart]):
        super().__init__()
        self.setMinimumSize(260, 240)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip(tr("Drag to turn"))
        self._angles = [0.6, 0.5]
        self._last = QPointF()
        self.show_parts(parts)

    def show_parts(self, parts: Sequence[ConvexPart]) -> None:
        """Draw other meshes; a single one is grey."""
        triangles = [part.vertices[part.faces] for part in parts]
        owner = np.repeat(np.arange(len(parts)), [len(each) for each in triangles])
        every = len(owner) // MOST_DRAWN + 1
        self._triangles, self._owner = np.concatenate(triangles)[::every], owner[::every]
        hues = [None] if len(parts) == 1 else [(i * _GOLDEN) % 1 for i in range(len(parts))]
        self._hues = hues
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._last = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        away = event.position() - self._last
        self._last = event.position()
        self._angles[0] += 0.01 * away.x()
        self._angles[1] = min(max(self._angles[1] + 0.01 * away.y(), -1.57), 1.57)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        a, b = self._angles
        turn = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
        tilt = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
        seen = self._triangles @ (tilt @ turn).T  # X right, Y away, Z up
        normal = np.cross(seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0])
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-30)
        points = seen.reshape(-1, 3)
        low, high = points.min(axis=0), points.max(axis=0)
        size = float(np.linalg.norm(np.ptp(self._triangles.reshape(-1, 3), axis=0))) or 1.0
        scale = 0.92 * min(self.width(), self.height()) / size
        middle = (low + high) / 2
        x = self.width() / 2 + (seen[..., 0] - middle[0]) * scale
        y = self.height() / 2 - (seen[..., 2] - middle[2]) * scale
        light = 0.45 + 0.55 * np.abs(normal @ np.array([0.36, -0.8, 0.48]))
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.palette().base())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for i in np.argsort(-seen[..., 1].mean(axis=1)):
            if normal[i, 1] > 0:
                continue
            hue = self._hues[self._owner[i]]
            value = float(light[i])
            painter.setBrush(QColor.fromHsvF(hue or 0.0, 0.0 if hue is None else 0.55, min(1.0, 0.25 + 0.7 * value)))
            painter.drawPolygon(QPolygonF([QPointF(float(x[i, k]), float(y[i, k])) for k in range(3)]))
        painter.end()
