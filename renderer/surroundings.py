"""Image-based lighting: environment maps for physically based materials, made from a cube image at its first use.

A map is a square texture of directions (`shaders/include/octahedron.glsl`). Its mip levels are the image as surfaces of
growing roughness reflect it; nine coefficients (spherical harmonics up to degree 2) give the light that a matte surface
gets. Making one takes 20 to 40 ms on software OpenGL, so it is kept as long as its image.
"""

from __future__ import annotations

from dataclasses import dataclass

import moderngl
import numpy as np

from kinetree.engine.scene.scene import Scene, ShaderFeatures, encoded
from kinetree.renderer import levels
from kinetree.renderer.context import is_software
from kinetree.renderer.pool import Pool, TargetFormat, TextureSpec
from kinetree.renderer.resources import GpuAssets
from kinetree.renderer.shader import OCTAHEDRON_BORDER, SAMPLERS, Programs

SIDE = 128  # of a map, level 0
LEVELS = 5
ROUGHNESS = tuple(0.1 + 0.9 * (level / (LEVELS - 1)) ** 2 for level in range(LEVELS))
SAMPLES = 16, 32, 48, 64, 64
HARMONICS_SIDE = 32
STUDIO_SIDE = 64  # of a face of the default surroundings


@dataclass(frozen=True, slots=True)
class Map:
    """Lighting data of one image. `full` and `upper`: (9, 3) coefficients of the light of all directions, and of those
    above the horizon; first of its colours decoded, then of its numbers as they are.
    """

    source: moderngl.TextureCube
    texture: moderngl.Texture
    full: tuple[np.ndarray, ...]
    upper: tuple[np.ndarray, ...]


