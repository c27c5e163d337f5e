"""Lists of live values: what they show, read, select, sort, copy and drag."""

import math

import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QDockWidget

from kinetree.app.panels.live.model import LiveModel
from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.panels.live.rows import MIME, NAME, UNIT, VALUE, LiveRow, entries
from kinetree.app.panels.live.view import WIDE, LiveView
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.app.workspace.units import Units
from kinetree.engine.document.element_edit import SetAttribute
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import name_of


def names(model: LiveModel) -> list[str]:
    return [row.name for _, row in model.indices()]


def titles(model: LiveModel) -> list[str]:
    return [model.index(row, 0).data() for row in range(model.rowCount())]


@pytest.fixture
def model(qtbot):
    found = LiveModel((NAME, VALUE, UNIT), Units())
    tester = QAbstractItemModelTester(found, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield found
    del tester


def rows(text: str) -> list[LiveRow]:
    """One row a word; `group/name=value`."""
    found = []
    for word in text.split():
        path, _, value = word.partition("=")
        group, _, name = path.rpartition("/")
        found.append(LiveRow(name, lambda _, value=value: float(value or 0), group=group, quantity=name))
    return found


@pytest.mark.parametrize(("width", "striped"), [(WIDE - 100, False), (WIDE + 100, True)])
def test_a_wide_list_has_stripes(model, qtbot, width, striped):
    view = LiveView(model)
    qtbot.addWidget(view)
    view.resize(width, 200)
    view.show()
    qtbot.waitUntil(lambda: view.alternatingRowColors() == striped)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a b c d", "a c d"),
        ("a b c d", "x a b y c d z"),
        ("a b c d", "d c b a"),
        ("a b c d", "d x a y"),
        ("g/a g/b h/c", "h/c h/d g/b i/e"),
        ("g/a b", "b g/a g/c"),
        ("a b", ""),
        ("", "g/a"),
        (" ".join(f"r{k}" for k in range(90)), " ".join(f"r{k} n{k}" for k in range(89, 0, -2))),
        (" ".join(f"g{k}/r{k}" for k in range(60)), " ".join(f"g{k}/r{k}" for k in range(59, 0, -2))),
        (" ".join(f"g/r{k} s{k}" for k in range(60)), " ".join(f"g/r{k} t{k}" for k in range(0, 60, 2))),
    ],
)
def test_changed_rows_keep_the_place_of_what_stays(model, first, second):
    model.set_rows(rows(first))
    kept = {row.name: QPersistentModelIndex(index) for index, row in model.indices()}
    model.set_rows(rows(second))
    groups: dict[str, list[str]] = {}
    for row in rows(second):
        groups.setdefault(row.group or row.name, []).append(row.name)
    assert names(model) == [name for group in groups.values() for name in group]
    for index, row in model.indices():
        if row.name in kept:
            assert kept.pop(row.name) == index
    assert not any(index.isValid() for index in kept.values())


def test_sorting_by_values_follows_them(model):
    model.snapshot = object()
    model.set_rows(rows("a=3 b=1 c=2"))
    model.sort(1, Qt.SortOrder.DescendingOrder)
    assert names(model) == ["a", "c", "b"]
    model.set_rows(rows("a=3 b=1 c=7"))
    assert names(model) == ["c", "a", "b"]
    model.sort(-1)
    assert names(model) == ["a", "b", "c"]


def test_the_filter_wants_every_word(model):
    model.set_rows(
        [LiveRow("left knee", group="legs"), LiveRow("right knee", group="legs"), LiveRow("left hand", group="arms")]
    )
    model.set_filter("left knee")
    assert names(model) == ["left knee"] and titles(model) == ["legs  1"]
    model.set_filter("ARMS")
    assert names(model) == ["left hand"]
    model.set_filter("nothing")
    assert not titles(model)


class Positions(LivePanel):
    what = "joint"

    def rows(self, model, snapshot):
        self.reads = []

        def read(snapshot, address):
            self.reads.append(address)
            return entries("qpos", address)(snapshot)

        for number in range(model.njnt):
            address = int(model.jnt_qposadr[number])
            yield LiveRow(
                name_of(model, "joint", number), lambda s, address=address: read(s, address), "rad",
                Selection("joint", number), f"qpos[{address}]", "free" if model.jnt_type[number] == enums.JNT_FREE else "other",
            )  # fmt: skip


@pytest.fixture
def window(make_window, model_file, rig, qtbot):
    window = make_window(model_file)
    window.simulation.post(requests.Pause())
    qtbot.waitUntil(lambda: not window.simulation.snapshot.running)
    return window


