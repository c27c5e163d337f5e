"""Which moments and cameras the frames of a video show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kinetree.engine import scene

if TYPE_CHECKING:
    from kinetree.engine.scene.camera import Camera

LONGEST = 1_000_000
"""Most frames of a video."""


@dataclass(frozen=True, slots=True)
class Film:
    """frames  their number
    fps     frames a second
    speed   simulated seconds for each second of the video; 0: all frames show the first moment
    turn    how far the camera goes around what it looks at, degrees: counterclockwise, seen from above
    """

    frames: int
    fps: float
    speed: float = 1.0
    turn: float = 0.0

    @property
    def interval(self) -> float:
        """Simulated time between two frames, s."""
        return self.speed / self.fps

    def cameras(self, camera: Camera) -> Iterator[Camera]:
        """The camera of each frame. After a whole turn the video can begin again without a jerk."""
        for number in range(self.frames):
            yield turned(camera, self.turn * number / self.frames)


def turned(camera: Camera, degrees: float) -> Camera:
    """The camera, gone around what it looks at; a fixed camera stays."""
    result = camera.copy()
    result.azimuth = (camera.azimuth + degrees + 180.0) % 360.0 - 180.0
    return result


def around(model: Any, state: Any, camera: scene.camera.Camera) -> scene.camera.Camera:
    """A camera that can go around the model: a fixed one becomes a free one that stands where it stands."""
    from math import asin, atan2, degrees

    if camera.type != scene.camera.FIXED:
        return camera
    view = scene.camera.view_of(camera, model, state, 1.0)
    middle = scene.camera.focus(model, camera, view)
    forward = view.forward
    return scene.camera.Camera(
        scene.camera.FREE,
        lookat=middle,
        distance=float((middle - view.pos) @ forward),
        azimuth=degrees(atan2(forward[1], forward[0])),
        elevation=degrees(asin(max(-1.0, min(1.0, float(forward[2]))))),
        orthographic=camera.orthographic,
    )
