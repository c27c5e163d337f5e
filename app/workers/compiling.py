"""The compile thread: text to model, one version after the other. It waits while the compiler process does the work
(app/workers/compiler).

Each request is a new version. The next version of the open document does not cancel the one in progress unless that
takes long: while a slider is dragged, the model follows as fast as it compiles. Versions that were asked for in between
are left out. A file that is opened, or `cancel`, voids all versions before it: their results are never delivered.
Whatever goes wrong comes back as diagnostics.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
import traceback
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kinetree.app.workers.parts import Parts, checked_within, within
from kinetree.engine.diagnostics import Diagnostic, ModelError, Severity
from kinetree.engine.progress import Cancelled, cancellable, reported
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.app.workers.compiler.client import Compiler
    from kinetree.engine.assist.surroundings import Surroundings
    from kinetree.engine.compile.compiler import Compiled
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.files import FileRead
    from kinetree.engine.document.parsed import ParsedSource
    from kinetree.engine.model.model import Model


@dataclass(frozen=True)
class CompileResult:
    """What came of one version of a text. Nobody changes it.

    model        Model; None if it has errors
    document     the text that was compiled; None for a binary file and for what could not be read
    recognised   the file holds a model, with or without errors
    diagnostics  all findings
    files        every file read or looked for
    reads        FileRead of each text that was read from the disk for it, the main file first
    hashes       content hashes of what `reads` holds, by path
    started      wall clock time (time.time()) before the first byte was read
    seconds      how long reading and compiling took
    fresh        the file was opened, not reloaded
    saved        when the change that is followed was written (time.time()), None if there is none
    ready        the kernels that the model needs are loaded
    seed         what it was compiled with, see kinetree.load
    examined     what the compiler made (`Compiled`), for the checks, if it was asked to be kept in this process
    models       of a file that makes no model by itself: the documents of the models that include it, the one first
                 that it was examined in; `diagnostics` are then those of that model about this file
    around       what came of that model; for the compile thread alone
    """

    version: int
    path: str
    model: Model | None
    diagnostics: list[Diagnostic]
    files: list[str]
    reads: tuple[FileRead, ...] = ()
    hashes: dict[str, str] = field(default_factory=dict)
    started: float = 0.0
    seconds: float = 0.0
    fresh: bool = False
    saved: float | None = None
    ready: bool = False
    document: Document | None = None
    recognised: bool = False
    seed: int | None = None
    examined: Compiled | None = None
    models: tuple[Document, ...] = ()
    around: CompileResult | None = None


@dataclass(frozen=True)
class CompileRequest:
    """What to compile: `document`, or what the disk has at `path` if it is None. `fresh`, `saved`: see
    CompileResult. `seed`: see kinetree.load. `surroundings`: finds the models that include the file, where it makes no
    model by itself; None: it is not part of any. `texts`: the present texts of open files, by path, for these models.
    The compile thread sets the version."""

    path: str
    document: Document | None = None
    fresh: bool = False
    saved: float | None = None
    seed: int | None = None
    surroundings: Surroundings | None = None
    texts: Mapping[str, ParsedSource] = field(default_factory=dict)
    version: int = 0


PATIENCE = 0.5
"""How long a version may be compiled while a newer one waits, s."""

CALM = 0.15
"""How long the checks wait for the next version of an edited text, s."""


class CompileThread(threading.Thread):
    """`done(result)` and `progress(version, fraction, text)` are called in this thread, as is
    `is_ready(model)`, which says whether the model's kernels are loaded. `checked(version, diagnostics)`
    follows later, with what the checks found added, unless another version was asked for in the meantime."""

    def __init__(
        self,
        done: Callable[[CompileResult], None],
        progress: Callable[[int, float, str], None],
        is_ready: Callable[[object], bool] = lambda model: False,
        checked: Callable[[int, list[Diagnostic]], None] | None = None,
    ):
        from kinetree.app.workers.compiler.client import Compiler

        super().__init__(name="compile", daemon=True)
        self._compiler: Compiler = Compiler()
        self._done, self._progress, self._is_ready, self._checked = done, progress, is_ready, checked
        self._wake = threading.Condition()
        self._request: CompileRequest | None = None
        self._parts = Parts()
        self._newest = self._void = 0  # the last version that was asked for, and that is not wanted any more
        self._stopping = False

    @property
    def newest(self) -> int:
        """The version that was asked for last."""
        return self._newest

    @property
    def process(self) -> int | None:
        """The id of the compiler process; None between two."""
        return self._compiler.pid

    def wants(self, version: int) -> bool:
        """Whether the result of a version is still to be shown, though it may not be the newest."""
        return version > self._void

    def submit(self, request: CompileRequest) -> int:
        """Compile the text as a new version, whose number is returned."""
        with self._wake:
            if request.fresh:
                self._void = self._newest
            self._newest += 1
            self._request = replace(request, version=self._newest)
            self._wake.notify()
            return self._newest

    def cancel(self) -> None:
        """Drop what is in progress or waiting."""
        with self._wake:
            self._newest += 1
            self._void = self._newest
            self._request = None

    def stop(self) -> None:
        """End the thread; join it afterwards."""
        with self._wake:
            self._stopping, self._request = True, None
            self._newest += 1
            self._void = self._newest
            self._wake.notify()
        self._compiler.stop()

    def run(self) -> None:
        try:
            self._run()
        finally:
            self._compiler.close()

    def _run(self) -> None:
        while True:
            with self._wake:
                while (request := self._request) is None and not self._stopping:
                    self._wake.wait()
                if request is None or self._stopping:
                    return
                self._request = None
            result = self._compile(request)
            if result is not None and self.wants(request.version):
                self._done(replace(result, around=None))
                if self._waits_in_vain(0.0 if request.fresh else CALM):
                    self._check(result)

    def _waits_in_vain(self, seconds: float) -> bool:
        """Whether no other version is asked for within a time, which leaves the interpreter to the first picture."""
        with self._wake:
            return not self._wake.wait_for(lambda: self._request is not None or self._stopping, seconds)

    def _check(self, result: CompileResult) -> None:
        version = result.version
        whole = result.around or result
        if self._checked is None or whole.model is None or self._newest != version:
            return
        found = self._compiler.check(whole, cancelled=lambda: self._newest != version)
        if result.around is not None:
            found = checked_within(result, found)
        if self._newest == version:
            self._checked(version, found)

    def _compile(self, request: CompileRequest) -> CompileResult | None:
        version, start = request.version, time.monotonic()

        def cancelled() -> bool:
            outdated = self._newest != version and time.monotonic() - start > PATIENCE
            return outdated or not self.wants(version)

        def progress(done: int, total: int, text: str) -> None:
            self._progress(version, done / max(1, total), text)

        result = self._compiler.compile(request, progress, cancelled)
        if result is None:
            return None
        models = self._parts.models(request, result)
        if models:
            main = replace(request, path=models[0].main_file, document=models[0])
            around = self._compiler.compile(main, progress, cancelled)
            if around is None:
                return None
            result = within(result, models, around)
        return result if result.model is None else replace(result, ready=self._is_ready(result.model))


PARSING = 0.25
"""The part of the progress that parsing has, where the text is large."""
STEPS = 1000


class _Course:
    """Progress of parsing a text and then compiling it, as one."""

    def __init__(self, progress: Callable[[int, int, str], None] | None, cancelled: Callable[[], bool] | None):
        self._progress, self._cancelled = progress, cancelled
        self._share = 0.0

    def parsed(self, fraction: float) -> None:
        """So much of the text is parsed. Raises Cancelled."""
        if self._cancelled is not None and self._cancelled():
            raise Cancelled
        self._share = PARSING
        if self._progress is not None:
            self._progress(round(STEPS * PARSING * fraction), STEPS, marked("parse the text"))

    def compiled(self, done: int, total: int, name: str) -> None:
        """So many passes of the compiler are done."""
        if self._progress is not None:
            self._progress(round(STEPS * (self._share + (1 - self._share) * done / total)), STEPS, name)


def compile_file(
    path: str,
    progress: Callable[[int, int, str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    seed: int | None = None,
    keep: bool = False,
    document: Document | None = None,
) -> CompileResult | None:
    """Compile a text, or read and compile a file if `document` is None. Returns None if it was cancelled.
    Never raises for what a file contains.

    keep: the result has `examined`, for check_file.
    """
    started, start = time.time(), time.perf_counter()
    files = [os.path.abspath(path)]
    reads: list[FileRead] = []
    diagnostics: list[Diagnostic] = []
    model = examined = None
    course = _Course(progress, cancelled)
    try:
        from kinetree.engine.compile.compiler import compile_document
        from kinetree.engine.document.document import Document
        from kinetree.engine.document.files import read_file
        from kinetree.engine.storage import binary

        if document is None:
            if binary.is_binary(path):
                return _read_binary(path, started, start)
            with reported(course.parsed), cancellable(cancelled):
                main = read_file(path, path, is_main=True)
                document = Document.of_read(main)
            reads.append(main)
        else:
            with reported(course.parsed), cancellable(cancelled):
                document = document.completed()
        diagnostics = list(document.diagnostics)
        files += [str(name) for name in [*document.files, *document.missing]]
        compiled = compile_document(document, progress=course.compiled, cancelled=cancelled, seed=seed)
        model = compiled.model
        diagnostics = _all(diagnostics, compiled.diagnostics)
        files += [str(name) for name in compiled.files]
        examined = compiled if keep else None
    except Cancelled:
        return None
    except ModelError as error:
        diagnostics = _all(diagnostics, error.diagnostics)
    except MemoryError:
        diagnostics.append(_refusal(path, "out-of-memory", tr("there is not enough memory for this model")))
    except RecursionError:
        diagnostics.append(_refusal(path, "too-deep", tr("the elements are nested too deeply: flatten the model")))
    except Exception as error:
        diagnostics.append(mistake(path, error, Severity.ERROR))
    files += [item.file for item in diagnostics if item.file]
    files = list(dict.fromkeys(os.path.abspath(name) for name in files))
    if document is not None:
        reads += document.reads
    if any(item.severity is Severity.ERROR for item in diagnostics):
        model, examined = None, None
    return CompileResult(
        version=0,
        path=path,
        model=model,
        diagnostics=diagnostics,
        files=files,
        reads=tuple(reads),
        hashes={
            read.key: hashlib.blake2b(read.parsed.source.data, digest_size=16).hexdigest()
            for read in reads
            if read.parsed is not None
        },
        started=started,
        seconds=time.perf_counter() - start,
        document=document,
        recognised=document is not None and _is_model(document),
        examined=examined,
    )


def check_file(
    result: CompileResult, off: Collection[str] = (), cancelled: Callable[[], bool] = lambda: False
) -> list[Diagnostic]:
    """All findings about a model that compile_file kept: the compiler's and the checks', less those of the
    codes `off` and those that the text switches off. Never raises for what a file contains."""
    try:
        from kinetree.engine.check import examine, switched_off

        compiled, document = result.examined, result.document
        if compiled is None or document is None:
            return result.diagnostics
        left = switched_off(result.diagnostics, document, off)
        return _all(left, examine(compiled, document, off, cancelled))
    except Exception as error:
        return [*result.diagnostics, mistake(result.path, error, Severity.WARNING)]


def _read_binary(path: str, started: float, start: float) -> CompileResult:
    """The model of a binary file. Raises ModelError."""
    from kinetree.engine.storage import binary

    data = Path(path).read_bytes() if os.path.getsize(path) <= binary.MAX_BYTES else b""
    place = os.path.abspath(path)
    model = binary.read(path)
    hashes = {place: hashlib.blake2b(data, digest_size=16).hexdigest()}
    return CompileResult(
        version=0,
        path=path,
        model=model,
        diagnostics=model.unsimulated,
        files=[place],
        hashes=hashes,
        started=started,
        seconds=time.perf_counter() - start,
        recognised=True,
    )


def _is_model(document: Document) -> bool:
    from kinetree.engine import formats

    tag = document.root.tag
    return tag == "mujoco" or formats.of(tag) is not None


def _all(first: list[Diagnostic], then) -> list[Diagnostic]:
    """Both lists in order, each finding once, as the second one counts it."""
    found = {replace(item, more=0): item for item in (*first, *then)}
    return list(found.values())


def mistake(path: str, error: Exception, severity: Severity) -> Diagnostic:
    """An exception that should not be, as a finding."""
    details = traceback.format_exc().strip().splitlines()
    where = next((line.strip() for line in reversed(details) if line.strip().startswith("File ")), "")
    message = tr(
        "Kinetree failed on this model ({name}: {error}; {where}): this is a mistake in Kinetree, "
        "please report it with the file",
        name=type(error).__name__,
        error=error,
        where=where,
    )
    return Diagnostic(severity, "internal-error", " ".join(message.split()), path, 1, 1, 0, 0)


def _refusal(path: str, code: str, message: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, code, message, path, 1, 1, 0, 0)
