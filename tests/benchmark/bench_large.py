"""Loading models with very many elements of one kind: whether the time grows with their number, and the reference's.

    python -m tests.benchmark.bench_large [--share S] [--seconds T] [KIND ...]

Each kind (a function of `large_models`) is checked (`kinetree check`), loaded, and loaded by the reference, each in a
process of its own, with n and 4n elements; 4n is the number in `MODELS` by S (default 0.25). Printed are processor
seconds and the growth from n to 4n; 4 is linear (limit: 8). A run of the reference that takes longer than T seconds
(default 20) is given up: several of its passes grow with the square.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmark.large_models import MODELS

LIMIT = 8.0
SHORT = 0.3
"""Seconds below which growth tells nothing."""
WAYS = ("check", "load", "reference")

_CHILD = """
import sys, time, warnings
warnings.simplefilter("ignore")
way, path = sys.argv[1:]
if way == "reference":
    import mujoco
    action = lambda: mujoco.MjModel.from_xml_path(path)
elif way == "load":
    import kinetree, kinetree.engine.compile.compiler
    action = lambda: kinetree.load(path)
else:
    import kinetree.engine.check, kinetree.engine.compile.compiler
    from kinetree.app.commands.check import findings
    action = lambda: findings(path)
start = time.process_time()
try:
    action()
except Exception as error:
    print(type(error).__name__, file=sys.stderr)
print(time.process_time() - start)
"""


def seconds(way: str, path: Path, most: float | None) -> float | None:
    """Processor seconds in a new process; None if it was given up."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, way, str(path)], capture_output=True, text=True, timeout=most, check=True
        )
    except subprocess.TimeoutExpired:
        return None
    return float(done.stdout.split()[-1])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--share", type=float, default=0.25)
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    good = True
    heads = "".join(f"{way:>12} {'growth':>7}" for way in WAYS)
    print(f"{'kind':26} {'elements':>9}{heads}   (processor seconds)")
    with tempfile.TemporaryDirectory() as folder:
        for make, number in MODELS.items():
            if options.kinds and make.__name__ not in options.kinds:
                continue
            most = max(int(number * options.share), 8)
            small, large = (Path(folder, f"{make.__name__}_{count}.xml") for count in (most // 4, most))
            small.write_text(make(most // 4))
            large.write_text(make(most))
            row = ""
            for way in WAYS:
                limit = options.seconds if way == "reference" else None
                few, many = seconds(way, small, limit), seconds(way, large, limit)
                growth = many / few if few and many and many > SHORT else None
                row += f"{'longer' if many is None else f'{many:.2f}':>12} {f'{growth:.1f}' if growth else '':>7}"
                good &= way == "reference" or growth is None or growth < LIMIT
            print(f"{make.__name__:26} {most:9}{row}", flush=True)
            small.unlink()
            large.unlink()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
