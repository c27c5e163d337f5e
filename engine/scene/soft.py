"""Flexes and skins in the scene: one instance for each surface, one for each edge and vertex that is shown as
a solid.

What is shown follows MuJoCo's `simulate`: with `flexskin` surfaces and solids (dim 2 and 3) show their shell
and nothing else; without it their faces, edges and vertices as the flags say. Lines (dim 1) have no shell:
their edges and vertices follow the flags alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.kinds import BY_OBJECT
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.appearance import (
    Group,
    TextureFacts,
    colors,
    fill_material,
    finish,
    own_texcoord,
    shadowless,
    textured,
)
from kinetree.engine.scene.decor.rows import frames_along
from kinetree.engine.scene.options import FADED, VisOptions, mask_of
from kinetree.engine.scene.scene import ShaderFeatures, ShapeKind, shape_number
from kinetree.engine.scene.shapes import chosen_flexes, chosen_skins
from kinetree.engine.scene.surface import FlexSurface, MovingSurface, SkinSurface

THIN = 0.03  # radius of the edges of a solid that has none, in lengths of its edges
_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], bool)


class SoftPart(ABC):
    """Something of a flex or skin that is drawn with one material: `count` rows of one shape.

    kind      Shape
    obj       object type and id
    low, high (3,) world bounds, after `place`
    """

    kind: ShapeKind
    count = 1

    def __init__(self, obj: tuple[int, int]):
        self.obj = obj
        self.low = self.high = np.zeros(3)

    @abstractmethod
    def place(self, rows: np.ndarray, state) -> np.ndarray | float:
        """Fill what moves in the rows; returns bounding radii."""


class Shell(SoftPart):
    """A surface: one row."""

    def __init__(self, kind: ShapeKind, obj: tuple[int, int], surface: MovingSurface):
        super().__init__(obj)
        self.kind, self.surface = kind, surface
        self.standing = False  # its texture stands in the world, and it moves through

    def place(self, rows: np.ndarray, state) -> float:
        """See Part."""
        surface = self.surface
        surface.follow(state)
        self.low, self.high = surface.low, surface.high
        rows[0, S.POS : S.POS + 3] = surface.centre
        if self.standing:
            scale = rows[0, S.TEXTURE : S.TEXTURE + 2].astype(float)
            rows[0, S.TEXTURE + 2 : S.TEXTURE + 4] = (0.5 * scale * surface.centre[:2]) % 1.0
        return surface.radius


class Solids(SoftPart):
    """The edges of a flex as capsules, or its vertices as spheres; `pairs` (n, 2): the vertices at the
    ends."""

    def __init__(self, kind: ShapeKind, obj: tuple[int, int], pairs: np.ndarray, radius: float):
        super().__init__(obj)
        self.kind, self.pairs, self.radius, self.count = kind, pairs, radius, len(pairs)

    def ends(self, state) -> tuple[np.ndarray, np.ndarray]:
        """(n, 3) and (n, 3): the centres of the capsules' ends."""
        vertices = np.asarray(state.flexvert_xpos, float).reshape(-1, 3)
        return vertices[self.pairs[:, 0]], vertices[self.pairs[:, 1]]

    def place(self, rows: np.ndarray, state) -> np.ndarray:
        """See Part."""
        start, end = self.ends(state)
        self.low = np.minimum(start, end).min(axis=0) - self.radius
        self.high = np.maximum(start, end).max(axis=0) + self.radius
        rows[:, S.POS : S.POS + 3] = 0.5 * (start + end)
        rows[:, S.SIZE] = self.radius
        if self.kind == ShapeKind.CAPSULE:
            along = end - start
            length = np.sqrt(np.einsum("ij,ij->i", along, along))
            rows[:, S.CAPSULE_HALF] = 0.5 * length
            rows[:, S.ROW0 : S.ROW2 + 4].reshape(-1, 3, 4)[:, :, :3] = frames_along(along)
        return self.radius + rows[:, S.CAPSULE_HALF]


