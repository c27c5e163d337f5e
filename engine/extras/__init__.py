"""Extras: large packages that few features need. They are not installed with Kinetree; a feature that needs one offers
it by name and size, and nothing is fetched before the user agrees.

    table.py       the rows: what each extra is for, and its packages
    wheels.py      versions, sizes and hashes of the packages, pinned in resources/extras.json
    places.py      whether an extra is there, where, and how a feature reaches it: `activate`
    installing.py  fetches an extra: the only module that starts pip
    ffmpeg.py      the program that writes videos, of the system or of the extra

    extras.places.activate("parquet")  # raises MissingExtra, which names the command that installs it
    import pyarrow
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.extras import ffmpeg, installing, places, table, wheels  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
