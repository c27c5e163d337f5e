"""Lazy imports: the modules of a package are imported when they are first used.

    from kinetree.app.panels import dialogs           # nothing of it is imported yet

    def show_settings(self) -> None:
        dialogs.settings_dialog.SettingsDialog(self)  # imports kinetree.app.panels.dialogs.settings_dialog

A package allows this with a `__getattr__` (PEP 562) in its `__init__.py`, which also tells type checkers and packagers
such as PyInstaller which modules it has:

    if TYPE_CHECKING:
        from kinetree.app.panels.dialogs import palette, settings_dialog
    else:
        __getattr__ = lazy_modules(__name__)

What the window does not show at first is used so: panels, dialogs, tools, file formats. Code reaches the real module
and the real class: there is no stand-in that `is`, `except`, `isinstance` or a debugger could see, no hook in the
import system (PySide6 replaces `builtins.__import__` itself), and Python's lock of each module holds when two threads
use it first. Scientific Python does the same (SPEC 1, `scipy.linalg`). An import inside a function is for other
people's packages only (`tests/test_lazy.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType


def lazy_modules(package: str) -> Callable[[str], ModuleType]:
    """The `__getattr__` of a package: imports the module of this name. Raises AttributeError where there is none."""

    def load(name: str) -> ModuleType:
        module = f"{package}.{name}"
        if not name.startswith("__"):
            try:
                return import_module(module)
            except ModuleNotFoundError as error:
                if error.name != module:
                    raise  # the module exists, and imports one that does not
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load
