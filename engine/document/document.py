"""Document: the texts of a model, the main file and those that it includes, parsed.

A document is fixed: it is the parse of given texts. Editing makes another document (`with_edits`), in which
only what changed is read and parsed again.

Includes follow the reference: `<include file="..."/>` anywhere in an MJCF model (the root element is <mujoco>)
stands for the children of the root element of that file, whatever that root is called. A relative file name
starts from the folder of the main file; if there is no such file there, from the folder of the including
file. A file can be included once in a model. Files named by other attributes (meshes, textures, <model>) are
not read here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kinetree.engine.diagnostics import Diagnostics, ModelError, meant
from kinetree.engine.document.edit import Edit, difference
from kinetree.engine.document.files import DocumentFiles, FileRead, current_folder, file_key, read_file
from kinetree.engine.document.limits import refuse_large
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.source import Source, overlay_source, read_source
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.document.tree import Attribute, Node, Tree, let_go
from kinetree.engine.translation import any_of, tr

MAX_TOTAL_BYTES = 256 * 1024 * 1024
"""The files of one model together may not be larger than this."""

MAX_FILES = 10_000
"""A model may not include more files than this."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


class Document:
    """A model's texts and their trees.

    path         the main file's path as it was given, or the name of the string
    base         Path: the absolute folder of the main file, that relative paths start from
    root         Node: the main file's tree, with its <include> elements
    sources      dict path -> Source: the main file first, then the included ones in the order of reading
    trees        dict path -> Node: the tree of each
    diagnostics  Diagnostics about the texts and the includes; the meaning of elements is not looked at here
    files        list of absolute paths of the files that the document consists of
    missing      list of absolute paths of included files that were looked for and are not there (to be
                 watched)
    pending      list of absolute paths of included files that have not been read yet (see `completed`)
    reads        list of FileRead: what this document read from the disk itself
    """

    def __init__(
        self,
        main: ParsedSource,
        key: str,
        folder: str,
        current: str,
        files: DocumentFiles,
    ) -> None:
        self.path = main.source.path
        self._main = key
        self.root = main.root
        self.base = main.source.base
        # Relative paths are kept as given, for messages; they are relative to the current folder at that time.
        self._folder = folder
        self._current = current
        self._files = files
        self._parsed: dict[str, ParsedSource] = {}
        self._includes: dict[int, ParsedSource | None] = {}  # by the id of the <include>
        self._included_by: dict[str, int] | None = None  # path -> id of the <include>
        self._merged: Node | None = None
        self._merged_children: dict[int, dict[int, Node]] | None = None  # by the id of the element around them
        self.missing: list[str] = []
        self.pending: list[str] = []
        self.reads: list[FileRead] = []
        self.diagnostics = Diagnostics()
        _Includes(self).read(main)
        self.sources: dict[str, Source] = {p.source.path: p.source for p in self._parsed.values()}
        self.trees: dict[str, Node] = {p.source.path: p.root for p in self._parsed.values()}
        self._keys = {parsed.source.path: key for key, parsed in self._parsed.items()}
        self.files: list[str] = [key for key in self._parsed if not _is_string(key)]

    def __del__(self) -> None:
        if self._merged is not None and self._merged is not self.root:
            let_go(self._merged)

    @classmethod
    def load(cls, path: str | os.PathLike[str], overlay: Mapping[str, str] | None = None) -> Document:
        """The document of a file. `overlay` maps paths to an editor's unsaved texts, which stand for the
        contents of those files (or for files that do not exist yet).

        Raises ModelError only where the main file cannot be read at all (see `read_source`) or is too large to be
        parsed (see `refuse_large`); everything else is in `.diagnostics`.
        """
        shown = os.fspath(path)
        current = current_folder()
        key = file_key(shown, current)
        texts = {file_key(name, current): text for name, text in (overlay or {}).items()}
        found = Diagnostics()
        if key in texts:
            source = overlay_source(shown, texts[key])
        else:
            source = read_source(shown, found)
        refuse_large(source)
        return cls(
            ParsedSource.parse(source, found.items), key, os.path.dirname(shown), current, DocumentFiles({}, texts)
        )

    @classmethod
    def from_string(
        cls,
        text: str,
        base: str | os.PathLike[str] | None = None,
        name: str = "<string>",
        overlay: Mapping[str, str] | None = None,
    ) -> Document:
        """The document of a text. Included files are looked for from `base`, by default the current folder;
        `name` stands for the path in diagnostics. Raises ModelError for a text that is too large to be parsed."""
        shown = os.fspath(base) if base is not None else ""
        current = current_folder()
        folder = Path(current, shown)
        texts = {file_key(path, current): value for path, value in (overlay or {}).items()}
        key = os.path.join(folder, name) if _is_string(name) else file_key(name, current)
        source = Source(name, None, text, folder)
        refuse_large(source)
        parsed = ParsedSource.parse(source)
        return cls(parsed, key, shown, current, DocumentFiles({}, texts))

    @classmethod
    def of_files(cls, key: str, files: DocumentFiles) -> Document:
        """The document of a file whose text is known to `files`. Raises KeyError if it is not."""
        read = files.known[key]
        if read.parsed is None:
            raise KeyError(key)
        return cls(read.parsed, key, os.path.dirname(key), current_folder(), files)

    @classmethod
    def of_read(cls, main: FileRead, files: DocumentFiles | None = None) -> Document:
        """The document of a main file that was read. Files that it includes are read now, or come from `files`. Raises
        ModelError if the main file could not be read."""
        if main.parsed is None:
            raise ModelError(main.failure)
        folder = os.path.dirname(main.parsed.source.path)
        return cls(main.parsed, main.key, folder, current_folder(), DocumentFiles({}, {}) if files is None else files)

    @property
    def known(self) -> Mapping[str, FileRead]:
        """All files that this document could do with without reading the disk, by absolute path."""
        own = {key: FileRead(key, parsed) for key, parsed in self._parsed.items()}
        return {**own, **self._files.known}

    @property
    def found(self) -> Mapping[str, FileRead]:
        """The files that were read from the disk for it and for the models that it attaches, by absolute path."""
        return self._files.found

    @property
    def parsed_files(self) -> Mapping[str, ParsedSource]:
        """Its texts by absolute path."""
        return self._parsed

    def provided(self, reads: Mapping[str, FileRead]) -> Document:
        """The document with files that another process has read; itself if none of its files was `pending`."""
        if not self.pending:
            return self
        files = DocumentFiles({**self._files.known, **reads}, self._files.overlay, from_disk=False)
        return Document(self._parsed[self._main], self._main, self._folder, self._current, files)

    def completed(self) -> Document:
        """The document with the files read that are `pending`; itself if there are none. Reads the disk: for
        worker threads. What was read is in `.reads` of the result."""
        if not self.pending:
            return self
        main = self._parsed[self._main]
        return Document(main, self._main, self._folder, self._current, self._files.reading())

    @property
    def merged(self) -> Node:
        """The tree with each <include> replaced by the children of the included root, as MJCF means it.

        Without an <include> this is `root` itself. With one, it is a tree of its own nodes: each keeps its
        own `.source` and offsets; `.parent` and `.children` (and `.path()`) are those of the merged model,
        so that the parent of an included element is the element around the <include>. Includes that failed
        are left out (there is a diagnostic for each).
        """
        if self._merged is None:
            main = self.root
            if self._includes:
                main = Node(main.subtree, None, main.source, main.start, _MergedTree(self._includes))
            self._merged = main
        return self._merged

    @property
    def includes(self) -> Mapping[int, ParsedSource | None]:
        """The file that each <include> reads, by the id of the <include>; None where that failed."""
        return self._includes

    @property
    def parsed(self) -> dict[str, ParsedSource]:
        """The texts by path, as in `sources`."""
        return {each.source.path: each for each in self._parsed.values()}

    @property
    def source(self) -> Source:
        """The main file's source."""
        return self.root.source

    @property
    def main_file(self) -> str:
        """The absolute path of the main file; of a string, its name in its folder."""
        return self._main

    def model_beside(self, name: str) -> Document | None:
        """The document of another model of that file name, as `beside` finds it, but does not record the files that it
        reads or misses: for tools that look at a text while it is typed. None if it cannot be read.
        """
        if not name.strip() or _URL.match(name):
            return None
        shown = os.path.normpath(os.path.join(self._folder, name.replace("\\", "/")))
        key = file_key(shown, self._current)
        read = self._files.read(key, shown) or read_file(key, shown)
        if read.parsed is None:
            return None
        return Document(read.parsed, key, os.path.dirname(shown), self._current, self._files.reading())

    def beside(self, file: Attribute, diagnostics: Diagnostics) -> Document | None:
        """The document of another model, whose file an attribute of this one names; it sees the same unsaved texts. A
        relative name starts from the folder of the main file. None, with a diagnostic, if the file cannot be read; a
        file that does not exist is also added to `missing`."""
        name = file.value.replace("\\", "/")
        if _URL.match(name):
            diagnostics.error(
                file,
                "unsupported-url",
                tr(
                    '"{name}" is an address: nothing is fetched from a network; save that file beside the model',
                    name=name,
                ),
            )
            return None
        shown = os.path.normpath(os.path.join(self._folder, name))
        key = file_key(shown, self._current)
        read = self._files.found_or_read(key, shown)
        if read.parsed is not None:
            self.reads.append(read)
            return Document(read.parsed, key, os.path.dirname(shown), self._current, self._files.reading())
        if not read.is_missing:
            diagnostics.error(file, read.failure.code, f'"{name}": {read.failure.message}')
            return None
        self.missing.append(key)
        hint = tr("did you mean {names}?", names=", ".join(read.similar)) if read.similar else tr("correct the name")
        diagnostics.error(
            file,
            "missing-file",
            tr(
                'the model "{name}" does not exist in {value}: {hint}',
                name=name,
                value=os.path.dirname(shown) or ".",
                hint=hint,
            ),
            meant(file.value, next((_beside(file.value, near) for near in read.similar), None)),
        )
        return None

    def path_of(self, source: Source) -> str:
        """The absolute path of one of the document's sources; of a string, its name in its folder. Raises KeyError for
        another source."""
        return self._keys[source.path]

    def save_bytes(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """The bytes to write for one of the document's files (the main one if not given). For a text that
        was not edited they are the bytes that were read. Raises KeyError for a file that is not part of the
        document, ModelError if the text does not fit the file's encoding."""
        return self.source_of(path).data

    def source_of(self, path: str | os.PathLike[str] | None = None) -> Source:
        """The source of one file, by its path in any spelling; the main file's if not given. Raises
        KeyError."""
        if path is None:
            return self.root.source
        return self._parsed[self._find(path)].source

    def parsed_of(self, path: str | os.PathLike[str]) -> ParsedSource:
        """One file of the document with its tree, by its path in any spelling. Raises KeyError."""
        return self._parsed[self._find(path)]

    def node_at(self, path: str | os.PathLike[str] | None, offset: int) -> Node | None:
        """The innermost element of a file's own tree at a character offset."""
        return (self.root if path is None else self._parsed[self._find(path)].root).at(offset)

    def node(self, identity: int) -> Node | None:
        """The element of that `id` in the tree of its own file; None if this version does not have it."""
        for parsed in self._parsed.values():
            node = parsed.node(identity)
            if node is not None:
                return node
        return None

    def merged_node(self, identity: int) -> Node | None:
        """The element of that `id` in the merged tree; in the tree of its own file if it is not part of that, as the
        root of an included file is not. None if this version does not have it."""
        own = self.node(identity)
        if own is None or not self._includes:
            return own
        path = [own]
        while path[-1].parent is not None:
            path.append(path[-1].parent)
            if path[-1].parent is None and path[-1].subtree is not self.root.subtree:
                include = self.include_of(path.pop().source.path)
                if include is None or include.parent is None:
                    return own
                path.append(include.parent)
        node = self.merged
        for step in reversed(path[:-1]):
            found = self._merged_child(node, step.id)
            if found is None:
                return own
            node = found
        return node

    def _merged_child(self, node: Node, identity: int) -> Node | None:
        if self._merged_children is None:
            self._merged_children = {}
        known = self._merged_children.get(node.id)
        if known is None:
            known = self._merged_children[node.id] = {child.id: child for child in node.children}
        return known.get(identity)

    def include_of(self, path: str) -> Node | None:
        """The <include> that reads a file of the document, by a path of `sources`, in the tree of its own file. None
        for the main file and for files that are not part of the document."""
        if self._included_by is None:
            self._included_by = {
                parsed.source.path: identity for identity, parsed in self._includes.items() if parsed is not None
            }
        identity = self._included_by.get(path)
        return None if identity is None else self.node(identity)

    def included(self, include: Node) -> Node | None:
        """The root of the file that an <include> reads, in the tree of that file. None where the file was not read, or
        stands in the model already."""
        parsed = self._includes.get(include.id)
        return None if parsed is None else parsed.root

    def with_edits(self, edits: Mapping[str, Iterable[Edit]]) -> Document:
        """The document after text edits: for each path, edits of that file's present text.

        Files that are not named keep their texts and trees; nothing is read again from the disk except files
        that the edits newly include. Raises KeyError for a path that is not part of the document, ValueError
        for edits that overlap or lie outside the text.
        """
        texts = {}
        for path, changes in edits.items():
            key = self._find(path)
            texts[key] = self._parsed[key].edited(changes)
        return self._with(texts)

    def with_text(self, text: str, path: str | os.PathLike[str] | None = None) -> Document:
        """The document with another text for one of its files (the main one if not given)."""
        key = self._main if path is None else self._find(path)
        parsed = self._parsed[key]
        return self._with({key: parsed.edited(difference(parsed.source.text, text))})

    def with_parsed(self, texts: Mapping[str, ParsedSource]) -> Document:
        """The document with other versions of some of its files, by their paths in `parsed`."""
        return self._with({self._keys[path]: parsed for path, parsed in texts.items()})

    def _with(self, texts: Mapping[str, ParsedSource]) -> Document:
        # A text that no include reaches for the moment is kept for when one does again.
        files = self._files.changed({**self._parsed, **texts})
        main = texts.get(self._main, self._parsed[self._main])
        return Document(main, self._main, self._folder, self._current, files)

    def _find(self, path: str | os.PathLike[str]) -> str:
        shown = os.fspath(path)
        if shown in self._keys:
            return self._keys[shown]
        for candidate in (file_key(shown, self._current), file_key(shown, self.base)):
            if candidate in self._parsed:
                return candidate
        raise KeyError(shown)

    def __repr__(self) -> str:
        return f"Document({self.path!r}, {len(self.sources)} files, {self.diagnostics!r})"


class _MergedTree(Tree):
    """The tree of a model: in the place of each <include> stand the children of the included root element."""

    __slots__ = ("includes",)

    def __init__(self, includes: Mapping[int, ParsedSource | None]) -> None:
        super().__init__()
        self.includes = includes

    def is_plain(self, node: Node) -> bool:
        return not node.subtree.includes

    def places(self, node: Node) -> Iterator[tuple[Subtree, Source, int]]:
        pending = [Tree.places(self, node)]
        while pending:
            for place in pending[-1]:
                identity = place[0].id
                if identity not in self.includes:
                    yield place
                    continue
                included = self.includes[identity]
                if included is not None:
                    pending.append(Tree.places(self, included.root))
                    break
            else:
                pending.pop()


class _Includes:
    """Reading the files that a document includes."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.diagnostics = document.diagnostics
        self.total = 0

    def read(self, main: ParsedSource) -> None:
        document = self.document
        chain: list[tuple[ParsedSource, list[Node]]] = []
        self.enter(main, document._main, chain)
        while chain:
            pending = chain[-1][1]
            if not pending:
                chain.pop()
                continue
            include = pending.pop()
            found = self.included(include, [item[0] for item in chain])
            document._includes[include.id] = None if found is None else found[1]
            if found is not None:
                self.enter(found[1], found[0], chain)

    def enter(self, parsed: ParsedSource, key: str, chain: list[tuple[ParsedSource, list[Node]]]) -> None:
        self.document._parsed[key] = parsed
        self.diagnostics.extend(parsed.diagnostics)
        self.total += len(parsed.source.text)
        includes = list(parsed.includes()) if self.document.root.tag == "mujoco" else []
        chain.append((parsed, includes[::-1]))

    def included(self, include: Node, chain: list[ParsedSource]) -> tuple[str, ParsedSource] | None:
        """The file that an <include> names: (key, parsed). None after a diagnostic."""
        diagnostics = self.diagnostics
        attribute = include.attribute("file")
        if attribute is None:
            diagnostics.error(
                include, "include-without-file", tr('an <include> needs a file: write <include file="..."/>')
            )
            return None
        if include.content_span.text:
            diagnostics.error(
                include, "include-with-content", tr("an <include> holds nothing: move what it holds beside it")
            )
        name = attribute.value
        if not name.strip():
            diagnostics.error(attribute, "include-without-file", tr("the name of the included file is empty"))
            return None
        if _URL.match(name):
            diagnostics.error(
                attribute,
                "unsupported-url",
                tr(
                    '"{name}" is an address: nothing is fetched from a network; save that file beside the model',
                    name=name,
                ),
            )
            return None
        # Back slashes separate folders on every system, as they do for the reference.
        candidates = self.candidates(name.replace("\\", "/"), include.source)
        key, parsed = self.open(candidates, attribute, name)
        if parsed is None:
            return None
        if key in self.document._parsed:
            # One file twice, in whatever spelling, is refused as the specification says; mujoco 3.3.4 misses
            # it where one of the two is found beside the including file.
            if any(item is parsed for item in chain):
                names = [item.source.path for item in chain]
                names = [os.path.basename(path) for path in names[names.index(parsed.source.path) :]]
                diagnostics.error(
                    attribute,
                    "include-cycle",
                    tr(
                        '"{name}" includes itself ({names}): remove one of these includes',
                        name=name,
                        names=" -> ".join([*names, os.path.basename(parsed.source.path)]),
                    ),
                )
            else:
                diagnostics.error(
                    attribute,
                    "include-repeated",
                    tr(
                        '"{name}" is already included: a file can be included once in a model, remove this include',
                        name=name,
                    ),
                )
            return None
        if not parsed.root.children and not any(item.severity == "error" for item in parsed.diagnostics):
            diagnostics.error(
                attribute,
                "include-empty",
                tr(
                    'there is no element inside the root element of "{name}": add some, or remove this include',
                    name=name,
                ),
            )
        return key, parsed

    def candidates(self, name: str, source: Source) -> list[str]:
        """Where the file may be, as paths to be shown."""
        if os.path.isabs(name):
            return [os.path.normpath(name)]
        paths = [os.path.normpath(os.path.join(self.document._folder, name))]
        beside = os.path.normpath(os.path.join(os.path.dirname(source.path), name))
        if source is not self.document.source and beside != paths[0]:
            paths.append(beside)
        return paths

    def open(self, candidates: list[str], attribute: Attribute, name: str) -> tuple[str, ParsedSource | None]:
        document = self.document
        prefix = os.path.dirname(name.replace("\\", "/"))
        similar: list[str] = []
        for path in candidates:
            key = file_key(path, document._current)
            if key in document._parsed:
                return key, document._parsed[key]
            known = document._files.has(key)
            if not known and (len(document._parsed) >= MAX_FILES or self.total > MAX_TOTAL_BYTES):
                self.diagnostics.error(
                    attribute,
                    "too-many-includes",
                    tr(
                        "the model's files are more than {most} or larger than {number} MiB together: include fewer",
                        most=MAX_FILES,
                        number=MAX_TOTAL_BYTES // 2**20,
                    ),
                )
                return key, None
            read = document._files.read(key, path)
            if read is None:
                document.pending.append(key)
                return key, None
            if not known:
                document.reads.append(read)
            if read.parsed is not None:
                return key, read.parsed
            if not read.is_missing:
                self.diagnostics.error(attribute, read.failure.code, f'"{name}": {read.failure.message}')
                return key, None
            document.missing.append(key)
            similar += [os.path.join(prefix, near) for near in read.similar]
        self.missing(candidates, attribute, name, similar)
        return "", None

    def missing(self, candidates: list[str], attribute: Attribute, name: str, similar: list[str]) -> None:
        folders = [os.path.dirname(path) or "." for path in candidates]
        places = any_of(list(dict.fromkeys(folders)))
        if similar:
            close = ", ".join(f'"{hint}"' for hint in dict.fromkeys(similar))
            message = tr(
                'the included file "{name}" does not exist in {places}: did you mean {names}?',
                name=name,
                places=places,
                names=close,
            )
        else:
            message = tr(
                'the included file "{name}" does not exist in {places}: correct the name, relative to the folder of '
                "the main file",
                name=name,
                places=places,
            )
        self.diagnostics.error(attribute, "missing-file", message, meant(attribute.value, next(iter(similar), None)))


def _beside(path: str, name: str) -> str:
    """Another name in the folder of a path, as the text writes it."""
    folder, slash, _ = path.replace("\\", "/").rpartition("/")
    return folder + slash + name


def _is_string(key: str) -> bool:
    return os.path.basename(key).startswith("<")
