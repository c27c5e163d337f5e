"""Fails each system call and each allocation of a save once, and prints what comes of it.

    python -m tests.benchmark.faults [SCENARIO ...] [--memory] [--every 1] [--errors ENOSPC ...]

A row for each scenario and error: trials, how many were saved all the same, were refused with a message and an old file
that is whole, or were told although the file is new; and what is wrong. The text in memory and the journal still have
what was typed, nothing is left behind, and a second save writes what it should, else that is wrong. With --memory,
allocations fail in place of system calls; --every 7 fails one of seven. It needs a C compiler and Linux.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from dataclasses import asdict

from tests.conftest import ROOT
from tests.faults import trials
from tests.faults.scenarios import SCENARIOS
from tests.faults.trials import ERRORS, FILES, MEMORY, Trial


def inside(name: str, kind: int, errors: list[str], every: int, most: int) -> None:
    """In a process with the shim: a line of JSON for each trial."""
    scenario = SCENARIOS[name]()
    if kind == MEMORY and not scenario.memory:
        return
    for trial in trials.run(scenario, kind, errors, every, most):
        print(json.dumps(asdict(trial)), flush=True)


def run(
    name: str, kind: int, errors: list[str], every: int = 1, most: int = 1 << 30, timeout: float = 3600
) -> list[Trial]:
    """The trials of a scenario, in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "tests.benchmark.faults",
        "--inside",
        name,
        str(kind),
        json.dumps(errors),
        str(every),
        str(most),
    ]
    done = subprocess.run(command, cwd=ROOT, env=trials.environment(), capture_output=True, text=True, timeout=timeout)
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr[-3000:]}")
    return [Trial(**json.loads(line)) for line in done.stdout.splitlines() if line.startswith("{")]


def main() -> int:
    if sys.argv[1:2] == ["--inside"]:
        name, kind, errors, every, most = sys.argv[2:]
        inside(name, int(kind), json.loads(errors), int(every), int(most))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=", ".join(SCENARIOS))
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--errors", nargs="+", choices=ERRORS, default=list(ERRORS))
    arguments = parser.parse_args()
    if trials.shim() is None:
        print("faults need Linux and a C compiler: apt install gcc", file=sys.stderr)
        return 2
    kind, errors = (MEMORY, ["ENOMEM"]) if arguments.memory else (FILES, arguments.errors)
    any_wrong = False
    print(f"{'scenario':20}{'error':8}{'trials':>7}{'saved':>7}{'refused':>9}{'told':>6}  wrong", flush=True)
    for name in arguments.scenarios or SCENARIOS:
        found = run(name, kind, errors, arguments.every)
        for error in errors:
            of = [trial for trial in found if trial.error == error]
            number = Counter(trial.outcome for trial in of)
            wrong = Counter(f"{trial.call}: {trial.outcome}" for trial in of if trial.is_wrong)
            any_wrong |= bool(wrong)
            listed = "; ".join(f"{text} ({count})" if count > 1 else text for text, count in wrong.items())
            print(
                f"{name:20}{error:8}{len(of):>7}{number['saved']:>7}{number['refused']:>9}{number['told']:>6}  {listed or '-'}",
                flush=True,
            )
    return int(any_wrong)


if __name__ == "__main__":
    sys.exit(main())
