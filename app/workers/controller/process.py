"""The controller process: python -m kinetree.app.workers.controller.process END

It imports one Python file, which the user has chosen, and answers one question after the other with the controls that
the file's function `control(time, data)` returns. END is this end of the connection (engine/platforms/connections.py).

Messages that come in:

    {"do": "load", "path": ..., "layout": ..., "language": "de"}     first: import the file
    {"do": "model", "layout": ...}                         another version; layout: engine/run/control.py
    {"do": "control", "job": 7, "begins": false}           with the array "state"; begins: call `reset` first

and out:

    {"is": "ready", "rate": 100.0 or null}
    {"is": "controls", "job": 7, "seconds": 0.0001}        with the array "ctrl"
    {"is": "failed", "message": ..., "line": 12, "details": ...}     the process ends
    {"is": "said", "text": ...}                            what the file printed

It ends when the connection ends, also in the middle of a call: no process is left behind by a window that dies.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from types import ModuleType
from typing import Any

import numpy as np

from kinetree import engine
from kinetree.app.workers.compiler.channel import Closed, Message, MessageChannel
from kinetree.engine.platforms import connections
from kinetree.engine.run.control import ControlView
from kinetree.engine.translation import tr

FUNCTION = "control"
LONGEST_LINE = 2000
MOST_LINES = 20
"""Printed lines that are passed on in a second; the others are dropped."""


class ControllerError(Exception):
    """The file cannot be used: why, in a sentence."""


class _Printed:
    """Passes on what the file prints, line by line."""

    encoding = "utf-8"

    def __init__(self, say: Callable[[str], None]):
        self._say, self._line = say, ""
        self._second, self._count = 0, 0

    def write(self, text: str) -> int:
        *lines, self._line = (self._line + text)[-LONGEST_LINE:].split("\n")
        for line in lines:
            second = int(time.monotonic())
            self._count = self._count + 1 if second == self._second else 1
            self._second = second
            if self._count <= MOST_LINES and line.strip():
                self._say(line)
        return len(text)

    def flush(self) -> None:
        """Lines are passed on as they end."""

    def isatty(self) -> bool:
        return False


class _Controller:
    """A file that is imported. `rate`: calls a second of simulated time, None for every step."""

    def __init__(self, path: str, view: ControlView):
        self.view = view
        folder = os.path.dirname(path)
        if folder not in sys.path:
            sys.path.append(folder)  # at the end: a file beside it takes the place of no library
        module = ModuleType("controller")
        module.__file__ = path
        sys.modules["controller"] = module
        with open(path, "rb") as file:
            source = file.read()
        exec(compile(source, path, "exec"), module.__dict__)
        self._control = module.__dict__.get(FUNCTION)
        self._reset = module.__dict__.get("reset")
        if not callable(self._control):
            raise ControllerError(tr("has no function control(time, data)"))
        rate = module.__dict__.get("RATE")
        if rate is not None and not (isinstance(rate, (int, float)) and 0.0 < float(rate) < float("inf")):
            raise ControllerError(tr("RATE must be a number above 0, calls a second of simulated time"))
        self.rate = None if rate is None else float(rate)

    def controls(self, state: np.ndarray, begins: bool) -> np.ndarray:
        """The controls of a state. `begins`: the state does not follow the one before."""
        assert self._control is not None
        self.view.take(state)
        if begins and callable(self._reset):
            self._reset(self.view)
        return self.view.controls(self._control(self.view.time, self.view))


def main(end: str) -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal goes to the window, which ends this
    channel = MessageChannel(connections.opened(end))
    waiting: SimpleQueue[Message] = SimpleQueue()

    def listen() -> None:
        while True:
            try:
                waiting.put(channel.receive())
            except Closed:
                os._exit(0)

    def say(text: str) -> None:
        channel.send(Message({"is": "said", "text": text}))

    threading.Thread(target=listen, name="listen", daemon=True).start()
    sys.stdout = sys.stderr = _Printed(say)  # pyright: ignore[reportAttributeAccessIssue]
    path = ""
    try:
        plain = waiting.get().plain
        path = plain["path"]
        engine.translation.install([plain["language"]])
        controller = _Controller(path, ControlView(plain["layout"]))
        channel.send(Message({"is": "ready", "rate": controller.rate}))
        while True:
            message = waiting.get()
            if message.plain["do"] == "model":
                controller.view = ControlView(message.plain["layout"])
                continue
            begun = time.perf_counter()
            ctrl = controller.controls(message.arrays["state"], message.plain["begins"])  # pyright: ignore
            spent = time.perf_counter() - begun
            channel.send(Message({"is": "controls", "job": message.plain["job"], "seconds": spent}, {"ctrl": ctrl}))
    except Closed:  # the window is gone
        return 0
    except BaseException as error:
        channel.send(Message({"is": "failed", **_told(error, path)}))
        return 1


def _told(error: BaseException, path: str) -> dict[str, Any]:
    """The failure as a message, with the line of the file."""
    details = "".join(traceback.format_exception(error))
    if isinstance(error, SyntaxError):
        return {"message": error.msg, "line": error.lineno or 1, "details": details}
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    line = frames[-1].lineno if frames else None
    if isinstance(error, ControllerError):
        message = str(error)
    elif isinstance(error, OSError) and not frames:
        message = tr("cannot be read: {reason}", reason=error.strerror or error)
    elif isinstance(error, ValueError) and not frames:
        message = str(error)  # about the returned controls
    else:
        text = error.args[0] if isinstance(error, KeyError) and error.args else error
        message = f"{type(error).__name__}: {text}"
    return {"message": message, "line": line or 1, "details": details}


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
