"""Long work for the user: in a thread, with progress and Cancel."""

from __future__ import annotations

import threading
import time

import pytest
from PySide6.QtWidgets import QApplication

from kinetree.app.workspace.project import ProjectController
from kinetree.app.workspace.tasks import Tasks
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.element_edit import SetAttribute
from kinetree.engine.document.files import read_file
from kinetree.engine.progress import tracked
from tests.app.conftest import wait_for
from tests.patience import LIMIT

TEXT = '<mujoco>\n  <option timestep="0.01"/>\n</mujoco>\n'


@pytest.fixture
def project(qtbot, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(TEXT)
    made = ProjectController()
    made.path = made.texts.open(read_file(path))
    return made


@pytest.fixture
def tasks(project):
    made = Tasks(project)
    yield made
    for thread in made.stop():
        thread.join(LIMIT)


def wait(condition):
    return wait_for(condition, pump=QApplication.processEvents)


def timestep(project) -> str:
    return project.document.root.find("option").get("timestep")


def setting(value: str, wait_for: threading.Event | None = None):
    """A plan that sets the time step, after an event."""

    def plan(document):
        def work():
            if wait_for is not None:
                wait_for.wait(LIMIT)
            return [SetAttribute(document.root.find("option"), "timestep", value)]

        return work

    return plan


def test_an_edit_is_one_step_made_in_a_thread(project, tasks):
    threads, done = [], []

    def plan(document):
        def work():
            threads.append(threading.current_thread().name)
            return setting("0.02")(document)()

        return work

    tasks.edit("Set Step", plan, done.append)
    assert tasks.is_busy and timestep(project) == "0.01"
    wait(lambda: not tasks.is_busy)
    assert timestep(project) == "0.02" and project.texts.undo_names == ["Set Step"]
    assert threads == ["work"] and len(done) == 1 and tasks.progress is None


def test_what_cannot_be_is_refused_in_words(project, tasks, qtbot):
    reasons = []

    def plan(document):
        raise ValueError("not now")

    def work():
        raise ValueError("not so")

    tasks.edit("Plan", plan, refused=reasons.append)
    tasks.edit("Work", lambda document: work, refused=reasons.append)
    tasks.run("Run", work, reasons.append, reasons.append)
    wait(lambda: not tasks.is_busy)
    assert reasons == ["not now", "not so", "not so"] and not project.texts.undo_names
    with qtbot.waitSignal(tasks.failed) as failed:
        tasks.run("Odd", lambda: 1 / 0, reasons.append)
    assert "Odd failed" in failed.args[0] and "ZeroDivisionError" in failed.args[1] and not tasks.is_busy


def test_the_text_changes_meanwhile_and_the_edit_is_planned_anew(project, tasks):
    gate, seen = threading.Event(), []

    def plan(document):
        seen.append(document.source.text)
        return setting("0.03", gate)(document)

    tasks.edit("Set Step", plan)
    project.apply("Other", [SetAttribute(project.document.root.find("option"), "gravity", "0 0 0")])
    gate.set()
    wait(lambda: not tasks.is_busy)
    assert seen[0] == TEXT and len(seen) == 2 and "gravity" in seen[1]
    assert 'timestep="0.03" gravity="0 0 0"' in project.texts.text(project.path)
    assert project.texts.undo_names == ["Set Step", "Other"]


def test_another_document_ends_the_edits_of_the_one_before(project, tasks, tmp_path):
    gate = threading.Event()
    tasks.edit("First", setting("0.03", gate))
    tasks.edit("Second", setting("0.04"))
    project.clear()
    gate.set()
    wait(lambda: not tasks.is_busy)
    assert not project.texts.documents


def test_edits_wait_for_each_other_in_order(project, tasks):
    for value in ("0.02", "0.03", "0.04"):
        tasks.edit(value, setting(value))
    wait(lambda: not tasks.is_busy)
    assert project.texts.undo_names == ["0.04", "0.03", "0.02"] and timestep(project) == "0.04"


def test_slow_work_shows_its_progress_and_is_cancelled(project, tasks):
    ended = threading.Event()

    def work():
        try:
            for _ in tracked(range(100_000)):
                time.sleep(0.01)
        finally:
            ended.set()
        return []

    tasks.edit("Slow", lambda document: work)
    tasks.edit("Waits", setting("0.02"))
    assert tasks.progress is None
    name, fraction = wait(lambda: tasks.progress)
    assert name == "Slow" and fraction is not None and 0 <= fraction < 0.5
    tasks.cancel()
    assert tasks.progress is None and not tasks.is_busy
    wait(ended.is_set)
    assert not project.texts.undo_names


def test_work_that_does_not_look_is_given_up_at_once(project, tasks):
    gate = threading.Event()
    tasks.edit("Deaf", setting("0.02", gate))
    tasks.cancel()
    tasks.edit("Next", setting("0.05"))
    wait(lambda: not tasks.is_busy)
    gate.set()
    for thread in tasks.stop():
        thread.join(LIMIT)
    QApplication.processEvents()
    assert project.texts.undo_names == ["Next"] and timestep(project) == "0.05"


def test_edits_are_made_at_once_and_very_many_in_a_thread(project, tasks):
    path, reasons, done = project.path, [], []
    tasks.change("Few", {path: [Edit(0, 0, "<!-- few -->")]}, done.append, reasons.append)
    assert project.texts.text(path).startswith("<!-- few -->") and len(done) == 1 and not tasks.is_busy
    start = project.texts.text(path).index("  <option")
    many = [Edit(start, start, f"<!-- {i} -->") for i in range(1000)]
    tasks.change("Many", {path: many}, done.append, reasons.append)
    assert tasks.is_busy and len(done) == 1
    wait(lambda: not tasks.is_busy)
    assert "<!-- 998 --><!-- 999 -->" in project.texts.text(path) and len(done) == 2
    assert project.texts.undo_names == ["Many", "Few"]
    tasks.change("Late", {path: many}, done.append, reasons.append)
    project.undo()
    wait(lambda: not tasks.is_busy)
    assert reasons == ["The texts have changed in the meantime: try again."] and len(done) == 2
    assert project.texts.undo_names == ["Few"] and project.texts.redo_names == ["Many"]