class Soft:
    """The shown parts of flexes and skins, with the constant fields of their rows filled in.

    parts     in the order of their rows
    group     the rows and their shader features
    objects   (count, 2) int32 object type and id of each row
    surfaces  moving meshes by scene shape number
    """

    def __init__(self, model, options: VisOptions, facts: TextureFacts):
        self.parts: list[SoftPart] = []
        alpha = float(model.vis.map.alpha) if options.transparent else 1.0
        rgba, matid = {}, {}
        for obj in (enums.OBJ_FLEX, enums.OBJ_SKIN):
            prefix = BY_OBJECT[obj].prefix
            matid[obj] = np.asarray(getattr(model, f"{prefix}_matid")).astype(int).reshape(-1)
            rgba[obj] = colors(getattr(model, f"{prefix}_rgba"), matid[obj], model)
            rgba[obj][:, 3] *= alpha
            rgba[obj][mask_of(options.faded, BY_OBJECT[obj].name, len(rgba[obj])), 3] *= FADED
        for part in shown_parts(model, options):
            kind, index = part.obj
            if rgba[kind][index, 3] > 0:
                self.parts.append(part)
                if kind == enums.OBJ_SKIN and isinstance(part, Shell) and _has_cube(facts, matid[kind][index]):
                    part.surface.centred = False  # its texture stands in the world
        self._bodies = [_bodies(model, *part.obj) for part in self.parts]
        self._counts = [part.count for part in self.parts]
        self._starts = np.concatenate([[0], np.cumsum(self._counts)]).astype(int)
        self.count = int(self._starts[-1])
        self.group = self._group(
            model,
            np.array([rgba[kind][index] for kind, index in (part.obj for part in self.parts)]).reshape(-1, 4),
            np.array([matid[kind][index] for kind, index in (part.obj for part in self.parts)], int),
            facts,
            options,
        )
        self.objects = np.repeat(
            np.array([part.obj for part in self.parts], np.int32).reshape(-1, 2), self._counts, axis=0
        )
        self.surfaces = {
            shape_number(part.kind, part.obj[1]): part.surface for part in self.parts if isinstance(part, Shell)
        }

    def _group(self, model, rgba, matid, facts: TextureFacts, options: VisOptions) -> Group:
        parts, n = self.parts, len(self.parts)
        group = Group()
        shell = np.array([isinstance(part, Shell) for part in parts], bool)
        kinds = np.array([int(part.kind) for part in parts], np.int64)
        group.shape = np.array(
            [shape_number(part.kind, part.obj[1] if own else 0) for part, own in zip(parts, shell)], np.int64
        )
        rows = np.zeros((n, S.NFIELD), np.float32)
        rows[:, S.SIZE] = 1.0
        for axis, start in enumerate((S.ROW0, S.ROW1, S.ROW2)):
            rows[:, start + axis] = 1.0
        # a flex without coordinates of its own shows no texture, a skin moves through it
        able = [part.kind == ShapeKind.SKIN or own_texcoord(model, part.kind, part.obj[1]) for part in parts]
        maps = textured(options, n) & np.array(able, bool)
        fill_material(group, rows, rgba, matid, np.zeros((n, 3)), kinds, shell, model, facts, maps)
        group.kind[shadowless(matid, model)] |= ShaderFeatures.SHADOWLESS
        for part, kind in zip(parts, group.kind):
            if isinstance(part, Shell):
                part.standing = bool(kind & ShaderFeatures.TEXTURE_2D) and not kind & ShaderFeatures.TEXTURE_MESH
        for name in ("kind", "texture", "material", "shape"):
            setattr(group, name, np.repeat(getattr(group, name), self._counts))
        finish(group, np.repeat(rows, self._counts, axis=0))
        group.lod = np.repeat(~shell, self._counts)
        group.radius = np.zeros(self.count)
        return group

    def place(self, rows: np.ndarray, state) -> np.ndarray:
        """Fill `rows` (count, NFIELD) for a state; returns the bounding radii (count,)."""
        rows[:] = self.group.rows
        radius = self.group.radius
        for part, start, count in zip(self.parts, self._starts, self._counts):
            radius[start : start + count] = part.place(rows[start : start + count], state)
        return radius

    def glow(self, rows: np.ndarray, body: int, amount: float) -> None:
        """Let glow what hangs on a body."""
        for bodies, start, count in zip(self._bodies, self._starts, self._counts):
            if body in bodies:
                rows[start : start + count, S.GLOW] = amount

    def reach(self) -> np.ndarray:
        """(n, 3) corners of the boxes around what casts shadows."""
        boxes = [
            np.where(_CORNERS, part.high, part.low)
            for part, start in zip(self.parts, self._starts)
            if not self.group.kind[start] & ShaderFeatures.SHADOWLESS
        ]
        return np.concatenate(boxes) if boxes else np.zeros((0, 3))


