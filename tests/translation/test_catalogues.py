"""The catalogues: translations fit their sentences, the program reads what translators wrote, and what is not
translated is listed and shown in English."""

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo

from kinetree.app.actions.rows import all_actions
from kinetree.app.menus.table import MENUS, MNEMONICS
from kinetree.engine import translation
from kinetree.engine.translation import languages
from tests.patience import LIMIT
from tests.translation import catalogues, pseudo
from tests.translation.sentences import NotPlain, in_source

FILES = catalogues.files()
FRENCH = r"""
msgid ""
msgstr "Language: fr\n"
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\n"

#: app/a.py
msgid "Saved {path}"
msgstr "{path} "
"enregistré"

msgid "Not yet"
msgstr ""

#, fuzzy, python-brace-format
msgid "Doubtful"
msgstr "Douteux"

msgid "{count} body"
msgid_plural "{count} bodies"
msgstr[0] "{count} corps"
msgstr[1] "{count} corps (plusieurs)"
msgid "a \"quote\", a \\, a tab\tand\na line"
msgstr "« \" », \\, \t,\n"

#~ msgid "gone"
#~ msgstr "parti"
"""


def _strings(message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


@pytest.fixture
def french(tmp_path: Path) -> Path:
    """The .po file of a small French catalogue in a folder of its own."""
    path = tmp_path / "fr" / "LC_MESSAGES" / "kinetree.po"
    path.parent.mkdir(parents=True)
    path.write_text(FRENCH, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def present() -> Catalog:
    """The template of the present sources."""
    return catalogues.template()


# ---- a sentence without a translation --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=catalogues.language_of)
def test_what_is_not_translated_is_in_the_report(path: Path, present: Catalog, record_property: Callable) -> None:
    """It fails nothing: `python -m tests.translation missing` lists the sentences."""
    state = catalogues.state(path, present)
    record_property("report", state.line)
    assert len(state.missing) < len(present) / 2, "this is no translation any more"


def test_sentences_that_are_missing_doubtful_or_gone_are_listed(french: Path) -> None:
    sources = Catalog()
    for text in ("Saved {path}", "Not yet", "Doubtful", "New"):
        sources.add(text, locations=[("app/a.py", None)])
    state = catalogues.state(french, sources)
    assert state.missing == dict.fromkeys(("Not yet", "Doubtful", "New"), ("app/a.py",))
    assert state.gone == ['a "quote", a \\, a tab\tand\na line', "{count} body"]
    assert state.line == ("translation to fr: sentences that are not translated: 3; translations to drop: 2")
    catalogues.follow([french], sources)
    after = catalogues.state(french, sources)
    assert (len(after.missing), after.gone) == (3, [])
    assert 'msgid "New"\nmsgstr ""' in french.read_text(encoding="utf-8")


def test_the_command_lists_them_and_writes_nothing() -> None:
    before = {path: path.read_bytes() for path in FILES}
    run = [sys.executable, "-m", "tests.translation", "missing"]
    done = subprocess.run(run, capture_output=True, text=True, cwd=catalogues.ROOT, timeout=LIMIT)
    assert (done.returncode, done.stderr) == (0, "")
    assert "translation to de:" in done.stdout
    assert {path: path.read_bytes() for path in FILES} == before


def test_a_sentence_without_a_translation_is_shown_in_english(french: Path) -> None:
    folder = french.parents[2]
    assert languages(str(folder)) == ["en"], "nothing is compiled yet"
    assert catalogues.COMPILER["make"](str(folder)) == [str(french)]
    assert languages(str(folder)) == ["en", "fr"]
    try:
        assert translation.install(["fr"], str(folder)) == "fr"
        assert translation.tr("Saved {path}", path="a") == "a enregistré"
        for text in ("Not yet", "Doubtful", "gone", "New", ""):
            assert translation.tr(text) == text
        assert translation.tr('a "quote", a \\, a tab\tand\na line') == '« " », \\, \t,\n'
        numbers = [translation.counted("{count} body", "{count} bodies", number) for number in (0, 1, 2)]
        assert numbers == ["0 corps", "1 corps", "2 corps (plusieurs)"]
    finally:
        translation.install(["en"])


# ---- compiled catalogues ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=catalogues.language_of)
def test_what_the_program_reads_is_what_translators_wrote(path: Path) -> None:
    assert catalogues.COMPILER["stale"]() == [], "pytest compiles them before it starts"
    with path.with_suffix(".mo").open("rb") as file:
        compiled = {catalogues.key_of(message): _strings(message) for message in read_mo(file) if message.id}
    done = [message for message in catalogues.read(path) if message.id and catalogues.is_done(message)]
    assert compiled == {catalogues.key_of(message): _strings(message) for message in done}


def test_a_catalogue_is_compiled_when_it_has_changed_and_only_then(french: Path) -> None:
    folder, compiled = str(french.parents[2]), french.with_suffix(".mo")
    make = catalogues.COMPILER["make"]
    assert [make(folder), make(folder)] == [[str(french)], []]
    before = compiled.read_bytes()
    french.write_text(FRENCH.replace("enregistré", "gardé"), encoding="utf-8")
    os.utime(french, (1, 1))  # older than the compiled catalogue: a copy of another version
    assert [make(folder), make(folder)] == [[str(french)], []]
    assert compiled.read_bytes() != before
    compiled.unlink()
    assert make(folder) == [str(french)]
    assert sorted(os.listdir(french.parent)) == ["kinetree.mo", "kinetree.po"]
    assert make("/nowhere") == []


@pytest.mark.parametrize(
    ("text", "line", "remedy"),
    [
        ('msgid "a"\nmsgstr "b', 2, "quotation mark at both ends"),
        ('msgid "a"\nmsgstr "b" c"', 2, "inside a text"),
        ('msgid "a"\nmsgstr "\\d"', 2, "backslash"),
        ('msgid "a"\nmsgtext "b"', 2, "no keyword"),
        ('msgid "a"\nmsgstr[x] "b"', 2, "no keyword"),
        ('msgid "a"\nmsgid "b"', 2, "a second msgid"),
        ('\n"a"', 2, "without a keyword"),
        ('msgid "a"\nmsgstr "\udcff"', 2, "UTF-8"),
    ],
)
def test_a_damaged_catalogue_is_refused_with_its_line(
    french: Path, capsys: pytest.CaptureFixture, text: str, line: int, remedy: str
) -> None:
    french.write_bytes(text.encode("utf-8", "surrogateescape"))
    run = runpy.run_path(str(catalogues.ROOT / "packaging" / "catalogues.py"))["main"]
    assert run([str(french.parents[2])]) == 1
    told = capsys.readouterr().err
    assert f"{french}:{line}: " in told and remedy in told
    assert os.listdir(french.parent) == ["kinetree.po"]


# ---- sound translations ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=catalogues.language_of)
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
    """Structure that a translation keeps: parts with their formats, line breaks, tags, white space at the ends."""
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


@pytest.mark.parametrize("path", FILES, ids=catalogues.language_of)
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
    done = subprocess.run(run, capture_output=True, text=True, env=environment, cwd=catalogues.ROOT, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    assert "Modelldateien" in done.stdout
