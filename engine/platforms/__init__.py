"""Everything that differs between operating systems. No other folder asks which system it is on, or uses a function
that only some systems have (tests/engine/platforms/test_nowhere_else.py).

Rules are functions of the system, the environment and what the system answers, with this machine as the default, so
that the branches of every system can be tested on one. docs/platforms.md says what is supported where.
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.platforms import processes, terminal, windows  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
