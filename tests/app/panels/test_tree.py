"""The model panel in a real window: filter, keys, selection, state over reloads, elided texts."""

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest

import engine
from app.panels.outline_view import arrow_area, elided
from app.panels.tree import TreePanel, rows_of
from app.workspace.selection import NOTHING, Selection
from tests.app.conftest import MODEL

MANY = """<mujoco>
  <default><geom mass="1" size=".1"/></default>
  <worldbody>
    <replicate count="{count}" offset="1 0 0" sep="-">
      <body name="torso"><freejoint name="root"/><geom name="chest"/>
        <body name="pelvis" pos="0 0 .3"><joint name="elbow"/><geom name="butt"/><site name="hook"/>
          <body name="shin" pos="0 0 .3"><joint name="knee"/><geom name="calf"/></body>
        </body>
      </body>
    </replicate>
  </worldbody>
</mujoco>"""


@pytest.fixture
def panel(qtbot):
    panel = TreePanel()
    qtbot.addWidget(panel)
    panel.resize(260, 400)
    panel.show()
    return panel


def texts(panel):
    model = panel.view.outline_model
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_the_filter_shows_what_matches_and_the_way_to_it(panel):
    panel.set_model(engine.load_string(MODEL))
    before = texts(panel)
    QTest.keyClicks(panel.filter, "tip")
    assert texts(panel) == ["world", "base", "arm", "tip"]
    panel.filter.setText("capsule")
    assert texts(panel) == ["world", "base", "arm", "rod"]
    panel.filter.setText("cameras")
    assert texts(panel) == ["world", "front", "above"]
    QTest.keyClick(panel.filter, Qt.Key.Key_Escape)
    assert panel.filter.text() == "" and texts(panel) == before


def test_a_filter_without_a_match_says_so_and_leaves_the_tree_as_it_was(panel):
    panel.set_model(engine.load_string(MODEL))
    before = texts(panel)
    blank = panel.view.viewport().grab().toImage()
    QTest.keyClicks(panel.filter, "xyzzy")
    assert texts(panel) == [] and "xyzzy" in panel.view.empty
    image = panel.view.viewport().grab().toImage()
    colours = {image.pixel(x, y) for x in range(image.width()) for y in range(60)}
    assert len(colours) > 2 and image != blank
    QTest.keyClick(panel.filter, Qt.Key.Key_Escape)
    assert texts(panel) == before and panel.view.empty == ""


def test_what_was_selected_while_filtering_is_on_the_screen_afterwards(panel, qtbot):
    panel.set_model(engine.load_string(MANY.format(count=200)))
    picked = []
    panel.selected.connect(picked.append)
    QTest.keyClicks(panel.filter, "knee-150")
    QTest.keyClick(panel.filter, Qt.Key.Key_Return)
    assert len(picked) == 1 and picked[0].kind == "joint"
    panel.filter.clear()
    view = panel.view
    assert view.currentIndex().data() == "knee-150"
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))


def test_a_cleared_filter_brings_the_scroll_back(panel, qtbot):
    model = engine.load_string(MANY.format(count=200))
    panel.set_model(model)
    panel.view.change(lambda: panel.outline.expand(0, True, everything=True))
    bar = panel.view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 20_000)
    bar.setValue(12_345)
    panel.filter.setText("no such name")
    QTest.qWait(20)
    assert bar.maximum() == 0
    panel.filter.clear()
    qtbot.waitUntil(lambda: bar.value() == 12_345, timeout=2000)


def test_every_letter_is_filtered_in_a_moment_among_many_rows(panel):
    panel.set_model(engine.load_string(MANY.format(count=1000)))
    assert len(panel.outline.rows) == 10_001
    spent = {}
    for text in [*"abcdefghijklmnopqrstuvwxyz", "el", "", "geom l"]:
        start = time.thread_time()
        panel.filter.setText(text)
        panel.view.viewport().repaint()
        spent[text] = time.thread_time() - start
    assert max(spent.values()) < 0.05, spent
    panel.filter.setText("el")
    assert len(panel.outline.shown) > 3000


