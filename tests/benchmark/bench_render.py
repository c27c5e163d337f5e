"""Times frames of this renderer and of the reference's: build, draw and read back, in one process.

    python -m tests.benchmark.bench_render [MODEL.xml ...] [--size 1280x800] [--frames 20] [--quality PRESET ...] [--passes]

Prints a line for each model and preset: medians of our processor time and of the reference's, their ratio, and the
times by the clock. All take turns, so that a busy machine slows each alike; with software OpenGL the processor time is
the fairer figure. `--passes` adds a line with the time of each pass. Default: four models of the shared corpus, in all
presets.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from kinetree.engine.scene.effects import Preset, with_preset

os.environ.setdefault("MUJOCO_GL", "egl")

MODELS = ("humanoid/humanoid.xml", "replicate/stonehenge.xml", "car/car.xml", "humanoid/22_humanoids.xml")
CORPUS = Path(__file__).resolve().parents[2] / ".." / "shared" / "corpus" / "mujoco" / "model"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=Path, default=[CORPUS / name for name in MODELS])
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--frames", type=int, default=15)
    parser.add_argument("--quality", nargs="+", type=Preset, default=list(Preset), help="presets of the effects")
    parser.add_argument("--passes", action="store_true", help="time of each pass, on the device that draws")
    arguments = parser.parse_args()
    width, height = (int(side) for side in arguments.size.split("x"))
    for path in arguments.models:
        for line in lines(path, width, height, arguments.frames, arguments.quality):
            print(line, flush=True)
        if arguments.passes:
            for preset in arguments.quality:
                print(passes(path, width, height, preset), flush=True)


def passes(path: Path, width: int, height: int, preset: Preset) -> str:
    """The time of each pass, as text."""
    import mujoco

    import kinetree
    from kinetree.engine.scene.options import VisOptions
    from kinetree.renderer import offscreen

    options = with_preset(VisOptions(), preset)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    timing = offscreen.shared().renderer.timing
    timing.enabled = True
    timing.passes.clear()
    for _ in range(8):
        kinetree.render(model, data, width, height, options=options)
    timing.enabled = False
    return f"    {preset}: " + ", ".join(
        f"{name} {1e3 * (item.gpu or 0.0):.1f} ms" for name, item in timing.passes.items()
    )


def lines(path: Path, width: int, height: int, frames: int, presets: list[Preset]) -> list[str]:
    """A line for each preset."""
    import mujoco

    import kinetree
    from kinetree.engine.scene.build import build
    from kinetree.engine.scene.camera import initial
    from kinetree.engine.scene.options import VisOptions
    from kinetree.renderer import offscreen

    model = mujoco.MjModel.from_xml_path(str(path))
    model.vis.global_.offwidth, model.vis.global_.offheight = width, height
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    reference = mujoco.Renderer(model, height, width)
    camera, scene = initial(model), None
    acts: dict[str, Callable[[], object]] = {
        str(preset): partial(kinetree.render, model, data, width, height, camera, with_preset(VisOptions(), preset))
        for preset in presets
    }

    def draw_reference() -> None:
        reference.update_scene(data)
        reference.render()

    acts["reference"] = draw_reference
    clock: dict[str, list[float]] = {name: [] for name in acts}
    processor: dict[str, list[float]] = {name: [] for name in acts}
    builds = []
    for _ in range(frames + 2):
        for name, act in acts.items():
            start, used = time.perf_counter(), time.process_time()
            act()
            clock[name].append(time.perf_counter() - start)
            processor[name].append(time.process_time() - used)
        start = time.perf_counter()
        scene = build(model, data, VisOptions(), camera, None, scene, (width, height))
        builds.append(time.perf_counter() - start)
    reference.close()
    device = offscreen.shared().renderer.context.info["GL_RENDERER"]

    def median(times: list[float]) -> float:
        return 1e3 * statistics.median(times[2:])

    other = median(processor["reference"])
    return [
        f"{path.stem}, {preset}: processor {median(processor[preset]):.1f} ms, reference {other:.1f}, "
        f"ratio {median(processor[preset]) / other:.2f}; clock {median(clock[preset]):.1f} and "
        f"{median(clock['reference']):.1f} ms; scene {median(builds):.2f} ms; {width}x{height}, {device}"
        for preset in presets
    ]


if __name__ == "__main__":
    main()
