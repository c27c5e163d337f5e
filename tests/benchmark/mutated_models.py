"""Compiles mutated models and steps each ten times, with kernels that check each index (tests/bounds.py).

    python -m tests.benchmark.mutated_models [--models 200000] [--seed 0] [--findings FOLDER]

A model either compiles or raises ModelError, and a step either returns or raises ModelError. Anything else is a
finding: another exception, a warning of Python or numpy, a signal (an index outside of its array ends the process), or
more than `--seconds` of processor time. Each finding is printed when it comes, and its text is written to the folder.
Models are computed from the seed and their number alone: `--first N --models 1` repeats model N. The first run compiles all
kernels, which takes some minutes. The exit code is 1 where there are findings.
"""

import argparse
import collections
import contextlib
import mmap
import os
import random
import resource
import signal
import struct
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

import tests.bounds as bounds  # before any kernel is compiled
from kinetree.engine.check.run import examine
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.dynamics.forward import step
from kinetree.engine.jit import compiler
from kinetree.engine.model.data import Data
from kinetree.engine.run import warmup
from kinetree.engine.run.kernels import kernels
from tests.conftest import ROOT
from tests.mutation import gently_mutated_text, sound_sources

STEPS = 10
CHUNK = 2000  # models that one process takes: its memory goes with it
MEMORY = 6 << 30
OUTCOMES = ("refused", "stepped", "reset", "not simulated", "out of memory", "finding")
PROGRESS = struct.Struct(f"<q{len(OUTCOMES)}q")
"""Number of the model at hand, and how often each outcome came."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=200_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first model")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=60, help="of processor time for one model")
    parser.add_argument("--findings", type=Path, default=Path(tempfile.gettempdir()) / "kinetree-findings")
    arguments = parser.parse_args()
    arguments.findings.mkdir(parents=True, exist_ok=True)
    for name in kernels():
        compiler.compile_into_cache(name, warmup.signature(name))
    print(f"{len(sound_sources())} models to mutate", flush=True)
    return run(arguments)


def run(arguments: argparse.Namespace) -> int:
    counts: collections.Counter[str] = collections.Counter()
    begin, number, end = time.perf_counter(), arguments.first, arguments.first + arguments.models
    while number < end:
        last = min(number + CHUNK, end)
        number, status, found = in_a_process(arguments, number, last)
        counts.update(found)
        if status:
            counts["finding"] += 1
            tell(arguments, number, ending(status) + said(arguments))
            number += 1
        done = number - arguments.first
        if not status:
            parts = ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES)
            print(f"{done} models in {time.perf_counter() - begin:.0f} s: {parts}", flush=True)
    return 1 if counts["finding"] else 0


def in_a_process(arguments: argparse.Namespace, first: int, last: int) -> tuple[int, int, dict[str, int]]:
    """Try models in a child. Returns the model that it ended at (`last` if it did not), its status, and the outcomes."""
    with mmap.mmap(-1, PROGRESS.size) as shared:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                confine(arguments)
                for number in range(first, last):
                    PROGRESS.pack_into(shared, 0, number, *PROGRESS.unpack_from(shared)[1:])
                    outcome = attempt(arguments, number)
                    at = 8 * (1 + OUTCOMES.index(outcome))
                    struct.pack_into("<q", shared, at, 1 + struct.unpack_from("<q", shared, at)[0])
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        status = os.waitpid(child, 0)[1]
        number, *counts = PROGRESS.unpack_from(shared)
    return number if status else last, status, dict(zip(OUTCOMES, counts, strict=True))


def confine(arguments: argparse.Namespace) -> None:
    """Limit the memory, and send what a check of bounds says to a file."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.dup2(os.open(last_words(arguments), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), bounds.OUTPUT)
    warnings.simplefilter("error")


def last_words(arguments: argparse.Namespace) -> Path:
    return arguments.findings / f"last-words-{arguments.seed}-{arguments.first}.txt"


def said(arguments: argparse.Namespace) -> str:
    with contextlib.suppress(OSError):
        return " " + last_words(arguments).read_text(errors="replace").replace(str(ROOT), "").strip()
    return ""


def ending(status: int) -> str:
    if not os.WIFSIGNALED(status):
        return "the process ended"
    number = os.WTERMSIG(status)
    return "too slow" if number == signal.SIGPROF else signal.Signals(number).name


def attempt(arguments: argparse.Namespace, number: int) -> str:
    """Compile a model and step it: the outcome."""
    text, folder = the_model(arguments.seed, number)
    signal.setitimer(signal.ITIMER_PROF, arguments.seconds)
    try:
        document = Document.from_string(text, folder)
        try:
            compiled = compile_document(document)
            examine(compiled, document)
        except ModelError:
            return "refused"
        try:
            data = Data(compiled.model)
            data.ctrl[:] = random.Random(number).uniform(-1.0, 1.0)
            step(compiled.model, data, STEPS)
        except ModelError:
            return "not simulated"
        return "reset" if data.warning[:, 1].any() else "stepped"
    except MemoryError:
        return "out of memory"
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        tell(arguments, number, f"{type(error).__name__}: {error} at {place.filename}:{place.lineno} {place.name}")
        return "finding"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def the_model(seed: int, number: int) -> tuple[str, Path | None]:
    return gently_mutated_text(random.Random(f"{seed} {number}"))


def tell(arguments: argparse.Namespace, number: int, what: str) -> None:
    text, folder = the_model(arguments.seed, number)
    path = arguments.findings / f"{arguments.seed}-{number}.xml"
    path.write_text(text, errors="surrogateescape")
    print(f"model {number}: {what.strip()[:400]}; {path} (its files: {folder})", flush=True)


if __name__ == "__main__":
    sys.exit(main())
