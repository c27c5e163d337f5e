"""Carries keyframes through attach and replicate.

A keyframe's numbers belong to the joints, actuators and mocap bodies that stand in the text before the attach
or replicate. Attaching a model copies its keyframes, with the prefix; a replicate copies every keyframe once
for each replica. Numbers that a copy lacks are NaN here and become those of the reference configuration.

mujoco 3.3.4 does the following, where the XML reference ("attach" and "replicate") only says that keyframes
are re-indexed: keyframes of the model itself are cut or filled up to its sizes after each attach; copies that
wait for the complete tree are not replicated again, and are attached under the names that they have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine import expand
from kinetree.engine.mjcf.elements import Element, Expansion, Spec
from kinetree.engine.mjcf.joint_types import DOFS, QPOS, joint_type
from kinetree.engine.translation import counted, marked, tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics

NOUNS = {
    "qpos": marked("joint positions"),
    "qvel": marked("joint velocities"),
    "act": marked("activations"),
    "ctrl": marked("controls"),
    "mpos": marked("numbers of mocap positions"),
    "mquat": marked("numbers of mocap orientations"),
}


class Keyframes:
    """The keyframes of one spec: its own in `spec.lists`, and copies that wait until the tree is complete."""

    def __init__(self, spec: Spec, diagnostics: Diagnostics):
        self.spec = spec
        self.diagnostics = diagnostics
        self.waiting: list[Element] = []

    @property
    def own(self) -> list[Element]:
        return self.spec.lists["key"]

    def store(
        self,
        name: Callable[[str], str],
        place: Element,
        step: Expansion | None = None,
        into: Keyframes | None = None,
    ) -> None:
        """Store each keyframe's numbers in the elements that they belong to, under another name.

        place  the element that copies the keyframes
        step   what the copies are made by; None where they stand for the keyframes themselves
        into   the keyframes of the spec that they go to, if that is another one
        """
        if not self.own:
            return
        layout = self.layout()
        for key in self.own:
            twin = key.copy()
            twin.name = name(key.name)
            if step is not None:
                twin.made_by = (*key.made_by, step)
            twin.values = {k: v for k, v in key.values.items() if k not in NOUNS}
            (into or self).waiting.append(twin)
            for field in NOUNS:
                self.hand_out(key, field, layout[field], twin.name, place)

    def hand_out(self, key: Element, field: str, layout: list[tuple[Element, int]], name: str, place: Element) -> None:
        values = key.get(field)
        if values is None or not len(values):
            return
        need = sum(size for _, size in layout)
        if len(values) != need:
            self.diagnostics.error(
                key.at(field),
                "wrong-count",
                tr(
                    "{field} has {numbers}, but needs {need} for the {things} before the {tag} in line {line}, which "
                    "copies the keyframe; add {missing}"
                    if len(values) < need
                    else "{field} has {numbers}, but needs {need} for the {things} before the {tag} in line {line}, "
                    "which copies the keyframe; remove {missing}",
                    field=field,
                    numbers=counted("{count} number", "{count} numbers", len(values)),
                    need=need,
                    things=tr(NOUNS[field]),
                    tag=place.tag,
                    line=place.node.line,
                    missing=abs(need - len(values)),
                ),
            )
            return
        at = 0
        for element, size in layout:
            element.states.setdefault(name, {})[field] = values[at : at + size]
            at += size

    def resize(self) -> None:
        """Cut or fill up the model's own keyframes to its present sizes."""
        if not self.own:
            return
        sizes = {field: sum(size for _, size in found) for field, found in self.layout().items()}
        for key in self.own:
            for field, size in sizes.items():
                values = key.get(field)
                if values is not None and len(values) and len(values) != size:
                    longer = np.full(size, np.nan)
                    longer[: len(values)] = values[:size]
                    key.values = {**key.values, field: longer}

    def settle(self, place: Element) -> None:
        """Let the model's own keyframes wait too, before the originals of replicas leave the tree."""
        self.store(lambda name: name, place)
        self.spec.lists["key"] = []

    def finish(self) -> None:
        """Assemble the numbers of the waiting keyframes in the order of the complete model."""
        layout = self.layout() if self.waiting else {}
        for key in self.waiting:
            for field, elements in layout.items():
                parts = [element.states.get(key.name, {}).get(field) for element, _ in elements]
                if any(part is not None for part in parts):
                    key.values[field] = np.concatenate(
                        [
                            np.full(size, np.nan) if part is None else part
                            for part, (_, size) in zip(parts, elements, strict=True)
                        ]
                    )
        self.spec.lists["key"] += self.waiting
        self.waiting = []

    def layout(self) -> dict[str, list[tuple[Element, int]]]:
        """Field of a keyframe -> (element, how many of the numbers are its) in order."""
        bodies = list(self.spec.world.walk())
        joints = [joint for body in bodies for joint in body.joints]
        actuators = self.spec.lists["actuator"]
        mocap = [body for body in bodies if body.get("mocap")]
        return {
            "qpos": [(joint, QPOS[joint_type(joint)]) for joint in joints],
            "qvel": [(joint, DOFS[joint_type(joint)]) for joint in joints],
            "act": [
                (
                    actuator,
                    max(expand.actuator_shortcuts.activations(expand.actuator_shortcuts.parameters(actuator)), 0),
                )
                for actuator in actuators
            ],
            "ctrl": [(actuator, 1) for actuator in actuators],
            "mpos": [(body, 3) for body in mocap],
            "mquat": [(body, 4) for body in mocap],
        }
