"""Checks a model's text against the schema: what can be said before anything is compiled.

    validate(root, diagnostics, complete=True) -> Defaults
    validate_part(node, row, around, diagnostics)        an element that is to become part of a model

`root` is the <mujoco> node with its includes merged. Reported as errors, each where it stands: unknown elements and
attributes (with the nearest known name, or the place where the element belongs), wrong types, counts and choices,
missing required attributes, elements that may stand only once, repeated names, unknown default classes, and
references to names that nothing declares. What mujoco 3.3.4 accepts is accepted, so that some oddities are only
warnings. The classes are returned, since reading a model goes on with them.

Names that come into being only while compiling cannot be judged here: those of copies (replicate), of attached
models (attach) and of generated objects (composite, flexcomp). A reference that may be to one of them is left to
the compiler.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from kinetree.engine.diagnostics import REMOVE, Diagnostics, Severity, meant
from kinetree.engine.mjcf import exceptions, schema, values
from kinetree.engine.mjcf.defaults import Defaults
from kinetree.engine.mjcf.ignored_text import report_text
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow
from kinetree.engine.translation import all_of, any_of, tr

if TYPE_CHECKING:
    from kinetree.engine.document.tree import Attribute, Node

__all__ = ["validate", "validate_part"]

#: Errors that stay errors in an element without effect.
_FORM = {"unknown-element", "misplaced-element", "repeated-element", "unknown-attribute"}


def validate(
    root: Node,
    diagnostics: Diagnostics,
    complete: bool = True,
    attached: Iterable[tuple[str, Defaults]] = (),
    parts: bool = False,
    files: Iterable[Node] = (),
) -> Defaults:
    """Check a whole model; errors and warnings go to `diagnostics`. Returns its default classes.

    `complete`: False where part of the text could not be read (a missing include, malformed XML), so that names may
    be missing; references are not judged then.
    `attached`: prefix and default classes of each attached model.
    `parts`: True where parts of the model are attached to another, so that the rest may be incomplete; of references
    only those to classes are judged then.
    `files`: the root elements of all files, included ones too.
    """
    defaults = Defaults(root, diagnostics)
    for prefix, classes in attached:
        defaults.attach(prefix, classes)
    if root.tag != schema.ROOT.tag:
        diagnostics.error(
            root.tag_span,
            "unknown-element",
            tr(
                "the root element is '{tag}'; a model in MJCF starts with <mujoco>; this file is a part that others "
                "include, open one of those"
                if "include" in root.tag
                else "the root element is '{tag}'; a model in MJCF starts with <mujoco>",
                tag=root.tag,
            ),
        )
        return defaults
    _Walk(diagnostics, defaults, files).run(root, complete, parts)
    return defaults


def validate_part(node: Node, row: ElementRow, around: ElementRow, diagnostics: Diagnostics) -> None:
    """Check an element of kind `row` and all in it by itself: elements, attributes and values, but no references.
    `around`: the nearest kind around its place that is not transparent."""
    _Walk(diagnostics, Defaults(node)).element(node, row, around, None, around.id == "default")


@cache
def _required(row: ElementRow) -> tuple[AttributeRow, ...]:
    return tuple(known for known in row.attributes.values() if known.required)


class _Reference:
    __slots__ = ("attribute", "in_default", "namespace", "value")

    def __init__(self, attribute: Attribute, namespace: str, value: str, in_default: bool) -> None:
        self.attribute = attribute
        self.namespace = namespace
        self.value = value
        self.in_default = in_default


class _Walk:
    """One pass over the tree that checks each element and collects names and references."""

    def __init__(self, diagnostics: Diagnostics, defaults: Defaults, files: Iterable[Node] = ()) -> None:
        self.with_text = [root for root in files if root.subtree.text]
        self.diagnostics = diagnostics
        self.defaults = defaults
        self.names: dict[str, dict[str, Attribute | Node]] = {}
        self.beginnings: set[str] = set()  # of names that come into being while compiling
        self.anything_named = False
        self.references: list[_Reference] = []
        self.open_namespaces: set[str] = set()
        self.unplaced: set[str] = set()
        self.unchecked = 0

    def run(self, root: Node, complete: bool, parts: bool) -> None:
        self.element(root, schema.ROOT, schema.ROOT, None, False)
        report_text(self.with_text, self.diagnostics)
        for reference in self.references if complete else ():
            if parts and reference.namespace != "class":
                continue
            self.check_reference(reference)

    # ---------------------------------------------------------------------------------------- elements

    def element(self, node: Node, row: ElementRow, around: ElementRow, copies: Node | None, in_default: bool) -> None:
        """Check one element and everything inside. `around`: the nearest kind that is not transparent;
        `copies`: the nearest replicate around."""
        if node.subtree.text:
            self.with_text.append(node)
        typed = self.attributes(node, row, copies, in_default)
        if exceptions.has_checks(row.id):
            for finding in exceptions.findings(row.id, node, typed):
                where = node.attribute(finding.attribute) if finding.attribute is not None else None
                self.error(where, node, finding.code, finding.message)
        if row.tag == "attach" or row.tag == "composite":
            self.prefix(typed.get("prefix", ""), with_empty=row.tag == "attach")
        elif row.tag == "flexcomp":
            self.prefix(typed.get("name", ""))
        if not node.children:
            return
        if row.id == "replicate":
            copies = node
        in_default = in_default or row.id == "default"
        self.unchecked += row.transparent
        inside = schema.enclosing(row, around)
        known = schema.children(row, around)
        counts: dict[str, Node] | None = None
        for child in node.children:
            child_row = known.get(child.tag)
            if child_row is None:
                if child.tag == "include":
                    continue
                self.unknown_element(child, row, inside, known)
                continue
            if child_row.multiplicity == "?" and not self.unchecked:
                if counts is None:
                    counts = {}
                first = counts.setdefault(child.tag, child)
                if first is not child:
                    self.diagnostics.error(
                        child.tag_span,
                        "repeated-element",
                        tr(
                            "'{tag}' takes one '{tag2}' only, the first is in line {line}; merge them or remove one",
                            tag=row.tag,
                            tag2=child.tag,
                            line=first.line,
                        ),
                    )
            self.element(child, child_row, inside, copies, in_default)
        self.unchecked -= row.transparent

    def ignored(self, node: Node) -> None:
        """Report an element without effect that is not valid MJCF, whatever its values."""
        walk = _Walk(Diagnostics(), self.defaults)
        walk.element(node, schema.ELEMENTS[node.tag], schema.ELEMENTS["body"], None, False)
        self.diagnostics.extend(item for item in walk.diagnostics.errors if item.code in _FORM)

    def unknown_element(self, node: Node, parent: ElementRow, inside: ElementRow, known: dict[str, ElementRow]) -> None:
        for each in node.iter():
            # these names are meant to exist: no second error for each reference to them
            name = each.get("name")
            if name:
                self.unplaced.add(name)
        tag = node.tag
        if (inside.id, tag) in exceptions.IGNORED_ELEMENTS:
            message = tr(
                "'{tag}' directly in '{parent}' is ignored; put it in 'worldbody' to make it part of the model",
                tag=tag,
                parent=inside.tag,
            )
            self.diagnostics.warning(node.tag_span, "ignored-element", message)
            self.ignored(node)
            return
        removed = exceptions.REMOVED_ELEMENTS.get((inside.id, tag))
        if removed is not None:
            message = tr(
                "unknown element '{tag}' in '{parent}'; {remedy}", tag=tag, parent=inside.tag, remedy=tr(removed)
            )
            self.diagnostics.error(node.tag_span, "unknown-element", message)
            return
        within = parent.tag if parent is inside else tr("{tag} in {parent}", tag=parent.tag, parent=inside.tag)
        guess = schema.suggestion(self.diagnostics, "unknown-element", tag, known)
        places = [place for kind in schema.kinds(tag) for place in schema.parents(kind) if not place.transparent]
        if places:
            tags = list(dict.fromkeys(place.tag for place in places))
            message = tr(
                "'{tag}' does not belong in '{parent}'; it belongs in {places}",
                tag=tag,
                parent=within,
                places=any_of(_quoted(tags)),
            )
            if guess is not None and guess != tag:
                message = tr("{message} (did you mean '{guess}'?)", message=message, guess=guess)
            if inside is schema.ROOT:
                message = tr(
                    "{message}; if this file is a part that others include, open one of those", message=message
                )
            facts = meant(tag, guess if guess != tag else None)
            self.diagnostics.error(node.tag_span, "misplaced-element", message, facts)
            return
        message = tr("unknown element '{tag}' in '{parent}'", tag=tag, parent=within)
        if guess is not None:
            message = tr("{message}; did you mean '{guess}'?", message=message, guess=guess)
        else:
            tags = {row.tag for row in schema.ELEMENTS.values()}
            elsewhere = schema.suggestion(self.diagnostics, "unknown-element", tag, tags)
            if elsewhere is not None:
                tags = list(dict.fromkeys(p.tag for kind in schema.kinds(elsewhere) for p in schema.parents(kind)))
                message = (
                    tr(
                        "{message}; '{tag}' belongs in {places}",
                        message=message,
                        tag=elsewhere,
                        places=any_of(_quoted(tags)),
                    )
                    if tags
                    else tr("{message}; a model has one", message=message)
                )
            elif known and len(known) <= 12:
                message = tr("{message}; it takes {names}", message=message, names=all_of(_quoted(list(known))))
            elif known:
                message = tr("{message}; remove it", message=message)
            else:
                message = tr("{message}; it takes no elements", message=message)
        self.diagnostics.error(node.tag_span, "unknown-element", message, meant(tag, guess))

    # ---------------------------------------------------------------------------------------- attributes

    def attributes(self, node: Node, row: ElementRow, copies: Node | None, in_default: bool) -> dict[str, Any]:
        rows = row.attributes
        typed: dict[str, Any] = {}
        for attribute in node.attributes:
            name = attribute.name
            known = rows.get(name)
            if known is None:
                self.unknown_attribute(attribute, row)
                continue
            if known.type == "keyword":
                removed = exceptions.REMOVED_CHOICES.get((row.id, name, attribute.value))
                if removed is not None:
                    message = tr(
                        "{name}: '{value}' is no longer part of MJCF; {remedy}",
                        name=name,
                        value=attribute.value,
                        remedy=tr(removed),
                    )
                    self.diagnostics.error(attribute, "bad-choice", message)
                    continue
            value = values.parse(attribute, known, self.diagnostics)
            if value is None:
                if known.required and values.is_blank(attribute.value, known):
                    self.diagnostics.error(
                        attribute,
                        "missing-attribute",
                        tr("'{tag}' needs a value for {name}: {help}", tag=row.tag, name=name, help=tr(known.help)),
                    )
                continue
            typed[name] = value
            if known.declares is not None:
                if row.id != "default":
                    self.declare(known.declares, value, attribute, copies)
            elif known.refers is not None:
                self.refer(attribute, known, value, node, in_default)
        if len(typed) < len(rows):
            for known in _required(row):
                if known.name not in typed and node.attribute(known.name) is None:
                    self.diagnostics.error(
                        node.tag_span,
                        "missing-attribute",
                        tr(
                            "'{tag}' needs the attribute '{name}' ({type_text}): {help}",
                            tag=row.tag,
                            name=known.name,
                            type_text=known.type_text,
                            help=tr(known.help),
                        ),
                    )
        if row.name_from is not None and not typed.get("name"):
            path = typed.get(row.name_from)
            if path:
                stem = PurePosixPath(path.replace("\\", "/")).name.rpartition(".")[0] or path
                self.declare(rows["name"].declares, stem, node.attribute(row.name_from), copies)
        elif row.id == "asset.model" and "name" not in typed:
            self.open_namespaces.add("model")
        return typed

    def unknown_attribute(self, attribute: Attribute, row: ElementRow) -> None:
        name = attribute.name
        message = tr("unknown attribute '{name}' of '{tag}'", name=name, tag=row.tag)
        removed = exceptions.REMOVED_ATTRIBUTES.get((row.id, name))
        if removed is not None:
            self.diagnostics.error(attribute.name_span, "unknown-attribute", f"{message}; {tr(removed)}")
            return
        is_checked = row.in_schema and not self.unchecked
        severity = Severity.ERROR if is_checked else Severity.WARNING
        guess = schema.suggestion(self.diagnostics, "unknown-attribute", name, row.attributes, severity)
        related = _related_with(name, row)
        if related is not None and (guess is None or guess.lower() != name.strip().lower()):
            message = tr("{message}; it belongs to '{tag}'", message=message, tag=related.tag)
            if guess is not None:
                message = tr("{message} (did you mean '{guess}'?)", message=message, guess=guess)
        elif guess is not None:
            message = tr("{message}; did you mean '{guess}'?", message=message, guess=guess)
        elif not row.attributes:
            message = tr("{message}, which takes none; remove it", message=message)
        else:
            message = tr("{message}; remove it", message=message)
        facts = meant(name, guess if guess is not None or related is not None else REMOVE)
        if is_checked:
            self.diagnostics.error(attribute.name_span, "unknown-attribute", message, facts)
        else:
            # the reference does not check frame, replicate and what is inside, so models with such slips exist
            self.diagnostics.warning(
                attribute.name_span, "unknown-attribute", tr("{message} (it has no effect)", message=message), facts
            )

    # ---------------------------------------------------------------------------------------- names

    def declare(self, namespace: str | None, name: str, where: Attribute | None, copies: Node | None) -> None:
        if namespace is None or not name or where is None:
            return
        if name in exceptions.IMPLICIT_NAMES.get(namespace, ()):
            message = tr(
                "the {namespace} name '{name}' is taken by the {name} itself; choose another name",
                namespace=namespace,
                name=name,
            )
            self.diagnostics.error(where, "repeated-name", message)
            return
        if copies is not None:
            # copies get numbers, so that only names inside the same replicate can meet
            self.beginnings.add(name)
            scope = f"{namespace} in {id(copies)}"
            self.names.setdefault(namespace, {}).setdefault(name, where)
        else:
            scope = namespace + " "
        names = self.names.setdefault(scope, {})
        first = names.setdefault(name, where)
        if first is where:
            if copies is None:
                self.names.setdefault(namespace, {})[name] = where
            return
        there = (
            tr("line {line}", line=first.line)
            if where.node.source is first.node.source
            else tr("line {line} of {path}", line=first.line, path=first.node.source.path)
        )
        self.diagnostics.error(
            where,
            "repeated-name",
            tr(
                "the {namespace} name '{name}' is taken, first in {there}; choose another name",
                namespace=namespace,
                name=name,
                there=there,
            ),
        )

    def prefix(self, prefix: str, with_empty: bool = True) -> None:
        if prefix:
            self.beginnings.add(prefix)
        elif with_empty:
            self.anything_named = True
        else:
            # a composite without prefix names its parts B..., J..., G..., S... and so on
            self.beginnings.update(("B", "J", "G", "S", "T"))

    def refer(self, attribute: Attribute, row: AttributeRow, value: Any, node: Node, in_default: bool) -> None:
        namespace = schema.referred(row, node)
        if namespace is None:
            return
        if namespace == "class":
            if self.defaults.find(value) is None:
                self.references.append(_Reference(attribute, namespace, value, False))
            return
        for name in value if isinstance(value, list) else (value,):
            if name:
                self.references.append(_Reference(attribute, namespace, name, in_default))
            elif row.required:
                self.diagnostics.error(
                    attribute,
                    "missing-attribute",
                    tr("{name} is empty; name the {namespace} that is meant", name=attribute.name, namespace=namespace),
                )

    def check_reference(self, reference: _Reference) -> None:
        namespace, name = reference.namespace, reference.value
        if namespace == "class":
            guess = schema.suggestion(self.diagnostics, "undefined-class", name, self.defaults.classes)
            message = tr("there is no default class '{name}'", name=name)
            message = (
                tr("{message}; did you mean '{guess}'?", message=message, guess=guess)
                if guess
                else tr("{message}; declare it inside <default>, or remove the attribute", message=message)
            )
            self.diagnostics.error(reference.attribute, "undefined-class", message, meant(name, guess))
            return
        known = self.names.get(namespace, {})
        if name in known or name in exceptions.IMPLICIT_NAMES.get(namespace, ()):
            return
        if namespace in self.open_namespaces or self.anything_named or name in self.unplaced:
            return
        if self.beginnings and any(name[:end] in self.beginnings for end in range(1, len(name) + 1)):
            return
        message = tr("there is no {namespace} named '{name}'", namespace=namespace, name=name)
        guess = schema.suggestion(
            self.diagnostics, "undefined-reference", name, chain(known, exceptions.IMPLICIT_NAMES.get(namespace, ()))
        )
        others = [space for space, names in self.names.items() if name in names and " " not in space]
        if guess is not None:
            message = tr("{message}; did you mean '{guess}'?", message=message, guess=guess)
        elif others:
            message = tr("{message}; there is a {kind} of that name", message=message, kind=others[0])
        elif not known:
            message = tr(
                "{message}; the model declares no {namespace} with a name", message=message, namespace=namespace
            )
        else:
            message = tr("{message}; declare it, or correct the name", message=message)
        if reference.in_default:
            # the reference complains only if an element uses the setting
            self.diagnostics.warning(reference.attribute, "undefined-reference", message, meant(name, guess))
        else:
            self.diagnostics.error(reference.attribute, "undefined-reference", message, meant(name, guess))

    def error(self, where: Attribute | None, node: Node, code: str, message: str) -> None:
        if where is None:
            self.diagnostics.error(node.tag_span, code, f"'{node.tag}': {message}")
        else:
            self.diagnostics.error(where, code, f"{where.name}: {message}")


def _quoted(tags: list[str]) -> list[str]:
    quoted = [f"'{tag}'" for tag in tags[:5]]
    return [*quoted, tr("others")] if len(tags) > 5 else quoted


def _related_with(name: str, row: ElementRow) -> ElementRow | None:
    """A kind near `row` that has the attribute: a child, a parent, or one that stands beside it."""
    near = [schema.ELEMENTS[child] for child in row.children]
    parents = schema.parents(row)
    near += parents
    near += [schema.ELEMENTS[child] for parent in parents for child in parent.children]
    for kind in near:
        if kind.id != row.id and name in kind.attributes:
            return kind
    return None
