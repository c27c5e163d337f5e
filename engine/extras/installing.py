"""Fetches an extra: the only module that starts pip. Nothing calls `install` before the user has agreed to it.

pip runs in a process of its own and installs exactly the pinned wheels, whose hashes it checks, into a new folder
beside those of other extras; that gets its name once it is complete. An install that is cancelled leaves nothing.
The index, proxy and certificates are those that the user's pip is set to. Where the environment has no pip, as in those
of `uv tool`, uv does the same.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kinetree.engine.extras import places, wheels
from kinetree.engine.extras.places import ExtraError
from kinetree.engine.extras.table import Extra
from kinetree.engine.platforms import folders
from kinetree.engine.platforms.processes import WITHOUT_CONSOLE
from kinetree.engine.platforms.system import HERE
from kinetree.engine.progress import Cancelled, is_cancelled, reached
from kinetree.engine.translation import tr

LOOK_EVERY = 0.05
"""Interval at which the wait for pip checks for cancellation, s."""
MEASURE_EVERY = 0.5
"""Interval at which the size of the folder is measured for the progress, s."""
FAREWELL = 3.0
"""How long pip may take to end, s."""
_STAGING = ".staging-"
_OLD = 24 * 3600.0
"""Age at which the folder of an interrupted install is removed, s."""
_SIGNS = (
    (("No space left on device", "not enough space on the disk", "[Errno 28]"), "disk"),
    (("DO NOT MATCH THE HASHES", "Hash mismatch"), "hash"),
    (
        (
            "Failed to establish a new connection", "Temporary failure in name resolution", "Name or service not known",
            "ConnectTimeoutError", "Read timed out", "ProxyError", "Connection refused", "Network is unreachable",
            "Failed to fetch", "SSLError", "Could not fetch URL",
        ),
        "network",
    ),
    (("No matching distribution found", "no version of", "no wheels with a matching"), "none"),
)  # fmt: skip
"""Texts in the output of pip and uv -> what is wrong, the most telling first."""


def installer() -> list[str] | None:
    """The start of the command line that installs packages into a folder; None where there is neither pip nor uv."""
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-P", "-m", "pip", "--no-input", "--disable-pip-version-check", "install"]
    uv = shutil.which("uv")
    return None if uv is None else [uv, "--no-progress", "pip", "install", "--python", sys.executable]


def other_way(extra: Extra) -> str:
    """The command line that adds an extra to the environment of Kinetree, for environments without pip."""
    wanted = f"'kinetree[{extra.name}]'"
    if Path(sys.prefix, "uv-receipt.toml").exists():
        return f"uv tool install {wanted}"
    if Path(sys.prefix, "pipx_metadata.json").exists():
        return f"pipx inject kinetree {' '.join(extra.packages)}"
    return f"python -m pip install {wanted}"


def install(extra: Extra) -> Path:
    """Fetch an extra, and return its folder. Reports progress as `kinetree.engine.progress` says.

    Raises ExtraError, and Cancelled; then nothing was installed.
    """
    target = places.folder(extra)
    if target.is_dir():
        return target
    size = wheels.download_size(extra)
    if size is None:
        raise ExtraError(
            tr("the extra '{name}' does not exist for this system and this version of Python", name=extra.name)
        )
    command = installer()
    if command is None:
        raise ExtraError(
            tr(
                "Kinetree cannot install the extra '{name}' here, as there is no pip; type: {command}",
                name=extra.name,
                command=other_way(extra),
            )
        )
    try:
        folders.private(target.parent)
        _clean(target.parent)
        _check_space(extra, target.parent, size)
        staging = Path(tempfile.mkdtemp(prefix=_STAGING, dir=target.parent))
    except OSError as error:
        raise ExtraError(
            tr("{path} cannot be written: {reason}", path=target.parent, reason=error.strerror or error)
        ) from None
    try:
        _fetch(extra, command, staging, size + extra.disk[HERE] * 1e6)
        try:
            (staging / "packages").rename(target)
        except OSError as error:
            if not target.is_dir():  # another process was quicker
                raise ExtraError(
                    tr("{path} cannot be written: {reason}", path=target, reason=error.strerror or error)
                ) from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    places.remove_others(extra)
    return target


def _check_space(extra: Extra, folder: Path, size: int) -> None:
    needed = size + extra.disk[HERE] * 1_000_000
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise ExtraError(
            tr(
                "the extra '{name}' needs {needed} in {folder} while it is installed, and {free} are free",
                name=extra.name,
                needed=wheels.size_text(needed),
                folder=folder,
                free=wheels.size_text(free),
            )
        )


def _clean(folder: Path) -> None:
    """Remove what installs have left that were killed."""
    for path in folder.glob(f"{_STAGING}*"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _OLD:
                shutil.rmtree(path, ignore_errors=True)


def _fetch(extra: Extra, command: list[str], staging: Path, expected: float) -> None:
    """Let pip install the packages into `staging/packages`. `expected`: bytes that are in `staging` at the end."""
    packages, wanted, temporary = staging / "packages", staging / "requirements.txt", staging / "temporary"
    temporary.mkdir()
    wanted.write_text(wheels.requirements(extra), encoding="utf-8")
    options = ["--require-hashes", "--no-deps", "--only-binary", ":all:", "--target", str(packages), "-r", str(wanted)]
    if "pip" == command[3]:
        options += ["--no-cache-dir", "--no-compile", "--progress-bar", "off", "--retries", "2"]
    else:
        options.append("--no-cache")
    environment = os.environ | {
        "TMPDIR": str(temporary),
        "TEMP": str(temporary),
        "TMP": str(temporary),
        "PIP_USER": "0",  # these two in the settings of the user's pip do not go with --target
        "PIP_REQUIRE_VIRTUALENV": "0",
        "PYTHONIOENCODING": "utf-8",
        "LC_ALL": "C.UTF-8",  # the output is searched for English texts
    }
    with open(staging / "output", "w+", encoding="utf-8", errors="replace") as output:
        process = subprocess.Popen(
            command + options,
            cwd=staging,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            creationflags=WITHOUT_CONSOLE,
        )
        try:
            code = _awaited(process, staging, expected)
        finally:
            _end(process)
        output.seek(0)
        said = output.read()
    if code != 0:
        raise ExtraError(_reason(extra, said))
    if not packages.is_dir():
        raise ExtraError(tr("pip has installed nothing for the extra '{name}'", name=extra.name))


def _awaited(process: subprocess.Popen, staging: Path, expected: float) -> int:
    """The exit status of pip, with reports of the progress. Raises Cancelled."""
    measured = time.monotonic()
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(LOOK_EVERY)
        if is_cancelled():
            raise Cancelled
        if time.monotonic() - measured >= MEASURE_EVERY:
            reached(min(0.99, _size(staging) / expected))
            measured = time.monotonic()


def _end(process: subprocess.Popen) -> None:
    """End pip if it runs."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _size(folder: Path) -> int:
    """Bytes of all files in a folder that changes meanwhile."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(parent, name)).st_size
    return total


def _reason(extra: Extra, said: str) -> str:
    """The reason of a failure, from the output of pip or uv."""
    kind = next((kind for texts, kind in _SIGNS if any(text in said for text in texts)), "")
    if kind == "network":
        return tr(
            "the extra '{name}' could not be fetched: there is no connection to the package index; try again later",
            name=extra.name,
        )
    if kind == "disk":
        return tr("the extra '{name}' could not be installed: the disk is full", name=extra.name)
    if kind == "hash":
        return tr(
            "the extra '{name}' was refused: the package index has other files than those that Kinetree was released "
            "with",
            name=extra.name,
        )
    if kind == "none":
        return tr(
            "the package index has no {packages} for this system and this version of Python",
            packages=", ".join(f"{pin.package} {pin.version}" for pin in wheels.pins(extra)),
        )
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return tr(
        "the extra '{name}' could not be installed: {reason}",
        name=extra.name,
        reason=(errors or lines or [tr("pip gave no reason")])[-1],
    )
