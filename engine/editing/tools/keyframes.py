"""The values of keyframes for a mirrored limb, which comes directly behind the original.

A key lists the positions of all joints in the order of the bodies. What the limb has there is written a second time
behind it, mirrored: the same number for a hinge or slide, other signs for the rotation of a ball or free joint.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from kinetree.engine.document.element_edit import ElementEdit, SetAttribute
from kinetree.engine.editing import states
from kinetree.engine.editing.context import Context, context_of
from kinetree.engine.editing.tools.signs import negated
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node

_DYNAMIC = frozenset({"muscle", "intvelocity", "cylinder"})
"""Actuators that have an activation always."""
_STATES = ("qpos", "qvel", "act", "ctrl", "mpos", "mquat")


def extended(
    document: Document, bodies: Collection[int], actuators: Collection[int], vector: Sequence[int]
) -> tuple[list[ElementEdit], list[str]]:
    """(edits that add the state of the mirrored limb to all keyframes, notes about parts that cannot be mirrored).
    `bodies`: ids of those in the limb; `actuators`: ids of those that are copied; `vector`: the signs of a mirrored
    vector.
    """
    root = document.merged
    keys = [key for section in root.children if section.tag == "keyframe" for key in section.children]
    keys = [key for key in keys if key.tag == "key" and any(map(key.get, _STATES))]
    if not keys:
        return [], []
    if any(next(root.iter(tag), None) is not None for tag in states.MADE):
        return [], [tr("the keyframes do not have the state of the new limb: add it")]
    added = _Added(context_of(document), root, bodies, actuators, vector)
    edits: list[ElementEdit] = []
    notes = []
    for key in keys:
        for name, (end, words) in added.places.items():
            text = key.get(name)
            numbers = list(re.finditer(r"\S+", text or ""))
            if text is not None and words and len(numbers) == added.sizes[name]:
                new = " ".join(negated(numbers[i][0]) if sign < 0 else numbers[i][0] for i, sign in words)
                at = numbers[end - 1].end()
                edits.append(SetAttribute(key, name, f"{text[:at]} {new}{text[at:]}"))
        if len((key.get("act") or "").split()) not in (0, added.sizes["act"]) and actuators:
            notes = [tr("the keyframes do not have the activations of the new actuators: add them")]
    return edits, notes


class _Added:
    """Numbers to add to keyframes.

    sizes   attribute -> how many numbers the model has
    places  attribute -> (after how many numbers, the numbers that are repeated there with their signs)
    """

    def __init__(
        self, context: Context, root: Node, bodies: Collection[int], actuators: Collection[int], vector: Sequence[int]
    ) -> None:
        turn = [-sign for sign in vector]
        signs = {  # of qpos and qvel
            "free": ([*vector, 1, *turn], [*vector, *turn]),
            "ball": ([1, *turn], turn),
        }
        self.sizes: dict[str, int] = dict.fromkeys(_STATES, 0)
        self.places: dict[str, tuple[int, list[tuple[int, int]]]] = {name: (0, []) for name in self.sizes}

        def count(name: str, of: Sequence[int], again: bool) -> None:
            start = self.sizes[name]
            self.sizes[name] += len(of)
            if again:
                words = self.places[name][1] + [(start + i, sign) for i, sign in enumerate(of)]
                self.places[name] = self.sizes[name], words

        for section in root.children:
            for body in states.bodies(section) if section.tag == "worldbody" else ():
                again = body.id in bodies
                for joint in states.inside(body, ("joint", "freejoint")):
                    kind = "free" if joint.tag == "freejoint" else context.values(joint).get("type", "hinge")
                    qpos, qvel = signs.get(kind, ([1], [1]))
                    count("qpos", qpos, again)
                    count("qvel", qvel, again)
                if body.get("mocap") == "true":
                    count("mpos", vector, again)
                    count("mquat", [1, *turn], again)
            for actuator in section.children if section.tag == "actuator" else ():
                again = actuator.id in actuators
                count("ctrl", [1], again)
                count("act", [1] * _activations(context, actuator), again)


def _activations(context: Context, actuator: Node) -> int:
    """How many activations an actuator has, as far as its own element and its class of the same kind say it."""
    values = context.values(actuator)
    if values.get("actdim", -1) > 0:
        return int(values["actdim"])
    by_time = actuator.tag == "position" and values.get("timeconst", 0) > 0
    return int(actuator.tag in _DYNAMIC or by_time or values.get("dyntype", "none") != "none")
