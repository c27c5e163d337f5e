"""Draw a picture or a video of a model without a window."""

from __future__ import annotations

import re
import sys
import traceback
from dataclasses import replace
from typing import NamedTuple

import kinetree
from kinetree import engine, renderer
from kinetree.app import pictures
from kinetree.app.commands.arguments import add_model, add_seed, seed_of, takes
from kinetree.app.commands.common import cannot_move, load, object_id, writable
from kinetree.app.commands.look import add_look_arguments, look_of, number
from kinetree.app.commands.stepping import advance, report_warnings
from kinetree.app.pictures.content import PictureRequest
from kinetree.app.pictures.film import Film, around, turned
from kinetree.app.pictures.formats import MOST, PICTURES, VIDEOS, Content, check_picture, check_video, extension
from kinetree.app.terminal import UsageError, fail, printable
from kinetree.engine import scene
from kinetree.engine.translation import tr

LONGEST = 1e6
"""Most simulated time, s."""
LONGEST_VIDEO = 3600.0
"""Longest video, s."""
FPS = 30.0
USUAL = "1280x800"
"""Size of a picture where nothing says otherwise."""


def add_arguments(parser) -> None:
    add_model(parser, "model", metavar="MODEL", help=tr("model file, or the name of a model"))
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        help=tr("what to write: a picture (.png, .jpg, .webp), an array (.npy) or a video (.mp4, .webm, .gif)"),
    )
    parser.add_argument(
        "--size", metavar="WxH", help=tr("pixels (default: the resolution of the camera in the model, or 1280x800)")
    )
    parser.add_argument("--camera", metavar="NAME", help=tr("one of the model's cameras, by name or number"))
    parser.add_argument("--time", default=0.0, metavar="S", help=tr("simulate this many seconds first"))
    parser.add_argument("--key", metavar="NAME", help=tr("start from a keyframe, by name or number"))
    add_look_arguments(parser)
    content = parser.add_argument(
        "--content",
        metavar="NAME",
        default="colors",
        help=tr(
            "colors (default), depth (.png: 16 bits, millimetres; .npy: metres), segmentation (.png with a .csv that "
            "names the objects; .npy: id and object type), normal (.png: -1 to 1 as 0 to 255; .npy) or albedo (colours "
            "without light; .png, .npy)"
        ),
    )
    takes(content, Content)
    parser.add_argument("--transparent", action="store_true", help=tr("no background (.png, .webp)"))
    parser.add_argument("--without-floor", action="store_true", help=tr("leave out infinite planes"))
    parser.add_argument("--duration", metavar="S", default=5.0, help=tr("length of a video, seconds (default 5)"))
    parser.add_argument("--fps", metavar="N", help=tr("frames a second of a video (default {fps:g}; .gif 25)", fps=FPS))
    parser.add_argument(
        "--speed",
        metavar="X",
        default=1.0,
        help=tr("simulated seconds for each second of a video; 0: nothing moves (default 1)"),
    )
    parser.add_argument(
        "--turn",
        metavar="DEG",
        default=0.0,
        help=tr(
            "the camera goes around the model by so many degrees during a video; with --speed 0 and --turn 360 a "
            "turntable; in a picture: from where it is seen"
        ),
    )
    add_seed(parser)


def run(options) -> int:
    request = _request(options)
    problem = writable(options.output)
    if problem:
        return fail(f"render: {problem}")
    if request.is_video:
        try:
            engine.extras.ffmpeg.program()
        except engine.extras.places.MissingExtra as error:
            return fail(f"render: {options.output}: {error}")
    model = load(options.model, seed_of(options))
    if model is None:
        return 1
    moves = request.seconds > 0 or (request.film.frames > 1 and request.film.speed > 0)
    if moves and model.unsimulated:
        still = "--speed 0" if request.is_video else tr("leave out --time")
        return fail(
            tr("render: {cannot_move}; {still} to draw it as it is", cannot_move=cannot_move(model), still=still)
        )
    camera = object_id("render", model, "camera", options.camera)
    key = object_id("render", model, "key", options.key)
    if options.size is None and not request.is_video:
        request = request._replace(picture=_sized(request.picture, model, camera))
    data = kinetree.Data(model)
    kinetree.reset(model, data, key)
    if request.seconds > 0:
        steps = max(1, round(request.seconds / model.opt.timestep))
        advance(model, data, steps, "render")
    if moves:
        kinetree.forward(model, data)
    else:
        show(model, data)
    try:
        steps = _write(request, model, data, _camera(model, camera))
    except OSError as error:
        reason = error.strerror or str(error).strip().splitlines()[-1]
        return fail(tr("render: {output} cannot be written: {reason}", output=options.output, reason=reason))
    except Exception as error:
        if "--debug" in sys.argv:
            traceback.print_exc()
        return fail(tr("render: the picture cannot be drawn here: {error}", error=error))
    return report_warnings(model, data, steps, "render") if moves else 0


