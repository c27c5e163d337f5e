"""Two viewports beside each other: the open model in the first, the one that it is compared with in the second. Both
look from the same place; whichever is turned takes the other along."""

from __future__ import annotations

from PySide6.QtCore import QObject

from kinetree.app.viewport.overlay import ViewportFrame
from kinetree.app.viewport.viewports import Viewports
from kinetree.app.workspace.simulation_controller import SimulationController


class SideBySide(QObject):
    """Shows the compared models of one window in two viewports with the same camera."""

    def __init__(self, viewports: Viewports, simulation: SimulationController, parent: QObject | None = None):
        super().__init__(parent)
        self._viewports, self._simulation = viewports, simulation
        self._pose: tuple | None = None  # of the camera, as it was drawn last
        self._linked: list[ViewportFrame] = []
        simulation.other_changed.connect(self._follow)

    @property
    def is_on(self) -> bool:
        return any(frame.view.shows_other for frame in self._viewports.frames)

    def set_on(self, on: bool) -> None:
        """Show both models beside each other, or the open one alone again."""
        if on == self.is_on:
            return
        frames = self._viewports.frames
        if not on:
            for frame in frames:
                frame.show_other(False)
            frames[0].view.show_ghost(True)
            self._viewports.arrange("single")
            return
        if len(frames) < 2:
            self._viewports.arrange("columns")
        first, second = frames[:2]
        first.view.show_ghost(False)
        second.view.camera = first.view.camera
        second.show_other(True)
        for frame in (first, second):
            if frame not in self._linked:
                self._linked.append(frame)
                frame.view.camera_changed.connect(lambda frame=frame: self._take_camera(frame))
                frame.viewport.drawn.connect(lambda _model, frame=frame: self._take_drawn(frame))
        self._linked = [frame for frame in self._linked if frame in frames]

    def _partner(self, frame: ViewportFrame) -> ViewportFrame | None:
        frames = self._viewports.frames
        if not self.is_on or len(frames) < 2 or frame not in frames[:2]:
            return None
        return frames[1 - frames.index(frame)]

    def _take_camera(self, frame: ViewportFrame) -> None:
        partner = self._partner(frame)
        if partner is not None and partner.view.camera is not frame.view.camera and frame.view.camera is not None:
            partner.view.camera = frame.view.camera
            partner.viewport.update()

    def _take_drawn(self, frame: ViewportFrame) -> None:
        """Draw the partner too where the camera was moved."""
        partner, camera = self._partner(frame), frame.view.camera
        if partner is None or camera is None:
            return
        pose = camera.type, *camera.lookat.tolist(), camera.distance, camera.azimuth, camera.elevation
        if pose != self._pose:
            self._pose = pose
            partner.viewport.update()

    def _follow(self) -> None:
        if self._simulation.other is None:
            self.set_on(False)
