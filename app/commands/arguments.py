"""Arguments of the command line: a parser whose errors are one line, and what each argument takes, for completion."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from kinetree.app.terminal import UsageError
from kinetree.engine.translation import tr

FILES = ("FILE", "OUT")
"""Metavars of arguments that take a file, where nothing else is said."""


class Taken(NamedTuple):
    """The values that an argument takes: models by name or file, other files, or these words. `in_lists`: several of
    them, with commas."""

    models: bool = False
    files: bool = False
    words: tuple[str, ...] = ()
    in_lists: bool = False


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose errors are one line."""

    def error(self, message: str):
        raise UsageError(tr("{message} (see {prog} --help)", message=message, prog=self.prog))


def add_model(parser: argparse.ArgumentParser, name: str, help: str, **more: Any) -> None:
    """Add a positional argument for models: a file, or a name (engine/library). `resolved` gives the files."""
    _say(parser.add_argument(name, help=help, **more), Taken(models=True))


def takes(action: argparse.Action, words: Iterable[str], in_lists: bool = False) -> None:
    """Say which words an argument takes, where the command itself checks them."""
    _say(action, Taken(words=tuple(map(str, words)), in_lists=in_lists))


def _say(action: argparse.Action, taken: Taken) -> None:
    setattr(action, "taken", taken)  # noqa: B010 - an attribute of ours on a class of another


def taken(action: argparse.Action) -> Taken:
    """The values that an argument takes."""
    told = getattr(action, "taken", None)
    if told is not None:
        return told
    if action.choices is not None:
        return Taken(words=tuple(map(str, action.choices)))
    return Taken(files=action.metavar in FILES)


def actions_of(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options and arguments of a parser, in order."""
    return parser._actions


def resolve(parser: argparse.ArgumentParser, options: argparse.Namespace, path_of: Callable[[str], str]) -> None:
    """Replace the names of models among the options of a parser by paths."""
    for action in actions_of(parser):
        if taken(action).models:
            given = getattr(options, action.dest)
            if isinstance(given, str):
                setattr(options, action.dest, path_of(given))
            elif given:
                setattr(options, action.dest, [path_of(each) for each in given])


def add_seed(parser) -> None:
    """Add the option --seed of the commands that read models."""
    parser.add_argument("--seed", metavar="N", help=tr("seed of the random joint axes of x_xy models (default 1)"))


def seed_of(options) -> int | None:
    """The value of --seed. Raises UsageError."""
    if options.seed is None:
        return None
    try:
        seed = int(options.seed)
    except ValueError:
        seed = -1
    if not 0 <= seed < 2**32:
        raise UsageError(
            tr("--seed {seed!r} must be an integer from 0 to {number}", seed=options.seed, number=2**32 - 1)
        )
    return seed
