"""Arguments of commands that draw: what is shown, and how much is done for the picture.

They are made from the tables of `engine/scene/options.py` and `engine/scene/effects.py`, as the menus of the window
are.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from kinetree.app.commands.arguments import takes
from kinetree.app.terminal import UsageError
from kinetree.engine import scene
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.scene.effects import Effect, Value
    from kinetree.engine.scene.options import VisOptions

SWITCH = {"on": True, "off": False}
"""Values of effects that are switches."""


def add_look_arguments(parser) -> None:

    flags = ", ".join(flag.name for flag in scene.options.FLAGS)
    effects = ", ".join(effect.name for effect in scene.effects.EFFECTS)
    takes(
        parser.add_argument(
            "--show",
            metavar="FLAG",
            action="append",
            default=[],
            help=tr("show, besides the usual (repeat it): {flags}", flags=flags),
        ),
        scene.options.FLAG_BY_NAME,
        in_lists=True,
    )
    takes(
        parser.add_argument(
            "--hide", metavar="FLAG", action="append", default=[], help=tr("do not show; the same names as for --show")
        ),
        scene.options.FLAG_BY_NAME,
        in_lists=True,
    )
    takes(
        parser.add_argument(
            "--label",
            metavar="KIND",
            default="none",
            help=tr("what gets labels: {names}", names=_names(scene.options.Label)),
        ),
        [mode.name.lower() for mode in scene.options.Label],
    )
    takes(
        parser.add_argument(
            "--frame",
            metavar="KIND",
            default="none",
            help=tr("whose frames are drawn: {names}", names=_names(scene.options.Frame)),
        ),
        [mode.name.lower() for mode in scene.options.Frame],
    )
    takes(
        parser.add_argument(
            "--group",
            metavar="KIND:N,N",
            action="append",
            default=[],
            help=tr(
                "show only these groups of a kind, such as geom:0,1,2 (repeat it): {names}",
                names=", ".join(scene.options.GROUP_KINDS),
            ),
        ),
        [f"{kind}:" for kind in scene.options.GROUP_KINDS],
    )
    takes(
        parser.add_argument(
            "--shapes",
            metavar="NAME",
            default="groups",
            help=tr("what is drawn of geoms, whatever their groups: {names}", names=_names(scene.options.Shapes)),
        ),
        [mode.name.lower() for mode in scene.options.Shapes],
    )
    takes(
        parser.add_argument(
            "--quality",
            metavar="NAME",
            default="balanced",
            help=tr(
                "how much is done for the picture: {names} (default balanced)", names=", ".join(scene.effects.PRESETS)
            ),
        ),
        scene.effects.PRESETS,
    )
    takes(
        parser.add_argument(
            "--effect",
            metavar="NAME=VALUE",
            action="append",
            default=[],
            help=tr("switch one effect on or off, or set its value (repeat it): {effects}", effects=effects),
        ),
        [f"{effect.name}={value}" for effect in scene.effects.EFFECTS for value in values_of(effect)],
    )
    parser.add_argument(
        "--samples", metavar="N", help=tr("samples of each pixel, for smooth edges (default: --quality's)")
    )
    takes(
        parser.add_argument(
            "--tonemap",
            metavar="NAME",
            default="model",
            help=tr(
                "how light brighter than white is shown: {names} (default model)",
                names=", ".join(scene.options.ToneMapping),
            ),
        ),
        scene.options.ToneMapping,
    )
    parser.add_argument(
        "--exposure",
        metavar="STOPS",
        default=0.0,
        help=tr("brighter or darker; each stop doubles the light (default 0)"),
    )


def look_of(options) -> scene.options.VisOptions:
    """The arguments as VisOptions. Raises UsageError."""

    look = scene.options.VisOptions()
    scene.effects.set_preset(look, scene.effects.Preset(_one_of("--quality", options.quality, scene.effects.PRESETS)))
    for argument, on in (("show", True), ("hide", False)):
        for text in getattr(options, argument):
            for name in filter(None, text.split(",")):
                setattr(look, _one_of(f"--{argument}", name, list(scene.options.FLAG_BY_NAME)), on)
    for text in options.group:
        _set_groups(look, text)
    for text in options.effect:
        _set_effect(look, text)
    look.shapes = scene.options.Shapes(_one_of("--shapes", options.shapes, list(scene.options.Shapes)))
    look.label = scene.options.Label[
        _one_of("--label", options.label, [mode.name.lower() for mode in scene.options.Label]).upper()
    ]
    look.frame = scene.options.Frame[
        _one_of("--frame", options.frame, [mode.name.lower() for mode in scene.options.Frame]).upper()
    ]
    look.tonemap = scene.options.ToneMapping(_one_of("--tonemap", options.tonemap, list(scene.options.ToneMapping)))
    look.exposure = number("--exposure", options.exposure, -scene.options.MOST_EXPOSURE, scene.options.MOST_EXPOSURE)
    if options.samples is not None:
        look.samples = int(number("--samples", options.samples, 1, 64))
    return look


def number(name: str, value, least: float, most: float) -> float:
    """The value of an argument that is a number. Raises UsageError."""
    try:
        found = float(value)
    except ValueError:
        raise UsageError(tr("render: {name} {value!r} is not a number", name=name, value=value)) from None
    if not least <= found <= most:
        raise UsageError(
            tr(
                "render: {name} {value} must be between {least:g} and {most:g}",
                name=name,
                value=value,
                least=least,
                most=most,
            )
        )
    return found


def _names(modes: type[Enum]) -> str:
    return ", ".join(mode.name.lower() for mode in modes)


def _one_of(argument: str, name: str, known) -> str:
    if name not in known:
        raise UsageError(
            tr(
                "render: {argument} {name!r} is not one of {names}",
                argument=argument,
                name=name,
                names=", ".join(known),
            )
        )
    return name


def _set_groups(look: VisOptions, text: str) -> None:
    kind, colon, numbers = text.partition(":")
    _one_of("--group", kind, scene.options.GROUP_KINDS)
    chosen = [each.strip() for each in numbers.split(",") if each.strip()]
    if not colon or not all(each in map(str, range(scene.options.NGROUP)) for each in chosen):
        raise UsageError(
            tr(
                "render: --group {text!r} is not like {kind}:0,1 with groups from 0 to {number}",
                text=text,
                kind=kind,
                number=scene.options.NGROUP - 1,
            )
        )
    setattr(look, f"{kind}group", [str(group) in chosen for group in range(scene.options.NGROUP)])


def _set_effect(look: VisOptions, text: str) -> None:
    name, equals, value = text.partition("=")
    effect = scene.effects.EFFECT_BY_NAME[_one_of("--effect", name, scene.effects.EFFECT_BY_NAME)]
    values = values_of(effect)
    setattr(look, name, values[_one_of(tr("--effect {name}", name=name), value if equals else "on", values)])


def values_of(effect: Effect) -> dict[str, Value]:
    """The values of an effect by how the command line writes them."""
    return {str(value): value for value, _ in effect.choices} if effect.choices else dict(SWITCH)
