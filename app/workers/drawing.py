"""Runs the process that draws pictures and videos (app/pictures/process.py). For threads that may wait."""

from __future__ import annotations

import contextlib
import json
import pickle
import queue
import subprocess
import threading
from collections.abc import Iterable
from typing import IO, Any

from kinetree.app.pictures.packing import packed_state
from kinetree.app.pictures.process import DONE, Moment, PictureJob
from kinetree.app.workers import ended
from kinetree.engine.interpreter import command
from kinetree.engine.platforms import processes
from kinetree.engine.progress import awaited, tracked
from kinetree.engine.translation import tr

AHEAD = 2
"""Frames that the process is given before it has drawn the ones before."""
FAREWELL = 3.0
"""How long the process may take to clean up, s."""


class CannotDraw(ValueError):
    """The message says why."""


def draw(job: PictureJob, moments: Iterable[Moment]) -> list[str]:
    """Draw a job; returns the names of the files that were written. Reports progress as `kinetree.engine.progress`
    says.

    Raises CannotDraw, and Cancelled; then no file is written.
    """
    process = subprocess.Popen(
        command("kinetree.app.pictures.process"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        creationflags=processes.WITHOUT_CONSOLE,
    )
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()  # "" after the last one
    said: list[str] = []
    readers = [
        threading.Thread(target=_read, args=(process.stdout, lines.put), name="read-drawn", daemon=True),
        threading.Thread(target=_read, args=(process.stderr, said.append), name="read-errors", daemon=True),
    ]
    for reader in readers:
        reader.start()
    files: list[str] | None = None
    is_given_up = False
    try:
        _send(process.stdin, job)
        for number, moment in enumerate(tracked(moments, job.frames)):
            if number >= AHEAD and awaited(lines) != DONE:
                break
            _send(process.stdin, moment)
        while (line := awaited(lines)) == DONE:
            pass
        files = json.loads(line) if line else None
    except BrokenPipeError:
        pass  # it says why
    finally:
        if files is None and process.poll() is None:
            is_given_up = True
            processes.ask_to_end(process)
        try:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for reader in readers:
            reader.join(FAREWELL)
        process.stdout.close()
        process.stderr.close()
    if files is None:
        why = "\n".join(said).strip()
        if processes.is_crash(process.returncode) and not is_given_up:
            ended.tell("picture", processes.ended_by(process.returncode), why)
        raise CannotDraw(
            why or tr("the process that draws ended unexpectedly ({returncode})", returncode=process.returncode)
        )
    return files


def _send(pipe: IO[bytes], what: Any) -> None:
    pickle.dump(what, pipe, protocol=5)
    pipe.flush()


def _read(pipe: IO[bytes], put: Any) -> None:
    for line in pipe:
        put(line.decode(errors="replace").strip())
    put("")


def moment(snapshot: Any, camera: Any) -> Moment:
    """A state and a camera, to be sent."""
    return Moment(packed_state(snapshot), camera.copy())