def test_keys_expand_collapse_and_walk(panel):
    panel.set_model(engine.load_string(MODEL))
    view, keys = panel.view, Qt.Key
    view.setFocus()
    view.setCurrentIndex(view.outline_model.index(0, 0))
    QTest.keyClick(view, keys.Key_Left)
    assert texts(panel) == ["world", "Actuators", "Keyframes"]
    QTest.keyClick(view, keys.Key_Asterisk)
    assert "tip" in texts(panel)
    QTest.keyClick(view, keys.Key_Right)
    assert view.currentIndex().data() == "floor"
    QTest.keyClick(view, keys.Key_Left)
    assert view.currentIndex().data() == "world"
    QTest.keyClick(view, keys.Key_End)
    assert view.currentIndex().data() == "Keyframes"
    QTest.keyClick(view, keys.Key_Home)
    assert view.currentIndex().data() == "world"


def test_an_arrow_and_a_double_click_expand(panel):
    panel.set_model(engine.load_string(MODEL))
    view = panel.view
    index = view.outline_model.index(0, 0)
    before = texts(panel)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=arrow_area(view.visualRect(index), 0).center())
    assert texts(panel) == ["world", "Actuators", "Keyframes"] and not view.currentIndex().isValid()
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    assert texts(panel) == before


def test_a_collapsed_branch_does_not_lose_the_selection_in_it(panel):
    panel.set_model(engine.load_string(MODEL))
    picked = []
    panel.selected.connect(picked.append)
    panel.set_selection(Selection("geom", 1))
    assert panel.view.currentIndex().data() == "hub"
    panel.view.toggle(0)
    assert not panel.view.currentIndex().isValid()
    panel.view.toggle(0)
    assert panel.view.currentIndex().data() == "hub" and picked == []
    panel.set_selection(NOTHING)
    assert not panel.view.currentIndex().isValid() and picked == []


def test_a_reload_keeps_what_is_expanded_and_the_scroll_and_another_model_does_not(panel, qtbot):
    model = engine.load_string(MANY.format(count=100))
    panel.set_model(model)
    view = panel.view
    view.toggle(panel.outline.row_of(Selection("body", engine.name2id(model, "body", "torso-050"))))
    view.scroll_to_top(view.outline_model.row(view.outline_model.index(45, 0)))
    assert "pelvis-050" in texts(panel)
    top = view.outline_model.index(view.rowAt(1), 0).data()
    edited = MANY.format(count=100).replace("<worldbody>", '<worldbody><geom name="first"/>')
    panel.set_model(engine.load_string(edited), keep=True)
    assert "pelvis-050" in texts(panel)
    assert view.outline_model.index(view.rowAt(1), 0).data() == top
    panel.set_model(engine.load_string(edited))
    assert "pelvis-050" not in texts(panel) and view.rowAt(1) == 0


def test_another_file_in_the_window_opens_like_a_new_one(make_window, model_file, tmp_path, qtbot):
    window = make_window(model_file)
    before = texts(window.tree)
    window.tree.view.toggle(0)
    assert len(texts(window.tree)) < len(before)
    other = tmp_path / "other.xml"
    other.write_text(MODEL.replace("rig", "other"))
    window.open(str(other))
    qtbot.waitUntil(lambda: window.simulation.model.name == "other", timeout=20_000)
    assert texts(window.tree) == before


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


def test_rows_hold_every_element_once():
    model = engine.load_string(MODEL)
    rows = rows_of(model)
    values = [value for value in rows.values if value is not None]
    assert len(set(values)) == len(values)
    kinds = ("body", "joint", "geom", "site", "camera", "light", "actuator", "key")
    assert sorted(values) == sorted(Selection(kind, i) for kind in kinds for i in range(len(model.names[kind])))
    assert len(set(rows.keys)) == len(rows)
