"""A window on the rig, paused at its start, and a mouse for the handles of its gizmo."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import kinetree
from kinetree.app.workspace.selection import Selection
from kinetree.engine.scene.gizmo import Handle

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


class Hand:
    """Selects elements and drags handles in a window."""

    def __init__(self, window, qtbot):
        self.window, self.qtbot = window, qtbot
        self.viewport, self.gizmo = window.viewport, window.frame.gizmo

    def select(self, *named) -> None:
        model = self.window.simulation.model
        found = [Selection(kind, kinetree.name2id(model, kind, name)) for kind, name in named]
        self.window.selection.select_several(found)
        self.qtbot.waitUntil(lambda: len(self.gizmo.targets) > 0)
        QApplication.processEvents()

    def grip(self, handle: Handle) -> QPoint:
        """A pixel of a handle."""
        figure = next(figure for figure in self.gizmo.figures() if figure.handle == handle)
        points = figure.points
        if figure.shape == "ring":
            near = points if figure.faded is None else points[~figure.faded]
            # where no other ring is in front
            for x, y in near:
                self.gizmo.hover_at(round(x), round(y))
                if self.gizmo.hover == handle:
                    return QPoint(round(x), round(y))
        at = points.mean(0) if figure.shape in ("arrow", "square") else points[-1]
        return QPoint(*np.round(at).astype(int).tolist())

    def send(self, kind: QEvent.Type, at: QPoint, modifiers=NONE) -> None:
        place = QPointF(at)
        event = QMouseEvent(kind, place, QPointF(self.viewport.mapToGlobal(at)), LEFT, LEFT, modifiers)
        QApplication.sendEvent(self.viewport, event)

    def press(self, handle: Handle, modifiers=NONE) -> QPoint:
        at = self.grip(handle)
        QTest.mousePress(self.viewport, LEFT, modifiers, at)
        assert self.gizmo.drag is not None, "the handle was not hit"
        assert self.gizmo.drag.handle == handle
        return at

    def move(self, at: QPoint, modifiers=NONE) -> None:
        self.send(QEvent.Type.MouseMove, at, modifiers)

    def release(self, at: QPoint) -> None:
        QTest.mouseRelease(self.viewport, LEFT, NONE, at)

    def drag(self, handle: Handle, dx: int, dy: int, modifiers=NONE) -> None:
        start = self.press(handle)
        for part in (0.3, 0.7, 1.0):
            self.move(start + QPoint(round(part * dx), round(part * dy)), modifiers)
        self.release(start + QPoint(dx, dy))
        self.settle()

    def settle(self) -> None:
        """The model is that of the text, and drawn."""
        window = self.window
        self.qtbot.waitUntil(lambda: window.compiler.compiling_since is None)
        self.qtbot.waitUntil(
            lambda: (
                window.simulation.snapshot is not None and window.simulation.snapshot.model is window.simulation.model
            ),
        )
        QApplication.processEvents()
        self.qtbot.waitUntil(lambda: not self.gizmo._soon.isActive())

    @property
    def text(self) -> str:
        project = self.window.project
        return project.texts.text(project.path)

    @property
    def model(self):
        return self.window.simulation.model


@pytest.fixture
def hand(window, qtbot):
    return Hand(window, qtbot)
