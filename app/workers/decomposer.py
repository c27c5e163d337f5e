"""Runs the process that decomposes a mesh (app/workers/decompose_process.py), and reads what it has made."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QProcess, QTemporaryDir, Signal

from kinetree.app.workers import ended
from kinetree.app.workers.decompose_process import NO_LIBRARY
from kinetree.engine.editing.tools.decompose import ConvexPart
from kinetree.engine.interpreter import command
from kinetree.engine.translation import tr

_PERCENT = re.compile(rb"iter (\d+)|\[([\d.]+)%\]|(Merge)")


class DecompositionSettings(NamedTuple):
    """threshold  greatest concavity that is left, from 0.01 (many parts) to 1
    hulls      greatest number of parts; -1 for no limit
    vertices   greatest number of vertices of a part
    """

    threshold: float = 0.05
    hulls: int = -1
    vertices: int = 64


class Decomposer(QObject):
    """One process at a time. Signals: `progressed(text)`; at the end `done(list of Part)` or `failed(reason)`, neither
    after `stop`."""

    progressed = Signal(str)
    done = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._process: QProcess | None = None
        self._folder: QTemporaryDir | None = None

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def start(self, mesh: ConvexPart, settings: DecompositionSettings) -> None:
        """Decompose a mesh."""
        self.stop()
        folder = self._folder = QTemporaryDir()
        given, self._parts = folder.filePath("mesh.npz"), folder.filePath("parts.npz")
        np.savez(given, vertices=mesh.vertices, faces=mesh.faces)
        process = self._process = QProcess(self)
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._finish)
        process.errorOccurred.connect(self._fail)
        numbers = [str(settings.threshold), str(settings.hulls), str(settings.vertices)]
        python, *words = command("kinetree.app.workers.decompose_process", given, self._parts, *numbers)
        process.start(python, words)

    def stop(self) -> None:
        """End the process; what it would have made is lost."""
        process, self._process = self._process, None
        if process is not None:
            process.blockSignals(True)
            process.kill()
            process.waitForFinished(1000)
            process.deleteLater()
        self._folder = None

    def _read(self) -> None:
        if self._process is None:
            return
        found = _PERCENT.findall(bytes(self._process.readAllStandardOutput().data()))
        for cut, percent, merging in found[-1:]:
            if merging:
                self.progressed.emit(tr("Merging parts…"))
            elif percent:
                self.progressed.emit(tr("Cutting: {percent:.0f} % of this round", percent=float(percent)))
            else:
                self.progressed.emit(tr("Cutting, round {number}…", number=int(cut) + 1))

    def _fail(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self.stop()
            self.failed.emit(tr("the process for the decomposition could not be started"))

    def _finish(self, code: int, status: QProcess.ExitStatus) -> None:
        process = self._process
        if process is None:
            return
        said = bytes(process.readAllStandardError().data()).decode(errors="replace").strip().splitlines()
        if status is QProcess.ExitStatus.CrashExit:
            ended.tell("decomposition", str(code), "\n".join(said))
            why = tr("the library coacd crashed on this mesh: try another threshold, or repair the mesh")
        elif code == NO_LIBRARY:
            why = tr(
                "the library coacd cannot be used on this machine ({reason})",
                reason=said[-1] if said else tr("it is not installed"),
            )
        elif code or not os.path.exists(self._parts):
            why = tr(
                "the library coacd could not decompose this mesh: {reason}",
                reason=said[-1] if said else tr("it says no reason"),
            )
        else:
            with np.load(self._parts) as given:
                count = len(given.files) // 2
                parts = [ConvexPart(given[f"vertices{i}"], given[f"faces{i}"]) for i in range(count)]
            why = "" if parts else tr("the library coacd found no part in this mesh")
        self._process = self._folder = None
        process.deleteLater()
        if why:
            self.failed.emit(why)
        else:
            self.done.emit(parts)
