"""The software bill of materials of a payload, in CycloneDX 1.6."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from pathlib import Path

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from release import debian, source
from release.licences import OURS, Part
from release.source import CannotBuild

# Programs and libraries inside the wheel of a package: name, licence.
CARRIES = {
    "llvmlite": [("LLVM", "Apache-2.0 WITH LLVM-exception")],
    "lxml": [("libxml2", "MIT"), ("libxslt", "MIT")],
    "numpy": [("OpenBLAS", "BSD-3-Clause"), ("libgfortran", "GPL-3.0-or-later WITH GCC-exception-3.1")],
    "pillow": [("libjpeg-turbo", "IJG"), ("libwebp", "BSD-3-Clause"), ("FreeType", "FTL"), ("HarfBuzz", "MIT")],
    "PySide6_Essentials": [("Qt", "LGPL-3.0-only"), ("ICU", "Unicode-3.0")],
    "scipy": [("OpenBLAS", "BSD-3-Clause"), ("libgfortran", "GPL-3.0-or-later WITH GCC-exception-3.1")],
}


def write(path: Path, parts: list[Part], report: list[dict]) -> None:
    """Write the bill of these parts. `report` is pip's, with the hash of each wheel. Raises CannotBuild if the bill
    does not keep to the schema."""
    digests = {row["metadata"]["name"]: row["download_info"]["archive_info"]["hashes"]["sha256"] for row in report}
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"kinetree {source.version()} {sorted(map(repr, parts))}"))
    bom.metadata.timestamp = datetime.fromtimestamp(source.epoch(), UTC)
    ours = Component(name="kinetree", version=source.version(), type=ComponentType.APPLICATION, bom_ref="kinetree")
    ours.description = f"Open, simulate, see and edit robot and physics models. {OURS}"
    bom.metadata.component = ours
    components = [_component(part, digests) for part in parts]
    bom.components.update(components)
    bom.dependencies.add(Dependency(ours.bom_ref, [Dependency(component.bom_ref) for component in components]))
    for component in components:
        bom.dependencies.add(Dependency(component.bom_ref))
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if problem is not None:
        raise CannotBuild(f"the bill of materials does not keep to CycloneDX 1.6: {problem}")
    path.write_text(text + "\n", encoding="utf-8")


def _component(part: Part, digests: dict[str, str]) -> Component:
    if part.kind == "deb":
        digest = debian.locked()[part.name][1]
        url = PackageURL("deb", "debian", part.name, part.version, {"arch": "amd64", "distro": "debian-12"})
    else:
        digest = digests[part.name]
        url = PackageURL("pypi", None, part.name.lower().replace("_", "-"), part.version)
    component = Component(
        name=part.name,
        version=part.version,
        type=ComponentType.LIBRARY,
        bom_ref=url.to_string(),
        purl=url,
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        licenses=[LicenseFactory().make_from_string(part.licence)],
    )
    inner = CARRIES.get(part.name, [])
    component.components.update(
        Component(
            name=name,
            type=ComponentType.LIBRARY,
            bom_ref=f"{component.bom_ref}#{name}",
            licenses=[LicenseFactory().make_from_string(licence)],
        )
        for name, licence in inner
    )
    return component
