"""Drawing batches of lit surfaces, shared by the opaque, transparent and mirror passes."""

from __future__ import annotations

import moderngl

from engine.scene.scene import Batch, Kind, Scene
from renderer.shader import SAMPLERS

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
LAYERS = (("occlusion", 2), ("roughness", 3), ("metallic", 4), ("normal", 5), ("emissive", 7), ("orm", 9))


def layer(model, material: int, role: int) -> int:
    """The texture id that a material has in a role, -1: none; only 2d textures serve as layers."""
    texture = int(model.mat_texid[material].reshape(-1)[role])
    return texture if texture >= 0 and int(model.tex_type[texture]) == 0 else -1


def defines_of(frame, scene: Scene, batch: Batch, extra: tuple[str, ...]) -> tuple[str, ...]:
    """The features that a batch's program needs in this pass."""
    kind = batch.kind
    defines = [name for flag, name in KIND_DEFINES if kind & flag]
    if kind & Kind.MIRROR and frame.mirror is None:
        defines.remove("MIRROR")
    if kind & Kind.LAYERS:
        defines.append("LAYERS")
        defines += [
            f"LAYER_{name.upper()}" for name, role in LAYERS if layer(frame.model, batch.material, role) >= 0
        ]
    elif kind & Kind.TEXTURE_2D and batch.texture < 0:
        defines.remove("TEXTURE_2D")
    if frame.shadows is not None and not kind & Kind.DECOR and "MIRROR_PASS" not in extra:
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


def draw_batches(
    frame, scene: Scene, batches: list[Batch], matrix: bytes, viewer, extra=(), everything=False
) -> None:
    """Draw each batch with the program that it needs. `everything`: also what the main view does not see."""
    context = frame.context
    prepared: set[int] = set()
    for batch in batches:
        count = batch.count if everything else batch.visible
        if count == 0:
            continue
        cull = scene.cull and not batch.kind & Kind.TWO_SIDED
        (context.enable if cull else context.disable)(moderngl.CULL_FACE)
        if scene.segment:
            defines, name = extra, "segment.frag"
        else:
            defines, name = defines_of(frame, scene, batch, extra), "surface.frag"
        parts = [(None, defines)]
        if batch.shadow_rect is not None and "SHADOWS" in defines:
            parts = split(batch.shadow_rect, frame.width, frame.height, defines)
        for rectangle, defines in parts:
            program = frame.programs.get("instance.vert", name, defines)
            if program.glo not in prepared:
                set_uniforms(frame, scene, program, matrix, viewer)
                prepared.add(program.glo)
            bind_textures(frame, batch, program)
            program["base"].value = batch.first
            context.scissor = rectangle
            frame.assets.geometry(batch.shape).array(program).render(instances=count)
            frame.calls += 1
    context.scissor = None


def split(rect, width: int, height: int, defines: tuple[str, ...]) -> list[tuple]:
    """Rectangles (x, y, width, height) of the window with the features that each needs: shadows inside `rect` only."""
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


def set_uniforms(frame, scene: Scene, program: moderngl.Program, matrix: bytes, viewer) -> None:
    """What a program needs to know of the pass."""
    program["pass_matrix"].write(matrix)
    if "viewer" in program:
        program["viewer"].value = viewer
    if "viewer_forward" in program:
        program["viewer_forward"].value = (*scene.view.forward, 0.0)
    if "shadow_texel" in program:
        program["shadow_texel"].value = frame.shadow_texel
    if "id_color" in program:
        program["id_color"].value = int(scene.idcolor)


def bind_textures(frame, batch: Batch, program: moderngl.Program) -> None:
    """The batch's textures."""
    if "color_map" in program:
        texture = frame.assets.texture(batch.texture) if batch.texture >= 0 else frame.assets.blank_2d()
        texture.use(SAMPLERS["color_map"])
    if batch.kind & Kind.LAYERS:
        for name, role in LAYERS:
            texture = layer(frame.model, batch.material, role)
            if texture >= 0 and f"{name}_map" in program:
                frame.assets.texture(texture, color=role == 7).use(SAMPLERS[f"{name}_map"])
