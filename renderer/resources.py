"""GPU copies of a model's assets: shapes and textures, made at their first use and kept until released or changed."""

from __future__ import annotations

from collections.abc import Callable

import moderngl
import numpy as np

from kinetree.engine import resources
from kinetree.engine.model import enums
from kinetree.engine.resources.image import BadImage
from kinetree.engine.scene.scene import ShapeKind, shape_parts
from kinetree.engine.translation import tr
from kinetree.renderer import levels as mip
from kinetree.renderer import shapes
from kinetree.renderer.context import is_software
from kinetree.renderer.shader import VertexArrays

SRGB8, SRGB8_ALPHA8 = 0x8C41, 0x8C43
ANISOTROPY = 8.0
LEAST_SIDE = 8192  # of images that a driver takes which does not say
CUBE_FACES = 6
TEXTURE_2D = 0
TYPE_CUBE, TYPE_SKYBOX = 1, 2
FORMAT = "3f 3f 3f"
ATTRIBUTES = ("in_position", "in_normal", "in_texcoord")


class Geometry:
    """One shape's buffers, and a vertex array for each program that drew it."""

    def __init__(self, context: moderngl.Context, vertices: np.ndarray, faces: np.ndarray):
        self._context = context
        self.vertices = context.buffer(np.ascontiguousarray(vertices, np.float32).tobytes())
        self.indices = context.buffer(np.ascontiguousarray(faces, np.uint32).tobytes())
        self.faces = len(faces)
        self._arrays = VertexArrays(self._array)

    def write(self, vertices: np.ndarray) -> None:
        """Replace the vertices by as many others; the driver need not wait for frames that draw the old ones."""
        self.vertices.orphan()
        self.vertices.write(np.ascontiguousarray(vertices, np.float32))

    def array(self, program: moderngl.Program) -> moderngl.VertexArray:
        """The vertex array for `program`."""
        return self._arrays.of(program)

    def _array(self, program: moderngl.Program) -> moderngl.VertexArray:
        """Attributes that the program does not use are skipped."""
        parts = [("3f", "12x")[name not in program] for name in ATTRIBUTES]
        names = [name for name in ATTRIBUTES if name in program]
        return self._context.vertex_array(
            program, [(self.vertices, " ".join(parts), *names)], self.indices, index_element_size=4
        )

    def forget(self, names: list[int]) -> None:
        """Drop the vertex arrays of deleted programs, given by their OpenGL names."""
        self._arrays.forget(names)

    def release(self) -> None:
        """Delete buffers and vertex arrays."""
        self._arrays.release()
        self.vertices.release()
        self.indices.release()


