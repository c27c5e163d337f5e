"""Pictures without a window: one headless renderer a thread, kept for the next picture."""

from __future__ import annotations

import atexit
import threading

import numpy as np

from kinetree.engine.dynamics.forward import kinematics
from kinetree.engine.model.arguments import integer, kind_of
from kinetree.engine.model.data import Data, check_pair, has_poses
from kinetree.engine.model.model import check_model
from kinetree.engine.run.snapshot import Snapshot
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import FIXED, Camera, initial
from kinetree.engine.scene.decor.labels import object_names
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.scene import Scene
from kinetree.renderer.frame import Renderer

_threads = threading.local()


def find_camera(model, camera) -> Camera:
    """A Camera from None, a name, an id or a Camera. Raises TypeError, KeyError, IndexError."""
    if camera is None:
        return initial(model)
    if isinstance(camera, Camera):
        return camera
    if isinstance(camera, str):
        names = object_names(model, "camera", model.ncam)
        if camera not in names:
            raise KeyError(f"no camera {camera!r}; the model has: {', '.join(names) or 'none'}")
        return Camera(FIXED, fixedcamid=names.index(camera))
    try:
        index = integer(camera, "a camera")
    except TypeError:
        raise TypeError(f"a camera is a name, an id, a Camera or None, not {kind_of(camera)}") from None
    if not 0 <= index < model.ncam:
        raise IndexError(f"camera {index} does not exist: the model has {model.ncam}")
    return Camera(FIXED, fixedcamid=index)


def posed(model, state):
    """A state with poses: itself, or a copy of a Data whose poses were not computed yet.

    Raises TypeError for a value that is no state, ValueError for a state of another model.
    """
    if Data in (type(model), type(state)):
        check_pair(model, state)
        if not has_poses(state):
            state = state.copy()
            kinematics(model, state)
        return state
    if not hasattr(model, "geom_type"):  # those of mujoco have it too
        check_model(model)
    if not hasattr(state, "geom_xpos"):
        raise TypeError(f"expected a kinetree.Data or a Snapshot, not {kind_of(state)}")
    own = state.model if isinstance(state, Snapshot) else None  # none in one that was sent from another process
    if own is not None and own.structure != model.structure:
        raise ValueError("this Snapshot is of another model: draw it with its own, snapshot.model")
    return state


class Offscreen:
    """A headless renderer with the scene that it draws."""

    def __init__(self):
        self.renderer = Renderer()
        with self.renderer.device.context:  # left current after it was made, Qt could not make its own current
            self.scene = Scene()

    def render(self, model, data, width, height, camera=None, options=None) -> np.ndarray:
        """See kinetree.render."""
        if not isinstance(options, VisOptions | None):
            raise TypeError(f"options must be VisOptions or None, not {kind_of(options)}")
        options, data = options or VisOptions(), posed(model, data)
        width, height = self.renderer.size(width, height)
        with self.renderer.device.context:
            scene = build(model, data, options, find_camera(model, camera), None, self.scene, (width, height))
            return self.renderer.read(scene, width, height)[0]

    def release(self) -> None:
        """Delete everything, the context too."""
        self.renderer.release()


def shared() -> Offscreen:
    """This thread's renderer, made at its first use."""
    offscreen = getattr(_threads, "offscreen", None)
    if offscreen is None or offscreen.renderer.context is None:
        offscreen = _threads.offscreen = Offscreen()
    return offscreen


def release() -> None:
    """Delete this thread's renderer; the next picture makes a new one."""
    offscreen = getattr(_threads, "offscreen", None)
    if offscreen is not None:
        offscreen.release()
        del _threads.offscreen


atexit.register(release)


def render(model, data, width: int, height: int, camera=None, options=None) -> np.ndarray:
    """Draw a picture of a model: (height, width, 3) uint8, sRGB. Needs no window and no display.

    The picture shows the poses that were computed last. Of a Data for which none were computed since it was made or
    reset it shows those at its qpos, without changing it.

    data      a Data or a Snapshot
    width     of the picture, pixels
    height    of the picture, pixels
    camera    a camera's name or id, a Camera, or None: the free camera that the model asks for
    options   what is shown and how (VisOptions); None: the defaults

    Raises KeyError or IndexError for an unknown camera, ValueError for a Data of another model and for a size that
    cannot be drawn, NoContext without OpenGL 4.1.

    Source: Kinetree's own; docs/pictures.md.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        picture = kinetree.render(model, data, 160, 120, camera="front", options=kinetree.VisOptions(shadow=False))
        assert picture.shape == (120, 160, 3)
    """
    return shared().render(model, data, width, height, camera, options)
