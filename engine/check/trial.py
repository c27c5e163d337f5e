"""Compiles the result of an edit before the edit is made.

    why = why_broken(document, step.after)      None: the edit can be made

The window refuses a structural edit that would turn a model that compiles into one that does not. A text with errors
may be edited in any way: it is on its way to a model. For worker threads, since this takes as long as compiling.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import Diagnostic, ModelError, Severity
from kinetree.engine.progress import Cancelled, is_cancelled
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.parsed import ParsedSource

LIMIT = 2.0
"""How long a version is compiled, s. An edit of a model that takes longer is made without an answer: the compile thread
shows the errors of its result."""


def why_broken(document: Document, texts: Mapping[str, ParsedSource], limit: float = LIMIT) -> str | None:
    """Why a document that compiles would not compile with other versions of some of its texts; None if it would, if the
    document has errors already, or if that is not known after `limit` seconds. Raises Cancelled, see
    `kinetree.engine.progress`."""
    known = document.parsed
    after = document.with_parsed({path: parsed for path, parsed in texts.items() if path in known})
    until = time.monotonic() + 2 * limit
    error = _first_error(after, limit)
    if error is None or _first_error(document, until - time.monotonic()) is not None:
        return None
    return tr("the model would not compile: {why}", why=_described(document, after.completed(), error))


def _first_error(document: Document, limit: float) -> Diagnostic | None:
    """The first error of a document, None if it compiles or if that is not known in time."""
    until = time.monotonic() + limit
    try:
        compile_document(document.completed(), cancelled=_ends_at(until))
    except ModelError as error:
        return next(each for each in error.diagnostics if each.severity is Severity.ERROR)
    except Cancelled:
        if is_cancelled():
            raise
    return None


def _ends_at(until: float) -> Callable[[], bool]:
    return lambda: time.monotonic() > until or is_cancelled()


def _described(before: Document, after: Document, error: Diagnostic) -> str:
    """The message of an error of `after`, with the element that has it and the line where the user sees that now."""
    try:
        place = after.source_of(error.file).offset(error.line, error.column)
        node = after.node_at(error.file, place)
    except KeyError:  # a file that is no text of the model, such as a mesh
        return error.message
    if node is None:
        return error.message
    own = before.node(node.id)
    if own is None:
        return tr("{why} (the new <{tag}>)", why=error.message, tag=node.tag)
    if own.tag == "key" and error.code == "wrong-count":  # the message says how to correct it after the edit
        return tr("the keyframe in line {line} would not fit any more; delete it first", line=own.line)
    return tr("{why} (<{tag}> in line {line})", why=error.message, tag=own.tag, line=own.line)
