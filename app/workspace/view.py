"""A view of a simulation: what one viewport shows of it, and what the mouse holds there.

Several views may show one simulation. They share the model, the state and the selection; each has its own
camera, visualisation options and perturbation.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal, Slot

from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.bindings import Bindings
from kinetree.app.workspace.selection import Selection, SelectionModel, selected_objects
from kinetree.app.workspace.simulation_controller import SimulationController
from kinetree.app.workspace.visibility import Visibility
from kinetree.engine import run, scene
from kinetree.engine.scene.effects import EFFECTS, Preset
from kinetree.engine.scene.options import Shapes, VisOptions

if TYPE_CHECKING:
    import numpy as np

    from kinetree.engine.model.model import Model
    from kinetree.engine.scene.camera import Camera
    from kinetree.engine.scene.section import Section

FLIGHT = 250  # ms


class ViewModel(QObject):
    """One view. Lives in the GUI thread.

    camera   Camera, None while there is no model
    flight   for how long the camera moves when it is sent to another place, ms; 0: it is there at once
    options  VisOptions: what is drawn and what is hidden
    perturb  Perturb: the body that the mouse pushes, None while there is no model
    poses    whether the handles move the running state, and not the text
    bindings  what the movements of the mouse do
    wheel    how the wheel zooms: see the setting "viewport.wheel"
    preset   the choice of effects; single ones in `options` may have been chosen otherwise
    shows_ghost  whether the model that is compared is drawn as a ghost
    pictures  cameras of the model whose pictures are shown in a corner
    shows_other  whether it shows the model that is compared in place of the open one
    visibility  which objects are hidden, left out or marked

    Signals: `camera_changed()`, `options_changed()`, `poses_changed()`.
    """

    camera_changed = Signal()
    options_changed = Signal()
    poses_changed = Signal()

    def __init__(self, simulation: SimulationController, selection: SelectionModel, parent: QObject | None = None):
        super().__init__(parent)
        self.simulation, self.selection = simulation, selection
        self.camera: Camera | None = None
        self.flight = FLIGHT
        self._flight: QVariantAnimation | None = None
        self.options = VisOptions()
        self.visibility = Visibility(self)
        self.preset = Preset.BALANCED
        self.perturb = None
        self.poses = False
        self.wheel = "away"
        self.bindings = Bindings()
        self.shows_ghost = True
        self.shows_other = False
        self.pictures: tuple[int, ...] = ()
        simulation.model_changed.connect(self._take_model)
        selection.changed.connect(self._take_selection)
        if simulation.model is not None:
            self._take_model(None, False)

    @Slot(object, bool)
    def _take_model(self, old, keep: bool) -> None:
        model = self.simulation.model
        self.stop_flight()
        if model is None:
            self.camera = self.perturb = None
        else:
            keep = keep and self.camera is not None
            self._follow_pictures(old if keep else None, model)
            self.camera = _follow(self.camera, old, model) if keep else scene.camera.initial(model)
            self.perturb = run.perturb.Perturb()
            self.perturb.select = self.selection.body
        self.visibility.follow(old if keep else None, model)
        if not keep and self.options.section is not None:
            self.set_section(None)
        self.camera_changed.emit()

    # ---- camera --------------------------------------------------------------------------------------

    def set_camera(self, camera: Camera) -> None:
        """Look through another camera."""
        self.stop_flight()
        self.camera = camera
        self.camera_changed.emit()

    def set_fixed_camera(self, index: int) -> None:
        """Look through one of the model's cameras; -1: through the free camera, where it was last."""
        if self.camera is None:
            return

        camera = self.camera.copy()
        if index >= 0:
            camera.type, camera.fixedcamid = scene.camera.FIXED, index
        else:
            camera.type = scene.camera.FREE
        self.set_camera(camera)

    def cycle_camera(self, by: int) -> None:
        """Look through the next or previous of the model's cameras."""
        model = self.simulation.model
        if self.camera is not None and model is not None and model.ncam > 0:
            now = self.camera.fixedcamid if self.camera.type == "fixed" else (-1 if by > 0 else 0)
            self.set_fixed_camera((now + by) % model.ncam)

    def align_camera(self) -> None:
        """Set the free camera as the model opens with it."""
        if self.simulation.model is not None:
            self.set_camera(scene.camera.default_free(self.simulation.model))

    def reset_camera(self) -> None:
        """Look as the model opens: through the camera that it names, else the free one; no pictures of others."""
        if self.simulation.model is not None:
            self.set_camera(scene.camera.initial(self.simulation.model))
            self.set_pictures(())

    def look_at(self, point: np.ndarray) -> None:
        """Bring a point of the world into the middle of the picture; the camera keeps its distance and direction."""
        if self.camera is not None:
            camera = self.camera.copy()
            camera.type, camera.lookat = scene.camera.FREE, point.copy()
            self.set_camera(camera)

    def track(self, body: int) -> None:
        """Keep a body in the middle."""
        if body > 0 and self.camera is not None:
            camera = self.camera.copy()
            camera.type, camera.trackbodyid = scene.camera.TRACKING, body
            self.set_camera(camera)

    def track_selection(self) -> None:
        """Keep the selected body in the middle."""
        self.track(self.selection.body)

    def set_orthographic(self, on: bool) -> None:
        """Draw without perspective, or with it. What stands where the camera looks keeps its size."""
        camera = self.as_free()
        if camera is not None:
            camera.orthographic = on
            self.set_camera(camera)

    def look_from(self, direction: Sequence[float]) -> None:
        """Look at the same point from a direction (3,) of the world."""
        camera = self.as_free()
        if camera is not None:
            self.fly_to(scene.camera.seen_from(camera, direction))

    def fit(self, selections: Iterable[Selection] = (), aspect: float = 1.0) -> bool:
        """Show objects, without any the whole model, as large as a window of width / height = `aspect` allows. False
        where they have no place."""

        model, snapshot, camera = self.simulation.model, self.simulation.snapshot, self.as_free()
        if model is None or camera is None or snapshot is None or snapshot.model is not model:
            return False
        objects = [each for selection in selections for each in selected_objects(selection, model)]
        found = scene.bounds.sphere(model, snapshot, objects)
        if found is not None:
            self.fly_to(scene.camera.fitted(camera, *found, model, aspect))
        return found is not None

    def as_free(self) -> Camera | None:
        """A free camera that sees what this view sees; None while there is nothing to see."""
        model, snapshot, camera = self.simulation.model, self.simulation.snapshot, self.camera
        if camera is None or model is None:
            return None
        camera = camera.copy()
        if camera.type == scene.camera.FIXED and snapshot is not None and snapshot.model is model:
            camera = scene.camera.as_free(camera, scene.camera.view_of(camera, model, snapshot, 1.0), model.stat.center)
        camera.type = scene.camera.FREE
        return camera

    def fly_to(self, camera: Camera) -> None:
        """Move the camera to another place in a moment, so that the eye can follow."""
        start = self.as_free()
        self.stop_flight()
        if start is None or camera.type == "fixed" or self.flight <= 0:
            self.set_camera(camera)
            return

        self._flight = QVariantAnimation(self)
        self._flight.setStartValue(0.0)
        self._flight.setEndValue(1.0)
        self._flight.setDuration(self.flight)
        self._flight.setEasingCurve(QEasingCurve.Type.InOutCubic)

        def move(share: float) -> None:
            self.camera = scene.camera.between(start, camera, share) if share < 1.0 else camera
            self.camera_changed.emit()

        self._flight.valueChanged.connect(move)
        self._flight.start(QVariantAnimation.DeletionPolicy.KeepWhenStopped)

    def stop_flight(self) -> None:
        """Leave the camera where it is."""
        if self._flight is not None:
            self._flight.stop()
            self._flight.deleteLater()
            self._flight = None

    def take_look(self, other: ViewModel) -> None:
        """Begin as another view of the same simulation looks now."""
        self.camera = None if other.camera is None else other.camera.copy()
        self.options, self.preset = copy.copy(other.options), other.preset
        self.visibility.take(other.visibility)
        self.camera_changed.emit()
        self.options_changed.emit()

    def show_side(self, direction: Sequence[float]) -> None:
        """Look at the same point from a direction (3,) of the world, without perspective, at once."""
        camera = self.as_free()
        if camera is not None:
            camera.orthographic = True
            self.set_camera(scene.camera.seen_from(camera, direction))

    def toggle_picture(self, camera: int) -> None:
        """Show what a camera of the model sees in a corner, or no more."""
        shown = [each for each in self.pictures if each != camera]
        self.set_pictures(shown if len(shown) < len(self.pictures) else [*shown, camera])

    def set_pictures(self, cameras: Iterable[int]) -> None:
        """Show what these cameras of the model see in a corner."""
        found = tuple(dict.fromkeys(cameras))
        if found != self.pictures:
            self.pictures = found
            self.options_changed.emit()

    # ---- options -------------------------------------------------------------------------------------

    def set_option(self, name: str, value) -> None:
        """Set one of the options by its name in VisOptions."""
        setattr(self.options, name, value)
        self.options_changed.emit()

    def set_group(self, kind: str, number: int, on: bool) -> None:
        """Show or hide a group of a kind. With a group of geoms, flexes or skins, groups choose the shapes again."""
        groups = list(getattr(self.options, f"{kind}group"))
        groups[number] = on
        if kind in ("geom", "flex", "skin"):
            self.options.shapes = Shapes.GROUPS
        self.set_option(f"{kind}group", groups)

    def set_preset(self, preset: Preset) -> None:
        """Take the effects of a preset, but for those that are not as the last preset had them: the user chose these.
        The same preset again takes them all back."""
        for effect in EFFECTS:
            if preset is self.preset or getattr(self.options, effect.name) == effect.of(self.preset):
                setattr(self.options, effect.name, effect.of(preset))
        self.preset = preset
        self.options_changed.emit()

    def reset_display(self) -> list[str]:
        """Draw the model as with usual options: flags, groups, frames and labels, effects as in the preset, light as
        the model gives it, nothing hidden, marked or cut. Returns the names of the options that were different."""
        usual = VisOptions(**{effect.name: effect.of(self.preset) for effect in EFFECTS})
        different = [name for name, value in vars(usual).items() if getattr(self.options, name) != value]
        self.visibility.clear()
        self.options = usual
        self.options_changed.emit()
        return different

    def show_ghost(self, on: bool) -> None:
        """Draw the model that is compared as a ghost, or not."""
        self.shows_ghost = on
        self.options_changed.emit()

    def _follow_pictures(self, old: Model | None, model: Model) -> None:
        """Keep the pictures of the same cameras for the next version of the model; none for a new one."""
        if self.pictures and old is not None:
            matching = run.matching.Matching(old, model)
            self.pictures = tuple(n for n in (matching.new_id("camera", each) for each in self.pictures) if n >= 0)
        else:
            self.pictures = ()

    # ---- section plane -------------------------------------------------------------------------------

    def set_section(self, section: Section | None) -> None:
        """Cut the model open along a plane; None: show it whole."""
        self.set_option("section", section)

    def cut(self, normal: Sequence[float] | None = None) -> None:
        """Cut the model open through its middle, or that of the selection, across a direction (3,) of the world;
        without one the plane faces the viewer. The side of the viewer is left out."""
        import numpy as np

        model, snapshot, camera = self.simulation.model, self.simulation.snapshot, self.as_free()
        if model is None or snapshot is None or snapshot.model is not model or camera is None:
            return
        objects = [each for selection in self.selection.selections for each in selected_objects(selection, model)]
        found = scene.bounds.sphere(model, snapshot, objects) or scene.bounds.sphere(model, snapshot)
        centre = model.stat.center if found is None else found[0]
        towards = -camera.axes()[0]
        if normal is None:
            normal = tuple(towards.tolist())
        side = 1.0 if np.dot(normal, towards) >= 0 else -1.0
        self.set_section(scene.section.across(centre, side * np.asarray(normal, float)))

    # ---- selection and perturbation ------------------------------------------------------------------

    @Slot()
    def _take_selection(self) -> None:
        body = self.selection.body
        if self.perturb is not None and self.perturb.select != body:
            self.release()
            self.perturb.clear()
            self.perturb.select = body
            self.perturb.localpos = self.perturb.localpos * 0.0

    def set_poses(self, on: bool) -> None:
        """Let the handles move the running state, or edit the text again."""
        if on != self.poses:
            self.poses = on
            self.poses_changed.emit()

    def give_up(self) -> None:
        """Let go of the body that the mouse holds; while paused, put it back."""
        if self.perturb is not None and self.perturb.active:
            self.perturb.end()
            self.simulation.post(requests.CancelDrag())

    def release(self) -> None:
        """Let go of the body that the mouse pushes."""
        if self.perturb is not None and self.perturb.active:
            self.perturb.end()
            self.simulation.post(requests.ReleasePerturb())


def _follow(camera, old, new):
    """The camera for the next version of the model, with the same view."""

    camera = camera.copy()
    for kind, type_, attribute in (
        ("camera", scene.camera.FIXED, "fixedcamid"),
        ("body", scene.camera.TRACKING, "trackbodyid"),
    ):
        if camera.type == type_:
            found = run.matching.Matching(old, new).new_id(kind, getattr(camera, attribute))
            setattr(camera, attribute, found)
            if found < 0:
                camera.type = scene.camera.FREE
            break
    return camera
