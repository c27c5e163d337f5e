"""Compiles the modules of a payload, so that nothing is compiled at a start and nothing is written into it later."""

from __future__ import annotations

import os
from pathlib import Path

from release.source import CannotBuild, call

# Compiled files name the sources by a path that is the same for every build; Python corrects it when it loads them.
# "unchecked-hash": they are valid whatever the times of the sources are.
CODE = """
import compileall, py_compile, sys
mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
options = {"quiet": 1, "force": True, "invalidation_mode": mode, "stripdir": sys.argv[1], "maxlevels": 50}
good = compileall.compile_dir(sys.argv[1], **options)
sys.exit(not good)
"""


def compile_all(program: Path, folder: Path) -> int:
    """Compile everything in a folder with a payload's interpreter; returns how many modules there are."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["PYTHONHASHSEED"] = "0"  # a compiled set has the order of its hashes
    call([str(program), "-S", "-W", "ignore", "-c", CODE, str(folder)], environment)
    sources, compiled = list(folder.rglob("*.py")), list(folder.rglob("*.pyc"))
    if len(sources) != len(compiled):
        raise CannotBuild(f"{len(sources)} modules, but {len(compiled)} are compiled in {folder}")
    return len(compiled)
