"""Programs from the files in `shaders/`: includes, feature defines, and a cache of compiled programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import moderngl

from kinetree.engine.model.lights import MAXLIGHT, MAXSHADOW
from kinetree.engine.packaged import packaged
from kinetree.engine.scene.lighting import DEFAULT_HORIZON, GLOWING, LEGACY_HIGHLIGHT, TRAITS
from kinetree.engine.scene.scene import FILL_LIGHT, NFIELD

GLASS_BIAS = 0.001  # of a shadow view's depth, in which glass does not darken itself
CAPTURES = 4  # most local reflections of glossy objects
ROUGHEST = 0.6  # what is rougher does not reflect the screen
MIRROR_LEVELS = 5  # mip level of a mirror image that a wholly rough surface shows
FOLDER = packaged("shaders")
INSTANCES_PER_ROW = 64  # of the instance texture
BLOCKS = {"Frame": 0, "Lights": 1, "Shadows": 2, "Surroundings": 3}
SAMPLERS = {
    "instances": 0,
    "color_map": 1,
    "sky_map": 2,
    "shadow_map": 3,
    "shadow_depth": 12,  # where no colours of the scene are read
    "shadow_tint": 14,  # nor its normals
    "caster_map": 1,
    "image_map": 1,
    "cube_map": 1,  # an environment map is made of it, while surfaces may read others
    "mirror_map": 4,
    "ground_map": 5,
    "normal_map": 6,
    "roughness_map": 7,
    "metallic_map": 8,
    "orm_map": 9,
    "occlusion_map": 10,
    "emissive_map": 11,
    "scene_color": 12,
    "scene_depth": 13,
    "scene_normal": 14,
    "mask_map": 15,
    "visibility_map": 15,  # in passes that read no mask
    "layer_depth": 15,  # before anything is outlined
    "bloom_map": 15,
    "brightness_map": 14,
    "surroundings_map": 16,
    "source_map": 17,
    "probe_map": 18,
    "probe_source": 19,
    "reflection_map": 21,
    "indirect_map": 22,
    "captured_map": 23,
    "toned_map": 13,  # when the picture is finished
    "cluster_map": 20,
    "cut_map": 13,  # in passes that read no depth
    "silhouette_map": 12,  # when nothing reads the scene's colours any more
}
LAMP_WORDS = (MAXLIGHT + 31) // 32  # of bits, one for each lamp; a texel has up to four
HARMONICS = 9  # coefficients of spherical harmonics up to degree 2
OCTAHEDRON_BORDER = 1 / 8  # part of a map's side that repeats what lies beyond each edge
CUT_NUMBERS = 1000  # of instances in sums of squares; a float holds sums of 16 of those exactly
# Facts that Python and GLSL share; every stage starts with them.
CONSTANTS = {
    "MAX_LIGHTS": MAXLIGHT,
    "MAX_SHADOWS": MAXSHADOW,
    "LAMP_WORDS": LAMP_WORDS,
    "FILL_LIGHT": FILL_LIGHT,
    "GLASS_BIAS": GLASS_BIAS,
    "MIRROR_LEVELS": f"{MIRROR_LEVELS:.1f}",
    "INSTANCE_TEXELS": NFIELD // 4,
    "INSTANCES_PER_ROW": INSTANCES_PER_ROW,
    "HARMONICS": HARMONICS,
    "OCTAHEDRON_BORDER": OCTAHEDRON_BORDER,
    "CUT_NUMBERS": CUT_NUMBERS,
    "GLOWING": GLOWING,
    "LEGACY_HIGHLIGHT": LEGACY_HIGHLIGHT,
    "CAPTURES": CAPTURES,
    "ROUGHEST": ROUGHEST,
    **TRAITS,
    "STUDIO_HORIZON": f"vec3({', '.join(f'{channel:.6f}' for channel in DEFAULT_HORIZON)})",
}
MOST_PROGRAMS = 64  # a frame with all effects uses up to 40
MOST_ON_SOFTWARE = 16  # which takes 2 to 6 MB for each, and compiles one in some milliseconds
KEPT_FRAMES = 300  # for so long a program is kept in any case
_INCLUDE = re.compile(r'^#include "([^"]+)"\s*$', re.MULTILINE)


@cache
def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def source(name: str, defines: tuple[str, ...] = ()) -> str:
    """The text of one stage with its includes, each once; constants and `defines` follow the version line."""
    seen: set[str] = set()

    def include(match: re.Match) -> str:
        part = match.group(1)
        if part in seen:
            return ""
        seen.add(part)
        return _INCLUDE.sub(include, _read(f"include/{part}"))

    version, _, rest = _INCLUDE.sub(include, _read(name)).partition("\n")
    constants = [f"{constant} {value}" for constant, value in CONSTANTS.items()]
    return "\n".join([version, *(f"#define {define}" for define in (*constants, *defines)), rest])


def uniform(program: moderngl.Program, name: str) -> moderngl.Uniform:
    """A uniform that the program has, to write bytes to. Raises KeyError."""
    member = program[name]
    assert isinstance(member, moderngl.Uniform), f"{name} is another kind of variable"
    return member


class VertexArrays:
    """A vertex array for each program, made at its first use."""

    def __init__(self, make: Callable[[moderngl.Program], moderngl.VertexArray]):
        self._make = make
        self._arrays: dict[int, moderngl.VertexArray] = {}

    def of(self, program: moderngl.Program) -> moderngl.VertexArray:
        """The array for `program`."""
        array = self._arrays.get(program.glo)
        if array is None:
            array = self._arrays[program.glo] = self._make(program)
        return array

    def forget(self, names: list[int]) -> None:
        """Delete the arrays of programs that are gone, by OpenGL's names, which other programs may get."""
        for name in names:
            array = self._arrays.pop(name, None)
            if array is not None:
                array.release()

    def release(self) -> None:
        """Delete every array."""
        self.forget(list(self._arrays))


