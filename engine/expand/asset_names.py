"""Default names of assets: the file name without folder and extension (XML reference, asset/mesh/name)."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

from kinetree.engine.mjcf.elements import Spec
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics


def name_assets(spec: Spec, diagnostics: Diagnostics) -> None:
    """Name each asset without a name after its file; report those that have neither and need a name."""
    # the reference numbers skins under <asset> first
    spec.lists["skin"].sort(key=lambda element: element.row.id != "asset.skin")
    for kind in ("mesh", "hfield", "texture", "material", "skin"):
        for element in spec.lists[kind]:
            if not element.name and element.get("file"):
                name = PureWindowsPath(element["file"]).name
                element.name = PurePosixPath(name).stem
            optional = kind == "skin" or (kind == "texture" and element["type"] == "skybox")
            if not element.name and not optional:
                diagnostics.error(element.node, "missing-name", tr("a {kind} needs a name; add name=...", kind=kind))
