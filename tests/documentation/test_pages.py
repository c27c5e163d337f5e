"""The pages that are made are as new as what they are made from."""

import subprocess
import sys

import pytest

from kinetree.engine.model.unsupported import TABLE
from tests.documentation import licences, mpex, unsupported
from tests.documentation.pages import PAGES, ROOT
from tests.patience import LIMIT


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_current(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == PAGES[name](), "run `python -m tests.documentation`"


def test_no_other_page_says_that_it_is_made() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    made = {str(path.relative_to(ROOT)) for path in pages if "<!-- Made by" in path.read_text(encoding="utf-8")}
    assert made == {name for name in PAGES if name.endswith(".md")}


def test_the_command_finds_all_pages_current() -> None:
    run = [sys.executable, "-m", "tests.documentation", "--check"]
    done = subprocess.run(run, capture_output=True, text=True, cwd=ROOT, timeout=LIMIT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_gap_is_on_the_page() -> None:
    page = unsupported.page()
    assert all(row.remedy in page for row in TABLE)
    assert page.count("| `") == len(TABLE)


def test_every_attribute_of_the_dialect_has_its_effect_or_is_refused() -> None:
    states = {(element.id, row.name): mpex.state(element, row) for element, row in mpex.rows()}
    assert set(states.values()) == {"yes", "refused"}
    for element, row in mpex.rows():
        if states[element.id, row.name] != "refused":
            assert mpex.field(element, row), (element.id, row.name)


def test_every_locked_package_has_its_licence() -> None:
    lines = (ROOT / "packaging" / "run.lock").read_text(encoding="utf-8").splitlines()
    names = {line.partition("==")[0] for line in lines if "==" in line and not line.startswith(("#", " "))}
    assert len(names) > 20 and {each.name for each in licences.locked()} == names
    extras = {each.name for each in licences.extras()}
    assert len(extras) >= 4 and not extras & names
    page = (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    rows = [row for row in rows if row[0] != "package"]
    assert {row[0] for row in rows} == names | extras
    assert all(len(row[2].strip("| ")) > 2 for row in rows)
    assert set(licences.CARRIES) <= names | extras


@pytest.mark.parametrize(
    ("package", "remedy"),
    [
        (licences.Locked("no-such-package", "1"), "not installed: run ./test"),
        (licences.Locked("numpy", "0.1"), "the lock says 0.1: run ./test"),
    ],
)
def test_a_package_that_differs_from_the_lock_is_refused(package: licences.Locked, remedy: str) -> None:
    with pytest.raises(ValueError, match=remedy):
        licences.licence(package)
