"""Compiles the programs of frames in a process of its own: python -m kinetree.renderer.rehearsal

Drivers keep compiled programs on the disk, for every process. Mesa's llvmpipe compiles a program when something is
first drawn with it, for up to half a second, in the thread that draws. So this process draws the window's first frame
too, from its last draw call to its first. The window finds the programs of the last calls compiled when it comes there.

It reads pickles from its standard input, as `packed` makes them, and ends with it. Both ends are Kinetree: it reads
nobody else's pickles. Shapes and images have no content here: compiled programs do not depend on it.
"""

from __future__ import annotations

import contextlib
import copy
import pickle
import signal
import sys
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.platforms.processes import lower_priority
from kinetree.engine.scene.camera import View
from kinetree.engine.scene.effects import Effects, Preset, with_preset
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.scene import (
    NFIELD,
    ROW0,
    ROW1,
    ROW2,
    Batch,
    Mirror,
    Scene,
    ShaderFeatures,
    ShadowView,
    ShapeKind,
    shape_number,
)
from kinetree.renderer.context import NoContext
from kinetree.renderer.frame import Renderer
from kinetree.renderer.resources import CUBE_FACES, Geometry, GpuAssets

READ_OF_MODEL = ("mat_", "mpex_mat_", "nmat", "tex_")
"""Prefixes of the fields of a model that the renderer reads, apart from those of its shapes."""
UNREAD = ("tex_data", "tex_pathadr")
USUAL_SIZE = 810, 630
MOST_TEXELS = 256
"""Side of images here. Programs depend on whether a side is a power of two."""


def packed(scene: Scene, width: int, height: int) -> bytes:
    """A scene to be sent to the process."""
    return pickle.dumps((_plain(scene), width, height), pickle.HIGHEST_PROTOCOL)


def _plain(scene: Scene) -> Scene:
    """The scene without what its programs do not depend on."""
    plain = copy.copy(scene)
    plain.instances, plain.radii = scene.instances[: scene.ninstance], scene.radii[: scene.ninstance]
    plain.labels, plain.cache = [], None
    plain.surfaces = {number: SimpleNamespace(serial=0) for number in scene.surfaces}
    plain.ghost = None if scene.ghost is None else _plain(scene.ghost)
    model: Any = scene.model
    read = [name for name in dir(model) if name.startswith(READ_OF_MODEL) and name not in UNREAD]
    plain.model = _model(float(model.stat.extent), {name: getattr(model, name) for name in read})
    return plain


def _model(extent: float, rest: dict[str, Any]) -> Any:
    return SimpleNamespace(stat=SimpleNamespace(extent=extent), **rest)


class StandIns(GpuAssets):
    """Assets of a model without their content: every shape is one triangle, every image is black."""

    _triangle: Geometry | None = None

    def load(self, model: Any) -> None:
        """Take another model."""
        self.release()
        self.model = model

    def geometry(self, number: int) -> Geometry:
        """The triangle."""
        if self._triangle is None:
            self._triangle = Geometry(self._context, np.zeros((3, 9)), np.arange(3))
        return self._triangle

    def is_closed(self, number: int) -> bool:
        """As are most meshes."""
        return True

    def follow(self, surfaces: dict) -> None:
        """Moving meshes are triangles too."""

    def pixels(self, index: int) -> np.ndarray:
        """A black image."""
        height, width = int(self.model.tex_height[index]), int(self.model.tex_width[index])
        cube = height == CUBE_FACES * width
        sides = (CUBE_FACES * _side(width) if cube else _side(height)), _side(width)
        return np.zeros((*sides, int(self.model.tex_nchannel[index])), np.uint8)

    def release(self) -> None:
        """Delete the triangle too."""
        if self._triangle is not None:
            self._triangle.release()
            self._triangle = None
        super().release()


def _side(length: int) -> int:
    """A side that is no longer than here, and a power of two if `length` is one."""
    if length <= MOST_TEXELS:
        return length
    return MOST_TEXELS if length & (length - 1) == 0 else MOST_TEXELS - 1


def usual(effects: Preset) -> Scene:
    """A scene with a shadow and a mirror: what is not of its surface is drawn in most frames."""
    scene = Scene()
    sky = {"height": 6 * 64, "width": 64, "nchannel": 3, "type": enums.TEXTURE_SKYBOX}
    sides = {f"tex_{name}": np.array([value]) for name, value in sky.items()}
    scene.model = _model(1.0, {"nmat": 0, **sides})
    scene.environment.sky = 0
    scene.effects = Effects(with_preset(VisOptions(), effects))
    x, y, z = np.eye(3)
    scene.view = View(-3.0 * y, y, z, x, -0.1, 0.1, -0.1, 0.1, 0.1, 10.0, False)
    scene.instances = np.zeros((1, NFIELD), np.float32)
    scene.instances[0, [ROW0, ROW0 + 3, ROW1 + 1, ROW1 + 3, ROW2 + 2, ROW2 + 3]] = 1.0
    scene.radii, scene.ninstance = np.ones(1, np.float32), 1
    glossy = ShaderFeatures.PBR | ShaderFeatures.MIRROR
    scene.opaque = [Batch(shape_number(ShapeKind.BOX), glossy, -1, -1, 0, 1, 1, mirror=0)]
    scene.mirrors = [Mirror(np.array([*z, 0.0]), [0], (0.0, 0.0, 1.0, 1.0))]
    whole = np.array([0.0, 0.0, 1.0, 1.0])
    scene.shadows = [ShadowView(np.eye(4), 0, True, 4.0, -2.0 * z, np.stack([2 * x, 2 * y, z]), whole, 512, 0.0, 4.0)]
    return scene


@cache
def be_patient() -> None:
    """Leave the processor to others from now on: the first frame needs nothing more."""
    lower_priority(10)


def main() -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal goes to the window, which ends this
    try:
        renderer = Renderer()
    except NoContext:
        return 1  # the window says what is missing
    device = renderer.device
    device.assets, device.ghost = StandIns(device.context, None), (StandIns(device.context, None), device.ghost[1])
    preset = Preset.PERFORMANCE if device.software else Preset.QUALITY
    renderer.rehearse(usual(preset), *USUAL_SIZE, without=("opaque",))
    with contextlib.suppress(Exception):  # what is wrong with a scene, the window reports
        while True:
            scene, width, height = pickle.load(sys.stdin.buffer)
            renderer.rehearse(scene, width, height)
            be_patient()
    return 0


if __name__ == "__main__":
    sys.exit(main())
