"""Random models (tests/oracle/unseen.py) against the reference: how many agree, and what differs, by field.

    python -m tests.benchmark.bench_unseen [--first N] [--count N] [--family NAME] [--show] [--json FILE] [--set NAME=VALUE]

Compares the compiled model, what forward computes at visited states, and the motion, as tests/oracle/parity.py does.
--set forces an option (solver, integrator, cone, noslip_iterations, disableflags ...), to look at one thing at a time.
"""

from __future__ import annotations

import argparse
import json
import pathlib
from collections import Counter, defaultdict

import mujoco
import numpy as np

import kinetree
from tests.oracle import parity
from tests.oracle.compiled import differences
from tests.oracle.unseen import FAMILIES, scene


def compare(text: str, forced: dict[str, float]) -> tuple[str, dict[str, float]]:
    """Why the model is not simulated, if so; fields that differ, with their gaps in units of the tolerance."""
    m = mujoco.MjModel.from_xml_string(text)
    try:
        model = kinetree.load_string(text)
    except kinetree.ModelError as error:
        return f"{error}".splitlines()[0], {}
    found = {f"compile {name}": gap for name, gap in differences(model, m).items()}
    for name, value in forced.items():
        setattr(m.opt, name, type(getattr(m.opt, name))(value))
        setattr(model.opt, name, type(getattr(m.opt, name))(value))
    parts = {"kinematics": parity.kinematics}
    missing = model.unsimulated
    if not missing:
        parts |= {"forward": parity.forward, "rollout": parity.rollout}
    for part, gaps in parts.items():
        with np.errstate(all="ignore"):
            worst = gaps(model, m)
        found |= {f"{part} {name}": gap for name, gap in worst.items() if not gap <= 1.0}
    return missing[0].message if missing else "", found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=280)
    parser.add_argument("--family", default="")
    parser.add_argument("--show", action="store_true", help="one line for each model")
    parser.add_argument("--json", help="write the result of each model")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    forced = {name: float(value) for name, value in (word.split("=") for word in options.set)}
    results: dict[int, tuple[str, dict[str, float]]] = {}
    families: dict[str, Counter[str]] = {family.__name__: Counter() for family in FAMILIES}
    fields: dict[str, list[tuple[float, int]]] = defaultdict(list)
    refused: Counter[str] = Counter()
    for seed in range(options.first, options.first + options.count):
        family, text = scene(seed)
        if options.family and family != options.family:
            continue
        reason, gaps = results[seed] = compare(text, forced)
        refused[reason] += 1
        families[family]["differ" if gaps else "refused" if reason else "agree"] += 1
        for name, gap in gaps.items():
            fields[name].append((gap, seed))
        if options.show:
            worst = ", ".join(f"{name} x{gap:.3g}" for name, gap in list(gaps.items())[:6])
            print(f"{seed} {family}: {worst or reason or 'agrees'}", flush=True)
    print(f"{'family':14}{'agree':>8}{'differ':>8}{'refused':>8}")
    for family, counts in families.items():
        print(f"{family:14}{counts['agree']:8}{counts['differ']:8}{counts['refused']:8}")
    total = sum(families.values(), Counter())
    print(f"{'all':14}{total['agree']:8}{total['differ']:8}{total['refused']:8}\n")
    for reason, count in refused.most_common():
        if reason:
            print(f"{count:5} refused: {reason}")
    print(f"\n{'models':>6}  {'worst':>9}  field (models with the largest gaps)")
    for name, gaps in sorted(fields.items(), key=lambda item: -len(item[1])):
        gaps.sort(key=lambda pair: -np.nan_to_num(pair[0], nan=np.inf))
        print(f"{len(gaps):6}  {gaps[0][0]:9.3g}  {name} ({', '.join(str(seed) for _, seed in gaps[:5])})")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
