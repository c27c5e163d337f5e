"""Builds a Scene from a model, its state and options: the file to read first in this package.

    scene = build(model, state, options, camera, perturb=None, scene=None, size=(1280, 800))

`model` has MuJoCo's field names and shapes. `state` is a Data, a Snapshot or anything else with Data's field
names (xpos, xmat, geom_xpos, geom_xmat, site_xpos, cam_xpos, light_xpos, flexvert_xpos, contact, ...). `size`
is the window in device pixels; it sets the aspect and the level of detail. Pass the Scene of the last frame
as `scene` to reuse its buffers and what was derived from the model. Call `scene.invalidate()` after changing
the model in place.

Steps: arrays that depend on model and options only (`_Derived`), geoms and sites, flexes and skins, decor,
lights, environment, planes and the mirror, sorting into batches, shadow views.
"""

from __future__ import annotations

import numpy as np

from engine.model.enums import (
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_ELLIPSOID,
    GEOM_HFIELD,
    GEOM_MESH,
    GEOM_PLANE,
    GEOM_SDF,
    GEOM_SPHERE,
    OBJ_GEOM,
    OBJ_SITE,
    TEXTURE_SKYBOX,
)
from engine.scene import lighting
from engine.scene import scene as S
from engine.scene.appearance import (
    OPAQUE_ALPHA,
    Group,
    TextureFacts,
    colors,
    fill_material,
    finish,
    shadowless,
    textured,
)
from engine.scene.batching import BatchTable
from engine.scene.camera import Camera, view_of
from engine.scene.decor.labels import labels
from engine.scene.decor.table import collect
from engine.scene.options import VisOptions
from engine.scene.scene import Kind, Mirror, Scene, Shape, linear, shape_number

SHAPE_OF_TYPE = {
    GEOM_PLANE: Shape.PLANE,
    GEOM_HFIELD: Shape.HFIELD,
    GEOM_SPHERE: Shape.SPHERE,
    GEOM_CAPSULE: Shape.CAPSULE,
    GEOM_ELLIPSOID: Shape.SPHERE,
    GEOM_CYLINDER: Shape.CYLINDER,
    GEOM_BOX: Shape.BOX,
    GEOM_MESH: Shape.MESH,
    GEOM_SDF: Shape.MESH,
}
BEHIND_ALPHA = 0.3  # a plane seen from behind
SOFT = ("skin", "flexvert", "flexedge", "flexface", "flexskin", "flexlayer")  # options of flexes and skins
LOD_PIXELS = np.array([180.0, 45.0, 12.0])  # projected radius above which the finer level is drawn
INFINITE_RADIUS = 400.0  # of an infinite plane's disc, in zfar


class _Derived:
    """Arrays that depend on the model and the options only; kept from frame to frame."""

    def __init__(self, model, options: VisOptions, signature: tuple):
        self.signature = signature
        self.textures = TextureFacts(model)
        self.geoms = _geom_group(model, options, self.textures)
        self.sites = _site_group(model, options, self.textures)
        self.soft = None
        if int(model.nflex) or int(model.nskin):
            from engine.scene.soft import Soft

            self.soft = Soft(model, options, self.textures)
        self.sky = next((i for i in range(model.ntex) if int(model.tex_type[i]) == TEXTURE_SKYBOX), -1)
        self.infinite = np.array(
            [
                bool(t == GEOM_PLANE and (size[0] <= 0 or size[1] <= 0))
                for t, size in zip(model.geom_type, model.geom_size)
            ],
            bool,
        )
        self.lights = lighting.light_rows(model)
        self.headlight = lighting.headlight_row(model)
        self.daylight = lighting.daylight_row(model)
        self.fog_color = linear(model.vis.rgba.fog[:3])
        self.haze_color = linear(model.vis.rgba.haze[:3])
        count = len(self.geoms.index) + len(self.sites.index)
        self.segments = np.empty((count, 2), np.int32)
        ng = len(self.geoms.index)
        self.segments[:ng, 0], self.segments[:ng, 1] = OBJ_GEOM, self.geoms.index
        self.segments[ng:, 0], self.segments[ng:, 1] = OBJ_SITE, self.sites.index
        if self.soft is not None:
            self.segments = np.concatenate([self.segments, self.soft.objects])
        groups = [self.geoms, self.sites, *([self.soft.group] if self.soft else [])]
        self.table, self.batch_row, self.decor_row = _batch_table(groups)


