"""History: named transactions that can be undone and redone, one line of them for all files of a project.

A transaction keeps the edits of each file that it changed, both ways, not the texts. It can take up the
transaction after it (typing, the drag of a slider), and the oldest are forgotten when the history grows
beyond its limit.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from kinetree.engine.document.parsed import FileChange

MAX_BYTES = 64 * 1024 * 1024
"""Memory that the edits of a history may take, unless another limit is given."""
FROM_DISK = ("from disk",)
"""The `merge` keys of steps that take in changes of another program. Each is sealed: none is joined with another."""


@dataclass(frozen=True, slots=True)
class Transaction:
    """One step of the history.

    name     what the user did, such as "Set size"
    changes  what it did to each file, by absolute path
    merge    transactions that follow each other with the same key, which is not None, become one
    """

    name: str
    changes: Mapping[str, FileChange]
    merge: Hashable = None

    def then(self, other: Transaction) -> Transaction:
        """Both as one transaction, with the name of the later one."""
        changes = dict(self.changes)
        for path, change in other.changes.items():
            changes[path] = changes[path].then(change) if path in changes else change
        return Transaction(other.name, changes, other.merge)

    @property
    def bytes(self) -> int:
        """Memory that it takes, about."""
        return sum(change.bytes for change in self.changes.values())


class UndoHistory:
    """The transactions that can be undone, and those that can be done again.

    limit  bytes that it may take; the oldest transactions are forgotten first, the newest never
    """

    def __init__(self, limit: int = MAX_BYTES) -> None:
        self.limit = limit
        self.done: list[Transaction] = []
        self.undone: list[Transaction] = []
        self._open = False
        self._bytes = 0

    def add(self, transaction: Transaction) -> None:
        """Take a transaction that was just done. What was undone before is forgotten."""
        self._bytes -= sum(item.bytes for item in self.undone)
        self.undone.clear()
        key = transaction.merge
        if self._open and key is not None and self.done and self.done[-1].merge == key:
            last = self.done.pop()
            self._bytes -= last.bytes
            transaction = last.then(transaction)
        self.done.append(transaction)
        self._bytes += transaction.bytes
        self._open = True
        while self._bytes > self.limit and len(self.done) > 1:
            self._bytes -= self.done.pop(0).bytes

    def forget(self, paths: set[str]) -> None:
        """Drop what was done to some files."""
        for steps in (self.done, self.undone):
            for index, step in enumerate(steps):
                left = {path: change for path, change in step.changes.items() if path not in paths}
                steps[index] = Transaction(step.name, left, step.merge)
            steps[:] = [step for step in steps if step.changes]
        self._bytes = sum(step.bytes for step in (*self.done, *self.undone))

    def rename(self, old: str, new: str) -> None:
        """Rename a file in all transactions."""
        for steps in (self.done, self.undone):
            for index, step in enumerate(steps):
                if old in step.changes:
                    changes = {new if path == old else path: change for path, change in step.changes.items()}
                    steps[index] = Transaction(step.name, changes, step.merge)

    def seal(self) -> None:
        """Keep the next transaction from being merged with the last one: after a save, the end of a drag,
        and so on."""
        self._open = False

    def step_back(self) -> Transaction | None:
        """The transaction to undo, which from now on can be redone."""
        return self._step(self.done, self.undone)

    def step_forward(self) -> Transaction | None:
        """The transaction to do again, which from now on can be undone."""
        return self._step(self.undone, self.done)

    def _step(self, source: list[Transaction], target: list[Transaction]) -> Transaction | None:
        self.seal()
        if not source:
            return None
        target.append(source.pop())
        return target[-1]
