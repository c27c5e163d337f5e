"""Types and deletes characters at random in a real window, while the model runs.

    python -m tests.benchmark.mutate [MODEL ...] [--minutes 10] [--seed 0]

Models: by default the humanoid, a model with included files, a URDF and an x_xy, made here or of the shared corpus. A
stroke is a key at a random place of the text: a character of XML, a deletion, a paste; or another program that writes
the file with a part cut out. Now and then all is undone. After each stroke the source panel shows the text of the
project; while the text has errors the last good model is still there and its time goes on. It fails on anything that
Python, Qt, the log or the workspace complains about, and where undoing everything does not give the text and the model
of the start. Printed are the strokes, and for how long the window did not answer.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from kinetree.app.workers.simulation import requests
from tests.benchmark.window import display, opened
from tests.conftest import SHARED
from tests.malformed import PIECES

URDF = """<robot name="arm">
  <material name="grey"><color rgba=".5 .5 .5 1"/></material>
  <link name="base"><visual><geometry><box size=".2 .2 .1"/></geometry><material name="grey"/></visual></link>
  <link name="upper">
    <inertial><mass value="1"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 .2"/><geometry><cylinder radius=".05" length=".4"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="1"/>
  </joint>
</robot>
"""


def models(folder: Path) -> list[Path]:
    from tests.app.conftest import MODEL
    from tests.app.test_session import PART

    (folder / "part.xml").write_text(PART)
    rig = folder / "rig.xml"
    rig.write_text(MODEL.replace("  <worldbody>", '  <include file="part.xml"/>\n  <worldbody>', 1))
    (folder / "arm.urdf").write_text(URDF)
    found = [rig, folder / "arm.urdf"]
    humanoid = SHARED / "corpus" / "mujoco" / "model" / "humanoid" / "humanoid.xml"
    if humanoid.exists():
        copy = folder / "humanoid.xml"
        copy.write_bytes(humanoid.read_bytes())
        found.insert(0, copy)
    return found


class Typist:
    """Types into one window."""

    def __init__(self, window, failures: list[str], seed: int) -> None:
        self.window, self.failures, self.random = window, failures, random.Random(seed)
        self.project, self.workspace = window.project, window.workspace
        self.strokes = self.broken = 0
        self.stalls: list[float] = []
        window.actions_["source.show"].trigger()
        self.wait(lambda: window.source.editor is not None)
        self.start = {path: self.project.texts.text(path) for path in self.project.texts.files}
        self.model = window.simulation.model

    def wait(self, condition, seconds: float = 60.0) -> None:
        from PySide6.QtWidgets import QApplication

        end = time.monotonic() + seconds
        while not condition():
            self.pump(QApplication)
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s")

    def pump(self, application) -> None:
        start = time.perf_counter()
        application.processEvents()
        self.stalls.append(time.perf_counter() - start)

    def rest(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        self.wait(lambda: time.monotonic() > end)

    def stroke(self) -> None:
        """One stroke, and what must hold after it."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QApplication

        editor = self.window.source.editor
        if editor is None:
            self.window.source.show_path(self.project.path)
            return
        if self.random.random() < 0.05:
            self.outside()
        else:
            size = len(editor.text)
            place = self.random.randint(0, size)
            editor.select(place, min(size, place + self.random.choice((0, 0, 0, 1, 3, 40))))
            kind = self.random.random()
            if kind < 0.25:
                QTest.keyClick(editor, Qt.Key.Key_Delete)
            elif kind < 0.4:
                QTest.keyClick(editor, Qt.Key.Key_Backspace)
            else:
                piece = self.random.choice(PIECES)
                if piece.isascii() and piece.isprintable():
                    QTest.keyClicks(editor, piece)
                else:
                    QApplication.clipboard().setText(piece)
                    QTest.keyClick(editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
            if self.random.random() < 0.3:
                QTest.keyClick(editor, Qt.Key.Key_Escape)
        self.strokes += 1
        self.rest(self.random.choice((0, 0, 0.02, 0.2)))
        self.check()

    def outside(self) -> None:
        """Another program writes the file, with a part cut out or a character changed."""
        path = Path(self.project.path)
        data = path.read_bytes()
        start = self.random.randrange(len(data) + 1)
        end = min(len(data), start + self.random.choice((0, 1, 10, 200)))
        new = path.with_suffix(".new")
        new.write_bytes(data[:start] + self.random.choice((b"", b"\xff", b"<", b"\x00", b"1")) + data[end:])
        new.replace(path)
        self.rest(0.3)
        self.wait(lambda: not self.workspace.merging.is_comparing)
        while self.workspace.merging.conflicts:
            self.workspace.disk.take_theirs() if self.random.random() < 0.5 else self.workspace.disk.keep()
            self.rest(0)

    def check(self) -> None:
        if self.failures:
            raise AssertionError(self.failures[0])
        editor = self.window.source.editor
        if editor is not None and editor.path in self.project.texts.files:
            assert editor.text == self.project.texts.text(editor.path), "the source panel has another text"
        assert self.window.simulation.model is not None, "the last good model is gone"

    def settle(self) -> None:
        """Wait for the model; if the text has errors, the last good one runs on."""
        window = self.window
        self.wait(lambda: window.compiler.compiling_since is None)
        window.simulation.post(requests.Play())
        self.wait(lambda: window.simulation.snapshot.model is window.simulation.model)
        if window.compiler.failed:
            self.broken += 1
        if window.simulation.ready and not window.simulation.unsimulated:
            first = window.simulation.snapshot.steps
            self.wait(lambda: window.simulation.snapshot.steps != first or not window.simulation.running)
        self.check()

    def undo_all(self) -> None:
        """Back to the start. What another program wrote may still come in."""
        while True:
            while self.project.texts.undo_name is not None:
                self.project.undo()
            self.settle()
            if self.project.texts.undo_name is None:
                break
        assert {path: self.project.texts.text(path) for path in self.start} == self.start, "undo gives another text"
        found = [str(item) for item in self.window.compiler.diagnostics]
        assert not self.window.compiler.failed, f"the first text does not compile any more: {found}"
        assert self.window.simulation.model.nbody == self.model.nbody


def run(path: Path, seconds: float, seed: int) -> None:
    pauses: list[float] = []
    begun = [0.0]

    def collecting(phase: str, info: dict) -> None:
        if phase == "start":
            begun[0] = time.perf_counter()
        else:
            pauses.append(time.perf_counter() - begun[0])

    gc.callbacks.append(collecting)
    with opened(path, (1000, 700)) as (window, failures):
        typist = Typist(window, failures, seed)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for _ in range(typist.random.randint(1, 25)):
                typist.stroke()
            typist.settle()
            if typist.random.random() < 0.3:
                typist.undo_all()
            elif window.compiler.failed:
                for _ in range(typist.random.randint(1, 30)):
                    window.project.undo()
        typist.undo_all()
        stalls = sorted(typist.stalls)[-10:]
        print(
            f"{path.name}: {typist.strokes} strokes, {typist.broken} times with errors when it came to rest; "
            f"longest stalls {', '.join(f'{1e3 * each:.0f}' for each in stalls)} ms, median "
            f"{1e3 * statistics.median(typist.stalls):.1f}; garbage collection up to {1e3 * max(pauses):.0f} ms",
            flush=True,
        )
    gc.callbacks.remove(collecting)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    with display(), tempfile.TemporaryDirectory() as folder:
        paths = [path.resolve() for path in arguments.models] or models(Path(folder))
        for path in paths:
            run(path, 60 * arguments.minutes / len(paths), arguments.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
