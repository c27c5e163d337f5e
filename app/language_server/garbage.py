"""When the server looks for garbage: not while a client waits for an answer.

With the elements of a text of 1 MB in memory, a search through them takes longer than most answers, and Python begins
one at any time in any thread. Here what an examination leaves is left out (`gc.freeze`, which takes no time), and
everything is looked through once nobody has asked for a while and Python has given out many more blocks of memory.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Callable

MUCH, FAR_TOO_MUCH = 1_000_000, 6_000_000  # blocks more than after the last search, of 50 to 100 bytes each
FEW = 100_000  # objects: where a search has found fewer, it takes twice as many blocks for the next one
QUIET = 2.0  # s without a message, until a search where blocks are MUCH
EVERY = 1.0  # s between looks


async def collect(last_message: Callable[[], float], every: float = EVERY) -> None:
    """Search when it does not disturb, as long as the server's loop runs. `last_message()`: when a message of the
    client came (time.monotonic())."""
    gc.disable()
    blocks, much = sys.getallocatedblocks(), MUCH
    try:
        while True:
            await asyncio.sleep(every)
            more = sys.getallocatedblocks() - blocks
            if more >= FAR_TOO_MUCH or (more >= much and time.monotonic() - last_message() > QUIET):
                gc.unfreeze()
                much = MUCH if gc.collect() >= FEW else min(2 * much, FAR_TOO_MUCH)
                gc.freeze()
                blocks = sys.getallocatedblocks()
    finally:
        gc.unfreeze()
        gc.enable()
