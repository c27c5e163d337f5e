"""The catalogues: the template is as new as the sources, and translations fit their sentences."""

import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.mofile import read_mo

from app.actions.table import MENUS, MNEMONICS, all_actions
from engine.translation import languages
from tests.translation import catalogues, pseudo
from tests.translation.sentences import NotPlain, in_source

RENEW = "run `python -m tests.translation` and commit what it writes"
FILES = catalogues.languages()


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _strings(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def names(path: Path) -> str:
    return path.parents[1].name


def test_the_template_is_as_new_as_the_sources() -> None:
    present = {message.id for message in catalogues.template() if message.id}
    written = {message.id for message in catalogues.read(catalogues.TEMPLATE) if message.id}
    assert written == present, (
        f"{RENEW}; new: {sorted(map(str, present - written))[:9]}; gone: {sorted(map(str, written - present))[:9]}"
    )


@pytest.mark.parametrize("path", FILES, ids=names)
def test_what_the_program_reads_is_what_translators_wrote(path: Path) -> None:
    with path.with_suffix(".mo").open("rb") as file:
        compiled = {_key(message): _strings(message) for message in read_mo(file) if message.id}
    done = [message for message in catalogues.read(path) if message.id and catalogues.is_done(message)]
    written = {_key(message): _strings(message) for message in done}
    assert compiled == written, RENEW


@pytest.mark.parametrize("path", FILES, ids=names)
def test_translations_have_the_parts_of_their_sentences(path: Path) -> None:
    wrong = []
    for message in catalogues.read(path):
        sources = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        known = set().union(*map(catalogues.parts, sources))
        wrong += [text for text in strings if text and message.id and not catalogues.parts(text) <= known]
    assert not wrong


@pytest.mark.parametrize("path", FILES, ids=names)
def test_menus_docks_and_settings_are_translated(path: Path) -> None:
    wanted = ("app/actions/table.py", "app/panels/docks.py", "app/settings/table.py")
    translated = {message.id for message in catalogues.read(path) if catalogues.is_done(message)}
    missing = [
        message.id
        for message in catalogues.template()
        if message.id and any(file in wanted for file, _ in message.locations) and message.id not in translated
    ]
    assert len(missing) < 40, f"{names(path)} lacks {missing[:20]}"  # newer ones wait for a translator


@pytest.mark.parametrize("path", FILES, ids=names)
def test_the_letters_that_open_menus_differ(path: Path) -> None:
    texts = {message.id: message.string for message in catalogues.read(path)}
    titles = [MNEMONICS.get(menu, f"&{menu}") for menu in MENUS]
    for shown in (titles, [texts.get(title) or title for title in titles]):
        letters = [title[title.index("&") + 1].casefold() for title in shown]
        assert len(set(letters)) == len(letters), shown


def test_languages_are_found_by_their_files() -> None:
    assert "de" in languages()
    assert languages("/nowhere") == ["en"]


def test_the_pseudo_language_keeps_parts_and_is_longer() -> None:
    text = pseudo.pseudo("Saved {path} to <b>{count:,}</b>…")
    assert text == "⟦Šåvéd {path} ţö <b>{count:,}</b>~~~⟧…"
    assert text.format(path="a", count=1000) == "⟦Šåvéd a ţö <b>1,000</b>~~~⟧…"
    assert all(pseudo.OPEN in (row.text and pseudo.pseudo(row.text)) for row in all_actions())


@pytest.mark.parametrize("call", ['marked(f"a {b}")', 'counted(one, "many", 2)'])
def test_a_sentence_made_of_pieces_is_refused(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.translation.sentences.ROOT", tmp_path)
    path = tmp_path / "source.py"
    path.write_text(f"x = {call}\n")
    with pytest.raises(NotPlain, match=r"source\.py:1"):
        list(in_source(path))


def test_a_command_speaks_the_language_of_the_desktop(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "app", "check", "--help"]
    environment = {"PATH": "", "PYTHONPATH": str(catalogues.ROOT), "LANGUAGE": "de"}
    done = subprocess.run(run, capture_output=True, text=True, env=environment, cwd=catalogues.ROOT, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "Modelldateien" in done.stdout
