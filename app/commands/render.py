"""Draw a picture of a model without a window."""

from __future__ import annotations

import math
import os
import re
import sys
import traceback
from typing import Any, NamedTuple

from app.commands.common import add_seed, cannot_move, load, seed_of, writable
from app.commands.stepping import advance, report_warnings
from app.terminal import UsageError, fail

MOST = 16384
LONGEST = 1e6


class Format(NamedTuple):
    """A file format: its name in Pillow, how it is written, most pixels along a side."""

    name: str
    options: dict[str, Any]
    most: int = MOST


FORMATS = {
    ".png": Format("PNG", {}),
    ".jpg": Format("JPEG", {"quality": 92, "subsampling": 0}),
    ".jpeg": Format("JPEG", {"quality": 92, "subsampling": 0}),
    ".webp": Format("WEBP", {"quality": 92}, 16383),
}
"""Extension of the output file -> its format."""


def add_arguments(parser) -> None:
    parser.add_argument("model", metavar="MODEL", help="model file")
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="the picture to write: .png, .jpg or .webp"
    )
    parser.add_argument("--size", default="1280x800", metavar="WxH", help="pixels (default 1280x800)")
    parser.add_argument("--camera", metavar="NAME", help="one of the model's cameras, by name or number")
    parser.add_argument("--time", default=0.0, metavar="S", help="simulate this many seconds first")
    parser.add_argument("--key", metavar="NAME", help="start from a keyframe, by name or number")
    parser.add_argument(
        "--tonemap",
        metavar="NAME",
        default="model",
        help=f"how light brighter than white is shown: {', '.join(_tone_mappings())} (default model)",
    )
    parser.add_argument(
        "--exposure",
        metavar="STOPS",
        default=0.0,
        help="brighter or darker; each stop doubles the light (default 0)",
    )
    add_seed(parser)


def run(options) -> int:
    picture_format = format_of(options.output)
    width, height = size_of(options.size)
    if max(width, height) > picture_format.most:
        raise UsageError(
            f"render: --size {options.size}: {picture_format.name} has at most {picture_format.most} pixels"
        )
    seconds = _seconds(options.time)
    look = _look(options)
    problem = writable(options.output)
    if problem:
        return fail(f"render: {problem}")
    model = load(options.model, seed_of(options))
    if model is None:
        return 1
    if seconds > 0 and model.unsimulated:
        return fail(f"render: {cannot_move(model)}; leave out --time to draw it as it stands")
    import engine

    camera = _find(model, "camera", options.camera)
    key = _find(model, "key", options.key)
    data = engine.Data(model)
    engine.reset(model, data, key)
    if seconds > 0:
        steps = max(1, round(seconds / model.opt.timestep))
        advance(model, data, steps, "render")
        engine.forward(model, data)
        code = report_warnings(model, data, steps, "render")
    else:
        code = 0
        show(model, data)
    from renderer import render

    try:
        picture = render(model, data, width, height, camera=_camera(model, camera), options=look)
    except Exception as error:
        if "--debug" in sys.argv:
            traceback.print_exc()
        return fail(f"render: the picture cannot be drawn here: {error}")
    from PIL import Image

    try:
        Image.fromarray(picture).save(options.output, picture_format.name, **picture_format.options)
    except OSError as error:
        return fail(f"render: {options.output} cannot be written: {error.strerror or error}")
    return code


def format_of(path: str) -> Format:
    """The format that the extension of a file name stands for. Raises UsageError."""
    extension = os.path.splitext(path)[1].lower()
    if extension not in FORMATS:
        known = ", ".join(FORMATS)
        raise UsageError(f"render: {path}: the extension does not name a picture format; end it in one of {known}")
    return FORMATS[extension]


def show(model, data) -> None:
    """Where everything is at the initial state: compiled if that is at hand, else without waiting for
    compilers."""
    import engine
    from engine.run import warmup

    if not model.unsimulated and all(warmup.is_cached(name) for name in warmup.needed(model)):
        engine.forward(model, data)
    else:
        engine.kinematics(model, data)


def size_of(text: str) -> tuple[int, int]:
    """ "1280x800" as (1280, 800). Raises UsageError."""
    match = re.fullmatch(r"(\d{1,6})[xX×](\d{1,6})", text.strip())
    if not match:
        raise UsageError(f"render: --size {text!r} is not like 1280x800")
    width, height = int(match[1]), int(match[2])
    if not (1 <= width <= MOST and 1 <= height <= MOST):
        raise UsageError(f"render: --size {text} must be between 1x1 and {MOST}x{MOST}")
    return width, height


def _seconds(value) -> float:
    try:
        seconds = float(value)
    except ValueError:
        raise UsageError(f"render: --time {value!r} is not a number") from None
    if not (math.isfinite(seconds) and 0 <= seconds <= LONGEST):
        raise UsageError(f"render: --time {value} must be between 0 and {LONGEST:g} seconds")
    return seconds


def _tone_mappings() -> list[str]:
    from engine.scene.options import ToneMapping

    return list(ToneMapping)


def _look(options):
    """What to draw and how, as VisOptions. Raises UsageError."""
    from engine.scene.options import MOST_EXPOSURE, ToneMapping, VisOptions

    if options.tonemap not in _tone_mappings():
        raise UsageError(f"render: --tonemap {options.tonemap!r} is not one of {', '.join(_tone_mappings())}")
    try:
        exposure = float(options.exposure)
    except ValueError:
        raise UsageError(f"render: --exposure {options.exposure!r} is not a number") from None
    if not abs(exposure) <= MOST_EXPOSURE:
        raise UsageError(
            f"render: --exposure {options.exposure} must be between {-MOST_EXPOSURE:g} and {MOST_EXPOSURE:g} stops"
        )
    return VisOptions(tonemap=ToneMapping(options.tonemap), exposure=exposure)


def _find(model, kind: str, name: str | None) -> int | None:
    """The id of a camera or keyframe given by name or number. Raises UsageError."""
    if name is None:
        return None
    names = model.names.get(kind, [])
    if name in names:
        return names.index(name)
    if name.isdigit() and int(name) < len(names):
        return int(name)
    known = ", ".join(item or str(i) for i, item in enumerate(names)) or "none"
    raise UsageError(f"render: the model has no {kind} {name!r}; it has: {known}")


def _camera(model, index: int | None):
    from engine.scene.camera import FIXED, initial

    camera = initial(model)
    if index is not None:
        camera.type, camera.fixedcamid = FIXED, index
    return camera
