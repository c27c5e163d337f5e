"""Tests do not depend on the clock: they wait for conditions, with the one limit of `tests/patience.py`. What this finds
in a test is a reading of a clock, a pause, or a limit of its own. The exceptions are few, and each has its reason."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
FREE = {"benchmark", "fuzz"}
"""Folders without tests: benchmarks, and the fuzzer, which runs for a given time."""

CLOCKS = {
    "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "thread_time", "time_ns",
    "QElapsedTimer",
}  # fmt: skip
PAUSES = {"sleep", "qWait", "qSleep", "msleep", "usleep"}
WITH_A_LIMIT = {"join", "result", "wait", "wait_for"}
LIMITS = {"timeout", "seconds", "timeout_s"}
QT_WAITS = {"waitUntil", "waitSignal", "waitSignals", "waitExposed", "waitActive", "waitCallback"}

SILENCE = "shows that nothing happens meanwhile: where the machine is slow it sees less, and passes"
PACE = "paces input, as a person would give it; the outcome is waited for"
PROCESSOR = "keeps the processor busy for so long by the processor's own time, which load does not change"

MAKES_PICTURES = "makes pictures of the documentation; no test"
EXCEPTIONS: dict[str, tuple[int, str]] = {
    "app/test_docks.py": (2, SILENCE),
    "app/test_wheel.py": (1, PACE),
    "app/panels/test_dock_layout.py": (1, PACE),
    "app/workers/controller/test_controller.py": (1, "a process in an endless loop must not have ended at any moment"),
    "app/workspace/test_controller.py": (1, "the window closes at some moment of an endless loop: it ends at any"),
    "app/test_no_ambiguous_key.py": (1, PACE),
    "app/language_server/test_server.py": (1, "a server is left at some moment of its start: it ends at any"),
    "app/monkey.py": (3, "cancels whatever waits for a person for long; no outcome depends on when"),
    "app/panels/writing/inspector/test_panel.py": (1, PACE),
    "app/panels/live/test_live.py": (1, SILENCE),
    "app/panels/writing/source/test_editor.py": (1, "lets a timer become due; one that is late is looked for too"),
    "app/panels/writing/source/test_knowledge.py": (1, PACE),
    "app/panels/writing/source/test_overtyping.py": (1, PACE),
    "app/panels/test_layouts.py": (1, SILENCE),
    "app/panels/test_models.py": (1, PACE),
    "app/pointer.py": (4, PACE),
    "app/session.py": (2, "a worker may answer within a moment, or not: both are fine"),
    "app/test_command_line.py": (2, "a program is ended at some moment of its start: it ends in order at any"),
    "app/test_compiling.py": (1, SILENCE),
    "app/test_keyboard_only.py": (1, SILENCE),
    "app/test_keyboard_stays.py": (1, SILENCE),
    "app/test_reload.py": (4, SILENCE + "; one of them: " + PACE),
    "app/viewport/test_views_around.py": (1, SILENCE),
    "app/test_watching.py": (1, "a file is rewritten for a while, as fast as the machine can"),
    "app/workers/test_journal.py": (2, SILENCE),
    "app/workers/simulation/test_poser.py": (1, SILENCE),
    "app/workers/simulation/test_thread.py": (
        5,
        "real time is what is tested: never faster, as slow as the machine is; " + SILENCE,
    ),
    "app/workspace/test_garbage.py": (1, SILENCE),
    "app/workspace/test_idle_queue.py": (1, SILENCE),
    "app/workspace/test_disk.py": (1, SILENCE),
    "app/workspace/test_saving.py": (1, SILENCE),
    "app/workspace/test_tasks.py": (1, "work that is slow on purpose, and cancelled"),
    "conftest.py": (3, "a thread may live on for seconds after it was told to end, which takes it milliseconds"),
    "engine/dynamics/test_invariants.py": (1, "ticks of another thread; tried until enough of them came"),
    "engine/platforms/test_native.py": (2, "the clock is what is tested"),
    "engine/run/test_timing.py": (2, "the test is about measured times: they add up to the elapsed time"),
    "faults/scenarios.py": (6, "what a failed call prevented never comes: it is waited for in vain"),
    "faults/trials.py": (3, "ends a trial that is stuck, after the one limit"),
    "packaging/installed.py": (4, "says how long it took; no test"),
    "pictures/film.py": (2, MAKES_PICTURES),
    "pictures/stage.py": (7, MAKES_PICTURES),
    "pictures/tutorial.py": (7, MAKES_PICTURES),
    "patience.py": (7, "the one limit, and the growth of the processor's time"),
    "warm.py": (2, "says how long it took; no test"),
}
"""File -> how many uses it has, and why they do no harm on a slow machine."""


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value > 0


def _numbers(tree: ast.Module) -> set[str]:
    """Names that a file gives to numbers: a limit of its own may have one."""
    return {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and _is_number(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def uses(text: str) -> list[tuple[int, str]]:
    """(line, what) of each reading of a clock, pause or limit of its own in a text of Python."""
    tree, found = ast.parse(text), []
    numbers = _numbers(tree)

    def is_number(node: ast.expr) -> bool:
        return _is_number(node) or (isinstance(node, ast.Name) and node.id in numbers)

    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            found += [(node.lineno, f"from time import {a.name}") for a in node.names if a.name in CLOCKS | PAUSES]
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        owner = ast.unparse(function.value) if isinstance(function, ast.Attribute) else ""
        limits = [each.value for each in node.keywords if each.arg in LIMITS]
        if name in WITH_A_LIMIT or (name == "get" and owner.endswith("queue")):
            limits += node.args
        if name in CLOCKS or name in PAUSES or (name == "wait" and owner.endswith(("bot", "qtbot"))):
            found.append((node.lineno, f"{owner}.{name}" if owner else name))
        elif (
            any(map(is_number, limits))
            and (name in QT_WAITS | WITH_A_LIMIT | {"get"} or owner in ("subprocess", "process"))
        ) or any(map(is_number, (each.value for each in node.keywords if each.arg == "timeout"))):
            found.append((node.lineno, f"{name} with a limit"))
    return found


def files() -> list[Path]:
    found = sorted(path for path in TESTS.rglob("*.py") if path.relative_to(TESTS).parts[0] not in FREE)
    return [path for path in found if path != Path(__file__)]


def test_no_test_depends_on_the_clock() -> None:
    wrong, counts = [], Counter()
    for path in files():
        name = path.relative_to(TESTS).as_posix()
        found = uses(path.read_text(encoding="utf-8"))
        counts[name] = len(found)
        if len(found) > EXCEPTIONS.get(name, (0, ""))[0]:
            wrong += [f"tests/{name}:{line}: {what}" for line, what in found]
    assert not wrong, (
        "wait for a condition (tests/patience.py), or say in EXCEPTIONS why this does no harm:\n" + "\n".join(wrong)
    )
    too_many = {name: count for name, (count, _) in EXCEPTIONS.items() if counts[name] != count}
    assert not too_many, f"EXCEPTIONS allows more than there are: {too_many}"


@pytest.mark.parametrize(
    "line",
    [
        "time.sleep(0.1)", "qtbot.wait(20)", "QTest.qWait(5)", "begin = time.perf_counter()", "from time import monotonic",
        "qtbot.waitUntil(f, timeout=500)", "thread.join(5)", "thread.join(timeout=5)", "process.wait(3)", "future.result(1)",
        "subprocess.run(['a'], timeout=60)", "process.communicate(timeout=2.5)", "asyncio.wait_for(f(), 60)",
        "wait_for(f, 3)", "wait_for(f, seconds=3)", "queue.get(timeout=1)", "timer = QElapsedTimer()",
        "PATIENCE = 60\nsubprocess.run(['a'], timeout=PATIENCE)",
    ],
)  # fmt: skip
def test_each_dependence_on_the_clock_is_found(line: str) -> None:
    assert len(uses(line)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "wait_for(lambda: done)", "qtbot.waitUntil(f)", "thread.join(LIMIT)", "thread.join()", "process.wait()",
        "' '.join(words)", "subprocess.run(['a'], timeout=LIMIT)", "data.time == 0.5", "settings.get('a')", "time.time()",
        "Filming(seconds=0.4)",
    ],
)  # fmt: skip
def test_other_waits_are_fine(line: str) -> None:
    assert uses(line) == []
