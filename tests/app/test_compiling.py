"""The compile thread gives the newest version as soon as it can, and whatever a file holds becomes diagnostics."""

import contextlib
import os
import signal
import threading

import pytest

from kinetree.app.workers.compile_thread import CompileThread
from kinetree.app.workers.compiling import PARSING, CompileRequest, _CompileProgress, compile_file
from kinetree.engine import progress
from kinetree.engine.diagnostics import Severity
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.files import DocumentFiles, FileRead
from kinetree.engine.document.parsed import ParsedSource
from tests.app.conftest import MODEL, wait_for
from tests.patience import LIMIT, ends


@contextlib.contextmanager
def compiling():
    results = []
    thread = CompileThread(results.append, lambda *progress: None)
    thread.start()
    try:
        yield thread, results
    finally:
        thread.stop()
        thread.join(LIMIT)
        assert not thread.is_alive()


def codes(path):
    result = compile_file(str(path))
    for item in result.diagnostics:
        assert item.message and item.code and item.line >= 1 and item.column >= 1
    assert (result.model is None) == any(item.severity is Severity.ERROR for item in result.diagnostics)
    return {item.code for item in result.diagnostics}


def test_a_model_comes_with_its_files_and_hashes(model_file):
    result = compile_file(str(model_file))
    assert result.model.nbody == 5 and result.files == [str(model_file)]
    assert list(result.hashes) == [str(model_file)]


MANY = """<mujoco><worldbody><replicate count="400" offset="1 0 0"><body><freejoint/><geom size=".1"/></body></replicate>
</worldbody></mujoco>"""


def test_while_a_slider_is_dragged_the_model_follows(tmp_path):
    """Versions come faster than they compile: some of them are shown all the same, and the last one always."""
    path = tmp_path / "many.xml"
    path.write_text(MANY)
    with compiling() as (thread, results):
        newest = 0

        def drag() -> None:
            nonlocal newest
            newest = thread.submit(CompileRequest(str(path)))

        drag()
        wait_for(lambda: len(results) > 2, pump=drag)
        wait_for(lambda: results[-1].version == newest)
        assert [result.version for result in results] == sorted({result.version for result in results})
        assert len(results) < newest


def test_a_file_that_is_opened_voids_what_was_asked_for_before(tmp_path, model_file):
    path = tmp_path / "many.xml"
    path.write_text(MANY)
    with compiling() as (thread, results):
        before = thread.submit(CompileRequest(str(path)))
        opened = thread.submit(CompileRequest(str(model_file), fresh=True))
        assert thread.wants(opened) and not thread.wants(before)
        wait_for(lambda: results)
        assert [result.version for result in results] == [opened]


def test_versions_are_delivered_in_order_and_the_newest_last(model_file):
    with compiling() as (thread, results):
        versions = [thread.submit(CompileRequest(str(model_file))) for _ in range(30)]
        assert versions == sorted(set(versions)) and thread.newest == versions[-1]
        wait_for(lambda: results and results[-1].version == versions[-1])
        assert [r.version for r in results] == sorted({r.version for r in results})


def test_a_cancelled_version_is_not_delivered(model_file):
    with compiling() as (thread, results):
        thread.submit(CompileRequest(str(model_file)))
        thread.cancel()
        newest = thread.submit(CompileRequest(str(model_file), fresh=True))
        wait_for(lambda: results and results[-1].version == newest)
        assert results[-1].fresh


