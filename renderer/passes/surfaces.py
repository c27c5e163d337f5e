"""Drawing batches of lit surfaces, shared by the opaque, transparent and mirror passes."""

from __future__ import annotations

import moderngl

from engine.model.enums import (
    TEXROLE_EMISSIVE,
    TEXROLE_METALLIC,
    TEXROLE_NORMAL,
    TEXROLE_OCCLUSION,
    TEXROLE_ORM,
    TEXROLE_ROUGHNESS,
    TEXTURE_2D,
)
from engine.scene.scene import Batch, Kind, Scene
from renderer.graph import Job
from renderer.resources import Assets
from renderer.shader import SAMPLERS, uniform
from renderer.viewpoint import Viewpoint

PREMULTIPLIED = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA  # blending of colours that are multiplied by alpha

KIND_DEFINES = (
    (Kind.TEXTURE_2D, "TEXTURE_2D"),
    (Kind.TEXTURE_CUBE, "TEXTURE_CUBE"),
    (Kind.TEXTURE_MESH, "TEXTURE_MESH"),
    (Kind.PBR, "PBR"),
    (Kind.MIRROR, "MIRROR"),
    (Kind.INFINITE, "INFINITE"),
    (Kind.TWO_SIDED, "TWO_SIDED"),
)

# texture layers: sampler and role (mjtTextureRole)
LAYERS = (
    ("occlusion", TEXROLE_OCCLUSION),
    ("roughness", TEXROLE_ROUGHNESS),
    ("metallic", TEXROLE_METALLIC),
    ("normal", TEXROLE_NORMAL),
    ("emissive", TEXROLE_EMISSIVE),
    ("orm", TEXROLE_ORM),
)


def layer(model, material: int, role: int) -> int:
    """The texture id that a material has in a role, -1: none; only 2d textures serve as layers."""
    texture = int(model.mat_texid[material].reshape(-1)[role])
    return texture if texture >= 0 and int(model.tex_type[texture]) == TEXTURE_2D else -1


def defines_of(job: Job, batch: Batch, extra: tuple[str, ...]) -> tuple[str, ...]:
    """The features that a batch's program needs in this pass."""
    kind, scene = batch.kind, job.frame.scene
    defines = [name for flag, name in KIND_DEFINES if kind & flag]
    if kind & Kind.MIRROR and not _reads(job, "mirror"):
        defines.remove("MIRROR")
    if kind & Kind.LAYERS:
        defines.append("LAYERS")
        defines += [f"LAYER_{name.upper()}" for name, role in LAYERS if layer(scene.model, batch.material, role) >= 0]
    elif kind & Kind.TEXTURE_2D and batch.texture < 0:
        defines.remove("TEXTURE_2D")
    if not kind & Kind.DECOR and _reads(job, "shadow"):
        defines.append("SHADOWS")
    if scene.nlight > scene.ndirectional:
        defines.append("LOCAL_LIGHTS")
    if kind & Kind.PBR and scene.ground is not None:
        defines.append("GROUND")
        if scene.ground[0] >= 0:
            defines.append("GROUND_TEXTURE")
    if scene.environment.fog:
        defines.append("FOG")
    return tuple(defines) + extra


def draw_batches(job: Job, batches: list[Batch], viewpoint: Viewpoint, extra=(), everything=False) -> None:
    """Draw each batch with the program that it needs. `everything`: also what the main view does not see."""
    device, frame, scene = job.device, job.frame, job.frame.scene
    context = device.context
    prepared: set[int] = set()
    for name, unit in (("shadow", "shadow_map"), ("mirror", "mirror_map")):
        if _reads(job, name):
            job.written(name).use(SAMPLERS[unit])
    for batch in batches:
        count = batch.count if everything else batch.visible
        if count == 0:
            continue
        cull = scene.cull and not batch.kind & Kind.TWO_SIDED
        (context.enable if cull else context.disable)(moderngl.CULL_FACE)
        if scene.segment:
            defines, name = extra, "segment.frag"
        else:
            defines, name = defines_of(job, batch, extra), "surface.frag"
        parts = [(None, defines)]
        if batch.shadow_rect is not None and "SHADOWS" in defines:
            parts = split(batch.shadow_rect, frame.width, frame.height, defines)
        for rectangle, defines in parts:
            program = device.programs.get("instance.vert", name, defines)
            if program.glo not in prepared:
                set_uniforms(scene, program, viewpoint)
                prepared.add(program.glo)
            bind_textures(device.assets, scene.model, batch, program)
            context.scissor = rectangle
            device.draw_shape(program, batch.shape, batch.first, count)
    context.scissor = None


def _reads(job: Job, name: str) -> bool:
    """Whether the pass reads a target, and a pass of this frame wrote it."""
    return job.reads(name) and job.texture(name) is not None


def split(rect, width: int, height: int, defines: tuple[str, ...]) -> list[tuple]:
    """Rectangles (x, y, width, height) of the window with the features that each needs: shadows inside `rect`
    only."""
    left, bottom = max(0, int(rect[0] * width) - 2), max(0, int(rect[1] * height) - 2)
    right, top = min(width, int(rect[2] * width) + 3), min(height, int(rect[3] * height) + 3)
    plain = tuple(name for name in defines if name != "SHADOWS")
    if rect[2] <= rect[0] or rect[3] <= rect[1]:
        return [(None, plain)]
    parts = [
        ((left, bottom, right - left, top - bottom), defines),
        ((0, 0, width, bottom), plain),
        ((0, top, width, height - top), plain),
        ((0, bottom, left, top - bottom), plain),
        ((right, bottom, width - right, top - bottom), plain),
    ]
    return [part for part in parts if part[0][2] > 0 and part[0][3] > 0]


def set_uniforms(scene: Scene, program: moderngl.Program, viewpoint: Viewpoint) -> None:
    """What a program needs to know of the pass."""
    uniform(program, "pass_matrix").write(viewpoint.matrix)
    if "viewer" in program:
        program["viewer"] = viewpoint.eye
    if "viewer_forward" in program:
        program["viewer_forward"] = viewpoint.forward
    if "id_color" in program:
        program["id_color"] = int(scene.idcolor)


def bind_textures(assets: Assets, model, batch: Batch, program: moderngl.Program) -> None:
    """The batch's textures."""
    if "color_map" in program:
        texture = assets.texture(batch.texture) if batch.texture >= 0 else assets.blank_2d()
        texture.use(SAMPLERS["color_map"])
    if batch.kind & Kind.LAYERS:
        for name, role in LAYERS:
            texture = layer(model, batch.material, role)
            if texture >= 0 and f"{name}_map" in program:
                assets.texture(texture, color=role == TEXROLE_EMISSIVE).use(SAMPLERS[f"{name}_map"])
