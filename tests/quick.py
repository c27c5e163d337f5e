"""The quick suite: `./test` leaves out tests marked `slow`, most cases of tests that have very many, and most tests in real
windows; it shows how many and why at the end. `./test --full`, and pytest by itself, run everything."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

NO_SHARED = "no ../shared"
"""Begins the reason of every test that is skipped because the folder `shared` is not beside the clone."""
CASES = 12
"""Of a test with more cases than this, about as many are run, evenly spread over all."""
WINDOWS = 4
"""Of the tests in real windows, one in so many of each file is run."""
IN_WINDOWS = f"in real windows: one in {WINDOWS} of each file is run"
OF_SWEEPS = f"sweeps: of a test with many cases about {CASES} are run"


def _reason(item: pytest.Item) -> str:
    """Why the quick suite leaves this test out for itself; empty where it does not."""
    slow = item.get_closest_marker("slow")
    return f"slow: {slow.args[0]}" if slow is not None else ""


def _group(item: pytest.Item) -> tuple[str, str]:
    """Reason and name of the groups that the quick suite runs in part."""
    if "make_window" in getattr(item, "fixturenames", ()):
        return IN_WINDOWS, item.nodeid.partition("::")[0]
    return OF_SWEEPS, item.nodeid.partition("[")[0]


class Quick:
    """The plugin of pytest behind `--quick`."""

    def __init__(self, config: pytest.Config):
        self._config = config
        self._left_out: Counter[str] = Counter()  # reason -> tests

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        reasons = [_reason(item) for item in items]
        groups: dict[tuple[str, str], list[int]] = {}
        for number, item in enumerate(items):
            if not reasons[number]:
                groups.setdefault(_group(item), []).append(number)
        for (why, _), numbers in groups.items():
            step = WINDOWS if why == IN_WINDOWS else -(-len(numbers) // CASES)
            for place, number in enumerate(numbers):
                if place % step:
                    reasons[number] = why
        self._left_out = Counter(filter(None, reasons))
        left_out = [item for item, reason in zip(items, reasons) if reason]
        if left_out:
            items[:] = [item for item, reason in zip(items, reasons) if not reason]
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
