"""Each model of resources/models as the start page shows it: a picture, and the same model moving for a moment."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import kinetree
from kinetree.engine.scene.effects import Preset, with_preset
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.portrait import portrait
from kinetree.renderer.offscreen import Offscreen
from tests.pictures.saving import ROOT, save

MODELS = ROOT / "resources" / "models"
SIZE = 384, 240  # pixels
TIMES = {"arm": 0.6, "boxes": 0.9, "car": 0.6, "hand": 0.6, "walker": 1.5}
"""When the examples are seen, s."""
FRAMED_AT_REST = {"boxes"}
"""Examples that fall apart: they are framed as they were before."""
FRAMES, RATE = 36, 15.0
"""Of a film; frames a second."""
MOST = 150_000
"""Bytes of a film."""


def examples() -> None:
    """Write resources/models/pictures and resources/models/films."""
    offscreen = Offscreen()
    for path in sorted(MODELS.glob("*.xml")):
        _show(path, offscreen)


def _show(path: Path, offscreen: Offscreen) -> None:
    """Write the picture and the film of one model."""
    model, look = kinetree.load(path), with_preset(VisOptions(), Preset.QUALITY)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    camera = portrait(model, data, SIZE[0] / SIZE[1])
    kinetree.step(model, data, round(TIMES.get(path.stem, 0.6) / model.opt.timestep))
    kinetree.forward(model, data)
    if path.stem not in FRAMED_AT_REST:
        camera = portrait(model, data, SIZE[0] / SIZE[1])

    def draw(times: int) -> Image.Image:
        kinetree.forward(model, data)
        pixels = offscreen.render(model, data, times * SIZE[0], times * SIZE[1], camera, look)
        return Image.fromarray(pixels).resize(SIZE, Image.Resampling.BOX)

    written = save(draw(4), path.stem, quality=88, folder=MODELS / "pictures")
    print(f"examples: {path.stem} {'written' if written else 'as before'}", flush=True)
    film = MODELS / "films" / f"{path.stem}.webp"
    if not written and film.exists():
        return
    frames, drive = [], DRIVES.get(path.stem, lambda model, data, seconds: None)
    began, start, main = data.time, camera.lookat.copy(), data.xpos[1].copy()
    for _ in range(FRAMES):
        frames.append(draw(1))
        for _ in range(round(1 / RATE / model.opt.timestep)):
            drive(model, data, data.time - began)
            kinetree.step(model, data)
        if path.stem in FOLLOWED:
            camera.lookat = start + data.xpos[1] - main
    _save_film(frames, film)


def _reach(_model: Any, data: Any, seconds: float) -> None:
    """The target of the arm goes round once."""
    turn = 2 * math.pi * seconds * RATE / FRAMES
    data.mocap_pos[0] = 0.25 + 0.1 * math.sin(turn), 0.16 * math.sin(turn), 0.53 - 0.16 * (1 - math.cos(turn)) / 2


def _grasp(_model: Any, data: Any, seconds: float) -> None:
    """The hand closes round the ball, and opens."""
    closed = (1 - math.cos(2 * math.pi * seconds * RATE / FRAMES)) / 2
    data.ctrl[:] = np.array([0, 1.1, 1.2, 2, 2, 2]) * closed


def _turn(_model: Any, data: Any, _seconds: float) -> None:
    data.ctrl[:] = 9, 0.33


DRIVES: dict[str, Callable[[Any, Any, float], None]] = {"arm": _reach, "hand": _grasp, "car": _turn}
"""Drives for the examples that would stand still in a film."""
FOLLOWED = {"car"}
"""The camera goes with these."""


def _save_film(frames: list[Image.Image], path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    first, *others = frames
    first.save(
        path, "WEBP", save_all=True, append_images=others, duration=round(1000 / RATE), loop=0, quality=45, method=4
    )
    assert path.stat().st_size < MOST, f"{path}: {path.stat().st_size} bytes: fewer frames, or a lower quality"
