"""Displays: when there is one, and when it is asked."""

from __future__ import annotations

import os
import socket
import tempfile

import pytest

from kinetree.engine.platforms import display
from kinetree.engine.platforms.system import HERE


@pytest.mark.parametrize(
    ("system", "environment", "is_set"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-1"}, True),
        ("macos", {}, True),
        ("windows", {}, True),
    ],
)
def test_a_display_is_set(system, environment, is_set):
    assert display.is_set(system, environment) is is_set


@pytest.mark.parametrize(
    ("system", "environment", "asked"),
    [
        ("linux", {"DISPLAY": ":7"}, ":7"),
        ("linux", {"DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-0"}, ":7"),
        ("linux", {"DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-0", "QT_QPA_PLATFORM": "xcb"}, ":7"),
        ("linux", {"DISPLAY": ":7", "QT_QPA_PLATFORM": "wayland;xcb"}, ":7"),
        ("linux", {"DISPLAY": ":7", "QT_QPA_PLATFORM": "xcb;offscreen"}, ":7"),
        ("linux", {"DISPLAY": ":7", "QT_QPA_PLATFORM": "xcb:x"}, ":7"),
        ("linux", {"DISPLAY": ":7", "QT_QPA_PLATFORM": "offscreen"}, None),
        ("linux", {}, ""),
        ("macos", {"DISPLAY": ":7"}, None),
        ("windows", {"DISPLAY": ":7"}, None),
    ],
)
def test_the_x_server_is_asked_where_qt_needs_it(system, environment, asked):
    questions = []

    def x_server(name: str) -> bool:
        questions.append(name)
        return False

    there_is_another = "offscreen" in environment.get("QT_QPA_PLATFORM", "")
    answer = display.answers(system, environment, x_server, lambda _environment: False)
    assert answer is (asked is None or there_is_another)
    assert questions == ([] if asked is None else [asked])


@pytest.mark.parametrize(
    ("environment", "asked"),
    [
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":7"}, True),
        ({"QT_QPA_PLATFORM": "wayland-egl"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":7", "QT_QPA_PLATFORM": "xcb"}, False),
        ({"DISPLAY": ":7"}, False),
    ],
)
def test_the_compositor_is_asked_where_qt_tries_wayland(environment, asked):
    for listens in (True, False):
        answer = display.answers("linux", environment, lambda _name: False, lambda _environment: listens)  # noqa: B023
        assert answer is (asked and listens)


@pytest.mark.skipif(HERE == "windows", reason="sockets of Unix")
def test_whether_a_compositor_answers():
    named = {"XDG_RUNTIME_DIR": "/nowhere", "WAYLAND_DISPLAY": "wayland-1"}
    assert not display.compositor_answers(named)
    assert not display.compositor_answers({"WAYLAND_DISPLAY": "wayland-1"}) and not display.compositor_answers({})
    assert display.compositor_answers({"WAYLAND_SOCKET": "7"})
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{folder}/wayland-0")
        assert not display.compositor_answers({"XDG_RUNTIME_DIR": folder})  # it does not listen
        server.listen()
        assert display.compositor_answers({"XDG_RUNTIME_DIR": folder})
        assert display.compositor_answers(named | {"WAYLAND_DISPLAY": f"{folder}/wayland-0"})


def test_the_name_of_the_display():
    assert display.name({"DISPLAY": ":1", "WAYLAND_DISPLAY": "wayland-1"}) == "wayland-1"
    assert display.name({"DISPLAY": ":1"}) == ":1" and display.name({}) == ""


@pytest.mark.skipif(HERE == "windows", reason="sockets of Unix")
def test_where_x_servers_listen():
    unix = [(socket.AF_UNIX, "/tmp/.X11-unix/X10"), (socket.AF_UNIX, "\0/tmp/.X11-unix/X10")]
    assert display.x_servers(":10.0") == [*unix, (socket.AF_INET, ("localhost", 6010))]
    assert display.x_servers("unix:10") == unix
    assert display.x_servers("far:10.1") == [(socket.AF_INET, ("far", 6010))]
    assert display.x_servers("") == display.x_servers("nonsense") == display.x_servers(":x") == []


def test_whether_the_x_server_answers():
    if HERE == "linux":
        assert display.x_server_answers(os.environ["DISPLAY"])
    assert not display.x_server_answers(":4711") and not display.x_server_answers("nonsense")
    assert not display.x_server_answers("")
    assert display.x_server_answers("/private/tmp/launch/org.xquartz:0")  # left to Qt


def test_egl_is_linux_s():
    assert display.draws_by_egl(lambda name: f"lib{name}.so.1", "linux")
    assert not display.draws_by_egl(lambda name: None, "linux")
    for system in ("macos", "windows"):
        assert not display.draws_by_egl(lambda name: f"lib{name}.dylib", system)