BAD = {
    "empty": b"",
    "blank": b"  \n\n",
    "binary": bytes(range(256)) * 40,
    "png": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "text": b"hello, this is not a model\n",
    "html": b"<!DOCTYPE html><html><body><p>hi<br></body></html>",
    "unclosed": b"<mujoco><worldbody><body>",
    "wrong_end": b"<mujoco></worldbody>",
    "half_tag": b"<mujoco><worldbody><geom size='.1",
    "utf16": "<mujoco/>".encode("utf-16"),
    "latin": b"<mujoco model='\xe9\xff\xfe'><nope/></mujoco>",
    "nul": b"<mujoco>\0</mujoco>",
    "bomb": b'<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><mujoco model="&b;"><nope/></mujoco>',
    "deep": b"<mujoco><worldbody>" + b"<body>" * 20000,
    "wide": b"<mujoco><worldbody>" + b"<geom size='.1' bad='1'/>" * 3000 + b"</worldbody></mujoco>",
    "numbers": b"<mujoco><worldbody><geom size='1e999'/><geom size='nan'/><geom size='1,2'/></worldbody></mujoco>",
    "script": b"#!/bin/sh\nexit 0\n",
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_becomes_diagnostics(tmp_path, name):
    path = tmp_path / f"{name}.xml"
    path.write_bytes(BAD[name])
    with ends():
        found = codes(path)
    assert "internal-error" not in found
    if name != "utf16":
        assert found


def test_missing_folder_pipe_and_forbidden(tmp_path):
    assert codes(tmp_path / "missing.xml") == {"missing-file"}
    assert codes(tmp_path) == {"not-a-file"}
    os.mkfifo(tmp_path / "pipe")
    assert codes(tmp_path / "pipe") == {"not-a-file"}
    assert codes("bad\0name") == {"missing-file"}


def bytes_read() -> int:
    """By this process, ever."""
    with open("/proc/self/io") as file:
        return int(next(line for line in file if line.startswith("rchar:")).split()[1])


def test_a_hundred_megabytes(tmp_path):
    path = tmp_path / "huge.xml"
    with path.open("wb") as file:
        file.write(b"<mujoco>")
        file.truncate(100 * 1024 * 1024)
    before = bytes_read()
    assert codes(path) == {"file-too-large"}
    assert bytes_read() - before < 10 * 1024 * 1024, "the file was read before it was refused"


def test_the_thread_survives_a_bad_file(tmp_path, model_file):
    bad = tmp_path / "bad.xml"
    bad.write_bytes(BAD["binary"])
    with compiling() as (thread, results):
        thread.submit(CompileRequest(str(bad)))
        wait_for(lambda: len(results) == 1)
        thread.submit(CompileRequest(str(model_file)))
        wait_for(lambda: len(results) == 2)
        assert results[0].model is None and results[1].model is not None
        assert threading.current_thread().name != "compile"


@pytest.mark.slow("every model of the corpus")
def test_every_test_model_of_the_corpus(shared):
    """Whatever MuJoCo's own test files hold: a model or errors with places, never a failure inside."""
    failures = []
    for path in sorted((shared / "corpus").rglob("*.xml")):
        result = compile_file(str(path))
        failures += [str(item) for item in result.diagnostics if item.code == "internal-error"]
        if result.model is None and not any(i.severity is Severity.ERROR for i in result.diagnostics):
            failures.append(f"{path}: no model and no error")
    assert not failures, "\n".join(failures)


def test_hashes_are_of_the_text_that_was_compiled(model_file):
    first = compile_file(str(model_file)).hashes[str(model_file)]
    model_file.write_text(MODEL + "\n")
    assert compile_file(str(model_file)).hashes[str(model_file)] != first


def test_a_slow_compilation_shows_progress_and_can_be_cancelled(make_window, tmp_path, model_file, qtbot):
    slow = tmp_path / "slow.xml"
    geoms = "".join(f'<body><joint/><geom name="g{i}" size=".1"/></body>' for i in range(6000))
    slow.write_text(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
    window = make_window()
    window.open(str(slow))
    qtbot.waitUntil(lambda: window.compiler.progress is not None)
    assert window.status.cancel.isVisible() and window.status.doing.toolTip()
    window.status.cancel.click()
    assert window.compiler.progress is None and not window.status.cancel.isVisible()
    qtbot.wait(300)
    assert window.simulation.model is None
    window.open(str(model_file))
    qtbot.waitUntil(lambda: window.simulation.model is not None)


def test_parsing_a_large_text_has_progress_and_can_be_cancelled(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    path = tmp_path / "large.xml"
    sites = '<site name="a_rather_long_name" pos="0 0 0" size=".01"/>\n' * 40_000
    path.write_text(f"<mujoco><worldbody>{sites}")  # and nothing to compile
    told = []
    compile_file(str(path), progress=lambda done, total, text: told.append((done / total, text)))
    assert told == sorted(told, key=lambda each: each[0]) and len(told) > 20 and 0 < told[0][0] < 0.02
    assert {text for _, text in told[:-1]} == {"parse the text"} and told[-1] == (PARSING, "check the text")
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked == 2

    assert compile_file(str(path), cancelled=cancelled) is None and asked == 2
    document = Document.from_string('<mujoco><include file="large.xml"/></mujoco>', base=tmp_path)
    asked, given = 0, Document.of_files(str(tmp_path / "main.xml"), _unread(tmp_path, document))
    assert given.pending and compile_file("main.xml", document=given, cancelled=cancelled) is None and asked == 2


def _unread(folder, document):
    """A main file whose other files were not read yet."""
    key = str(folder / "main.xml")
    return DocumentFiles({key: FileRead(key, ParsedSource.parse(document.source))}, {}, from_disk=False)


def test_the_bar_goes_on_where_parsing_ends():
    told = []
    course = _CompileProgress(lambda done, total, text: told.append(done / total), None)
    course.parsed(0.5)
    course.parsed(1.0)
    for done in range(3):
        course.compiled(done, 2, "read")
    assert told == sorted(told) and told[1:3] == [PARSING, PARSING] and told[-1] == 1.0
    told.clear()
    _CompileProgress(lambda done, total, text: told.append(done / total), None).compiled(0, 2, "read")
    assert told == [0.0]


def test_a_compiler_that_is_killed_costs_a_message_and_not_the_window(make_window, tmp_path, model_file, qtbot):
    window = make_window(str(model_file))
    before, model = window.compiler.process, window.simulation.model
    os.kill(before, signal.SIGKILL)
    window.project.apply("Edit", {str(model_file): [Edit(len(MODEL) - 1, len(MODEL) - 1, "<!-- -->")]})
    qtbot.waitUntil(lambda: window.compiler.compiling_since is None)
    qtbot.waitUntil(lambda: window.compiler.process not in (None, before))
    window.project.undo()
    qtbot.waitUntil(lambda: window.simulation.model is not model)
    assert not window.compiler.failed and window.isVisible()
    slow = tmp_path / "slow.xml"
    geoms = "".join(f'<body><joint/><geom name="g{i}" size=".1"/></body>' for i in range(6000))
    slow.write_text(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
    window.open(str(slow))
    qtbot.waitUntil(lambda: window.compiler.progress is not None)
    os.kill(window.compiler.process, signal.SIGKILL)
    qtbot.waitUntil(lambda: window.compiler.compiling_since is None)
    assert [item.code for item in window.compiler.diagnostics] == ["compiler-ended"]
    assert window.simulation.model is not None  # the one that was open
    window.open(str(model_file))
    qtbot.waitUntil(lambda: window.simulation.model is not None and not window.compiler.failed)


def test_a_window_leaves_no_process_behind(make_window, model_file):
    window = make_window(str(model_file))
    pid = window.compiler.process
    assert os.path.exists(f"/proc/{pid}")
    window.close_anyway()
    wait_for(lambda: not os.path.exists(f"/proc/{pid}"))