@pytest.fixture
def panel(window, qtbot):
    dock = QDockWidget("Positions", window)
    found = Positions(window.workspace, window.settings)
    dock.setWidget(found)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    qtbot.waitUntil(lambda: found.model.rowCount() > 0)
    return found


def test_the_list_shows_the_state_in_the_chosen_unit(panel, window, qtbot):
    assert titles(panel.model) == ["other  1", "free  1"]
    assert all(panel.view.isExpanded(panel.model.index(row, 0)) for row in range(2))
    index = next(index for index, row in panel.model.indices() if row.name == "hinge").siblingAtColumn(1)
    window.simulation.post(requests.SetValues("qpos", 0, [0.5]))
    qtbot.waitUntil(lambda: index.data() == "0.50000")
    window.workspace.units.set_degrees(True)
    assert index.data() == "28.648" and index.siblingAtColumn(2).data() == "°"


def test_the_selection_goes_both_ways(panel, window):
    panel.view.setCurrentIndex(next(index for index, row in panel.model.indices() if row.name == "hinge"))
    assert window.selection.current == Selection("joint", 0)
    window.selection.select(Selection("joint", 1))
    assert [row.name for row in panel.view.rows_selected()] == ["float"]
    window.selection.select(Selection("body", 1))
    assert not panel.view.rows_selected() and window.selection.current == Selection("body", 1)


def test_rows_are_copied_and_dragged(panel, window):
    index = next(index for index, row in panel.model.indices() if row.name == "hinge")
    panel.view.setCurrentIndex(index)
    panel.view.setFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == f"hinge\t{index.siblingAtColumn(1).data()}\trad"
    data = panel.model.mimeData([index, index.siblingAtColumn(1)])
    assert data.data(MIME).data() == b"qpos[0]"


def test_what_is_behind_another_tab_is_not_read(panel, window, qtbot):
    dock = panel.parentWidget()
    window.docks["problems"].show()
    window.tabifyDockWidget(dock, window.docks["problems"])
    window.docks["problems"].raise_()
    qtbot.waitUntil(lambda: not panel.in_view)
    panel.reads.clear()
    window.simulation.post(requests.SetValues("qpos", 0, [0.25]))
    qtbot.waitUntil(lambda: window.simulation.snapshot.qpos[0] == 0.25)
    qtbot.wait(100)
    assert not panel.reads
    dock.raise_()
    index = next(index for index, row in panel.model.indices() if row.name == "hinge").siblingAtColumn(1)
    qtbot.waitUntil(lambda: index.data() == "0.25000")
    assert panel.reads


def test_an_empty_list_says_why(panel, window, qtbot, tmp_path):
    panel.filter.setText("elbow")
    assert panel.view.empty == "No joint has “elbow” in its name."
    other = tmp_path / "other.xml"
    other.write_text('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
    window.open(str(other))
    qtbot.waitUntil(lambda: panel.view.empty == "This model has no joints.")


def test_rows_stay_over_an_edit_that_does_not_concern_them(paused, open_panel, qtbot):
    """But they are rebuilt if it does: a range of a slider, a name."""
    panel = open_panel("joints")
    qtbot.waitUntil(lambda: panel.model.rowCount() > 0)
    simulation, project = paused.simulation, paused.project

    def edit(tag: str, name: str, value: str) -> None:
        node = next(node for node in project.document.root.iter() if node.tag == tag)
        before = simulation.model
        project.apply("Edit", [SetAttribute(node, name, value)])
        qtbot.waitUntil(lambda: simulation.model is not before)
        qtbot.waitUntil(lambda: simulation.snapshot.model is simulation.model)

    rows = list(panel.model.rows)
    edit("geom", "friction", ".3")
    panel.refresh()
    assert all(new is old for new, old in zip(panel.model.rows, rows, strict=True))
    assert panel.model.value(rows[0]) is not None
    edit("freejoint", "name", "another")
    qtbot.waitUntil(lambda: "another" in {row.group for row in panel.model.rows})
    edit("joint", "range", "-45 45")
    qtbot.waitUntil(lambda: panel.model.rows[0].high == pytest.approx(math.pi / 4))


@pytest.mark.parametrize("name", ["controls", "joints", "sensors", "tendons", "equalities", "mocap"])
def test_what_rows_are_made_of_are_facts_of_a_model(paused, open_panel, name):
    panel = open_panel(name)
    assert panel.made_of and None not in panel._facts_of(paused.simulation.model)
