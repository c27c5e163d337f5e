"""The parts of Qt that Kinetree uses: PySide6's wheel has five times as much.

A module brings the libraries that it is linked with, plugins theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

# Module of PySide6 -> who imports it. tests/packaging/test_release.py compares this with the sources.
MODULES = {
    "QtCore": "everything",
    "QtDBus": "loaded by QtGui for menus and portals of the desktop",
    "QtGui": "everything",
    "QtNetwork": "app/running: sockets between windows",
    "QtOpenGL": "loaded by QtOpenGLWidgets",
    "QtOpenGLWidgets": "app/viewport",
    "QtSvg": "app/settings/icons.py",
    "QtTest": "pyqtgraph",
    "QtWidgets": "everything",
}
# Folder of plugins -> those that are kept.
PLUGINS = {
    "iconengines": ["libqsvgicon.so"],
    "imageformats": ["libqgif.so", "libqico.so", "libqjpeg.so", "libqsvg.so", "libqwebp.so"],
    "platforminputcontexts": ["libcomposeplatforminputcontextplugin.so", "libibusplatforminputcontextplugin.so"],
    "platforms": ["libqminimal.so", "libqoffscreen.so", "libqwayland.so", "libqxcb.so"],
    "platformthemes": ["libqgtk3.so", "libqxdgdesktopportal.so"],
    "wayland-decoration-client": ["*"],
    "wayland-graphics-integration-client": ["*"],
    "wayland-shell-integration": ["*"],
    "xcbglintegrations": ["*"],
}


def libraries(packages: Path) -> Path:
    """The folder of Qt's libraries: Qt looks for those of windows there first."""
    return packages / "PySide6" / "Qt" / "lib"


def trim(packages: Path, needed: Callable[[Path], list[str]]) -> None:
    """Remove from an installed PySide6 what is not in the tables above. `needed`: the libraries of a library."""
    pyside, qt = packages / "PySide6", packages / "PySide6" / "Qt"
    modules = [pyside / f"{name}.abi3.so" for name in MODULES]
    plugins = [
        path for folder, names in PLUGINS.items() for name in names for path in (qt / "plugins" / folder).glob(name)
    ]
    bindings = list(pyside.glob("libpyside6.abi3.so*"))
    kept = {*modules, *plugins, *bindings}
    by_name = {path.name: path for path in libraries(packages).iterdir()}
    queue = sorted(kept)
    while queue:
        for name in needed(queue.pop()):
            if name in by_name and by_name[name] not in kept:
                kept.add(by_name[name])
                queue.append(by_name[name])
    python = {path for path in pyside.iterdir() if path.suffix == ".py"}
    support = set((pyside / "support").rglob("*.py")) if (pyside / "support").is_dir() else set()
    translations = set((qt / "translations").glob("qtbase_*.qm"))
    for path in sorted(pyside.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path not in kept | python | support | translations:
            path.unlink()
    for path in sorted(packages.joinpath("shiboken6").rglob("*")):
        if path.is_file() and path.suffix not in (".py", ".so") and ".so." not in path.name:
            path.unlink()