def _batch_table(groups: list[Group]) -> tuple[BatchTable, np.ndarray, np.ndarray]:
    """Every combination of features that may be drawn; the combination of each row of the groups, and of
    decor by (solid, shape kind)."""
    none = np.full(2 * len(Shape), -1)
    decor_kind = np.repeat([int(Kind.DECOR), int(Kind.NONE)], len(Shape))
    decor_shape = np.tile([shape_number(kind) for kind in Shape], 2)
    table = BatchTable(
        np.concatenate([*(group.kind for group in groups), decor_kind]),
        np.concatenate([*(group.texture for group in groups), none]),
        np.concatenate([*(group.material for group in groups), none]),
        np.concatenate([*(group.shape for group in groups), decor_shape]),
    )
    return table, table.row[: -len(none)], table.row[-len(none) :].reshape(2, len(Shape))


def _signature(model, options: VisOptions) -> tuple:
    return (
        id(model),
        options.convexhull,
        options.texture,
        options.transparent,
        options.static,
        options.segment,
        tuple(options.geomgroup),
        tuple(options.sitegroup),
        *((getattr(options, name) for name in SOFT) if model.nflex or model.nskin else ()),
        *((tuple(options.flexgroup), tuple(options.skingroup)) if model.nflex or model.nskin else ()),
    )


def _geom_group(model, options: VisOptions, facts: TextureFacts) -> Group:
    group = Group()
    types = np.asarray(model.geom_type).astype(int)
    matid = np.asarray(model.geom_matid).astype(int)
    rgba = colors(model.geom_rgba, matid, model)
    groups = np.clip(np.asarray(model.geom_group).astype(int), 0, len(options.geomgroup) - 1)
    body = np.asarray(model.geom_bodyid).astype(int)
    static = np.asarray(model.body_weldid).astype(int)[body] == 0
    if options.transparent:
        rgba[~static, 3] *= float(model.vis.map.alpha)
    shown = np.array(options.geomgroup, bool)[groups] & (rgba[:, 3] > 0) & np.isin(types, list(SHAPE_OF_TYPE))
    if not options.static:
        shown &= ~static
    index = np.flatnonzero(shown)
    n = len(index)
    group.index, group.bodyid = index, body[index]
    size = np.array(model.geom_size, float)[index]
    types, matid, rgba = types[index], matid[index], rgba[index]
    rows = np.zeros((n, S.NFIELD), np.float32)
    kinds = np.empty(n, np.int64)
    group.shape = np.empty(n, np.int64)
    group.radius = np.array(model.geom_rbound, float)[index]
    group.lod = np.zeros(n, bool)
    group.plane = types == GEOM_PLANE
    prescaled = np.zeros(n, bool)
    zfar = float(model.vis.map.zfar) * float(model.stat.extent)
    for i in range(n):
        kind, asset, scale = SHAPE_OF_TYPE[types[i]], 0, size[i].copy()
        if kind == Shape.PLANE:
            if size[i, 0] <= 0 and size[i, 1] <= 0:
                kind, scale = Shape.INFINITE, np.array([zfar * INFINITE_RADIUS] * 2 + [1.0])
                prescaled[i] = True
                group.radius[i] = 1e9
            else:
                scale = np.array([side if side > 0 else 20 * zfar for side in size[i, :2]] + [1.0])
                group.radius[i] = np.hypot(scale[0], scale[1])
        elif kind == Shape.SPHERE:
            scale = size[i] if types[i] == GEOM_ELLIPSOID else np.full(3, size[i, 0])
            group.lod[i] = True
        elif kind == Shape.CAPSULE:
            scale = np.full(3, size[i, 0])
            rows[i, S.CAPSULE_HALF] = size[i, 1]
            group.lod[i] = True
        elif kind == Shape.CYLINDER:
            scale = np.array([size[i, 0], size[i, 0], size[i, 1]])
            group.lod[i] = True
        elif kind in (Shape.MESH, Shape.HFIELD):
            asset, scale, prescaled[i] = int(model.geom_dataid[index[i]]), np.ones(3), True
            if kind == Shape.MESH and options.convexhull and model.mesh_graphadr[asset] >= 0:
                kind = Shape.HULL
        kinds[i] = kind
        group.shape[i] = shape_number(kind, asset)
        rows[i, S.SIZE] = scale
    texture_size = size.copy()
    texture_size[np.isin(types, [GEOM_SPHERE, GEOM_CAPSULE])] = size[np.isin(types, [GEOM_SPHERE, GEOM_CAPSULE])][
        :, [0, 0, 0]
    ]
    texture_size[types == GEOM_CYLINDER, 1] = size[types == GEOM_CYLINDER, 0]
    for i in np.flatnonzero(types == GEOM_HFIELD):
        texture_size[i, :2] = model.hfield_size[model.geom_dataid[index[i]]][:2]
    fill_material(group, rows, rgba, matid, texture_size, kinds, prescaled, model, facts, textured(options, n))
    group.kind[group.plane] |= Kind.TWO_SIDED
    without = shadowless(matid, model)
    group.kind[without] |= Kind.SHADOWLESS
    group.caster = (kinds != Shape.INFINITE) & ~without
    group.corners = _corners(model, index, group)
    rows[:, S.SEGMENT] = np.arange(n)
    finish(group, rows)
    return group


