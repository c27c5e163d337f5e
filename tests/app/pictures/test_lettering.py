"""Labels make way for each other."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.app.pictures.lettering import CELL, PLACES, Arrangement

AREA = 640.0, 400.0
points = st.lists(st.tuples(st.floats(0, AREA[0]), st.floats(0, AREA[1])), min_size=1, max_size=60)


def arranged(anchors, arrangement=None, width=60.0):
    anchors = np.array(anchors, float).reshape(-1, 2)
    sizes = np.tile((width, 14.0), (len(anchors), 1))
    texts = [f"label {i}" for i in range(len(anchors))]
    return (arrangement or Arrangement()).arrange(anchors, sizes, texts, AREA)


@settings(deadline=None)
@given(points)
def test_no_label_covers_another_one_or_leaves_the_window(anchors) -> None:
    found = [place for place in arranged(anchors) if place is not None]
    for i, (left, top, _) in enumerate(found):
        assert left >= 0 and top >= 0 and left + 60 <= AREA[0] and top + 14 <= AREA[1]
        for other_left, other_top, _ in found[:i]:
            assert abs(left - other_left) >= 60 - 1e-9 or abs(top - other_top) >= 14 - 1e-9


def test_a_label_alone_stands_right_of_its_object_and_the_first_one_chooses_first() -> None:
    first, second = arranged([(300, 200), (302, 200)])
    assert first is not None and second is not None
    assert first[2] == 0 and first[0] > 300 and second[2] != 0
    assert arranged([(AREA[0] - 5, 200)])[0][0] < AREA[0] - 60  # at the edge of the window on the other side


def test_labels_without_a_place_are_left_out() -> None:
    found = arranged([(300, 200)] * 40)
    assert 0 < sum(place is not None for place in found) <= len(PLACES)


def test_labels_stay_where_they_are_while_that_is_free() -> None:
    arrangement = Arrangement()
    before = arranged([(300, 200), (304, 200)], arrangement)
    apart = arranged([(300, 200), (300 + 3 * CELL + 200, 200)], arrangement)
    assert apart[1] is not None and before[1] is not None
    assert apart[1][2] == before[1][2] != 0
