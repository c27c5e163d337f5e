"""Compares models compiled after an edit, with the cached results of the version before, with the same texts compiled
from scratch: every array, size, name and finding must be the same, to the bit.

    python -m tests.engine.compile.incremental [--edits 8] [--seed 0] FILE ...
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from kinetree.engine.compile import compiler
from kinetree.engine.compile.assets import assets
from kinetree.engine.compile.derived.kept import PassCache
from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.change import remove_attribute, remove_element, set_attribute
from kinetree.engine.document.document import Document
from kinetree.engine.document.files import read_file
from kinetree.engine.resources.cache import Cache

NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")


@contextlib.contextmanager
def from_scratch() -> Iterator[None]:
    """The compiler remembers nothing."""
    kept = compiler._constants, assets._meshes
    compiler._constants, assets._meshes = PassCache(), Cache(1 << 30)
    try:
        yield
    finally:
        compiler._constants, assets._meshes = kept


def result(document: Document) -> tuple:
    """Result of compiling a document: findings, and the model's content if there is one."""
    try:
        compiled = compiler.compile_document(document)
    except ModelError as error:
        return "errors", [(item.code, item.line, item.message) for item in error.diagnostics]
    model = compiled.model
    content = {name: array.tobytes() for name, array in [*model._arrays.items(), *model._cells.items()]}
    found = [(item.code, item.line, item.message) for item in compiled.diagnostics.items]
    return found, model.sizes, model.names, repr(model.vis), model.texts, len(model.gaps), content


def differences(one: tuple, other: tuple) -> list[str]:
    """The names of differing fields."""
    if len(one) != len(other) or one[:-1] != other[:-1]:
        return ["findings, sizes or names"]
    if len(one) == 2:
        return [] if one == other else ["errors"]
    return [name for name in one[-1] if one[-1][name] != other[-1][name]]


def edited(document: Document, choice: random.Random) -> Document:
    """The document with one random edit: another number, an attribute less, an element less."""
    nodes = [node for node in document.root.iter() if node.attributes and node.source is document.root.source]
    for _ in range(20 if nodes else 0):
        node = choice.choice(nodes)
        attribute = choice.choice(list(node.attributes))
        numbers = list(NUMBER.finditer(attribute.value))
        kind = choice.random()
        if kind < 0.1 and node.parent is not None:
            return document.with_edits(remove_element(node))
        if kind < 0.2:
            return document.with_edits(remove_attribute(node, attribute.name))
        if numbers and NUMBER.fullmatch(attribute.value.split()[0]):
            one = choice.choice(numbers)
            value = f"{float(one[0]) * choice.choice((0.5, 0.9, 1.1, 2)):.6g}"
            text = attribute.value[: one.start()] + value + attribute.value[one.end() :]
            return document.with_edits(set_attribute(node, attribute.name, text))
    return document


def check(path: Path, edits: int, seed: int) -> list[str]:
    """Differences in any of so many versions, each an edit of the one before or of the text in the file."""
    choice = random.Random(f"{seed} {path.name}")
    original = now = Document.of_read(read_file(str(path)))
    found = []
    for number in range(edits):
        before = now
        with np.errstate(all="ignore"):
            now = edited(now, choice)
            kept = result(now)
            with from_scratch():
                fresh = result(now)
        found += [f"{path} edit {number}: {name}" for name in differences(kept, fresh)]
        if len(kept) == 2:  # errors: go on from the last good text
            now = before if number % 2 else original
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("files", nargs="+", type=Path)
    arguments = parser.parse_args()
    failed = 0
    for path in arguments.files:
        try:
            found = check(path, arguments.edits, arguments.seed)
        except ModelError:
            continue  # not a model
        failed += bool(found)
        for line in found:
            print(line, flush=True)
    print(f"{len(arguments.files)} files, {failed} with differences")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
