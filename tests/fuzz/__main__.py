"""Runs readers of users' bytes on mutated files, guided by the code that each file reaches.

    python -m tests.fuzz TARGET ...|all [--inputs 1000000] [--seed 1] [--jobs 1] [--minutes M] [--folder build/fuzz]

Printed is a row for each target: inputs, inputs in a second, features of the code that were reached, how many inputs
were accepted, the slowest one, and findings. Anything that is neither success nor a declared error with a message is a
finding: see tests/fuzz/judge.py. An input for each cause, and its traceback, are in FOLDER/findings; when it is fixed,
put the input into tests/data/fuzz/TARGET, where the test-suite replays it. Inputs that reached new code stay in
FOLDER/corpus, and the next campaign begins with them. Inputs count over campaigns with the same FOLDER: it goes on
where it was, until each target has had its inputs.

It needs atheris, in an environment that has Kinetree's packages too: pip install atheris. --plain does without: it
mutates the seeds with no guidance.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.conftest import ROOT
from tests.fuzz.campaign import GREW, HANG, State, keep
from tests.fuzz.targets import TARGETS

MEMORY = "/dev/shm"
"""A folder without a disk, for readers of files."""
_FEATURES = re.compile(r"#\d+\s+\w+\s+cov: (\d+) ft: (\d+)")


def run(name: str, arguments: argparse.Namespace, job: int) -> dict[str, float]:
    """One target: processes one after the other, as an input may end one, until all inputs are done."""
    folder: Path = arguments.folder
    label = f"{name}-{job}" if job else name
    wanted = arguments.inputs // arguments.jobs
    end = float("inf")
    kept = folder / f"{label}.total"
    total = {"inputs": 0, "seconds": 0.0, "accepted": 0, "slowest": 0.0, "features": 0, "processes": 0}
    if kept.exists():
        total |= json.loads(kept.read_text())
    while total["inputs"] < wanted:
        state = State(folder / f"{label}.state")
        state.write(0, 0, 0.0, b"")
        command = [sys.executable, "-m", "tests.fuzz.campaign", name, str(folder), "--name", label]
        command += [
            "--inputs",
            str(wanted - total["inputs"]),
            "--seed",
            str(arguments.seed + 1000 * job + total["processes"]),
        ]
        command += ["--plain"] if arguments.plain else []
        begun = time.monotonic()
        files = tempfile.mkdtemp(prefix="kinetree-fuzz-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
        with (folder / f"{label}.log").open("ab") as log:
            process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=os.environ | {"TMPDIR": files})
        code, before, still = None, -1, time.monotonic()
        while code is None:
            try:
                code = process.wait(1)
            except subprocess.TimeoutExpired:
                now = state.read()[0]
                if now != before:
                    before, still = now, time.monotonic()
                    if now and arguments.minutes and end == float("inf"):  # to begin may take long
                        end = time.monotonic() + 60 * arguments.minutes
                if time.monotonic() - still > 2 * HANG + 60 or time.monotonic() > end:
                    process.kill()
                    code = process.wait()
        shutil.rmtree(files, ignore_errors=True)
        done, accepted, slowest, data = state.read()
        total["inputs"] += done
        total["accepted"] += accepted
        total["slowest"] = max(total["slowest"], slowest)
        total["seconds"] += time.monotonic() - begun
        found = _FEATURES.findall((folder / f"{label}.log").read_text(errors="replace"))
        total["features"] = max([total["features"], *(int(features) for _, features in found)])
        total["processes"] += 1
        killed = time.monotonic() > end
        if not killed and code not in (0, GREW):
            if not done and not data:
                raise SystemExit(f"{name} did not begin: see {folder / f'{label}.log'}")
            _keep_last(folder, name, label, code, data)
        kept.write_text(json.dumps(total))
        if killed:
            break
    return total


def _keep_last(folder: Path, name: str, label: str, code: int, data: bytes) -> None:
    """The input that ended a process is a finding."""
    log = folder / f"{label}.log"
    keep(
        folder / "findings" / name,
        f"ended-{code}-{_last_words(log)}",
        f"the process ended with {code}: see {log}",
        data,
    )


def _last_words(log: Path) -> str:
    """libFuzzer's description of the end of a process."""
    found = re.findall(r"ERROR: libFuzzer: ([\w -]+)", log.read_text(errors="replace"))
    return re.sub(r"\W+", "-", found[-1])[:30] if found else "unknown"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="+", choices=[*TARGETS, "all"], metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes for each target, which share its inputs")
    parser.add_argument("--minutes", type=float, default=0, help="at most, for each target")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "fuzz")
    parser.add_argument("--plain", action="store_true")
    arguments = parser.parse_args()
    if not arguments.plain and importlib.util.find_spec("atheris") is None:
        print("atheris is not installed: install it with `pip install atheris`, or run with --plain", file=sys.stderr)
        return 2
    arguments.folder = arguments.folder.resolve()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if os.name == "posix":
        os.nice(10)
    print(f"{'target':12}{'inputs':>10}{'1/s':>8}{'features':>10}{'accepted':>10}{'slowest':>10}  findings", flush=True)
    any_found = False
    for name in TARGETS if "all" in arguments.targets else arguments.targets:
        with ThreadPoolExecutor(arguments.jobs) as pool:
            parts = list(pool.map(partial(run, name, arguments), range(arguments.jobs)))
        inputs, seconds = sum(part["inputs"] for part in parts), max(part["seconds"] for part in parts)
        found = sorted(path.stem for path in (arguments.folder / "findings" / name).glob("*.bin"))
        any_found |= bool(found)
        print(
            f"{name:12}{inputs:>10}{inputs / max(seconds, 1e-9):>8.0f}{max(part['features'] for part in parts):>10}"
            f"{sum(part['accepted'] for part in parts) / max(inputs, 1):>10.1%}{max(part['slowest'] for part in parts):>8.2f} s"
            f"  {', '.join(found) or '-'}",
            flush=True,
        )
    return int(any_found)


if __name__ == "__main__":
    sys.exit(main())
