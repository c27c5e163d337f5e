"""Checks for probable mistakes in a model that compiles.

    run.examine(compiled, document)     list of Diagnostic, none of them an error
    table.TABLE["unused-asset"]         every code of a finding: severity, help, documentation

It needs no compiled kernels and runs after a model is compiled, so that it never delays one.
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.check import explanations, run, table, trial  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
