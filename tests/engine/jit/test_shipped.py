"""Kernels that were compiled before they were installed: used where they fit, told and compiled where they do not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kinetree.engine.jit import compiler, shipped
from kinetree.engine.jit.cache import ENGINE, facts_of, hash_of, source_of
from kinetree.engine.jit.object_code import ObjectCode
from kinetree.engine.jit.targets import here
from kinetree.engine.run import warmup

NAME = "kinetree.engine.dynamics.position.kinematics:kinematics"
KEY = compiler.key_of(NAME, warmup.signature(NAME))
SOURCE = source_of(NAME.partition(":")[0])

MODEL = "<mujoco><worldbody><body pos='0 0 1'><joint axis='0 1 0'/><geom size='.1'/></body></worldbody></mujoco>"
PROGRAM = """
import logging, sys
logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
import kinetree
from kinetree.engine.run import warmup
model = kinetree.load_string(sys.argv[1])
data = kinetree.Data(model)
counted = []
assert warmup.warmup(model, progress=lambda done, total, name: counted.append(name) if name else None)
kinetree.step(model, data, 10)
print(len(counted), "numba" in sys.modules, data.qpos.tobytes().hex())
"""


@pytest.fixture(scope="module")
def pack(tmp_path_factory) -> bytes:
    """The file of kernels that a small model needs."""
    import kinetree

    model = kinetree.load_string(MODEL)
    warmup.warmup(model)
    made = {}
    names = warmup.needed(model)
    for name in names:
        signature = warmup.signature(name)
        compiler.compile_into_cache(name, signature)
        code = compiler.read_cached(name, signature, here())
        made[compiler.key_of(name, signature)] = hash_of(source_of(name.partition(":")[0])), code
    return shipped.pack(here(), made, facts_of(source_of(name.partition(":")[0]) for name in names))


@pytest.fixture
def folder(tmp_path: Path, pack: bytes) -> Path:
    """A folder of shipped kernels, and beside it an empty cache."""
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / f"{here().label}.kernels").write_bytes(pack)
    return tmp_path


def run(folder: Path) -> list[str]:
    """The log, and a line with the kernels that were compiled, whether numba was needed, and the state."""
    environment = {
        **os.environ,
        "KINETREE_KERNELS": str(folder / "kernels"),
        "KINETREE_CACHE": str(folder / "cache"),
    }
    line = [sys.executable, "-W", "error", "-c", PROGRAM, MODEL]
    done = subprocess.run(line, cwd=ENGINE.parent, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_with_an_empty_cache_nothing_is_compiled_and_the_motion_is_the_same(folder):
    import kinetree

    (last,) = run(folder)
    count, numba, state = last.split()
    assert (count, numba) == ("0", "False")
    model = kinetree.load_string(MODEL)
    data = kinetree.Data(model)
    kinetree.step(model, data, 10)
    assert data.qpos.tobytes().hex() == state
    assert sorted(file.suffix for file in (folder / "cache").iterdir()) == [".json"], "only facts of the sources"


@pytest.mark.slow("compiles kernels")
def test_damaged_code_is_told_and_compiled(folder):
    path = folder / "kernels" / f"{here().label}.kernels"
    content = bytearray(path.read_bytes())
    head = json.loads(bytes(content).split(b"\n", 2)[1])
    start = len(content) - sum(row["size"] for row in head["kernels"].values())
    content[start + head["kernels"][KEY]["start"] + 100] ^= 1
    path.write_bytes(content)
    *log, last = run(folder)
    assert last.split()[:2] == ["1", "False"], "the one that is damaged, in a process of its own"
    assert any("its code is damaged; it is compiled here" in line and NAME in line for line in log)


def opened(folder: Path) -> shipped.Pack:
    return shipped.Pack(folder / "kernels" / f"{here().label}.kernels", here())


def test_a_pack_says_why_it_does_not_fit(folder, pack):
    path = folder / "kernels" / f"{here().label}.kernels"
    good = opened(folder)
    found = good.kernel(KEY, hash_of(SOURCE))
    assert isinstance(found, ObjectCode) and found == compiler.read_cached(NAME, warmup.signature(NAME), here())
    with pytest.raises(shipped.Unfit, match="sources have changed"):
        good.kernel(KEY, "other")
    with pytest.raises(shipped.Unfit, match="no such kernel"):
        good.kernel("kinetree.engine.x:y ()", hash_of(SOURCE))
    for damaged in (b"", b"\n", pack.replace(b'"symbol"', b'"symbo1"', 1), pack[: pack.index(b"}")], b"\xff" + pack):
        path.write_bytes(damaged)
        with pytest.raises(shipped.Unfit, match="damaged"):
            opened(folder)


def test_another_llvm_does_not_fit(folder, monkeypatch):
    monkeypatch.setattr(shipped, "made_with", lambda target: {"LLVM": "99.0.0", "target": ""})
    with pytest.raises(shipped.Unfit, match=r"made with LLVM 2.*, and here is 99\.0\.0"):
        opened(folder)


def test_what_sources_import_comes_from_the_pack_only_for_the_same_text(folder):
    good = opened(folder)
    name = SOURCE.relative_to(ENGINE.parent).as_posix()
    digest, imports = facts_of([SOURCE])[name]
    assert good.imports_of(name, digest) == imports and imports
    assert good.imports_of(name, "other") is None
    assert good.imports_of("engine/none.py", digest) is None


def test_the_same_code_gives_the_same_file(pack):
    _, head, codes = pack.split(b"\n", 2)
    rows = json.loads(head)["kernels"]
    made = {
        key: (
            row["sources"],
            ObjectCode(row["symbol"], row["result"], row["calls"], codes[row["start"] : row["start"] + row["size"]]),
        )
        for key, row in reversed(rows.items())
    }
    assert shipped.pack(here(), made, json.loads(head)["sources"]) == pack
