"""Compile the kernels of the bundled models into the cache, on all processors: `./test` does it before the suite, whose
tests would compile them one after another.

    python -m tests.warm
"""

import sys
import time
from pathlib import Path

import engine
from engine.run.warmup import warmup

MODELS = Path(__file__).resolve().parent.parent / "resources" / "models"


def main() -> int:
    begin = time.perf_counter()
    count = 0

    def progress(done: int, total: int, name: str) -> None:
        nonlocal count
        if name:
            count += 1

    for path in sorted(MODELS.glob("*.xml")):
        try:
            model = engine.load(path)
        except engine.ModelError as error:
            print(f"warm: {path.name} does not load: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        warmup(model, progress)
    if count:
        print(f"warm: {count} kernels compiled in {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
