"""The scene's instances as a float texture, INSTANCES_PER_ROW in a row.

One upload serves every pass, and a draw call needs only the number of its first instance. OpenGL 4.1 offers
nothing simpler: instanced attributes cannot start anywhere in a buffer (no base instance), and uniform blocks
are too small.
"""

from __future__ import annotations

import moderngl
import numpy as np

from kinetree.engine.scene.scene import NFIELD, Scene
from kinetree.renderer.shader import INSTANCES_PER_ROW

WIDTH = INSTANCES_PER_ROW * NFIELD // 4


class InstanceTexture:
    """Texture with the rows of a scene's instances, which shaders read. Grows as needed; `bind` after `upload`."""

    def __init__(self, context: moderngl.Context):
        self._context = context
        self._texture: moderngl.Texture | None = None
        self._rows = 0

    @property
    def texture(self) -> moderngl.Texture:
        """The texture; there is one after `upload`."""
        assert self._texture is not None, "upload() comes first"
        return self._texture

    def upload(self, scene: Scene) -> None:
        """Copy the scene's instances."""
        rows = max(1, -(-scene.ninstance // INSTANCES_PER_ROW))
        if rows > self._rows:
            self.release()
            self._rows = 1 << (rows - 1).bit_length()
            self._texture = self._context.texture((WIDTH, self._rows), 4, dtype="f4")
            self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        data = scene.instances[: rows * INSTANCES_PER_ROW]
        if len(data) < rows * INSTANCES_PER_ROW:
            data = np.zeros((rows * INSTANCES_PER_ROW, NFIELD), np.float32)
            data[: scene.ninstance] = scene.instances[: scene.ninstance]
        self.texture.write(np.ascontiguousarray(data), viewport=(0, 0, WIDTH, rows))

    def bind(self, unit: int) -> None:
        """Make the texture visible to shaders at `unit`."""
        self.texture.use(unit)

    def release(self) -> None:
        """Delete the texture."""
        if self._texture is not None:
            self._texture.release()
        self._texture, self._rows = None, 0
