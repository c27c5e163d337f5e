"""The command line. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import os
import re
import sys

from kinetree import engine
from kinetree.app import commands, running
from kinetree.app.terminal import USAGE_ERROR, UsageError, command, fail
from kinetree.engine import translation
from kinetree.engine.platforms import display, languages
from kinetree.engine.resources import packages
from kinetree.engine.translation import tr

WINDOW_PACKAGES = (
    "libegl1 libgl1 libgl1-mesa-dri libdbus-1-3 libfontconfig1 libglib2.0-0 libxcb-cursor0 libxkbcommon-x11-0"
)


def main(arguments: list[str] | None = None) -> int:
    """Run a command line; the exit code. Never shows a traceback for a user's mistake."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    # On one thread the inverse inertia has the same bits on every machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if arguments[:2] == ["completion", "--names"]:  # a shell waits for it after each press of Tab
        return commands.completion.print_names(*arguments[2:3] or [""])
    translation.install(languages.wanted())
    try:
        if arguments and arguments[0] in commands.parsers.COMMANDS:
            return _command(arguments[0], arguments[1:])
        return _window(arguments)
    except UsageError as error:
        return fail(str(error), USAGE_ERROR)
    except ImportError as error:
        # The dynamic linker's words, in every language.
        if not re.match(r"lib\S+\.so\S*: ", str(error)):
            raise
        return fail(
            tr(
                "the system lacks a library: {error}. Install the package that has it; on Debian and Ubuntu a window "
                "needs {packages}",
                error=error,
                packages=WINDOW_PACKAGES,
            )
        )
    except BrokenPipeError:
        # The reader of our output went away: nothing is wrong with us.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _command(name: str, arguments: list[str]) -> int:
    packages.use(lambda: commands.common.package_folders())  # read when the first one is needed
    parser = commands.parsers.command_parser(name)
    options = parser.parse_args(arguments)
    commands.arguments.resolve(parser, options, commands.named.path_of)
    return commands.parsers.module_of(name).run(options)


def _window(arguments: list[str]) -> int:
    parser = commands.parsers.window_parser()
    options, rest = parser.parse_known_intermixed_args(arguments)
    if rest:
        mistake = tr("unknown option {options!r}", options=rest[0])
        raise UsageError(tr("{mistake} (see {command} --help)", mistake=mistake, command=command()))
    seed = commands.arguments.seed_of(options)
    found = {model: _found(model) for model in options.models}
    name = next((model for model in found if len(found) == 1 and not _is_certain(found[model])), "")
    files = [] if name else running.arguments.files_of(options, lambda model: _path(model, found.get(model)))
    if not display.is_set():
        model = options.models[0] if options.models else "MODEL.xml"
        other = command("render", model, "-o", "picture.png")
        return fail(tr("no display is available for the window; `{other}` renders without one", other=other))
    lock = None
    if files and seed is None and not options.new_window:
        files, lock = running.client.hand_over(files)
        if not files:
            return 0
    return commands.window.run(files, seed, lock, name)


def _found(model: str) -> engine.library.find.FoundModels | None:
    """The models that a word means by their names; None for a path. Raises UsageError for a word that means none."""
    if os.path.isfile(model) or not engine.library.find.is_name(model):
        return None
    found = engine.library.find.find(model, os.getcwd())
    if found.models:
        return found
    if os.path.exists(model):
        return None  # a folder: the window says why it is no model
    raise UsageError(commands.named.unknown(model, found, commands.parsers.COMMANDS))


def _is_certain(found: engine.library.find.FoundModels | None) -> bool:
    """Whether the path of the model is known without a question."""
    return found is None or (len(found.models) == 1 and not found.models[0].download)


def _path(model: str, found: engine.library.find.FoundModels | None) -> str:
    """The path of a model; on a terminal the user is asked where several have the name. Raises UsageError."""
    if found is None:
        return model
    return found.models[0].path if _is_certain(found) else commands.named.path_of(model)
