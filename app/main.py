"""The command line. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import argparse
import os
import re
import sys
from importlib import import_module

from kinetree import __version__, app
from kinetree.app.terminal import USAGE_ERROR, UsageError, command, fail
from kinetree.engine import translation
from kinetree.engine.translation import marked, tr

COMMANDS = {
    "render": marked("render a picture of a model without a window"),
    "simulate": marked("simulate a model without a window, and record its states"),
    "check": marked("list the errors and warnings of models"),
    "bench": marked("measure steps per second and the time of each stage"),
    "convert": marked("convert a model to canonical MJCF or to the binary .kmodel"),
    "lsp": marked("serve other editors with completion, hover, errors and more"),
    "schema": marked("print the schema of MJCF for other editors"),
    "register": marked("open models with Kinetree on a double-click"),
}


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose errors are one line."""

    def error(self, message: str):
        raise UsageError(tr("{message} (see {prog} --help)", message=message, prog=self.prog))


def main(arguments: list[str] | None = None) -> int:
    """Run a command line; the exit code. Never shows a traceback for a user's mistake."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    # On one thread the inverse inertia has the same bits on every machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    translation.install(translation.wanted())
    try:
        if arguments and arguments[0] in COMMANDS:
            return _command(arguments[0], arguments[1:])
        return _window(arguments)
    except UsageError as error:
        return fail(str(error), USAGE_ERROR)
    except BrokenPipeError:
        # The reader of our output went away: nothing is wrong with us.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _command(name: str, arguments: list[str]) -> int:
    module = import_module(f"kinetree.app.commands.{name}")
    parser = Parser(prog=command(name), description=tr((module.__doc__ or "").splitlines()[0]), allow_abbrev=False)
    module.add_arguments(parser)
    return module.run(parser.parse_args(arguments))


def _window(arguments: list[str]) -> int:
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
    parser.add_argument("model", metavar="MODEL", nargs="?", help=tr("model file to open (default: an example)"))

    app.commands.common.add_seed(parser)
    options, rest = parser.parse_known_args(arguments)
    mistake = _mistake(options.model, rest)
    if mistake:
        raise UsageError(tr("{mistake} (see {command} --help)", mistake=mistake, command=command()))
    seed = app.commands.common.seed_of(options)
    if not has_display():
        model = options.model or "MODEL.xml"
        other = command("render", model, "-o", "picture.png")
        return fail(tr("no display is available for the window; `{other}` renders without one", other=other))

    return app.commands.window.run(options.model or "", seed)


def _mistake(model: str | None, rest: list[str]) -> str | None:
    """Error in the model and the arguments after it, None if there is none."""
    if model is not None and re.fullmatch("[a-z]+", model) and not os.path.exists(model):
        return tr(
            "there is no command and no file {model!r}: the commands are {names}",
            model=model,
            names=", ".join(COMMANDS),
        )
    options = [word for word in rest if word.startswith("-")]
    if options:
        return tr("unknown option {options!r}", options=options[0])
    return tr("the window opens one model at a time: leave out {rest!r}", rest=rest[0]) if rest else None


def has_display() -> bool:
    """Whether a display for a window is set."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
