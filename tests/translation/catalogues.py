"""The files of `resources/locale`: the template, and for each language a text (.po) and what the program reads (.mo)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from kinetree.engine.translation import DOMAIN
from tests.translation.sentences import ROOT, all_sentences

FOLDER = ROOT / "resources" / "locale"
TEMPLATE = FOLDER / f"{DOMAIN}.pot"
_HEAD = """# Texts of Kinetree. Made by `python -m tests.translation`: see docs/translation.md.
#"""
_DAY = datetime(2026, 1, 1, tzinfo=UTC)
_PARTS = re.compile(r"\{\w[^{}]*\}")


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
    done = Catalog(locale=catalogue.locale, project="Kinetree", version="", charset="utf-8")
    done.creation_date = done.revision_date = _DAY
    for message in catalogue:
        if message.id and is_done(message):
            done.add(message.id, message.string)
    written = BytesIO()
    write_mo(written, done)
    return written.getvalue()


def is_done(message: Message) -> bool:
    """Whether a sentence is translated, in all its forms."""
    return bool(message.string) and (isinstance(message.string, str) or all(message.string))


def read(path: Path) -> Catalog:
    """A catalogue, or the template, from its file."""
    with path.open("rb") as file:
        return read_po(file, locale=None if path == TEMPLATE else path.parents[1].name.replace("_XA", ""))


def languages() -> list[Path]:
    """The .po files."""
    return sorted(FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def parts(text: str) -> set[str]:
    """The parts of a sentence with their formats: "{time:.2f}". `{count}` is none: a form for one may spell it."""
    return set(_PARTS.findall(text.replace("{{", ""))) - {"{count}"}


def write() -> None:
    """Let the template and all catalogues follow the sources. Translations of sentences that are gone are dropped."""
    fresh = template()
    FOLDER.mkdir(exist_ok=True)
    TEMPLATE.write_text(text_of(fresh), encoding="utf-8")
    for path in languages():
        catalogue = read(path)
        catalogue.update(fresh, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        path.write_text(text_of(catalogue), encoding="utf-8")
        path.with_suffix(".mo").write_bytes(binary_of(catalogue))
