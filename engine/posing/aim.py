"""Where a body is to go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Aim:
    """Where a body is to go.

    pos    (3,) the place of `point` in the world, m; None: anywhere
    quat   (4,) how the body's frame is turned in the world; None: any way
    point  (3,) a point in the body's frame, m
    """

    pos: Sequence[float] | None = None
    quat: Sequence[float] | None = None
    point: Sequence[float] = (0.0, 0.0, 0.0)
