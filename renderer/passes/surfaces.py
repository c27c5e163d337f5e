"""Drawing batches of lit surfaces, shared by the opaque, transparent and mirror passes."""

from __future__ import annotations

import moderngl
import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.appearance import depth_bias
from kinetree.engine.scene.dialect import added
from kinetree.engine.scene.lighting import traits
from kinetree.engine.scene.scene import Batch, Scene, ShaderFeatures, ShapeKind, shape_parts
from kinetree.renderer import units
from kinetree.renderer.captured import NOT_REFLECTING, captured_depth
from kinetree.renderer.context import GL_CLIP_DISTANCE0
from kinetree.renderer.graph import PassJob
from kinetree.renderer.passes import bloom, clusters
from kinetree.renderer.resources import GpuAssets
from kinetree.renderer.shader import SAMPLERS, uniform
from kinetree.renderer.viewpoint import Viewpoint

PREMULTIPLIED = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA  # blending of colours that are multiplied by alpha

KIND_DEFINES = (
    (ShaderFeatures.TEXTURE_2D, "TEXTURE_2D"),
    (ShaderFeatures.TEXTURE_CUBE, "TEXTURE_CUBE"),
    (ShaderFeatures.TEXTURE_MESH, "TEXTURE_MESH"),
    (ShaderFeatures.PBR, "PBR"),
    (ShaderFeatures.MIRROR, "MIRROR"),
    (ShaderFeatures.INFINITE, "INFINITE"),
    (ShaderFeatures.TWO_SIDED, "TWO_SIDED"),
)

MOST_KNOWN = 4  # lamps that a program knows by their numbers

# texture layers: sampler and role (mjtTextureRole)
LAYERS = (
    ("occlusion", enums.TEXROLE_OCCLUSION),
    ("roughness", enums.TEXROLE_ROUGHNESS),
    ("metallic", enums.TEXROLE_METALLIC),
    ("normal", enums.TEXROLE_NORMAL),
    ("emissive", enums.TEXROLE_EMISSIVE),
    ("orm", enums.TEXROLE_ORM),
)


def layer(model, material: int, role: int) -> int:
    """The texture id that a material has in a role, -1: none; only 2d textures serve as layers."""
    texture = int(model.mat_texid[material].reshape(-1)[role])
    return texture if texture >= 0 and int(model.tex_type[texture]) == enums.TEXTURE_2D else -1


def defines_of(job: PassJob, batch: Batch, extra: tuple[str, ...], shadows: bool = True) -> tuple[str, ...]:
    """The features that a batch's program needs in this pass."""
    kind, scene = batch.kind, job.frame.scene
    defines = [name for flag, name in KIND_DEFINES if kind & flag]
    if kind & ShaderFeatures.MIRROR and not _reads(job, "mirror"):
        defines.remove("MIRROR")
    if kind & ShaderFeatures.LAYERS:
        defines.append("LAYERS")
        defines += [f"LAYER_{name.upper()}" for name, role in LAYERS if layer(scene.model, batch.material, role) >= 0]
    elif kind & ShaderFeatures.TEXTURE_2D and batch.texture < 0:
        defines.remove("TEXTURE_2D")
    if shadows and not kind & ShaderFeatures.DECOR and _reads(job, "shadow"):
        defines.append("SHADOWS")
        if scene.effects.softshadows:
            defines.append("SOFT_SHADOWS")
        elif scene.effects.shadowfilter:
            defines.append("FILTERED_SHADOWS")
        if _reads(job, "shadow tint"):
            defines.append("TINTED_SHADOWS")
    if not kind & ShaderFeatures.DECOR and _reads(job, "occlusion"):
        defines.append("OCCLUSION")
    if kind & ShaderFeatures.PBR and not kind & NOT_REFLECTING and _reads(job, "captured side"):
        defines.append("CAPTURED")
    if (
        kind & ShaderFeatures.PBR
        and not kind & (ShaderFeatures.DECOR | ShaderFeatures.MIRROR)
        and _reads(job, "reflection")
    ):
        defines.append("SCREEN_REFLECTIONS")
    if not kind & ShaderFeatures.DECOR and _reads(job, "indirect"):
        defines.append("INDIRECT")
    defines += _lamps(scene, _reads(job, "clusters"))
    if bloom.wanted(job.frame):
        defines.append("BLOOM")
    if scene.photometric:
        defines.append("PHOTOMETRIC")
    if scene.environment.image_light and not kind & (ShaderFeatures.PBR | ShaderFeatures.DECOR):
        defines.append("IMAGE_LIGHT")
    if kind & ShaderFeatures.PBR and scene.environment.probe is not None:
        defines.append("PROBE")
    if kind & ShaderFeatures.PBR and scene.ground is not None:
        defines.append("GROUND")
        if scene.ground[0] >= 0:
            defines.append("GROUND_TEXTURE")
    if not kind & ShaderFeatures.PBR and shape_parts(batch.shape)[0] not in FLAT:
        defines.append("CURVED")
    if scene.environment.fog:
        defines.append("FOG")
    if job.frame.alpha and kind & ShaderFeatures.INFINITE:
        defines.append("FADING")
    return tuple(defines) + extra


