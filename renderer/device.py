"""Resources for the passes: the context, compiled programs, the model's assets, instances, and the pool of textures."""

from __future__ import annotations

import moderngl

from kinetree.renderer import context as gl
from kinetree.renderer.captured import CapturedReflections
from kinetree.renderer.casters import Casters
from kinetree.renderer.halving import Halving
from kinetree.renderer.instances import InstanceTexture
from kinetree.renderer.pool import Image, Pool
from kinetree.renderer.resources import GpuAssets
from kinetree.renderer.shader import MOST_ON_SOFTWARE, MOST_PROGRAMS, Programs
from kinetree.renderer.surroundings import EnvironmentMaps
from kinetree.renderer.timing import Timing


class Device:
    """Owns every handle of one OpenGL context, apart from the uniform blocks. `calls` counts draw calls."""

    def __init__(self, context: moderngl.Context, model):
        self.context = context
        self.software = gl.is_software(context)
        self.programs = Programs(context, MOST_ON_SOFTWARE if self.software else MOST_PROGRAMS)
        self.assets = GpuAssets(context, model)
        self.instances = InstanceTexture(context)
        self.ghost = GpuAssets(context, None), InstanceTexture(context)  # of the other model
        self.casters = Casters(context)
        self.captured = CapturedReflections(context)
        # reads depths of a map that otherwise compares
        self.depths = context.sampler(False, False, False, (moderngl.NEAREST, moderngl.NEAREST), compare_func="")
        self.pool = Pool(context)
        self.most_samples = self.pool.most_samples()
        self.surroundings = EnvironmentMaps(context, self.programs, self.pool)
        self.halving = Halving(context, self.programs) if self.pool.halves else None
        self.timing = Timing(context)
        self.samples = context.query(samples=True)  # how many samples a pass drew
        self.calls = 0

    def load(self, model) -> None:
        """Draw another model. Assets that it does not share with the last one are dropped; its own are uploaded when
        they are first drawn."""
        self.assets.load(model)
        self.casters.clear()
        self.captured.forget()
        self.surroundings.keep_only(self.assets)

    def begin_frame(self, has_ghost: bool) -> None:
        """Delete what the last frames did not use."""
        self.calls = 0
        gone = self.programs.begin_frame()
        ghost, instances = self.ghost
        for assets in (self.assets, ghost):
            assets.forget(gone)
        if ghost.model is not None and not has_ghost:  # a comparison has ended
            ghost.release()
            ghost.load(None)
            instances.release()

    def make_levels(self, texture: Image, count: int) -> None:
        """Make the mip levels of a texture from its drawn level 0; `count` levels with it."""
        if self.halving is not None and isinstance(texture, moderngl.Texture):
            self.halving.fill(texture, count)
        else:
            texture.build_mipmaps(max_level=count - 1)

    def fill_screen(self, program: moderngl.Program) -> None:
        """Draw one triangle that covers the viewport."""
        self.programs.screens.of(program).render(moderngl.TRIANGLES, vertices=3)
        self.calls += 1

    def draw_shape(
        self, program: moderngl.Program, shape: int, first: int, count: int, assets: GpuAssets | None = None
    ) -> None:
        """Draw instances `first` to `first + count` of a shape (a scene's shape number), of the model that is drawn or
        of other `assets`."""
        program["base"] = first
        (self.assets if assets is None else assets).geometry(shape).array(program).render(instances=count)
        self.calls += 1

    def release(self) -> None:
        """Delete everything."""
        for owner in (self.surroundings, self.assets, self.instances, self.casters, self.captured, *self.ghost):
            owner.release()
        if self.halving is not None:
            self.halving.release()
        self.depths.release()
        self.pool.release()
        self.programs.release()
