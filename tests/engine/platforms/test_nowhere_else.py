"""Names of single systems are used in engine/platforms and nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.platforms import typeshed
from tests.imports import FOLDERS, ROOT, modules, tree_of

INSIDE = ROOT / "engine" / "platforms"
ASKS = {"sys.platform", "os.name", "os.uname", "platform.system", "os.sep"}
"""Which system it is."""
DIFFERS = {
    "os.chmod": "files.take_over",
    "os.fsync": "files.flush",
    "os.kill": "processes",
    "os.link": "files",
    "os.nice": "processes.lower_priority",
    "os.rename": "files.replace",
    "os.replace": "files.replace",
    "os.symlink": "files",
    "os.O_RDONLY": "files.open_to_read",
    "signal.SIGTERM": "processes.ENDING_SIGNALS",
    "ctypes.CDLL": "native",
    "Path.home": "folders",
    "tempfile.gettempdir": "folders",
}
"""Functions that do different things on different systems: name -> its replacement."""
OPTIONS = {"preexec_fn", "start_new_session", "process_group", "pass_fds", "startupinfo", "umask", "dir_fd"}
"""Arguments that only some systems take."""
WORDS = re.compile(
    r"/(proc|tmp|dev|etc|usr|var|Library)/|\.X11|\bXDG_|APPDATA|^(WAYLAND_)?DISPLAY$|^xcb$|^TMPDIR$|kernel32"
    r"|^KINETREE_(CONFIG|CACHE)$|^\.(cache|config|local)$|\\\\\.\\pipe"
)
"""Names of places and variables of one system."""
STARTS = {"subprocess.Popen", "subprocess.run", "subprocess.check_output", "subprocess.check_call", "subprocess.call"}
EXCEPTIONS = {
    ("app/actions/external.py", "XDG_"): "where Neovim listens, by its rules",
    ("app/actions/external.py", ".cache"): "the same",
    ("app/commands/completion_scripts.py", "/dev/"): "scripts for shells of Unix",
    ("app/commands/extras.py", "HERE"): "sizes of packages are known by system",
    ("app/commands/named.py", "subprocess.run"): "a program that talks in the user's terminal",
    ("app/commands/register.py", "HERE"): "installs for the desktops of Linux, and says so elsewhere",
    ("app/commands/register.py", "subprocess.run"): "runs programs of these desktops",
    ("app/commands/register.py", "/usr/"): "packages of Linux install there",
    ("app/panels/dialogs/extra.py", "HERE"): "sizes of packages are known by system",
    ("app/pictures/thumbnail.py", "/usr/"): "Mesa's file, where there is one",
    ("app/pictures/process.py", "signal.SIGTERM"): "cleans up where the signal comes; elsewhere its input ends",
    ("engine/assist/surroundings.py", "os.sep"): "compares paths that the system made",
    ("engine/document/files.py", "os.sep"): "the root of the file system",
    ("engine/extras/installing.py", "HERE"): "sizes of packages are known by system",
    ("engine/extras/installing.py", "TMPDIR"): "pip's temporary folder, by its names on all systems",
    ("engine/library/descriptions.py", ".cache"): "robot_descriptions has its cache there on all systems",
    ("engine/library/menagerie.py", "HERE"): "asks for the folder of another package",
    ("engine/jit/cache.py", "KINETREE_CACHE"): "tells child processes a temporary folder",
    ("renderer/halving.py", "ctypes.CDLL"): "the type of OpenGL's library",
    ("renderer/levels.py", "ctypes.CDLL"): "OpenGL's library, by the name that it has where it is",
}
"""(file, name) -> why it may be there. Each is tested to be needed."""


def _docstrings(tree: ast.AST) -> set[int]:
    """The ids of strings that stand alone."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def _opens_text_without_encoding(node: ast.Call, name: str) -> bool:
    keywords = {keyword.arg: keyword.value for keyword in node.keywords}
    if name.endswith((".read_text", ".write_text")):
        return "encoding" not in keywords and len(node.args) < (1 if name.endswith(".read_text") else 2)
    if name in ("open", "os.fdopen") or (name.endswith(".open") and (node.args or keywords)):
        place = 0 if name.endswith(".open") and name != "open" else 1
        mode = keywords.get("mode", node.args[place] if len(node.args) > place else ast.Constant("r"))
        is_mode = (
            isinstance(mode, ast.Constant) and isinstance(mode.value, str) and re.fullmatch("[rwax+t]+", mode.value)
        )
        return bool(is_mode) and "encoding" not in keywords
    return False


