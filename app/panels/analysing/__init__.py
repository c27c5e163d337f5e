"""Panels that show what a simulation does: plots, contacts, sensors, facts, profiler, log and others."""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.panels.analysing import plots, profiler  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
