"""Sends every request of the language server at random places of every model, before and after random edits.

    python -m tests.benchmark.language_server [FOLDER] [--places 6] [--seed 0] [--large-only]

The server is started as an editor does it, `kinetree lsp`. FOLDER has the models, by default the shared corpus beside
this clone; a text of 1 MB is made here. Printed are the median and the worst time of each request over the corpus and
for the large text. It fails where a request is answered with an error that is not a reason for the user, where the
server writes anything to stderr, and where a request about the large text takes more than 0.3 s, by the clock and of the
processor (so that a busy machine does not count). Needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kinetree.app.language_server.server import REQUEST_FAILED
from tests.app.language_server.test_server import COMMAND, Client
from tests.benchmark.bench_edit import branched
from tests.conftest import ROOT, SHARED

LIMIT = 0.3
SUFFIXES = (".xml", ".urdf", ".x_xy")
TYPED = ('"', "<", ">", "/", " ", "\n", "=", "&", "é", "😀", "<geom ", ' name="', "</", "<!--", "0.1 ", "class=")


class TimedClient(Client):
    """A client that notes when an answer has arrived, before it is turned into objects. `arrived`: of the newest."""

    def __init__(self) -> None:
        super().__init__()
        self.arrived = 0.0
        self._first: float | None = None
        whole = self.protocol.structure_message

        def structure(data: dict) -> object:
            """Called for each object of a message, the innermost first."""
            if self._first is None:
                self._first = time.perf_counter()
            if "jsonrpc" in data:
                if "id" in data and "method" not in data:
                    self.arrived = self._first
                self._first = None
            return whole(data)

        self.protocol.structure_message = structure


class Sweep:
    """A server, and how long its answers took, in seconds by the clock and of the processor. The latter includes what
    its other thread did meanwhile: it examines a model after each edit."""

    def __init__(self, client: TimedClient, server: int, seed: int) -> None:
        self.client, self.server, self.random = client, server, random.Random(seed)
        self.times: dict[str, list[float]] = defaultdict(list)
        self.work: dict[str, list[float]] = defaultdict(list)
        self.slow: list[str] = []
        self.errors: list[str] = []
        self.refused = 0

    async def ask(self, name: str, request: Callable[[], Awaitable], where: str) -> None:
        start, used = time.perf_counter(), self.used()
        try:
            await asyncio.wait_for(request(), 60)
        except JsonRpcException as error:
            if error.code == REQUEST_FAILED and "report it" not in error.message:
                self.refused += 1
            else:
                self.errors.append(f"{name} at {where}: {error.code} {error.message}")
        except TimeoutError:
            self.errors.append(f"{name} at {where}: no answer")
        spent = (self.client.arrived if self.client.arrived > start else time.perf_counter()) - start
        used = self.used() - used
        self.times[name].append(spent)
        self.work[name].append(used)
        if min(spent, used) > LIMIT:
            self.slow.append(f"{name} at {where}: {1e3 * spent:.0f} ms, {1e3 * used:.0f} of the processor")

    def used(self) -> float:
        """Seconds of the processor that the server has used."""
        fields = Path(f"/proc/{self.server}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def ask_all(self, path: Path, text: str) -> None:
        """Every request, those about a place at a random one."""
        client = self.client
        file = types.TextDocumentIdentifier(path.as_uri())
        lines = text.split("\n")
        line = self.random.randrange(len(lines))
        at = types.Position(line, self.random.randint(0, len(lines[line])))
        last = min(line + 40, len(lines) - 1)
        where = f"{path}:{line + 1}:{at.character + 1}"
        some = types.Range(types.Position(line, 0), types.Position(last, len(lines[last])))
        options = types.FormattingOptions(2, True)
        red = types.Color(1.0, 0.0, 0.0, 1.0)
        context = types.ReferenceContext(True)
        requests: dict[str, Callable[[], Awaitable]] = {
            "completion": lambda: client.text_document_completion_async(types.CompletionParams(file, at)),
            "hover": lambda: client.text_document_hover_async(types.HoverParams(file, at)),
            "onTypeFormatting": lambda: client.text_document_on_type_formatting_async(
                types.DocumentOnTypeFormattingParams(file, at, ">", options)
            ),
            "linkedEditingRange": lambda: client.text_document_linked_editing_range_async(
                types.LinkedEditingRangeParams(file, at)
            ),
            "definition": lambda: client.text_document_definition_async(types.DefinitionParams(file, at)),
            "references": lambda: client.text_document_references_async(types.ReferenceParams(context, file, at)),
            "documentHighlight": lambda: client.text_document_document_highlight_async(
                types.DocumentHighlightParams(file, at)
            ),
            "prepareRename": lambda: client.text_document_prepare_rename_async(types.PrepareRenameParams(file, at)),
            "rename": lambda: client.text_document_rename_async(types.RenameParams(file, at, "new_name")),
            "workspace/symbol": lambda: client.workspace_symbol_async(types.WorkspaceSymbolParams("a")),
            "documentSymbol": lambda: client.text_document_document_symbol_async(types.DocumentSymbolParams(file)),
            "foldingRange": lambda: client.text_document_folding_range_async(types.FoldingRangeParams(file)),
            "selectionRange": lambda: client.text_document_selection_range_async(
                types.SelectionRangeParams(file, [at, some.end])
            ),
            "formatting": lambda: client.text_document_formatting_async(types.DocumentFormattingParams(file, options)),
            "rangeFormatting": lambda: client.text_document_range_formatting_async(
                types.DocumentRangeFormattingParams(file, some, options)
            ),
            "documentColor": lambda: client.text_document_document_color_async(types.DocumentColorParams(file)),
            "colorPresentation": lambda: client.text_document_color_presentation_async(
                types.ColorPresentationParams(file, red, types.Range(at, at))
            ),
            "inlayHint": lambda: client.text_document_inlay_hint_async(types.InlayHintParams(file, some)),
            "semanticTokens": lambda: client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(file)),
            "semanticTokens/range": lambda: client.text_document_semantic_tokens_range_async(
                types.SemanticTokensRangeParams(file, some)
            ),
        }
        for name, request in self.random.sample(list(requests.items()), len(requests)):
            await self.ask(name, request, where)

    async def model(self, path: Path, text: str, places: int) -> None:
        """Open a text, ask, edit, ask again, close it."""
        self.client.open(path, text)
        for number in range(places):
            if number % 2:
                text = self.edit(path, text)
            await self.ask_all(path, text)
        file = types.TextDocumentIdentifier(path.as_uri())
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(file))

    def edit(self, path: Path, text: str) -> str:
        """Type something, or delete a few characters."""
        lines = text.split("\n")
        number = self.random.randrange(len(lines))
        line = lines[number]
        start = self.random.randint(0, len(line))
        end = min(start + self.random.choice((0, 0, 1, 5)), len(line))
        new = self.random.choice(TYPED)
        units = [len(line[:each].encode("utf-16-le")) // 2 for each in (start, end)]
        self.client.type(path, number, *units, new)
        lines[number] = line[:start] + new + line[end:]
        return "\n".join(lines)


async def talk(arguments: argparse.Namespace) -> int:
    client = TimedClient()
    await client.start_io(*COMMAND, cwd=ROOT)
    server = client._server
    assert server is not None
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
    client.initialized(types.InitializedParams())
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.xml"
        large.write_text(branched(6000))
        paths = [] if arguments.large_only else sorted(arguments.folder.rglob("*"))
        texts = []
        for path in paths:
            if path.suffix.lower() in SUFFIXES and path.is_file():
                texts.append((path, path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")))
        for title, models, places in (
            ("corpus", [each for each in texts if len(each[1]) < 900_000], arguments.places),
            ("1 MB", [(large, large.read_text()), *(each for each in texts if len(each[1]) >= 900_000)], 30),
        ):
            sweep = Sweep(client, server.pid, arguments.seed)
            for path, text in models:
                await sweep.model(path, text, places)
            print(f"{title}: {len(models)} texts, {sweep.refused} requests refused with a reason")
            for name, times in sorted(sweep.times.items()):
                work = sweep.work[name]
                print(
                    f"  {name:22} {1e3 * statistics.median(times):7.1f} ms median {1e3 * max(times):7.1f} worst; "
                    f"of the processor {1e3 * statistics.median(work):5.0f} median {1e3 * max(work):5.0f} worst"
                )
            for error in sweep.errors:
                print(f"  FAILED {error}")
            for slow in sweep.slow:
                print(f"  SLOW {slow}")
            failed += len(sweep.errors) + (len(sweep.slow) if title == "1 MB" else 0)
            sys.stdout.flush()
    await client.shutdown_async(None)
    client.exit(None)
    code = await server.wait()
    await client.stop()
    if client.complaints or client.messages or code:
        print(f"the server ended with {code} and said: {client.complaints} {client.messages}")
        failed += 1
    return int(failed > 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED / "corpus")
    parser.add_argument("--places", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--large-only", action="store_true")
    return asyncio.run(talk(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
