"""Gizmo: moves, turns and resizes the selected elements in the text, by handles in the viewport; or, where the view
`poses`, the bodies and joints of the running state.

It follows the mouse at once. The text follows as fast as the model can be compiled and drawn: of the positions in
between only the newest counts. All that one drag does is one undo step; Esc takes it back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from kinetree.app.viewport.gizmo.drag import LOCAL, PARENT, WORLD, Drag, axes_of
from kinetree.app.viewport.gizmo.keys import is_shown, key_target, key_value
from kinetree.app.viewport.gizmo.live import live_target, put, take_back
from kinetree.app.viewport.gizmo.shown_range import ShownRange
from kinetree.app.viewport.gizmo.target import GizmoTarget, grown, target_of
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.compile_controller import CompileController
from kinetree.app.workspace.project import ProjectController
from kinetree.app.workspace.selection import follow
from kinetree.app.workspace.view import ViewModel
from kinetree.engine import editing
from kinetree.engine.document.document import Document
from kinetree.engine.geometry.orientation import Pose, compose
from kinetree.engine.model.kinds import body_of
from kinetree.engine.model.model import Model
from kinetree.engine.run.matching import Matching
from kinetree.engine.scene import gizmo
from kinetree.engine.scene.gizmo import MOVE, SIZE, TURN, Figure, GizmoFrame, Handle, JointRange
from kinetree.engine.scene.rotation import quat_mat
from kinetree.engine.translation import tr

TOOLS = (MOVE, TURN, SIZE)
SPACES = (LOCAL, PARENT, WORLD)
_POSITIONS = {
    "body": "xpos",
    "geom": "geom_xpos",
    "site": "site_xpos",
    "camera": "cam_xpos",
    "light": "light_xpos",
}
"""Kinds of objects -> the field of a snapshot with their places."""
PATIENCE = 300  # how long a text waits for the picture of the one before, ms
MOST = 200  # elements that are edited together; with more, no handle follows the mouse


class Gizmo(QObject):
    """The gizmo of one view. Lives in the GUI thread; coordinates are those of mouse events. `size()` gives the
    viewport's (width, height), `eye()` the engine's View of this moment or None.

    tool       "move", "turn", "size", or "" for none
    space      whose axes it has: "local", "parent" or "world"
    edit_mode  whether single keys choose tools and axes, in place of their usual actions in the viewport
    targets    what it edits, the primary one last
    key        the keyframe whose poses it edits, None for those of the model at rest
    reason     why there is nothing to drag, though something is selected
    hover      the handle under the mouse
    drag       the drag in progress

    Signals: `changed()` (draw it again), `state_changed()` (tool, space, edit mode, targets), `failed(message)`.
    """

    changed = Signal()
    state_changed = Signal()
    failed = Signal(str)

    def __init__(
        self, view: ViewModel, project: ProjectController, compiler: CompileController, size, eye, parent=None
    ):
        super().__init__(parent)
        self._view, self._project, self._compiler, self._size = view, project, compiler, size
        self.eye = eye
        self._simulation = view.simulation
        self.tool, self.space, self.edit_mode = MOVE, LOCAL, False
        self.targets: tuple[GizmoTarget, ...] = ()
        self.limits: editing.limit.JointLimits | editing.keyframe.KeyValue | None = None
        self.key: int | None = None
        self._key_shown = False
        self._shows_key = False  # the next version of the model begins at the keyframe
        self.reason = ""
        self.hover: Handle | None = None
        self.drag: Drag | None = None
        self._holding = False  # the mouse button is down
        self._serial = 0
        self._sent = 0  # texts of this drag
        self._version = -1  # of the project after the last of them
        self._pending = False
        self._waiting = False  # for the picture of the last text
        self._frames: tuple[Pose, ...] = ()
        self._range = ShownRange()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.refresh)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE)
        self._patience.timeout.connect(self._go_on)
        view.selection.changed.connect(self._soon.start)
        project.changed.connect(self._soon.start)
        project.edited.connect(self._soon.start)
        view.simulation.model_changed.connect(self._follow_model)
        view.simulation.snapshot_changed.connect(self._take_snapshot)
        compiler.compiled.connect(self._take_compiled)
        compiler.cancelled.connect(self._go_on)
        view.poses_changed.connect(self._soon.start)

    # ---- what is edited ----------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Find the selected elements in the present text."""
        if self.drag is not None:
            return
        if self.poses:
            self._find_live()
            self.state_changed.emit()
            self.changed.emit()
            return
        model, found, reason = self._simulation.model, [], ""
        selections = self._view.selection.selections
        if len(selections) > MOST:
            selections, reason = (
                (),
                tr("more than {most} elements are selected: select the body around them", most=MOST),
            )
        key = next((each for each in selections if each.kind == "key"), None)
        self.key = None if key is None or len(selections) == 1 else key.id
        shown = key is not None and model is not None and is_shown(model, self._simulation.snapshot, key.id)
        self._key_shown = shown
        for selection in selections:
            if selection.element is None or model is None or selection.kind == "key":
                continue
            try:
                if key is None:
                    found.append(target_of(self._project.document, model, selection))
                elif shown:
                    found.append(key_target(self._project.document, model, self._simulation.snapshot, key, selection))
                else:
                    reason = tr("the keyframe is not shown: reset to it, and its poses can be edited")
            except editing.pose.NotPlaced as error:
                reason = str(error)
        inside = {target.element for target in found}
        if self.tool != SIZE and key is None:  # what stands in a selected body comes along with it
            found = [target for target in found if not _is_inside(target, inside)]
        self.targets, self.reason = tuple(found), found[-1].why_not(self.tool) if found else reason
        self.limits = _limits(self.targets[-1]) if found else None
        if found and key is not None and model is not None:
            self.limits = key_value(model, self.targets[-1], key.id)
        self._frames = ()
        self.state_changed.emit()
        self.changed.emit()

    def _find_live(self) -> None:
        """Find the target of the handles for the main selected object in the simulation's state."""
        model, snapshot, selection = self._simulation.model, self._simulation.snapshot, self._view.selection.current
        self.key, self.limits, self.targets, self.reason, self._frames = None, None, (), "", ()
        if model is None or snapshot is None or snapshot.model is not model or not selection:
            return
        try:
            target, value = live_target(model, snapshot, selection)
            # they have what handles and drags use of a Target and of Limits
            self.targets, self.limits = (cast(GizmoTarget, target),), cast(editing.keyframe.KeyValue | None, value)
        except editing.pose.NotPlaced as error:
            self.reason = str(error)

    def _take_snapshot(self) -> None:
        """Update the handles for a new snapshot: for a posed object, and for a keyframe that is edited while it is
        shown."""
        model = self._simulation.model
        if self.poses and self.drag is None:
            self._find_live()
        if self.key is None or self.drag is not None or model is None:
            return
        if is_shown(model, self._simulation.snapshot, self.key) != self._key_shown:
            self._soon.start()

    def _follow_model(self, old: Model | None, keep: bool) -> None:
        model = self._simulation.model
        if keep and old is not None and model is not None:
            self._follow_objects(Matching(old, model))
        else:
            if self.drag is not None:  # of a model that is there no more
                self._end()
            self._forget()
            self.key = None
        if self._shows_key and self.key is not None:
            self._simulation.post(requests.LoadKeyframe(self.key))  # the picture follows the keyframe
        more = self.drag is not None or self._compiler.compiling_since is not None  # versions of the model to come
        self._shows_key = self._shows_key and more
        self._soon.start()

    def _follow_objects(self, matching: Matching) -> None:
        """Renumber the targets for the next version of the model, until `refresh` has found them in its text; targets
        of removed objects are removed. A drag ends with its object."""
        places = self.poses or self.key is not None  # numbers of the state, or of a keyframe
        if places and not matching.keeps_places:
            if self.drag is not None:
                self._end()
            self._forget()
        if self.key is not None:
            key = matching.new_id("key", self.key)
            self.key = key if key >= 0 else None
        if self.drag is not None:
            followed = [_followed(target, matching) for target in self.drag.targets]
            kept = tuple(target for target in followed if target is not None)
            if len(kept) < len(followed):
                self._end()
            else:
                self.drag.targets, self.drag.primary = kept, kept[-1]
        pairs = [(_followed(target, matching), i) for i, target in enumerate(self.targets)]
        whole = len(self._frames) == len(pairs)
        self._frames = tuple(self._frames[i] for target, i in pairs if target is not None) if whole else ()
        if pairs and pairs[-1][0] is None:
            self.limits = None
        self.targets = tuple(target for target, _ in pairs if target is not None)
        self._range.follow(matching)

    def _forget(self) -> None:
        """Drop the targets until they are found again."""
        self.targets, self.limits, self._frames = (), None, ()
        self._range.forget()

    def set_tool(self, tool: str) -> None:
        """Choose a tool; "" hides the gizmo."""
        if tool != self.tool and self.drag is None:
            self.tool, self.hover = tool, None
            self.refresh()

    def set_space(self, space: str) -> None:
        if space != self.space and self.drag is None:
            self.space = space
            self.state_changed.emit()
            self.changed.emit()

    def next_space(self) -> None:
        """Choose the next axes: of the element, of its parent, of the world."""
        self.set_space(SPACES[(SPACES.index(self.space) + 1) % len(SPACES)])

    @property
    def poses(self) -> bool:
        """Whether the handles move the running state."""
        return self._view.poses

    def leave_mode(self) -> None:
        """Leave the edit mode: handles edit the text, and single keys are for the viewport again."""
        self._view.set_poses(False)
        self.set_edit_mode(False)

    def set_edit_mode(self, on: bool) -> None:
        self.edit_mode = on
        if on and not self.tool:
            self.tool = MOVE
        self.refresh()

    # ---- where it is -------------------------------------------------------------------------------------

    def frames(self) -> tuple[Pose, ...]:
        """The frame of each target in the world, now; the last known ones while a new model has no state."""
        model, snapshot = self._simulation.model, self._simulation.snapshot
        if model is not None and snapshot is not None and snapshot.model is model:
            self._frames = tuple(target.frame(model, snapshot) for target in self._shown_targets())
        return self._frames

    def _shown_targets(self) -> tuple[GizmoTarget, ...]:
        return self.targets if self.drag is None else self.drag.targets

    def place(self) -> tuple[GizmoFrame, Pose] | None:
        """(where the gizmo is drawn, the pose of the primary target in the world); None without one."""
        view, frames, targets = self.eye(), self.frames(), self._shown_targets()
        if view is None or not frames or not targets or not self.tool:
            return None
        local = targets[-1].placement.pose
        width, height = self._size()
        if self.drag is not None:
            towards = GizmoFrame(compose(frames[-1], local)[0], np.eye(3), view, width, height).towards()
            local = self.drag.poses(frames, towards)[-1]
        pose = compose(frames[-1], local)
        space = self.space if self.drag is None else self.drag.space
        if (self.tool == SIZE and not self.poses) or space == LOCAL:
            axes = quat_mat(pose[1])
        else:
            axes = axes_of(space, targets[-1], frames[-1])
        return GizmoFrame(pose[0], axes, view, width, height), pose

    def middle(self) -> np.ndarray | None:
        """(3,) where the selected object is in the world, or else where its element says; None if neither is known."""
        model, snapshot, selection = self._simulation.model, self._simulation.snapshot, self._view.selection.current
        if model is None or snapshot is None or snapshot.model is not model:
            return None
        if selection.kind == "joint":
            return gizmo.anchor_of(model, snapshot, selection.id)
        if selection.kind in _POSITIONS:
            return np.array(getattr(snapshot, _POSITIONS[selection.kind])[selection.id], float)
        if self.targets:
            return np.array(compose(self.frames()[-1], self.targets[-1].placement.pose)[0])
        body = body_of(model, selection.kind, selection.id) if selection.kind else -1
        return np.array(snapshot.xpos[body], float) if body >= 0 else None

    def figures(self, found: tuple[GizmoFrame, Pose] | None = None) -> list[Figure]:
        """The drawable and pickable figures; `found`: the result of `place`, if it is known."""
        found = self.place() if found is None else found
        if found is None:
            return []
        frame = found[0]
        target = self._shown_targets()[-1]
        shown: list[Figure] = []
        span = self.span()
        if span is not None:
            anchor = GizmoFrame(span.pos, np.eye(3), frame.view, frame.width, frame.height)
            shown += gizmo.limits(span, anchor)
        placement, tool = target.placement, self.tool
        if self.poses:  # a tool that fits
            tool = TURN if not placement.moves else MOVE if tool == SIZE else tool
        if tool == SIZE:
            reaches = self.drag.reaches() if self.drag is not None else target.reaches
            return shown + gizmo.figures(SIZE, frame, reaches)
        if (tool == MOVE and not placement.moves) or (tool == TURN and not placement.turns):
            return shown
        return shown + gizmo.figures(tool, frame)

    def span(self) -> JointRange | None:
        """The range of the primary target, if that is a joint with one, as dragged."""
        targets, model = self._shown_targets(), self._simulation.model
        if not targets or self.limits is None or model is None:
            return None
        selection, snapshot = targets[-1].selection, self._simulation.snapshot
        if isinstance(self.limits, editing.limit.JointLimits) and self.limits.is_ball:
            view = self.eye()
            if view is None:
                return None
            return self._range.cone(model, snapshot, selection, self.limits, self.drag, view, self._size())
        return self._range.arc(model, snapshot, selection, self.limits, self.drag)

    # ---- the mouse ---------------------------------------------------------------------------------------

    def hover_at(self, x: float, y: float) -> None:
        """Highlight the handle under the mouse, which has no button pressed."""
        if self.drag is None:
            found = gizmo.hit(self.figures(), x, y)
            if found != self.hover:
                self.hover = found
                self.changed.emit()

    def leave(self) -> None:
        if self.hover is not None and self.drag is None:
            self.hover = None
            self.changed.emit()

    def press(self, x: float, y: float, world: bool) -> bool:
        """Take hold of the handle under the mouse; False if there is none. `world`: along the axes of the
        world; of a size, all axes in proportion."""
        if self.drag is not None:
            self.finish()
        if self._soon.isActive():  # the handles under the mouse are those of the previous selection
            self._soon.stop()
            self.refresh()
        handle = gizmo.hit(self.figures(), x, y)
        if handle is None:
            return False
        space = WORLD if world and handle.tool in (MOVE, TURN) else LOCAL if handle.tool == SIZE else self.space
        even = world and handle.tool == SIZE
        self.drag = Drag(handle, self.targets, space, (x, y), self.limits, even)
        self.hover = handle
        self._holding, self._sent, self._pending = True, 0, False
        self._serial += 1
        self.changed.emit()
        return True

    def move(self, x: float, y: float, snap: bool) -> bool:
        """The mouse was dragged; False if it holds no handle."""
        drag = self.drag
        if drag is None or not self._holding:
            return False
        view, frames = self.eye(), self.frames()
        if view is None or not frames:
            return True
        width, height = self._size()
        start = compose(frames[-1], drag.primary.placement.pose)
        if drag.handle.tool == "limit":
            span = self.span()
            if span is not None:
                frame = GizmoFrame(span.pos, np.eye(3), view, width, height)
                drag.follow_limit(frame, span, x, y, snap)
        else:
            axes = axes_of(drag.space, drag.primary, frames[-1])
            drag.follow(GizmoFrame(start[0], axes, view, width, height), x, y, snap)
        self._want()
        return True

    def release(self) -> bool:
        """The mouse let go; False if it held no handle. While a number is typed the drag goes on."""
        if self.drag is None or not self._holding:
            return False
        self._holding = False
        if self.drag.typed is None:
            self.finish()
        return True

    # ---- numbers and axes --------------------------------------------------------------------------------

    def type(self, text: str) -> bool:
        """A number was typed in place of the mouse; False if it is none."""
        if self.drag is None:
            return False
        done = self.drag.type(text)
        if done:
            self._want()
        self.changed.emit()
        return done

    def next_axis(self) -> None:
        if self.drag is not None:
            self.drag.next_axis()
            self._want()

    def constrain(self, axis: int) -> None:
        """Move along, or turn about, one axis from now on."""
        if self.drag is not None and self.drag.typed is None:
            self.drag.constrain(axis)
            self.hover = self.drag.handle
            self._want()

    def finish(self) -> None:
        """End the drag, and keep what it did."""
        if self.drag is None:
            return
        if self._pending or (self.drag.changed and not self._sent):
            self._send()
        self._end()

    def cancel(self) -> None:
        """End the drag, and take back what it did."""
        if self.drag is None:
            return
        if self.drag.is_live:
            if self._sent:
                take_back(self._simulation, self.drag, self.limits)
        elif self._sent:
            self._project.texts.seal()
            if self._project.texts.version == self._version:
                self._shows_key = self.key is not None
                self._project.undo()
        self._end()

    def _end(self) -> None:
        if self.drag is not None and self.drag.is_live:
            self._simulation.post(requests.EndDrag())
        else:
            self._project.texts.seal()
        self.drag, self._holding, self._pending = None, False, False
        self.hover = None
        self._soon.start()
        self.changed.emit()

    # ---- the text ----------------------------------------------------------------------------------------

    def _want(self) -> None:
        """Write the present position, as soon as the one before is on the screen; of a pose at once."""
        self._pending = True
        is_live = self.drag is not None and self.drag.is_live
        if is_live or (not self._waiting and self._compiler.compiling_since is None):
            self._send()
        self.changed.emit()

    def _send(self) -> None:
        drag, found = self.drag, self.place()
        self._pending = False
        if drag is None or found is None or not drag.changed:
            return
        towards = found[0].towards()
        if drag.is_live:
            self._sent += put(self._simulation, drag, self.limits, self.frames(), towards)
            return
        edits = drag.edits(self.frames(), towards)
        try:
            before = self._project.texts.version
            self._project.apply(drag.name, edits, ("gizmo", self._serial))
        except (ValueError, KeyError) as error:
            self.failed.emit(str(error)[:1].upper() + str(error)[1:])
            self.cancel()
            return
        self._version = self._project.texts.version
        if self._version != before:
            self._shows_key = self.key is not None
            self._sent += 1
            self._waiting = True
            self._patience.start()
            drag.targets = tuple(grown(self._project.document, target) for target in drag.targets)
            drag.primary = drag.targets[-1]

    @Slot(object)
    def _take_compiled(self, result) -> None:
        if result.model is None:
            self._go_on()

    def take_drawn(self, model) -> None:
        """Go on with the edits of a drag, once a frame of the newest model was drawn."""
        if self._waiting and self._compiler.compiling_since is None and model is self._simulation.model:
            self._go_on()

    def _go_on(self) -> None:
        self._waiting = False
        self._patience.stop()
        if self._compiler.compiling_since is not None:
            self._waiting = True
            self._patience.start()
        elif self._pending:
            self._send()


def _followed(target: GizmoTarget, matching: Matching) -> GizmoTarget | None:
    """The same target in the next version of the model, None where its object is gone."""
    selection = follow(target.selection, matching)
    return replace(target, selection=selection) if selection else None


def _limits(target: GizmoTarget) -> editing.limit.JointLimits | None:
    try:
        return editing.limit.limits_of(target.document, target.node)
    except editing.pose.NotPlaced:
        return None


def _is_inside(target: GizmoTarget, elements: set[int]) -> bool:
    """Whether an element stands inside another one of these."""
    document: Document = target.document
    return any(around.id in elements for around in editing.context.context_of(document).ancestors(target.node))
