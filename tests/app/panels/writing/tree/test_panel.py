"""The model panel in a real window: filter, keys, selection, state over edits, elided texts."""

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest

from kinetree.app.panels.writing.tree.delegate import arrow_area, elided
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import NOTHING, Selection
from kinetree.engine.document.element_edit import Insert, Remove, SetAttribute
from tests.app.conftest import MODEL

MANY = """<mujoco>
  <worldbody>
{bodies}
  </worldbody>
</mujoco>
"""
BODY = (
    '    <body name="body{0}" pos="{0} 0 1"><freejoint name="joint{0}"/>\n'
    '      <geom name="geom{0}" size=".1" contype="0" conaffinity="0"/><site name="site{0}"/>\n    </body>'
)
ROWS = 2500


@pytest.fixture
def opened(make_window, model_file, qtbot):
    window = make_window(model_file, physics=False)
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    window.simulation.post(requests.Pause())
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


@pytest.fixture
def panel(opened):
    return opened.tree


@pytest.fixture
def many(make_window, tmp_path, qtbot):
    path = tmp_path / "many.xml"
    path.write_text(MANY.format(bodies="\n".join(map(BODY.format, range(ROWS)))))
    window = make_window(path, physics=False)
    qtbot.waitUntil(lambda: len(window.tree.outline) == 4 * ROWS + 2)
    return window.tree


def texts(panel):
    model = panel.view.tree_model
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def row_named(panel, name):
    model = panel.view.tree_model
    return next(row for row in range(len(panel.outline)) if model.describe(row).name == name)


def node_named(panel, name):
    item = panel.outline.items[row_named(panel, name)]
    return panel.project.document.node(item.id)


def pick(panel, *names, modifier=Qt.KeyboardModifier.ControlModifier):
    """Click rows, all but the first one with a modifier."""
    for number, name in enumerate(names):
        index = panel.view.tree_model.index_of(row_named(panel, name))
        place = panel.view.visualRect(index).center()
        held = modifier if number else Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, held, place)


def test_the_tree_is_that_of_the_text(panel):
    assert texts(panel)[:9] == ["rig", "worldbody", "sun", "floor", "front", "above", "base", "hub", "arm"]
    assert texts(panel)[-3:] == ["ghost", "actuator", "keyframe"]


def test_the_filter_shows_what_matches_and_the_way_to_it(panel, qtbot):
    before = texts(panel)
    QTest.keyClicks(panel.filter, "tip")
    assert texts(panel) == ["rig", "worldbody", "base", "arm", "tip"]
    panel.filter.setText("cameras")
    assert texts(panel) == ["rig", "worldbody", "front", "above"]
    panel.filter.setText("//motor")
    qtbot.waitUntil(lambda: texts(panel) == ["rig", "actuator", "motor"])
    panel.filter.setText("//motor[")
    qtbot.waitUntil(lambda: "something is missing" in panel.message.text())
    assert texts(panel) == ["rig", "actuator", "motor"]
    QTest.keyClick(panel.filter, Qt.Key.Key_Escape)
    assert panel.filter.text() == "" and texts(panel) == before and not panel.message.isVisible()


def test_ctrl_a_selects_the_matches_of_a_filter_and_the_inspector_sets_them_together(opened, qtbot):
    panel, project = opened.tree, opened.workspace.project
    opened.docks["inspector"].bring_up()
    qtbot.waitUntil(lambda: opened.docks["inspector"].in_view)
    inspector = opened.inspector
    panel.filter.setText("//body//geom[@mass]")  # hub and rod, in base and in arm inside base
    qtbot.waitUntil(lambda: panel.outline.matching is not None)
    assert {"base", "arm", "hub", "rod"} < set(texts(panel))
    panel.view.toggle(row_named(panel, "arm"))  # rod is out of sight
    panel.view.setFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    wanted = [node_named(panel, name).id for name in ("hub", "rod")]
    assert panel.view.selected_ids == wanted == list(opened.selection.elements)
    qtbot.waitUntil(lambda: inspector.found is not None and len(inspector.found.nodes) == 2)
    assert inspector.found.items["mass"].text is None  # 1 and .5: a dash
    text = lambda: [each.text for each in project.document.sources.values()]  # noqa: E731
    before = text()
    inspector.changes.set_text("mass", "2")
    assert [node_named(panel, name).get("mass") for name in ("hub", "rod")] == ["2", "2"]
    project.undo()
    assert text() == before
    panel.filter.setText("nothing has this name")
    panel.view.selectAll()
    assert panel.view.selected_ids == wanted
    panel.filter.clear()
    panel.view.selectAll()
    assert len(panel.view.selected_ids) == len(panel.outline.shown)


