"""A tiny extra: a wheel that is made here, and an index that is a folder. Real pip installs it, without a network."""

from __future__ import annotations

import base64
import hashlib
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from kinetree.engine.extras import wheels
from kinetree.engine.extras.table import EXTRAS, Extra

NAME = "tiny"
MODULE = "kinetree_tiny_extra"


@dataclass
class Index:
    """A folder that pip is told to take packages from, the extra that is in it, and what is pinned."""

    folder: Path
    extra: Extra
    wheel: Path
    pins: dict[str, wheels.Pin]


def make_wheel(folder: Path, version: str = "1.0", body: str = "ANSWER = 42\n") -> Path:
    """A wheel with one module, as the specification of wheels wants it."""
    info = f"{MODULE}-{version}.dist-info"
    files = {
        f"{MODULE}.py": body,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: kinetree-tiny-extra\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(text)}\n"
    files[f"{info}/RECORD"] = record + f"{info}/RECORD,,\n"
    path = folder / f"{MODULE}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return path


def pin(wheel: Path, version: str = "1.0", sha256: str = "") -> wheels.Pin:
    data = wheel.read_bytes()
    digest = sha256 or hashlib.sha256(data).hexdigest()
    return wheels.Pin("kinetree-tiny-extra", version, (wheels.Wheel(wheel.name, len(data), digest),))


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    extra = Extra(NAME, "Tiny", "Answers.", ("kinetree-tiny-extra",), MODULE, {"linux": 1, "macos": 1, "windows": 1})
    wheel = make_wheel(folder)
    monkeypatch.setitem(EXTRAS, NAME, extra)
    rows = {"kinetree-tiny-extra": pin(wheel)}
    of_others = wheels.pins
    monkeypatch.setattr(
        wheels,
        "pins",
        lambda each: [rows[name] for name in each.packages] if each.packages == extra.packages else of_others(each),
    )
    monkeypatch.setattr("sys.path", list(sys.path))
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    yield Index(folder, extra, wheel, rows)
    sys.modules.pop(MODULE, None)
