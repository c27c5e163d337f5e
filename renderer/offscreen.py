"""Pictures without a window: one headless renderer a thread, kept for the next picture."""

from __future__ import annotations

import atexit
import threading

import numpy as np

from engine.scene.build import build
from engine.scene.camera import FIXED, Camera, initial
from engine.scene.decor.labels import object_names
from engine.scene.options import VisOptions
from engine.scene.scene import Scene
from renderer.frame import Renderer

_threads = threading.local()


def find_camera(model, camera) -> Camera:
    """A Camera from None, a name, an id or a Camera. Raises KeyError, IndexError."""
    if camera is None:
        return initial(model)
    if isinstance(camera, Camera):
        return camera
    if isinstance(camera, str):
        names = object_names(model, "camera", model.ncam)
        if camera not in names:
            raise KeyError(f"no camera {camera!r}; the model has: {', '.join(names) or 'none'}")
        return Camera(FIXED, fixedcamid=names.index(camera))
    index = int(camera)
    if not 0 <= index < model.ncam:
        raise IndexError(f"camera {index} does not exist: the model has {model.ncam}")
    return Camera(FIXED, fixedcamid=index)


class Offscreen:
    """A headless renderer with the scene that it draws."""

    def __init__(self):
        self.renderer = Renderer()
        self.scene = Scene()

    def render(self, model, data, width, height, camera=None, options=None) -> np.ndarray:
        """See renderer.render."""
        options = options or VisOptions()
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
