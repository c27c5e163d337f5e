"""The parsers of the command line: of the window, and of each command. The manual page and the completion in shells are
made from them."""

from __future__ import annotations

import argparse
from importlib import import_module
from types import ModuleType
from typing import Any

from kinetree import __version__, app
from kinetree.app.commands.arguments import Parser, add_model, add_seed
from kinetree.app.terminal import command
from kinetree.engine.translation import marked, tr

COMMANDS = {
    "render": marked("render a picture of a model without a window"),
    "simulate": marked("simulate a model without a window, and record its states"),
    "check": marked("list the errors and warnings of models"),
    "bench": marked("measure steps per second and the time of each stage"),
    "convert": marked("convert a model to canonical MJCF or to the binary .kmodel"),
    "thumbnail": marked("write a small picture of a model for a file manager"),
    "lsp": marked("serve other editors with completion, hover, errors and more"),
    "schema": marked("print the schema of MJCF for other editors"),
    "register": marked("open models with Kinetree on a double-click"),
    "extras": marked("list, install or remove large packages that few features need"),
    "completion": marked("print a script that completes command lines in a shell"),
}


def module_of(name: str) -> Any:
    """The module of a command: `add_arguments(parser)` and `run(options)`."""
    return import_module(f"kinetree.app.commands.{name}")


def command_parser(name: str) -> Parser:
    """The parser of a command."""
    module: ModuleType = module_of(name)
    parser = Parser(prog=command(name), description=tr((module.__doc__ or "").splitlines()[0]), allow_abbrev=False)
    module.add_arguments(parser)
    return parser


def window_parser() -> Parser:
    """The parser of `kinetree` without a command, which opens the window."""
    commands = "\n".join(f"  {name:<10} {tr(text)}" for name, text in COMMANDS.items())
    parser = Parser(
        prog=command(),
        description=tr("Open, simulate and render robot and physics models: MJCF, URDF and x_xy."),
        epilog=tr(
            "commands:\n{commands}\n\n{command} COMMAND --help describes a command.",
            commands=commands,
            command=command(),
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"kinetree {__version__}")
    add_model(
        parser,
        "models",
        metavar="MODEL",
        nargs="*",
        help=tr(
            "model files to open, each in a window: FILE, FILE:LINE or FILE:LINE:COLUMN; or names, such as those of "
            "examples (default: the start page)"
        ),
    )
    app.running.arguments.add_arguments(parser)
    add_seed(parser)
    return parser
