"""An interpreter that runs wherever its folder is: Debian's Python and the libraries that it needs.

bin/python3.11      lib/python3.11      lib/*.so.*      all found from the place of the program
"""

from __future__ import annotations

import fnmatch
import shutil
from pathlib import Path

from release import debian
from release.source import call

NAME = "python3.11"
PACKAGES = f"lib/{NAME}/dist-packages"  # where Debian's interpreter looks
# Parts of the standard library that nothing here uses, or that need libraries that are not bundled.
LEFT_OUT = (
    "EXTERNALLY-MANAGED",
    "__phello__*",
    "config-3.11-*",
    "ensurepip",
    "idlelib",
    "lib2to3",
    "pydoc_data",
    "sitecustomize.py",
    "test",
    "tkinter",
    "turtle*",
    "*/test",
    "*/tests",
    "lib-dynload/*test*",
    "lib-dynload/_crypt.*",
    "lib-dynload/_curses*",
    "lib-dynload/_dbm.*",
    "lib-dynload/_sqlite3.*",
    "lib-dynload/nis.*",
    "lib-dynload/ossaudiodev.*",
    "lib-dynload/readline.*",
    "lib-dynload/xx*",
)
NOTICE = """[externally-managed]
Error=This Python is part of Kinetree, and holds what Kinetree needs at the versions that it was tested with.
 Make an environment (python3 -m venv) of another Python for other packages; `pip install kinetree` works there too.
"""


def make(target: Path, cache: Path, scratch: Path) -> Path:
    """Lay the interpreter down in a folder; returns its program."""
    program, library = target / "bin" / NAME, target / "lib"
    program.parent.mkdir(parents=True)
    library.mkdir()
    for package in debian.INTERPRETER:
        unpacked = debian.unpack(package, cache, scratch)
        if (unpacked / "usr/bin" / NAME).exists():
            shutil.copy2(unpacked / "usr/bin" / NAME, program)
        if (unpacked / "usr/lib" / NAME).exists():
            shutil.copytree(unpacked / "usr/lib" / NAME, library / NAME, dirs_exist_ok=True, symlinks=True)
    for path in sorted((library / NAME).rglob("*")):
        inside = path.relative_to(library / NAME).as_posix()
        if any(fnmatch.fnmatchcase(inside, pattern) for pattern in LEFT_OUT) or _leads_out(path, library):
            _remove(path)
    (library / NAME / "EXTERNALLY-MANAGED").write_text(NOTICE, encoding="utf-8")
    for package in debian.LIBRARIES:
        take_libraries(debian.unpack(package, cache, scratch), library)
    _link_by_place(program, "$ORIGIN/../lib")
    for path in sorted((library / NAME / "lib-dynload").glob("*.so")):
        _link_by_place(path, "$ORIGIN/../..")
    return program


def take_libraries(unpacked: Path, library: Path) -> None:
    """Copy the libraries of a package, each under the name that programs ask for; they look for others beside them."""
    for path in sorted(unpacked.rglob("*.so.*")):
        if path.is_file() and not path.is_symlink():
            soname = call(["patchelf", "--print-soname", str(path)]).strip()
            shutil.copy2(path, library / soname)
            _link_by_place(library / soname, "$ORIGIN")


def _link_by_place(path: Path, where: str) -> None:
    """Let the dynamic linker look for the libraries of a program or library at a place beside it."""
    path.chmod(0o755)
    call(["patchelf", "--set-rpath", where, str(path)])


def _leads_out(path: Path, library: Path) -> bool:
    """Whether it is a link to something that is not here, such as Debian's /etc."""
    return path.is_symlink() and not path.resolve().is_relative_to(library.resolve())


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
