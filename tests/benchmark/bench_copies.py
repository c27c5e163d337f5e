"""How the cost of a step grows with the number of robots, ours and mujoco's in one process.

    python -m tests.benchmark.bench_copies MODEL.xml BODY [--most 200] [--steps 200]

Copies of a body and all below it stand in a square, 2 m apart, on one floor. Processor time per step, after as many
steps to settle; memory of Data and of mjData (buffer, used part of the arena, statistics of the solver).
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import mujoco

import kinetree
from tests.oracle.memory import bytes_of_data, bytes_of_reference


def copies(model: Path, body: str, number: int) -> str:
    """A model with so many copies of a body."""
    side = math.ceil(math.sqrt(number))
    placed = "".join(
        f"<frame pos='{2 * (k % side)} {2 * (k // side)} 0'><attach model='one' body='{body}' prefix='{k}_'/></frame>"
        for k in range(number)
    )
    return (
        f"<mujoco><option timestep='0.005'/><size memory='500M'/><asset><model name='one' file='{model.resolve()}'/>"
        f"</asset><worldbody><geom type='plane' size='0 0 1'/>{placed}</worldbody></mujoco>"
    )


def step_time(step: Callable[[int], None], steps: int) -> float:
    """Processor time of a step, s: the best of five runs."""
    step(steps)
    best = math.inf
    for _ in range(5):
        start = time.thread_time()
        step(steps // 5)
        best = min(best, (time.thread_time() - start) / (steps // 5))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("body")
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("--steps", type=int, default=200)
    arguments = parser.parse_args()
    print("robots    dofs contacts       ours   mujoco  ratio   ours/robot        Data   mjData  ratio")
    for number in (one for one in (1, 2, 5, 10, 20, 50, 100, 200) if one <= arguments.most):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "copies.xml"
            path.write_text(copies(arguments.model, arguments.body, number))
            model = kinetree.load(path)
            path.write_text(kinetree.to_xml(model, folder))  # mujoco runs out of memory while it attaches 200 humanoids
            reference = mujoco.MjModel.from_xml_path(str(path))
        data, its_data = kinetree.Data(model), mujoco.MjData(reference)
        ours = step_time(lambda n, m=model, d=data: kinetree.step(m, d, n), arguments.steps)
        its = step_time(lambda n, m=reference, d=its_data: mujoco.mj_step(m, d, n), arguments.steps)
        memory, its_memory = bytes_of_data(data), bytes_of_reference(its_data)
        print(
            f"{number:6d} {model.nv:7d} {data.ncon:8d} {1e6 * ours:7.0f} us {1e6 * its:5.0f} us {ours / its:6.2f} "
            f"{1e6 * ours / number:9.1f} us {memory / 1e6:8.2f} MB {its_memory / 1e6:5.2f} MB {memory / its_memory:6.2f}"
        )


if __name__ == "__main__":
    main()
