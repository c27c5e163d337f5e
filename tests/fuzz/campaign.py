"""One process of a campaign: runs inputs of one target and keeps what it finds.

    python -m tests.fuzz.campaign TARGET FOLDER --inputs N --seed S [--plain]

FOLDER gets findings/TARGET (an input and a traceback for each cause, the smallest inputs seen), corpus/TARGET (inputs
that reached new code) and TARGET.state: how many inputs are done, and the present one, for the process that started
this one, which this one may take down.
"""

from __future__ import annotations

import argparse
import mmap
import os
import re
import resource
import struct
import sys
import tempfile
from pathlib import Path
from random import Random

ROOM = 1 << 20
"""Bytes of the present input that are kept."""
STATE = struct.Struct("<QQdQ")
MEMORY = 1536 << 20
"""Memory limit of an input beyond the process's memory at its start, bytes."""
GREW = 99
"""Exit code of a process that is to be followed by a fresh one."""
HANG = 60
"""Seconds after which a process is ended that does not come back to Python."""


class State:
    """Progress of a campaign, in a file that outlives it: inputs, accepted inputs, slowest input in s, the input."""

    def __init__(self, path: Path):
        if not path.exists() or path.stat().st_size != STATE.size + ROOM:
            path.write_bytes(bytes(STATE.size + ROOM))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)

    def write(self, done: int, accepted: int, slowest: float, data: bytes) -> None:
        kept = data[:ROOM]
        self._map[STATE.size : STATE.size + len(kept)] = kept
        STATE.pack_into(self._map, 0, done, accepted, slowest, len(kept))

    def read(self) -> tuple[int, int, float, bytes]:
        done, accepted, slowest, size = STATE.unpack_from(self._map, 0)
        return done, accepted, slowest, bytes(self._map[STATE.size : STATE.size + size])


def keep(folder: Path, signature: str, details: str, data: bytes) -> None:
    """The smallest input of a finding."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{signature}.bin"
    if not path.exists():
        print(f"FOUND {folder.name}: {signature}", flush=True)
    if not path.exists() or path.stat().st_size > len(data):
        path.write_bytes(data)
        path.with_suffix(".txt").write_text(details, errors="backslashreplace")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--inputs", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default="")
    parser.add_argument("--plain", action="store_true")
    arguments = parser.parse_args()
    os.environ["LANGUAGE"] = "en"
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from tests.fuzz.targets import TARGETS

    target = TARGETS[arguments.target]
    if arguments.plain:
        from tests.fuzz.judge import Judge
    else:
        import atheris

        # The judge imports nothing of the reader; `make` imports it, under instrumentation.
        from tests.fuzz.judge import Judge

        with atheris.instrument_imports(include=list(target.modules), enable_loader_override=False):
            target.make()
    state = State(arguments.folder / f"{arguments.name or target.name}.state")
    findings = arguments.folder / "findings" / target.name
    # Output of libraries on standard error is a finding; libFuzzer has moved its own output by then.
    written = tempfile.TemporaryFile()  # noqa: SIM115 (as long as the process)
    judge = Judge(target, written.fileno())
    judge.__enter__()
    first = list(target.seeds())
    resource.setrlimit(resource.RLIMIT_AS, (_memory("VmSize") + MEMORY, resource.RLIM_INFINITY))
    begun, done, most = False, 0, _memory() + MEMORY // 3

    def one(data: bytes) -> None:
        nonlocal begun, done
        if not begun:
            begun = True
            sys.stdout.flush()
            os.dup2(written.fileno(), 2)
        state.write(done + 1, judge.accepted, judge.slowest, data)
        found = judge(data)
        done += 1
        if found is not None:
            keep(findings, found.signature, found.details, data)
        if done % 1000 == 0 and _memory() > most:  # atheris keeps some of each input
            state.write(done, judge.accepted, judge.slowest, b"")
            os._exit(GREW)

    if arguments.plain:
        random = Random(arguments.seed)
        from tests.fuzz.plain import mutated

        for number in range(arguments.inputs):
            one(first[number] if number < len(first) else mutated(random.choice(first), first, target.words, random))
        state.write(done, judge.accepted, judge.slowest, b"")
        return 0
    corpus, begin = (
        arguments.folder / "corpus" / (arguments.name or target.name),
        arguments.folder / "seeds" / target.name,
    )
    for each in (corpus, begin):
        each.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(first):
        (begin / f"{number:04}").write_bytes(data)
    words = arguments.folder / f"{target.name}.dict"
    words.write_text(
        "".join('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n' for word in target.words if len(word) < 64)
    )
    options = [
        f"-runs={arguments.inputs}", f"-max_len={target.largest}", f"-seed={arguments.seed}", f"-timeout={HANG}", "-rss_limit_mb=0",
        "-close_fd_mask=2", "-print_final_stats=1", "-reload=0", "-len_control=20", f"-artifact_prefix={arguments.folder}/",
    ]  # fmt: skip
    options += [f"-dict={words}"] if target.words else []
    atheris.Setup([sys.argv[0], *options, str(corpus), str(begin)], one)
    atheris.Fuzz()
    return 0


def _memory(what: str = "VmRSS") -> int:
    """Bytes that this process has."""
    found = re.search(rf"{what}:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    return int(found[1]) * 1024 if found else 0


if __name__ == "__main__":
    sys.exit(main())
