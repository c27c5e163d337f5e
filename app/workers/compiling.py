"""Compiles a version of a text to a model: the requests and results. The thread that waits for it is in
`compile_thread.py`, the process that does it in `compiler/`.
"""

from __future__ import annotations

import hashlib
import os
import time
import traceback
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kinetree import engine
from kinetree.engine import check, formats, storage
from kinetree.engine.diagnostics import Diagnostic, ModelError, Severity
from kinetree.engine.progress import Cancelled, reported
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.assist.surroundings import ModelFinder
    from kinetree.engine.compile.compiler import CompiledModel
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.files import FileRead
    from kinetree.engine.document.parsed import ParsedSource
    from kinetree.engine.model.model import Model


@dataclass(frozen=True)
class CompileResult:
    """Result of compiling one version of a text. Immutable.

    model        Model; None if it has errors
    document     the text that was compiled; None for a binary or unreadable file
    recognised   the file holds a model, with or without errors
    diagnostics  all findings
    files        every file read or looked for
    reads        FileRead of each text that was read from the disk for it, the main file first
    hashes       content hashes of `reads`, by path
    started      wall clock time (time.time()) before the first byte was read
    seconds      how long reading and compiling took
    fresh        the file was opened, not reloaded
    ready        the kernels that the model needs are loaded
    seed         the seed of the compilation, see kinetree.load
    examined     the compiler's result (`CompiledModel`), for the checks, if it is kept in this process
    models       of a file that makes no model by itself: the documents of the models that include it, the one first
                 that it was examined in; `diagnostics` are then those of that model about this file
    around       the result of that model; for the compile thread alone
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
    ready: bool = False
    document: Document | None = None
    recognised: bool = False
    seed: int | None = None
    examined: CompiledModel | None = None
    models: tuple[Document, ...] = ()
    around: CompileResult | None = None


@dataclass(frozen=True)
class CompileRequest:
    """What to compile: `document`, or what the disk has at `path` if it is None. `fresh`: see CompileResult.
    `from_disk`: a file has changed on the disk. `seed`: see kinetree.load. `surroundings`: gives the finder of models
    that include the file, where it makes no model by itself; None: it is not part of any. `texts`: the present texts of
    open files, by path, for these models.
    The compile thread sets the version."""

    path: str
    document: Document | None = None
    fresh: bool = False
    from_disk: bool = False
    seed: int | None = None
    surroundings: Callable[[], ModelFinder] | None = None
    texts: Mapping[str, ParsedSource] = field(default_factory=dict)
    version: int = 0


PARSING = 0.25
"""The part of the progress that parsing has, where the text is large."""
STEPS = 1000


class _CompileProgress:
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
    document: engine.document.document.Document | None = None,
) -> CompileResult | None:
    """Compile a text, or read and compile a file if `document` is None. Returns None if it was cancelled. Never raises
    for the content of a file.

    keep: the result has `examined`, for check_file.
    """
    started, start = time.time(), time.perf_counter()
    files = [os.path.abspath(path)]
    reads: list[FileRead] = []
    diagnostics: list[Diagnostic] = []
    model = examined = None
    course = _CompileProgress(progress, cancelled)
    try:
        if document is None:
            if storage.binary.is_binary(path):
                return _read_binary(path, started, start)
            with reported(course.parsed):
                main = engine.document.files.read_file(path, path, is_main=True)
                document = engine.document.document.Document.of_read(main)
            reads.append(main)
        else:
            with reported(course.parsed):
                document = document.completed()
        diagnostics = list(document.diagnostics)
        files += [str(name) for name in [*document.files, *document.missing]]
        compiled = engine.compile.compiler.compile_document(
            document, progress=course.compiled, cancelled=cancelled, seed=seed
        )
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
    """All findings about a model that compile_file kept: the compiler's and the checks', less those of the codes `off`
    and those that the text switches off. Never raises for the content of a file.
    """
    try:
        compiled, document = result.examined, result.document
        if compiled is None or document is None:
            return result.diagnostics
        left = check.run.switched_off(result.diagnostics, document, off)
        return _all(left, check.run.examine(compiled, document, off, cancelled))
    except Exception as error:
        return [*result.diagnostics, mistake(result.path, error, Severity.WARNING)]


def _read_binary(path: str, started: float, start: float) -> CompileResult:
    """The model of a binary file. Raises ModelError."""
    data = Path(path).read_bytes() if os.path.getsize(path) <= storage.binary.MAX_BYTES else b""
    place = os.path.abspath(path)
    model = storage.binary.read(path)
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
