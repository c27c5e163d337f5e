"""Checks for probable mistakes in a model that compiles.

    found = examine(compiled, document)      list of Diagnostic, none of them an error; see run.py
    TABLE["unused-asset"]                    every code of a finding: severity, help, documentation; see table.py

It needs no compiled kernels and runs after a model is compiled, so that it never delays one.
"""

from typing import TYPE_CHECKING

from kinetree.engine.check.run import examine, switched_off
from kinetree.engine.check.table import CHECKS, TABLE
from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.check import explanations, trial  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["CHECKS", "TABLE", "examine", "switched_off"]
