"""Texts of models with something wrong in them: a value, a name, an element, a cut, a piece of another model.

random = Random(7)
text, folder = mutated_text(random)     # files that the text names lie in the folder; None: it names none
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.mjcf.schema import ELEMENTS
from tests.conftest import ROOT, SHARED
from tests.oracle.cases import FOLDER as CASES_FOLDER
from tests.oracle.cases import read as read_cases

LARGEST = 60_000
"""Bytes of the largest model that is taken."""
ATTRIBUTES = sorted({name for row in ELEMENTS.values() for name in row.attributes})
TAGS = sorted({row.tag for row in ELEMENTS.values()})
CHOICES = sorted({c for row in ELEMENTS.values() for a in row.attributes.values() for c in a.all_choices})
ODD = [
    "", "0", "-1", "nan", "inf", "1e308", "-1e308", "1e-320", "2147483647", "-2147483649", "1e9", "0 0 0", "world", "..",
    "/etc/passwd", "../../../../../../etc/passwd", "/dev/zero", "file:///etc/passwd", "http://localhost/x.png", "a" * 3000,
    "100000 100000 100000", "1 2 3 4 5 6 7 8", "1e19", "-1e20", "1e38", "-1e39", "1e150", "1e-12",
]  # fmt: skip
PIECES = [
    "<", ">", "/>", "</", "\"", "'", "&", "=", " ", "\n", "<!--", "-->", "<![CDATA[", "]]>", "<?xml?>",
    "<body>", "</body>", "<worldbody>", "<freejoint/>", "<joint type='ball'/>", "<geom size='.1'/>", "<default>",
    "<frame>", "<replicate count='3'>", "<include file='model.xml'/>", "\ud7ff", "\ufeff", "<!DOCTYPE x>", "&#0;",
]  # fmt: skip
_VALUE = re.compile(r'="([^"<]*)"')
_START = re.compile(r"<[A-Za-z]\w*")
_NAME = re.compile(r'\s([a-z_]\w*)="')
_TAG = re.compile(r"<(/?)([A-Za-z]\w*)")
_ELEMENT = re.compile(r"<[A-Za-z][^<>]*/>|<([A-Za-z]\w*)\b[^<>]*>[^<]*(?:<[^<>]*/>[^<]*)*</\1>")
_NUMBER = re.compile(r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?")


@functools.cache
def sources() -> list[tuple[str, Path | None]]:
    """(text, folder) of the models to mutate: one-line models of the oracle's table, our models, and the corpus where
    it is.
    """
    found: list[tuple[str, Path | None]] = [(text, None) for text in read_cases(CASES_FOLDER / "general.txt").values()]
    ours = [*(ROOT / "resources/models").glob("*.xml"), *(ROOT / "tests/data/models").glob("*.xml")]
    for path in sorted([*ours, *(SHARED / "corpus").glob("**/*.xml")]):
        if path.stat().st_size < LARGEST:
            found.append((path.read_text(errors="surrogateescape"), path.parent))
    return found


@functools.cache
def sound_sources() -> list[tuple[str, Path | None]]:
    """Those of the sources that compile."""
    return [source for source in sources() if _compiles(*source)]


def _compiles(text: str, folder: Path | None) -> bool:
    try:
        compile_document(Document.from_string(text, folder))
    except ModelError:
        return False
    return True


def mutated_text(random: Random) -> tuple[str, Path | None]:
    """One of the sources with one to four mutations, and the folder of its files."""
    return _mutated(random, sources(), MUTATIONS)


def gently_mutated_text(random: Random) -> tuple[str, Path | None]:
    """The same of a source that compiles, by mutations after which most models still do."""
    return _mutated(random, sound_sources(), GENTLE)


def _mutated(random: Random, found: list[tuple[str, Path | None]], mutations: Sequence) -> tuple[str, Path | None]:
    text, folder = random.choice(found)
    for _ in range(random.randint(1, 4)):
        text = random.choice(mutations)(random, text)
    return text, folder


def cut(random: Random, text: str) -> str:
    return text[: random.randint(0, len(text))]


def insert(random: Random, text: str) -> str:
    at = random.randint(0, len(text))
    return text[:at] + random.choice(PIECES) + text[at:]


def odd_value(random: Random, text: str) -> str:
    """Another value for an attribute."""
    match = _one(random, _VALUE, text)
    return text if match is None else _replaced(text, match, 1, _odd(random))


def odd_number(random: Random, text: str) -> str:
    """Another value for one of the numbers of an attribute."""
    match = _one(random, _VALUE, text)
    if match is None:
        return text
    number = _one(random, _NUMBER, match[1])
    if number is None:
        return _replaced(text, match, 1, _odd(random))
    return _replaced(text, match, 1, match[1][: number.start()] + _odd(random) + match[1][number.end() :])


def scaled_number(random: Random, text: str) -> str:
    """One of the numbers of an attribute times a power of ten, negative now and then."""
    match = _one(random, _VALUE, text)
    number = None if match is None else _one(random, _NUMBER, match[1])
    if match is None or number is None:
        return text
    scaled = float(number.group()) * random.choice((1.0, 1.0, 1.0, -1.0)) * 10.0 ** random.choice(POWERS)
    return _replaced(text, match, 1, f"{match[1][: number.start()]}{scaled:.6g}{match[1][number.end() :]}")


def shorter_value(random: Random, text: str) -> str:
    match = _one(random, _VALUE, text)
    return text if match is None else _replaced(text, match, 1, " ".join(match[1].split()[:-1]))


def another_attribute(random: Random, text: str) -> str:
    match = _one(random, _START, text)
    if match is None:
        return text
    return f'{text[: match.end()]} {random.choice(ATTRIBUTES)}="{_odd(random)}"{text[match.end() :]}'


def other_attribute_name(random: Random, text: str) -> str:
    match = _one(random, _NAME, text)
    return text if match is None else _replaced(text, match, 1, random.choice(ATTRIBUTES))


def other_tag(random: Random, text: str) -> str:
    match = _one(random, _TAG, text)
    return text if match is None else _replaced(text, match, 2, random.choice(TAGS))


def without_element(random: Random, text: str) -> str:
    match = _one(random, _ELEMENT, text)
    return text if match is None else text[: match.start()] + text[match.end() :]


def element_twice(random: Random, text: str) -> str:
    match = _one(random, _ELEMENT, text)
    return text if match is None else text[: match.start()] + match.group() + text[match.start() :]


def foreign_element(random: Random, text: str) -> str:
    """An element of another model, in front of one of this."""
    match = _one(random, _ELEMENT, text)
    piece = _one(random, _ELEMENT, random.choice(sources())[0])
    return text if match is None or piece is None else text[: match.start()] + piece.group() + text[match.start() :]


MUTATIONS = (
    odd_value, odd_number, shorter_value, another_attribute, without_element, element_twice, foreign_element,
    other_attribute_name, other_tag, cut, insert,
)  # fmt: skip
GENTLE = (*[scaled_number] * 16, odd_number, without_element, element_twice, foreign_element)
POWERS = (*range(-3, 4), *range(-2, 3), -12, -8, 6, 9, 12, 19, 20, 30, 38, 100, 150)


def _one(random: Random, pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Any of the places that match, if there is one."""
    found = list(pattern.finditer(text))
    return random.choice(found) if found else None


def _replaced(text: str, match: re.Match[str], group: int, by: str) -> str:
    return text[: match.start(group)] + by + text[match.end(group) :]


def _odd(random: Random) -> str:
    return random.choice(random.choice((ODD, CHOICES)))
