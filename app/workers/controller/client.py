"""The controller process as the window and the simulation thread see it.

    process = ControllerProcess(path, layout(model), listener)
    process.start()                                  # listener.ready, or listener.failed, comes from another thread
    job = process.ask(state, begins)                 # in the simulation thread
    answer = process.answer(job, 0.002)              # None: not yet
    process.kill()

The file can be slow, hang or crash: nobody waits for it without a limit. `kill` ends an endless loop too.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from kinetree.app.workers.compiler.channel import Closed, Message, MessageChannel
from kinetree.engine import translation
from kinetree.engine.interpreter import command
from kinetree.engine.platforms import connections, processes
from kinetree.engine.translation import tr

MODULE = "kinetree.app.workers.controller.process"
LOADING = 60.0
"""How long a file may take to be imported, s: large libraries take long."""
SMOOTHING = 0.05
"""Weight of the newest call in the mean time of a call."""


@dataclass(frozen=True)
class ControllerFailure:
    """Why a controller ended.

    path, line  the place; 0 for none
    message     in a sentence
    details     the traceback, or what the process wrote to standard error
    """

    path: str
    line: int
    message: str
    details: str = ""

    @property
    def text(self) -> str:
        """With the place."""
        place = os.path.basename(self.path) + (f":{self.line}" if self.line else "")
        return f"{place}: {self.message}"


class ControllerEnded(Exception):
    """The process answers no more."""


@dataclass(frozen=True)
class ControllerListener:
    """Called in the thread of a process: with it, and what there is to tell."""

    ready: Callable[[ControllerProcess], None]
    failed: Callable[[ControllerProcess, ControllerFailure], None]
    said: Callable[[ControllerProcess, str], None]


class ControllerProcess(threading.Thread):
    """See the module. The thread starts the process and takes its messages.

    path     of the file
    rate     calls a second of simulated time, None for every step; known once it is ready
    seconds  mean time of a call, as the process measures it, s; 0 before the first
    wake     called, in the thread of the process, when an answer comes that `answer` did not wait for
    """

    def __init__(self, path: str, layout: Mapping[str, Any], listener: ControllerListener):
        super().__init__(name="controller", daemon=True)
        self.path, self._layout, self._listener = path, layout, listener
        self.rate: float | None = None
        self.seconds = 0.0
        self.wake: Callable[[], None] | None = None
        self._is_missed = False  # an answer is to be announced by `wake`
        self._job = 0
        self._answers: SimpleQueue[tuple[int, np.ndarray] | None] = SimpleQueue()  # None: there will be no more
        self._state = threading.Lock()  # guards these:
        self._channel: MessageChannel | None = None
        self._process: Any = None
        self._is_killed = False
        self._failure: ControllerFailure | None = None

    # ---- from any thread -----------------------------------------------------------------------------------

    @property
    def pid(self) -> int | None:
        """The id of the process, None before it has started."""
        return None if self._process is None else self._process.pid

    def kill(self, failure: ControllerFailure | None = None) -> None:
        """End it at once. `failure`: why, for the listener; None: because it is not wanted any more."""
        with self._state:
            if self._is_killed:
                return
            self._is_killed, self._failure = True, failure
            if self._process is not None:
                self._process.kill()
            if self._channel is not None:
                self._channel.close()

    # ---- from the simulation thread ------------------------------------------------------------------------

    def show_model(self, layout: Mapping[str, Any]) -> None:
        """The states to come are of another version of the model."""
        self._send(Message({"do": "model", "layout": dict(layout)}))

    def ask(self, state: np.ndarray, begins: bool) -> int:
        """Ask for the controls of a state; the number of the question. `begins`: it does not follow the one before."""
        self._job += 1
        self._is_missed = False
        self._send(Message({"do": "control", "job": self._job, "begins": begins}, {"state": state}))
        return self._job

    def answer(self, job: int, wait: float) -> np.ndarray | None:
        """The controls that were asked for, waiting so long at most, s; None: `wake` is called when they come. Raises
        ControllerEnded."""
        found = self._next(job, wait)
        if found is None:
            self._is_missed = True
            found = self._next(job, 0.0)  # it may have come before anybody was to be told
        return found

    def _next(self, job: int, wait: float) -> np.ndarray | None:
        end = time.perf_counter() + wait
        while True:
            left = end - time.perf_counter()
            try:
                found = self._answers.get(timeout=left) if left > 0.0 else self._answers.get_nowait()
            except Empty:
                return None
            if found is None:
                raise ControllerEnded
            if found[0] == job:
                return found[1]

    def _send(self, message: Message) -> None:
        with contextlib.suppress(Closed):  # the thread that listens tells it
            if self._channel is not None:
                self._channel.send(message)

    # ---- the thread ----------------------------------------------------------------------------------------

    def run(self) -> None:
        with tempfile.TemporaryFile() as errors:
            process, connection = connections.start(lambda end: command(MODULE, end), errors)
            channel = MessageChannel(connection)
            with self._state:
                self._process, self._channel = process, channel
                if self._is_killed:
                    process.kill()
                    channel.close()
            limit = threading.Timer(LOADING, self._give_up)
            limit.daemon = True
            limit.start()
            failure = None
            try:
                plain = {"do": "load", "path": self.path, "layout": dict(self._layout)}
                channel.send(Message({**plain, "language": translation.language()}))
                while failure is None:
                    failure = self._take(channel.receive(), limit)
            except Closed:
                pass
            limit.cancel()
            limit.join()
            channel.close()
            process.kill()
            code = process.wait()
            self._answers.put(None)
            self._wake()
            with self._state:
                is_wanted, known = not self._is_killed, self._failure
                self._is_killed = True
            if known is None and is_wanted:
                errors.seek(0)
                said = errors.read()[-8000:].decode(errors="replace")
                known = failure or ControllerFailure(
                    self.path, 0, tr("the process ended ({reason})", reason=processes.ended_by(code)), said
                )
        if known is not None:
            self._listener.failed(self, known)

    def _take(self, message: Message, limit: threading.Timer) -> ControllerFailure | None:
        """Pass a message on; the failure that it tells."""
        plain = message.plain
        if plain["is"] == "controls":
            spent = plain["seconds"]
            self.seconds = self.seconds + SMOOTHING * (spent - self.seconds) if self.seconds else spent
            self._answers.put((plain["job"], message.arrays["ctrl"]))  # pyright: ignore[reportArgumentType]
            if self._is_missed:
                self._wake()
        elif plain["is"] == "ready":
            limit.cancel()
            self.rate = plain["rate"]
            self._listener.ready(self)
        elif plain["is"] == "said":
            self._listener.said(self, plain["text"])
        elif plain["is"] == "failed":
            return ControllerFailure(self.path, plain["line"], plain["message"], plain["details"])
        return None

    def _wake(self) -> None:
        wake = self.wake
        if wake is not None:
            wake()

    def _give_up(self) -> None:
        self.kill(ControllerFailure(self.path, 0, tr("was not imported within {seconds:g} s", seconds=LOADING)))
