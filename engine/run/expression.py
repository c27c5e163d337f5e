"""Quantities as text: what a plot draws, a watch list shows and a condition tests.

    height = parse(model, 'body("torso").xpos[2] - 0.5 * model.stat.extent')
    height.channels                     # what a Recorder has to record for it
    height.of_columns(chunk.values)     # one row for each recorded step
    height.of_state(data)               # the same numbers from a Data or a Snapshot

A text may have

    fields of Data      qpos[3], xpos[2,1], ctrl[0:4], energy, time, contact.dist[0], ncon; `data.` may stand before
    objects by name     joint("knee").qvel, body("torso").xpos[2], actuator(0).force; sensor("gyro") is its values
    contact forces      contact("floor", "foot").normal: of two geoms; contact("foot"): of one with anything;
                        contact(body("leg"), body("chair")): of all geoms of two bodies
    fields of Model     model.body_mass[2], model.body("torso").mass, model.opt.timestep: constants, as compiled
    arithmetic          + - * / // % **, comparisons (1 or 0), and, or, not, `a if condition else b`
    functions           those of FUNCTIONS: sqrt, sin, norm, ...
    a compared model    other.qpos[3], other.body("torso").xpos[2], other(energy[0] + energy[1]): of the model that is
                        simulated beside this one, if there is one; `qpos[3] - other.qpos[3]` combines both

A value has any number of columns: `qpos` has nq, `norm(qvel)` has one. Operators work on each column; a single column
combines with any number. Contacts and constraint rows come and go: one row of them, contact.dist[0], is not a number
(nan) while it is not there; sum, norm, min and max take all that are.

The text is parsed by Python's `ast` and translated, node by node, to a tree of three kinds of nodes. Nothing in it is
ever run as Python.
"""

from __future__ import annotations

import ast
import difflib
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.arithmetic import CONSTANTS, FUNCTIONS, Arithmetic, is_number, parsed, truth, where
from kinetree.engine.expression_syntax import InvalidSyntax
from kinetree.engine.model import kinds
from kinetree.engine.model.fields import by_name
from kinetree.engine.run.contact_recording import COUNT, DISTANCE, FORCE, FRICTION, NORMAL
from kinetree.engine.run.expression_names import OTHER, RECORDED, attributes, field_of, kind_of
from kinetree.engine.run.expression_tree import (
    Apply,
    ColumnSelection,
    Constant,
    Expression,
    Node,
    ObjectReference,
    RecordedColumns,
)
from kinetree.engine.run.recorder import OPERATIONS, Channel, ContactSide, channel, contact_side, contacts_between
from kinetree.engine.translation import all_of, marked, tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

LONGEST = 2000
"""Characters of a text."""
WIDEST = 4096
"""Columns of a value."""
GROUPS = {"contact": "contact_", "solver": "solver_"}
"""data.contact.dist is the field contact_dist."""
CONTACT_ATTRIBUTES: dict[str, tuple[tuple[int, ...], str]] = {
    "normal": ((NORMAL,), marked("sum of the normal forces, N")),
    "friction": ((FRICTION,), marked("sum of the lengths of the friction forces, N")),
    "force": (tuple(range(FORCE, FORCE + 3)), marked("force on the second side, in world axes, N")),
    "count": ((COUNT,), marked("number of contacts")),
    "distance": ((DISTANCE,), marked("least distance, negative in penetration, m; not a number without contacts")),
}
"""Attributes of contact(...): columns of its channel, and help."""
CONTACT_SIDES = ("geom", "body", "flex")
"""Kinds of objects that may be a side of a contact."""
MODEL_GROUPS = {"opt": "opt_", "stat": "stat_"}
NOT_COMPARED = marked("no model is compared: choose one in File > Compare")


class ExpressionError(ValueError):
    """A text that is not an expression. `column`, `end`: where, from 1; the end is past the last character."""

    def __init__(self, message: str, column: int = 1, end: int = 0):
        super().__init__(f"column {column}: {message}")
        self.message, self.column, self.end = message, column, max(end, column + 1)


# ---- operators -----------------------------------------------------------------------------------------------

