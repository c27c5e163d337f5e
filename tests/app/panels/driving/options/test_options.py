"""The options panel: set for now, put back, written into the text."""

import pytest
from PySide6.QtWidgets import QLineEdit

import kinetree
from kinetree.app.panels.driving.options.rows import TITLES, option_rows
from kinetree.app.workers.simulation import requests


def test_choices_are_numbered_as_the_compiler_numbers_them():
    for row in option_rows():
        for number, word in enumerate(row.choices):
            model = kinetree.load_string(f'<mujoco><option {row.name}="{word}"/></mujoco>')
            assert row.read(model.opt) == number and row.words(number) == word


def test_flags_are_read_as_the_compiler_reads_them():
    flags = [row for row in option_rows() if row.kind == "flag"]
    for on in ("enable", "disable"):
        text = " ".join(f'{row.name}="{on}"' for row in flags)
        model = kinetree.load_string(f"<mujoco><option><flag {text}/></option></mujoco>")
        assert {row.words(row.read(model.opt)) for row in flags} == {on}


def test_every_option_has_a_plain_name_of_its_own():
    assert [row.key for row in option_rows()] == list(TITLES)
    kinds: dict[bool, list[str]] = {True: [], False: []}
    for row in option_rows():
        kinds[row.kind == "flag"].append(row.title)
    assert all(len(set(titles)) == len(titles) for titles in kinds.values())


@pytest.fixture
def panel(open_panel, qtbot):
    found = open_panel("options")
    qtbot.waitUntil(lambda: found.area.isEnabled())
    return found


def test_options_are_set_for_now_and_put_back(panel, paused, qtbot):
    opt = lambda: paused.simulation.snapshot.opt  # noqa: E731
    panel.editors["gravity"].editor.typed.emit(2, "-1.5")
    panel.editors["flag.contact"].editor.click()
    qtbot.waitUntil(lambda: opt().gravity[2] == -1.5 and opt().disableflags != 0)
    panel.editors["solver"].editor.activated.emit(1)
    qtbot.waitUntil(lambda: opt().solver == 1)
    qtbot.waitUntil(lambda: [row.key for row in panel.changed()] == ["gravity", "solver", "flag.contact"])
    assert panel.editors["gravity"].back.isVisible() and not paused.project.modified
    panel.back_all.click()
    qtbot.waitUntil(lambda: opt().gravity[2] == -9.81 and opt().disableflags == 0 and opt().solver == 2)
    qtbot.waitUntil(lambda: not panel.changed() and not panel.write_all.isEnabled())


def test_what_was_set_is_written_as_one_step(panel, paused, qtbot):
    before = paused.project.texts.text(paused.project.path)
    panel.editors["timestep"].editor.typed.emit(0, "0.004")
    panel.editors["flag.energy"].editor.click()
    qtbot.waitUntil(lambda: len(panel.changed()) == 2)
    panel.write_all.click()
    assert '<option timestep="0.004">' in paused.project.texts.text(paused.project.path)
    qtbot.waitUntil(lambda: paused.simulation.model.opt.timestep == 0.004)
    assert paused.simulation.model.opt.enableflags != 0
    qtbot.waitUntil(lambda: not panel.changed())
    paused.project.undo()
    assert paused.project.texts.text(paused.project.path) == before
    assert panel.editors["timestep"].row.refusal(0.0) and panel.editors["iterations"].row.refusal(-1)


@pytest.mark.parametrize("width", [290, 700])
def test_both_names_and_the_numbers_stand_in_columns(panel, qtbot, width):
    dock = panel.window().docks["options"]
    dock.setFloating(True)
    dock.resize(width, 900)
    qtbot.waitUntil(lambda: abs(panel.width() - width) < 30)
    inside = panel.area.viewport()

    def place(widget):
        return widget.mapTo(inside, widget.rect().topLeft()).x(), widget.width()

    shown = [each for each in panel.editors.values() if each.isVisible()]
    assert len(shown) == len(TITLES)
    for each in shown:
        left, size = place(each.editor)
        assert left + size <= inside.width(), each.row.key
        if each.row.kind in ("number", "choice"):
            field = each.editor.findChild(QLineEdit) or each.editor
            assert field.width() >= field.fontMetrics().horizontalAdvance("-9.81") + 8, each.row.key
    single = [each for each in shown if each.row.kind in ("number", "choice") and each.row.count == 1]
    assert len({place(each.editor) for each in single}) == 1
    names = [each.name for each in single]
    assert len({place(name.plain)[0] for name in names}) == len({place(name.attribute)[0] for name in names}) == 1
    (beside,) = {place(name.attribute)[0] > place(name.plain)[0] for name in names}
    assert beside == (width == 700)
    panel.filter.setText("step")
    assert next(each.row.key for each in shown if each.isVisible()) == "timestep"
    panel.filter.setText("clamp controls")
    assert [each.row.key for each in shown if each.isVisible()] == ["flag.clampctrl"]


@pytest.mark.parametrize("text", ["0 3", ""])
def test_actuator_groups_are_read_as_the_compiler_reads_them(text):
    row = next(row for row in option_rows() if row.kind == "groups")
    option = f'<option actuatorgroupdisable="{text}"/>' if text else ""
    assert row.words(row.read(kinetree.load_string(f"<mujoco>{option}</mujoco>").opt)) == text


def test_actuator_groups_are_switched_off_and_on_and_written(panel, paused, qtbot):
    simulation = paused.simulation
    editor = panel.editors["actuatorgroupdisable"].editor
    assert list(editor.buttons) == [0]
    editor.buttons[0].click()
    qtbot.waitUntil(lambda: int(simulation.snapshot.opt.disableactuator) == 1)
    simulation.post(requests.SetControl(0, 1.0))
    qtbot.waitUntil(lambda: simulation.snapshot.ctrl[0] == 1.0)
    assert simulation.snapshot.actuator_force[0] == 0.0
    qtbot.waitUntil(lambda: [row.key for row in panel.changed()] == ["actuatorgroupdisable"])
    paused.docks["controls"].bring_up()
    controls = paused.docks["controls"].panel
    qtbot.waitUntil(lambda: any(row.mark() == "off" for _, row in controls.model.indices()))
    paused.docks["options"].bring_up()  # a low window has it behind the controls
    panel.write_all.click()
    assert 'actuatorgroupdisable="0"' in paused.project.texts.text(paused.project.path)
    qtbot.waitUntil(lambda: simulation.model.opt.disableactuator == 1 and not panel.changed())
    controls.switch_group(0)
    qtbot.waitUntil(lambda: int(simulation.snapshot.opt.disableactuator) == 0)
    qtbot.waitUntil(lambda: [row.key for row in panel.changed()] == ["actuatorgroupdisable"])
    panel.write_all.click()
    assert "actuatorgroupdisable" not in paused.project.texts.text(paused.project.path)
