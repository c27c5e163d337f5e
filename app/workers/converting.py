"""The conversion thread: a compiled model written as canonical MJCF, and that compiled again, without the window
waiting."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kinetree import engine
from kinetree.app import workers
from kinetree.engine import storage
from kinetree.engine.diagnostics import CannotSave, Diagnostic, ModelError

if TYPE_CHECKING:
    from kinetree.app.workers.compiling import CompileResult


@dataclass(frozen=True)
class Conversion:
    """Result of a conversion.

    source       the model and its text
    text         canonical MJCF, with file names for the folder that the model is in; "" if it cannot be written
    problem      why it cannot be written
    is_compiled  whether the text was compiled, so that the rest is known
    diagnostics  findings about the text
    differing    names of the arrays of its model that differ from the source model; None if it has no model
    """

    source: CompileResult
    text: str
    problem: str = ""
    is_compiled: bool = False
    diagnostics: Sequence[Diagnostic] = ()
    differing: Sequence[str] | None = None


class ConversionThread(threading.Thread):
    """Writes the model of `source`, which has one, as MJCF and compiles that. `done(Conversion)` is called in this
    thread, first with the text and then with the compiler's findings.
    """

    def __init__(self, source: CompileResult, done: Callable[[Conversion], None]):
        super().__init__(name="conversion", daemon=True)
        self._source, self._done = source, done

    def run(self) -> None:
        try:
            written = Conversion(self._source, canonical(self._source))
        except CannotSave as error:
            self._done(Conversion(self._source, "", str(error)))
            return
        self._done(written)
        self._done(checked(written))


def canonical(source: CompileResult, folder: str | None = None) -> str:
    """A model that has a text as canonical MJCF, with file names relative to `folder`; None: to its own. Another
    process compiles it again for this: the window has no specification of it. Raises CannotSave."""

    compiler = workers.compiler.client.Compiler()
    try:
        result = compiler.compile(workers.compiling.CompileRequest(source.path, source.document, seed=source.seed))
        assert result is not None
        if result.model is None:
            raise CannotSave(str(ModelError(result.diagnostics)))
        return compiler.written(result, folder)
    finally:
        compiler.close()


def save(source: CompileResult, path: str) -> None:
    """Write a model in the format of the extension, as kinetree.engine.storage.saving.save does."""
    model = source.model
    assert model is not None
    if storage.saving.format_of(path) == ".xml":
        storage.saving.write(path, canonical(source, os.path.dirname(path)).encode("utf-8", "surrogateescape"))
    else:
        storage.saving.save(model, path)


def checked(written: Conversion) -> Conversion:
    """The conversion with the compiler's findings about its text."""

    document, before = written.source.document, written.source.model
    assert document is not None and before is not None
    text = engine.document.document.Document.from_string(written.text, document.base, name="<converted>")
    compiler = workers.compiler.client.Compiler()
    try:
        compiled = compiler.compile(workers.compiling.CompileRequest("<converted>", text))
    finally:
        compiler.close()
    assert compiled is not None
    found = None if compiled.model is None else list(engine.model.compare.differing(before, compiled.model))
    return replace(written, is_compiled=True, diagnostics=compiled.diagnostics, differing=found)
