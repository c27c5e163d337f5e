"""Fields for texts, choices, flags, colours, references and files."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from kinetree.app.widgets.choice import ChoiceField, FlagField
from kinetree.app.widgets.colour import ColourField
from kinetree.app.widgets.file import FileField
from kinetree.app.widgets.reference import ReferenceField
from kinetree.app.widgets.text import LONG, TextField


def shown(qtbot, widget):
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitExposed(widget)
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)
    return widget


def test_an_invalid_text_stays_with_its_reason_and_escape_restores(qtbot):
    field = shown(qtbot, TextField())
    taken, refused = [], []
    field.taken.connect(taken.append)
    field.refused.connect(refused.append)
    field.check = lambda text: "too short" if len(text) < 3 else ""
    field.show_value("first")
    field.selectAll()
    QTest.keyClicks(field, "no")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == "no" and field.problem == "too short" == refused[-1] and field.property("wrong")
    field.show_value("other")  # the text changed meanwhile: what is typed stays
    assert field.text() == "no"
    QTest.keyClicks(field, "t")
    assert not field.problem
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert taken == ["not"]
    QTest.keyClicks(field, "x")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "not" and taken == ["not"]


def test_a_very_long_text_is_not_edited_in_a_line(qtbot):
    field = shown(qtbot, TextField())
    field.show_value("1 " * LONG)
    assert field.isReadOnly() and field.text().startswith("2,000 values")


def test_texts_that_differ_are_a_dash(qtbot):
    field = shown(qtbot, TextField())
    field.show_value(None)
    assert field.text() == "" and field.placeholderText() == "—"


def test_a_choice_is_reported_once(qtbot):
    field = shown(qtbot, ChoiceField())
    taken = []
    field.taken.connect(taken.append)
    field.set_choices(("sphere", "box", "mesh"))
    field.show_value("box")
    assert field.currentText() == "box" and taken == []
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert taken == ["mesh"]
    field.show_value(None)
    assert field.currentIndex() == -1


def test_a_flag_switches_between_true_and_false(qtbot):
    field = shown(qtbot, FlagField())
    taken = []
    field.taken.connect(taken.append)
    field.show_value(None)
    assert field.checkState() == Qt.CheckState.PartiallyChecked
    for _ in range(3):
        QTest.keyClick(field, Qt.Key.Key_Space)
    assert taken == ["true", "false", "true"]


def test_the_colour_dialog_reports_colours_with_opacity_and_cancel_restores(qtbot):
    field = shown(qtbot, ColourField())
    field.set_count(4)
    field.show_values(["1", "0.5", "0", "0.25"])
    chosen, ended = [], []
    field.chosen.connect(chosen.append)
    field.ended.connect(lambda: ended.append(1))
    QTest.mouseClick(field.swatch, Qt.MouseButton.LeftButton)
    dialog = field.dialog
    assert dialog is not None and dialog.currentColor().alpha() == 64
    dialog.setCurrentColor(QColor(0, 255, 0, 255))
    assert chosen[-1] == (0.0, 1.0, 0.0, 1.0) and not ended
    dialog.reject()
    assert chosen[-1] == (1.0, 0.5, 0.0, 0.25) and ended == [1] and field.dialog is None


def test_a_colour_without_opacity_has_three_numbers(qtbot):
    field = shown(qtbot, ColourField())
    field.set_count(3)
    field.show_values(["1", "0.5", "0"])
    colour = field.colour()
    assert colour is not None and colour.alpha() == 255
    field.show_values([None, "0", "0"])
    assert field.colour() is None


def test_a_reference_is_completed_checked_and_followed(qtbot):
    field = shown(qtbot, ReferenceField())
    taken, jumps, wanted = [], [], []
    field.taken.connect(taken.append)
    field.jump.connect(jumps.append)
    field.wanted.connect(lambda: wanted.append(1))
    field.show_value("left")
    field.check = lambda name: "" if name in field.names else f"there is no '{name}'"
    field.line.selectAll()
    QTest.keyClicks(field.line, "ri")
    assert wanted
    field.set_names(["left", "right"])
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    assert taken == [] and field.line.text() == "ri" and "no 'ri'" in field.line.problem
    field.line.completer().popup().hide()
    QTest.keyClicks(field.line, "ght")
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    assert taken == ["right"]
    QTest.mouseClick(field.button, Qt.MouseButton.LeftButton)
    assert jumps == ["right"]


def test_a_file_is_named_relative_to_its_folder(qtbot, tmp_path):
    field = shown(qtbot, FileField())
    field.folder = str(tmp_path / "meshes")
    taken = []
    field.taken.connect(taken.append)
    field.show_value("old.obj")
    field.choose(str(tmp_path / "meshes" / "arm" / "a.obj"))
    field.choose(str(tmp_path / "b.obj"))
    field.folder = ""
    field.choose("/b.obj")
    assert taken == ["arm/a.obj", "../b.obj", "/b.obj"]
