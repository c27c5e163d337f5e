"""Contact pairs and exclusions, equality constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.compile.indexing import ObjectIndex
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.model import enums
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.model.model import Model

EQUALITIES = {
    "connect": enums.EQ_CONNECT,
    "weld": enums.EQ_WELD,
    "joint": enums.EQ_JOINT,
    "tendon": enums.EQ_TENDON,
    "flex": enums.EQ_FLEX,
}


def signature(body1: int, body2: int) -> int:
    """One number for two bodies, in either order."""
    low, high = sorted((body1, body2))
    return (low << 16) + high


def order_contacts(index: ObjectIndex) -> None:
    """Number pairs and exclusions by the signature of their bodies, the order of the broad phase."""
    body_of = {geom.name: body.id for body in index.bodies for geom in body.geoms if geom.name}
    bodies = {"world": 0, **index.ids["body"]}

    def pair(element: Element) -> int:
        return signature(*(body_of.get(element.get(name), 0) for name in ("geom1", "geom2")))

    def exclude(element: Element) -> int:
        return signature(*(bodies.get(element.get(name), 0) for name in ("body1", "body2")))

    for kind, key in (("pair", pair), ("exclude", exclude)):
        index.objects[kind] = sorted(index.objects[kind], key=key)
        for i, element in enumerate(index.objects[kind]):
            element.id = i
            if element.name:
                index.ids[kind][element.name] = i


def fill_contacts(model: Model, index: ObjectIndex, diagnostics: Diagnostics) -> None:
    for i, pair in enumerate(index.objects["pair"]):
        geom1, geom2 = index.reference(pair, "geom1", "geom"), index.reference(pair, "geom2", "geom")
        if geom1 < 0 or geom2 < 0:
            continue
        body1, body2 = int(model.geom_bodyid[geom1]), int(model.geom_bodyid[geom2])
        if body1 > body2:
            geom1, geom2 = geom2, geom1
        model.pair_geom1[i], model.pair_geom2[i] = geom1, geom2
        model.pair_signature[i] = signature(body1, body2)
        if pair["condim"] not in (1, 3, 4, 6):
            diagnostics.error(
                pair.at("condim"), "bad-value", tr("condim is {pair}; it must be 1, 3, 4 or 6", pair=pair["condim"])
            )
        model.pair_dim[i] = pair["condim"]
        for name in ("solref", "solreffriction", "solimp", "margin", "gap", "friction"):
            getattr(model, "pair_" + name)[i] = pair[name]
    for i, exclude in enumerate(index.objects["exclude"]):
        bodies = [index.reference(exclude, name, "body") for name in ("body1", "body2")]
        if min(bodies) >= 0:
            model.exclude_signature[i] = signature(*bodies)


def fill_equalities(model: Model, index: ObjectIndex, diagnostics: Diagnostics) -> None:
    for i, eq in enumerate(index.objects["equality"]):
        kind = model.eq_type[i] = EQUALITIES[eq.tag]
        model.eq_data[i, 1] = model.eq_data[i, 10] = 1.0  # the value in mjModel where nothing is set
        model.eq_active0[i] = eq["active"]
        model.eq_solref[i], model.eq_solimp[i] = eq["solref"], eq["solimp"]
        if kind in (enums.EQ_CONNECT, enums.EQ_WELD):
            what, first, second = _bodies(index, diagnostics, eq)
            _anchors(model, eq, i, kind, what)
        elif kind == enums.EQ_FLEX:
            what, first, second = enums.OBJ_UNKNOWN, index.reference(eq, "flex", "flex"), -1
            if first >= 0:
                model.flex_edgeequality[first] = True
                if model.flex_rigid[first]:
                    diagnostics.error(
                        eq.at("flex"),
                        "bad-reference",
                        tr(
                            "flex '{eq}' is rigid: all its vertices are fixed to one body, so that no constraint can "
                            "act on its edges; name another",
                            eq=eq["flex"],
                        ),
                    )
        else:
            noun = "joint" if kind == enums.EQ_JOINT else "tendon"
            what = enums.OBJ_UNKNOWN
            first = index.reference(eq, noun + "1", noun)
            second = index.reference(eq, noun + "2", noun)
            model.eq_data[i, :5] = eq["polycoef"]
            if kind == enums.EQ_JOINT:
                for at, name in ((first, "joint1"), (second, "joint2")):
                    if at >= 0 and model.jnt_type[at] not in (enums.JNT_HINGE, enums.JNT_SLIDE):
                        diagnostics.error(
                            eq.at(name),
                            "bad-reference",
                            tr("only hinge and slide joints can be coupled; name one"),
                        )
        if first >= 0 and first == second:
            diagnostics.error(eq.node, "bad-reference", tr("both sides are the same object; name two different ones"))
        model.eq_objtype[i], model.eq_obj1id[i], model.eq_obj2id[i] = what, first, second


def _bodies(index: ObjectIndex, diagnostics: Diagnostics, eq: Element) -> tuple[int, int, int]:
    """(objtype, first, second) of a connect or weld, given by bodies or by sites."""
    bodies = bool(eq.get("body1") or eq.get("body2"))
    sites = bool(eq.get("site1") or eq.get("site2"))
    if bodies and sites:
        diagnostics.error(eq.at("site1", "site2"), "exclusive-attributes", tr("give bodies or sites, not both"))
        return enums.OBJ_UNKNOWN, -1, -1
    if sites:
        for name in ("site1", "site2"):
            if not eq.get(name):
                diagnostics.error(
                    eq.node, "missing-attribute", tr("{name} is missing; a constraint needs two sites", name=name)
                )
                return enums.OBJ_SITE, -1, -1
        for name in ("anchor", "relpose"):
            if eq.node.attribute(name) is not None:
                diagnostics.error(
                    eq.at(name),
                    "exclusive-attributes",
                    tr("{name} does not go with sites, whose frames give it; remove it", name=name),
                )
        return enums.OBJ_SITE, index.reference(eq, "site1", "site"), index.reference(eq, "site2", "site")
    if not eq.get("body1"):
        diagnostics.error(eq.node, "missing-attribute", tr("body1 is missing; name a body, or two sites"))
        return enums.OBJ_BODY, -1, -1
    if eq.tag == "connect" and "anchor" not in eq.given:
        diagnostics.error(eq.node, "missing-attribute", tr("anchor is missing; give the point where the bodies meet"))
    first = index.reference(eq, "body1", "body")
    second = index.reference(eq, "body2", "body") if eq.get("body2") else 0
    return enums.OBJ_BODY, first, second


def _anchors(model: Model, eq: Element, i: int, kind: int, what: int) -> None:
    """Set eq_data from the text; the rest is computed at the reference configuration."""
    data = model.eq_data[i]
    if kind == enums.EQ_WELD:
        data[10] = eq["torquescale"]
    if what != enums.OBJ_BODY:
        if kind == enums.EQ_CONNECT:
            data[...] = 0.0
        return
    anchor = eq.get("anchor")
    if anchor is not None:
        data[:3] = anchor
    if kind == enums.EQ_WELD:
        relpose = eq["relpose"]
        length = float(np.linalg.norm(relpose[3:]))
        data[3:6] = relpose[:3]
        data[6:10] = relpose[3:] / length if length > 0 else 0.0
