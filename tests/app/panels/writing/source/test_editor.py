"""The source panel in a real window, driven by keys."""

import random
import re

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QGuiApplication, QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QColorDialog

from kinetree.app.panels.writing.source.positions import shown
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import select_element
from kinetree.engine.document.edit import Edit

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
PART = """<mujoco>
  <worldbody>
    <body name="part"><geom name="ball" size=".1"/></body>
  </worldbody>
</mujoco>
"""
MAIN = """<mujoco model="two files">
  <include file="part.xml"/>
  <worldbody>
    <body name="torso" pos="0 0 1">
      <geom name="chest" size=".2"/>
    </body>
    <light pos="0 0 4"/>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def make_panel(make_window, qtbot, tmp_path):
    """make_panel(text): (window, editor) of a file with that text, which includes part.xml perhaps; the editor has
    the focus."""

    def make(text=MAIN):
        (tmp_path / "part.xml").write_bytes(PART.encode())
        path = tmp_path / "main.xml"
        path.write_bytes(text.encode())
        window = make_window(size=(1100, 800))
        window.simulation.post(requests.Pause())
        window.open(str(path))
        qtbot.waitUntil(lambda: window.compiler.result is not None and window.project.document is not None)
        window.actions_["source.show"].trigger()
        qtbot.waitUntil(lambda: window.source.editor is not None)
        window.source.editor.setFocus()
        qtbot.waitUntil(lambda: window.source.editor.viewport().height() > 150)
        windows.append(window)
        return window, window.source.editor

    windows = []
    yield make
    for window in windows:
        window.close_anyway()


def test_the_scroll_bar_lies_below_the_line_numbers(make_panel, qtbot):
    _window, editor = make_panel(MAIN.replace("two files", "two files " * 60))
    bar = editor.horizontalScrollBar()
    qtbot.waitUntil(bar.isVisible)
    assert editor.gutter.geometry().bottom() < bar.mapTo(editor, QPoint(0, 0)).y()
    editor.set_wrap(True)
    qtbot.waitUntil(lambda: not bar.isVisible())
    assert editor.gutter.height() == editor.viewport().height()


def project_text(window, editor):
    return window.project.texts.text(editor.path)


def agrees(window, editor):
    """The QTextDocument has what the project has."""
    text = project_text(window, editor)
    lines = shown(text).replace("\r\n", "\n").replace("\r", "\n")
    return editor.text == text and editor.shown.plain == lines


def press(editor, *keys, held=Qt.KeyboardModifier.NoModifier):
    for key in keys:
        QTest.keyClick(editor, key, held)


def put(editor, what, end=False):
    """Put the caret before (or behind) the first place with a text."""
    offset = editor.text.index(what) + (len(what) if end else 0)
    editor.select(offset, offset)


def test_typing_changes_the_text_and_is_undone_in_steps(make_panel, qtbot):
    window, editor = make_panel()
    put(editor, ".2")
    QTest.keyClicks(editor, "12")
    put(editor, 'pos="0 0 4"')
    QTest.keyClicks(editor, "dir")
    assert 'size="12.2"' in project_text(window, editor) and '<light dirpos="0 0 4"/>' in editor.text
    assert window.project.texts.undo_names == ["Typing", "Typing"]
    press(editor, Qt.Key.Key_Z, held=CTRL)
    assert "dirpos" not in editor.text and editor.carets.main.position == editor.text.index('pos="0 0 4"')
    press(editor, Qt.Key.Key_Z, held=CTRL)
    assert project_text(window, editor) == MAIN and editor.carets.main.position == MAIN.index(".2")
    press(editor, Qt.Key.Key_Z, held=CTRL | SHIFT)
    assert 'size="12.2"' in editor.text and agrees(window, editor)
    assert window.project.modified == [editor.path]


@pytest.mark.parametrize(
    "text",
    [
        MAIN,
        MAIN.replace("\n", "\r\n").replace("torso", "t\U0001f600rs\u00f6"),
        MAIN.replace("  ", "\t").replace("</light>", "\u2028\u2029"),
        "<mujoco>\r<!-- \U0001f916\r\n\n-->\r\n</mujoco>",
    ],
    ids=["plain", "crlf and wide characters", "tabs", "mixed line breaks"],
)
def test_any_keys_leave_the_editor_with_the_projects_text(make_panel, text):
    window, editor = make_panel(text)
    chosen = random.Random(7)
    clipboard = QGuiApplication.clipboard()
    moves = [Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End]
    edits = [Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Backtab]
    for step in range(300):
        kind = chosen.randrange(12)
        if kind < 4:
            QTest.keyClicks(editor, "".join(chosen.choices("<>/ab=\"' -!", k=chosen.randint(1, 4))))
        elif kind == 4:
            clipboard.setText(chosen.choice(["\U0001f600\r\nx", "a\nb", "\u2029", "<a>\U0001f9be</a>", "\r"]))
            press(editor, Qt.Key.Key_V, held=CTRL)
        elif kind == 5:
            press(editor, chosen.choice(edits))
        elif kind == 6:
            press(editor, *chosen.choices(moves, k=3), held=chosen.choice([SHIFT, CTRL, CTRL | SHIFT]))
            press(editor, chosen.choice([*edits, Qt.Key.Key_X]))
        elif kind == 7:
            press(editor, Qt.Key.Key_Z, held=CTRL if chosen.random() < 0.7 else CTRL | SHIFT)
        elif kind == 8:
            press(editor, chosen.choice([Qt.Key.Key_Up, Qt.Key.Key_Down]), held=chosen.choice([ALT, ALT | SHIFT]))
        elif kind == 9:
            press(editor, chosen.choice([Qt.Key.Key_D, Qt.Key.Key_Slash, Qt.Key.Key_X]), held=CTRL)
        elif kind == 10:
            size = len(project_text(window, editor))
            start = chosen.randint(0, size)
            edit = Edit(start, min(start + chosen.randint(0, 9), size), chosen.choice(["", "\n", "\r\n", "<x/>"]))
            window.project.apply("Elsewhere", {editor.path: [edit]})
        else:
            editor.select(*sorted(chosen.randint(0, len(editor.text)) for _ in range(2)))
        assert agrees(window, editor), f"step {step}"
    while window.project.texts.undo_name:
        window.project.undo()
    assert project_text(window, editor) == text and agrees(window, editor)


def test_what_qt_changes_itself_reaches_the_project(make_panel):
    window, editor = make_panel(MAIN.replace("\n", "\r\n"))
    put(editor, "torso")
    event = QInputMethodEvent()
    event.setCommitString("\u6f22\U0001f600")
    QApplication.sendEvent(editor, event)
    assert 'name="\u6f22\U0001f600torso"' in project_text(window, editor) and agrees(window, editor)
    cursor = QTextCursor(editor.document())  # as when text is dragged out
    cursor.setPosition(5)
    cursor.setPosition(60, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    assert agrees(window, editor)


def test_changes_from_elsewhere_keep_caret_scroll_and_folds(make_panel):
    lines = "".join(f'    <geom name="g{i}"\n       size=".1"/>\n' for i in range(200))
    window, editor = make_panel(f"<mujoco>\n  <worldbody>\n{lines}  </worldbody>\n</mujoco>\n")
    put(editor, "g150")
    editor.folding.toggle(editor.shown.block(editor.text.index('<geom name="g140"')))
    assert not editor.shown.block(editor.text.index('size=".1"/>\n    <geom name="g141"')).isVisible()
    window.viewport.setFocus()
    top = editor.verticalScrollBar().value()
    assert top > 0
    at = editor.text.index("g3")
    window.project.apply("Rename", {editor.path: [Edit(at, at + 2, "first\nsecond")]})
    assert editor.text[editor.carets.main.position :].startswith("g150")
    assert editor.folding.is_folded(editor.shown.block(editor.text.index('<geom name="g140"')))
    window.project.undo()
    assert editor.text[editor.carets.main.position :].startswith("g150") and editor.verticalScrollBar().value() == top
    editor.setFocus()
    put(editor, 'size=".1"/>\n    <geom name="g141"')  # what is folded is shown when the caret goes there
    assert not editor.folding.is_folded(editor.shown.block(editor.text.index('<geom name="g140"')))


def test_tags_quotes_and_line_breaks_are_completed(make_panel):
    window, editor = make_panel("<mujoco>\n  <worldbody>\n  </worldbody>\n</mujoco>\n")
    put(editor, "<worldbody>", end=True)
    press(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, '<body name="a" pos=\'1')
    QTest.keyClicks(editor, "'>")
    press(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, '<geom size="1"/>')
    body = """    <body name="a" pos='1'>\n      <geom size="1"/>\n    </body>\n"""
    assert editor.text == f"<mujoco>\n  <worldbody>\n{body}  </worldbody>\n</mujoco>\n"
    put(editor, "body name", end=False)
    press(editor, *[Qt.Key.Key_Delete] * 4)
    QTest.keyClicks(editor, "frame")
    assert '<frame name="a"' in editor.text and "</frame>" in editor.text and agrees(window, editor)


def test_several_carets_type_as_one_step(make_panel):
    window, editor = make_panel(MAIN.replace("\n", "\r\n"))
    at = editor.text.index("pos")
    editor.select(at, at)
    press(editor, Qt.Key.Key_D, Qt.Key.Key_D, held=CTRL)
    QTest.keyClicks(editor, "xyz")
    assert editor.text.count("xyz=") == 2 and "pos" not in editor.text and agrees(window, editor)
    press(editor, Qt.Key.Key_Home)
    QTest.keyClicks(editor, "q")
    assert editor.text.count("q<") == 2
    window.project.undo()
    window.project.undo()
    assert editor.text == MAIN.replace("\n", "\r\n") and agrees(window, editor)


def test_alt_drag_selects_a_column(make_panel):
    _, editor = make_panel()
    cursor, places = QTextCursor(editor.document()), []
    for offset in (MAIN.index("<body") - 2, MAIN.index("<light")):
        cursor.setPosition(editor.shown.position(offset))
        places.append(editor.cursorRect(cursor).center())
    QTest.mousePress(editor.viewport(), Qt.MouseButton.LeftButton, ALT, places[0])
    QTest.mouseMove(editor.viewport(), places[1])
    QTest.mouseRelease(editor.viewport(), Qt.MouseButton.LeftButton, ALT, places[1])
    assert [editor.text[caret.start : caret.end] for caret in editor.carets.all()] == ["  "] * 4


def test_keys_of_the_source_come_before_those_of_the_window_in_its_lines_too(make_panel, qtbot):
    """F2 renames here; in the window it shows the statistics. Qt would say that it is ambiguous."""
    window, editor = make_panel()
    assert window.actions_.keys.users("F2") == ["edit.rename", "source.rename", "help.info"]
    at = editor.text.index("chest")
    editor.select(at, at)
    window.activateWindow()
    window.actions_["source.find"].trigger()
    line = window.source.find_bar.what
    qtbot.waitUntil(line.hasFocus)
    QTest.keyClick(line, Qt.Key.Key_F2)
    qtbot.waitUntil(lambda: not window.source.rename_bar.isHidden())
    assert not window.actions_["help.info"].isChecked()


def test_text_is_dragged_once(make_panel, qtbot):
    """Qt scrolls where the mouse has left the text with the button held, by moves of its own, also while a drag
    waits.
    """
    _, editor = make_panel()
    port, left = editor.viewport(), Qt.MouseButton.LeftButton
    start = editor.text.index("worldbody")
    QTest.mousePress(port, left, Qt.KeyboardModifier.NoModifier, QPoint(5, 5))
    QTest.mouseMove(port, QPoint(40, port.height() + 60))  # it scrolls from now on; the release is lost
    editor.select(start, start + 9)
    cursor = QTextCursor(editor.document())
    cursor.setPosition(editor.shown.position(start + 4))
    place = editor.cursorRect(cursor).center()
    ended = []

    def end() -> None:
        ended.append(QGuiApplication.mouseButtons())
        QTest.keyClick(editor.window().windowHandle(), Qt.Key.Key_Escape)

    QTest.mousePress(port, left, Qt.KeyboardModifier.NoModifier, place)
    QTimer.singleShot(600, editor, end)
    QTest.mouseMove(port, place + QPoint(0, port.height()))  # waits until the drag ends
    assert ended
    QTest.mouseRelease(port, left, Qt.KeyboardModifier.NoModifier, place)


def test_a_column_goes_on_beyond_the_screen(make_panel, qtbot):
    lines = "".join(f'    <numeric name="g{i:03}" data="1"/>\n' for i in range(300))
    _, editor = make_panel(f"<mujoco>\n  <custom>\n{lines}  </custom>\n</mujoco>\n")
    editor.select(editor.text.index("name"), editor.text.index("name"))
    cursor = QTextCursor(editor.document())
    start = editor.cursorRect().center()
    cursor.setPosition(editor.shown.position(editor.text.index("g000")))
    below = QPoint(editor.cursorRect(cursor).center().x(), editor.viewport().height() + 200)
    QTest.mousePress(editor.viewport(), Qt.MouseButton.LeftButton, ALT, start)
    QTest.mouseMove(editor.viewport(), below)
    qtbot.waitUntil(lambda: len(editor.carets.all()) > 150)
    QTest.mouseRelease(editor.viewport(), Qt.MouseButton.LeftButton, ALT, below)
    carets = editor.carets.all()
    assert {editor.text[caret.start : caret.end] for caret in carets} == {'name="'}
    QTest.keyClicks(editor, "x")
    assert editor.text.count("<numeric xg") == len(carets)


def test_a_colour_is_chosen_in_one_step(make_panel, qtbot):
    window, editor = make_panel(MAIN.replace('size=".2"', 'size=".2" rgba="1 0 0 .5"'))
    qtbot.waitUntil(lambda: len(editor._swatches) == 1)
    hand = Qt.CursorShape.PointingHandCursor
    for answer, expected in (("reject", "1 0 0 .5"), ("accept", "0 1 0 0.502")):
        place = editor._swatches[0].area.center().toPoint()
        QTest.mouseMove(editor.viewport(), place)
        qtbot.waitUntil(lambda: editor.viewport().cursor().shape() == hand)
        QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=place)
        dialog = window.findChild(QColorDialog)
        for colour in ("#0000ff", "#00ff00"):
            shade = QColor(colour)
            shade.setAlpha(128)
            dialog.setCurrentColor(shade)
        assert 'rgba="0 1 0 0.502"' in editor.text
        getattr(dialog, answer)()
        assert f'rgba="{expected}"' in editor.text and agrees(window, editor)
        qtbot.waitUntil(lambda: window.findChild(QColorDialog) is None)
    assert window.project.texts.undo_names == ["Set rgba"]


def test_problems_are_underlined_at_once_and_move_along(make_panel, qtbot):
    window, editor = make_panel()
    put(editor, "size=")
    QTest.keyClicks(editor, "<")
    codes = {item.code for item in editor.problems.all}
    assert any(code.startswith("xml-") for code in codes), codes
    press(editor, Qt.Key.Key_Backspace)
    assert not any(item.code.startswith("xml-") for item in editor.problems.all)
    put(editor, ".2")
    QTest.keyClicks(editor, "x")
    qtbot.waitUntil(lambda: window.compiler.failed and len(editor.problems.all) == 1)
    problem = editor.problems.all[0]
    assert editor.text[problem.start : problem.end] == "x.2"
    put(editor, "<body")
    press(editor, Qt.Key.Key_Return)
    problem = editor.problems.all[0]
    assert editor.text[problem.start : problem.end] == "x.2"


def test_replacing_in_all_files_is_one_step(make_panel, qtbot):
    window, editor = make_panel()
    panel = window.source
    panel.finding.begin(replace=True)
    panel.find_bar.what.setText(r'name="(\w+)"')
    panel.find_bar.is_regex.setChecked(True)
    panel.find_bar.by.setText('name="my_$1"')
    qtbot.waitUntil(lambda: panel.find_bar.count.text().endswith("of 2"))
    panel.find_bar.replace_everywhere.emit()
    qtbot.waitUntil(lambda: panel.found.isVisible())
    assert [place.new for place, _ in panel.found.rows] == [
        f'name="my_{n}"' for n in ("torso", "chest", "part", "ball")
    ]
    panel.found.confirmed.emit()
    texts = window.project.texts
    assert [text.count('name="my_') for text in map(texts.text, texts.files)] == [2, 2]
    assert texts.undo_names == ["Replace in all files"] and agrees(window, editor)
    window.project.undo()
    assert [texts.text(path) for path in texts.files] == [MAIN, PART] and not window.project.modified


def test_a_pattern_that_takes_too_long_is_given_up_while_the_window_answers(make_panel, qtbot):
    window, editor = make_panel(f"<mujoco>\n  <!-- {('x' * 40 + ' ') * 100} -->\n</mujoco>\n")
    bar = window.source.find_bar
    window.source.finding.begin()
    bar.is_regex.setChecked(True)
    bar.what.setText("(x+x+)+[yz]")
    qtbot.waitUntil(lambda: bar.count.text() == "Takes too long")
    bar.what.setText("x{40}")
    qtbot.waitUntil(lambda: bar.count.text() == "1 of 100")
    press(editor, Qt.Key.Key_F3)
    qtbot.waitUntil(lambda: bar.count.text() == "2 of 100")
    press(editor, Qt.Key.Key_Escape)
    assert bar.isHidden() and not editor.hits


def test_caret_and_selection_follow_each_other(make_panel, qtbot):
    window, editor = make_panel()
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    put(editor, "chest")
    qtbot.waitUntil(lambda: window.selection.current.kind == "geom")
    model = window.simulation.model
    window.viewport.setFocus()
    part = next(node for node in window.project.document.merged.iter("body") if node.get("name") == "part")
    window.selection.select(select_element(model, part))
    shown = window.source.editor
    assert shown.path.endswith("part.xml") and shown.text[shown.carets.main.position :].startswith('<body name="part"')
    assert not shown.hasFocus() and shown.elements


def test_places_can_be_gone_back_to(make_panel):
    window, editor = make_panel()
    put(editor, "chest")
    there = editor.carets.main.position
    part = next(path for path in window.source.paths if path.endswith("part.xml"))
    window.source.places.show(part, 5, 5)
    assert window.source.editor.path == part
    press(window.source.editor, Qt.Key.Key_Left, held=ALT)
    assert window.source.editor is editor and editor.carets.main.position == there
    press(editor, Qt.Key.Key_Right, held=ALT)
    assert window.source.editor.path == part and window.source.editor.carets.main.position == 5


def test_a_key_colours_its_own_line_and_no_other(make_panel, qtbot):
    lines = "".join(f'    <numeric name="g{i}" data="1 2 3"/>\n' for i in range(10_000))
    _, editor = make_panel(f"<mujoco>\n  <custom>\n{lines}  </custom>\n</mujoco>\n")
    put(editor, 'g5000"', end=True)
    seen = [block for block, _, _ in editor.lines.blocks()]
    qtbot.waitUntil(lambda: all(block.userData() is not None for block in seen))
    here = editor.textCursor().block()
    before = {block.blockNumber(): block.userData() for block in seen}
    for typed in ("x", "<", " ", "y"):
        press(editor, typed)
        editor.viewport().repaint()
    changed = [block.blockNumber() for block in seen if block.userData() is not before[block.blockNumber()]]
    assert changed == [here.blockNumber()]
    coloured, block = 0, editor.document().begin()
    while block.isValid():
        coloured += block.userData() is not None
        block = block.next()
    assert coloured < 200  # of 10,004


def test_an_editor_looks_nothing_up_after_its_project_is_closed(make_panel):
    window, editor = make_panel()
    put(editor, "torso")
    assert editor._soon.isActive()
    QTest.qSleep(100)  # what the editor wants to look up is due
    window.workspace.opening.close()
    QApplication.processEvents()
    assert window.source.editor is None


def test_lines_that_differ_from_the_file_are_marked_and_restored(make_panel, qtbot):
    window, editor = make_panel()
    put(editor, "chest")
    QTest.keyClicks(editor, "my")
    put(editor, "<light")
    press(editor, Qt.Key.Key_Return)
    line = MAIN[: MAIN.index("chest")].count("\n")
    qtbot.waitUntil(lambda: [each.first for each in editor.changes.all] == [line, line + 2])
    assert editor.changes.words(line) == ["In the file:", '      <geom name="chest" size=".2"/>']
    press(editor, Qt.Key.Key_F5, held=ALT)
    assert editor.textCursor().blockNumber() == line
    window.actions_["source.restore"].trigger()
    assert '"chest"' in editor.text and window.project.texts.undo_name == "Restore saved lines"
    qtbot.waitUntil(lambda: [each.first for each in editor.changes.all] == [line + 2])
    window.actions_["file.save"].trigger()
    qtbot.waitUntil(lambda: not editor.changes.all)


def test_marks_that_cover_each_other_in_the_overview_are_one_rectangle(make_panel, qtbot):
    """No more rectangles are painted than pixels exist, and they cover every mark."""
    _, editor = make_panel(MAIN + "<!-- x -->\n" * 5000)
    overview = editor.overview
    editor.show_hits([found.span() for found in re.finditer("x -->", editor.text)], 0)
    marks, boxes = overview.marks(), overview.boxes()
    assert len(marks) > 3000 and len(boxes) < 20
    height = overview._line()
    for first, last, colour, left, right in marks:
        y = min(first * height, overview.height() - 2)
        area = QRectF(left, y, right - left, max((last - first + 1) * height, 2.0))
        assert any(other == colour and box.adjusted(0, -0.01, 0, 0.01).contains(area) for box, other in boxes)


def test_the_overview_goes_where_it_is_clicked(make_panel, qtbot):
    lines = "".join(f'    <numeric name="g{i}" data="1 2 3"/>\n' for i in range(2_000))
    window, editor = make_panel(f"<mujoco>\n  <custom>\n{lines}  </custom>\n</mujoco>\n")
    overview = editor.overview
    qtbot.waitUntil(lambda: overview._picture is not None)
    assert overview.shows_map
    middle = overview.rect().center()
    QTest.mouseClick(overview, Qt.MouseButton.LeftButton, pos=middle)
    first, last = editor.lines.numbers()
    assert first < 1000 < last and abs(overview.box().center().y() - middle.y()) < 6
    QTest.mousePress(overview, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(overview, overview.rect().bottomLeft())
    QTest.mouseRelease(overview, Qt.MouseButton.LeftButton, pos=overview.rect().bottomLeft())
    assert editor.lines.numbers()[1] >= 1999
    wide = overview.width()
    window.actions_["source.map"].trigger()
    qtbot.waitUntil(lambda: overview.width() < wide)
    assert not overview.shows_map and not window.settings.source_map
