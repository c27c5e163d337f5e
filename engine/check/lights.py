"""Checks of lights: more of them, or of their shadows, than a picture has room for."""

from __future__ import annotations

import numpy as np

from kinetree.engine.check.case import Case, Finding, Findings
from kinetree.engine.model import enums
from kinetree.engine.model.lights import MAXLIGHT, MAXSHADOW, shadow_views
from kinetree.engine.translation import tr


def number(case: Case) -> Findings:
    model = case.model
    active = np.flatnonzero(model.light_active.astype(bool) & (model.light_type != enums.LIGHT_IMAGE))
    room = MAXLIGHT - int(bool(model.vis.headlight.active))
    if len(active) > room:
        light = case.elements("light")[active[room]]
        yield Finding(
            "too-many-lights",
            light.node.tag_span,
            tr(
                "{lights} lights are on, and a picture has room for {most}; this one and those after it are not drawn",
                lights=len(active),
                most=room,
            ),
        )


def shadows(case: Case) -> Findings:
    model = case.model
    casters = np.flatnonzero(model.light_active.astype(bool) & model.light_castshadow.astype(bool))
    views = [shadow_views(int(model.light_type[i]), float(model.light_cutoff[i])) for i in casters]
    beyond = np.flatnonzero(np.cumsum(views) > MAXSHADOW)
    if len(beyond):
        light = case.elements("light")[casters[beyond[0]]]
        yield Finding(
            "too-many-shadows",
            case.at(light, "castshadow"),
            tr(
                "shadows of {lights} lights take {views} views, and a picture has room for {most}; the lights that "
                'matter least where one looks cast none; give those that need none castshadow="false"',
                lights=len(casters),
                views=sum(views),
                most=MAXSHADOW,
            ),
        )
