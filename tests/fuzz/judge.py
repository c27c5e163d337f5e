"""Judges an input: success, or a declared error with a message. All else is a finding: another exception, a warning,
something written to standard error, an empty message, an invalid place, too much time.
"""

from __future__ import annotations

import hashlib
import os
import re
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.targets import Target

LONGEST = 8.0
"""Processor time for one input, s. It ends where Python comes to run: a campaign bounds the rest."""
_OURS = re.compile(r"[/\\](engine|app|renderer)[/\\]")


class TooLong(BaseException):
    """An input took too much time."""


class WrongMessage(Exception):
    """An error that does not say what is wrong and where."""


@dataclass(frozen=True)
class Finding:
    """signature: the same for findings of the same cause, a file name; details: a traceback"""

    signature: str
    details: str


def check_message(error: BaseException) -> None:
    """Raises WrongMessage where an error that users see does not tell them anything."""
    items = getattr(error, "diagnostics", None)
    if items is None:
        if not str(error).strip():
            raise WrongMessage(f"{type(error).__name__} without a message")
        return
    if not any(item.severity.value == "error" for item in items):
        raise WrongMessage("a refusal without an error")
    for item in items:
        text = str(item)
        text.encode()
        if not (item.file and item.line >= 1 and item.column >= 1 and item.message.strip()) or "\n" in text:
            raise WrongMessage(f"an invalid place or message: {text!r}")
        if not re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", item.code):
            raise WrongMessage(f"an invalid code: {item.code!r}")


class Judge:
    """Runs a target on inputs. A context: it turns warnings into errors and watches the clock and standard error."""

    def __init__(self, target: Target, standard_error: int | None = None):
        """standard_error: a file that takes file descriptor 2; None to leave that alone."""
        self.target = target
        self._file = standard_error
        self._seen = 0
        self.slowest = 0.0
        self.accepted = 0

    def __enter__(self) -> Judge:
        self.run, self.errors = self.target.make()
        self._warnings = warnings.catch_warnings()
        self._warnings.__enter__()
        warnings.simplefilter("error")
        self._handler = signal.signal(signal.SIGVTALRM, self._too_long)
        return self

    def __exit__(self, *args) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, self._handler)
        self._warnings.__exit__(*args)

    @staticmethod
    def _too_long(_number, _frame) -> None:
        raise TooLong

    def __call__(self, data: bytes) -> Finding | None:
        start = time.process_time()
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
            try:
                self.run(data)
                self.accepted += 1
            except self.errors as error:
                check_message(error)
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            return _finding(error)
        finally:
            self.slowest = max(self.slowest, time.process_time() - start)
        return self._written()

    def _written(self) -> Finding | None:
        if self._file is None:
            return None
        sys.stderr.flush()
        size = os.fstat(self._file).st_size
        if size == self._seen:
            return None
        text = os.pread(self._file, size - self._seen, self._seen).decode("utf-8", "replace")
        self._seen = size
        if self.target.said:
            text = re.sub(self.target.said, "", text)
        if not text:
            return None
        digest = hashlib.sha1(re.sub(r"[0-9]+", "", text)[:60].encode(), usedforsecurity=False).hexdigest()[:8]
        return Finding(f"written-{digest}", text)


def _finding(error: BaseException) -> Finding:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if _OURS.search(frame.filename)] or frames
    if isinstance(error, TooLong | RecursionError | MemoryError):
        ours = ours[:3]  # the innermost one is a matter of chance
    at = ours[-1]
    signature = f"{type(error).__name__}-{Path(at.filename).stem}-{at.lineno}"
    details = "".join(traceback.format_exception(error))
    return Finding(re.sub(r"[^A-Za-z0-9_.-]", "_", signature), details[:3000] + "\n ... \n" + details[-6000:])


Judged = Callable[[bytes], Finding | None]
