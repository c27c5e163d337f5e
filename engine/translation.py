"""Translates every sentence that a user reads, in the window and on the command line.

    tr("Saved {path}", path=path)                                   a sentence with named parts
    counted("{count} body", "{count} bodies", count)                a sentence with a number in it
    marked("Mass")                                                  a sentence of a table, translated where it is shown

The English sentence is the key of the catalogue, so English needs no catalogue. `install` chooses the language, once,
before anything is shown. Catalogues are gettext's, in `resources/locale/LANGUAGE/LC_MESSAGES/kinetree.mo`;
`docs/translation.md` says how they are made.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from kinetree.engine.packaged import packaged

if TYPE_CHECKING:
    from gettext import NullTranslations

DOMAIN = "kinetree"
FOLDER = str(packaged("resources", "locale"))
ENGLISH = "en"

_catalogue: NullTranslations | None = None  # None: English
_language = ENGLISH


def tr(text: str, /, **parts: object) -> str:
    """A sentence in the installed language. `parts` replace each `{name}` in it, as in `str.format`."""
    if _catalogue is not None and text:
        text = _catalogue.gettext(text)
    return text.format(**parts) if parts else text


def counted(one: str, many: str, count: int, /, **parts: object) -> str:
    """A sentence with a number in it: `one` for 1, else `many`; languages may have more forms. `{count}` is the
    number, unless `parts` give it another text."""
    if _catalogue is None:
        text = one if count == 1 else many
    else:
        text = _catalogue.ngettext(one, many, count)
    parts.setdefault("count", count)
    return text.format(**parts)


def any_of(words: Sequence[str]) -> str:
    """Joins alternatives: "a", "a or b", "a, b or c"."""
    if len(words) < 2:
        return "".join(words)
    return tr("{words} or {last}", words=", ".join(words[:-1]), last=words[-1])


def all_of(words: Sequence[str]) -> str:
    """Joins items: "a", "a and b", "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return tr("{words} and {last}", words=", ".join(words[:-1]), last=words[-1])


def marked(text: str, /) -> str:
    """Returns the text unchanged. Marks a sentence in a table for the catalogues; `tr` translates it later."""
    return text


def language() -> str:
    """The language that is installed, such as "de" or "en"."""
    return _language


def languages(folder: str = FOLDER) -> list[str]:
    """The languages with a catalogue, and English, which needs none."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        names = []
    return [ENGLISH, *(name for name in names if os.path.isfile(_path(folder, name)))]


def install(names: Iterable[str], folder: str = FOLDER) -> str:
    """Translate to the first of these languages with a catalogue, else to English. A name may have a country and an
    encoding ("de_AT.UTF-8"). Returns the language.
    """
    global _catalogue, _language
    _catalogue, _language = None, ENGLISH
    for name in names:
        known = _known(folder, name)
        if known == ENGLISH:
            break
        if known:
            from gettext import GNUTranslations

            with open(_path(folder, known), "rb") as file:
                _catalogue, _language = GNUTranslations(file), known
            break
    return _language


def _known(folder: str, name: str) -> str:
    """The language with a catalogue for a name such as "de_AT" or "de"; "" if there is none."""
    whole = name.partition(".")[0].partition("@")[0].replace("-", "_")
    for known in (whole, whole.partition("_")[0]):
        if known == ENGLISH or (known.replace("_", "").isalnum() and os.path.isfile(_path(folder, known))):
            return known
    return ""


def _path(folder: str, name: str) -> str:
    return os.path.join(folder, name, "LC_MESSAGES", f"{DOMAIN}.mo")
