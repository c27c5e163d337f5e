"""Kills the program at random moments of a session of edits, and measures what the next start can recover.

    python -m tests.benchmark.kill [--rounds 100] [--seed 0] [--longest 6]

Each round starts the program with its window under a virtual screen, recovers the texts of the round before it, edits
through every surface (tests/app/session.py), saves now and then, and is killed (SIGKILL) after up to `longest` seconds
of edits. Afterwards the texts that the journal and the disk have are compared with the last texts of the window: the
difference in age is the user's loss. Printed are median and worst. It fails where more than a
second is lost, where the texts that are found were never those of the window, and where the next start does not offer
them or brings back others.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import hashlib
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from kinetree.app.workers.journal import left_sessions
from tests import screen

LIMIT = 1.0
"""Seconds of edits that may be lost."""
BEGIN, STUCK = 120.0, 100.0
"""Seconds that the program has until its window answers, and after which it says where it is."""


def digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


# ---- in the program that is killed -----------------------------------------------------------------------------


def inside(log: str, model: str, seed: int, expected: bool) -> None:
    """Run the program. It edits itself, and writes each state of its texts to `log`: a line of JSON, which the system
    keeps when the program is killed."""
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def tell(**what) -> None:
        os.write(file, json.dumps({"time": time.monotonic(), **what}).encode() + b"\n")

    def fail() -> None:
        tell(failed=traceback.format_exc())
        os._exit(3)

    def begin(window) -> None:
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QApplication

        from tests.app.session import Session

        def wait(condition) -> None:
            end = time.monotonic() + 60
            while not condition():
                QApplication.processEvents()
                assert time.monotonic() < end, "the window does not answer"
                time.sleep(0.001)

        def texts() -> dict[str, str]:
            return {path: digest(project.texts.text(path)) for path in project.texts.files}

        def edit() -> None:
            try:
                session.step()
            except BaseException:
                fail()
            timer.start(session.random.choice((1, 20, 200)))

        try:
            project = window.project
            wait(lambda: project.document is not None and project.path == model)
            if expected:
                wait(lambda: window.documents.left is not None and window.documents.left.isVisible())
                recovered: list[dict[str, str]] = []
                window.workspace.opening.recovered.connect(
                    lambda: recovered.append({path: project.texts.text(path) for path in project.texts.files})
                )
                window.documents.left.recover_button.click()
                wait(lambda: recovered)
                # Recovered texts are merged with changes of other programs.
                before = {path: digest(text) for path, text in recovered[0].items()}
                tell(recovered=recovered[0], texts=before, modified=list(before))
                wait(lambda: not window.workspace.merging.is_comparing)
                while window.workspace.merging.conflicts:
                    window.workspace.disk.keep()
            session = Session(window, seed)
            tell(texts=texts(), modified=project.modified)
            project.edited.connect(lambda *_: tell(texts=texts(), modified=project.modified))
            timer = QTimer(window)
            timer.setSingleShot(True)
            timer.timeout.connect(edit)
            faulthandler.cancel_dump_traceback_later()
            tell(ready=True)
            timer.start(0)
        except BaseException:
            fail()

    faulthandler.dump_traceback_later(STUCK)  # what each thread does where the window does not begin
    from kinetree.app.commands import window as start

    mark = start._mark_start

    def mark_start(window) -> None:
        """Begin once the event loop runs. In the thread of the window: Qt's widgets are for no other one."""
        from PySide6.QtCore import QTimer

        mark(window)
        QTimer.singleShot(0, window, lambda: begin(window))

    start._mark_start = mark_start
    from kinetree.app.main import main

    sys.exit(main([model]))


# ---- the program that kills ------------------------------------------------------------------------------------


def lines(log: Path) -> list[dict]:
    found = []
    with contextlib.suppress(FileNotFoundError):
        for line in log.read_bytes().splitlines():
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
    return found


