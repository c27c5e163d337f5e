"""Texts whose caret is written as "|"."""

from kinetree.engine.document.document import Document


def marked(text: str, name: str = "<string>", base=None) -> tuple[Document, str, int]:
    """(document, its path, offset of the first "|"); the mark is taken out."""
    offset = text.index("|")
    document = Document.from_string(text.replace("|", "", 1), base, name)
    return document, document.path, offset
