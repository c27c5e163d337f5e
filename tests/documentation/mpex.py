"""docs/mpex.md, about the Motphys dialect, from the schema table."""

from __future__ import annotations

from kinetree.engine.compile import mpex
from kinetree.engine.mjcf import schema, values
from kinetree.engine.mjcf.schema_rows import MPEX, AttributeRow, ElementRow
from kinetree.engine.model import unsupported

PAGE = """# The Motphys dialect (MPEX)

<!-- Made by `python -m tests.documentation`: change tests/documentation/mpex.py or the schema table instead. -->

Motphys's simulators read MJCF with elements and attributes of their own. Kinetree reads all of them, checks them and
keeps them in the model; `model.mpex` has them by element and name: `model.mpex.mat_castshadow`, `model.mpex.ssgi_raycount`.

## Whose defaults hold

Some attributes that both dialects have are worth something else where a file leaves them out:

{different}

**MuJoCo's defaults hold, unless the file says otherwise:**

    <compiler dialect="mpex"/>

This setting is Kinetree's own. An element or attribute of the dialect alone changes no default, so that a MuJoCo model to
which one is added stays what it was; a remark (`motphys-dialect`) says so at the first of them, and `dialect="mujoco"` silences
it. No default that differs has to do with the physics. A 0 for an angle of view or a clipping distance means that nothing
is said, and MuJoCo's default holds in both dialects ({zero_means_default}).

Settings that only MPEX has and that MuJoCo's rules leave open are -1 in `model.mpex` where a MuJoCo file does not say it, and the default
of the next table where an MPEX file does not: {open}.

## What it adds

*Done* says what comes of a value other than the default: **yes** it has its effect; **not drawn** it is kept, the picture
lacks it, and a warning says so; **refused** it contradicts the rest of the element.

How a hard contact and a hard limit are read stands in `engine/dynamics/constraint/hard.py`, what a contact sensor reports in
`engine/dynamics/sensor/contact.py`. Below, 3000 kg lie on a box of 1 kg: left with MuJoCo's soft contacts, right with
hard ones; then the deepest contact of both over time.

![soft and hard contacts under load](hard_contacts.png)
![depth over time](hard_contacts_plot.png)

{added}

{choices}

## What is checked

Types, numbers of values, words and references, as everywhere. Counts, lengths, speeds, brightnesses and emitted colours
must not be below 0; a camera's zfar must be beyond its znear; an ssgi/resolutionscale other than 1, 2 or 4 counts as 2,
with a warning. A contact sensor names two geoms, two bodies, two subtrees or a site; it gives `num` times what `data`
lists (found 1, force 3, torque 3, dist 1, pos 3, normal 3, tangent 3 numbers), with reduce="netforce" once. An eleventh
number of dynprm or gainprm has no effect, which is warned of if it is not 0. An emission of four numbers is a colour of MPEX, one number is MuJoCo's factor on the material's own.
"""

DONE = {
    ("body.camera", "trackposspeed"), ("body.camera", "trackrotspeed"), ("body.camera", "znear"), ("body.camera", "zfar"), ("body.light", "innerangle"), ("body.light", "nearz"),
    ("asset.material", "castshadow"), ("visual.ssao", "active"), ("visual.tonemapping", "method"),
    ("asset.material", "depthbias"), ("asset.material", "detailpara"), ("body.camera", "depth"),
    ("visual.map", "envmapintensity"), ("asset.texture", "type"), ("asset.material", "emissionintensity"),
    *((element, name) for element in ("visual.ssgi", "visual.probe") for name in schema.ELEMENTS[element].attributes),
    ("tendon.fixed", "width"), ("tendon.fixed", "rgba"), ("body.site", "zaxes"),
    ("actuator.adhesion", "ctrllimited"), ("actuator.adhesion", "gear"), ("body.geom", "hard"),
    ("body.joint", "hardlimit"), *(("sensor.contact", name) for name in schema.ELEMENTS["sensor.contact"].attributes),
}  # fmt: skip
"""Attributes of the dialect that have their effect."""
REFUSED = {("actuator.adhesion", "joint"), ("actuator.adhesion", "tendon")}
"""Those that contradict what the element is for: its forces are on a body."""
ELSEWHERE = {
    ("tendon.fixed", "width"): "tendon_width",
    ("tendon.fixed", "rgba"): "tendon_rgba",
    ("body.site", "zaxes"): "site_quat",
    ("actuator.adhesion", "ctrllimited"): "actuator_ctrllimited",
    **{("sensor.contact", f"{side}1"): "sensor_objid" for side in ("geom", "body", "subtree")},
    **{("sensor.contact", f"{side}2"): "sensor_refid" for side in ("geom", "body", "subtree")},
    ("sensor.contact", "site"): "sensor_objid",
    ("sensor.contact", "name"): "names",
    ("actuator.adhesion", "gear"): "actuator_gear",
}
"""Attributes of the dialect that go into fields that MuJoCo has."""


