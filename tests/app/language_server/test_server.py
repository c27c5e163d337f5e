"""`kinetree lsp` driven by a client of the protocol, as an editor does."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

from kinetree.app.language_server.whole import LEGEND
from kinetree.engine.diagnostics import SHOWN
from tests.conftest import ROOT
from tests.patience import LIMIT

COMMAND = [sys.executable, "-m", "kinetree", "lsp"]

MODEL = """<mujoco>
  <asset><material name="steel" rgba="1 0 0 1"/></asset>
  <worldbody>
    <body name="arm">
      <joint name="elbow" damping="0.1"/>
      <geom name="g" type="box" size="1 1 1" material="steel"/>
    </body>
    <include file="part.xml"/>
  </worldbody>
</mujoco>
"""
PART = '<mujocoinclude>\n  <geom name="floor" type="plane" size="1 1 1" material="steel"/>\n</mujocoinclude>\n'


class Client(LanguageClient):
    """A client that remembers what the server says on its own."""

    def __init__(self) -> None:
        super().__init__("test", "1")
        self.found: dict[str, list[types.Diagnostic]] = {}
        self.news = asyncio.Event()
        self.messages: list[str] = []
        self.complaints = ""

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def findings(params: types.PublishDiagnosticsParams) -> None:
            self.found[params.uri] = list(params.diagnostics)
            self.news.set()

        @self.feature(types.WINDOW_SHOW_MESSAGE)
        def message(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)

    async def server_exit(self, server: asyncio.subprocess.Process) -> None:
        assert server.stderr is not None
        self.complaints = (await server.stderr.read()).decode()

    def open(self, path: Path, text: str | None = None) -> types.TextDocumentIdentifier:
        """Open a file, with its text on the disk or another one."""
        text = path.read_text() if text is None else text
        item = types.TextDocumentItem(path.as_uri(), "xml", 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return types.TextDocumentIdentifier(path.as_uri())

    def type(self, path: Path, line: int, start: int, end: int, text: str) -> None:
        """Replace characters of a line."""
        where = types.Range(types.Position(line, start), types.Position(line, end))
        change = types.TextDocumentContentChangePartial(range=where, text=text)
        identifier = types.VersionedTextDocumentIdentifier(uri=path.as_uri(), version=2)
        self.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))

    async def until(self, fulfilled: Callable[[], bool]) -> None:
        """Wait for findings."""
        async with asyncio.timeout(LIMIT):
            while not fulfilled():
                self.news.clear()
                await self.news.wait()


def session(body: Callable[[Client], Awaitable[None]], capabilities: types.ClientCapabilities | None = None) -> Client:
    """Start the server, talk to it, and end it as an editor does. It says nothing but what the protocol asks for."""

    async def talk() -> Client:
        client = Client()
        await client.start_io(*COMMAND, cwd=ROOT)
        server = client._server
        assert server is not None
        try:
            async with asyncio.timeout(2 * LIMIT):
                await client.initialize_async(types.InitializeParams(capabilities or types.ClientCapabilities()))
                client.initialized(types.InitializedParams())
                await body(client)
                await client.shutdown_async(None)
                client.exit(None)
                assert await server.wait() == 0
        finally:
            if server.returncode is None:
                server.kill()
            await client.stop()
        return client

    client = asyncio.run(talk())
    assert client.complaints == ""
    assert client.messages == []
    return client


def place(text: str, before: str) -> types.Position:
    """The position behind the first `before`."""
    offset = text.index(before) + len(before)
    line = text.count("\n", 0, offset)
    return types.Position(line, offset - (text.rfind("\n", 0, offset) + 1))


def cut(text: str, where: types.Range) -> str:
    """The characters of a range on one line."""
    assert where.start.line == where.end.line
    return text.split("\n")[where.start.line][where.start.character : where.end.character]


def applied(text: str, edits: list[types.TextEdit]) -> str:
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines))]
    for edit in sorted(edits, key=lambda edit: (-edit.range.start.line, -edit.range.start.character)):
        first = starts[edit.range.start.line] + edit.range.start.character
        last = starts[edit.range.end.line] + edit.range.end.character
        text = text[:first] + edit.new_text + text[last:]
    return text


def decoded(text: str, data) -> list[tuple[str, str, int]]:
    """(characters, type, modifiers) of semantic tokens."""
    lines, found = text.split("\n"), []
    line = column = 0
    for at in range(0, len(data), 5):
        down, right, length, kind, modifiers = data[at : at + 5]
        line, column = line + down, right if down else column + right
        found.append((lines[line][column : column + length], LEGEND.token_types[kind], modifiers))
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model.xml").write_text(MODEL)
    (tmp_path / "part.xml").write_text(PART)
    return tmp_path


def test_a_flood_of_findings_is_counted(tmp_path: Path) -> None:
    model = tmp_path / "model.xml"
    flood = '<frame sise="1"/>\n' * 3000
    model.write_text(f'<mujoco><worldbody>\n{flood}<geom sise="1"/>\n</worldbody></mujoco>\n')

    async def body(client: Client) -> None:
        client.open(model)
        await client.until(lambda: model.as_uri() in client.found)
        *_, last, error = client.found[model.as_uri()]
        assert len(client.found[model.as_uri()]) == SHOWN + 1
        assert last.message.endswith(f"(and {3000 - SHOWN} more of this kind)")
        assert error.severity == types.DiagnosticSeverity.Error

    session(body)


def test_names_over_several_files(folder: Path) -> None:
    model, part = folder / "model.xml", folder / "part.xml"

    async def body(client: Client) -> None:
        # Only the part is open: the model that includes it is found beside it.
        document = client.open(part)
        there = place(PART, 'material="st')
        (found,) = await client.text_document_definition_async(types.DefinitionParams(document, there))
        assert found.uri == model.as_uri()
        assert cut(MODEL, found.range) == "steel"
        context = types.ReferenceContext(include_declaration=True)
        references = await client.text_document_references_async(types.ReferenceParams(context, document, there))
        assert sorted((each.uri, cut(MODEL if "model" in each.uri else PART, each.range)) for each in references) == [
            (model.as_uri(), "steel"), (model.as_uri(), "steel"), (part.as_uri(), "steel"),
        ]  # fmt: skip
        highlights = await client.text_document_document_highlight_async(types.DocumentHighlightParams(document, there))
        assert [cut(PART, each.range) for each in highlights] == ["steel"]
        prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, there))
        assert (cut(PART, prepared.range), prepared.placeholder) == ("steel", "steel")
        edit = await client.text_document_rename_async(types.RenameParams(document, there, "iron"))
        texts = {model.as_uri(): MODEL, part.as_uri(): PART}
        assert {uri: applied(texts[uri], list(edits)) for uri, edits in edit.changes.items()} == {
            uri: text.replace("steel", "iron") for uri, text in texts.items()
        }
        with pytest.raises(JsonRpcException, match="there is no name here"):
            await client.text_document_rename_async(types.RenameParams(document, types.Position(0, 0), "iron"))
        symbols = await client.workspace_symbol_async(types.WorkspaceSymbolParams("o"))
        assert [(each.name, each.container_name) for each in symbols] == [("elbow", "joint"), ("floor", "geom")]

    session(body)


def test_names_of_attached_models(tmp_path: Path) -> None:
    arm, model = tmp_path / "arm.xml", tmp_path / "model.xml"
    texts = {
        arm: '<mujoco><worldbody><body name="a"><joint name="j"/><geom size="1"/></body></worldbody></mujoco>',
        model: '<mujoco><asset><model name="arm" file="arm.xml"/></asset><worldbody><frame>'
        '<attach model="arm" body="a" prefix="l_"/></frame></worldbody><actuator><motor joint="l_j"/></actuator></mujoco>',
    }
    for path, text in texts.items():
        path.write_text(text)

    async def body(client: Client) -> None:
        document, there = client.open(model), place(texts[model], 'joint="l')
        prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, there))
        assert (cut(texts[model], prepared.range), prepared.placeholder) == ("l_j", "j")
        for name in ("elbow", "l_elbow"):  # as the attached model says it, or as it is said here
            edit = await client.text_document_rename_async(types.RenameParams(document, there, name))
            assert {
                uri: applied({path.as_uri(): text for path, text in texts.items()}[uri], list(edits))
                for uri, edits in edit.changes.items()
            } == {
                arm.as_uri(): texts[arm].replace('"j"', '"elbow"'),
                model.as_uri(): texts[model].replace("l_j", "l_elbow"),
            }

    session(body)


def test_typing(folder: Path) -> None:
    model = folder / "model.xml"

    async def body(client: Client) -> None:
        document = client.open(model)
        # a line with a character beyond the basic plane before the place: columns count UTF-16 units
        client.type(model, 4, 0, 0, "      <!-- 𝄞 --><geom  pos=''/>\n")
        found = await client.text_document_completion_async(types.CompletionParams(document, types.Position(4, 23)))
        rgba = next(item for item in found.items if item.label == "rgba")
        assert rgba.text_edit.range == types.Range(types.Position(4, 23), types.Position(4, 23))
        assert rgba.text_edit.new_text == 'rgba="${1:0.5 0.5 0.5 1}"$0'
        assert "Colour" in rgba.documentation.value
        assert "pos" not in [item.label for item in found.items]
        client.type(model, 4, 23, 23, 'material="s" ')
        found = await client.text_document_completion_async(types.CompletionParams(document, types.Position(4, 34)))
        assert [(item.label, item.text_edit.new_text) for item in found.items] == [("steel", "steel")]
        hover = await client.text_document_hover_async(types.HoverParams(document, types.Position(4, 25)))
        assert "Material that gives the surface its look" in hover.contents.value
        assert hover.range.start.character == 23
        pair = await client.text_document_linked_editing_range_async(
            types.LinkedEditingRangeParams(document, types.Position(2, 5))
        )
        assert [(each.start.line, each.start.character) for each in pair.ranges] == [(2, 3), (9, 4)]
        client.type(model, 4, 0, 0, "<body>")
        options = types.FormattingOptions(2, True)
        edits = await client.text_document_on_type_formatting_async(
            types.DocumentOnTypeFormattingParams(document, types.Position(4, 6), ">", options)
        )
        assert [edit.new_text for edit in edits] == ["</body>"]
        client.type(model, 4, 6, 6, "</body></body>")
        edits = await client.text_document_on_type_formatting_async(
            types.DocumentOnTypeFormattingParams(document, types.Position(4, 13), ">", options)
        )
        assert [(edit.new_text, edit.range.start.character, edit.range.end.character) for edit in edits] == [
            ("", 13, 20)
        ]

    item = types.ClientCompletionItemOptions(snippet_support=True)
    completion = types.CompletionClientCapabilities(completion_item=item)
    session(body, types.ClientCapabilities(text_document=types.TextDocumentClientCapabilities(completion=completion)))


def test_findings_follow_the_unsaved_texts(folder: Path) -> None:
    model, part = folder / "model.xml", folder / "part.xml"

    async def body(client: Client) -> None:
        client.open(model)
        await client.until(lambda: model.as_uri() in client.found)
        assert not [each for each in client.found[model.as_uri()] if each.severity is types.DiagnosticSeverity.Error]
        client.open(part, PART.replace("plane", "plain"))
        await client.until(lambda: bool(client.found.get(part.as_uri())))
        (found,) = client.found[part.as_uri()]
        assert (found.code, found.source, found.severity) == ("bad-choice", "kinetree", types.DiagnosticSeverity.Error)
        assert cut(PART, found.range) == "plane"
        client.type(part, 1, found.range.start.character, found.range.end.character, "plane")
        await client.until(lambda: client.found[part.as_uri()] == [])
        client.type(model, 0, 0, 8, "<mujoco")
        await client.until(lambda: any(each.code == "xml-unclosed-tag" for each in client.found[model.as_uri()]))
        client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(model.as_uri())))
        client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(part.as_uri())))
        await client.until(lambda: not any(client.found.values()))

    session(body)


VERSIONED = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True)
    )
)


@pytest.mark.parametrize("capabilities", [None, VERSIONED])
def test_quick_fixes(tmp_path: Path, capabilities: types.ClientCapabilities | None) -> None:
    model = tmp_path / "model.xml"
    text = '<mujoco>\n<worldbody>\n<geom sise="1"/>\n<geom sise="2" rgba="1 0 0 1"/>\n</worldbody>\n</mujoco>\n'
    fixed = text.replace("sise", "size")

    async def body(client: Client) -> None:
        identifier = client.open(model, text)
        await client.until(lambda: len(client.found.get(model.as_uri(), ())) == 2)
        first, second = client.found[model.as_uri()]

        async def asked(
            where: types.Range, only: list[types.CodeActionKind | str] | None = None
        ) -> dict[str, types.CodeAction]:
            context = types.CodeActionContext([first], only)
            actions = await client.text_document_code_action_async(types.CodeActionParams(identifier, where, context))
            return {action.title: action for action in actions or () if isinstance(action, types.CodeAction)}

        def after(action: types.CodeAction) -> str:
            edit = action.edit
            assert edit is not None
            if capabilities is None:
                assert edit.changes is not None
                return applied(text, list(edit.changes[model.as_uri()]))
            (change,) = edit.document_changes or ()
            assert isinstance(change, types.TextDocumentEdit) and change.text_document.version == 1
            return applied(text, [each for each in change.edits if isinstance(each, types.TextEdit)])

        actions = await asked(first.range)
        one, every = actions["Change 'sise' to 'size'"], actions["Fix All of This Kind (unknown-attribute)"]
        assert len(actions) == 2 and one.is_preferred and one.kind == types.CodeActionKind.QuickFix
        assert after(one) == text.replace("sise", "size", 1) and after(every) == fixed
        assert tuple(one.diagnostics or ()) == (first,) and tuple(every.diagnostics or ()) == (first, second)
        assert await asked(first.range, [types.CodeActionKind.QuickFix])
        assert not await asked(first.range, [types.CodeActionKind.Refactor])
        assert not await asked(types.Range(types.Position(0, 0), types.Position(0, 3)))
        client.type(model, 2, 6, 10, "size")
        assert not await asked(second.range)  # of the old text
        await client.until(lambda: len(client.found[model.as_uri()]) == 1)
        assert list(await asked(second.range)) == ["Change 'sise' to 'size'"]

    session(body, capabilities)


def test_the_whole_text(folder: Path) -> None:
    model = folder / "model.xml"

    async def body(client: Client) -> None:
        text = MODEL.replace("      <joint", "  <joint")
        document = client.open(model, text)
        (top,) = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        assert [child.name for child in top.children] == ["asset", "worldbody"]
        assert top.children[1].children[0].children[0].name == "elbow"
        folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
        assert [(fold.start_line, fold.end_line) for fold in folds] == [(0, 9), (2, 8), (3, 6)]
        options = types.FormattingOptions(2, True)
        edits = await client.text_document_formatting_async(types.DocumentFormattingParams(document, options))
        assert applied(text, list(edits)) == MODEL
        whole = types.Range(types.Position(0, 0), types.Position(2, 0))
        ranged = types.DocumentRangeFormattingParams(document, whole, options)
        assert await client.text_document_range_formatting_async(ranged) == ()
        (colour,) = await client.text_document_document_color_async(types.DocumentColorParams(document))
        assert (cut(text, colour.range), colour.color) == ("1 0 0 1", types.Color(1.0, 0.0, 0.0, 1.0))
        presentation = types.ColorPresentationParams(document, types.Color(0.0, 0.5, 0.0, 1.0), colour.range)
        (label,) = await client.text_document_color_presentation_async(presentation)
        assert label.text_edit.new_text == "0 0.5 0 1"
        positions = [place(text, 'name="el')]
        (selection,) = await client.text_document_selection_range_async(types.SelectionRangeParams(document, positions))
        assert cut(text, selection.range) == "elbow"
        assert cut(text, selection.parent.range) == 'name="elbow"'
        everything = types.Range(types.Position(0, 0), types.Position(10, 0))
        hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, everything))
        assert "m" in [hint.label for hint in hints]
        tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
        assert decoded(text, tokens.data)[:4] == [
            ("steel", "variable", 1), ("1 0 0 1", "number", 0), ("arm", "variable", 1), ("elbow", "variable", 1),
        ]  # fmt: skip
        third = types.Range(types.Position(5, 0), types.Position(6, 0))
        tokens = await client.text_document_semantic_tokens_range_async(
            types.SemanticTokensRangeParams(document, third)
        )
        assert decoded(text, tokens.data) == [
            ("g", "variable", 1), ("box", "enumMember", 0), ("1 1 1", "number", 0), ("steel", "variable", 0),
        ]  # fmt: skip

    session(body)


def test_other_files_and_wrong_requests(tmp_path: Path) -> None:
    foreign = tmp_path / "pom.xml"
    foreign.write_text("<project><modelVersion/></project>")
    urdf = tmp_path / "arm.urdf"
    urdf.write_text('<robot name="r"><link name="a"/><joint name="j" type="fixed"><parent link=""/></joint></robot>')

    async def body(client: Client) -> None:
        document = client.open(urdf)
        there = place(urdf.read_text(), 'parent link="')
        found = await client.text_document_completion_async(types.CompletionParams(document, there))
        assert [item.label for item in found.items] == ["a", "world"]
        client.open(foreign)
        await client.until(lambda: urdf.as_uri() in client.found)
        assert foreign.as_uri() not in client.found
        unknown = types.TextDocumentIdentifier((tmp_path / "closed.xml").as_uri())
        assert await client.text_document_hover_async(types.HoverParams(unknown, types.Position(0, 0))) is None
        far = types.Position(10**6, 10**6)
        assert await client.text_document_hover_async(types.HoverParams(document, far)) is None
        broken = client.open(tmp_path / "broken.xml", "<mujoco><a")
        options = types.FormattingOptions(2, True)
        with pytest.raises(JsonRpcException, match="has no"):
            await client.text_document_formatting_async(types.DocumentFormattingParams(broken, options))
        untitled = types.TextDocumentItem("untitled:Untitled-1", "xml", 1, "<mujoco><world")
        client.text_document_did_open(types.DidOpenTextDocumentParams(untitled))
        found = await client.text_document_completion_async(
            types.CompletionParams(types.TextDocumentIdentifier(untitled.uri), types.Position(0, 14))
        )
        assert [item.label for item in found.items] == ["worldbody"]
        await client.until(lambda: untitled.uri in client.found)

    session(body)


def test_ends_with_its_client_and_says_what_it_is_for() -> None:
    done = subprocess.run(COMMAND, input=b"", capture_output=True, cwd=ROOT, timeout=LIMIT)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    garbage = b'Content-Length: 5\r\n\r\n{"a":'
    done = subprocess.run(COMMAND, input=garbage, capture_output=True, cwd=ROOT, timeout=LIMIT)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(b"kinetree lsp: ") and done.stderr.count(b"\n") == 1


def test_wrong_parameters_are_answered() -> None:
    body = b'{"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":{"a":1}}'
    request = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    done = subprocess.run(COMMAND, input=request, capture_output=True, cwd=ROOT, timeout=LIMIT)
    answer = json.loads(done.stdout.partition(b"\r\n\r\n")[2])
    assert (answer["id"], answer["error"]["code"]) == (7, -32602)
    assert b"Traceback" not in done.stdout + done.stderr


def test_a_killed_client_takes_the_server_with_it() -> None:
    server = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
    with server:
        assert server.stdin is not None
        time.sleep(0.2)
        server.stdin.close()
        assert server.wait(LIMIT) == 0