def run(arguments: argparse.Namespace, environment: dict[str, str]) -> int:
    from tests.app.conftest import MODEL
    from tests.app.test_session import PART

    chance = random.Random(arguments.seed)
    folder = Path(tempfile.mkdtemp())
    model = folder / "rig.xml"
    config = folder / "config"
    environment["KINETREE_CONFIG"] = str(config)
    lost: list[float] = []
    edits = 0
    recovered = 0
    expected: dict[str, str] = {}
    for number in range(arguments.rounds):
        if number % 20 == 0:  # models do not grow for ever
            for unsaved in left_sessions(config / "unsaved"):
                assert unsaved.folder is not None
                subprocess.run(["rm", "-r", str(unsaved.folder)], check=True)
            expected = {}
            (folder / "part.xml").write_text(PART)
            model.write_text(MODEL.replace("  <worldbody>", '  <include file="part.xml"/>\n  <worldbody>', 1))
        log = folder / f"{number}.log"
        command = [sys.executable, "-m", "tests.benchmark.kill", "--inside", str(log), str(model)]
        command += [str(arguments.seed * 1000 + number), str(int(bool(expected)))]
        with open(folder / f"{number}.out", "wb") as output:
            child = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
        end = time.monotonic() + BEGIN
        while not any("ready" in line or "failed" in line for line in lines(log)):
            time.sleep(0.02)
            if child.poll() is not None or time.monotonic() > end:
                child.kill()
                print((folder / f"{number}.out").read_text(errors="replace"), lines(log))
                raise AssertionError(f"round {number}: the program did not begin")
        time.sleep(chance.uniform(0, arguments.longest))
        child.send_signal(signal.SIGKILL)
        killed = time.monotonic()
        child.wait()
        records = lines(log)
        for line in records:
            assert "failed" not in line, f"round {number}: {line['failed']}"
        output = (folder / f"{number}.out").read_text(errors="replace")
        assert "Traceback" not in output, f"round {number}: {output}"
        for line in records:
            if "recovered" in line:
                recovered += 1
                for path, text in expected.items():
                    assert line["recovered"].get(path) == text, (
                        f"round {number}: the start brought back another text of {path} than the journal had:\n"
                        f"{line['recovered'].get(path)}\n--- the journal:\n{text}"
                    )
        states = [line for line in records if "texts" in line]
        edits += len(states) - 1
        left = left_sessions(config / "unsaved")
        journal = {each.path: each.text for each in left[0].files} if left else {}
        # A file without unsaved edits that another program has written may not have been read again yet.
        found = {
            path: journal.get(path) or read(path)
            for path in states[-1]["texts"]
            if path in journal or path in states[-1]["modified"]
        }
        digests = {path: digest(text) for path, text in found.items()}
        lost.append(age(states, digests, journal, killed, number))
        print(f"round {number}: {len(states) - 1} edits, lost {1e3 * lost[-1]:.0f} ms, {len(left)} left", flush=True)
        expected = journal
    print(
        f"{arguments.rounds} kills, {edits} edits, {recovered} recovered; lost: "
        f"{1e3 * statistics.median(lost):.0f} ms median, {1e3 * max(lost):.0f} ms worst"
    )
    return int(max(lost) > LIMIT)


def read(path: str) -> str:
    """Text on the disk."""
    data = Path(path).read_bytes()
    return data.decode("utf-8", "surrogateescape")


def age(states: list[dict], found: dict[str, str], journal: dict[str, str], killed: float, number: int) -> float:
    """Seconds by which the texts that were found are older than those that the window had when it was killed: since
    when it had others."""
    worst = 0.0
    for path, text in found.items():
        last = max((i for i, state in enumerate(states) if state["texts"].get(path) == text), default=None)
        if last is None and path not in journal:
            # Another program wrote the file at the last moment: what was unsaved here is lost.
            last = max((i for i, state in enumerate(states) if path not in state["modified"]), default=None)
        assert last is not None, f"round {number}: {path} was never what the journal and the disk have"
        before = states[last]["texts"].get(path)
        changed = next((state["time"] for state in states[last + 1 :] if state["texts"].get(path) != before), killed)
        worst = max(worst, killed - changed)
    return worst


def main() -> int:
    if sys.argv[1:2] == ["--inside"]:
        log, model, seed, expected = sys.argv[2:]
        inside(log, model, int(seed), expected == "1")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--longest", type=float, default=6.0)
    arguments = parser.parse_args()
    server, display = screen.start()
    environment = dict(os.environ)
    screen.put_on(environment, display)
    try:
        return run(arguments, environment)
    finally:
        screen.stop(server)


if __name__ == "__main__":
    sys.exit(main())
