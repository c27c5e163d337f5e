"""The selection, and how it follows into other versions of the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import (
    NOTHING,
    Selection,
    SelectionModel,
    body_of,
    follow,
    select_at,
    select_element,
    select_object,
    selected_objects,
)
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.change import remove_element, set_attribute
from kinetree.engine.document.document import Document
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.run.matching import Matching
from tests.app.conftest import save_over

TEXT = """<mujoco><option timestep="0.01"/><worldbody>
 <replicate count="3"><body name="b"><freejoint/><geom size="1"/></body></replicate>
 <body name="c"><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom size="2"/>
 <geom size="3"/></body>
</worldbody></mujoco>"""


class Version:
    """One version of the text with its model."""

    def __init__(self, document: Document):
        self.document = document
        self.model = compile_document(document).model

    def node(self, tag: str, number: int = 0):
        return list(self.document.root.iter(tag))[number]

    def edited(self, changes) -> Version:
        return Version(self.document.with_edits(changes))


@pytest.fixture(scope="module")
def first() -> Version:
    return Version(Document.from_string(TEXT))


def test_an_object_brings_its_element(first):
    selection = select_object(first.model, "geom", 3)
    assert selection == Selection("geom", 3)
    assert selection.element == first.node("geom", 1).id
    assert select_object(first.model, "body", 1).element == select_object(first.model, "body", 3).element


def test_an_element_brings_its_object(first):
    assert select_element(first.model, first.node("geom", 2)) == Selection("geom", 4)
    replicas = select_element(first.model, first.node("body"))
    assert replicas == Selection("body", 1)
    assert selected_objects(replicas, first.model) == tuple(ObjectId("body", i) for i in (1, 2, 3))
    inertial = select_element(first.model, first.node("inertial"))
    assert inertial == Selection("body", 4) and inertial.element == first.node("inertial").id


def test_an_element_without_objects_is_selected_alone(first):
    option = select_element(first.model, first.node("option"))
    assert option and not option.kind
    assert option == Selection(element=first.node("option").id) != NOTHING
    assert body_of(option, first.model) == 0
    assert selected_objects(option, first.model) == ()
    assert follow(option, Matching(first.model, first.model)) == option


def test_a_place_in_the_text_selects_the_innermost_element(first):
    path = first.document.path
    node = first.node("geom", 2)
    assert select_at(first.model, path, node.line, node.column + 3) == Selection("geom", 4)
    assert select_at(first.model, path, 99, 1) == NOTHING
    assert select_at(first.model, "other.xml", 1, 1) == NOTHING


def test_it_follows_a_renamed_element(first):
    second = first.edited(set_attribute(first.node("body", 1), "name", "renamed"))
    third = second.edited(set_attribute(second.node("replicate"), "count", "12"))
    for selection in (select_object(first.model, "body", 4), select_object(first.model, "geom", 4)):
        followed = follow(selection, Matching(first.model, second.model))
        assert followed == selection and followed.element == selection.element
    replica = select_object(second.model, "geom", 2)
    assert follow(replica, Matching(second.model, third.model)) == Selection("geom", 2)
    body = follow(select_object(second.model, "body", 4), Matching(second.model, third.model))
    assert third.model.names["body"][body.id] == "renamed"


def test_it_stays_with_its_element_where_others_go(first):
    second = first.edited(remove_element(first.node("geom", 1)))
    assert follow(select_object(first.model, "geom", 4), Matching(first.model, second.model)) == Selection("geom", 3)
    assert follow(select_object(first.model, "geom", 3), Matching(first.model, second.model)) == NOTHING


def test_a_part_of_an_element_stays_selected(first):
    second = first.edited(set_attribute(first.node("body", 1), "name", "renamed"))
    inertial = select_element(first.model, first.node("inertial"))
    followed = follow(inertial, Matching(first.model, second.model))
    assert followed == Selection("body", 4) and followed.element == second.node("inertial").id


def test_models_without_a_text_follow_names(first):
    model = first.model.copy()
    model.provenance = None
    selection = select_object(model, "body", 4)
    assert selection == Selection("body", 4) and selection.element is None
    assert follow(selection, Matching(model, first.model)) == selection
    assert selected_objects(selection, model) == (("body", 4),)
    assert select_at(model, first.document.path, 3, 40) == NOTHING


def test_the_selection_model_reports_what_changes(first):
    selection, seen = SelectionModel(), []
    selection.changed.connect(lambda: seen.append(selection.current))
    selection.select(Selection("body", 4))
    assert selection.current == NOTHING and not seen  # there is no model
    selection.follow(first.model, keep=False)
    selection.select(Selection("body", 4))
    assert seen[-1].element == first.node("body", 1).id
    count = len(seen)
    selection.select(Selection("body", 4))
    assert len(seen) == count
    selection.select(select_element(first.model, first.node("inertial")))
    assert len(seen) == count + 1
    assert selection.body == 4


def test_several_are_selected_and_the_last_one_is_the_primary_one(first):
    selection, seen = SelectionModel(), []
    selection.follow(first.model, keep=False)
    selection.changed.connect(lambda: seen.append(selection.selections))
    geom, other, inertial = (select_element(first.model, first.node(*each)) for each in PLACES)
    selection.select_several((geom, other, NOTHING, geom))
    assert selection.selections == (other, geom) and selection.current == geom
    assert selection.elements == (other.element, geom.element)
    selection.toggle(inertial)
    assert selection.elements == (other.element, geom.element, inertial.element)
    selection.toggle(Selection(geom.kind, geom.id))
    assert selection.selections == (other, inertial)
    # A body and what belongs to it are one object, but two elements.
    selection.toggle(select_element(first.model, first.node("body", 1)))
    assert len(selection.elements) == 3
    assert len(seen) == 4
    selection.select(NOTHING)
    assert not selection.selections and selection.current == NOTHING


PLACES = (("geom", 1), ("geom", 2), ("inertial",))


def test_replicas_are_one_element(first):
    selection = SelectionModel()
    selection.follow(first.model, keep=False)
    selection.select_several((Selection("body", 1), Selection("body", 2)))
    assert selection.elements == (first.node("body").id,)
    assert [each.id for each in selection.selections] == [1, 2]


def test_elements_are_selected_without_a_model_and_found_in_the_first_one(first):
    selection = SelectionModel()
    selection.select(Selection(element=first.node("geom", 1).id))
    selection.toggle(Selection("geom", 2))  # there is no such object yet
    assert selection.elements == (first.node("geom", 1).id,)
    selection.follow(first.model, keep=False)
    assert selection.current == Selection("geom", 3)


def test_several_follow_into_the_next_version(first):
    selection = SelectionModel()
    selection.follow(first.model, keep=False)
    geoms = [select_element(first.model, first.node("geom", number)) for number in (0, 1, 2)]
    selection.select_several(geoms)
    second = first.edited(remove_element(first.node("geom", 1)))
    selection.follow(second.model, keep=True)
    assert selection.elements == (geoms[0].element, geoms[2].element)
    # An element that had no object, because it was not compiled yet, has one now.
    selection.follow(second.model, keep=True)
    selection.select(Selection(element=geoms[1].element))
    selection.follow(first.model, keep=True)
    assert selection.current == geoms[1]


# ---- in a workspace ----------------------------------------------------------------------------------------

UNNAMED = """<mujoco><worldbody>
  <body pos="0 0 1"><freejoint/><geom size=".1"/></body>
  <body pos="1 0 1"><freejoint/><geom size=".2"/></body>
  <body pos="2 0 1"><freejoint/><geom size=".3"/></body>