def rows() -> list[tuple[ElementRow, AttributeRow]]:
    """Every attribute that only the dialect has, default classes left out."""
    return [
        (element, row)
        for element in schema.ELEMENTS.values()
        if not element.id.startswith("default.")
        for row in element.attributes.values()
        if row.dialect == MPEX
    ]


def different() -> list[tuple[ElementRow, AttributeRow]]:
    """Attributes of both dialects with different defaults that mean different things."""
    found = []
    for element in schema.ELEMENTS.values():
        for row in element.attributes.values():
            if row.mpex_default is None or element.id.startswith("default.") or row.mpex_max_count:
                continue
            if values.default(row, True) != values.default(row):
                found.append((element, row))
    return found


def field(element: ElementRow, row: AttributeRow) -> str:
    """The field of the model with an attribute, "" without one."""
    prefixes = {kind: prefix for prefix, kind in mpex.KINDS.items()}
    name = f"{prefixes.get(element.tag, element.tag)}_{row.name}"
    if element.id == "sensor.contact":
        name = f"sensor_{row.name}"
    known = {f"{prefix}_{attribute}" for prefix, attribute, _ in mpex.fields()}
    return f"mpex_{name}" if name in known else ELSEWHERE.get((element.id, row.name), "")


def state(element: ElementRow, row: AttributeRow) -> str:
    """How far an attribute is supported."""
    key = (element.id, row.name)
    if key in REFUSED:
        return "refused"
    effect = unsupported.effect(*key)
    if effect == unsupported.NOT_DRAWN:
        return "not drawn"
    return "yes" if key in DONE else "kept"  # a test sees to it that nothing is


def _path(element: ElementRow, name: str) -> str:
    return f"{element.id.replace('.', '/').removeprefix('body/')}/{name}"


def _table(head: tuple[str, ...], lines: list[tuple[str, ...]]) -> str:
    rule = tuple("---" for _ in head)
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *lines))


def page() -> str:
    """The whole page."""
    zero_means_default = [
        _path(element, row.name)
        for element in schema.ELEMENTS.values()
        for row in element.attributes.values()
        if row.mpex_default is not None and values.means_default(row, float(row.mpex_default.split()[0]))
    ]
    added = [
        (
            _path(element, row.name),
            f"`{row.type_text}`",  # its brackets make no link
            row.default or "",
            f"`{field(element, row)}`" if field(element, row) else "",
            state(element, row),
            row.help,
        )
        for element, row in rows()
    ]
    choices = [
        (_path(element, row.name), ", ".join(row.mpex_choices), state(element, row))
        for element in schema.ELEMENTS.values()
        for row in element.attributes.values()
        if row.mpex_choices and not element.id.startswith("default.")
    ]
    return PAGE.format(
        different=_table(
            ("attribute", "MuJoCo", "Motphys"),
            [(_path(element, row.name), row.default or "", row.mpex_default or "") for element, row in different()],
        ),
        zero_means_default=", ".join(zero_means_default),
        open=", ".join(f"`{name}`" for name in mpex.UNSAID),
        added=_table(("attribute", "type", "default", "kept as", "done", ""), added),
        choices=_table(("attribute", "further words", "done"), choices),
    )
