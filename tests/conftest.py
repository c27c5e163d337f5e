"""Shared by all tests: a virtual screen, the corpus, and the rule that a test leaves nothing behind.

A test fails on an unexpected warning (pyproject.toml), a log record of level ERROR, a message of Qt (pytest-qt), an
exception in a thread or a slot, a thread that it leaves running, or a Qt timer that still ticks on a widget that it
left open.
"""

import ctypes
import gc
import logging
import os
import runpy
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import psutil
import pytest
from pytestqt.qtbot import QtBot

from tests import flaky, left_out, memory, quick, screen
from tests.patience import LIMIT

ROOT = Path(__file__).resolve().parent.parent
SHARED = (ROOT / os.environ.get("KINETREE_TEST_SHARED", "../shared")).resolve()
"""Corpus and reference beside the clone. KINETREE_TEST_SHARED=absent shows what the suite does without them."""

hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.register_profile("local", deadline=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")


# ---- a screen of our own ---------------------------------------------------------------------------------------------

_xvfb: subprocess.Popen | None = None
_runtime: tempfile.TemporaryDirectory | None = None
_log_errors: list[logging.LogRecord] = []


def _runs_tests(config: pytest.Config) -> bool:
    """False in the controller of pytest-xdist, which hands the tests to its workers; each worker gets a screen."""
    return hasattr(config, "workerinput") or config.getoption("dist", "no") == "no"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out slow tests, most cases of sweeps and most windows")


def pytest_configure(config: pytest.Config) -> None:
    global _xvfb, _runtime
    if not hasattr(config, "workerinput"):
        runpy.run_path(str(ROOT / "packaging" / "catalogues.py"))["make"]()  # ./test has done so; pytest alone has not
    left_out.skip_what_needs_them()
    config.pluginmanager.register(flaky.Repeating(flaky.read()))
    config.pluginmanager.register(memory.Memory(config))
    if config.getoption("quick"):
        config.pluginmanager.register(quick.Quick(config))
    if not _runs_tests(config):
        return
    if sys.platform == "linux" and not os.environ.get("KINETREE_TEST_DISPLAY"):
        _xvfb, display = screen.start()
        screen.put_on(os.environ, display)
    if not hasattr(config, "workerinput"):  # the workers of xdist have the environment of their parent
        _runtime = tempfile.TemporaryDirectory(prefix="kinetree-")
        os.environ["XDG_RUNTIME_DIR"] = (
            _runtime.name
        )  # no window of the user's takes files of a test, nor the other way
    os.environ["LANGUAGE"] = "en"  # whatever the desktop speaks
    os.environ.setdefault("MUJOCO_GL", "egl")
    logging.getLogger().addHandler(_Errors(logging.ERROR))


def pytest_unconfigure(config: pytest.Config) -> None:
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is not None and widgets.QApplication.instance() is not None:
        widgets.QApplication.instance().shutdown()  # before its X server goes: Xlib would exit with 1
    screen.stop(_xvfb)
    if _runtime is not None:
        _runtime.cleanup()


# ---- what the report says besides ------------------------------------------------------------------------------------


def pytest_terminal_summary(terminalreporter) -> None:
    """Lines that tests have for the report, as `record_property("report", line)`: facts that fail no test."""
    reports = [report for found in terminalreporter.stats.values() for report in found]
    lines = [text for report in reports for name, text in getattr(report, "user_properties", ()) if name == "report"]
    if lines:
        terminalreporter.section("also")
        for line in dict.fromkeys(lines):  # setup, call and end of a test have them
            terminalreporter.line(line)


# ---- a test leaves nothing behind ------------------------------------------------------------------------------------


class _Errors(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        _log_errors.append(record)


class ExpectedErrors:
    """Log records of level ERROR that a test provokes on purpose: `expected_errors.take()` returns and forgives
    them.
    """

    def take(self) -> list[logging.LogRecord]:
        taken = list(_log_errors)
        _log_errors.clear()
        return taken


@pytest.fixture
def expected_errors() -> ExpectedErrors:
    return ExpectedErrors()


MOMENT = 10.0
"""Seconds that a thread may take to end after it was told to: it ends before, or it was not told."""


def _threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.is_alive()}


def _qt_leftovers() -> list[str]:
    """Top-level widgets still shown, and timers still running below them or the application."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return []
    core = sys.modules["PySide6.QtCore"]
    application = widgets.QApplication.instance()
    found = [f"widget still shown: {w!r}" for w in application.topLevelWidgets() if w.isVisible()]
    for owner in [application, *application.topLevelWidgets()]:
        timers = [t for t in owner.findChildren(core.QTimer) if t.isActive() and not t.isSingleShot()]
        found += [f"timer still running: {timer!r} of {owner!r}" for timer in timers]
    return found


@pytest.fixture(autouse=True)
def leaves_nothing_behind() -> Iterator[None]:
    before = _threads()
    _log_errors.clear()
    yield
    records = [record.getMessage() for record in _log_errors]
    _log_errors.clear()
    left = _threads() - before
    deadline = time.monotonic() + MOMENT
    while left and time.monotonic() < deadline:
        time.sleep(0.01)
        left = _threads() - before
    assert not records, f"logged as errors: {records}"
    assert not left, f"threads still running: {sorted(thread.name for thread in left)}"


MANY = 200  # tests with Qt, after which all garbage is looked for
_tests_with_qt = 0


@pytest.fixture(autouse=True)
def garbage_of_qt_is_collected_in_the_main_thread(request: pytest.FixtureRequest) -> None:
    """Garbage may hold objects of Qt, which must not be deleted in another thread. Left alone, Python looks for it in
    whatever thread makes many objects. The program does the same, see app/workspace/garbage.py.

    It is looked for before the next test: until a test has ended pytest keeps its fixtures, and Qt its closed windows.
    Looked for earlier it would count as old, and stay with its models and their history for `MANY` tests."""
    global _tests_with_qt
    if "PySide6.QtWidgets" in sys.modules and not gc.isenabled():
        core = sys.modules["PySide6.QtCore"]
        core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete.value)
        _tests_with_qt += 1
        gc.collect(2 if _tests_with_qt % MANY == 0 else 0)  # 0: what the last test has made, as nobody has looked since
    if "qapp" in request.fixturenames:
        gc.disable()


GROWTH = 100e6  # bytes
_size = 0.0  # after memory was given back for the last time


def _has_grown() -> bool:
    return sys.platform == "linux" and psutil.Process().memory_info().rss > _size + GROWTH


def pytest_runtest_logfinish() -> None:
    """Give memory back to the system after a test that took much.

    Python looks through all of its objects only when they have become a quarter more, and a process of the suite holds the
    thousands of tests that it has collected: models in reference cycles would stay until then. glibc keeps what is freed
    for the process, in an arena for each thread that there ever was."""
    global _size
    if _has_grown():
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        _size = psutil.Process().memory_info().rss


@pytest.fixture(autouse=True, scope="module")
def the_renderer_of_this_thread_goes() -> Iterator[None]:
    """After a file whose tests took much: with the textures of all models that it has drawn."""
    size = psutil.Process().memory_info().rss
    yield
    if psutil.Process().memory_info().rss > size + GROWTH / 2 and "kinetree.renderer.offscreen" in sys.modules:
        sys.modules["kinetree.renderer.offscreen"].release()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """After every fixture is gone (pytest-qt's qtbot closes its widgets there), Qt must be at rest."""
    leftovers = _qt_leftovers()
    if leftovers:
        gc.collect()  # a widget in a dead reference cycle is no leak
        leftovers = _qt_leftovers()
    if leftovers:
        application = sys.modules["PySide6.QtWidgets"].QApplication.instance()
        for widget in application.topLevelWidgets():
            widget.close()
        pytest.fail("left behind: " + "; ".join(leftovers), pytrace=False)


# ---- waiting ---------------------------------------------------------------------------------------------------------


class PatientQtBot(QtBot):
    """pytest-qt's, whose waits all have our limit."""

    def waitUntil(self, callback, *, timeout=LIMIT * 1000):
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal, *, timeout=LIMIT * 1000, **more):
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitSignals(self, signals, *, timeout=LIMIT * 1000, **more):
        return super().waitSignals(signals, timeout=timeout, **more)

    def waitExposed(self, widget, *, timeout=LIMIT * 1000):
        return super().waitExposed(widget, timeout=timeout)

    def waitActive(self, widget, *, timeout=LIMIT * 1000):
        return super().waitActive(widget, timeout=timeout)

    def waitCallback(self, *, timeout=LIMIT * 1000, **more):
        return super().waitCallback(timeout=timeout, **more)


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> PatientQtBot:
    return PatientQtBot(request)


# ---- files -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder `shared` beside the clone; the test is skipped where there is none."""
    if not SHARED.is_dir():
        pytest.skip(f"{quick.NO_SHARED} beside this clone")
    return SHARED


@pytest.fixture(scope="session")
def corpus(shared: Path) -> Callable[[str], Path]:
    """corpus("humanoid/humanoid.xml"): one of MuJoCo's models, by its path below shared/corpus/mujoco/model or
    shared/corpus.
    """

    def find(name: str) -> Path:
        for folder in (shared / "corpus" / "mujoco" / "model", shared / "corpus"):
            if (folder / name).exists():
                return folder / name
        raise FileNotFoundError(f"shared/corpus has no {name}")

    return find


@pytest.fixture(scope="session")
def our_models() -> list[Path]:
    """The bundled models, as users open them."""
    return sorted((ROOT / "resources" / "models").glob("*.xml"))


@pytest.fixture(scope="session")
def tiny() -> Callable[[str], Path]:
    """tiny("pendulum"): the path of one of the small models of tests/data/models."""

    def find(name: str) -> Path:
        path = ROOT / "tests" / "data" / "models" / f"{name}.xml"
        if not path.exists():
            raise FileNotFoundError(f"tests/data/models has no {name}.xml")
        return path

    return find
