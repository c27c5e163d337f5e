"""The known differences from the reference: single fields of single models, each with a bound and a reason.

`known_gaps.csv` has a row for each: model (below the clone or shared/corpus), part, field (none for a model that only
one side accepts), bound, reason. A bound is a multiple of the field's tolerance; `inf` stands for a difference without
size (a name, a text), `nan` for a field without a finite number in the reference. A gap that is no longer there fails
its test, and so does one beyond its bound.

    python -m tests.oracle.known_gaps > tests/oracle/known_gaps.csv     recomputes the bounds

keeps the rows that are still needed, with their reasons, and writes "?" as the reason of new ones.
"""

from __future__ import annotations

import csv
import math
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("known_gaps.csv")
REASONS = {
    "octree": "the distance of a mesh is interpolated in another octree: as near to the true one, not the same",
    "singular": "singular inertia: the reference computes not-a-number, we a least-squares answer",
    "same-place": "shapes at the same place: forces above 1e16 that cancel have no meaning",
    "touching": "things that touch exactly: the reference's sweep rounds to single precision and misses some of the pairs",
    "infinite": "a position at infinity: we refuse it",
    "not-a-number": "a position that is not a number: we refuse it",
    "massless-frame": "the inertial frame of a body without mass means nothing, and follows the frames around it as written",
    "flex-nodes": "MJCF has no attribute for where a flex's nodes are in their bodies; the reference's own save loses them",
}
SLACK = 2.0  # a bound is the gap of today, times this: other processors round otherwise


@dataclass(frozen=True)
class Gap:
    bound: float
    reason: str


def read() -> dict[tuple[str, str], dict[str, Gap]]:
    """(model, part) -> field -> gap."""
    found: dict[tuple[str, str], dict[str, Gap]] = {}
    with TABLE.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            fields = found.setdefault((row["model"], row["part"]), {})
            fields[row["field"]] = Gap(float(row["bound"]), row["reason"])
    return found


KNOWN = read()


def problems(model: str, part: str, gaps: dict[str, float]) -> list[str]:
    """Differences of the gaps of a model's part from the table: new, beyond its bound, or no longer there."""
    known = KNOWN.get((model, part), {})
    found = []
    for name, gap in sorted(gaps.items()):
        if gap <= 1.0:
            continue
        if name not in known:
            found.append(f"{part}: {name} x{gap:.3g}")
        elif not _within(gap, known[name].bound):
            found.append(f"{part}: {name} x{gap:.3g}, beyond its bound in known_gaps.csv, {known[name].bound:g}")
    for name in known:
        if gaps.get(name, 0.0) <= 1.0:
            found.append(f"{part}: {name} agrees now: remove it from known_gaps.csv")
    return found


def _within(gap: float, bound: float) -> bool:
    return math.isnan(bound) if math.isnan(gap) else gap <= bound


def main() -> None:
    from tests.oracle.model_gaps import BUNDLED, CORPUS_MODELS, TINY, gaps_of, place

    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["model", "part", "field", "bound", "reason"])
    with tempfile.TemporaryDirectory() as folder:
        for path in [*BUNDLED, *TINY, *CORPUS_MODELS]:
            for part, gaps in gaps_of(path, Path(folder)).items():
                known = KNOWN.get((place(path), part), {})
                for name, gap in sorted(gaps.items()):
                    if not gap <= 1.0:
                        reason = known[name].reason if name in known else "?"
                        bound = float(f"{gap * SLACK:.1e}") if math.isfinite(gap) else gap
                        out.writerow([place(path), part, name, f"{bound:g}", reason])


if __name__ == "__main__":
    main()
