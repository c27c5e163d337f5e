"""The selected element opened in another editor: programs that are started, what they are given, and refusals."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from kinetree.app.actions.external import TextPlace, command_of, neovim_server
from kinetree.app.actions.external_editors import COMMANDS, EDITOR_BY_NAME
from kinetree.app.settings.table import CUSTOM, EDITORS, SETTING_BY_NAME
from kinetree.app.workspace.selection import Selection
from tests.app.conftest import MODEL
from tests.patience import wait_for

ODD = """an "odd" place, isn't it; $(touch gone) {line}"""
"""A name that a shell, or a second look for names in braces, would change."""
TEXT = MODEL
needs_scripts = pytest.mark.skipif(os.name == "nt", reason="a script of sh is no program on Windows")


def recorder(folder: Path, name: str = "my editor", ends_with: int = 0) -> tuple[Path, Path]:
    """A program that writes its arguments, one a line, and the file that it writes them to."""
    folder.mkdir(exist_ok=True)
    program, written = folder / name, folder / "arguments"
    lines = ["#!/bin/sh", f"printf '%s\\n' \"$@\" > '{written}.part'", f"mv '{written}.part' '{written}'"]
    program.write_text("\n".join([*lines, "echo 'no window is open' >&2", f"exit {ends_with}", ""]))
    program.chmod(0o755)
    return program, written


@pytest.fixture
def odd_window(open_paused, tmp_path, rig):
    """A window on a model whose folder and file have odd names, its arm selected."""
    folder = tmp_path / ODD
    folder.mkdir()
    path = folder / "a model.xml"
    path.write_text(MODEL)
    window = open_paused(path)
    window.selection.select(Selection("body", window.simulation.model.names["body"].index("arm")))
    return window


def place_of(text: str, what: str) -> tuple[int, int]:
    """Line and column of a text in another one, from 1."""
    before = text[: text.index(what)].split("\n")
    return len(before), len(before[-1]) + 1


# ---- what is started -------------------------------------------------------------------------------------------------


@needs_scripts
def test_the_selected_element_is_opened_without_a_shell(odd_window, tmp_path, qtbot):
    window = odd_window
    program, written = recorder(tmp_path / "bin with spaces")
    window.settings.editor, window.settings.editor_command = CUSTOM, f'"{program}" --at {{line}}:{{column}} {{file}}'
    window.actions_["source.external"].trigger()
    qtbot.waitUntil(written.exists)
    line, column = place_of(MODEL, '<body name="arm"')
    assert written.read_text().splitlines() == ["--at", f"{line}:{column}", window.project.path]
    assert not list(tmp_path.rglob("gone"))


@needs_scripts
def test_an_editor_of_the_table_is_found_on_the_path(odd_window, tmp_path, qtbot, monkeypatch):
    window = odd_window
    _, written = recorder(tmp_path / "bin", "code")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    window.selection.select(Selection())
    window.actions_["source.external"].trigger()
    qtbot.waitUntil(written.exists)
    assert written.read_text().splitlines() == ["-g", f"{window.project.path}:1:1"]


@needs_scripts
def test_the_line_of_the_caret_counts_while_typing(odd_window, tmp_path, qtbot):
    window = odd_window
    program, written = recorder(tmp_path / "bin")
    window.settings.editor, window.settings.editor_command = CUSTOM, f'"{program}" {{line}} {{column}}'
    window.actions_["source.show"].trigger()
    qtbot.waitUntil(lambda: window.source.editor is not None)
    offset = MODEL.index('name="tip"')
    window.source.editor.setFocus()
    window.source.editor.select(offset, offset)
    qtbot.waitUntil(window.source.editor.hasFocus)
    QTest.keyClick(
        window.source.editor, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    )
    qtbot.waitUntil(written.exists)
    assert tuple(map(int, written.read_text().split())) == place_of(MODEL, 'name="tip"')


def test_context_menus_offer_it(odd_window):
    action = odd_window.actions_["source.external"]
    assert action in odd_window.tree.menus.menu().actions()
    assert odd_window.source.more_actions == [action]


# ---- unsaved edits ---------------------------------------------------------------------------------------------------


