"""Time from a compiled model to its first picture: renderer made, programs compiled, assets uploaded, frame drawn.

    python -m tests.benchmark.first_frame [MODEL.xml ...] [--size 1280x800] [--quality PRESET] [--repeat 3] [--headless]

Each start is a process of its own with an empty cache of shaders, then one that finds them there. Prints medians of the
time by the clock and of the processor's, in seconds, and of the second frame, which has only to draw. What is drawn is
what a window draws first, or with `--headless` a picture with everything in it. On a busy computer, with two processors
or more, the clock of a quiet one lies between the time of the drawing thread and the processor's. To reach: 0.5 s.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from kinetree.engine.scene.effects import Preset

ROOT = Path(__file__).resolve().parents[2]
MODELS = [*sorted((ROOT / "resources/models").glob("*.xml"))[:3]]


def once(path: str, width: int, height: int, preset: str, headless: bool) -> None:
    """Print the figures of one start: clock, processor and thread time of the first frame, clock and processor time of
    the second."""
    import kinetree
    from kinetree.engine.scene.build import build
    from kinetree.engine.scene.camera import initial
    from kinetree.engine.scene.effects import with_preset
    from kinetree.engine.scene.options import VisOptions
    from kinetree.renderer.captured import CapturePolicy
    from kinetree.renderer.frame import Renderer

    def clocks() -> np.ndarray:
        return np.array([time.perf_counter(), time.process_time(), time.thread_time()])

    model = kinetree.load(path)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    options = with_preset(VisOptions(), Preset(preset))
    start = clocks()
    drawer = Renderer()
    context = drawer.device.context
    with context:
        drawer.views = CapturePolicy.LATER
        target = context.simple_framebuffer((width, height))
        scene, times = None, []
        for _ in range(2):
            scene = build(model, data, options, initial(model), None, scene, (width, height))
            if headless:
                drawer.read(scene, width, height)
            else:
                drawer.draw(scene, target, width, height)
                context.finish()
            times.append(clocks() - start)
            start = clocks()
    print(json.dumps([*times[0].tolist(), *times[1][:2].tolist()]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("models", nargs="*", type=Path, default=MODELS)
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--quality", type=Preset, default=Preset.BALANCED)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--headless", action="store_true", help="a picture with everything in it")
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    width, height = (int(side) for side in arguments.size.split("x"))
    if arguments.once:
        once(str(arguments.models[0]), width, height, arguments.quality, arguments.headless)
        return
    for path in arguments.models:
        figures: dict[str, list[list[float]]] = {"cold": [], "warm": []}
        for _ in range(arguments.repeat):
            with tempfile.TemporaryDirectory() as cache:
                for found in figures.values():
                    command = [sys.executable, "-m", "tests.benchmark.first_frame", "--once", str(path)]
                    command += ["--size", arguments.size, "--quality", arguments.quality]
                    command += ["--headless"] if arguments.headless else []
                    environment = os.environ | {"MESA_SHADER_CACHE_DIR": cache, "XDG_CACHE_HOME": cache}
                    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
                    found.append(json.loads(done.stdout.splitlines()[-1]))
        for name, found in figures.items():
            first, spent, own, second, redrawn = (statistics.median(column) for column in zip(*found))
            print(
                f"{path.stem}, {arguments.quality}, {name}: first frame {first:.2f} s (processor {spent:.2f}, "
                f"thread {own:.2f}), second {second:.2f} ({redrawn:.2f})",
                flush=True,
            )


if __name__ == "__main__":
    main()
