"""Joint types: how many numbers of qpos and qvel each has (XML reference, body/joint/type)."""

from __future__ import annotations

from engine.mjcf.elements import Element

QPOS = {"free": 7, "ball": 4, "slide": 1, "hinge": 1}
DOFS = {"free": 6, "ball": 3, "slide": 1, "hinge": 1}


def joint_type(joint: Element) -> str:
    """The type of a <joint> or <freejoint>."""
    return "free" if joint.tag == "freejoint" else joint["type"]
