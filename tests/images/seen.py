"""A reference scene as a picture shows it: colours at points of the world, what was drawn at each pixel, shadows and lights
apart.

    seen = picture("07_shadows")                 # drawn at the first look at it, kept for the next measure
    seen.at((0.9, -0.2, 0.0))                    # (3,) mean colour around a point of the world, 0..255
    seen.shade(point)                            # share of the light that shadows leave there, by channel
    seen.with_(skybox=False)                     # the same scene, drawn with other options
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

import numpy as np
import pytest
from PIL import Image

import kinetree
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import Camera, View, view_of
from kinetree.engine.scene.options import Label, VisOptions
from kinetree.engine.scene.rotation import quat_mat
from kinetree.engine.scene.scene import linear
from kinetree.renderer.offscreen import find_camera, release, shared
from tests.conftest import SHARED

SCENES, IMAGES = SHARED / "reference" / "scenes", SHARED / "reference" / "images"
SIZE = 960, 600  # that of the reference's pictures
STEPS = {"12_contacts": 150, "13_decor": 300}
CONTROL = {"13_decor": 0.8}
SHOWN: dict[str, tuple[str, ...]] = {
    "10_fog_haze": ("fog",),
    "12_contacts": ("contactpoint", "contactforce", "transparent"),
    "13_decor": ("joint", "actuator", "camera", "light", "com"),
}
"""Flags that are on in a scene's picture."""


@cache
def compiled(scene: str) -> tuple[Any, Any]:
    """Model and data of a scene, in the state of the reference's pictures."""
    path = SCENES / f"{scene}.xml"
    if not path.exists():
        pytest.skip("no reference scenes beside this checkout")
    model = kinetree.load(path)
    data = kinetree.Data(model)
    if scene in STEPS:
        data.ctrl[:1] = CONTROL.get(scene, 0.0)
        kinetree.step(model, data, STEPS[scene])
        kinetree.forward(model, data)
    else:
        kinetree.kinematics(model, data)
    return model, data


@cache
def reference(name: str) -> np.ndarray:
    """(height, width, 3) float of a reference picture, as "07_shadows.classic"."""
    return np.asarray(Image.open(IMAGES / f"{name}.png").convert("RGB"), float)


