"""The compiler process as the window sees it: starts it, asks it, and starts another one where it ends.

    compiler = Compiler()                          the process starts, which takes a moment; nobody waits for it
    result = compiler.compile(request, progress, cancelled)
    findings = compiler.check(result, cancelled)
    compiler.close()

One thread asks at a time, and waits for the answer without computing. A process that ends while it compiles costs that
answer: a finding about the file reports it, and the next question goes to a new process, which receives all texts
again. The process ends with its connection, so also where the window is killed.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from queue import Empty, SimpleQueue

import numpy as np

from kinetree import engine
from kinetree.app import workers
from kinetree.app.workers import compiler
from kinetree.app.workers.compiler.channel import Closed, Message, MessageChannel
from kinetree.app.workers.compiler.start import memory_limit, started
from kinetree.app.workers.compiler.texts import SentTexts
from kinetree.app.workers.compiling import CompileRequest, CompileResult
from kinetree.engine import translation
from kinetree.engine.diagnostics import CannotSave, Diagnostic, Severity
from kinetree.engine.platforms import processes
from kinetree.engine.resources import packages
from kinetree.engine.translation import tr

LOOK_EVERY = 0.02
"""How often a wait asks whether the answer is still wanted, s."""
PATIENCE = 1.0
"""How long a process may take to stop a job, s; then it is ended and another one starts."""
ENDING = 0.5
"""How long a process may take to end by itself, s."""


class Ended(Exception):
    """The process ended before it answered."""


class _Process:
    """One process, with a thread that takes its messages."""

    def __init__(self, memory: int):
        begun = started(memory)
        self._errors = begun.errors
        self.process, self.channel = begun.process, MessageChannel(begun.connection)
        self.texts = SentTexts()
        self.messages: SimpleQueue[Message | None] = SimpleQueue()  # None: there will be no more
        threading.Thread(target=self._listen, name="compiler-messages", daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                self.messages.put(self.channel.receive())
            except Closed:
                self.messages.put(None)
                return

    def end(self) -> tuple[str, str]:
        """End it, if it has not ended; how it did, and the end of its standard error."""
        self.channel.close()
        try:
            code = self.process.wait(ENDING)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        with self._errors:
            self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - workers.ended.TAIL))
            said = self._errors.read().decode(errors="replace")
        return processes.ended_by(code), said


def _ended(path: str, reason: Ended) -> Diagnostic:
    """The finding about a file that ended the compiler."""
    message = tr(
        "the compiler ended on this model ({reason}): it may need more memory than there is. Change the text or open "
        "another file; if it happens again, please report it with the file",
        reason=reason,
    )
    return Diagnostic(Severity.ERROR, "compiler-ended", message, path, 1, 1, 0, 0)


def _findings(answer: Message) -> list[Diagnostic]:
    return [engine.compile.flat.finding(item) for item in answer.plain["findings"]]


def _without_model(request: CompileRequest, found: Diagnostic, started: float) -> CompileResult:
    """The result where the compiler has none."""
    document = request.document
    files = [os.path.abspath(request.path), *([] if document is None else document.files)]
    return CompileResult(
        version=request.version,
        path=request.path,
        model=None,
        diagnostics=[found],
        files=list(dict.fromkeys(files)),
        started=started,
        seconds=time.time() - started,
        fresh=request.fresh,
        seed=request.seed,
        document=document,
        recognised=document is not None,
    )


class Compiler:
    """See the module.

    memory  the address space that the process may take, bytes
    """

    def __init__(self, memory: int | None = None):
        self._memory = memory_limit() if memory is None else memory
        self._job = 0
        self._asking = threading.Lock()
        self._closing = threading.Event()
        self._process: _Process | None = _Process(self._memory)

    @property
    def pid(self) -> int | None:
        """The process that is there now; None between two."""
        process = self._process
        return None if process is None else process.process.pid

    # ---- questions ---------------------------------------------------------------------------------------

    def compile(
        self,
        request: CompileRequest,
        progress: Callable[[int, int, str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> CompileResult | None:
        """The result of `compile_file` for a request. None if it was cancelled, or the compiler closed."""
        started = time.time()
        with self._asking:
            try:
                return self._compile(request, progress, cancelled)
            except Ended as error:
                if self._closing.is_set():
                    return None
                found = _ended(request.path, error)
            except Exception as error:
                found = workers.compiling.mistake(request.path, error, Severity.ERROR)
            return _without_model(request, found, started)

    def _compile(
        self,
        request: CompileRequest,
        progress: Callable[[int, int, str], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> CompileResult | None:
        process = self._present()
        answer = self._ask_with_texts("compile", process, request, progress, cancelled)
        if answer is None:
            return None
        unpacked = compiler.results.Unpacked(answer, request, process.texts.found)
        process.texts.found = unpacked.found
        return unpacked.result

    def examine(self, request: CompileRequest, cancelled: Callable[[], bool] | None = None) -> list[Diagnostic] | None:
        """The findings of `compile_file` and `check_file` for a request, without its model. None if it was cancelled,
        or the compiler closed."""
        with self._asking:
            try:
                process = self._present()
                answer = self._ask_with_texts("examine", process, request, None, cancelled)
                process.texts.found = {}  # what it has read for this does not come along
            except Ended as error:
                return None if self._closing.is_set() else [_ended(request.path, error)]
            except Exception as error:
                return [workers.compiling.mistake(request.path, error, Severity.ERROR)]
            return None if answer is None else _findings(answer)

    def _ask_with_texts(
        self,
        what: str,
        process: _Process,
        request: CompileRequest,
        progress: Callable[[int, int, str], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> Message | None:
        """The answer to a question about the texts of a request: what is new of them goes along, or all of them where
        the process has others. None if it is not wanted any more. Raises Ended, and RuntimeError for a mistake there.
        """
        document = request.document
        for _ in range(2):
            arrays: dict[str, np.ndarray] = {}
            plain = {
                "do": what,
                "path": request.path,
                "seed": request.seed,
                "main": None if document is None else document.main_file,
                "texts": [] if document is None else process.texts.operations(document.known, arrays),
                "language": translation.language(),
                "packages": packages.chosen(),
            }
            answer = self._ask(process, Message(plain, arrays), progress, cancelled)
            if answer is None or answer.plain["is"] not in ("failed", "out of step"):
                return answer
            if answer.plain["is"] == "failed":
                break
            process.texts.forget()
        raise RuntimeError(answer.plain.get("details", answer.plain["is"]))

    def check(
        self,
        result: CompileResult,
        off: Collection[str] = (),
        cancelled: Callable[[], bool] | None = None,
    ) -> list[Diagnostic]:
        """The result of `check_file` for the last version. If it is cancelled or the process ends: the findings of the
        compiler.
        """
        with self._asking:
            try:
                message = Message({"do": "check", "off": list(off)})
                answer = self._ask(self._present(), message, None, cancelled)
            except Ended:
                answer = None
            if answer is None or answer.plain["is"] != "checked":
                return result.diagnostics
            return _findings(answer)

    def written(self, result: CompileResult, folder: str | None) -> str:
        """The model of a result, which was compiled here last, as canonical MJCF (engine/storage/saving.py). Raises
        CannotSave."""
        with self._asking:
            try:
                answer = self._ask(self._present(), Message({"do": "write", "folder": folder}), None, None)
            except Ended as error:
                raise CannotSave(
                    tr("{file} cannot be written: the compiler ended ({reason})", file=result.path, reason=error)
                ) from None
            if answer is None or answer.plain["is"] != "written":
                raise RuntimeError("stopped" if answer is None else answer.plain.get("details", ""))
            if answer.plain["problem"]:
                raise CannotSave(answer.plain["problem"])
            return answer.plain["text"]

    # ---- messages ----------------------------------------------------------------------------------------

    def _present(self) -> _Process:
        """The process, a new one if there is none. Raises Ended once this is closed."""
        if self._closing.is_set():
            raise Ended("closed")
        if self._process is not None and self._process.process.poll() is not None:
            workers.ended.tell("compiler", *self._process.end())
            self._process = None
        if self._process is None:
            self._process = _Process(self._memory)
        return self._process

    def _ask(
        self,
        process: _Process,
        message: Message,
        progress: Callable[[int, int, str], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> Message | None:
        """The answer to a question; None if it is not wanted any more. Raises Ended."""
        self._job += 1
        job, until = self._job, None
        try:
            process.channel.send(Message({**message.plain, "job": job}, message.arrays))
        except Closed:
            self._replace(process)
        while True:
            try:
                answer = process.messages.get(timeout=LOOK_EVERY)
            except Empty:
                if self._closing.is_set():
                    return None
                if until is None and cancelled is not None and cancelled():
                    until = time.monotonic() + PATIENCE
                    with suppress(Closed):  # the thread that listens tells it too
                        process.channel.send(Message({"do": "stop", "job": job}))
                elif until is not None and time.monotonic() > until:
                    process.process.kill()
                    process.end()
                    self._process = None
                    return None
                continue
            if answer is None:
                self._replace(process)
            elif answer.plain["job"] == job:
                if answer.plain["is"] == "progress":
                    if progress is not None:
                        progress(answer.plain["done"], answer.plain["total"], answer.plain["text"])
                else:
                    return None if answer.plain["is"] == "stopped" else answer

    def _replace(self, process: _Process) -> None:
        """Start another process in place of one that ended. Raises Ended."""
        how, said = process.end()
        self._process = None
        if not self._closing.is_set():
            self._process = _Process(self._memory)
            workers.ended.tell("compiler", how, said)
        raise Ended(how)

    # ---- end ---------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop answering; callers that wait get no answer."""
        self._closing.set()

    def close(self) -> None:
        """End the process too."""
        self.stop()
        with self._asking:
            process, self._process = self._process, None
            if process is not None:
                process.end()
