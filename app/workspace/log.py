"""The log: everything that happened to a workspace, with its time: problems, warnings of the physics, resets, edits,
saves, failures. It is kept for as long as the window is open, the newest `MOST` entries.
"""

from __future__ import annotations

import os
import re
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from kinetree.app.workspace.selection import NOTHING, Selection
from kinetree.engine import run
from kinetree.engine.diagnostics import Diagnostic, Severity
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.workspace.compile_controller import CompileController
    from kinetree.app.workspace.controller import ControllerHost
    from kinetree.app.workspace.merging import ConflictMerger
    from kinetree.app.workspace.project import ProjectController
    from kinetree.app.workspace.saving import TextSaver
    from kinetree.app.workspace.simulation_controller import SimulationController
    from kinetree.engine.document.history import Transaction

MOST = 5000
MERGE = 1.0  # the same again within this time is counted, s
ERROR, WARNING, INFO = Severity.ERROR.value, Severity.WARNING.value, Severity.INFO.value
MEASURED = re.compile(r"\d+\.\d+(e[-+]?\d+)?|\d+e[-+]?\d+")
PROBLEM, PHYSICS, EDIT, FILE = "problem", "physics", "edit", "file"


@dataclass(slots=True)
class LogEntry:
    """Something that happened.

    time       when, as time.time()
    simulated  simulated time, None without a model
    level      "error", "warning" or "info"
    kind       what it is about: PROBLEM, PHYSICS, EDIT or FILE
    text       in a sentence
    details    more, for the tool tip
    place      where in the text: (file, start, end) in characters, or a Diagnostic; None: nowhere
    selection  the object that it is about
    number     how often it happened in a row
    """

    time: float
    simulated: float | None
    level: str
    kind: str
    text: str
    details: str = ""
    place: Diagnostic | tuple[str, int, int] | None = None
    selection: Selection = NOTHING
    number: int = 1


