"""Tendons: weighted sums of joint positions (fixed), paths through sites, around geoms, over pulleys (spatial).

Specification: XML reference, tendon/spatial, tendon/fixed. The rules for paths were found by trying mujoco 3.3.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinetree.engine.compile.autolimits import limited
from kinetree.engine.compile.indexing import ObjectIndex, users
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.model import enums
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.model.model import Model

WRAPS = {enums.GEOM_SPHERE: enums.WRAP_SPHERE, enums.GEOM_CYLINDER: enums.WRAP_CYLINDER}
_SOLVER = {
    "solref_lim": "solreflimit",
    "solimp_lim": "solimplimit",
    "solref_fri": "solreffriction",
    "solimp_fri": "solimpfriction",
}
_PLAIN = (
    "group", "width", "range", "actuatorfrcrange", "margin", "stiffness", "damping", "armature", "frictionloss",
    "rgba",
)  # fmt: skip


def fill(model: Model, index: ObjectIndex, diagnostics: Diagnostics) -> None:
    adr = 0
    tendons = index.objects["tendon"]
    for i, tendon in enumerate(tendons):
        model.tendon_adr[i], model.tendon_num[i] = adr, len(tendon.items)
        if not tendon.items:
            inside = "joint" if tendon.tag == "fixed" else "site"
            message = tr("the tendon is empty; add {inside} elements to it", inside=inside)
            diagnostics.error(tendon.node, "missing-element", message)
        elif tendon.tag == "spatial":
            check_path(tendon, diagnostics)
        for item in tendon.items:
            kind, at, number = PARTS[item.tag](model, index, diagnostics, item)
            model.wrap_type[adr], model.wrap_objid[adr], model.wrap_prm[adr] = kind, at, number
            adr += 1
        settings(model, index, diagnostics, tendon, i)
    users(model, "tendon_user", tendons)


# ---- parts of a tendon --------------------------------------------------------------------------------


def _joint(model: Model, index: ObjectIndex, diagnostics: Diagnostics, item: Element) -> tuple[int, int, float]:
    joint = index.reference(item, "joint", "joint")
    if joint >= 0 and model.jnt_type[joint] not in (enums.JNT_HINGE, enums.JNT_SLIDE):
        kind = "ball" if model.jnt_type[joint] == enums.JNT_BALL else "free"
        message = tr(
            "the tendon takes the first number of this {kind} joint's position and velocity alone, as "
            "MuJoCo does; name a hinge or slide joint",
            kind=kind,
        )
        diagnostics.warning(item.at("joint"), "first-coordinate", message)
    return enums.WRAP_JOINT, joint, item["coef"]


def _site(model: Model, index: ObjectIndex, diagnostics: Diagnostics, item: Element) -> tuple[int, int, float]:
    return enums.WRAP_SITE, index.reference(item, "site", "site"), 0.0


def _geom(model: Model, index: ObjectIndex, diagnostics: Diagnostics, item: Element) -> tuple[int, int, float]:
    geom = index.reference(item, "geom", "geom")
    kind = WRAPS.get(int(model.geom_type[geom]) if geom >= 0 else enums.GEOM_SPHERE)
    if kind is None:
        message = tr("a tendon can wrap around spheres and cylinders only; name one of these")
        diagnostics.error(item.at("geom"), "bad-reference", message)
        kind = enums.WRAP_SPHERE
    return kind, geom, index.reference(item, "sidesite", "site")


def _pulley(model: Model, index: ObjectIndex, diagnostics: Diagnostics, item: Element) -> tuple[int, int, float]:
    divisor = item["divisor"]
    if divisor <= 0:  # with 0 the reference computes infinite lengths
        message = tr("the divisor is {divisor:g}; it divides a length and must be greater than 0", divisor=divisor)
        diagnostics.error(item.at("divisor"), "bad-value", message)
        divisor = 1.0
    return enums.WRAP_PULLEY, -1, divisor


PARTS = {"joint": _joint, "site": _site, "geom": _geom, "pulley": _pulley}


def check_path(tendon: Element, diagnostics: Diagnostics) -> None:
    """Report a path whose branches do not begin and end with sites, or whose geoms do not stand between sites; only its
    first mistake."""
    parts = tendon.items
    tags = [item.tag for item in parts]
    if len(parts) < 2:
        message = tr("the path has one point only; add sites until there are two or more")
        diagnostics.error(tendon.node, "missing-element", message)
        return
    for i, (item, tag) in enumerate(zip(parts, tags, strict=True)):
        before = tags[i - 1] if i else None
        after = tags[i + 1] if i + 1 < len(tags) else None
        message = None
        if tag == "geom" and not before == after == "site":
            message = tr("a geom must stand between two sites; add a site before or after it")
        elif tag == "pulley" and after is None:
            message = tr("the path ends with a pulley; add the sites of its branch or remove it")
        elif tag == "pulley" and before == "pulley":
            message = tr("there is nothing between this pulley and the one before; add sites or remove one")
        elif tag == "site" and before in (None, "pulley") and after in (None, "pulley"):
            message = tr("this branch has one site only; add another")
        elif tag == before == "site" and item.get("site") == parts[i - 1].get("site"):
            message = tr("the same site comes twice in a row; remove one")
        elif tag == "geom" and tendon["armature"]:
            message = tr("a tendon with armature cannot wrap around geoms; remove the geom or the armature")
        if message:
            diagnostics.error(item.node, "bad-path", message)
            return


# ---- settings -----------------------------------------------------------------------------------------


def settings(model: Model, index: ObjectIndex, diagnostics: Diagnostics, tendon: Element, i: int) -> None:
    model.tendon_limited[i] = limited(index.spec, diagnostics, tendon, "limited", "range")
    # follows from a range, as the specification says; mujoco 3.3.4 needs it explicitly
    forced = limited(index.spec, diagnostics, tendon, "actuatorfrclimited", "actuatorfrcrange")
    model.tendon_actfrclimited[i] = forced
    low, high = tendon["actuatorfrcrange"].tolist()
    if forced and not low <= 0 <= high:
        message = tr(
            "actuatorfrcrange is {low:g} to {high:g}; it must contain 0, or the force could never rest",
            low=low,
            high=high,
        )
        diagnostics.error(tendon.at("actuatorfrcrange"), "bad-range", message)
    if tendon["armature"] < 0:
        message = tr("armature cannot be negative; use 0 or more")
        diagnostics.error(tendon.at("armature"), "bad-value", message)
    if tendon.tag == "spatial" and tendon["width"] <= 0:
        message = tr("width must be greater than 0; it is the radius in which the tendon is drawn")
        diagnostics.error(tendon.at("width"), "bad-value", message)
    model.tendon_matid[i] = index.reference(tendon, "material", "material")
    rest = tendon["springlength"]
    if rest[0] > rest[1]:
        message = tr("springlength ends before it begins; swap its values")
        diagnostics.error(tendon.at("springlength"), "bad-range", message)
    model.tendon_lengthspring[i] = rest
    for field, name in _SOLVER.items():
        getattr(model, "tendon_" + field)[i] = tendon[name]
    for name in _PLAIN:
        getattr(model, "tendon_" + name.replace("actuatorfrc", "actfrc"))[i] = tendon[name]
