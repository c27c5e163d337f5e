"""Read first: the language server, one function for each request of the protocol.

A request is answered with the Document of the moment, which never changes. What takes a few milliseconds is answered in
the loop; outline, formatting, renaming and the like in a thread; findings come from `problems.py`. A wrong request gets
an error of one line.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import os
from collections.abc import Callable
from functools import partial
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from kinetree.app.language_server import replies, whole
from kinetree.app.language_server.positions import PositionEncoding, key_of, uri_of
from kinetree.app.language_server.problems import DELAY, Found, ModelProblems
from kinetree.app.language_server.texts import Texts, is_part
from kinetree.engine.assist import colours, completion, formatting, hover, meanings, navigation, outline, tags, units
from kinetree.engine.assist.kept import kept
from kinetree.engine.assist.names import CannotRename
from kinetree.engine.diagnostics import Diagnostic, ModelError
from kinetree.engine.document.change import Changes
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit, ordered
from kinetree.engine.document.source import Source
from kinetree.engine.editing.fixes import changes_of, fixes_of, fixes_of_all
from kinetree.engine.translation import tr

__all__ = ["Server", "make_server"]

logger = logging.getLogger(__name__)

REQUEST_FAILED, CONTENT_MODIFIED = -32803, -32801
PATIENCE = 2.0
"""Seconds that a request waits at most until the models of its file are looked up, after files were opened."""
MOST_ITEMS = 100
"""Items of a completion that are sent at once; the client asks again as the user types."""
TRIGGERS = ["<", "/", " ", '"', "'"]


class RequestRefused(JsonRpcException):
    """A request that cannot be fulfilled; the message is for the user."""

    def __init__(self, message: str) -> None:
        super().__init__(message, REQUEST_FAILED)


class ContentModified(JsonRpcException):
    """A text has changed since the request about it was sent: the client asks again where it wants to know."""

    def __init__(self) -> None:
        super().__init__(tr("the text has changed in the meantime: try again"), CONTENT_MODIFIED)


class Protocol(LanguageServerProtocol):
    """The protocol without pygls' own copies of the texts: `Texts` keeps them parsed. A request with wrong parameters
    is answered with an error, where pygls leaves its client waiting."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and "id" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise

    def _send_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        if error is not None or not isinstance(result, whole.Written) or self.writer is None:
            super()._send_response(msg_id, result, error)
            return
        self._result_types.pop(msg_id, None)
        body = f'{{"jsonrpc": "{self.VERSION}", "id": {json.dumps(msg_id)}, "result": {result}}}'.encode()
        header = f"Content-Length: {len(body)}\r\nContent-Type: {self.CONTENT_TYPE}; charset={self.CHARSET}\r\n\r\n"
        written = self.writer.write(header.encode() + body)
        if inspect.isawaitable(written):
            self._sending = asyncio.ensure_future(written)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams):
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams):
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams):
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None


