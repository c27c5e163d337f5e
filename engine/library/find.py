"""The models that a name means, and the names that are like one that means none."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from kinetree.engine import extras, interpreter
from kinetree.engine.library import descriptions, examples, folder, menagerie
from kinetree.engine.library.folder import EXTENSIONS, USUAL, Bounds, kind_of, model_of
from kinetree.engine.library.model import ModelSource, NamedModel, folded
from kinetree.engine.packaged import packaged

NEAR = 3
"""Names that are proposed in place of an unknown one."""
QUICK = Bounds(depth=5, entries=4000, seconds=0.06)
"""Bounds of the walk for completion in a shell, where each press of Tab waits."""
EXACT, BEGINS, WORD = range(3)


class FoundModels(NamedTuple):
    """The answer to a name.

    models  the models that it means, the best first
    near    names that are like it, where it means none
    is_cut  whether the search of the folder ended before all files were seen
    """

    models: tuple[NamedModel, ...]
    near: tuple[str, ...] = ()
    is_cut: bool = False


def is_name(text: str) -> bool:
    """Whether a text on a command line can be the name of a model: not a path, no extension of a model."""
    if not text or text.lower().endswith(EXTENSIONS) or text.startswith(("-", ".", "~", "/")):
        return False
    return text.isprintable() and text.count("/") <= 1 and "\\" not in text and ":" not in text


def find(name: str, where: str, bounds: Bounds = USUAL) -> FoundModels:
    """The models that a name means. In this order: a file beside the folder's others that is called so; examples, files
    below the folder and the packages of models by their exact names; then those whose names begin so or have it as a
    word. Files below the folder whose names begin so are always among them. A model on the disk comes before one that
    has to be downloaded."""
    beside = _beside(name, where)
    if beside:
        return FoundModels(beside)
    wanted = folded(name)
    local, is_cut = folder.models(where, lambda model: rank(model, wanted) is not None, bounds)
    ours, packages = examples.models(), [*descriptions.models(), *menagerie.models()]
    ranked = [(rank(model, wanted), model) for model in (*ours, *packages)]
    shared = [model for number, model in ranked if number == EXACT]
    own = _best(local, wanted)
    if not shared and not own:
        shared = _best([*ours, *packages], wanted)
    models = _once([model for model in shared if model in ours], own, [model for model in shared if model not in ours])
    here = [model for model in models if not model.download]
    if models:
        return FoundModels(tuple(here or models), (), is_cut)
    return FoundModels((), tuple(_near(wanted, [*ours, *folder.models(where, bounds=bounds)[0], *packages])), is_cut)


def _beside(name: str, where: str) -> tuple[NamedModel, ...]:
    """The files of a folder itself that have a name and the extension of a model."""
    paths = (os.path.join(os.path.abspath(where), f"{name}{extension}") for extension in EXTENSIONS)
    return tuple(model_of(path, os.path.abspath(where)) for path in paths if kind_of(path))


def rank(model: NamedModel, wanted: str) -> int | None:
    """How well a folded name means a model; None where it does not."""
    own = [folded(each) for each in (model.name, *model.others)]
    if wanted in own:
        return EXACT
    if any(each.startswith(wanted) for each in own) or folded(model.around) == wanted:
        return BEGINS
    if len(wanted) > 1 and any(f"_{wanted}" in each for each in own):
        return WORD
    return None


def _best(models: Iterable[NamedModel], wanted: str) -> list[NamedModel]:
    """Those that a name means best."""
    ranked = [(number, model) for model in models if (number := rank(model, wanted)) is not None]
    least = min((number for number, _ in ranked), default=EXACT)
    return [model for number, model in ranked if number == least]


def _once(*groups: Iterable[NamedModel]) -> list[NamedModel]:
    """All models of the groups; of those in one file, the first."""
    seen: dict[str, NamedModel] = {}
    for model in chain.from_iterable(groups):
        seen.setdefault(os.path.realpath(model.path), model)
    return list(seen.values())


def _near(wanted: str, models: Iterable[NamedModel]) -> list[str]:
    from difflib import get_close_matches  # of the standard library; completion in shells does without

    known = {folded(each): each for model in models for each in (*model.others, model.name) if "/" not in each}
    return [known[each] for each in get_close_matches(wanted, known, NEAR, 0.6)]


def installed() -> bool:
    """Whether a package of models is installed."""
    return descriptions.folder() is not None or menagerie.registry_file() is not None


def remedy() -> str:
    """The command line that installs a package of models."""
    return extras.places.install_command(extras.table.EXTRAS[menagerie.EXTRA])


def download_command(model: NamedModel) -> list[str]:
    """The command line that downloads a model, with the Python that runs this."""
    where = menagerie.site() if model.source is ModelSource.MENAGERIE else None
    line = interpreter.command(*model.download)
    return line if where is None else [where if word == str(packaged().parent) else word for word in line]


def everything(where: str, bounds: Bounds = USUAL) -> tuple[list[NamedModel], bool]:
    """All models that have a name, and whether the search of the folder ended before all files were seen."""
    local, is_cut = folder.models(where, bounds=bounds)
    return _once(examples.models(), local, descriptions.models(), menagerie.models()), is_cut


def names(begin: str, where: str) -> list[str]:
    """The names that begin so, for completion in a shell: quick, so the modules of robot_descriptions are not read."""
    wanted = folded(begin)
    local = (os.path.splitext(os.path.basename(path))[0] for path in folder.Walk(where, QUICK))
    given = [model.name for model in (*examples.models(), *menagerie.models()) if "/" in begin or "/" not in model.name]
    found = [*given, *local, *(descriptions.short(each) for each in descriptions.names())]
    return sorted({each for each in found if folded(each).startswith(wanted) and _is_word(each)})


def _is_word(name: str) -> bool:
    """Whether a shell takes a name as one word without quotes."""
    return bool(name) and all(letter.isalnum() or letter in "_-./+" for letter in name)
