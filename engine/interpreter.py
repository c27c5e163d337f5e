"""Processes of our own: the same Python, the same Kinetree, one of its modules."""

import sys

from kinetree.engine.packaged import packaged

# What `-m` does, for the Kinetree that runs now even where only the folder that it was started in leads to it.
RUN_MODULE = (
    "import runpy, sys; sys.path.append(sys.argv.pop(1)); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


def command(module: str, *arguments: str) -> list[str]:
    """The command line that runs a module of Kinetree. Without -P, Python would import from the current folder, which
    may hold a stranger's model and a file `numpy.py` beside it."""
    return [sys.executable, "-P", "-c", RUN_MODULE, str(packaged().parent), module, *arguments]