_COMPARE: dict[type, Callable[..., np.ndarray]] = {
    ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater, ast.GtE: np.greater_equal,
    ast.Eq: np.equal, ast.NotEq: np.not_equal,
}  # fmt: skip


# ---- what a name stands for, while a text is read --------------------------------------------------------------


@dataclass(frozen=True)
class _Array:
    """Entries of a field of Data (`entries`: flat indices), or numbers of the model (field ""). Here and below,
    `is_other`: of the model that is compared."""

    field: str
    entries: np.ndarray
    is_other: bool


@dataclass(frozen=True)
class _RowsField:
    """A field of Data whose number of rows changes; each has the shape `inner`."""

    field: str
    inner: tuple[int, ...]
    is_other: bool


@dataclass(frozen=True)
class _Group:
    """Fields of Data or Model with a common prefix: contact, model.opt; `prefix` is "" for all of them. With table ""
    all fields of the compared model: those of Data unless `model` follows.
    """

    table: str
    prefix: str
    is_other: bool


@dataclass(frozen=True)
class _Object:
    """An object of the model. `table`: whose fields its attributes are."""

    table: str
    kind: str
    id: int
    is_other: bool


@dataclass(frozen=True)
class _Contacts:
    """The contacts between two sides, or of one with anything."""

    channel: Channel


_Meaning = Constant | RecordedColumns | Apply | _Array | _RowsField | _Group | _Object | _Contacts


def parse(model: Model, text: str, other: Model | None = None) -> Expression:
    """Read a text; `other`: the model that is compared with this one. Raises ExpressionError, with the column and a
    remedy."""
    flat = " ".join(text.splitlines())
    stripped = flat.strip()
    if not stripped:
        raise ExpressionError(tr("there is nothing here; write a quantity, like qpos[0] or norm(qvel)"))
    if len(stripped) > LONGEST:
        raise ExpressionError(tr("longer than {most} characters; split it into several", most=LONGEST), LONGEST)
    try:
        return _Translator(model, stripped, other).read(parsed(stripped))
    except InvalidSyntax as error:
        raise ExpressionError(error.message, error.start + 1, error.end + 1) from None
    except (RecursionError, MemoryError):
        raise ExpressionError(tr("nested too deeply; split it into several")) from None


