"""Start-up as a user has it: the real window on a virtual screen, from the start of the process.

    python -m tests.benchmark.startup [--model MODEL.xml] [--repeat 3] [--json OUT] [--screen DISPLAY]

    first frame, warm    the model is on the screen; the kernels are in the cache          to reach: 1 s
    first frame, cold    the same with an empty cache                                      to reach: 5 s
    physics, warm        the simulation takes its first step                               to reach: 1.5 s
    physics, cold        the same with an empty cache                                      to reach: 20 s

The application writes the moments itself: where KINETREE_MARKS names a file, it appends the lines "first-frame SECONDS"
and "physics SECONDS", counted from the start of its process. KINETREE_CACHE names the folder of compiled kernels.

It also prints how many modules of ours are imported before the first frame: to reach 150.
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
LIMITS = {"first frame, warm": 1.0, "first frame, cold": 5.0, "physics, warm": 1.5, "physics, cold": 20.0}


MODULES_TO_REACH = 150
COUNT = """
import sys
from kinetree.app import main, marks

def count(name, seconds=None, mark=marks.mark):
    if name == "first-frame":
        print(*sorted(each for each in sys.modules if each.partition(".")[0] == "kinetree"), flush=True)
    mark(name, seconds)

marks.mark = count
sys.exit(main.main(sys.argv[1:]))
"""
"""A program that is `kinetree` and prints its modules of ours when it marks its first frame."""


def command(model: Path) -> list[str]:
    """`./run MODEL` where its environment is ready, else the same program in this interpreter."""
    if (ROOT / ".venv" / "stamp-run").exists():
        return [str(ROOT / "run"), str(model)]
    return [sys.executable, "-P", "-m", "kinetree", str(model)]


def start_once(model: Path, cache: Path, display: str | None, patience: float = 180.0) -> dict[str, float]:
    """Start the window, wait until it has drawn and the physics runs, end it. Mark -> seconds since process start."""
    return _start(command(model), {"KINETREE_CACHE": str(cache)}, display, {"first-frame", "physics"}, patience)[0]


def modules_at_first_frame(model: Path, display: str | None, patience: float = 180.0) -> tuple[list[str], float]:
    """The modules of ours that are imported when the window has drawn its first frame, and when that was, s."""
    line = [sys.executable, "-P", "-c", COUNT, str(model)]
    marks, said = _start(line, {}, display, {"first-frame"}, patience)
    return [word for word in said.split() if word.partition(".")[0] == "kinetree"], marks["first-frame"]


def _start(
    line: list[str], variables: dict[str, str], display: str | None, awaited: set[str], patience: float
) -> tuple[dict[str, float], str]:
    """Start a window, wait for its marks, end it. The marks, and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        marks_file = Path(folder) / "marks"
        environment = os.environ | {
            "KINETREE_MARKS": str(marks_file),
            "PYTHONPATH": str(ROOT),
            "XDG_RUNTIME_DIR": folder,  # no window that runs takes the model
            "KINETREE_CONFIG": folder,  # no settings of the user's: the window opens at its own size
            **variables,
        }
        screen.put_on(environment, display)
        log = open(Path(folder) / "log", "w+")  # noqa: SIM115 (closed below, after the process)
        process = subprocess.Popen(line, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        marks: dict[str, float] = {}
        try:
            deadline = time.monotonic() + patience
            while not awaited <= marks.keys():
                if process.poll() is not None or time.monotonic() > deadline:
                    log.seek(0)
                    raise RuntimeError(f"{line} gave {marks}, then {process.poll()}:\n{log.read()}")
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
            log.seek(0)
            said = log.read()
            log.close()
    return marks, said


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
        modules = len(modules_at_first_frame(arguments.model.resolve(), display)[0])
    finally:
        screen.stop(server)
    for name, values in figures.items():
        limit = f"to reach: {LIMITS[name]:g} s" if LIMITS[name] else ""
        print(f"{name:20s} {statistics.median(values):7.2f} s  {limit}")
    print(f"{'modules of ours':20s} {modules:7d}    to reach: {MODULES_TO_REACH}")
    if arguments.json:
        report = {"model": arguments.model.name, "seconds": figures, "modules": modules}
        arguments.json.write_text(json.dumps(report, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
