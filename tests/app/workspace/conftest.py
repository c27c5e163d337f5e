"""A workspace without a window, on a model with a geom "hub"."""

import pytest

from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.workspace import Workspace


@pytest.fixture
def make_workspace(qtbot):
    """make_workspace(path): a workspace without a window, its model compiled."""
    made = []

    def make(path):
        workspace = Workspace()
        made.append(workspace)
        workspace.messages = []
        workspace.failed.connect(lambda message, _details: workspace.messages.append(message))
        workspace.simulation.post(requests.Pause())
        workspace.opening.open(str(path))
        qtbot.waitUntil(lambda: workspace.compiler.result is not None)
        return workspace

    yield make
    for workspace in made:
        workspace.close()


@pytest.fixture
def workspace(make_workspace, model_file):
    return make_workspace(model_file)