class _Translator(Arithmetic[Node]):
    """Translates the nodes of `ast` to ours."""

    def __init__(self, model: Model, text: str, other: Model | None):
        self.text = text
        self.models: tuple[Model, Model | None] = model, other
        self.in_other = False  # whether names without a prefix are of the other model
        self.reads_other = False
        self.channels: dict[Channel, int] = {}  # -> its first column
        self.columns = 0
        self.references: list[ObjectReference] = []

    def read(self, body: ast.expr) -> Expression:
        meaning = self.values_of(self.meaning(body), body)
        node = self.node(meaning, body)
        labels = self.labels(meaning, node.width)
        return Expression(self.text, tuple(self.channels), labels, tuple(self.references), self.reads_other, node)

    def model(self, is_other: bool) -> Model:
        """The model that a meaning is of."""
        found = self.models[is_other]
        assert found is not None
        return found

    @contextmanager
    def other(self, at: ast.AST) -> Iterator[None]:
        """Context in which names refer to the compared model."""
        if self.models[1] is None:
            raise self.fail(at, tr(NOT_COMPARED))
        before = self.in_other
        self.in_other = self.reads_other = True
        yield
        self.in_other = before

    def fail(self, node: ast.AST, message: str) -> ExpressionError:
        start, end = self.place(node)
        return ExpressionError(message, start + 1, end + 1)

    def place(self, node: ast.AST) -> tuple[int, int]:
        """Where a node stands, in characters from 0."""
        data = self.text.encode()
        start, end = (len(data[: getattr(node, name)].decode()) for name in ("col_offset", "end_col_offset"))
        return start, end

    def labels(self, meaning: _Meaning, width: int) -> tuple[str, ...]:
        """A name for each column. Parts of a field are called by the text with their index in it."""
        text = self.text
        if width == 1:
            return (text,)
        shape = meaning.entries.shape if isinstance(meaning, _Array) else (width,)
        if isinstance(meaning, _Array) and not text.endswith("]"):
            return tuple(f"{text}[{','.join(map(str, index))}]" for index in np.ndindex(shape))
        prefix = f"{OTHER}." if isinstance(meaning, _Array) and meaning.is_other else ""
        if isinstance(meaning, _Array) and meaning.field and text.startswith(prefix + meaning.field):
            row = by_name("Data")[meaning.field]
            sizes = self.model(meaning.is_other).sizes
            whole = tuple(n if isinstance(n, int) else sizes.get(n, 1 << 20) for n in row.shape)
            places = zip(*np.unravel_index(meaning.entries.ravel(), (1 << 20, *whole[1:])), strict=True)
            return tuple(f"{prefix}{meaning.field}[{','.join(map(str, place))}]" for place in places)
        if isinstance(meaning, RecordedColumns):
            return tuple(f"{text}[{k}]" for k in range(width))
        return tuple(f"({text})[{k}]" for k in range(width))

    # ---- meanings --------------------------------------------------------------------------------------

    def meaning(self, node: ast.expr) -> _Meaning:
        read = _READERS.get(type(node))
        if read is None:
            raise self.fail(
                node,
                tr(
                    "{type} is not part of expressions; {hint}",
                    type=tr(_NOT_PART.get(type(node), marked("this"))),
                    hint=tr(_PARTS),
                ),
            )
        return read(self, node)

    def values_of(self, meaning: _Meaning, at: ast.AST) -> _Meaning:
        """A sensor stands for its values."""
        if isinstance(meaning, _Object) and meaning.kind == "sensor" and meaning.table == "Data":
            return self.attribute_of(meaning, "data", at)
        return meaning

    def value(self, node: ast.expr) -> Node:
        return self.node(self.meaning(node), node)

    def node(self, meaning: _Meaning, at: ast.AST) -> Node:
        """Syntax tree node of a value that can be computed."""
        meaning = self.values_of(meaning, at)
        if isinstance(meaning, _RowsField):
            raise self.fail(
                at,
                tr(
                    "the number of rows of {field} changes; name one, {field}[0], or write sum({field}), norm, "
                    "min or max",
                    field=meaning.field,
                ),
            )
        if isinstance(meaning, _Contacts):
            raise self.fail(
                at, tr("which number of these contacts? Add one of .{names}", names=", .".join(CONTACT_ATTRIBUTES))
            )
        if isinstance(meaning, _Object):
            known = attributes(self.model(meaning.is_other), meaning.kind, meaning.table)
            example = ", ".join("." + name for name in known[:4])
            raise self.fail(
                at, tr("which number of this {kind}? Add one of {example} ...", kind=meaning.kind, example=example)
            )
        if isinstance(meaning, _Group):
            raise self.fail(at, tr("this is a group of fields; add a dot and the name of one"))
        if isinstance(meaning, _Array):
            if not meaning.entries.size:
                raise self.fail(at, tr("this is empty in this model"))
            if meaning.entries.size > WIDEST:
                raise self.fail(
                    at,
                    tr(
                        "{size} numbers are more than {most}; take a part, like [0:10]",
                        size=meaning.entries.size,
                        most=WIDEST,
                    ),
                )
            if not meaning.field:
                return Constant(tuple(meaning.entries.ravel().tolist()))
            return RecordedColumns(tuple(self.record(meaning)))
        return meaning

    def record(self, meaning: _Array) -> list[int]:
        """The columns of entries of a field: consecutive ones are one channel."""
        entries = meaning.entries.ravel()
        columns: list[int] = []
        cuts = np.flatnonzero(np.diff(entries) != 1) + 1
        for part in np.split(entries, cuts):
            item = Channel(meaning.field, int(part[0]), len(part), is_other=meaning.is_other)
            columns += range(start := self.column(item), start + len(part))
        return columns

    def column(self, item: Channel) -> int:
        """The first column of a channel; a channel is recorded once."""
        if item not in self.channels:
            self.channels[item] = self.columns
            self.columns += item.width
        return self.channels[item]

    # ---- names -----------------------------------------------------------------------------------------

    def read_name(self, node: ast.Name) -> _Meaning:
        name = node.id
        if name in CONSTANTS:
            return Constant((CONSTANTS[name],))
        if name == OTHER:
            with self.other(node):
                return _Group("", "", True)
        if name in ("data", "model"):
            return _Group(name.capitalize(), "", self.in_other)
        if name in GROUPS:
            return _Group("Data", GROUPS[name], self.in_other)
        if name in FUNCTIONS:
            raise self.fail(
                node, tr("{name} is a function; write {signature}", name=name, signature=FUNCTIONS[name].signature)
            )
        if kind_of(name) is not None:
            raise self.fail(node, tr('which {name}? Write {name}("NAME") or {name}(0)', name=name))
        return self.field("Data", name, node, self.in_other)

    def field(self, table: str, name: str, at: ast.AST, is_other: bool) -> _Meaning:
        """A field of Data or of Model, whole."""
        row = by_name(table).get(name)
        if row is None and table == "Data" and name in by_name("Model"):
            raise self.fail(at, tr("{name} belongs to the model; write model.{name}", name=name))
        if row is None or (table == "Data" and row.role not in ("state", "input", "output")):
            if row is not None:
                raise self.fail(at, tr("{name} is working memory of the engine, and cannot be recorded", name=name))
            known = [f for f in by_name(table) if table == "Model" or by_name("Data")[f].role in RECORDED]
            if table == "Data":
                known += [*FUNCTIONS, *kinds.KINDS, *CONSTANTS, *GROUPS]
            raise self.fail(at, tr("there is no {name}{guess}", name=name, guess=_guess(name, known)))
        if table == "Model":
            return _Array("", np.asarray(getattr(self.model(is_other), name), np.float64), is_other)
        sizes = self.model(is_other).sizes
        if row.grows:
            return _RowsField(name, tuple(n if isinstance(n, int) else sizes[n] for n in row.shape[1:]), is_other)
        shape = tuple(n if isinstance(n, int) else sizes[n] for n in row.shape)
        return _Array(name, np.arange(math.prod(shape)).reshape(shape), is_other)

    def read_attribute(self, node: ast.Attribute) -> _Meaning:
        owner, name = self.meaning(node.value), node.attr
        if isinstance(owner, _Group):
            if not owner.table and name in ("data", "model"):
                return _Group(name.capitalize(), "", owner.is_other)
            table = owner.table or "Data"
            groups = (GROUPS if table == "Data" else MODEL_GROUPS) if not owner.prefix else {}
            if name in groups:
                return _Group(table, groups[name], owner.is_other)
            return self.field(table, owner.prefix + name, node, owner.is_other)
        if isinstance(owner, _Object):
            return self.attribute_of(owner, name, node)
        if isinstance(owner, _Contacts):
            if name not in CONTACT_ATTRIBUTES:
                raise self.fail(
                    node, tr("contacts have no .{name}{guess}", name=name, guess=_guess(name, list(CONTACT_ATTRIBUTES)))
                )
            first = self.column(owner.channel)
            return RecordedColumns(tuple(first + k for k in CONTACT_ATTRIBUTES[name][0]))
        raise self.fail(
            node, tr("a number has no .{name}; only objects like body(0), and data and model, have fields", name=name)
        )

    def attribute_of(self, owner: _Object, name: str, at: ast.AST) -> _Meaning:
        """Value of an object's attribute: its row of a field."""
        found = field_of(owner.kind, name, owner.table)
        model = self.model(owner.is_other)
        parts = kinds.parts(model, owner.kind, owner.id)
        if found is None or by_name(owner.table)[found].shape[0] not in parts:
            known = attributes(model, owner.kind, owner.table)
            raise self.fail(
                at, tr("a {kind} has no .{name}{guess}", kind=owner.kind, name=name, guess=_guess(name, known))
            )
        whole = self.field(owner.table, found, at, owner.is_other)
        assert isinstance(whole, _Array)
        entries = whole.entries[parts[str(by_name(owner.table)[found].shape[0])]]
        return _Array(whole.field, entries[0] if len(entries) == 1 else entries, whole.is_other)

    # ---- calls -----------------------------------------------------------------------------------------

    def read_call(self, node: ast.Call) -> _Meaning:
        if node.keywords:
            raise self.fail(node.keywords[0].value, tr("arguments have no names here; write them in order"))
        if isinstance(node.func, ast.Attribute):
            owner = self.meaning(node.func.value)
            if isinstance(owner, _Group) and not owner.table:
                with self.other(node):
                    return self.call(node, node.func.attr)
            if isinstance(owner, _Group) and not owner.prefix:
                return self.object(node, node.func.attr, owner.table, owner.is_other)
            raise self.fail(node.func, tr("there is no function .{attr}()", attr=node.func.attr))
        if not isinstance(node.func, ast.Name):
            raise self.fail(node.func, tr("this cannot be called"))
        if node.func.id == OTHER:
            if len(node.args) != 1:
                raise self.fail(node, tr("other takes one expression: other(energy[0] + energy[1])"))
            with self.other(node.func):
                return self.meaning(node.args[0])
        return self.call(node, node.func.id)

    def call(self, node: ast.Call, name: str) -> _Meaning:
        """A function, contacts or an object by its name."""
        if name in FUNCTIONS:
            return self.function(node, name)
        if name == "contact":
            return self.contacts(node)
        return self.object(node, name, "Data", self.in_other)

    def contacts(self, node: ast.Call) -> _Contacts:
        """contact("floor", "foot"), contact("foot"), contact(body("leg"), 3): names and numbers are those of geoms."""
        if not 1 <= len(node.args) <= 2:
            raise self.fail(
                node, tr('name one or two geoms: contact("floor", "foot"), or body("...") for all of a body')
            )
        sides: list[ContactSide] = []
        for argument in node.args:
            if isinstance(argument, ast.Constant):
                geom = self.one("geom", argument, argument, self.in_other)
                sides.append(contact_side(self.model(self.in_other), "geom", geom))
                continue
            found = self.meaning(argument)
            if not isinstance(found, _Object) or found.kind not in CONTACT_SIDES:
                raise self.fail(argument, tr("a side of a contact is a geom, a body or a flex"))
            if found.is_other != self.in_other:
                raise self.fail(argument, tr("both sides of a contact are of one model; write other.contact(...)"))
            sides.append(contact_side(self.model(self.in_other), found.kind, found.id))
        first = sides[0] if len(sides) == 2 else contact_side(self.model(self.in_other), "", -1)
        return _Contacts(replace(contacts_between(first, sides[-1]), is_other=self.in_other))

    def object(self, node: ast.Call, name: str, table: str, is_other: bool) -> _Object:
        """body("torso"), joint(3)."""
        kind = kind_of(name)
        if kind is None:
            known = [*FUNCTIONS, *kinds.KINDS]
            raise self.fail(
                node.func,
                tr("there is no function or kind of object {name}{guess}", name=name, guess=_guess(name, known)),
            )
        argument = node.args[0] if len(node.args) == 1 else None
        return _Object(table, kind, self.one(kind, argument, node, is_other), is_other)

    def one(self, kind: str, argument: ast.expr | None, at: ast.AST, is_other: bool) -> int:
        """The id of the object of a kind that an argument names, or has the number of."""
        key = argument.value if isinstance(argument, ast.Constant) else None
        if argument is None or isinstance(key, bool) or not isinstance(key, str | int):
            raise self.fail(at, tr('name one {kind}: {kind}("NAME") or {kind}(0)', kind=kind))
        model = self.model(is_other)
        count = kinds.KINDS[kind].count(model)
        if isinstance(key, int):
            if key >= count:
                raise self.fail(argument, tr("this model has {count}, numbered from 0", count=_count(kind, count)))
            self.references.append(ObjectReference(kind, key, *self.place(argument), is_other))
            return key
        names = model.names.get(kind, [])
        id = 0 if kind == "body" and key == "world" else names.index(key) if key and key in names else -1
        if id < 0:
            known = [each for each in names if each]
            hint = (
                _guess(key, known) if count else tr("; this model has no {plural}", plural=tr(kinds.KINDS[kind].plural))
            )
            raise self.fail(argument, tr("no {kind} is named {key!r}{hint}", kind=kind, key=key, hint=hint))
        self.references.append(ObjectReference(kind, id, *self.place(argument), is_other))
        return id

    def function(self, node: ast.Call, name: str) -> Node:
        row = FUNCTIONS[name]
        if not row.least <= len(node.args) <= row.most:
            raise self.fail(node, tr("{name} takes other arguments: {signature}", name=name, signature=row.signature))
        meanings = [self.values_of(self.meaning(argument), argument) for argument in node.args]
        if len(meanings) == 1 and name in OPERATIONS:
            only = meanings[0]
            if isinstance(only, _RowsField):
                item = channel(self.model(only.is_other), f"{name}({only.field})")
                return RecordedColumns((self.column(replace(item, is_other=only.is_other)),))
            if isinstance(only, _Array) and only.field and only.entries.size > 1:
                entries = only.entries.ravel()
                if (np.diff(entries) == 1).all():
                    item = Channel(only.field, int(entries[0]), len(entries), name, is_other=only.is_other)
                    return RecordedColumns((self.column(item),))
        values = [self.node(meaning, argument) for meaning, argument in zip(meanings, node.args, strict=True)]
        reduces = name in ("sum", "norm", "mean", "dot") or (name in ("min", "max") and len(values) == 1)
        width = self.common(values, node)
        return Apply(row.compute, tuple(values), 1 if reduces else width)

    # ---- operators -------------------------------------------------------------------------------------

    def common(self, values: Sequence[Node], at: ast.AST) -> int:
        """The common number of columns of several values."""
        widths = {value.width for value in values if value.width != 1}
        if len(widths) > 1:
            numbers = all_of([str(value.width) for value in values])
            raise self.fail(
                at,
                tr(
                    "these have {numbers} columns; take one of each with [0], or parts of equal length", numbers=numbers
                ),
            )
        return widths.pop() if widths else 1

    def apply(self, function: Callable[..., np.ndarray], values: Sequence[Node], at: ast.AST) -> Apply:
        return Apply(function, tuple(values), self.common(values, at))

    def number(self, number: float) -> Node:
        return Constant((number,))

    def read_number(self, node: ast.Constant) -> Node:
        if not is_number(node):
            if isinstance(node.value, str):
                raise self.fail(node, tr('a text stands only in the brackets of an object, as in body("torso")'))
            raise self.fail(node, tr("this is not a number; {hint}", hint=tr(_PARTS)))
        return super().read_number(node)

    def read_unary(self, node: ast.UnaryOp) -> Node:
        if isinstance(node.op, ast.Not):
            return self.apply(_not, [self.value(node.operand)], node)
        if isinstance(node.op, ast.Invert):
            raise self.fail(node, tr("write not for the opposite of a condition"))
        return self.read_sign(node)

    def read_compare(self, node: ast.Compare) -> Node:
        values = [self.value(each) for each in [node.left, *node.comparators]]
        parts = []
        for operator, left, right in zip(node.ops, values, values[1:], strict=False):
            if type(operator) not in _COMPARE:
                raise self.fail(node, tr("comparisons are < <= > >= == and !="))
            parts.append(self.apply(_Comparison(_COMPARE[type(operator)]), [left, right], node))
        return parts[0] if len(parts) == 1 else self.apply(_and, parts, node)

    def read_logic(self, node: ast.BoolOp) -> Node:
        values = [self.value(each) for each in node.values]
        return self.apply(_and if isinstance(node.op, ast.And) else _or, values, node)

    def read_choice(self, node: ast.IfExp) -> Node:
        return self.apply(where, [self.value(each) for each in (node.test, node.body, node.orelse)], node)

    # ---- indices ---------------------------------------------------------------------------------------

    def read_subscript(self, node: ast.Subscript) -> _Meaning:
        owner = self.values_of(self.meaning(node.value), node.value)
        if isinstance(owner, _Object | _Group | _Contacts):
            raise self.fail(node.value, tr("this has no index; add a dot and the name of a field before it"))
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        index = tuple(self.index(item) for item in items)
        if isinstance(owner, _RowsField):
            first = index[0]
            if not isinstance(first, int) or first < 0:
                raise self.fail(node, tr("the number of rows changes; name one, like {field}[0]", field=owner.field))
            row = math.prod(owner.inner)
            entries = first * row + np.arange(row).reshape(owner.inner)
            owner = _Array(owner.field, entries, owner.is_other)
            index = index[1:]
        entries = owner.entries if isinstance(owner, _Array) else np.arange(owner.width)
        if len(index) > entries.ndim:
            what = (
                tr("it has {count}", count=_count(marked("index"), entries.ndim))
                if entries.ndim
                else tr("a single number has no index")
            )
            raise self.fail(node, tr("there are too many indices: {what}", what=what))
        try:
            part = np.asarray(entries[index])
        except IndexError:
            lengths = " by ".join(map(str, entries.shape))
            raise self.fail(
                node, tr("the index is too large: there are {lengths} entries, counted from 0", lengths=lengths)
            ) from None
        if not part.size:
            raise self.fail(node, tr("there is nothing in this range"))
        if isinstance(owner, _Array):
            return _Array(owner.field, part, owner.is_other)
        return Apply(ColumnSelection(tuple(part.ravel().tolist())), (owner,), part.size)

    def index(self, node: ast.expr) -> int | slice:
        """An index, -1 for the last, or a range."""
        if isinstance(node, ast.Slice):
            bounds = [None if part is None else self.integer(part) for part in (node.lower, node.upper, node.step)]
            if bounds[2] == 0:
                raise self.fail(node, tr("a range cannot go in steps of 0"))
            return slice(*bounds)
        return self.integer(node)

    def integer(self, node: ast.expr) -> int:
        sign = -1 if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else 1
        number = node.operand if isinstance(node, ast.UnaryOp) and sign < 0 else node
        if isinstance(number, ast.Constant) and type(number.value) is int and number.value < 1 << 31:
            return sign * number.value
        raise self.fail(node, tr("an index is an integer, like [3], [-1], [0:4] or [2,1]"))


