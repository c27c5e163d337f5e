"""The size of the geom "hub" of the test model: edited, and as it is simulated. And what another program writes."""

import pytest

import kinetree
from kinetree.engine.document.change import set_attribute
from tests.app.conftest import MODEL


def edit(workspace, name, value, merge=None):
    """Set the size of the geom "hub"."""
    hub = next(node for node in workspace.project.document.root.iter("geom") if node.get("name") == "hub")
    workspace.project.apply(name, set_attribute(hub, "size", value), merge)


def hub_size(workspace):
    model = workspace.simulation.model
    return model.geom_size[kinetree.name2id(model, "geom", "hub"), 0]


def wait_for_size(workspace, qtbot, size):
    qtbot.waitUntil(lambda: hub_size(workspace) == pytest.approx(size))


THEIRS = MODEL.replace('name="hub" type="sphere" size=".1"', 'name="hub" type="sphere" size=".2"')
"""Another program changed the line that `edit` changes."""
