"""Appearance of geoms, sites, flexes and skins: colour, surface and textures from `rgba` and material.

A Group holds the rows of one kind of object, with their constant fields filled in; `fill_material` writes colours and
surfaces and says which features each row needs.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.dialect import added
from kinetree.engine.scene.scene import ShaderFeatures, ShapeKind, linear

LAYER_ROLES = (
    enums.TEXROLE_OCCLUSION,
    enums.TEXROLE_ROUGHNESS,
    enums.TEXROLE_METALLIC,
    enums.TEXROLE_NORMAL,
    enums.TEXROLE_EMISSIVE,
    enums.TEXROLE_ORM,
)
_TEXCOORD_ADDRESSES = {
    int(ShapeKind.MESH): "mesh_texcoordadr",
    int(ShapeKind.HULL): "mesh_texcoordadr",
    int(ShapeKind.FLEX): "flex_texcoordadr",
    int(ShapeKind.SKIN): "skin_texcoordadr",
}
UNSET_RGBA = np.array([0.5, 0.5, 0.5, 1.0])
MOST_SHININESS = 128.0  # exponent of a highlight with shininess 1
OPAQUE_ALPHA = 0.995  # from here on a geom counts as opaque


class Group:
    """Rows of one kind of object (geoms, sites) that are shown under some options, with their constant fields filled
    in.
    """

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
        self.emissive = np.zeros(nmat, bool)
        for mat in range(nmat):
            texid = np.asarray(model.mat_texid[mat]).reshape(-1)
            color = texid[enums.TEXROLE_RGB] if texid[enums.TEXROLE_RGB] >= 0 else texid[enums.TEXROLE_RGBA]
            self.color[mat] = color
            self.emissive[mat] = texid[enums.TEXROLE_EMISSIVE] >= 0
            self.layers[mat] = any(texid[role] >= 0 for role in LAYER_ROLES)
            self.pbr[mat] = model.mat_metallic[mat] >= 0 or model.mat_roughness[mat] >= 0 or self.layers[mat]
        self.emitted = emitted_colors(model)
        self.pbr |= self.emitted[:, 3] > 0


def emitted_colors(model) -> np.ndarray:
    """(nmat, 4) linear light that materials emit in a colour of their own, and 1 where they do."""
    nmat = int(model.nmat)
    given = np.asarray(added(model, "mat_emission", nmat * 4, 0.0), float).reshape(nmat, 4)
    factor = np.asarray(added(model, "mat_emissionintensity", nmat, 0.0), float).reshape(nmat, 1)
    light = linear(given[:, :3]) * np.where(factor > 0, factor, 1.0)
    return np.concatenate([light, (given[:, :3] > 0).any(axis=1, keepdims=True)], axis=1)


def colors(rgba, matid, model) -> np.ndarray:
    """(n, 4): an object's own colour unless it is the unset one and there is a material."""
    rgba = np.array(rgba, float).reshape(-1, 4)
    has = matid >= 0
    if has.any():
        use = has & np.all(np.abs(rgba - UNSET_RGBA) < 1e-6, axis=1)
        rgba[use] = np.asarray(model.mat_rgba, float)[matid[use]]
    return rgba


