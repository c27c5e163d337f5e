"""Icons: every name has a file, files hold shapes only, sizes and colours are those that are asked for."""

import gc
import re
import xml.etree.ElementTree as ElementTree

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QApplication, QToolButton

from kinetree.app.actions.rows import all_actions
from kinetree.app.panels.writing.tree.describe import ICONS
from kinetree.app.panels.writing.tree.objects import FOLDERS
from kinetree.app.settings import icons, theme
from kinetree.engine.model.kinds import ON_BODIES
from tests.conftest import ROOT

NAMES = sorted(file.stem for file in icons.FOLDER.glob("*.svg"))


@pytest.fixture(autouse=True)
def themes(qapp):
    yield
    theme.apply(QApplication.instance(), theme.DARK)


def colours_of(image):
    """The colours of an image as 0xAARRGGBB."""
    return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}


@pytest.mark.parametrize("name", NAMES)
def test_a_file_holds_shapes_in_black_on_nothing(name):
    root = ElementTree.parse(icons.FOLDER / f"{name}.svg").getroot()
    assert root.get("viewBox") == "0 0 24 24"
    for element in root.iter():
        for attribute in ("fill", "stroke"):
            assert element.get(attribute, "#000") in ("#000", "none"), name


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("size", [12, 16, 20])
def test_icons_are_drawn_at_the_resolution_of_the_screen(size, scale):
    for name in NAMES:
        pixmap = icons.icon(name).pixmap(QSize(size, size), scale)
        assert pixmap.size() == QSize(round(size * scale), round(size * scale)), name
        assert pixmap.devicePixelRatio() == scale
        opaque = [colour for colour in colours_of(pixmap.toImage()) if colour >> 24 > 100]
        assert opaque, name


def test_an_icon_has_the_colour_of_the_theme_that_is_applied_now(qapp):
    icon, problem, disabled = icons.icon("play"), icons.icon("error", "error"), QIcon.Mode.Disabled
    for look in (theme.LIGHT, theme.DARK):
        theme.apply(QApplication.instance(), look)
        assert QColor(look.text).rgba() in colours_of(icon.pixmap(32, 32).toImage())
        assert QColor(look.error).rgba() in colours_of(problem.pixmap(32, 32).toImage())
        faded = colours_of(icon.pixmap(QSize(32, 32), 1.0, disabled).toImage())
        assert max(colour >> 24 for colour in faded) == icons.DISABLED_ALPHA


@pytest.mark.slow("changes icons again and again")
def test_a_changed_copy_of_an_icon_is_sound(qapp):
    for _ in range(20):
        copy = QIcon(icons.icon("play"))
        copy.setIsMask(True)  # makes Qt clone the engine
        gc.collect()
        assert copy.pixmap(16, 16).size() == QSize(16, 16)


def test_an_icon_without_room_is_nothing(qapp):
    button = QToolButton()
    button.setIcon(icons.icon("play"))
    button.resize(5, 1)
    button.grab()
    assert icons.icon("play").pixmap(0, 16).isNull()


def test_every_icon_that_is_named_has_a_file():
    used = {row.icon for row in all_actions()} - {""}
    used |= {kind for kind, _ in FOLDERS} | {*ON_BODIES} | ICONS
    sources = [path.read_text() for path in (ROOT / "app").rglob("*.py")]
    used |= {name for text in sources for name in re.findall(r"\bicon\(\"([\w-]+)\"", text)}
    assert used <= set(NAMES)


def test_a_name_without_a_file_is_an_error(qapp):
    with pytest.raises(FileNotFoundError, match="no icon 'nonsense'"):
        icons._renderer("nonsense")


def test_the_desktop_icon_is_there(qapp):
    assert not icons.app_icon().pixmap(64, 64).isNull()
