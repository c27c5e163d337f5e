"""The texts that the client has open, and the models that they are part of.

An open file counts with its unsaved text, all others with the text on the disk. A file that others include is
understood within a model that includes it, whatever its root element is: one that is open, else one in its folder or
the folder above (`engine/assist/surroundings.py`). Which model that is, a thread looks up: see `survey` and `take`.

Owned by the thread of the server's loop; the Documents that it hands out never change.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

from kinetree.engine import formats
from kinetree.engine.assist.surroundings import FolderSurvey, ModelFinder, included_names
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit, difference
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.source import Source, overlay_source
from kinetree.engine.platforms.files import slashed

__all__ = ["Texts", "is_part"]

Mains = dict[str, list[str]]
"""An open file -> the main files of the models that it is part of."""


class Texts:
    """The open texts, by absolute path.

    is_outdated  whether what is known of the models may be wrong since files were opened, closed, or include others
    """

    def __init__(self) -> None:
        self.surroundings = ModelFinder()
        self.is_outdated = False
        self._open: dict[str, ParsedSource] = {}
        self._documents: dict[str, Document] = {}
        self._mains: Mains = {}
        self._unsure: set[str] = (
            set()
        )  # files whose models were not looked up since they were opened, or one of these was, or includes others

    @property
    def paths(self) -> list[str]:
        """The files that are open."""
        return list(self._open)

    def is_open(self, key: str) -> bool:
        """Whether the client has the file open."""
        return key in self._open

    def open(self, key: str, text: str) -> None:
        """Add a file that the client opened; `text` may differ from the file on the disk."""
        parsed = self._open[key] = ParsedSource.parse(overlay_source(key, text))
        self._documents.clear()
        self._unsure.add(key)
        self._doubt(included_names(parsed))
        self.is_outdated = True

    def change(self, key: str, edits: Iterable[Edit]) -> None:
        """Apply the edits of the client to an open file. Raises KeyError for a file that is not open."""
        before = self._open[key]
        after = self._open[key] = before.edited(edits)
        self._documents.clear()
        changed = set(included_names(before)) ^ set(included_names(after))
        if changed:
            self._doubt(changed)
            self.is_outdated = True

    def _doubt(self, included: Iterable[str]) -> None:
        """Note that open files with these names may be part of other models now."""
        names = {os.path.basename(slashed(name)) for name in included}
        self._unsure.update(each for each in self._open if os.path.basename(each) in names)

    def replace(self, key: str, text: str) -> None:
        """Replace the whole text of an open file. Raises KeyError for a file that is not open."""
        self.change(key, difference(self._open[key].source.text, text))

    def close(self, key: str) -> None:
        """Remove a file that the client closed: its text on the disk counts again."""
        self._open.pop(key, None)
        self._mains.pop(key, None)
        self._unsure.discard(key)
        self._documents.clear()
        self.is_outdated = True

    def changed_on_disk(self) -> None:
        """Note that files that are not open may have changed."""
        self._documents.clear()
        self.is_outdated = True

    def parsed(self, key: str) -> ParsedSource:
        """An open text. Raises KeyError."""
        return self._open[key]

    def source(self, key: str) -> Source:
        """The text of a file, open or not. Raises KeyError if it cannot be read."""
        parsed = self._open[key] if key in self._open else self.surroundings.read(key).parsed
        if parsed is None:
            raise KeyError(key)
        return parsed.source

    def document(self, key: str) -> Document:
        """The model that an open file is part of. Raises KeyError if it is not open."""
        return self.model(self.main_of(key))

    def model(self, main: str) -> Document:
        """The document of a main file. Raises KeyError if it cannot be read."""
        document = self._documents.get(main)
        if document is None:
            document = self._documents[main] = self.surroundings.document(main, self._open)
        return document

    # ---- models -------------------------------------------------------------------------------------

    def main_of(self, key: str) -> str:
        """The main file of the model that an open file is part of, as far as that is known: the first of `mains_of`.
        Raises KeyError if the file is not open."""
        return next(self.mains_of(key))

    def mains_of(self, key: str) -> Iterator[str]:
        """The main files of all models that an open file is part of: itself, if no other one includes it. Raises
        KeyError."""
        self._open[key]
        found = False
        for main in self._mains.get(key, ()):
            if main == key or self._contains(main, key):
                found = True
                yield main
        if not found:
            yield key

    def _contains(self, main: str, key: str) -> bool:
        try:
            return key in self.model(main).files
        except KeyError:
            return False

    def is_sure(self, key: str) -> bool:
        """Whether the models of an open file were looked up since it was opened, or another one that includes it."""
        return key not in self._unsure

    def look(self) -> FolderSurvey:
        """A snapshot of the folders around the open files, for another thread."""
        return self.surroundings.survey(self._open)

    def survey(self) -> Callable[[], Mains]:
        """A function that finds the models of all open files, to be called in another thread; its result goes to
        `take`."""
        self.is_outdated = False
        survey, keys = self.look(), [key for key, parsed in self._open.items() if _may_be_included(parsed)]

        def work() -> Mains:
            return {key: [document.main_file for document in survey.models(key).documents] for key in keys}

        return work

    def take(self, mains: Mains) -> None:
        """Take what `survey` has found."""
        self._mains = {key: found for key, found in mains.items() if key in self._open}
        if not self.is_outdated:
            self._unsure.clear()


def is_part(parsed: ParsedSource) -> bool:
    """Whether a text cannot be a model of its own."""
    tag = parsed.root.tag
    return bool(tag) and tag != "mujoco" and formats.of(tag) is None


def _may_be_included(parsed: ParsedSource) -> bool:
    return formats.of(parsed.root.tag) is None
