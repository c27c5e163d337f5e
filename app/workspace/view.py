"""A view of a simulation: what one viewport shows of it, and what the mouse holds there.

Several views may show one simulation. They share the model, the state and the selection; each has its own
camera, visualisation options and perturbation.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from app.workspace.selection import SelectionModel
from app.workspace.simulation_controller import SimulationController
from engine.scene.options import VisOptions


class View(QObject):
    """One view. Lives in the GUI thread.

    camera   Camera, None while there is no model
    options  VisOptions: what is drawn and what is hidden
    perturb  Perturb: the body that the mouse pushes, None while there is no model

    Signals: `camera_changed()`, `options_changed()`.
    """

    camera_changed = Signal()
    options_changed = Signal()

    def __init__(self, simulation: SimulationController, selection: SelectionModel, parent: QObject | None = None):
        super().__init__(parent)
        self.simulation, self.selection = simulation, selection
        self.camera = None
        self.options = VisOptions()
        self.perturb = None
        simulation.model_changed.connect(self._take_model)
        selection.changed.connect(self._take_selection)
        if simulation.model is not None:
            self._take_model(None, False)

    @Slot(object, bool)
    def _take_model(self, old, keep: bool) -> None:
        model = self.simulation.model
        if model is None:
            self.camera = self.perturb = None
        else:
            from engine.scene.camera import initial
            from engine.scene.perturb import Perturb

            keep = keep and self.camera is not None
            self.camera = _follow(self.camera, old, model) if keep else initial(model)
            self.perturb = Perturb()
            self.perturb.select = self.selection.body
        self.camera_changed.emit()

    # ---- camera --------------------------------------------------------------------------------------

    def set_fixed_camera(self, index: int) -> None:
        """Look through one of the model's cameras; -1: look around freely from where the camera is."""
        if self.camera is None:
            return
        from engine.scene.camera import FIXED, FREE

        if index >= 0:
            self.camera.type, self.camera.fixedcamid = FIXED, index
        else:
            self.camera.type = FREE
        self.camera_changed.emit()

    def cycle_camera(self, by: int) -> None:
        """Look through the next or previous of the model's cameras."""
        model = self.simulation.model
        if self.camera is not None and model is not None and model.ncam > 0:
            now = self.camera.fixedcamid if self.camera.type == "fixed" else (-1 if by > 0 else 0)
            self.set_fixed_camera((now + by) % model.ncam)

    def align_camera(self) -> None:
        """The free camera as the model opens with."""
        if self.simulation.model is not None:
            from engine.scene.camera import default_free

            self.camera = default_free(self.simulation.model)
            self.camera_changed.emit()

    def track_selection(self) -> None:
        """Keep the selected body in the middle."""
        body = self.selection.body
        if body > 0 and self.camera is not None:
            from engine.scene.camera import TRACKING

            self.camera.type, self.camera.trackbodyid = TRACKING, body
            self.camera_changed.emit()

    # ---- options -------------------------------------------------------------------------------------

    def set_option(self, name: str, value) -> None:
        """Set one of the options by its name in VisOptions."""
        setattr(self.options, name, value)
        self.options_changed.emit()

    # ---- selection and perturbation ------------------------------------------------------------------

    @Slot()
    def _take_selection(self) -> None:
        body = self.selection.body
        if self.perturb is not None and self.perturb.select != body:
            self.release()
            self.perturb.clear()
            self.perturb.select = body
            self.perturb.localpos = self.perturb.localpos * 0.0

    def release(self) -> None:
        """Let go of the body that the mouse pushes."""
        if self.perturb is not None and self.perturb.active:
            self.perturb.end()
            self.simulation.perturb(None)


def _follow(camera, old, new):
    """The same view on the next version of the model."""
    from engine.run.transfer import match
    from engine.scene.camera import FIXED, FREE, TRACKING

    camera = camera.copy()
    for kind, type_, attribute in (("camera", FIXED, "fixedcamid"), ("body", TRACKING, "trackbodyid")):
        if camera.type == type_:
            old_to_new = {theirs: mine for mine, theirs in match(old, new, kind).items()}
            found = old_to_new.get(getattr(camera, attribute), -1)
            setattr(camera, attribute, found)
            if found < 0:
                camera.type = FREE
            break
    return camera
