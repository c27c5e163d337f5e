"""The specification of a model: its elements with typed values, before anything is computed from them.

The reader makes a Spec from a document (other formats make the same Spec), `expand` flattens frames and copies what
stands in replicate, the compiler turns the result into a Model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.geometry.orientation import Pose
from engine.model.kinds import NAMED, ON_BODIES

if TYPE_CHECKING:
    from engine.document.tree import Attribute, Node
    from engine.mjcf.defaults import DefaultClass, Defaults
    from engine.mjcf.schema_rows import ElementRow


MAX_BODIES = 20_000
"""Largest number of bodies in a model; each point of a soft object may be one."""


class Expansion(NamedTuple):
    """One step of expanding a model: what made an element from another, or from nothing but itself.

    node    the replicate, attach, composite or flexcomp element
    index   number of the replica, from 0; 0 for the others
    prefix  what an attach put before the names
    """

    node: Node
    index: int = 0
    prefix: str = ""

    @property
    def tag(self) -> str:
        """The tag of the element that did it."""
        return self.node.tag


class Element:
    """One element of the model.

    kind    what it is, as in Model.names: "body", "joint", "geom", "tendon" ...; "frame" and "replicate" besides
    row     its row in the schema table
    node    where it stands in the text; copies made by replicate share the original's node
    name    its name, "" where it has none
    values  attribute -> typed value: the text's, else the default class's, else the schema's default;
            what none of them sets is missing
    given   the attributes that the text or a default class sets
    frame   pose to be put before the element's own, from the frames around it; None for the identity
    items   the elements inside it, in the order of the text
    links   default elements that apply to it, in order of application (actuators only)
    default the default class that `values` come from; a body's is the one for what is inside it; None for main
    scope   what holds for the text of the model that it was written for, where that is another one (see attach)
    places  attribute -> where another format writes it, if that is not an attribute of `node`
    made_by the steps of expansion that made it, the first one first; () for what the text says itself
    states  keyframe -> its part of the state there, while keyframes are put together (see keyframes)
    """

    __slots__ = (
        "default", "frame", "given", "id", "items", "kind", "links", "made_by", "name", "node", "places", "row",
        "scope", "states", "values",
    )  # fmt: skip

    def __init__(self, kind: str, row: ElementRow, node: Node, name: str, values: dict, given: set[str]):
        self.kind = kind
        self.row = row
        self.node = node
        self.name = name
        self.values = values
        self.given = given
        self.frame: Pose | None = None
        self.items: list[Element] = []
        self.links: list[tuple[str, dict[str, Any]]] = []
        self.scope: Scope | None = None
        self.places: dict[str, Attribute] = {}
        self.default: DefaultClass | None = None
        self.states: dict[str, dict[str, Any]] = {}
        self.made_by: tuple[Expansion, ...] = ()
        self.id = -1

    @property
    def tag(self) -> str:
        return self.row.tag

    def get(self, name: str, default: Any = None) -> Any:
        return self.values.get(name, default)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def at(self, *names: str) -> Attribute | Node:
        """Where a diagnostic about one of these attributes points: the first that is written, else the element."""
        for name in names:
            found = self.places.get(name) or self.node.attribute(name)
            if found is not None:
                return found
        return self.node

    def label(self) -> str:
        """The element in words, for messages: geom 'foot', or just geom."""
        return f"{self.tag} '{self.name}'" if self.name else self.tag

    def copy(self) -> Element:
        """A copy whose values can be changed; what stands inside it is shared."""
        twin = type(self).__new__(type(self))
        twin.kind, twin.row, twin.node, twin.name = self.kind, self.row, self.node, self.name
        twin.values, twin.given, twin.frame = self.values, self.given, self.frame
        twin.items, twin.links, twin.places, twin.id = self.items, self.links, self.places, -1
        twin.default = self.default
        twin.scope, twin.states, twin.made_by = self.scope, {}, self.made_by
        return twin

    def __repr__(self) -> str:
        return f"Element({self.label()})"


class Body(Element):
    """A body with its parts by kind, each in the order of the text (filled by expand).

    fused    static bodies that are now part of this one, with their poses in it (filled by static.fuse)
    weighed  the geoms that were the body's own before that; None: all of them
    """

    __slots__ = (
        "bodies",
        "cameras",
        "fused",
        "geoms",
        "inertial",
        "joints",
        "lights",
        "parent",
        "plugin",
        "pose",
        "sites",
        "weighed",
    )

    def __init__(self, kind: str, row: ElementRow, node: Node, name: str, values: dict, given: set[str]):
        super().__init__(kind, row, node, name, values, given)
        self.clear()

    def clear(self) -> None:
        self.bodies: list[Body] = []
        self.joints: list[Element] = []
        self.geoms: list[Element] = []
        self.sites: list[Element] = []
        self.cameras: list[Element] = []
        self.lights: list[Element] = []
        self.inertial: Element | None = None
        self.plugin: Element | None = None
        self.parent: Body | None = None
        self.fused: list[tuple[Body, Pose]] = []
        self.weighed: list[Element] | None = None

    def copy(self) -> Body:
        twin = super().copy()
        assert isinstance(twin, Body)
        twin.clear()
        return twin

    def walk(self) -> Iterator[Body]:
        """This body and all below it, depth first: the order of body ids."""
        stack: list[Body] = [self]
        while stack:
            body = stack.pop()
            yield body
            stack.extend(reversed(body.bodies))


class Settings(dict):
    """Attributes of a settings element (option, compiler ...) by name, over the schema's defaults.

    given      attribute -> where the text sets it
    as_begun   the defaults that it began with, while nothing has been set; else None
    """

    def __init__(self, defaults: dict[str, Any]):
        super().__init__(defaults)
        self.given: dict[str, Attribute] = {}
        self.as_begun: dict[str, Any] | None = defaults

    def __setitem__(self, name: str, value: Any) -> None:
        self.as_begun = None
        super().__setitem__(name, value)

    def folder(self, name: str) -> str:
        """The folder that meshdir or texturedir, or assetdir in its place, names; "" where neither does."""
        return self.get(name) or self.get("assetdir") or ""


@dataclass
class Scope:
    """What holds for the elements of one model's text, also after they are attached to another model.

    compiler   its compiler settings
    folder     where the names of its files start
    """

    compiler: Settings
    folder: Path = field(default_factory=Path)


@dataclass
class Spec:
    """Everything that a model's text says.

    fused   static bodies that were removed, each with the body that has its parts now (see static.fuse)
    """

    name: str
    root: Node
    world: Body
    compiler: Settings
    option: Settings
    flag: Settings
    size: Settings
    statistic: Settings
    lengthrange: Settings
    visual: dict[str, Settings]
    lists: dict[str, list[Element]]
    defaults: Defaults | None = None
    folder: Path = field(default_factory=Path)
    extensions: dict[str, Attribute] = field(default_factory=dict)
    models: dict[str, Spec] = field(default_factory=dict)
    fused: list[tuple[Body, Body]] = field(default_factory=list)

    @property
    def degree(self) -> bool:
        return self.compiler["angle"] == "degree"

    @property
    def eulerseq(self) -> str:
        return self.compiler["eulerseq"]

    @cached_property
    def scope(self) -> Scope:
        """What holds for the elements of this spec when they are attached to another."""
        return Scope(self.compiler, self.folder)

    def compiler_of(self, element: Element) -> Settings:
        """The compiler settings that hold for an element: those of the model that it was written for."""
        return self.compiler if element.scope is None else element.scope.compiler

    def folder_of(self, element: Element) -> Path:
        """Where the names of files in an element start."""
        return self.folder if element.scope is None else element.scope.folder

    def degree_of(self, element: Element) -> bool:
        """Whether angles in an element are degrees."""
        return self.compiler_of(element)["angle"] == "degree"


LISTS = tuple(kind for kind in NAMED if kind not in ON_BODIES)
"""Kinds of elements outside the tree, which a spec keeps in lists."""