class Programs:
    """Compiled programs by (vertex file, fragment file, defines). Raises moderngl.Error with the compiler's message.
    Beyond `most` programs, those unused for many frames are deleted: trying effects, lamps and materials compiles
    hundreds in a day.

    screens  for each program the vertex array without vertices: one triangle that covers the viewport
    """

    def __init__(self, context: moderngl.Context, most: int = MOST_PROGRAMS):
        self._context, self._most = context, most
        self._programs: dict[tuple, moderngl.Program] = {}
        self._used: dict[tuple, int] = {}  # the frame that used each last
        self._frame = 0
        self.screens = VertexArrays(lambda program: context.vertex_array(program, []))

    def begin_frame(self) -> list[int]:
        """Delete the oldest programs that the last frames did not use, if there are too many. Returns their OpenGL
        names, so that vertex arrays made for them are dropped too."""
        self._frame += 1
        if len(self._programs) <= self._most:
            return []
        by_age = sorted(self._used, key=self._used.__getitem__)
        old = by_age[: len(by_age) - self._most]
        gone = [self._delete(key) for key in old if self._frame - self._used[key] > KEPT_FRAMES]
        self.screens.forget(gone)
        return gone

    def _delete(self, key: tuple) -> int:
        program = self._programs.pop(key)
        del self._used[key]
        name = program.glo
        program.release()
        return name

    def has(self, vertex: str, fragment: str, defines: tuple[str, ...]) -> bool:
        """Whether the program is compiled."""
        return (vertex, fragment, defines) in self._programs

    def get(self, vertex: str, fragment: str, defines: tuple[str, ...] = ()) -> moderngl.Program:
        """The program, compiled at its first use."""
        key = (vertex, fragment, defines)
        program = self._programs.get(key)
        if program is None:
            program = self._context.program(
                vertex_shader=source(vertex, defines), fragment_shader=source(fragment, defines)
            )
            for name, binding in BLOCKS.items():
                if name in program:
                    program[name] = binding
            for name, unit in SAMPLERS.items():
                if name in program:
                    program[name] = unit
            self._programs[key] = program
        self._used[key] = self._frame
        return program

    def release(self) -> None:
        """Delete every program."""
        self.screens.release()
        for program in self._programs.values():
            program.release()
        self._programs.clear()
        self._used.clear()
