"""Names that tell model files apart."""

from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.library.labels import folder, label, labels


def test_a_name_that_says_nothing_has_its_folder():
    assert label("/robots/spot/scene.xml") == "spot/scene.xml"
    assert label("/robots/spot/Scene.XML") == "spot/Scene.XML"
    assert label("/robots/spot/spot.xml") == "spot.xml"
    assert label("/scene.xml") == "scene.xml"


def test_files_of_one_name_differ_by_as_many_folders_as_needed():
    paths = ["/a/arm.xml", "/b/arm.xml", "/one/robots/go2/scene.xml", "/two/robots/go2/scene.xml", "/a/leg.xml"]
    assert list(labels(paths).values()) == [
        "a/arm.xml",
        "b/arm.xml",
        "one/robots/go2/scene.xml",
        "two/robots/go2/scene.xml",
        "leg.xml",
    ]
    assert label("/a/arm.xml", ["/b/arm.xml"]) == "a/arm.xml"
    assert label("/a/arm.xml", ["/a/arm.xml"]) == "arm.xml"  # itself


def test_a_file_at_the_root_beside_one_of_its_name_ends_the_search():
    assert labels(["/arm.xml", "/a/arm.xml"]) == {"/arm.xml": "arm.xml", "/a/arm.xml": "a/arm.xml"}


@given(st.lists(st.lists(st.sampled_from(["a", "b", "scene.xml"]), min_size=1, max_size=4), max_size=8))
def test_different_files_have_different_names(paths):
    given_paths = {"/" + "/".join(parts) for parts in paths}
    found = labels(given_paths)
    assert set(found) == given_paths and len(set(found.values())) == len(given_paths)


def test_the_home_folder_is_short(monkeypatch):
    monkeypatch.setenv("HOME", "/home/ada")
    assert folder("/home/ada/arm.xml") == "~"
    assert folder("/home/ada/robots/arm.xml") == "~/robots"
    assert folder("/home/adam/arm.xml") == "/home/adam"
    monkeypatch.setenv("HOME", "/")
    assert folder("/srv/arm.xml") == "/srv"


def test_folders_of_the_name_are_not_repeated():
    assert folder("/robots/spot/scene.xml", "spot/scene.xml") == "/robots"
    assert folder("/robots/spot/spot.xml", "spot.xml") == "/robots/spot"
