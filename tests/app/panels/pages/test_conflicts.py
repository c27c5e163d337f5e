"""The dialog about lines that two programs have changed, in the window."""

from __future__ import annotations

from PySide6.QtCore import Qt

from kinetree.app.panels.pages.conflicts import different
from kinetree.app.panels.writing.source.lexer import TokenKind
from kinetree.app.panels.writing.source.look import formats
from kinetree.app.settings import theme as themes
from kinetree.engine.document.change import set_attribute
from tests.app.conftest import MODEL


def edit(window, tag: str, name: str, attribute: str, value: str) -> None:
    node = next(each for each in window.project.document.root.iter(tag) if each.get("name") == name)
    window.project.apply("Edit", set_attribute(node, attribute, value))


def conflicting(make_window, model_file, qtbot):
    """A window whose file has two conflicts and one change that is merged."""
    window = make_window(model_file, physics=False)
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    edit(window, "geom", "hub", "size", ".3")
    edit(window, "key", "up", "qpos", "0 0 1 1 1 0 0 0")
    theirs = MODEL.replace('size=".1" mass="1"', 'size=".2" mass="1"').replace("-1 0 1 .5", "-1 0 1 .25")
    model_file.write_text(theirs.replace('range="-90 90"', 'range="-45 90"'))
    qtbot.waitUntil(lambda: not window.frame.files_bar.isHidden())
    window.frame.files_bar.buttons[0].click()
    return window, window.documents.conflicts


def test_each_conflict_is_decided(make_window, model_file, qtbot):
    window, dialog = conflicting(make_window, model_file, qtbot)
    assert [dialog.list.item(row).text() for row in range(dialog.list.count())] == ["Line 8", "Line 21"]
    assert 'size=".3"' in dialog.mine.text.toPlainText() and 'size=".2"' in dialog.disk.text.toPlainText()
    assert not dialog.merge_button.isEnabled() and dialog.undecided == 2
    assert dialog.outcome.isVisible() and not dialog.outcome.text.toPlainText()
    height = dialog.mine.height()
    qtbot.mouseClick(dialog.buttons.button(1), Qt.MouseButton.LeftButton)
    assert 'size=".2"' in dialog.outcome.text.toPlainText() and dialog.mine.height() == height
    dialog.list.setCurrentRow(1)
    assert dialog.buttons.checkedId() == -1
    qtbot.mouseClick(dialog.buttons.button(0), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(dialog.merge_button, Qt.MouseButton.LeftButton)
    text = window.project.texts.text(window.project.path)
    assert 'size=".2" mass="1"' in text and "0 0 1 1 1" in text and 'range="-45 90"' in text
    assert window.frame.files_bar.isHidden() and window.project.modified
    window.project.undo()
    assert 'size=".3" mass="1"' in window.project.texts.text(window.project.path)
    window.workspace.opening.close()


def test_it_closes_when_the_file_changes_again(make_window, model_file, qtbot):
    window, dialog = conflicting(make_window, model_file, qtbot)
    closed = []
    dialog.finished.connect(closed.append)
    model_file.write_text(MODEL.replace('size=".1" mass="1"', 'size=".25" mass="1"'))
    qtbot.waitUntil(lambda: bool(closed))
    assert window.documents.conflicts is None and window.project.modified
    window.workspace.opening.close()


def test_the_words_that_differ_are_marked(make_window, model_file, qtbot):
    window, dialog = conflicting(make_window, model_file, qtbot)
    for pane, size in ((dialog.mine, ".3"), (dialog.disk, ".2")):
        assert pane.text.words() == [size]
    dialog.reject()
    qtbot.waitUntil(lambda: window.documents.conflicts is None)


def test_lines_have_the_colours_and_numbers_of_the_editor(make_window, model_file, qtbot):
    window, dialog = conflicting(make_window, model_file, qtbot)
    view = dialog.mine.text
    assert view.first == 4 and [number for number in range(view.blockCount()) if view.differs(number)] == [4]
    assert "hub" in view.document().findBlockByNumber(view.textCursor().blockNumber()).text()
    block = view.document().findBlockByNumber(4)
    theme = themes.current()
    ranges = block.layout().formats()  # kept: the formats belong to them
    found = {
        block.text()[each.start : each.start + each.length]: each.format.foreground().color().name() for each in ranges
    }
    for word, kind in (("geom", TokenKind.ELEMENT), ("name", TokenKind.ATTRIBUTE), (".3", TokenKind.NUMBER)):
        assert found[word] == formats(theme)[kind].foreground().color().name()
    assert view.numbers.width() > 0 and view.viewport().x() >= view.numbers.width()
    dialog.reject()
    qtbot.waitUntil(lambda: window.documents.conflicts is None)


def test_places_of_words_are_those_of_a_text_document():
    mine, disk = "a\r\n\U0001f916 b 1\r\nc", "a\r\n\U0001f916 b 22 d\r\nc"
    assert different(mine, disk) == ([(7, 8)], [(7, 11)])
    assert different("abc", "xyz") == ([], []) and different("a " * 3000, "a") == ([], [])
