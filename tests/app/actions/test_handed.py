"""Files that another start of the program hands to the window, and places in them."""

from __future__ import annotations

import os

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QMessageBox

from kinetree.app.running import client, message
from kinetree.app.running.message import FilePlace, Request
from kinetree.app.settings.table import NEW_WINDOW
from kinetree.engine.document.change import set_attribute
from tests.app.conftest import FLAWED, MODEL

PART = """<mujoco>
  <worldbody>
    <body name="part">
      <geom name="inside" size=".1"/>
    </body>
  </worldbody>
</mujoco>
"""
MAIN = """<mujoco>
  <include file="part.xml"/>
</mujoco>
"""


@pytest.fixture
def window(make_window, model_file, qtbot):
    made = make_window(model_file, physics=False)
    qtbot.waitUntil(lambda: made.simulation.model is not None)
    return made


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def selected_name(window) -> str | None:
    node = window.project.document.node(window.selection.current.element or -1)
    return None if node is None else node.get("name")


def caret(window):
    editor = window.source.editor
    cursor = editor.textCursor()
    return editor.path, cursor.blockNumber() + 1, cursor.positionInBlock() + 1


def test_a_file_is_opened_as_from_the_menu(window, tmp_path, qtbot):
    other = tmp_path / "other.xml"
    other.write_text(FLAWED)
    assert window.handed.take(Request(str(other), only_shown=True)) == message.OTHER
    assert window.handed.take(Request(str(other))) == message.DONE
    qtbot.waitUntil(lambda: window.project.path == str(other) and window.project.compiled is not None)


def test_unsaved_edits_are_asked_about(window, tmp_path, qtbot):
    other = tmp_path / "other.xml"
    other.write_text(FLAWED)
    hub = next(node for node in window.project.document.root.iter("geom") if node.get("name") == "hub")
    window.project.apply("Set Size", set_attribute(hub, "size", ".2"), None)
    assert window.handed.take(Request(str(other))) == message.DONE
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None)
    assert window.project.path != str(other)
    # while the question is open, a further file gets a window of its own; the open file can be shown
    qtbot.waitUntil(lambda: window.findChild(QMessageBox).isVisible())
    assert window.handed.take(Request(str(tmp_path / "third.xml"))) == message.OWN
    assert window.handed.take(Request(window.project.path)) == message.DONE
    window.findChild(QMessageBox).reject()


@pytest.mark.parametrize("way", ["drop", "menu", "other start"])
def test_what_is_no_model_is_refused_without_a_question_about_unsaved_edits(window, tmp_path, qtbot, way):
    picture = tmp_path / "photo.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    hub = next(node for node in window.project.document.root.iter("geom") if node.get("name") == "hub")
    window.project.apply("Set Size", set_attribute(hub, "size", ".2"), None)
    path = window.project.path
    ways = {
        "drop": lambda: dropped(window, picture),
        "menu": lambda: window.documents.open(str(picture)),
        "other start": lambda: window.handed.take(Request(str(picture))),
    }
    ways[way]()
    bar = window.frame.bar
    qtbot.waitUntil(lambda: "photo.png cannot be opened" in bar.text())
    assert window.findChild(QMessageBox) is None
    assert window.project.path == path and window.project.modified == [path]


def test_the_setting_gives_each_file_a_window_of_its_own(window, tmp_path):
    window.settings.set("open_files_in", NEW_WINDOW)
    assert window.handed.take(Request(str(tmp_path / "other.xml"))) == message.OWN
    assert window.handed.take(Request(window.project.path)) == message.DONE


def test_the_open_file_is_known_by_its_other_names(window, tmp_path):
    link = tmp_path / "link.xml"
    link.symlink_to(window.project.path)
    assert window.handed.take(Request(str(link), only_shown=True)) == message.DONE


def test_the_window_comes_to_the_front_with_the_token(window, monkeypatch, qtbot):
    heard = []
    monkeypatch.setattr(window, "activateWindow", lambda: heard.append(os.environ.get("XDG_ACTIVATION_TOKEN")))
    window.showMinimized()
    window.handed.take(Request(window.project.path, token="token"))
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == ["token"] and not window.isMinimized() and "XDG_ACTIVATION_TOKEN" not in os.environ


