"""Displays: when there is one, and when it is asked."""

from __future__ import annotations

import os
import socket

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
        ("linux", {"DISPLAY": ":7", "QT_QPA_PLATFORM": "xcb:x"}, ":7"),
        ("linux", {"DISPLAY": ":7", "QT_QPA_PLATFORM": "offscreen"}, None),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, None),
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

    assert display.answers(system, environment, x_server) is (asked is None)
    assert questions == ([] if asked is None else [asked])


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