def test_a_filter_without_a_match_says_so_and_leaves_the_tree_as_it_was(panel):
    before = texts(panel)
    QTest.keyClicks(panel.filter, "xyzzy")
    assert texts(panel) == [] and "xyzzy" in panel.view.empty
    image = panel.view.viewport().grab().toImage()
    colours = {image.pixel(x, y) for x in range(image.width()) for y in range(60)}
    assert len(colours) > 2
    QTest.keyClick(panel.filter, Qt.Key.Key_Escape)
    assert texts(panel) == before and panel.view.empty == ""


def test_keys_expand_collapse_and_walk(panel):
    view, keys = panel.view, Qt.Key
    view.setFocus()
    view.setCurrentIndex(view.tree_model.index(1, 0))
    QTest.keyClick(view, keys.Key_Left)
    assert texts(panel) == ["rig", "worldbody", "actuator", "keyframe"]
    QTest.keyClick(view, keys.Key_Asterisk)
    assert "tip" in texts(panel)
    QTest.keyClick(view, keys.Key_Right)
    assert view.currentIndex().data() == "sun"
    QTest.keyClick(view, keys.Key_Left)
    assert view.currentIndex().data() == "worldbody"
    QTest.keyClick(view, keys.Key_End)
    assert view.currentIndex().data() == "keyframe"
    QTest.keyClick(view, keys.Key_Home)
    assert view.currentIndex().data() == "rig"
    QTest.keyClicks(view, "gh")
    assert view.currentIndex().data() == "ghost"
    QTest.keyClick(view, keys.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    assert texts(panel) == ["rig", "worldbody", "actuator", "keyframe"]
    QTest.keyClick(view, keys.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert texts(panel)[-1] == "up"


def test_an_arrow_and_a_double_click_expand(panel):
    view = panel.view
    index = view.tree_model.index(1, 0)
    before = texts(panel)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=arrow_area(view.visualRect(index), 1).center())
    assert texts(panel) == ["rig", "worldbody", "actuator", "keyframe"] and not view.currentIndex().isValid()
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    assert texts(panel) == before


def test_what_is_selected_elsewhere_is_selected_here_and_the_other_way_round(opened):
    panel, selection = opened.tree, opened.selection
    selection.select(Selection("geom", 1))
    assert panel.view.currentIndex().data() == "hub"
    pick(panel, "arm", "cube", "actuator")
    assert [each.kind for each in selection.selections] == ["body", "geom", ""]
    assert selection.elements[-1] == node_named(panel, "actuator").id
    pick(panel, "hub", "tip", modifier=Qt.KeyboardModifier.ShiftModifier)
    assert len(selection.elements) == 5
    pick(panel, "hub", "hub", "tip")
    assert selection.elements == (node_named(panel, "tip").id,)
    selection.select(NOTHING)
    assert not panel.view.currentIndex().isValid()


def test_a_collapsed_branch_does_not_lose_the_selection_in_it(opened):
    panel = opened.tree
    opened.selection.select(Selection("geom", 1))
    panel.view.toggle(1)
    assert not panel.view.currentIndex().isValid()
    panel.view.toggle(1)
    assert panel.view.currentIndex().data() == "hub" and opened.selection.current.kind == "geom"


def test_selection_and_expanded_branches_follow_the_elements_over_edits_and_undo(opened):
    panel, project = opened.tree, opened.project
    pick(panel, "base", "arm")
    panel.view.toggle(row_named(panel, "arm"))
    assert "tip" not in texts(panel)
    project.apply("Edit", [Insert(node_named(panel, "worldbody"), '<geom name="fresh" size=".1"/>', 0)])
    assert texts(panel)[2] == "fresh" and "tip" not in texts(panel)
    assert [panel.outline.items[panel.outline.row_of(each)].id for each in panel.view.selected_ids]
    base = node_named(panel, "base")
    project.apply("Edit", [Remove(base)])
    assert "base" not in texts(panel)
    project.undo()
    assert "base" in texts(panel) and "tip" not in texts(panel)
    assert node_named(panel, "base").id == base.id
    project.apply("Edit", [SetAttribute(node_named(panel, "base"), "name", "ground")])
    assert "ground" in texts(panel)


def test_a_text_with_errors_is_shown_as_it_is_with_marks(opened, qtbot):
    panel, project = opened.tree, opened.project
    hub = node_named(panel, "hub")
    project.apply("Edit", [SetAttribute(hub, "size", "big"), Insert(hub.parent, "<nonsense/>")])
    assert "nonsense" in texts(panel)
    model = panel.view.tree_model
    qtbot.waitUntil(lambda: model.gravity(row_named(panel, "hub")) == 3)
    assert model.gravity(row_named(panel, "base")) == 0
    panel.view.toggle(row_named(panel, "base"))
    assert model.gravity(row_named(panel, "base")) == 3
    assert ("error", "error") in model.badges(row_named(panel, "base"))
    project.undo()
    qtbot.waitUntil(lambda: model.gravity(row_named(panel, "base")) < 3)


def test_another_file_in_the_window_opens_like_a_new_one(opened, tmp_path, qtbot):
    panel = opened.tree
    before = texts(panel)
    panel.view.toggle(1)
    assert len(texts(panel)) < len(before)
    other = tmp_path / "other.xml"
    other.write_text(MODEL.replace("rig", "other"))
    opened.open(str(other))
    qtbot.waitUntil(lambda: opened.simulation.model.name == "other")
    assert texts(panel) == ["other", *before[1:]]


def test_the_type_is_shortened_before_the_name(panel):
    metrics = QFontMetrics(panel.font())
    name, detail = "upper_arm_right", "capsule"
    full = metrics.horizontalAdvance(name) + metrics.horizontalAdvance(detail) + 20
    seen = set()
    for width in range(full, 10, -1):
        shown, after = elided(name, detail, metrics, width)
        seen.add((shown == name, bool(after), after == detail))
        assert after in ("", detail) or after.endswith("…")
        assert shown == name or not after
        assert metrics.horizontalAdvance(shown) <= width
    assert {(True, True, True), (True, True, False), (True, False, False), (False, False, False)} == seen


# ---- many elements -------------------------------------------------------------------------------------------


def _matches(panel, count: int) -> bool:
    return panel.outline.matching is not None and int(panel.outline.matching.sum()) == count


def test_ten_thousand_elements_are_filtered_expanded_scrolled_and_selected(many, qtbot):
    """How long that takes: tests/benchmark/tree.py."""
    view = many.view
    many.expand_all(True)
    bar = view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 100_000)
    bar.setValue(bar.maximum() // 2)
    assert 4000 < view.top_row() < 6000
    world = many.project.document.root.child(0)
    many.expand_all(False)
    chosen = [world.child(i).child(1).id for i in range(100, 1100)]
    view.select_ids(chosen)
    assert len(view.selectionModel().selectedIndexes()) == 1000 and view.selected_ids == chosen
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))
    view.clearSelection()
    view.select_ids(chosen)
    assert len(view.selectionModel().selectedIndexes()) == 1000 and view.selected_ids == chosen
    for text, count in (("geom12", 111), ("geom", ROWS), ("joint1 joint", 1111)):
        many.filter.setText(text)
        wanted = partial(_matches, many, count)
        qtbot.waitUntil(wanted)
    many.filter.setText("")
    assert len(many.outline.shown) > 1000


def test_a_cleared_filter_brings_the_scroll_and_the_selection_back(many, qtbot):
    many.expand_all(True)
    bar = many.view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 20_000)
    bar.setValue(12_345)
    many.filter.setText("no such name")
    qtbot.waitUntil(lambda: bar.maximum() == 0)
    many.filter.clear()
    qtbot.waitUntil(lambda: bar.value() == 12_345)
    many.filter.setText("site1500")
    qtbot.waitUntil(lambda: len(many.outline.shown) == 4)
    QTest.keyClick(many.filter, Qt.Key.Key_Return)
    assert many.view.currentIndex().data() == "site1500"
    many.filter.clear()
    assert many.view.currentIndex().data() == "site1500"
    assert many.view.viewport().rect().contains(many.view.visualRect(many.view.currentIndex()))


def test_an_empty_tree_says_why(make_window):
    window = make_window()
    assert window.tree.view.empty == "No model is open."
