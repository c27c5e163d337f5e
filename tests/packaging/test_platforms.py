"""The table of wheels for other systems finds what is missing; the index is a function here."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tests.imports import ROOT
from tests.packaging import platforms

LOCK = """# Made by a tool.
one==1.0 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
    # via two
two-b==2.0 ; sys_platform == 'win32' \\
    --hash=sha256:cc
"""


def test_requirements_keep_their_hashes_and_markers() -> None:
    found = platforms.requirements(LOCK)
    assert found == {
        "one": "one==1.0 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb",
        "two-b": "two-b==2.0 ; sys_platform == 'win32' \\\n    --hash=sha256:cc",
    }
    real = platforms.requirements((ROOT / "packaging" / "run.lock").read_text(encoding="utf-8"))
    assert {"numpy", "pyside6-essentials", "numba", "moderngl"} <= set(real)
    assert all("--hash=sha256:" in lines and not lines.endswith("\\") for lines in real.values())


@given(lacks=st.sets(st.integers(0, 24)))
def test_what_is_missing_is_found(lacks: set[int]) -> None:
    known = {f"package{k}": f"package{k}==1" for k in range(25)}

    def resolves(target: str, python: str, lines: Sequence[str]) -> bool:
        return not {f"package{k}==1" for k in lacks} & set(lines)

    assert set(platforms.missing("windows", "3.12", known, resolves)) == {f"package{k}" for k in lacks}
