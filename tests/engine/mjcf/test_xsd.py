"""The XML Schema of MJCF accepts what the reader accepts, and refuses what a schema can refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from kinetree.engine.diagnostics import Diagnostics, Severity
from kinetree.engine.document.document import Document
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.validate import validate
from kinetree.engine.mjcf.xsd import XS, to_xsd
from tests.corpus import listed

ROOT = Path(__file__).resolve().parents[3]
OURS = sorted((ROOT / "resources" / "models").glob("*.xml")) + sorted(
    (ROOT / "tests" / "data" / "models").glob("*.xml")
)
PARSER = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
TOLERATED = {"unknown-attribute", "unknown-element", "misplaced-element"}
"""Warnings of the reader inside frame and replicate."""


@pytest.fixture(scope="module")
def xsd() -> etree.XMLSchema:
    return etree.XMLSchema(etree.fromstring(to_xsd()))


def accepted_by_the_reader(path: Path) -> bool:
    document, found = Document.load(path), Diagnostics()
    validate(document.merged, found)
    findings = [*document.diagnostics, *found]
    return not any(item.severity is Severity.ERROR or item.code in TOLERATED for item in findings)


def mismatches(paths: list[Path], xsd: etree.XMLSchema) -> tuple[int, list[str]]:
    """How many MJCF files the reader accepts, and what the schema has against those."""
    count, wrong = 0, []
    for path in paths:
        try:
            tree = etree.parse(path, PARSER)
        except (etree.XMLSyntaxError, OSError):
            continue
        if tree.getroot().tag == "mujoco" and accepted_by_the_reader(path):
            count += 1
            if not xsd.validate(tree):
                wrong.append(f"{path.name}: {xsd.error_log.last_error}")
    return count, wrong


def test_our_models_are_valid(xsd: etree.XMLSchema) -> None:
    count, wrong = mismatches(OURS, xsd)
    assert count > 20
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow("every model of the corpus")
def test_the_corpus_is_valid(xsd: etree.XMLSchema, shared: Path) -> None:
    count, wrong = mismatches([row.path for row in listed(shared / "corpus")], xsd)
    assert count > 500
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "text",
    [
        "<mujoco><option timestep='0x1p-9' gravity='1 2e-3 .5'/></mujoco>",
        "<mujoco><option timestep=''/><option integrator='RK4'/></mujoco>",
        "<mujoco><worldbody><frame pos='1 2 3'><body><replicate count='2'><geom size='1'/></replicate></body></frame>"
        "</worldbody></mujoco>",
        "<mujoco><default><geom friction='1'/><default class='a'><joint range='0 1'/></default></default></mujoco>",
        "<mujoco><worldbody><include file='a.xml'/></worldbody><include file='b.xml'/></mujoco>",
        "<mujoco><asset><mesh name='m' vertex='0 0 0  1 0 0  0 1 0  0 0 1'/></asset></mujoco>",
    ],
)
def test_valid(xsd: etree.XMLSchema, text: str) -> None:
    assert xsd.validate(etree.fromstring(text)), xsd.error_log


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("<mujoco><worldbody><geom nmae='a'/></worldbody></mujoco>", "nmae"),
        ("<mujoco><worldbody><joint/></worldbody></mujoco>", "joint"),
        ("<mujoco><option integrator='Eulre'/></mujoco>", "Eulre"),
        ("<mujoco><option gravity='1 2'/></mujoco>", "'1 2'"),
        ("<mujoco><option gravity='1 2 3 4'/></mujoco>", "'1 2 3 4'"),
        ("<mujoco><option gravity='1, 2, 3'/></mujoco>", "1, 2, 3"),
        ("<mujoco><option iterations='1.5'/></mujoco>", "1.5"),
        ("<mujoco><size memory='64Q'/></mujoco>", "64Q"),
        ("<mujoco><contact><exclude body1='a'/></contact></mujoco>", "body2"),
        ("<robot/>", "robot"),
    ],
)
def test_invalid(xsd: etree.XMLSchema, text: str, names: str) -> None:
    assert not xsd.validate(etree.fromstring(text))
    assert names in "\n".join(error.message for error in xsd.error_log)


def test_every_row_is_in_the_schema_with_its_help() -> None:
    tree = etree.fromstring(to_xsd())
    groups = {group.get("name"): group for group in tree.findall(f"{{{XS}}}attributeGroup")}
    assert set(groups) == set(schema.ELEMENTS)
    for id, row in schema.ELEMENTS.items():
        attributes = groups[id].findall(f"{{{XS}}}attribute")
        assert [made.get("name") for made in attributes] == list(row.attributes)
        for made, attribute in zip(attributes, row.attributes.values(), strict=True):
            assert made.findtext(f".//{{{XS}}}documentation").startswith(attribute.help)


def test_the_same_bytes_each_time() -> None:
    assert to_xsd() == to_xsd()
