"""Fuses static bodies with their parents (compiler/fusestatic, on by default in URDF).

A body without joints hands its geoms, sites, cameras, lights and bodies to its parent and is removed. Mocap
bodies, bodies that another element refers to, and bodies with a site of a force or torque sensor stay. The
parent gets the mass of the removed body too (engine/compile/tree/masses.py), unless it is the world.

Source: XML reference, compiler/fusestatic. mujoco 3.3.4 also fuses bodies that are referred to as objtype
xbody, and then does not find them. Here they stay, as the XML reference says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kinetree.engine.geometry.orientation import Pose, compose
from kinetree.engine.mjcf.elements import Body, Element, Spec
from kinetree.engine.mjcf.names import mentions
from kinetree.engine.mjcf.pose import pose

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics

_PARTS = ("geoms", "sites", "cameras", "lights")
_HOLDS = frozenset(("force", "torque"))
"""Sensors that measure between the body of their site and its parent."""


def fuse(spec: Spec, diagnostics: Diagnostics) -> None:
    """Fuse the static bodies of an expanded spec, in place."""
    bodies = list(spec.world.walk())
    named, measured = _named(spec, bodies)
    stack = [spec.world]
    while stack:
        body = stack.pop()
        todo, inside = body.bodies[::-1], []
        while todo:
            child = todo.pop()
            stays = (
                child.joints
                or child.get("mocap")
                or (child.name and child.name in named)
                or any(site.name in measured for site in child.sites if site.name)
            )
            child.parent = body
            if stays:
                inside.append(child)
            else:
                _absorb(body, child, pose(child, spec, diagnostics))
                spec.fused.append((child, body))
                todo.extend(reversed(child.bodies))
        body.bodies = inside
        stack.extend(inside)


def _absorb(body: Body, child: Body, place: Pose) -> None:
    if body.weighed is None:
        body.weighed = list(body.geoms)
    body.fused.append((child, place))
    for part in _PARTS:
        moved = getattr(child, part)
        for element in moved:
            _put(element, place)
        getattr(body, part).extend(moved)
    for inner in child.bodies:
        _put(inner, place)


def _put(element: Element, place: Pose) -> None:
    element.frame = place if element.frame is None else compose(place, element.frame)


def _named(spec: Spec, bodies: list[Body]) -> tuple[set[str], set[str]]:
    """Names of the bodies that elements refer to, and of the sites of force and torque sensors."""
    bodies_named: set[str] = set()
    measured: set[str] = set()
    for element in _elements(spec, bodies):
        for space, name in mentions(element):
            if space == "body":
                bodies_named.add(name)
            elif space == "site" and element.kind == "sensor" and element.tag in _HOLDS:
                measured.add(name)
    return bodies_named, measured


def _elements(spec: Spec, bodies: list[Body]) -> Iterator[Element]:
    """All elements that can refer to a body or site."""
    for group in spec.lists.values():
        yield from group
    for body in bodies:
        yield from body.cameras
        yield from body.lights
