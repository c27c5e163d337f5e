"""Joint types: how many numbers of qpos and qvel each has (XML reference, body/joint/type)."""

from __future__ import annotations

from kinetree.engine.mjcf.elements import Element
from kinetree.engine.model.kinds import JOINT_NQ, JOINT_NV

TYPES: tuple[str, ...] = ("free", "ball", "slide", "hinge")
"""In the order of JNT_."""
QPOS: dict[str, int] = dict(zip(TYPES, JOINT_NQ, strict=True))
DOFS: dict[str, int] = dict(zip(TYPES, JOINT_NV, strict=True))


def joint_type(joint: Element) -> str:
    """The type of a <joint> or <freejoint>."""
    return "free" if joint.tag == "freejoint" else joint["type"]
