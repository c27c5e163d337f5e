"""Start-up as a user has it: the real window on a virtual screen, from the start of the process.

    python -m tests.benchmark.startup [--model MODEL.xml] [--repeat 3] [--json OUT] [--screen DISPLAY]

    first frame, warm    the model is on the screen; the kernels are in the cache          to reach: 2 s
    first frame, cold    the same with an empty cache                                      to reach: 5 s
    physics, warm        the simulation takes its first step                               to reach: 1.5 s
    physics, cold        the same with an empty cache                                      to reach: 20 s

The application writes the moments itself: where KINETREE_MARKS names a file, it appends the lines "first-frame SECONDS"
and "physics SECONDS", counted from the start of its process. KINETREE_CACHE names the folder of compiled kernels.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests import screen

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "resources" / "models" / "walker.xml"
LIMITS = {"first frame, warm": 2.0, "first frame, cold": 5.0, "physics, warm": 1.5, "physics, cold": 20.0}


def command(model: Path) -> list[str]:
    """`./run MODEL` where its environment is ready, else the same program in this interpreter."""
    if (ROOT / ".venv" / "stamp-run").exists():
        return [str(ROOT / "run"), str(model)]
    return [sys.executable, "-P", "-m", "kinetree", str(model)]


def start_once(model: Path, cache: Path, display: str | None, patience: float = 180.0) -> dict[str, float]:
    """Start the window, wait until it has drawn and the physics runs, end it. Mark -> seconds since process start."""
    with tempfile.TemporaryDirectory() as folder:
        marks_file = Path(folder) / "marks"
        environment = os.environ | {
            "KINETREE_MARKS": str(marks_file),
            "KINETREE_CACHE": str(cache),
            "PYTHONPATH": str(ROOT),
            "KINETREE_CONFIG": folder,  # no settings of the user's: the window opens at its own size
        }
        screen.put_on(environment, display)
        log = open(Path(folder) / "log", "w+")  # noqa: SIM115 (closed below, after the process)
        process = subprocess.Popen(
            command(model), cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        marks: dict[str, float] = {}
        try:
            deadline = time.monotonic() + patience
            while not {"first-frame", "physics"} <= marks.keys():
                if process.poll() is not None or time.monotonic() > deadline:
                    log.seek(0)
                    raise RuntimeError(f"{command(model)} gave {marks}, then {process.poll()}:\n{log.read()}")
                time.sleep(0.05)
                if marks_file.exists():
                    words = [line.split() for line in marks_file.read_text().splitlines()]
                    marks = {name: float(seconds) for name, seconds in (pair for pair in words if len(pair) == 2)}
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            log.close()
    return marks


def measure(model: Path, repeat: int, display: str | None) -> dict[str, list[float]]:
    figures: dict[str, list[float]] = {name: [] for name in LIMITS}
    with tempfile.TemporaryDirectory() as cache:  # empty at first: the first start is the cold one
        marks = start_once(model, Path(cache), display)
        figures["first frame, cold"].append(marks["first-frame"])
        figures["physics, cold"].append(marks["physics"])
        for _ in range(repeat):
            marks = start_once(model, Path(cache), display)
            figures["first frame, warm"].append(marks["first-frame"])
            figures["physics, warm"].append(marks["physics"])
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=MODEL)
    parser.add_argument("--repeat", type=int, default=3, help="warm starts; the middle one is reported")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    parser.add_argument("--screen", help="use this display instead of one of its own")
    arguments = parser.parse_args()
    server, display = (None, arguments.screen) if arguments.screen else screen.start()
    if display is None:
        sys.exit("startup: needs a display or Xvfb (apt-get install xvfb)")
    try:
        figures = measure(arguments.model.resolve(), arguments.repeat, display)
    finally:
        screen.stop(server)
    for name, values in figures.items():
        limit = f"to reach: {LIMITS[name]:g} s" if LIMITS[name] else ""
        print(f"{name:20s} {statistics.median(values):7.2f} s  {limit}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"model": arguments.model.name, "seconds": figures}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