def shown_parts(model, options: VisOptions) -> list[SoftPart]:
    """The visible parts of all flexes and skins, by the options and groups."""
    parts: list[SoftPart] = []
    flexes, skins = chosen_flexes(model, options), chosen_skins(model, options)
    for flex in range(int(model.nflex)):
        if flexes[flex] and ("flex", flex) not in options.hidden:
            parts += flex_parts(model, flex, options)
    for skin in range(int(model.nskin)):
        if options.skin and skins[skin] and ("skin", skin) not in options.hidden:
            parts.append(Shell(ShapeKind.SKIN, (enums.OBJ_SKIN, skin), SkinSurface(model, skin)))
    return parts


def flex_parts(model, flex: int, options: VisOptions) -> list[SoftPart]:
    """The visible parts of a flex, by the options."""
    obj = (enums.OBJ_FLEX, flex)
    surface = int(model.flex_dim[flex]) > 1
    parts: list[SoftPart] = []
    if surface and (options.flexskin or options.flexface):
        shell = Shell(ShapeKind.FLEX, obj, FlexSurface(model, flex, options.flexskin, options.flexlayer))
        if len(shell.surface.faces):
            parts.append(shell)
        if options.flexskin:
            return parts
    first, count = int(model.flex_vertadr[flex]), int(model.flex_vertnum[flex])
    start, number = int(model.flex_edgeadr[flex]), int(model.flex_edgenum[flex])
    radius = float(model.flex_radius[flex])
    if radius <= 0 and number:
        radius = THIN * float(np.mean(model.flexedge_length0[start : start + number]))
    if options.flexedge and number:
        edges = np.asarray(model.flex_edge).reshape(-1, 2)[start : start + number].astype(int)
        parts.append(Solids(ShapeKind.CAPSULE, obj, first + edges, radius))
    if options.flexvert and count:
        parts.append(Solids(ShapeKind.SPHERE, obj, first + np.arange(count)[:, None].repeat(2, axis=1), radius))
    return parts


def _has_cube(facts: TextureFacts, material: int) -> bool:
    """Whether a material's texture is a cube."""
    texture = -1 if material < 0 else int(facts.color[material])
    return texture >= 0 and facts.type[texture] != enums.TEXTURE_2D


def _bodies(model, kind: int, index: int) -> set[int]:
    """The bodies that carry a flex or bend a skin."""
    if kind == enums.OBJ_SKIN:
        start, count = int(model.skin_boneadr[index]), int(model.skin_bonenum[index])
        return set(np.asarray(model.skin_bonebodyid[start : start + count]).tolist()) - {0}
    start, count = int(model.flex_vertadr[index]), int(model.flex_vertnum[index])
    bodies = set(np.asarray(model.flex_vertbodyid[start : start + count]).tolist())
    start, count = int(model.flex_nodeadr[index]), int(model.flex_nodenum[index])
    return (bodies | set(np.asarray(model.flex_nodebodyid[start : start + count]).tolist())) - {-1, 0}
