"""Texts over the picture."""

from __future__ import annotations

from itertools import combinations

import kinetree
from kinetree.app.workspace.selection import Selection

REPLICAS = """<mujoco><worldbody><replicate count="3" offset="1 0 0"><body name="leg"><geom name="foot" size=".1"/></body>
</replicate><geom name="floor" type="plane" size="5 5 1"/></worldbody></mujoco>"""


def test_the_selected_object_says_how_many_come_from_its_element(make_window, tmp_path, qtbot):
    path = tmp_path / "replicas.xml"
    path.write_text(REPLICAS)
    window = make_window(path)
    for kind, name, text in (
        ("geom", "foot1", "geom 2: foot1 (one of 3 from the same element)"),
        ("geom", "floor", "geom 0: floor"),
        ("body", "leg0", "body 1: leg0 (one of 3 from the same element)"),
    ):
        model = window.simulation.model
        window.selection.select(Selection(kind, kinetree.name2id(model, kind, name)))
        qtbot.waitUntil(lambda text=text: window.frame.selected.whole == text)


def test_an_object_without_a_name_is_told_by_what_it_belongs_to(make_window, tmp_path, qtbot):
    path = tmp_path / "nameless.xml"
    path.write_text('<mujoco><worldbody><body name="leg"><geom size=".1"/></body></worldbody></mujoco>')
    window = make_window(path)
    window.selection.select(Selection("geom", 0))
    qtbot.waitUntil(lambda: window.frame.selected.text() == "geom 0 of leg")


def test_the_name_of_the_selection_stands_beside_a_shelf_that_reaches_down_to_it(make_window, tmp_path, qtbot):
    path = tmp_path / "replicas.xml"
    path.write_text(REPLICAS)
    window = make_window(path)
    frame = window.frame
    window.selection.select(Selection("geom", kinetree.name2id(window.simulation.model, "geom", "floor")))
    qtbot.waitUntil(frame.selected.isVisible)
    for height in range(frame.shelf.height() + 20, frame.shelf.height() + 120, 7):
        frame.resize(frame.width(), height)
        frame.refresh()
        assert not frame.selected.geometry().intersects(frame.shelf.geometry()) or frame.shelf.isHidden()
        assert frame.rect().contains(frame.selected.geometry())


def test_statistics_have_columns_and_cover_nothing(window, qtbot):
    frame = window.frame
    window.actions_["help.info"].trigger()
    qtbot.waitUntil(frame.info.isVisible)
    frame.status.show_text("Paused")
    for width, height in ((900, 500), (420, 400), (345, 400)):
        frame.resize(width, height)
        frame._place()
        shown = [each for each in (frame.info, frame.status, frame.shelf, frame.cube) if not each.isHidden()]
        assert frame.status in shown and frame.rect().contains(frame.status.geometry())
        for one, other in combinations(shown, 2):
            assert not one.geometry().intersects(other.geometry()), (width, one, other)
    rows = frame.info.text().splitlines()
    assert len({len(row) - len(row.partition("  ")[2].lstrip()) for row in rows}) == 1  # all values begin in one column


def test_texts_over_a_narrow_picture_leave_out_what_has_no_room(make_window, tmp_path, qtbot):
    path = tmp_path / "replicas.xml"
    path.write_text(REPLICAS)
    window = make_window(path)
    frame = window.frame
    window.selection.select(Selection("geom", kinetree.name2id(window.simulation.model, "geom", "foot1")))
    frame.refresh()
    qtbot.waitUntil(frame.selected.isVisible)
    texts = "Reduced: 25%, no shadows or reflections", "A long remark about what a key has done just now"
    for width, height in ((900, 500), (345, 400), (160, 220)):
        frame.resize(width, height)
        frame.announce(texts[1])
        frame.reduced.show_text(texts[0])
        frame.status.show_text("Paused")
        frame._place()
        pills = [frame.reduced, frame.said, frame.selected, frame.status]
        for pill in pills:
            assert frame.rect().contains(pill.geometry())
            assert pill is frame.said or pill.width() == pill.sizeHint().width()
            for other in (frame.shelf, frame.cube):
                assert other.isHidden() or not pill.geometry().intersects(other.geometry())
        assert (frame.reduced.text() == texts[0]) == (width == 900)
        assert frame.said.text() == texts[1]  # in as many lines as it needs
        assert frame.said.height() >= frame.said.heightForWidth(frame.said.width())
    assert frame.reduced.whole == texts[0] and "…" in frame.selected.text()


def test_an_announcement_in_a_viewport_without_width_is_no_mistake(window):
    frame = window.frame
    frame.announce("Collision shapes: 24 of 36 geoms: those that can collide (contype, conaffinity, pairs)")
    for room in (-5, 0, 300):
        frame.said.fit(room)
    assert 0 < frame.said.width() <= 300
