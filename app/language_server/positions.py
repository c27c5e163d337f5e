"""Places of the protocol (lines and columns in code units) from and to character offsets of a source."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import quote

from lsprotocol import types
from pygls import uris

from kinetree.engine.document.edit import Edit
from kinetree.engine.document.files import file_key
from kinetree.engine.document.source import Source

__all__ = ["PositionEncoding", "key_of", "uri_of"]


class PositionEncoding:
    """Conversion for the encoding that client and server agreed on."""

    def __init__(self, encoding: str) -> None:
        self._wide = {"utf-8": lambda c: len(c.encode("utf-8", "surrogatepass")), "utf-32": lambda c: 1}.get(
            encoding, lambda c: 2 if c > "\uffff" else 1
        )

    def offset(self, source: Source, position: types.Position) -> int:
        """The character offset of a position; a place outside the text is moved into it."""
        starts = source.line_starts
        if position.line >= len(starts):
            return len(source.text)
        start = starts[max(position.line, 0)]
        end = starts[position.line + 1] if position.line + 1 < len(starts) else len(source.text)
        line = source.text[start:end].rstrip("\r\n")
        if line.isascii():
            return start + min(max(position.character, 0), len(line))
        units, count = 0, 0
        for character in line:
            if units >= position.character:
                break
            units += self._wide(character)
            count += 1
        return start + count

    def place(self, source: Source, offset: int) -> tuple[int, int]:
        """(line, column) of a character offset, both counted from 0."""
        line, column = source.line_column(offset)
        if source.text.isascii():
            return line - 1, column - 1
        before = source.text[offset - column + 1 : offset]
        return line - 1, len(before) if before.isascii() else sum(map(self._wide, before))

    def places(self, source: Source) -> Callable[[int], tuple[int, int]]:
        """Positions of many offsets in one source; see `place`."""
        if not source.text.isascii():
            return partial(self.place, source)
        starts = source.line_starts

        def place(offset: int) -> tuple[int, int]:
            line = bisect_right(starts, offset) - 1
            return line, offset - starts[line]

        return place

    def position(self, source: Source, offset: int) -> types.Position:
        """The position of a character offset."""
        return types.Position(*self.place(source, offset))

    def range(self, source: Source, start: int, end: int) -> types.Range:
        """The range of a stretch of characters."""
        return types.Range(self.position(source, start), self.position(source, end))

    def text_edit(self, source: Source, edit: Edit) -> types.TextEdit:
        """An edit as the protocol says it."""
        return types.TextEdit(self.range(source, edit.start, edit.end), edit.text)


def key_of(uri: str) -> str:
    """The absolute path of a file; for a URI that is no file (an unsaved buffer), an unused name in the current
    folder.
    """
    path = uris.to_fs_path(uri)
    if path is None:
        return os.path.join(os.getcwd(), f"<{quote(uri, safe='')}>")
    return file_key(path, os.getcwd())


def uri_of(key: str) -> str:
    """The address of a file."""
    return Path(key).as_uri()
