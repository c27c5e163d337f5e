"""Parts: files that make sense only within a model that includes them. The compile thread examines such a file within
that model, as the language server does.

    parts = Parts()
    models = parts.models(request, result)              # the models that include the file, without XML errors first
    around = compile_file(models[0].main_file, document=models[0])
    result = within(result, models, around)             # with the findings of that model about the file
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kinetree.engine import formats
from kinetree.engine.diagnostics import Diagnostic, Diagnostics, Severity
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.workers.compiling import CompileRequest, CompileResult
    from kinetree.engine.document.document import Document

CODE = "part-of-model"


class Parts:
    """Looks up the models that include a file. The folders are searched when the file is opened or has changed on the
    disk; while it is edited, only the models that were found then are read again. Owned by one thread."""

    def __init__(self) -> None:
        self._mains: dict[str, list[str]] = {}  # of the file that was looked up last

    def models(self, request: CompileRequest, result: CompileResult) -> list[Document]:
        """The models that include the file of a result, with the texts of the request; none for a model that stands
        alone."""
        document = result.document
        if document is None or request.surroundings is None or stands_alone(result):
            return []
        if formats.of(document.root.tag) is not None:  # only MJCF has parts
            return []
        surroundings = request.surroundings()
        path = document.main_file
        texts = {**request.texts, **{each: document.parsed_of(each) for each in document.files}}
        if request.fresh or request.from_disk or path not in self._mains:
            found = [each for each in surroundings.survey(texts).models(path).documents if each.main_file != path]
            self._mains = {path: [each.main_file for each in found]}
            return found
        found = []
        for main in self._mains[path]:
            try:
                model = surroundings.document(main, texts)
            except KeyError:  # it cannot be read any more
                continue
            if path in model.files:
                found.append(model)
        return found


def stands_alone(result: CompileResult) -> bool:
    """Whether a file is a model by itself: it compiles, and there is something in its world."""
    model = result.model
    return model is not None and (model.nbody > 1 or model.ngeom > 0)


def within(result: CompileResult, models: Sequence[Document], around: CompileResult) -> CompileResult:
    """The result of a file with the findings of the first of its models, in place of its own: what a part refers to is
    declared elsewhere in the model."""
    return replace(
        result,
        models=tuple(models),
        diagnostics=_findings(result, models, around, around.diagnostics),
        files=list(dict.fromkeys([*result.files, *around.files])),
        examined=None,
        around=around,
    )


def checked_within(result: CompileResult, items: list[Diagnostic]) -> list[Diagnostic]:
    """All findings of a file, from those about the model around it."""
    assert result.around is not None
    return _findings(result, result.models, result.around, items)


def _findings(
    result: CompileResult, models: Sequence[Document], around: CompileResult, items: list[Diagnostic]
) -> list[Diagnostic]:
    document = result.document
    assert document is not None
    own = [item for item in items if item.file in document.sources]
    found = Diagnostics()
    name = os.path.basename(models[0].main_file)
    elsewhere = [item for item in items if item.severity is Severity.ERROR and item.file not in document.sources]
    if around.model is None and elsewhere:
        message = tr(
            "this file is a part of '{model}', which has errors in other places ('{file}', line {line}): fix "
            "them there, then all of this file is checked",
            model=name,
            file=os.path.basename(elsewhere[0].file),
            line=elsewhere[0].line,
        )
    else:
        message = tr(
            "this file is a part of '{model}' and was checked within it; open '{model}' to see and simulate it",
            model=name,
        )
    found.info(document.root.tag_span if document.root.tag else document.source, CODE, message)
    return [*found.items, *own]