def _lamps(scene: Scene, listed: bool) -> list[str]:
    """The preprocessor defines for the lights of a scene. A few lights are unrolled in the program, with their numbers
    and shadow views as constants: a software renderer then takes a third less time for each. More of them are read in a
    loop, local ones from the clusters where `listed`."""
    far, end = scene.ndirectional, scene.nlight
    defines = [_known("FAR", scene, range(far), far <= MOST_KNOWN)]
    if end > far:
        defines += ["LOCAL_LIGHTS", _known("NEAR", scene, range(far, end), not listed and end - far <= MOST_KNOWN)]
        if listed:
            defines.append("CLUSTERS")
    return defines


def _known(kind: str, scene: Scene, numbers: range, known: bool) -> str:
    """A define that adds up lamps: the number of each, its traits, its first shadow view, and how many views it has.
    Where lamps are not `known`, one with the traits of any of them."""
    rows = scene.lights[numbers.start : numbers.stop]
    if not known:
        return f"{kind}_TRAITS {traits(rows)}"
    words = []
    for number, row in zip(numbers, rows):
        first = int(row[S.L_SHADOW])
        views = 1 + scene.shadows[first].following if first >= 0 else 0
        words.append(f"{kind}({number}, {traits(row[None])}, {first}, {views})")
    return " ".join([f"KNOWN_{kind}", *words])


def _texture_defines(batch: Batch) -> list[str]:
    """The features of a batch's program that map its colour texture."""
    if batch.texture < 0:
        return []
    return [
        name
        for flag, name in KIND_DEFINES
        if batch.kind & flag and (name.startswith("TEXTURE") or flag is ShaderFeatures.INFINITE)
    ]


def is_cut(scene: Scene, batch: Batch) -> bool:
    """Whether the section plane cuts a batch: planes and decorations have no inside."""
    if scene.section is None or batch.kind & (ShaderFeatures.INFINITE | ShaderFeatures.DECOR):
        return False
    return shape_parts(batch.shape)[0] is not ShapeKind.PLANE


FLAT = (ShapeKind.PLANE, ShapeKind.INFINITE, ShapeKind.BOX, ShapeKind.LINES_BOX, ShapeKind.PYRAMID)
"""Shapes whose faces have one normal each."""
SOLIDS = {ShapeKind.SPHERE: 1, ShapeKind.CAPSULE: 2, ShapeKind.CYLINDER: 3, ShapeKind.BOX: 4}
"""Shapes whose inside a shader can tell, as `shaders/include/section.glsl` numbers them."""


def meets(scene: Scene, batch: Batch) -> bool:
    """Whether the section plane goes through the bounding sphere of an instance of a batch."""
    if scene.section is None:
        return False
    rows = slice(batch.first, batch.first + batch.visible)
    heights = scene.instances[rows, S.POS : S.POS + 3] @ scene.section[:3] + scene.section[3]
    return bool((np.abs(heights) <= scene.radii[rows]).any())


MESHES = frozenset({ShapeKind.MESH, ShapeKind.HULL, ShapeKind.HFIELD})
"""Shapes whose inside the pass "cuts" finds, where they are closed."""


def closed_mesh(batch: Batch) -> bool:
    """Whether a batch is of meshes that may be closed; `GpuAssets.is_closed` knows whether they are."""
    return shape_parts(batch.shape)[0] in MESHES and not batch.kind & (ShaderFeatures.TWO_SIDED | ShaderFeatures.DECOR)


def solid(job: PassJob, batch: Batch, viewpoint: Viewpoint) -> tuple[str, ...]:
    """The defines for a batch whose inside can be told, and which the plane meets: a shader that sets the depth has one
    for all samples of a pixel."""
    if not meets(job.frame.scene, batch):
        return ()
    number = SOLIDS.get(shape_parts(batch.shape)[0])
    if number is not None:
        return () if batch.kind & ShaderFeatures.TWO_SIDED else (f"SOLID {number}",)
    is_known = _reads(job, "cuts") and viewpoint is job.frame.viewpoint and closed_mesh(batch)
    return ("SOLID 5", "NUMBERED") if is_known and job.device.assets.is_closed(batch.shape) else ()


def choose_planes(context: moderngl.Context, mirrors: bool, cuts: bool) -> None:
    """Clip at the mirror, at the section plane, at both or at none, as the programs number them."""
    for number in range(2):
        on = number < mirrors + cuts
        (context.enable_direct if on else context.disable_direct)(GL_CLIP_DISTANCE0 + number)


