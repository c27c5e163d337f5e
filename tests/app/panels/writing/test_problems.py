"""The problems panel: equal findings together, elements by name, quick fixes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from kinetree.app.panels.writing.problems import ELEMENT, FIX, LINE, MESSAGE, grouped
from kinetree.engine.diagnostics import Diagnostic, Severity
from kinetree.engine.document.edit import Edit

TYPO = """<mujoco>
  <default><default class="visual"><geom rgba="1 0 0 1"/></default></default>
  <worldbody>
    <geom name="ground" size="1 1 1" type="plane" clas="visual"/>
{geoms}
  </worldbody>
</mujoco>
"""
GEOMS = [f'    <geom name="foot{number}" size=".1" class="vizual" pos="{number} 0 1"/>' for number in range(4)]
BROKEN = TYPO.format(geoms="\n".join(GEOMS))


@pytest.fixture
def broken(make_window, tmp_path, qtbot):
    """A window with a model in which a class is misspelt four times, and an attribute once."""
    path = tmp_path / "broken.xml"
    path.write_text(BROKEN)
    window = make_window()
    window.open(str(path))
    qtbot.waitUntil(lambda: window.compiler.failed and window.problems.model.rowCount() > 0)
    window.docks["problems"].bring_up()
    return window


def rows(window, *columns: int) -> list[tuple[str, ...]]:
    model = window.problems.model
    return [tuple(model.index(row, column).data() for column in columns) for row in range(model.rowCount())]


def text(window) -> str:
    return window.project.texts.text(window.project.path)


def test_equal_findings_are_one_row_that_opens(broken):
    assert [(element, line) for element, line in rows(broken, ELEMENT, LINE)] == [
        ("geom 'ground'", "4:51"),
        ("4 places", ""),
    ]
    broken.problems.view.toggle(1)
    assert rows(broken, MESSAGE, LINE)[2:] == [(f"geom 'foot{number}'", f"{number + 5}:41") for number in range(4)]
    broken.problems.view.setCurrentIndex(broken.problems.model.index(4, 0))
    broken.problems.view.toggle(4, False)  # Left in a row of the group
    assert broken.problems.model.rowCount() == 2 and broken.problems.view.currentIndex().row() == 1


def test_a_fix_is_one_step_that_can_be_undone(broken, qtbot):
    view, model = broken.problems.view, broken.problems.model
    assert model.fixes(0)[0].title == "Change 'clas' to 'class'"
    view.clicked.emit(model.index(0, FIX))
    qtbot.waitUntil(lambda: text(broken) == BROKEN.replace("clas=", "class="))
    assert broken.project.texts.undo_name == "Change 'clas' to 'class'"
    qtbot.waitUntil(lambda: model.rowCount() == 1)
    assert rows(broken, FIX)[0][0].startswith("Fix All 4")
    view.clicked.emit(model.index(0, FIX))
    qtbot.waitUntil(lambda: "vizual" not in text(broken))
    assert text(broken).count('"visual"') == 6
    assert broken.project.texts.undo_name == "Change 'vizual' to 'visual' (4 times)"
    qtbot.waitUntil(lambda: not broken.compiler.failed)
    broken.project.undo()
    broken.project.undo()
    assert text(broken) == BROKEN


def test_the_menu_has_all_fixes_and_those_of_the_kind(broken, qtbot):
    broken.problems.view.toggle(1)
    model = broken.problems.model
    menu = broken.problems.menu(model.rows[2].item)  # the first of the group, in its row below
    titles = [action.text().replace("&", "") for action in menu.actions()]
    assert titles[:2] == ["Fix All 4", "Open in Editor"] or titles[0] == "Fix All 4"
    menu.close()
    menu = broken.problems.menu(model.rows[3].item)
    titles = [action.text().replace("&", "") for action in menu.actions()]
    assert titles[:3] == ["Change 'vizual' to 'visual'", "Declare the default class 'vizual'", "Remove class='vizual'"]
    assert titles[3] == "Fix All of This Kind (undefined-class)"
    menu.actions()[1].trigger()
    qtbot.waitUntil(lambda: '<default class="vizual"/>' in text(broken))


def test_a_text_that_has_changed_is_not_edited_at_the_old_place(broken, qtbot):
    path, model = broken.project.path, broken.problems.model
    fixes = model.fixes(0)
    source = broken.project.texts.source(path)
    with_comment = "<!-- new -->\n"
    broken.compiler.cancel()
    broken.project.texts.apply("Typing", {path: [Edit(0, 0, with_comment)]})
    broken.problems.fix_wanted.emit(list(fixes), model.rows[0].item)
    qtbot.waitUntil(lambda: "The text has changed" in broken.status.file.toolTip())
    assert text(broken) == with_comment + source.text


def test_the_fixes_at_the_caret(broken, qtbot):
    broken.docks["source"].bring_up()
    source = broken.source
    source.focus_editor()
    editor = source.editor
    place = editor.text.index("clas=") + 2
    source.places.show(editor.path, place, place)
    source.fixes.offer()
    menu = source.findChild(QMenu, "fixes")
    assert [action.text().replace("&", "") for action in menu.actions()] == ["Change 'clas' to 'class'"]
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: text(broken) == BROKEN.replace("clas=", "class="))
    qtbot.waitUntil(lambda: source.findChild(QMenu, "fixes") is None)
    told: list[str] = []
    source.told.connect(told.append)
    source.places.show(editor.path, 0, 0)
    source.fixes.offer()
    assert told == ["There is no quick fix here."] and source.findChild(QMenu, "fixes") is None


def test_a_click_on_the_mark_of_a_problem_lists_its_fixes(broken, qtbot):
    broken.docks["source"].bring_up()
    source = broken.source
    source.focus_editor()
    gutter = source.editor.gutter
    line = next(top for block, top, _ in source.editor.lines.blocks() if block.blockNumber() == 4)
    qtbot.mouseClick(gutter, Qt.MouseButton.LeftButton, pos=QPoint(4, round(line) + 6))
    menu = source.findChild(QMenu, "fixes")
    assert menu.actions()[0].text().replace("&", "") == "Change 'vizual' to 'visual'"
    assert source.editor.textCursor().blockNumber() == 4
    menu.close()


def test_what_is_equal_but_for_its_place_is_together():
    def finding(line: int, message: str, code: str = "unknown-attribute", facts: tuple[str, ...] = ()) -> Diagnostic:
        return Diagnostic(Severity.ERROR, code, message, "a.xml", line, facts=facts)

    same = [finding(1, "no 'a'"), finding(5, "no 'a'"), finding(7, "no 'a' (and 3 more of this kind)")]
    other = [finding(2, "no 'b'"), finding(3, "no 'a'", "bad-choice"), finding(4, "no 'a'", facts=("a", "b"))]
    assert [row.items for row in grouped([*same, *other])] == [same, *([each] for each in other)]
    assert grouped(same)[0].message == "no 'a' (and 3 more of this kind)"
