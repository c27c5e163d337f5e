"""Crash reports as files in one folder: what happened, versions, the last actions and log lines, the traceback."""

from __future__ import annotations

import os
import platform
import re
import textwrap
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kinetree import __version__
from kinetree.app.crashes import redacting
from kinetree.engine.atomic import replaced
from kinetree.engine.platforms.system import described

MOST = 20
"""Reports that are kept; the oldest are dropped."""
END = ".txt"
NOTE = (
    "This file holds no text of a model and no names from one. Folders are left out. Kinetree sends it to nobody: "
    "whoever wants a mistake fixed can read it, add what led to it, and send it."
)


@dataclass(frozen=True)
class CrashReport:
    """Facts about a crash. All texts are reduced when the report is written (redacting.py).

    what     one line: which part ended how
    stack    traceback, or the end of the standard error of a process
    facts    name -> value: versions, drivers
    actions  names of actions in the table of the menus, the last ones
    log      lines of the log, the last ones
    time     when, as time.time()
    """

    what: str
    stack: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    actions: Iterable[str] = ()
    log: Iterable[str] = ()
    time: float = 0.0


def system_facts() -> dict[str, str]:
    """Versions of Kinetree, Python and the system."""
    return {
        "Kinetree": __version__,
        "Python": platform.python_version(),
        "System": f"{described()}, {platform.machine()}",
        "Processors": str(os.cpu_count() or 1),
    }


def text_of(report: CrashReport) -> str:
    """The text of a report."""
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(report.time or time.time()))
    rows = {"What": redacting.message(report.what), "When": when, **system_facts(), **report.facts}
    width = max(map(len, rows)) + 2
    parts = ["Kinetree crash report", "=====================", ""]
    parts += [f"{name:<{width}}{redacting.message(value)}" for name, value in rows.items()]
    parts += ["", *textwrap.wrap(NOTE, 80)]
    for title, lines in (
        ("Last actions, the oldest first", [redacting.message(each) for each in report.actions]),
        ("Last lines of the log", [redacting.message(each) for each in report.log]),
        ("Traceback", redacting.stack(report.stack).splitlines()),
    ):
        parts += ["", title, "-" * len(title), *(lines or ["(none)"])]
    return "\n".join(parts) + "\n"


def write(folder: Path, report: CrashReport) -> Path | None:
    """Write a report, and drop the oldest ones; its path. None where it cannot be written: a failure to report a
    failure is nothing to bother the user with."""
    made = report.time or time.time()
    stamp = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(made))
    kind = re.sub(r"[^a-z0-9]+", "-", redacting.message(report.what).lower()).strip("-")[:40].strip("-")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path, number = folder / f"{stamp}-{kind}{END}", 2
        while path.exists():
            path, number = folder / f"{stamp}-{kind}-{number}{END}", number + 1
        with replaced(path) as draft:
            Path(draft).write_text(text_of(report), encoding="utf-8")
        for old in listed(folder)[MOST:]:
            old.unlink()
    except OSError:
        return None
    return path


def listed(folder: Path) -> list[Path]:
    """The reports of a folder, the newest first."""
    try:
        return sorted(folder.glob(f"*{END}"), key=lambda path: path.name, reverse=True)
    except OSError:
        return []


def line_of(path: Path) -> tuple[str, str]:
    """When a report was made, and what happened: two of its lines."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            head = [file.readline() for _ in range(6)]
    except OSError:
        return "", path.name
    found = {name: rest.strip() for name, _, rest in (line.partition(" ") for line in head)}
    return found.get("When", ""), found.get("What", path.name)
