"""Spec: the elements of a model with typed values, before anything is computed.

Readers of all formats produce a Spec. `engine/expand` flattens frames, copies replicas and attaches models; the
compiler turns the result into a Model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import ref

from kinetree.engine.geometry.orientation import Pose
from kinetree.engine.model.kinds import NAMED, ON_BODIES

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Attribute, Node
    from kinetree.engine.mjcf.defaults import DefaultClass, Defaults
    from kinetree.engine.mjcf.schema_rows import ElementRow


class Expansion(NamedTuple):
    """One step of expansion: the element (replicate, attach, composite, flexcomp) that made another element.

    node    the replicate, attach, composite or flexcomp element
    index   number of the replica, from 0; 0 for the others
    prefix  what an attach put before the names
    """

    node: Node
    index: int = 0
    prefix: str = ""

    @property
    def tag(self) -> str:
        """The tag of the element that made it."""
        return self.node.tag


class Element:
    """One element of the model.

    kind    as in Model.names: "body", "joint", "geom", "tendon" ...; also "frame" and "replicate"
    row     its row in the schema table
    node    its element in the text; copies made by replicate share the node of the original
    name    its name, "" without one
    values  attribute -> typed value: from the text, else from the default class, else the schema's default;
            attributes without any of these are missing
    given   the attributes that the text or a default class sets
    frame   pose of the enclosing frames, to be composed with the element's own; None for the identity
    items   child elements, in the order of the text
    links   default elements that apply to it, in order of application (actuators only)
    default the default class that `values` come from; a body's is the one for its children; None for main
    scope   settings of the file that an attached element comes from; None for elements of the model itself
    written_at  attribute -> the attribute of another format (URDF, x_xy) that it was read from, if not one of `node`
    made_by steps of expansion that made it, first to last; () for elements that stand in the text
    states  keyframe -> its part of the state, used while keyframes are assembled (see expand/keyframes)
    """

    __slots__ = (
        "default",
        "frame",
        "given",
        "id",
        "items",
        "kind",
        "links",
        "made_by",
        "name",
        "node",
        "row",
        "scope",
        "states",
        "values",
        "written_at",
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
        self.written_at: dict[str, Attribute] = {}
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
        """The place for a diagnostic about these attributes: the first one in the text, else the element."""
        for name in names:
            found = self.written_at.get(name) or self.node.attribute(name)
            if found is not None:
                return found
        return self.node

    def label(self) -> str:
        """The element for messages: geom 'foot', or just geom without a name."""
        return f"{self.tag} '{self.name}'" if self.name else self.tag

    def copy(self) -> Element:
        """A copy with values of its own; child elements are shared."""
        twin = type(self).__new__(type(self))
        twin.kind, twin.row, twin.node, twin.name = self.kind, self.row, self.node, self.name
        twin.values, twin.given, twin.frame = self.values, self.given, self.frame
        twin.items, twin.links, twin.written_at, twin.id = self.items, self.links, self.written_at, -1
        twin.default = self.default
        twin.scope, twin.states, twin.made_by = self.scope, {}, self.made_by
        return twin

    def __repr__(self) -> str:
        return f"Element({self.label()})"


class Body(Element):
    """A body with its parts by kind, each in the order of the text (filled by expand).

    fused    static bodies that were merged into this one, with their poses in it (set by static.fuse)
    weighed  the geoms that the body had before; None: all of them
    parent   the body around it, None for the world. It is not kept alive by this one: a spec without cycles is freed
             at once where the next one takes its place, and nobody has to search for it
    """

    __slots__ = (
        "__weakref__",
        "_parent",
        "bodies",
        "cameras",
        "fused",
        "geoms",
        "inertial",
        "joints",
        "lights",
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
        self.parent = None
        self.fused: list[tuple[Body, Pose]] = []
        self.weighed: list[Element] | None = None

    @property
    def parent(self) -> Body | None:
        return None if self._parent is None else self._parent()

    @parent.setter
    def parent(self, body: Body | None) -> None:
        self._parent = None if body is None else ref(body)

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


class SettingsValues(dict):
    """Attributes of a settings element (option, compiler ...) by name, with the schema's defaults.

    given      attribute -> where the text sets it
    as_begun   the defaults it started with, until something is set; then None
    """

    def __init__(self, defaults: dict[str, Any]):
        super().__init__(defaults)
        self.given: dict[str, Attribute] = {}
        self.as_begun: dict[str, Any] | None = defaults

    def __setitem__(self, name: str, value: Any) -> None:
        self.as_begun = None
        super().__setitem__(name, value)

    def folder(self, name: str) -> str:
        """The folder of meshdir or texturedir, else of assetdir; "" without either."""
        return self.get(name) or self.get("assetdir") or ""


@dataclass
class Scope:
    """Settings of one model file, which its elements keep after they are attached to another model.

    compiler   its compiler settings
    folder     the folder that its file names are relative to
    """

    compiler: SettingsValues
    folder: Path = field(default_factory=Path)


@dataclass
class Spec:
    """All elements and settings of a model.

    fused     static bodies that were removed, each with the body that took its parts (see static.fuse)
    document  the text that it was read from, None where it was made otherwise: while it is there, nodes stay the same
              (engine/document/tree.py)
    """

    name: str
    root: Node
    world: Body
    compiler: SettingsValues
    option: SettingsValues
    flag: SettingsValues
    size: SettingsValues
    statistic: SettingsValues
    lengthrange: SettingsValues
    visual: dict[str, SettingsValues]
    lists: dict[str, list[Element]]
    defaults: Defaults | None = None
    folder: Path = field(default_factory=Path)
    extensions: dict[str, Attribute] = field(default_factory=dict)
    models: dict[str, Spec] = field(default_factory=dict)
    fused: list[tuple[Body, Body]] = field(default_factory=list)
    document: Document | None = None

    @property
    def degree(self) -> bool:
        return self.compiler["angle"] == "degree"

    @property
    def eulerseq(self) -> str:
        return self.compiler["eulerseq"]

    @cached_property
    def scope(self) -> Scope:
        """The settings that elements of this spec keep when they are attached to another."""
        return Scope(self.compiler, self.folder)

    def compiler_of(self, element: Element) -> SettingsValues:
        """The compiler settings for an element: those of the model file that it comes from."""
        return self.compiler if element.scope is None else element.scope.compiler

    def folder_of(self, element: Element) -> Path:
        """The folder that file names in an element are relative to."""
        return self.folder if element.scope is None else element.scope.folder

    def degree_of(self, element: Element) -> bool:
        """Whether angles in an element are degrees."""
        return self.compiler_of(element)["angle"] == "degree"


LISTS = tuple(kind for kind in NAMED if kind not in ON_BODIES)
"""Kinds of elements outside the tree, which a spec keeps in lists."""
