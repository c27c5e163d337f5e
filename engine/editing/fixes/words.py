"""Fixes of words that mean nothing: misspelt elements, attributes, keywords and names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from kinetree.engine.assist.language import language_of
from kinetree.engine.diagnostics import REMOVE
from kinetree.engine.document.element_edit import RemoveAttribute, RenameAttribute, RenameElement, SetAttribute
from kinetree.engine.editing.fixes.fix import FindingPlace, Fix, InSection, fix
from kinetree.engine.translation import tr

_WORD = re.compile(r"\S+")


def meant(at: FindingPlace) -> Iterator[Fix]:
    """Writes the word that was probably meant."""
    if len(at.facts) != 2 or at.facts[1] == REMOVE:
        return
    written, guess = at.facts
    node, attribute = at.node, at.attribute
    title = tr("Change '{written}' to '{guess}'", written=written, guess=guess)
    if attribute is None:
        if node is not None and node.tag == written:
            yield fix(tr("Change <{written}> to <{guess}>", written=written, guess=guess), RenameElement(node, guess))
        elif at.text[at.start : at.end].count(written) == 1:  # a comment
            start = at.text.index(written, at.start, at.end)
            yield fix(title, at.replaced(start, start + len(written), guess))
    elif at.item.code == "unknown-attribute" and attribute.name == written:
        if attribute.node.attribute(guess) is None:
            yield fix(title, RenameAttribute(attribute.node, written, guess))
    elif attribute.value.strip() == written.strip():
        yield fix(title, SetAttribute(attribute.node, attribute.name, guess))
    else:
        words = [word for word in _WORD.finditer(attribute.value) if word[0] == written]
        if words:
            value = attribute.value[: words[0].start()] + guess + attribute.value[words[0].end() :]
            yield fix(title, SetAttribute(attribute.node, attribute.name, value))


def without(at: FindingPlace) -> Iterator[Fix]:
    """Removes the attribute, where nothing like it is known."""
    if len(at.facts) == 2 and at.facts[1] == REMOVE and at.attribute is not None:
        name = at.attribute.name
        yield fix(tr("Remove {name}", name=name), RemoveAttribute(at.attribute.node, name))


def without_reference(at: FindingPlace) -> Iterator[Fix]:
    """Removes the attribute."""
    if at.attribute is not None:
        attribute = at.attribute
        title = tr("Remove {name}='{value}'", name=attribute.name, value=attribute.value)
        yield fix(title, RemoveAttribute(attribute.node, attribute.name))


def declared_class(at: FindingPlace) -> Iterator[Fix]:
    """Declares an empty default class of that name."""
    if at.attribute is not None and at.attribute.value and at.is_mjcf:
        name = at.attribute.value
        xml = f"<default class={quoteattr(name)}/>"
        yield fix(tr("Declare the default class '{name}'", name=name), InSection("default", xml))


def declared_plugin(at: FindingPlace) -> Iterator[Fix]:
    """Declares the plugin in <extension>."""
    if len(at.facts) == 1:
        name = at.facts[0]
        xml = f"<plugin plugin={quoteattr(name)}/>"
        yield fix(tr("Declare the plugin '{name}'", name=name), InSection("extension", xml))


def another_name(at: FindingPlace) -> Iterator[Fix]:
    """Gives the second of two elements of one name a name that is free."""
    attribute = at.attribute
    if attribute is None or attribute.name not in ("name", "class"):
        return
    row = language_of(at.document).row(attribute.node)
    known = row.attributes.get(attribute.name) if row is not None else None
    space = known.declares if known is not None else None
    if space is None and attribute.name == "class" and attribute.node.tag == "default":
        space = "class"
    if space is None:
        return
    node, name, value, taken = attribute.node, attribute.name, attribute.value, space
    yield Fix(
        tr("Give it another name than '{name}'", name=value),
        lambda: [SetAttribute(node, name, at.shared.fresh.take(taken, value))],
    )


def a_name(at: FindingPlace) -> Iterator[Fix]:
    """Gives the element a name."""
    node = at.node
    row = language_of(at.document).row(node) if node is not None else None
    known = row.attributes.get("name") if row is not None else None
    if node is None or known is None or known.declares is None or node.attribute("name") is not None:
        return
    space = known.declares
    yield Fix(tr("Give it a name"), lambda: [SetAttribute(node, "name", at.shared.fresh.take(space, node.tag))])
