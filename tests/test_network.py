"""Nothing leaves the machine by itself: few files can reach a network or start what does, each for a stated reason.

What these do is tested beside them: that they do it on the word of the user alone (tests/app/actions/test_extras.py,
tests/engine/extras, tests/app/commands/test_named.py).
"""

import ast

import pytest

from tests.imports import FOLDERS, ROOT, tree_of

MODULES = {
    "urllib.request", "urllib3", "http", "ftplib", "smtplib", "poplib", "imaplib", "socketserver", "xmlrpc", "ssl", "socket",
    "requests", "httpx", "aiohttp", "websockets", "webbrowser", "PySide6.QtNetwork", "PySide6.QtWebSockets",
}  # fmt: skip
"""Modules that can reach other machines, or let a browser do so."""
IMPORTS = {
    "app/commands/window.py": "a pair of sockets that tells Qt of signals",
    "app/running/listener.py": "files that another start hands over, by a local socket",
    "app/updates/check.py": "asks for the newest version when the user chooses Check for Updates",
    "app/workers/compiler/channel.py": "messages to a process of Kinetree, by a pair of sockets",
    "app/workers/compiler/process.py": "the same, at its other end",
    "app/workers/compiler/start.py": "the same",
    "app/running/neighbours.py": "local sockets of the other windows",
    "engine/platforms/connections.py": "the same, by the rules of each system",
    "engine/platforms/display.py": "looks whether the X server answers",
    "engine/platforms/local_sockets.py": "local sockets of running programs",
}
"""File -> why it imports one of them."""
WORDS = {"pip", "uv", "conda", "git", "curl", "wget", "prefetch"}
"""Programs that fetch something, and their commands."""
STARTS = {
    "engine/extras/installing.py": "installs an extra that the user wants",
    "engine/library/menagerie.py": "the command that downloads a robot, once the user has agreed to it",
}
"""File -> why it has one of them as a word of a command line."""


def files() -> list[str]:
    return [path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]


def reaching(tree: ast.AST) -> set[str]:
    """The modules of a file that can reach a network."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {each for each in MODULES for name in names if f"{name}.".startswith(f"{each}.")}


def words(tree: ast.AST) -> set[str]:
    """The words of a file that name what fetches something: items of a list or tuple, or arguments."""
    found = set()
    for node in ast.walk(tree):
        items = node.elts if isinstance(node, ast.List | ast.Tuple) else node.args if isinstance(node, ast.Call) else []
        found |= {each.value for each in items if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    return found & WORDS


def test_few_files_can_reach_a_network() -> None:
    found = {file: names for file in files() if (names := reaching(tree_of(ROOT / file))) and file not in IMPORTS}
    assert not found, "say in this table why"


def test_few_files_start_what_fetches_something() -> None:
    found = {file: names for file in files() if (names := words(tree_of(ROOT / file))) and file not in STARTS}
    assert not found, "say in this table why"
    assert words(tree_of(ROOT / "engine/extras/installing.py")) >= {"pip", "uv"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import urllib.request", {"urllib.request"}),
        ("from urllib import request", {"urllib.request"}),
        ("from urllib.parse import quote", set()),
        ("def f():\n    import socket", {"socket"}),
        ("from PySide6 import QtNetwork", {"PySide6.QtNetwork"}),
        ("from kinetree.app.workers.simulation import requests", set()),
        ("from http.client import HTTPConnection", {"http"}),
    ],
)
def test_imports_are_found(text: str, expected: set[str]) -> None:
    assert reaching(ast.parse(text)) == expected


def test_words_are_found() -> None:
    assert words(ast.parse("run([sys.executable, '-m', 'pip'])\nwhich('uv')\nx = 'git'")) == {"pip", "uv"}
