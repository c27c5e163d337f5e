"""The page without a model."""

import os

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel

from kinetree.app.panels.pages.cards import PICTURE
from kinetree.app.panels.pages.examples import PICTURES, examples
from kinetree.app.panels.pages.start import StartPage
from kinetree.app.settings.thumbnails import MOST, SIZE, Thumbnails

LONG = "/models/" + "a_long_name_of_a_robot_" * 10 + ".xml"


@pytest.fixture
def page(qtbot, tmp_path):
    page = StartPage(Thumbnails(tmp_path / "thumbnails"))
    qtbot.addWidget(page)
    page.resize(800, 600)
    page.show()
    return page


def test_long_file_names_do_not_widen_the_window(page):
    for show in (
        lambda path: page.show_loading(path),
        lambda path: page.show_failed(path, []),
        lambda path: page.show_nothing([path]),
    ):
        show("/models/a.xml")
        least = page.minimumSizeHint().width()
        show(LONG)
        assert page.minimumSizeHint().width() <= max(least, 360)


def test_a_file_name_is_no_markup(page):
    page.show_nothing(["/models/<b>&amp;.xml"])
    item = page.recent.item(0)
    assert item.text() == "<b>&amp;.xml"
    assert item.toolTip() == "/models/&lt;b>&amp;amp;.xml"
    page.show_failed("/models/<b>&amp;.xml", [])
    title = page.findChild(QLabel, "start-title")
    assert title.text() == "<b>&amp;.xml cannot be opened"
    assert title.textFormat() == Qt.TextFormat.PlainText


def test_examples_have_pictures_and_a_sentence():
    found = examples()
    assert [each.title for each in found] == ["Arm", "Boxes", "Car", "Hand", "Walker"]
    for each in found:
        picture = QImage(str(each.picture))
        assert picture.size() == SIZE, each.path
        assert each.help.endswith(".") and len(each.help) < 200
    assert {path.stem for path in PICTURES.iterdir()} == {each.path.stem for each in found}


def test_a_click_or_enter_on_a_card_opens_its_model(page, qtbot):
    page.show_nothing(["/models/one.xml", "/models/two.xml"])
    opened = []
    page.open_file.connect(opened.append)
    middle = page.recent.visualItemRect(page.recent.item(1)).center()
    qtbot.mouseClick(page.recent.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert opened == ["/models/two.xml"]
    page.examples.setFocus()
    page.examples.setCurrentRow(4)
    qtbot.keyClick(page.examples, Qt.Key.Key_Return)
    assert opened[1].endswith("walker.xml")
    assert [cards.isVisible() for cards in (page.recent, page.examples)] == [True, True]
    page.show_loading("/models/two.xml")
    assert not page.recent.isVisible() and not page.button.isVisible()


def test_cards_wrap_and_the_page_scrolls(page, qtbot):
    page.show_nothing([f"/models/{number}.xml" for number in range(8)])
    page.resize(1000, 600)
    qtbot.waitUntil(lambda: page.recent.height() < 3 * page.recent.gridSize().height())
    wide = page.recent.height()
    page.resize(360, 600)
    qtbot.waitUntil(lambda: page.recent.height() > 3 * wide)
    assert page.verticalScrollBar().maximum() > 0 and page.horizontalScrollBar().maximum() == 0


def test_thumbnails_are_few_and_of_one_size(tmp_path, page):
    folder = tmp_path / "kept"
    thumbnails = Thumbnails(folder)
    picture = QImage(1000, 300, QImage.Format.Format_RGB32)
    picture.fill(QColor("red"))
    for number in range(MOST + 3):
        thumbnails.save(f"/models/{number}.xml", picture)
        os.utime(thumbnails.path_of(f"/models/{number}.xml"), (number, number))
    assert len(list(folder.iterdir())) == MOST
    assert thumbnails.load("/models/0.xml").isNull()
    found = thumbnails.load(f"/models/{MOST + 2}.xml")
    assert found.size() == SIZE and found.pixelColor(3, 3) == QColor("red")
    assert SIZE == 2 * PICTURE
    (tmp_path / "file").write_text("")
    Thumbnails(tmp_path / "file").save("/models/a.xml", picture)  # no folder: no picture, no message
