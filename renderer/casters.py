"""Which instances each shadow view shows, and which views must be drawn again because something in them moved.

casters.choose(scene)                        # casters.opaque, casters.transparent: for each view a list of Run
casters.bind(unit)                           # the numbers of their instances, `caster_map` in shaders
casters.is_drawn(scene, tile, view, runs)    # whether a tile still shows the same as when it was drawn last
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

import moderngl
import numpy as np

from kinetree.engine.scene import scene as S
from kinetree.engine.scene.scene import Batch, Scene, ShaderFeatures, ShadowView
from kinetree.renderer.pool import Image

WIDTH = 1024  # of the texture with the numbers
NO_CASTER = ShaderFeatures.DECOR | ShaderFeatures.INFINITE | ShaderFeatures.SHADOWLESS


class InstanceRun(NamedTuple):
    """Instances of one batch that a view shows: `count` numbers from `start`."""

    batch: Batch
    start: int
    count: int


class Tile(NamedTuple):
    """A square of a target."""

    target: Image
    x: int
    y: int
    side: int


def casts(batch: Batch) -> bool:
    """Decor, infinite planes and materials that say so cast no shadow."""
    return not batch.kind & NO_CASTER


def sees(view: ShadowView, scene: Scene) -> np.ndarray:
    """(ninstance,) whether an instance's bounding sphere may be in a view."""
    offset = scene.instances[: scene.ninstance, S.POS : S.POS + 3] - view.start.astype(np.float32)
    widths = np.linalg.norm(view.axes[:2], axis=1)
    across = np.abs(offset @ (view.axes[:2] / widths[:, None]).T.astype(np.float32))
    radius = scene.radii[: scene.ninstance, None]
    if view.directional:
        return (across <= widths.astype(np.float32) + radius).all(axis=1)
    depth = (offset @ view.axes[2].astype(np.float32))[:, None]
    slope = widths.astype(np.float32)
    inside = (across <= slope * depth + radius * np.hypot(1.0, slope)).all(axis=1)
    return inside & (depth[:, 0] > -radius[:, 0])


class Casters:
    """Owns the texture with the numbers of the instances."""

    def __init__(self, context: moderngl.Context):
        self._context = context
        self._texture: moderngl.Texture | None = None
        self._numbers = np.zeros(0, np.int64)
        self.opaque: list[list[InstanceRun]] = []
        self.transparent: list[list[InstanceRun]] = []
        self._drawn: dict[Tile, bytes] = {}

    def choose(self, scene: Scene) -> None:
        """Find the runs of opaque and of transparent casters for each view of the scene."""
        numbers: list[np.ndarray] = []
        count = 0
        groups = [[batch for batch in batches if casts(batch)] for batches in (scene.opaque, scene.transparent)]
        chosen = self.opaque, self.transparent = [], []
        for view in scene.shadows:
            seen = sees(view, scene) if view.side else np.zeros(scene.ninstance, bool)
            for batches, runs in zip(groups, chosen):
                found = []
                for batch in batches:
                    inside = batch.first + np.flatnonzero(seen[batch.first : batch.first + batch.count])
                    if len(inside):
                        found.append(InstanceRun(batch, count, len(inside)))
                        numbers.append(inside)
                        count += len(inside)
                runs.append(found)
        self._numbers = np.concatenate([np.zeros(0, np.int64), *numbers])
        self._upload()

    def is_drawn(self, scene: Scene, tile: Tile, view: ShadowView, runs: list[InstanceRun]) -> bool:
        """Whether a tile already shows these casters; the caller draws it if not."""
        digest = blake2b(view.matrix.tobytes(), digest_size=16)
        if scene.section is not None:
            digest.update(scene.section.tobytes())
        for batch, start, count in runs:
            rows = scene.instances[self._numbers[start : start + count]]
            digest.update(f"{batch.shape} {count}".encode())
            digest.update(np.delete(rows, (S.SEGMENT, S.GLOW), axis=1).tobytes())
            if batch.shape in scene.surfaces:
                digest.update(f"serial {scene.surfaces[batch.shape].serial}".encode())
        key = digest.digest()
        if self._drawn.get(tile) == key:
            return True
        self._drawn[tile] = key
        return False

    def keep_only(self, tiles: list[Tile]) -> None:
        """Forget the contents of other tiles of the same target, and of deleted targets."""
        known = set(tiles)
        for tile in [tile for tile in self._drawn if tile not in known]:
            if tile.target is tiles[0].target or isinstance(tile.target.mglo, moderngl.InvalidObject):
                del self._drawn[tile]

    def clear(self) -> None:
        """Forget all tiles: the shapes are others, and everything must be drawn again."""
        self._drawn.clear()

    def bind(self, unit: int) -> None:
        """Make the numbers visible to shaders at `unit`."""
        assert self._texture is not None, "choose() comes first"
        self._texture.use(unit)

    def release(self) -> None:
        """Delete the texture."""
        if self._texture is not None:
            self._texture.release()
        self._texture = None

    def _upload(self) -> None:
        rows = max(1, -(-len(self._numbers) // WIDTH))
        if self._texture is None or rows > self._texture.height:
            self.release()
            self._texture = self._context.texture((WIDTH, 1 << (rows - 1).bit_length()), 1, dtype="f4")
            self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        data = np.zeros((rows, WIDTH), np.float32)
        data.reshape(-1)[: len(self._numbers)] = self._numbers
        self._texture.write(data, viewport=(0, 0, WIDTH, rows))
