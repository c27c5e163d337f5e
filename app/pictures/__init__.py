"""Pictures and videos as files. Read first.

    formats.py   the tables of file formats: pictures, arrays, videos
    content.py   what is in a picture: its colours, depths or objects; drawn without a window
    lettering.py labels, written over a picture
    files.py     pictures written to files
    video.py     frames written to a video, by the program ffmpeg
    film.py      which moments and cameras the frames of a video show
    packing.py   models and states as plain arrays
    cutout.py    the picture of a model alone, for file managers
    thumbnail.py the process that draws for file managers, within limits
    card.py      the picture of a model that it cannot draw
    process.py   the process that draws for the window, so that the window never waits

`kinetree render` (app/commands/render.py) draws in its own process; the window (app/actions/pictures.py) sends what is
to be drawn to a process of its own (app/workers/drawing.py). Only the user names the files that are written.
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.pictures import card, content, cutout, files, lettering, video  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
