"""The compiler process: python -m kinetree.app.workers.compiler.process END MEMORY

It compiles versions of texts for one window (`client.py`), checks what it compiled last, and keeps what makes the next
version quick: parsed texts, files of meshes and images, results of passes.

END is this end of the connection (`engine/platforms/connections.py`). MEMORY is the most address space in bytes that it
may take, where the system can limit that.

Messages that come in:

    {"do": "compile", "job": 7, "path": ..., "seed": ..., "main": ..., "texts": [...], "language": "de"}
    {"do": "check", "job": 8, "off": [...]}     check what was compiled last
    {"do": "examine", ...}                      as compile, then check: the answer has the findings alone
    {"do": "write", "job": 9, "folder": ...}    write it as canonical MJCF
    {"do": "stop", "job": 7}                    the answer to this job, and to those before, is not wanted any more

Each job is answered once, with {"job": 7, "is": ...} and what belongs to that:

    result      see results.py
    checked     findings (of check and examine)
    written     the text, or why it cannot be written
    stopped     it was not finished
    out of step the texts are not those that the window changed: it sends them whole
    failed      a mistake in Kinetree, with its traceback

and before that with {"job": 7, "is": "progress", "done": 2, "total": 11, "text": "assets"}.

It ends when the connection ends, in the middle of whatever it does: no process is left behind by a window that dies.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
import threading
import time
import traceback
from importlib import import_module
from queue import SimpleQueue
from typing import TYPE_CHECKING

from kinetree import engine
from kinetree.app import workers
from kinetree.app.workers import compiler
from kinetree.app.workers.compiler.channel import Closed, Message, MessageChannel
from kinetree.engine import storage
from kinetree.engine.platforms import connections, processes
from kinetree.engine.resources import packages

if TYPE_CHECKING:
    from kinetree.app.workers.compiling import CompileRequest, CompileResult
    from kinetree.engine.diagnostics import Diagnostic

TELL_EVERY = 0.1
"""How often the progress of a compilation is told, s."""


class Stopped(Exception):
    """The job is not wanted any more."""


class _Worker:
    def __init__(self, channel: MessageChannel):
        self._channel = channel
        self._texts = compiler.texts.KeptTexts()
        self._waiting: SimpleQueue[Message] = SimpleQueue()
        self._stopped = 0  # jobs up to this one are not wanted any more
        self._last: CompileResult | None = None
        threading.Thread(target=self._listen, name="listen", daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                message = self._channel.receive()
            except Closed:
                os._exit(0)
            if message.plain["do"] == "stop":
                self._stopped = max(self._stopped, message.plain["job"])
            else:
                self._waiting.put(message)

    def run(self) -> None:
        jobs = {"compile": self._compile, "check": self._check, "examine": self._examine, "write": self._write}
        while True:
            message = self._waiting.get()
            job = message.plain["job"]
            try:
                answer = jobs[message.plain["do"]](message)
                self._channel.send(Message({**answer.plain, "job": job}, answer.arrays))
            except Stopped:
                self._channel.send(Message({"is": "stopped", "job": job}))
            except compiler.texts.OutOfStep:
                self._channel.send(Message({"is": "out of step", "job": job}))
            except Closed:
                raise
            except Exception:
                self._channel.send(Message({"is": "failed", "job": job, "details": traceback.format_exc()}))

    def _is_stopped(self, job: int) -> bool:
        return self._stopped >= job

    def _compile(self, message: Message) -> Message:
        request = self._request(message)
        result = self._compiled(request, message.plain["job"])
        packed = compiler.results.pack(result, request, self._texts.found)
        return Message({"is": "result", **packed.plain}, packed.arrays)

    def _examine(self, message: Message) -> Message:
        result = self._compiled(self._request(message), message.plain["job"])
        return self._check(message) if result.examined is not None else _checked(result.diagnostics)

    def _request(self, message: Message) -> CompileRequest:
        """The model to compile, with the texts that came along. Raises OutOfStep."""
        plain = message.plain
        if plain["language"] != engine.translation.language():
            engine.translation.install([plain["language"]])
        packages.use(plain["packages"])
        self._texts.take(plain["texts"], message.arrays)  # pyright: ignore[reportArgumentType]
        document = None
        if plain["main"] is not None:
            document = engine.document.document.Document.of_files(
                plain["main"], engine.document.files.DocumentFiles(self._texts.known, {}, from_disk=False)
            )
        return workers.compiling.CompileRequest(plain["path"], document, seed=plain["seed"])

    def _compiled(self, request: CompileRequest, job: int) -> CompileResult:
        """The result, which is kept. Raises Stopped."""
        told = time.monotonic()

        def progress(done: int, total: int, text: str) -> None:
            nonlocal told
            if time.monotonic() - told >= TELL_EVERY:
                told = time.monotonic()
                self._tell(job, done, total, text)

        self._last = None
        document = request.document
        result = workers.compiling.compile_file(
            request.path, progress, lambda: self._is_stopped(job), request.seed, keep=True, document=document
        )
        if result is None:
            raise Stopped
        self._last = result
        found = {} if result.document is None else dict(result.document.found)
        is_known = self._texts.known.__contains__ if document is not None else lambda _: False
        found |= {read.key: read for read in result.reads if not is_known(read.key)}
        self._texts.found = found
        return result

    def _check(self, message: Message) -> Message:
        job = message.plain["job"]
        if self._last is None:
            raise Stopped
        found = workers.compiling.check_file(self._last, message.plain.get("off", ()), lambda: self._is_stopped(job))
        if self._is_stopped(job):
            raise Stopped
        return _checked(found)

    def _write(self, message: Message) -> Message:
        if self._last is None or self._last.model is None:
            raise Stopped
        try:
            text, problem = storage.saving.to_xml(self._last.model, message.plain["folder"]), ""
        except engine.diagnostics.CannotSave as error:
            text, problem = "", str(error)
        return Message({"is": "written", "text": text, "problem": problem})

    def _tell(self, job: int, done: int, total: int, text: str) -> None:
        self._channel.send(Message({"is": "progress", "job": job, "done": done, "total": total, "text": text}))


def _checked(found: list[Diagnostic]) -> Message:
    return Message({"is": "checked", "findings": [engine.compile.flat.plain_finding(item) for item in found]})


def main(end: str, memory: str) -> int:
    faulthandler.enable()  # the window reports the stacks where this process ends by a fatal error
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal goes to the window, which ends this
    channel = MessageChannel(connections.opened(end))
    processes.limit_memory(int(memory))

    engine.document.subtree.number_from(compiler.texts.FIRST_OWN_ID)
    worker = _Worker(channel)
    try:
        channel.send(Message({"is": "ready", "job": 0}))
        gc.disable()  # what is imported stays: a search would find nothing
        _read_ahead()
        gc.freeze()
        gc.enable()
        worker.run()
    except Closed:  # the window is gone
        return 0
    return 0


def _read_ahead() -> None:
    """Import what the first model will need while the window is being made."""
    for module in ("check", "compile.compiler", "compile.flat", "storage.binary"):
        import_module(f"kinetree.engine.{module}")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
