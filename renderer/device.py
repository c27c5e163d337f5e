"""What passes draw with: the context, compiled programs, the model's assets, instances, and the pool of
textures."""

from __future__ import annotations

import moderngl

from renderer import context as gl
from renderer.instances import InstanceTexture
from renderer.pool import Pool
from renderer.resources import Assets
from renderer.shader import Programs
from renderer.timing import Timing


class Device:
    """Owns every handle of one OpenGL context, apart from the uniform blocks. `calls` counts draw calls."""

    def __init__(self, context: moderngl.Context, model):
        self.context = context
        self.software = gl.is_software(context)
        self.programs = Programs(context)
        self.assets = Assets(context, model)
        self.instances = InstanceTexture(context)
        self.pool = Pool(context)
        self.timing = Timing(context)
        self.calls = 0
        self._screens: dict[int, tuple[moderngl.Program, moderngl.VertexArray]] = {}

    def load(self, model) -> None:
        """Drop the assets; those of `model` are uploaded when they are first drawn."""
        self.assets.release()
        self.assets = Assets(self.context, model)

    def fill_screen(self, program: moderngl.Program) -> None:
        """Draw one triangle that covers the viewport."""
        entry = self._screens.get(program.glo)
        if entry is None or entry[0] is not program:
            entry = self._screens[program.glo] = (program, self.context.vertex_array(program, []))
        entry[1].render(moderngl.TRIANGLES, vertices=3)
        self.calls += 1

    def draw_shape(self, program: moderngl.Program, shape: int, first: int, count: int) -> None:
        """Draw instances `first` to `first + count` of a shape (a scene's shape number)."""
        program["base"] = first
        self.assets.geometry(shape).array(program).render(instances=count)
        self.calls += 1

    def release(self) -> None:
        """Delete everything."""
        for _, array in self._screens.values():
            array.release()
        self._screens.clear()
        self.assets.release()
        self.instances.release()
        self.pool.release()
        self.programs.release()
