"""Times frames of this renderer and of the reference's: build, draw and read back, in one process.

    python -m tests.benchmark.bench_render [MODEL.xml ...] [--size 1280x800] [--frames 20] [--passes]

Prints a line for each model: our median time, the reference's, their ratio. The two take turns, so that a busy machine
slows both. With software OpenGL the processor time is the fairer figure. `--passes` adds a line with the time of each
pass. Default: four models of the shared corpus, with shadows and 4 samples a pixel.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

MODELS = ("humanoid/humanoid.xml", "replicate/stonehenge.xml", "car/car.xml", "humanoid/22_humanoids.xml")
CORPUS = Path(__file__).resolve().parents[2] / ".." / "shared" / "corpus" / "mujoco" / "model"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=Path, default=[CORPUS / name for name in MODELS])
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--frames", type=int, default=15)
    parser.add_argument("--passes", action="store_true", help="time of each pass, on the device that draws")
    arguments = parser.parse_args()
    width, height = (int(side) for side in arguments.size.split("x"))
    for path in arguments.models:
        print(line(path, width, height, arguments.frames), flush=True)
        if arguments.passes:
            print(passes(path, width, height), flush=True)


def passes(path: Path, width: int, height: int) -> str:
    import mujoco

    import renderer
    from renderer import offscreen

    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    timing = offscreen.shared().renderer.timing
    timing.enabled = True
    timing.passes.clear()
    for _ in range(8):
        renderer.render(model, data, width, height)
    timing.enabled = False
    return "    " + ", ".join(f"{name} {1e3 * (item.gpu or 0.0):.1f} ms" for name, item in timing.passes.items())


def line(path: Path, width: int, height: int, frames: int) -> str:
    import mujoco

    import renderer
    from engine.scene.build import build
    from engine.scene.camera import initial
    from engine.scene.options import VisOptions
    from renderer import offscreen

    model = mujoco.MjModel.from_xml_path(str(path))
    model.vis.global_.offwidth, model.vis.global_.offheight = width, height
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    reference = mujoco.Renderer(model, height, width)
    options, camera, scene = VisOptions(), initial(model), None
    ours, theirs, builds, processor = [], [], [], []
    for _ in range(frames + 2):
        start, used = time.perf_counter(), time.process_time()
        renderer.render(model, data, width, height, camera, options)
        ours.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
        start = time.perf_counter()
        reference.update_scene(data)
        reference.render()
        theirs.append(time.perf_counter() - start)
        start = time.perf_counter()
        scene = build(model, data, options, camera, None, scene, (width, height))
        builds.append(time.perf_counter() - start)
    reference.close()
    device = offscreen.shared().renderer.context.info["GL_RENDERER"]
    mine, other = statistics.median(ours[2:]), statistics.median(theirs[2:])
    return (
        f"{path.stem}: {1e3 * mine:.1f} ms (processor {1e3 * statistics.median(processor[2:]):.1f}), reference {1e3 * other:.1f} ms, ratio {mine / other:.2f}; "
        f"scene {1e3 * statistics.median(builds[2:]):.2f} ms; {width}x{height}, {device}"
    )


if __name__ == "__main__":
    main()
