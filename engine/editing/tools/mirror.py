"""Mirror a limb: a body with everything in it, copied to the other side of a plane of the frame that it stands in.
Limbs of URDF: mirror_urdf.py.

    mirrored = mirror(document, body, "y")
    project.apply("Mirror limb", mirrored.edits)
    mirrored.notes                                  what the user has to look at

The copy is the mirror image S of the limb: a frame with rotation R gets the rotation S R S, so that a point has the
coordinates S p in the mirrored frame of its element. What follows for the numbers of the text is nearly always another
sign, whatever form the author writes: a rotation about n becomes one about -S n by the same angle. Hinges turn about
-S axis, so that the same position of the joint and the same control give the mirrored pose; ranges stay. The image of a
camera is mirrored from left to right, so that it stays upright. Meshes are mirrored by the sign of their scale,
height fields by the order of their heights.

Included files in the limb are written out in the copy. Names get the other side (sides.py). Actuators, sensors,
tendons, equalities, pairs and excludes that refer to the limb are copied with it, and keyframes get the mirrored state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from kinetree.engine.assist.language import language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.document.change import indentation_step
from kinetree.engine.document.element_edit import ElementEdit, Insert, RemoveAttribute, SetAttribute, carry_out
from kinetree.engine.document.layout import indent_at, reindented
from kinetree.engine.editing import numbers, orientation
from kinetree.engine.editing.context import context_of
from kinetree.engine.editing.fresh_names import FreshNames
from kinetree.engine.editing.orientation import FORMS
from kinetree.engine.editing.structure import CannotEdit, index_in, label, outermost, plain
from kinetree.engine.editing.tools import mirror_urdf
from kinetree.engine.editing.tools.including import inside
from kinetree.engine.editing.tools.keyframes import extended
from kinetree.engine.editing.tools.naming import Naming
from kinetree.engine.editing.tools.sides import NameSides
from kinetree.engine.editing.tools.signs import flipped, mirror_signs
from kinetree.engine.geometry.orientation import BadOrientation, mul
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf import values as typed
from kinetree.engine.progress import tracked
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.assist.names import AttributeReference, Declaration
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.parsed import ParsedSource
    from kinetree.engine.document.source import Span
    from kinetree.engine.document.tree import Node

AXES = ("x", "y", "z")
SECTIONS = frozenset({"actuator", "sensor", "tendon", "equality", "contact"})
"""Sections whose elements are copied where they refer to the limb."""
_LEFT_ALONE = {"key": "keyframe", "skin": "skin", "flex": "flex", "tuple": "tuple"}
_REFUSED = {
    "composite": marked("its parts follow from a curve, which has no mirror image in the text"),
    "flexcomp": marked("its points and elements have an order that has no mirror image in the text"),
    "attach": marked("its elements stand in another model"),
    "plugin": marked("what its plugin would do on the other side is not known"),
}
"""Tag -> why an element in a limb has no mirror image."""
_SYMMETRIC = frozenset({"mujoco.sdf.torus", "mujoco.sdf.bowl"})
"""Plugins whose shapes are their own mirror image along their X and Y axes."""
_FACING = frozenset({"plane", "hfield", "sdf"})
"""Types of geoms that are no mirror image of themselves along their Z axis."""
_KEPT = frozenset({"class", "mesh", "hfield", "material", "texture", "plugin"})
"""Namespaces of references that a copy shares with the original; meshes and height fields are handled separately."""
SUFFIX = "_mirrored"


class Mirrored(NamedTuple):
    """A mirrored limb.

    edits  the step that makes it
    notes   sentences about what was left alone
    """

    edits: list[ElementEdit]
    notes: list[str]


def mirror(document: Document, node: Node, axis: str = "y", symmetric: Collection[str] = ()) -> Mirrored:
    """Edits that put the mirror image of a body beside it. The mirror plane goes through the origin of the body's
    parent frame, across `axis`. `symmetric`: names of meshes that are their own mirror image across that axis of their
    frame. Raises CannotEdit.
    """
    if language_of(document).name == "URDF":
        return Mirrored(*mirror_urdf.mirror(document, node, mirror_signs(axis), symmetric, SUFFIX))
    return _Mirror(document, node, axis, symmetric).done()


class _Mirror:
    """One limb.

    across   the number of the axis
    vector   signs of the coordinates of a mirrored vector
    turn     signs of a mirrored axis of rotation
    changes  of the copies, as edits about the originals
    renamed  (namespace, name) -> name of the copy, as references say it; new_names: without the namespace
    meshes   name -> name of the mesh that is its mirror image; so are `fields` of height fields
    """

    def __init__(self, document: Document, node: Node, axis: str, symmetric: Collection[str]) -> None:
        self.document, self.symmetric = document, symmetric
        self.context = context_of(document)
        self.language = self.context.language
        if self.language.name != "MJCF":
            raise CannotEdit(
                tr("limbs can be mirrored in MJCF and URDF only, and this model is {name}", name=self.language.name)
            )
        (self.node,) = outermost(document, [node])
        if self.node.tag != "body":
            raise CannotEdit(tr("{label} is no body: select the body at the root of a limb", label=label(node)))
        self.across = AXES.index(axis)
        self.vector = mirror_signs(axis)
        self.turn = [-sign for sign in self.vector]
        self.names = names_of(document)
        self.fresh = FreshNames(self.names, self.language)
        self.changes: list[ElementEdit] = []
        self.renamed: dict[tuple[str, str], str] = {}
        self.meshes: dict[str, str] = {}
        self.fields: dict[str, str] = {}
        self.assets: list[Node] = []
        self.notes: list[str] = []
        self.limb = list(self._walk(self.node))
        self.inside = {each.id for each in self.limb}
        self.sides = self._sides()
        self.new_names: dict[str, str] = {}

    def done(self) -> Mirrored:
        for node in tracked(self.limb):
            self._geometry(node)
        outside = self._outside()
        self._rename([*self.limb, *(node for top in outside for node in top.iter())])
        for top in outside:
            self._outer_geometry(top)
        edits = self._edits([*self.assets, *outside])
        actuators = {each.id for each in outside if each.parent is not None and each.parent.tag == "actuator"}
        keys, notes = extended(self.document, self.inside, actuators, self.vector)
        return Mirrored([*edits, *keys], [*self.notes, *notes])

    def _edits(self, others: Sequence[Node]) -> list[ElementEdit]:
        """The copies, made by changing the originals in a draft that is thrown away."""
        draft = {path: after for path, (after, _) in carry_out(self.changes, self.document.parsed).items()}

        def copy(node: Node) -> str:
            after = draft.get(node.source.path)
            changed = node if after is None else after.node(node.id)
            assert changed is not None
            text = plain(changed, self._expanded(changed, changed.span, draft))
            return self.sides.in_comments(text, self.new_names)

        parent = self.node.parent
        assert parent is not None
        edits: list[ElementEdit] = [Insert(parent, copy(self.node), index_in(parent, self.node) + 1)]
        ends: dict[int, int] = {}
        for node in others:
            assert node.parent is not None
            place = index_in(node.parent, node) + 1
            ends[node.parent.id] = max(place, ends.get(node.parent.id, 0))
        for node in others:
            assert node.parent is not None
            edits.append(Insert(node.parent, copy(node), ends[node.parent.id]))
        return edits

    def _walk(self, node: Node) -> Iterator[Node]:
        """Yields an element and its descendants, with the content of included files. Raises CannotEdit for an unread
        file.
        """
        yield node
        for child in node.children:
            if child.tag != schema.INCLUDE.tag:
                yield from self._walk(child)
                continue
            root = self.document.included(child)
            if root is None:
                raise CannotEdit(tr("{label}, line {line}, was not read", label=label(child), line=child.line))
            for inner in root.children:
                yield from self._walk(inner)

    def _expanded(self, node: Node, span: Span, draft: Mapping[str, ParsedSource]) -> str:
        """The text of a span of an element, with each <include> replaced by the content of its file."""
        text, start = span.text, span.start
        for include in reversed([each for each in node.iter(schema.INCLUDE.tag) if each.id in self.document.includes]):
            root = self.document.included(include)
            assert root is not None
            if root.source.path in draft:
                root = draft[root.source.path].root
            held = inside(root, self._expanded(root, root.content_span, draft))
            held = reindented(held, indentation_step(node))
            indent = indent_at(node.source.text, include.start)
            text = text[: include.start - start] + held.replace("\n", f"\n{indent}") + text[include.end - start :]
        return text

    # ---- numbers ---------------------------------------------------------------------------------------------

    def _set(self, node: Node, name: str, value: str) -> None:
        if node.get(name) != value:
            self.changes.append(SetAttribute(node, name, value))

    def _flip(self, node: Node, found: dict[str, Any], name: str, signs: Sequence[int]) -> None:
        """Change the signs of the numbers in force of an attribute."""
        row = self.language.row(node)
        known = None if row is None else row.attributes.get(name)
        if row is None or known is None:
            return
        value = found.get(name)
        if value is None:
            value = typed.default(known)
        old = [] if value is None else [float(each) for each in value]
        wrong = [i for i, (sign, each) in enumerate(zip(signs, old, strict=False)) if sign < 0 and each]
        if not wrong:
            return
        alias = next((a for a, each in row.attributes.items() if each.same_as == name and node.get(a)), name)
        written = node.get(alias) or ""
        if len(written.split()) > max(wrong):
            self._set(node, alias, flipped(written, signs))
        else:
            new = [sign * each for sign, each in zip(signs, old, strict=False)] + old[len(signs) :]
            self._set(node, alias, numbers.numbers(new, written, numbers.style_at(node, alias)))

    def _orientation(self, node: Node, found: dict[str, Any]) -> None:
        """Mirror the orientation of an element: a rotation R becomes S R S, where S mirrors; in each form this only
        changes signs.
        """
        form = orientation.form_of(found)
        if form is None:
            return
        s = self.vector
        signs = {
            "quat": [1, *self.turn],
            "axisangle": [*self.turn, 1],
            "euler": [self.turn["xyz".index(letter)] for letter in self.context.convention.sequence.lower()],
            "xyaxes": [*(s[0] * sign for sign in s), *(s[1] * sign for sign in s)],
            "zaxis": [s[2] * sign for sign in s],
        }
        self._flip(node, found, form, signs[form])

    def _upright(self, node: Node, found: dict[str, Any]) -> None:
        """Write the rotation S R F, where F mirrors along the X axis of the element: for elements whose look depends on
        the mirror axis."""
        if self.across == 0:
            self._orientation(node, found)
            return
        convention = self.context.convention
        form = orientation.form_of(found) or "quat"
        if form == "xyaxes":
            self._flip(node, found, form, [*self.turn, *self.vector])
            return
        try:
            w, x, y, z = orientation.read(found, convention)
        except BadOrientation as error:
            raise CannotEdit(
                tr("the orientation of {label} cannot be read: {error}", label=label(node), error=error)
            ) from None
        half = (0.0, 0.0, 0.0, 1.0) if self.across == 1 else (0.0, 0.0, 1.0, 0.0)
        quat = mul((w, self.turn[0] * x, self.turn[1] * y, self.turn[2] * z), half)
        new = orientation.write(quat, form, convention)
        if new is None:
            form = "xyaxes" if node.get(form) is None else "quat"
            new = orientation.write(quat, form, convention)
            assert new is not None
        self.changes += [RemoveAttribute(node, other) for other in (*FORMS, "zaxes") if other != form]
        style = numbers.style_at(node, form)
        self._set(node, form, numbers.numbers(new, node.get(form) or "", style, 1e-14))

    # ---- the limb --------------------------------------------------------------------------------------------

    def _geometry(self, node: Node) -> None:
        row = self.language.row(node)
        if row is None:
            return
        if node.tag == "plugin" and self._plugin(node) in _SYMMETRIC:
            return
        if node.tag in _REFUSED:
            raise CannotEdit(
                tr(
                    "{label}, line {line}, cannot be mirrored: {why}",
                    label=label(node),
                    line=node.line,
                    why=tr(_REFUSED[node.tag]),
                )
            )
        found = self.context.values(node)
        if node.tag == "joint":
            kind = found.get("type", "hinge")
            self._flip(node, found, "pos", self.vector)
            if kind in ("hinge", "slide"):
                self._flip(node, found, "axis", self.turn if kind == "hinge" else self.vector)
            return
        for name in ("pos", "dir", "offset"):
            self._flip(node, found, name, self.vector)
        if "fullinertia" in found:
            s = self.vector
            self._flip(node, found, "fullinertia", [1, 1, 1, s[0] * s[1], s[0] * s[2], s[1] * s[2]])
        elif "fromto" in found and node.tag in ("geom", "site"):
            self._ends(node, found)
        elif node.tag == "camera" or (found.get("type") in _FACING and self.across == 2):
            self._upright(node, found)
            for name in ("principal", "principalpixel"):
                self._flip(node, found, name, (-1, 1))
        else:
            self._orientation(node, found)
        if node.tag == "geom":
            self._shape(node, found)

    def _ends(self, node: Node, found: dict[str, Any]) -> None:
        """Mirror both ends of a shape; across z also swap them, as the Z axis of the shape points from the second to
        the first."""
        old = [float(value) for value in found["fromto"]]
        written = node.get("fromto")
        if written is None:
            written = numbers.numbers(old, "", numbers.style_at(node, "fromto"))
        text = flipped(written, [*self.vector, *self.vector])
        if self.across == 2:
            words = text.split()
            text = " ".join([*words[3:], *words[:3]])
        self._set(node, "fromto", text)

    def _shape(self, node: Node, found: dict[str, Any]) -> None:
        field, mesh = found.get("hfield"), found.get("mesh")
        if found.get("type") == "hfield" and field:
            self._set(node, "hfield", self._mirrored_field(node, field))
        elif found.get("type") == "sdf":
            plugin = node.find("plugin")
            if plugin is None or self._plugin(plugin) not in _SYMMETRIC:
                raise CannotEdit(
                    tr(
                        "{label}, line {line}, cannot be mirrored: {why}",
                        label=label(node),
                        line=node.line,
                        why=tr(_REFUSED["plugin"]),
                    )
                )
        elif mesh and mesh not in self.symmetric:
            self._set(node, "mesh", self._mirrored_mesh(node, mesh))

    def _plugin(self, node: Node) -> str | None:
        """The name of the plugin that a <plugin> means, itself or by an instance."""
        declared = self.names.declaring("plugin", node.get("instance") or "")
        around = declared[0].node.parent if declared else None
        return node.get("plugin") if around is None else around.get("plugin")

    def _mirrored_field(self, geom: Node, name: str) -> str:
        """The name of the height field with its columns, or its rows across Y, in the other order, which becomes a new
        asset. A field without heights is flat."""
        if name in self.fields:
            return self.fields[name]
        declared = self.names.declaring("hfield", name)
        node = self.document.node(declared[0].node.id) if declared else None
        if node is None or node.get("file"):
            why = tr("is not in this text") if node is None else tr("comes from a file")
            raise CannotEdit(
                tr(
                    "{label}, line {line}, cannot be mirrored: its height field {why}",
                    label=label(geom),
                    line=geom.line,
                    why=why,
                )
            )
        words = (node.get("elevation") or "").split()
        columns = int(node.get("ncol") or 1)
        rows = [words[i : i + columns] for i in range(0, len(words), columns)]
        image = rows[::-1] if self.across == 1 else [row[::-1] for row in rows]
        self.fields[name] = name
        if image != rows:
            new = self.sides.other(name)
            taken = new == name or self.names.declaring("hfield", new)
            self.fields[name] = self.fresh.take("hfield", name + SUFFIX if taken else new)
            self._set(node, "name", self.fields[name])
            self._set(node, "elevation", "  ".join(" ".join(row) for row in image))
            self.assets.append(node)
        return self.fields[name]

    def _mirrored_mesh(self, geom: Node, name: str) -> str:
        """The name of the mesh with the other sign of scale, which becomes a new asset if there is none."""
        if name in self.meshes:
            return self.meshes[name]
        declared = self.names.declaring("mesh", name)
        node = self.document.node(declared[0].node.id) if declared else None
        if node is None or node.find("plugin") is not None:
            raise CannotEdit(
                tr(
                    "{label}, line {line}, cannot be mirrored: its mesh is not in this text",
                    label=label(geom),
                    line=geom.line,
                )
            )
        found = self.context.values(node)
        scale = [sign * float(value) for sign, value in zip(self.vector, found.get("scale", (1, 1, 1)), strict=True)]
        kept = {each.name: each.value for each in node.attributes if each.name not in ("name", "scale")}
        for other in self.names.declarations:
            if other.space == "mesh" and "file" in kept and list(self._scale(other)) == scale:
                if {each.name: each.value for each in other.node.attributes if each.name in kept} == kept:
                    self.meshes[name] = other.name
                    return other.name
        new = self.sides.other(name)
        new = self.fresh.take("mesh", name + SUFFIX if new == name or self.names.declaring("mesh", new) else new)
        self._set(node, "name", new)
        if "file" in kept:
            self._set(node, "scale", numbers.numbers(scale, node.get("scale") or "", numbers.style_at(node, "scale")))
        else:
            self._mirror_points(node, found)
        self.assets.append(node)
        self.meshes[name] = new
        return new

    def _mirror_points(self, node: Node, found: dict[str, Any]) -> None:
        """Mirror the points of a mesh in the text: for these the compiler does not turn faces with the scale."""
        for name in ("vertex", "normal"):
            text = node.get(name)
            if text:
                self._set(node, name, flipped(text, self.vector * (len(text.split()) // 3)))
        self._flip(node, found, "refpos", self.vector)
        self._flip(node, found, "refquat", [1, *self.turn])
        faces = (node.get("face") or "").split()
        if faces:
            self._set(node, "face", " ".join(faces[i + j] for i in range(0, len(faces) - 2, 3) for j in (0, 2, 1)))

    def _scale(self, mesh: Declaration) -> Iterable[float]:
        return map(float, self.context.values(mesh.node).get("scale", (1, 1, 1)))

    # ---- what refers to the limb -----------------------------------------------------------------------------

    def _sides(self) -> NameSides:
        names = [each.name for node in self.limb for each in self.names.declared(node) if each.space != "mesh"]
        return NameSides.of(names, [each.name for each in self.names.declarations])

    def _outside(self) -> list[Node]:
        """The elements of sections that are copied: what refers to the limb, what refers to that, and so on."""
        found: dict[int, Node] = {}
        passed: set[int] = set()
        pending = list(self.limb)
        while pending:
            for reference in self.names.references_to(pending.pop()):
                top = self._top(reference)
                if top is None or top.id in found or top.id in passed:
                    continue
                assert top.parent is not None
                if top.parent.tag in SECTIONS and self._can_copy(top):
                    found[top.id] = top
                    pending += top.iter()
                else:
                    passed.add(top.id)
                    if top.tag in _LEFT_ALONE:
                        self.notes.append(tr("{label} is not mirrored", label=label(top)))
        files = list(self.document.trees)
        return sorted(found.values(), key=lambda each: (files.index(each.source.path), each.start))

    def _top(self, reference: AttributeReference) -> Node | None:
        """The element of a section that a reference stands in; None for one in the kinematic tree."""
        node: Node | None = self.document.node(reference.attribute.node.id)
        while node is not None and node.id not in self.inside and node.parent is not None:
            if node.parent.tag in SECTIONS or node.tag in _LEFT_ALONE:
                return node
            node = node.parent
        return None

    def _can_copy(self, top: Node) -> bool:
        """Whether the numbers of an element are of frames that are mirrored."""
        body = top.get("body1")
        if top.tag != "connect" or body is None or self._is_mirrored(body):
            return True
        self.notes.append(
            tr(
                "{label} is not copied: its anchor is in the frame of {body}, which is not mirrored",
                label=label(top),
                body=body,
            )
        )
        return False

    def _is_mirrored(self, body: str) -> bool:
        """Whether a body is in the limb, or the plane is one of its own frame."""
        parent = self.node.parent
        around = parent is not None and (parent.get("name") if parent.tag == "body" else parent.tag[:5])
        return body == around or any(each.node.id in self.inside for each in self.names.meant("body", body))

    def _rename(self, nodes: Sequence[Node]) -> None:
        """Give what is copied its names, and let the references between the copies follow."""
        by_id = {node.id: node for node in nodes}
        naming = Naming.of_copy(self.names, self.sides, self.fresh, by_id)
        declared = [each for node in nodes for each in self.names.declared(node) if each.name and each.space != "mesh"]
        naming.add([(each.space, each.name) for each in declared], SUFFIX)
        for declaration in declared:
            new = naming.new[declaration.space, declaration.name]
            if not declaration.parts:
                self._set(by_id[declaration.node.id], declaration.row.name, new)
            for reference, suffix in self.names.of(declaration):
                self.renamed[reference.space, reference.name] = new + suffix
        for node in nodes:
            for reference in self.names.references_in(node):
                self._refer(node, reference)
        self.notes += naming.note()
        self.new_names = naming.names

    def _refer(self, node: Node, reference: AttributeReference) -> None:
        attribute = node.attribute(reference.attribute.name)
        if attribute is None or reference.space in _KEPT:
            return

        def other(name: str) -> str:
            new = self.renamed.get((reference.space, name))
            if new is None:
                new = self.sides.other(name)
                if not self.names.meant(reference.space, new):
                    new = name
            return new

        if reference.row.max_count == 1:
            self._set(node, attribute.name, other(attribute.value))
        else:
            self._set(node, attribute.name, " ".join(map(other, attribute.value.split())))

    def _outer_geometry(self, top: Node) -> None:
        row = self.language.row(top)
        if row is None:
            return
        found = self.context.values(top)
        if "gear" in row.attributes:
            if found.get("site"):
                self._flip(top, found, "gear", [*self.vector, *self.turn])
            joint = found.get("joint") or found.get("jointinparent")
            signs = {"free": [*self.vector, *self.turn], "ball": self.turn}.get(self._joint_kind(joint))
            if signs is not None:
                self._flip(top, found, "gear", signs)
        if top.tag in ("connect", "weld"):
            self._flip(top, found, "anchor", self.vector)
            if top.get("relpose"):
                self._flip(top, found, "relpose", [*self.vector, 1, *self.turn])

    def _joint_kind(self, name: str | None) -> str:
        declared = self.names.meant("joint", name) if name else []
        if not declared:
            return ""
        node = declared[0].node
        return "free" if node.tag == "freejoint" else self.context.values(node).get("type", "hinge")
