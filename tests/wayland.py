"""A Wayland compositor without a screen: weston's headless backend, gone when its parent is gone."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.patience import LIMIT, wait_for
from tests.screen import die_with_parent

SOCKET = "kinetree-test"
IS_INSTALLED = shutil.which("weston") is not None


@contextmanager
def compositor(size: tuple[int, int] = (1280, 800), scale: int = 1) -> Iterator[dict[str, str]]:
    """Run weston with a screen of a size in pixels. The variables by which programs find it."""
    with TemporaryDirectory(prefix="wayland-") as name:  # the paths of sockets are short
        yield from _weston(Path(name), size, scale)


def _weston(folder: Path, size: tuple[int, int], scale: int) -> Iterator[dict[str, str]]:
    variables = {"XDG_RUNTIME_DIR": str(folder), "WAYLAND_DISPLAY": SOCKET}
    width, height = size
    line = ["weston", "--backend=headless-backend.so", f"--socket={SOCKET}", "--no-config", "--idle-time=0"]
    line += [f"--width={width}", f"--height={height}", f"--scale={scale}", f"--log={folder / 'log'}"]
    environment = os.environ | {"XDG_RUNTIME_DIR": str(folder)}
    environment.pop("WAYLAND_DISPLAY", None)
    server = subprocess.Popen(
        line,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=die_with_parent,
    )
    try:
        wait_for(lambda: server.poll() is not None or (folder / SOCKET).exists(), told="no compositor")
        assert server.poll() is None, (folder / "log").read_text()
        yield variables
    finally:
        server.terminate()
        server.wait(LIMIT)


def put_on(environment: MutableMapping[str, str], variables: MutableMapping[str, str]) -> None:
    """Let programs started with this environment use the compositor, and nothing else."""
    for name in ("DISPLAY", "XAUTHORITY", "QT_QPA_PLATFORM"):
        environment.pop(name, None)
    environment.update(variables)
    environment["LIBGL_ALWAYS_SOFTWARE"] = "1"
