"""The inspector in a real window: what is shown, and what an edit does to the text."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kinetree.app.panels.writing.inspector.form import UNUSED
from kinetree.app.panels.writing.inspector.inspection import ORIENTATION
from kinetree.app.panels.writing.inspector.panel import DATA, MODEL, SPEC
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import NOTHING, Selection
from kinetree.engine.assist.in_force import ValueOrigin
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.element_edit import SetAttribute
from tests.app.panels.writing.inspector.test_preview import OBJ
from tests.app.widgets.test_numbers import drag, middle, move, typed

LEFT = Qt.MouseButton.LeftButton
TEXT = """<mujoco model="rig">
  <!-- a comment -->
  <default>
    <geom rgba=".2 .4 .6 1"/>
    <default class="heavy"><geom density="5000"/></default>
  </default>
  <asset><material name="red" rgba="1 0 0 1"/></asset>
  <worldbody>
    <body name="base" pos="0 0 1"  euler="0 0 90">
      <freejoint name="float"/>
      <geom name="hub" class="heavy" type="sphere" size=".10"/>
      <geom name="cube" type="box" size=".1 .2 .3" material="red" pos="1 0 0"/>
    </body>
    <replicate count="2" offset="0 1 0"><body name="row"><geom name="each" size=".1" contype="0" conaffinity="0"/></body></replicate>
  </worldbody>
  <sensor><framepos name="where" objtype="geom" objname="cube"/></sensor>
