"""Every link of every page leads somewhere, headings go down by one level, every page has its place on the site."""

import itertools
import re
from pathlib import Path

import pytest

from tests.documentation.links import Heading, anchor, broken, headings, links, prose
from tests.documentation.pages import ROOT

PAGES = sorted(path.relative_to(ROOT).as_posix() for pattern in ("*.md", "docs/**/*.md") for path in ROOT.glob(pattern))

MENTION = re.compile(r"\bdocs/[\w/-]+\.md\b")


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    assert broken(ROOT / name, (ROOT / name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_a_title_and_no_level_is_left_out(name: str) -> None:
    found = headings((ROOT / name).read_text(encoding="utf-8"))
    assert found[0].level == 1, "a page begins with its title"
    assert [each.text for each in found if each.level == 1] == [found[0].text], "one title"
    deeper = [after.text for before, after in itertools.pairwise(found) if after.level > before.level + 1]
    assert not deeper, f"a level is left out before {deeper}"
    anchors = [anchor(each.text) for each in found]
    assert len(set(anchors)) == len(anchors), "two headings have one anchor"


def test_pages_that_the_program_names_are_there() -> None:
    named = {
        name
        for folder in ("app", "engine", "kinetree", "packaging", "renderer")
        for path in (ROOT / folder).rglob("*.py")
        for name in MENTION.findall(path.read_text(encoding="utf-8"))
    }
    assert len(named) > 10
    assert not [name for name in sorted(named) if not (ROOT / name).is_file()]


def test_every_page_has_its_place_on_the_site_and_every_place_a_page() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    placed = re.findall(r": ([\w/-]+\.md)$", text, re.MULTILINE)
    assert len(set(placed)) == len(placed)
    outside = {"index.md", "contributing.md", "changelog.md", "third-party.md"}
    pages = {name.removeprefix("docs/") for name in PAGES if name.startswith("docs/")}
    pages = {name for name in pages if not name.startswith("notes/")}  # mkdocs.yml: exclude_docs
    assert set(placed) - outside == pages, "mkdocs.yml: nav"


def test_every_picture_is_shown_somewhere() -> None:
    shown = {
        (ROOT / name).parent.joinpath(target).resolve()
        for name in PAGES
        for target in links((ROOT / name).read_text(encoding="utf-8"))
        if "://" not in target
    }
    pictures = {path for end in ("png", "webp", "gif") for path in ROOT.glob(f"docs/**/*.{end}")}
    assert pictures and not sorted(str(path) for path in pictures - shown)


def test_the_pictures_stay_small() -> None:
    sizes = {path.name: path.stat().st_size for path in ROOT.glob("docs/images/**/*.webp")}
    assert sum(sizes.values()) < 6_000_000, "docs/images grows beyond 6 MB"
    assert sizes.pop("film.webp") < 3_000_000
    assert max(sizes.values()) < 200_000, sizes


def test_broken_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# Other\n\n## A part: `x`\n")
    page = tmp_path / "page.md"
    text = (
        "[a](other.md) [b](other.md#a-part-x) ![p](gone.png) [c](other.md#gone)\n[d](#here) `[e](f.md)` [g](http://x.org)\n"
        "\n    [code](h.md)\n\n# Here\n[![q](gone.webp)](https://example.org/a)\n"
    )
    page.write_text(text)
    assert broken(page, text) == [
        "gone.png: no such file",
        "other.md#gone: no such heading",
        "http://x.org: not the form of an address (https only)",
        "gone.webp: no such file",
    ]


def test_code_is_no_prose_and_headings_have_anchors() -> None:
    assert "x" not in prose("a\n```\nx\n```\n\n    x\n`x`\n")
    assert "x" in prose("- a\n    [x](y)\n")
    assert headings("# A\n```\n# no\n```\n### B c\n") == [Heading(1, "A"), Heading(3, "B c")]
    assert anchor("Read on: `a_b` (c)") == "read-on-a_b-c"