class RenderRequest(NamedTuple):
    """Request of the command line. `film` has one frame for a picture; `seconds` are simulated before the first."""

    path: str
    picture: PictureRequest
    film: Film
    seconds: float
    is_video: bool


def _request(options) -> RenderRequest:
    """The arguments, checked. Raises UsageError."""
    width, height = size_of(options.size or USUAL)
    try:
        content = Content(options.content)
    except ValueError:
        raise UsageError(
            tr("render: --content {content!r} is not one of {names}", content=options.content, names=", ".join(Content))
        ) from None
    picture = PictureRequest(width, height, look_of(options), content, options.transparent, not options.without_floor)
    turn = number("--turn", options.turn, -36000.0, 36000.0)
    seconds = number("--time", options.time, 0.0, LONGEST)
    is_video = extension(options.output) in VIDEOS
    try:
        if not is_video:
            check_picture(options.output, width, height, content, options.transparent)
            return RenderRequest(options.output, picture, Film(1, FPS, 0.0, turn), seconds, False)
        if content is not Content.COLORS or options.transparent:
            what = "transparent" if options.transparent else content
            raise UsageError(
                tr("render: a video cannot be {what}: name a picture, {names}", what=what, names=", ".join(PICTURES))
            )
        usual = 25.0 if extension(options.output) == ".gif" else FPS
        fps = usual if options.fps is None else number("--fps", options.fps, 1.0, 240.0)
        check_video(options.output, width, height, fps)
    except ValueError as error:
        raise UsageError(f"render: {error}") from None
    duration = number("--duration", options.duration, 0.0, LONGEST_VIDEO)
    speed = number("--speed", options.speed, 0.0, 1000.0)
    return RenderRequest(options.output, picture, Film(max(1, round(duration * fps)), fps, speed, turn), seconds, True)


def _write(request: RenderRequest, model, data, camera) -> int:
    """Draw and write what was asked for; returns the number of steps that were simulated. Raises OSError."""

    picture, film = request.picture, request.film
    if film.turn:
        camera = around(model, data, camera)
    offscreen = renderer.offscreen.Offscreen()
    if not request.is_video:
        drawn = pictures.content.draw(offscreen, model, data, turned(camera, film.turn), picture)
        _tell(offscreen.renderer.remarks)
        pictures.files.save(drawn, picture.content, request.path, model)
        return round(request.seconds / model.opt.timestep)
    steps = 0
    with pictures.video.video(request.path, picture.width, picture.height, film.fps) as made:
        for number in range(film.frames):
            wanted = round(number * film.interval / model.opt.timestep)
            if wanted > steps:
                advance(model, data, wanted - steps, "render")
                kinetree.forward(model, data)
                steps = wanted
            camera.follow(data, model)
            each = turned(camera, film.turn * number / film.frames)
            made.add(pictures.content.draw(offscreen, model, data, each, picture).pixels)
    _tell(offscreen.renderer.remarks)
    return steps + round(request.seconds / model.opt.timestep)


def _tell(remarks: list[str]) -> None:
    """Write what is not drawn as it is to stderr."""
    for remark in remarks:
        print(printable(f"kinetree: render: warning: {remark}"), file=sys.stderr)


def _sized(picture: PictureRequest, model, camera: int | None) -> PictureRequest:
    """The picture with the resolution that the model gives the camera, if it gives one."""
    width, height = (0, 0) if camera is None else (int(each) for each in model.cam_resolution[camera])
    if min(width, height) <= 1:
        return picture
    return replace(picture, width=min(width, MOST), height=min(height, MOST))


def show(model, data) -> None:
    """Compute the poses of the initial state: by the compiled `forward` if the cache has it, else by `kinematics`,
    without waiting for the compiler."""

    if not model.unsimulated and all(engine.run.warmup.is_compiled(name) for name in engine.run.warmup.needed(model)):
        kinetree.forward(model, data)
    else:
        kinetree.kinematics(model, data)


def size_of(text: str) -> tuple[int, int]:
    """ "1280x800" as (1280, 800). Raises UsageError."""
    match = re.fullmatch(r"(\d{1,6})[xX×](\d{1,6})", text.strip())
    if not match:
        raise UsageError(tr("render: --size {text!r} is not like 1280x800", text=text))
    width, height = int(match[1]), int(match[2])
    if not (1 <= width <= MOST and 1 <= height <= MOST):
        raise UsageError(tr("render: --size {text} must be between 1x1 and {most}x{most}", text=text, most=MOST))
    return width, height


def _camera(model, index: int | None):
    camera = scene.camera.initial(model)
    if index is not None:
        camera.type, camera.fixedcamid = scene.camera.FIXED, index
    return camera