class GpuAssets:
    """Shapes by scene shape number and textures by texture id, of one model."""

    def __init__(self, context: moderngl.Context, model):
        self._context = context
        self._software = is_software(context)
        self.model = model
        self._geometry: dict[int, Geometry] = {}
        self._closed: dict[int, bool] = {}
        self._moving: dict[int, tuple] = {}  # (surface, serial) of the uploaded mesh
        self._textures: dict[tuple[int, bool], moderngl.Texture | moderngl.TextureCube] = {}
        self.remarks: list[str] = []  # what could not be drawn as it is
        self._blank_2d: moderngl.Texture | None = None
        self._blank_cube: moderngl.TextureCube | None = None

    def load(self, model) -> None:
        """Take another model. What it has in common with the last one stays: an edit of a model rarely changes a mesh
        or an image. The same model again is one that was changed in place: nothing stays."""
        old, self.model = self.model, model
        self.remarks = []
        self._closed.clear()
        kept = old is not None and model is not None and old is not model
        for number in list(self._geometry):
            if number not in self._moving and not (kept and _equal(_shape_sources, old, model, number)):
                self._geometry.pop(number).release()
        for key in list(self._textures):
            if not (kept and _equal(_texture_sources, old, model, key[0])):
                self._textures.pop(key).release()

    def tell(self, remark: str) -> None:
        """Add a remark about this model, once."""
        if remark not in self.remarks:
            self.remarks.append(remark)

    def geometry(self, number: int) -> Geometry:
        """The buffers of a shape."""
        geometry = self._geometry.get(number)
        if geometry is None:
            kind, asset, lod = shape_parts(number)
            geometry = Geometry(self._context, *shapes.triangles(self.model, kind, asset, lod))
            self._geometry[number] = geometry
        return geometry

    def forget(self, names: list[int]) -> None:
        """Drop the vertex arrays of deleted programs, given by their OpenGL names."""
        for geometry in self._geometry.values():
            geometry.forget(names)

    def is_closed(self, number: int) -> bool:
        """Whether a mesh has an inside: no edge of its triangles is open. Hulls and height fields have one."""
        known = self._closed.get(number)
        if known is None:
            kind, asset, _ = shape_parts(number)
            known = self._closed[number] = kind is not ShapeKind.MESH or shapes.is_closed(self.model, asset)
        return known

    def follow(self, surfaces: dict) -> None:
        """Upload the scene's moving meshes that changed since they were last uploaded."""
        for number in [number for number in self._moving if number not in surfaces]:
            del self._moving[number]
            self._geometry.pop(number).release()
        for number, surface in surfaces.items():
            known, serial = self._moving.get(number, (None, -1))
            if known is not surface:
                if known is not None:
                    self._geometry.pop(number).release()
                self._geometry[number] = Geometry(self._context, surface.vertices, surface.faces)
            elif serial != surface.serial:
                self._geometry[number].write(surface.vertices)
            self._moving[number] = (surface, surface.serial)

    def has_texture(self, texture: moderngl.TextureCube) -> bool:
        """Whether a cube texture belongs to these assets."""
        return any(each is texture for each in self._textures.values())

    def pixels(self, index: int) -> np.ndarray:
        """(height, width, channels) uint8 of a texture, as the model holds it."""
        model = self.model
        height, width = int(model.tex_height[index]), int(model.tex_width[index])
        channels = int(model.tex_nchannel[index])
        start = int(model.tex_adr[index])
        pixels = np.asarray(model.tex_data[start : start + height * width * channels], np.uint8)
        return pixels.reshape(height, width, channels)

    def texture(self, index: int, color: bool = True):
        """A texture object with mip levels; `color`: decode from sRGB when sampled. A KTX file says by itself whether
        its colours are sRGB, unless the texture's colorspace does."""
        key = (index, color)
        texture = self._textures.get(key)
        if texture is None:
            pixels = self.pixels(index)
            flat = int(self.model.tex_type[index]) == TEXTURE_2D
            if len(pixels) == 1 and resources.ktx.is_ktx(pixels.reshape(-1)[: len(resources.ktx.MAGIC)].tobytes()):
                color = color and int(self.model.tex_colorspace[index]) == enums.COLORSPACE_SRGB
                levels = self._file(pixels.reshape(-1)[: pixels.shape[1]].tobytes(), flat)
            elif flat:
                levels = [_colored(pixels)[None]]
            else:
                levels, color = [_faces(_colored(pixels))], True
            texture = self._texture_2d(levels, color) if flat else self._texture_cube(levels[0], color)
            self._textures[key] = texture
        return texture

    def _file(self, data: bytes, flat: bool) -> list[np.ndarray]:
        """The levels of a KTX file, each (faces, height, width, 3 or 4); grey where it cannot be read."""
        try:
            levels = list(resources.ktx.read(data).levels)
        except BadImage as error:  # only a model that the compiler has not checked
            self.tell(str(error))
            return [np.full((1 if flat else CUBE_FACES, 1, 1, 3), 128, np.uint8)]
        faces, height, width, _ = levels[0].shape
        if flat or faces == CUBE_FACES:
            return levels
        side = min(height, width)
        return [np.repeat(levels[0][:, :side, :side], CUBE_FACES, axis=0)]

    def _texture_2d(self, levels: list[np.ndarray], decoded: bool) -> moderngl.Texture:
        """Of a file's levels, which may be one; missing ones are made."""
        most = self.limit("GL_MAX_TEXTURE_SIZE")
        while len(levels) > 1 and max(levels[0].shape[1:3]) > most:
            levels = levels[1:]
        first = self.fitting(levels[0][0], "GL_MAX_TEXTURE_SIZE")
        height, width, channels = first.shape
        internal = _internal(first, decoded)
        texture = self._context.texture(
            (width, height),
            channels,
            np.ascontiguousarray(first).tobytes(),
            alignment=1,
            dtype=_dtype(first),
            internal_format=internal,
        )
        if len(levels) > 1:
            texture.build_mipmaps(max_level=len(levels) - 1)
            for number, level in enumerate(levels[1:], 1):
                texture.write(np.ascontiguousarray(level[0]).tobytes(), level=number, alignment=1)
        elif not (self._software and mip.make(self._context, texture, first, internal)):
            texture.build_mipmaps()
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        # llvmpipe's anisotropic filter does not end where an infinite plane meets the horizon (Mesa 22.3)
        if not self._software and self._context.max_anisotropy > 1.0:
            texture.anisotropy = min(ANISOTROPY, self._context.max_anisotropy)
        texture.repeat_x = texture.repeat_y = True
        return texture

    def _texture_cube(self, faces: np.ndarray, decoded: bool) -> moderngl.TextureCube:
        """Of (6, side, side, 3 or 4); its smaller levels are made, as moderngl writes none."""
        fitted = np.stack([self.fitting(face[..., :3], "GL_MAX_CUBE_MAP_TEXTURE_SIZE") for face in faces])
        side, internal = fitted.shape[1], _internal(fitted, decoded)
        texture = self._context.texture_cube(
            (side, side),
            3,
            np.ascontiguousarray(fitted).tobytes(),
            alignment=1,
            dtype=_dtype(fitted),
            internal_format=internal,
        )
        if not (self._software and mip.make(self._context, texture, fitted, internal)):
            texture.build_mipmaps()
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return texture

    def limit(self, name: str) -> int:
        """A number of OpenGL that says how large images may be, or how many a program reads."""
        return int(self._context.info.get(name) or LEAST_SIDE)

    def fitting(self, pixels: np.ndarray, limit: str) -> np.ndarray:
        """Scale an image down, by averaging blocks of pixels, if it is larger than the driver allows."""
        height, width, channels = pixels.shape
        most = self.limit(limit)
        step = -(-max(height, width) // most)
        if step <= 1:
            return pixels
        remark = tr(
            "an image of {width} x {height} pixels is larger than the graphics driver takes ({most}): it is shown "
            "smaller",
            width=width,
            height=height,
            most=most,
        )
        self.tell(remark)
        tall, broad = min(step, height), min(step, width)
        high, wide = height // tall, width // broad
        blocks = pixels[: high * tall, : wide * broad].reshape(high, tall, wide, broad, channels)
        means = blocks.mean(axis=(1, 3), dtype=np.float32)
        return np.ascontiguousarray((means.round() if pixels.dtype == np.uint8 else means).astype(pixels.dtype))

    def blank_2d(self) -> moderngl.Texture:
        """One white pixel."""
        if self._blank_2d is None:
            self._blank_2d = self._context.texture((1, 1), 3, b"\xff" * 3, alignment=1)
        return self._blank_2d

    def blank_cube(self) -> moderngl.TextureCube:
        """Six white pixels."""
        if self._blank_cube is None:
            self._blank_cube = self._context.texture_cube((1, 1), 3, b"\xff" * 18, alignment=1)
        return self._blank_cube

    def release(self) -> None:
        """Delete every shape and texture. They are made again where they are wanted."""
        self._moving.clear()
        for store in (self._geometry, self._textures):
            for item in store.values():
                item.release()
            store.clear()
        for blank in (self._blank_2d, self._blank_cube):
            if blank is not None:
                blank.release()
        self._blank_2d = self._blank_cube = None


def _colored(pixels: np.ndarray) -> np.ndarray:
    """(height, width, 3 or 4) of an image that may be grey."""
    if pixels.shape[2] > 2:
        return pixels
    return np.concatenate([np.repeat(pixels[:, :, :1], 3, axis=2), pixels[:, :, 1:]], axis=2)


def _faces(pixels: np.ndarray) -> np.ndarray:
    """(6, side, side, channels) of one square image for every face, or of six below each other."""
    side = pixels.shape[1]
    if len(pixels) == side:
        return np.repeat(pixels[None], CUBE_FACES, axis=0)
    return pixels[: CUBE_FACES * side].reshape(CUBE_FACES, side, side, -1)


def _dtype(pixels: np.ndarray) -> str:
    return "f1" if pixels.dtype == np.uint8 else "f2"


def _internal(pixels: np.ndarray, decoded: bool) -> int | None:
    """The format that decodes sRGB; None for light that is linear already."""
    return {3: SRGB8, 4: SRGB8_ALPHA8}[pixels.shape[-1]] if decoded and pixels.dtype == np.uint8 else None


def _shape_sources(model, number: int) -> list[np.ndarray]:
    kind, asset, _ = shape_parts(number)
    return shapes.sources(model, kind, asset)


def _texture_sources(model, index: int) -> list[np.ndarray]:
    height, width, channels = (int(a[index]) for a in (model.tex_height, model.tex_width, model.tex_nchannel))
    start = int(model.tex_adr[index])
    form = np.array([height, width, channels, int(model.tex_type[index]), int(model.tex_colorspace[index])])
    return [form, model.tex_data[start : start + height * width * channels]]


def _equal(sources: Callable[..., list[np.ndarray]], old, new, which: int) -> bool:
    """Whether an asset is the same in two models."""
    try:
        mine, theirs = sources(old, which), sources(new, which)
    except IndexError:  # there are fewer of them now
        return False
    return len(mine) == len(theirs) and all(map(np.array_equal, mine, theirs))
