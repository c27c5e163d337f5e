"""The pages that are made, each with the function that returns its text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.documentation import api, checks, help, licences, mpex, simulate, unsupported
from tests.oracle import deliberate

ROOT = Path(__file__).resolve().parents[2]
PAGES: dict[str, Callable[[], str]] = {
    "docs/api.md": api.page,
    "docs/checks.md": checks.page,
    "docs/coming-from-simulate.md": simulate.page,
    "docs/differences.md": deliberate.page,
    "docs/mpex.md": mpex.page,
    "docs/pages.json": help.page,
    "docs/unsupported.md": unsupported.page,
    "THIRD_PARTY.md": licences.page,
}