def _corners(model, index: np.ndarray, group: Group) -> np.ndarray:
    """(n, 8, 3) corners of the geoms' bounding boxes, in their own frames (planes: of their rectangles)."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    box = np.array(model.geom_aabb, float).reshape(-1, 6)[index]
    centre, half = box[:, :3], box[:, 3:]
    flat = group.plane | (half <= 0).any(axis=1)
    centre[flat] = 0.0
    half[flat] = group.radius[flat, None]
    size = np.array(model.geom_size, float)[index]
    half[group.plane] = np.where(size[group.plane] > 0, size[group.plane], group.radius[group.plane, None])
    half[group.plane, 2] = 0.0
    return centre[:, None, :] + half[:, None, :] * signs


def _site_group(model, options: VisOptions, facts: TextureFacts) -> Group:
    group = Group()
    types = np.asarray(model.site_type).astype(int)
    matid = np.asarray(model.site_matid).astype(int)
    rgba = colors(model.site_rgba, matid, model)
    groups = np.clip(np.asarray(model.site_group).astype(int), 0, len(options.sitegroup) - 1)
    shown = np.array(options.sitegroup, bool)[groups] & (rgba[:, 3] > 0)
    index = np.flatnonzero(shown)
    n = len(index)
    group.index, group.bodyid = index, np.asarray(model.site_bodyid).astype(int)[index]
    size = np.array(model.site_size, float).reshape(-1, 3)[index]
    types, matid, rgba = types[index], matid[index], rgba[index]
    rows = np.zeros((n, S.NFIELD), np.float32)
    kinds = np.array([int(SHAPE_OF_TYPE[t]) for t in types], np.int64)
    group.shape = np.array([shape_number(kind) for kind in kinds], np.int64)
    group.lod = kinds != Shape.BOX
    group.plane = np.zeros(n, bool)
    round_ = np.isin(types, [GEOM_SPHERE, GEOM_CAPSULE])
    scale = size.copy()
    scale[round_] = size[round_][:, [0, 0, 0]]
    cylinder = types == GEOM_CYLINDER
    scale[cylinder] = size[cylinder][:, [0, 0, 1]]
    rows[types == GEOM_CAPSULE, S.CAPSULE_HALF] = size[types == GEOM_CAPSULE, 1]
    rows[:, S.SIZE] = scale
    group.radius = np.linalg.norm(scale, axis=1) + rows[:, S.CAPSULE_HALF]
    fill_material(group, rows, rgba, matid, scale, kinds, np.zeros(n, bool), model, facts, textured(options, n))
    group.kind |= Kind.DECOR
    group.caster, group.corners = np.zeros(n, bool), np.zeros((n, 8, 3))
    finish(group, rows)
    return group


def _fill_poses(scene_rows: np.ndarray, group: Group, xpos, xmat) -> None:
    n = len(group.index)
    scene_rows[:n] = group.rows
    scene_rows[:n, S.POS : S.POS + 3] = np.asarray(xpos).reshape(-1, 3)[group.index]
    scene_rows[:n, S.ROW0 : S.ROW2 + 4].reshape(n, 3, 4)[:, :, :3] = np.asarray(xmat).reshape(-1, 3, 3)[group.index]


def build(
    model,
    state,
    options: VisOptions,
    camera: Camera,
    perturb=None,
    scene: Scene | None = None,
    size: tuple[int, int] = (1280, 800),
) -> Scene:
    """Fill (and return) a Scene with everything to be drawn; see the module's docstring.

    Raises IndexError where a fixed camera does not exist.
    """
    scene = Scene() if scene is None else scene
    signature = _signature(model, options)
    if scene.model is not model or scene.cache is None or scene.cache.signature != signature:
        scene.model = model
        scene.cache = _Derived(model, options, signature)
    derived: _Derived = scene.cache
    width, height = max(1, int(size[0])), max(1, int(size[1]))
    view = scene.view = view_of(camera, model, state, width / height)
    scene.wireframe, scene.segment, scene.idcolor = options.wireframe, options.segment, options.idcolor
    scene.cull, scene.additive, scene.samples = options.cullface, options.additive, options.samples

    geoms, sites, soft = derived.geoms, derived.sites, derived.soft
    ng, ns = len(geoms.index), len(sites.index)
    fixed = ng + ns + (soft.count if soft else 0)
    extra = collect(model, state, options, perturb, view)
    count = fixed + extra.count
    scene.reserve(count)
    rows = np.empty((count, S.NFIELD), np.float32)
    _fill_poses(rows, geoms, state.geom_xpos, state.geom_xmat)
    _fill_poses(rows[ng:], sites, state.site_xpos, state.site_xmat)
    if soft:
        moving = soft.place(rows[ng + ns : fixed], state)
    rows[fixed:] = extra.instances()
    rows[:, S.SEGMENT] = np.arange(count)
    scene.segments = np.concatenate([derived.segments, extra.rows["object"]])

    groups = [geoms, sites, soft.group] if soft else [geoms, sites]
    batch_row = np.concatenate(
        [derived.batch_row, derived.decor_row[extra.rows["solid"].astype(int), extra.rows["shape"]]]
    )
    radius = np.concatenate([geoms.radius, sites.radius, *([moving] if soft else []), extra.radii()])
    transparent = np.concatenate([*(group.transparent for group in groups), rows[fixed:, S.COLOR + 3] < OPAQUE_ALPHA])
    lod = np.concatenate([*(group.lod for group in groups), extra.has_levels()])

    select = int(getattr(perturb, "select", 0)) if perturb is not None else 0
    if select > 0:
        glow = float(model.vis.global_.glow)
        rows[:ng, S.GLOW][geoms.bodyid == select] = glow
        if soft:
            soft.glow(rows[ng + ns : fixed], select, glow)

    lighting.fill_lights(scene, model, state, view, derived)
    lighting.fill_environment(scene, model, options, derived)
    _planes(scene, model, state, options, derived, rows, transparent)
    _order(scene, derived.table, rows, batch_row, radius, transparent, lod, height)
    shadows = options.shadow and not options.segment and not options.wireframe
    others = np.concatenate([extra.caster_points(), *([soft.reach()] if soft else [])])
    lighting.fill_shadows(scene, model, camera, rows[:ng], geoms, others, enabled=shadows)
    scene.surfaces = soft.surfaces if soft else {}
    scene.labels = labels(model, state, options, perturb, view)
    return scene


def _planes(scene: Scene, model, state, options, derived, rows, transparent) -> None:
    """Centre infinite planes under the viewer, fade planes seen from behind, choose the mirror and the
    ground."""
    view, geoms = scene.view, derived.geoms
    scene.mirror = scene.ground = None
    for i in np.flatnonzero(geoms.plane).tolist():
        geom = geoms.index[i]
        axes = np.asarray(state.geom_xmat[geom], float).reshape(3, 3)
        origin = np.asarray(state.geom_xpos[geom], float)
        normal = axes[:, 2]
        height = float((view.pos - origin) @ normal)
        behind = (height < 0) if not view.orthographic else (view.forward @ normal > 0)
        if behind:
            rows[i, S.COLOR + 3] *= BEHIND_ALPHA
            transparent[i] = True
        if derived.infinite[geom]:
            _recentre(view, model, geom, i, rows, origin, axes)
            if scene.ground is None and not behind:
                scene.ground = (
                    int(geoms.texture[i]),
                    np.append(normal, -float(normal @ origin)),
                    rows[i].copy(),
                    axes,
                )
    if not (options.reflection and not options.segment and not options.wireframe):
        return
    reflective = (rows[: len(geoms.index), S.SURFACE + 3] > 0) & ~transparent[: len(geoms.index)]
    for i in np.flatnonzero(reflective).tolist():
        geom = geoms.index[i]
        if model.geom_type[geom] not in (GEOM_PLANE, GEOM_BOX):
            continue
        normal = np.asarray(state.geom_xmat[geom], float).reshape(3, 3)[:, 2]
        point = np.asarray(state.geom_xpos[geom], float)
        if model.geom_type[geom] == GEOM_BOX:
            point = point + normal * float(model.geom_size[geom][2])
        if (view.pos - point) @ normal <= 0:
            continue
        plane = np.append(normal, -float(normal @ point))
        scene.mirror = Mirror(plane, float(rows[i, S.SURFACE + 3]), i)
        return


def _recentre(view, model, geom: int, i: int, rows: np.ndarray, origin, axes) -> None:
    """Centre an infinite plane's mesh under the viewer; the texture offset keeps the pattern where it was."""
    local = axes.T @ (view.pos - origin)
    size = np.asarray(model.geom_size[geom], float)
    shift = np.array([local[0] if size[0] <= 0 else 0.0, local[1] if size[1] <= 0 else 0.0, 0.0])
    rows[i, S.POS : S.POS + 3] = origin + axes @ shift
    if size[0] <= 0 and size[1] <= 0:
        scale = rows[i, S.TEXTURE : S.TEXTURE + 2].astype(float)
        offset = 0.5 * scale * shift[:2]
    else:
        scale = rows[i, S.TEXTURE : S.TEXTURE + 2].astype(float)
        offset = 0.5 * scale * shift[:2] / rows[i, [S.SIZE[0], S.SIZE[1]]]
    rows[i, S.TEXTURE + 2 : S.TEXTURE + 4] = offset % 1.0


