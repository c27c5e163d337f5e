"""`kinetree-gui`: what the command line says of a failed start is shown in a message box."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from kinetree.app import gui


@pytest.fixture
def boxes(qapp: QApplication) -> list[QMessageBox]:
    """The message boxes that were shown; each is closed as soon as the event loop turns."""
    found: list[QMessageBox] = []

    def close() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            found.append(box)
            box.accept()
            ticker.stop()

    ticker = QTimer(qapp)
    ticker.timeout.connect(close)
    ticker.start(20)
    yield found
    ticker.stop()
    ticker.deleteLater()


def test_an_error_is_shown(boxes: list[QMessageBox], capsys: pytest.CaptureFixture) -> None:
    before = sys.stderr
    assert gui.main(["--nonsense"]) == 2
    assert sys.stderr is before
    (box,) = boxes
    assert "unknown option '--nonsense'" in box.text()
    assert not box.text().startswith("kinetree:")
    assert "unknown option '--nonsense'" in capsys.readouterr().err


def test_an_error_without_a_console(boxes: list[QMessageBox], monkeypatch: pytest.MonkeyPatch) -> None:
    """As pythonw.exe starts a program on Windows."""
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setattr(sys, "stdout", None)
    assert gui.main(["check", "/there/is/no/such.xml"]) == 1
    assert "no/such.xml" in boxes[0].text()


def test_an_unexpected_exception(boxes: list[QMessageBox], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_arguments: object) -> int:
        raise ImportError("libGL.so.1: cannot open shared object file")

    monkeypatch.setattr(gui.command_line, "main", broken)
    assert gui.main([]) == 1
    assert boxes[0].text() == "ImportError: libGL.so.1: cannot open shared object file"
    assert "Traceback" in boxes[0].detailedText()


def test_a_library_that_the_system_lacks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    def lacking(*_arguments: object) -> int:
        raise ImportError("libxkbcommon.so.0: cannot open shared object file: No such file or directory")

    monkeypatch.setattr(gui.command_line.commands.window, "run", lacking)
    assert gui.command_line.main(["--new-window"]) == 1
    told = capsys.readouterr().err
    assert "lacks a library: libxkbcommon.so.0: cannot open" in told
    assert "libxkbcommon-x11-0" in told
    assert told.count("\n") == 1


def test_without_a_screen_it_ends(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert gui.main(["--nonsense"]) == 2
    assert "unknown option" in capsys.readouterr().err


def test_success_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gui, "show", lambda text: pytest.fail(text))
    monkeypatch.setattr(gui.command_line, "main", lambda arguments: print("a warning", file=sys.stderr) or 0)
    assert gui.main([]) == 0
