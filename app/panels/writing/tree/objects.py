"""Rows of objects of a compiled model: all of a binary file, which has no text, and those that replicate, attach,
composite and flexcomp made of the elements of a text. No toolkit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from kinetree.app.panels.writing.tree.elements import GeneratedRow, RowNesting
from kinetree.app.panels.writing.tree.outline import Block, block_of
from kinetree.engine.mjcf.geom_types import GEOM_TYPES
from kinetree.engine.model.kinds import KINDS, ON_BODIES, ObjectId, name_of, on_bodies
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.compile.provenance import Provenance
    from kinetree.engine.document.document import Document
    from kinetree.engine.model.model import Model

FOLDERS = (
    ("tendon", marked("Tendons")),
    ("actuator", marked("Actuators")),
    ("sensor", marked("Sensors")),
    ("equality", marked("Equalities")),
    ("flex", marked("Flexes")),
    ("skin", marked("Skins")),
    ("key", marked("Keyframes")),
)
JOINTS = {0: "free", 1: "ball", 2: "slide", 3: "hinge"}
GEOMS = {number: name for name, number in GEOM_TYPES.items()}
MANY_BODIES = 60  # a model with more opens with only the world's children shown
FIRST_DEPTH = 2  # rows of smaller models are expanded down to this depth


def objects_block(model: Model) -> Block:
    """The rows of a model: the bodies as they are nested, then one folder for each other kind."""
    seen: dict[str, int] = defaultdict(lambda: -1)

    def identity(kind: str, number: int) -> tuple:
        name = model.names[kind][number]
        if not name:
            seen[kind] += 1
        return kind, name or seen[kind]

    kinds = [kind for kind in ON_BODIES if kind != "body"]
    attached: dict[int, list[GeneratedRow]] = defaultdict(list)
    for kind in kinds:
        for body, numbers in on_bodies(model, kind).items():
            attached[body] += [_thing(model, kind, number, identity(kind, number)) for number in numbers]
    children = on_bodies(model, "body")
    bodies: dict[int, GeneratedRow] = {}
    for body in reversed(range(int(model.nbody))):
        inside = (*attached[body], *(bodies[child] for child in children.get(body, ()) if child != body))
        bodies[body] = _thing(model, "body", body, identity("body", body), inside)
    tops = [bodies[0]]
    for kind, title in FOLDERS:
        names = model.names.get(kind, [])
        if names:
            inside = tuple(_thing(model, kind, number, identity(kind, number)) for number in range(len(names)))
            tops.append(GeneratedRow(("folder", title), "folder", -1, tr(title), "", inside))
    return block_of(tops, RowNesting(None).children)


def objects_expanded(block: Block, nbody: int) -> np.ndarray:
    """Which rows of objects are expanded when a model is opened: bodies, down to some depth."""
    depth = 0 if nbody > MANY_BODIES else FIRST_DEPTH
    return np.array([item.kind == "body" for item in block.items], bool) & (block.depths <= depth)


def made_things(model: Model, document: Document) -> dict[int, GeneratedRow]:
    """For each element of the text that made objects, by id, the group of these."""
    provenance = model.provenance
    if provenance is None:
        return {}
    here: dict[int, bool] = {}
    found: dict[int, list[ObjectId]] = defaultdict(list)
    for each in provenance:
        for maker in provenance.makers(each.kind, each.id):
            if maker not in here:
                here[maker] = document.node(maker) is not None
            if here[maker]:
                found[maker].append(each)
                break
    homes = {
        ObjectId(kind, number): body
        for kind in ON_BODIES
        for body, numbers in (on_bodies(model, kind).items() if found else ())
        for number in numbers
    }
    return {maker: _group(model, maker, made, homes) for maker, made in found.items()}


def _group(model: Model, maker: int, made: list[ObjectId], homes: dict[ObjectId, int]) -> GeneratedRow:
    """The objects that one element made; `homes` has the body of each object on a body, of bodies the parent."""
    provenance = model.provenance
    assert provenance is not None
    bodies = {each.id for each in made if each.kind == "body"}
    attached: dict[int, list[GeneratedRow]] = defaultdict(list)  # by body; -1: directly in the group
    nested: dict[int, list[GeneratedRow]] = defaultdict(list)  # the last ones first
    counts: dict[str, int] = defaultdict(int)
    for each in made:
        counts[each.kind] += 1
        if each.kind != "body":
            home = homes.get(each, -1)
            attached[home if home in bodies else -1].append(_thing(model, *each, _identity(provenance, each)))
    for body in sorted(bodies, reverse=True):
        each = ObjectId("body", body)
        home = homes.get(each, -1)
        inside = (*attached[body], *reversed(nested[body]))
        nested[home if home in bodies else -1].append(_thing(model, "body", body, _identity(provenance, each), inside))
    words = [
        f"{counts[kind]} {kind if counts[kind] == 1 else KINDS[kind].plural}" for kind in sorted(counts, key=_rank)
    ]
    kinds: dict[str, list[GeneratedRow]] = defaultdict(list)
    for thing in attached[-1]:
        kinds[thing.kind].append(thing)
    groups = [
        GeneratedRow(
            ("made", maker, kind), "folder", -1, tr(KINDS[kind].plural.capitalize()), str(len(things)), tuple(things)
        )
        for kind, things in sorted(kinds.items(), key=lambda item: _rank(item[0]))
    ]
    inside = tuple(groups) if len(groups) > 1 or nested[-1] else tuple(attached[-1])
    return GeneratedRow(("made", maker), "made", -1, tr("Made"), ", ".join(words), (*reversed(nested[-1]), *inside))


def _identity(provenance: Provenance, each: ObjectId) -> tuple:
    return "made", each.kind, provenance.identities(each.kind)[each.id]


def _rank(kind: str) -> int:
    order = (*ON_BODIES, *(kind for kind, _ in FOLDERS))
    return order.index(kind) if kind in order else len(order)


def _thing(model: Model, kind: str, number: int, identity: tuple, inside: Iterable[GeneratedRow] = ()) -> GeneratedRow:
    detail = ""
    if kind == "joint":
        detail = JOINTS.get(int(model.jnt_type[number]), "")
    elif kind == "geom":
        detail = GEOMS.get(int(model.geom_type[number]), "")
    name = model.names[kind][number] if kind in model.names else ""
    if name:
        return GeneratedRow(identity, kind, number, name, detail, tuple(inside))
    text = f"{detail} {number}" if detail else name_of(model, kind, number)
    return GeneratedRow(identity, kind, number, text, "", tuple(inside))
