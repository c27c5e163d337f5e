"""Translation: the choice of a language, parts by name, and forms of numbers."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from kinetree.engine import translation
from kinetree.engine.translation import counted, tr


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[str]:
    """A folder with a small German catalogue; English again afterwards."""
    catalogue = Catalog(locale="de")
    catalogue.add("Saved {path}", "{path} gespeichert")
    catalogue.add(("{count} body", "{count} bodies"), ("{count} Körper", "{count} Körper insgesamt"))
    written = BytesIO()
    write_mo(written, catalogue)
    target = tmp_path / "de" / "LC_MESSAGES"
    target.mkdir(parents=True)
    (target / "kinetree.mo").write_bytes(written.getvalue())
    yield str(tmp_path)
    translation.install(["en"])


@pytest.mark.parametrize(
    ("names", "language"),
    [
        (["de"], "de"),
        (["de_AT.UTF-8"], "de"),
        (["fr", "de"], "de"),
        (["en_GB", "de"], "en"),
        (["C"], "en"),
        (["../de"], "en"),
        ([""], "en"),
        ([], "en"),
    ],
)
def test_the_first_language_with_a_catalogue_is_taken(folder: str, names: list[str], language: str) -> None:
    assert translation.install(names, folder) == language == translation.language()


def test_a_sentence_and_its_parts_are_translated(folder: str) -> None:
    assert tr("Saved {path}", path="a.xml") == "Saved a.xml"
    translation.install(["de"], folder)
    assert tr("Saved {path}", path="{x}") == "{x} gespeichert"
    assert tr("Not in the catalogue") == "Not in the catalogue"
    assert tr("") == "", "the empty text is the head of a catalogue"
    assert tr("{braces}") == "{braces}", "without parts nothing is put in"


def test_numbers_have_the_forms_of_the_language(folder: str) -> None:
    assert [counted("{count} body", "{count} bodies", n) for n in (0, 1, 2)] == ["0 bodies", "1 body", "2 bodies"]
    assert counted("{count} body", "{count} bodies", 1000, count="1,000") == "1,000 bodies"
    translation.install(["de"], folder)
    assert counted("{count} body", "{count} bodies", 1) == "1 Körper"
    assert counted("{count} body", "{count} bodies", 2) == "2 Körper insgesamt"
