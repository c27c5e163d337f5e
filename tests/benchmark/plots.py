"""Cost of plots: recording and drawing a frame of four plots, by the processor time of the window's thread.

    python -m tests.benchmark.plots [--seconds 600] [--curves 4] [--size 1000x160]

The steps of so many simulated seconds (2 ms each) are recorded first, without a simulation. Then frames are drawn in
which 8 steps are new, for several times in view, to pictures in memory. Printed are the medians of a frame, ms: taking
the steps in, preparing the curves, painting them; 16.7 ms are 60 frames a second.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

from tests.benchmark.window import display

TIMESTEP = 0.002
STEPS = 8  # in a frame
FRAMES = 60
SPANS = (1.0, 10.0, 60.0, 600.0, 3600.0)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--curves", type=int, default=4)
    parser.add_argument("--size", default="1000x160")
    arguments = parser.parse_args()
    with display():
        measure(arguments.seconds, arguments.curves, *map(int, arguments.size.split("x")))
    return 0


def measure(seconds: float, curves: int, width: int, height: int) -> None:
    """Print the table."""
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication([])
    from kinetree import load_string
    from kinetree.app.panels.analysing.plots.canvas import Canvas
    from kinetree.app.panels.analysing.plots.curves import Curve
    from kinetree.app.panels.analysing.plots.recording import Quantity
    from kinetree.app.workspace.units import Units
    from kinetree.engine.run.series import Series

    model = load_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    quantity = Quantity(f"qvel[0:{curves}]")
    quantity.read(model, None)
    series = Series(1_000_000_000)
    series.set_columns({quantity: curves})
    canvases, pictures = [], []
    for _ in range(4):
        canvas = Canvas(series, Units())
        canvas.resize(width, height)
        canvas.set_curves([Curve(quantity, column, column) for column in range(curves)])
        canvas.show()
        canvases.append(canvas)
        pictures.append(QImage(width, height, QImage.Format.Format_RGB32))
    application.processEvents()
    count = _record(series, curves, 0, round(seconds / TIMESTEP))
    print(f"{count} steps, {series.nbytes / 1e6:.0f} MB; 4 plots of {curves} curves, {width}x{height}")
    print(f"{'in view, s':>10} {'record':>8} {'prepare':>8} {'paint':>8} {'frame':>8}  ms of processor time")
    for span in SPANS:
        if span > seconds:
            continue
        times = []
        for _ in range(FRAMES):
            begun = time.thread_time()
            count = _record(series, curves, count, STEPS)
            recorded = time.thread_time()
            for canvas in canvases:
                canvas.set_times(series.end - span, series.end)
                canvas.refresh()
            prepared = time.thread_time()
            for canvas, picture in zip(canvases, pictures, strict=True):
                painter = QPainter(picture)
                canvas.render(painter)
                painter.end()
            times.append((recorded - begun, prepared - recorded, time.thread_time() - prepared))
        parts = 1000.0 * np.median(times, axis=0)
        print(f"{span:10.0f} {parts[0]:8.2f} {parts[1]:8.2f} {parts[2]:8.2f} {parts.sum():8.2f}")
    for canvas in canvases:
        canvas.close()


def _record(series, curves: int, first: int, number: int) -> int:
    """Add so many steps of noisy waves; returns the number of the last one."""
    for start in range(first, first + number, 10_000):
        steps = np.arange(start + 1, min(start + 10_000, first + number) + 1)
        times = steps * TIMESTEP
        noise = np.random.default_rng(start).normal(size=(len(steps), curves))
        series.append(times, steps, np.sin(times[:, None] * (1.0 + np.arange(curves))) + 0.1 * noise)
    return first + number


if __name__ == "__main__":
    sys.exit(main())
