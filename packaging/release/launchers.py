"""The programs `kinetree` and `kinetree-gui` of a payload: shell scripts that start its interpreter."""

from __future__ import annotations

from pathlib import Path

from release import interpreter

MODULES = {"kinetree": "kinetree", "kinetree-gui": "kinetree.app.gui"}
# Python's variables of the user's shell, and packages in the user's home, are for other interpreters.
SCRIPT = """#!/bin/sh
# Starts Kinetree with the interpreter beside this file, wherever this folder is.
bin=$(dirname -- "$(readlink -f -- "$0")") || exit 1
unset PYTHONHOME PYTHONPATH PYTHONSTARTUP PYTHONPLATLIBDIR
export PYTHONNOUSERSITE=1 PYTHONSAFEPATH=1
if [ "$(readlink -f -- "$(command -v kinetree)")" != "$bin/kinetree" ]; then  # what the user types to call it
    KINETREE_COMMAND=${{KINETREE_COMMAND:-$bin/kinetree}}
    export KINETREE_COMMAND
fi
exec "$bin/{python}" -m {module} "$@"
"""


def write(target: Path) -> None:
    for name, module in MODULES.items():
        path = target / "bin" / name
        path.write_text(SCRIPT.format(module=module, python=interpreter.NAME), encoding="utf-8")
        path.chmod(0o755)
