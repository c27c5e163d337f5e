"""The documentation site: it builds without a warning and without a network, and asks no other host for anything."""

import importlib.util
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.documentation.links import anchor, headings
from tests.documentation.pages import ROOT
from tests.patience import LIMIT

sys.path.insert(0, str(ROOT / "packaging" / "pages"))
import flow
import hooks

needs_mkdocs = pytest.mark.skipif(
    importlib.util.find_spec("material") is None, reason="mkdocs is missing: pip install -r packaging/docs.lock"
)


class Page(HTMLParser):
    """links: targets that a reader follows; loads: what a browser fetches by itself; anchors: places on the page."""

    def __init__(self, path: Path):
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value for name, value in attrs if value}
        if "id" in found:
            self.anchors.add(found["id"])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag == "link" and found.get("rel") not in ("canonical", "prev", "next") and "href" in found:
            self.loads.append(found["href"])
        elif "src" in found:
            self.loads.append(found["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    # no name can be resolved: the proxy is closed, for programs that would ask one
    no_network = {"https_proxy": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9", "NO_MKDOCS_2_WARNING": "1"}
    run = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, env=os.environ | no_network)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return folder


@needs_mkdocs
@pytest.mark.slow("builds the site")
def test_links_anchors_and_files_of_the_site_are_there(site: Path) -> None:
    pages = {path: Page(path) for path in site.rglob("*.html")}
    assert len(pages) > 40
    wrong = []
    for path, page in pages.items():
        for target in [*page.links, *page.loads]:
            parts = urlsplit(target)
            if parts.scheme or path.name == "404.html":  # its links begin at the root of a server
                continue
            file = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            file = file / "index.html" if file.is_dir() else file
            if not file.exists() or (parts.fragment and file in pages and parts.fragment not in pages[file].anchors):
                wrong.append(f"{path.name}: {target}")
    assert not wrong


@needs_mkdocs
@pytest.mark.slow("builds the site")
def test_the_site_fetches_nothing_from_other_hosts(site: Path) -> None:
    for path in site.rglob("*.html"):
        assert not [each for each in Page(path).loads if urlsplit(each).netloc], path
    for path in site.rglob("*.css"):
        assert not re.findall(r"url\([\"']?(?:https?:)?//", path.read_text(encoding="utf-8")), path
    # the theme's script would fetch mermaid, which draws charts, where a page has the class for it
    assert not [path for path in site.rglob("*.html") if 'class="mermaid"' in path.read_text(encoding="utf-8")]


@needs_mkdocs
@pytest.mark.slow("builds the site")
def test_headings_have_the_same_anchors_on_the_site_and_on_a_forge(site: Path) -> None:
    for name in ("tutorial/index.md", "plots.md", "gallery.md", "differences.md", "api.md"):
        page = Page(site / Path(name).with_suffix(".html"))
        wanted = {anchor(each.text) for each in headings((ROOT / "docs" / name).read_text(encoding="utf-8"))}
        assert wanted <= page.anchors, name


@needs_mkdocs
@pytest.mark.slow("builds the site")
def test_the_search_knows_the_pages_and_each_has_a_description(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    for text in ("Kinetree in ten steps", "friction cone", "kinetree.step"):
        assert text in index
    for path in site.rglob("*.html"):
        if path.name != "404.html":
            assert re.search(r'<meta name="description" content="[^"]{20,}', path.read_text(encoding="utf-8")), path


def test_links_are_written_for_the_place_of_a_page() -> None:
    text = "[a](docs/plots.md#plots) ![p](docs/images/x.webp) [c](CHANGELOG.md) [d](https://x.org) `[e](docs/api.md)`\n"
    assert hooks.links(text, "index.md") == (
        "[a](plots.md#plots) ![p](images/x.webp) [c](changelog.md) [d](https://x.org) `[e](docs/api.md)`\n"
    )
    assert (
        hooks.links("[r](../../README.md#install) [n](02.md)", "tutorial/01.md")
        == "[r](../index.md#install) [n](02.md)"
    )
    assert hooks.links("[c](../CONTRIBUTING.md)", "architecture.md") == "[c](contributing.md)"
    assert hooks.links("\n    [code](docs/api.md)\n", "index.md") == "\n    [code](docs/api.md)\n"


def test_a_description_is_the_first_sentence_as_plain_text() -> None:
    assert hooks.description("# Title\n\n![p](x.png)\n\nOpens [a file](b.md) with **care**.\n\nMore.") == (
        "Opens a file with care."
    )
    long = hooks.description("# T\n\n" + "word " * 80)
    assert len(long) <= 162 and long.endswith("word …")
    assert hooks.description("# T\n") == ""


def test_a_flow_chart_becomes_nested_lists() -> None:
    chart = 'flowchart TD\n  a["A & b"] -->|"one"| b["B"]\n  a -->|"two"| c["C"]\n  b --> d["D"]\n  c --> d\n'
    assert flow.html(chart) == (
        '<ul class="flow"><li><span>A &amp; b</span><ul><li><em>one</em><span>B</span><ul><li><em></em><span>D</span></li></ul></li>'
        "<li><em>two</em><span>C</span><ul><li><em></em><span>D</span></li></ul></li></ul></li></ul>"
    )
    with pytest.raises(ValueError, match="cannot draw"):
        flow.html("flowchart TD\n  a{{x}} --- b\n")
