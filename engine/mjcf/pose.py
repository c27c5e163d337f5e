"""Poses of elements in their bodies, from their attributes and the enclosing frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.geometry import orientation
from kinetree.engine.geometry.orientation import IDENTITY, ORIGIN, BadOrientation, Pose, compose, rotate
from kinetree.engine.mjcf.elements import Element, Spec
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics

SAME = 1e-6
"""Poses that differ by less in every number count as the same."""
TURNS = ("axisangle", "xyaxes", "zaxis", "euler")


def same(a, b) -> bool:
    """Whether two positions are the same."""
    return abs(a[0] - b[0]) < SAME and abs(a[1] - b[1]) < SAME and abs(a[2] - b[2]) < SAME


def same_turn(a, b) -> bool:
    """Whether two quaternions are equal, or the same rotation."""
    return a is b or (
        (abs(a[0] - b[0]) < SAME and abs(a[1] - b[1]) < SAME and abs(a[2] - b[2]) < SAME and abs(a[3] - b[3]) < SAME)
        or (abs(a[0] + b[0]) < SAME and abs(a[1] + b[1]) < SAME and abs(a[2] + b[2]) < SAME and abs(a[3] + b[3]) < SAME)
    )


def pose(element: Element, spec: Spec, diagnostics: Diagnostics, framed: bool = True) -> Pose:
    """The pose of an element in its body (of a body: in its parent), with or without the enclosing frames."""
    values = element.values
    quat = IDENTITY
    try:
        eulerseq = spec.compiler_of(element)["eulerseq"]
        quat = orientation.orientation(values, spec.degree_of(element), eulerseq)
    except BadOrientation as error:
        diagnostics.error(element.at(*TURNS), "bad-orientation", str(error))
    if "quat" in element.given and not np.any(values["quat"]):
        diagnostics.error(element.at("quat"), "bad-orientation", tr("quat is zero; give a quaternion with a length"))
    pos = values.get("pos")
    found = (ORIGIN if pos is None else tuple(pos.tolist())), quat
    return found if element.frame is None or not framed else compose(element.frame, found)


def ray(element: Element, diagnostics: Diagnostics) -> Pose:
    """(position, direction) of a light in its body, the direction normalized."""
    pos, direction = tuple(element["pos"].tolist()), element["dir"].tolist()
    try:
        direction = orientation.direction(direction, "dir")
    except BadOrientation as error:
        diagnostics.error(element.at("dir"), "bad-value", str(error))
    if element.frame is not None:
        pos = compose(element.frame, (pos, IDENTITY))[0]
        direction = rotate(element.frame[1], direction)
    return pos, tuple(direction)
