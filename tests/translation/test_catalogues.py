"""The catalogues: the template is as new as the sources, and translations fit their sentences."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.mofile import read_mo

from kinetree.app.actions.table import MENUS, MNEMONICS, all_actions
from kinetree.engine.translation import languages
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
def test_every_sentence_is_translated(path: Path) -> None:
    texts = {_key(message): message for message in catalogues.read(path) if message.id}
    keys = [_key(message) for message in catalogues.template() if message.id]
    missing = [key for key in keys if key not in texts or not catalogues.is_done(texts[key])]
    assert not missing, f"translate these in {path.relative_to(catalogues.ROOT)}, then {RENEW}: {missing[:20]}"
    assert not [key for key, message in texts.items() if message.fuzzy], "a translation that is marked as fuzzy"


@pytest.mark.parametrize("path", FILES, ids=names)
def test_translations_have_the_parts_and_marks_of_their_sentences(path: Path) -> None:
    wrong = []
    for message in catalogues.read(path):
        sources = message.id if isinstance(message.id, tuple) else (message.id,)
        for form, text in enumerate(_strings(message) if message.id else ()):
            source = sources[min(form, len(sources) - 1)]
            if text and _shape(text) != _shape(source):
                wrong.append((source, text))
    assert not wrong


def _shape(text: str) -> tuple[object, ...]:
    """What a translation keeps: parts with their formats, line breaks, tags, white space at the ends."""
    ends = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return catalogues.parts(text), text.count("\n"), sorted(re.findall(r"</?(?:b|i|br|p|code)>", text)), ends


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("{number:.2f} s", "{number} s"),
        ("{a} and {b}", "{a}"),
        ("<b>{a}</b>", "{a}"),
        ("a ", "a"),
        ("a\nb", "a b"),
    ],
)
def test_a_lost_part_or_mark_is_seen(text: str, other: str) -> None:
    assert _shape(text) != _shape(other)
    assert _shape("{count} bodies of {name}") == _shape("{name}: one body")  # the form for one may spell its number


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
    run = [sys.executable, "-m", "kinetree", "check", "--help"]
    environment = {"PATH": "", "PYTHONPATH": str(catalogues.ROOT), "LANGUAGE": "de"}
    done = subprocess.run(run, capture_output=True, text=True, env=environment, cwd=catalogues.ROOT, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "Modelldateien" in done.stdout
