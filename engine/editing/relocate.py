"""A model's text written to another folder: file names that keep pointing to the same files.

relocation = relocate(document, "/elsewhere/model.xml")
project.apply("Adjust File Names", relocation.edits)      the main file
for copy in relocation.copies: ...                         included files that have to go along
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from xml.sax.saxutils import quoteattr

from kinetree.engine.assist.language import Language, language_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import ElementEdit, Insert, SetAttribute, carry_out
from kinetree.engine.document.source import Source
from kinetree.engine.document.tree import Attribute, Node
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.exceptions import FOLDERS
from kinetree.engine.mjcf.file_names import relative
from kinetree.engine.platforms.files import slashed

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # package://, file://, a drive


@dataclass(frozen=True, slots=True)
class Copy:
    """An included file that names other files from the folder of the main file, so that it is copied along.

    path    the file
    target  where its copy goes: a path that no file has
    source  the text of the copy
    """

    path: str
    target: str
    source: Source


@dataclass(frozen=True, slots=True)
class Relocation:
    """Changes and copies that let a model find its files from another folder.

    edits  changes of the main file
    copies  included files to write there; the files themselves are not changed
    """

    edits: list[ElementEdit] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)


def relocate(document: Document, target: str | os.PathLike[str]) -> Relocation:
    """Corrects the relative file names of a model whose main file is written to `target`.

    Included and attached models get other names in the main file, as do the files of URDF and x_xy. Assets of MJCF get
    a folder in <compiler>, meshdir or texturedir, where there is none yet; where an included file gives one, a further
    <compiler> comes after all others, as the last one counts. An included file whose own includes or attached models
    would not be found any more is copied, with other names in the copy. Raises Refused.
    """
    target = os.path.abspath(target)
    old, new = Path(os.path.abspath(document.base)), Path(os.path.dirname(target))
    if old == new:
        return Relocation()
    language, root, main = language_of(document), document.merged, document.root.source.path
    nested = _Nested(document, target)
    edits: list[ElementEdit] = [*nested.renamed(document.root)]
    given: dict[str, Attribute] = {}  # the compiler settings that name folders
    wanted: dict[str, None] = {}  # those that are not given, and that assets need
    settings = dict.fromkeys([*FOLDERS.values(), "assetdir"])
    for compiler in (node for node in root.iter("compiler") if node.parent is root):
        given.update({each.name: each for each in compiler.attributes if each.name in settings and each.value})
    overridden = {}  # settings of included files
    for attribute in given.values():
        if _is_relative(attribute.value):
            value = relative(old / slashed(attribute.value), new)
            if attribute.node.source.path == main:
                edits.append(SetAttribute(attribute.node, attribute.name, value))
            else:
                overridden[attribute.name] = value
    for attribute, row in _files(root, language):
        if not _is_relative(attribute.value) or row == "asset.model":
            continue
        if language.name != "MJCF":
            if not given:
                value = relative(old / slashed(attribute.value), new)
                edits.append(SetAttribute(attribute.node, attribute.name, value))
        else:
            setting = FOLDERS.get(row, FOLDERS["*"])
            if setting not in given and "assetdir" not in given:
                wanted[setting] = None
    if overridden:
        edits.append(Insert(root, _compiler(overridden)))
    if wanted:
        edits += _folders(root, main, dict.fromkeys(wanted, relative(old, new)))
    return Relocation(edits, nested.copies())


class _Nested:
    """Which included files have to be copied along, and the names of models in them and in the main file.

    The name of an included file starts from the folder of the main file; where there is no such file, from the folder
    of the file that includes it. The second way stays right when the main file moves, the first one does not. The name
    of an attached model always starts from the folder of the main file.
    """

    def __init__(self, document: Document, target: str) -> None:
        self.document, self.main = document, target
        self.old, self.new = os.path.dirname(document.main_file), os.path.dirname(target)
        self._language = language_of(document)
        self.targets: dict[str, str] = {}  # path of an included file -> that of its copy
        self._included = {path: root for path, root in document.trees.items() if root is not document.root}
        while added := [path for path, root in self._included.items() if self._has_to_go(path, root)]:
            for path in added:
                self.targets[path] = self._free(document.path_of(self._included[path].source))

    def _has_to_go(self, path: str, root: Node) -> bool:
        return path not in self.targets and next(self.renamed(root), None) is not None

    def _free(self, path: str) -> str:
        """Where a copy goes: as deep below the new folder as the file is below the old one."""
        name = os.path.relpath(path, self.old)
        if name.startswith(os.pardir):
            name = os.path.basename(path)
        stem, extension = os.path.splitext(os.path.join(self.new, name))
        names = (f"{stem}{number}{extension}" for number in chain(("",), (f"-{number}" for number in count(2))))
        return next(name for name in names if not self._exists(name))

    def _exists(self, path: str) -> bool:
        return path == self.main or path in self.targets.values() or os.path.lexists(path)

    def renamed(self, root: Node) -> Iterator[SetAttribute]:
        """The names in one file that have to be others. In an included file that stays where it is, these are names
        that cannot be right."""
        for node in root.iter():
            attribute = node.attribute("file")
            if attribute is None or not _is_relative(attribute.value):
                continue
            path = self._meant(attribute)
            if path is not None and path != self._found(attribute):
                yield SetAttribute(node, attribute.name, relative(path, self.new))

    def _meant(self, attribute: Attribute) -> str | None:
        """The file that a name has to mean in the new place. None for names of assets, and for an <include> in an
        included file that reads nothing now."""
        node = attribute.node
        named = os.path.normpath(os.path.join(self.old, slashed(attribute.value)))
        if node.tag != schema.INCLUDE.tag:
            row = self._language.row(node)
            return named if row is not None and row.id == "asset.model" else None
        included = self.document.included(node)
        if included is not None:
            return self.targets.get(included.source.path) or self.document.path_of(included.source)
        return named if node.source is self.document.source else None

    def _found(self, attribute: Attribute) -> str:
        """The file that a name means in the new place."""
        node, name = attribute.node, slashed(attribute.value)
        first = os.path.normpath(os.path.join(self.new, name))
        nested = node.tag == schema.INCLUDE.tag and node.source is not self.document.source
        if not nested or self._exists(first):
            return first
        own = self.targets.get(node.source.path) or self.document.path_of(node.source)
        return os.path.normpath(os.path.join(os.path.dirname(own), name))

    def copies(self) -> list[Copy]:
        parsed = self.document.parsed
        edits = [edit for path in self.targets for edit in self.renamed(self._included[path])]
        changed = carry_out(edits, {path: parsed[path] for path in self.targets})
        texts = {path: changed[path][0] if path in changed else parsed[path] for path in self.targets}
        return [Copy(path, self.targets[path], text.source) for path, text in texts.items()]


def _files(root: Node, language: Language) -> Iterator[tuple[Attribute, str]]:
    """The attributes that name files, each with the kind of its element."""
    for node in root.iter():
        row = language.row(node)
        if row is not None:
            for attribute in node.attributes:
                known = row.attributes.get(attribute.name)
                if known is not None and known.type == "file" and attribute.value.strip():
                    yield attribute, row.id


def _folders(root: Node, main: str, values: dict[str, str]) -> list[ElementEdit]:
    """Edits that set attributes of the main file's compiler element."""
    for compiler in root.children:
        if compiler.tag == "compiler" and compiler.source.path == main:
            return [SetAttribute(compiler, name, value) for name, value in values.items()]
    return [Insert(root, _compiler(values), 0)]


def _compiler(values: dict[str, str]) -> str:
    return f"<compiler {' '.join(f'{name}={quoteattr(value)}' for name, value in values.items())}/>"


def _is_relative(name: str) -> bool:
    return not os.path.isabs(slashed(name)) and not _ADDRESS.match(name)
