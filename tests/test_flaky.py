"""The ledger of flaky tests: only its tests are repeated, until their date; and it has no row too many."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import flaky

ROOT = Path(__file__).resolve().parent.parent
ONCE = """
import pytest
from pathlib import Path

@pytest.fixture
def left(tmp_path_factory):
    yield Path(__file__).with_suffix(".left")
    Path(__file__).with_suffix(".left").write_text("x")

def test_once(left):
    ran = Path(__file__).with_suffix(".ran")
    number = len(ran.read_text()) if ran.exists() else 0
    ran.write_text("x" * (number + 1))
    assert left.exists() == bool(number), "the fixture of the attempt before was not taken down"
    assert number >= FAILURES

def test_after():
    pass
"""
ROW = '[[test]]\nid = "test_some.py::test_once"\ncause = "made up"\nfails_from = {}\n'


def run(folder: Path, ledger: str, failures: int) -> tuple[int, str, int]:
    """Exit code, output, and how often the test ran."""
    (folder / "test_some.py").write_text(ONCE.replace("FAILURES", str(failures)))
    (folder / "flaky.toml").write_text(ledger)
    code = (
        "import pytest, sys, pathlib; from tests import flaky;"
        "sys.exit(pytest.main(['-p', 'no:cacheprovider', '-q', '-c', '/dev/null', '--rootdir', '.', 'test_some.py'],"
        "plugins=[flaky.Repeating(flaky.read(pathlib.Path('flaky.toml')))]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr, len((folder / "test_some.ran").read_text())


@pytest.mark.parametrize(
    ("ledger", "failures", "passes", "runs"),
    [
        (ROW.format("2999-01-01"), 1, True, 2),
        (ROW.format("2999-01-01"), flaky.REPEATS, True, flaky.REPEATS + 1),
        (ROW.format("2999-01-01"), 9, False, flaky.REPEATS + 1),
        (ROW.format("2020-01-01"), 1, False, 1),
        ("", 1, False, 1),
    ],
    ids=["once", "as often as it may", "too often", "expired", "no row"],
)
def test_only_a_test_with_a_valid_row_is_repeated(tmp_path: Path, ledger, failures, passes, runs) -> None:
    code, output, ran = run(tmp_path, ledger, failures)
    assert "2 passed" in output if passes else "1 failed, 1 passed" in output, output
    assert code == (0 if passes else 1)
    assert ran == runs
    assert (f"FLAKY test_some.py::test_once: failed {failures} times" in output) == passes, output


@pytest.mark.parametrize(
    "row",
    [
        '[[test]]\nid = "a"\ncause = "b"\n',
        '[[test]]\nid = "a"\ncause = " "\nfails_from = 2999-01-01\n',
        '[[test]]\nid = "a"\ncause = "b"\nfails_from = "2999-01-01"\n',
        '[[test]]\nid = "a"\ncause = "b"\nfails_from = 2999-01-01T00:00:00\n',
        '[[test]]\nid = "a"\ncause = "b"\nfails_from = 2999-01-01\nrepeats = 9\n',
        2 * '[[test]]\nid = "a"\ncause = "b"\nfails_from = 2999-01-01\n',
    ],
)
def test_a_malformed_row_is_refused(tmp_path: Path, row: str) -> None:
    (tmp_path / "flaky.toml").write_text(row)
    with pytest.raises(ValueError, match=r"row [12]"):
        flaky.read(tmp_path / "flaky.toml")


def wrong_rows(rows: dict[str, flaky.Row]) -> list[str]:
    """Rows whose date has come, or whose test is gone."""
    wrong = [f"{row.id} fails since {row.fails_from}: {row.cause}" for row in rows.values() if row.has_expired]
    if rows:
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
        files = sorted({row.partition("::")[0] for row in rows if (ROOT / row.partition("::")[0]).exists()})
        found = set(subprocess.run([*command, *files], cwd=ROOT, capture_output=True, text=True).stdout.splitlines())
        wrong += [f"there is no test {row}" for row in rows if not files or row not in found]
    return wrong


def test_no_row_has_expired_and_every_test_is_there() -> None:
    assert not wrong_rows(flaky.read())


def test_expired_rows_and_rows_without_a_test_are_found(tmp_path: Path) -> None:
    ids = {
        "tests/test_flaky.py::test_a_malformed_row_is_refused": "2999-01-01",
        "tests/test_gone.py::test_a": "2999-01-01",
    }
    ids |= {"tests/test_flaky.py::test_no_row_has_expired_and_every_test_is_there": "2020-01-01"}
    text = "".join(f'[[test]]\nid = "{name}"\ncause = "made up"\nfails_from = {date}\n' for name, date in ids.items())
    (tmp_path / "flaky.toml").write_text(text)
    wrong = wrong_rows(flaky.read(tmp_path / "flaky.toml"))
    assert [each.split()[-1] for each in wrong[1:]] == list(ids)[:2]  # the first one has parameters: it names no test
    assert wrong[0].startswith(list(ids)[2])
    assert len(wrong) == 3
