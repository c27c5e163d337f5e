"""Open models with Kinetree on a double-click, and show their pictures in file managers, for the current user.

Installs MIME types that are recognised by the content of a file, a desktop entry, a thumbnailer and icons in the user's
XDG data folder. Other .xml files open as before. --undo removes all of it. A package of the system has done the same
for all users.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from kinetree.app.terminal import fail
from kinetree.engine.atomic import replaced
from kinetree.engine.interpreter import command
from kinetree.engine.packaged import packaged
from kinetree.engine.platforms import folders
from kinetree.engine.platforms.system import HERE
from kinetree.engine.translation import tr

TEMPLATES = packaged("resources", "desktop")


def add_arguments(parser) -> None:
    parser.add_argument("--undo", action="store_true", help=tr("remove what register installed"))


def targets(home: Path) -> dict[str, Path]:
    """Template -> where it goes."""
    return {
        "kinetree.desktop": home / "applications" / "kinetree.desktop",
        "kinetree.xml": home / "mime" / "packages" / "kinetree.xml",
        "kinetree.thumbnailer": home / "thumbnailers" / "kinetree.thumbnailer",
        "kinetree.svg": home / "icons" / "hicolor" / "scalable" / "apps" / "kinetree.svg",
        "kinetree-model.svg": home / "icons" / "hicolor" / "scalable" / "mimetypes" / "kinetree-model.svg",
    }


def run(options) -> int:
    if HERE != "linux":
        return fail(tr("register: only Linux desktops are supported"))
    home = folders.shared_data()
    if is_of_the_system(packaged()) and not options.undo:
        print(tr("nothing to do: the package has installed Kinetree for all users"))
        return 0
    try:
        written = _remove(home) if options.undo else _install(home)
    except OSError as error:
        return fail(f"register: {error.filename or home}: {error.strerror or error}")
    for path in written:
        print(f"{'removed' if options.undo else 'installed'} {path}")
    if options.undo and not written:
        print(tr("nothing was installed"))
    _update(home, not options.undo)
    return 0


def _install(home: Path) -> list[Path]:
    written = []
    for name, target in targets(home).items():
        text = (TEMPLATES / name).read_text(encoding="utf-8")
        target.parent.mkdir(parents=True, exist_ok=True)
        program = headless_launcher() if name.endswith(".thumbnailer") else launcher()
        text = text.replace("@RUN@", exec_line(program)).replace("@TRY@", program[0])
        with replaced(target) as draft:
            Path(draft).write_text(text, encoding="utf-8")
        written.append(target)
    return written


def _remove(home: Path) -> list[Path]:
    removed = []
    for target in targets(home).values():
        if target.exists():
            target.unlink()
            removed.append(target)
    return removed


def is_of_the_system(package: Path) -> bool:
    """Whether a package of the system has installed this Kinetree."""
    return package.is_relative_to("/usr") and not package.is_relative_to("/usr/local")


def launcher() -> list[str]:
    """The command that starts the window of this Kinetree: of the checkout, else of the archive, else of the
    environment that it is installed in. `kinetree-gui` says in a message box why a start fails."""
    of_the_checkout = packaged().parent / "run"
    if of_the_checkout.exists():
        return [str(of_the_checkout)]
    for program in _installed():
        for name in (program.with_name("kinetree-gui"), program):
            if name.exists():
                return [str(name)]
    return command("kinetree")


def headless_launcher() -> list[str]:
    """The command that starts this Kinetree without a window. Of a checkout it is the interpreter: `run` would install
    what is missing."""
    if (packaged().parent / "run").exists():
        return [sys.executable, "-P", "-m", "kinetree"]
    return next(([str(program)] for program in _installed() if program.exists()), command("kinetree"))


def _installed() -> list[Path]:
    """Where `kinetree` may be: as it was called (the archive, which has an interpreter of its own, says so), or beside
    the interpreter."""
    called = Path(os.environ.get("KINETREE_COMMAND", ""))
    return [*([called] if called.is_absolute() else []), Path(sys.executable).with_name("kinetree")]


def exec_line(program: list[str]) -> str:
    """A command, quoted as desktop entries want it."""
    return " ".join(quoted(word) for word in program)


def mime_types() -> list[str]:
    """The types that the desktop entry claims."""
    for line in (TEMPLATES / "kinetree.desktop").read_text(encoding="utf-8").splitlines():
        if line.startswith("MimeType="):
            return [item for item in line.partition("=")[2].split(";") if item]
    return []


def quoted(word: str) -> str:
    """A word of an Exec line (Desktop Entry Specification, "The Exec key")."""
    word = word.replace("%", "%%")
    if not any(c in word for c in " \t\n\"'\\><~|&;$*?#()`"):
        return word
    for c in '\\"`$':
        word = word.replace(c, "\\" + c)
    # The value as a whole is a string, in which a backslash is written twice.
    return '"' + word.replace("\\", "\\\\") + '"'


def _update(home: Path, installed: bool) -> None:
    """Tell the desktop, with whichever of its tools are there."""
    for line in (
        ["update-mime-database", str(home / "mime")],
        ["update-desktop-database", str(home / "applications")],
        ["gtk-update-icon-cache", "-q", "-t", "-f", str(home / "icons" / "hicolor")],
    ):
        _quietly(line)
    if installed:
        _quietly(["xdg-mime", "default", "kinetree.desktop", *mime_types()])
    if not shutil.which("update-mime-database"):
        print(tr("update-mime-database is not installed: the file type is known after the next login"))


def _quietly(command: list[str]) -> None:
    if shutil.which(command[0]):
        silent = subprocess.DEVNULL
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(command, check=False, stdout=silent, stderr=silent, timeout=60)
