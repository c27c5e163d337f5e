"""The pseudo-language: English with accents, in brackets, two fifths longer. What has no brackets is not marked for
translation; where a bracket is cut off, another language is cut off too."""

from __future__ import annotations

import re
from pathlib import Path

from babel.messages.catalog import Catalog

from kinetree.engine.translation import DOMAIN
from tests.translation.catalogues import binary_of, template

LANGUAGE = "en_XA"
OPEN, CLOSE = "⟦", "⟧"
WORD = 8
"""Letters of a word of the added text: long lines can break there."""
_ACCENTS = str.maketrans("aceginorstuyzACEGINORSTUYZ", "åçéĝîñöŕšţûýžÅÇÉĜÎÑÖŔŠŢÛÝŽ")
_KEPT = re.compile(r"\{[^{}]*\}|<[^<>]*>|&\w+;|\(\*[^)]*\)|\\.")
"""Parts that must stay: fields, tags, entities, patterns of files."""


def pseudo(text: str) -> str:
    """A sentence in the pseudo-language."""
    kept = _KEPT.findall(text)
    pieces = [piece.translate(_ACCENTS) for piece in _KEPT.split(text)]
    letters = sum(letter.isalpha() for piece in pieces for letter in piece)
    inner = "".join(a + b for a, b in zip(pieces, [*kept, ""], strict=True))
    ending = "…" if inner.endswith("…") else ""
    more = " ".join("~" * min(WORD, left) for left in range(-(-letters * 2 // 5), 0, -WORD))
    return f"{OPEN}{inner.removesuffix('…')}{more}{CLOSE}{ending}"


def catalogue(of: Catalog | None = None) -> Catalog:
    """The catalogue of the pseudo-language."""
    made = Catalog(locale="en", charset="utf-8")
    for message in of or template():
        if not message.id:
            continue
        if isinstance(message.id, (list, tuple)):
            made.add(tuple(message.id), tuple(map(pseudo, message.id)))
        elif ";;" in message.id or "(*" in message.id:  # patterns of a file dialog
            made.add(message.id, ";;".join(map(pseudo, message.id.split(";;"))))
        else:
            made.add(message.id, pseudo(message.id))
    return made


def write(folder: Path) -> None:
    """Write the catalogue into a folder of catalogues."""
    target = folder / LANGUAGE / "LC_MESSAGES" / f"{DOMAIN}.mo"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(binary_of(catalogue()))
