"""A test dependency without a wheel skips the tests that need it, and these only."""

import sys

import pytest
from packaging.requirements import Requirement

from tests.left_out import Skipping, left_out


def test_what_has_no_wheel_skips_who_imports_it(monkeypatch: pytest.MonkeyPatch) -> None:
    finder = Skipping({"no_wheel_anywhere": Requirement("no_wheel_anywhere==1.2")})
    monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    with pytest.raises(pytest.skip.Exception, match=r"no_wheel_anywhere==1\.2 has no wheel for Python 3\.") as skipped:
        import no_wheel_anywhere  # noqa: F401
    assert skipped.value.allow_module_level
    with pytest.raises(ModuleNotFoundError):
        import missing_by_mistake  # noqa: F401


def test_the_oracle_is_left_out_only_where_it_has_no_wheel() -> None:
    assert [left_out(f"3.{minor}").keys() for minor in (11, 12, 13)] == [set(), set(), set()]
    assert left_out("3.14").keys() == {"mujoco"}
