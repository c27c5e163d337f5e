"""The frame graph: a table of typed targets, and passes that declare their inputs and outputs.

    graph = Graph(TARGETS, PASSES)           # raises GraphError, by name, for declarations that cannot work
    with graph.run(frame, device, ("image",)) as images: ...

`run` leaves out every pass that the wanted outputs do not need, takes textures from the pool for the others, and calls
each with a Job: the framebuffer of its outputs, and the textures of its inputs. A target's texture goes back to the
pool after its last use, so that later targets of the same kind share it.

To add an effect, add its targets and its pass to the tables in `renderer/frame.py`: a pass that no output needs costs
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import moderngl

from kinetree.engine.scene.scene import Scene
from kinetree.renderer.device import Device
from kinetree.renderer.pool import Image, Sampling, TargetFormat, TextureSpec
from kinetree.renderer.viewpoint import Viewpoint


class GraphError(ValueError):
    """Passes and targets do not fit together; the message names them."""


@dataclass(frozen=True, slots=True)
class FrameContext:
    """Data of the frame for every pass. Passes do not change it."""

    scene: Scene
    viewpoint: Viewpoint
    width: int  # device pixels
    height: int
    samples: int  # per pixel of multisampled targets, 0: none
    software: bool  # the processor draws
    alpha: bool = False  # no background: the image is transparent where nothing is
    captures: int = 0  # local reflections of glossy objects
    sparing: bool = False  # programs that only make a frame quicker are not compiled for this one
    backwards: bool = False  # only compiled programs matter: draw calls go from the last to the first


@dataclass(frozen=True, slots=True)
class RenderTarget:
    """A typed image that passes write and read by its name.

    Its size is the frame's, or `size(frame)`. `levels` > 1: mip levels, which the graph fills after the last
    pass that writes the target. An `optional` target is attached only in frames in which something reads it. A
    `kept` one has what the last frame left in it, unless that had another kind of texture.
    """

    name: str
    format: TargetFormat
    size: Callable[[FrameContext], tuple[int, int]] | None = None
    multisampled: bool | Callable[[FrameContext], bool] = False
    levels: int | Callable[[FrameContext], int] = 1
    layers: int = 1
    sampling: Sampling = Sampling.NEAREST
    optional: bool = False
    kept: bool = False

    def spec(self, frame: FrameContext) -> TextureSpec:
        """Format of the target's texture in this frame."""
        width, height = (frame.width, frame.height) if self.size is None else self.size(frame)
        multisampled = self.multisampled(frame) if callable(self.multisampled) else self.multisampled
        samples = frame.samples if multisampled else 0
        levels = self.levels(frame) if callable(self.levels) else self.levels
        return TextureSpec(self.format, width, height, samples, levels, self.layers, self.sampling)


@dataclass(frozen=True, slots=True)
class Pass:
    """One step of a frame.

    `writes` are attached to its framebuffer, colours in this order; what an earlier pass drew there is kept.
    `tests` is a depth target of earlier passes that is attached too, and not changed. `reads` are textures;
    one that no pass of the frame writes is None. `wanted(frame)` says whether there is anything to do.
    """

    name: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    wanted: Callable[[FrameContext], bool]
    draw: Callable[[PassJob], None]
    tests: tuple[str, ...] = ()


class PassJob:
    """Arguments of a pass: the frame, the device, its framebuffer and the textures that it reads."""

    __slots__ = ("_attached", "_pass", "_textures", "device", "frame", "target")

    def __init__(self, step: Pass, frame: FrameContext, device: Device, target, attached, textures):
        self._pass, self._attached, self._textures = step, attached, textures
        self.frame, self.device, self.target = frame, device, target

    def reads(self, name: str) -> bool:
        """Whether the pass declared to read a target."""
        return name in self._pass.reads

    def texture(self, name: str) -> Image | None:
        """A declared input; None if no pass of this frame wrote it. Raises GraphError."""
        if name not in self._pass.reads:
            raise GraphError(f"pass {self._pass.name!r} did not declare that it reads {name!r}")
        return self._textures.get(name)

    def written(self, name: str) -> Image:
        """A declared and required input. Raises GraphError."""
        texture = self.texture(name)
        if texture is None:
            raise GraphError(f"pass {self._pass.name!r} needs {name!r}, which no pass of this frame writes")
        return texture

    def writes(self, name: str) -> bool:
        """Whether a target is attached: optional ones may not be. Raises GraphError for one that is not
        declared."""
        if name not in self._pass.writes:
            raise GraphError(f"pass {self._pass.name!r} did not declare that it writes {name!r}")
        return name in self._attached


