"""Masses and inertias that look like a wrong unit, and those that are given but not used."""

from __future__ import annotations

import numpy as np

from kinetree.engine.check.case import Case, Finding, Findings
from kinetree.engine.geometry import inertia
from kinetree.engine.model import enums
from kinetree.engine.translation import tr

HEAVY, LIGHT = 100_000.0, 0.1
"""Densities beyond which a solid is implausible, kg/m^3."""
WIDE, SLIM = 8.0, 1 / 500
"""Radii of gyration, in extents of the body's shapes, beyond which moments are implausible."""


def densities(case: Case) -> Findings:
    model, groups = case.model, case.index.spec.compiler["inertiagrouprange"]
    mode = case.index.spec.compiler["inertiafromgeom"]
    if mode == "false":
        return
    for i, geom in case.first_of_copies("geom"):
        body = case.index.bodies[model.geom_bodyid[i]]
        if case.static[body.id] or (body.inertial is not None and mode == "auto"):
            continue
        if not groups[0] <= geom["group"] <= groups[1] or geom.get("shellinertia"):
            continue
        name = "mass" if geom.get("mass") is not None else "density"
        if name not in geom.given:
            continue
        kind = model.geom_type[i]
        if kind in (enums.GEOM_MESH, enums.GEOM_SDF):
            continue  # meshes can be shells or open
        volume = inertia.volume(int(kind), model.geom_size[i].tolist(), False)
        if not volume > 0:
            continue
        density = geom["mass"] / volume if name == "mass" else geom["density"]
        smallest = model.geom_rbound[i] > 5e-3  # tiny shapes stand for points
        if density > HEAVY and smallest:
            yield Finding(
                "implausible-density",
                geom.at(name),
                tr(
                    "{label} has {density:.3g} kg/m^3, more than any metal; check the units (m, kg)",
                    label=geom.label(),
                    density=density,
                ),
            )
        elif 0 < density < LIGHT and (geom["mass"] > 1e-6 if name == "mass" else True):
            yield Finding(
                "implausible-density",
                geom.at(name),
                tr(
                    "{label} has {density:.3g} kg/m^3, less than air; check the units (m, kg)",
                    label=geom.label(),
                    density=density,
                ),
            )


def inertias(case: Case) -> Findings:
    model = case.model
    if case.index.spec.compiler["inertiafromgeom"] == "true":
        return
    extent = np.zeros(model.nbody)
    for g in range(model.ngeom):
        body = model.geom_bodyid[g]
        if model.geom_rbound[g] > 0:
            reach = np.linalg.norm(model.geom_pos[g] - model.body_ipos[body]) + model.geom_rbound[g]
            extent[body] = max(extent[body], reach)
    for i, body in case.first_bodies():
        own = body.inertial
        if own is None or case.static[i] or not extent[i] > 1e-4:
            continue
        mass, moments = model.body_mass[i], model.body_inertia[i]
        if not mass > 0 or not moments.max() > 0:
            continue
        ratio = np.sqrt(moments.max() / mass) / extent[i]
        if ratio > WIDE or ratio < SLIM:
            words = tr("large") if ratio > WIDE else tr("small")
            radius = ratio * extent[i]
            yield Finding(
                "implausible-inertia",
                own.at("diaginertia", "fullinertia"),
                tr(
                    "the moments of inertia are too {words} for {mass:.3g} kg in a body of {extent:.2g} m: they "
                    "mean a radius of gyration of {radius:.2g} m; check the units (kg m^2)",
                    words=words,
                    mass=mass,
                    extent=extent[i],
                    radius=radius,
                ),
            )


def unused_masses(case: Case) -> Findings:
    model = case.model
    mode = case.index.spec.compiler["inertiafromgeom"]
    for _, body in case.first_bodies():
        own = body.inertial
        if own is None:
            continue
        if mode == "true" and body.geoms:
            yield Finding(
                "redundant-inertial",
                own.node,
                tr(
                    "compiler/inertiafromgeom is true, so that the inertial of {label} is not used; remove it or "
                    "set inertiafromgeom to auto",
                    label=body.label(),
                ),
            )
        elif mode == "auto":
            for geom in body.geoms:
                for name in ("mass", "density"):
                    # 0 is deliberate: a shape without mass
                    if (
                        geom.node.attribute(name) is not None
                        and geom.get(name, 0) != 0
                        and model.body_mass[body.id] > 0
                    ):
                        yield Finding(
                            "mass-ignored",
                            geom.at(name),
                            tr(
                                "{label} has an inertial, so that the {name} of {label2} is not used; "
                                "remove one of them",
                                label=body.label(),
                                name=name,
                                label2=geom.label(),
                            ),
                        )