def _order(scene: Scene, table: BatchTable, rows, batch_row, radius, transparent, lod, height: int) -> None:
    """Choose levels of detail, cull, sort into drawing order and cut into batches."""
    view = scene.view
    centre = rows[:, S.POS : S.POS + 3]
    relative = centre - view.pos.astype(np.float32)
    depth = relative @ view.forward.astype(np.float32)
    if view.orthographic:
        pixels = radius * (height / (view.top - view.bottom))
    else:
        pixels = radius * (height * view.near / (view.top - view.bottom)) / np.maximum(depth, view.near)
    level = (pixels[:, None] < LOD_PIXELS).sum(axis=1)
    level[~lod] = 0
    mirrored = np.zeros(len(rows), np.int64)
    if scene.mirror is not None:
        mirrored[scene.mirror.instance] = 1
    key = table.keys(batch_row, mirrored, level)
    hidden = _hidden(view, relative, depth, radius)

    opaque = np.flatnonzero(~transparent)
    order = opaque[np.argsort(2 * key[opaque] + hidden[opaque], kind="stable")]
    clear = np.flatnonzero(transparent & ~hidden)
    if len(clear):
        # nearest point of the bounding sphere; planes first, as what lies on them is in front
        distance = depth[clear] - np.minimum(radius[clear], np.abs(depth[clear]))
        distance = np.where(table.is_infinite(batch_row[clear]), np.float32(np.inf), distance)
        clear = clear[np.argsort(-distance, kind="stable")]
    shadow_only = np.flatnonzero(transparent & hidden)
    everything = np.concatenate([order, clear, shadow_only])
    instances = scene.reserve(len(everything))
    np.take(rows, everything, axis=0, out=instances[: len(everything)])
    scene.ninstance = len(everything)
    scene.opaque = table.batches(key[order], hidden[order], 0)
    scene.transparent = table.batches(key[clear], hidden[clear], len(order))
    scene.transparent += table.batches(key[shadow_only], hidden[shadow_only], len(order) + len(clear))


def _hidden(view, relative, depth, radius) -> np.ndarray:
    """Bounding spheres wholly outside the frustum."""
    radius = radius.astype(np.float32)
    across = relative @ view.right.astype(np.float32)
    upward = relative @ view.up.astype(np.float32)
    hidden = depth < view.near - radius
    if view.orthographic:
        hidden |= (across + radius < view.left) | (across - radius > view.rightmost)
        hidden |= (upward + radius < view.bottom) | (upward - radius > view.top)
        return hidden
    for value, low, high in ((across, view.left, view.rightmost), (upward, view.bottom, view.top)):
        low, high = low / view.near, high / view.near
        hidden |= (value - low * depth) < -radius * np.hypot(1.0, low)
        hidden |= (high * depth - value) < -radius * np.hypot(1.0, high)
    return hidden
