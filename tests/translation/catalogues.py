"""The catalogues of `resources/locale`: how they follow the sources, and what of them is not translated."""

from __future__ import annotations

import re
import runpy
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from kinetree.engine.translation import DOMAIN
from tests.translation.sentences import ROOT, all_sentences

FOLDER = ROOT / "resources" / "locale"
TEMPLATE = FOLDER / f"{DOMAIN}.pot"
COMPILER = runpy.run_path(str(ROOT / "packaging" / "catalogues.py"))
"""The compiler of .po files to .mo files. It is no module: the bootstrap runs it before there is an environment."""
_HEAD = """# Texts of Kinetree. Made by `python -m tests.translation`: see docs/translation.md.
#"""
_PARTS = re.compile(r"\{\w[^{}]*\}")


class State(NamedTuple):
    """How far a catalogue follows the sources.

    missing  sentences without a translation, or with a fuzzy one, which are shown in English -> the files that have them
    gone     translated sentences that no file has any more
    """

    language: str
    missing: dict[str, tuple[str, ...]]
    gone: list[str]

    @property
    def line(self) -> str:
        """One line for a report."""
        missing, gone = len(self.missing), len(self.gone)
        return f"translation to {self.language}: sentences that are not translated: {missing}; translations to drop: {gone}"


def template() -> Catalog:
    """The template of the present sources."""
    made = Catalog(project="Kinetree", version="", charset="utf-8", header_comment=_HEAD, fuzzy=False)
    for text, (many, files) in all_sentences().items():
        made.add((text, many) if many else text, locations=[(file, None) for file in files])
    return made


def text_of(catalogue: Catalog) -> str:
    """A catalogue as the text of a file. Nothing in it depends on the day, so that equal catalogues are equal files."""
    written = BytesIO()
    write_po(written, catalogue, width=100, include_lineno=False, sort_output=True)
    lines = written.getvalue().decode("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(('"POT-Creation', '"PO-Revision', '"Generated-By')))


def binary_of(catalogue: Catalog) -> bytes:
    """A catalogue as the program reads it: what is translated; the rest stays English."""
    return COMPILER["binary"](COMPILER["translations"](text_of(catalogue).encode(), "catalogue"))


def key_of(message: Message) -> str:
    """gettext's key of a sentence: its form for one."""
    return message.id if isinstance(message.id, str) else message.id[0]


def is_done(message: Message) -> bool:
    """Whether a sentence is translated, in all its forms, and no translator doubts it."""
    whole = bool(message.string) and (isinstance(message.string, str) or all(message.string))
    return whole and not message.fuzzy


def read(path: Path) -> Catalog:
    """A catalogue from its file."""
    with path.open("rb") as file:
        return read_po(file, locale=language_of(path))


def files(folder: Path = FOLDER) -> list[Path]:
    """The .po files."""
    return sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def language_of(path: Path) -> str:
    """The language of a .po file."""
    return path.parents[1].name


def state(path: Path, present: Catalog) -> State:
    """How far a .po file follows the template of the present sources."""
    known = {key_of(message): message for message in read(path) if message.id}
    wanted = {key_of(message): message for message in present if message.id}
    missing = {
        key: tuple(file for file, _line in message.locations)
        for key, message in wanted.items()
        if key not in known or not is_done(known[key])
    }
    return State(language_of(path), missing, sorted(set(known) - set(wanted)))


def parts(text: str) -> set[str]:
    """The parts of a sentence with their formats: "{time:.2f}". `{count}` is none: a form for one may spell it."""
    return set(_PARTS.findall(text.replace("{{", ""))) - {"{count}"}


def follow(paths: list[Path], present: Catalog) -> None:
    """Let .po files follow the template of the present sources: new sentences come in, untranslated; the translations
    of sentences that are gone are dropped."""
    for path in paths:
        catalogue = read(path)
        catalogue.update(present, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        path.write_text(text_of(catalogue), encoding="utf-8")
