"""What geoms, sites, flexes and skins look like: colour, surface and textures from `rgba` and material.

A Group holds the rows of one kind of object with what never changes in them; `fill_material` writes colours
and surfaces and says which features each row needs.
"""

from __future__ import annotations

import numpy as np

from engine.model.enums import (
    TEXROLE_EMISSIVE,
    TEXROLE_METALLIC,
    TEXROLE_NORMAL,
    TEXROLE_OCCLUSION,
    TEXROLE_ORM,
    TEXROLE_RGB,
    TEXROLE_RGBA,
    TEXROLE_ROUGHNESS,
    TEXTURE_2D,
)
from engine.scene import scene as S
from engine.scene.dialect import added
from engine.scene.scene import Kind, Shape, linear

LAYER_ROLES = (
    TEXROLE_OCCLUSION,
    TEXROLE_ROUGHNESS,
    TEXROLE_METALLIC,
    TEXROLE_NORMAL,
    TEXROLE_EMISSIVE,
    TEXROLE_ORM,
)
UNSET_RGBA = np.array([0.5, 0.5, 0.5, 1.0])
OPAQUE_ALPHA = 0.995  # from here on a geom counts as opaque


def lobe(shininess) -> np.ndarray:
    """Squared GGX roughness whose lobe is as wide as Blinn-Phong's with exponent 128 * shininess."""
    return 2.0 / (np.clip(np.asarray(shininess, float), 0.0, 1.0) * 128.0 + 2.0)


class Group:
    """Rows of one kind of object (geoms, sites) that are shown under some options, with what never changes in
    them."""

    __slots__ = (
        "alpha",
        "bodyid",
        "caster",
        "corners",
        "index",
        "kind",
        "lod",
        "material",
        "plane",
        "radius",
        "rows",
        "shape",
        "texture",
        "transparent",
    )


class TextureFacts:
    """Texture types and per-material colour texture and layers."""

    def __init__(self, model):
        self.type = np.asarray(model.tex_type).astype(int) if model.ntex else np.zeros(0, int)
        nmat = int(model.nmat)
        self.color = np.full(nmat, -1)
        self.layers = np.zeros(nmat, bool)
        self.pbr = np.zeros(nmat, bool)
        for mat in range(nmat):
            texid = np.asarray(model.mat_texid[mat]).reshape(-1)
            color = texid[TEXROLE_RGB] if texid[TEXROLE_RGB] >= 0 else texid[TEXROLE_RGBA]
            self.color[mat] = color
            self.layers[mat] = any(texid[role] >= 0 for role in LAYER_ROLES)
            self.pbr[mat] = model.mat_metallic[mat] >= 0 or model.mat_roughness[mat] >= 0 or self.layers[mat]


def colors(rgba, matid, model) -> np.ndarray:
    """(n, 4): an object's own colour unless it is the unset one and there is a material."""
    rgba = np.array(rgba, float).reshape(-1, 4)
    has = matid >= 0
    if has.any():
        use = has & np.all(np.abs(rgba - UNSET_RGBA) < 1e-6, axis=1)
        rgba[use] = np.asarray(model.mat_rgba, float)[matid[use]]
    return rgba


def fill_material(group: Group, rows, rgba, matid, size, kinds, prescaled, model, facts, textured) -> None:
    """Colour, surface and texture fields of `rows`, and each row's Kind, texture and material.

    `textured`: (n,) bool, rows that may show a texture.
    """
    n = len(rows)
    rows[:, S.COLOR : S.COLOR + 3] = linear(rgba[:, :3])
    rows[:, S.COLOR + 3] = rgba[:, 3]
    rows[:, S.SURFACE : S.SURFACE + 4] = (0.0, 0.5, lobe(0.5), 0.0)
    rows[:, S.METALLIC], rows[:, S.ROUGHNESS] = 0.0, 1.0
    rows[:, S.TEXTURE : S.TEXTURE + 2] = 1.0
    group.kind = np.zeros(n, np.int64)
    group.texture = np.full(n, -1, np.int64)
    group.material = np.full(n, -1, np.int64)
    for i in np.flatnonzero(matid >= 0):
        mat = matid[i]
        rows[i, S.SURFACE] = model.mat_emission[mat]
        rows[i, S.SURFACE + 1] = model.mat_specular[mat]
        rows[i, S.SURFACE + 2] = lobe(model.mat_shininess[mat])
        rows[i, S.SURFACE + 3] = model.mat_reflectance[mat]
        kind = Kind.NONE
        if facts.pbr[mat]:
            kind |= Kind.PBR
            metallic, roughness = float(model.mat_metallic[mat]), float(model.mat_roughness[mat])
            layered = facts.layers[mat]
            rows[i, S.METALLIC] = metallic if metallic >= 0 else (1.0 if layered else 0.0)
            rows[i, S.ROUGHNESS] = roughness if roughness >= 0 else (1.0 if layered else 0.5)
            if layered and textured[i]:
                kind |= Kind.LAYERS
                group.material[i] = mat
        texture = int(facts.color[mat])
        repeat = np.asarray(model.mat_texrepeat[mat], float)
        uniform = bool(model.mat_texuniform[mat])
        own = own_texcoord(model, kinds[i], group.shape[i] // S.LODS // S.KINDS)
        if (texture >= 0 or kind & Kind.LAYERS) and textured[i]:
            group.texture[i] = texture
            if texture >= 0 and facts.type[texture] != TEXTURE_2D:
                kind |= Kind.TEXTURE_CUBE
                rows[i, S.TEXTURE] = 1.0 if uniform else 0.0
            elif own:
                kind |= Kind.TEXTURE_2D | Kind.TEXTURE_MESH
            else:
                kind |= Kind.TEXTURE_2D
                extent = size[i, :2]
                if prescaled[i]:  # coordinates in metres
                    scale = repeat if uniform else repeat / np.where(extent > 0, extent, 1.0)
                else:  # coordinates -1..1
                    scale = repeat * extent if uniform else repeat
                rows[i, S.TEXTURE : S.TEXTURE + 2] = scale
        group.kind[i] = kind
    group.kind[kinds == Shape.INFINITE] |= Kind.INFINITE


def shadowless(matid, model) -> np.ndarray:
    """(n,) bool: whose material casts no shadow."""
    return np.isin(matid, np.flatnonzero(added(model, "mat_castshadow", model.nmat, 1) == 0))


def textured(options, count: int) -> np.ndarray:
    """(count,) bool: all rows if textures are shown."""
    return np.full(count, bool(options.texture and not options.segment))


def own_texcoord(model, kind: int, asset: int) -> bool:
    """Whether a mesh, flex or skin has texture coordinates of its own."""
    if kind in (Shape.MESH, Shape.HULL):
        return bool(model.mesh_texcoordadr[asset] >= 0)
    if kind == Shape.FLEX:
        return bool(model.flex_texcoordadr[asset] >= 0)
    return kind == Shape.SKIN and bool(model.skin_texcoordadr[asset] >= 0)


def finish(group: Group, rows: np.ndarray) -> None:
    """Take over the rows, and what drawing order and draw calls depend on."""
    group.rows = rows
    group.alpha = rows[:, S.COLOR + 3].copy()
    group.transparent = group.alpha < OPAQUE_ALPHA
