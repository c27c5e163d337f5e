"""Sheets of the soft models of the corpus after some simulated time, for a person to judge.

    python -m tests.benchmark.soft_sheets FOLDER [NAME ...] [--time 2] [--quality balanced] [--size 640x480]

A soft model has a flex, a skin or a plugin (cable, signed distance field). For each the sheet shows our motion drawn by us,
the reference's motion drawn by us, and the reference's motion drawn by its own renderer. So the first two show where
the motions part, the last two how the pictures differ at one state. Both simulate the same number of steps. Writes one PNG
for each model and `index.html`, as `tests.benchmark.sheets` does, and prints how far the vertices or bodies are
apart. Names choose models by a part of their path.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

import mujoco
import numpy as np

import kinetree
from kinetree.engine.scene.camera import initial
from kinetree.engine.scene.effects import Preset, with_preset
from kinetree.engine.scene.options import VisOptions
from kinetree.renderer.offscreen import Offscreen
from tests.benchmark.sheets import SHARED, joined, page

CORPUS = SHARED / "corpus" / "mujoco"
HINT = re.compile(r"<(flex|flexcomp|skin|plugin|composite)\b")


def soft_models() -> Iterator[Path]:
    """The models of the corpus that the reference can load and that have a flex, a skin or a plugin."""
    for path in sorted(CORPUS.rglob("*.xml")):
        if HINT.search(path.read_text(encoding="utf-8", errors="replace")):
            try:
                model = mujoco.MjModel.from_xml_path(str(path))
            except ValueError:
                continue
            if model.nflex or model.nskin or model.nplugin:
                yield path


def soft_sheet(
    path: Path, offscreen: Offscreen, preset: Preset, size: tuple[int, int], duration: float
) -> tuple[list[tuple[str, np.ndarray]], float]:
    """(title, picture) of each renderer and motion, and how far apart the motions are at most, m."""
    width, height = size
    model = kinetree.load(path)
    data = kinetree.Data(model)
    theirs = mujoco.MjModel.from_xml_path(str(path))
    theirs.vis.global_.offwidth, theirs.vis.global_.offheight = width, height
    state = mujoco.MjData(theirs)
    steps = round(duration / theirs.opt.timestep)
    kinetree.step(model, data, steps)
    kinetree.forward(model, data)
    mujoco.mj_step(theirs, state, steps)
    mujoco.mj_forward(theirs, state)
    apart = max(
        float(np.abs(np.asarray(getattr(data, name)) - getattr(state, name)).max(initial=0.0))
        for name in ("xpos", "flexvert_xpos")
    )
    camera, look = initial(model), with_preset(VisOptions(), preset)
    pictures = [("Kinetree", offscreen.render(model, data, width, height, camera, look))]
    pictures.append(("Kinetree, state of the reference", offscreen.render(model, state, width, height, camera, look)))
    renderer = mujoco.Renderer(theirs, height, width)
    try:
        renderer.update_scene(state)
        pictures.append(("classic", renderer.render()))
    finally:
        renderer.close()
    return pictures, apart


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="parts of paths of models; none: all")
    parser.add_argument("--time", type=float, default=2.0, help="simulated before the picture, s")
    parser.add_argument("--quality", choices=list(Preset), default=Preset.BALANCED)
    parser.add_argument("--size", default="640x480", help="of each picture")
    arguments = parser.parse_args()
    width, height = (int(side) for side in arguments.size.split("x"))
    arguments.folder.mkdir(parents=True, exist_ok=True)
    offscreen, written = Offscreen(), []
    for path in soft_models():
        name = str(path.relative_to(CORPUS).with_suffix(""))
        if arguments.names and not any(part in name for part in arguments.names):
            continue
        try:
            pictures, apart = soft_sheet(path, offscreen, Preset(arguments.quality), (width, height), arguments.time)
        except (kinetree.ModelError, OSError, ValueError) as error:
            print(f"{name}: no sheet: {error}", flush=True)
            continue
        file = re.sub(r"\W+", "_", name)
        joined(pictures).save(arguments.folder / f"{file}.png")
        written.append(file)
        means = ", ".join(f"{title} {pixels.mean():.0f}" for title, pixels in pictures)
        print(f"{name}: mean {means}; motions {apart:.2g} m apart", flush=True)
    page(arguments.folder, written)


if __name__ == "__main__":
    main()
