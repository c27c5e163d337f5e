"""Shared by tests of pictures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kinetree.renderer.frame import Renderer


@pytest.fixture(scope="module")
def drawer() -> Iterator[Renderer]:
    """A renderer in a context of its own, the same for all tests of a file."""
    made = Renderer()
    assert made.context is not None
    with made.context:
        yield made
    made.release()
