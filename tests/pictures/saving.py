"""Writes pictures small, and only where they differ from those that are there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
SAME = 6.0
"""Difference of blocks of 16 pixels, of 255, up to which two pictures are the same: antialiasing and lossy compression
make some."""
QUALITY = 82
BLOCK = 16


def save(picture: Image.Image, name: str, quality: int = QUALITY, folder: Path = IMAGES) -> bool:
    """Write NAME.webp in a folder unless the picture there looks the same. True if it was written."""
    path = folder / f"{name}.webp"
    picture = picture.convert("RGB")
    if path.exists():
        with Image.open(path) as old:
            if looks_same(old.convert("RGB"), picture):
                return False
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, quality=quality, method=6)
    return True


def looks_same(one: Image.Image, other: Image.Image) -> bool:
    """Whether nobody would see the difference."""
    if one.size != other.size:
        return False
    return float(np.abs(_blocks(one) - _blocks(other)).max()) <= SAME


def _blocks(picture: Image.Image) -> np.ndarray:
    width, height = (max(1, side // BLOCK) for side in picture.size)
    return np.asarray(picture.resize((width, height), Image.Resampling.BOX), dtype=float)
