"""Builds a Scene from a model, its state and options: the file to read first in this package.

    scene = build(model, state, options, camera, perturb=None, scene=None, size=(1280, 800), highlight=None)

`model` has MuJoCo's field names and shapes. `state` is a Data, a Snapshot or anything else with Data's field
names (xpos, xmat, geom_xpos, geom_xmat, site_xpos, cam_xpos, light_xpos, flexvert_xpos, contact, ...). `size`
is the window in device pixels; it sets the aspect and the level of detail. `highlight` (engine/scene/highlight.py)
says what is selected: it gets outlines and marks. Pass the Scene of the last frame
as `scene` to reuse its buffers and what was derived from the model. Call `scene.invalidate()` after changing
the model in place.

Steps: arrays that depend on model and options only (`_Derived`), geoms and sites, flexes and skins, decor,
lights, environment, planes and the mirror, sorting into batches, shadow views.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kinetree import engine
from kinetree.engine.dynamics.pipeline import values
from kinetree.engine.model import enums
from kinetree.engine.model.data import Data, check_pair
from kinetree.engine.model.kinds import KINDS, ObjectId
from kinetree.engine.model.model import Model
from kinetree.engine.model.noted import NotedModel
from kinetree.engine.scene import islands, lighting, screen_light
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.appearance import (
    OPAQUE_ALPHA,
    Group,
    TextureFacts,
    colors,
    fill_material,
    finish,
    shadowless,
    textured,
)
from kinetree.engine.scene.batching import BatchTable
from kinetree.engine.scene.camera import FIXED, Camera, View, view_of
from kinetree.engine.scene.decor.labels import labels
from kinetree.engine.scene.decor.look import objects
from kinetree.engine.scene.decor.table import collect
from kinetree.engine.scene.dialect import added
from kinetree.engine.scene.effects import Effects
from kinetree.engine.scene.highlight import OTHER, PRIMARY, Highlight, Reached, bounds, shape_batches, unseen_geoms
from kinetree.engine.scene.options import FADED, NGROUP, SOFT, VisOptions, choose_geoms, hidden_mask, in_groups, mask_of
from kinetree.engine.scene.scene import (
    Layer,
    Mirror,
    Scene,
    SceneOutline,
    ShaderFeatures,
    ShapeKind,
    linear,
    shape_number,
)
from kinetree.engine.scene.shadows import fill_shadows
from kinetree.engine.scene.stress import CableStress

SHAPE_OF_TYPE = {
    enums.GEOM_PLANE: ShapeKind.PLANE,
    enums.GEOM_HFIELD: ShapeKind.HFIELD,
    enums.GEOM_SPHERE: ShapeKind.SPHERE,
    enums.GEOM_CAPSULE: ShapeKind.CAPSULE,
    enums.GEOM_ELLIPSOID: ShapeKind.SPHERE,
    enums.GEOM_CYLINDER: ShapeKind.CYLINDER,
    enums.GEOM_BOX: ShapeKind.BOX,
    enums.GEOM_MESH: ShapeKind.MESH,
    enums.GEOM_SDF: ShapeKind.MESH,
}
KIND_OF_TYPE = np.full(max(SHAPE_OF_TYPE) + 1, -1, np.int64)
"""Geom type -> number of its Shape."""
KIND_OF_TYPE[list(SHAPE_OF_TYPE)] = [int(kind) for kind in SHAPE_OF_TYPE.values()]
SCALES = (
    ((enums.GEOM_SPHERE, enums.GEOM_CAPSULE), [0, 0, 0]),
    ((enums.GEOM_CYLINDER,), [0, 0, 1]),
    ((enums.GEOM_ELLIPSOID, enums.GEOM_BOX), [0, 1, 2]),
)
"""Geom types whose shape is scaled by their size: which of its numbers along x, y and z."""
BEHIND_ALPHA = 0.3  # a plane seen from behind
COARSE = 0.35  # most pixels that the edge of a round shape may be beside its place
STRAIGHT = ShapeKind.CYLINDER, ShapeKind.CONE  # round about one axis only
# least radius of a round shape, in pixels, that is drawn with each level of detail but the last
LOD_PIXELS = COARSE / (1.0 - np.cos(np.pi / np.array(S.SEGMENTS[1:])))
MOST_PAIRED = 200  # transparent shapes that are compared pair by pair; more are taken to meet
INFINITE_RADIUS = 400.0  # of an infinite plane's disc, in zfar


class _Derived:
    """Arrays that depend on the model and the options only; kept from frame to frame, and for the next version of the
    model where no number that they were made from is another one."""

    def __init__(self, model, options: VisOptions, signature: tuple):
        self.signature = signature
        self._unseen: tuple[tuple[int, ...], Group | None] = (), None
        self._reached = Reached(model)
        self._settings, self._values = None, []
        if not isinstance(model, Model):
            self._make(model, options)
            return
        fields: set[str] = set()
        self._make(NotedModel(model, fields.add), options)
        self._fields = tuple(fields)
        self._settings, self._values = _settings(model), values(model, self._fields)

    def fits(self, model, signature: tuple) -> bool:
        """Whether the derived data of another model would be the same. Flexes and skins are always rebuilt."""
        return (
            self.soft is None
            and self.signature == signature
            and isinstance(model, Model)
            and self._settings == _settings(model)
            and self._values == values(model, self._fields)
        )

    def reached(self, model, objects: tuple[ObjectId, ...]) -> Reached:
        """The selected objects and all objects related to them."""
        if objects != self._reached.objects:
            self._reached = Reached(model, objects)
        return self._reached

    def unseen(self, model, options: VisOptions, reached: Reached) -> Group | None:
        """Selected geoms that the options do not show; None without any."""
        ids = tuple(unseen_geoms(model, reached, self.geoms.index, options.hidden)) if reached.objects else ()
        if ids != self._unseen[0]:
            everything = VisOptions(geomgroup=[True] * NGROUP, texture=False, convexhull=options.convexhull)
            self._unseen = ids, _geom_group(model, everything, self.textures, ids) if ids else None
        return self._unseen[1]

    def _make(self, model, options: VisOptions) -> None:
        self.textures = TextureFacts(model)
        self.geoms = _geom_group(model, options, self.textures)
        self.sites = _site_group(model, options, self.textures)
        self.stress = CableStress(model, self.geoms.index)
        self.soft = None
        if int(model.nflex) or int(model.nskin):
            self.soft = engine.scene.soft.Soft(model, options, self.textures)
        self.sky = next((i for i in range(model.ntex) if int(model.tex_type[i]) == enums.TEXTURE_SKYBOX), -1)
        sizes = np.asarray(model.geom_size).reshape(-1, 3)
        self.infinite = (np.asarray(model.geom_type).reshape(-1) == enums.GEOM_PLANE) & (sizes[:, :2] <= 0).any(axis=1)
        self.image = lighting.image_sources(model)
        self.probe = lighting.probe_of(model)
        self.lights = lighting.light_rows(model)
        self.headlight = lighting.headlight_row(model)
        self.daylight = lighting.daylight_row(model)
        self.fog_color = linear(model.vis.rgba.fog[:3])
        self.haze_color = linear(model.vis.rgba.haze[:3])
        self.glows = any(
            bool((group.rows[:, S.SURFACE] > lighting.GLOWING).any() or (group.rows[:, S.SURFACE] < 0).any())
            or bool(self.textures.emissive[group.material[group.material >= 0]].any())
            for group in (self.geoms, *([self.soft.group] if self.soft else []))
        )
        count = len(self.geoms.index) + len(self.sites.index)
        self.segments = np.empty((count, 2), np.int32)
        ng = len(self.geoms.index)
        self.segments[:ng, 0], self.segments[:ng, 1] = enums.OBJ_GEOM, self.geoms.index
        self.segments[ng:, 0], self.segments[ng:, 1] = enums.OBJ_SITE, self.sites.index
        if self.soft is not None:
            self.segments = np.concatenate([self.segments, self.soft.objects])
        groups = [self.geoms, self.sites, *([self.soft.group] if self.soft else [])]
        self.table, self.batch_row, self.decor_row = _batch_table(groups)


@dataclass(slots=True)
class _Over:
    """Layer, shape number at the finest level, and outline of each instance."""

    layer: np.ndarray
    shape: np.ndarray
    outlined: np.ndarray


def _settings(model: Model) -> tuple:
    """Settings that change a picture, besides arrays and cells of the model."""
    return model.sizes, model.format, pickle.dumps(model.vis)


def _batch_table(groups: list[Group]) -> tuple[BatchTable, np.ndarray, np.ndarray]:
    """Every combination of features that may be drawn; the combination of each row of the groups, and of
    decor by (solid, shape kind)."""
    none = np.full(2 * len(ShapeKind), -1)
    decor_kind = np.repeat([int(ShaderFeatures.DECOR), int(ShaderFeatures.NONE)], len(ShapeKind))
    decor_shape = np.tile([shape_number(kind) for kind in ShapeKind], 2)
    table = BatchTable(
        np.concatenate([*(group.kind for group in groups), decor_kind]),
        np.concatenate([*(group.texture for group in groups), none]),
        np.concatenate([*(group.material for group in groups), none]),
        np.concatenate([*(group.shape for group in groups), decor_shape]),
    )
    return table, table.row[: -len(none)], table.row[-len(none) :].reshape(2, len(ShapeKind))


def _signature(model, options: VisOptions) -> tuple:
    return (
        options.convexhull,
        options.texture,
        options.transparent,
        options.static,
        options.segment,
        options.albedo,
        options.shapes,
        tuple(options.geomgroup),
        tuple(options.sitegroup),
        options.hidden,
        options.faded,
        *((getattr(options, name) for name in SOFT) if model.nflex or model.nskin else ()),
        *((tuple(options.flexgroup), tuple(options.skingroup)) if model.nflex or model.nskin else ()),
    )


class _Solids(NamedTuple):
    """Geoms or sites that are drawn, with a row for each: what they are made of."""

    group: Group
    types: np.ndarray
    matid: np.ndarray
    rgba: np.ndarray
    size: np.ndarray
    kinds: np.ndarray
    scale: np.ndarray
    rows: np.ndarray


def _solids(model, options: VisOptions, kind: str, rgba: np.ndarray, drawn: np.ndarray) -> _Solids:
    """The geoms or sites (`kind`) that are shown. rgba: the colours of all; drawn: which of all may be shown."""
    prefix = KINDS[kind].prefix

    def array(name: str, dtype: type = int) -> np.ndarray:
        return np.asarray(getattr(model, f"{prefix}_{name}")).astype(dtype)

    rgba[mask_of(options.faded, kind, len(rgba)), 3] *= FADED
    shown = (rgba[:, 3] > 0) & ~hidden_mask(options, kind, len(rgba)) & drawn
    group = Group()
    group.index = index = np.flatnonzero(shown)
    group.bodyid = array("bodyid")[index]
    types, size = array("type")[index], array("size", float).reshape(-1, 3)[index]
    kinds = KIND_OF_TYPE[types]
    group.shape = kinds * S.LODS  # shape_number of each
    group.lod = np.isin(kinds, S.ROUND)
    scale = np.ones((len(index), 3))
    for alike, columns in SCALES:
        chosen = np.isin(types, alike)
        scale[chosen] = size[chosen][:, columns]
    rows = np.zeros((len(index), S.NFIELD), np.float32)
    capsules = types == enums.GEOM_CAPSULE
    rows[capsules, S.CAPSULE_HALF] = size[capsules, 1]
    return _Solids(group, types, array("matid")[index], rgba[index], size, kinds, scale, rows)


def _filled(solids: _Solids, model, options: VisOptions, facts: TextureFacts, texture_size, prescaled) -> Group:
    """Their group, complete but for corners: sizes, materials, and which of them cast shadows."""
    group, rows, kinds = solids.group, solids.rows, solids.kinds
    rows[:, S.SIZE] = solids.scale
    texture = textured(options, len(rows))
    fill_material(group, rows, solids.rgba, solids.matid, texture_size, kinds, prescaled, model, facts, texture)
    group.kind[group.plane] |= ShaderFeatures.TWO_SIDED
    without = shadowless(solids.matid, model)
    group.kind[without] |= ShaderFeatures.SHADOWLESS
    group.caster = (kinds != ShapeKind.INFINITE) & ~without
    return group


def _geom_group(model, options: VisOptions, facts: TextureFacts, among: Sequence[int] | None = None) -> Group:
    """The geoms that the options show; of those `among` these ids."""
    types = np.asarray(model.geom_type).astype(int)
    rgba = colors(model.geom_rgba, np.asarray(model.geom_matid).astype(int), model)
    static = np.asarray(model.body_weldid).astype(int)[np.asarray(model.geom_bodyid).astype(int)] == 0
    chosen = choose_geoms(model, options)
    rgba[chosen.revealed & (rgba[:, 3] <= 0), 3] = 1.0
    rgba[chosen.faded, 3] *= FADED
    if options.transparent:
        rgba[~static, 3] *= float(model.vis.map.alpha)
    drawn = chosen.drawn & np.isin(types, list(SHAPE_OF_TYPE))
    if not options.static:
        drawn &= ~static
    if among is not None:
        drawn &= np.isin(np.arange(len(drawn)), among)
    solids = _solids(model, options, "geom", rgba, drawn)
    group, types, size, kinds, scale = solids.group, solids.types, solids.size, solids.kinds, solids.scale
    index = group.index
    group.radius = np.array(model.geom_rbound, float)[index]
    group.plane = types == enums.GEOM_PLANE
    endless = group.plane & (size[:, 0] <= 0) & (size[:, 1] <= 0)
    kinds[endless] = ShapeKind.INFINITE
    zfar = float(model.vis.map.zfar) * float(model.stat.extent)
    sides = size[group.plane, :2]
    scale[group.plane, :2] = np.where(sides > 0, sides, 20 * zfar)
    group.radius[group.plane] = np.hypot(scale[group.plane, 0], scale[group.plane, 1])
    scale[endless, :2] = zfar * INFINITE_RADIUS
    group.radius[endless] = 2.0 * S.ENDLESS
    of_asset = np.isin(kinds, (ShapeKind.MESH, ShapeKind.HFIELD))
    asset = np.where(of_asset, np.asarray(model.geom_dataid).astype(np.int64)[index], 0)
    by_hull = np.full(len(index), True) if options.convexhull else chosen.hull[index]
    if by_hull.any():
        meshes = np.flatnonzero((kinds == ShapeKind.MESH) & by_hull)
        kinds[meshes[np.asarray(model.mesh_graphadr)[asset[meshes]] >= 0]] = ShapeKind.HULL
    group.shape = (kinds + S.KINDS * asset) * S.LODS  # shape_number of each
    texture_size = size.copy()
    round_ = np.isin(types, [enums.GEOM_SPHERE, enums.GEOM_CAPSULE])
    texture_size[round_] = size[round_][:, [0, 0, 0]]
    texture_size[types == enums.GEOM_CYLINDER, 1] = size[types == enums.GEOM_CYLINDER, 0]
    for i in np.flatnonzero(types == enums.GEOM_HFIELD):
        texture_size[i, :2] = model.hfield_size[model.geom_dataid[index[i]]][:2]
    _filled(solids, model, options, facts, texture_size, endless | of_asset)
    group.corners = _corners(model, index, group)
    solids.rows[:, S.SEGMENT] = np.arange(len(index))
    finish(group, solids.rows)
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
    rgba = colors(model.site_rgba, np.asarray(model.site_matid).astype(int), model)
    solids = _solids(model, options, "site", rgba, in_groups(options.sitegroup, model.site_group))
    group, scale, none = solids.group, solids.scale, np.zeros(len(solids.rows), bool)
    group.plane = none
    group.radius = np.linalg.norm(scale, axis=1) + solids.rows[:, S.CAPSULE_HALF]
    _filled(solids, model, options, facts, scale, none)
    group.corners = np.zeros((len(none), 8, 3))
    finish(group, solids.rows)
    return group


def _site_points(sites: Group, rows: np.ndarray) -> np.ndarray:
    """(m, 3) corners of boxes around the sites that cast shadows."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    points = rows[sites.caster, None, S.POS : S.POS + 3] + sites.radius[sites.caster, None, None] * signs
    return points.reshape(-1, 3)


