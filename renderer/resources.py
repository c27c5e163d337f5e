"""GPU copies of a model's assets: shapes and textures, made at their first use and kept until released or changed."""

from __future__ import annotations

from collections.abc import Callable

import moderngl
import numpy as np

from engine.scene.scene import Shape, shape_parts
from engine.translation import tr
from renderer import shapes
from renderer.context import is_software

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
        self._arrays: dict[int, tuple[moderngl.Program, moderngl.VertexArray]] = {}

    def write(self, vertices: np.ndarray) -> None:
        """Other vertices, as many as before; the driver need not wait for frames that draw the old ones."""
        self.vertices.orphan()
        self.vertices.write(np.ascontiguousarray(vertices, np.float32))

    def array(self, program: moderngl.Program) -> moderngl.VertexArray:
        """The vertex array for `program`; attributes that it does not use are skipped."""
        entry = self._arrays.get(program.glo)
        if entry is None or entry[0] is not program:
            parts = [("3f", "12x")[name not in program] for name in ATTRIBUTES]
            names = [name for name in ATTRIBUTES if name in program]
            array = self._context.vertex_array(
                program, [(self.vertices, " ".join(parts), *names)], self.indices, index_element_size=4
            )
            entry = self._arrays[program.glo] = (program, array)
        return entry[1]

    def release(self) -> None:
        """Delete buffers and vertex arrays."""
        for _, array in self._arrays.values():
            array.release()
        self._arrays.clear()
        self.vertices.release()
        self.indices.release()


class Assets:
    """Shapes by scene shape number and textures by texture id, of one model."""

    def __init__(self, context: moderngl.Context, model):
        self._context = context
        self._software = is_software(context)
        self.model = model
        self._geometry: dict[int, Geometry] = {}
        self._closed: dict[int, bool] = {}
        self._moving: dict[int, tuple] = {}  # (surface, serial) of what was uploaded
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
        """Add to what is to be told of this model, once."""
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

    def is_closed(self, number: int) -> bool:
        """Whether a mesh has an inside: no edge of its triangles is open. Hulls and height fields have one."""
        known = self._closed.get(number)
        if known is None:
            kind, asset, _ = shape_parts(number)
            known = self._closed[number] = kind is not Shape.MESH or shapes.is_closed(self.model, asset)
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

    def pixels(self, index: int) -> np.ndarray:
        """(height, width, channels) uint8 of a texture, as the model holds it."""
        model = self.model
        height, width = int(model.tex_height[index]), int(model.tex_width[index])
        channels = int(model.tex_nchannel[index])
        start = int(model.tex_adr[index])
        pixels = np.asarray(model.tex_data[start : start + height * width * channels], np.uint8)
        if height == 1 and pixels[:4].tobytes() == b"\xabKTX":  # not taken apart yet: grey
            return np.full((1, 1, channels), 128, np.uint8)
        return pixels.reshape(height, width, channels)

    def texture(self, index: int, color: bool = True):
        """A texture object with mip levels; `color`: decode from sRGB when sampled."""
        key = (index, color)
        texture = self._textures.get(key)
        if texture is None:
            pixels = self.pixels(index)
            if int(self.model.tex_type[index]) == TEXTURE_2D:
                texture = self._texture_2d(pixels, color)
            else:
                texture = self._texture_cube(pixels)
            self._textures[key] = texture
        return texture

    def _texture_2d(self, pixels: np.ndarray, color: bool) -> moderngl.Texture:
        pixels = self.fitting(pixels, "GL_MAX_TEXTURE_SIZE")
        height, width, channels = pixels.shape
        if channels in (1, 2) and color:  # sRGB formats have three or four channels
            gray = np.repeat(pixels[:, :, :1], 3, axis=2)
            pixels = gray if channels == 1 else np.concatenate([gray, pixels[:, :, 1:]], axis=2)
            channels = pixels.shape[2]
        internal = {3: SRGB8, 4: SRGB8_ALPHA8}[channels] if color else None
        texture = self._context.texture(
            (width, height),
            channels,
            np.ascontiguousarray(pixels).tobytes(),
            alignment=1,
            internal_format=internal,
        )
        texture.build_mipmaps()
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        # llvmpipe's anisotropic filter does not end where an infinite plane meets the horizon (Mesa 22.3)
        if not self._software and self._context.max_anisotropy > 1.0:
            texture.anisotropy = min(ANISOTROPY, self._context.max_anisotropy)
        texture.repeat_x = texture.repeat_y = True
        return texture

    def _texture_cube(self, pixels: np.ndarray) -> moderngl.TextureCube:
        height, width, channels = pixels.shape
        if channels != 3:
            pixels = np.repeat(pixels[:, :, :1], 3, axis=2) if channels < 3 else pixels[:, :, :3]
        # one square image on every face, or six below each other
        data = np.ascontiguousarray(pixels)
        if height == width:
            data = np.concatenate([data] * CUBE_FACES)
        faces = np.split(data[: CUBE_FACES * width], CUBE_FACES)
        faces = [self.fitting(face, "GL_MAX_CUBE_MAP_TEXTURE_SIZE") for face in faces]
        data, width = np.concatenate(faces), len(faces[0])
        texture = self._context.texture_cube((width, width), 3, data.tobytes(), alignment=1, internal_format=SRGB8)
        texture.build_mipmaps()
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return texture

    def limit(self, name: str) -> int:
        """A number of OpenGL that says how large images may be, or how many a program reads."""
        return int(self._context.info.get(name) or LEAST_SIDE)

    def fitting(self, pixels: np.ndarray, limit: str) -> np.ndarray:
        """An image that the driver takes: means of as many pixels as must be, where it is too large."""
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
        return np.ascontiguousarray(blocks.mean(axis=(1, 3), dtype=np.float32).round().astype(np.uint8))

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
        """Delete every shape and texture."""
        self._moving.clear()
        for store in (self._geometry, self._textures):
            for item in store.values():
                item.release()
            store.clear()
        for blank in (self._blank_2d, self._blank_cube):
            if blank is not None:
                blank.release()
        self._blank_2d = self._blank_cube = None


def _shape_sources(model, number: int) -> list[np.ndarray]:
    kind, asset, _ = shape_parts(number)
    return shapes.sources(model, kind, asset)


def _texture_sources(model, index: int) -> list[np.ndarray]:
    height, width, channels = (int(a[index]) for a in (model.tex_height, model.tex_width, model.tex_nchannel))
    start = int(model.tex_adr[index])
    form = np.array([height, width, channels, int(model.tex_type[index])])
    return [form, model.tex_data[start : start + height * width * channels]]


def _equal(sources: Callable[..., list[np.ndarray]], old, new, which: int) -> bool:
    """Whether an asset is the same in two models."""
    try:
        mine, theirs = sources(old, which), sources(new, which)
    except IndexError:  # there are fewer of them now
        return False
    return len(mine) == len(theirs) and all(map(np.array_equal, mine, theirs))
