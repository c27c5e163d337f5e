"""Fixes that add, remove or move elements, and settings of the whole model."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from kinetree.engine.document.element_edit import Move, Remove, RemoveAttribute, SetAttribute
from kinetree.engine.document.tree import Node
from kinetree.engine.editing.fixes.fix import Change, FindingPlace, Fix, InSection, OptionSetting, fix, set_title
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.exceptions import RANGE_OF_FLAG
from kinetree.engine.translation import tr


def _label(node: Node) -> str:
    name = node.get("name") or node.get("class") or node.get("file")
    return f"<{node.tag}> '{name}'" if name else f"<{node.tag}>"


def without_element(at: FindingPlace) -> Iterator[Fix]:
    """Removes the element."""
    if at.node is not None and at.node.parent is not None:
        yield fix(tr("Remove {name}", name=_label(at.node)), Remove(at.node))


def without_attribute(at: FindingPlace) -> Iterator[Fix]:
    """Removes the attribute."""
    if at.attribute is not None:
        attribute = at.attribute
        yield fix(tr("Remove {name}", name=attribute.name), RemoveAttribute(attribute.node, attribute.name))


def without_range(at: FindingPlace) -> Iterator[Fix]:
    """Removes the range, or else the flag that switches it off."""
    attribute = at.attribute
    if attribute is None:
        return
    flag = next((flag for flag, name in RANGE_OF_FLAG.items() if name == attribute.name), "")
    yield fix(tr("Remove {name}", name=attribute.name), RemoveAttribute(attribute.node, attribute.name))
    if attribute.node.get(flag) == "false":
        yield fix(tr("Remove {name}", name=flag), RemoveAttribute(attribute.node, flag))


def into_world(at: FindingPlace) -> Iterator[Fix]:
    """Moves the element into <worldbody>."""
    root, node = at.document.root, at.node
    world = next((child for child in root.children if child.tag == "worldbody"), None)
    if at.is_mjcf and node is not None and node.parent is not None and world is not None and world.id != node.id:
        yield fix(tr("Move it into <{section}>", section=world.tag), Move(node, world))


def into_section(at: FindingPlace) -> Iterator[Fix]:
    """Moves the element into the only section that takes it."""
    node = at.node
    if not at.is_mjcf or node is None or node.parent is None:
        return
    kinds = [place for kind in schema.kinds(node.tag) for place in schema.parents(kind)]
    homes = {place.tag for place in kinds if not place.transparent} - {"default"}
    home = homes.pop() if len(homes) == 1 else ""
    if home and node.parent.tag != home and schema.child(schema.ROOT, home) is not None:
        title = tr("Move it into <{section}>", section=home)
        yield fix(title, Remove(node), InSection(home, node.span.text))


def excluded(at: FindingPlace) -> Iterator[Fix]:
    """Excludes contacts of the two bodies (<contact><exclude/>); a body without a name gets one."""
    if len(at.facts) != 4 or not at.is_mjcf:
        return
    sides = at.facts[:2], at.facts[2:]
    nameless = [None if name else at.body(name, where) for name, where in sides]
    if any(not name and body is None for (name, _), body in zip(sides, nameless, strict=True)):
        return

    def changes() -> Iterator[Change]:
        names: list[str] = []
        for (name, _), body in zip(sides, nameless, strict=True):
            names.append(name if body is None else at.shared.fresh.take("body", "body"))
            if body is not None:
                yield SetAttribute(body, "name", names[-1])
        yield InSection("contact", f"<exclude body1={quoteattr(names[0])} body2={quoteattr(names[1])}/>")

    one, other = (name for name, _ in sides)
    named = tr("Exclude contacts of '{one}' and '{other}'", one=one, other=other)
    yield Fix(named if one and other else tr("Exclude contacts of the two bodies"), changes)


def implicit(at: FindingPlace) -> Iterator[Fix]:
    """Sets the integrator implicitfast in <option>."""
    if at.is_mjcf:
        title = set_title("integrator", "implicitfast")
        yield fix(title, OptionSetting(("option",), "integrator", "implicitfast"))


def magnetic_field(at: FindingPlace) -> Iterator[Fix]:
    """Sets the magnetic field in <option>, where a sensor measures it."""
    if at.facts == ("magnetic",) and at.is_mjcf:
        yield fix(tr("Set a magnetic field"), OptionSetting(("option",), "magnetic", "0 -0.5 0"))


def with_visuals(at: FindingPlace) -> Iterator[Fix]:
    """Sets discardvisual to false in <mujoco><compiler>."""
    title = set_title("discardvisual", "false")
    yield fix(title, OptionSetting(("mujoco", "compiler"), "discardvisual", "false"))


def revolute(at: FindingPlace) -> Iterator[Fix]:
    """Makes the joint revolute, or removes its limits."""
    limit = at.node
    joint = limit.parent if limit is not None else None
    if limit is None or joint is None or joint.get("type") != "continuous":
        return
    yield fix(tr("Make the joint revolute"), SetAttribute(joint, "type", "revolute"))
    yield fix(tr("Remove the limits"), RemoveAttribute(limit, "lower"), RemoveAttribute(limit, "upper"))
