"""The window in the pseudo-language: what it shows comes from the catalogue, except names of the model and paths."""

import os
import re
from collections.abc import Callable, Iterable, Iterator

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QApplication, QDialog, QMenu

from kinetree.app.settings.table import LANGUAGE_NAMES
from kinetree.app.workspace.selection import select_object
from kinetree.engine import translation
from kinetree.engine.mjcf.schema import ELEMENTS
from kinetree.engine.model import enums, fields
from kinetree.engine.model.kinds import KINDS
from tests.app.conftest import MODEL
from tests.app.texts import texts_of, texts_of_menu
from tests.translation import pseudo

_TRANSLATED = re.compile(f"{pseudo.OPEN}[^{pseudo.OPEN}{pseudo.CLOSE}]*{pseudo.CLOSE}")
_TAG = re.compile(r"<[^<>]*>|&\w+;")
_PATH = re.compile(r"(?<!\S)[/~]\S*")
_WORD = re.compile(r"[^\W\d_²]{2,}")
KEYS = "Ctrl Shift Alt Esc Tab Return Enter Space Backspace Del Ins Home End PgUp PgDown Left Right Up Down F"
UNITS = "s s² s³ ms µs us kg mm Hz MB GB KB rad deg px pt fps kHz Nm"
NAMES = "QHD xml Kinetree MuJoCo MJCF URDF XML PNG JPEG GIF MP4 WebM WebP NPY NumPy CSV MCAP Parquet HD ACES PBR npz csv mcap parquet"


def names() -> set[str]:
    """Words that are the same in every language: of the model, of its format, keys, units."""
    words = set(_WORD.findall(" ".join((MODEL, KEYS, UNITS, NAMES, *LANGUAGE_NAMES.values(), *enums.__dict__, "rig"))))
    for row in ELEMENTS.values():
        words.update(_WORD.findall(" ".join((row.tag, *row.attributes))))
        for attribute in row.attributes.values():
            words.update(
                _WORD.findall(
                    " ".join(map(str, (*attribute.choices, attribute.default, attribute.unit, attribute.type_text)))
                )
            )
    for table in fields.TABLES.values():
        words.update(_WORD.findall(" ".join(each.name for each in table)))
    words.update(each.size for each in KINDS.values())
    return words


def left_over(text: str) -> str:
    """Parts of a text that do not come from the catalogue."""
    before = ""
    while before != text:
        before, text = text, _TRANSLATED.sub("", text)
    return _PATH.sub(" ", _TAG.sub(" ", text))


class _Pseudo(QTranslator):
    """Qt's own texts."""

    def translate(self, context, text, disambiguation=None, n=-1):
        return pseudo.pseudo(text) if text else ""


@pytest.fixture(scope="module")
def catalogues(tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("locale")
    pseudo.write(folder)
    return str(folder)


@pytest.fixture
def pseudo_language(catalogues, qapp) -> Iterator[None]:
    translator = _Pseudo()
    qapp.installTranslator(translator)
    translation.install([pseudo.LANGUAGE], catalogues)
    assert translation.tr("Model") != "Model"
    yield
    translation.install(["en"])
    qapp.removeTranslator(translator)


def unmarked(texts: Iterable[tuple[str, str]], known: set[str]) -> list[str]:
    """The texts with words that are neither translated nor names."""
    found = {}
    for where, text in texts:
        text = text if isinstance(text, str) and not text.startswith(os.sep) else ""  # a path is no sentence
        words = [word for word in _WORD.findall(left_over(text)) if word not in known]
        if words:
            found[text] = f"{where}: {text!r}: {words}"
    return list(found.values())


def test_every_text_of_the_window_is_from_the_catalogue(pseudo_language, open_paused, model_file, rig, qtbot):
    window = open_paused(model_file, size=(1280, 800))
    known = names() | set(_WORD.findall(str(model_file)))
    window.selection.select_several([select_object(rig, "geom", 1)])
    for dock in window.docks.values():
        dock.bring_up()
        QApplication.processEvents()
    wrong = unmarked(texts_of(window), known)
    for action in window.menuBar().actions():
        menu = action.menu()
        assert isinstance(menu, QMenu)
        wrong += unmarked([("menu", action.text())], known) + unmarked(texts_of_menu(menu), known)
    assert not wrong, f"{len(wrong)} texts are not marked for translation:\n" + "\n".join(sorted(wrong))


def dialogs(window) -> dict[str, Callable[[], object]]:
    """Functions that open each dialog."""
    run = {
        name: window.actions_[name].trigger
        for name in window.actions_.rows
        if window.actions_[name].text().endswith("…")
    }
    return {"settings": window.dialogs.show_settings, "keys": window.dialogs.show_keys, **run}


def test_every_text_of_the_dialogs_is_from_the_catalogue(
    pseudo_language, open_paused, model_file, rig, qtbot, tmp_path
):
    window = open_paused(model_file, size=(1280, 800))
    window.settings.folder = str(tmp_path)
    known = names() | set(_WORD.findall(str(tmp_path)))
    wrong: list[str] = []
    window.selection.select_several([select_object(rig, "body", 1)])
    for name, show in dialogs(window).items():
        if name == "file.quit":
            continue
        show()
        QApplication.processEvents()
        for dialog in [
            each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()
        ]:
            if "FileDialog" not in type(dialog).__name__:
                wrong += [f"{name}: {each}" for each in unmarked(texts_of(dialog), known)]
            else:
                wrong += unmarked([(name, dialog.windowTitle())], known)
            dialog.close()
        QApplication.processEvents()
    assert not wrong, f"{len(wrong)} texts are not marked for translation:\n" + "\n".join(sorted(set(wrong)))
