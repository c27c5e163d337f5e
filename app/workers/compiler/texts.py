"""Texts in two processes: the window sends what is new of them, the compiler process keeps them with their trees.

The window owns the texts (engine/document/project.py). What it sends of each is an operation with a `key`, the path of
the file:

    whole   the text, and the ids of its elements in the order of the text
    edit    edits of the text that was sent before, and the ids of the elements that are read again by each
    place   the same text has another path, encoding or base
    found   the text that the compiler process itself read last, with the ids that the window gave its elements
    absent  a file that could not be read
    drop    a file that is not part of the project any more

Elements have the same ids (`Node.id`) on both sides. Those that the compiler process reads itself have ids from
`FIRST_OWN_ID` on until the window has named them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kinetree.engine.compile.flat import finding, plain_finding
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.files import FileRead
from kinetree.engine.document.parsed import Ancestry, ParsedSource
from kinetree.engine.document.source import Source

FIRST_OWN_ID = 1 << 40


class OutOfStep(Exception):
    """The two sides do not have the same texts: send all again."""


def encoded(text: str) -> np.ndarray:
    """A text as bytes; nothing that a file may hold is lost."""
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


def decoded(data: np.ndarray) -> str:
    """The text of bytes."""
    return data.tobytes().decode("utf-8", "surrogatepass")


class SentTexts:
    """The texts that the compiler process has, as the window knows it.

    found  texts that the compiler process has read last, as the window has parsed them
    """

    def __init__(self) -> None:
        self.found: dict[str, ParsedSource] = {}
        self._known: dict[str, FileRead] = {}

    def forget(self) -> None:
        """The compiler process is a new one, or did not take what was sent."""
        self._known, self.found = {}, {}

    def operations(self, known: Mapping[str, FileRead], arrays: dict[str, np.ndarray]) -> list[dict[str, Any]]:
        """Operations that give the compiler process these texts; their arrays are added to `arrays`."""
        made: list[dict[str, Any]] = [{"do": "drop", "key": key} for key in self._known if key not in known]
        for key, read in known.items():
            made += self._operation(read, self._known.get(key), key, arrays)
        self._known = dict(known)
        return made

    def _operation(
        self, read: FileRead, before: FileRead | None, key: str, arrays: dict[str, np.ndarray]
    ) -> Iterator[dict[str, Any]]:
        if before is not None and (before is read or (read.parsed is not None and before.parsed is read.parsed)):
            return
        if read.parsed is None:
            yield {
                "do": "absent",
                "key": key,
                "problem": plain_finding(read.failure),
                "similar": list(read.similar),
            }
            return
        parsed, old = read.parsed, None if before is None else before.parsed
        place = _place(parsed)
        name = str(len(arrays))
        steps = None if old is None else _steps(old, parsed)
        if steps is not None:
            for number, step in enumerate(steps):
                arrays[f"{name}.{number}"] = np.array(step.ids, np.int64)
                edits = [list(edit) for edit in step.edits]
                yield {"do": "edit", "key": key, "edits": edits, "ids": f"{name}.{number}"}
            assert old is not None
            if place != _place(old):
                yield {"do": "place", "key": key, "place": place}
            return
        arrays[f"{name}.ids"] = np.array(parsed.ids, np.int64)
        if self.found.get(key) is parsed:
            yield {"do": "found", "key": key, "ids": f"{name}.ids"}
            return
        arrays[f"{name}.text"] = encoded(parsed.source.text)
        yield {"do": "whole", "key": key, "text": f"{name}.text", "ids": f"{name}.ids", "place": place}


def _steps(old: ParsedSource, new: ParsedSource) -> tuple[Ancestry, ...] | None:
    """The edits that lead from one text to another; None where that is not known."""
    if old.number == new.number:
        return ()
    for number, step in enumerate(new.ancestry):
        if step.before == old.number:
            return new.ancestry[number:]
    return None


def _place(parsed: ParsedSource) -> list[Any]:
    """All of a source that is not its text, and what was found when it was decoded."""
    source = parsed.source
    decoding = [plain_finding(item) for item in parsed.decoding]
    return [source.path, str(source.base), source.encoding, source.bom.hex(), decoding]


class KeptTexts:
    """The texts in the compiler process.

    known  those of the window, by path
    found  those that were read here for the last version
    """

    def __init__(self) -> None:
        self.known: dict[str, FileRead] = {}
        self.found: dict[str, FileRead] = {}

    def take(self, operations: list[dict[str, Any]], arrays: Mapping[str, np.ndarray]) -> None:
        """Do what the window asks for. Raises OutOfStep."""
        try:
            for operation in operations:
                getattr(self, "_" + operation["do"])(operation, arrays)
        except (KeyError, ValueError, AssertionError) as error:
            self.known = {}
            raise OutOfStep(str(error)) from None

    def _put(self, key: str, parsed: ParsedSource) -> None:
        self.known[key] = FileRead(key, parsed)

    def _drop(self, operation: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        del self.known[operation["key"]]

    def _absent(self, operation: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        key = operation["key"]
        self.known[key] = FileRead(key, None, finding(operation["problem"]), tuple(operation["similar"]))

    def _whole(self, operation: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        path, base, encoding, bom, decoding = operation["place"]
        text = decoded(arrays[operation["text"]])
        source = Source(path, None, text, Path(base), encoding, bytes.fromhex(bom))
        parsed = ParsedSource.parse(source, [finding(item) for item in decoding])
        parsed.take_ids(arrays[operation["ids"]].tolist())
        self._put(operation["key"], parsed)

    def _edit(self, operation: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        edits = [Edit(*edit) for edit in operation["edits"]]
        before = self.known[operation["key"]].text
        self._put(operation["key"], before.followed(edits, arrays[operation["ids"]].tolist()))

    def _place(self, operation: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        path, base, encoding, bom, decoding = operation["place"]
        before = self.known[operation["key"]].text
        source = Source(path, None, before.source.text, Path(base), encoding, bytes.fromhex(bom))
        self._put(operation["key"], before.of_source(source, [finding(item) for item in decoding]))

    def _found(self, operation: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        key = operation["key"]
        parsed = self.found[key].text
        parsed.take_ids(arrays[operation["ids"]].tolist())
        self.known[key] = self.found[key]
