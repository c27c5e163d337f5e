"""The frame graph: passes say what they read and write; those that nothing needs do not run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Pass:
    """One step of a frame.

    `reads` and `writes` name resources. A resource that is read but written by no wanted pass is absent, and the pass
    must do without it. `wanted(scene)` tells whether there is anything to do; `draw(frame, scene)` does it.
    """

    name: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    wanted: Callable
    draw: Callable


def plan(passes: Sequence[Pass], scene, output: str) -> list[Pass]:
    """The passes to run, in order, so that `output` is complete. Raises ValueError for a read before any write."""
    for position, step in enumerate(passes):
        for name in step.reads:
            later = any(name in other.writes for other in passes[position:])
            earlier = any(name in other.writes for other in passes[:position])
            if later and not earlier:
                raise ValueError(f"pass {step.name!r} reads {name!r} before it is written")
    needed = {output}
    chosen = []
    for step in reversed(passes):
        if needed.intersection(step.writes) and step.wanted(scene):
            chosen.append(step)
            needed.update(step.reads)
    return chosen[::-1]
