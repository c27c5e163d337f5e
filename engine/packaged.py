"""The data files that come with Kinetree: `resources` and `shaders`."""

from importlib.resources import files
from pathlib import Path


def packaged(*names: str) -> Path:
    """The path of a file or folder of the package: `packaged("resources", "icons")`."""
    return Path(str(files("kinetree").joinpath(*names))).resolve()
