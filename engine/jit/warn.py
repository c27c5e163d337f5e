"""Warnings of the step: counted in data.warning, with the time of the first. Nothing is printed."""

from __future__ import annotations

from kinetree.engine.jit.kernel import small


@small
def warn(data, warning, info):
    """Raise a warning (WARN_) about entry `info`: data.warning[warning] is MuJoCo's (lastinfo, number)."""
    if data.warning[warning, 1] == 0:
        data.warning_time[warning] = data.time
    data.warning[warning, 0] = info
    data.warning[warning, 1] += 1
