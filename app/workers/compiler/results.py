"""The result of compiling a version, as a message: packed in the compiler process, unpacked in the window.

The texts that the compiler process read from the disk come along with the ids that it gave their elements. The window
parses them too, and puts its own ids in place of these. So every id in the window is the window's.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.app.workers.compiler.channel import Filled, Message
from kinetree.app.workers.compiler.texts import FIRST_OWN_ID
from kinetree.app.workers.compiling import CompileRequest, CompileResult
from kinetree.engine.compile import flat
from kinetree.engine.compile.provenance import Nodes, Provenance
from kinetree.engine.diagnostics import Diagnostics
from kinetree.engine.document.document import Document
from kinetree.engine.document.files import DocumentFiles, FileRead
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.source import decode_source

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

ORIGINS = "origins."


def pack(result: CompileResult, request: CompileRequest, found: Mapping[str, FileRead]) -> Message:
    """The message about a result. `found`: the files that were read from the disk for it."""
    arrays: dict[str, np.ndarray | Filled] = {}
    model, document = result.model, result.document
    plain = {
        "findings": [flat.plain_finding(item) for item in result.diagnostics],
        "files": result.files,
        "reads": [read.key for read in result.reads],
        "hashes": result.hashes,
        "started": result.started,
        "seconds": result.seconds,
        "recognised": result.recognised,
        "has_document": document is not None,
        "found": [_pack_found(read, arrays) for read in found.values()],
        "model": None if model is None else flat.plain(model),
        "attached": [],
    }
    if model is not None:
        arrays["model"] = Filled(model.packed_bytes, model.pack)
        if model.provenance is not None:
            arrays |= {ORIGINS + name: array for name, array in model.provenance.origins.arrays.items()}
            documents = model.provenance.nodes.documents
            plain["attached"] = [each.main_file for each in documents if each is not document]
    return Message(plain, arrays)


def _pack_found(read: FileRead, arrays: dict[str, np.ndarray | Filled]) -> dict[str, Any]:
    """A file that was read here."""
    row: dict[str, Any] = {"key": read.key}
    if read.parsed is None:
        return row | {"problem": flat.plain_finding(read.failure), "similar": list(read.similar)}
    name = f"found{len(arrays)}"
    arrays[f"{name}.data"] = np.frombuffer(read.parsed.source.data, np.uint8)
    arrays[f"{name}.ids"] = np.array(read.parsed.ids, np.int64)
    return row | {"path": read.parsed.source.path, "base": str(read.parsed.source.base), "name": name}


class Unpacked:
    """A result in the window. `found`: the texts that the compiler process read, parsed here, by path."""

    def __init__(self, message: Message, request: CompileRequest, before: Mapping[str, ParsedSource]):
        plain = message.plain
        self._arrays: dict[str, np.ndarray] = dict(message.arrays)  # pyright: ignore[reportAttributeAccessIssue]
        self._ids: list[tuple[np.ndarray, list[int]]] = []
        reads = {row["key"]: self._read(row, before.get(row["key"])) for row in plain["found"]}
        self.found = {key: read.parsed for key, read in reads.items() if read.parsed is not None}
        known = {} if request.document is None else request.document.known
        files = DocumentFiles({**known, **reads}, {}, from_disk=False)
        document = None
        if plain["has_document"]:
            if request.document is None:
                document = Document.of_read(files.known[plain["reads"][0]], files)
            else:
                document = request.document.provided(reads)
        model = None if plain["model"] is None else flat.unflattened(plain["model"], self._arrays["model"])
        if model is not None:
            self._trace(model, plain, document, files)
        self.result = CompileResult(
            version=request.version,
            path=request.path,
            model=model,
            diagnostics=[flat.finding(item) for item in plain["findings"]],
            files=plain["files"],
            reads=tuple(files.known[key] for key in plain["reads"]),
            hashes=plain["hashes"],
            started=plain["started"],
            fresh=request.fresh,
            seed=request.seed,
            seconds=plain["seconds"],
            document=document,
            recognised=plain["recognised"],
        )

    def _read(self, row: dict[str, Any], before: ParsedSource | None) -> FileRead:
        """A file that the compiler process has read. One that has not changed since it was read before keeps its
        elements."""
        key = row["key"]
        if "problem" in row:
            return FileRead(key, None, flat.finding(row["problem"]), tuple(row["similar"]))
        data = self._arrays[f"{row['name']}.data"].tobytes()
        parsed = before
        if parsed is None or parsed.source.data != data or parsed.source.path != row["path"]:
            remarks = Diagnostics()
            source = decode_source(row["path"], data, remarks, Path(row["base"]))
            parsed = ParsedSource.parse(source, remarks.items)
        self._ids.append((self._arrays[f"{row['name']}.ids"], parsed.ids))
        return FileRead(key, parsed)

    def _trace(self, model: Model, plain: dict[str, Any], document: Document | None, files: DocumentFiles) -> None:
        """Connect the objects of the model with the elements of the texts."""
        arrays = {name.removeprefix(ORIGINS): array for name, array in self._arrays.items() if name.startswith(ORIGINS)}
        origins = flat.origins(plain["model"], arrays)
        if origins is None or document is None:
            return
        attached = [Document.of_files(key, files) for key in plain["attached"]]
        model.provenance = Provenance(origins.with_ids(self._named), Nodes([document, *attached]))
        model.provenance.prepare_selection()

    def _named(self, ids: np.ndarray) -> np.ndarray:
        """The window's ids in place of those that the compiler process gave."""
        foreign = ids >= FIRST_OWN_ID
        if not foreign.any():
            return ids
        theirs = np.concatenate([each for each, _ in self._ids])
        ours = np.concatenate([np.array(each, np.int64) for _, each in self._ids])
        order = np.argsort(theirs)
        ids = ids.copy()
        ids[foreign] = ours[order][np.searchsorted(theirs[order], ids[foreign])]
        return ids
