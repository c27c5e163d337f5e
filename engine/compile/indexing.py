"""Index: the id of every object, ids by name, and the sizes of the model.

Bodies are numbered depth first; joints, geoms, sites, cameras and lights body by body; everything else in the
order of the text (pairs and exclusions by the signature of their bodies).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from kinetree.engine.compile.mechanism.plugins import Plugins
from kinetree.engine.diagnostics import meant
from kinetree.engine.mjcf.elements import Body, Element, Spec
from kinetree.engine.mjcf.names import PARTS
from kinetree.engine.mjcf.schema import suggestion
from kinetree.engine.model.kinds import BY_PREFIX, KINDS, NAMED
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.model.model import Model

_USERS = {
    f"nuser_{prefix}": BY_PREFIX[prefix].name
    for prefix in ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")
}
"""Sizes that say how many numbers of the user each object of a kind has."""

SMALLEST = {"nuserdata": 0, "nkey": 0, "njmax": -1, "nconmax": -1, **dict.fromkeys(_USERS, -1)}
MAX_SIZE = 1_000_000


def _find(
    ids: dict[str, dict[str, int]], diagnostics: Diagnostics, kind: str, name: str, element: Element, *attributes: str
) -> int:
    """See ObjectIndex.find."""
    found = ids.get(kind, {}).get(name)
    if found is not None:
        return found
    guess = suggestion(diagnostics, "undefined-reference", name, ids.get(kind, {}))
    message = tr("there is no {kind} named '{name}'", kind=kind, name=name)
    message = (
        tr("{message}; did you mean '{guess}'?", message=message, guess=guess)
        if guess
        else tr("{message}; name a {kind} that the model has", message=message, kind=kind)
    )
    diagnostics.error(
        element.at(*attributes),
        "undefined-reference",
        message,
        meant(name, guess),
    )
    return -1


class ObjectIndex:
    """Every object of a spec by kind and id.

    objects   kind -> elements by id; kinds as in Model.names
    ids       kind -> name -> id
    """

    def __init__(self, spec: Spec, diagnostics: Diagnostics):
        self.spec = spec
        self.diagnostics = diagnostics
        self.bodies: list[Body] = list(spec.world.walk())
        self.objects: dict[str, list[Element]] = {"body": list[Element](self.bodies)}
        for kind, part in PARTS.items():
            if kind != "body":
                self.objects[kind] = [element for body in self.bodies for element in getattr(body, part)]
        self.objects.update(spec.lists)
        self.ids: dict[str, dict[str, int]] = {}
        for kind in self.objects:
            self.number(kind)
        # no method of this index: a cycle would keep the whole spec in memory after its last use
        self.plugins = Plugins(spec, self.objects, partial(_find, self.ids, diagnostics), diagnostics)

    def number(self, kind: str) -> None:
        """Give every object of a kind its id. Names must be unique."""
        found: dict[str, int] = {}
        self.ids[kind] = found
        for i, element in enumerate(self.objects[kind]):
            element.id = i
            if not element.name:
                continue
            if element.name in found:
                first = self.objects[kind][found[element.name]]
                there = f"line {first.node.line}"
                if first.node.source is not element.node.source:
                    there += f" of {first.node.source.path}"
                self.diagnostics.error(
                    element.at("name"),
                    "repeated-name",
                    tr(
                        "the {kind} name '{name}' is taken by the one in {there}; choose another",
                        kind=kind,
                        name=element.name,
                        there=there,
                    ),
                )
                continue
            found[element.name] = i

    def names(self) -> dict[str, list[str]]:
        """The names of all objects by kind and id, "" for those without."""
        names = {kind: [element.name for element in self.objects[kind]] for kind in NAMED}
        # a sensor or actuator that describes its own instance keeps its name to itself
        named = self.spec.lists["plugin"]
        names["plugin"] = [
            instance.element.name if any(instance.element is element for element in named) else ""
            for instance in self.plugins.instances
        ]
        missing_keys = self.spec.size["nkey"] - len(names["key"])  # size/nkey may ask for more keyframes
        names["key"] += [""] * missing_keys
        return names

    def find(self, kind: str, name: str, element: Element, *attributes: str) -> int:
        """The id of a named object; -1 after a diagnostic at the reference where there is none."""
        return _find(self.ids, self.diagnostics, kind, name, element, *attributes)

    def reference(self, element: Element, attribute: str, kind: str) -> int:
        """The id that an attribute refers to; -1 where it is not given, or after a diagnostic."""
        name = element.get(attribute)
        return -1 if not name else self.find(kind, name, element, attribute)

    def sizes(self) -> dict[str, int]:
        """The sizes that follow from counting the objects of the tree and the lists."""
        given = self.spec.size
        for name, least in SMALLEST.items():
            if not least <= given[name] <= MAX_SIZE:
                self.diagnostics.error(
                    given.given[name],
                    "bad-value",
                    tr(
                        "{name} is {given}; it goes from {least} to {most}",
                        name=name,
                        given=given[name],
                        least=least,
                        most=MAX_SIZE,
                    ),
                )
                given[name] = least
        count = {kind: len(objects) for kind, objects in self.objects.items()}
        nmocap = sum(bool(body.get("mocap")) for body in self.bodies)
        sizes = {
            **{KINDS[kind].size: count[kind] for kind in NAMED},
            "nwrap": sum(len(tendon.items) for tendon in self.objects["tendon"]),
            "ntupledata": sum(len(t.items) for t in self.objects["tuple"]),
            "nkey": max(count["key"], self.spec.size["nkey"]),
            "nmocap": nmocap,
            "nmpos": 3 * nmocap,
            "nmquat": 4 * nmocap,
            "nuserdata": self.spec.size["nuserdata"],
            "nemax": -1,
            "njmax": self.spec.size["njmax"],
            "nconmax": self.spec.size["nconmax"],
            "ngravcomp": sum(body.get("gravcomp", 0.0) > 0 for body in self.bodies),
        }
        for name, kind in _USERS.items():
            sizes[name] = self.users(name, self.objects[kind])
        return sizes

    def users(self, size: str, objects: Iterable[Element]) -> int:
        """Number of user values of each object of a kind: size/nuser_..., or the longest `user` attribute."""
        longest, found = 0, self.spec.size[size]
        for element in objects:
            user = element.get("user")
            if user is not None and len(user) > longest:
                longest = len(user)
                if 0 <= found < longest:
                    self.diagnostics.error(
                        element.at("user"),
                        "wrong-count",
                        tr(
                            "{longest} user values, but size/{size} allows {found}; raise it or leave it out",
                            longest=longest,
                            size=size,
                            found=found,
                        ),
                    )
        return longest if found < 0 else found


def users(model: Model, field: str, elements: Sequence[Element]) -> None:
    """Write the user values of every element into a field, the rest zeros."""
    if getattr(model, "nuser_" + field.removesuffix("_user")):
        array = getattr(model, field)
        for i, element in enumerate(elements):
            user = element.get("user")
            if user is not None:
                array[i, : len(user)] = user[: array.shape[1]]
