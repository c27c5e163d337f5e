"""The text of a model: files, includes, the tree over the text, edits of it. Start with document.py."""
