"""Peak memory of each test process, in the report; the suite fails where one takes more than the limit.

With several workers on a machine of 8 GB, no process may take all that is there. The tests that raised the peak most are
named: they are where to look. What many tests share (models, pictures, a renderer) goes at the end of the file that uses it.
"""

from __future__ import annotations

import resource
import sys
from typing import Any

import pytest

MOST = 2e9
"""Bytes of memory that one process of the suite may have at any time."""
NAMED = 5
"""Tests that are named for each process over the limit."""
UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes that ru_maxrss counts in."""


def peak() -> int:
    """The most memory that this process has had, bytes. On Linux getrusage also counts what the process had before it
    started another program: that of its parent."""
    try:
        with open("/proc/self/status", encoding="utf-8") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT


class Memory:
    """The plugin of pytest; `tests/conftest.py` registers it in every process."""

    def __init__(self, config: pytest.Config, most: float = MOST):
        self._config, self._most = config, most
        self._last = 0
        self._growth: dict[str, int] = {}  # test -> by how much it raised the peak
        self._peaks: dict[str, tuple[int, list[str]]] = {}  # process -> bytes, tests that raised it most

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        now = peak()
        if now > self._last:
            self._growth[nodeid] = now - self._last
            self._last = now

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of pytest-xdist has ended."""
        if "peak" in getattr(node, "workeroutput", {}):
            self._peaks[node.gateway.id] = tuple(node.workeroutput["peak"])

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """In the controller of pytest-xdist all workers have ended by now."""
        raised = sorted(self._growth, key=self._growth.__getitem__, reverse=True)[:NAMED]
        own = peak(), [f"{self._growth[name] / 1e6:+.0f} MB {name}" for name in raised]
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput["peak"] = own
            return
        if not self._peaks:
            self._peaks["main"] = own
        if self._over() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _over(self) -> list[str]:
        return [name for name, (size, _) in sorted(self._peaks.items()) if size > self._most]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("peak memory")
        sizes = [f"{name} {size / 1e9:.2f} GB" for name, (size, _) in sorted(self._peaks.items())]
        terminalreporter.write_line(", ".join(sizes))
        for name in self._over():
            terminalreporter.write_line(f"FAILED: {name} took more than {self._most / 1e9:g} GB. It grew most in")
            for test in self._peaks[name][1]:
                terminalreporter.write_line(f"    {test}")
