"""The process that draws for the window: python -m kinetree.app.pictures.process

It reads pickles from its standard input: a Job, then as many Moments as the job has frames. It writes a line for each
frame that is done, at the end a line with the names of the files, as JSON. What cannot be done goes to standard error,
as one line, with exit status 1. Both ends are Kinetree: nobody else's pickles are read.
"""

from __future__ import annotations

import json
import pickle
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kinetree import renderer
from kinetree.app.pictures.content import PictureRequest, draw
from kinetree.app.pictures.files import save
from kinetree.app.pictures.packing import PackedModel
from kinetree.app.pictures.video import video
from kinetree.engine.platforms import processes
from kinetree.engine.translation import tr


@dataclass(frozen=True, slots=True)
class PictureJob:
    """A drawing job.

    model    compiled model, packed
    picture  description of each frame
    path     file to write
    frames   number of frames
    fps      of a video; 0 for one picture
    """

    model: PackedModel
    picture: PictureRequest
    path: str
    frames: int = 1
    fps: float = 0.0


@dataclass(frozen=True, slots=True)
class Moment:
    """State and camera of one frame: a packed Snapshot, and the view."""

    state: Any
    camera: Any


DONE = "frame"


def main() -> int:
    given = sys.stdin.buffer
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no unfinished file is left
    processes.lower_priority()
    job: PictureJob = pickle.load(given)
    try:
        files = _video(job, _moments(given, job)) if job.fps else _picture(job, next(_moments(given, job)))
    except (EOFError, BrokenPipeError):
        return 1  # nobody wants it any more
    except OSError as error:
        print(
            tr(
                "{path} cannot be written: {reason}",
                path=job.path,
                reason=error.strerror or str(error).strip().splitlines()[-1],
            ),
            file=sys.stderr,
        )
        return 1
    except Exception as error:
        print(tr("the picture cannot be drawn: {error}", error=error).replace("\n", " "), file=sys.stderr)
        return 1
    print(json.dumps(files), flush=True)
    return 0


def _moments(given: Any, job: PictureJob) -> Iterator[Moment]:
    for _ in range(job.frames):
        yield pickle.load(given)


def _picture(job: PictureJob, moment: Moment) -> list[str]:
    offscreen, model = renderer.offscreen.Offscreen(), job.model.unpack()
    drawn = draw(offscreen, model, moment.state, moment.camera, job.picture)
    offscreen.release()
    print(DONE, flush=True)
    return save(drawn, job.picture.content, job.path, model)


def _video(job: PictureJob, moments: Iterator[Moment]) -> list[str]:
    offscreen, model = renderer.offscreen.Offscreen(), job.model.unpack()
    with video(job.path, job.picture.width, job.picture.height, job.fps) as made:
        for moment in moments:
            made.add(draw(offscreen, model, moment.state, moment.camera, job.picture).pixels)
            print(DONE, flush=True)
    offscreen.release()
    return [job.path]


if __name__ == "__main__":
    sys.exit(main())
