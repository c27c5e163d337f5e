"""Reports as files: what they say, what they leave out, how many there are."""

import json
import os
import subprocess
import sys
import time
import traceback
from pathlib import Path

import pytest

import kinetree
from kinetree.app.crashes import redacting
from kinetree.app.crashes.recorder import FOLDER, CrashRecorder, left_by_others
from kinetree.app.crashes.reports import MOST, CrashReport, line_of, listed, text_of, write
from tests.conftest import ROOT
from tests.patience import LIMIT


def raised(message: str) -> str:
    try:
        try:
            {}["left_hand"]
        except KeyError:
            raise ValueError(message) from None
    except ValueError:
        return traceback.format_exc()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("cannot read /home/jane/robots/secret arm.xml", "cannot read secret arm.xml"),
        ("cannot read C:\\Users\\Jane\\arm.xml", "cannot read arm.xml"),
        ("cannot read robots/secret/arm.xml", "cannot read arm.xml"),
        ("Debian GNU/Linux 12, 3/4", "Debian GNU/Linux 12, 3/4"),
        ("KeyError: 'left_hand'", "KeyError: '…'"),
        ('a "quoted \\" name" here', "a '…' here"),
        ("first\n<mujoco>second</mujoco>", "first"),
        ("x" * 1000, "x" * 300 + "…"),
        ("", ""),
    ],
)
def test_messages_lose_folders_quotations_and_further_lines(text: str, left: str) -> None:
    assert redacting.message(text) == left


def test_a_traceback_keeps_frames_and_code_but_no_texts_of_models() -> None:
    stack = redacting.stack(raised("bad text:\n<mujoco model='secret'>\n  <body name='secret'/>"))
    assert 'crashes/test_reports.py", line' in stack and "raise ValueError(message) from None" in stack
    assert "ValueError: bad text:" in stack
    assert "secret" not in stack and str(ROOT) not in stack
    frame = f'  File "{ROOT}/kinetree/app/window.py", line 3, in open'
    assert redacting.stack(frame) == '  File "kinetree/app/window.py", line 3, in open'
    frame = '  File "/home/jane/.venv/lib/python3.11/site-packages/numpy/core.py", line 3 in f'
    assert redacting.stack(frame) == '  File "numpy/core.py", line 3 in f'


def test_a_report_says_what_a_developer_needs() -> None:
    text = text_of(
        CrashReport(
            "the window ended",
            raised("x"),
            {"OpenGL": "llvmpipe"},
            ["12:00:00  edit.move"],
            ["12:00:01  error: /home/j/a.xml"],
        )
    )
    for part in (
        kinetree.__version__,
        "llvmpipe",
        "edit.move",
        "error: a.xml",
        "Traceback (most recent call last)",
        "Python ",
    ):
        assert part in text
    assert "/home" not in text


def test_the_oldest_reports_are_dropped(tmp_path: Path) -> None:
    for number in range(MOST + 5):
        assert write(tmp_path, CrashReport(f"crash {number}", time=1e9 + 60 * number)) is not None
    kept = listed(tmp_path)
    assert len(kept) == MOST and line_of(kept[0])[1] == f"crash {MOST + 4}"
    assert not any(line_of(path)[1] == "crash 0" for path in kept)
    again = [write(tmp_path, CrashReport("same", time=2e9)) for _ in range(2)]
    assert len(set(again)) == 2, "two crashes in one second are two files"


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert write(tmp_path / "file", CrashReport("x")) is None
    recorder = CrashRecorder()
    recorder.keep(tmp_path / "file")
    recorder.note("still works")
    assert left_by_others(tmp_path / "file") == [] == listed(tmp_path / "file")


CRASH = """
import sys, faulthandler
from pathlib import Path
from kinetree.app.crashes.recorder import CrashRecorder
recorder = CrashRecorder()
recorder.keep(Path(sys.argv[1]))
recorder.note_fact("OpenGL", "a driver")
recorder.note_action("edit.move")
recorder.note("warning: cannot read /home/jane/arm.xml")
{ending}
"""


def run(folder: Path, ending: str) -> int:
    line = [sys.executable, "-c", CRASH.format(ending=ending), str(folder)]
    done = subprocess.run(
        line, cwd=ROOT, capture_output=True, timeout=LIMIT, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    return done.returncode


def test_a_fatal_error_becomes_a_report_once(tmp_path: Path) -> None:
    assert run(tmp_path, "faulthandler._sigsegv()") == -11
    [path] = left_by_others(tmp_path)
    text = path.read_text(encoding="utf-8")
    for part in (
        "the window ended: Segmentation fault",
        "a driver",
        "edit.move",
        "cannot read arm.xml",
        'File "<string>", line',
    ):
        assert part in text, text
    assert left_by_others(tmp_path) == [] and list((tmp_path / FOLDER).iterdir()) == []


def test_an_ordinary_end_leaves_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, "recorder.end()") == 0
    assert left_by_others(tmp_path) == [] and list((tmp_path / FOLDER).iterdir()) == []


def test_a_process_that_was_killed_is_forgotten_after_a_while(tmp_path: Path) -> None:
    assert run(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)") == -9
    assert left_by_others(tmp_path) == [] and len(list((tmp_path / FOLDER).iterdir())) == 2
    for path in (tmp_path / FOLDER).iterdir():
        os.utime(path, (time.time() - 1e6,) * 2)
    assert left_by_others(tmp_path) == [] and list((tmp_path / FOLDER).iterdir()) == []


def test_notes_that_were_being_written_are_left_out(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "1-2.fault").write_text("Fatal Python error: Aborted\n")
    for notes in ("{", "[1]", json.dumps({"facts": 3, "actions": None})):
        (tmp_path / FOLDER / "1-2.fault").write_text("Fatal Python error: Aborted\n")
        (tmp_path / FOLDER / "1-2.notes").write_text(notes)
        [path] = left_by_others(tmp_path)
        assert "the window ended: Aborted" in path.read_text(encoding="utf-8")
