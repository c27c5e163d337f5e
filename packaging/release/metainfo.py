"""The AppStream metadata, by which software centres show Kinetree."""

from __future__ import annotations

import re
import time
from xml.sax.saxutils import escape

from release import source

ID = "org.kinetree.Kinetree"
"""The application's name for AppStream and Flatpak. Who publishes it must own the domain, or choose another one."""

_TEXT = """<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>{id}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <!-- The licence of Kinetree is not chosen yet. -->
  <project_license>LicenseRef-proprietary</project_license>
  <name>Kinetree</name>
  <summary>{summary}</summary>
  <developer id="{developer}">
    <name>The Kinetree project</name>
  </developer>
  <description>
    <p>
      Kinetree opens models of robots and other mechanisms in the formats MJCF, URDF and x_xy, simulates them with its
      own physics, and shows them with its own renderer.
    </p>
    <p>The text of a model stays as its author wrote it, in the tree, the inspector, the source and the picture:</p>
    <ul>
      <li>change a file, and see the simulation change while it runs</li>
      <li>errors and warnings with file, line and column, and a remedy</li>
      <li>pull, pose and edit bodies in the picture</li>
      <li>plot any quantity of a step, go back in time, record videos</li>
      <li>a language server for other editors, and an interface for Python</li>
    </ul>
  </description>
  <launchable type="desktop-id">kinetree.desktop</launchable>
  <icon type="stock">kinetree</icon>
  <categories>
{categories}
  </categories>
  <keywords>
{keywords}
  </keywords>
  <provides>
    <binary>kinetree</binary>
    <binary>kinetree-gui</binary>
{types}
  </provides>
  <requires>
    <display_length compare="ge">768</display_length>
  </requires>
  <supports>
    <control>pointing</control>
    <control>keyboard</control>
  </supports>
  <releases>
    <release version="{version}" date="{date}"/>
  </releases>
  <content_rating type="oars-1.1"/>
</component>
"""


def text(desktop: str) -> str:
    """The metadata, which agree with a desktop entry."""

    def items(key: str, tag: str) -> str:
        words = [word for word in value(desktop, key).split(";") if word]
        return "\n".join(f"    <{tag}>{escape(word)}</{tag}>" for word in words)

    return _TEXT.format(
        id=ID,
        developer=ID.rpartition(".")[0].lower(),
        summary=escape(value(desktop, "Comment")),
        categories=items("Categories", "category"),
        keywords=items("Keywords", "keyword"),
        types=items("MimeType", "mediatype"),
        version=source.version(),
        date=time.strftime("%Y-%m-%d", time.gmtime(source.epoch())),
    )


def value(desktop: str, key: str) -> str:
    found = re.search(rf"^{key}=(.*)$", desktop, re.MULTILINE)
    if found is None:
        raise source.CannotBuild(f"kinetree.desktop has no line {key}=")
    return found[1]