class Seen:
    """One scene from one camera with one set of options.

    pixels  (height, width, 3) float, 0..255, as the screen shows them
    """

    def __init__(self, scene: str, camera: str | tuple, changes: tuple, dark: tuple):
        self.scene, self.camera, self._changes, self._dark = scene, camera, changes, dark
        self.model, self.data = compiled(scene)

    @cached_property
    def _camera(self) -> Camera:
        if isinstance(self.camera, str):
            return find_camera(self.model, self.camera)
        lookat, distance, azimuth, elevation = self.camera
        return Camera(lookat=np.array(lookat), distance=distance, azimuth=azimuth, elevation=elevation)

    @cached_property
    def view(self) -> View:
        """The camera's."""
        return view_of(self._camera, self.model, self.data, SIZE[0] / SIZE[1])

    def _look(self, **more: Any) -> VisOptions:
        on = dict.fromkeys(SHOWN.get(self.scene, ()), True)
        changes = {"island": False, **on, **dict(self._changes), **more}
        hidden = changes.pop("without", ())
        look = VisOptions(**changes)
        look.hidden = frozenset(ObjectId("geom", kinetree.name2id(self.model, "geom", name)) for name in hidden)
        return look

    def _read(self, image: str, **more: Any) -> np.ndarray:
        offscreen = shared()
        active = self.model.light_active.copy()
        for name in self._dark:
            self.model.light_active[kinetree.name2id(self.model, "light", name)] = 0
        try:
            with offscreen.renderer.device.context:
                look = self._look(**more)
                self._scene = build(self.model, self.data, look, self._camera, None, offscreen.scene, SIZE)
                return offscreen.renderer.read(self._scene, *SIZE, (image,))[0]
        finally:
            self.model.light_active[:] = active

    @cached_property
    def pixels(self) -> np.ndarray:
        return self._read("image").astype(float)

    @cached_property
    def light(self) -> np.ndarray:
        """(height, width, 3) the picture's linear light, 1 for white."""
        return linear(self.pixels / 255)

    @cached_property
    def distance(self) -> np.ndarray:
        """(height, width) metres along the viewing direction."""
        return self._read("distance")

    @cached_property
    def normal(self) -> np.ndarray:
        """(height, width, 3) normals in the world, zeros where nothing is."""
        return self._read("normal")

    @cached_property
    def geoms(self) -> np.ndarray:
        """(height, width) id of the geom at each pixel, -1 for none."""
        code = self._read("image", segment=True, idcolor=True, albedo=False).astype(int)
        number = code[..., 0] + (code[..., 1] << 8) + (code[..., 2] << 16) - 1
        objects = np.concatenate([self._scene.segments, [[-1, -1]]])[number]
        return np.where(objects[..., 0] == enums.OBJ_GEOM, objects[..., 1], -1)

    def mask(self, *names: str) -> np.ndarray:
        """Pixels of geoms."""
        return np.isin(self.geoms, [kinetree.name2id(self.model, "geom", name) for name in names])

    def inner(self, name: str, margin: int = 3) -> np.ndarray:
        """Pixels of a geom that are `margin` pixels away from its edge."""
        mask = self.mask(name)
        result = mask.copy()
        for axis in (0, 1):
            for shift in range(-margin, margin + 1):
                result &= np.roll(mask, shift, axis)
        return result

    def shown(self, **flags: bool) -> Seen:
        """The same picture with other flags, also such as have the name of an argument of `with_`."""
        return _seen(self.scene, self.camera, tuple({**dict(self._changes), **flags}.items()), self._dark)

    def with_(self, camera: str | tuple | None = None, dark: tuple = (), **changes: Any) -> Seen:
        """The same scene with other options, from another camera or without some lights. `without`: names of geoms that
        are hidden."""
        merged = tuple({**dict(self._changes), **changes}.items())
        return _seen(self.scene, self.camera if camera is None else camera, merged, self._dark + dark)

    def as_in(self, other: str) -> Seen:
        """The same scene as a picture of the reference shows it: "classic", "filament" or "motrix"."""
        result = Seen(self.scene, self.camera, self._changes, self._dark)
        result.pixels = reference(f"{self.scene}.{other}")
        return result

    def pixel(self, points) -> np.ndarray:
        """(..., 2) column and row of points of the world."""
        points = np.asarray(points, float)
        found = self.view.project(points.reshape(-1, 3))[:, :2] * SIZE
        return found.reshape(*points.shape[:-1], 2)

    def at(self, points, size: int = 1) -> np.ndarray:
        """(..., 3) mean colour of the 2 size + 1 pixels square around points of the world."""
        return self.around(self.pixel(points), size)

    def around(self, places, size: int = 1, of: np.ndarray | None = None) -> np.ndarray:
        """Likewise around places (column, row)."""
        places = np.asarray(places, float)
        image = self.pixels if of is None else of
        found = []
        for column, row in np.floor(places.reshape(-1, 2)).astype(int):
            top, left = np.clip(row - size, 0, SIZE[1] - 1), np.clip(column - size, 0, SIZE[0] - 1)
            found.append(image[top : row + size + 1, left : column + size + 1].mean(axis=(0, 1)))
        return np.array(found).reshape(*places.shape[:-1], *image.shape[2:])

    def sees(self, points, *names: str) -> np.ndarray:
        """Which points of the world are not hidden by another geom than those named."""
        column, row = np.moveaxis(np.floor(self.pixel(points)).astype(int), -1, 0)
        inside = (column >= 0) & (column < SIZE[0]) & (row >= 0) & (row < SIZE[1])
        mask = self.mask(*names)
        return inside & mask[np.clip(row, 0, SIZE[1] - 1), np.clip(column, 0, SIZE[0] - 1)]

    def geom(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Position and orientation of a geom."""
        index = kinetree.name2id(self.model, "geom", name)
        return np.array(self.data.geom_xpos[index]), np.array(self.data.geom_xmat[index]).reshape(3, 3)

    def on(self, name: str, points) -> np.ndarray:
        """World points of points in a geom's frame; of a mesh, in that of its file."""
        pos, mat = self.geom(name)
        index = kinetree.name2id(self.model, "geom", name)
        points, mesh = np.asarray(points, float), int(self.model.geom_dataid[index])
        if self.model.geom_type[index] == enums.GEOM_MESH:  # its frame is that of its inertia
            points = (points - self.model.mesh_pos[mesh]) @ quat_mat(self.model.mesh_quat[mesh])
        return pos + points @ mat.T

    def disc(self, name: str, places) -> np.ndarray:
        """(..., 2) column and row on a ball, by fractions of its radius to the right and up."""
        index = kinetree.name2id(self.model, "geom", name)
        pos, radius = np.array(self.data.geom_xpos[index]), float(self.model.geom_size[index][0])
        middle = self.pixel(pos)
        away = np.linalg.norm(pos - self.view.pos)
        scale = SIZE[1] / self.view.height_at(self.view.depth(pos)) * radius * (away / np.sqrt(away**2 - radius**2))
        return middle + np.asarray(places, float) * [scale, -scale]

    def ball(self, name: str, places, size: int = 1) -> np.ndarray:
        """(..., 3) colours on a ball."""
        return self.around(self.disc(name, places), size)

    def shade(self, points, size: int = 1) -> np.ndarray:
        """(..., 3) share of the shown colour that shadows leave, at points of the world."""
        return self.at(points, size) / np.maximum(self.with_(shadow=False).at(points, size), 1.0)

    def of_light(self, name: str, points, size: int = 1) -> np.ndarray:
        """(..., 3) linear light that one lamp adds."""
        places = self.pixel(points)
        dark = self.with_(dark=(name,))
        return self.around(places, size, self.light) - dark.around(places, size, dark.light)

    @cached_property
    def written(self) -> np.ndarray:
        """The picture with the names of the sites."""
        from kinetree.app.pictures.lettering import write

        pixels = self._read("image", label=Label.SITE)
        return write(pixels, self._scene.labels, self._scene.view, 1.0).astype(float)


_scene = ""  # of the pictures that are kept


@cache
def _seen(scene: str, camera: str | tuple, changes: tuple, dark: tuple) -> Seen:
    return Seen(scene, camera, changes, dark)


def picture(scene: str, camera: str = "ref", **changes: Any) -> Seen:
    """A scene of the reference; the same one for the same arguments, until another scene is asked for: the pictures of all
    scenes would take 2 GB."""
    global _scene
    if scene != _scene:
        released()
        _scene = scene
    return _seen(scene, camera, tuple(changes.items()), ())


def released() -> None:
    """Forget every picture, and the renderer with its caches for each model."""
    _seen.cache_clear()
    compiled.cache_clear()
    reference.cache_clear()
    release()
