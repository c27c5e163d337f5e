"""The points of the reference that a faithful picture must show, as measures (`points.py` is the table).

A scene is drawn once for its points, and again with some options changed where a measure compares. Without the reference's
scenes beside this checkout, these tests are skipped.
"""

from collections.abc import Iterator

import pytest

from tests.images.points import POINTS, SCENES, Point, scene_of
from tests.images.seen import picture, released

COUNTS = (5, 3, 7, 6, 6, 3, 6, 5, 5, 4, 5, 3, 5, 7)
"""Points of each scene in the reference's README."""


@pytest.fixture(scope="module", autouse=True)
def forget(qapp) -> Iterator[None]:
    """Pictures and models go when the last point was measured. Labels need an application, and tests one with widgets."""
    yield
    released()


@pytest.mark.parametrize("point", POINTS, ids=lambda point: f"{point.number} {point.what}")
def test_point(point: Point):
    value = float(point.measure(picture(scene_of(point.number))))
    assert point.least <= value <= point.most, f"{value:.4g} is not between {point.least:g} and {point.most:g}"


def test_every_point_is_measured():
    wanted = {f"{scene + 1:02}.{number + 1}" for scene in range(len(SCENES)) for number in range(COUNTS[scene])}
    assert {point.number for point in POINTS} == wanted
    assert len(wanted) == 70
