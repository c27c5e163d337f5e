"""The window of the documentation, opened from the menu, the palette and the start page."""

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest

from kinetree.app.panels.dialogs.documentation.viewer import DocumentationWindow
from kinetree.app.panels.dialogs.palette.palette import PageEntry, Palette


@pytest.fixture
def window(make_window):
    return make_window(physics=False)


def opened(window):
    (found,) = [each for each in window.findChildren(DocumentationWindow) if each.isVisible()]
    return found


def test_the_menu_opens_it_once_beside_the_window(window):
    window.actions_["help.docs"].trigger()
    shown = opened(window)
    assert shown.browser.page == "tutorial/index.md" and not shown.isModal()
    assert "Kinetree in ten steps" in shown.browser.toPlainText()
    window.actions_["help.simulate"].trigger()
    assert opened(window) is shown and shown.browser.page == "coming-from-simulate.md"
    shown.close()


def test_the_start_page_leads_to_it(window):
    window.start.action_wanted.emit("help.simulate")
    opened(window).close()


def test_links_lead_to_pages_headings_and_back(window):
    window.actions_["help.docs"].trigger()
    shown = opened(window)
    shown.follow(QUrl("../timeline.md#noise"))
    assert shown.browser.page == "timeline.md" and shown.browser.verticalScrollBar().value() > 0
    shown.follow(QUrl("plots.md"))
    assert shown.browser.page == "plots.md" and shown.list.currentItem().text(0) == "Plots and sensors"
    shown.go_back()
    assert shown.browser.page == "timeline.md" and shown.browser.verticalScrollBar().value() > 0
    shown.go_forward()
    assert shown.browser.page == "plots.md" and not shown.forward.isEnabled()
    shown.follow(QUrl("no-such-page.md"))
    assert shown.browser.page == "plots.md"
    shown.close()


def test_a_menu_path_on_a_page_does_what_the_entry_does(window, qtbot):
    window.actions_["help.docs"].trigger()
    shown = opened(window)
    shown.show_page("settings.md")
    assert 'href="action:edit.settings"' in shown.browser.toHtml()
    shown.follow(QUrl("action:panel.log"))
    qtbot.waitUntil(lambda: window.docks["log"].in_view)
    assert not window.actions_["camera.align"].isEnabled()
    shown.follow(QUrl("action:camera.align"))
    assert shown.status.text() == "Align Free Camera is not possible now"
    shown.close()


def test_a_search_lists_sections_and_marks_the_words(window, qtbot):
    window.actions_["help.docs"].trigger()
    shown = opened(window)
    QTest.keyClicks(shown.line, "friction cone")
    QTest.keyClick(shown.line, Qt.Key.Key_Return)
    assert shown.list.topLevelItemCount() > 1
    assert shown.browser.page == shown.list.topLevelItem(0).data(0, Qt.ItemDataRole.UserRole)
    assert {each.cursor.selectedText().lower() for each in shown.browser.extraSelections()} == {"friction", "cone"}
    QTest.keyClick(shown.line, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not shown.browser.extraSelections() and shown.list.topLevelItemCount() == 5)
    assert shown.isVisible()
    shown.search("xyzzyqwert")
    assert shown.list.topLevelItem(0).text(0) == "No page has all these words."
    shown.close()


def test_pictures_are_those_of_the_pages_and_fit(window):
    window.actions_["help.docs"].trigger()
    shown = opened(window)
    shown.show_page("tutorial/01-open.md")
    load, kind = shown.browser.loadResource, QTextDocument.ResourceType.ImageResource.value
    picture = load(kind, QUrl("../images/tutorial/start.webp"))
    assert 200 < picture.width() <= shown.browser.viewport().width()
    assert load(kind, QUrl("../../resources/icons/box.svg")).isNull()
    assert load(kind, QUrl("https://example.org/a.png")) is None
    shown.close()


def test_the_page_about_the_panel_with_the_keyboard(open_paused, model_file, rig, qtbot):
    window = open_paused(model_file)
    pages = window.handlers.documentation.page_here
    assert pages() == "views.md"
    for name, page in (("plots", "plots.md#plots"), ("tree", "editing.md"), ("contacts", "panels.md#contacts")):
        window.docks[name].bring_up()
        assert pages() == page
    window.timeline.track.setFocus()
    assert pages() == "timeline.md"
    window.actions_["help.here"].trigger()
    assert opened(window).browser.page == "timeline.md"
    opened(window).close()


def test_the_palette_finds_pages(window, qtbot):
    window.dialogs.show_palette()
    (palette,) = window.findChildren(Palette)
    palette.line.setText("plots and sensors")
    entry = palette.rows.entries[0]
    assert isinstance(entry.payload, PageEntry) and entry.name == "Plots and sensors"
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert opened(window).browser.page == "plots.md"
    opened(window).close()
