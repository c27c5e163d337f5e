"""Preserves the settings that elements take from default classes when they are moved or pasted.

    edits = kept(document, [node], parent, notes)        class= or childclass= for elements moved into `parent`
    origin = origin_of(document, [node])                  for the clipboard, beside the XML
    sets, edits = adopted(document, parent, root, origin, fresh, notes)      for pasted XML

An element takes its settings from its class, else from the nearest childclass around it, else from main. If another
class is in force in the new place, and the old one sets anything else, the element gets an attribute that names its old
class. XML pasted into another model brings its classes along as default classes of that model.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import quoteattr

from kinetree.engine.assist.in_force import completed, defaults_of, is_mpex, settings_in_force
from kinetree.engine.assist.language import MJCF, ElementContent, language_of
from kinetree.engine.document.element_edit import ElementEdit, Insert, SetAttribute
from kinetree.engine.editing.attributes import default_place, nested
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.defaults import MAIN, DefaultClass, default_group, inner_childclass
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.assist.language import Language
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node
    from kinetree.engine.mjcf.schema_rows import ElementRow

Settings = list[tuple[str, dict[str, str]]]
"""The settings of a class for a kind of element, with the classes around it: tags in <default> and their attributes.
    More than one only for actuators, whose shortcuts imply more than their attributes say."""
Fresh = Callable[[str, str], str]
"""fresh(space, name): a name that the document does not have."""
_ACTUATOR = "default.general"
_PARTS = {"body.flexcomp": schema.ELEMENTS["body.joint"]}
"""Kinds that name no class, and the kind of their parts, which take the settings in force in the body around."""


class ClipboardOrigin(NamedTuple):
    """Where XML was copied.

    model      path of the main file
    inherited  the class that is in force around each of the elements
    classes    name of a class that they use -> group of default elements -> settings
    """

    model: str
    inherited: list[str]
    classes: dict[str, dict[str, Settings]]

    def json(self) -> str:
        """Text of the origin, for the clipboard."""
        return json.dumps(self)

    @classmethod
    def of_json(cls, text: str | bytes) -> ClipboardOrigin:
        """Reads the output of `json`. Raises ValueError for anything else."""
        try:
            model, inherited, classes = json.loads(text)
            settings = {
                str(name): {
                    str(kind): [(str(tag), dict(values)) for tag, values in each] for kind, each in kinds.items()
                }
                for name, kinds in classes.items()
            }
            return cls(str(model), list(map(str, inherited)), settings)
        except (TypeError, AttributeError) as error:
            raise ValueError(str(error)) from None


class _Heir(NamedTuple):
    """An element that takes settings from the class in force around it.

    row   its kind, or that of its parts
    held  whether an attribute of the outermost element can name the class for it
    """

    node: Node
    row: ElementRow
    held: bool


# ---- what takes settings ---------------------------------------------------------------------------------------


def class_around(language: Language, nodes: Iterable[Node]) -> str:
    """The name of the class that is in force inside the first of some elements, each of which stands in the next."""
    for node in nodes:
        row = language.row(node)
        name = None if row is None else inner_childclass(node, row, None)
        if name is not None:
            return name
    return MAIN


def _class_of_body(language: Language, nodes: Sequence[Node]) -> str:
    """As `class_around`, for parts: frames between them and the body do not count."""
    bodies = [i for i, node in enumerate(nodes) if node.tag in ("body", "worldbody")]
    return class_around(language, nodes[bodies[0] :] if bodies else ())


def _heirs(
    node: Node, place: ElementContent, language: Language, opened: Callable[[Node], Node | None], in_body: bool = False
) -> Iterator[_Heir]:
    """The elements, from one in a place on, that take settings from the class in force there. `opened`: the root of the
    file of an <include>."""
    row = language.child(place, node.tag)
    if row is None or node.get("class") is not None:
        return
    if row is schema.INCLUDE:
        root = opened(node)
        for child in () if root is None else root.children:
            yield from _heirs(child, place, language, opened, in_body)
    elif row.default is not None:
        yield _Heir(node, row, True)
    elif row.id in _PARTS:
        yield _Heir(node, _PARTS[row.id], in_body)
    elif "childclass" in row.attributes and node.get("childclass") is None:
        for child in node.children:
            yield from _heirs(child, place.of(row), language, opened, in_body or not row.transparent)


def _naming(node: Node, place: ElementContent, language: Language) -> Iterator[tuple[Node, str, ElementRow | None]]:
    """(element, attribute, kind that uses the class) for each reference to a default class, from an element in a place
    on. The kind is empty for unused classes.
    """
    row = language.child(place, node.tag)
    if row is None:
        return
    here = place.of(row)
    if row.default is not None and node.get("class") is not None:
        yield node, "class", row
    elif "childclass" in row.attributes:
        name = next((each for each in ("childclass", "class") if each in row.attributes and node.get(each)), None)
        if name is not None:
            yield node, name, None
        for child in node.children if name is not None else ():
            for heir in _heirs(child, here, language, lambda _include: None, not row.transparent):
                yield node, name or "", heir.row
    for child in node.children:
        yield from _naming(child, here, language)


def settings_of(found: DefaultClass | None, group: str | None) -> Settings:
    """Settings of a class for the kinds of elements of a group; empty if the class does not exist."""
    elements = [] if found is None or group is None else found.chains.get(group, [])
    if group == _ACTUATOR:
        found_by_tag: dict[str, dict[str, str]] = {}
        for each in elements:  # a class takes one of each tag: the last one counts
            above = found_by_tag.pop(each.tag, {})
            found_by_tag[each.tag] = above | {attribute.name: attribute.value for attribute in each.attributes}
        return list(found_by_tag.items())
    values = {name: each.value for name, each in settings_in_force(elements).items() if each.value is not None}
    return [(schema.ELEMENTS[group].tag, values)] if values and group is not None else []


def _group(row: ElementRow) -> str:
    """The group of settings that a kind of element takes."""
    return default_group(row.default or "") or ""


def _differs(heir: _Heir, one: Settings, other: Settings) -> bool:
    """Whether one of the settings that an element leaves to its class is another one. A list that it writes may be
    completed by the class."""
    if one == other or heir.row.default == _ACTUATOR:
        return one != other
    first, second = (each[0][1] if each else {} for each in (one, other))
    names = {name for name in {**first, **second} if _words(first.get(name)) != _words(second.get(name))}
    if heir.row in _PARTS.values() and heir.node.tag != heir.row.tag:
        return bool(names)
    rows = heir.row.attributes
    return any(name in rows and (rows[name].max_count != 1 or heir.node.get(name) is None) for name in names)


def _words(text: str | None) -> list[str] | None:
    return None if text is None else text.split()


def _attribute(row: ElementRow) -> str:
    """The attribute by which an element names its class, or the class of its children."""
    return "childclass" if "childclass" in row.attributes else "class"


# ---- moves -----------------------------------------------------------------------------------------------------


def kept(document: Document, nodes: Iterable[Node], parent: Node, notes: list[str]) -> list[ElementEdit]:
    """Edits that keep the settings of elements moved into `parent`. `notes` receives sentences about settings that
    cannot be kept.
    """
    language = language_of(document)
    if language.grammar is not MJCF:
        return []
    defaults = defaults_of(document)
    edits: list[ElementEdit] = []
    inside = [parent, *language.ancestors(parent)]
    for node in nodes:
        outside = list(language.ancestors(node))
        place = language.inside(outside[0]) if outside else None
        if place is None:
            continue
        around = class_around(language, outside), class_around(language, inside)
        of_body = _class_of_body(language, outside), _class_of_body(language, inside)

        def changes(heir: _Heir, old: str, new: str) -> bool:
            if old == new:
                return False
            one, other = defaults.find(old), defaults.find(new)
            if one is None or other is None:
                return True
            return _differs(heir, *(settings_of(each, _group(heir.row)) for each in (one, other)))

        for top in _tops(document, node):
            row = language.child(place, top.tag)
            heirs = list(_heirs(top, place, language, document.included))
            if row is not None and any(changes(heir, *around) for heir in heirs if heir.held):
                edits.append(SetAttribute(top, _attribute(row), around[0]))
            notes += [_left(heir, *of_body) for heir in heirs if not heir.held and changes(heir, *of_body)]
    return edits


def _tops(document: Document, node: Node) -> Iterator[Node]:
    """The outermost elements that an element stands for: those in the file of an <include>."""
    if node.tag != schema.INCLUDE.tag:
        yield node
        return
    root = document.included(node)
    for child in () if root is None else root.children:
        yield from _tops(document, child)


def _left(heir: _Heir, old: str, new: str) -> str:
    name = heir.node.get("name")
    return tr(
        "{label} can name no default class: its joints take the settings of '{new}' now, no longer those of '{old}'",
        label=f'<{heir.node.tag}> "{name}"' if name else f"<{heir.node.tag}>",
        new=new,
        old=old,
    )


# ---- copies ----------------------------------------------------------------------------------------------------


def origin_of(document: Document, nodes: Iterable[Node]) -> ClipboardOrigin | None:
    """Where elements are copied, in the order of the copies; None for a format that has no default classes."""
    language = language_of(document)
    if language.grammar is not MJCF:
        return None
    defaults, found = defaults_of(document), ClipboardOrigin(document.main_file, [], {})

    def use(name: str) -> None:
        used = defaults.find(name)
        if used is not None and name not in found.classes:
            settings = {group: settings_of(used, group) for group in used.chains}
            found.classes[name] = {group: each for group, each in settings.items() if each}

    for node in nodes:
        outside, row = list(language.ancestors(node)), language.row(node)
        place = language.inside(outside[0]) if outside else None
        is_part = row is not None and row.id in _PARTS
        found.inherited.append((_class_of_body if is_part else class_around)(language, outside))
        if place is not None:
            if any(_heirs(node, place, language, lambda _include: None)):
                use(found.inherited[-1])
            for each, attribute, _ in _naming(node, place, language):
                use(each.get(attribute) or "")
    return found


def adopted(
    document: Document, parent: Node, root: Node, origin: ClipboardOrigin, fresh: Fresh, notes: list[str]
) -> tuple[list[tuple[Node, str, str]], list[ElementEdit]]:
    """Gives pasted XML the settings that it had where it was copied: (element in `root`, attribute, value), and the
    edits that add default classes to another model. `notes` receives sentences about differences.
    """
    language = language_of(document)
    place = language.inside(parent)
    if language.grammar is not MJCF or place is None or len(origin.inherited) != len(root.children):
        return [], []
    defaults, own = defaults_of(document), {each.get("class") for each in root.iter("default")}
    around = [parent, *language.ancestors(parent)]
    here = class_around(language, around)
    heirs = [list(_heirs(child, place, language, lambda _include: None)) for child in root.children]
    naming = [each for child in root.children for each in _naming(child, place, language)]
    used: dict[str, set[str]] = {}
    for name, row in (
        *((name, heir.row) for name, each in zip(origin.inherited, heirs, strict=True) for heir in each if heir.held),
        *((each.get(attribute) or "", row) for each, attribute, row in naming),
    ):
        if name in origin.classes and name not in own:
            used.setdefault(name, set()).update(() if row is None else (_group(row),))
    brought = _Brought(document, fresh, notes)
    new_names = {name: brought.name_of(name, groups, origin) for name, groups in used.items()}
    sets: list[tuple[Node, str, str]] = []
    for child, name, each in zip(root.children, origin.inherited, heirs, strict=True):
        row, new = language.child(place, child.tag), new_names.get(name)
        for heir in each:
            theirs = origin.classes.get(name, {}).get(_group(heir.row), [])
            if not heir.held:
                to = _class_of_body(language, around)
                if _differs(heir, theirs, settings_of(defaults.find(to), _group(heir.row))):
                    notes.append(_left(heir, name, to))
            elif new is not None and row is not None and new != here:
                found = defaults.find(new)
                mine = theirs if found is None else settings_of(found, _group(heir.row))
                if _differs(heir, mine, settings_of(defaults.find(here), _group(heir.row))):
                    sets.append((child, _attribute(row), new))
                    break
    for node, attribute in dict.fromkeys((node, attribute) for node, attribute, _ in naming):
        name = node.get(attribute) or ""
        if new_names.get(name, name) != name:
            sets.append((node, attribute, new_names[name]))
    return sets, brought.edits()


class _Brought:
    """Default classes that are added to a document together with pasted XML."""

    def __init__(self, document: Document, fresh: Fresh, notes: list[str]) -> None:
        self.document, self.fresh, self.notes = document, fresh, notes
        self.defaults = defaults_of(document)
        self.main = self.defaults.main
        self.classes: list[str] = []

    def name_of(self, name: str, groups: set[str], origin: ClipboardOrigin) -> str:
        """The name of the class, here, that sets the same for some groups of elements: that of the same name if there
        is one, else a new one. In the model itself the name alone counts."""
        if origin.model == self.document.main_file and self.defaults.find(name) is not None:
            return name
        wanted = PurePath(origin.model).stem if name == MAIN else name
        settings = origin.classes[name]
        for each in (name, wanted):
            found = self.defaults.find(each)
            if found is not None and all(settings_of(found, group) == settings.get(group, []) for group in groups):
                return each
        new = self.fresh("class", wanted)
        self.add(new, settings, groups)
        told = tr("the default class '{name}' came along", name=name)
        if new != name:
            told = tr("the default class '{name}' of the other model came along as '{new}'", name=name, new=new)
        self.notes.append(told)
        return new

    def add(self, name: str, origin: Mapping[str, Settings], groups: set[str]) -> None:
        """Add a class with all its settings; it is for elements of some groups."""
        lines = []
        for group in dict.fromkeys([*origin, *self.main.chains]):
            settings = [(tag, dict(values)) for tag, values in origin.get(group, [])]
            left = self._cover(group, settings)
            if left and group in groups:
                self.notes.append(
                    tr(
                        "the default class '{name}' takes {attribute} of <{tag}> from the class main of this model",
                        name=name,
                        attribute=", ".join(left),
                        tag=schema.ELEMENTS[group].tag,
                    )
                )
            lines += [_element(tag, self._short(group, values)) for tag, values in settings]
        start = f"<default class={quoteattr(name)}"
        self.classes.append(nested(f"{start}>", "\n".join(lines)) if lines else f"{start}/>")

    def _cover(self, group: str, settings: Settings) -> list[str]:
        """Give settings that only the class main of this document sets their built-in defaults; returns the names of
        those without a default.
        """
        known, mpex, left = schema.ELEMENTS[group].attributes, is_mpex(self.document), []
        given = {attribute for _, values in settings for attribute in values}
        for tag, values in settings_of(self.main, group):
            for name in [each for each in values if each not in given]:
                row = known.get(name)
                default = None if row is None else (row.mpex_default if mpex else None) or row.default
                if default is None or group == _ACTUATOR:
                    left.append(name)
                    continue
                if not settings:
                    settings.append((tag, {}))
                settings[0][1][name] = default
        return left

    def _short(self, group: str, values: dict[str, str]) -> dict[str, str]:
        """Lists of numbers without those that main, or the format, completes."""
        if group == _ACTUATOR:
            return values
        known = schema.ELEMENTS[group].attributes
        below = {name: value for _, each in settings_of(self.main, group) for name, value in each.items()}
        found = dict(values)
        for name, value in values.items():
            words, row = value.split(), known[name]
            shorter = (" ".join(words[:count]) for count in range(1, len(words)))
            found[name] = next((t for t in shorter if completed(t, row, below.get(name, row.default)) == value), value)
        return found

    def edits(self) -> list[ElementEdit]:
        """Edits that add the classes."""
        if not self.classes:
            return []
        if self.main.node is not None:
            return [Insert(self.main.node, each) for each in self.classes]
        return [Insert(self.document.root, nested("<default>", "\n".join(self.classes)), default_place(self.document))]


def _element(tag: str, values: dict[str, str]) -> str:
    return " ".join([f"<{tag}", *(f"{name}={quoteattr(value)}" for name, value in values.items())]) + "/>"
