"""The compiler process starts, ends and starts again, and nobody waits for a dead one."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kinetree.app.workers.compiler import client, start
from kinetree.app.workers.compiler.client import Compiler
from kinetree.app.workers.compiler.start import memory_limit
from kinetree.app.workers.compiling import CompileRequest
from kinetree.engine import translation
from kinetree.engine.platforms import connections
from tests import patience

ROOT = Path(__file__).resolve().parents[4]
MODEL = str(ROOT / "resources" / "models" / "arm.xml")
posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def is_running(pid: int) -> bool:
    """Whether a process is there and is no zombie."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ended(pid: int) -> bool:
    return patience.wait_for(lambda: not is_running(pid))


@pytest.fixture
def compiler():
    made = Compiler()
    yield made
    made.close()


def slow(tmp_path: Path) -> str:
    """A model that takes seconds to compile."""
    path = tmp_path / "slow.xml"
    path.write_text(
        "<mujoco><worldbody><replicate count='6000' offset='1 0 0'><body><freejoint/><geom size='.1'/></body>"
        "</replicate></worldbody></mujoco>"
    )
    return str(path)


class Asked(threading.Thread):
    """A question that another thread waits for. `begun`: the process says that it is at it."""

    def __init__(self, compiler: Compiler, path: str):
        super().__init__(daemon=True)
        self.compiler, self.path = compiler, path
        self.begun, self.cancelled = threading.Event(), threading.Event()
        self.result = None
        self.start()
        assert self.begun.wait(patience.LIMIT)

    def run(self) -> None:
        self.result = self.compiler.compile(
            CompileRequest(self.path), lambda *_: self.begun.set(), self.cancelled.is_set
        )


def test_it_loads_no_window(compiler):
    assert compiler.compile(CompileRequest(MODEL)).model is not None
    with open(f"/proc/{compiler.pid}/maps") as file:
        libraries = {os.path.basename(line.split()[-1]) for line in file if ".so" in line}
    assert any("multiarray" in name for name in libraries)
    assert not [name for name in libraries if "Qt" in name or "libGL" in name]


@posix
def test_killed_while_it_waits_the_next_answer_comes_from_another_one(compiler):
    assert compiler.compile(CompileRequest(MODEL)).model is not None
    before = compiler.pid
    os.kill(before, signal.SIGKILL)
    assert ended(before)
    result = compiler.compile(CompileRequest(MODEL))
    assert result.model is not None or [each.code for each in result.diagnostics] == ["compiler-ended"]
    assert compiler.compile(CompileRequest(MODEL)).model is not None
    assert compiler.pid != before


@posix
def test_killed_in_the_middle_it_costs_a_message(compiler, tmp_path):
    asked = Asked(compiler, slow(tmp_path))
    before = compiler.pid
    os.kill(before, signal.SIGKILL)
    asked.join(patience.LIMIT)
    assert asked.result.model is None
    (found,) = asked.result.diagnostics
    assert found.code == "compiler-ended" and "SIGKILL" in found.message and found.file == asked.path
    assert asked.result.files == [asked.path]  # watched: it is compiled again when it changes
    assert compiler.compile(CompileRequest(MODEL)).model is not None
    assert compiler.check(asked.result) == []  # of the model that was compiled since
    assert not is_running(before)


@posix
def test_an_examination_that_ends_the_process_has_that_as_its_finding(compiler, tmp_path):
    assert compiler.examine(CompileRequest(MODEL)) is not None
    path, found = slow(tmp_path), []
    asked = threading.Thread(target=lambda: found.append(compiler.examine(CompileRequest(path))), daemon=True)
    before = compiler.pid
    os.kill(before, signal.SIGSTOP)  # it does not answer before it is killed
    asked.start()
    assert patience.wait_for(compiler._asking.locked)
    os.kill(before, signal.SIGKILL)
    asked.join(patience.LIMIT)
    ((finding,),) = found
    assert finding.code == "compiler-ended" and finding.file == path
    assert compiler.examine(CompileRequest(path), lambda: True) is None  # cancelled
    assert compiler.examine(CompileRequest(MODEL)) is not None


def test_texts_are_sent_again_to_another_process(compiler, tmp_path):
    from kinetree.engine.document.edit import Edit
    from kinetree.engine.document.project import Project

    path = tmp_path / "model.xml"
    path.write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    project = Project()
    project.open(compiler.compile(CompileRequest(str(path))).reads[0])
    for number in range(3):
        project.apply("Edit", {str(path): [Edit(19, 19, f"<site name='s{number}'/>")]})
        request = CompileRequest(str(path), project.snapshot(str(path)).document)
        model = compiler.compile(request).model
        assert model.nsite == number + 1
        node = model.provenance.origin("site", 0).node
        assert project.snapshot(str(path)).document.node(node.id) is not None
        compiler._process.process.kill()
        compiler._process.process.wait()


def test_what_is_not_wanted_is_stopped_and_the_process_stays(compiler, tmp_path, monkeypatch):
    monkeypatch.setattr(client, "PATIENCE", patience.LIMIT)  # on a slow machine a pass takes longer than the usual
    asked = Asked(compiler, slow(tmp_path))
    before = compiler.pid
    asked.cancelled.set()
    asked.join(patience.LIMIT)
    assert not asked.is_alive() and asked.result is None
    assert compiler.compile(CompileRequest(MODEL)).model is not None
    assert compiler.pid == before


@pytest.fixture
def by_pipes(monkeypatch):
    """A compiler over pipes, as Windows has it. They carry no descriptors: all arrays go through them."""
    monkeypatch.setattr(start.connections, "start", functools.partial(connections.start, by_socket=False))
    made = Compiler()
    yield made
    made.close()


