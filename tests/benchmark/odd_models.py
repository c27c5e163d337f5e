"""Binary models with odd numbers: opened, stepped, asked for rays and drawn, in processes of their own.

    python -m tests.benchmark.odd_models [--count 300] [--first 0] [--only NAME ...]

Of each model of tests/engine/dynamics/test_odd_numbers.py a .kmodel with a right checksum, in which some floats, and now
and then whole numbers, are others: huge, NaN, infinity, zero. A file is refused with a message, or it runs: it never
ends the process, raises an exception or takes over 20 s. Each finding is printed with the number that makes it again.
With `python -c "import tests.bounds; from tests.benchmark.odd_models import main; main()"` every index is checked.
"""

from __future__ import annotations

import argparse
import os
import selectors
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

import numpy as np

import kinetree
from kinetree.engine.model.fields import TABLES
from kinetree.engine.model.model import Model
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import Camera
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.pick import pick
from kinetree.engine.storage import binary
from tests.engine.dynamics.test_odd_numbers import EVERY, ODD, disturb, floats

LIMIT = 20.0
"""Longest time for one file, s."""
WHOLE = (0, -1, 1, 2, 7, 1_000_000, 2**31 - 1, -(2**31))


def changed(model: Model, generator: np.random.Generator) -> bytes:
    """A binary file of a model with odd numbers."""
    other = model.copy()
    kind = generator.random()
    if kind < 0.5:  # a single number, as a mutation of bytes would make it
        rows = [row for row in TABLES["Model"] if row.kind == "array" and row.dtype in ("f8", "f4")]
        arrays = [other._arrays[row.name] for row in rows if other._arrays[row.name].size]
        for _ in range(generator.integers(1, 4)):
            array = arrays[generator.integers(len(arrays))]
            with np.errstate(over="ignore"):
                array.ravel()[generator.integers(array.size)] = np.asarray(generator.choice(ODD)).astype(array.dtype)
    else:
        disturb(other, generator, 0.02 if kind < 0.8 else 0.2)
    if generator.random() < 0.8:  # a file with NaN is refused
        for array in floats(other):
            array[np.isnan(array)] = np.inf
    for name in ("timestep", "tolerance", "density", "viscosity", "impratio"):
        if generator.random() < 0.02:
            setattr(other.opt, name, float(generator.choice(ODD)))
    if generator.random() < 0.2:
        rows = [row for row in TABLES["Model"] if row.kind == "array" and row.dtype in ("i4", "i8")]
        arrays = [other._arrays[row.name] for row in rows if other._arrays[row.name].size]
        array = arrays[generator.integers(len(arrays))]
        array.ravel()[generator.integers(array.size)] = generator.choice(WHOLE)
    return binary.to_bytes(other)


def use(path: Path) -> bool:
    """Open a file and do what a window does with it; whether it was a model."""
    try:
        model = kinetree.load(path)
        data = kinetree.Data(model)
        kinetree.kinematics(model, data)
        if not model.unsimulated:
            kinetree.forward(model, data)
            kinetree.step(model, data, 10)
            for direction in ((0.0, 0.0, -1.0), (1.0, 0.1, 0.0)):
                kinetree.ray(model, data, (0.1, 0.2, 5.0), direction)
    except kinetree.ModelError:
        return False
    build(model, data, VisOptions(), Camera())
    for direction in ((0.0, 0.0, -1.0), (1.0, 0.1, 0.0)):
        pick(model, data, (0.1, 0.2, 5.0), direction, VisOptions())
    return True


def child(name: str, first: int, last: int) -> None:
    """Use the files of a range of numbers; says each number before, and what was wrong."""
    warnings.simplefilter("ignore")
    model = kinetree.load_string(EVERY[name])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "odd.kmodel"
        for number in range(first, last):
            print(f"try {number}", flush=True)
            path.write_bytes(changed(model, np.random.default_rng(number)))
            try:
                print("model" if use(path) else "refused", flush=True)
            except Exception:
                print("raised", " | ".join(traceback.format_exc().splitlines()[-3:]), flush=True)


def run(name: str, first: int, last: int) -> tuple[dict[str, int], list[str]]:
    """How many files came to what; what was wrong."""
    counts, findings = {"model": 0, "refused": 0, "raised": 0, "ended": 0, "slow": 0}, []
    at = first
    while at < last:
        command = [sys.executable, "-X", "faulthandler", "-c"]
        program = f"{'import tests.bounds;' if 'tests.bounds' in sys.modules else ''}"
        program += f"from tests.benchmark.odd_models import child; child({name!r}, {at}, {last})"
        with subprocess.Popen(
            [*command, program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            at, end = _follow(process, name, at, counts, findings)
            if end:
                counts[end] += 1
                error = process.stderr.read().strip().splitlines() if process.stderr else []
                findings.append(f"{name} {at}: {end} {process.returncode}: {' | '.join(error[:6])}")
        at += 1
    return counts, findings


def _follow(process, name: str, at: int, counts: dict[str, int], findings: list[str]) -> tuple[int, str]:
    """Read what a child says: the last number, and how the child ended if not well."""
    selector = selectors.DefaultSelector()
    selector.register(process.stdout, selectors.EVENT_READ)
    os.set_blocking(process.stdout.fileno(), False)
    rest, begun, compiled = "", time.monotonic(), False
    while True:
        if not selector.select(1.0):
            if time.monotonic() - begun > (LIMIT if compiled else 60 * LIMIT):  # kernels may have to be compiled first
                process.kill()
                process.wait()
                return at, "slow"
            continue
        text = process.stdout.read()
        if not text:
            return at, "ended" if process.wait() else ""
        *lines, rest = (rest + text).split("\n")
        for line in lines:
            word, _, what = line.partition(" ")
            if word == "try":
                at, begun = int(what), time.monotonic()
            else:
                compiled |= word == "model"
                counts[word] += 1
                if word == "raised":
                    findings.append(f"{name} {at}: {what}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="files of each model")
    parser.add_argument("--first", type=int, default=0, help="the number of the first file")
    parser.add_argument("--only", nargs="*", default=list(EVERY), help="names of models")
    options = parser.parse_args()
    total: dict[str, int] = {}
    for name in options.only:
        counts, findings = run(name, options.first, options.first + options.count)
        total = {key: total.get(key, 0) + value for key, value in counts.items()}
        print(f"{name}: {', '.join(f'{value} {key}' for key, value in counts.items() if value)}", flush=True)
        for finding in findings:
            print("   ", finding, flush=True)
    print(f"all: {', '.join(f'{value} {key}' for key, value in total.items())}")
    return int(total["raised"] + total["ended"] + total["slow"] > 0)


if __name__ == "__main__":
    sys.exit(main())