class Log(QObject):
    """The log of a workspace. Lives in the GUI thread. `added(entry)`; `changed(entry)`: the newest happened again;
    `dropped(number)`: the oldest ones were forgotten."""

    added = Signal(object)
    changed = Signal(object)
    dropped = Signal(int)

    def __init__(
        self,
        project: ProjectController,
        saving: TextSaver,
        merging: ConflictMerger,
        compiler: CompileController,
        simulation: SimulationController,
        parent: QObject | None = None,
    ):
        super().__init__(parent)
        self._project, self._compiler, self._simulation = project, compiler, simulation
        self.entries: deque[LogEntry] = deque()
        self._known: dict[tuple, Diagnostic] = {}  # problems that were told
        self._warnings: dict[int, int] = {}  # warning -> how often it was raised
        self._last: tuple[float, int] = (0.0, 0)  # time and automatic resets of the last snapshot
        self._states_set = 0  # as the last snapshot counts them
        self._running: bool | None = None
        self._path = ""
        project.edited.connect(self._take_edit)
        saving.saved.connect(lambda path: self.add(INFO, FILE, tr("Saved {file}", file=os.path.basename(path)), path))
        merging.merged.connect(
            lambda path: self.add(INFO, FILE, tr("Merged with {file} on disk", file=os.path.basename(path)), path)
        )
        project.closed.connect(lambda: self.add(INFO, FILE, tr("Closed the model")))
        compiler.compiled.connect(self._take_compiled)
        compiler.diagnostics_changed.connect(self._take_problems)
        compiler.checked.connect(self._take_problems)
        simulation.snapshot_changed.connect(self._take_snapshot)
        simulation.run_changed.connect(self._take_run)
        simulation.model_changed.connect(self._take_model)

    def add(
        self,
        level: str,
        kind: str,
        text: str,
        details: str = "",
        place: Diagnostic | tuple[str, int, int] | None = None,
        selection: Selection = NOTHING,
    ) -> None:
        """Note something that happened now."""
        snapshot = self._simulation.snapshot
        now = time.time()
        last = self.entries[-1] if self.entries else None
        if last is not None and (last.level, last.kind, last.text) == (level, kind, text) and now - last.time < MERGE:
            last.number, last.time, last.place = last.number + 1, now, place or last.place
            self.changed.emit(last)
            return
        simulated = None if snapshot is None else float(snapshot.time)
        self.entries.append(LogEntry(now, simulated, level, kind, text, details, place, selection))
        self.added.emit(self.entries[-1])
        if len(self.entries) > MOST:
            number = MOST // 10
            for _ in range(number):
                self.entries.popleft()
            self.dropped.emit(number)

    def follow_controller(self, host: ControllerHost) -> None:
        """Log what a controller file does, and what it prints."""
        host.began.connect(
            lambda path: self.add(INFO, PHYSICS, tr("{file} drives the actuators", file=os.path.basename(path)), path)
        )
        host.failed.connect(lambda failure: self.add(ERROR, PROBLEM, failure.text, failure.details))
        host.said.connect(lambda text: self.add(INFO, PHYSICS, f"{os.path.basename(host.path)}: {text}"))

    def fail(self, message: str, details: str = "") -> None:
        """Note a failure that the user was told."""
        self.add(ERROR, FILE, message, details)

    def clear(self) -> None:
        """Forget all entries."""
        number = len(self.entries)
        self.entries.clear()
        self.dropped.emit(number)

    # ---- the text ----------------------------------------------------------------------------------------

    def _take_edit(self, transaction: Transaction, backward: bool) -> None:
        place = None
        for path, change in transaction.changes.items():
            edits = change.backward if backward else change.forward
            if edits:
                first = min(edits, key=lambda edit: edit.start)
                place = (path, first.start, first.start + len(first.text))
                break
        files = ", ".join(os.path.basename(path) for path in transaction.changes)
        self.add(INFO, EDIT, tr("Undid: {name}", name=transaction.name) if backward else transaction.name, files, place)

    def _take_compiled(self, result) -> None:
        if not result.fresh:
            return
        self._known.clear()
        name = os.path.basename(result.path)
        if result.model is None and result.models:
            model = os.path.basename(result.models[0].main_file)
            self.add(INFO, FILE, tr("{file} is a part of {model}", file=name, model=model), result.path)
        elif result.model is None:
            self.add(ERROR, FILE, tr("{name} cannot be opened", name=name), result.path)
        else:
            self.add(INFO, FILE, tr("Opened {name} in {seconds:.2g} s", name=name, seconds=result.seconds), result.path)

    def _take_problems(self) -> None:
        """Log the problems that were not there before, and those that are gone. Of a new version the compiler's come
        first and those of the checks later: before these, nothing is known to be gone. At errors the compiler stops,
        and sees no other problems: then only errors can be gone, others have taken their place."""
        compiler = self._compiler
        found = {_identity(item): item for item in compiler.diagnostics}
        for key, item in found.items():
            if key not in self._known:
                self.add(item.severity.value, PROBLEM, item.message, str(item), item)
        gone = {key: item for key, item in self._known.items() if key not in found}
        if compiler.failed:
            gone = {key: item for key, item in gone.items() if item.severity is Severity.ERROR}
        elif compiler.is_checked:
            for item in gone.values():
                self.add(INFO, PROBLEM, tr("Solved: {problem}", problem=item.message), str(item))
        else:
            gone = {}
        self._known = {key: item for key, item in self._known.items() if key not in gone} | found

    # ---- the simulation ----------------------------------------------------------------------------------

    def _take_model(self, _old: object, keep: bool) -> None:
        if not keep:
            self._warnings, self._last, self._states_set = {}, (0.0, 0), 0

    def _take_run(self) -> None:
        """Log that the simulation runs or pauses, where the user or a failure caused it."""
        running, simulation = self._simulation.running, self._simulation
        if self._running is not None and running != self._running and simulation.model is not None:
            self.add(INFO, PHYSICS, tr("Running") if running else tr("Paused"))
        self._running = running

    def _take_snapshot(self) -> None:
        snapshot = self._simulation.snapshot
        if snapshot is None:
            return
        before, resets = self._last
        now, automatic = float(snapshot.time), int(snapshot.nreset)
        self._last = (now, automatic)
        if snapshot.warning[:, 1].any() or self._warnings:
            self._take_warnings(snapshot)
        origin = snapshot.course.origin(snapshot.last)
        is_new, self._states_set = origin.number > self._states_set, max(origin.number, self._states_set)
        if is_new and origin.name:
            change = tr("From {before:.4g} s to {now:.4g} s", before=before, now=now)
            self.add(INFO, PHYSICS, tr("Loaded the keyframe {name}", name=origin.name), change)
        elif now < before and automatic == resets:
            if snapshot.behind:
                self.add(INFO, PHYSICS, tr("Went back in the recorded past"))
            else:
                self.add(INFO, PHYSICS, tr("Reset"), tr("From {before:.4g} s to {now:.4g} s", before=before, now=now))

    def _take_warnings(self, snapshot) -> None:
        """Log warnings that were raised since the last snapshot."""
        raised = {int(k): int(snapshot.warning[k, 1]) for k in snapshot.warning[:, 1].nonzero()[0]}
        newer = {kind for kind, number in raised.items() if number > self._warnings.get(kind, 0)}
        self._warnings = raised
        if not newer:
            return
        for finding in run.divergence.findings(snapshot.model, snapshot):
            if finding.warning in newer:
                about = run.divergence.object_of(
                    snapshot.model, finding.warning, int(snapshot.warning[finding.warning, 0])
                )
                selection = NOTHING if about is None else Selection(about.kind, about.id)
                self.add(WARNING, PHYSICS, f"{finding.summary}: {finding.place}", finding.text, None, selection)


def _identity(item: Diagnostic) -> tuple[str, str, str]:
    """Identity of a problem: it stays when the text around it, or a measured number in its message, changes."""
    return item.code, item.file, MEASURED.sub("#", item.message)
