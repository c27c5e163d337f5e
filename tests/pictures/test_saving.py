"""Pictures are written only where somebody would see the difference."""

from pathlib import Path

import numpy as np
from PIL import Image

from tests.pictures.saving import looks_same, save


def picture(shade: int = 120, spot: int = 0) -> Image.Image:
    pixels = np.full((96, 160, 3), shade, np.uint8)
    pixels[40:48, 60:92] += np.uint8(spot)  # a word of a panel
    return Image.fromarray(pixels)


def test_noise_makes_no_difference_and_a_word_does() -> None:
    noise = np.random.default_rng(1).integers(-4, 5, (96, 160, 3))
    noisy = Image.fromarray((np.asarray(picture()) + noise).astype(np.uint8))
    assert looks_same(picture(), noisy)
    assert not looks_same(picture(), picture(spot=60))
    assert not looks_same(picture(), picture().resize((80, 48)))


def test_a_picture_is_written_once(tmp_path: Path) -> None:
    assert save(picture(), "part/name", folder=tmp_path)
    before = (tmp_path / "part" / "name.webp").read_bytes()
    assert not save(picture(), "part/name", folder=tmp_path)
    assert (tmp_path / "part" / "name.webp").read_bytes() == before
    assert save(picture(spot=60), "part/name", folder=tmp_path)
    assert (tmp_path / "part" / "name.webp").read_bytes() != before
