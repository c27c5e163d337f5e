"""Facts that Python and GLSL share agree."""

import re

import pytest
from moderngl import UniformBlock

from kinetree.engine.model.lights import MAXLIGHT, MAXSHADOW
from kinetree.engine.scene.scene import NFIELD
from kinetree.renderer import context as gl
from kinetree.renderer.blocks import SIZES
from kinetree.renderer.shader import BLOCKS, FOLDER, Programs, source

FILES = sorted(path.name for path in FOLDER.glob("*.*"))


@pytest.mark.parametrize("name", FILES)
def test_limits_come_from_python(name):
    text = source(name)
    assert f"#define MAX_LIGHTS {MAXLIGHT}\n" in text and f"#define MAX_SHADOWS {MAXSHADOW}\n" in text
    assert f"#define INSTANCE_TEXELS {NFIELD // 4}\n" in text
    sizes = set(re.findall(r"(\w+)\[\d+\]", re.sub(r"//.*", "", text)))
    assert sizes <= {"gl_ClipDistance"}, "an array's size is written in GLSL"


def test_uniform_blocks_are_as_large_as_python_fills_them():
    context = gl.headless()
    with context:
        programs = Programs(context)
        defines = "SHADOWS", "LOCAL_LIGHTS", "FOG", "PBR", "FAR_TRAITS 15", "NEAR_TRAITS 15"
        program = programs.get("instance.vert", "surface.frag", defines)
        blocks = {name: program[name] for name in BLOCKS}
        assert {name: each.size for name, each in blocks.items() if isinstance(each, UniformBlock)} == SIZES
        programs.release()
    context.release()
