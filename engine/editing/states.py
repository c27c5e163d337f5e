"""Updates keyframes when the structure of a model changes.

    edits = with_states(document, edits)

A keyframe lists the positions of all joints in the order of the bodies, and so on. A step that adds, removes or moves
joints, mocap bodies or actuators makes these lists wrong; `with_states` adds the edits that correct them: existing
objects keep their numbers as written, new ones get those of the model at rest. Lists of the wrong length, and those of
models with replicate, attach, composite or flexcomp, whose copies share one element, are left alone; but see
`with_attached_joint`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from kinetree.engine.document.element_edit import ElementEdit, RemoveAttribute, SetAttribute, carry_out
from kinetree.engine.editing import numbers
from kinetree.engine.editing.context import Context, context_of
from kinetree.engine.editing.pose import NotPlaced, place
from kinetree.engine.geometry.orientation import START
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node
    from kinetree.engine.model.model import Model

MADE = ("replicate", "composite", "flexcomp", "attach")
"""Elements that make bodies and joints of their own."""
LISTS = ("qpos", "qvel", "act", "ctrl", "mpos", "mquat")
"""The attributes of a keyframe whose numbers belong to elements."""
_WORD = re.compile(r"\S+")

Slots = dict[int, tuple[float, ...]]
"""Id of an element -> its numbers at rest, in the order of the list."""


def keys_of(document: Document) -> list[Node]:
    """The keyframes of MJCF that list any numbers of elements."""
    sections = [section for section in document.merged.children if section.tag == "keyframe"]
    return [key for section in sections for key in section.children if any(key.get(name) for name in LISTS)]


def can_follow(document: Document) -> bool:
    """Whether the order of the numbers in keyframes is that of the elements of the text."""
    root = document.merged
    return root.tag == "mujoco" and not any(next(root.iter(tag), None) is not None for tag in MADE)


def with_states(document: Document, edits: Iterable[ElementEdit]) -> list[ElementEdit]:
    """The edits, and those that let the keyframes follow what they do to the structure."""
    edits = list(edits)
    keys = keys_of(document) if document.root.tag == "mujoco" else []
    if not keys or not can_follow(document):
        return edits
    after = document.with_parsed({path: parsed for path, (parsed, _) in carry_out(edits, document.parsed).items()})
    if not can_follow(after):
        return edits
    old, new = _layout(document), _layout(after)
    said = {(edit.node.id, edit.name) for edit in edits if isinstance(edit, SetAttribute | RemoveAttribute)}
    there = {key.id for key in keys_of(after)}
    found: list[ElementEdit] = []
    for key in keys:
        for name in LISTS:
            text = key.get(name)
            if not text or key.id not in there or (key.id, name) in said or list(old[name]) == list(new[name]):
                continue
            value = _followed(text, old[name], new[name], numbers.style_at(key, name))
            if value is not None:
                found.append(SetAttribute(key, name, value) if value else RemoveAttribute(key, name))
    return [*edits, *found]


def with_attached_joint(
    main: Document, model: Model, document: Document, body: Node, edits: Iterable[ElementEdit]
) -> list[ElementEdit]:
    """Edits that add a joint to a body of a model attached by `main`, behind its other joints, and those that update
    the keyframes of `main`.

    model     the compiled model of `main`
    document  the attached model, which is edited
    body      the element of the body

    Raises NotPlaced if the numbers of a keyframe do not match the compiled model one by one.
    """
    edits, keys, provenance = list(edits), keys_of(main), model.provenance
    if not keys or provenance is None:
        return edits
    other = next((tag for tag in MADE if tag != "attach" and next(main.merged.iter(tag), None) is not None), None)
    if other is not None:
        raise NotPlaced(
            tr("the keyframes of a model with <{other}> do not follow a new joint: write it in the text", other=other)
        )
    origins = {i: provenance.origin("body", i) for i in range(1, model.nbody)}
    bodies = [i for i, origin in origins.items() if origin is not None and origin.node.id == body.id]
    if any(len(origins[i].made_by) != 1 for i in bodies):
        raise NotPlaced(
            tr(
                "this body is of a model that is attached through another one, whose keyframes do not follow: write a "
                "new joint in the text"
            )
        )
    after = document.with_parsed({path: parsed for path, (parsed, _) in carry_out(edits, document.parsed).items()})
    now = after.node(body.id)
    assert now is not None
    new = [child for child in now.children if child.tag == "joint" and document.node(child.id) is None]
    if not new:
        return edits
    rest, degrees = _joint(after, context_of(after), now, new[-1])
    sizes = {"qpos": (model.jnt_qposadr, model.nq, rest), "qvel": (model.jnt_dofadr, model.nv, (0.0,) * degrees)}
    numbers_of = {provenance.origin("key", i).node.id: i for i in range(model.nkey)}
    found: list[ElementEdit] = []
    for key in keys:
        for name, (addresses, count, values) in sizes.items():
            text = key.get(name)
            if not text:
                continue
            words = text.split()
            compiled = getattr(model, f"key_{name}")[numbers_of[key.id]] if key.id in numbers_of else ()
            # Of a ball or free joint the quaternion is normalized, which leaves its signs.
            if len(words) != count or any(
                float(word) * value < 0 for word, value in zip(words, compiled, strict=False)
            ):
                label = key.get("name") or tr("in line {line}", line=key.line)
                raise NotPlaced(
                    tr(
                        "{name} of keyframe {label} has {count} numbers for the {count2} of the model with all that "
                        "it attaches: write a new joint in the text",
                        name=name,
                        label=label,
                        count=len(words),
                        count2=count,
                    )
                )
            old, following = _slots(model, addresses.tolist(), count, bodies, values)
            value = _followed(text, old, following, numbers.style_at(key, name))
            if value is not None:
                found.append(SetAttribute(key, name, value))
    return [*edits, *found]


def _slots(
    model: Model, addresses: list[int], count: int, bodies: Sequence[int], values: tuple[float, ...]
) -> tuple[Slots, Slots]:
    """The numbers of the joints of a compiled model as they are, and with a new joint behind those of each body."""
    ends = [*addresses[1:], count]
    old: Slots = {joint: (0.0,) * (ends[joint] - start) for joint, start in enumerate(addresses)}
    new: Slots = {}
    pending = sorted(bodies)
    for joint in range(model.njnt):
        while pending and int(model.jnt_bodyid[joint]) > pending[0]:
            new[-1 - pending.pop(0)] = values
        new[joint] = old[joint]
    return old, new | {-1 - body: values for body in pending}


def _followed(text: str, old: Slots, new: Slots, style: numbers.Style) -> str | None:
    """A list for other elements; None if it is not one for the old ones."""
    words = list(_WORD.finditer(text))
    if len(words) != sum(map(len, old.values())):
        return None
    first, at = {}, 0
    for element, values in old.items():
        first[element] = at
        at += len(values)
    result, last = "", -2
    for element, values in new.items():
        start = first.get(element)
        for i, value in enumerate(values):
            index = -2 if start is None else start + i
            near = index == last + 1 and last >= 0  # two numbers that stood side by side keep what is between them
            between = text[words[last].end() : words[index].start()] if near else " "
            word = numbers.number(value, style, 1e-6) if start is None else words[index][0]
            result += (between if result else "") + word
            last = index
    return result


def _layout(document: Document) -> dict[str, Slots]:
    """The objects that the numbers of each list belong to."""
    context, found = context_of(document), {name: {} for name in LISTS}
    for section in document.merged.children:
        for body in bodies(section) if section.tag == "worldbody" else ():
            for joint in inside(body, ("joint", "freejoint")):
                found["qpos"][joint.id], degrees = _joint(document, context, body, joint)
                found["qvel"][joint.id] = (0.0,) * degrees
            if body.get("mocap") == "true":
                pos, quat = _pose(document, body)
                found["mpos"][body.id], found["mquat"][body.id] = pos, quat
        for actuator in section.children if section.tag == "actuator" else ():
            found["ctrl"][actuator.id] = (0.0,)
            found["act"][actuator.id] = (0.0,) * _activations(context, actuator)
    return found


def _joint(document: Document, context: Context, body: Node, joint: Node) -> tuple[tuple[float, ...], int]:
    """(the position of a joint at rest, how many velocities it has)."""
    values = context.values(joint) if joint.tag == "joint" else {"type": "free"}
    match values.get("type", "hinge"):
        case "free":
            pos, quat = _pose(document, body)
            return (*pos, *quat), 6
        case "ball":
            return (1.0, 0.0, 0.0, 0.0), 3
        case kind:
            ref = float(values.get("ref", 0.0))
            return (math.radians(ref) if kind == "hinge" and context.convention.degree else ref,), 1


def _activations(context: Context, actuator: Node) -> int:
    """How many activations an actuator has. Those of plugins are not known here: `_followed` finds that the list is
    longer."""
    values = context.values(actuator)
    if actuator.tag in ("muscle", "cylinder", "intvelocity"):
        return 1
    if actuator.tag == "position":
        return int(values.get("timeconst", 0.0) > 0)
    if actuator.tag == "general" and values.get("dyntype", "none") != "none":
        return max(int(values.get("actdim", 1)), 1)
    return 0


def _pose(document: Document, body: Node) -> tuple[Sequence[float], Sequence[float]]:
    try:
        return place(document, body).in_body
    except NotPlaced:
        return START


def inside(node: Node, tags: Sequence[str]) -> Iterator[Node]:
    """The elements directly in a body or in the world, through frames."""
    for child in node.children:
        if child.tag in tags:
            yield child
        elif child.tag == "frame":
            yield from inside(child, tags)


def bodies(node: Node) -> Iterator[Node]:
    """The bodies below one, in the order of the compiled model."""
    for body in inside(node, ("body",)):
        yield body
        yield from bodies(body)