def found(tree: ast.AST) -> Iterator[tuple[str, int, str]]:
    """(name, line, what is wrong) of everything in a file that belongs into engine/platforms."""
    for name, line in typeshed.uses(tree):
        yield name, line, "not every system has it"
    alone = _docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if name in ASKS or name == "kinetree.engine.platforms.system.HERE":
                    yield alias.name, node.lineno, "ask engine/platforms for the difference"
                elif name in DIFFERS or name in STARTS:
                    yield name, node.lineno, "import the module"
        elif isinstance(node, ast.Attribute):
            name = ast.unparse(node)
            if name in ASKS:
                yield name, node.lineno, "ask engine/platforms for the difference"
            elif name in DIFFERS:
                yield name, node.lineno, f"use platforms.{DIFFERS[name]}"
            elif name.startswith("ctypes.windll"):
                yield name, node.lineno, "use platforms.windows"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            if word := WORDS.search(node.value):
                yield word[0], node.lineno, "a name of one system"
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            keywords = {keyword.arg or ast.unparse(keyword.value).rpartition(".")[2] for keyword in node.keywords}
            for option in keywords & OPTIONS:
                yield option, node.lineno, "not every system takes it"
            if name in STARTS and not keywords & {"creationflags", "APART"}:
                yield name, node.lineno, "creationflags=processes.WITHOUT_CONSOLE or **processes.APART is missing"
            if _opens_text_without_encoding(node, name) and (name == "open" or "." in name):
                yield name, node.lineno, "the encoding is missing: each system has another one"


def files() -> list[Path]:
    return [path for path in modules().values() if INSIDE not in path.parents]


def test_what_systems_differ_in_is_in_one_folder() -> None:
    wrong, used = [], set()
    for path in files():
        file = path.relative_to(ROOT).as_posix()
        for name, line, why in found(tree_of(path)):
            if (file, name) in EXCEPTIONS:
                used.add((file, name))
            else:
                wrong.append(f"{file}:{line}: {name}: {why}")
    assert not wrong, "\n" + "\n".join(wrong)
    assert not set(EXCEPTIONS) - used, "these exceptions are not needed any more"


@pytest.mark.parametrize(
    "text",
    [
        "import os\nos.fork()",
        "import os as o\no.getuid()",
        "import fcntl",
        "import msvcrt",
        "from resource import setrlimit",
        "from os import killpg",
        "import os\ngetattr(os, 'O_BINARY', 0)",
        "import os\nhasattr(os, 'sched_getaffinity')",
        "import socket\nsocket.socket(socket.AF_UNIX)",
        "import signal\nsignal.SIGKILL",
        "import signal\nsignal.pause()",
        "import time\ntime.clock_gettime(1)",
        "import sys\nif sys.platform == 'win32': pass",
        "import os\nos.name",
        "from sys import platform",
        "from os import replace",
        "from kinetree.engine.platforms.system import HERE",
        "import os\nos.replace('a', 'b')",
        "import ctypes\nctypes.CDLL(None)",
        "import ctypes\nctypes.windll.kernel32.f()",
        "open('/proc/self/stat', 'rb')",
        "path = '/tmp/x'",
        "x = f'/tmp/.X11-unix/X{n}'",
        "import os\nos.environ['XDG_CACHE_HOME']",
        "import os\nos.environ.get('DISPLAY')",
        "from pathlib import Path\nPath.home() / 'x'",
        "import subprocess\nsubprocess.Popen([], creationflags=0, start_new_session=True)",
        "import subprocess\nsubprocess.run([])",
        "open('a')",
        "open('a', 'w')",
        "open('a', mode='a')",
        "path.open('w')",
        "path.read_text()",
        "path.write_text('a')",
        "import os\nos.fdopen(1, 'w')",
    ],
)
def test_it_is_seen(text: str) -> None:
    assert list(found(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "'''Reads /proc/self/stat, $XDG_CACHE_HOME.'''",
        "import os\nos.getpid(), os.open, os.dup2(1, 2), os.path.join('a')",
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)",
        "import socket\nsocket.socketpair()",
        "open('a', 'rb'), open('a', encoding='utf-8'), open('a', 'w', encoding='utf-8')",
        "path.open('rb'), dialog.open(), self.open(path), path.read_text('utf-8'), path.write_text('a', encoding='utf-8')",
        "import subprocess\nsubprocess.Popen([], creationflags=flags)",
    ],
)
def test_the_rest_is_not(text: str) -> None:
    assert not list(found(ast.parse(text)))


def test_typeshed_is_understood() -> None:
    assert {"fork", "getuid", "nice", "O_BINARY", "sched_getaffinity", "memfd_create"} <= typeshed.of_some_systems("os")
    assert not {"getpid", "kill", "path", "replace"} & typeshed.of_some_systems("os")
    assert "" in typeshed.of_some_systems("fcntl") and "" in typeshed.of_some_systems("msvcrt")
    assert "" not in typeshed.of_some_systems("os") and not typeshed.of_some_systems("json")
    assert FOLDERS and len(files()) > 500
