"""The page without a model."""

import os

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QImage
from PySide6.QtWidgets import QApplication, QLabel, QMenu

from kinetree.app.panels.pages.cards import CARD, LARGE, PICTURE
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


def test_files_of_one_name_are_told_apart_and_have_their_folder(page, monkeypatch):
    monkeypatch.setenv("HOME", "/home/ada")
    page.show_nothing(["/home/ada/robots/spot/scene.xml", "/home/ada/robots/go2/scene.xml", "/srv/arm.xml"])
    cards = [page.recent.item(row).data(CARD) for row in range(3)]
    assert [(card.name, card.detail) for card in cards] == [
        ("spot/scene.xml", "~/robots"),
        ("go2/scene.xml", "~/robots"),
        ("arm.xml", "/srv"),
    ]
    assert page.recent.item(0).data(Qt.ItemDataRole.AccessibleTextRole) == "spot/scene.xml, ~/robots"


def centre_of(widget, page):
    return widget.mapTo(page, widget.rect().center()).x()


@pytest.mark.parametrize("width", [500, 1000, 1600, 2400])
def test_cards_are_in_the_middle_under_the_title(page, qtbot, width):
    page.show_nothing([f"/models/{number}.xml" for number in range(3)])
    page.resize(width, 700)
    columns = 1 if width == 500 else 4 if width == 1000 else 5
    qtbot.waitUntil(lambda: page.recent.picture_size == (LARGE if width == 2400 else PICTURE))
    cell = page.recent.cell().width()
    qtbot.waitUntil(lambda: columns <= page.examples.viewport().width() // cell <= columns + (width == 500))
    title = page.findChild(QLabel, "start-title")
    for cards in (page.recent, page.examples):
        qtbot.waitUntil(lambda cards=cards: abs(centre_of(cards, page) - centre_of(title, page)) <= 2)


def test_a_middle_or_ctrl_click_opens_a_card_in_a_new_window(page, qtbot):
    page.show_nothing(["/models/one.xml"])
    opened, apart = [], []
    page.open_file.connect(opened.append)
    page.open_apart.connect(apart.append)
    middle, viewport = page.recent.visualItemRect(page.recent.item(0)).center(), page.recent.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.MiddleButton, pos=middle)
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, pos=middle)
    assert (opened, apart) == ([], ["/models/one.xml"] * 2)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, middle, viewport.mapToGlobal(middle))
    QApplication.sendEvent(viewport, event)
    menu = page.recent.findChild(QMenu)
    actions = {action.text(): action for action in menu.actions()}
    actions["Open in New Window"].trigger()
    actions["Open"].trigger()
    menu.close()
    assert (opened, apart) == (["/models/one.xml"], ["/models/one.xml"] * 3)


def test_an_example_plays_while_the_mouse_is_over_it(page, qtbot):
    page.show_nothing([])
    cards, frames = page.examples, []
    qtbot.waitUntil(lambda: cards.isVisible() and cards.count() == 5)
    cards.itemEntered.emit(cards.item(1))
    assert cards.playing is cards.item(1)
    cards.movie.frameChanged.connect(frames.append)
    qtbot.waitUntil(lambda: len(set(frames)) > 2)
    assert cards.movie.currentImage().size() == SIZE
    cards.itemEntered.emit(cards.item(2))
    assert cards.playing is cards.item(2)
    QApplication.sendEvent(cards.viewport(), QEvent(QEvent.Type.Leave))
    assert cards.playing is None and cards.movie is None


def test_nothing_plays_where_the_setting_says_so(qtbot, tmp_path):
    page = StartPage(Thumbnails(tmp_path / "thumbnails"), plays=lambda: False)
    qtbot.addWidget(page)
    page.show()
    page.examples.itemEntered.emit(page.examples.item(1))
    assert page.examples.movie is None


def test_films_of_examples_are_small():
    for each in examples():
        assert each.film and 10_000 < os.path.getsize(each.film) < 150_000


def test_cards_wrap_and_the_page_scrolls(page, qtbot):
    page.show_nothing([f"/models/{number}.xml" for number in range(8)])
    page.resize(1000, 600)
    qtbot.waitUntil(lambda: page.recent.height() < 3 * page.recent.gridSize().height())
    wide = page.recent.height()
    page.resize(360, 600)
    qtbot.waitUntil(lambda: page.recent.height() > 3 * wide)
    qtbot.waitUntil(lambda: page.verticalScrollBar().maximum() > 0 and page.horizontalScrollBar().maximum() == 0)


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
