"""The process that compiles the programs of the first frame beside the window (`renderer/rehearsal.py`).

Drivers keep compiled programs. So the process is started only where this version of Kinetree has not drawn with this
driver yet. Imports next to nothing, so that the process starts before Qt and numpy are loaded.
"""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import kinetree
from kinetree import renderer
from kinetree.engine.interpreter import command
from kinetree.engine.platforms import folders
from kinetree.engine.platforms.processes import WITHOUT_CONSOLE

if TYPE_CHECKING:
    from kinetree.engine.scene.scene import Scene

MODULE = "kinetree.renderer.rehearsal"


class Rehearsal:
    """Starts the process, once, and sends it scenes. `folder`: where the driver is noted with which this version has
    drawn."""

    def __init__(self, folder: Path | None = None):
        self._folder = folder
        self.process: subprocess.Popen[bytes] | None = None
        self._sending: threading.Thread | None = None

    @property
    def note(self) -> Path:
        """The file with the driver."""
        return (self._folder or folders.cache()) / f"drawn-{kinetree.__version__}"

    def begin(self) -> None:
        """Start the process if this version has drawn nothing yet."""
        if not self.note.exists():
            self._start()

    def meet(self, driver: str) -> None:
        """Start the process late if another driver has drawn, such as an older one."""
        note = self.note
        with suppress(OSError):
            if self.process is None and note.exists() and note.read_text(encoding="utf-8") != driver:
                self._start()

    def _start(self) -> None:
        with suppress(OSError):
            self.process = subprocess.Popen(command(MODULE), stdin=subprocess.PIPE, creationflags=WITHOUT_CONSOLE)

    def rehearse(self, scene: Scene, width: int, height: int) -> None:
        """Let the process compile the programs of the first scene that is about to be drawn."""
        if self.process is not None and self._sending is None:
            self._send(self.process, [renderer.rehearsal.packed(scene, width, height)])

    @property
    def is_listening(self) -> bool:
        """Whether the process waits for more scenes, or `finish`."""
        return self.process is not None and self.process.stdin is not None and not self.process.stdin.closed

    def finish(self, driver: str, scenes: Iterable[tuple[Scene, int, int]]) -> None:
        """Let the process compile the programs of scenes that may be drawn later, each with its size, and end."""
        if self.process is not None and self.is_listening:
            self._send(self.process, [renderer.rehearsal.packed(*each) for each in scenes], end=True)
            with suppress(OSError):
                self.note.parent.mkdir(parents=True, exist_ok=True)
                self.note.write_text(driver, encoding="utf-8")

    def end(self) -> None:
        """End the process with the window."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def _send(self, process: subprocess.Popen[bytes], messages: list[bytes], end: bool = False) -> None:
        """Write in a thread: the process reads when it has time."""
        before, pipe = self._sending, process.stdin
        assert pipe is not None

        def send() -> None:
            if before is not None:
                before.join()
            with suppress(OSError, ValueError):  # it has ended, for want of OpenGL
                for message in messages:
                    pipe.write(message)
                pipe.flush()
            if end:
                with suppress(OSError):
                    pipe.close()

        self._sending = threading.Thread(target=send, name="rehearse", daemon=True)
        self._sending.start()


first_frame = Rehearsal()