def test_a_place_is_selected_in_text_tree_and_model(window, qtbot):
    line = line_of(MODEL, '<geom name="rod"')
    window.handed.take(Request(window.project.path, line))
    qtbot.waitUntil(lambda: selected_name(window) == "rod")
    assert (window.selection.current.kind, window.docks["source"].isVisible()) == ("geom", True)
    column = MODEL.splitlines()[line - 1].index("<") + 1
    assert caret(window) == (window.project.path, line, column)
    tree = window.tree.view
    qtbot.waitUntil(lambda: "rod" in str(tree.currentIndex().data()))


def test_a_column_chooses_among_the_elements_of_a_line(window, qtbot):
    line = line_of(MODEL, '<body name="box"')
    text = MODEL.splitlines()[line - 1]
    for part, name in (("<freejoint", "float"), ("<geom", "cube"), ("<body", "box")):
        window.handed.take(Request(window.project.path, line, text.index(part) + 2))
        qtbot.waitUntil(lambda name=name: selected_name(window) == name)


def test_a_place_in_a_file_that_has_to_be_opened(window, tmp_path, qtbot):
    other = tmp_path / "other.xml"
    other.write_text(FLAWED)
    window.handed.take(Request(str(other), 2, 12))
    qtbot.waitUntil(lambda: window.project.path == str(other) and window.selection.current.element is not None)
    assert window.project.document.node(window.selection.current.element).tag == "material"


def test_a_place_in_an_included_file_uses_the_window_with_the_model_around(window, tmp_path, qtbot):
    (tmp_path / "part.xml").write_text(PART)
    main = tmp_path / "main.xml"
    main.write_text(MAIN)
    window.open(str(main))
    qtbot.waitUntil(lambda: window.project.path == str(main) and window.project.compiled is not None)
    assert window.handed.take(Request(str(tmp_path / "part.xml"), only_shown=True)) == message.OTHER
    place = Request(str(tmp_path / "part.xml"), line_of(PART, "<geom"), 10, only_shown=True)
    assert window.handed.take(place) == message.DONE
    qtbot.waitUntil(lambda: selected_name(window) == "inside")
    assert window.project.path == str(main) and caret(window)[0] == str(tmp_path / "part.xml")
    assert window.selection.current.kind == "geom"


def test_a_place_behind_the_end_is_the_end(window, qtbot):
    window.handed.take(Request(window.project.path, 10_000, 10_000))
    qtbot.waitUntil(lambda: window.source.editor is not None and caret(window)[1] == MODEL.count("\n") + 1)
    assert not window.selection.current


def dropped(window, *paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    event = QDropEvent(
        QPointF(50, 50), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.dropEvent(event)
    return event.isAccepted()


def test_several_dropped_files_open_in_several_windows(window, tmp_path, qtbot, monkeypatch):
    elsewhere = []
    monkeypatch.setattr(client, "open_in_windows", elsewhere.extend)
    names = ["a b#1.xml", "100%.xml", "\u00fc?.xml"]
    paths = [tmp_path / name for name in names]
    for path in paths:
        path.write_text(FLAWED)
    (tmp_path / "folder").mkdir()
    assert dropped(window, tmp_path / "folder", *paths, paths[0])
    qtbot.waitUntil(lambda: window.project.path == str(paths[0]))
    assert elsewhere == [FilePlace(str(path)) for path in paths[1:]]


def test_a_dropped_folder_shows_its_files(window, tmp_path, qtbot):
    (tmp_path / "folder").mkdir()
    assert dropped(window, tmp_path / "folder")
    dialog = window.findChild(QFileDialog)
    assert dialog is not None and dialog.directory().path() == str(tmp_path / "folder")
    dialog.close()


def test_too_many_dropped_files_are_said(window, tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr(client.subprocess, "Popen", lambda line, **_: started.append(line[-1]))
    said: list[str] = []
    monkeypatch.setattr(window.status.file, "set_text", said.append)
    (tmp_path / "0.xml").write_text(FLAWED)
    dropped(window, *(tmp_path / f"{number}.xml" for number in range(13)))
    assert started == [str(tmp_path / f"{number}.xml") for number in range(1, 11)]
    assert any("2 files were left out" in text for text in said)


def test_several_models_over_the_viewport_are_for_the_window(window, tmp_path):
    drops, data = window.frame.drops, QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.xml"))])
    assert drops.accepts(data)
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in ("a.xml", "b.xml")])
    assert not drops.accepts(data)