def fill_material(group: Group, rows, rgba, matid, size, kinds, prescaled, model, facts, textured) -> None:
    """Set colour, surface and texture fields of `rows`, and each row's Kind, texture and material. `textured`: (n,)
    bool, rows that may show a texture.

    `textured`: (n,) bool, rows that may show a texture.
    """
    n = len(rows)
    rows[:, S.COLOR : S.COLOR + 3] = linear(rgba[:, :3])
    rows[:, S.COLOR + 3] = rgba[:, 3]
    rows[:, S.SURFACE : S.SURFACE + 4] = (0.0, 0.5, 0.5 * MOST_SHININESS, 0.0)
    rows[:, S.METALLIC], rows[:, S.ROUGHNESS] = 0.0, 1.0
    rows[:, S.TEXTURE : S.TEXTURE + 2] = 1.0
    group.kind = np.zeros(n, np.int64)
    group.texture = np.full(n, -1, np.int64)
    group.material = np.full(n, -1, np.int64)
    bias = depth_bias(model)
    for mat in np.unique(matid[matid >= 0]).tolist():
        of = np.flatnonzero(matid == mat)
        if bias[mat]:
            group.material[of] = mat
        rows[of, S.SURFACE] = model.mat_emission[mat]
        rows[of, S.SURFACE + 1] = model.mat_specular[mat]
        rows[of, S.SURFACE + 2] = min(max(float(model.mat_shininess[mat]), 0.0), 1.0) * MOST_SHININESS
        rows[of, S.SURFACE + 3] = model.mat_reflectance[mat]
        shown = of[textured[of]]
        if facts.pbr[mat]:
            group.kind[of] |= int(ShaderFeatures.PBR)
            metallic, roughness = float(model.mat_metallic[mat]), float(model.mat_roughness[mat])
            layered = facts.layers[mat]
            rows[of, S.METALLIC] = metallic if metallic >= 0 else (1.0 if layered else 0.0)
            rows[of, S.ROUGHNESS] = roughness if roughness >= 0 else (1.0 if layered else 0.5)
            if facts.emitted[mat, 3] > 0:  # a colour of its own: see shaders/include/material.glsl
                red, green, blue = facts.emitted[mat, :3]
                rows[of, S.SURFACE : S.SURFACE + 3] = -1.0 - red, green, blue
            if layered:
                group.kind[shown] |= int(ShaderFeatures.LAYERS)
                group.material[shown] = mat
        texture = int(facts.color[mat])
        if texture >= 0 or (facts.pbr[mat] and facts.layers[mat]):
            group.texture[shown] = texture
            _map(group, rows, shown, mat, size, kinds, prescaled, model, facts)
    group.kind[kinds == ShapeKind.INFINITE] |= ShaderFeatures.INFINITE


def _map(group: Group, rows, shown, mat: int, size, kinds, prescaled, model, facts) -> None:
    """Set how the texture of a material is mapped to the rows `shown`."""
    texture = int(facts.color[mat])
    uniform = bool(model.mat_texuniform[mat])
    if texture >= 0 and facts.type[texture] != enums.TEXTURE_2D:
        group.kind[shown] |= int(ShaderFeatures.TEXTURE_CUBE)
        rows[shown, S.TEXTURE] = 1.0 if uniform else 0.0
        return
    group.kind[shown] |= int(ShaderFeatures.TEXTURE_2D)
    own = np.isin(kinds[shown], list(_TEXCOORD_ADDRESSES))
    own[own] = [own_texcoord(model, kinds[i], group.shape[i] // S.LODS // S.KINDS) for i in shown[own]]
    group.kind[shown[own]] |= int(ShaderFeatures.TEXTURE_MESH)
    shown = shown[~own]
    repeat = np.asarray(model.mat_texrepeat[mat], float)
    extent, metres = size[shown, :2], prescaled[shown, None]
    # coordinates in metres, or from -1 to 1
    if uniform:
        scale = np.where(metres, repeat, repeat * extent)
    else:
        scale = np.where(metres, repeat / np.where(extent > 0, extent, 1.0), repeat)
    rows[shown, S.TEXTURE : S.TEXTURE + 2] = scale


def depth_bias(model) -> np.ndarray:
    """(nmat,) how much nearer each material is drawn, against flicker of surfaces that coincide."""
    return added(model, "mat_depthbias", model.nmat, 0)


def shadowless(matid, model) -> np.ndarray:
    """(n,) bool: whose material casts no shadow."""
    return np.isin(matid, np.flatnonzero(added(model, "mat_castshadow", model.nmat, 1) == 0))


def textured(options, count: int) -> np.ndarray:
    """(count,) bool: all rows if textures are shown."""
    return np.full(count, bool(options.texture and (options.albedo or not options.segment)))


def own_texcoord(model, kind: int, asset: int) -> bool:
    """Whether a mesh, flex or skin has texture coordinates of its own."""
    addresses = _TEXCOORD_ADDRESSES.get(int(kind))
    return addresses is not None and bool(getattr(model, addresses)[asset] >= 0)


def finish(group: Group, rows: np.ndarray) -> None:
    """Take over the rows, and what drawing order and draw calls depend on."""
    group.rows = rows
    group.alpha = rows[:, S.COLOR + 3].copy()
    group.transparent = group.alpha < OPAQUE_ALPHA
