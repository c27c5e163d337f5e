"""The keyboard never moves by itself: whatever comes and goes on the screen while the user types, the letters land in
the text that was typed in, and nothing else takes them for keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from kinetree.app.panels.writing.inspector.editors import NumbersEditor
from kinetree.app.widgets.keyboard import is_typing
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.engine.scene.options import FLAGS, GROUP_KINDS
from tests.app.conftest import MODEL

BROKEN = MODEL.replace('size=".1" mass="1"', 'size=".1" mas="1"')
LETTERS = "t0w=1- "
"""Keys of the viewport: flags, groups, speed, run and pause."""


def state(window) -> tuple:
    """The state that keys of the viewport would change. (Effects change by themselves, with the first picture.)"""
    options = window.view.options
    names = [*(flag.name for flag in FLAGS), *(f"{kind}group" for kind in GROUP_KINDS), "label", "frame"]
    return {name: repr(getattr(options, name)) for name in names}, window.simulation.speed, window.simulation.running


def focus_of(window) -> QWidget:
    focus = window.focusWidget()
    assert focus is not None
    return focus


def text_of(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, QLineEdit) else widget.toPlainText()


def compiled(window) -> bool:
    return window.compiler.compiling_since is None and window.compiler.result is not None


# ---- where the user types --------------------------------------------------------------------------------------------


def in_source(window, qtbot) -> QWidget:
    window.actions_["source.show"].trigger()
    qtbot.waitUntil(lambda: window.source.editor is not None and window.source.editor.hasFocus())
    editor = window.source.editor
    place = editor.text.index("<worldbody>")
    editor.insert_text("Type", place, place, "<!-- here  -->")
    editor.select(place + 10, place + 10)
    return editor


def in_inspector(window, qtbot) -> QWidget:
    node = next(each for each in window.project.document.root.iter() if each.tag == "light")
    window.selection.select(Selection(element=node.id))
    window.docks["inspector"].bring_up()
    qtbot.waitUntil(lambda: window.inspector.form is not None and "pos" in window.inspector.form.rows)
    editor = window.inspector.form.rows["pos"].editor
    assert isinstance(editor, NumbersEditor)
    editor.field.edit(0, "")
    return editor.field.editor


def in_filter(window, qtbot) -> QWidget:
    window.docks["tree"].bring_up(with_keyboard=False)
    window.tree.filter.setFocus()
    return window.tree.filter


def in_inspector_filter(window, qtbot) -> QWidget:
    in_inspector(window, qtbot)
    window.inspector.filter.setFocus()
    return window.inspector.filter


def in_plot(window, qtbot) -> QWidget:
    dock = window.docks["plots"]
    dock.bring_up()
    qtbot.waitUntil(lambda: dock.widget() is not None and dock.panel.is_ready)
    qtbot.waitUntil(lambda: bool(dock.panel.plots))
    line = dock.panel.plots[0].entry.line
    line.setFocus()
    return line


def in_watch(window, qtbot) -> QWidget:
    dock = window.docks["watch"]
    dock.bring_up()
    line = dock.panel.entry.line
    line.setFocus()
    return line


def in_option(window, qtbot) -> QWidget:
    dock = window.docks["options"]
    dock.bring_up()
    field = dock.panel.editors["timestep"].editor
    if isinstance(field, QLineEdit):
        field.setFocus()
        return field
    field.edit(0, "")
    return field.editor


PLACES = {
    "source": in_source,
    "inspector": in_inspector,
    "inspector filter": in_inspector_filter,
    "filter": in_filter,
    "plot": in_plot,
    "watch": in_watch,
    "option": in_option,
}

# ---- what happens meanwhile ------------------------------------------------------------------------------------------


def reload(window, qtbot, path) -> None:
    model = window.simulation.model
    path.write_text(path.read_text().replace('size="3 3 .1"', 'size="4 4 .1"'))
    qtbot.waitUntil(lambda: window.simulation.model is not model)
    qtbot.waitUntil(lambda: window.simulation.snapshot.model is window.simulation.model)


def fail_and_mend(window, qtbot, path) -> None:
    good = path.read_text()
    path.write_text(good.replace('size=".1" mass="1"', 'size=".1" mas="1"'))
    qtbot.waitUntil(lambda: window.compiler.failed)
    qtbot.waitUntil(window.frame.bar.isVisible)
    path.write_text(good)
    qtbot.waitUntil(lambda: not window.compiler.failed and compiled(window))
    qtbot.waitUntil(window.frame.bar.isHidden)


def differ_on_disk(window, qtbot, path) -> None:
    """A bar tells of a change, and goes."""
    window.workspace.disk.set_auto_reload(False)
    before = path.read_text()
    path.write_text(before.replace('name="sun"', 'name="moon"'))
    qtbot.waitUntil(window.frame.files_bar.isVisible)
    window.workspace.disk.keep()
    qtbot.waitUntil(window.frame.files_bar.isHidden)
    window.workspace.disk.set_auto_reload(True)


def open_panels(window, qtbot, path) -> None:
    for name in ("sensors", "profiler", "contacts"):
        window.docks[name].bring_up(with_keyboard=False)
        qtbot.waitUntil(lambda name=name: window.docks[name].in_view)
    for name in ("sensors", "profiler", "contacts"):
        window.docks[name].hide()


def compare(window, qtbot, path) -> None:
    window.actions_["compare.present"].trigger()
    qtbot.waitUntil(lambda: window.simulation.other is not None)
    qtbot.waitUntil(window.frame.compared.isVisible)
    window.actions_["compare.end"].trigger()
    qtbot.waitUntil(lambda: window.simulation.other is None)


def run_and_pause(window, qtbot, path) -> None:
    for on in (True, False):
        window.simulation.post(requests.Play() if on else requests.Pause())
        qtbot.waitUntil(lambda on=on: window.simulation.snapshot.running is on)


EVENTS = {
    "reload": reload,
    "fail": fail_and_mend,
    "disk": differ_on_disk,
    "panels": open_panels,
    "compare": compare,
    "run": run_and_pause,
}


@pytest.mark.parametrize("place", PLACES)
def test_the_keyboard_stays_whatever_happens(window, model_file, qtbot, place):
    widget = PLACES[place](window, qtbot)
    qtbot.waitUntil(widget.hasFocus)
    typed = ""
    for number, (name, event) in enumerate(EVENTS.items()):
        before = state(window)
        QTest.keyClicks(window.focusWidget(), str(number))
        event(window, qtbot, model_file)
        assert focus_of(window) is widget, f"{name}: the keyboard went to {focus_of(window)}"
        QTest.keyClicks(focus_of(window), str(number))
        typed += 2 * str(number)
        assert typed in text_of(widget), name
        assert state(window) == before, name


def open_broken(make_window, path, qtbot):
    path.write_text(BROKEN)
    window = make_window()
    window.simulation.post(requests.Pause())
    window.activateWindow()
    window.open(str(path))
    qtbot.waitUntil(lambda: window.compiler.failed)
    return window


def test_mending_the_first_text_does_not_move_the_keyboard(make_window, model_file, rig, qtbot):
    window = open_broken(make_window, model_file, qtbot)
    window.actions_["source.show"].trigger()
    qtbot.waitUntil(lambda: window.source.editor is not None and window.source.editor.hasFocus())
    editor = window.source.editor
    before = state(window)
    place = editor.text.index('mas="1"') + 3
    editor.select(place, place)
    QTest.keyClicks(editor, "s")
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    qtbot.waitUntil(lambda: window.middle.currentWidget() is window.viewports)
    assert focus_of(window) is editor
    place = editor.text.index('mass="1"')
    editor.select(place, place)
    QTest.keyClicks(focus_of(window), LETTERS)
    assert LETTERS in editor.text
    assert state(window) == before
    # and when it fails, and compiles, once more
    qtbot.waitUntil(lambda: window.compiler.failed and compiled(window))
    window.project.undo()
    qtbot.waitUntil(lambda: not window.compiler.failed and compiled(window))
    assert focus_of(window) is editor and state(window) == before


def test_a_filter_keeps_the_keyboard_when_the_first_model_comes(make_window, model_file, rig, qtbot):
    window = open_broken(make_window, model_file, qtbot)
    line = in_filter(window, qtbot)
    qtbot.waitUntil(line.hasFocus)
    QTest.keyClicks(line, "hu")
    model_file.write_text(MODEL)
    qtbot.waitUntil(lambda: window.middle.currentWidget() is window.viewports)
    assert focus_of(window) is line
    QTest.keyClicks(focus_of(window), "b")
    assert line.text() == "hub"


def test_letters_typed_on_a_page_that_goes_are_no_keys_of_the_viewport(make_window, model_file, rig, qtbot):
    text = BROKEN.replace("<worldbody>", "<worldbody>" + "".join(f"<geom size{n}='1'/>" for n in range(12)))
    model_file.write_text(text)
    window = make_window()
    window.activateWindow()
    window.open(str(model_file))
    qtbot.waitUntil(lambda: window.compiler.failed)
    line = window.start.problems.filter
    qtbot.waitUntil(line.isVisible)
    line.setFocus()
    qtbot.waitUntil(line.hasFocus)
    before = state(window)
    model_file.write_text(MODEL)
    qtbot.waitUntil(lambda: window.middle.currentWidget() is window.viewports)
    QTest.keyClicks(focus_of(window), LETTERS)
    assert not window.viewport.hasFocus() and state(window) == before


def test_a_list_on_the_first_page_hands_the_keyboard_to_the_viewport(make_window, model_file, rig, qtbot):
    window = make_window()
    window.activateWindow()
    qtbot.waitUntil(lambda: window.focusWidget() is not None)
    assert window.start is focus_of(window) or window.start.isAncestorOf(focus_of(window))
    window.start.examples.setFocus()
    window.open(str(model_file))
    qtbot.waitUntil(lambda: window.middle.currentWidget() is window.viewports)
    assert focus_of(window) is window.viewport


def test_a_filter_of_problems_stays_while_it_has_the_keyboard(make_window, model_file, rig, qtbot):
    wrong = "".join(f"<material name='m{n}' rgba{n}='1'/>" for n in range(12))  # equal problems are one row
    model_file.write_text(MODEL.replace("<worldbody>", f"<asset>{wrong}</asset><worldbody>"))
    window = make_window(model_file, physics=False)
    window.activateWindow()
    window.docks["problems"].bring_up()
    line = window.problems.filter
    qtbot.waitUntil(line.isVisible)
    line.setFocus()
    qtbot.waitUntil(line.hasFocus)
    model_file.write_text(MODEL)
    qtbot.waitUntil(lambda: not window.compiler.failed and window.simulation.model is not None)
    assert focus_of(window) is line


def test_what_is_hidden_or_disabled_leaves_the_keyboard_where_letters_do_nothing(window, qtbot):
    line = in_watch(window, qtbot)
    qtbot.waitUntil(line.hasFocus)
    before = state(window)
    for end, again in (
        (lambda: window.docks["watch"].hide(), lambda: window.docks["watch"].bring_up()),
        (lambda: line.setEnabled(False), lambda: line.setEnabled(True)),
        (lambda: window.docks["watch"].panel.hide(), lambda: window.docks["watch"].panel.show()),
    ):
        end()
        focus = window.focusWidget() or window
        assert focus.isVisible() and not is_typing(window) and focus is not window.viewport, focus
        QTest.keyClicks(focus, LETTERS)
        assert state(window) == before
        again()
        line.setFocus()
        qtbot.waitUntil(line.hasFocus)
    assert line.text() == ""
    QTest.keyClick(line, Qt.Key.Key_Tab)
    assert focus_of(window) is not line, "Tab works as usual"


def test_another_model_does_not_take_the_keyboard_out_of_a_filter(window, tmp_path, qtbot):
    other = tmp_path / "other.xml"
    other.write_text(MODEL.replace('model="rig"', 'model="other"'))
    in_source(window, qtbot)
    window.source.found.show()
    line = in_filter(window, qtbot)
    qtbot.waitUntil(line.hasFocus)
    window.workspace.opening.open(str(other))
    qtbot.waitUntil(lambda: window.project.path == str(other))
    qtbot.waitUntil(lambda: window.source.editor is not None)
    assert focus_of(window) is line


def test_an_answer_that_comes_late_leaves_the_keyboard(window, qtbot):
    editor = in_source(window, qtbot)
    place = editor.text.index('joint="hinge"') + 8
    for ask in (window.source.knowledge.go_to_definition, window.source.knowledge.ask_name):
        editor.setFocus()
        editor.select(place, place)
        ask()
        window.tree.filter.setFocus()
        qtbot.wait(400)
        assert focus_of(window) is window.tree.filter
    window.source.rename_bar.show()
    window.source.rename_bar.end()
    assert focus_of(window) is window.tree.filter


def test_a_window_that_is_shown_again_leaves_the_keyboard_in_the_text(window, qtbot):
    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QApplication

    editor = in_source(window, qtbot)
    window.hide()
    window.show()
    QApplication.sendEvent(window, QShowEvent())
    assert focus_of(window) is editor