def draw_batches(
    job: PassJob,
    batches: list[Batch],
    viewpoint: Viewpoint,
    extra: tuple[str, ...] = (),
    everything: bool = False,
    fragment: str = "",
    area: tuple[int, int, int, int] | None = None,
    shadows: bool = True,
) -> None:
    """Draw each batch with the program that it needs. `everything`: also what the main view does not see; `fragment`: a
    stage of the pass, in place of the one that shades surfaces; `area`: pixels (x, y, width, height) to change, None
    for all; `shadows`: whether surfaces show those that fall on them."""
    device, frame, scene = job.device, job.frame, job.frame.scene
    context = device.context
    prepared: set[int] = set()
    for name, unit in (
        ("shadow", "shadow_map"),
        ("shadow tint", "shadow_tint"),
        ("mirror", "mirror_map"),
        ("occlusion", "visibility_map"),
        ("clusters", "cluster_map"),
        ("reflection", "reflection_map"),
        ("indirect", "indirect_map"),
        ("cuts", "cut_map"),
    ):
        if _reads(job, name):
            job.written(name).use(SAMPLERS[unit])
    if scene.effects.softshadows and _reads(job, "shadow"):
        job.written("shadow").use(SAMPLERS["shadow_depth"])
        device.depths.use(SAMPLERS["shadow_depth"])
    for batch in batches[::-1] if frame.backwards else batches:
        count = batch.count if everything else batch.visible
        if count == 0:
            continue
        is_open = is_cut(scene, batch)  # what is cut open is seen from inside
        features = (*extra, "SECTION", *solid(job, batch, viewpoint)) if is_open else extra
        if scene.section is not None:
            choose_planes(context, "CLIP" in extra, is_open)
        cull = scene.cull and not batch.kind & ShaderFeatures.TWO_SIDED and not is_open
        (context.enable if cull else context.disable)(moderngl.CULL_FACE)
        if fragment:
            defines, name = features, fragment
        elif scene.segment and scene.albedo:
            defines, name = (*_texture_defines(batch), *features), "albedo.frag"
        elif scene.segment:
            defines, name = features, "segment.frag"
        else:
            wanted = defines_of(job, batch, features, shadows)
            most = device.assets.limit("GL_MAX_TEXTURE_IMAGE_UNITS")
            defines, name = units.affordable(wanted, most), "surface.frag"
            if len(defines) < len(wanted):
                device.assets.tell(units.remark(wanted, defines, most))
        bias = float(depth_bias(scene.model)[batch.material]) if batch.material >= 0 else 0.0
        context.polygon_offset = -bias, -bias
        parts = [(None, defines)]
        if batch.shadow_rect is not None and viewpoint is frame.viewpoint and "SHADOWS" in defines:
            parts = split(batch.shadow_rect, frame.width, frame.height, defines)
            if frame.sparing and not all(device.programs.has("instance.vert", name, each) for _, each in parts):
                parts = [(None, defines)]  # the same picture with one program
        for rectangle, defines in parts:
            program = device.programs.get("instance.vert", name, defines)
            if program.glo not in prepared:
                set_uniforms(scene, program, viewpoint)
                if "cluster_map" in program:
                    clusters.tell(program, frame, viewpoint, context.viewport)
                prepared.add(program.glo)
            bind_textures(device.assets, scene.model, batch, program)
            if "mirror_number" in program:
                program["mirror_number"] = batch.mirror
                program["mirror_plane"] = tuple(scene.mirrors[batch.mirror].plane.tolist())
            context.scissor = area if rectangle is None else rectangle
            device.draw_shape(program, batch.shape, batch.first, count)
    context.polygon_offset = 0.0, 0.0
    context.scissor = area
    device.depths.clear(SAMPLERS["shadow_depth"])
    if scene.section is not None:
        choose_planes(context, "CLIP" in extra, False)


def _reads(job: PassJob, name: str) -> bool:
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
    """Set the uniforms of a program for the pass."""
    uniform(program, "pass_matrix").write(viewpoint.matrix)
    if "viewer" in program:
        program["viewer"] = viewpoint.eye
    if viewpoint.plane is not None and "mirror_plane" in program:
        program["mirror_plane"] = viewpoint.plane
    if "viewer_forward" in program:
        program["viewer_forward"] = viewpoint.forward
    if "captured_depth" in program:
        program["captured_depth"] = captured_depth(scene.model)
    if "id_color" in program:
        program["id_color"] = int(scene.idcolor)


def bind_textures(assets: GpuAssets, model, batch: Batch, program: moderngl.Program) -> None:
    """Bind the textures of a batch to the samplers of its program."""
    if "color_map" in program:
        texture = assets.texture(batch.texture) if batch.texture >= 0 else assets.blank_2d()
        texture.use(SAMPLERS["color_map"])
    if batch.kind & ShaderFeatures.LAYERS:
        if "detail" in program:
            values = added(model, "mat_detailpara", 4 * model.nmat, 1.0).reshape(-1, 4)[batch.material]
            program["detail"] = tuple(values[:3].tolist())
        for name, role in LAYERS:
            texture = layer(model, batch.material, role)
            if texture >= 0 and f"{name}_map" in program:
                assets.texture(texture, color=role == enums.TEXROLE_EMISSIVE).use(SAMPLERS[f"{name}_map"])
