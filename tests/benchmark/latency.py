"""Latency of an edit from the input to the screen, in a real window under the virtual screen.

    python -m tests.benchmark.latency [--repeat 50] [--model NAME ...] [--size 1280x800] [--small-picture]

Models: humanoid, 22_humanoids (of the shared corpus, where it is), robot (made here: 50 bodies with 50 meshes), large
(made here: 1 MB of text). Each edit is applied while the simulation runs, as a slider does it. Printed are median and
worst, in milliseconds, of

    call      changing the text
    physics   the simulation thread goes on with the new model
    picture   the first frame of it was drawn
    stall     the longest time for which the window did not answer
    window    computing time of the window's thread until the picture, drawing by software OpenGL included
    compile   computing time of the compile thread in the process of the window

The first four are by the clock. Software OpenGL takes most of them, in the thread of the window and in its own threads.
With --small-picture the frame has 16 x 16 pixels and no shadows: all is done that is done with a graphics card, up to
the draw calls, but hardly any drawing.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from kinetree.app.workers.simulation import requests
from tests.benchmark.bench_edit import branched
from tests.benchmark.window import Beats, display, wait_until

HUMANOIDS = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "mujoco" / "model" / "humanoid"


def robot(folder: Path, bodies: int = 50, rings: int = 40) -> Path:
    """A chain of bodies, each with a mesh of its own of some 3000 triangles."""
    turn = np.linspace(0, 2 * np.pi, rings, endpoint=False)
    faces = []
    for i in range(rings - 1):
        for j in range(rings):
            a, b = i * rings + j, i * rings + (j + 1) % rings
            faces += [(a, b, b + rings), (a, b + rings, a + rings)]
    lines = ["<mujoco>", '<option gravity="0 0 0"/>', "<asset>"]
    for number in range(bodies):
        height = np.linspace(-1, 1, rings)
        radius = 0.05 * np.sqrt(1.001 - height**2) * (1 + 0.1 * np.sin(3 * turn[:, None] + number).T)
        points = [
            (radius[j % 1, j] * np.cos(turn[j]) * np.sqrt(1.0001 - h * h), np.sin(turn[j]) * 0.05, 0.1 * h)
            for h in height
            for j in range(rings)
        ]
        text = "".join(f"v {x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in points)
        text += "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces)
        (folder / f"part{number}.obj").write_text(text)
        lines.append(f'<mesh name="part{number}" file="part{number}.obj"/>')
    lines += ["</asset>", "<worldbody>", '<light pos="0 0 5"/>']
    for number in range(bodies):
        lines.append(f'<body name="b{number}" pos="0 0 .2"><joint name="j{number}" axis="0 1 0" range="-60 60"/>')
        lines.append(f'<geom name="g{number}" type="mesh" mesh="part{number}" contype="0" conaffinity="0" mass=".1"/>')
    lines += ["</body>" * bodies, "</worldbody>", "</mujoco>"]
    path = folder / "robot.xml"
    path.write_text("\n".join(lines))
    return path


def large(folder: Path) -> Path:
    """A model of 1 MB of text."""
    path = folder / "large.xml"
    path.write_text(branched(6000))
    return path


def models(folder: Path) -> dict[str, tuple[Path, str, str, list[str]]]:
    """Name -> (path, tag and attribute that are edited, values)."""
    found = {
        "robot": (robot(folder), "joint", "damping", ["0.1", "0.2"]),
        "robot size": (folder / "robot.xml", "body", "pos", ["0 0 .2", "0 0 .21"]),
        "large": (large(folder), "geom", "friction", ["0.5", "0.6"]),
    }
    for name in ("humanoid", "22_humanoids", "100_humanoids"):
        path = HUMANOIDS / f"{name}.xml"
        if path.exists():
            found[name] = (path, "geom", "friction", ["0.5", "0.6"])
            if name == "humanoid":
                found["humanoid pose"] = (path, "body", "pos", ["0 0 1.282", "0 0 1.3"])
    return found


def measure(
    path: Path,
    tag: str,
    name: str,
    values: list[str],
    repeat: int,
    size: tuple[int, int] = (1280, 800),
    small_picture: bool = False,
) -> dict[str, list[float]]:

    from kinetree.app.settings.settings import Settings
    from kinetree.app.window import Window
    from kinetree.app.workspace.garbage import GarbageCollection
    from kinetree.engine.document.element_edit import SetAttribute

    window = Window(Settings(tempfile.mkdtemp()))
    collection = GarbageCollection(window.workspace, window)
    window.resize(*size)
    window.open(str(path))
    window.show()

    wait_until(lambda: window.simulation.snapshot is not None and window.simulation.snapshot.ready)
    if small_picture:
        window.viewport.pixel_size = lambda: (16, 16)
        window.view.set_option("shadow", False)
    taken: list[float] = []
    window.simulation.model_changed.connect(
        lambda *_: window.simulation.post(requests.Ask(lambda _model, _data: taken.append(time.perf_counter())))
    )
    compiling = next(thread for thread in threading.enumerate() if thread.name == "compile")
    clock = time.pthread_getcpuclockid(compiling.ident or 0)
    drawn: list[object] = []
    window.viewport.drawn.connect(drawn.append)
    beats = Beats()
    times: dict[str, list[float]] = {name: [] for name in ("call", "physics", "picture", "stall", "window", "compile")}
    for number in range(repeat):
        node = list(window.project.document.root.iter(tag))[-1]
        wait_until(lambda: window.simulation.snapshot.model is window.simulation.model)
        end = time.monotonic() + 0.1
        wait_until(lambda end=end: time.monotonic() > end)
        old = window.simulation.model
        beats.clear()
        taken.clear()
        compiled, spent, start = time.clock_gettime(clock), time.thread_time(), time.perf_counter()
        window.project.apply(f"Set {name}", [SetAttribute(node, name, values[number % 2])], merge=("bench", node.id))
        times["call"].append(time.perf_counter() - start)
        drawn.clear()
        wait_until(lambda old=old: taken and window.simulation.model is not old and window.simulation.model in drawn)
        times["picture"].append(time.perf_counter() - start)
        times["window"].append(time.thread_time() - spent)
        times["compile"].append(time.clock_gettime(clock) - compiled)
        times["physics"].append(taken[0] - start)
        times["stall"].append(beats.longest())
    beats.stop()
    collection.end()
    window.close_anyway()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=50)
    parser.add_argument("--model", nargs="*")
    parser.add_argument(
        "--size", default="1280x800", help="of the window; software OpenGL takes its time for each pixel"
    )
    parser.add_argument("--small-picture", action="store_true")
    arguments = parser.parse_args()
    with display():
        from PySide6.QtWidgets import QApplication

        from kinetree.app.settings import theme

        application = QApplication([])
        application.setStyle("Fusion")
        theme.apply(application, theme.choose("dark"))
        columns = ("call", "physics", "picture", "stall", "window", "compile")
        print(f"{'model':16} {' '.join(f'{name:>14}' for name in columns)}   (median, worst, ms)")
        with tempfile.TemporaryDirectory() as folder:
            for name, row in models(Path(folder)).items():
                if arguments.model and name not in arguments.model:
                    continue
                width, height = map(int, arguments.size.split("x"))
                times = measure(*row, arguments.repeat, (width, height), arguments.small_picture)
                cells = (f"{1e3 * statistics.median(t):6.1f} {1e3 * max(t):7.1f}" for t in times.values())
                print(f"{name:16} {' '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