_READERS: dict[type, Callable[[_Translator, Any], _Meaning]] = {
    ast.Constant: _Translator.read_number, ast.Name: _Translator.read_name, ast.Attribute: _Translator.read_attribute,
    ast.Call: _Translator.read_call, ast.BinOp: _Translator.read_binary, ast.UnaryOp: _Translator.read_unary,
    ast.Compare: _Translator.read_compare, ast.BoolOp: _Translator.read_logic, ast.IfExp: _Translator.read_choice,
    ast.Subscript: _Translator.read_subscript,
}  # fmt: skip
_PARTS = marked("it has numbers, fields like qpos[0], objects like body(0).xpos, operators and functions")
_NOT_PART = {
    ast.Lambda: "lambda",
    ast.ListComp: marked("a comprehension"),
    ast.GeneratorExp: marked("a comprehension"),
    ast.SetComp: marked("a comprehension"),
    ast.DictComp: marked("a comprehension"),
    ast.List: marked("a list"),
    ast.Tuple: marked("a list"),
    ast.Set: marked("a set"),
    ast.Dict: marked("a dictionary"),
    ast.JoinedStr: marked("a text"),
    ast.NamedExpr: marked("an assignment"),
    ast.Starred: marked("a star"),
    ast.Await: "await",
    ast.Yield: "yield",
}


@dataclass(frozen=True)
class _Comparison:
    """A comparison whose result is 1 or 0."""

    compare: Callable[..., np.ndarray]

    def __call__(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        return truth(self.compare(left, right))


def _not(value: np.ndarray) -> np.ndarray:
    return truth(value == 0.0)


def _and(*values: np.ndarray) -> np.ndarray:
    return truth(reduce(np.logical_and, [value != 0.0 for value in values]))


def _or(*values: np.ndarray) -> np.ndarray:
    return truth(reduce(np.logical_or, [value != 0.0 for value in values]))


def _guess(name: str, known: Sequence[str]) -> str:
    """A remedy: the nearest of the known names."""
    near = difflib.get_close_matches(name, known, 1, 0.5)
    if near:
        return tr("; did you mean {name}?", name=near[0])
    return tr("; there are {names} ...", names=", ".join(known[:6])) if known else ""


def _count(kind: str, number: int) -> str:
    plural = kinds.KINDS[kind].plural if kind in kinds.KINDS else marked("indices")
    return f"{number} {tr(kind if number == 1 else plural)}"