</worldbody></mujoco>
"""


@pytest.fixture
def workspace(qtbot, tmp_path):
    path = tmp_path / "unnamed.xml"
    path.write_text(UNNAMED)
    made = Workspace()
    made.simulation.post(requests.Pause())
    made.opening.open(str(path))
    qtbot.waitUntil(lambda: made.simulation.model is not None)
    yield made
    made.close()


def wait_for_bodies(workspace: Workspace, qtbot, count: int) -> None:
    qtbot.waitUntil(lambda: workspace.simulation.model.nbody == count)


def selected_size(workspace: Workspace) -> float:
    return float(workspace.simulation.model.geom_size[workspace.selection.current.id, 0])


@pytest.mark.parametrize("where", ["here", "outside"])
def test_the_same_element_stays_selected_when_another_goes(workspace, qtbot, where):
    workspace.selection.select(Selection("geom", 1))
    element = workspace.selection.current.element
    first = next(workspace.project.document.root.iter("body"))
    if where == "here":
        workspace.project.apply("Remove", remove_element(first))
    else:
        lines = UNNAMED.splitlines(keepends=True)
        save_over(Path(workspace.project.path), "".join(lines[:1] + lines[2:]))
    wait_for_bodies(workspace, qtbot, 3)
    assert workspace.selection.current == Selection("geom", 0)
    assert workspace.selection.current.element == element
    assert selected_size(workspace) == 0.2
    workspace.project.undo()
    wait_for_bodies(workspace, qtbot, 4)
    assert workspace.selection.current == Selection("geom", 1)
    assert workspace.selection.current.element == element


def test_nothing_is_selected_when_its_element_goes(workspace, qtbot):
    workspace.selection.select(Selection("body", 2))
    second = list(workspace.project.document.root.iter("body"))[1]
    workspace.project.apply("Remove", remove_element(second))
    wait_for_bodies(workspace, qtbot, 3)
    assert workspace.selection.current == NOTHING


def test_what_the_model_does_not_have_is_not_selected(first):
    """A row of a list may be that of a version before."""
    selection = SelectionModel()
    selection.follow(first.model, False)
    for number in (-1, first.model.nbody, 99):
        selection.select(Selection("body", number))
        assert selection.current == NOTHING, number
    selection.select(Selection("body", first.model.nbody - 1))
    assert selection.current.id == first.model.nbody - 1


def test_who_hears_that_contacts_went_sees_what_the_new_model_has(first):
    selection, seen = SelectionModel(), []
    selection.follow(first.model, False)
    selection.select(select_object(first.model, "geom", first.model.ngeom - 1))
    selection.select_contacts([(0, 1)])
    selection.contacts_changed.connect(lambda: seen.append(selection.current))
    less = first.edited(remove_element(first.node("body", 1)))
    selection.follow(less.model, True)
    assert seen == [NOTHING] and selection.contacts == frozenset()


def test_the_selection_follows_the_model_before_anything_else_is_told(window):
    simulation, selection, seen = window.simulation, window.selection, []
    selection.select(select_object(simulation.model, "body", simulation.model.nbody - 1))
    simulation.compare(simulation.model, "itself")
    simulation.post(requests.PlaySeries(None))
    simulation.switch_noise(True)
    for signal in (simulation.other_changed, simulation.drive_changed):
        signal.connect(lambda: seen.append((selection.model, selection.current)))
    simulation.unload()
    assert seen == [(None, NOTHING)] * 2
