"""Crash reports: text files that the user can look at and send. Nothing here uses the network.

recorder.py   the log and the actions of this window, kept where the next start finds them after a fatal error
reports.py    the files: written, listed, the oldest dropped
redacting.py  paths and texts of models are left out
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.crashes import recorder, redacting, reports  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
