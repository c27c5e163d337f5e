"""File names of a model, relative to the folder that its text is written to."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from kinetree.engine.mjcf.elements import Element, SettingsValues, Spec
from kinetree.engine.mjcf.exceptions import FOLDERS
from kinetree.engine.platforms.files import slashed


class FileNames:
    """File names of a spec for a text in `folder`; None: the folder of the model itself.

    settings   compiler attribute (meshdir, texturedir) -> its value relative to `folder`
    """

    def __init__(self, spec: Spec, folder: str | os.PathLike[str] | None):
        self.spec = spec
        self.base = Path(os.path.abspath(spec.folder))
        self.folder = self.base if folder is None else Path(os.path.abspath(folder))
        self.settings: dict[str, str] = {}
        for name in sorted(set(FOLDERS.values())):
            given = _given(spec.compiler, name)
            if given:
                self.settings[name] = self._from(self.folder, self.base / given, given)

    def name(self, element: Element, attribute: str) -> str:
        """The file name to write for an attribute of an element."""
        name = slashed(element[attribute])
        setting = FOLDERS.get(element.row.id, FOLDERS["*"])
        start = self.folder / self.settings.get(setting, "")
        if attribute in element.written_at and os.path.isabs(name):  # resolved by the rules of URDF or x_xy
            written = element.written_at[attribute].value
            return self._from(start, Path(name), "" if not os.path.isabs(written) else name)
        compiler = self.spec.compiler_of(element)
        if self.spec.compiler.get("strippath"):
            name = PurePosixPath(name).name
        given = _given(compiler, setting)
        path = Path(os.path.abspath(self.spec.folder_of(element))) / given / name
        if os.path.isabs(given) and given != _given(self.spec.compiler, setting):
            return path.as_posix()
        return self._from(start, path, name)

    @staticmethod
    def _from(start: Path, path: Path, given: str) -> str:
        """The path relative to a folder; absolute paths stay as given."""
        return given if os.path.isabs(given) else relative(path, start)


def _given(compiler: SettingsValues, name: str) -> str:
    return slashed(compiler.folder(name))


def relative(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> str:
    """The name by which a text in a folder names a file; the absolute path for one on another drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return Path(os.path.abspath(path)).as_posix()
