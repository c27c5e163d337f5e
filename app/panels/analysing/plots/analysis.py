"""Plotted data of a recording: curves over time, phase plots, spectra. Arrays, no toolkit."""

from __future__ import annotations

import numpy as np

from kinetree.app.panels.analysing.plots.curves import Curve
from kinetree.engine.run.series import Series, SeriesRun

LONGEST_PHASE = 20_000
"""Points of a phase plot at most."""
LONGEST_SPECTRUM = 1 << 17
"""Steps that a spectrum is made of at most: the newest."""
LEAST_SPECTRUM = 16

Points = tuple[np.ndarray, np.ndarray]


def over_time(series: Series, curve: Curve, start: float, end: float, most: int, factor: float) -> Points:
    """The newest timeline of a curve."""
    x, y = curve.over_time(series, start, end, most)
    return x, y * factor if factor != 1.0 else y


def earlier(
    series: Series, curve: Curve, start: float, end: float, most: int, factor: float, timelines: list[list[SeriesRun]]
) -> Points:
    """Timelines that came before, one after another; a nan keeps their lines apart."""
    xs, ys = [np.empty(0)], [np.empty(0)]
    for timeline in timelines:
        x, y = curve.over_time(series, start, end, most, timeline)
        if len(x):
            xs += [x, x[-1:]]
            ys += [y * factor, np.array([np.nan])]
    return np.concatenate(xs), np.concatenate(ys)


def phase(series: Series, across: Curve, up: Curve, start: float, end: float, factors: tuple[float, float]) -> Points:
    """One curve (up) over another one (across): a point for each step, or for every few where there are too many."""
    times_x, x = across.raw(series, start, end)
    times_y, y = up.raw(series, start, end)
    if up.is_measured or across.is_measured:  # on other clocks
        x = x if not up.is_measured else np.interp(times_y, times_x, x) if len(times_x) else np.empty(0)
        if not up.is_measured:
            y = np.interp(times_x, times_y, y) if len(times_y) else np.empty(0)
        length = min(len(x), len(y))
        x, y = x[:length], y[:length]
    elif len(times_x) != len(times_y):  # one was plotted later
        _, first, second = np.intersect1d(times_x, times_y, return_indices=True)
        x, y = x[first], y[second]
    stride = max(1, -(-len(x) // LONGEST_PHASE))
    return x[::stride] * factors[0], y[::stride] * factors[1]


def spectrum(series: Series, curve: Curve, start: float, end: float, factor: float) -> Points:
    """Frequencies (Hz) and amplitudes of a curve between two times: what a sine of amplitude 1 shows as 1. With a
    Hann window, without the mean. Empty for fewer than 16 steps."""
    times, values = curve.raw(series, start, end)
    times, values = times[-LONGEST_SPECTRUM:], values[-LONGEST_SPECTRUM:]
    known = np.isfinite(values)
    times, values = times[known], values[known]
    if len(times) < LEAST_SPECTRUM:
        return np.empty(0), np.empty(0)
    interval = (times[-1] - times[0]) / (len(times) - 1)
    steps = np.diff(times)
    if steps.max() > 1.01 * interval or steps.min() < 0.99 * interval:  # the timestep was changed
        even = times[0] + interval * np.arange(len(times))
        values = np.interp(even, times, values)
    window = np.hanning(len(values))
    amplitudes = np.abs(np.fft.rfft((values - values.mean()) * window)) * (2.0 / window.sum())
    return np.fft.rfftfreq(len(values), interval), amplitudes * factor
