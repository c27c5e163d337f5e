"""Where the time of a step goes, stage by stage: python -m tests.benchmark.bench_step MODEL.xml ..."""

from __future__ import annotations

import sys

import kinetree
from kinetree.engine.run.timing import step_times


def main() -> None:
    for path in sys.argv[1:]:
        model = kinetree.load(path)
        data = kinetree.Data(model)
        if model.nkey:
            kinetree.reset(model, data, 0)
        kinetree.step(model, data, 200)
        times = step_times(model, data, 3000)
        print(f"{path}: nv {model.nv}, contacts {data.ncon}, rows {data.nefc}, {1e6 * times.step:.1f} us a step")
        for name, value in sorted([*times.stages, ("between the stages", times.other)], key=lambda row: -row[1]):
            print(f"  {name:24s} {1e6 * value:9.2f} us")


if __name__ == "__main__":
    main()
