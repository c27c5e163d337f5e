"""The order in which entries are found, what of their names, and how long it takes."""

from hypothesis import given
from hypothesis import strategies as st

from kinetree.app.panels.dialogs.palette.fuzzy import Finder, SearchEntry, places
from tests.patience import work

NAMES = ("Save", "Save As", "Save All", "Reset", "Free Camera", "left_upper_arm", "Canonical Save")


def entries(names=NAMES, **bonus):
    return [SearchEntry(name, name.casefold(), "", bonus.get(name, 0.0), name) for name in names]


def names(query, *more, **bonus):
    return [each.name for each in Finder(entries((*NAMES, *more), **bonus)).found(query)]


def test_the_best_comes_first():
    assert names("save")[0] == "Save" and names("save")[-1] == "Canonical Save"
    assert names("sa") == ["Save", "Save As", "Save All", "Canonical Save"]
    assert names("arm") == ["left_upper_arm"] and names("upper left") == ["left_upper_arm"]
    assert names("fcam") == ["Free Camera"] and names("lua") == ["left_upper_arm"]
    assert names("zebra") == [] and names("save zebra") == []
    assert names("") == list(NAMES)


def test_what_was_used_lately_comes_first():
    assert names("", Reset=1.0)[0] == "Reset"
    assert names("sa", **{"Save All": 2.0})[0] == "Save All"


def test_places_of_what_was_found():
    assert places("Free Camera", "cam") == [5, 6, 7]
    assert places("Free Camera", "fc") == [0, 5]
    assert places("left_upper_arm", "u") == [5]
    assert places("Save", "zebra") == []


@given(st.lists(st.text(max_size=12), max_size=8), st.text(max_size=6))
def test_any_text_is_searched(texts, query):
    """Whole names are found, and what is found has the letters of the query."""
    for each in Finder(entries(texts)).found(query):
        hit = places(each.name, query)
        assert hit == sorted(set(hit)) and all(0 <= place < len(each.name) for place in hit)
    for text in texts:
        if text.split() == [text] and text.casefold():
            assert text in [each.name for each in Finder(entries(texts)).found(text)]


@given(st.lists(st.text("ab_ A", max_size=8), max_size=8), st.text("ab ", max_size=6))
def test_typing_on_finds_what_a_new_search_finds(texts, query):
    typed = Finder(entries(texts))
    for end in range(len(query) + 1):
        assert typed.found(query[:end]) == Finder(entries(texts)).found(query[:end])


def test_ten_thousand_entries_are_searched_while_typing():
    many = entries([f"part_{number}_of_arm_{number % 97}" for number in range(10_000)])
    finder = Finder(many)
    for query in ("p", "pa", "part", "arm 5", "paarm", "zzz", "5"):  # 0.02 to 0.05 s each
        assert work(lambda query=query: finder.found(query)) < 40 * len(many), query  # 11 to 26 lines for each entry
