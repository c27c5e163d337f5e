"""List the errors and warnings of models, as file:line:column: severity: message [code].

The exit code is 0 if every model loads, 1 if a model has errors (with --strict: or warnings), and 2 for wrong
arguments.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext

from kinetree import engine
from kinetree.app import workers
from kinetree.app.commands.arguments import add_model, add_seed, seed_of, takes
from kinetree.app.commands.common import shown_progress
from kinetree.app.terminal import UsageError, command, printable
from kinetree.engine import check, mjcf
from kinetree.engine.diagnostics import Diagnostic, all_kept, shown
from kinetree.engine.translation import tr


def add_arguments(parser) -> None:
    parser.epilog = tr(
        "exit code: 0 every model loads; 1 a model has errors (with --strict: or warnings); 2 wrong arguments"
    )
    add_model(parser, "models", metavar="MODEL", nargs="*", help=tr("model files, or names of models"))
    takes(
        parser.add_argument(
            "--disable",
            metavar="CODE",
            action="append",
            default=[],
            help=tr("do not report these codes (CODE,CODE,... or all)"),
        ),
        [*check.table.TABLE, "all"],
        in_lists=True,
    )
    takes(
        parser.add_argument(
            "--enable",
            metavar="CODE",
            action="append",
            default=[],
            help=tr("report only these codes, and errors (CODE,CODE,...)"),
        ),
        check.table.TABLE,
        in_lists=True,
    )
    parser.add_argument(
        "--select",
        metavar="XPATH",
        help=tr(
            "show only findings about the elements that an XPath expression selects and what is in them, and errors"
        ),
    )
    parser.add_argument("--all", action="store_true", help=tr("list all findings, not only the first of each kind"))
    parser.add_argument("--strict", action="store_true", help=tr("exit with 1 on warnings too"))
    parser.add_argument("--json", action="store_true", help=tr("write each finding as one line of JSON"))
    parser.add_argument("--list", action="store_true", help=tr("list all codes"))
    parser.add_argument("--long", action="store_true", help=tr("with --list: explain every code"))
    takes(parser.add_argument("--explain", metavar="CODE", help=tr("explain a code and its remedy")), check.table.TABLE)
    add_seed(parser)


def run(options) -> int:
    if options.explain is not None:
        print(check.explanations.explain(_codes([options.explain])[0]))
        return 0
    if options.list:
        print(check.explanations.long_table() if options.long else check.explanations.table(), end="")
        return 0
    if not options.models:
        raise UsageError(tr("name a MODEL (see {command})", command=command("check", "--help")))
    off = set(_codes(options.disable))
    only = set(_codes(options.enable))
    if "all" in off:
        off = set(check.table.TABLE)
    if only and options.disable:
        off -= only  # --disable all --enable one
    elif only and "all" not in only:
        off = set(check.table.TABLE) - only
    failed, seed = False, seed_of(options)
    for path in options.models:
        for item in findings(path, off, seed, options.select, options.all):
            print(_json(item) if options.json else printable(str(item)))
            failed |= item.severity.value == "error" or (options.strict and item.severity.value == "warning")
    sys.stdout.flush()
    return 1 if failed else 0


def findings(
    path: str, off=(), seed: int | None = None, select: str | None = None, whole: bool = False
) -> list[Diagnostic]:
    """The errors of a model, or else the findings of compiler and checks, in the order of the text. `select`: an XPath
    expression; of all but errors, only findings about what it selects. `whole`: all of them, not only the first ones
    of each kind. Raises UsageError for a wrong expression."""
    with all_kept() if whole or select is not None else nullcontext():
        items = _found(path, off, seed, select)
    return items if whole else shown(items)


def _found(path: str, off, seed: int | None, select: str | None) -> list[Diagnostic]:
    with shown_progress(path) as progress:
        result = workers.compiling.compile_file(path, progress, seed=seed, keep=True)
        assert result is not None, "nobody cancels it"
        if result.examined is None:
            items = [item for item in result.diagnostics if item.severity.value == "error" or item.code not in off]
        else:
            items = workers.compiling.check_file(result, off)
    return items if select is None or result.document is None else _selected(items, result.document, select)


def _selected(items: list[Diagnostic], document, expression: str) -> list[Diagnostic]:
    """The errors, and the findings about what an XPath expression selects."""
    try:
        chosen = engine.document.xpath.Selector(document.merged).select(expression)
    except engine.document.xpath.XPathError as error:
        raise UsageError(f"--select: {error}") from None
    if not chosen:
        print(
            printable(tr("{path}: nothing is selected by {expression}", path=document.path, expression=expression)),
            file=sys.stderr,
        )
    spans = [each.span for each in chosen]
    places = [(s.file, (s.line, s.column), (s.end_line, s.end_column)) for s in spans]
    return [
        item
        for item in items
        if item.severity.value == "error"
        or any(item.file == file and start <= (item.line, item.column) < end for file, start, end in places)
    ]


def _codes(words: list[str]) -> list[str]:
    """The codes in a list of comma-separated words. Raises UsageError for unknown codes."""

    codes = [code.strip() for word in words for code in word.split(",") if code.strip()]
    for code in codes:
        if code not in check.table.TABLE and code != "all":
            guess = mjcf.schema.nearest(code, check.table.TABLE)
            if guess:
                raise UsageError(tr("unknown code {code!r}; did you mean {guess!r}?", code=code, guess=guess))
            raise UsageError(tr("unknown code {code!r}; see {command}", code=code, command=command("check", "--list")))
    if not codes and words:
        raise UsageError(tr("name a CODE (see {command})", command=command("check", "--list")))
    return codes


def _json(item) -> str:
    import json

    return json.dumps(
        {
            "file": item.file,
            "line": item.line,
            "column": item.column,
            "end_line": item.end_line,
            "end_column": item.end_column,
            "severity": item.severity.value,
            "code": item.code,
            "message": item.message,
        }
    )
