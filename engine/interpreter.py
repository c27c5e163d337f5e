"""Command lines that run a module of Kinetree in a new process, with the same Python and the same installation."""

import sys

from kinetree.engine.packaged import packaged
from kinetree.engine.platforms.processes import INTERPRETER_OPTIONS

# Does what `-m` does for this copy of Kinetree, even where only the start folder leads to it.
RUN_MODULE = (
    "import runpy, sys; sys.path.append(sys.argv.pop(1)); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


def command(module: str, *arguments: str) -> list[str]:
    """The command line that runs a module of Kinetree.

    The option -P matters: without it Python would import from the current folder, which may hold a downloaded model
    with a file `numpy.py` beside it.
    """
    return [sys.executable, "-P", *INTERPRETER_OPTIONS, "-c", RUN_MODULE, str(packaged().parent), module, *arguments]
