"""Models by name on the command line: the one that is meant, a question where several are, and the remedy for none."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from difflib import get_close_matches

from kinetree.app.terminal import UsageError, command, printable
from kinetree.engine.library.find import FoundModels, download_command, find, installed, is_name, remedy
from kinetree.engine.library.folder import kind_of
from kinetree.engine.library.model import NamedModel
from kinetree.engine.translation import any_of, counted, tr

LISTED = 20
"""Models in a list, at most."""


def path_of(text: str) -> str:
    """The path of the model that a word of the command line means: itself where it is a file or cannot be a name.

    Asks on a terminal where several models have the name or one has to be downloaded. Raises UsageError."""
    if os.path.isfile(text) or not is_name(text):
        return text
    found = find(text, os.getcwd())
    if not found.models:
        if os.path.exists(text):
            return text  # a folder, or a device: the command says why that is no model
        raise UsageError(unknown(text, found))
    model = found.models[0] if len(found.models) == 1 else _chosen(text, found.models)
    if model.download:
        _download(model)
    return model.path


def unknown(text: str, found: FoundModels, commands: Iterable[str] = ()) -> str:
    """Why a name means no model, and what to do. `commands`: words that could be meant too."""
    commands = list(commands)
    near = [*get_close_matches(text, commands, 1), *found.near]
    told = (
        tr("there is no command, no file and no model {name!r}", name=text)
        if commands
        else tr("there is no file and no model {name!r}", name=text)
    )
    if near:
        told = tr("{told}; did you mean {names}?", told=told, names=any_of([repr(each) for each in near]))
    if found.is_cut:
        told = tr("{told} (the folder is too large to be searched to its end)", told=told)
    if near or installed():
        return told
    return tr("{told}; robots have names with `{command}`", told=told, command=remedy())


def described(model: NamedModel) -> str:
    """A model in one line: where it comes from and its file or robot; whether it has to be downloaded."""
    told = f"{tr(model.source.value)}: {model.detail}"
    if not model.download:
        return told
    return (
        tr("{told} (not downloaded: {size})", told=told, size=size_text(model.size))
        if model.size
        else tr("{told} (not downloaded)", told=told)
    )


def size_text(size: int) -> str:
    """A number of bytes for people."""
    return f"{size / 1e6:.1f} MB" if size < 1e9 else f"{size / 1e9:.1f} GB"


def download_hint(model: NamedModel) -> str:
    """The same as a line to type."""
    return " ".join([os.path.basename(sys.executable), "-m", *model.download])


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _chosen(text: str, models: tuple[NamedModel, ...]) -> NamedModel:
    """The model that the user chooses from a list. Raises UsageError without a terminal."""
    if not _is_terminal():
        names = ", ".join(f"{each.path if not each.download else each.name} ({described(each)})" for each in models[:5])
        raise UsageError(
            counted(
                "{name!r} means {count} model: name one: {names}",
                "{name!r} means {count} models: name one: {names}",
                len(models),
                name=text,
                names=names,
            )
        )
    print(tr("{name!r} means several models:", name=text), file=sys.stderr)
    shown = models[:LISTED]
    width = max(len(each.name) for each in shown)
    for number, each in enumerate(shown, 1):
        kind = kind_of(each.path)
        print(printable(f"{number:4}  {each.name:<{width}}  {kind:<6}  {described(each)}"), file=sys.stderr)
    if len(models) > LISTED:
        print(tr("      and {count} more: type more of the name", count=len(models) - LISTED), file=sys.stderr)
    answer = _answer(tr("Which one? [1 to {count}] ", count=len(shown)))
    if answer.isdecimal() and 1 <= int(answer) <= len(shown):
        return shown[int(answer) - 1]
    raise UsageError(tr("no model was chosen"))


def _download(model: NamedModel) -> None:
    """Download a model once the user has agreed. Raises UsageError where nobody is asked, agrees, or it fails."""
    size = size_text(model.size) if model.size else tr("size unknown")
    if not _is_terminal():
        raise UsageError(
            tr(
                "{name} is not downloaded yet ({size}): `{command}` does that",
                name=model.name, size=size, command=download_hint(model),
            )
        )  # fmt: skip
    answer = _answer(
        tr("{name} is not downloaded yet. Download it now ({size}, by {package})? [y/N] ",
           name=model.name, size=size, package=model.download[0])
    )  # fmt: skip
    if answer.casefold() not in (tr("y"), tr("yes"), "y", "yes"):
        raise UsageError(tr("{name} is not downloaded", name=model.name))
    done = subprocess.run(download_command(model), check=False, stdout=sys.stderr)
    if done.returncode or not os.path.isfile(model.path):
        raise UsageError(
            tr("{name} could not be downloaded; `{command}` tries again", name=model.name, command=command(model.name))
        )


def _answer(question: str) -> str:
    """A line that the user types."""
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()
