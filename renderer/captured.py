"""Local reflections of the model on glossy objects: cube views from the centres of the glossiest ones.

Views exist only for large glossy objects, as they cost time: each draws the model to six sides. The effect "floor"
limits them to scenes with an endless floor, which glossy objects reflect in any case: without the objects on the floor
they would look like glass. Views are drawn when a model is first seen, and again when it has changed and rests
(`Scene.still`): nobody notices a late reflection while things move. A window draws them after its picture, so that the
first one is there sooner (`Renderer.draw_view`). A view is kept like the map of the surroundings (`surroundings.py`),
its first level sharp, with the distances, so that a ball reflects near objects at the right place. Elsewhere the
surroundings are reflected.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from hashlib import blake2b

import moderngl
import numpy as np

from kinetree.engine.scene import scene as S
from kinetree.engine.scene.camera import View
from kinetree.engine.scene.scene import Batch, Scene, ShaderFeatures
from kinetree.renderer import levels
from kinetree.renderer.context import is_software
from kinetree.renderer.shader import CAPTURES, SAMPLERS

FACE = 96  # pixels of a side of each cube face
SIDE = 128  # of a map, level 0
LEVELS = 5
ROUGHNESS = tuple((level / (LEVELS - 1)) ** 1.5 for level in range(LEVELS))  # shaders/include/environment.glsl
SAMPLES = 1, 16, 32, 48, 64
NEAREST = 0.02  # where a view begins, of the radius of the thing in whose middle it is
ALIKE = 4.0  # times as large as that thing: what is around its middle and not larger is not in the view
LEAST_GLOSS = 0.5  # of things that get a view of their own
LEAST_SIZE = 0.03  # radius times gloss, in extents: smaller things do not make views pay
NOT_REFLECTING = ShaderFeatures.DECOR | ShaderFeatures.INFINITE | ShaderFeatures.TWO_SIDED
NOT_CAPTURED = ShaderFeatures.DECOR
FACES = (
    ((1, 0, 0), (0, 0, -1), (0, -1, 0)), ((-1, 0, 0), (0, 0, 1), (0, -1, 0)), ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    ((0, -1, 0), (1, 0, 0), (0, 0, -1)), ((0, 0, 1), (1, 0, 0), (0, -1, 0)), ((0, 0, -1), (-1, 0, 0), (0, -1, 0)),
)  # fmt: skip
"""Of each face of a cube image: where it looks, right and up, as the image counts (y is up there)."""


class CapturePolicy(Enum):
    """Treatment of outdated views in a frame."""

    ALL = CAPTURES  # it draws them
    ONE = 1  # it draws the one that has waited longest
    LATER = 0  # only reports that some are outdated
    KEPT = -1  # it shows those that are there, whatever has changed


class CapturedReflections:
    """Owns the image with the maps of all views, side by side, and the cube image that they are made of.

    pending  numbers of the views that are to be drawn, the one that has waited longest first
    wanted   what is done with those in this frame
    count    how many views there are
    """

    def __init__(self, context: moderngl.Context):
        self._context = context
        self._by_hand = is_software(context) and levels.can_write()  # the driver would compile a program for it
        self._maps: moderngl.Texture | None = None
        self._blank: moderngl.Texture | None = None
        self._cube: moderngl.TextureCube | None = None
        self._digest = b""
        self._places = np.zeros((0, 4), np.float32)  # of the views: middle, and radius of the thing
        self._drawn = np.zeros((CAPTURES, 4), np.float32)  # what shaders know of the maps: `block`
        self.pending: list[int] = []
        self.wanted = CapturePolicy.ALL
        self.count = 0

    def choose(self, scene: Scene) -> None:
        """Decide before a frame where views are taken, and whether they are to be drawn."""
        self.count = 0
        if not most(scene) or scene.segment or scene.wireframe:
            return  # the next frame may show them again
        if self.wanted is not CapturePolicy.KEPT:
            self._choose(scene)
        self.count = len(self._places)

    def _choose(self, scene: Scene) -> None:
        rows = _glossy(scene)
        if not len(rows):
            self.forget()
            return
        digest = _digest(scene) if scene.still or not len(self._places) else self._digest
        if digest != self._digest:
            self._digest = digest
            score = scene.radii[rows] * _gloss(scene.instances[rows])
            chosen = rows[np.argsort(-score, kind="stable")[: most(scene)]]
            places = scene.instances[chosen, S.POS : S.POS + 3]
            self._places = np.concatenate([places, scene.radii[chosen, None]], axis=1)
            waiting = [number for number in self.pending if number < len(chosen)]
            self.pending = waiting + [number for number in range(len(chosen)) if number not in waiting]
        for number in self.due():  # shaders are told before their passes begin
            self._drawn[number] = *self._places[number, :3], captured_depth(scene.model)

    def due(self) -> list[int]:
        """Numbers of the views that this frame draws."""
        return self.pending[: max(self.wanted.value, 0)]

    def block(self) -> np.ndarray:
        """(CAPTURES, 4) float32: middle of each view, and the distance that is kept best; 0 for unused views."""
        block = np.zeros((CAPTURES, 4), np.float32)
        block[: self.count] = self._drawn[: self.count]
        return block

    def bind(self) -> None:
        """Bind the maps."""
        if self._blank is None:
            self._blank = self._context.texture((1, 1), 4, b"\0" * 4)
        (self.maps() if self.count else self._blank).use(SAMPLERS["captured_map"])

    def maps(self) -> moderngl.Texture:
        """The image with all maps."""
        if self._maps is None:
            self._maps = self._context.texture((SIDE * CAPTURES, SIDE), 4, dtype="f2")
            if self._by_hand:
                sides = [SIDE >> level for level in range(LEVELS)]
                empty = [np.zeros((side, side * CAPTURES, 4), np.float16) for side in sides]
                levels.write(self._context, self._maps, empty)
            else:
                self._maps.build_mipmaps(max_level=LEVELS - 1)
            self._maps.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
            self._maps.repeat_x = self._maps.repeat_y = False
        return self._maps

    def keep(self, number: int, level: int, texels: bytes) -> None:
        """Write a level of a view's map: rows of float16 with four channels."""
        side = SIDE >> level
        if self._by_hand:
            image = np.frombuffer(texels, np.float16).reshape(side, side, 4)
            levels.place(self._context, self.maps(), image, level, number * side)
        else:
            self.maps().write(texels, viewport=(number * side, 0, side, side), level=level)

    def cube(self) -> moderngl.TextureCube:
        """The image of one view all around."""
        if self._cube is None:
            self._cube = self._context.texture_cube((FACE, FACE), 4, dtype="f2")
            self._cube.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return self._cube

    def views(self, number: int, scene: Scene) -> list[View]:
        """The six sides that a view looks to."""
        near = max(NEAREST * float(self._places[number, 3]), 1e-4)
        found = []
        for face in FACES:
            forward, right, up = (np.array([x, -z, y], float) for x, y, z in face)
            place = self._places[number, :3].astype(float)
            found.append(View(place, forward, up, right, -near, near, -near, near, near, scene.view.far, False))
        return found

    def shown(self, number: int, scene: Scene) -> list[Batch]:
        """Scene of a view: all opaque objects except the one that it is taken from, and any others around its
        centre.
        """
        place, radius = self._places[number, :3], float(self._places[number, 3])
        away = np.linalg.norm(scene.instances[: scene.ninstance, S.POS : S.POS + 3] - place, axis=1)
        radii = scene.radii[: scene.ninstance]
        around = (away < radii) & (radii < ALIKE * radius)
        return [part for batch in scene.opaque if not batch.kind & NOT_CAPTURED for part in _without(batch, around)]

    def forget(self) -> None:
        """Drop all captures: another model is drawn."""
        self._digest, self._places, self.pending = b"", self._places[:0], []
        self._drawn[:] = 0.0

    def release(self) -> None:
        """Delete the images."""
        for image in (self._maps, self._blank, self._cube):
            if image is not None:
                image.release()
        self._maps = self._blank = self._cube = None
        self.forget()


