"""All kernels that are compiled on their own: what compiled code calls through an address, or Python by itself."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from kinetree.engine.collision import table
from kinetree.engine.dynamics import forward
from kinetree.engine.jit.kernel import name_of

PACKAGES = ("kinetree.engine.collision", "kinetree.engine.dynamics", "kinetree.engine.jit", "kinetree.engine.run")
"""Where they are."""


def kernels() -> list[str]:
    """All of them, as "module:function": the rows of every table, and the kernels that state what they take."""
    stated = []
    for package in PACKAGES:
        for module in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
            functions = vars(import_module(module.name)).values()
            stated += [name_of(f) for f in functions if hasattr(f, "jit_takes") and f.__module__ == module.name]
    return [*sorted(forward.STAGES), *dict.fromkeys(table.FUNCTIONS.values()), *stated]
