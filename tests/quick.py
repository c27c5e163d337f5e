"""The quick suite: `./test` leaves out the tests marked `slow` and most cases of those marked `sweep`, and shows how many
and why at the end. `./test --full`, and pytest by itself, run everything."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

NO_SHARED = "no ../shared"
"""Begins the reason of every test that is skipped because the folder `shared` is not beside the clone."""


class Quick:
    """The plugin of pytest behind `--quick`."""

    def __init__(self, config: pytest.Config):
        self._config = config
        self._left_out: Counter[str] = Counter()  # reason -> tests

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        kept, left_out = [], []
        cases: Counter[str] = Counter()  # of a sweep, so far
        for item in items:
            slow, sweep = item.get_closest_marker("slow"), item.get_closest_marker("sweep")
            if slow is not None:
                reason = f"slow: {slow.args[0]}"
            elif sweep is not None:
                every = sweep.args[0]
                name = item.nodeid.partition("[")[0]
                cases[name] += 1
                reason = "" if cases[name] % every == 1 else f"sweep, one case in {every} is run: {item.location[0]}"
            else:
                reason = ""
            if reason:
                self._left_out[reason] += 1
            (left_out if reason else kept).append(item)
        if left_out:
            items[:] = kept
            self._config.hook.pytest_deselected(items=left_out)

    def pytest_sessionfinish(self) -> None:
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput["left_out"] = dict(self._left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of pytest-xdist has ended; each has collected, and left out, the same tests."""
        self._left_out |= Counter(getattr(node, "workeroutput", {}).get("left_out", {}))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("left out of the quick suite")
        for reason, count in sorted(self._left_out.items()):
            terminalreporter.write_line(f"{count:6} {reason}")
        terminalreporter.write_line(f"{self._left_out.total():6} tests in all; ./test --full runs them")
        skipped = terminalreporter.stats.get("skipped", [])
        absent = sum(
            NO_SHARED in str(report.longrepr) or "empty parameter set" in str(report.longrepr) for report in skipped
        )
        if absent:
            terminalreporter.write_line(
                f"{absent:6} tests and sweeps over models need the folder ../shared, which is not there"
            )
