"""The table of decorations: what switches each on, and the function that draws it, in drawing order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kinetree import engine
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.model.plugins import PLUGIN_TOUCH_GRID, PLUGIN_TOUCH_STRESS
from kinetree.engine.scene.decor import (
    bodies,
    bounding,
    cameras,
    constraints,
    contacts,
    descents,
    joints,
    limits,
    marks,
    selection,
    tendons,
)
from kinetree.engine.scene.decor.look import Look
from kinetree.engine.scene.decor.rows import Decor
from kinetree.engine.scene.options import Frame, VisOptions


@dataclass(frozen=True, slots=True)
class Decoration:
    """A kind of decoration. `shown(options)`: whether the options ask for it; `draw(decor, look)` adds its rows."""

    name: str
    shown: Callable[[VisOptions], bool]
    draw: Callable[[Decor, Look], None]


def _touch(decor: Decor, look: Look) -> None:
    """The readings of touch sensors. Few models have any, and their functions are many modules.

    Models of mujoco have no parameters of their plugins: nothing is drawn for them.
    """
    model = look.model
    if not hasattr(model, "plugin_prm"):
        return
    plugins = np.asarray(model.sensor_plugin)
    kinds = np.asarray(model.plugin)[plugins[plugins >= 0]]
    if np.isin(kinds, (PLUGIN_TOUCH_GRID, PLUGIN_TOUCH_STRESS)).any():
        engine.scene.decor.touch.readings(decor, look)


DECORATIONS = (
    Decoration("inertia", lambda options: options.inertia, bodies.inertia),
    Decoration("tendons", lambda options: options.tendon, tendons.tendons),
    Decoration("joints", lambda options: options.joint, joints.joints),
    Decoration("limits of joints", lambda options: options.joint, limits.limits),
    Decoration("actuators", lambda options: options.actuator, joints.actuators),
    Decoration("slider-cranks", lambda options: True, joints.slider_cranks),
    Decoration("connections", lambda options: options.autoconnect, bodies.connections),
    Decoration("centres of mass", lambda options: options.com, bodies.centres_of_mass),
    Decoration("cameras", lambda options: options.camera, cameras.cameras),
    Decoration("lights", lambda options: options.light, cameras.lights),
    Decoration("equalities", lambda options: options.equality, constraints.equalities),
    Decoration("range finders", lambda options: options.rangefinder, constraints.rangefinders),
    Decoration("readings of touch sensors", lambda options: options.rangefinder, _touch),
    Decoration("contact points", lambda options: options.contactpoint, contacts.points),
    Decoration("contact frames", lambda options: options.frame == Frame.CONTACT, contacts.frames),
    Decoration("contact forces", lambda options: options.contactforce, contacts.forces),
    Decoration("descents in distance fields", lambda options: options.sdfiter, descents.descents),
    Decoration("frames", lambda options: options.frame in bodies.FRAMES, bodies.frames),
    Decoration("frames of objects", lambda options: bool(options.framed), bodies.frames_of),
    Decoration("volumes of bodies", lambda options: options.bodybvh, bounding.bodies),
    Decoration("volumes of meshes", lambda options: options.meshbvh, bounding.meshes),
    Decoration("volumes of flexes", lambda options: options.flexbvh, bounding.flexes),
    Decoration("selected point", lambda options: options.select, selection.point),
    Decoration("perturbation", lambda options: options.pertobj, selection.perturbation),
    Decoration("perturbation force", lambda options: options.pertforce, selection.force),
)


def collect(
    model, state, options: VisOptions, perturb, view, height: float = 800.0, marked: Sequence[ObjectId] = ()
) -> Decor:
    """All decorations that the options ask for, and the marks of objects. `height`: of the window, in pixels
    of the screen's scaling."""
    look = Look(model, state, options, perturb, view, height)
    decor = Decor()
    for decoration in DECORATIONS:
        if decoration.shown(options):
            decoration.draw(decor, look)
    marks.draw(decor, look, marked)
    return decor
