"""New elements: what may be inserted where, with first values that make sense at once.

    for choice in choices(document, parent):            what the menu offers
        choice.row.tag, choice.why                       why: what is missing; None if it can be inserted
    edits = insert(document, parent, None, "motor")     a motor of the first joint that has none yet

    xml = made(document, body, "geom", Wanted("box", 0.05, ' pos="1 0 0"'))     a box of that size at a place

First values stand in FIRST, by format and kind; the menu of the tree and the shelf of the viewport (shelf.py) both take
them from there. What is not there gets its required attributes and elements from the schema table. A new element has a
name that is free, where others of its kind usually have one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from kinetree.engine.assist.files import folder_of, named
from kinetree.engine.assist.language import Language, language_of
from kinetree.engine.assist.names import Declaration, Names, names_of
from kinetree.engine.document.change import escape
from kinetree.engine.document.element_edit import ElementEdit, Insert, RemoveAttribute
from kinetree.engine.editing import numbers
from kinetree.engine.editing.context import context_of
from kinetree.engine.editing.copying import PREFIXES
from kinetree.engine.editing.needs import PATH
from kinetree.engine.editing.structure import (
    FLEXCOMP,
    ONCE,
    CannotEdit,
    FreshNames,
    check_path,
    holder,
    naming,
    parsed,
    why_no_joint,
    why_not,
)
from kinetree.engine.mjcf.plugin_kinds import USERS
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow
from kinetree.engine.model.sensors import SENSORS, SensedKind
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node

# A value in braces is a name: {joint} one that exists, each time another one; {+joint} a new one; {new} that of the new
# element; {other} that of the link that a new joint moves. Of joints: {joint!} with one degree of freedom, {joint?} a
# ball, {joint#} with a range; {geom@} a geom that tendons can wrap around. {2} is a length: so many times the size of
# the element; {place} the element that says where it is.
_SHAPES = {
    "box": 'size="{2} {2} {2}"',
    "sphere": 'radius="{1}"',
    "cylinder": 'radius="{1}" length="{2}"',
    "capsule": 'radius="{.5}" length="{2}"',
}
_GEOMETRY = {tag: f"<geometry>\n  <{tag} {size}/>\n</geometry>" for tag, size in _SHAPES.items()}
_LIMIT = '<limit lower="{}" upper="{}" effort="10" velocity="1"/>'
_LINKED = '{place}<parent link="{link}"/>\n<child link="{other}"/>'
_SOLIDS = {
    "": 'type="box" mass="1" dim="{2} {1} {1}"',
    "/box": 'type="box" mass="1" dim="{2} {2} {2}"',
    "/sphere": 'type="sphere" mass="1" dim="{1}"',
    "/cylinder": 'type="cylinder" mass="1" dim="{1} {2}"',
    "/capsule": 'type="capsule" mass="1" dim="{.5} {2}"',
}
_FRAME = 'objtype="body" objname="{body}"'
_SKIN = (
    'vertex="0 0 0 0.1 0 0 0 0.1 0" face="0 1 2"',
    '<bone body="{body}" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>',
)
_SENSED = {
    SensedKind.SCALAR_JOINT: 'joint="{joint!}"',
    SensedKind.BALL_JOINT: 'joint="{joint?}"',
    SensedKind.LIMITED_JOINT: 'joint="{joint#}"',
    SensedKind.LIMITED_TENDON: 'tendon="{tendon#}"',
    SensedKind.FRAME: _FRAME,
    SensedKind.FRAME_IN_WORLD: _FRAME,
    SensedKind.TWO_GEOMS: 'geom1="{geom}" geom2="{geom}" cutoff="1"',
    SensedKind.CONTACTS: 'geom1="{geom}" geom2="{geom}"',
    SensedKind.PLUGIN: 'instance="{plugin}"',
    SensedKind.ANY: 'dim="1"',
}

FIRST: dict[str, dict[str, tuple[str, str] | str]] = {
    "MJCF": {
        "option": 'timestep="0.002"',
        "statistic": 'center="0 0 0.5" extent="2"',
        "worldbody": ("", '<geom type="plane" size="5 5 0.1"/>\n<light pos="0 0 3" dir="0 0 -1"/>'),
        "body": ('pos="0 0 0"', '<geom type="box" size="{1} {1} {1}"/>'),
        "body/free": ('pos="0 0 0"', '<freejoint/>\n<geom type="box" size="{1} {1} {1}"/>'),
        "frame": 'pos="0 0 0"',
        "replicate": ('count="3" offset="0.3 0 0"', '<geom type="sphere" size="0.1"/>'),
        "body.inertial": 'pos="0 0 0" mass="1" diaginertia="0.01 0.01 0.01"',
        "body.joint": 'type="hinge" axis="0 0 1"',
        "body.geom": 'type="sphere" size="{1}"',
        "body.geom/sphere": 'type="sphere" size="{1}"',
        "body.geom/box": 'type="box" size="{1} {1} {1}"',
        "body.geom/capsule": 'type="capsule" size="{.5} {1}"',
        "body.geom/cylinder": 'type="cylinder" size="{1} {1}"',
        "body.geom/ellipsoid": 'type="ellipsoid" size="{1} {1} {.5}"',
        "body.geom/plane": 'type="plane" size="{10} {10} {1}"',
        "body.site": 'pos="0 0 0" size="{.2}"',
        "body.camera": 'pos="0 -2 1" xyaxes="1 0 0 0 0.447 0.894"',
        "body.light": 'pos="0 0 3" dir="0 0 -1"',
        "body.attach": 'model="{model}" prefix="attached_"',
        "body.composite": (
            'prefix="cable_" type="cable" curve="s 0 0" count="11 1 1" size="1" initial="none"',
            '<joint kind="main" damping="0.01"/>\n<geom type="capsule" size="0.01"/>',
        ),
        "body.flexcomp": 'type="grid" count="5 5 1" spacing="0.1 0.1 0.1" dim="2" mass="0.1" radius="0.01"',
        "composite.joint": 'kind="main"',
        "composite.geom": 'type="capsule" size="0.01"',
        "composite.site": 'size="0.01"',
        "flexcomp.pin": 'id="0"',
        "asset.texture": 'type="2d" builtin="checker" rgb1="0.8 0.8 0.8" rgb2="0.5 0.5 0.5" width="256" height="256"',
        "asset.material": 'rgba="0.8 0.4 0.2 1"',
        "asset.hfield": 'nrow="16" ncol="16" size="1 1 0.2 0.1"',
        "asset.skin": _SKIN,
        "deformable.skin": _SKIN,
        "skin.bone": 'body="{body}" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0" vertweight="1"',
        "deformable.flex": 'dim="1" body="{body} {body}" element="0 1" radius="0.01"',
        "material.layer": 'texture="{texture}" role="{role}"',
        "geom.plugin": 'instance="{plugin}"',
        "mesh.plugin": 'instance="{plugin}"',
        "body.plugin": 'instance="{plugin}"',
        "composite.plugin": 'instance="{plugin}"',
        "flexcomp.plugin": 'instance="{plugin}"',
        "actuator.plugin": 'instance="{plugin}" joint="{joint!}"',
        "contact.pair": 'geom1="{geom}" geom2="{geom}"',
        "contact.exclude": 'body1="{body}" body2="{body}"',
        "equality.connect": 'body1="{body}" anchor="0 0 0"',
        "equality.weld": 'body1="{body}"',
        "equality.joint": 'joint1="{joint!}"',
        "tendon.spatial": ("", '<site site="{site}"/>\n<site site="{site}"/>'),
        "tendon.fixed": ("", '<joint joint="{joint!}" coef="1"/>'),
        "fixed.joint": 'joint="{joint!}" coef="1"',
        "spatial.geom": 'geom="{geom@}"',
        "spatial.pulley": 'divisor="2"',
        "actuator.general": 'joint="{joint}" ctrlrange="-1 1"',
        "actuator.motor": 'joint="{joint}" ctrlrange="-1 1"',
        "actuator.position": 'joint="{joint}" kp="10"',
        "actuator.velocity": 'joint="{joint}" kv="1"',
        "actuator.intvelocity": 'joint="{joint}" kp="10" actrange="-1 1"',
        "actuator.damper": 'joint="{joint}" kv="1" ctrlrange="0 1"',
        "actuator.cylinder": 'joint="{joint}" area="0.01"',
        "actuator.muscle": 'joint="{joint!}" lengthrange="0.5 1.5"',
        "actuator.adhesion": 'body="{body}" ctrlrange="0 1" gain="1"',
        **{row.element: _SENSED[row.target] for row in SENSORS.values() if row.target in _SENSED},
        "default.damper": 'ctrlrange="0 1"',
        "default.adhesion": 'ctrlrange="0 1"',
        "extension.plugin": 'plugin="mujoco.pid"',
        "plugin.config": 'key="" value=""',
        "custom.numeric": 'data="0"',
        "custom.text": 'data="text"',
        "custom.tuple": ("", '<element objtype="body" objname="{body}"/>'),
        "tuple.element": 'objtype="body" objname="{body}"',
    },
    "URDF": {
        "link": (
            "",
            f'<visual>\n  {_GEOMETRY["box"].replace(chr(10), chr(10) + "  ")}\n</visual>',
        ),
        "link/solid": ("", "{visual}\n{collision}\n{inertial}"),
        "joint": ('type="fixed"', _LINKED),
        "joint/revolute": ('type="revolute"', f'{_LINKED}\n<axis xyz="0 0 1"/>\n{_LIMIT.format("-1.57", "1.57")}'),
        "joint/prismatic": ('type="prismatic"', f'{_LINKED}\n<axis xyz="0 0 1"/>\n{_LIMIT.format("0", "0.1")}'),
        "inertial.mass": 'value="1"',
        "inertial.inertia": 'ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"',
        "origin": 'xyz="0 0 0" rpy="0 0 0"',
        "visual": ("", _GEOMETRY["box"]),
        "collision": ("", _GEOMETRY["box"]),
        **{f"visual/{tag}": ("", "{place}" + geometry) for tag, geometry in _GEOMETRY.items()},
        **{f"collision/{tag}": ("", "{place}" + geometry) for tag, geometry in _GEOMETRY.items()},
        "geometry": ("", f'<box {_SHAPES["box"]}/>'),
        **_SHAPES,
        "robot.material": ("", '<color rgba="0.8 0.4 0.2 1"/>'),
        "visual.material": ("", '<color rgba="0.8 0.4 0.2 1"/>'),
        "collision.material": ("", '<color rgba="0.8 0.4 0.2 1"/>'),
        "color": 'rgba="0.8 0.4 0.2 1"',
        "parent": 'link="{link}"',
        "child": 'link="{link}"',
        "axis": 'xyz="0 0 1"',
        "limit": _LIMIT.format("-1.57", "1.57")[len("<limit ") : -len("/>")],
        "dynamics": 'damping="0.1"',
        "mimic": 'joint="{joint}"',
    },
    "x_xy": {
        "options": 'gravity="0 0 9.81" dt="0.01"',
        "body": ('joint="rx" pos="0 0 0"', '<geom type="box" mass="1" dim="0.2 0.1 0.1"/>'),
        "body/free": ('joint="free" pos="0 0 0"', '<geom type="box" mass="1" dim="{2} {2} {2}"/>'),
        "body/rz": ('joint="rz" pos="0 0 0"', '<geom type="box" mass="1" dim="{2} {2} {2}"/>'),
        **{f"geom{variant}": text for variant, text in _SOLIDS.items()},
        **{f"world.geom{variant}": text for variant, text in _SOLIDS.items()},
    },
}  # fmt: skip
"""Format -> kind, or kind/variant -> attributes, or (attributes, content)."""

SIZES = {"MJCF": 0.1, "URDF": 0.05, "x_xy": 0.1}
"""Format -> the size of a new element where nobody asks for one, m: half the length of a box."""
_PLACES = re.compile(r'(?:^|\s)(?:pos|quat|euler|axis|axisangle|xyaxes|zaxis|dir)="[^"]*"')

#: Kinds with a range -> its first value in radians and in degrees.
_RANGES = {
    "body.joint": ("-1.57 1.57", "-90 90"),
    "tendon.fixed": ("0 1", "0 1"),
    "tendon.spatial": ("0 1", "0 1"),
}
#: Kinds that are inserted with a file that the user chooses, and the attribute for it.
FILES = {
    "MJCF": {"include": "file", "asset.mesh": "file", "asset.model": "file"},
    "URDF": {"mesh": "filename"},
    "x_xy": {},
}
#: Kinds that declare names, but seldom have one.
_USUALLY_NAMELESS = {
    "MJCF": {"body.geom", "contact.pair", "contact.exclude", "body.light", "frame", "body.inertial", "mujoco"},
    "URDF": {"visual.material", "collision.material"},
    "x_xy": set(),
}
#: Elements that come with a new one: the joint that makes a link part of the tree, what ends the path of a tendon.
_WITH = {
    "MJCF": {
        "spatial.geom": '<site site="{site}"/>',
        "spatial.pulley": '<site site="{site}"/>\n<site site="{site}"/>',
    },
    "URDF": {
        "link": '<joint name="{+joint}" type="fixed">\n  <parent link="{link}"/>\n  <child link="{new}"/>\n</joint>',
        "joint": '<link name="{other}"/>',
    },
    "x_xy": {},
}
_QUOTE = '"'
_LENGTH = re.compile(r"\{(\d*\.?\d+)\}")
_PLACEHOLDER = re.compile(r"\{([+]?)(\w+)([!?#@]?)\}")


class Wanted(NamedTuple):
    """The attributes of a new element that differ from the usual template.

    variant   of its kind in FIRST, "" for the usual one
    size      metres; None: see SIZES
    place     the attributes, or for URDF the element, that say where it is; None as in FIRST
    name      that it gets; None for one that is free
    names     XML in place of the names in braces
    """

    variant: str = ""
    size: float | None = None
    place: str | None = None
    name: str | None = None
    names: Mapping[str, str] = {}


USUAL = Wanted()


class ElementChoice(NamedTuple):
    """An element that may be inserted.

    row   its kind
    why   the reason why it cannot be inserted, as a sentence; None if it can be inserted
    file  the attribute that takes a file, which the user is to choose first; None without one
    """

    row: ElementRow
    why: str | None
    file: str | None


def choices(document: Document, parent: Node) -> list[ElementChoice]:
    """Elements that may be inserted into an element now, in the order of the schema table."""
    language = language_of(document)
    try:
        parent = holder(document, parent)
    except CannotEdit:
        return []
    files = FILES[language.name]
    found: list[ElementChoice] = []
    for row in language.children(parent).values():
        why = None
        if row.id not in files:
            try:
                _Maker(document, parent).with_others(row)
            except CannotEdit as error:
                why = str(error)
        found.append(ElementChoice(row, why, files.get(row.id)))
    # An element that takes nothing of its own needs no <include> either.
    return found if any(choice.row.tag not in language.grammar.anywhere for choice in found) else []


def insert(document: Document, parent: Node, index: int | None, tag: str, file: str | None = None) -> list[ElementEdit]:
    """Edits that insert a new element into `parent`, before its child that is number `index`, or at its end. `file`:
    the path that the user chose for a kind that needs one. Raises CannotEdit.
    """
    parent = holder(document, parent)
    why = why_not(document, parent, tag)
    if why is not None:
        raise CannotEdit(why)
    xml = template(document, parent, tag, file)
    if parent.tag == PATH:
        check_path(parent, index, parsed(document, xml).children)
    edits: list[ElementEdit] = [Insert(parent, xml, index)]
    if tag == "layer" and parent.get("texture"):
        edits.append(RemoveAttribute(parent, "texture"))
    return [*edits, *naming(document, parent, [tag])]


def template(document: Document, parent: Node, tag: str, file: str | None = None) -> str:
    """The XML of a new element for a place that takes it. Raises CannotEdit if it needs something that the model does
    not have."""
    row = language_of(document).allowed(parent)[tag]
    return _Maker(document, parent).with_others(row, file)


def made(document: Document, parent: Node, row: ElementRow, wanted: Wanted) -> str:
    """The XML of one new element of a kind, for a place that takes it. Raises CannotEdit if the place
    or the model has not what it needs."""
    maker = _Maker(document, parent, wanted)
    maker.check(row)
    return maker.element(row)


class _Maker:
    """Makes the XML of new elements for one place."""

    def __init__(self, document: Document, parent: Node, wanted: Wanted = USUAL) -> None:
        self.document, self.parent, self.wanted = document, parent, wanted
        self.language: Language = language_of(document)
        self.names: Names = names_of(document)
        self.fresh = FreshNames(self.names, self.language)
        self.used: set[tuple[str, str]] = set()
        self.last_name = ""
        self.other: str | None = None

    def with_others(self, row: ElementRow, file: str | None = None) -> str:
        """A new element, and those that come with it."""
        self.check(row)
        xml = self.element(row, file)
        others = _WITH[self.language.name].get(row.id)
        if others is None or (row.id == "link" and not self.has("link")):
            return xml
        return f"{xml}\n{self.filled(others.replace('{new}', self.last_name), row)}"

    def check(self, row: ElementRow) -> None:
        """Refuse an element that cannot stand beside what is there, or that the default class in force breaks."""
        if row.id in ("body.joint", "body.freejoint"):
            why = why_no_joint(self.document, self.parent, ["free" if row.id == "body.freejoint" else "hinge"])
            if why is not None:
                raise CannotEdit(why)
        if row.id in ONCE:
            why = why_not(self.document, self.parent, row.tag)
            if why is not None:
                raise CannotEdit(why)
        if row.tag == FLEXCOMP:
            naming(self.document, self.parent, [row.tag])
            joint = self.language.grammar.rows["body.joint"]
            inherited = context_of(self.document).inherited(self.parent, joint)
            if inherited.get("limited") == "true" and "range" not in inherited:
                raise CannotEdit(
                    tr("the default class limits joints and gives no range, which those of a flexcomp would need")
                )

    def element(self, row: ElementRow, file: str | None = None) -> str:
        """An element with its first values."""
        variant = f"/{self.wanted.variant}" if self.wanted.variant else ""
        first = FIRST[self.language.name].get(row.id + variant, "")
        attributes, content = (first, "") if isinstance(first, str) else first
        if self.wanted.place is not None and self.language.name != "URDF":
            attributes = (_PLACES.sub("", attributes) + self.wanted.place).strip()
        given = set(re.findall(r'([\w.:-]+)="', attributes))
        parts = []
        declared = next((each for each in row.attributes.values() if each.declares), None)
        nameless = row.id in _USUALLY_NAMELESS[self.language.name] or (
            row.id == "default" and self.parent.tag != row.tag
        )
        if declared is not None and declared.declares is not None and declared.name not in given and not nameless:
            self.last_name = self.wanted.name or self.fresh.take(declared.declares, row.tag)
            parts.append(f'{declared.name}="{escape(self.last_name, _QUOTE, self.parent.source)}"')
            given.add(declared.name)
        elif self.language.grammar.shared and row.id in self.language.grammar.shared and content:
            parts.append(f'name="{self.fresh.take(self.language.grammar.shared[row.id], row.tag)}"')
        takes_file = FILES[self.language.name].get(row.id)
        if takes_file is not None:
            if file is None:
                raise CannotEdit(tr("<{tag}> needs a file", tag=row.tag))
            parts = [part for part in parts if not row.name_from]  # its name is that of the file
            name = named(folder_of(self.document, row), file)[0]
            parts.append(f'{takes_file}="{escape(name, _QUOTE, self.parent.source)}"')
            given.add(takes_file)
        if attributes:
            parts.append(self._apart(self.filled(attributes, row), row))
        if row.id in _RANGES and "range" not in given:
            parts += self._range(row)
        parts += [
            f'{each.name}="{self._value(each, row)}"'
            for each in row.attributes.values()
            if each.required and each.name not in given
        ]
        inside = [self.filled(content, row).strip("\n")] if content else list(self._required(row))
        start = " ".join([f"<{row.tag}", *parts])
        if not inside:
            return start + "/>"
        lines = "\n".join(inside).replace("\n", "\n  ")
        return f"{start}>\n  {lines}\n</{row.tag}>"

    def _apart(self, attributes: str, row: ElementRow) -> str:
        """The text of the attributes, with an unused prefix if they are of an attach or composite."""
        name = next((name for id, name in PREFIXES if id == row.id), None)
        if name is None:
            return attributes
        return re.sub(
            rf'\b{name}="([^"]*)"',
            lambda match: f'{name}="{self.fresh.take_prefix(self.document, match[1])}"',
            attributes,
        )

    def _range(self, row: ElementRow) -> Iterator[str]:
        """The range of a new joint or tendon whose default class says that it is limited, and not where."""
        context = context_of(self.document)
        inherited = context.inherited(self.parent, row)
        if inherited.get("limited") == "true" and "range" not in inherited:
            yield f'range="{_RANGES[row.id][context.convention.degree]}"'

    def _required(self, row: ElementRow) -> Iterator[str]:
        for child in row.children:
            kind = self.language.grammar.rows[child]
            if kind.multiplicity == "!":
                yield self.element(kind)

    def _value(self, known: AttributeRow, row: ElementRow) -> str:
        """A value for a required attribute."""
        if known.refers is not None:
            return self.existing(known.refers, "", row)
        if known.choices:
            return known.choices[0]
        if known.type in ("real", "int"):
            one = known.default.split()[0] if known.default else "1"
            return " ".join([one] * max(known.min_count, 1))
        return known.default or known.name

    def filled(self, text: str, row: ElementRow) -> str:
        """A template with names in place of its braces."""

        size = self.wanted.size or SIZES[self.language.name]
        style = numbers.style_at(self.parent, "")
        text = _LENGTH.sub(lambda match: numbers.number(float(match[1]) * size, style), text)

        def name(match: re.Match[str]) -> str:
            fresh, space, filter = match.groups()
            if space in self.wanted.names:
                return self.wanted.names[space]
            if space == "place":
                return f"{self.wanted.place}\n" if self.wanted.place else ""
            if space == "role":
                return self._role(row)
            if space == "texture" and row.id == "material.layer" and self.parent.get("texture"):
                return escape(self.parent.get("texture") or "", _QUOTE, self.parent.source)
            if space == "other":
                self.other = self.other or self.fresh.take("link", "link")
                return self.other
            found = self.fresh.take(space, space) if fresh else self.existing(space, filter, row)
            return escape(found, _QUOTE, self.parent.source)

        return _PLACEHOLDER.sub(name, text)

    def _role(self, row: ElementRow) -> str:
        """The first role that no layer beside has. Raises CannotEdit if there is none."""
        there = {child.get("role") for child in self.parent.children}
        free = [role for role in row.attributes["role"].choices if role not in there]
        if not free:
            raise CannotEdit(tr("the material has a layer of each role"))
        return free[0]

    def has(self, space: str) -> bool:
        """Whether there is a name of this namespace."""
        return any(each.space == space for each in self.names.declarations)

    def existing(self, space: str, filter: str, row: ElementRow) -> str:
        """A name of a namespace: the first one that nothing of the same kind refers to, else the first one; each time
        another one. Raises CannotEdit if there is none."""
        found = [
            each.name
            for each in self.names.declarations
            if each.space == space
            and not each.parts
            and each.made is None
            and _fits(each.node, filter)
            and (space != "plugin" or self._fits_plugin(each, row))
            and (space, each.name) not in self.used
        ]
        if not found:
            words = {
                "!": "hinge or slide joint",
                "?": "ball joint",
                "#": f"{space} with a range and",
                "@": "sphere or cylinder",
            }
            kind = words.get(filter, _WORDS.get(space, space))
            other = "another " if any(used == space for used, _ in self.used) else "a "
            raise CannotEdit(tr("<{tag}> needs {other}{kind} with a name", tag=row.tag, other=other, kind=kind))
        busy = {
            reference.name
            for reference in self.names.references
            if reference.space == space and reference.attribute.node.tag == row.tag
        }
        name = next((name for name in found if name not in busy), found[0])
        self.used.add((space, name))
        return name

    def _fits_plugin(self, instance: Declaration, row: ElementRow) -> bool:
        """Whether an element can use an instance of a plugin: one of its kind, and of a cable one without users."""
        around = instance.node.parent
        name = around.get("plugin") or "" if around is not None else ""
        if row.id == "body.plugin" and any(True for _ in self.names.of(instance)):
            return False
        return row.id in USERS.get(name, (row.id,))


def _fits(node: Node, filter: str) -> bool:
    """Whether a joint has one degree of freedom ("!"), is a ball ("?") or has a range ("#"), a geom is a sphere or a
    cylinder ("@"), judged by the text.
    """
    if not filter:
        return True
    if filter == "#":
        return node.get("range") is not None
    if filter == "@":
        return node.get("type", "sphere") in ("sphere", "cylinder") and node.get("mesh") is None
    type = "free" if node.tag == "freejoint" else node.get("type") or "hinge"
    return type == "ball" if filter == "?" else type in ("hinge", "slide")


_WORDS = {"plugin": "plugin instance", "model": "model asset", "class": "default class"}
