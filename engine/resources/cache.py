"""Cache of processed files and results by the hash of their inputs, so that an edited model reloads quickly.

The least recently used entries are dropped when the cache exceeds its limit. Cached values are never modified.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Cache:
    """Values by key, at most `limit` bytes of them (one value may be larger; then it is alone)."""

    def __init__(self, limit: int):
        self.limit, self.size = limit, 0
        self._values: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
        """The value of a key; `make` computes a missing one. `size` gives its bytes."""
        with self._lock:
            found = self._values.get(key)
            if found is not None:
                self._values.move_to_end(key)
                return found[0]
        value = make()
        room = size(value)
        with self._lock:
            if key not in self._values:
                self._values[key] = value, room
                self.size += room
            while self.size > self.limit and len(self._values) > 1:
                self.size -= self._values.popitem(last=False)[1][1]
        return value

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self.size = 0
