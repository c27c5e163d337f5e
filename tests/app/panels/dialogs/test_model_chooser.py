"""The dialog that opens a model by its name."""

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from kinetree.app.panels.dialogs.model_chooser import ModelChooser
from kinetree.engine.library import find
from tests.engine.library.conftest import descriptions, folder, menagerie, without_packages  # noqa: F401
from tests.patience import LIMIT


@pytest.fixture
def make(qtbot, folder: Path):  # noqa: F811
    made = []

    def make_(name: str = "", where: Path = folder) -> ModelChooser:
        dialog = ModelChooser(str(where), name, lambda model: QImage())
        made.append(dialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        qtbot.addWidget(dialog, before_close_func=lambda each: each.reject())
        dialog.show()
        qtbot.waitUntil(lambda: dialog._thread is None)
        return dialog

    return make_


def names(dialog: ModelChooser) -> list[str]:
    return [model.name for model in dialog.rows.models]


def test_it_lists_examples_and_models_below_the_folder(make) -> None:
    dialog = make()
    assert {"walker", "hexapod", "hexapod_small", "scene"} <= set(names(dialog))
    assert "extras install models" in dialog.status.text()


def test_what_is_typed_is_found_and_enter_opens_it(make, qtbot, folder: Path) -> None:  # noqa: F811
    dialog = make()
    qtbot.keyClicks(dialog.line, "hexa small")
    assert names(dialog) == ["hexapod_small"]
    with qtbot.waitSignal(dialog.opened) as opened:
        qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    assert opened.args == [str(folder / "robots" / "hexapod_small.mjcf")]
    assert not dialog.isVisible()


def test_it_begins_with_the_name_that_was_asked_for(make, qtbot) -> None:
    dialog = make("hexapod")
    assert names(dialog)[:2] == ["hexapod", "hexapod"]
    qtbot.keyClick(dialog.line, Qt.Key.Key_Down)
    assert dialog.list.currentIndex().row() == 1 and dialog.current is not None
    assert dialog.rows.kind(dialog.current) == "URDF"
    assert dialog.current.detail.replace(os.sep, "/") in dialog.rows.data(
        dialog.list.currentIndex(), Qt.ItemDataRole.AccessibleTextRole
    ).replace(os.sep, "/")


def test_nothing_fits(make, qtbot) -> None:
    dialog = make("qqqqqq")
    assert names(dialog) == [] and not dialog.button.isEnabled()
    assert dialog.list.empty == "No model has this name."
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    assert dialog.isVisible()


def test_another_folder(make, qtbot, tmp_path: Path) -> None:
    dialog = make("hexapod")
    (tmp_path / "other").mkdir()
    dialog.look_in(str(tmp_path / "other"))
    qtbot.waitUntil(lambda: dialog._thread is None)
    assert names(dialog) == []


def test_a_search_that_goes_on_ends_with_the_dialog(qtbot, folder: Path) -> None:  # noqa: F811
    dialog = ModelChooser(str(folder), "", lambda model: QImage())
    thread = dialog._thread
    dialog.reject()
    assert thread is not None
    thread.join(LIMIT)
    assert not thread.is_alive()


def test_a_robot_is_downloaded_when_the_button_says_so(make, qtbot, menagerie: Path, monkeypatch) -> None:  # noqa: F811
    dialog = make("unitree_g1", menagerie)
    assert dialog.current is not None and dialog.current.download
    assert dialog.button.text() == "Download and Open" and "10.4 MB" in dialog.rows.side(dialog.current)
    assert dialog._process is None, "nothing is downloaded without a click"
    fails = [sys.executable, "-c", "print('no network')"]
    monkeypatch.setattr(find, "download_command", lambda model: fails)
    qtbot.mouseClick(dialog.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog._process is None)
    assert dialog.status.text() == "unitree_g1 could not be downloaded: no network"
    path = Path(dialog.current.path)
    makes = f"import pathlib; p = pathlib.Path({str(path)!r}); p.parent.mkdir(parents=True); p.write_text('<mujoco/>')"
    monkeypatch.setattr(find, "download_command", lambda model: [sys.executable, "-c", makes])
    with qtbot.waitSignal(dialog.opened) as opened:
        qtbot.mouseClick(dialog.button, Qt.MouseButton.LeftButton)
    assert opened.args == [str(path)]