class EnvironmentMaps:
    """Owns the maps of one context."""

    def __init__(self, context: moderngl.Context, programs: Programs, pool: Pool):
        self._context, self._programs, self._pool = context, programs, pool
        self._software = is_software(context)
        self._maps: dict[int, Map] = {}
        self._studio: moderngl.TextureCube | None = None
        self._blank: moderngl.Texture | None = None

    def bind(self, scene: Scene, assets: GpuAssets) -> np.ndarray:
        """Bind the maps of a scene; (12, 4) float32 for the Surroundings block."""
        block = np.zeros((12, 4), np.float32)
        environment = scene.environment
        batches = *scene.opaque, *scene.transparent
        if not environment.image_light and not any(batch.kind & ShaderFeatures.PBR for batch in batches):
            self._use("surroundings_map", "source_map", None, assets)
            return block
        made = self._map(environment.source, assets)
        self._use("surroundings_map", "source_map", made, assets)
        matte = made if environment.matte < 0 else self._map(environment.matte, assets)
        coefficients = matte.full if scene.ground is None else matte.upper
        block[:9, :3] = coefficients[environment.numbers] * environment.diffuse
        block[9] = _sharpness(made.source), environment.env_intensity, environment.diffuse, 0.0
        probe = environment.probe
        if probe is not None:
            shown = self._map(probe[0], assets)
            self._use("probe_map", "probe_source", shown, assets)
            block[10, :3], block[10, 3] = probe[1], _sharpness(shown.source)
            block[11, :3] = np.maximum(probe[2], 1e-6)
        return block

    def _use(self, name: str, source: str, made: Map | None, assets: GpuAssets) -> None:
        if self._blank is None:
            self._blank = self._context.texture((1, 1), 4, b"\0" * 4)
        (self._blank if made is None else made.texture).use(SAMPLERS[name])
        (assets.blank_cube() if made is None else made.source).use(SAMPLERS[source])

    def _map(self, texture: int, assets: GpuAssets) -> Map:
        source = assets.texture(texture) if texture >= 0 else None
        if not isinstance(source, moderngl.TextureCube):  # no picture of all directions
            source = self._default()
        known = self._maps.get(texture)
        if known is None or known.source is not source:
            if known is not None:
                known.texture.release()
            known = self._maps[texture] = self._make(source)
        return known

    def _default(self) -> moderngl.TextureCube:
        if self._studio is None:
            faces = studio(STUDIO_SIDE).astype(np.float16).reshape(6, STUDIO_SIDE, STUDIO_SIDE, 4)
            self._studio = self._context.texture_cube((STUDIO_SIDE, STUDIO_SIDE), 4, faces.tobytes(), dtype="f2")
            if not (self._software and levels.make(self._context, self._studio, faces, None)):
                self._studio.build_mipmaps()
            self._studio.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return self._studio

    def _make(self, source: moderngl.TextureCube) -> Map:
        context = self._context
        context.enable_only(moderngl.NOTHING)
        texture = context.texture((SIDE, SIDE), 4, dtype="f2")
        images = [
            np.frombuffer(self.drawn(source, SIDE >> level, roughness, samples), np.float16).reshape(
                SIDE >> level, SIDE >> level, 4
            )
            for level, (roughness, samples) in enumerate(zip(ROUGHNESS, SAMPLES))
        ]
        if self._software and levels.can_write():
            levels.write(context, texture, images)
        else:
            texture.build_mipmaps(max_level=LEVELS - 1)
            for level, image in enumerate(images):
                texture.write(image.tobytes(), level=level)
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        texture.repeat_x = texture.repeat_y = False
        detail = np.log2(max(source.size[0] / HARMONICS_SIDE, 1.0)) + 1.0
        data = np.frombuffer(self.drawn(source, HARMONICS_SIDE, -detail, 0), np.float16)
        light = data.reshape(HARMONICS_SIDE, HARMONICS_SIDE, 4)[:, :, :3].astype(float)
        both = light, encoded(light)
        full, upper = (tuple(harmonics(each, above) for each in both) for above in (False, True))
        return Map(source, texture, full, upper)

    def keep_only(self, assets: GpuAssets) -> None:
        """Delete the maps of images that are gone."""
        for key, made in list(self._maps.items()):
            if made.source is not self._studio and not assets.has_texture(made.source):
                self._maps.pop(key).texture.release()

    def drawn(self, source: moderngl.TextureCube, side: int, roughness: float, samples: int) -> bytes:
        """(side, side, 4) float16 of one level of a map."""
        spec = TextureSpec(TargetFormat.RGBA16F, side, side)
        texture = self._pool.acquire(spec)
        framebuffer = self._pool.framebuffer([texture])
        framebuffer.use()
        framebuffer.viewport = (0, 0, side, side)
        program = self._programs.get("screen.vert", "prefilter.frag")
        source.use(SAMPLERS["cube_map"])
        for name, value in (("side", float(side)), ("roughness", float(roughness)), ("samples", samples)):
            program[name] = value
        self._programs.screens.of(program).render(moderngl.TRIANGLES, vertices=3)
        data = framebuffer.read(components=4, dtype="f2", alignment=1)
        self._pool.give_back(spec, texture)
        return data

    def release(self) -> None:
        """Delete every map."""
        for made in self._maps.values():
            made.texture.release()
        self._maps.clear()
        for texture in (self._studio, self._blank):
            if texture is not None:
                texture.release()
        self._studio = self._blank = None


def _sharpness(source: moderngl.TextureCube) -> float:
    """Texels of an image in a radian."""
    return source.size[0] / (0.5 * np.pi)


def directions(side: int) -> np.ndarray:
    """(side, side, 3) unit vectors of the texels of a map, rows from the bottom up."""
    place = (np.arange(side) + 0.5) / side
    p = (np.stack(np.meshgrid(place, place), axis=-1) - 0.5) / (0.5 - OCTAHEDRON_BORDER)
    for along in (0, 1):
        beyond = np.abs(p[..., along]) > 1
        folded = -p
        folded[..., along] = np.sign(p[..., along]) * 2 - p[..., along]
        p = np.where(beyond[..., None], folded, p)
    z = 1 - np.abs(p).sum(axis=-1)
    under = (1 - np.abs(p[..., ::-1])) * np.where(p >= 0, 1, -1)
    p = np.where(z[..., None] < 0, under, p)
    found = np.concatenate([p, z[..., None]], axis=-1)
    return found / np.linalg.norm(found, axis=-1, keepdims=True)


