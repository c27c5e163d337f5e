"""The wheel that this machine would fetch, by the names of the files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kinetree.engine.extras import wheels
from kinetree.engine.extras.table import EXTRAS, Extra


@pytest.mark.parametrize(
    ("name", "platform", "python", "expected"),
    [
        ("parquet", "linux-x86_64", (3, 11), "cp311-cp311-manylinux_2_28_x86_64"),
        ("parquet", "linux-aarch64", (3, 14), "cp314-cp314-manylinux_2_28_aarch64"),
        ("parquet", "macosx-11.0-arm64", (3, 12), "cp312-cp312-macosx_12_0_arm64"),
        ("parquet", "win-amd64", (3, 13), "cp313-cp313-win_amd64"),
        ("parquet", "linux-x86_64", (3, 9), None),
        ("decompose", "linux-x86_64", (3, 14), "cp39-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64"),
        ("decompose", "macosx-13.0-x86_64", (3, 11), None),
        ("decompose", "linux-riscv64", (3, 11), None),
        ("video", "win-amd64", (3, 11), "py3-none-win_amd64"),
        ("video", "win-arm64", (3, 11), "py3-none-win_arm64"),
        ("models", "linux-riscv64", (3, 14), "py3-none-any"),
    ],
)
def test_the_fitting_wheel(name: str, platform: str, python: tuple[int, int], expected: str | None) -> None:
    (pin,) = wheels.pins(EXTRAS[name])
    found = wheels.fitting(pin.wheels, platform, python)
    assert (found and found.name.removesuffix(".whl").split("-", 2)[2]) == expected


def test_the_size_is_that_of_the_fitting_wheels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sysconfig.get_platform", lambda: "linux-x86_64")
    (pin,) = wheels.pins(EXTRAS["video"])
    size = next(wheel.size for wheel in pin.wheels if wheel.name.endswith("manylinux_2_28_x86_64.whl"))
    assert wheels.download_size(EXTRAS["video"]) == size
    monkeypatch.setattr("sysconfig.get_platform", lambda: "linux-riscv64")
    assert wheels.download_size(EXTRAS["video"]) is None


def test_a_python_for_both_processors_of_apple_fetches_for_the_one_that_it_runs_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sysconfig.get_platform", lambda: "macosx-11.0-universal2")
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    assert wheels.this_platform() == "macosx-11.0-arm64"


@pytest.mark.parametrize("extra", EXTRAS.values(), ids=EXTRAS)
def test_pip_reads_the_requirements(extra: Extra, tmp_path: Path) -> None:
    """It refuses a file with a package that has no hash, before it looks for one."""
    path = tmp_path / "requirements.txt"
    path.write_text(wheels.requirements(extra))
    assert path.read_text().count("--hash=sha256:") == sum(len(pin.wheels) for pin in wheels.pins(extra))
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes", "--no-index", "-r", str(path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={"PIP_CONFIG_FILE": "/dev/null"})
    assert "No matching distribution found for " + extra.packages[0] in done.stderr


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "1 kB"),
        (30_000, "30 kB"),
        (2_651_838, "2.7 MB"),
        (67_998_402, "68 MB"),
        (9_960_000, "10 MB"),
        (1.25e9, "1250 MB"),
    ],
)
def test_sizes(size: int, text: str) -> None:
    assert wheels.size_text(size) == text


def test_the_digest_follows_the_pins() -> None:
    digests = {wheels.digest(extra) for extra in EXTRAS.values()}
    assert len(digests) == len(EXTRAS)
