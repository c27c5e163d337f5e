"""A virtual screen: an X server of one's own on a free display, software OpenGL, gone when its parent is gone."""

import ctypes
import os
import shutil
import signal
import subprocess
from collections.abc import MutableMapping

from tests.patience import LIMIT


def start(size: str = "1600x1200x24") -> tuple[subprocess.Popen | None, str | None]:
    """(server, display name); (None, None) where Xvfb is not installed."""
    if shutil.which("Xvfb") is None:
        return None, None
    read_end, write_end = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", size, "-nolisten", "tcp", "-noreset"],
        pass_fds=[write_end],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # a Ctrl-C ends the tests first, and they end the server
        preexec_fn=die_with_parent,
    )
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        number = pipe.readline().strip()
    if not number:
        server.wait()
        raise RuntimeError("Xvfb did not start")
    return server, f":{number}"


def stop(server: subprocess.Popen | None) -> None:
    if server is not None:
        server.terminate()
        server.wait(LIMIT)


def put_on(environment: MutableMapping[str, str], display: str | None) -> None:
    """Let Qt and OpenGL programs started with this environment use the display, the same way on every machine."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"):
        environment.pop(name, None)
    if display is not None:
        environment["DISPLAY"] = display
    environment["QT_QPA_PLATFORM"] = "xcb"
    environment["LIBGL_ALWAYS_SOFTWARE"] = "1"


def die_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG: no server stays behind a killed test run
