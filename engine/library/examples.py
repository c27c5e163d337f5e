"""The example models that come with Kinetree, by the names of their files."""

from __future__ import annotations

from kinetree.engine.library.folder import EXTENSIONS
from kinetree.engine.library.model import ModelSource, NamedModel
from kinetree.engine.packaged import packaged

FOLDERS = ("", "formats")


def models() -> list[NamedModel]:
    """All example models."""
    found = []
    for name in FOLDERS:
        for path in sorted(packaged("resources", "models", *filter(None, [name])).iterdir()):
            if path.suffix in EXTENSIONS:
                found.append(NamedModel(path.stem, ModelSource.EXAMPLE, str(path), path.name))
    return found
