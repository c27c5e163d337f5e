"""The ledger of tests that fail by chance: `flaky.toml` beside this file. A test that stands there is repeated until it
passes, a bounded number of times, while its date has not come."""

from __future__ import annotations

import datetime
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

LEDGER = Path(__file__).with_name("flaky.toml")
REPEATS = 3
KEYS = {"id": str, "cause": str, "fails_from": datetime.date}
NOTE = "failed by chance"


@dataclass(frozen=True)
class Row:
    """A test, why it fails by chance, and the day from which on it is not repeated any more."""

    id: str
    cause: str
    fails_from: datetime.date

    @property
    def has_expired(self) -> bool:
        return datetime.date.today() >= self.fails_from


def read(path: Path = LEDGER) -> dict[str, Row]:
    """The rows by test. Raises ValueError for a malformed row."""
    found: dict[str, Row] = {}
    for number, row in enumerate(tomllib.loads(path.read_text(encoding="utf-8")).get("test", []), 1):
        if set(row) != set(KEYS) or any(type(row[key]) is not kind for key, kind in KEYS.items()):
            raise ValueError(
                f"{path}: row {number} needs exactly: " + ", ".join(f"{k} ({t.__name__})" for k, t in KEYS.items())
            )
        if not row["cause"].strip():
            raise ValueError(f"{path}: row {number}: the cause is empty")
        if row["id"] in found:
            raise ValueError(f"{path}: row {number}: {row['id']} already has a row")
        found[row["id"]] = Row(**row)
    return found


class Repeating:
    """The plugin of pytest that repeats the tests of a ledger, and shows at the end which were repeated."""

    def __init__(self, rows: dict[str, Row]):
        self._rows = rows

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        row = self._rows.get(item.nodeid)
        if row is None or row.has_expired:
            return None
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        failures = 0
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        while failures < REPEATS and any(report.failed for report in reports):
            failures += 1
            reports = runtestprotocol(item, log=False, nextitem=nextitem)
        for report in reports:
            if failures:
                report.user_properties.append((NOTE, failures))
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for report in terminalreporter.stats.get("passed", []):
            for note, failures in report.user_properties:
                if note == NOTE and report.when == "call":
                    row = self._rows[report.nodeid]
                    terminalreporter.write_line(
                        f"FLAKY {row.id}: failed {failures} times, then passed; repeated until {row.fails_from}: {row.cause}"
                    )
