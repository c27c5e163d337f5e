"""Whether a window can be shown, and which library draws without one."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Mapping

from kinetree.engine.platforms.system import HERE, System

GRABS_SCREENS = frozenset(("xcb", "windows", "cocoa"))
"""Qt's names of the platforms where a program may read the screen; Wayland refuses."""


ACTIVATION_TOKEN, STARTUP_ID = "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"
"""Variables by which the desktops of Linux let one window come to the front, once."""


def name(environment: Mapping[str, str] = os.environ) -> str:
    """The display that the environment names, "" for none."""
    return environment.get("WAYLAND_DISPLAY") or environment.get("DISPLAY") or ""


def of_windows(environment: Mapping[str, str]) -> str:
    """The display on which Qt shows windows, "" on a system with one."""
    wayland, x11 = environment.get("WAYLAND_DISPLAY", ""), environment.get("DISPLAY", "")
    wants_x11 = environment.get("QT_QPA_PLATFORM", "").startswith("xcb")
    if wayland and not (wants_x11 and x11):
        return wayland
    host, _, number = x11.rpartition(":")
    return f"{host}:{number.split('.')[0]}" if number else x11  # ":0.0" is a screen of ":0"


def is_set(system: System = HERE, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a display for a window is set. Windows and macOS always have one."""
    return system != "linux" or bool(name(environment))


def answers(
    system: System = HERE,
    environment: Mapping[str, str] = os.environ,
    x_server: Callable[[str], bool] | None = None,
    compositor: Callable[[Mapping[str, str]], bool] | None = None,
) -> bool:
    """Whether a display can be reached. Qt aborts the process when it can reach none: ask before."""
    if system != "linux":
        return True
    for platform in qt_platforms(environment):
        if platform == "xcb":
            reached = (x_server_answers if x_server is None else x_server)(environment.get("DISPLAY", ""))
        elif platform.startswith("wayland"):
            reached = (compositor_answers if compositor is None else compositor)(environment)
        else:
            reached = True
        if reached:
            return True
    return False


def qt_platforms(environment: Mapping[str, str]) -> list[str]:
    """Names of the platforms that Qt tries one after the other: those that the user names, such as "wayland;xcb", else
    Wayland where it is named, then X."""
    named = environment.get("QT_QPA_PLATFORM", "")
    if named:
        return [each.split(":")[0] for each in named.split(";")]
    return ["wayland", "xcb"] if environment.get("WAYLAND_DISPLAY") else ["xcb"]


def compositor_answers(environment: Mapping[str, str]) -> bool:
    """Whether a Wayland compositor listens at the socket that libwayland would take."""
    if environment.get("WAYLAND_SOCKET"):
        return True  # a connection that the program got from the compositor
    folder, name = environment.get("XDG_RUNTIME_DIR", ""), environment.get("WAYLAND_DISPLAY") or "wayland-0"
    path = os.path.join(folder, name)  # `name` may be a path
    if sys.platform == "win32" or not os.path.isabs(path):
        return False
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(5)
            client.connect(path)
            return True
    except OSError:
        return False


def x_server_answers(display: str) -> bool:
    """Whether an X server listens at a display such as ":0" or "host:10.0"."""
    servers = x_servers(display)
    if servers and display.startswith("/"):
        return True  # a socket by its path: left to Qt
    for family, address in servers:
        try:
            with socket.socket(family, socket.SOCK_STREAM) as client:
                client.settimeout(5)
                client.connect(address)
                return True
        except OSError:
            continue
    return False


def x_servers(display: str) -> list[tuple[int, str | tuple[str, int]]]:
    """(family, address) of the sockets on which the X server of a display may listen; none for an invalid name."""
    host, _, number = display.rpartition(":")
    number = number.split(".")[0]
    if not number.isdigit():
        return []
    found: list[tuple[int, str | tuple[str, int]]] = []
    if host in ("", "unix") and sys.platform != "win32":
        found += [(socket.AF_UNIX, f"/tmp/.X11-unix/X{number}"), (socket.AF_UNIX, f"\0/tmp/.X11-unix/X{number}")]
    if host != "unix":
        found.append((socket.AF_INET, (host or "localhost", 6000 + int(number))))
    return found


def draws_by_egl(find: Callable[[str], str | None] | None = None, system: System = HERE) -> bool:
    """Whether EGL makes contexts without a window. It is Linux's; macOS and Windows make a hidden window."""
    if system != "linux":
        return False
    if find is None:
        from ctypes.util import find_library as find
    return find("EGL") is not None