def answer(window, text: str) -> None:
    """Press a button of the question."""
    box = wait_for(lambda: window.findChild(QMessageBox))
    button = next(each for each in box.buttons() if each.text().replace("&", "") == text)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


@needs_scripts
@pytest.mark.parametrize(("choice", "is_saved"), [("Save and Open", True), ("Open as Saved", False)])
def test_unsaved_edits_are_asked_about(odd_window, tmp_path, qtbot, choice, is_saved):
    window = odd_window
    program, written = recorder(tmp_path / "bin")
    window.settings.editor, window.settings.editor_command = CUSTOM, f'"{program}" {{file}}'
    hub = next(node for node in window.project.document.root.iter("geom") if node.get("name") == "hub")
    window.selection.select(Selection(element=hub.id))
    window.tree.edit("duplicate")
    qtbot.waitUntil(lambda: bool(window.project.modified))
    window.actions_["source.external"].trigger()
    assert not written.exists()
    answer(window, choice)
    qtbot.waitUntil(written.exists)
    assert bool(window.project.modified) != is_saved
    assert (Path(window.project.path).read_text() != MODEL) == is_saved


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.fixture
def told(monkeypatch):
    """The failures that a window reports."""
    reports: list[str] = []
    from kinetree.app.panels.pages.failure import FailureDialog

    monkeypatch.setattr(
        FailureDialog, "report", lambda _parent, message, details="", *_: reports.append(f"{message}\n{details}")
    )
    return reports


def test_a_missing_program_is_named_with_a_remedy(window, told, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, row in EDITOR_BY_NAME.items():
        window.settings.editor = name
        window.actions_["source.external"].trigger()
        assert row.command[0] in told[-1] and row.remedy in told[-1]


@needs_scripts
def test_what_a_program_says_is_shown_if_it_fails(window, told, monkeypatch, tmp_path, qtbot):
    recorder(tmp_path / "bin", "emacsclient", ends_with=3)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    window.settings.editor = "emacs"
    window.actions_["source.external"].trigger()
    qtbot.waitUntil(lambda: bool(told))
    assert "emacsclient ended with status 3" in told[0] and "no window is open" in told[0] and "server-start" in told[0]


def test_a_wrong_command_is_refused(window, told):
    window.settings.editor = CUSTOM
    window.actions_["source.external"].trigger()
    assert "{line}" in told[0] and "Write a command" in told[0]
    window.settings.editor_command = "edit {row}"
    window.actions_["source.external"].trigger()
    assert "{row} is unknown" in told[1] and "{line}" in told[1]


def test_without_a_model_there_is_nothing_to_open(make_window, told):
    window = make_window(physics=False)
    window.actions_["source.external"].trigger()
    assert not told and "no text" in window.status.file.text()


# ---- the table -------------------------------------------------------------------------------------------------------


def test_each_editor_of_the_settings_has_a_command():
    assert [row.name for row in COMMANDS] == [name for name, _title in EDITORS]
    assert [value for value, _title in SETTING_BY_NAME["editor.program"].choices] == [*EDITOR_BY_NAME, CUSTOM]
    place = TextPlace(f"/models/{ODD}/a.xml", 12, 5)
    for row in COMMANDS:
        command = command_of(row, "", place)
        assert len(command) == len(row.command)
        assert any("12" in part for part in command)


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_goes_to_the_place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    folder = tmp_path / ODD
    folder.mkdir()
    path = folder / "a model.xml"
    path.write_text(MODEL)
    editor = subprocess.Popen(
        ["nvim", "--headless", "-u", "NONE", "-n", "--listen", neovim_server()], stdin=subprocess.DEVNULL
    )
    try:
        wait_for(lambda: Path(neovim_server()).exists())
        place = TextPlace(str(path), *place_of(MODEL, '<body name="arm"'))
        subprocess.run(command_of(EDITOR_BY_NAME["neovim"], "", place), check=True, capture_output=True)
        ask = ["nvim", "--server", neovim_server(), "--remote-expr", "join([expand('%:p'), line('.'), col('.')])"]
        found = subprocess.run(ask, check=True, capture_output=True, text=True)
        told = found.stdout + found.stderr  # 0.7 writes it to the latter
        assert str(place.line) in told and str(place.column) in told and "a model.xml" in told
    finally:
        editor.kill()
        editor.wait()
