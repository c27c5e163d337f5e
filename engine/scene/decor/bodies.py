"""Decor of bodies: inertia boxes, centres of mass, lines that connect bodies, and coordinate frames of all
kinds."""

from __future__ import annotations

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.kinds import BY_OBJECT
from kinetree.engine.scene.decor.look import Look, matrices, objects, vectors
from kinetree.engine.scene.decor.rows import IDENTITY, NO_OBJECT, Decor, frames_along
from kinetree.engine.scene.options import Frame
from kinetree.engine.scene.scene import ShapeKind

DENSITY = 1000.0  # of the boxes drawn with "Scale Inertia", kg/m3
LIGHTEST = 1e-12  # a body below this mass has no inertia box, kg
FRAME_LENGTH = 36.0  # of an axis of a frame whose `scale.framelength` is 1, which is MuJoCo's default, pixels
FRAME_WIDTH = 10.0  # radius of an axis whose `scale.framewidth` is 1 (MuJoCo's default is 0.1), pixels
SMALLEST = 1e-18  # least square of a half-size of an inertia box, m2


def inertia(decor: Decor, look: Look) -> None:
    """Draw a box (or ellipsoid) with the same inertia as each body; with `sclinertia` of the same mass at water's
    density."""
    model, state = look.model, look.state
    ellipsoid = bool(model.vis.global_.ellipsoidinertia)
    factor = 5.0 if ellipsoid else 3.0  # I_x = m (b^2 + c^2) / factor for half-sizes b, c
    mass = np.asarray(model.body_mass, float)
    ids = np.flatnonzero(mass > LIGHTEST)
    ids = ids[ids > 0]
    mass, moments = mass[ids], vectors(model.body_inertia)[ids]
    square = (0.5 * factor / mass)[:, None] * (moments.sum(axis=1)[:, None] - 2.0 * moments)
    size = np.sqrt(np.maximum(square, SMALLEST))
    if look.options.sclinertia:
        volume = (4.0 / 3.0 * np.pi if ellipsoid else 8.0) * size.prod(axis=1)
        size = size * ((mass / DENSITY / np.maximum(volume, 1e-30)) ** (1.0 / 3.0))[:, None]
    decor.add(
        ShapeKind.SPHERE if ellipsoid else ShapeKind.BOX,
        vectors(state.xipos)[ids],
        matrices(state.ximat)[ids],
        size,
        look.color("inertia"),
        object=objects(enums.OBJ_BODY, ids),
        emission=np.where(ids == look.selected(), float(model.vis.global_.glow), 0.0),
    )


def inertia_size(model, body: int) -> np.ndarray:
    """(3,) half-sizes of the box with a body's inertia."""
    moments = np.asarray(model.body_inertia[body], float)
    mass = max(float(model.body_mass[body]), LIGHTEST)
    return np.sqrt(np.maximum(1.5 / mass * (moments.sum() - 2.0 * moments), 1e-12))


def centres_of_mass(decor: Decor, look: Look) -> None:
    """Draw balls at the centres of mass of kinematic trees."""
    model = look.model
    roots = (np.asarray(model.body_parentid) == 0) & (np.asarray(model.body_subtreemass) > 0)
    ids = np.flatnonzero(roots)
    ids = ids[ids > 0]
    decor.add(
        ShapeKind.SPHERE,
        vectors(look.state.subtree_com)[ids],
        IDENTITY,
        look.scale("com"),
        look.color("com"),
        object=objects(enums.OBJ_BODY, ids),
    )


def connections(decor: Decor, look: Look) -> None:
    """Draw capsules from each body's centre through its joints to its parent's centre."""
    model, state = look.model, look.state
    centre, anchor = vectors(state.xipos), vectors(state.xanchor)
    starts, ends, ids = [], [], []
    for body in range(1, model.nbody):
        parent = int(model.body_parentid[body])
        if parent == 0:
            continue
        first, number = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        joints = range(first + number - 1, first - 1, -1) if first >= 0 else ()
        path = [centre[body], *(anchor[joint] for joint in joints), centre[parent]]
        starts += path[:-1]
        ends += path[1:]
        ids += [body] * (len(path) - 1)
    if ids:
        radius = 0.5 * look.scale("connect")
        decor.capsules(starts, ends, radius, look.color("connect"), object=objects(enums.OBJ_BODY, ids))


# Frame: object type, positions and axes of the kind's objects
FRAMES = {
    Frame.WORLD: (-1, lambda state: (np.zeros((1, 3)), IDENTITY)),
    Frame.BODY: (enums.OBJ_BODY, lambda state: (state.xpos, state.xmat)),
    Frame.GEOM: (enums.OBJ_GEOM, lambda state: (state.geom_xpos, state.geom_xmat)),
    Frame.SITE: (enums.OBJ_SITE, lambda state: (state.site_xpos, state.site_xmat)),
    Frame.CAMERA: (enums.OBJ_CAMERA, lambda state: (state.cam_xpos, state.cam_xmat)),
    Frame.LIGHT: (enums.OBJ_LIGHT, lambda state: (state.light_xpos, frames_along(vectors(state.light_xdir)))),
}


def frames(decor: Decor, look: Look) -> None:
    """Draw coordinate frames of the objects that `options.frame` names; twice as large for the world."""
    mode = look.options.frame
    kind, poses = FRAMES[mode]
    pos, mat = poses(look.state)
    pos, mat = vectors(pos), matrices(mat)
    factor = 2.0 if mode == Frame.WORLD else 1.0
    if mode == Frame.BODY:
        ids = np.arange(1, len(pos))
    elif mode == Frame.GEOM:
        ids = look.shown("geom", look.model.geom_group)
    elif mode == Frame.SITE:
        ids = look.shown("site", look.model.site_group)
    else:
        ids = np.arange(len(pos))
    object = (-1, -1) if mode == Frame.WORLD else objects(kind, ids)
    add_frames(decor, look, pos[ids], mat[ids], object, factor)


def frames_of(decor: Decor, look: Look) -> None:
    """Draw coordinate frames of single objects, which `options.framed` lists."""
    model, state = look.model, look.state
    by_name = {BY_OBJECT[object].name: poses for object, poses in FRAMES.values() if object >= 0}
    for kind, number in sorted(look.options.framed):
        if kind == "joint":
            body = int(model.jnt_bodyid[number])
            add_frames(decor, look, vectors(state.xanchor)[[number]], matrices(state.xmat)[[body]])
        elif kind in by_name:
            pos, mat = by_name[kind](state)
            add_frames(decor, look, vectors(pos)[[number]], matrices(mat)[[number]])


def add_frames(decor: Decor, look: Look, pos, mat, object=NO_OBJECT, factor: float = 1.0) -> None:
    """Draw coordinate frames that have the same size on the screen wherever they are; the model's settings change it as
    they would change a length in metres."""
    length, width = (
        factor * share * float(getattr(look.model.vis.scale, name))
        for name, share in (("framelength", FRAME_LENGTH), ("framewidth", FRAME_WIDTH))
    )
    pixel = look.pixels(pos, 1.0)
    decor.frames(pos, mat, length * pixel, width * pixel, object)