def most(scene: Scene) -> int:
    """How many views the effect allows."""
    asked = scene.effects.captures
    if asked == "floor":
        return 0 if scene.ground is None else CAPTURES
    return min(int(asked), CAPTURES)


def captured_depth(model) -> float:
    """Distance that views keep best, m."""
    return max(float(model.stat.extent), 1e-6)


def _without(batch: Batch, left_out: np.ndarray) -> list[Batch]:
    """The runs of a batch's instances that are not left out."""
    kept = np.flatnonzero(~left_out[batch.first : batch.first + batch.count])
    runs = np.split(kept, np.flatnonzero(np.diff(kept) > 1) + 1)
    return [
        replace(batch, first=batch.first + int(run[0]), count=len(run), visible=len(run)) for run in runs if len(run)
    ]


def _gloss(rows: np.ndarray) -> np.ndarray:
    """Strength of the reflection of the surroundings in each instance, 0 to 1."""
    return np.maximum(rows[:, S.METALLIC], 0.1) * np.clip(1.0 - rows[:, S.ROUGHNESS], 0.0, 1.0)


def _glossy(scene: Scene) -> np.ndarray:
    """Numbers of the instances that are worth a view, in the order of their segments."""
    found = [
        np.arange(batch.first, batch.first + batch.count)
        for batch in scene.opaque
        if batch.kind & ShaderFeatures.PBR and not batch.kind & NOT_REFLECTING
    ]
    rows = np.concatenate([np.zeros(0, int), *found])
    gloss = _gloss(scene.instances[rows])
    rows = rows[(gloss >= LEAST_GLOSS) & (scene.radii[rows] * gloss >= LEAST_SIZE * captured_depth(scene.model))]
    return rows[np.argsort(scene.instances[rows, S.SEGMENT], kind="stable")]


def _digest(scene: Scene) -> bytes:
    """Tells states apart in which views show something else. What follows the camera does not count."""
    rows = [
        np.arange(batch.first, batch.first + batch.count)
        for batch in scene.opaque
        if not batch.kind & (NOT_CAPTURED | ShaderFeatures.INFINITE)
    ]
    shown = scene.instances[np.concatenate([np.zeros(0, int), *rows])]
    shown = np.delete(shown[np.argsort(shown[:, S.SEGMENT], kind="stable")], S.GLOW, axis=1)
    lights = scene.lights[: scene.nlight]
    lights = lights[lights[:, S.L_SHADOW] != S.FILL_LIGHT]  # the headlight follows the camera
    digest = blake2b(shown.tobytes(), digest_size=16)
    digest.update(np.delete(lights, S.L_SHADOW, axis=1).tobytes())
    digest.update(repr((most(scene), scene.effects.shadowfilter, len(scene.shadows) > 0)).encode())
    if scene.section is not None:
        digest.update(scene.section.tobytes())
    return digest.digest()
