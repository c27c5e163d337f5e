"""The house rules of conftest.py bite: each of these made-up tests breaks one and must fail, and a clean one passes."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BROKEN = """
import logging, threading, time, warnings
from PySide6 import QtCore, QtWidgets

def test_clean(qtbot):
    widget = QtWidgets.QLabel("text")
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitExposed(widget)
    thread = threading.Thread(target=time.sleep, args=(0.01,))
    thread.start()

def test_expected_error(expected_errors):
    logging.getLogger("x").error("on purpose")
    assert len(expected_errors.take()) == 1

def test_warning():
    warnings.warn("unexpected")

def test_logged_error():
    logging.getLogger("x").error("unexpected")

def test_thread():
    threading.Thread(target=threading.Event().wait, daemon=True).start()

def test_thread_exception():
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()

def test_qt_message(qapp):
    QtCore.qWarning("unexpected")

def test_slot_exception(qtbot):
    QtCore.QTimer.singleShot(0, lambda: 1 / 0)
    qtbot.wait(20)

def test_widget(qapp):
    widget = QtWidgets.QLabel("left open")
    widget.show()
    qapp.kept = widget

def test_timer(qapp):
    timer = QtCore.QTimer(qapp)
    timer.start(1000)
"""
GOOD = {"test_clean", "test_expected_error"}


@pytest.mark.slow("runs pytest in processes")
@pytest.mark.parametrize("processes", [0, 2])
def test_the_rules_bite(tmp_path: Path, processes: int) -> None:
    """In one process, and in the workers of pytest-xdist."""
    (tmp_path / "test_broken.py").write_text(BROKEN)
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest"]
    command += [
        "--rootdir",
        str(tmp_path),
        "-o",
        "addopts=",
        "-p",
        "no:cacheprovider",
        "-rA",
        "-q",
        "-n",
        str(processes),
        str(tmp_path),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith(("PASSED ", "FAILED ", "ERROR "))]
    words = [line.split() for line in lines if "::" in line.split()[1]]
    bad = {line[1].split("::")[1] for line in words if line[0] != "PASSED"}
    everything = {line[1].split("::")[1] for line in words}
    assert len(everything) == 10, done.stdout + done.stderr
    assert everything - bad == GOOD, done.stdout
