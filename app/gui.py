"""The command `kinetree-gui`: the window for who starts it without a terminal, from a menu or a file manager.

It takes what `kinetree` takes. A start that fails is told in a message box: nobody would see it on standard error.
"""

from __future__ import annotations

import io
import sys
import traceback
from typing import TextIO

from kinetree.app import main as command_line
from kinetree.engine.platforms import display
from kinetree.engine.translation import tr

LENGTH = 4000
"""Characters of output that a message box can show."""


class Heard(io.TextIOBase):
    """Passes what is written on, where there is somewhere to pass it, and keeps the last of it."""

    def __init__(self, passed_to: TextIO | None):
        self._passed_to = passed_to
        self.text = ""

    @property
    def encoding(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride] - io calls it an attribute
        return getattr(self._passed_to, "encoding", None) or "utf-8"

    def fileno(self) -> int:
        return super().fileno() if self._passed_to is None else self._passed_to.fileno()

    def isatty(self) -> bool:
        return self._passed_to is not None and self._passed_to.isatty()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text = (self.text + text)[-LENGTH:]
        if self._passed_to is not None:
            self._passed_to.write(text)
        return len(text)

    def flush(self) -> None:
        if self._passed_to is not None:
            self._passed_to.flush()


def main(arguments: list[str] | None = None) -> int:
    """Run a command line as `kinetree` does; the exit code."""
    before = sys.stdout, sys.stderr
    heard = Heard(sys.stderr)
    sys.stderr = heard
    if sys.stdout is None:  # Windows, without a console
        sys.stdout = heard
    try:
        code = command_line.main(arguments)
    except Exception:
        heard.write(traceback.format_exc())
        code = 1
    finally:
        sys.stdout, sys.stderr = before
    if code not in (0, 130) and heard.text.strip():
        show(heard.text.strip())
    return code


def show(text: str) -> None:
    """Show a message box, if there is a screen to show it on and Qt can be loaded."""
    if not display.is_set() or not display.answers():
        return
    try:
        from PySide6.QtWidgets import QApplication, QMessageBox
    except ImportError:  # a system library is missing: that is what the text says, on standard error
        return
    application = QApplication.instance() or QApplication(["kinetree"])
    *_, last = text.splitlines()
    box = QMessageBox(QMessageBox.Icon.Critical, "Kinetree", last.removeprefix("kinetree: "))
    box.setInformativeText(tr("Kinetree could not start."))
    if last != text:
        box.setDetailedText(text)
    box.exec()
    del application


if __name__ == "__main__":
    sys.exit(main())