</mujoco>
"""


@pytest.fixture
def opened(make_window, tmp_path, qtbot):
    """opened(text): the inspector of a window on a model."""

    def make(text=TEXT):
        path = tmp_path / "rig.xml"
        path.write_text(text)
        window = make_window(path, physics=False, size=(1280, 800))
        window.simulation.post(requests.Pause())
        qtbot.waitUntil(lambda: window.simulation.model is not None)
        panel = window.inspector
        qtbot.waitUntil(panel.isVisible)
        return panel

    return make


def show(panel, qtbot, *names):
    """Select elements by their names, and wait until all their rows are there."""
    nodes = {node.get("name"): node for node in panel.project.document.root.iter() if node.get("name")}
    panel.selection.select_several([Selection(element=nodes[name].id) for name in names])
    panel.refresh()
    if panel.form is not None:
        panel.form.complete()


def text(panel):
    return panel.project.texts.text(panel.project.path)


def row(panel, name):
    return panel.form.row(name)


def element(panel, start):
    """The line of the text that has an element."""
    return next(line.strip() for line in text(panel).splitlines() if start in line)


def press(panel, name, which):
    QTest.mouseClick(row(panel, name), LEFT, pos=row(panel, name).button_rect(which).center())
    panel.refresh()


def test_values_show_where_they_come_from(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "hub")
    origins = {name: row(panel, name).origin for name in ("size", "density", "rgba", "condim", "mass")}
    assert origins == {
        "size": ValueOrigin.WRITTEN,
        "density": ValueOrigin.CLASS,
        "rgba": ValueOrigin.CLASS,
        "condim": ValueOrigin.FORMAT,
        "mass": ValueOrigin.COMPILER,
    }
    assert row(panel, "size").editor.numbers.texts[0] == ".10"
    assert row(panel, "density").editor.numbers.texts == ["5000"]
    assert (panel.title._all, panel.kind.text()) == ("hub", "geom") and panel.place._all == "rig.xml:11"


def test_what_a_type_does_not_use_is_folded_away_unless_it_is_written(opened, qtbot):
    panel = opened(TEXT.replace('name="cube" ', 'name="cube" fitscale=".9" '))
    show(panel, qtbot, "cube")  # a box

    def folded() -> list[str]:
        return panel.form._grouped()[UNUSED]

    heading = panel.form.headings[UNUSED]
    assert "hfield" in folded() and "mesh" in folded() and "fitscale" not in folded()
    assert heading.isVisible() and not heading.is_open and heading.title == "Not used with type box"
    assert panel.form.rows.get("hfield") is None or not panel.form.rows["hfield"].isVisible()
    heading.toggled.emit()
    panel.form.complete()
    assert panel.form.rows["hfield"].isVisible()
    row(panel, "type").editor.choice.taken.emit("hfield")
    panel.refresh()
    assert "hfield" not in folded() and "size" not in folded() and "density" in folded()  # size is written
    row(panel, "type").editor.choice.taken.emit("ellipsoid")
    panel.refresh()
    assert heading.title == "Not used with type ellipsoid"
    show(panel, qtbot, "hub", "cube")  # of several types: all is shown
    assert "hfield" not in folded() and "fluidcoef" in folded()


def test_the_name_has_a_line_of_its_own(opened, qtbot):
    panel = opened(TEXT.replace('"hub"', '"outer_hub_of_left_wheel"'))
    show(panel, qtbot, "outer_hub_of_left_wheel")
    QApplication.processEvents()
    assert panel.title.text() == "outer_hub_of_left_wheel"  # at 1280 pixels
    assert panel.title.y() < panel.kind.y() and panel.place.text() == panel.place._all


def test_one_click_goes_to_the_class_and_back_returns(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "hub")
    press(panel, "density", "go")
    assert panel.found.node.tag == "geom" and panel.found.node.parent.get("class") == "heavy"
    QTest.mouseClick(panel.back, LEFT)
    panel.refresh()
    assert panel.found.node.get("name") == "hub"
    QTest.mouseClick(panel.forward, LEFT)
    panel.refresh()
    assert panel.found.node.parent.get("class") == "heavy"


def test_one_click_writes_an_inherited_value_and_one_resets_it(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "hub")
    press(panel, "density", "act")
    assert 'density="5000"' in element(panel, 'name="hub"')
    press(panel, "density", "act")
    assert text(panel) == TEXT
    press(panel, "size", "act")
    assert "size" not in element(panel, 'name="hub"')
    panel.project.undo()
    assert text(panel) == TEXT


def test_a_drag_is_one_step_with_few_digits(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "cube")
    numbers = row(panel, "pos").editor.numbers
    drag(numbers, 1, 24)
    qtbot.waitUntil(lambda: "1 .24 0" in text(panel))
    assert panel.project.texts.undo_names == ["Set pos"]
    drag(numbers, 1, -4)
    assert panel.project.texts.undo_names == ["Set pos", "Set pos"]
    panel.project.undo()
    panel.project.undo()
    assert text(panel) == TEXT


def test_a_drag_is_one_step_while_new_models_arrive(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "cube")
    model = panel.simulation.model
    numbers = row(panel, "pos").editor.numbers
    start = middle(numbers, 1)
    QTest.mousePress(numbers, LEFT, pos=start)
    move(numbers, start + QPoint(10, 0))
    qtbot.waitUntil(lambda: panel.simulation.model is not model)
    move(numbers, start + QPoint(20, 0))
    qtbot.waitUntil(lambda: "1 .2 0" in text(panel))
    QTest.mouseRelease(numbers, LEFT, pos=start + QPoint(20, 0))
    assert panel.project.texts.undo_names == ["Set pos"]
    panel.project.undo()
    assert text(panel) == TEXT


def test_a_typed_number_and_the_rest_of_the_line_stay(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "base")
    numbers = row(panel, "pos").editor.numbers
    numbers.edit(2)
    typed(numbers, "0.50")
    assert element(panel, 'name="base"') == '<body name="base" pos="0 0 0.50"  euler="0 0 90">'


def test_an_invalid_value_stays_in_the_field_and_the_text_as_it_is(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "hub")
    numbers = row(panel, "group").editor.numbers
    numbers.edit(0)
    typed(numbers, "1.5")
    assert text(panel) == TEXT and numbers.editor.text() == "1.5"
    assert row(panel, "group").problem
    show(panel, qtbot, "cube")
    assert numbers.editor is None and not row(panel, "group").problem
    show(panel, qtbot, "hub")
    assert numbers.editor.text() == "1.5" and row(panel, "group").problem
    QTest.keyClick(numbers.editor, Qt.Key.Key_Escape)
    assert not row(panel, "group").problem and text(panel) == TEXT


def test_several_elements_are_set_in_one_step(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "hub", "cube")
    assert panel.title._all == "2 × geom"
    assert row(panel, "size").editor.numbers.texts[0] is None
    assert row(panel, "name").editor.line.isReadOnly()
    numbers = row(panel, "size").editor.numbers
    numbers.edit(0)
    typed(numbers, "0.4")
    assert 'size="0.4"' in element(panel, 'name="hub"') and 'size="0.4 .2 .3"' in element(panel, 'name="cube"')
    assert panel.project.texts.undo_names == ["Set size of 2 geoms"]


def test_a_name_is_changed_everywhere_and_a_taken_one_is_refused(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "cube")
    line = row(panel, "name").editor.line
    line.selectAll()
    QTest.keyClicks(line, "hub")
    qtbot.waitUntil(lambda: "of that name" in line.problem)
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert text(panel) == TEXT and row(panel, "name").problem
    line.selectAll()
    QTest.keyClicks(line, "brick")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: 'objname="brick"' in text(panel))
    assert text(panel) == TEXT.replace('"cube"', '"brick"')
    assert panel.project.texts.undo_names == ["Rename cube to brick"]


def test_a_reference_is_checked_completed_and_followed(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "cube")
    editor = row(panel, "material").editor
    field = editor.reference
    field.line.selectAll()
    QTest.keyClicks(field.line, "rad")
    qtbot.waitUntil(lambda: field.names == ["red"])
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    assert "did you mean 'red'" in row(panel, "material").problem and text(panel) == TEXT
    QTest.keyClick(field.line, Qt.Key.Key_Escape)
    QTest.mouseClick(field.button, LEFT)
    qtbot.waitUntil(lambda: panel.found is not None and panel.found.node.tag == "material")


def test_an_orientation_keeps_its_form_unless_asked(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "base")
    editor = row(panel, ORIENTATION).editor
    assert editor.form == "euler" and editor.numbers.texts == ["0", "0", "90"]
    assert editor.numbers.labels == ("x", "y", "z")
    editor.show_form("quat")
    assert editor.numbers.texts == ["0.707107", "0", "0", "0.707107"]
    editor.numbers.edit(3)
    typed(editor.numbers, "0")
    assert 'euler="0 0 0"' in element(panel, 'name="base"')
    panel.project.undo()
    panel.refresh()
    editor.show_form("axisangle")
    QTest.mouseClick(editor.button, LEFT)
    assert element(panel, 'name="base"') == '<body name="base" pos="0 0 1" axisangle="0 0 1 90">'
    panel.project.undo()
    assert text(panel) == TEXT


def test_a_value_moves_to_the_class(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "hub")
    panel.changes.set_in_class("size")
    assert '<geom density="5000" size=".10"/>' in text(panel)
    assert "size" not in element(panel, 'name="hub"')
    assert panel.project.texts.undo_names == ["Set size in class heavy"]


def test_filter_and_only_set(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "hub")
    panel.filter.setText("fric")
    assert not panel.form.rows["friction"].isHidden() and panel.form.rows["size"].isHidden()
    panel.filter.clear()
    panel.only_set.setChecked(True)
    panel.only_set.clicked.emit()
    shown = {name for name, each in panel.form.rows.items() if not each.isHidden()}
    assert shown == {"name", "class", "type", "size", "density", "rgba"}


def test_details_tell_help_origin_and_the_compiled_value(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "hub")
    QTest.mouseClick(row(panel, "density"), LEFT, pos=QPoint(20, 12))
    assert "class heavy" in row(panel, "density").details and "kg/m³" in row(panel, "density").details
    QTest.mouseClick(row(panel, "size"), LEFT, pos=QPoint(20, 12))
    assert "Compiled: 0.1 0 0" in row(panel, "size").details
    QTest.mouseClick(row(panel, "pos"), LEFT, pos=QPoint(20, 12))
    qtbot.waitUntil(lambda: "Now: 0 0 1 (geom_xpos)" in row(panel, "pos").details)
    row(panel, "density").link.emit("go")
    panel.refresh()
    assert panel.found.node.parent.get("class") == "heavy"


def test_findings_stand_at_their_attributes(opened, qtbot):
    panel = opened()
    panel.project.apply("Break", {panel.project.path: []})
    show(panel, qtbot, "cube")
    broken = TEXT.replace('material="red"', 'material="blue"')
    start = TEXT.index('material="red"') + len('material="')
    panel.project.apply("Break", {panel.project.path: [Edit(start, start + 3, "blue")]})
    assert text(panel) == broken
    qtbot.waitUntil(lambda: row(panel, "material").severity == "error")
    assert "blue" in row(panel, "material").problem
    panel.project.undo()
    qtbot.waitUntil(lambda: row(panel, "material").severity == "")


def test_unknown_attributes_and_copies_are_told(opened, qtbot):
    panel = opened(TEXT.replace('<geom name="each"', '<geom nmae="x" name="each"'))
    show(panel, qtbot, "each")
    assert "did you mean 'name'" in panel.note.text()
    panel.follow_link("remove:nmae")
    panel.refresh()
    assert text(panel) == TEXT and "did you mean" not in panel.note.text()


def test_a_misspelt_attribute_is_renamed(opened, qtbot):
    panel = opened()
    place = TEXT.index('size=".10"')
    panel.project.apply("Type", {panel.project.path: [Edit(place, place, 'mas="3" ')]})
    show(panel, qtbot, "hub")
    assert 'href="rename:mas:mass"' in panel.note.text()
    panel.follow_link("rename:mas:mass")
    panel.refresh()
    assert 'mass="3"' in element(panel, 'name="hub"') and row(panel, "mass").origin is ValueOrigin.WRITTEN


def test_copies_say_what_makes_them(opened, qtbot):
    panel = opened()
    model = panel.simulation.model
    panel.selection.select(Selection("geom", model.ngeom - 1))
    panel.refresh()
    assert "replicate" in panel.note.text() and "all of them" in panel.note.text()
    assert panel.found.node.get("name") == "each"
    panel.note.linkActivated.emit(panel.note.text().partition('href="')[2].partition('"')[0])
    panel.refresh()
    assert panel.found.node.tag == "replicate"


def test_model_and_data_of_the_selected_object(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "cube")
    panel.tabs.setCurrentIndex(MODEL)
    values = panel.values.values
    compiled = {each.name: values.text(each) for each in values.rows}
    assert compiled["geom_size"] == "0.1 0.2 0.3" and compiled["geom_matid"] == "red"
    panel.selection.select(Selection("joint", 0))
    panel.tabs.setCurrentIndex(DATA)
    qtbot.waitUntil(lambda: panel.simulation.snapshot is not None)
    panel.refresh()
    qtbot.waitUntil(lambda: values.text(values.rows[0]).startswith("0 0 1 "))
    panel.tabs.setCurrentIndex(SPEC)
    assert panel.pages.currentIndex() == 0


def test_nothing_selected_shows_facts_and_links_to_settings(opened, qtbot):
    panel = opened(TEXT.replace("<default>", '<option timestep="0.004"/><default>', 1))
    panel.selection.select(NOTHING)
    panel.refresh()
    facts = panel.facts.text()
    assert "rig" in facts and "0.004 s" in facts and "freedom" in facts
    target = facts.partition(">option<")[0].rpartition('href="')[2].partition('"')[0]
    panel.follow_link(target)
    panel.refresh()
    assert panel.found.node.tag == "option" and row(panel, "timestep").editor.numbers.texts == ["0.004"]


def test_a_binary_model_has_model_and_data_only(make_window, tmp_path, qtbot):
    import kinetree
    from kinetree.engine.storage.saving import save

    path = tmp_path / "rig.kmodel"
    save(kinetree.load_string(TEXT), str(path))
    window = make_window(path, physics=False, size=(1280, 800))
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    panel = window.inspector
    panel.selection.select(Selection("geom", 0))
    panel.refresh()
    assert not panel.tabs.isTabEnabled(SPEC) and panel.tabs.currentIndex() == MODEL
    assert panel.values.values.rows


def test_a_hidden_inspector_does_nothing(opened, qtbot):
    panel = opened()
    dock = panel.parentWidget()
    dock.hide()
    show(panel, qtbot, "hub")
    assert panel.found is None
    dock.show()
    qtbot.waitUntil(lambda: panel.found is not None and panel.found.node.get("name") == "hub")


def test_a_colour_is_written_with_the_digits_of_the_dialog(opened, qtbot):
    panel = opened()
    show(panel, qtbot, "red")
    colour = row(panel, "rgba").editor.colour
    QTest.mouseClick(colour.swatch, LEFT)
    from PySide6.QtGui import QColor

    colour.dialog.setCurrentColor(QColor(0, 0, 255, 255))
    colour.dialog.accept()
    assert '<material name="red" rgba="0 0 1 1"/>' in text(panel)
    assert panel.project.texts.undo_names == ["Set rgba"]
    assert middle(colour.numbers, 0)


def test_one_edit_sets_all_of_many_elements(opened, qtbot):
    many = "".join(f'<site name="s{i}" size=".01"/>\n' for i in range(60))
    panel = opened(TEXT.replace("<replicate", many + "<replicate"))
    show(panel, qtbot, *(f"s{i}" for i in range(60)))
    assert panel.title._all == "60 × site" and panel.found.left_out
    shown, every = panel.found, panel.look_at_all()
    assert len(every.nodes) == 60 and panel.look_at_all() is every
    assert panel.found is shown  # what rows show of all is computed in a thread
    numbers = row(panel, "group").editor.numbers
    numbers.edit(0)
    typed(numbers, "3")
    assert text(panel).count('group="3"') == 60
    assert panel.project.texts.undo_names == ["Set group of 60 sites"]
    qtbot.waitUntil(lambda: panel.found is not None and not panel.found.left_out)


def test_many_elements_are_looked_at_once_for_a_version_of_the_text(opened, qtbot):
    """Also while the panel is rebuilt, as after each compilation; not if others are selected, or with another text."""
    many = "".join(f'<site name="s{i}" size=".01"/>\n' for i in range(60))
    panel = opened(TEXT.replace("<replicate", many + "<replicate"))
    names = [f"s{i}" for i in range(60)]
    show(panel, qtbot, *names)
    qtbot.waitUntil(lambda: not panel.found.left_out)
    found = panel.found
    panel.refresh()
    assert panel.found is found
    show(panel, qtbot, "s1", "s2")
    assert len(panel.found.nodes) == 2
    show(panel, qtbot, *names)
    assert panel.found is not found and panel.found.node.get("name") == "s59"
    before = panel.found
    panel.project.apply("Set", [SetAttribute(panel.found.node, "size", "2")])
    panel.refresh()
    assert panel.found is not before and panel.found.items["size"].primary.value.startswith("2")


def test_a_drag_over_very_many_elements_is_one_step_made_in_a_thread(opened, qtbot):
    many = "".join(f'<site name="s{i}" size=".01" pos="{i} 0 0"/>\n' for i in range(300))
    panel = opened(TEXT.replace("<replicate", many + "<replicate"))
    before = text(panel)
    show(panel, qtbot, *(f"s{i}" for i in range(300)))
    qtbot.waitUntil(lambda: not panel.found.left_out)
    editor = row(panel, "pos").editor
    for value in (0.5, 0.75, 1.0):
        editor.dragged.emit(2, value)
        qtbot.wait(20)
    editor.ended.emit()
    qtbot.waitUntil(lambda: 'name="s299" size=".01" pos="299 0 1"' in text(panel))
    qtbot.waitUntil(lambda: not panel.tasks.is_busy)
    assert 'name="s7" size=".01" pos="7 0 1"' in text(panel)
    assert panel.project.texts.undo_names == ["Set pos of 300 sites"]
    panel.project.undo()
    assert text(panel) == before


def test_urdf_is_edited_from_its_own_table(opened, qtbot, tmp_path):
    urdf = """<robot name="r">
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>
"""
    panel = opened(urdf)
    show(panel, qtbot, "turn")
    assert list(panel.found.items) == ["name", "type"]
    limit = next(panel.project.document.root.iter("limit"))
    panel.select_node(limit)
    panel.refresh()
    numbers = row(panel, "upper").editor.numbers
    numbers.edit(0)
    typed(numbers, "pi/2")
    assert 'upper="1.5707963267949"' in text(panel)
    show(panel, qtbot, "arm")
    line = row(panel, "name").editor.line
    line.selectAll()
    QTest.keyClicks(line, "boom")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: '<child link="boom"/>' in text(panel))


def test_the_file_of_a_mesh_is_previewed(opened, qtbot, tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "corner.obj").write_text(OBJ)
    mesh = '<compiler meshdir="parts"/><asset><mesh name="corner" file="corner.obj"/>'
    panel = opened(TEXT.replace("<asset>", mesh))
    show(panel, qtbot, "corner")
    qtbot.waitUntil(lambda: "4 vertices" in row(panel, "file").caption)
    file = row(panel, "file").editor.file
    assert file.folder == str(tmp_path / "parts")
    panel.changes.set_text("file", "other.obj")
    qtbot.waitUntil(lambda: "no file" in row(panel, "file").caption)


def test_keys_go_back_and_forward_through_selections(opened, qtbot):
    panel = opened()
    window = panel.window()
    show(panel, qtbot, "hub")
    show(panel, qtbot, "cube", "hub")
    window.actions_["select.back"].trigger()
    panel.refresh()
    assert panel.title._all == "hub"
    window.actions_["select.forward"].trigger()
    panel.refresh()
    assert panel.title._all == "2 × geom"