class Server(LanguageServer):
    """The state of the server: the texts, how places are counted, and the findings."""

    def __init__(self, version: str, delay: float = DELAY) -> None:
        super().__init__("kinetree", version, protocol_cls=Protocol, converter_factory=default_converter)
        self.texts = Texts()
        self.positions = PositionEncoding("utf-16")
        self.problems = ModelProblems(self.publish, delay)
        self.snippets = False
        self.versioned = False
        self.is_vscode = False
        self._uris: dict[str, str] = {}
        self._versions: dict[str, int] = {}
        self._kept: dict[str, dict[str, whole.CachedParts]] = {}
        self._looking: asyncio.Task[None] | None = None  # looks up the models of the open files
        self._mains: set[str] = set()  # the models that are examined
        self._touched: set[str] = set()  # files whose models are examined once they are looked up

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Show no message in the client: it gets the error as the response to its request, and the log has an entry."""

    # ---- texts --------------------------------------------------------------------------------------

    def opened(self, uri: str, text: str, version: int = 0) -> None:
        key = key_of(uri)
        self._uris[key], self._versions[key] = uri, version
        self.texts.open(key, text)
        self.look_up(key)

    def closed(self, uri: str) -> None:
        key = key_of(uri)
        self.texts.close(key)
        self._uris.pop(key, None)
        self._versions.pop(key, None)
        self._kept.pop(key, None)
        self.look_up(key)

    def mains(self) -> set[str]:
        """The main files of the models that are open."""
        return {self.texts.main_of(key) for key in self.texts.paths}

    def look_up(self, *keys: str) -> None:
        """Look up the models of the open files in a thread, and examine those that these files are part of."""
        self._touched.update(keys)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.get_running_loop().create_task(self._look_up())

    async def _look_up(self) -> None:
        while self.texts.is_outdated:
            self.texts.take(await asyncio.to_thread(self.texts.survey()))
        before, self._mains = self._mains, self.mains()
        for main in before - self._mains:
            self.problems.forget(main)
        touched, self._touched = self._touched, set()
        for main in self._mains - before:
            self.problems.examine(main, partial(self.wanted, main))
        for key in touched:
            self.examine_all(key)

    async def settled(self, params: Any) -> None:
        """Wait until the models of the file that a request is about are known, for PATIENCE at most. Raises
        ContentModified where its text was changed in the meantime."""
        document = getattr(params, "text_document", None)
        key = None if document is None else key_of(document.uri)
        if self._looking is None or (key is not None and (not self.texts.is_open(key) or self.texts.is_sure(key))):
            return
        before = None if key is None else self.texts.parsed(key)
        await asyncio.wait({self._looking}, timeout=PATIENCE)
        if key is not None and (not self.texts.is_open(key) or self.texts.parsed(key) is not before):
            raise ContentModified

    def uri(self, key: str) -> str:
        """The address of a file, as the client writes it."""
        return self._uris.get(key) or uri_of(key)

    def place(self, uri: str) -> tuple[Document, Source]:
        """The model that an open file is part of, and the file. Raises KeyError if it is not open."""
        key = key_of(uri)
        document = self.texts.document(key)
        return document, document.source_of(key)

    def at(self, params: Any) -> tuple[Document, str, int]:
        """(document, path, offset) of a request about a place. Raises KeyError."""
        document, source = self.place(params.text_document.uri)
        return document, source.path, self.positions.offset(source, params.position)

    def source(self, document: Document, source: Source) -> str:
        """The address of one of a document's files, or of a model that it attaches."""
        try:
            return self.uri(document.path_of(source))
        except KeyError:
            return self.uri(os.path.abspath(source.path))

    def changed(self, key: str, version: int) -> None:
        """The client has sent a version of an open file."""
        self._versions[key] = version

    def workspace_edit(self, document: Document, changes: Changes) -> types.WorkspaceEdit:
        """Edits of one version of a document's files, which the client refuses where it has another one by now."""
        edits: dict[str, list[types.TextEdit]] = {}
        keys: dict[str, str] = {}
        for path, each in changes.items():
            source = document.source_of(path)
            uri = self.source(document, source)
            keys[uri] = document.path_of(source)
            edits[uri] = [self.positions.text_edit(source, edit) for edit in ordered(each)]
        if not self.versioned:
            return types.WorkspaceEdit(edits)
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(
                    types.OptionalVersionedTextDocumentIdentifier(uri, self._versions.get(keys[uri])), found
                )
                for uri, found in edits.items()
            ]
        )

    def kept(self, document: Document, source: Source, kind: str) -> whole.CachedParts:
        """The cached text parts of a file for one kind of answer."""
        return self._kept.setdefault(document.path_of(source), {}).setdefault(kind, whole.CachedParts())

    # ---- findings -----------------------------------------------------------------------------------

    def examine_all(self, key: str) -> None:
        """Examine the models that a file is part of."""
        for main in self.mains():
            if main == key or key in self.texts.model(main).files or not self.texts.is_open(key):
                self.problems.examine(main, partial(self.wanted, main))

    def wanted(self, main: str) -> Document | None:
        """The present text of a model; None if it is not for us: XML of another program, a part of no known model."""
        if main not in self.mains():
            return None
        document = self.texts.model(main)
        if self.texts.is_open(main) and is_part(self.texts.parsed(main)):
            return None
        return document if document.root.tag else None

    def publish(self, path: str, findings: Found) -> None:
        """Send the findings of a file."""
        found = [replies.diagnostic(item, source, self.positions) for item, source in findings]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(self.uri(path), found))