def test_over_pipes_it_compiles_and_ends(by_pipes, tmp_path):
    path = tmp_path / "large.xml"
    path.write_text(
        "<mujoco><asset><hfield name='h' nrow='300' ncol='300' size='1 1 1 1'/></asset>"
        "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>",
        encoding="utf-8",
    )
    asked = Asked(by_pipes, slow(tmp_path))
    before = by_pipes.pid
    asked.cancelled.set()
    asked.join(patience.LIMIT)
    assert asked.result is None
    model = by_pipes.compile(CompileRequest(str(path))).model
    assert model is not None and model.hfield_data.nbytes > 65536
    pid = by_pipes.pid
    by_pipes._process.process.kill()
    by_pipes._process.process.wait()
    assert by_pipes.compile(CompileRequest(MODEL)).model is not None and by_pipes.pid not in (before, pid)
    last = by_pipes.pid
    by_pipes.close()
    assert ended(last)


@posix
def test_over_pipes_a_process_that_hangs_is_replaced(by_pipes, tmp_path):
    """Its end wakes the thread that reads from it: closing the pipe would wait for that thread on Windows."""
    asked = Asked(by_pipes, slow(tmp_path))
    before, listening = by_pipes.pid, [t for t in threading.enumerate() if t.name == "compiler-messages"]
    os.kill(before, signal.SIGSTOP)
    asked.cancelled.set()
    asked.join(patience.LIMIT)
    assert not asked.is_alive() and asked.result is None and ended(before)
    for thread in listening:
        thread.join(patience.LIMIT)
    assert not any(thread.is_alive() for thread in listening)
    assert by_pipes.compile(CompileRequest(MODEL)).model is not None


@posix
def test_a_process_that_does_not_stop_is_replaced(compiler, tmp_path):
    asked = Asked(compiler, slow(tmp_path))
    before = compiler.pid
    os.kill(before, signal.SIGSTOP)
    asked.cancelled.set()
    asked.join(patience.LIMIT)
    assert not asked.is_alive() and asked.result is None
    assert ended(before)
    assert compiler.compile(CompileRequest(MODEL)).model is not None


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS")
def test_a_model_without_enough_memory_is_refused(tmp_path):
    compiler = Compiler(memory=1200 << 20)
    try:
        path = tmp_path / "large.xml"
        fields = "".join(f"<hfield name='h{i}' nrow='7900' ncol='7900' size='1 1 1 1'/>" for i in range(4))
        path.write_text(f"<mujoco><asset>{fields}</asset></mujoco>")
        large = compiler.compile(CompileRequest(str(path)))
        assert large.model is None
        assert {each.code for each in large.diagnostics} <= {"out-of-memory", "compiler-ended"}
        assert compiler.compile(CompileRequest(MODEL)).model is not None
    finally:
        compiler.close()


def test_the_limit_of_memory_is_below_what_the_machine_has():
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert memory_limit() == max(4 << 30, int(0.75 * there))


def test_the_first_one_can_be_started_ahead():
    """Before anything large is loaded: the window starts while it does."""
    code = "import sys; import kinetree.app.workers.compiler.start; print([n for n in ('numpy', 'PySide6') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "[]\n"
    start.ahead()
    pid = start._ahead[-1].process.pid
    compiler = Compiler()
    try:
        assert compiler.pid == pid and not start._ahead
        assert compiler.compile(CompileRequest(MODEL)).model is not None
    finally:
        compiler.close()


def test_closing_ends_it_and_whoever_waits(tmp_path):
    compiler = Compiler()
    asked = Asked(compiler, slow(tmp_path))
    pid = compiler.pid
    compiler.close()
    asked.join(patience.LIMIT)
    assert not asked.is_alive() and asked.result is None
    assert not is_running(pid)
    assert compiler.compile(CompileRequest(MODEL)) is None
    compiler.close()


@posix
@pytest.mark.parametrize("busy", [False, True])
def test_it_ends_when_the_window_is_killed(tmp_path, busy):
    code = (
        "import sys, threading\n"
        "from kinetree.app.workers.compiler.client import Compiler\n"
        "from kinetree.app.workers.compiling import CompileRequest\n"
        "compiler = Compiler()\n"
        "print(compiler.pid, flush=True)\n"
        "compiler.compile(CompileRequest(sys.argv[1]), lambda *_: print('begun', flush=True))\n"
        "print('begun', flush=True)\n"
        "threading.Event().wait()\n"
    )
    window = subprocess.Popen(
        [sys.executable, "-c", code, slow(tmp_path) if busy else MODEL], stdout=subprocess.PIPE, cwd=ROOT, text=True
    )
    assert window.stdout is not None
    with window.stdout:
        pid = int(window.stdout.readline())
        assert window.stdout.readline() == "begun\n" and is_running(pid)
        window.kill()
        window.wait()
        assert ended(pid)


@posix
def test_it_leaves_ctrl_c_to_the_window(compiler):
    assert compiler.compile(CompileRequest(MODEL)).model is not None
    before = compiler.pid
    os.kill(before, signal.SIGINT)
    assert compiler.compile(CompileRequest(MODEL)).model is not None
    assert compiler.pid == before


def test_it_speaks_the_language_of_the_window(compiler, tmp_path):
    path = tmp_path / "wrong.xml"
    path.write_text("<mujoco><worldbody><geom/></worldbody></mujoco>")
    english = compiler.compile(CompileRequest(str(path))).diagnostics
    try:
        assert translation.install(["de"]) == "de"
        german = compiler.compile(CompileRequest(str(path))).diagnostics
    finally:
        translation.install(["en"])
    assert [each.code for each in german] == [each.code for each in english]
    assert [each.message for each in german] != [each.message for each in english]
    assert compiler.compile(CompileRequest(str(path))).diagnostics == english
