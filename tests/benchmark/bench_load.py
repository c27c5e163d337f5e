"""Loading, text to model: against the reference over the corpus, and again after a small edit of a model with many
meshes.

    python -m tests.benchmark.bench_load [--corpus FOLDER] [--repeat N] [--slow K]

Each model is loaded in the same process by both: the first load of each, and the best of N after it, with the caches
of both as they are then. Printed are the K models that take longest by the reference's time; one of known names each;
the geometric means of the ratios for the small models out of tests (inline), for the others (files) and for all
(limit: 3); and the time of a reload (limit: 0.3 s).
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import mujoco
import numpy as np

import kinetree
from tests.corpus import listed

ROOT = Path(__file__).resolve().parents[2]
LIMIT_RATIO, LIMIT_RELOAD = 3.0, 0.3
MESHES, RINGS = 50, 40
KNOWN = ("humanoid", "stonehenge", "car", "100_humanoids", "hammock", "gripper")


class Timed(NamedTuple):
    """Seconds of one model's loads, first and best of those after it, by us and by the reference."""

    name: str
    family: str
    ours: tuple[float, float]
    theirs: tuple[float, float]

    def ratio(self, which: int) -> float:
        return self.ours[which] / self.theirs[which]


def corpus(folder: Path) -> Iterator[tuple[str, Path]]:
    """(family, path) of the models that the reference loads."""
    for row in listed(folder):
        if row.loads == "yes":
            yield row.family, row.path


def best(action: Callable[[], object], repeat: int) -> tuple[float, float]:
    """(seconds of the first call, of the fastest one after it)."""
    times = []
    for _ in range(repeat + 1):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return times[0], min(times[1:])


def timed(folder: Path, repeat: int) -> tuple[list[Timed], int]:
    """Every model that both load, and how many only we do not load."""
    found, skipped = [], 0
    for family, path in corpus(folder):
        try:
            ours = best(lambda path=path: kinetree.load(path), repeat)
        except kinetree.ModelError:
            skipped += 1
            continue
        try:
            theirs = best(lambda path=path: mujoco.MjModel.from_xml_path(str(path)), repeat)
        except ValueError:
            continue
        found.append(Timed(str(path.relative_to(folder)), family, ours, theirs))
    return found, skipped


def mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def against_the_reference(folder: Path, repeat: int, slow: int) -> float:
    """The geometric mean of our time by the reference's; models that we do not load do not count."""
    models, skipped = timed(folder, repeat)
    known = [m for m in models if Path(m.name).stem in KNOWN and m.family == "files"]
    for rows in (sorted(models, key=lambda m: -m.ratio(1))[:slow], known):
        print(f"\n{'ours':>12} {'reference':>12} {'ratio':>7} {'first':>7}  (milliseconds)")
        for m in rows:
            print(f"{m.ours[1] * 1e3:12.2f} {m.theirs[1] * 1e3:12.2f} {m.ratio(1):7.2f} {m.ratio(0):7.2f}  {m.name}")
    print(f"\n{'models':>12} {'again':>7} {'first':>7}  geometric mean; {skipped} models not loaded")
    for family in ("inline", "files", "all"):
        some = [m for m in models if family in (m.family, "all")]
        print(
            f"{len(some):12} {mean([m.ratio(1) for m in some]):7.2f} {mean([m.ratio(0) for m in some]):7.2f}  {family}"
        )
    return mean([m.ratio(1) for m in models])


def bumpy(seed: int) -> bytes:
    """A closed surface as an OBJ text: a sphere with bumps."""
    generator = np.random.default_rng(seed)
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 2 * RINGS, False), np.linspace(0.02, np.pi - 0.02, RINGS))
    radius = 0.1 + 0.01 * np.sin(generator.integers(2, 6) * u) * np.sin(generator.integers(2, 6) * v)
    points = np.stack([radius * np.sin(v) * np.cos(u), radius * np.sin(v) * np.sin(u), radius * np.cos(v)], -1)
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
            f'<body pos="{k} 0 1"><freejoint/><geom type="mesh" mesh="m{k}" mass="1.0"/></body>' for k in range(MESHES)
        )
        text += "</worldbody></mujoco>"
        times = []
        for k in range(6):
            (base / "model.xml").write_text(text.replace('mass="1.0"', f'mass="{1 + k}"', 1))
            start = time.perf_counter()
            kinetree.load(base / "model.xml")
            times.append(time.perf_counter() - start)
        print(f"{MESHES} meshes: first load {times[0]:.2f} s, after an edit {min(times[1:]):.3f} s")
        return min(times[1:])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared/corpus")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--slow", type=int, default=20)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    good = reload() <= LIMIT_RELOAD
    if options.corpus.is_dir():
        good &= against_the_reference(options.corpus, options.repeat, options.slow) <= LIMIT_RATIO
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