def make_server(version: str, delay: float = DELAY) -> Server:
    """The server with all that it answers."""
    server = Server(version, delay)
    for name, (function, options) in FEATURES.items():
        server.feature(name, options)(_guarded(server, function))
    return server


def _guarded(server: Server, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of a request, whose errors are one line: of a file that is not open nothing is known."""

    def failed(error: Exception) -> Exception:
        if isinstance(error, CannotRename | formatting.CannotFormat | ModelError):
            return RequestRefused(str(error))
        logger.error("%s: %s: %s", function.__name__, type(error).__name__, error)
        return RequestRefused(
            tr(
                "Kinetree failed on this request ({name}: {error}): please report it",
                name=type(error).__name__,
                error=error,
            )
        )

    if function in _NOTIFIED:

        def take(params: Any) -> Any:
            try:
                return function(server, params)
            except KeyError:
                return None
            except Exception as error:
                raise failed(error) from None

        return take

    async def answer(params: Any) -> Any:
        try:
            await server.settled(params)
            found = function(server, params)
            return await found if inspect.isawaitable(found) else found
        except KeyError:
            return None
        except ContentModified:
            raise
        except Exception as error:
            raise failed(error) from None

    return answer


FEATURES: dict[str, tuple[Callable[..., Any], Any]] = {}
"""Method of the protocol -> (function, its options)."""


_NOTIFIED: set[Callable[..., Any]] = set()
"""Those of the session, which are called at once, in the order of the messages."""


def _feature(name: str, options: Any = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A request about texts."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        FEATURES[name] = function, options
        return function

    return add


def _session(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Settings of the session from the client's request and its texts."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        FEATURES[name] = function, None
        _NOTIFIED.add(function)
        return function

    return add


# ---- the session ------------------------------------------------------------------------------------


@_session(types.INITIALIZE)
def initialize(server: Server, params: types.InitializeParams) -> None:
    encoding = server.workspace.position_encoding or types.PositionEncodingKind.Utf16
    server.positions = PositionEncoding(types.PositionEncodingKind(encoding).value)
    document = params.capabilities.text_document
    item = document.completion.completion_item if document and document.completion else None
    server.snippets = bool(item and item.snippet_support)
    workspace = params.capabilities.workspace
    edit = workspace.workspace_edit if workspace else None
    server.versioned = bool(edit and edit.document_changes)
    server.is_vscode = bool(params.client_info and "Code" in params.client_info.name)


@_session(types.SHUTDOWN)
def shutdown(server: Server, params: Any = None) -> None:
    server.problems.close()


@_session(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    server.opened(params.text_document.uri, params.text_document.text, params.text_document.version)


@_session(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    key = key_of(params.text_document.uri)
    for change in params.content_changes:
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            server.texts.replace(key, change.text)
            continue
        source = server.texts.parsed(key).source
        start = server.positions.offset(source, change.range.start)
        end = server.positions.offset(source, change.range.end)
        server.texts.change(key, [Edit(min(start, end), max(start, end), change.text)])
    server.changed(key, params.text_document.version)
    server.examine_all(key)
    if server.texts.is_outdated:
        server.look_up()


@_session(types.TEXT_DOCUMENT_DID_CLOSE)
def did_close(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    server.closed(params.text_document.uri)


@_session(types.TEXT_DOCUMENT_DID_SAVE)
def did_save(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    server.texts.changed_on_disk()
    server.look_up(key_of(params.text_document.uri))


@_session(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def did_change_watched_files(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    server.texts.changed_on_disk()
    server.look_up(*server.texts.paths)


# ---- typing -----------------------------------------------------------------------------------------


@_feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=TRIGGERS))
def complete(server: Server, params: types.CompletionParams) -> types.CompletionList:
    document, path, offset = server.at(params)
    source = document.source_of(path)
    found = completion.complete(document, path, offset, MOST_ITEMS)
    items = [
        replies.completion_item(item, number, source, offset, server.positions, server.snippets, server.is_vscode)
        for number, item in enumerate(found.items)
    ]
    return types.CompletionList(found.incomplete, items)


@_feature(types.TEXT_DOCUMENT_HOVER)
def hovering(server: Server, params: types.HoverParams) -> types.Hover | None:
    found = hover.hover(*server.at(params))
    if found is None:
        return None
    text = types.MarkupContent(types.MarkupKind.Markdown, found.markdown)
    return types.Hover(text, server.positions.range(found.span.source, found.span.start, found.span.end))


@_feature(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, types.DocumentOnTypeFormattingOptions(">"))
def close_tag(server: Server, params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit] | None:
    document, path, offset = server.at(params)
    parsed = document.parsed_of(path)
    missing = tags.missing_end_tag(parsed, offset)
    repeated = "" if missing else tags.repeated_end_tag(parsed, offset)
    if not missing and not repeated:
        return None
    return [server.positions.text_edit(parsed.source, Edit(offset, offset + len(repeated), missing))]


@_feature(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE)
def tag_pair(server: Server, params: types.LinkedEditingRangeParams) -> types.LinkedEditingRanges | None:
    document, path, offset = server.at(params)
    pair = tags.tag_pair(document.parsed_of(path), offset)
    if pair is None:
        return None
    source = document.source_of(path)
    return types.LinkedEditingRanges([server.positions.range(source, *stretch) for stretch in sorted(pair)])


# ---- findings ---------------------------------------------------------------------------------------


@_feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix]))
async def code_actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Quick fixes of the findings that the range touches, and of all findings of their kinds. A finding about an older
    text has none; it is published again soon."""
    wanted = params.context.only
    if wanted and not any(
        f"{_kind(types.CodeActionKind.QuickFix)}.".startswith(f"{kind}.") for kind in map(_kind, wanted)
    ):
        return []
    document, source = server.place(params.text_document.uri)
    start = server.positions.offset(source, params.range.start)
    end = server.positions.offset(source, params.range.end)
    present = [item for item, text in server.problems.of(document.path_of(source)) if text is source]

    def touches(item: Diagnostic) -> bool:
        first = source.offset(item.line, item.column)
        last = source.offset(item.end_line, item.end_column) if item.end_line else first
        return first <= end and start <= max(first, last)

    return await asyncio.to_thread(_code_actions, server, document, source, present, list(filter(touches, present)))


def _code_actions(
    server: Server, document: Document, source: Source, present: list[Diagnostic], touched: list[Diagnostic]
) -> list[types.CodeAction]:
    kind, actions = types.CodeActionKind.QuickFix, []
    for item in touched:
        found = [replies.diagnostic(item, source, server.positions)]
        for number, fix in enumerate(fixes_of(item, document)):
            edit = server.workspace_edit(document, changes_of([fix], document))
            actions.append(types.CodeAction(fix.title, kind, found, is_preferred=number == 0, edit=edit))
    for code in dict.fromkeys(item.code for item in touched):
        alike = [item for item in present if item.code == code]
        fixes = fixes_of_all(alike, document) if len(alike) > 1 else []
        if len(fixes) > 1:
            title = tr("Fix All of This Kind ({code})", code=code)
            edit = server.workspace_edit(document, changes_of(fixes, document))
            found = [replies.diagnostic(item, source, server.positions) for item in alike]
            actions.append(types.CodeAction(title, kind, found, edit=edit))
    return actions


def _kind(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


# ---- names ------------------------------------------------------------------------------------------


@_feature(types.TEXT_DOCUMENT_DEFINITION)
def definition(server: Server, params: types.DefinitionParams) -> list[types.Location]:
    document, path, offset = server.at(params)
    found = []
    spans = navigation.definitions(document, path, offset)
    for main in server.texts.mains_of(key_of(params.text_document.uri)) if not spans else ():
        document = server.texts.model(main)  # another model that has the same part may declare it
        spans = spans or navigation.definitions(document, path, offset)
    for each in spans:
        if isinstance(each, str):
            start = types.Position(0, 0)
            found.append(types.Location(server.uri(each), types.Range(start, start)))
        else:
            found.append(_location(server, document, each))
    return found


@_feature(types.TEXT_DOCUMENT_REFERENCES)
async def references(server: Server, params: types.ReferenceParams) -> list[types.Location]:
    document, path, offset = server.at(params)
    with_declaration = params.context.include_declaration
    look = server.texts.look()
    found = await asyncio.to_thread(navigation.references_everywhere, document, path, offset, with_declaration, look)
    return [_location(server, document, span) for span in found]


@_feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def highlight(server: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    found = navigation.highlights(*server.at(params))
    return [types.DocumentHighlight(server.positions.range(s.source, s.start, s.end)) for s in found]


@_feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
async def prepare_rename(server: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
    document, path, offset = server.at(params)
    renamed = await asyncio.to_thread(navigation.rename_at, document, path, offset)
    span = renamed.here.span
    name = renamed.here.name.removeprefix(renamed.prefix)
    return types.PrepareRenamePlaceholder(server.positions.range(span.source, span.start, span.end), name)


@_feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
async def rename(server: Server, params: types.RenameParams) -> types.WorkspaceEdit:
    document, path, offset = server.at(params)
    look = server.texts.look()
    renamed = await asyncio.to_thread(navigation.rename_at, document, path, offset)
    owner, span = renamed.document, renamed.span
    # Of a name with the prefix of an attached model the rest is what that model calls it.
    name = params.new_name.removeprefix(renamed.prefix)
    changes = await asyncio.to_thread(navigation.rename_edits, owner, span.source.path, span.start, name, look)
    for key, parsed in look.texts.items():
        if key in changes and not (server.texts.is_open(key) and server.texts.parsed(key) is parsed):
            raise ContentModified
    edits = {}
    for key, found in changes.items():
        source = server.texts.source(key)
        edits[server.uri(key)] = [server.positions.text_edit(source, edit) for edit in found]
    return types.WorkspaceEdit(edits)


@_feature(types.WORKSPACE_SYMBOL)
async def workspace_symbols(server: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    documents = [server.texts.model(main) for main in server.mains()]
    found = await asyncio.to_thread(navigation.find_names, documents, params.query)
    return [
        types.WorkspaceSymbol(
            location=_location(server, document, navigation.name_span(spot, name)),
            name=name,
            kind=replies.symbol_kind(spot.subtree.tag),
            container_name=spot.subtree.tag,
        )
        for document, name, spot in found
    ]


def _location(server: Server, document: Document, span: Any) -> types.Location:
    return types.Location(
        server.source(document, span.source), server.positions.range(span.source, span.start, span.end)
    )


# ---- the whole text ---------------------------------------------------------------------------------


@_feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
async def document_symbols(server: Server, params: types.DocumentSymbolParams) -> whole.Written:
    document, source = server.place(params.text_document.uri)

    kept = server.kept(document, source, "symbols")
    return await asyncio.to_thread(whole.symbols, document, source.path, server.positions, kept)


@_feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
async def folding(server: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    document, source = server.place(params.text_document.uri)
    found = await asyncio.to_thread(outline.folds, document, source.path)
    comment = types.FoldingRangeKind.Comment
    return [types.FoldingRange(f.first - 1, f.last - 1, kind=comment if f.is_comment else None) for f in found]


@_feature(types.TEXT_DOCUMENT_SELECTION_RANGE)
def selection(server: Server, params: types.SelectionRangeParams) -> list[types.SelectionRange]:
    document, source = server.place(params.text_document.uri)
    result = []
    for position in params.positions:
        offset = server.positions.offset(source, position)
        inner: types.SelectionRange | None = None
        for start, end in navigation.around(document, source.path, offset):
            inner = types.SelectionRange(server.positions.range(source, start, end), inner)
        empty = types.SelectionRange(types.Range(position, position))
        result.append(inner or empty)
    return result


@kept
def _formatted(document: Document) -> dict[str, list[Edit]]:
    """Cache of `formatted` for one document: path of a file to the edits that format it. Filled on demand."""
    return {}


def formatted(document: Document, path: str) -> list[Edit]:
    """The edits that format a file. Raises CannotFormat."""
    known = _formatted(document)
    if path not in known:
        known[path] = formatting.format_edits(document, path)
    return known[path]


@_feature(types.TEXT_DOCUMENT_FORMATTING)
async def format_document(server: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    document, source = server.place(params.text_document.uri)
    edits = await asyncio.to_thread(formatted, document, source.path)
    return [server.positions.text_edit(source, edit) for edit in edits]


@_feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
async def format_range(server: Server, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
    document, source = server.place(params.text_document.uri)
    start = server.positions.offset(source, params.range.start)
    end = server.positions.offset(source, params.range.end)
    edits = await asyncio.to_thread(formatted, document, source.path)
    return [server.positions.text_edit(source, edit) for edit in edits if start <= edit.start and edit.end <= end]


@_feature(types.TEXT_DOCUMENT_DOCUMENT_COLOR)
async def document_colours(server: Server, params: types.DocumentColorParams) -> list[types.ColorInformation]:
    document, source = server.place(params.text_document.uri)
    found = await asyncio.to_thread(colours.colours, document, source.path)
    return [
        types.ColorInformation(server.positions.range(source, each.start, each.end), types.Color(*each.rgba))
        for each in found
    ]


@_feature(types.TEXT_DOCUMENT_COLOR_PRESENTATION)
def colour_presentation(server: Server, params: types.ColorPresentationParams) -> list[types.ColorPresentation]:
    document, source = server.place(params.text_document.uri)
    start = server.positions.offset(source, params.range.start)
    end = server.positions.offset(source, params.range.end)
    colour = params.color
    edit = colours.colour_edit(document, source.path, start, end, (colour.red, colour.green, colour.blue, colour.alpha))
    return [types.ColorPresentation(edit.text, server.positions.text_edit(source, edit))]


@_feature(types.TEXT_DOCUMENT_INLAY_HINT)
async def inlay_hints(server: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    document, source = server.place(params.text_document.uri)
    start = server.positions.offset(source, params.range.start)
    end = server.positions.offset(source, params.range.end)
    found = await asyncio.to_thread(units.units, document, source.path, start, end)
    return [
        types.InlayHint(server.positions.position(source, each.offset), each.unit, padding_left=True) for each in found
    ]


@_feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, whole.LEGEND)
async def semantic_tokens(server: Server, params: types.SemanticTokensParams) -> whole.Written:
    document, source = server.place(params.text_document.uri)
    return await asyncio.to_thread(
        whole.tokens, document, source.path, server.positions, server.kept(document, source, "tokens")
    )


@_feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, whole.LEGEND)
async def semantic_tokens_of_range(server: Server, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    document, source = server.place(params.text_document.uri)
    start = server.positions.offset(source, params.range.start)
    end = server.positions.offset(source, params.range.end)

    def answer() -> types.SemanticTokens:
        return types.SemanticTokens(
            whole.encoded(meanings.values_in(document, source.path, start, end), source, server.positions)
        )

    return await asyncio.to_thread(answer)
