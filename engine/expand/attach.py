"""Copies bodies of an attached model, and the elements that belong to them, into the parent model.

The copies get names with a prefix. All assets, numeric and text elements are copied. Elements that refer to
others (sensors, actuators, tendons, constraints, contact pairs, tuples) are copied if what they refer to is
in the parent model afterwards. Elements keep the compiler settings of the text that they were written in
(angles, automatic limits, inertia from geoms, folders ...). Options, sizes, statistics and visual settings
are not copied.

Source: XML reference, "attach" and "asset/model"; where these are silent, as mujoco 3.3.4 does it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kinetree.engine.diagnostics import meant
from kinetree.engine.mjcf.elements import Body, Element, Expansion, Spec
from kinetree.engine.mjcf.names import PARTS, mentions, renamed, weight
from kinetree.engine.mjcf.schema import nearest
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.expand.expander import Expander
    from kinetree.engine.geometry.orientation import Pose

ASSETS = ("texture", "hfield", "mesh", "material", "plugin", "numeric", "text")
"""Kinds that are copied whatever part of the model is attached."""
REFERRING = ("flex", "skin", "pair", "exclude", "tendon", "equality", "actuator", "sensor", "tuple")
"""Kinds that are copied together with the objects that they refer to; each refers only to kinds before it."""
STRICT = ("skin", "equality", "tuple")
"""Kinds that are copied only if all they refer to is copied too. Others may refer to the parent model."""


def attach(expander: Expander, body: Body, item: Element, frame: Pose | None) -> None:
    """Attach a model as an <attach> inside a body says; `frame` is the pose of the frames around it."""
    inner = expander.models.get(item.get("model", ""))
    if inner is None:
        return  # reported where the models were read
    model = inner.spec
    name, prefix = item.get("body", ""), item.get("prefix", "")
    world = model.world
    chosen = next((each for each in world.walk() if each.name == name), None) if name else world
    if chosen is None:
        bodies = [each.name for each in world.walk() if each.name]
        guess = nearest(name, bodies)
        hint = (
            tr("did you mean '{guess}'?", guess=guess)
            if guess
            else tr("name one that it has, or leave it out for its whole world")
        )
        expander.diagnostics.error(
            item.at("body"),
            "undefined-reference",
            tr("the model '{item}' has no body '{name}'; {hint}", item=item["model"], name=name, hint=hint),
            meant(name, guess),
        )
        return
    size = sum(1 + sum(len(getattr(each, part)) for part in PARTS.values()) for each in chosen.walk())
    size += sum(map(weight, model.lists.values()))
    if not expander.made.fits(size, 1, item, expander.diagnostics, "model"):
        return
    _inherit_folders(model, expander.spec)
    _Attachment(expander, inner, item, prefix).run(body, chosen, whole=not name, frame=frame)


def _inherit_folders(model: Spec, around: Spec) -> None:
    """Let an attached model without meshdir or texturedir use those of its parent model."""
    compiler = model.scope.compiler
    for kind in ("meshdir", "texturedir"):
        found = around.compiler.folder(kind)
        if found and not compiler.folder(kind):
            compiler[kind] = found


class _Attachment:
    """One <attach>: copies a model into its parent."""

    def __init__(self, expander: Expander, inner: Expander, item: Element, prefix: str):
        self.expander = expander
        self.model = inner.spec
        self.keys = inner.keys
        self.item = item
        self.prefix = prefix
        self.step = Expansion(item.node, prefix=prefix)

    def run(self, body: Body, chosen: Body, whole: bool, frame: Pose | None) -> None:
        expander, model = self.expander, self.model
        self.keys.store(lambda name: self.prefix + name, self.item, self.step, expander.keys)
        there = {key.name for key in expander.keys.waiting}
        for key in self.keys.waiting:
            if key.name not in there:
                twin = key.copy()
                twin.made_by = (*key.made_by, self.step)
                expander.keys.waiting.append(twin)
        for name, place in self.model.extensions.items():
            expander.spec.extensions.setdefault(name, place)
        for kind in ASSETS:
            expander.add(kind, [self.copy(element) for element in model.lists.get(kind, ())])
        if whole:
            for part in PARTS.values():
                for element in getattr(chosen, part):
                    expander.join(body, self.copy(element), frame)
        else:
            copy = self.copy(chosen)
            copy.frame = None  # enclosing frames and bodies are not copied
            expander.join(body, copy, frame)
        for kind in REFERRING:
            expander.add(kind, [self.copy(e, self.find) for e in model.lists.get(kind, ()) if self.comes(e)])
        expander.keys.resize()

    def comes(self, element: Element) -> bool:
        """Whether an element is copied: whether what it refers to is in the parent model now."""
        names, prefix = self.expander.names, self.prefix
        mentioned = list(mentions(element))
        with_prefix = [prefix + name in names.get(space, ()) for space, name in mentioned]
        if element.kind in STRICT or not mentioned:
            return all(with_prefix)
        known = [
            there or name in names.get(space, ()) for there, (space, name) in zip(with_prefix, mentioned, strict=True)
        ]
        return any(with_prefix) and all(known)

    def copy(self, element: Element, refer: Callable[[str, str], str] | None = None) -> Element:
        twin = renamed(element, lambda name: name and self.prefix + name, refer or self.refer, self.step)
        return self.claim(twin)

    def refer(self, space: str, name: str) -> str:
        return self.prefix + name

    def find(self, space: str, name: str) -> str:
        """The name of a referenced element in the parent model: the bare name where only that exists."""
        names = self.expander.names.get(space, ())
        return name if self.prefix + name not in names and name in names else self.prefix + name

    def claim(self, copy: Element) -> Element:
        """Give a copy, with all in it, the attached model's scope and the parent model's default classes."""
        stack, here = [copy], self.expander.spec.defaults
        while stack:
            element = stack.pop()
            if element.scope is None:
                element.scope = self.model.scope
            if here is not None and element.default is not None:
                element.default = here.twins.get((self.prefix, element.default), element.default)
            stack.extend(element.items if not isinstance(element, Body) else ())
            if isinstance(element, Body):
                for part in PARTS.values():
                    stack.extend(getattr(element, part))
                if element.plugin is not None:
                    stack.append(element.plugin)
                if element.inertial is not None and element.inertial.scope is None:
                    element.inertial = element.inertial.copy()
                    element.inertial.scope = self.model.scope
        return copy
