"""Print a script that completes command lines in a shell: commands, options, their values, model files and names.

Bash: `source <(kinetree completion bash)` in ~/.bashrc; zsh: the same with zsh in ~/.zshrc, after compinit; fish:
`kinetree completion fish > ~/.config/fish/completions/kinetree.fish`.
"""

from __future__ import annotations

import os

from kinetree import app
from kinetree.app.terminal import UsageError
from kinetree.engine import library
from kinetree.engine.translation import tr

SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser) -> None:
    parser.epilog = tr(
        "bash: source <(kinetree completion bash) in ~/.bashrc; zsh: source <(kinetree completion zsh) in ~/.zshrc, "
        "after compinit; fish: kinetree completion fish > ~/.config/fish/completions/kinetree.fish"
    )
    app.commands.arguments.takes(
        parser.add_argument("shell", metavar="SHELL", nargs="?", help=tr("bash, zsh or fish")),
        SHELLS,
    )
    parser.add_argument("--names", metavar="BEGIN", help=tr("print the names of models that begin so, for the scripts"))


def run(options) -> int:
    if options.names is not None:
        return print_names(options.names)
    if options.shell not in SHELLS:
        raise UsageError(tr("completion: name a shell: {names}", names=", ".join(SHELLS)))
    print(app.commands.completion_scripts.script(options.shell), end="")
    return 0


def print_names(begin: str) -> int:
    """Print the names of models that begin so; the exit code."""
    for name in library.find.names(begin, os.getcwd()):
        print(name)
    return 0
