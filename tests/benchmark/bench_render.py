"""Time of a frame against the reference's own renderer: build, draw and read back, in one process.

    python -m tests.benchmark.bench_render [MODEL.xml ...] [--size 1280x800] [--frames 20]

Prints a line a model: our median time, the reference's, their ratio; the two take turns, so that a busy machine slows
both. Default: the humanoid of the shared corpus, with shadows and 4 samples a pixel.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

CORPUS = Path(__file__).resolve().parents[2] / ".." / "shared" / "corpus" / "mujoco" / "model"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=Path, default=[CORPUS / "humanoid" / "humanoid.xml"])
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--frames", type=int, default=15)
    arguments = parser.parse_args()
    width, height = (int(side) for side in arguments.size.split("x"))
    for path in arguments.models:
        print(line(path, width, height, arguments.frames), flush=True)


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
    ours, theirs, builds = [], [], []
    for _ in range(frames + 2):
        start = time.perf_counter()
        renderer.render(model, data, width, height, camera, options)
        ours.append(time.perf_counter() - start)
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
        f"{path.stem}: {1e3 * mine:.1f} ms, reference {1e3 * other:.1f} ms, ratio {mine / other:.2f}; "
        f"scene {1e3 * statistics.median(builds[2:]):.2f} ms; {width}x{height}, {device}"
    )


if __name__ == "__main__":
    main()
