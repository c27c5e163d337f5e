"""The cameras that a view can look through, for menus and lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kinetree.app.workspace.view import ViewModel
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import marked, tr

FREE = marked("Free camera")


class CameraChoice(NamedTuple):
    """One camera. `choose(view)`: let a view look through it."""

    text: str
    is_chosen: bool
    choose: Callable[[ViewModel], None]


def camera_choices(view: ViewModel) -> list[CameraChoice]:
    """The free camera, one that tracks a body, if one is tracked or selected, and those of the model."""
    camera, model = view.camera, view.simulation.model
    kind = "" if camera is None else camera.type
    found = [CameraChoice(tr(FREE), kind == "free", lambda view: view.set_fixed_camera(-1))]
    if camera is None or model is None:
        return found
    is_tracking = kind == "tracking"
    body = camera.trackbodyid if is_tracking else view.selection.body
    if body > 0:
        text = tr("Track {body}", body=name_of(model, "body", body))
        found.append(CameraChoice(text, is_tracking, lambda view, body=body: view.track(body)))
    for number in range(model.ncam):
        chosen = kind == "fixed" and camera.fixedcamid == number
        choose: Callable[[ViewModel], None] = lambda view, number=number: view.set_fixed_camera(number)  # noqa: E731
        found.append(CameraChoice(name_of(model, "camera", number), chosen, choose))
    return found
