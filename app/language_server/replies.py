"""Converts results of engine/assist to the types of the protocol."""

from __future__ import annotations

import re

from lsprotocol import types

from kinetree.app.language_server.positions import PositionEncoding
from kinetree.engine.assist.completion import Completion, CompletionKind
from kinetree.engine.diagnostics import Diagnostic, Severity
from kinetree.engine.document.source import Source

__all__ = ["completion_item", "diagnostic", "snippet", "symbol_kind"]

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_KINDS = {
    CompletionKind.ELEMENT: types.CompletionItemKind.Class,
    CompletionKind.END_TAG: types.CompletionItemKind.Class,
    CompletionKind.ATTRIBUTE: types.CompletionItemKind.Property,
    CompletionKind.KEYWORD: types.CompletionItemKind.EnumMember,
    CompletionKind.VALUE: types.CompletionItemKind.Value,
    CompletionKind.NAME: types.CompletionItemKind.Reference,
    CompletionKind.CLASS: types.CompletionItemKind.Interface,
    CompletionKind.FILE: types.CompletionItemKind.File,
    CompletionKind.FOLDER: types.CompletionItemKind.Folder,
}
_SYMBOLS = {
    "mujoco": types.SymbolKind.Module,
    "robot": types.SymbolKind.Module,
    "x_xy": types.SymbolKind.Module,
    "default": types.SymbolKind.Interface,
    "body": types.SymbolKind.Class,
    "link": types.SymbolKind.Class,
    "frame": types.SymbolKind.Namespace,
    "replicate": types.SymbolKind.Namespace,
    "joint": types.SymbolKind.Function,
    "freejoint": types.SymbolKind.Function,
    "geom": types.SymbolKind.Object,
    "site": types.SymbolKind.Key,
    "mesh": types.SymbolKind.File,
    "include": types.SymbolKind.File,
}
_SNIPPET_MARKS = re.compile(r"([\\$}])")


def symbol_kind(tag: str) -> types.SymbolKind:
    """The kind of symbol that stands for an element; an Object for most."""
    return _SYMBOLS.get(tag, types.SymbolKind.Field)


def diagnostic(item: Diagnostic, source: Source | None, positions: PositionEncoding) -> types.Diagnostic:
    """A finding; `source` is its file, None if that is not known."""
    if source is None:
        start = types.Position(item.line - 1, item.column - 1)
        end = types.Position(item.end_line - 1, item.end_column - 1) if item.end_line else start
        place = types.Range(start, end)
    else:
        first = source.offset(item.line, item.column)
        last = source.offset(item.end_line, item.end_column) if item.end_line else first
        place = positions.range(source, first, max(first, last))
    return types.Diagnostic(place, item.message, severity=_SEVERITIES[item.severity], code=item.code, source="kinetree")


def completion_item(
    item: Completion,
    number: int,
    source: Source,
    offset: int,
    positions: PositionEncoding,
    snippets: bool,
    is_vscode: bool,
) -> types.CompletionItem:
    """An item of completion; `number` is its rank.

    snippets   whether the client understands places to fill in
    is_vscode  whether the client is Visual Studio Code, which can be told to go on completing
    """
    # The protocol wants the characters that are replaced to be on one line.
    lines = source.line_starts
    line = source.line_column(offset)[0]
    start = max(item.start, lines[line - 1])
    end = min(item.end, len(source.text) if line >= len(lines) else lines[line] - 1)
    with_stops = snippets and item.stops != ((len(item.text), len(item.text)),)
    more = types.Command("Complete", "editor.action.triggerSuggest") if item.again and is_vscode else None
    return types.CompletionItem(
        item.label,
        kind=_KINDS[item.kind],
        detail=item.detail or None,
        documentation=types.MarkupContent(types.MarkupKind.Markdown, item.help) if item.help else None,
        sort_text=f"{number:04}",
        filter_text=item.label,
        insert_text_format=types.InsertTextFormat.Snippet if with_stops else types.InsertTextFormat.PlainText,
        insert_text_mode=types.InsertTextMode.AsIs,
        text_edit=types.TextEdit(
            positions.range(source, start, max(end, offset)), snippet(item) if with_stops else item.text
        ),
        command=more,
    )


def snippet(item: Completion) -> str:
    """The text of an item with its places to fill in as the protocol writes them."""
    parts = []
    position = 0
    for number, (start, end) in enumerate(item.stops, 1):
        parts.append(_SNIPPET_MARKS.sub(r"\\\1", item.text[position:start]))
        inner = _SNIPPET_MARKS.sub(r"\\\1", item.text[start:end])
        last = number == len(item.stops)
        parts.append(f"${{{0 if last else number}:{inner}}}" if inner else f"${0 if last else number}")
        position = end
    parts.append(_SNIPPET_MARKS.sub(r"\\\1", item.text[position:]))
    return "".join(parts)
