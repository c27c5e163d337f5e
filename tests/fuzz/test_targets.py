"""Every reader of users' bytes on some hundred mutated files, and on all that campaigns have found
(tests/data/fuzz).
"""

from __future__ import annotations

import io
import sys
import tempfile
import warnings
import zipfile
import zlib
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tests import malformed
from tests.conftest import ROOT
from tests.fuzz import judge, repair, seeds
from tests.fuzz.judge import Judge
from tests.fuzz.plain import mutated
from tests.fuzz.targets import TARGETS

FOUND = sorted(path for path in (ROOT / "tests" / "data" / "fuzz").glob("*/*") if path.is_file())
SLOW = {"mjcf": 40, "urdf": 60, "x_xy": 60, "shape": 60, "kmodel": 60, "dae": 100, "reparse": 60, "source": 100}
"""Inputs of readers that take milliseconds for one."""
pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="the judge needs a timer of POSIX"),
    pytest.mark.qt_log_ignore("Trying to construct an instance of an invalid type.*", "QVariant::.*"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", TARGETS)
def test_mutated_files_are_read_or_refused(name):
    target = TARGETS[name]
    first = target.seeds()
    random = Random(name)
    inputs = [
        mutated(random.choice(first), first, target.words, random)[: target.largest] for _ in range(SLOW.get(name, 300))
    ]
    with Judge(target) as judged:
        wrong = [found.details for data in first[:20] if (found := judged(data)) is not None]
        assert judged.accepted, "no file to begin with is one that can be read"
        assert not wrong, wrong[0]
        for data in inputs:
            found = judged(data)
            assert found is None, f"{data!r}\n{found.details}"


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_stays_mended(path):
    with Judge(TARGETS[path.parent.name]) as judged:
        found = judged(path.read_bytes())
    assert found is None, found.details


# ---- the judge itself ----------------------------------------------------------------------------------------


def judged(run, *errors) -> str | None:
    """The judge's verdict on an outcome."""
    with tempfile.TemporaryFile() as file:
        target = replace(TARGETS["stl"], make=lambda: (run, errors))
        with Judge(target, file.fileno()) as judge_:
            found = judge_(b"")
            if found is None and judge_(b"") is not None:
                return "second time"
        return None if found is None else found.signature.partition("-")[0]


def fails(error):
    def run(_data):
        raise error

    return run


def test_the_judge_lets_declared_errors_with_a_message_pass_alone():
    assert judged(lambda data: None) is None
    assert judged(fails(ValueError("no number; write one")), ValueError) is None
    assert judged(fails(ValueError(" ")), ValueError) == "WrongMessage"
    assert judged(fails(ValueError("no")), KeyError) == "ValueError"
    assert judged(fails(MemoryError())) == "MemoryError"
    assert judged(lambda data: warnings.warn("beware", stacklevel=1)) == "UserWarning"
    assert judged(lambda data: np.float32(1e300) if np.array([1e300]).astype(np.float32)[0] else 0) == "RuntimeWarning"


def test_the_judge_ends_what_does_not_end(monkeypatch):
    monkeypatch.setattr(judge, "LONGEST", 0.05)

    def run(_data):
        while True:
            pass

    assert judged(run) == "TooLong"


def test_the_judge_sees_what_is_written_to_standard_error():
    import os

    with tempfile.TemporaryFile() as file:
        target = replace(TARGETS["stl"], make=lambda: (lambda data: os.write(file.fileno(), data), ()), said="fine\n")
        with Judge(target, file.fileno()) as judge_:
            assert judge_(b"") is None
            assert judge_(b"fine\n") is None
            assert judge_(b"oops\n").signature.startswith("written-")
            assert judge_(b"") is None


# ---- repairs -------------------------------------------------------------------------------------------------


def test_repaired_files_are_read_although_their_sums_were_wrong():
    from kinetree.engine.resources.image import png

    for data in seeds.kmodel()[:2]:
        assert repair.kmodel(data) == data
        assert repair.kmodel(data[:-4] + b"oops") == data
    plain = repair.plain_png(malformed.GOOD_PNG)
    assert zlib.crc32(plain) != zlib.crc32(malformed.GOOD_PNG)
    assert (png(repair.png(plain), 3) == png(malformed.GOOD_PNG, 3)).all()
    row = plain.index(b"IDAT") + 5
    bright = plain[:row] + b"\xff" * 6 + plain[row + 6 :]
    assert png(repair.png(bright), 3).max() == 255


def test_repaired_archives_have_the_sums_of_their_members():
    data = seeds.motion_npz()[0]
    assert repair.npz(data) == data
    damaged = data.replace(np.ones((3, 2)).tobytes(), np.full((3, 2), 7.0).tobytes(), 1)
    with pytest.raises(zipfile.BadZipFile), np.load(io.BytesIO(damaged)) as file:
        file["values"]
    with np.load(io.BytesIO(repair.npz(damaged))) as file:
        assert (file["values"] == 7).all()


def test_repaired_ktx_files_have_packed_levels():
    from kinetree.engine.resources import ktx
    from tests.engine.resources import ktx_files as make

    stored = make.ktx2([[make.flat((1, 2, 3, 4))]], make.RGBA8)
    for scheme in (2, 3):
        data = bytearray(stored)
        data[44] = scheme
        (level,) = ktx.read(repair.ktx(bytes(data))).levels
        assert level[0, 0, 0].tolist() == [1, 2, 3, 4]
