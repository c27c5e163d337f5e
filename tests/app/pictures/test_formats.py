"""The tables of formats, and what they refuse."""

import pytest

from kinetree.app.pictures.formats import CONTENTS, PICTURES, VIDEOS, Content, check_picture, check_video


def test_every_content_has_a_format_and_help():
    assert set(CONTENTS) == set(Content)
    for content in Content:
        assert any(content in form.holds for form in PICTURES.values())
        assert CONTENTS[content][1].endswith(("it", "is"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("a.tiff", 8, 8, Content.COLORS, False), (".png", ".webp")),
        (("a", 8, 8, Content.COLORS, False), ("extension",)),
        (("a.jpg", 8, 8, Content.DEPTH, False), ("JPEG", "depth", ".npy")),
        (("a.jpg", 8, 8, Content.COLORS, True), ("transparent", ".png")),
        (("a.npy", 8, 8, Content.COLORS, False), ("NPY", ".png")),
        (("a.png", 0, 8, Content.COLORS, False), ("0x8",)),
        (("a.webp", 16384, 8, Content.COLORS, False), ("16383",)),
    ],
)
def test_pictures_that_a_format_cannot_hold_are_refused(arguments, words):
    with pytest.raises(ValueError) as caught:
        check_picture(*arguments)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("a.avi", 8, 8, 30), ".webm"),
        (("a.mp4", 9, 8, 30), "even"),
        (("a.mp4", 8, 10_000, 30), "8192"),
        (("a.mp4", 8, 8, 500), "240"),
        (("a.gif", 8, 8, 30), "50, 25"),
    ],
)
def test_videos_that_a_format_cannot_show_are_refused(arguments, word):
    with pytest.raises(ValueError, match=word):
        check_video(*arguments)


def test_what_a_format_can_is_accepted():
    for ending, form in PICTURES.items():
        for content in form.holds:
            check_picture(f"A{ending.upper()}", 7, 5, content, form.alpha)
    for ending, form in VIDEOS.items():
        check_video(f"a{ending}", 8, 6, (form.rates or (30,))[0])
