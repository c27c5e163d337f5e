"""A folder of windows, short enough for the name of a socket."""

import os
import tempfile
from pathlib import Path

import pytest

from kinetree.app.running import place


@pytest.fixture
def windows(monkeypatch):
    """The folder in which windows and starts find each other."""
    with tempfile.TemporaryDirectory(prefix="kt") as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        monkeypatch.setenv("TMPDIR", runtime)
        folder = place.folder()
        assert Path(runtime) in folder.parents
        yield folder
        os.chmod(runtime, 0o700)