class Graph:
    """Checked tables of targets and passes. Raises GraphError."""

    def __init__(self, targets: Sequence[RenderTarget], passes: Sequence[Pass]):
        self.targets = {target.name: target for target in targets}
        self.passes = tuple(passes)
        if len(self.targets) != len(targets):
            raise GraphError("two targets have the same name")
        self._check()

    def _check(self) -> None:
        written: set[str] = set()
        everything = {name for step in self.passes for name in step.writes}
        for step in self.passes:
            for name in (*step.reads, *step.writes, *step.tests):
                if name not in self.targets:
                    raise GraphError(f"pass {step.name!r} uses {name!r}, which is no target")
            for name in (*step.reads, *step.tests):
                if name in step.writes:
                    raise GraphError(f"pass {step.name!r} both reads and writes {name!r}")
                if name not in everything:
                    raise GraphError(f"pass {step.name!r} reads {name!r}, which no pass writes")
                if name not in written:
                    raise GraphError(f"pass {step.name!r} reads {name!r} before it is written")
            attached = [self.targets[name] for name in (*step.writes, *step.tests)]
            if sum(target.format.is_depth for target in attached) > 1:
                raise GraphError(f"pass {step.name!r} attaches more than one depth target")
            if len({target.multisampled for target in attached}) > 1:
                raise GraphError(f"pass {step.name!r} attaches targets with and without multisampling")
            written.update(step.writes)
        for target in self.targets.values():
            if target.name not in everything:
                raise GraphError(f"no pass writes the target {target.name!r}")
            if target.multisampled and (target.levels != 1 or target.layers > 1):
                raise GraphError(f"the multisampled target {target.name!r} can have one level and one layer only")

    def plan(self, frame: FrameContext, outputs: Sequence[str]) -> list[tuple[Pass, tuple[str, ...]]]:
        """The passes to run for `outputs`, each with the targets that it attaches. Raises GraphError."""
        needed = set(outputs)
        chosen: list[tuple[Pass, tuple[str, ...]]] = []
        for step in reversed(self.passes):
            if needed.isdisjoint(step.writes) or not step.wanted(frame):
                continue
            attached = tuple(name for name in step.writes if name in needed or not self.targets[name].optional)
            chosen.append((step, attached + step.tests))
            needed.update(step.reads, step.tests)
        written = {name for step, attached in chosen for name in attached if name in step.writes}
        for name in outputs:
            if name not in written:
                raise GraphError(f"no pass of this frame writes {name!r}")
        return chosen[::-1]

    @contextmanager
    def run(
        self,
        frame: FrameContext,
        device: Device,
        outputs: Sequence[str],
        given: Mapping[str, moderngl.Framebuffer] | None = None,
    ) -> Iterator[dict[str, Image]]:
        """Draw a frame; gives the textures of `outputs`, which go back to the pool when the context ends.

        `given`: framebuffers of others, by the name of the target whose place they take.
        """
        given = given or {}
        plan = self.plan(frame, outputs)
        kept = set(outputs)
        last_use: dict[str, int] = {}
        last_write: dict[str, int] = {}
        for position, (step, attached) in enumerate(plan):
            last_use.update(dict.fromkeys((*step.reads, *attached), position))
            last_write.update(dict.fromkeys(step.writes, position))
        textures: dict[str, Image] = {}
        specs: dict[str, TextureSpec] = {}
        try:
            for position, (step, attached) in enumerate(plan):
                for name in attached:
                    if name not in textures and name not in given:
                        specs[name] = self.targets[name].spec(frame)
                        own = name if self.targets[name].kept else ""
                        textures[name] = device.pool.acquire(specs[name], own)
                foreign = [given[name] for name in attached if name in given]
                target = foreign[0] if foreign else device.pool.framebuffer([textures[name] for name in attached])
                target.use()
                target.viewport = (0, 0, *_size(frame, attached, specs))
                with device.timing.measure(step.name):
                    step.draw(PassJob(step, frame, device, target, attached, textures))
                for name in attached:
                    if name in specs and specs[name].levels > 1 and last_write.get(name) == position:
                        device.make_levels(textures[name], specs[name].levels)
                for name in [name for name in textures if last_use[name] == position and name not in kept]:
                    device.pool.give_back(specs[name], textures.pop(name), name if self.targets[name].kept else "")
            yield {name: textures[name] for name in outputs if name in textures}
        finally:
            for name, texture in textures.items():
                device.pool.give_back(specs[name], texture, name if self.targets[name].kept else "")

    def rehearse(
        self, frame: FrameContext, device: Device, outputs: Sequence[str], without: Sequence[str] = ()
    ) -> None:
        """Draw the passes of a frame, some left out, from the last to the first, so that their programs get compiled.
        What they read was not drawn."""
        plan = self.plan(frame, outputs)
        specs = {name: self.targets[name].spec(frame) for _, attached in plan for name in attached}
        textures = {name: device.pool.acquire(spec) for name, spec in specs.items()}
        try:
            for step, attached in reversed(plan):
                if step.name in without:
                    continue
                target = device.pool.framebuffer([textures[name] for name in attached])
                target.use()
                target.viewport = (0, 0, *_size(frame, attached, specs))
                step.draw(PassJob(step, frame, device, target, attached, textures))
                for name in step.writes:
                    if name in attached and specs[name].levels > 1:
                        device.make_levels(textures[name], specs[name].levels)
        finally:
            for name, texture in textures.items():
                device.pool.give_back(specs[name], texture)


def _size(frame: FrameContext, attached: Sequence[str], specs: Mapping[str, TextureSpec]) -> tuple[int, int]:
    spec = next((specs[name] for name in attached if name in specs), None)
    return (frame.width, frame.height) if spec is None else (spec.width, spec.height)