def _fill_poses(scene_rows: np.ndarray, group: Group, xpos, xmat) -> None:
    n = len(group.index)
    scene_rows[:n] = group.rows
    scene_rows[:n, S.POS : S.POS + 3] = np.asarray(xpos).reshape(-1, 3)[group.index]
    scene_rows[:n, S.ROW0 : S.ROW2 + 4].reshape(n, 3, 4)[:, :, :3] = np.asarray(xmat).reshape(-1, 3, 3)[group.index]


def build(
    model,
    state,
    options: VisOptions,
    camera: Camera | View,
    perturb=None,
    scene: Scene | None = None,
    size: tuple[int, int] = (1280, 800),
    highlight: Highlight | None = None,
    ratio: float = 1.0,
) -> Scene:
    """Fill (and return) a Scene with everything to be drawn; see the module's docstring. `ratio`: device pixels of a
    length of 1 on the screen. `camera` may be the View of another scene.

    Raises IndexError where a fixed camera does not exist, ValueError for a Data of another model.
    """
    if isinstance(state, Data):
        check_pair(model, state)
    scene = Scene() if scene is None else scene
    signature = _signature(model, options)
    known: _Derived | None = scene.cache
    if known is None or known.signature != signature or (scene.model is not model and not known.fits(model, signature)):
        scene.cache = _Derived(model, options, signature)
    scene.model = model
    derived: _Derived = scene.cache
    width, height = max(1, int(size[0])), max(1, int(size[1]))
    view = scene.view = camera if isinstance(camera, View) else view_of(camera, model, state, width / height)
    scene.glows = derived.glows
    scene.wireframe, scene.segment, scene.idcolor = options.wireframe, options.segment, options.idcolor
    scene.albedo = options.albedo
    scene.depth_scale = _depth_scale(model, camera)
    scene.section = None if options.section is None else options.section.plane
    scene.cull, scene.additive, scene.effects = options.cullface, options.additive, Effects(options)

    geoms, sites, soft = derived.geoms, derived.sites, derived.soft
    ng, ns = len(geoms.index), len(sites.index)
    fixed = ng + ns + (soft.count if soft else 0)
    scene.ratio = ratio
    reached = derived.reached(model, () if highlight is None or options.segment else highlight.objects)
    extra = collect(model, state, options, perturb, view, height / ratio, reached.all)
    unseen = derived.unseen(model, options, reached)
    placed = fixed + extra.count
    count = placed + (0 if unseen is None else len(unseen.index))
    scene.reserve(count)
    rows = np.empty((count, S.NFIELD), np.float32)
    _fill_poses(rows, geoms, state.geom_xpos, state.geom_xmat)
    _fill_poses(rows[ng:], sites, state.site_xpos, state.site_xmat)
    if soft:
        moving = soft.place(rows[ng + ns : fixed], state)
    rows[fixed:placed] = extra.instances()
    if unseen is not None:
        _fill_poses(rows[placed:], unseen, state.geom_xpos, state.geom_xmat)
    rows[:, S.SEGMENT] = np.arange(count)
    beyond = [] if unseen is None else [objects(enums.OBJ_GEOM, unseen.index)]
    scene.segments = np.concatenate([derived.segments, extra.rows["object"], *beyond])

    layer = np.full(count, Layer.OUTLINED, np.int8)
    layer[:fixed], layer[fixed:placed] = Layer.PLAIN, extra.rows["layer"]

    groups = [geoms, sites, soft.group] if soft else [geoms, sites]
    batch_row = np.concatenate(
        [derived.batch_row, derived.decor_row[extra.rows["solid"].astype(int), extra.rows["shape"]]]
    )
    radius = np.concatenate([geoms.radius, sites.radius, *([moving] if soft else []), extra.radii()])
    clear = rows[fixed:placed, S.COLOR + 3] < OPAQUE_ALPHA
    transparent = np.concatenate([*(group.transparent for group in groups), clear])
    lod = np.concatenate([*(group.lod for group in groups), extra.has_levels()])
    shape = derived.table.shape[batch_row]
    if unseen is not None:
        none = np.zeros(len(unseen.index), np.int64)
        batch_row, lod = np.concatenate([batch_row, none]), np.concatenate([lod, unseen.lod])
        shape, radius = np.concatenate([shape, unseen.shape]), np.concatenate([radius, unseen.radius])
        transparent = np.concatenate([transparent, none.astype(bool)])

    derived.stress.paint(rows[:ng], state)
    if options.island:
        island = islands.island_of_bodies(model, state)
        if island is not None:
            _paint_islands(rows[:ng], island[geoms.bodyid])
    select = int(getattr(perturb, "select", 0)) if perturb is not None else 0
    if select > 0:
        glow = float(model.vis.global_.glow)
        rows[:ng, S.GLOW][geoms.bodyid == select] = glow
        if soft:
            soft.glow(rows[ng + ns : fixed], select, glow)

    lighting.fill_lights(scene, model, state, view, derived)
    lighting.fill_environment(scene, model, state, options, derived)
    scene.occlusion = lighting.occlusion_radius(scene, model)
    screen_light.fill(scene, model, options)
    _planes(scene, model, state, options, derived, rows, transparent)
    over = _Over(layer, shape, reached.outlined(scene.segments, layer))
    if reached.objects:
        over.outlined[shape // S.LODS % S.KINDS == ShapeKind.INFINITE] = 0
    _order(scene, derived.table, rows, batch_row, radius, transparent, lod, height, over)
    lighting.fill_reach(scene)
    if scene.outline is not None and highlight is not None:
        scene.outline.color = highlight.color
    shadows = options.shadow and not options.segment and not options.wireframe
    others = [extra.caster_points(), _site_points(sites, rows[ng : ng + ns]), *([soft.reach()] if soft else [])]
    fill_shadows(scene, model, camera, rows[:ng], geoms, np.concatenate(others), shadows, height)
    scene.surfaces = soft.surfaces if soft else {}
    scene.labels = labels(model, state, options, perturb, view)
    return scene


def _depth_scale(model, camera: Camera | View) -> float:
    """The distance that a camera of the model which gives depth shows as middle grey, m; 0 for others."""
    if isinstance(camera, View) or camera.type != FIXED:
        return 0.0
    gives_depth = added(model, "cam_depth", model.ncam, 0)[camera.fixedcamid]
    return max(float(model.stat.extent), 1e-6) if gives_depth else 0.0


def _paint_islands(rows: np.ndarray, island: np.ndarray) -> None:
    """Give the geoms of each constraint island its colour; island (n,): first dof of each geom's, -1 for none."""
    found, which = np.unique(island, return_inverse=True)
    painted = island >= 0
    rows[painted, S.COLOR : S.COLOR + 3] = linear(islands.color_of(np.maximum(found, 0)))[which[painted]]


def _planes(scene: Scene, model, state, options, derived, rows, transparent) -> None:
    """Centre infinite planes under the viewer, fade planes seen from behind, choose the mirror and the
    ground."""
    view, geoms = scene.view, derived.geoms
    scene.mirrors, scene.ground = [], None
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
    most = int(options.mirrors)
    reflective = (rows[: len(geoms.index), S.SURFACE + 3] > 0) & ~transparent[: len(geoms.index)]
    reflective &= np.isin(np.asarray(model.geom_type)[geoms.index], (enums.GEOM_PLANE, enums.GEOM_BOX))
    for i in np.flatnonzero(reflective).tolist():
        geom = geoms.index[i]
        normal = np.asarray(state.geom_xmat[geom], float).reshape(3, 3)[:, 2]
        point = np.asarray(state.geom_xpos[geom], float)
        if model.geom_type[geom] == enums.GEOM_BOX:
            point = point + normal * float(model.geom_size[geom][2])
        if (view.pos - point) @ normal <= 0:
            continue
        plane = np.append(normal, -float(normal @ point))
        region = bounds(view, rows[i : i + 1, S.POS : S.POS + 3].astype(float), geoms.radius[i : i + 1])
        if region[0] >= region[2] or region[1] >= region[3]:
            continue
        same = [mirror for mirror in scene.mirrors if np.abs(mirror.plane - plane).max() < 1e-6]
        if same:
            same[0].instances.append(i)
            same[0].bounds = (*np.minimum(same[0].bounds[:2], region[:2]), *np.maximum(same[0].bounds[2:], region[2:]))
        else:
            scene.mirrors.append(Mirror(plane, [i], region))
    scene.mirrors.sort(
        key=lambda mirror: -(mirror.bounds[2] - mirror.bounds[0]) * (mirror.bounds[3] - mirror.bounds[1])
    )
    del scene.mirrors[most:]


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


def _order(
    scene: Scene, table: BatchTable, rows, batch_row, radius, transparent, lod, height: int, over: _Over
) -> None:
    """Choose levels of detail, cull, sort into drawing order and cut into batches."""
    view = scene.view
    centre = rows[:, S.POS : S.POS + 3]
    relative = centre - view.pos.astype(np.float32)
    depth = relative @ view.forward.astype(np.float32)
    level = np.where(lod, _levels(view, rows, depth, over.shape, height), 0)
    mirrored = np.zeros(len(rows), np.int64)
    for number, mirror in enumerate(scene.mirrors):
        mirrored[mirror.instances] = number + 1
    key = table.keys(batch_row, mirrored, level)
    hidden = _hidden(view, relative, depth, radius)

    plain = over.layer == Layer.PLAIN
    ends = plain & ~hidden & (radius < S.ENDLESS)
    if ends.any():
        scene.depths = float((depth - radius)[ends].min()), float((depth + radius)[ends].max())
    else:
        scene.depths = view.near, view.far
    opaque = np.flatnonzero(~transparent & plain)
    order = opaque[np.argsort(2 * key[opaque] + hidden[opaque], kind="stable")]
    transparent = transparent & plain
    clear = np.flatnonzero(transparent & ~hidden)
    if len(clear):
        # nearest point of the bounding sphere; planes first, as what lies on them is in front
        distance = depth[clear] - np.minimum(radius[clear], np.abs(depth[clear]))
        distance = np.where(table.is_infinite(batch_row[clear]), np.float32(np.inf), distance)
        clear = clear[np.argsort(-distance, kind="stable")]
    scene.tangled = _tangled(view, centre[clear], radius[clear]) if scene.effects.peeling else None
    shadow_only = np.flatnonzero(transparent & hidden)
    shape = over.shape + level
    flat = (over.layer == Layer.OVER) | (over.layer == Layer.MARK)
    above, marks, others, primary = (
        found[np.argsort(shape[found], kind="stable")]
        for found in map(
            np.flatnonzero,
            (
                flat & ~hidden,
                (over.layer == Layer.MARK) & ~hidden,
                (over.outlined == OTHER) & ~hidden,
                (over.outlined == PRIMARY) & ~hidden,
            ),
        )
    )
    everything = np.concatenate([order, clear, shadow_only, above, marks, others, primary])
    instances = scene.reserve(len(everything))
    np.take(rows, everything, axis=0, out=instances[: len(everything)])
    scene.ninstance = len(everything)
    scene.radii = radius[everything].astype(np.float32)
    scene.opaque = table.batches(key[order], hidden[order], 0)
    scene.transparent = table.batches(key[clear], hidden[clear], len(order))
    first = len(order) + len(clear)
    scene.transparent += table.batches(key[shadow_only], hidden[shadow_only], first)
    batches = []
    first += len(shadow_only)
    for found in (above, marks, others, primary):
        batches.append(shape_batches(shape[found], first))
        first += len(found)
    scene.overlay, scene.outline = batches[0], None
    outlined = np.concatenate([marks, others, primary])
    if len(outlined):
        region = bounds(view, centre[outlined], radius[outlined])
        scene.outline = SceneOutline(batches[3], batches[2], batches[1], region)


def _levels(view, rows, depth, shape, height: int) -> np.ndarray:
    """(n,) levels of detail of round shapes, from their radii of curvature."""
    columns = [rows[:, column] for column in S.SIZE]
    bend = np.maximum(columns[0], columns[1])
    along = np.isin(shape // S.LODS % S.KINDS, STRAIGHT)
    bend = np.where(along, bend, np.maximum(bend, columns[2]))
    unit = height / (view.top - view.bottom)
    if view.orthographic:
        pixels = bend * unit
    else:
        half = rows[:, S.CAPSULE_HALF] + np.where(along, columns[2], 0.0)  # an end may be nearer than the middle
        pixels = bend * (unit * view.near) / np.maximum(depth - half, view.near)
    return len(LOD_PIXELS) - np.searchsorted(LOD_PIXELS[::-1], pixels, side="right")


def _tangled(view, centre, radius) -> tuple[float, float, float, float] | None:
    """Part of the window with all these shapes, if the bounding spheres of any two meet; else None."""
    count = len(centre)
    if count < 2:
        return None
    if count <= MOST_PAIRED:
        gap = centre[:, None] - centre[None]
        reach = radius[:, None] + radius[None]
        meet = (gap * gap).sum(axis=2) < reach * reach
        if np.count_nonzero(meet) <= count:  # each meets itself
            return None
    return bounds(view, centre, radius)


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
