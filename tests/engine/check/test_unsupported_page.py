"""The page about what is not supported."""

from __future__ import annotations

from pathlib import Path

from kinetree.engine.check import unsupported_page
from kinetree.engine.model.unsupported import TABLE

ROOT = Path(__file__).parents[3]


def test_the_page_is_current():
    page = (ROOT / "docs/unsupported.md").read_text()
    assert page == unsupported_page.page(), "python -m kinetree.engine.check.unsupported_page > docs/unsupported.md"


def test_every_row_is_on_the_page():
    page = unsupported_page.page()
    assert all(row.remedy in page for row in TABLE)
    assert page.count("| `") == len(TABLE)