def basis(direction: np.ndarray) -> np.ndarray:
    """(..., 9) real spherical harmonics up to degree 2 (Ramamoorthi and Hanrahan 2001)."""
    x, y, z = np.moveaxis(direction, -1, 0)
    one = np.ones_like(x)
    return np.stack(
        [
            0.282095 * one, 0.488603 * y, 0.488603 * z, 0.488603 * x, 1.092548 * x * y, 1.092548 * y * z,
            0.315392 * (3 * z * z - 1), 1.092548 * x * z, 0.546274 * (x * x - y * y),
        ],
        axis=-1,
    )  # fmt: skip


DEGREE = np.array([1.0, *[2 / 3] * 3, *[1 / 4] * 5])  # of a matter surface's cosine, divided by pi


def harmonics(light: np.ndarray, above: bool = False) -> np.ndarray:
    """(9, 3) coefficients of the light that a white matte surface reflects under `light` (side, side, 3), a map;
    `above`: without light from below the horizon.
    """
    side = len(light)
    place = np.abs((np.arange(side) + 0.5) / side - 0.5) < 0.5 - OCTAHEDRON_BORDER
    toward = directions(side)[place][:, place].reshape(-1, 3)
    light = light[place][:, place].reshape(-1, 3)
    weight = np.abs(toward).sum(axis=1) ** 3  # a texel's solid angle
    weight *= 4 * np.pi / weight.sum()
    if above:
        weight = weight * (toward[:, 2] > 0)
    return (basis(toward) * weight[:, None]).T @ light * DEGREE[:, None]


def studio(side: int) -> np.ndarray:
    """(6 side, side, 4) linear light of the default surroundings as a cube image: a dim room with a large soft lamp
    above, two at the sides and a weak one behind."""
    across = (2 * (np.arange(side) + 0.5) / side - 1)[None, :] * np.ones((side, 1))
    down, one = across.T, np.ones((side, side))
    faces = np.stack(
        [
            np.stack([one, -down, -across], -1), np.stack([-one, -down, across], -1), np.stack([across, one, down], -1),
            np.stack([across, -one, -down], -1), np.stack([across, -down, one], -1),
            np.stack([-across, -down, -one], -1),
        ]
    )  # fmt: skip
    image = faces / np.linalg.norm(faces, axis=-1, keepdims=True)
    toward = np.stack([image[..., 0], -image[..., 2], image[..., 1]], axis=-1)  # y is up in the image
    z = toward[..., 2]
    walls = np.interp(z, [-1.0, -0.2, 0.05, 0.4, 1.0], [0.03, 0.07, 0.26, 0.17, 0.1])[..., None]
    light = walls * np.array([0.94, 0.98, 1.06])
    for where, width, height, strength, color in STUDIO_LAMPS:
        light = light + strength * _lamp(toward, where, width, height)[..., None] * np.array(color)
    return np.concatenate([light, np.ones((*light.shape[:3], 1))], axis=-1).reshape(6 * side, side, 4)


STUDIO_LAMPS = (
    ((0.15, -0.25, 1.0), 0.75, 0.45, 3.2, (1.0, 0.98, 0.95)),
    ((-1.0, -0.5, 0.35), 0.22, 0.6, 2.2, (1.0, 0.96, 0.9)),
    ((1.0, -0.35, 0.25), 0.16, 0.6, 1.6, (0.88, 0.94, 1.0)),
    ((0.1, 1.0, 0.4), 0.9, 0.12, 1.0, (0.95, 0.98, 1.0)),
)
"""Direction, half width and half height (tangents), brightness and colour of the lamps of the studio."""


def _lamp(toward: np.ndarray, where, width: float, height: float) -> np.ndarray:
    """Share of a rectangular lamp with soft edges that is seen in each direction."""
    axis = np.array(where) / np.linalg.norm(where)
    side = np.cross([0.0, 0.0, 1.0], axis)
    side /= max(np.linalg.norm(side), 1e-6)
    depth = toward @ axis
    safe = np.maximum(depth, 1e-6)
    u, v = np.abs(toward @ side) / safe, np.abs(toward @ np.cross(axis, side)) / safe
    soft = 0.25
    edge = np.clip((width - u) / (soft * width) + 0.5, 0, 1) * np.clip((height - v) / (soft * height) + 0.5, 0, 1)
    return np.where(depth > 0, edge * edge * (3 - 2 * edge), 0.0)
