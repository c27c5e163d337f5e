"""The installed pages: their list, their links, the search."""

import pytest

from kinetree.app.actions.documentation import PAGE_OF_DOCK, SIMULATE, START_PAGE, TIMELINE_PAGE, VIEWPORT_PAGE
from kinetree.app.panels.dialogs.documentation.pages import FIRST, Pages, anchor, plain_text
from kinetree.app.panels.docks import DOCK_BY_NAME
from tests.documentation import help as made
from tests.documentation import links


@pytest.fixture(scope="module")
def pages():
    return Pages()


def test_the_list_has_the_pages_of_the_site_for_users(pages):
    assert pages.sections == made.sections()
    assert [title for title, _ in pages.sections] == ["Tutorial", "How-to", "Reference", "Python API", "Gallery"]
    assert FIRST in pages.titles and len(pages.titles) > 35 and "architecture.md" not in pages.titles
    assert all(pages.has(page) for page in pages.titles)


def test_every_panel_has_a_page_with_the_heading(pages):
    assert set(PAGE_OF_DOCK) == set(DOCK_BY_NAME)
    for place in (*PAGE_OF_DOCK.values(), SIMULATE, START_PAGE, TIMELINE_PAGE, VIEWPORT_PAGE):
        page, _, mark = place.partition("#")
        assert page in pages.titles, place
        assert not mark or mark in {anchor(each.text) for each in links.headings(pages.text(page))}, place


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("friction cone", "tutorial/07-contacts.md"),
        ("CONE friction", "tutorial/07-contacts.md"),
        ("noise", "timeline.md"),
        ("save mjb", "coming-from-simulate.md"),
        ("unitree", "models-by-name.md"),
    ],
)
def test_the_search_finds_sections_with_all_words(pages, words, page):
    hits = pages.search(words)
    assert page in [hit.page for hit in hits[:4]]
    for hit in hits:
        text = " ".join((hit.title, plain_text(pages.text(hit.page)))).casefold()
        assert all(word in text for word in words.casefold().split())


def test_nothing_is_found_for_nothing_and_nonsense(pages):
    assert pages.search(" ") == [] and pages.search("xyzzyqwert") == []


def test_menu_paths_become_links_and_missing_files_plain_text(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.md").write_text(
        "<!-- made -->\n# A\n\n**File >\nOpen…** and **File > Gone**, [b](sub/b.md#x), [out](../README.md), ![p](no.png)\n"
        "[web](https://x.org) `**File > Open…**`\n\n```mermaid\nflowchart TD\n```\n\n    [code](../README.md)\n"
    )
    (tmp_path / "sub" / "b.md").write_text("[a](../a.md)")
    shown = Pages(tmp_path).shown("a.md", {"File > Open…": ("file.open", "Datei > Öffnen…")})
    assert shown == (
        "# A\n\n[**Datei > Öffnen…**](action:file.open) and **File > Gone**, [b](sub/b.md#x), out, \n"
        "[web](https://x.org) `**File > Open…**`\n\n\n    [code](../README.md)\n"
    )
    assert Pages(tmp_path).shown("sub/b.md", {}) == "[a](../a.md)"


def test_nothing_outside_of_the_folder_is_read(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "secret.md").write_text("")
    pages = Pages(tmp_path / "docs")
    assert not pages.has("../secret.md") and not pages.has(str(tmp_path / "secret.md"))
