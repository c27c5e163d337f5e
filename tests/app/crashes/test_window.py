"""Crashes of real windows and processes: a report is written, offered at the next start, and shown."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from kinetree.app.actions.crash_handlers import CrashHandlers
from kinetree.app.crashes.recorder import FOLDER
from kinetree.app.crashes.reports import listed
from kinetree.app.panels.dialogs.crash_reports import CrashReportsDialog
from kinetree.app.panels.pages.failure import FailureDialog
from kinetree.app.workers import ended
from kinetree.app.workers.compiler.client import Compiler
from kinetree.app.workers.compiling import CompileRequest
from tests.app.conftest import wait_for
from tests.conftest import ROOT
from tests.patience import LIMIT


def crash_a_window(settings, model: Path) -> int:
    """Start the program, and let it end by a real SIGSEGV once it draws; its exit status."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KINETREE_CONFIG": str(settings.crashes.parent)}
    line = [sys.executable, "-m", "kinetree", str(model)]
    with subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        running = settings.crashes / FOLDER
        wait_for(lambda: any(b"OpenGL" in path.read_bytes() for path in running.glob("*.notes")))
        process.send_signal(signal.SIGSEGV)
        return process.wait(LIMIT)


@pytest.mark.slow("starts the program")
def test_a_window_that_crashed_is_reported_at_the_next_start(make_window, settings, model_file: Path, qtbot) -> None:
    assert crash_a_window(settings, model_file) == -signal.SIGSEGV
    window = make_window()
    qtbot.waitUntil(window.status.crash.isVisible)
    [path] = listed(settings.crashes)
    text = path.read_text(encoding="utf-8")
    for part in (
        "the window ended: Segmentation fault",
        "OpenGL",
        "Qt ",
        "kinetree/app/commands/window.py",
        "most recent call first",
    ):
        assert part in text, text
    assert str(model_file.parent) not in text and str(ROOT) not in text and "hinge" not in text
    window.status.crash.click()
    [dialog] = window.findChildren(CrashReportsDialog)
    assert dialog.isVisible() and dialog.current == path and dialog.text.toPlainText() == text
    assert not window.status.crash.isVisible()
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == text
    dialog.delete.click()
    assert listed(settings.crashes) == [] and dialog.current is None and not dialog.copy.isEnabled()
    dialog.close()


def test_nothing_is_offered_without_a_crash(make_window, settings) -> None:
    window = make_window()
    window.workspace.questions.ask("last", lambda: None, lambda answer: None)
    assert not window.status.crash.isVisible() and listed(settings.crashes) == []


def test_the_dialog_of_an_internal_error_has_its_report(make_window, settings, qtbot) -> None:
    window = make_window(physics=False)
    window.actions_["view.palette"].trigger()
    try:
        raise KeyError("left_hand")
    except KeyError as error:
        import traceback

        window.report(f"Internal error: {error}", traceback.format_exc())
    box = FailureDialog._open
    assert box is not None
    [path] = listed(settings.crashes)
    text = path.read_text(encoding="utf-8")
    assert "view.palette" in text and "left_hand'" not in text.replace('raise KeyError("left_hand")', "")
    buttons = {button.text(): button for button in box.findChildren(QPushButton)}
    buttons["Copy Report"].click()
    assert box.isVisible() and QGuiApplication.clipboard().text() == text
    buttons["Show Report…"].click()
    [dialog] = window.findChildren(CrashReportsDialog)
    assert dialog.current == path
    dialog.close()
    window.report("again", "Traceback ...")
    assert len(listed(settings.crashes)) == 1, "errors in a row make one report"
    box.close()


def test_failures_that_are_no_mistakes_make_no_report(make_window, settings) -> None:
    window = make_window(physics=False)
    window.report("The settings cannot be written", "")
    assert FailureDialog._open is not None
    FailureDialog._open.close()
    assert listed(settings.crashes) == []


def test_a_compiler_that_ends_is_reported(tmp_path: Path) -> None:
    told = []
    listener = lambda *what: told.append(what)  # noqa: E731
    ended.listeners.append(listener)
    compiler = Compiler()
    try:
        (tmp_path / "a.xml").write_text("<mujoco/>")
        assert compiler.compile(CompileRequest(str(tmp_path / "a.xml"))) is not None
        assert compiler.pid is not None
        os.kill(compiler.pid, signal.SIGSEGV)
        result = compiler.compile(CompileRequest(str(tmp_path / "a.xml")))
        assert result is not None
    finally:
        compiler.close()
        ended.listeners.remove(listener)
    [(process, how, said)] = told
    assert (process, how) == ("compiler", "SIGSEGV")
    assert "Segmentation fault" in said and "most recent call first" in said


def test_the_window_writes_the_report_of_a_process(make_window, settings) -> None:
    window = make_window(physics=False)
    assert isinstance(window.handlers.crashes, CrashHandlers)
    ended.tell("compiler", "SIGKILL", "Fatal Python error: Aborted\n")
    [path] = listed(settings.crashes)
    assert "the compiler process ended: SIGKILL" in path.read_text(encoding="utf-8")
    window.close_anyway()
    ended.tell("compiler", "SIGKILL", "")
    assert len(listed(settings.crashes)) == 1, "a window that is closed listens no more"
