"""Loading, text to model: against the reference over the corpus, and again after a small edit of a model with many meshes.

    python -m tests.benchmark.bench_load [--corpus FOLDER] [--repeat N]

Prints one line a model where it takes longer than 3 times the reference, then the geometric mean of the ratios (limit: 3) and
the time of a reload (limit: 0.3 s). Each model is loaded in the same process by both; the best of N loads counts, with the
caches of both as they are after the first one, and the first load apart.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import mujoco
import numpy as np

import engine

ROOT = Path(__file__).resolve().parents[2]
LIMIT_RATIO, LIMIT_RELOAD = 3.0, 0.3
MESHES, RINGS = 50, 40


def corpus(folder: Path) -> Iterator[Path]:
    """The models that the reference loads."""
    for index in (folder / "index.csv", folder / "inline/index.csv"):
        with index.open() as file:
            for row in csv.DictReader(file):
                if row["loads"] == "yes":
                    yield index.parent / row["path"]


def best(action: Callable[[], object], repeat: int) -> tuple[float, float]:
    """(seconds of the first call, of the fastest one after it)."""
    times = []
    for _ in range(repeat + 1):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return times[0], min(times[1:])


def against_the_reference(folder: Path, repeat: int) -> float:
    """The geometric mean of our time by the reference's; models that we do not load yet do not count."""
    again, first, skipped = [], [], 0
    for path in corpus(folder):
        try:
            ours = best(lambda path=path: engine.load(path), repeat)
        except engine.ModelError:
            skipped += 1
            continue
        try:
            theirs = best(lambda path=path: mujoco.MjModel.from_xml_path(str(path)), repeat)
        except ValueError:
            continue
        first.append(ours[0] / theirs[0])
        again.append(ours[1] / theirs[1])
        if again[-1] > LIMIT_RATIO:
            name = str(path.relative_to(folder))
            print(f"{ours[1] * 1e3:9.2f} ms {theirs[1] * 1e3:9.2f} ms {again[-1]:6.2f}  {name}")

    def mean(ratios: list[float]) -> float:
        return math.exp(sum(map(math.log, ratios)) / len(ratios))

    print(f"{len(again)} models, {skipped} not loaded; geometric mean of the ratios: {mean(again):.2f}")
    print(f"first loads: {mean(first):.2f}")
    return mean(again)


def bumpy(seed: int) -> bytes:
    """A closed surface as an OBJ text: a sphere with bumps."""
    generator = np.random.default_rng(seed)
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 2 * RINGS, False), np.linspace(0.02, np.pi - 0.02, RINGS))
    radius = 0.1 + 0.01 * np.sin(generator.integers(2, 6) * u) * np.sin(generator.integers(2, 6) * v)
    points = np.stack(
        [radius * np.sin(v) * np.cos(u), radius * np.sin(v) * np.sin(u), radius * np.cos(v)], -1
    )
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points.reshape(-1, 3)]
    wide = 2 * RINGS
    for i in range(RINGS - 1):
        for j in range(wide):
            a, b = i * wide + j + 1, i * wide + (j + 1) % wide + 1
            lines.append(f"f {a} {a + wide} {b + wide} {b}")
    lines.append("f " + " ".join(str(j + 1) for j in range(wide)))
    lines.append("f " + " ".join(str((RINGS - 1) * wide + wide - j) for j in range(wide)))
    return "\n".join(lines).encode()


def reload() -> float:
    """Seconds of the fastest reload of a model with 50 meshes of 6000 triangles, each after an edit of one number."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        for k in range(MESHES):
            (base / f"m{k}.obj").write_bytes(bumpy(k))
        time.sleep(2.1)  # until the files count as settled
        text = "<mujoco><asset>" + "".join(f'<mesh file="m{k}.obj"/>' for k in range(MESHES))
        text += "</asset><worldbody>" + "".join(
            f'<body pos="{k} 0 1"><freejoint/><geom type="mesh" mesh="m{k}" mass="1.0"/></body>'
            for k in range(MESHES)
        )
        text += "</worldbody></mujoco>"
        times = []
        for k in range(6):
            (base / "model.xml").write_text(text.replace('mass="1.0"', f'mass="{1 + k}"', 1))
            start = time.perf_counter()
            engine.load(base / "model.xml")
            times.append(time.perf_counter() - start)
        print(f"{MESHES} meshes: first load {times[0]:.2f} s, after an edit {min(times[1:]):.3f} s")
        return min(times[1:])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared/corpus")
    parser.add_argument("--repeat", type=int, default=2)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    good = reload() <= LIMIT_RELOAD
    if options.corpus.is_dir():
        good &= against_the_reference(options.corpus, options.repeat) <= LIMIT_RATIO
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
