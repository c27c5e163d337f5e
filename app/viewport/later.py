"""Scenes that a viewport is likely to draw after its first one: reduced frames, and a selection."""

from __future__ import annotations

from collections.abc import Iterator

from kinetree import engine
from kinetree.app.viewport.pace import QUALITIES, WHOLE, Quality
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.scene.camera import Camera, View
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.scene import Scene


def reduced(options: VisOptions, quality: Quality) -> VisOptions:
    """The options for a frame of a quality."""
    if quality == WHOLE:
        return options
    options = engine.scene.effects.with_preset(options, engine.scene.effects.Preset.PERFORMANCE)
    options.samples = options.samples if quality.smooth else 1
    options.shadow = options.shadow and quality.effects
    options.reflection = options.reflection and quality.effects
    return options


def scenes(
    model, snapshot, options: VisOptions, camera: Camera | View, size: tuple[int, int]
) -> Iterator[tuple[Scene, int, int]]:
    """Scenes whose programs will be needed, each with its width and height in device pixels."""
    selected = engine.scene.highlight.Highlight((ObjectId("body", min(1, model.nbody - 1)),))
    for quality, highlight in ((WHOLE, selected), *((each, None) for each in QUALITIES[1:])):
        width, height = (max(1, round(side * quality.scale)) for side in size)
        wanted = reduced(options, quality)
        scene = engine.scene.build.build(model, snapshot, wanted, camera, None, None, (width, height), highlight)
        yield scene, width, height
